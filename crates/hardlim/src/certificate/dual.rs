//! Dual points: `z` with `|dᵀz| ≤ U` for every pattern in scope, and the lower bounds they prove.
//!
//! The dual of the Lasso program is `max_z −L*(z)` subject to `|dᵀz| ≤ β` for every `d`. With any
//! `U ≥ max_d |dᵀz|`, every `θz` with `0 ≤ θ ≤ β/U` in the domain of `L*` is feasible, so `−L*(θz)`
//! is a lower bound on the optimum. Where a pattern costs `k`, its constraint is `|dᵀz| ≤ kβ`, and
//! `U` is the maximum of `|dᵀz|/k`.
//!
//! The numbers of a dual point lie on a grid where every sum is exact ([`round_to_grid`]), so `dᵀz`
//! has one value, and `U` carries no rounding error.

use crate::data::Targets;
use crate::exact::sum::{Sum, round_to_grid};
use crate::loss::Loss;
use crate::pattern::PatternMatrix;
use crate::program::lasso::largest_price;
use crate::program::{Beta, Constraints};

/// A vector `z`, one number for each distinct row, whose partial sums are all exact.
#[derive(Debug, Clone, PartialEq)]
pub struct DualPoint {
    z: Vec<f64>,
}

impl DualPoint {
    /// Rounds `z` to the grid, towards zero. It stays inside the domain of `L*`, because this is an
    /// interval around zero.
    ///
    /// # Panics
    /// When a number is not finite.
    pub fn new(mut z: Vec<f64>) -> Self {
        round_to_grid(&mut z);
        Self { z }
    }

    /// The same with `Σz = 0`, exactly, as needed with an output bias. The side with the larger sum
    /// shrinks towards zero; single numbers then make up for the rounding error.
    pub fn balanced(z: Vec<f64>) -> Self {
        let mut point = Self::new(z);
        let sum: f64 = point.z.iter().sum();
        // Signs are compared, not multiplied: a product of small numbers may underflow to zero.
        let heavy = |z: f64| z != 0.0 && z.signum() == sum.signum();
        let mass: f64 = point.z.iter().filter(|z| heavy(**z)).sum();
        if sum == 0.0 {
            return point;
        }
        let grid = point.z.clone();
        let keep = 1.0 - sum / mass;
        point.z.iter_mut().filter(|z| heavy(**z)).for_each(|z| *z *= keep);
        // Rounds to a grid at least as fine as the first, so that the sum is exact again.
        round_to_grid(&mut point.z);
        let mut excess: f64 = point.z.iter().sum();
        for (z, &limit) in point.z.iter_mut().zip(&grid) {
            // A number may shrink to zero, or grow back to where it was.
            let taken = if excess.signum() == limit.signum() {
                excess.abs().min(z.abs()) * excess.signum()
            } else {
                excess.abs().min((limit - *z).abs()) * excess.signum()
            };
            *z -= taken;
            excess -= taken;
        }
        // Numbers too small for a grid may remain; the zero vector is always balanced.
        if point.z.iter().sum::<f64>() != 0.0 {
            point.z.fill(0.0);
        }
        point
    }

    /// The numbers themselves.
    pub fn values(&self) -> &[f64] {
        &self.z
    }

    /// `max_j |dⱼᵀz|` over the columns of `D`, exactly; `max_j −dⱼᵀz` if no coefficient may be
    /// negative. If column `j` costs `cⱼ`, it is `max_j |dⱼᵀz|/cⱼ`, rounded up.
    ///
    /// # Panics
    /// When there are costs, but not one for each column.
    pub fn price(
        &self,
        patterns: &PatternMatrix,
        constraints: Constraints,
        costs: Option<&[f64]>,
    ) -> f64 {
        largest_price(|_| constraints.signs(), costs, &patterns.correlations(&self.z))
    }

    /// `max(Σz₊, Σz₋)`, exactly: an upper bound on `|dᵀz|` for every pattern of any data.
    pub fn complete_price(&self, constraints: Constraints) -> f64 {
        let positive: f64 = self.z.iter().filter(|z| **z > 0.0).sum();
        let negative: f64 = self.z.iter().filter(|z| **z < 0.0).sum();
        constraints.price(positive).max(constraints.price(negative)).max(0.0)
    }

    /// The best lower bound `−L*(θz)` on the line through `z`, given `price ≥ max_d |dᵀz|`. Rounded
    /// down.
    pub fn lower_bound<L: Loss + ?Sized>(
        &self,
        loss: &L,
        targets: &Targets,
        beta: Beta,
        price: f64,
    ) -> f64 {
        self.best(loss, targets, beta, price).value
    }

    /// The point on the line through `z` that gives this bound.
    pub(crate) fn best<L: Loss + ?Sized>(
        &self,
        loss: &L,
        targets: &Targets,
        beta: Beta,
        price: f64,
    ) -> Place {
        let at =
            |theta: f64| Place { theta, value: negative_conjugate(loss, targets, &self.z, theta) };
        let mut end = at(reach(beta, price));
        if !end.value.is_finite() {
            end = at(self.stay(loss, targets, end.theta));
        }
        if end.theta == 0.0 {
            return end;
        }
        if loss.is_quadratic() {
            return best_of_parabola(at, end);
        }
        // θ ↦ −L*(θz) is concave. Near an optimum, the best point is at the end of the interval or
        // just before it; otherwise golden section finds it. Every θ gives a valid bound.
        let before = at(end.theta * (1.0 - 1e-7));
        if end.value >= before.value { end } else { golden_section(at, end.theta).max(before) }
    }

    /// The largest `θ`, at most `reach`, with `θz` in the domain of `L*`.
    fn stay<L: Loss + ?Sized>(&self, loss: &L, targets: &Targets, mut reach: f64) -> f64 {
        for (atoms, &z) in targets.iter().zip(&self.z) {
            let (low, high) = loss.row_domain(atoms);
            let end = if z > 0.0 { high } else { low };
            if z != 0.0 && end.is_finite() {
                reach = reach.min((end / z).next_down());
            }
        }
        reach.max(0.0)
    }
}

/// The largest `θ` with `θ|dᵀz| ≤ β` for every pattern, at most `10⁶`.
fn reach(beta: Beta, price: f64) -> f64 {
    if price > 0.0 { f64::min(1e6, (beta.get() / price).next_down()).max(0.0) } else { 1e6 }
}

/// `−L*(θz)`, rounded down. Every conjugate is rounded up, and their sum is compensated. The slack
/// covers the rounding of `θz` and of the sum itself.
fn negative_conjugate<L: Loss + ?Sized>(loss: &L, targets: &Targets, z: &[f64], theta: f64) -> f64 {
    let conjugate: Sum =
        targets.iter().zip(z).map(|(atoms, &z)| loss.row_conjugate(theta * z, atoms)).collect();
    -conjugate.value() - 16.0 * f64::EPSILON * conjugate.size()
}

/// A point `θz` and the bound `−L*(θz)` there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) theta: f64,
    pub(crate) value: f64,
}

impl Place {
    fn max(self, other: Self) -> Self {
        if other.value > self.value { other } else { self }
    }
}

/// The maximum of a quadratic function up to `end`, from its values at three points.
fn best_of_parabola(at: impl Fn(f64) -> Place, end: Place) -> Place {
    let (start, middle) = (at(0.0), at(0.5 * end.theta));
    // The vertex of the parabola through (0, start), (½, middle), (1, end).
    let curvature = 2.0 * (start.value + end.value) - 4.0 * middle.value;
    let vertex = (3.0 * start.value + end.value - 4.0 * middle.value) / (2.0 * curvature);
    let best = start.max(middle).max(end);
    if vertex > 0.0 && vertex < 1.0 { best.max(at(vertex * end.theta)) } else { best }
}

/// The largest value that golden section finds on `[0, reach]`.
fn golden_section(at: impl Fn(f64) -> Place, reach: f64) -> Place {
    const RATIO: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (0.0, reach);
    let (mut a, mut b) = (at(high - RATIO * high), at(RATIO * high));
    let mut best = at(0.0).max(a).max(b);
    for _ in 0..60 {
        if a.value < b.value {
            (low, a) = (a.theta, b);
            b = at(low + RATIO * (high - low));
            best = best.max(b);
        } else {
            (high, b) = (b.theta, a);
            a = at(high - RATIO * (high - low));
            best = best.max(a);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::Squared;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_balanced_point_adds_up_to_zero_and_goes_no_further_out(
            z in prop::collection::vec(-2.0f64..2.0, 1..40),
            exponent in -300i32..10,
        ) {
            let z: Vec<f64> = z.into_iter().map(|z| z * 10f64.powi(exponent)).collect();
            let point = DualPoint::balanced(z.clone());
            prop_assert_eq!(point.values().iter().sum::<f64>(), 0.0);
            let inward = |(a, b): (&f64, &f64)| a.abs() <= b.abs() && a * b >= 0.0;
            prop_assert!(point.values().iter().zip(&z).all(inward));
        }

        #[test]
        fn the_best_point_of_the_line_beats_every_other(
            (y, z) in (1usize..20).prop_flat_map(|n| (
                prop::collection::vec(-2.0f64..2.0, n), prop::collection::vec(-2.0f64..2.0, n))),
            beta in 0.01f64..10.0,
            theta in 0.0f64..1.0,
        ) {
            let (targets, point) = (Targets::plain(y), DualPoint::new(z));
            let beta = Beta::new(beta).unwrap();
            let price = point.complete_price(Constraints::default());
            let best = point.lower_bound(&Squared, &targets, beta, price);
            let theta = theta * reach(beta, price);
            let other = negative_conjugate(&Squared, &targets, point.values(), theta);
            prop_assert!(other <= best + 1e-9 * (1.0 + best.abs()));
        }
    }
}
