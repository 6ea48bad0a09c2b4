//! The hinge loss `max(0, 1 − yu)`, `y = ±1`: two lines that meet at `u = y`, with the slopes `−y`
//! and `0` (see [`super::kink`]).

use super::{Loss, kink, label};
use crate::data::Targets;
use crate::error::Error;

/// `max(0, 1 − yu)`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hinge;

impl Loss for Hinge {
    fn name(&self) -> &'static str {
        "hinge"
    }

    fn value(&self, u: f64, y: f64) -> f64 {
        kink::value(self.domain(y), u, y)
    }

    fn domain(&self, y: f64) -> (f64, f64) {
        (f64::min(-y, 0.0), f64::max(-y, 0.0))
    }

    fn check_targets(&self, targets: &Targets) -> Result<(), Error> {
        label::check(self.name(), targets)
    }

    kink::two_lines!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_decides() {
        assert_eq!(Hinge.value(0.25, 1.0), 0.75);
        assert_eq!(Hinge.value(0.25, -1.0), 1.25);
        assert_eq!(Hinge.value(1e300, 1.0), 0.0);
        assert_eq!(Hinge.value(1e300, -1.0), 1e300);
        assert_eq!(Hinge.subgradient(1.0, 1.0), (-1.0, 0.0));
        assert_eq!(Hinge.subgradient(-1.0, -1.0), (0.0, 1.0));
        assert_eq!(Hinge.subgradient(-1.0, 1.0), (-1.0, -1.0));
    }

    #[test]
    fn a_step_ends_at_the_margin() {
        let targets = Targets::grouped(1, &[0, 0, 0], &[-1.0, 1.0, 1.0], None).unwrap();
        let proximal = |v| Hinge.row_proximal(v, 0.5, targets.row(0));
        // Slopes −2, −1 and 1 on the left of −1, between, and on the right of 1.
        assert_eq!(proximal(-3.0), -2.0);
        assert_eq!(proximal(-1.75), -1.0);
        assert_eq!(proximal(0.0), 0.5);
        assert_eq!(proximal(1.25), 1.0);
        assert_eq!(proximal(2.0), 1.5);
        let one = Targets::plain(vec![1.0]);
        assert_eq!(Hinge.row_proximal(3.0, 0.5, one.row(0)), 3.0);
        assert_eq!(Hinge.row_proximal(0.75, 0.5, one.row(0)), 1.0);
        assert_eq!(Hinge.row_proximal(0.0, 0.5, one.row(0)), 0.5);
    }

    #[test]
    fn beyond_the_margin_every_answer_is_a_minimiser() {
        let one = Targets::plain(vec![1.0]);
        assert_eq!(Hinge.row_minimizer(one.row(0), -2.0, 0.5), 0.5);
        assert_eq!(Hinge.row_minimizer(one.row(0), -2.0, 7.0), 7.0);
        assert_eq!(Hinge.row_minimizer(one.row(0), 2.0, 7.0), 7.0);
    }

    #[test]
    fn the_conjugate_of_two_classes_is_the_cheapest_split() {
        let s = [1.0, 2.0];
        let targets = Targets::grouped(1, &[0, 0], &[-1.0, 1.0], Some(&s)).unwrap();
        let conjugate = |z| Hinge.row_conjugate(z, targets.row(0));
        for (z, expected) in [(-2.0, -2.0), (-1.5, -2.5), (-1.0, -3.0), (0.0, -2.0), (1.0, -1.0)] {
            assert!(conjugate(z) >= expected && conjugate(z) < expected + 1e-13, "{z}");
        }
        assert_eq!(conjugate(1.5), f64::INFINITY);
        assert_eq!(conjugate(-2.5), f64::INFINITY);
    }
}
