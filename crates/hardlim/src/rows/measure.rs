//! Certificates over rows in blocks, by passes: nothing here depends on how a network was found.
//!
//! The dual point is `z = ∇L(f(X))`, rounded to a grid, so it follows from the network and is
//! stored nowhere. A first pass gives the objective and `U = max |dᵀz|` over the dictionary, both
//! exactly; a second one gives `−L*(θz)` for a few `θ ≤ β/U`. Over all neurons of one input, `U` is
//! found by passes over their columns.
//!
//! The bound over all networks takes every row for itself: equal rows are not merged, as they may
//! be in different blocks. So it may be lower than one with merged rows, and holds as well.

use super::block::{Facts, Visit};
use super::{OneInput, Rows};
use crate::certificate::{Bound, Certificate, NetworkClass};
use crate::error::Error;
use crate::exact::total::Total;
use crate::loss::LossKind;
use crate::program::Beta;

/// Where on the line through the dual point the bound is asked for, as parts of its end.
const STEPS: [f64; 5] = [1.0, 0.9999, 0.999, 0.99, 0.9];
/// Covers the rounding of each term of a sum, relative to the sum of the magnitudes.
const SLACK: f64 = 16.0 * f64::EPSILON;

/// A problem over rows in blocks whose patterns are known.
pub(crate) struct Measured<'a> {
    pub(crate) rows: &'a dyn Rows,
    pub(crate) facts: &'a Facts,
    pub(crate) loss: LossKind,
    pub(crate) class: Option<usize>,
    pub(crate) beta: Beta,
    pub(crate) bias: bool,
    /// The neurons of one input, if the certificate is about all of them.
    pub(crate) one_input: Option<&'a OneInput>,
}

impl Facts {
    /// The weights of the two classes that a network tells apart, `−1` first; of numbers there are
    /// none.
    fn sides(&self, class: Option<usize>) -> Option<[f64; 2]> {
        match (class, &self.classes[..]) {
            (_, []) => None,
            (None, [negative, positive]) => Some([negative.value(), positive.value()]),
            (class, classes) => {
                let own = class.unwrap_or(0);
                let mut rest = Total::default();
                let others = classes.iter().enumerate().filter(|(k, _)| *k != own);
                others.for_each(|(_, weight)| rest.merge(weight));
                Some([rest.value(), classes[own].value()])
            }
        }
    }

    /// Whether a network has a larger squared loss than the zero network.
    fn loses_more_than_zero(&self, loss: f64) -> bool {
        loss > 0.5 * self.squares() * (1.0 + SLACK)
    }

    /// `Σsy²`, where classes are `±1`.
    fn squares(&self) -> f64 {
        let numbers = self.classes.is_empty();
        if numbers { self.moments[0][1].value() } else { self.weight[0].value() }
    }

    /// The grid on which every partial sum of a dual point is exact, from a bound on `Σ|z|`. The
    /// derivative of the logistic loss is at most `s`. For the squared loss
    /// `(Σ|z|)² ≤ Σs Σs(u − y)²`, which is at most `Σs Σsy²` at a point that is better than zero.
    pub(crate) fn unit(&self, loss: LossKind) -> f64 {
        let weight = self.weight[0].value();
        let most = match loss {
            LossKind::Squared => (weight * self.squares()).sqrt(),
            _ => weight,
        };
        // A bit to spare for the rounding of these numbers.
        2f64.powi((most.max(f64::MIN_POSITIVE).log2().ceil() as i32 + 1 - 52).max(-900))
    }
}

impl Measured<'_> {
    /// The certificates of a network on these patterns: over the dictionary, or all neurons of one
    /// input, and over all networks.
    pub(crate) fn certificates(
        &self,
        coefficients: &[(usize, f64)],
    ) -> Result<[Certificate; 2], Error> {
        let own = self.certificate(coefficients)?;
        let (objective, bound) = (own.objective(), self.free_bound()?);
        Ok([own, Certificate::stated(objective, bound, Bound::Complete, NetworkClass::all())])
    }

    pub(crate) fn certificate(&self, coefficients: &[(usize, f64)]) -> Result<Certificate, Error> {
        let beta = self.beta.get();
        let visit = Visit {
            loss: self.loss,
            class: self.class,
            held_out: false,
            coefficients: coefficients.to_vec(),
            unit: self.facts.unit(self.loss),
            thetas: Vec::new(),
        };
        let sums = self.rows.visit(visit.clone())?;
        // Every term of an objective is positive.
        let loss = sums.loss.value();
        let penalty: f64 = coefficients.iter().map(|(_, a)| beta * a.abs()).sum();
        let objective =
            loss + penalty + SLACK * (loss + (1.0 + coefficients.len() as f64) * penalty);
        let class = NetworkClass::subnetworks(&[], self.bias);
        // The grid is too coarse for squared losses above that of zero, and training ends at none.
        if self.loss == LossKind::Squared && self.facts.loses_more_than_zero(loss) {
            let class = NetworkClass { max_inputs: self.one_input.map(|_| 1), ..class };
            return Ok(Certificate::stated(objective, 0.0, Bound::Dictionary, class));
        }
        let (price, bound, class) = match self.one_input {
            None => {
                let price = sums.correlations.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
                (price, Bound::Dictionary, class)
            }
            Some(one) => {
                let price = one.price(self.rows, &visit, f64::INFINITY)?.value;
                (price, Bound::Exact, NetworkClass { max_inputs: Some(1), ..class })
            }
        };
        let reach = if price > 0.0 { (beta / price).next_down().clamp(0.0, 1.0) } else { 1.0 };
        let thetas: Vec<f64> = STEPS.iter().map(|step| step * reach).collect();
        let sums = self.rows.visit(Visit { thetas, ..visit })?;
        let lower_bound =
            sums.conjugates.iter().map(|[sum, size]| below(sum, size)).fold(0.0, f64::max);
        Ok(Certificate::stated(objective, lower_bound, bound, class))
    }

    /// A bound over all networks of any width and depth: no neuron sees more than whether its row
    /// is on.
    fn free_bound(&self) -> Result<f64, Error> {
        let beta = self.beta.get();
        match (self.loss, self.facts.sides(self.class)) {
            // Each class has one level: `z = ∓sp` with `p = β/Σs`, at most ½. The bound is `Σs
            // H(p)`.
            (LossKind::Logistic, Some(sides)) => {
                Ok(sides.map(|weight| entropy(weight, beta)).iter().sum())
            }
            _ => self.free_bound_of_numbers(),
        }
    }

    /// The same for the squared loss of numbers. The levels at which outputs are clipped are found
    /// by halving; any levels give a bound.
    fn free_bound_of_numbers(&self) -> Result<f64, Error> {
        let beta = self.beta.get();
        let mut best = 0.0f64;
        let most = self.facts.moments[0][1].value().sqrt();
        let (mut low, mut high) = ([0.0; 2], [most; 2]);
        for _ in 0..LEVELS {
            let levels = [0, 1].map(|side| 0.5 * (low[side] + high[side]));
            let sums = self.rows.clip(levels)?;
            let sides = [sums[0].value(), sums[1].value()];
            for side in [0, 1] {
                let end = if sides[side] > beta { &mut low } else { &mut high };
                end[side] = levels[side];
            }
            let price = sides[0].max(sides[1]) * (1.0 + SLACK);
            let theta = if price > beta { (beta / price).next_down() } else { 1.0 };
            let (square, overlap) = (sums[2].value(), sums[3].value());
            let size = 0.5 * theta * theta * square + theta * sums[4].value();
            let value = -(0.5 * theta * theta * square + theta * overlap) - SLACK * size;
            best = best.max(value);
        }
        Ok(best)
    }
}

/// How often the levels of numbers are halved.
const LEVELS: usize = 12;

/// `−Σ`, rounded down.
fn below(sum: &Total, size: &Total) -> f64 {
    -sum.value() - SLACK * size.value()
}

/// `min_{c ≥ 0} W log(1 + exp(−c)) + βc`, rounded down.
fn entropy(weight: f64, beta: f64) -> f64 {
    if weight <= 0.0 {
        return 0.0;
    }
    let p = (beta / weight * (1.0 - SLACK)).min(0.5);
    let value = -weight * (p * p.ln() + (1.0 - p) * (-p).ln_1p());
    value * (1.0 - SLACK)
}
