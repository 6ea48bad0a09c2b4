//! Checking a model again: everything it states, from the networks, the dual points and the data alone.
//!
//! A model file is never trusted. What it says of its networks is decided here by
//!
//! 1. the fingerprint: these are the rows, targets and weights of the training;
//! 2. the class: every network is one of those that its certificate speaks of (`membership`);
//! 3. the objective: `L(f(X)) + β Σ|aⱼ|`, evaluated on the network as it is stored;
//! 4. the price: `U ≥ max |dᵀz|` over the patterns of the class, bounded again for the stored dual point;
//! 5. the bound: `−L*(θz)` with `θ ≤ β/U`, and the complete program for all networks.
//!
//! Nothing here knows a solver or the trainer: any dual point proves what it proves. `docs/certify.md` says
//! what this rests on.

mod check;
mod membership;

use crate::certificate::Certificate;
use crate::data::Dataset;
use crate::error::Error;
use crate::model::{Model, Part};

/// How far a stated number may be from the recomputed one, relative to its size.
pub const TOLERANCE: f64 = 1e-9;
/// The memory for a dictionary where nothing is said.
const MEMORY: u64 = 8 << 30;

/// A certificate computed again, and whether it supports the stated one.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// What was found.
    pub certificate: Certificate,
    /// Why it does not support what is stated, in words; nothing where it does.
    pub reason: Option<String>,
}

/// Both certificates of a network, computed again.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq)]
pub struct PartCheck {
    /// The one over the class that it names.
    pub certificate: Verdict,
    /// The one over all networks.
    pub global: Verdict,
}

impl PartCheck {
    /// Whether both hold.
    pub fn holds(&self) -> bool {
        self.reason().is_none()
    }

    /// Why they do not, in words.
    pub fn reason(&self) -> Option<&str> {
        self.certificate.reason.as_deref().or(self.global.reason.as_deref())
    }
}

/// What checking a model again found.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// The data are not those the model was trained on.
    OtherData,
    /// What was found about each network.
    SameData(Vec<PartCheck>),
}

impl Check {
    /// Whether everything the model states is supported.
    pub fn holds(&self) -> bool {
        self.reason().is_none()
    }

    /// Why it is not, in words.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::OtherData => Some("the data are not those the model was trained on"),
            Self::SameData(parts) => parts.iter().find_map(PartCheck::reason),
        }
    }

    /// What was found about each network, where the data are those of the training.
    pub fn parts(&self) -> Option<&[PartCheck]> {
        match self {
            Self::OtherData => None,
            Self::SameData(parts) => Some(parts),
        }
    }

    /// The certificate over the class that it names, computed again, of all networks together.
    pub fn certificate(&self) -> Option<Certificate> {
        self.sum(|part| part.certificate.certificate.clone())
    }

    /// The certificate over all networks, computed again, of all networks together.
    pub fn global(&self) -> Option<Certificate> {
        self.sum(|part| part.global.certificate.clone())
    }

    fn sum(&self, certificate: impl Fn(&PartCheck) -> Certificate) -> Option<Certificate> {
        Certificate::sum(&self.parts()?.iter().map(certificate).collect::<Vec<_>>())
    }
}

impl Model {
    /// Computes objectives and bounds again from the networks, the dual points and the data, and
    /// compares them with what the model states. The dictionary may take 8 GiB; see
    /// [`Model::certify_within`].
    ///
    /// # Errors
    /// When the data do not fit the networks or the loss, or the dictionary is too large.
    pub fn certify(&self, data: &Dataset) -> Result<Check, Error> {
        self.certify_within(data, MEMORY)
    }

    /// The same with so many bytes for the dictionary, which is drawn again. What is too large is
    /// refused before any work: a model may state what it likes.
    ///
    /// # Errors
    /// When the data do not fit the networks or the loss, or the dictionary is too large.
    pub fn certify_within(&self, data: &Dataset, memory: u64) -> Result<Check, Error> {
        let sets = self.parts_of(data)?;
        let mut checks = Vec::with_capacity(sets.len());
        for (part, data) in self.parts().iter().zip(&sets) {
            let (expected, found) = (part.network().inputs(), data.dimension());
            if expected != found {
                return Err(Error::Length { what: "features", expected, found });
            }
            if data.fingerprint() != part.fingerprint() {
                return Ok(Check::OtherData);
            }
            checks.push(check::check(part, self.setting(), data, memory)?);
        }
        Ok(Check::SameData(checks))
    }

    /// What is stated of all networks together, with how far it may be relied on: `Certified: no … is
    /// better by more than 0.1 %.` where a check of this model holds, and otherwise why not.
    pub fn statement(&self, check: Option<&Check>) -> String {
        let found = check.and_then(Check::certificate);
        statement(&self.certificate(), check.map(Check::reason), found.as_ref())
    }

    /// The same of each network.
    pub fn statements(&self, check: Option<&Check>) -> Vec<String> {
        let of = |(k, part): (usize, &Part)| {
            let found = check.and_then(Check::parts).map(|parts| &parts[k]);
            let reason = check.map(|check| found.map_or(check.reason(), PartCheck::reason));
            statement(part.certificate(), reason, found.map(|part| &part.certificate.certificate))
        };
        self.parts().iter().enumerate().map(of).collect()
    }
}

/// A certificate in a sentence, given why a check of it failed, if there was one, and what it found.
fn statement(
    stated: &Certificate,
    reason: Option<Option<&str>>,
    found: Option<&Certificate>,
) -> String {
    let claim = stated.claim();
    match (reason, found) {
        (Some(None), Some(found)) => format!("Certified: {}.", found.claim()),
        (Some(Some(reason)), Some(_)) => {
            format!("The certificate does NOT hold, {reason}. Stated: {claim}.")
        }
        (Some(Some(reason)), None) => format!("Certificate not checked, {reason}: {claim}."),
        _ => format!("Certificate not checked: {claim}."),
    }
}
