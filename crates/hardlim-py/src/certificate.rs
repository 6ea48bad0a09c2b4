//! Certificates, and the results of checking them again.

use std::collections::BTreeMap;

use hardlim::certificate;
use hardlim::certify::{self, PartCheck};
use pyo3::prelude::*;

/// A proof about a network: no network in scope is better by more than ``objective - lower_bound``.
#[pyclass(frozen, eq, get_all, module = "hardlim._hardlim")]
#[derive(Clone, PartialEq)]
pub(crate) struct Certificate {
    /// ``L(f(X)) + beta * sum |a_j|`` of the network, rounded up.
    objective: f64,
    /// A lower bound on the objective of every network in scope, rounded down.
    lower_bound: f64,
    /// ``objective - lower_bound``.
    gap: f64,
    /// ``gap / objective``.
    relative_gap: f64,
    /// The proof in one sentence: over which networks, and by how much they may be better.
    claim: String,
    /// The number of layers of the networks in scope, including the output; ``None`` for any depth.
    layers: Option<usize>,
    /// The most neurons in each layer of their subnetworks, below the last one.
    widths: Vec<usize>,
    /// The most inputs that their neurons read; ``None`` for any number.
    max_inputs: Option<usize>,
    /// ``P``, if the penalty of a neuron with ``k`` inputs is multiplied by ``k**P``; zero if not.
    input_cost: f64,
    /// Whether their neurons may have a bias.
    bias: bool,
    /// Whether their output weights are at least zero.
    non_negative: bool,
    /// The inputs that their output goes up or down with, each with ``"+"`` or ``"-"``.
    monotone: BTreeMap<String, &'static str>,
    /// The only columns that may stand together in their rules; ``None`` for all.
    interactions: Option<Vec<(String, String)>>,
    /// The columns that stand alone in their rules.
    no_interactions: Vec<String>,
    /// ``"global"``: over all networks of the class, of any width; ``"dictionary"``: over the
    /// networks built from the given patterns.
    scope: &'static str,
    /// How the bound was computed: enumeration, exact, search, complete or dictionary.
    bound: &'static str,
}

impl From<certificate::Certificate> for Certificate {
    fn from(certificate: certificate::Certificate) -> Self {
        let class = certificate.class();
        Self {
            objective: certificate.objective(),
            lower_bound: certificate.lower_bound(),
            gap: certificate.gap(),
            relative_gap: certificate.relative_gap(),
            claim: certificate.claim(),
            layers: class.layers,
            widths: class.widths.clone(),
            max_inputs: class.max_inputs,
            input_cost: class.input_cost,
            bias: class.bias,
            non_negative: class.non_negative,
            monotone: class.policy.monotone(),
            interactions: class.policy.interactions(),
            no_interactions: class.policy.no_interactions(),
            scope: certificate.scope().name(),
            bound: certificate.bound().name(),
        }
    }
}

#[pymethods]
impl Certificate {
    pub(crate) fn __repr__(&self) -> String {
        let Self { objective, lower_bound, relative_gap, claim, scope, bound, .. } = self;
        format!(
            "Certificate(objective={objective}, lower_bound={lower_bound}, \
             relative_gap={relative_gap:.3e}, scope='{scope}', bound='{bound}', claim='{claim}')"
        )
    }
}

/// The result of checking a model again.
#[pyclass(frozen, get_all, module = "hardlim._hardlim")]
pub(crate) struct Check {
    /// Whether everything that the model states holds.
    holds: bool,
    /// Why it does not hold; ``None`` if it holds.
    reason: Option<String>,
    /// The certificates, computed again, one for each network.
    certificates: Vec<Certificate>,
    /// The certificates over all networks, computed again, one for each network.
    global_certificates: Vec<Certificate>,
}

#[pymethods]
impl Check {
    fn __bool__(&self) -> bool {
        self.holds
    }

    fn __repr__(&self) -> String {
        match &self.reason {
            Some(reason) => format!("Check(holds=False, reason='{reason}')"),
            None => "Check(holds=True)".into(),
        }
    }
}

impl From<&certify::Check> for Check {
    fn from(check: &certify::Check) -> Self {
        let parts = check.parts();
        let found = |of: fn(&PartCheck) -> certificate::Certificate| {
            parts.unwrap_or_default().iter().map(of).map(Certificate::from).collect()
        };
        Self {
            holds: check.holds(),
            reason: check.reason().map(str::to_owned),
            certificates: found(|part| part.certificate.clone()),
            global_certificates: found(|part| part.global.clone()),
        }
    }
}
