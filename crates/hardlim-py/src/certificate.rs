//! Certificates, and what checking one again found.

use hardlim::certificate;
use hardlim::certify::{self, PartCheck};
use pyo3::prelude::*;

/// What is proven about a network: ``objective - lower_bound`` is how far it is, at most, from the best
/// network in scope.
#[pyclass(frozen, eq, module = "hardlim._hardlim")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Certificate(pub(crate) certificate::Certificate);

#[pymethods]
impl Certificate {
    /// ``L(f(X)) + beta * sum |a_j|`` of the network, rounded up.
    #[getter]
    fn objective(&self) -> f64 {
        self.0.objective()
    }

    /// A number that no network in scope is below, rounded down.
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

    /// ``"global"``: over all networks of any width; ``"dictionary"``: over those built from the
    /// patterns at hand.
    #[getter]
    fn scope(&self) -> &'static str {
        self.0.scope().name()
    }

    /// How the bound was obtained: enumeration, exact, search, complete or dictionary.
    #[getter]
    fn bound(&self) -> &'static str {
        self.0.bound().name()
    }

    pub(crate) fn __repr__(&self) -> String {
        format!(
            "Certificate(objective={}, lower_bound={}, relative_gap={:.3e}, scope='{}', bound='{}')",
            self.objective(),
            self.lower_bound(),
            self.relative_gap(),
            self.scope(),
            self.bound()
        )
    }
}

/// What checking a model again found.
#[pyclass(frozen, get_all, module = "hardlim._hardlim")]
pub(crate) struct Check {
    /// Whether everything the model states is supported.
    holds: bool,
    /// Why nothing could be checked, where that is so.
    reason: Option<&'static str>,
    /// The certificates over the scope of training, computed again, one for each network.
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
        match self.reason {
            Some(reason) => format!("Check(holds=False, reason='{reason}')"),
            None => format!("Check(holds={})", if self.holds { "True" } else { "False" }),
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
            reason: parts.is_none().then_some("the data are not those the model was trained on"),
            certificates: found(|part| part.certificate.certificate),
            global_certificates: found(|part| part.global.certificate),
        }
    }
}
