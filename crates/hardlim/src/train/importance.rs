//! What is lost without an input: for every input, a lower bound on the objective of every network
//! that does not read it, and the best such network that was found.
//!
//! A network does not read an input exactly if it is a network on the table with this input set to
//! zero. On that table more rows are equal, and the problem is one of the usual kind, with its
//! usual proof:
//!
//! ```text
//! p*ⱼ = min L(f(X₋ⱼ)) + β Σ|a|  ≥  p*.
//! ```
//!
//! With neurons of one, two or three inputs, and in low rank, both sides are exact up to the gap.
//! Elsewhere the bound is what the search proves. The bound of the model itself holds for networks
//! without an input, too. If the model does not read an input, it is itself the best network
//! without it.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::classes::Shared;
use super::folds::share;
use super::generate::not_priced;
use super::tuning::GAP_OF_IMPORTANCE;
use super::{Event, Limits, Method, Request, Strength, Terms, Trainer, Watch, first_short};
use crate::arrangement::{Arrangement, Dictionary, Hyperplane, Subnetwork, evaluate, policy};
use crate::certificate::{Certificate, NetworkClass, Problem, Scope};
use crate::certify::Check;
use crate::data::{Dataset, Features};
use crate::error::Error;
use crate::loss::LossKind;
use crate::model::{Model, Part};
use crate::network::recipe::Recipe;
use crate::network::{Network, Neuron};
use crate::pattern::PatternMatrix;
use crate::pricing::Priced;
use crate::solver::{Generation, Rules, Source, StopReason};
use crate::table::coding::ColumnRef;
use crate::table::memory;

/// What is lost without each input of a model.
#[derive(Debug, Clone)]
pub struct Importance {
    /// The objective of the model.
    pub objective: f64,
    /// The lower bound over all networks of the class.
    pub lower_bound: f64,
    /// The class of networks that all bounds are about.
    pub class: NetworkClass,
    /// One for each input, in the order of the table.
    pub inputs: Vec<WithoutInput>,
    /// Why the search ended. The reason of the first input that missed the gap is given.
    pub stop: StopReason,
}

/// Networks that do not read one input.
#[derive(Debug, Clone, PartialEq)]
pub struct WithoutInput {
    /// The column of the table.
    pub name: String,
    /// No network of the class without this input has a lower objective.
    pub lower_bound: f64,
    /// The objective of the best one that was found.
    pub objective: f64,
    /// Its number of neurons.
    pub neurons: usize,
    /// Whether the model reads the input.
    pub read: bool,
    stop: StopReason,
}

impl WithoutInput {
    /// The gap between the best network that was found and the bound, as a fraction of its
    /// objective.
    pub fn relative_gap(&self) -> f64 {
        if self.objective == 0.0 { 0.0 } else { 1.0 - self.lower_bound / self.objective }
    }
}

impl Importance {
    /// By which fraction every network without an input is worse than the model, at least.
    pub fn at_least(&self, input: &WithoutInput) -> f64 {
        self.relative(input.lower_bound).max(0.0)
    }

    /// By which fraction the best network found without an input is worse than the model. It is
    /// negative if the model is not optimal.
    pub fn found(&self, input: &WithoutInput) -> f64 {
        self.relative(input.objective)
    }

    fn relative(&self, objective: f64) -> f64 {
        if self.objective == 0.0 { 0.0 } else { objective / self.objective - 1.0 }
    }

    /// The largest relative gap of an input.
    pub fn relative_gap(&self) -> f64 {
        self.inputs.iter().map(WithoutInput::relative_gap).fold(0.0, f64::max)
    }

    /// The inputs, the largest loss first.
    pub fn ranked(&self) -> Vec<&WithoutInput> {
        let mut ranked: Vec<&WithoutInput> = self.inputs.iter().collect();
        ranked.sort_by(|a, b| b.lower_bound.total_cmp(&a.lower_bound));
        ranked
    }
}

impl Request {
    /// What is lost without each input of a model, given its training data. Every input is solved
    /// to the gap of the request, `10⁻³` by default, or until its share of the time is over.
    ///
    /// # Errors
    /// When the certificate of the model does not hold, the data are not its training data, it has
    /// more than two layers (but for rules of two conditions), or its neurons pay for their inputs.
    pub fn importance(
        &self,
        model: &Model,
        data: &Dataset,
        watch: &Watch<'_>,
    ) -> Result<Importance, Error> {
        let limit = self.limits.time;
        let setting = model.setting();
        let recipe = model.first().recipe();
        let of_rules = recipe.has_two_conditions();
        let problem = if !of_rules && model.networks().any(|network| network.depth() > 2) {
            "what is lost without an input is known for networks of two layers, and for rules of \
             two conditions"
        } else if setting.input_cost != 0.0 {
            "neurons that pay for their inputs have no bound without one of them"
        } else if model.is_of_rows() {
            "the model was trained on rows in blocks, and this trains in memory"
        } else {
            ""
        };
        if !problem.is_empty() {
            return Err(Error::Importance { problem: problem.into() });
        }
        let check = model.certify_within(data, memory::for_checking())?;
        if check == Check::OtherData {
            return Err(Error::OtherData);
        }
        if let Some(reason) = check.reason() {
            return Err(Error::NotCertified { reason: reason.into() });
        }
        let sets = model.parts_of(data)?;
        let max_inputs = recipe.max_inputs();
        let (bias, constraints) = (setting.bias, setting.constraints);
        let standard = Self::default().trainer();
        let rounds = limit.map(|_| usize::MAX);
        let trainer = Trainer {
            method: if max_inputs.is_some() { Method::Generate } else { Method::Auto },
            loss: setting.loss,
            strength: Strength::Beta(setting.beta),
            terms: Terms { max_inputs, bias, constraints, ..standard.terms },
            limits: Limits { time: limit, rounds, memory: None, ..standard.limits },
            widths: recipe.widths(),
            policy: recipe.policy().unwrap_or(&policy::NONE),
            effort: match *recipe {
                Recipe::Generate { effort, .. } => effort,
                _ => standard.effort,
            },
            tolerance: self.limits.gap.unwrap_or(GAP_OF_IMPORTANCE),
            budget: watch.budget(limit),
            ..standard
        };
        let columns = model.coding().features_by_column();
        watch.tell(Event::Choosing { scores: columns.len() });
        let reads =
            |columns: &Range<usize>| model.networks().any(|network| reads(network, columns));
        let waiting = columns.iter().filter(|(_, columns)| reads(columns)).count();
        let waiting = AtomicUsize::new(waiting);
        let all = WithoutInput {
            name: String::new(),
            lower_bound: model.parts().iter().map(proven).sum(),
            objective: model.certificate().objective(),
            neurons: model.neurons(),
            read: false,
            stop: StopReason::GapReached,
        };
        let without = |(column, columns): &(&ColumnRef, Range<usize>)| {
            let mut input = WithoutInput { name: column.name.clone(), ..all.clone() };
            if reads(columns) {
                let budget = share(trainer.budget, waiting.fetch_sub(1, Ordering::Relaxed));
                let trainer = Trainer { budget, ..trainer };
                let mut stops = Vec::new();
                (input.lower_bound, input.objective, input.neurons) = (0.0, 0.0, 0);
                for (part, data) in model.parts().iter().zip(&sets) {
                    let (certificate, neurons, stop) = trainer.without(data, part, columns)?;
                    input.lower_bound += certificate.lower_bound().max(proven(part));
                    input.objective += certificate.objective();
                    input.neurons += neurons;
                    stops.push(stop);
                }
                (input.read, input.stop) = (true, first_short(stops));
            }
            watch.tell(Event::Scored);
            Ok(input)
        };
        let inputs = columns.par_iter().map(without).collect::<Result<Vec<_>, Error>>()?;
        Ok(Importance {
            objective: all.objective,
            lower_bound: all.lower_bound,
            class: NetworkClass {
                non_negative: constraints.non_negative,
                policy: trainer.policy.clone(),
                ..if of_rules {
                    NetworkClass::of_two_conditions()
                } else {
                    NetworkClass { max_inputs, ..NetworkClass::two_layers(bias) }
                }
            },
            stop: first_short(inputs.iter().map(|input| input.stop)),
            inputs,
        })
    }
}

/// Whether a neuron in use reads one of these columns.
fn reads(network: &Network, columns: &Range<usize>) -> bool {
    let reads = |neuron: &Neuron| {
        let plane = neuron.hyperplane(network.inputs());
        plane.weights[columns.clone()].iter().any(|w| *w != 0.0)
    };
    let neurons = network.layers().first().map_or(&[][..], |layer| &layer.neurons);
    // Rules have no neurons below but their own.
    let used = |k: usize| network.depth() > 2 || network.amplitudes()[k] != 0.0;
    neurons.iter().enumerate().any(|(k, neuron)| used(k) && reads(neuron))
}

/// What is proven about every network of two layers in the class of a network.
/// The bound on the networks of the class of a part.
pub(super) fn proven(part: &Part) -> f64 {
    let certificate = match part.certificate().scope() {
        Scope::Global => part.certificate(),
        Scope::Dictionary => part.global(),
    };
    certificate.lower_bound()
}

fn blanked(data: &Dataset, columns: &Range<usize>) -> Result<Dataset, Error> {
    let (mut values, mut y, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for (g, atoms) in data.targets().iter().enumerate() {
        for (target, weight) in atoms.iter() {
            let start = values.len();
            values.extend_from_slice(data.features().row(g));
            values[start..][columns.clone()].fill(0.0);
            y.push(target);
            weights.push(weight);
        }
    }
    Dataset::new(Features::new(y.len(), data.dimension(), values)?, &y, Some(&weights))
}

impl Trainer<'_> {
    /// Trains without these columns, starting from the neurons of a network: the certificate of the
    /// best network found, over all networks, its neurons, and why the search ended.
    fn without(
        &self,
        data: &Dataset,
        part: &Part,
        columns: &Range<usize>,
    ) -> Result<(Certificate, usize, StopReason), Error> {
        let data = &blanked(data, columns)?;
        let blank = |neuron: &Neuron| {
            let mut plane = neuron.hyperplane(data.dimension());
            plane.weights[columns.clone()].fill(0.0);
            plane
        };
        let neurons = part.network().layers().first().map_or(&[][..], |layer| &layer.neurons);
        let witnesses: Vec<Hyperplane> = neurons.iter().map(blank).collect();
        let Strength::Beta(beta) = self.strength else { unreachable!("a model has a strength") };
        let problem = self.problem(data, beta);
        if self.has_two_conditions() {
            let corners = self.corners(data);
            let rule = |top: &Neuron| {
                let (below, weights): (Vec<_>, _) = top.terms().unzip();
                let planes: Vec<Hyperplane> = below.iter().map(|&j| witnesses[j].clone()).collect();
                let last = Hyperplane { weights, bias: top.bias };
                (!planes.is_empty()).then(|| Subnetwork::new(vec![planes, vec![last]]))
            };
            let tops = part.network().layers()[1].neurons.iter();
            let witnesses: Vec<Subnetwork> = tops.filter_map(rule).collect();
            let answers = Arrangement::of(data.features()).answers(&witnesses);
            let patterns = PatternMatrix::from_patterns(data.distinct(), &answers);
            let start = not_priced(Dictionary { patterns, witnesses });
            return Ok(self.generated(&problem, &Rules { corners: &corners }, start));
        }
        let patterns = evaluate(data.features(), &witnesses);
        let start = not_priced(Dictionary { patterns, witnesses });
        if self.terms.max_inputs.is_some() {
            return Ok(self.generated(&problem, &self.ground(data)?.neurons(), start));
        }
        let mut shared = Shared { patterns: start, ..Shared::default() };
        let (network, proposal) = self.decided(data)?.fit(data, &mut shared)?;
        let objective =
            problem.objective(&network.output(data.features()), network.paid_amplitudes(0.0));
        let class = NetworkClass::two_layers(self.terms.bias);
        let certificate =
            Certificate::measure(&problem, objective, &proposal.dual, proposal.price, &class);
        let certificate = match certificate.scope() {
            Scope::Global => certificate,
            Scope::Dictionary => Certificate::global(&problem, objective),
        };
        Ok((certificate, network.neurons(), proposal.stop))
    }

    /// The best network over a source.
    fn generated<S: Source>(
        &self,
        problem: &Problem<'_, LossKind>,
        source: &S,
        start: Vec<Priced<S::Witness>>,
    ) -> (Certificate, usize, StopReason) {
        let generation = Generation { rounds: usize::MAX, ..self.generation(source) };
        let found = generation.solve(problem, start);
        let neurons = found.coefficients.iter().filter(|a| **a != 0.0).count();
        (found.certificate, neurons, found.stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::TrainingSet;
    use crate::table::{CodingOptions, ReadOptions, Table};

    /// Sixty rows of these columns. The target follows from the first two of four.
    fn set(columns: &[usize]) -> TrainingSet {
        let value = |i: usize, j: usize| (i * i * 37 + 11 * i * (j + 1) + 5 * j * j) % 23;
        let names: Vec<String> = columns.iter().map(|j| format!("x{j}")).collect();
        let mut text = names.join(",") + ",y\n";
        for i in 0..60 {
            columns.iter().for_each(|&j| text += &format!("{},", value(i, j)));
            text += if 2 * value(i, 0) + value(i, 1) > 32 { "1\n" } else { "0\n" };
        }
        let table = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
        TrainingSet::of_table(&table, &CodingOptions::default()).unwrap()
    }

    #[test]
    fn every_network_without_an_input_is_at_least_as_bad_as_stated() {
        for max_inputs in ["max_inputs=1", "max_inputs=2", "max_inputs=3", "conditions=2", ""] {
            let all = set(&[0, 1, 2, 3]);
            let request =
                Request::of(&format!("beta=1 loss=logistic gap=1e-4 {max_inputs}")).unwrap();
            let watch = Watch::default();
            let model = request.check(&all).unwrap().train(&all, &watch).unwrap().model;
            let lost = request.importance(&model, all.data(), &watch).unwrap();
            assert_eq!(lost.inputs.len(), 4);
            for (j, input) in lost.inputs.iter().enumerate() {
                assert!(input.relative_gap() <= 1e-4, "{input:?}");
                assert!(input.lower_bound >= lost.lower_bound);
                // The definition: training on the table without the column.
                let kept: Vec<usize> = (0..4).filter(|&k| k != j).collect();
                let fewer = set(&kept);
                let alone = request.check(&fewer).unwrap().train(&fewer, &watch).unwrap().model;
                let certificate = alone.certificate();
                assert!(input.lower_bound <= certificate.objective());
                assert!(certificate.lower_bound() <= input.objective);
            }
            // The target follows from the first two.
            let first = lost.ranked()[0];
            assert!(["x0", "x1"].contains(&&first.name[..]) && lost.at_least(first) > 0.01);
        }
    }

    #[test]
    fn other_data_are_refused() {
        let (all, other) = (set(&[0, 1, 2, 3]), set(&[0, 1, 2]));
        let request = Request::of("beta=1 max_inputs=1").unwrap();
        let watch = Watch::default();
        let model = request.check(&all).unwrap().train(&all, &watch).unwrap().model;
        let error = request.importance(&model, other.data(), &watch).unwrap_err();
        assert!(error.to_string().contains("not the training data"), "{error}");
    }
}
