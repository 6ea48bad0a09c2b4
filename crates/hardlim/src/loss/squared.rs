//! The squared loss `(u − y)²/2`, with the conjugate `z²/2 + yz`.

use super::clip;
use super::{Loss, row};
use crate::data::{Atoms, Targets};
use crate::exact::sum::{Sum, above};

/// `(u − y)²/2`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Squared;

/// The squared loss of a merged row: `Σ s(u − y)²/2 = S(u − ȳ)²/2 + c`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Parabola {
    /// `S = Σ s`.
    pub(crate) weight: f64,
    /// `ȳ = Σ sy / S`; zero for a row without targets.
    pub(crate) center: f64,
    /// `c = Σ s(y − ȳ)²/2`.
    pub(crate) floor: f64,
}

impl Parabola {
    pub(crate) fn of(atoms: Atoms<'_>) -> Self {
        let mut first = atoms.iter();
        match (first.next(), first.next()) {
            (None, _) => Self { weight: 0.0, center: 0.0, floor: 0.0 },
            (Some((center, weight)), None) => Self { weight, center, floor: 0.0 },
            _ => {
                let sum = |of: fn(f64, f64, f64) -> f64, center: f64| {
                    atoms.iter().map(|(y, s)| of(y, s, center)).collect::<Sum>().value()
                };
                let weight = sum(|_, s, _| s, 0.0);
                let center = sum(|y, s, _| s * y, 0.0) / weight;
                let floor = sum(|y, s, center| s * (y - center) * (y - center) / 2.0, center);
                Self { weight, center, floor }
            }
        }
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

    fn is_quadratic(&self) -> bool {
        true
    }

    fn domain(&self, _: f64) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    fn curvature_bound(&self) -> Option<f64> {
        Some(1.0)
    }

    fn row_value(&self, u: f64, atoms: Atoms<'_>) -> f64 {
        let Parabola { weight, center, floor } = Parabola::of(atoms);
        weight * (u - center) * ((u - center) / 2.0) + floor
    }

    fn row_curvature(&self, _: f64, atoms: Atoms<'_>) -> f64 {
        Parabola::of(atoms).weight
    }

    fn row_proximal(&self, v: f64, sigma: f64, atoms: Atoms<'_>) -> f64 {
        let Parabola { weight, center, .. } = Parabola::of(atoms);
        center + (v - center) / (1.0 + sigma * weight)
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

    fn clipped(&self, targets: &Targets, low: f64, high: f64) -> (Vec<f64>, f64) {
        let Some(y) = targets.as_plain() else {
            return row::clipped(self, targets, low, high);
        };
        // Goes block by block, while the numbers are in the cache. The sums of the blocks are
        // compensated.
        let (mut u, mut value) = (Vec::with_capacity(y.len()), Sum::default());
        for block in y.chunks(64) {
            let mut lanes = [0.0; 8];
            for (k, &y) in block.iter().enumerate() {
                let beyond = y.clamp(low, high) - y;
                lanes[k % 8] += beyond * beyond;
            }
            u.extend(block.iter().map(|y| y.clamp(low, high)));
            value.add(lanes.iter().sum::<f64>() / 2.0);
        }
        (u, value.value())
    }

    fn clip_level(&self, targets: &Targets, beta: f64, side: f64) -> (f64, f64) {
        let level = clip::squared_level(targets, beta, side);
        (level, level)
    }
}
