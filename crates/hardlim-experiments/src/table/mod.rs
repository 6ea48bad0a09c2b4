//! Test accuracies on thirteen data sets: Convex-Lasso and the heuristics as in the paper, and what hardlim
//! gives without flags.
//!
//! Every choice (the strength, the learning rate, what the default chooses) is made on the training part alone.

mod claims;
mod figures;
mod heuristic;
mod method;
mod outcome;

use std::sync::Arc;

use hardlim::Error;
use hardlim::train::{self, Fold};
use hardlim_baseline::Surrogate;
use serde_json::Value;

use crate::chance::Chance;
use crate::experiment::{Context, Experiment, Records, Trial};
use crate::report::Report;
use crate::samples::Samples;
use crate::sets::{SETS, Set};
use method::Effort;
use outcome::Outcome;

/// The experiment.
pub(crate) struct Accuracy;

/// A method that is trained on a set.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Method {
    /// The Lasso over sampled patterns: Convex-Lasso as printed, with the paper's strengths.
    Lasso,
    /// The same with `β n` in place of `β`, as in the authors' notebook.
    LassoMean,
    /// What a user gets without flags.
    Default,
    /// The same, on splits that were in view when the defaults were settled.
    Seen,
    Heuristic(Surrogate),
}

impl Method {
    /// All of them. The test part of images is the same on every split, so that none of them is new.
    fn all(set: &Set) -> Vec<Self> {
        let ours = [Self::Lasso, Self::LassoMean, Self::Default, Self::Seen];
        let kept = ours.into_iter().filter(|method| *method != Self::Seen || !set.images());
        kept.chain(Surrogate::ALL.map(Self::Heuristic)).collect()
    }

    fn name(self) -> String {
        match self {
            Self::Lasso => "lasso".into(),
            Self::LassoMean => "lasso-n".into(),
            Self::Default => "hardlim".into(),
            Self::Seen => "hardlim-seen".into(),
            Self::Heuristic(surrogate) => surrogate.to_string(),
        }
    }

    /// Whether it is Convex-Lasso, which is cheap and gets more splits.
    fn lasso(self) -> bool {
        matches!(self, Self::Lasso | Self::LassoMean)
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
    let small = context.scale == crate::Scale::Tiny;
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
            let effort = Effort::new(context.scale, &set);
            for method in Method::all(&set) {
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
    let effort = Effort::new(context.scale, set);
    let streams = Streams::new(context.chance, set, number);
    // The earlier splits were numbered, and the number was their seed.
    let seed = if method == Method::Seen { number } else { streams.split };
    let (train, test) = split(&samples, seed);
    match method {
        Method::Lasso | Method::LassoMean => effort.lasso(context, method, &train, &test, &streams),
        Method::Default | Method::Seen => effort.default(context, &train, &test, &streams),
        Method::Heuristic(surrogate) => effort.descend(context, surrogate, &train, &test, &streams),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardlim::data::builtin::TableSize;

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
