//! Checking a certificate again: from the network's output, the dual point and the data alone.

use super::{Bound, Certificate, DualPoint, Problem, Scope};
use crate::loss::Loss;

/// How far a stated number may be from the recomputed one, relative to its size.
pub const TOLERANCE: f64 = 1e-9;

/// What there is to check a certificate against.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a, L> {
    /// The loss on the targets, and `β`.
    pub problem: &'a Problem<'a, L>,
    /// `L(u) + β Σ|aⱼ|` of the network, computed again.
    pub objective: f64,
    /// The dual point that came with the network.
    pub dual: &'a DualPoint,
    /// Over what `max |dᵀz|` was bounded again, how, and the bound; nothing where the network is not
    /// within that scope.
    pub price: Option<(Scope, Bound, f64)>,
}

/// A certificate computed again, and whether it supports the stated one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// Whether objective and lower bound are as good as stated.
    pub holds: bool,
    /// What was found.
    pub certificate: Certificate,
}

impl<L: Loss> Claim<'_, L> {
    /// Computes the certificate again, over the scope and by the bound that are stated. One whose bound
    /// is not at hand is measured by the bound that always is.
    pub fn check(&self, stated: &Certificate) -> Verdict {
        let Self { problem, objective, dual, .. } = *self;
        let certificate = match self.price {
            Some((scope, bound, price)) if (scope, bound) == (stated.scope(), stated.bound()) => {
                Certificate::measure(problem, objective, dual, price, (scope, bound))
            }
            _ => Certificate::complete(problem, objective),
        };
        let close = |found: f64, stated: f64| (found - stated).abs() <= TOLERANCE * stated.abs();
        let same = (certificate.scope(), certificate.bound()) == (stated.scope(), stated.bound());
        let bound = certificate.lower_bound() >= stated.lower_bound()
            || close(certificate.lower_bound(), stated.lower_bound());
        // No proof of this kind can exceed what the network itself reaches.
        let possible = certificate.lower_bound() <= objective * (1.0 + TOLERANCE);
        let holds = same && bound && possible && close(objective, stated.objective());
        Verdict { holds, certificate }
    }
}
