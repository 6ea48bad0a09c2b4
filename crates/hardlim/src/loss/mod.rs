//! Convex losses `l(u, y)`, and their sum `L(u) = Σ sᵢ l(uᵢ, yᵢ)` over the targets of every row.
//!
//! A loss has a value, derivatives, and a conjugate `l*(z) = max_u zu − l(u)`. A merged row has
//! several targets. Its loss is the sum over its atoms, and its conjugate is the cheapest way to
//! split `z` among them: `l_g*(z) = min {Σ s l*(zₖ/s) : Σ zₖ = z}`. Any split is an upper bound on
//! the conjugate, and so keeps a lower bound on the objective valid.

mod absolute;
pub(crate) mod clip;
mod hinge;
mod huber;
mod kind;
mod kink;
mod logistic;
mod quantile;
mod row;
mod search;
mod select;
mod squared;
mod squared_hinge;
mod tuning;

pub use huber::Huber;
pub use kind::LossKind;
pub use quantile::Quantile;

pub use crate::exact::sum::above;
pub(crate) use squared::{Parabola, Squared};

use self::absolute::Absolute;
use self::hinge::Hinge;
use self::logistic::Logistic;
use self::squared_hinge::SquaredHinge;

use crate::data::{Atoms, Targets};
use crate::error::Error;
use crate::exact::sum::{Sum, add_inward};

/// A convex loss in its first argument, bounded below, for one sample of weight one.
///
/// The first five methods define a loss. The others have defaults that follow from them; replace a
/// default if you know more about the loss or a faster way. The methods on rows are about the sum
/// over the targets of a row, which come in increasing order.
///
/// A [`Request`](crate::Request), model files, `certify` and exports know the losses of
/// [`LossKind`]. With a loss of your own you take the steps yourself, and get a solution with its
/// certificate, and a network:
///
/// ```
#[doc = include_str!("../../examples/own_loss.rs")]
/// ```
///
/// The certificate rests on the conjugate, so test it: `value(u, y) + conjugate(z, y) ≥ z·u` for
/// all `u` and `z`, with equality where `z` is the derivative at `u`. A wrong conjugate makes the
/// certificate worthless.
pub trait Loss: std::fmt::Debug + Send + Sync {
    /// The name, without parameters. Those of the built-in losses are used on the command line and
    /// in model files.
    fn name(&self) -> &'static str;

    /// `l(u, y)`.
    fn value(&self, u: f64, y: f64) -> f64;

    /// The derivatives from the left and from the right; equal where `l` is smooth.
    fn subgradient(&self, u: f64, y: f64) -> (f64, f64);

    /// `l*(z) = max_u zu − l(u, y)`, infinite outside of [`Loss::domain`]. It is rounded up: it is
    /// at least the conjugate of every number of the domain that becomes `z` after two roundings. A
    /// sum of few terms by [`above`] is enough if each term is computed with one or two operations.
    fn conjugate(&self, z: f64, y: f64) -> f64;

    /// The interval of `z` where the conjugate is finite. It contains zero.
    fn domain(&self, y: f64) -> (f64, f64);

    /// `l″`, or a number between its values on both sides where `l′` has a kink. The default is
    /// [`Loss::curvature_bound`], or zero without one.
    fn curvature(&self, _u: f64, _y: f64) -> f64 {
        self.curvature_bound().unwrap_or(0.0)
    }

    /// The least upper bound on `l″` over all `u` and `y`, if there is one.
    fn curvature_bound(&self) -> Option<f64> {
        None
    }

    /// Whether `l` has a derivative everywhere.
    fn is_smooth(&self) -> bool {
        self.curvature_bound().is_some()
    }

    /// Whether `l″` is the same everywhere.
    fn is_quadratic(&self) -> bool {
        false
    }

    /// Checks that this loss can take these targets.
    fn check_targets(&self, _targets: &Targets) -> Result<(), Error> {
        Ok(())
    }

    /// `Σ s l(u, y)` over the targets of one row.
    fn row_value(&self, u: f64, atoms: Atoms<'_>) -> f64 {
        atoms.iter().map(|(y, s)| s * self.value(u, y)).collect::<Sum>().value()
    }

    /// The derivatives of [`Loss::row_value`] from the left and from the right.
    fn row_subgradient(&self, u: f64, atoms: Atoms<'_>) -> (f64, f64) {
        atoms.iter().fold((0.0, 0.0), |(left, right), (y, s)| {
            let (l, r) = self.subgradient(u, y);
            (left + s * l, right + s * r)
        })
    }

    /// `Σ s l″(u, y)` over the targets of one row.
    fn row_curvature(&self, u: f64, atoms: Atoms<'_>) -> f64 {
        atoms.iter().map(|(y, s)| s * self.curvature(u, y)).sum()
    }

    /// The interval where [`Loss::row_conjugate`] is finite, with its ends rounded towards zero.
    fn row_domain(&self, atoms: Atoms<'_>) -> (f64, f64) {
        atoms.iter().fold((0.0, 0.0), |(low, high), (y, s)| {
            let (l, h) = self.domain(y);
            (add_inward(low, s, l), add_inward(high, s, h))
        })
    }

    /// The conjugate of [`Loss::row_value`], rounded up like [`Loss::conjugate`].
    fn row_conjugate(&self, z: f64, atoms: Atoms<'_>) -> f64 {
        row::conjugate(self, z, atoms)
    }

    /// A minimiser of [`Loss::row_value`] over `[low, high]`. If there are several, the default
    /// prefers an end of the interval. The result is infinite if an end is infinite and the loss
    /// falls towards it.
    fn row_minimizer(&self, atoms: Atoms<'_>, low: f64, high: f64) -> f64 {
        row::minimizer(self, atoms, low, high)
    }

    /// `argmin_u l_g(u) + (u − v)²/(2σ)`, the proximal map of [`Loss::row_value`].
    fn row_proximal(&self, v: f64, sigma: f64, atoms: Atoms<'_>) -> f64 {
        row::proximal(self, v, sigma, atoms)
    }

    /// The minimiser of every row over `[low, high]`, and `L` there.
    fn clipped(&self, targets: &Targets, low: f64, high: f64) -> (Vec<f64>, f64) {
        row::clipped(self, targets, low, high)
    }

    /// The `t ≥ 0` that minimises `Σ_g min_{u ≤ t} l_g(u) + βt`, as a bracket of two neighbouring
    /// numbers; its mirror image on the negative side. `side` is 1 or −1.
    fn clip_level(&self, targets: &Targets, beta: f64, side: f64) -> (f64, f64) {
        clip::level(self, targets, beta, side, false)
    }
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

/// The `z ∈ ∂L(u)` of smallest magnitude, row by row.
pub fn least_gradient<L: Loss + ?Sized>(loss: &L, targets: &Targets, u: &[f64]) -> Vec<f64> {
    let least = |(left, right): (f64, f64)| f64::max(left, 0.0) + f64::min(right, 0.0);
    targets.iter().zip(u).map(|(atoms, &u)| least(loss.row_subgradient(u, atoms))).collect()
}
