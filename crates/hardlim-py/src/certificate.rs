//! Certificates, and the results of checking them again.

use hardlim::certificate;
use hardlim::certify::{self, PartCheck};
use pyo3::prelude::*;

/// A proof about a network: no network in scope is better by more than ``objective - lower_bound``.
#[pyclass(frozen, eq, module = "hardlim._hardlim")]
#[derive(Clone, PartialEq)]
pub(crate) struct Certificate(pub(crate) certificate::Certificate);

#[pymethods]
impl Certificate {
    /// ``L(f(X)) + beta * sum |a_j|`` of the network, rounded up.
    #[getter]
    fn objective(&self) -> f64 {
        self.0.objective()
    }

    /// A lower bound on the objective of every network in scope, rounded down.
    #[getter]
    fn lower_bound(&self) -> f64 {
        self.0.lower_bound()
    }

    /// ``objective - lower_bound``.
    #[getter]
    fn gap(&self) -> f64 {
        self.0.gap()
    }

    /// ``gap / objective``.
    #[getter]
    fn relative_gap(&self) -> f64 {
        self.0.relative_gap()
    }

    /// The proof in one sentence: over which networks, and by how much they may be better.
    #[getter]
    fn claim(&self) -> String {
        self.0.claim()
    }

    /// The number of layers of the networks in scope, including the output; ``None`` for any depth.
    #[getter]
    fn layers(&self) -> Option<usize> {
        self.0.class().layers
    }

    /// The most neurons in each layer of their subnetworks, below the last one.
    #[getter]
    fn widths(&self) -> Vec<usize> {
        self.0.class().widths.clone()
    }

    /// The most inputs that their neurons read; ``None`` for any number.
    #[getter]
    fn max_inputs(&self) -> Option<usize> {
        self.0.class().max_inputs
    }

    /// ``P``, if the penalty of a neuron with ``k`` inputs is multiplied by ``k**P``; zero if not.
    #[getter]
    fn input_cost(&self) -> f64 {
        self.0.class().input_cost
    }

    /// Whether their neurons may have a bias.
    #[getter]
    fn bias(&self) -> bool {
        self.0.class().bias
    }

    /// Whether their output weights are at least zero.
    #[getter]
    fn non_negative(&self) -> bool {
        self.0.class().non_negative
    }

    /// ``"global"``: over all networks of the class, of any width; ``"dictionary"``: over the
    /// networks built from the given patterns.
    #[getter]
    fn scope(&self) -> &'static str {
        self.0.scope().name()
    }

    /// How the bound was computed: enumeration, exact, search, complete or dictionary.
    #[getter]
    fn bound(&self) -> &'static str {
        self.0.bound().name()
    }

    pub(crate) fn __repr__(&self) -> String {
        format!(
            "Certificate(objective={}, lower_bound={}, relative_gap={:.3e}, scope='{}', \
             bound='{}', claim='{}')",
            self.objective(),
            self.lower_bound(),
            self.relative_gap(),
            self.scope(),
            self.bound(),
            self.claim()
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
            parts.unwrap_or_default().iter().map(of).map(Certificate).collect()
        };
        Self {
            holds: check.holds(),
            reason: check.reason().map(str::to_owned),
            certificates: found(|part| part.certificate.clone()),
            global_certificates: found(|part| part.global.clone()),
        }
    }
}
