//! Proofs over all patterns in scope: a number that no `|dᵀz|` exceeds.

use super::{Bound, DualPoint};
use crate::arrangement::Hyperplane;
use crate::pricing::{BoundKind, Priced, Prover};
use crate::program::Constraints;

/// What a prover says about a dual point.
#[derive(Debug, Clone)]
pub struct Proof<W = Hyperplane> {
    /// `U ≥ max |dᵀz|` over all patterns in scope; over `−dᵀz` where coefficients are not negative.
    pub price: f64,
    /// How it was obtained.
    pub bound: Bound,
    /// Patterns beyond the threshold that were met on the way, the largest `|dᵀz|` first.
    pub found: Vec<Priced<W>>,
}

impl Proof {
    /// Asks the prover about `z`. What is not beyond the threshold is of no interest: the price may be
    /// the threshold itself.
    pub fn of(
        dual: &DualPoint,
        prover: &Prover<'_>,
        constraints: Constraints,
        (known, threshold, keep): (&[Priced], f64, usize),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let answer = prover.price(dual.values(), known, threshold, keep, stop);
        let price = |c| constraints.price(c);
        let bound = match answer.kind {
            BoundKind::Complete => Bound::Complete,
            // Exact beyond the threshold, and nothing is beyond it.
            BoundKind::Search if !prover.is_exact() => Bound::Search,
            _ => Bound::Exact,
        };
        let price = price(answer.above).max(price(-answer.below)).max(0.0);
        Self { price, bound, found: answer.found }
    }
}
