//! The squared hinge loss `max(0, 1 − yu)²/2`, `y = ±1`. With the factor one half its curvature is
//! one below the margin, where it is the squared loss.
//!
//! With `z = −yα` the conjugate is `α²/2 − α`, `α ≥ 0`.

use super::{Loss, row};
use crate::data::{Atoms, Targets};
use crate::error::Error;
use crate::exact::sum::above;

/// `max(0, 1 − yu)²/2`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct SquaredHinge;

/// The `u` with `ku + q(1 + u)₊ − p(1 − u)₊ = c`. The left side increases; it is linear below `−1`,
/// between, and above `1`.
fn solve(k: f64, (q, p): (f64, f64), c: f64) -> f64 {
    let between = (c + p - q) / (k + p + q);
    if between > 1.0 {
        (c - q) / (k + q)
    } else if between < -1.0 {
        (c + p) / (k + p)
    } else {
        between
    }
}

impl Loss for SquaredHinge {
    fn name(&self) -> &'static str {
        "squared-hinge"
    }

    fn value(&self, u: f64, y: f64) -> f64 {
        let missing = f64::max(1.0 - y * u, 0.0);
        missing * missing / 2.0
    }

    fn subgradient(&self, u: f64, y: f64) -> (f64, f64) {
        let slope = -y * f64::max(1.0 - y * u, 0.0);
        (slope, slope)
    }

    fn conjugate(&self, z: f64, y: f64) -> f64 {
        let missing = -y * z;
        if missing >= 0.0 { above([missing * missing / 2.0, -missing]) } else { f64::INFINITY }
    }

    fn domain(&self, y: f64) -> (f64, f64) {
        if y > 0.0 { (f64::NEG_INFINITY, 0.0) } else { (0.0, f64::INFINITY) }
    }

    fn curvature(&self, u: f64, y: f64) -> f64 {
        if y * u < 1.0 { 1.0 } else { 0.0 }
    }

    fn curvature_bound(&self) -> Option<f64> {
        Some(1.0)
    }

    fn check_targets(&self, targets: &Targets) -> Result<(), Error> {
        row::check_labels(self.name(), targets)
    }

    fn row_conjugate(&self, z: f64, atoms: Atoms<'_>) -> f64 {
        match atoms.len() {
            0 | 1 => row::conjugate(self, z, atoms),
            _ => {
                let u = solve(0.0, row::class_weights(atoms), z);
                row::split_conjugate(self, z, atoms, (u, u))
            }
        }
    }

    fn row_proximal(&self, v: f64, sigma: f64, atoms: Atoms<'_>) -> f64 {
        let (negative, positive) = row::class_weights(atoms);
        solve(1.0, (sigma * negative, sigma * positive), v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_margin_misses_counts() {
        assert_eq!(SquaredHinge.value(0.0, 1.0), 0.5);
        assert_eq!(SquaredHinge.value(3.0, 1.0), 0.0);
        assert_eq!(SquaredHinge.value(3.0, -1.0), 8.0);
        assert_eq!(SquaredHinge.subgradient(3.0, -1.0), (4.0, 4.0));
        assert_eq!(SquaredHinge.subgradient(1e300, 1.0).0, 0.0);
        assert_eq!(SquaredHinge.subgradient(-1e300, 1.0).0, -1e300);
        assert_eq!(SquaredHinge.conjugate(0.0, 1.0), 0.0);
        assert_eq!(SquaredHinge.conjugate(0.1, 1.0), f64::INFINITY);
        assert_eq!(SquaredHinge.conjugate(-0.1, -1.0), f64::INFINITY);
    }
}
