//! Checking a model again: everything it states, from the networks, the dual points and the data alone.

use std::collections::HashSet;

use crate::certificate::{Ask, Bound, Certificate, DualPoint, Price, Problem, Proof};
use crate::data::Dataset;
use crate::error::Error;
use crate::loss::{Loss, LossKind};
use crate::model::{Model, Part, Setting};
use crate::network::Neuron;
use crate::network::recipe::{self, Recipe};
use crate::pattern::{Pattern, PatternMatrix};
use crate::pricing::Prover;

/// How far a stated number may be from the recomputed one, relative to its size.
pub const TOLERANCE: f64 = 1e-9;
/// The memory for a dictionary where nothing is said.
const MEMORY: u64 = 8 << 30;

/// A certificate computed again, and whether it supports the stated one.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// Whether objective and lower bound are as good as stated.
    pub holds: bool,
    /// What was found.
    pub certificate: Certificate,
}

/// Both certificates of a network, computed again.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartCheck {
    /// The one over the recipe's scope.
    pub certificate: Verdict,
    /// The one over all networks.
    pub global: Verdict,
}

impl PartCheck {
    /// Whether both hold.
    pub fn holds(&self) -> bool {
        self.certificate.holds && self.global.holds
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
        self.parts().is_some_and(|parts| parts.iter().all(PartCheck::holds))
    }

    /// What was found about each network, where the data are those of the training.
    pub fn parts(&self) -> Option<&[PartCheck]> {
        match self {
            Self::OtherData => None,
            Self::SameData(parts) => Some(parts),
        }
    }

    /// The certificate over the recipes' scope, computed again, of all networks together.
    pub fn certificate(&self) -> Option<Certificate> {
        self.sum(|part| part.certificate.certificate)
    }

    /// The certificate over all networks, computed again, of all networks together.
    pub fn global(&self) -> Option<Certificate> {
        self.sum(|part| part.global.certificate)
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
            checks.push(check(part, self.setting(), data, memory)?);
        }
        Ok(Check::SameData(checks))
    }
}

/// Both certificates of a network, computed again.
fn check(part: &Part, setting: &Setting, data: &Dataset, memory: u64) -> Result<PartCheck, Error> {
    let (expected, found) = (data.distinct(), part.dual().values().len());
    if expected != found {
        return Err(Error::Length { what: "numbers of the dual point", expected, found });
    }
    setting.loss.check_targets(data.targets())?;
    let problem = setting.problem(data.targets());
    let output = part.network().output(data.features());
    let objective = problem.objective(&output, part.network().amplitudes().iter().copied());
    // With an output bias a dual point proves nothing unless it is balanced.
    let dual = problem.dual_point(part.dual().values().to_vec());
    let price = price(part, setting, data, &dual, memory)?;
    let claim = Claim { problem: &problem, objective, dual: &dual, price };
    Ok(PartCheck {
        certificate: claim.check(part.certificate()),
        global: claim.check(part.global()),
    })
}

/// `max |dᵀz|` over the scope of the recipe, bounded again; nothing where the network is not in that
/// scope, or its bound is the one that needs no patterns.
fn price(
    part: &Part,
    setting: &Setting,
    data: &Dataset,
    dual: &DualPoint,
    memory: u64,
) -> Result<Option<Price>, Error> {
    let Setting { beta, bias, constraints, .. } = *setting;
    match *part.recipe() {
        Recipe::Complete | Recipe::Gaussian { .. } | Recipe::Staircase { .. } | Recipe::Given => {
            Ok(None)
        }
        Recipe::Sample { .. } | Recipe::Enumerate { .. } => {
            let patterns = part.recipe().patterns(data, bias, memory)?;
            // A dictionary says nothing about a network that is not built from it.
            let patterns = patterns.filter(|patterns| is_built_from(part, patterns, data));
            let bound = match part.recipe().lists_all() {
                true => Bound::Enumeration,
                false => Bound::Dictionary,
            };
            Ok(patterns.map(|patterns| Price { value: dual.price(&patterns, constraints), bound }))
        }
        Recipe::Generate { max_inputs, effort, ref widths } => {
            let complete = part.certificate().bound() == Bound::Complete;
            // No search proves anything about deeper networks.
            if complete || !widths.is_empty() || !reads_at_most(part, bias, max_inputs) {
                return Ok(None);
            }
            let prover = Prover::new(recipe::arrangement(data, bias), max_inputs, effort)?;
            let proof = Proof::of(dual, &prover, constraints, Ask::beyond(beta), &|| false);
            Ok(Some(proof.price))
        }
    }
}

/// Whether every neuron in use answers with a pattern of the dictionary.
fn is_built_from(part: &Part, dictionary: &PatternMatrix, data: &Dataset) -> bool {
    let network = part.network();
    let known: HashSet<Pattern> =
        (0..dictionary.patterns()).map(|j| dictionary.pattern(j)).collect();
    let answers = network.patterns(data.features());
    let mut used = (0..answers.patterns()).filter(|&j| network.amplitudes()[j] != 0.0);
    network.depth() == part.recipe().depth() && used.all(|j| known.contains(&answers.pattern(j)))
}

/// Whether this is a network of two layers whose neurons keep to the limit, and have a bias only where
/// they may.
fn reads_at_most(part: &Part, bias: bool, inputs: Option<usize>) -> bool {
    let within = |n: &Neuron| inputs.is_none_or(|k| n.reads() <= k) && (bias || n.bias == 0.0);
    part.network().depth() == 2 && part.network().layers()[0].neurons.iter().all(within)
}

/// What there is to check a certificate against.
struct Claim<'a> {
    /// The loss on the targets, and `β`.
    problem: &'a Problem<'a, LossKind>,
    /// `L(u) + β Σ|aⱼ|` of the network, computed again.
    objective: f64,
    /// The dual point that came with the network.
    dual: &'a DualPoint,
    /// What `max |dᵀz|` was bounded by again; nothing where the network is not within that scope.
    price: Option<Price>,
}

impl Claim<'_> {
    /// Computes the certificate again, by the bound that is stated. One whose bound is not at hand is
    /// measured by the bound that always is.
    fn check(&self, stated: &Certificate) -> Verdict {
        let Self { problem, objective, dual, .. } = *self;
        let certificate = match self.price.filter(|price| price.bound == stated.bound()) {
            Some(price) => Certificate::measure(problem, objective, dual, price),
            None => Certificate::complete(problem, objective),
        };
        let close = |found: f64, stated: f64| (found - stated).abs() <= TOLERANCE * stated.abs();
        let bound = certificate.lower_bound() >= stated.lower_bound()
            || close(certificate.lower_bound(), stated.lower_bound());
        // No proof of this kind can exceed what the network itself reaches.
        let possible = certificate.lower_bound() <= objective * (1.0 + TOLERANCE);
        let same = certificate.bound() == stated.bound();
        let holds = same && bound && possible && close(objective, stated.objective());
        Verdict { holds, certificate }
    }
}
