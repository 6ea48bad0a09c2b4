//! Smooth functions of the output `u`: what Newton's method needs from a loss.

use crate::data::Targets;
use crate::loss::{self, Loss};

use super::tuning::{LARGE, PROXIMAL};

/// A differentiable convex function of the output, a sum over rows.
pub(crate) trait Smooth {
    fn value(&self, u: &[f64]) -> f64;

    fn gradient(&self, u: &[f64]) -> Vec<f64>;

    /// The diagonal of the (generalised) Hessian, divided by [`Smooth::scale`].
    fn curvature(&self, u: &[f64]) -> Vec<f64>;

    /// The unit in which curvatures are small integers, if there is one.
    fn scale(&self) -> f64 {
        1.0
    }

    /// Whether the curvature is the same everywhere.
    fn is_quadratic(&self) -> bool {
        false
    }

    /// The steps of one evaluation that are counted besides those of a Newton step.
    fn work(&self) -> usize {
        0
    }
}

/// A loss that is smooth itself: `L(u)`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Summed<'a, L> {
    pub(crate) loss: &'a L,
    pub(crate) targets: &'a Targets,
}

impl<L: Loss> Smooth for Summed<'_, L> {
    fn value(&self, u: &[f64]) -> f64 {
        loss::total(self.loss, self.targets, u)
    }

    fn gradient(&self, u: &[f64]) -> Vec<f64> {
        loss::gradient(self.loss, self.targets, u)
    }

    fn curvature(&self, u: &[f64]) -> Vec<f64> {
        let rows = self.targets.iter().zip(u);
        rows.map(|(atoms, &u)| self.loss.row_curvature(u, atoms)).collect()
    }

    fn is_quadratic(&self) -> bool {
        self.loss.is_quadratic()
    }
}

/// A loss with kinks, smoothed: `min_v L(v) + ‖u + λ/σ − v‖²σ/2`, the Moreau envelope around the
/// shifted output. Its gradient is a subgradient of `L`, so it lies in the domain of `L*`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Envelope<'a, L> {
    pub(crate) loss: &'a L,
    pub(crate) targets: &'a Targets,
    /// `σ`.
    pub(crate) stiffness: f64,
    /// `λ`.
    pub(crate) multiplier: &'a [f64],
}

/// `1/σ` at first: a power of two near the median of the targets where they are large, otherwise
/// one. An envelope that is much narrower than the targets are apart takes as many Newton steps as
/// there are kinks.
pub(super) fn width(targets: &Targets) -> f64 {
    let mut sizes: Vec<f64> = targets.values().iter().map(|y| y.abs()).collect();
    let middle = sizes.len() / 2;
    if sizes.is_empty() {
        return 1.0;
    }
    let (_, median, _) = sizes.select_nth_unstable_by(middle, f64::total_cmp);
    let ratio = (*median / LARGE).max(1.0);
    f64::from_bits(ratio.to_bits() & !((1 << 52) - 1)) // without the digits after the first
}

impl<L: Loss> Envelope<'_, L> {
    /// The shifted output of every row, and its proximal point `v`.
    fn rows<'a>(&'a self, u: &'a [f64]) -> impl Iterator<Item = (usize, f64, f64)> + 'a {
        (self.targets.iter().zip(u).zip(self.multiplier)).enumerate().map(
            |(g, ((atoms, u), multiplier))| {
                let shifted = u + multiplier / self.stiffness;
                (g, shifted, self.loss.row_proximal(shifted, 1.0 / self.stiffness, atoms))
            },
        )
    }
}

impl<L: Loss> Smooth for Envelope<'_, L> {
    fn value(&self, u: &[f64]) -> f64 {
        self.rows(u)
            .map(|(g, shifted, v)| {
                let distance = shifted - v;
                self.loss.row_value(v, self.targets.row(g))
                    + self.stiffness * distance * distance / 2.0
            })
            .collect::<crate::exact::sum::Sum>()
            .value()
    }

    fn gradient(&self, u: &[f64]) -> Vec<f64> {
        self.rows(u)
            .map(|(g, shifted, v)| {
                let (left, right) = self.loss.row_subgradient(v, self.targets.row(g));
                // After rounding, this must still be a subgradient of `L`.
                (self.stiffness * (shifted - v)).clamp(left, right)
            })
            .collect()
    }

    fn curvature(&self, u: &[f64]) -> Vec<f64> {
        self.rows(u)
            .map(|(g, _, v)| {
                let atoms = self.targets.row(g);
                let (left, right) = self.loss.row_subgradient(v, atoms);
                if left < right {
                    return 1.0; // a kink holds it
                }
                let curvature = self.loss.row_curvature(v, atoms);
                curvature / (curvature + self.stiffness)
            })
            .collect()
    }

    fn scale(&self) -> f64 {
        self.stiffness
    }

    fn work(&self) -> usize {
        PROXIMAL * self.targets.rows()
    }
}
