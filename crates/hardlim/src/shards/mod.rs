//! Rows in shards: more rows than memory holds, on one machine or on many.
//!
//! Training asks the rows a few questions ([`Task`]), and each shard answers for its own rows. Whatever is
//! summed over rows is summed without rounding: `Dᵀz` on a grid that is the same for all shards, and losses as
//! exact sums. Rows to look at closely are chosen by a hash of their number. So the
//! model does not depend on how many shards there are or where they lie, to the last bit.
//!
//! Nothing of the size of the data ever moves: a pass sends the coefficients to the shards, and gets back one
//! number for each pattern.

mod bytes;
mod folds;
mod measure;
mod price;
mod read;
mod rows;
mod sample;
mod shard;
mod spill;
mod steps;

pub use bytes::{neurons_from_bytes, neurons_to_bytes};
pub use folds::{FoldSums, FoldVisit};
pub(crate) use measure::Measured;
pub(crate) use price::OneInput;
pub use read::{Parts, Taken};
pub(crate) use rows::Aside;
pub use rows::Sampling;
pub use sample::Sample;
pub use shard::{Facts, Score, Shard, Sums, Visit};
pub use steps::{Bin, Range, Steps};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::shard::merge_all;
use self::spill::{Spill, Spilled, Want};
use self::steps::{merge_steps, merge_values};
use crate::arrangement::Hyperplane;
use crate::error::Error;
use crate::exact::total::Total;

/// What rows can be asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Task {
    /// What the rows are; of so many classes, or none if the targets are numbers.
    Facts(usize),
    /// A pass with a network.
    Visit(Visit),
    /// The sums of the complete program for numbers, clipped at these levels.
    Clip([f64; 2]),
    /// How well networks predict.
    Score {
        /// One network, or one for each class: coefficients with their patterns.
        networks: Vec<Vec<(usize, f64)>>,
        /// Whether only the rows held out count.
        held_out: bool,
        /// Whether the targets are numbers.
        numbers: bool,
    },
    /// A pass that gives the gradient of each fold's rows.
    Folds(FoldVisit),
    /// How well networks predict the rows of the fold that they were not trained on.
    FoldScore {
        /// For each fold one network, or one for each class.
        folds: Vec<Vec<Vec<(usize, f64)>>>,
        /// Whether the targets are numbers.
        numbers: bool,
    },
    /// The different values of each column, in some of the rows.
    Values(Sampling),
    /// The dual point of a network, added up between these edges of each column.
    Bins(Visit, Vec<Vec<f64>>),
    /// The same for every value in these ranges.
    Steps(Visit, Vec<Range>),
}

/// What rows answer to a [`Task`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// To [`Task::Facts`].
    Facts(Facts),
    /// To [`Task::Visit`].
    Sums(Sums),
    /// To [`Task::Clip`].
    Clip([Total; 5]),
    /// To [`Task::Score`] and [`Task::FoldScore`].
    Score(Score),
    /// To [`Task::Folds`]: one for each fold.
    Folds(Vec<FoldSums>),
    /// To [`Task::Values`]: in ascending order for each column.
    Values(Vec<Vec<f64>>),
    /// To [`Task::Bins`], for each column.
    Bins(Vec<Vec<Bin>>),
    /// To [`Task::Steps`], for each range.
    Steps(Vec<Steps>),
}

impl Answer {
    /// Adds what other rows answer to the same task.
    ///
    /// # Panics
    /// When it is the answer to another task.
    pub fn merge(&mut self, other: &Self) {
        match (self, other) {
            (Self::Facts(a), Self::Facts(b)) => a.merge(b),
            (Self::Sums(a), Self::Sums(b)) => a.merge(b),
            (Self::Clip(a), Self::Clip(b)) => merge_all(a, b),
            (Self::Score(a), Self::Score(b)) => a.merge(b),
            (Self::Folds(a), Self::Folds(b)) => each(a, b, FoldSums::merge),
            (Self::Values(a), Self::Values(b)) => each(a, b, |a, b| merge_values(a, b)),
            (Self::Bins(a), Self::Bins(b)) => each(a, b, |a, b| each(a, b, Bin::merge)),
            (Self::Steps(a), Self::Steps(b)) => each(a, b, merge_steps),
            _ => panic!("answers to different tasks"),
        }
    }
}

/// Adds others one by one.
fn each<T>(all: &mut [T], others: &[T], mut add: impl FnMut(&mut T, &T)) {
    all.iter_mut().zip(others).for_each(|(a, b)| add(a, b));
}

impl Shard {
    /// Answers a task for its own rows.
    pub fn ask(&self, task: &Task) -> Answer {
        match task {
            Task::Facts(classes) => Answer::Facts(self.facts(*classes)),
            Task::Visit(visit) => Answer::Sums(self.visit(visit)),
            Task::Clip(levels) => Answer::Clip(self.clip(*levels)),
            Task::Score { networks, held_out, numbers } => {
                Answer::Score(self.score(networks, *held_out, *numbers))
            }
            Task::Folds(visit) => Answer::Folds(self.visit_folds(visit)),
            Task::FoldScore { folds, numbers } => Answer::Score(self.score_folds(folds, *numbers)),
            Task::Values(sampling) => Answer::Values(self.values(*sampling)),
            Task::Bins(visit, edges) => Answer::Bins(self.bins(visit, edges)),
            Task::Steps(visit, ranges) => Answer::Steps(self.steps(visit, ranges)),
        }
    }
}

/// Rows in shards, wherever these are.
pub trait Rows: Sync {
    /// Asks these neurons, instead of those before.
    ///
    /// # Errors
    /// When the rows cannot be reached.
    fn answer(&mut self, neurons: &[Hyperplane]) -> Result<(), Error>;

    /// What all rows together answer to a task.
    ///
    /// # Errors
    /// When the rows cannot be reached.
    fn ask(&self, task: &Task) -> Result<Answer, Error>;
}

impl dyn Rows + '_ {
    pub(crate) fn facts(&self, classes: usize) -> Result<Facts, Error> {
        match self.ask(&Task::Facts(classes))? {
            Answer::Facts(facts) => Ok(facts),
            _ => Err(other_answer()),
        }
    }

    pub(crate) fn visit(&self, visit: Visit) -> Result<Sums, Error> {
        match self.ask(&Task::Visit(visit))? {
            Answer::Sums(sums) => Ok(sums),
            _ => Err(other_answer()),
        }
    }

    pub(crate) fn clip(&self, levels: [f64; 2]) -> Result<[Total; 5], Error> {
        match self.ask(&Task::Clip(levels))? {
            Answer::Clip(sums) => Ok(sums),
            _ => Err(other_answer()),
        }
    }

    pub(crate) fn score(
        &self,
        networks: Vec<Vec<(usize, f64)>>,
        held_out: bool,
        numbers: bool,
    ) -> Result<Score, Error> {
        match self.ask(&Task::Score { networks, held_out, numbers })? {
            Answer::Score(score) => Ok(score),
            _ => Err(other_answer()),
        }
    }
}

impl dyn Rows + '_ {
    pub(crate) fn folds(&self, visit: FoldVisit) -> Result<Vec<FoldSums>, Error> {
        match self.ask(&Task::Folds(visit))? {
            Answer::Folds(sums) => Ok(sums),
            _ => Err(other_answer()),
        }
    }

    pub(crate) fn score_folds(
        &self,
        folds: Vec<Vec<Vec<(usize, f64)>>>,
        numbers: bool,
    ) -> Result<Score, Error> {
        match self.ask(&Task::FoldScore { folds, numbers })? {
            Answer::Score(score) => Ok(score),
            _ => Err(other_answer()),
        }
    }

    fn values(&self, sampling: Sampling) -> Result<Vec<Vec<f64>>, Error> {
        match self.ask(&Task::Values(sampling))? {
            Answer::Values(values) => Ok(values),
            _ => Err(other_answer()),
        }
    }

    fn bins(&self, visit: Visit, edges: Vec<Vec<f64>>) -> Result<Vec<Vec<Bin>>, Error> {
        match self.ask(&Task::Bins(visit, edges))? {
            Answer::Bins(bins) => Ok(bins),
            _ => Err(other_answer()),
        }
    }

    fn steps(&self, visit: Visit, ranges: Vec<Range>) -> Result<Vec<Steps>, Error> {
        match self.ask(&Task::Steps(visit, ranges))? {
            Answer::Steps(steps) => Ok(steps),
            _ => Err(other_answer()),
        }
    }
}

fn other_answer() -> Error {
    Error::Damaged { what: "answer of a shard", reason: "it is the answer to another task".into() }
}

/// The bytes of a row besides its features and answers: target, weight, and room to spare.
const ROW: u64 = 32;

/// The shards of one machine, in memory or in a temporary file.
#[derive(Debug)]
pub struct Shards {
    place: Place,
    rows: u64,
}

#[derive(Debug)]
enum Place {
    Memory(Vec<Shard>),
    File(Spill, Vec<Spilled>),
}

impl Shards {
    /// No rows yet; those that are added stay in memory.
    pub fn in_memory() -> Self {
        Self { place: Place::Memory(Vec::new()), rows: 0 }
    }

    /// No rows yet; those that are added go to a temporary file, which vanishes with the program.
    ///
    /// # Errors
    /// When there can be no such file.
    pub fn in_file() -> Result<Self, Error> {
        Ok(Self { place: Place::File(Spill::new()?, Vec::new()), rows: 0 })
    }

    /// No rows yet; so many are to be added, of so many features, and to answer so many patterns. They stay in
    /// memory if they take no more than half of it.
    ///
    /// # Errors
    /// When there can be no temporary file.
    pub fn within(memory: u64, rows: u64, dimension: usize, patterns: u64) -> Result<Self, Error> {
        let each = (8 * dimension as u64 + patterns / 8).saturating_add(ROW);
        match rows.saturating_mul(each) <= memory / 2 {
            true => Ok(Self::in_memory()),
            false => Self::in_file(),
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The number of shards.
    pub fn count(&self) -> usize {
        match &self.place {
            Place::Memory(shards) => shards.len(),
            Place::File(_, spilled) => spilled.len(),
        }
    }

    /// Adds the rows that follow.
    ///
    /// # Errors
    /// When the file cannot be written.
    ///
    /// # Panics
    /// When these are not the rows that follow.
    pub fn push(&mut self, shard: Shard) -> Result<(), Error> {
        assert_eq!(shard.first, self.rows, "the rows that follow");
        self.rows += shard.rows() as u64;
        match &mut self.place {
            Place::Memory(shards) => shards.push(shard),
            Place::File(spill, spilled) => spilled.push(spill.store(&shard)?),
        }
        Ok(())
    }

    /// The answers of all shards, added up. Sums are exact, so the order in which threads end does not matter.
    fn sum(&self, want: Want<'_>, task: &Task) -> Result<Answer, Error> {
        let add = |mut sum: Answer, other: Answer| {
            sum.merge(&other);
            Ok(sum)
        };
        let sum = match &self.place {
            Place::Memory(shards) => {
                shards.par_iter().map(|shard| Ok(shard.ask(task))).try_reduce_with(add)
            }
            Place::File(spill, spilled) => (spilled.par_iter())
                .map(|place| Ok(spill.load(place, want)?.ask(task)))
                .try_reduce_with(add),
        };
        sum.unwrap_or(Err(Error::NoSamples))
    }
}

impl Rows for Shards {
    fn answer(&mut self, neurons: &[Hyperplane]) -> Result<(), Error> {
        match &mut self.place {
            Place::Memory(shards) => shards.par_iter_mut().for_each(|shard| shard.answer(neurons)),
            Place::File(spill, spilled) => spilled.par_iter_mut().try_for_each(|place| {
                let mut shard = spill.load(place, Want::Features)?;
                shard.answer(neurons);
                spill.store_answers(place, &shard.answers)
            })?,
        }
        Ok(())
    }

    fn ask(&self, task: &Task) -> Result<Answer, Error> {
        if let Place::Memory(_) = self.place {
            return self.sum(Want::AllAnswers, task);
        }
        // Only the patterns in use are read where no others are asked for.
        match task {
            Task::Facts(_) | Task::Values(_) => self.sum(Want::Features, task),
            Task::Clip(_) => self.sum(Want::Answers(&[]), task),
            Task::Visit(visit) if visit.unit.is_none() || !visit.thetas.is_empty() => {
                let (columns, visit) = in_use(visit);
                self.sum(Want::Answers(&columns), &Task::Visit(visit))
            }
            Task::Visit(_) | Task::Folds(_) => self.sum(Want::AllAnswers, task),
            Task::Score { networks, held_out, numbers } => {
                let (columns, networks) = renumbered(networks);
                let (held_out, numbers) = (*held_out, *numbers);
                let task = Task::Score { networks, held_out, numbers };
                self.sum(Want::Answers(&columns), &task)
            }
            Task::FoldScore { folds, numbers } => {
                let (columns, all) = renumbered(&folds.concat());
                let each = folds.first().map_or(1, Vec::len).max(1);
                let folds = all.chunks(each).map(<[_]>::to_vec).collect();
                self.sum(Want::Answers(&columns), &Task::FoldScore { folds, numbers: *numbers })
            }
            Task::Bins(visit, edges) => {
                let (columns, visit) = in_use(visit);
                self.sum(Want::Both(&columns), &Task::Bins(visit, edges.clone()))
            }
            Task::Steps(visit, ranges) => {
                let (columns, visit) = in_use(visit);
                self.sum(Want::Both(&columns), &Task::Steps(visit, ranges.clone()))
            }
        }
    }
}

/// The patterns that a visit uses, and the visit with their places among these.
fn in_use(visit: &Visit) -> (Vec<usize>, Visit) {
    let (columns, mut networks) = renumbered(std::slice::from_ref(&visit.coefficients));
    let coefficients = networks.pop().unwrap_or_default();
    (columns, Visit { coefficients, ..visit.clone() })
}

/// The patterns that networks use, in order, and the networks with their places among these.
fn renumbered(networks: &[Vec<(usize, f64)>]) -> (Vec<usize>, Vec<Vec<(usize, f64)>>) {
    let mut columns: Vec<usize> = networks.iter().flatten().map(|(j, _)| *j).collect();
    columns.sort_unstable();
    columns.dedup();
    let place = |j: usize| columns.partition_point(|column| *column < j);
    let network = |w: &Vec<(usize, f64)>| w.iter().map(|&(j, a)| (place(j), a)).collect();
    let networks = networks.iter().map(network).collect();
    (columns, networks)
}
