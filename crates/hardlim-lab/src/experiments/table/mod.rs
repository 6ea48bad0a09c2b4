//! Test accuracies on thirteen data sets: Convex-Lasso and the heuristics as in the paper, and what
//! hardlim gives without flags.
//!
//! Every choice (the strength, the learning rate, what the default chooses) is made on the training
//! part alone.

mod claims;
mod difference;
mod heuristic;
mod method;
mod outcome;

use hardlim::Error;
use hardlim::train::{self, Fold};
use serde_json::Value;

use crate::baseline::Surrogate;
use crate::experiments::experiment::{Context, Experiment, Records, Scale, Trial};
use crate::experiments::report::Report;
use crate::experiments::samples::Samples;
use crate::experiments::sets::{SETS, Set};
use method::Effort;
use outcome::TableOutcome;

pub(crate) const TABLE: Experiment =
    Experiment { id: "table", title: "Test accuracy on thirteen data sets", trials, report };

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

    const HEURISTICS: [Self; 4] = [
        Self::Heuristic(Surrogate::ALL[0]),
        Self::Heuristic(Surrogate::ALL[1]),
        Self::Heuristic(Surrogate::ALL[2]),
        Self::Heuristic(Surrogate::ALL[3]),
    ];

    /// All of them, in the order of the columns of the table.
    fn all() -> Vec<Self> {
        let ours = [Self::Default, Self::Seen];
        [&Reading::ALL.map(Self::Lasso), &ours[..], &Self::HEURISTICS].concat()
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

/// The available sets; sets with files are not used at the tiny scale.
fn sets(context: &Context<'_>) -> Vec<Set> {
    let folder = context.data.as_deref();
    let small = context.scale == Scale::Tiny;
    (SETS.into_iter()).filter(|set| set.available(folder) && (set.builtin() || !small)).collect()
}

/// One split of a set: what is trained on, and what is tested on.
struct Split<'a> {
    context: &'a Context<'a>,
    set: &'static str,
    number: u64,
    effort: Effort,
    train: Samples,
    test: Samples,
}

impl<'a> Split<'a> {
    fn new(
        context: &'a Context<'a>,
        set: &Set,
        number: u64,
        method: Method,
    ) -> Result<Self, Error> {
        let samples = set.read(context.data.as_deref())?;
        // The earlier splits were numbered, and the number was their seed.
        let seed = match method {
            Method::Seen => number,
            _ => stream(context, set.name, number, "split"),
        };
        let (train, test) = parts(&samples, seed);
        Ok(Self { context, set: set.name, number, effort: Effort::new(context, set), train, test })
    }

    fn stream(&self, name: &str) -> u64 {
        stream(self.context, self.set, self.number, name)
    }

    fn compute(&self, method: Method) -> Result<Value, Error> {
        match method {
            Method::Lasso(reading) => self.lasso(reading),
            Method::Default | Method::Seen => self.default(),
            Method::Heuristic(surrogate) => self.descend(surrogate),
        }
    }

    /// The rows that choices are made on: all rows, or a part of each class if there are more than
    /// `most`.
    fn few(&self, most: usize) -> Samples {
        match self.train.y.len().div_ceil(most.max(1)) {
            0 | 1 => self.train.clone(),
            parts => {
                let fold = stratified(&self.train.y, parts, self.stream("rows")).swap_remove(0);
                self.train.select(&fold.test)
            }
        }
    }

    /// The folds of the rows that the strength is chosen on: to train on, and to test on.
    fn folds(&self) -> Vec<(Samples, Samples)> {
        let few = self.few(self.effort.rows);
        let folds = stratified(&few.y, self.effort.folds, self.stream("folds")).into_iter();
        folds.map(|fold| (few.select(&fold.train), few.select(&fold.test))).collect()
    }
}

fn stream(context: &Context<'_>, set: &str, number: u64, name: &str) -> u64 {
    context.stream(&format!("table/{set}/{number}/{name}"))
}

/// The training part and the test part: the set's own, or a random fifth of each class.
fn parts(samples: &Samples, seed: u64) -> (Samples, Samples) {
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

fn trials(context: &Context<'_>) -> Vec<Trial> {
    let mut trials = Vec::new();
    for set in sets(context) {
        let effort = Effort::new(context, &set);
        for method in Method::all() {
            for number in 0..effort.splits(method) {
                let cost = (set.n * (set.d + 20)) as f64 / 1e5;
                let key = effort.key(&set, number, method);
                trials.push(Trial::new(key, cost, move |context| {
                    Split::new(context, &set, number, method)?.compute(method)
                }));
            }
        }
    }
    trials
}

fn report(context: &Context<'_>, records: &Records) -> Report {
    TableOutcome::new(context, records).report()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardlim::table::builtin::TableSize;

    #[test]
    fn two_seeds_share_no_split_and_no_stream() {
        let samples = Samples::builtin("titanic", TableSize::default()).unwrap();
        let mut seeds = std::collections::HashSet::new();
        let mut tests: Vec<Vec<usize>> = Vec::new();
        for seed in [0, 1] {
            for number in 0..5 {
                let context = crate::experiments::tiny(seed);
                let of = |name: &str| stream(&context, "titanic", number, name);
                for name in ["split", "rows", "folds", "patterns", "starts"] {
                    assert!(seeds.insert(of(name)), "seed {seed}, split {number}, {name}");
                }
                let mut test = stratified(&samples.y, 5, of("split")).swap_remove(0).test;
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
