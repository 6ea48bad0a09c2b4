//! Proofs over all patterns in scope: an upper bound on `|dᵀz|`.

use super::{Bound, DualPoint, Price};
use crate::arrangement::{Hyperplane, Subnetwork};
use crate::pricing::{BestPatterns, Corners, Priced, Prover};
use crate::program::{Beta, Constraints};

/// A question to a prover about a dual point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ask<'a, W = Hyperplane> {
    /// Patterns that are known to have a large `|dᵀz|`.
    pub(crate) known: &'a [Priced<W>],
    /// Only patterns above this matter. If there are none, the price may be the threshold itself.
    pub(crate) threshold: f64,
    /// The most patterns to return.
    pub(crate) keep: usize,
}

impl<W> Ask<'_, W> {
    /// Asks whether a pattern is above `β`. A price below `β` proves no more than `β` itself.
    pub(crate) fn beyond(beta: Beta) -> Self {
        Self { known: &[], threshold: beta.get(), keep: 0 }
    }
}

/// The answer of a prover about a dual point.
#[derive(Debug, Clone)]
pub(crate) struct Proof<W = Hyperplane> {
    /// `U ≥ max |dᵀz|` over all patterns in scope; if no coefficient may be negative,
    /// `U ≥ max −dᵀz`.
    pub(crate) price: Price,
    /// Patterns above the threshold that the search found, the largest `|dᵀz|` first.
    pub(crate) found: Vec<Priced<W>>,
}

impl Proof {
    /// Asks the prover about `z`.
    pub(crate) fn of(
        dual: &DualPoint,
        prover: &Prover<'_>,
        constraints: Constraints,
        ask: Ask<'_>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let Ask { known, threshold, keep } = ask;
        let answer = prover.price(dual.values(), known, threshold, keep, stop);
        Self::answered(answer, prover.is_exact(), constraints)
    }
}

impl Proof<Subnetwork> {
    /// Asks about `z` and all rules of two conditions.
    pub(crate) fn of_rules(
        dual: &DualPoint,
        corners: &Corners<'_>,
        constraints: Constraints,
        ask: Ask<'_, Subnetwork>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        // With weights of both signs, a rule does as well as its complement where both price alike.
        let ask = (ask.threshold, ask.keep, constraints.non_negative);
        let answer = corners.price(dual.values(), ask, stop);
        Self::answered(answer, true, constraints)
    }
}

impl<W> Proof<W> {
    fn answered(answer: BestPatterns<W>, is_exact: bool, constraints: Constraints) -> Self {
        let price = |c| constraints.price(c);
        // The search is exact above the threshold, and no pattern is above it.
        let exact = answer.bound == Bound::Search && is_exact;
        let bound = if exact { Bound::Exact } else { answer.bound };
        let value = price(answer.above).max(price(-answer.below)).max(0.0);
        Self { price: Price { value, bound }, found: answer.found }
    }
}
