//! The absolute loss `|u − y|`: two lines that meet at the target, with the slopes `±1` (see
//! [`super::kink`]). The best output of a row is its median.

use super::{Loss, kink};

/// `|u − y|`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Absolute;

impl Loss for Absolute {
    fn name(&self) -> &'static str {
        "absolute"
    }

    fn value(&self, u: f64, y: f64) -> f64 {
        (u - y).abs()
    }

    fn domain(&self, _: f64) -> (f64, f64) {
        (-1.0, 1.0)
    }

    kink::two_lines!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_slopes_meet_at_the_target() {
        assert_eq!(Absolute.value(1e300, -1e300), 2e300);
        assert_eq!(Absolute.subgradient(2.0, 2.0), (-1.0, 1.0));
        assert_eq!(Absolute.subgradient(2f64.next_down(), 2.0), (-1.0, -1.0));
        assert_eq!(Absolute.conjugate(1.0, 3.0), 3.0 * (1.0 + 4.0 * f64::EPSILON));
        assert_eq!(Absolute.conjugate(1.5, 3.0), f64::INFINITY);
    }
}
