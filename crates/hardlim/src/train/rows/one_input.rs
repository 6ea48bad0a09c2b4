//! Training over all neurons of one input, on rows in blocks.
//!
//! The Lasso program is solved on some splits of the columns. Then all splits are priced; those
//! that violate the dual constraint are added, and those far from it are left out. This goes on
//! until the gap is reached.

use std::collections::HashSet;

use super::{InBlocks, Solved, Start, always_on};
use crate::arrangement::Hyperplane;
use crate::error::Error;
use crate::rows::OneInput;
use crate::solver::{Point, StopReason};
use crate::train::Event;
use crate::train::tuning::{
    BLOCKS_KEPT, SPLITS_ADDED, SPLITS_COARSE, SPLITS_FIRST, SPLITS_NEAR, SPLITS_OWN, SPLITS_ROUGH,
    SPLITS_ROUNDS,
};

/// The first dictionary: a neuron that is always on, and splits of every column.
pub(super) fn spread(one: &OneInput, dimension: usize) -> Vec<Hyperplane> {
    let splits = one.spread(SPLITS_FIRST).into_iter().map(|split| split.neuron(dimension));
    std::iter::once(always_on(dimension, true)).chain(splits).collect()
}

impl InBlocks<'_> {
    pub(super) fn beta_max_over(&self, one: &OneInput) -> Result<f64, Error> {
        let mut most = 0.0f64;
        for k in 0..self.coding.networks() {
            let visit = self.descent(k, false).visit(Vec::new());
            most = most.max(one.price(self.rows, &visit, f64::INFINITY)?.value);
        }
        Ok(most)
    }

    /// The network of every class, over all neurons of one input. The rows have answered the first
    /// dictionary.
    pub(super) fn generate(
        &mut self,
        one: &OneInput,
        neurons: &[Hyperplane],
        start: &Start,
    ) -> Result<Vec<Solved>, Error> {
        let mut found = Vec::new();
        for (k, w) in start.w.iter().enumerate() {
            self.watch.tell(Event::Class(k));
            let dictionary = neurons.iter().cloned().zip(w.iter().copied()).collect();
            found.push(self.generate_one(one, dictionary, start, k)?);
        }
        Ok(found)
    }

    fn generate_one(
        &mut self,
        one: &OneInput,
        mut dictionary: Vec<(Hyperplane, f64)>,
        start: &Start,
        network: usize,
    ) -> Result<Solved, Error> {
        let (beta, tolerance) = (start.beta.get(), self.tolerance());
        let mut own = SPLITS_COARSE.max(SPLITS_OWN * tolerance);
        let mut trace = Vec::new();
        let mut stop = StopReason::RoundLimit(SPLITS_ROUNDS);
        let mut patterns = dictionary.len();
        for round in 1..=SPLITS_ROUNDS {
            let (planes, w): (Vec<Hyperplane>, Vec<f64>) = dictionary.into_iter().unzip();
            patterns = planes.len();
            self.answer(&planes)?;
            let descent = self.descent(network, false);
            let from = self.from(&descent, w, start.at_zero[network])?;
            let (point, ended) = descent.solve(from, start.beta, own, BLOCKS_KEPT.1, &|_| ())?;
            let visit = descent.visit(point.coefficients());
            let priced = one.price(self.rows, &visit, (1.0 + SPLITS_ROUGH) * beta)?;
            let both = [point.objective(beta), point.bound_at(beta, priced.value)];
            // Without a look into the bins, the price is not a bound yet.
            let bound = if priced.exact { both[1] } else { 0.0 };
            trace.push([both[0], bound]);
            self.tell(round, point.coefficients().len(), [both[0], bound]);
            let gap = (both[0] - both[1]) / both[0].max(f64::MIN_POSITIVE);
            let reached = priced.exact && gap <= tolerance;
            let known: HashSet<Vec<u64>> = planes.iter().map(bits).collect();
            let dimension = self.coding.dimension();
            let mut taken = vec![0; dimension];
            let violating = priced.splits.iter().filter(|split| split.price.abs() > beta);
            let added: Vec<(Hyperplane, f64)> = violating
                .map(|split| split.neuron(dimension))
                .filter(|plane| !known.contains(&bits(plane)))
                .filter(|plane| {
                    let column = plane.weights.iter().position(|w| *w != 0.0).unwrap_or(0);
                    taken[column] += 1;
                    taken[column] <= SPLITS_ADDED
                })
                .map(|plane| (plane, 0.0))
                .collect();
            dictionary = kept(planes, &point, beta);
            let spent = self.budget().spent();
            match (reached, spent, added.is_empty()) {
                (true, ..) => stop = StopReason::GapReached,
                (_, Some(spent), _) => stop = spent,
                // The splits at hand have to be solved better, as long as that is possible.
                (.., true) if own > 1e-9 && ended == StopReason::GapReached => {
                    own *= 0.1;
                    continue;
                }
                (.., true) => stop = StopReason::Standstill(round),
                (.., false) => {
                    own = own.min((0.1 * gap).max(SPLITS_OWN * tolerance));
                    dictionary.extend(added);
                    continue;
                }
            }
            break;
        }
        let used: Vec<(Hyperplane, f64)> =
            dictionary.into_iter().filter(|(_, w)| *w != 0.0).collect();
        let (planes, amplitudes): (Vec<Hyperplane>, Vec<f64>) = used.iter().cloned().unzip();
        let coefficients: Vec<(usize, f64)> = amplitudes.into_iter().enumerate().collect();
        self.answer(&planes)?;
        let part = self.part(&planes, &coefficients, start.beta, network, Some(one))?;
        Ok(Solved { part, network: used, patterns, trace, stop })
    }
}

/// The neurons in use, those whose price is near the limit, and those that read nothing, which no
/// split brings back.
fn kept(planes: Vec<Hyperplane>, point: &Point, beta: f64) -> Vec<(Hyperplane, f64)> {
    let near = |j: usize| point.w[j] != 0.0 || point.gradient[j].abs() >= SPLITS_NEAR * beta;
    let kept = (planes.into_iter().enumerate()).filter(|(j, p)| near(*j) || p.reads() == 0);
    kept.map(|(j, plane)| (plane, point.w[j])).collect()
}

fn bits(plane: &Hyperplane) -> Vec<u64> {
    plane.weights.iter().chain([&plane.bias]).map(|v| v.to_bits()).collect()
}
