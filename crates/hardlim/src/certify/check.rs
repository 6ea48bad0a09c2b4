//! Recomputes the certificates of one network.

use std::collections::{HashMap, HashSet};

use super::PartCheck;
use super::membership::fault;
use crate::arrangement::policy::NONE;
use crate::arrangement::{Hyperplane, cost_of_inputs};
use crate::certificate::{Ask, Bound, Certificate, DualPoint, Price, Proof};
use crate::data::Dataset;
use crate::error::Error;
use crate::loss::Loss;
use crate::model::{Part, Setting, Size};
use crate::network::recipe::{Recipe, arrangement};
use crate::pattern::{Pattern, PatternMatrix};
use crate::pricing::{Corners, Prover};

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
    let check = PartCheck::of(part, [found, Certificate::global(&problem, objective)], fault);
    Ok(PartCheck { price, ..check })
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
    let Setting { beta, bias, constraints, .. } = *setting;
    match *part.recipe() {
        Recipe::Sample { ref widths, .. } if widths.is_empty() => {
            Ok(drawn(part, setting, data, dual))
        }
        Recipe::Sample { .. } | Recipe::Enumerate { .. } => {
            let listed = part.recipe().patterns(data, bias, memory)?;
            let all = matches!(part.recipe(), Recipe::Enumerate { .. });
            let bound = if all { Bound::Enumeration } else { Bound::Dictionary };
            // A bound over a dictionary proves nothing about a network that is not built from it.
            let built_from = |patterns: &PatternMatrix| {
                let known: HashSet<Pattern> =
                    (0..patterns.patterns()).map(|j| patterns.pattern(j)).collect();
                answers(part, data).iter().all(|(_, pattern)| known.contains(pattern))
            };
            let price = |patterns| Price { value: dual.price(&patterns, constraints, None), bound };
            Ok((listed.filter(built_from).map(price), None))
        }
        Recipe::Generate { ref widths, max_inputs, effort, ref policy } if widths.is_empty() => {
            let over = arrangement(data, bias);
            let prover = Prover::within(over, max_inputs, effort, policy)?;
            let proof = Proof::of(dual, &prover, constraints, Ask::beyond(beta), &|| false);
            Ok((Some(proof.price), None))
        }
        ref recipe if recipe.has_two_conditions() && bias => {
            let corners = Corners::new(arrangement(data, bias), recipe.policy().unwrap_or(&NONE));
            let ask = Ask::beyond(beta);
            let proof = Proof::of_rules(dual, &corners, constraints, ask, &|| false);
            Ok((Some(proof.price), None))
        }
        // There is no search over other deeper networks, and none over all of them.
        _ => Ok((None, None)),
    }
}

/// The answers of every neuron in use, with its number.
fn answers(part: &Part, data: &Dataset) -> Vec<(usize, Pattern)> {
    let network = part.network();
    let answers = network.patterns(data.features());
    let used = (0..answers.patterns()).filter(|&k| network.amplitudes()[k] != 0.0);
    used.map(|k| (k, answers.pattern(k))).collect()
}

/// The same as [`price`] over random neurons, which are drawn again some at a time.
fn drawn(
    part: &Part,
    setting: &Setting,
    data: &Dataset,
    dual: &DualPoint,
) -> (Option<Price>, Option<String>) {
    let Setting { bias, constraints, input_cost, .. } = *setting;
    let answers = answers(part, data);
    // The fewest inputs of a random neuron with the answers of one in use, and the largest price.
    let mut fewest: HashMap<&Pattern, Option<usize>> =
        answers.iter().map(|(_, pattern)| (pattern, None)).collect();
    let mut value = 0.0f64;
    part.recipe().visit_draws(data, bias, |(patterns, planes)| {
        let cost = |plane: &Hyperplane| cost_of_inputs(plane.reads(), input_cost);
        let costs: Option<Vec<f64>> =
            (input_cost != 0.0).then(|| planes.iter().map(cost).collect());
        value = value.max(dual.price(&patterns, constraints, costs.as_deref()));
        for (j, plane) in planes.iter().enumerate() {
            if let Some(least) = fewest.get_mut(&patterns.pattern(j)) {
                *least = Some(least.unwrap_or(usize::MAX).min(plane.reads()));
            }
        }
    });
    // A bound over a dictionary proves nothing about a network that is not built from it.
    if fewest.values().any(Option::is_none) {
        return (None, None);
    }
    let neurons = &part.network().layers()[0].neurons;
    let pays = |reads: usize| cost_of_inputs(reads, input_cost);
    let cheap = answers.iter().find_map(|(k, pattern)| {
        let reads = neurons[*k].reads();
        let least = fewest[pattern].expect("seen above");
        (pays(reads) < pays(least)).then(|| {
            format!(
                "neuron {} reads fewer inputs ({reads}) than the random neurons with its answers, \
                 so the bound does not hold for it",
                k + 1
            )
        })
    });
    (Some(Price { value, bound: Bound::Dictionary }).filter(|_| cheap.is_none()), cheap)
}
