//! The hinge loss `max(0, 1 − yu)`, `y = ±1`: two lines that meet at `u = y`, with the slopes `−y`
//! and `0` (see [`super::kink`]).

use super::{Loss, kink, row};
use crate::data::Targets;
use crate::error::Error;

/// `max(0, 1 − yu)`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Hinge;

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
        row::check_labels(self.name(), targets)
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
    fn beyond_the_margin_every_answer_is_a_minimiser() {
        let one = Targets::plain(vec![1.0]);
        assert_eq!(Hinge.row_minimizer(one.row(0), -2.0, 0.5), 0.5);
        assert_eq!(Hinge.row_minimizer(one.row(0), -2.0, 7.0), 7.0);
        assert_eq!(Hinge.row_minimizer(one.row(0), 2.0, 7.0), 7.0);
    }
}
