//! Checks every statement of a model again, from the networks, the dual points and the data alone.
//!
//! A model file is never trusted. These are checked:
//!
//! 1. the fingerprint and the size: rows, targets and sample weights are those of the training;
//! 2. the class: every network is in the class of its certificate (`membership`);
//! 3. the objective: `L(f(X)) + β Σ|aⱼ|`, evaluated on the network as it is stored. If neurons pay
//!    for the inputs they read, it is `L(f(X)) + β Σ kⱼᴾ|aⱼ|`;
//! 4. the price: `U ≥ max |dᵀz|` over the patterns of the class, bounded again for the stored dual
//!    point. If a pattern pays for `k` inputs, its price is `|dᵀz|/kᴾ`, and no neuron may read
//!    fewer;
//! 5. the bound: `−L*(θz)` with `θ ≤ β/U`, and the complete program for all networks.
//!
//! Nothing here uses a solver or the trainer: a dual point is a proof, however it was found.
//! `docs/certify.md` lists what has to be trusted.

mod check;
mod membership;
mod rows;

use crate::certificate::{Certificate, Price};
use crate::data::Dataset;
use crate::error::Error;
use crate::model::{Model, Part};

/// How far a stated number may be from the recomputed one, relative to its size.
pub const TOLERANCE: f64 = 1e-9;
const MEMORY: u64 = 8 << 30;

/// Both recomputed certificates of a network, and why they do not support the stated ones.
#[derive(Debug, Clone, PartialEq)]
pub struct PartCheck {
    /// The certificate over its own class of networks.
    pub certificate: Certificate,
    /// The certificate over all networks.
    pub global: Certificate,
    /// The price behind the first, if it was computed again.
    pub(crate) price: Option<Price>,
    reason: Option<String>,
}

impl PartCheck {
    /// Compares these certificates with those of a part, which may have another fault.
    fn of(part: &Part, [certificate, global]: [Certificate; 2], fault: Option<String>) -> Self {
        let reason = fault
            .or_else(|| shortfall(part.certificate(), &certificate))
            .or_else(|| shortfall(part.global(), &global));
        Self { certificate, global, price: None, reason }
    }

    /// Whether both hold.
    pub fn holds(&self) -> bool {
        self.reason.is_none()
    }

    /// Why they do not hold, in words; `None` if they do.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }
}

/// The result of checking a model.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// The data are not the training data of the model.
    OtherData,
    /// The recomputed certificates of each network.
    SameData(Vec<PartCheck>),
}

impl Check {
    /// Whether all statements of the model hold.
    pub fn holds(&self) -> bool {
        self.reason().is_none()
    }

    /// Why they do not hold, in words; `None` if they do.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::OtherData => Some("the data are not the training data of the model"),
            Self::SameData(parts) => parts.iter().find_map(PartCheck::reason),
        }
    }

    /// The recomputed certificates of each network; `None` if the data are not the training data.
    pub fn parts(&self) -> Option<&[PartCheck]> {
        match self {
            Self::OtherData => None,
            Self::SameData(parts) => Some(parts),
        }
    }

    /// The recomputed certificate of all networks together, over its class of networks.
    pub fn certificate(&self) -> Option<Certificate> {
        self.sum(|part| &part.certificate)
    }

    /// The recomputed certificate of all networks together, over all threshold networks.
    pub fn global(&self) -> Option<Certificate> {
        self.sum(|part| &part.global)
    }

    fn sum(&self, certificate: impl Fn(&PartCheck) -> &Certificate) -> Option<Certificate> {
        Certificate::sum(&self.parts()?.iter().map(certificate).cloned().collect::<Vec<_>>())
    }
}

impl Model {
    /// Computes objectives and bounds again from the networks, the dual points and the data, and
    /// compares them with those that the model states. A dictionary may take up to 8 GiB; see
    /// [`Model::certify_within`].
    ///
    /// # Errors
    /// When the data do not fit the networks or the loss, or the dictionary is too large.
    pub fn certify(&self, data: &Dataset) -> Result<Check, Error> {
        self.certify_within(data, MEMORY)
    }

    /// The same with a limit on the memory of the dictionary, in bytes. A dictionary that is too
    /// large is refused before any work, because a model file may ask for anything.
    ///
    /// # Errors
    /// When the data do not fit the networks or the loss, or the dictionary is too large.
    pub fn certify_within(&self, data: &Dataset, memory: u64) -> Result<Check, Error> {
        if self.is_of_rows() {
            return Err(Error::InBlocks);
        }
        let sets = self.parts_of(data)?;
        let mut checks = Vec::with_capacity(sets.len());
        for (part, data) in self.parts().iter().zip(&sets) {
            let same = part.network().inputs() == data.dimension();
            if !same || data.fingerprint() != part.fingerprint() {
                return Ok(Check::OtherData);
            }
            checks.push(check::check(part, self.setting(), data, memory)?);
        }
        Ok(Check::SameData(checks))
    }

    /// The certificate of all networks together, as a sentence that says whether it was checked:
    /// `Certified: no … is better by more than 0.1 %.` if a check of this model holds, otherwise
    /// why not.
    pub fn statement(&self, check: Option<&Check>) -> String {
        let found = check.and_then(Check::certificate);
        statement(&self.certificate(), check.map(Check::reason), found.as_ref())
    }

    /// The same for each network.
    pub fn statements(&self, check: Option<&Check>) -> Vec<String> {
        let of = |(k, part): (usize, &Part)| {
            let found = check.and_then(Check::parts).map(|parts| &parts[k]);
            let reason = check.map(|check| found.map_or(check.reason(), PartCheck::reason));
            statement(part.certificate(), reason, found.map(|part| &part.certificate))
        };
        self.parts().iter().enumerate().map(of).collect()
    }
}

/// A certificate as a sentence. A check gives the reason if it failed, and the recomputed
/// certificate.
fn statement(
    stated: &Certificate,
    reason: Option<Option<&str>>,
    found: Option<&Certificate>,
) -> String {
    let claim = stated.claim();
    match (reason, found) {
        (Some(None), Some(found)) => format!("Certified: {}.", found.claim()),
        (Some(Some(reason)), Some(_)) => {
            format!("The certificate does NOT hold: {reason}. The model states: {claim}.")
        }
        (Some(Some(reason)), None) => {
            format!("Certificate not checked, because {reason}: {claim}.")
        }
        _ => format!("Certificate not checked: {claim}."),
    }
}

/// Why the recomputed certificate does not support the stated one; `None` if it does.
fn shortfall(stated: &Certificate, found: &Certificate) -> Option<String> {
    let (objective, bound) = (found.objective(), found.lower_bound());
    if !close(objective, stated.objective()) {
        let stated = stated.objective();
        return Some(format!("the objective is {objective}, the model states {stated}"));
    }
    if found.bound() != stated.bound() {
        let (found, stated) = (found.bound().name(), stated.bound().name());
        return Some(format!("the bound is by {found}, the model states {stated}"));
    }
    if found.class() != stated.class() {
        let (found, stated) = (found.class().networks(), stated.class().networks());
        return Some(format!("the bound holds for every {found}, the model states {stated}"));
    }
    let stated = stated.lower_bound();
    let supported = bound >= stated || close(bound, stated);
    // A valid lower bound never exceeds the objective of the network itself.
    let possible = bound <= objective * (1.0 + TOLERANCE);
    (!(supported && possible))
        .then(|| format!("the lower bound is {bound}, the model states {stated}"))
}

fn close(found: f64, stated: f64) -> bool {
    (found - stated).abs() <= TOLERANCE * stated.abs()
}
