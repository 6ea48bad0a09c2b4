//! Checking a certificate again: from the network's output, the dual point and the data alone.

use super::{Bound, Certificate, DualPoint, Problem, Scope};
use crate::loss::Loss;
use crate::pattern::PatternMatrix;

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
    /// The dictionary, where the certificate speaks of one and the network is built from it.
    pub patterns: Option<&'a PatternMatrix>,
    /// Whether these are all patterns of the network's depth and widths.
    pub all: bool,
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
    /// Computes the certificate again, over the scope and by the bound that are stated. What rests on
    /// patterns that are not there is measured by the bound that needs none.
    pub fn check(&self, stated: &Certificate) -> Verdict {
        let Self { problem, objective, dual, .. } = *self;
        let certificate = match ((stated.scope(), stated.bound()), self.patterns) {
            (scope @ (Scope::Dictionary, Bound::Dictionary), Some(patterns)) => {
                let price = dual.price(patterns, problem.constraints);
                Certificate::measure(problem, objective, dual, price, scope)
            }
            (scope @ (Scope::Global, Bound::Enumeration), Some(patterns)) if self.all => {
                let price = dual.price(patterns, problem.constraints);
                Certificate::measure(problem, objective, dual, price, scope)
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
