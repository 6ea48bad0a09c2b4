//! Proofs over all patterns in scope: a number that no `|dᵀz|` exceeds.

use super::{Bound, DualPoint, Price};
use crate::arrangement::Hyperplane;
use crate::pricing::{BoundKind, Priced, Prover};
use crate::program::{Beta, Constraints};

/// What a prover is asked about a dual point.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a, W = Hyperplane> {
    /// Patterns that are known to price high.
    pub known: &'a [Priced<W>],
    /// What is not beyond this is of no interest: the price may be the threshold itself.
    pub threshold: f64,
    /// The most patterns to return.
    pub keep: usize,
}

impl<W> Ask<'_, W> {
    /// Whether anything is beyond `β`: what is below proves no more than `β` itself.
    pub fn beyond(beta: Beta) -> Self {
        Self { known: &[], threshold: beta.get(), keep: 0 }
    }
}

/// What a prover says about a dual point.
#[derive(Debug, Clone)]
pub struct Proof<W = Hyperplane> {
    /// `U ≥ max |dᵀz|` over all patterns in scope; over `−dᵀz` where coefficients are not negative.
    pub price: Price,
    /// Patterns beyond the threshold that were met on the way, the largest `|dᵀz|` first.
    pub found: Vec<Priced<W>>,
}

impl Proof {
    /// Asks the prover about `z`.
    pub fn of(
        dual: &DualPoint,
        prover: &Prover<'_>,
        constraints: Constraints,
        ask: Ask<'_>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let Ask { known, threshold, keep } = ask;
        let answer = prover.price(dual.values(), known, threshold, keep, stop);
        let price = |c| constraints.price(c);
        let bound = match answer.kind {
            BoundKind::Complete => Bound::Complete,
            // Exact beyond the threshold, and nothing is beyond it.
            BoundKind::Search if !prover.is_exact() => Bound::Search,
            _ => Bound::Exact,
        };
        let value = price(answer.above).max(price(-answer.below)).max(0.0);
        Self { price: Price { value, bound }, found: answer.found }
    }
}
