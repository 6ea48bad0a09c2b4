//! The logistic loss `log(1 + exp(−yu))`, `y = ±1`.
//!
//! With `z = −yp` the conjugate is `p log p + (1 − p) log(1 − p)`, `0 ≤ p ≤ 1`: minus the entropy
//! of the probability that the model gives to the wrong class.

use super::{Loss, row};
use crate::data::{Atoms, Targets};
use crate::error::Error;

/// `log(1 + exp(−yu))`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Logistic;

/// `p log p + (1 − p) log(1 − p)`, rounded up, given the smaller of `p` and `1 − p` with an error
/// of at most `error`.
fn negative_entropy(smaller: f64, error: f64) -> f64 {
    if smaller <= 0.0 {
        return 0.0;
    }
    let (likely, unlikely) = ((1.0 - smaller) * (-smaller).ln_1p(), smaller * smaller.ln());
    // The derivative is log(p/(1 − p)), at most `−log smaller` in magnitude. The result is at most
    // zero.
    let slack = 4.0 * f64::EPSILON * (likely + unlikely) + error * smaller.ln();
    f64::min(likely + unlikely - slack, 0.0)
}

/// `1/(1 + exp(−t))`, without overflow.
fn sigmoid(t: f64) -> f64 {
    let small = (-t.abs()).exp();
    if t < 0.0 { small / (1.0 + small) } else { 1.0 / (1.0 + small) }
}

impl Loss for Logistic {
    fn name(&self) -> &'static str {
        "logistic"
    }

    fn value(&self, u: f64, y: f64) -> f64 {
        let margin = y * u;
        f64::max(-margin, 0.0) + (-margin.abs()).exp().ln_1p()
    }

    fn subgradient(&self, u: f64, y: f64) -> (f64, f64) {
        let slope = -y * sigmoid(-y * u);
        (slope, slope)
    }

    fn conjugate(&self, z: f64, y: f64) -> f64 {
        let p = -y * z;
        if !(0.0..=1.0).contains(&p) {
            return f64::INFINITY;
        }
        // `1 − p` is exact for p ≥ 1/2.
        negative_entropy(p.min(1.0 - p), 2.0 * f64::EPSILON * p)
    }

    fn domain(&self, y: f64) -> (f64, f64) {
        (f64::min(-y, 0.0), f64::max(-y, 0.0))
    }

    fn curvature(&self, u: f64, _: f64) -> f64 {
        let small = (-u.abs()).exp();
        small / ((1.0 + small) * (1.0 + small))
    }

    fn curvature_bound(&self) -> Option<f64> {
        Some(0.25)
    }

    fn check_targets(&self, targets: &Targets) -> Result<(), Error> {
        row::check_labels(self.name(), targets)
    }

    /// With both classes, `z = s₋ − (s₋ + s₊)p`, and both have the same entropy.
    fn row_conjugate(&self, z: f64, atoms: Atoms<'_>) -> f64 {
        if let Some(y) = atoms.single() {
            return self.conjugate(z, y);
        }
        let (low, high) = self.row_domain(atoms);
        if !(low..=high).contains(&z) {
            return f64::INFINITY;
        }
        let (negative, positive) = row::class_weights(atoms);
        if negative == 0.0 || positive == 0.0 {
            return atoms.iter().map(|(y, s)| s * self.conjugate(z / s, y)).sum();
        }
        let weight = negative + positive;
        let smaller = f64::min((negative - z) / weight, (positive + z) / weight);
        weight * negative_entropy(smaller, 4.0 * f64::EPSILON)
    }

    /// `log(s₊/s₋)`.
    fn row_minimizer(&self, atoms: Atoms<'_>, low: f64, high: f64) -> f64 {
        let (negative, positive) = row::class_weights(atoms);
        match (negative, positive) {
            (0.0, 0.0) => 0f64.clamp(low, high),
            _ => (positive.ln() - negative.ln()).clamp(low, high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_away_the_loss_is_a_line() {
        for y in [-1.0, 1.0] {
            assert_eq!(Logistic.value(-y * 1e300, y), 1e300);
            assert_eq!(Logistic.value(y * 1e300, y), 0.0);
            assert_eq!(Logistic.subgradient(-y * 1e300, y).0, -y);
            assert_eq!(Logistic.subgradient(y * 1e300, y).0, 0.0);
            assert_eq!(Logistic.curvature(1e300, y), 0.0);
            // Small numbers keep their digits, since exp(−700) is a normal number.
            let (tail, slope) =
                (Logistic.value(y * 700.0, y), -y * Logistic.subgradient(y * 700.0, y).1);
            assert!(
                (tail / (-700f64).exp() - 1.0).abs() < 1e-15 && (slope / tail - 1.0).abs() < 1e-15
            );
        }
    }

    #[test]
    fn the_conjugate_is_zero_at_both_ends_and_least_in_the_middle() {
        for y in [-1.0, 1.0] {
            assert_eq!(Logistic.conjugate(0.0, y), 0.0);
            assert_eq!(Logistic.conjugate(-y, y), 0.0);
            assert_eq!(Logistic.conjugate(-y * 1f64.next_up(), y), f64::INFINITY);
            assert_eq!(Logistic.conjugate(y * 1e-300, y), f64::INFINITY);
            assert_eq!(Logistic.conjugate(f64::NAN, y), f64::INFINITY);
            let half = Logistic.conjugate(-y / 2.0, y);
            assert!(half >= -2f64.ln() && half <= -2f64.ln() + 1e-15);
            for tiny in [1e-300, 1e-16, 1e-3] {
                let entropy = Logistic.conjugate(-y * tiny, y);
                assert!((entropy - tiny * (tiny.ln() - 1.0)).abs() <= 1e-3 * entropy.abs());
            }
        }
    }

    #[test]
    fn other_targets_than_classes_are_refused() {
        let error = Logistic.check_targets(&Targets::plain(vec![1.0, 0.0])).unwrap_err();
        assert_eq!(error.to_string(), "the logistic loss needs targets -1 and 1, got 0");
        assert!(Logistic.check_targets(&Targets::plain(vec![1.0, -1.0])).is_ok());
    }
}
