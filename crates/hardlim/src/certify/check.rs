//! Recomputes the certificates of one network.

use std::collections::HashMap;

use super::PartCheck;
use super::membership::fault;
use crate::arrangement::cost_of_inputs;
use crate::certificate::{Ask, Bound, Certificate, DualPoint, Price, Proof};
use crate::data::Dataset;
use crate::error::Error;
use crate::loss::Loss;
use crate::model::{Part, Setting, Size};
use crate::network::recipe::{self, Recipe};
use crate::pattern::{Pattern, PatternMatrix};
use crate::pricing::Prover;

/// Recomputes both certificates of a network.
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
    let objective = problem.objective(&output, network.paid_amplitudes(setting.input_cost));
    // With an output bias, only a balanced dual point proves something.
    let dual = problem.dual_point(part.dual().values().to_vec());
    let fault = fault(part, setting, Size::of(data));
    let (price, fault) = match fault {
        None if stated.bound() != Bound::Complete => price(part, setting, data, &dual, memory)?,
        fault => (None, fault),
    };
    let class = setting.class(part.recipe());
    let found = match price {
        Some(price) => Certificate::measure(&problem, objective, &dual, price, &class),
        None => Certificate::complete(&problem, objective),
    };
    Ok(PartCheck::of(part, [found, Certificate::global(&problem, objective)], fault))
}

/// A new bound on `max |dᵀz|` over the patterns of the recipe; `None` if the network is not built
/// from them, or if there is no search for them. If a neuron pays less than its pattern costs, the
/// bound does not hold for the network, and the second result says so.
fn price(
    part: &Part,
    setting: &Setting,
    data: &Dataset,
    dual: &DualPoint,
    memory: u64,
) -> Result<(Option<Price>, Option<String>), Error> {
    let Setting { beta, bias, constraints, input_cost, .. } = *setting;
    match *part.recipe() {
        Recipe::Complete
        | Recipe::Gaussian { .. }
        | Recipe::Staircase { .. }
        | Recipe::Listed { .. }
        | Recipe::Given => Ok((None, None)),
        Recipe::Sample { .. } | Recipe::Enumerate { .. } => {
            let listed = part.recipe().patterns(data, bias, input_cost, memory)?;
            let bound = match part.recipe().lists_all() {
                true => Bound::Enumeration,
                false => Bound::Dictionary,
            };
            let Some((patterns, costs)) = listed else { return Ok((None, None)) };
            // A bound over a dictionary proves nothing about a network that is not built from it.
            let Some(places) = places(part, &patterns, data) else { return Ok((None, None)) };
            let costs = costs.as_deref();
            let cheap = costs.and_then(|costs| too_cheap(part, &places, costs, input_cost));
            let value = dual.price_with_costs(&patterns, constraints, costs);
            Ok((Some(Price { value, bound }).filter(|_| cheap.is_none()), cheap))
        }
        // There is no search over deeper networks.
        Recipe::Generate { ref widths, .. } if !widths.is_empty() => Ok((None, None)),
        Recipe::Generate { max_inputs, effort, .. } => {
            let prover = Prover::new(recipe::arrangement(data, bias), max_inputs, effort)?;
            let proof = Proof::of(dual, &prover, constraints, Ask::beyond(beta), &|| false);
            Ok((Some(proof.price), None))
        }
    }
}

/// For each neuron in use, its place in the network and that of its pattern in the dictionary;
/// `None` if the answers of a neuron are not a pattern of the dictionary.
fn places(part: &Part, dictionary: &PatternMatrix, data: &Dataset) -> Option<Vec<(usize, usize)>> {
    let network = part.network();
    let known: HashMap<Pattern, usize> =
        (0..dictionary.patterns()).map(|j| (dictionary.pattern(j), j)).collect();
    let answers = network.patterns(data.features());
    let used = (0..answers.patterns()).filter(|&k| network.amplitudes()[k] != 0.0);
    used.map(|k| Some((k, *known.get(&answers.pattern(k))?))).collect()
}

/// Finds a neuron that pays less than its pattern costs in the dictionary.
fn too_cheap(
    part: &Part,
    places: &[(usize, usize)],
    costs: &[f64],
    input_cost: f64,
) -> Option<String> {
    let (last, _) = part.network().layers().split_last()?;
    let pays = |k: usize| cost_of_inputs(last.neurons[k].reads(), input_cost);
    let &(k, _) = places.iter().find(|&&(k, j)| pays(k) < costs[j])?;
    let reads = last.neurons[k].reads();
    Some(format!(
        "neuron {} reads fewer inputs ({reads}) than the random neurons with its answers, so the \
         bound does not hold for it",
        k + 1
    ))
}
