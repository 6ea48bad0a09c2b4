//! Convex losses `l(u, y)`, and their sum `L(u) = Σ sᵢ l(uᵢ, yᵢ)` over the targets of every row.
//!
//! A loss brings its value, its derivatives and its conjugate `l*(z) = max_u zu − l(u)`. Rows that
//! were merged have several targets; their loss is the sum over the atoms, and its conjugate the
//! cheapest way to split `z` among them: `l_g*(z) = min {Σ s l*(zₖ/s) : Σ zₖ = z}`. Any split bounds
//! it from above, which is the safe side for a lower bound on the objective.

pub mod clip;
mod squared;

pub use squared::{Parabola, Squared};

use crate::data::targets::{Atoms, Targets};
use crate::sum::Sum;
use clip::Side;

/// A convex loss in its first argument, bounded below, for one sample of weight one.
pub trait Loss: std::fmt::Debug + Send + Sync {
    /// The name on the command line and in model files.
    fn name(&self) -> &'static str;

    /// `l(u, y)`.
    fn value(&self, u: f64, y: f64) -> f64;

    /// The derivatives from the left and from the right; equal where `l` is smooth.
    fn subgradient(&self, u: f64, y: f64) -> (f64, f64);

    /// `l*(z) = max_u zu − l(u, y)`, rounded up; infinite outside of [`Loss::domain`].
    fn conjugate(&self, z: f64, y: f64) -> f64;

    /// The interval of `z` where the conjugate is finite. It holds zero.
    fn domain(&self, y: f64) -> (f64, f64);

    /// `Σ s l(u, y)` over the targets of one row.
    fn row_value(&self, u: f64, atoms: Atoms<'_>) -> f64 {
        atoms.iter().map(|(y, s)| s * self.value(u, y)).sum()
    }

    /// The derivatives of [`Loss::row_value`] from the left and from the right.
    fn row_subgradient(&self, u: f64, atoms: Atoms<'_>) -> (f64, f64) {
        atoms.iter().fold((0.0, 0.0), |(left, right), (y, s)| {
            let (l, r) = self.subgradient(u, y);
            (left + s * l, right + s * r)
        })
    }

    /// The interval where [`Loss::row_conjugate`] is finite.
    fn row_domain(&self, atoms: Atoms<'_>) -> (f64, f64) {
        atoms.iter().fold((0.0, 0.0), |(low, high), (y, s)| {
            let (l, h) = self.domain(y);
            (low + s * l, high + s * h)
        })
    }

    /// A minimiser of [`Loss::row_value`] over `[low, high]`.
    fn row_minimizer(&self, atoms: Atoms<'_>, low: f64, high: f64) -> f64 {
        if self.row_subgradient(high, atoms).0 <= 0.0 {
            return high;
        }
        if self.row_subgradient(low, atoms).1 >= 0.0 {
            return low;
        }
        let (mut low, mut high) = (low, high);
        loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                return high;
            }
            if self.row_subgradient(middle, atoms).1 < 0.0 { low = middle } else { high = middle }
        }
    }

    /// The level at which the complete program clips a side, between two neighbouring numbers
    /// (see [`clip`]).
    fn clip_level(&self, targets: &Targets, beta: f64, side: Side) -> (f64, f64) {
        clip::bisect(self, targets, beta, side)
    }

    /// The conjugate of [`Loss::row_value`], rounded up.
    fn row_conjugate(&self, z: f64, atoms: Atoms<'_>) -> f64 {
        match atoms.len() {
            0 if z == 0.0 => 0.0,
            0 => f64::INFINITY,
            1 => atoms.iter().map(|(y, s)| s * self.conjugate(z / s, y)).sum(),
            _ => split_conjugate(self, z, atoms),
        }
    }
}

/// The conjugate of a row's loss by the split that its own derivatives suggest: bisect for the `u`
/// with `z` between the derivatives, and share `z` out between them.
fn split_conjugate<L: Loss + ?Sized>(loss: &L, z: f64, atoms: Atoms<'_>) -> f64 {
    let (low, high) = loss.row_domain(atoms);
    if !(low..=high).contains(&z) {
        return f64::INFINITY;
    }
    let (mut below, mut above) = (-1.0, 1.0);
    while loss.row_subgradient(below, atoms).0 > z && below > -1e300 {
        below *= 2.0;
    }
    while loss.row_subgradient(above, atoms).1 < z && above < 1e300 {
        above *= 2.0;
    }
    // Bisection ends when the two are neighbours: doubles have 2^11 exponents of 2^52 numbers.
    for _ in 0..2200 {
        let middle = 0.5 * (below + above);
        if middle <= below || middle >= above {
            break;
        }
        if loss.row_subgradient(middle, atoms).1 < z { below = middle } else { above = middle }
    }
    let (left, right) =
        (loss.row_subgradient(below, atoms).0, loss.row_subgradient(above, atoms).1);
    let share = if right > left { ((z - left) / (right - left)).clamp(0.0, 1.0) } else { 0.0 };
    atoms
        .iter()
        .map(|(y, s)| {
            let (l, r) = (loss.subgradient(below, y).0, loss.subgradient(above, y).1);
            s * loss.conjugate(l + share * (r - l), y)
        })
        .sum()
}

/// `L(u) = Σ sᵢ l(uᵢ, yᵢ)`.
pub fn total<L: Loss + ?Sized>(loss: &L, targets: &Targets, u: &[f64]) -> f64 {
    targets.iter().zip(u).map(|(atoms, &u)| loss.row_value(u, atoms)).collect::<Sum>().value()
}

/// A `z ∈ ∂L(u)`: the middle of the subgradients, row by row.
pub fn gradient<L: Loss + ?Sized>(loss: &L, targets: &Targets, u: &[f64]) -> Vec<f64> {
    let middle = |(left, right): (f64, f64)| 0.5 * (left + right);
    targets.iter().zip(u).map(|(atoms, &u)| middle(loss.row_subgradient(u, atoms))).collect()
}
