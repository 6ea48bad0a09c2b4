//! Test accuracies on thirteen data sets: Convex-Lasso and the heuristics as in the paper, and what
//! hardlim gives without flags.
//!
//! Every choice (the strength, the learning rate, what the default chooses) is made on the training
//! part alone.

mod claims;
mod difference;
mod figures;
mod heuristic;
mod method;
mod outcome;

use std::sync::Arc;

use crate::baseline::Surrogate;
use hardlim::Error;
use hardlim::train::{self, Fold};
use serde_json::Value;

use crate::experiments::chance::Chance;
use crate::experiments::experiment::{Context, Experiment, Records, Trial};
use crate::experiments::report::Report;
use crate::experiments::samples::Samples;
use crate::experiments::sets::{SETS, Set};
use method::Effort;
use outcome::Outcome;

/// The experiment.
pub(crate) struct Accuracy;

/// A method that is trained on a set.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Method {
    /// The Lasso over sampled patterns, Convex-Lasso: one reading of what is printed.
    Lasso(Reading),
    /// What a user gets without flags.
    Default,
    /// The same, on splits that were in view when the defaults were settled.
    Seen,
    Heuristic(Surrogate),
}

/// A reading of Convex-Lasso. The paper does not say all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reading {
    /// Whether the strength is `β n`, as in the authors' notebook, in place of `β`.
    mean: bool,
    /// Whether neurons have a bias, as in the notebook. The formulas of the text have none.
    bias: bool,
}

impl Reading {
    /// All of them.
    const ALL: [Self; 4] = [
        Self { mean: false, bias: true },
        Self { mean: true, bias: true },
        Self { mean: false, bias: false },
        Self { mean: true, bias: false },
    ];

    fn name(self) -> &'static str {
        match (self.bias, self.mean) {
            (true, false) => "lasso",
            (true, true) => "lasso-n",
            (false, false) => "origin",
            (false, true) => "origin-n",
        }
    }
}

impl Method {
    /// The reading that the others are compared with.
    const LASSO: Self = Self::Lasso(Reading::ALL[0]);

    /// All of them.
    fn all() -> Vec<Self> {
        let ours = Reading::ALL.map(Self::Lasso).into_iter().chain([Self::Default, Self::Seen]);
        ours.chain(Surrogate::ALL.map(Self::Heuristic)).collect()
    }

    fn name(self) -> String {
        match self {
            Self::Lasso(reading) => reading.name().into(),
            Self::Default => "hardlim".into(),
            Self::Seen => "hardlim-seen".into(),
            Self::Heuristic(surrogate) => surrogate.to_string(),
        }
    }
}

/// The seeds of one split, each for one use of chance.
#[derive(Debug, Clone, Copy)]
struct Streams {
    /// Which rows are for testing.
    split: u64,
    /// The rows that choices are made on.
    rows: u64,
    /// The folds of these rows.
    folds: u64,
    /// The sampled patterns.
    patterns: u64,
    /// The starts of the heuristics.
    starts: u64,
}

impl Streams {
    fn new(chance: Chance, set: &Set, number: u64) -> Self {
        let of = |name: &str| chance.stream(&format!("table/{}/{number}/{name}", set.name));
        Self {
            split: of("split"),
            rows: of("rows"),
            folds: of("folds"),
            patterns: of("patterns"),
            starts: of("starts"),
        }
    }
}

/// The available sets; sets with files are not used at the tiny scale.
fn sets(context: &Context<'_>) -> Vec<Set> {
    let folder = context.data.as_deref();
    let small = context.scale == crate::experiments::Scale::Tiny;
    (SETS.into_iter()).filter(|set| set.available(folder) && (set.builtin() || !small)).collect()
}

/// The training part and the test part: the set's own, or a random fifth of each class.
fn split(samples: &Samples, seed: u64) -> (Samples, Samples) {
    let n = samples.y.len();
    if let Some(test) = samples.test {
        let rows: Vec<usize> = (0..n).collect();
        return (samples.select(&rows[..n - test]), samples.select(&rows[n - test..]));
    }
    let fold = stratified(&samples.y, 5, seed).swap_remove(0);
    (samples.select(&fold.train), samples.select(&fold.test))
}

/// Folds with the classes spread evenly.
fn stratified(y: &[f64], folds: usize, seed: u64) -> Vec<Fold> {
    train::split(y, folds, true, seed)
}

impl Experiment for Accuracy {
    fn id(&self) -> &'static str {
        "table"
    }

    fn title(&self) -> &'static str {
        "Test accuracy on thirteen data sets"
    }

    fn trials(&self, context: &Context<'_>) -> Vec<Trial> {
        let mut trials = Vec::new();
        for set in sets(context) {
            let effort = Effort::new(context, &set);
            for method in Method::all() {
                for number in 0..effort.splits(method) {
                    let cost = (set.n * (set.d + 20)) as f64 / 1e5;
                    let key = effort.key(&set, number, method);
                    trials.push(Trial::new(key, cost, move |context| {
                        compute(context, &set, number, method)
                    }));
                }
            }
        }
        trials
    }

    fn report(&self, context: &Context<'_>, records: &Records) -> Report {
        Outcome::new(context, records).report()
    }
}

fn compute(context: &Context<'_>, set: &Set, number: u64, method: Method) -> Result<Value, Error> {
    let samples: Arc<Samples> = set.read(context)?;
    let effort = Effort::new(context, set);
    let streams = Streams::new(context.chance, set, number);
    // The earlier splits were numbered, and the number was their seed.
    let seed = if method == Method::Seen { number } else { streams.split };
    let (train, test) = split(&samples, seed);
    match method {
        Method::Lasso(reading) => effort.lasso(context, reading, &train, &test, &streams),
        Method::Default | Method::Seen => effort.default(context, &train, &test, &streams),
        Method::Heuristic(surrogate) => effort.descend(context, surrogate, &train, &test, &streams),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardlim::table::builtin::TableSize;

    #[test]
    fn two_seeds_share_no_split_and_no_stream() {
        let set = SETS.into_iter().find(|set| set.name == "titanic").unwrap();
        let samples = Samples::builtin(set.name, TableSize::default()).unwrap();
        let mut seeds = std::collections::HashSet::new();
        let mut tests: Vec<Vec<usize>> = Vec::new();
        for seed in [0, 1] {
            for number in 0..5 {
                let streams = Streams::new(Chance::new(seed), &set, number);
                let Streams { split, rows, folds, patterns, starts } = streams;
                for stream in [split, rows, folds, patterns, starts] {
                    assert!(seeds.insert(stream), "seed {seed}, split {number}");
                }
                let mut test = stratified(&samples.y, 5, split).swap_remove(0).test;
                test.sort_unstable();
                // A fifth of a fifth is shared by chance; equal parts would share all rows.
                for other in &tests {
                    let shared = test.iter().filter(|row| other.contains(row)).count();
                    assert!(5 * shared < 2 * test.len(), "{shared} of {}", test.len());
                }
                tests.push(test);
            }
        }
    }
}
