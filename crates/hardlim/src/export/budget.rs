//! The smallest circuit that predicts about as well as the best network.
//!
//! Networks of more and more neurons are trained on inputs of few bits, first of neurons that read
//! one input, then two, then of those that predict best, until the circuit is larger than the
//! budget. Neurons of one or two inputs are trained with output weights of few bits if there are
//! two classes; those of other networks are rounded to fewer and fewer bits. Every circuit is
//! synthesised for an iCE40, so its size is counted and not estimated; if there is a class, the
//! sums are not read. Scores are those of cross-validation, less what rounding output weights costs
//! on the training rows. The smallest circuit within the budget wins whose score is within one
//! standard error of the best score of all, that of a network without limits included.

use std::time::Instant;

use serde_json::{Value, json};

use super::{Answer, Circuit, Order, Tools, verilog};
use crate::data::{Dataset, Split, TrainingSet};
use crate::error::Error;
use crate::exact::dyadic::Range;
use crate::model::Model;
use crate::spelling::mark;
use crate::table::{CodingOptions, TargetCoding, Task};
use crate::train::{Request, Trained, Watch};

/// What the neurons of a network read: its name, the options that ask for it, and the bits of
/// inputs that are tried.
#[derive(Debug, PartialEq)]
struct Reads {
    name: &'static str,
    options: &'static str,
    bits: &'static [u32],
}

/// With four bits, a neuron of one input is one LUT.
const ONE: Reads = Reads { name: "one", options: " inputs=1", bits: &[3, 4, 6] };
/// With two bits, a neuron of two inputs is one LUT; its weights become tables.
const TWO: Reads = Reads { name: "two", options: " max_inputs=2 weight_bits=4", bits: &[2] };
const ANY: Reads = Reads { name: "any", options: "", bits: ONE.bits };
/// The bits of output weights that are trained.
const TRAINED_BITS: [Option<u32>; 3] = [Some(2), Some(3), Some(4)];
/// The bits that output weights are rounded to: as many as keep every class on the training rows,
/// then fewer.
const OUTPUT_BITS: [Option<u32>; 4] = [None, Some(4), Some(3), Some(2)];
/// The numbers of neurons that are tried, for each class.
const NEURONS: [usize; 6] = [3, 6, 12, 24, 48, 96];

/// A size that was tried, and what it gives.
#[derive(Debug, Clone, PartialEq)]
struct Tried {
    /// The bits of inputs and weights; none for the network without limits.
    bits: Option<u32>,
    reads: &'static Reads,
    neurons: usize,
    /// The bits of output weights; zero for the network without limits.
    output_bits: u32,
    /// The accuracy or `R²` of cross-validation, and its standard error.
    score: (f64, f64),
    /// LUTs and depth of the circuit, if it was synthesised.
    circuit: Option<(usize, usize)>,
    /// Whether neurons were changed after the score, to have few bits.
    changed: bool,
}

/// What was tried, and the best of it.
#[derive(Debug, Clone)]
pub(super) struct Smallest {
    /// The smallest good model.
    pub(super) model: Model,
    budget: usize,
    tried: Vec<Tried>,
    /// Its place among them.
    place: usize,
    seconds: f64,
}

/// Searches for the smallest good circuit for the task of a model, on its training set with numbers
/// as they are read.
///
/// # Errors
/// When Yosys is missing, training fails, or no circuit is small enough.
pub(super) fn search(
    order: &Order<'_>,
    model: &Model,
    set: &TrainingSet,
    budget: usize,
    tools: &dyn Tools,
) -> Result<Smallest, Error> {
    let (start, plain) = (Instant::now(), request(model));
    (order.tell)("training without limits, for the best score");
    let best = train(&plain, set)?;
    let classes = model.parts().len();
    let (mut models, mut tried) = (vec![None], vec![tried(&best, None, &ANY)]);
    let two_classes = classes == 1 && model.coding().target().classes().is_some();
    for reads in [&ONE, &TWO, &ANY] {
        // Any network takes seconds to train: once is enough.
        let trains = two_classes && *reads != ANY && !order.exact_outputs;
        let trained_bits: &[_] = if trains { &TRAINED_BITS } else { &[None] };
        for (bits, set) in rounded_sets(set, reads.bits)? {
            let mut last = 0;
            for neurons in NEURONS.map(|neurons| neurons * classes) {
                let (mut largest, mut fits) = (last, false);
                for &output_bits in trained_bits {
                    let outputs =
                        output_bits.map_or(String::new(), |b| format!(", output weights of {b}"));
                    let Reads { name: inputs, options, .. } = reads;
                    let words =
                        format!("{neurons} neurons ({inputs} inputs of {bits} bits{outputs})");
                    (order.tell)(&format!("training {words}"));
                    let own_bits =
                        output_bits.map_or(String::new(), |bits| format!(" output_bits={bits}"));
                    let request = plain.with(&format!("neurons={neurons}{own_bits}{options}"))?;
                    let trained = match train(&request, &set) {
                        Err(Error::TooManyGroups { .. }) => break,
                        trained => trained?,
                    };
                    let own = self::tried(&trained, Some(bits), reads);
                    if own.neurons <= last {
                        continue; // a network that did not grow will not
                    }
                    largest = largest.max(own.neurons);
                    (order.tell)(&format!("synthesising {words}"));
                    let data = set.read_by(trained.model.coding())?;
                    let limits: &[_] = if trains { &OUTPUT_BITS[..1] } else { &OUTPUT_BITS };
                    let all = rounded(order, tools, &trained.model, data.data(), &own, limits)?;
                    for (own, model) in all {
                        fits |= own.luts().is_some_and(|luts| luts <= budget);
                        tried.push(own);
                        models.push(Some(model));
                    }
                }
                if largest == last || !fits {
                    break; // a larger network only has a larger circuit
                }
                last = largest;
            }
        }
    }
    let Some(place) = choose(&tried, budget) else {
        let least = tried.iter().filter_map(Tried::luts).min();
        let least = least.map_or("none was synthesised in time".into(), |luts| {
            format!("the smallest one that was tried has {luts}")
        });
        let option = mark("budget", Some(&budget.to_string()));
        let problem = format!("{option}: no circuit has so few LUTs; {least}");
        return Err(Error::Option { option: "budget", problem });
    };
    let model = models.swap_remove(place).expect("a circuit that was counted");
    let seconds = start.elapsed().as_secs_f64();
    Ok(Smallest { model, budget, tried, place, seconds })
}

/// The sets with numbers of at most these bits. Columns of few values have as many bits whatever
/// the limit is: then one set is enough.
fn rounded_sets(set: &TrainingSet, all_bits: &[u32]) -> Result<Vec<(u32, TrainingSet)>, Error> {
    let mut sets: Vec<(u32, TrainingSet)> = Vec::new();
    let steps = |set: &TrainingSet| -> Vec<_> {
        set.coding().columns().iter().map(|column| column.steps).collect()
    };
    for &bits in all_bits {
        let rounded = set.with_bits(bits)?;
        if sets.last().is_none_or(|(_, last)| steps(last) != steps(&rounded)) {
            sets.push((bits, rounded));
        }
    }
    Ok(sets)
}

fn train(request: &Request, set: &TrainingSet) -> Result<Trained, Error> {
    request.check(set)?.train(set, &Watch::default())
}

/// The circuits of a model with output weights of fewer and fewer bits.
fn rounded(
    order: &Order<'_>,
    tools: &dyn Tools,
    model: &Model,
    data: &Dataset,
    own: &Tried,
    limits: &[Option<u32>],
) -> Result<Vec<(Tried, Model)>, Error> {
    let mut found: Vec<(Tried, Model)> = Vec::new();
    for &limit in limits {
        let few = match limit {
            Some(_) if order.exact_outputs => break,
            None if order.exact_outputs => None,
            limit => model.with_few_bits(data, limit)?,
        };
        if limit.is_some() && few.is_none() {
            continue; // they have no more bits as it is
        }
        let (model, cost) = few.map_or((model.clone(), 0.0), |(m, few)| (m, few.accuracy.min(0.0)));
        if found.iter().any(|(_, other)| other.networks().eq(model.networks())) {
            continue;
        }
        let circuit = measured(order, tools, &model)?;
        let score = (own.score.0 + cost, own.score.1);
        let output_bits = few_bits_of(&model);
        found.push((Tried { circuit, score, output_bits, ..own.clone() }, model));
    }
    Ok(found)
}

/// The request for the best predictions in the task of a model.
pub(super) fn request(model: &Model) -> Request {
    let coding = model.coding();
    let options = model.history().map_or(&[][..], |history| &history.options[..]);
    let list = |name: &str| -> Vec<String> {
        let found = options.iter().find(|option| option.0 == name);
        found.map_or(Vec::new(), |(_, names)| names.split(',').map(str::to_owned).collect())
    };
    let columns = CodingOptions {
        target: Some(coding.target().column().name.clone()),
        task: match coding.target() {
            TargetCoding::Number { .. } => Task::Regress,
            _ => Task::Classify,
        },
        positive: coding.target().answers().map(|[_, positive]| positive),
        missing: coding.missing(),
        ignore: coding.ignored().iter().map(|column| column.name.clone()).collect(),
        keep: list("keep"),
        keep_all: false,
        categorical: list("categorical"),
        weight_column: coding.weight().map(|column| column.name.clone()),
        bits: None,
        balanced: coding.balanced(),
    };
    let split = model.split();
    let held_out = |split: Split| format!("holdout={} seed={}", split.fraction, split.seed);
    let request = Request::of(&split.map_or(String::new(), held_out)).expect("a part of the rows");
    request.with_columns(columns)
}

fn tried(trained: &Trained, bits: Option<u32>, reads: &'static Reads) -> Tried {
    let chosen = trained.choice.as_ref();
    let score = chosen.map_or((0.0, f64::INFINITY), |chosen| (chosen.score, chosen.error));
    let (neurons, changed) = (trained.model.neurons(), trained.narrowed.is_some());
    Tried { bits, reads, neurons, output_bits: 0, score, circuit: None, changed }
}

/// The bits of the widest output weight of a model, including the sign.
fn few_bits_of(model: &Model) -> u32 {
    let weights = model.networks().flat_map(|n| n.amplitudes().iter().copied());
    Range::of(weights).bits() as u32 + 1
}

/// LUTs and depth of the circuit of a model; `None` if synthesis did not end in time.
fn measured(
    order: &Order<'_>,
    tools: &dyn Tools,
    model: &Model,
) -> Result<Option<(usize, usize)>, Error> {
    let circuit = Circuit::of(model)?;
    let draft = (order.draft)(&order.folder.with_extension("sizes"))?;
    for (path, bytes) in verilog::write(&circuit, &order.style(model)) {
        draft.add(&path, &bytes)?;
    }
    // Where there is a class, nobody needs to read the sums.
    let unread = match circuit.answer {
        Answer::Number => Vec::new(),
        Answer::Sign(_) | Answer::Largest(_) => verilog::sum_names(&circuit),
    };
    tools.size(draft.temporary_path(), order.name, &unread)
}

/// The place of the smallest circuit within the budget that is about as good as the best network,
/// the best of equally small ones, or else of the best one within the budget.
fn choose(tried: &[Tried], budget: usize) -> Option<usize> {
    let luts = |t: &Tried| t.luts().filter(|luts| *luts <= budget);
    let within: Vec<usize> = (0..tried.len()).filter(|&k| luts(&tried[k]).is_some()).collect();
    let good = within.iter().filter(|&&k| tried[k].score.0 >= enough(tried));
    let smallest = good.min_by(|&&a, &&b| {
        let by_score = || tried[b].score.0.total_cmp(&tried[a].score.0);
        luts(&tried[a]).cmp(&luts(&tried[b])).then_with(by_score)
    });
    let best = || within.iter().max_by(|&&a, &&b| tried[a].score.0.total_cmp(&tried[b].score.0));
    smallest.or_else(best).copied()
}

/// The least score that counts as good: the best one less its standard error.
fn enough(tried: &[Tried]) -> f64 {
    let best = tried.iter().max_by(|a, b| a.score.0.total_cmp(&b.score.0));
    best.map_or(f64::NEG_INFINITY, |best| best.score.0 - best.score.1)
}

impl Tried {
    fn luts(&self) -> Option<usize> {
        self.circuit.map(|(luts, _)| luts)
    }
}

impl Smallest {
    /// The table of what was tried.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "Sizes that were tried, with LUTs and depth on an iCE40, sums not read if there is a \
             class; the budget is {} LUTs. Scores are of cross-validation, less what rounding \
             output weights costs on the training rows.\n\n  \
             neurons  inputs  bits  output   score    LUTs  depth\n",
            self.budget
        );
        for (k, t) in self.tried.iter().enumerate() {
            let inputs = t.reads.name;
            let bits = t.bits.map_or("-".into(), |bits| bits.to_string());
            let output = if t.bits.is_some() { t.output_bits.to_string() } else { "-".into() };
            let [luts, depth] = match t.circuit {
                Some((luts, depth)) => [luts.to_string(), depth.to_string()],
                None => ["-".into(), "-".into()],
            };
            let mark = match (k == self.place, t.changed) {
                (true, false) => "  chosen",
                (true, true) => "  chosen, score from before its neurons got few bits",
                (false, true) => "  score from before its neurons got few bits",
                (false, false) if t.bits.is_none() => "  without limits",
                (false, false) => "",
            };
            text += &format!(
                "  {:>7}  {inputs:<6}  {bits:>4}  {output:>6}  {:.4}  {luts:>6}  \
                 {depth:>5}{mark}\n",
                t.neurons, t.score.0
            );
        }
        let (own, enough) = (self.tried[self.place].score.0, enough(&self.tried));
        text + &if own >= enough {
            format!(
                "\nThe smallest one whose score is within one standard error of the best, \
                 {enough:.4} or more.\n\n"
            )
        } else {
            format!(
                "\nThe best one within the budget: its score {own:.4} is more than one standard \
                 error below the best.\n\n"
            )
        }
    }

    /// The same for scripts.
    pub(super) fn json(&self) -> Value {
        let one = |(k, t): (usize, &Tried)| {
            json!({
                "neurons": t.neurons, "inputs": t.reads.name, "one_input": *t.reads == ONE,
                "bits": t.bits, "output_bits": t.bits.map(|_| t.output_bits),
                "score": t.score.0,
                "error": t.score.1, "luts": t.circuit.map(|c| c.0), "depth": t.circuit.map(|c| c.1),
                "changed": t.changed, "chosen": k == self.place,
            })
        };
        let tried: Vec<Value> = self.tried.iter().enumerate().map(one).collect();
        let enough = enough(&self.tried);
        json!({
            "luts": self.budget, "tried": tried, "enough": enough, "seconds": self.seconds,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(score: f64, luts: Option<usize>) -> Tried {
        let circuit = luts.map(|luts| (luts, 9));
        Tried {
            bits: Some(4),
            reads: &ONE,
            neurons: 5,
            output_bits: 3,
            score: (score, 0.02),
            circuit,
            changed: false,
        }
    }

    #[test]
    fn the_smallest_good_circuit_within_the_budget_is_chosen() {
        let all = [
            tried(0.80, None),
            tried(0.70, Some(20)),
            tried(0.785, Some(90)),
            tried(0.79, Some(60)),
            tried(0.80, Some(60)),
            tried(0.81, Some(500)),
        ];
        assert_eq!(choose(&all, 1000), Some(4));
        assert_eq!(choose(&all, 100), Some(4));
        assert_eq!(choose(&all, 50), Some(1));
        assert_eq!(choose(&all, 10), None);
    }
}
