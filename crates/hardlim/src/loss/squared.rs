//! The squared loss `(u − y)²/2`, with the conjugate `z²/2 + yz`.

use super::Loss;
use super::clip::{self, Side};
use crate::data::targets::{Atoms, Targets};
use crate::sum::above;

/// `(u − y)²/2`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Squared;

/// The squared loss of a merged row: `Σ s(u − y)²/2 = S(u − ȳ)²/2 + c`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parabola {
    /// `S = Σ s`.
    pub weight: f64,
    /// `ȳ = Σ sy / S`; zero for a row without targets.
    pub center: f64,
    /// `c = Σ s(y − ȳ)²/2`.
    pub floor: f64,
}

impl Parabola {
    /// The loss of these targets together.
    pub fn of(atoms: Atoms<'_>) -> Self {
        let weight = atoms.weight();
        if weight == 0.0 {
            return Self { weight, center: 0.0, floor: 0.0 };
        }
        let center = match atoms.len() {
            1 => atoms.iter().map(|(y, _)| y).sum(),
            _ => atoms.iter().map(|(y, s)| s * y).sum::<f64>() / weight,
        };
        let floor = atoms.iter().map(|(y, s)| s * (y - center) * (y - center) / 2.0).sum();
        Self { weight, center, floor }
    }
}

impl Loss for Squared {
    fn name(&self) -> &'static str {
        "squared"
    }

    fn value(&self, u: f64, y: f64) -> f64 {
        (u - y) * (u - y) / 2.0
    }

    fn subgradient(&self, u: f64, y: f64) -> (f64, f64) {
        (u - y, u - y)
    }

    fn conjugate(&self, z: f64, y: f64) -> f64 {
        above([z * z / 2.0, y * z])
    }

    fn domain(&self, _: f64) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    fn row_value(&self, u: f64, atoms: Atoms<'_>) -> f64 {
        let Parabola { weight, center, floor } = Parabola::of(atoms);
        weight * (u - center) * (u - center) / 2.0 + floor
    }

    fn row_conjugate(&self, z: f64, atoms: Atoms<'_>) -> f64 {
        let Parabola { weight, center, floor } = Parabola::of(atoms);
        match weight {
            0.0 if z == 0.0 => 0.0,
            0.0 => f64::INFINITY,
            _ => above([z * z / (2.0 * weight), center * z, -floor]),
        }
    }

    fn row_domain(&self, atoms: Atoms<'_>) -> (f64, f64) {
        if atoms.is_empty() { (0.0, 0.0) } else { (f64::NEG_INFINITY, f64::INFINITY) }
    }

    fn row_minimizer(&self, atoms: Atoms<'_>, low: f64, high: f64) -> f64 {
        Parabola::of(atoms).center.clamp(low, high)
    }

    fn clip_level(&self, targets: &Targets, beta: f64, side: Side) -> (f64, f64) {
        let level = clip::squared_level(targets, beta, side);
        (level, level)
    }
}
