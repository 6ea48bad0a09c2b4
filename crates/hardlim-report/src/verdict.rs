//! What is proven, for the head of the page.

use hardlim::certificate::Certificate;
use hardlim::certify::{Check, PartCheck};
use hardlim::model::{Model, Part};
use hardlim::prove::About;
use serde::Serialize;

/// What the certificate says, and whether it was checked when the page was made.
#[derive(Debug, Serialize)]
pub(crate) struct Verdict {
    statement: String,
    /// The problem that the certificate is about.
    problem: String,
    /// Whether a check found that it holds; none if it was not checked.
    holds: Option<bool>,
    /// What the check found, in words.
    checked: String,
    bars: Vec<Bar>,
    /// The certificates of each network, if there are several.
    parts: Vec<Bar>,
}

/// A certificate as a bar: the bound, and the objective above it.
#[derive(Debug, Serialize)]
struct Bar {
    name: String,
    claim: String,
    objective: f64,
    lower_bound: f64,
    relative_gap: f64,
    /// How the bound was found.
    bound: &'static str,
}

impl Bar {
    fn of(name: String, certificate: &Certificate) -> Self {
        Self {
            name,
            claim: certificate.claim(),
            objective: certificate.objective(),
            lower_bound: certificate.lower_bound(),
            relative_gap: certificate.relative_gap(),
            bound: certificate.bound().name(),
        }
    }
}

impl Verdict {
    /// What a model proves; if it was checked, the numbers are those of the check.
    pub(crate) fn of(model: &Model, check: Option<&Check>) -> Self {
        let own = check.and_then(Check::certificate).unwrap_or_else(|| model.certificate());
        let all = check.and_then(Check::global).unwrap_or_else(|| model.global());
        let mut bars = vec![Bar::of(own.networks(), &own)];
        if all.class() != own.class() || all.lower_bound() != own.lower_bound() {
            bars.push(Bar::of(all.networks(), &all));
        }
        let found = check.and_then(Check::parts);
        let part = |(k, part): (usize, &Part)| {
            let certificate = |check: &PartCheck| check.certificate.clone();
            let certificate =
                found.map_or_else(|| part.certificate().clone(), |parts| certificate(&parts[k]));
            let [_, class] = model.coding().of_network(k).target().answers()?;
            Some(Bar::of(class, &certificate))
        };
        let several = model.parts().len() > 1;
        let parts = model.parts().iter().enumerate().filter(|_| several).filter_map(part);
        Self {
            statement: model.statement(check),
            problem: model.terms().to_string(),
            holds: found.and(check).map(Check::holds),
            checked: checked(model, check),
            bars,
            parts: parts.collect(),
        }
    }
}

/// What a check found, in words, and how to get a proof.
fn checked(model: &Model, check: Option<&Check>) -> String {
    match check.map(Check::reason) {
        None => "The data have no targets, so the certificate was not checked.".into(),
        Some(None) => {
            let proof = match (model.provable(About::Class), model.provable(About::AllNetworks)) {
                (Ok(()), _) => {
                    " hardlim prove MODEL DATA -o PROOF writes a proof that 300 lines of Python \
                     check without hardlim."
                }
                (Err(_), Ok(())) => {
                    " hardlim prove MODEL DATA -o PROOF --all-networks writes a proof of the bound \
                     over all networks that 300 lines of Python check without hardlim; this class \
                     has none."
                }
                _ => "",
            };
            format!(
                "Checked when this report was made: objective and bounds were computed again from \
                 the model and the data alone, by code that does not use the trainer, and they \
                 hold.{proof}"
            )
        }
        Some(Some(reason)) => format!("Checked when this report was made: {reason}."),
    }
}
