//! The certificates of one network, computed again.

use std::collections::HashSet;

use super::membership::{off_grid, outside};
use super::{PartCheck, TOLERANCE, Verdict};
use crate::certificate::{Ask, Bound, Certificate, DualPoint, NetworkClass, Price, Proof};
use crate::data::Dataset;
use crate::error::Error;
use crate::loss::Loss;
use crate::model::{Part, Setting};
use crate::network::recipe::{self, Recipe};
use crate::pattern::{Pattern, PatternMatrix};
use crate::pricing::Prover;

/// Both certificates of a network, computed again.
pub(super) fn check(
    part: &Part,
    setting: &Setting,
    data: &Dataset,
    memory: u64,
) -> Result<PartCheck, Error> {
    let (expected, found) = (data.distinct(), part.dual().values().len());
    if expected != found {
        return Err(Error::Length { what: "numbers of the dual point", expected, found });
    }
    setting.loss.check_targets(data.targets())?;
    let problem = setting.problem(data.targets());
    let (network, stated) = (part.network(), part.certificate());
    let output = network.output(data.features());
    let objective = problem.objective(&output, network.amplitudes().iter().copied());
    // With an output bias a dual point proves nothing unless it is balanced.
    let dual = problem.dual_point(part.dual().values().to_vec());
    let elsewhere = outside(network, &limits(part, setting)).or_else(|| off_grid(network));
    let price = match elsewhere {
        None if stated.bound() != Bound::Complete => price(part, setting, data, &dual, memory)?,
        _ => None,
    };
    let class = part.recipe().class(setting.bias);
    let found = match price {
        Some(price) => Certificate::measure(&problem, objective, &dual, price, &class),
        None => Certificate::complete(&problem, objective),
    };
    let global = Certificate::global(&problem, objective);
    Ok(PartCheck {
        certificate: Verdict {
            reason: elsewhere.or_else(|| shortfall(stated, &found)),
            certificate: found,
        },
        global: Verdict { reason: shortfall(part.global(), &global), certificate: global },
    })
}

/// The networks that the model says its network is one of. The class of a certificate holds them all.
fn limits(part: &Part, setting: &Setting) -> NetworkClass {
    let (bias, non_negative) = (setting.bias, setting.constraints.non_negative);
    let layers = match part.recipe() {
        Recipe::Given => None,
        recipe => Some(recipe.depth()),
    };
    NetworkClass { layers, bias, non_negative, ..part.recipe().class(bias) }
}

/// `max |dᵀz|` over the patterns of the recipe, bounded again; nothing where the network is not built
/// from them, or no search is known.
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
        // No search proves anything about deeper networks.
        Recipe::Generate { ref widths, .. } if !widths.is_empty() => Ok(None),
        Recipe::Generate { max_inputs, effort, .. } => {
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
    used.all(|j| known.contains(&answers.pattern(j)))
}

/// Why what was found does not support what is stated; nothing where it does.
fn shortfall(stated: &Certificate, found: &Certificate) -> Option<String> {
    let close = |a: f64, b: f64| (a - b).abs() <= TOLERANCE * b.abs();
    let (objective, bound) = (found.objective(), found.lower_bound());
    if !close(objective, stated.objective()) {
        let stated = stated.objective();
        return Some(format!("the objective is {objective}, stated is {stated}"));
    }
    if found.bound() != stated.bound() {
        let (found, stated) = (found.bound().name(), stated.bound().name());
        return Some(format!("the bound is by {found}, stated is {stated}"));
    }
    if found.class() != stated.class() {
        let (found, stated) = (found.class().networks(), stated.class().networks());
        return Some(format!("the bound is over every {found}, stated is {stated}"));
    }
    let stated = stated.lower_bound();
    let supported = bound >= stated || close(bound, stated);
    // No proof of this kind can exceed what the network itself reaches.
    let possible = bound <= objective * (1.0 + TOLERANCE);
    (!(supported && possible)).then(|| format!("the lower bound is {bound}, stated is {stated}"))
}
