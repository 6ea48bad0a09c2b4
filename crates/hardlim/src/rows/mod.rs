//! Rows in blocks: more rows than memory holds, on one machine or on many.
//!
//! Training asks the rows a few questions ([`Task`]), and each block answers for its own rows.
//! Whatever is summed over rows is summed without rounding: `Dᵀz` on a grid that is the same for
//! all blocks, and losses as exact sums. Rows to look at closely are chosen by a hash of their
//! number. So the model does not depend on how many blocks there are or where they lie, to the
//! last bit.
//!
//! Nothing of the size of the data ever moves: a pass sends the coefficients to the blocks, and
//! gets back one number for each pattern.

mod block;
mod bytes;
mod files;
mod folds;
mod measure;
mod price;
mod sample;
mod sampling;
mod spill;
mod steps;

pub use block::{Block, Facts, Score, Sums, Visit};
pub use bytes::{from_text, neurons_from_bytes, neurons_to_bytes, to_text};
pub use files::{Coded, Files, Ready, Taken};
pub use folds::FoldSums;
pub(crate) use measure::Measured;
pub(crate) use price::OneInput;
pub use sample::Sample;
pub(crate) use sampling::Aside;
pub use sampling::{HELD_OUT, MOST_IN_MEMORY, Sampling};
pub use steps::{Bin, Range, Steps};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::block::merge_all;
use self::spill::{Spill, Spilled, Want};
use self::steps::{merge_steps, merge_values};
use crate::arrangement::Hyperplane;
use crate::error::Error;
use crate::exact::total::Total;

/// A network on the patterns of a dictionary: coefficients that are not zero, with their patterns.
pub type Coefficients = Vec<(usize, f64)>;

/// What rows can be asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Task {
    /// What the rows are; the number of classes, or zero if the targets are numbers.
    Facts(usize),
    /// A pass with a network.
    Visit(Visit),
    /// The sums of the complete program for numbers, clipped at these levels.
    Clip([f64; 2]),
    /// How well networks predict.
    Score {
        /// For each fold the networks that score its rows: one, or one for each class, or none.
        folds: Vec<Vec<Coefficients>>,
        /// Whether the targets are numbers.
        numbers: bool,
    },
    /// A pass that gives the gradient of the rows of each fold, and the number of folds.
    Folds(Visit, usize),
    /// The different values of each column, in some of the rows.
    Values(Sampling),
    /// The dual point of a network, added up between these edges of each column.
    Bins(Visit, Vec<Vec<f64>>),
    /// The same for every value in these ranges.
    Steps(Visit, Vec<Range>),
}

/// What rows answer to the [`Task`] of the same name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// What the rows are.
    Facts(Facts),
    /// What a pass adds up.
    Visit(Sums),
    /// The sums of the complete program.
    Clip([Total; 5]),
    /// How well networks predict.
    Score(Score),
    /// One for each fold.
    Folds(Vec<FoldSums>),
    /// In ascending order for each column.
    Values(Vec<Vec<f64>>),
    /// For each column.
    Bins(Vec<Vec<Bin>>),
    /// For each range.
    Steps(Vec<Steps>),
}

impl Task {
    /// The patterns that the task names, and the task with their places among these.
    fn compact(&self) -> (Vec<usize>, Self) {
        let mut task = self.clone();
        let networks: Vec<&mut Coefficients> = match &mut task {
            Self::Visit(visit) | Self::Bins(visit, _) | Self::Steps(visit, _) => {
                vec![&mut visit.coefficients]
            }
            Self::Score { folds, .. } => folds.iter_mut().flatten().collect(),
            _ => Vec::new(),
        };
        let mut columns: Vec<usize> =
            networks.iter().flat_map(|w| w.iter().map(|(j, _)| *j)).collect();
        columns.sort_unstable();
        columns.dedup();
        for (j, _) in networks.into_iter().flatten() {
            *j = columns.partition_point(|column| column < j);
        }
        (columns, task)
    }
}

impl Answer {
    /// Adds what other rows answer to the same task.
    ///
    /// # Errors
    /// When it is the answer to another task.
    pub fn add(&mut self, other: &Self) -> Result<(), Error> {
        match (self, other) {
            (Self::Facts(a), Self::Facts(b)) => a.merge(b),
            (Self::Visit(a), Self::Visit(b)) => a.merge(b),
            (Self::Clip(a), Self::Clip(b)) => merge_all(a, b),
            (Self::Score(a), Self::Score(b)) => a.merge(b),
            (Self::Folds(a), Self::Folds(b)) => each(a, b, FoldSums::merge),
            (Self::Values(a), Self::Values(b)) => each(a, b, |a, b| merge_values(a, b)),
            (Self::Bins(a), Self::Bins(b)) => each(a, b, |a, b| each(a, b, Bin::merge)),
            (Self::Steps(a), Self::Steps(b)) => each(a, b, merge_steps),
            _ => return Err(other_answer()),
        }
        Ok(())
    }
}

/// Adds others one by one.
fn each<T>(all: &mut [T], others: &[T], mut add: impl FnMut(&mut T, &T)) {
    all.iter_mut().zip(others).for_each(|(a, b)| add(a, b));
}

impl Block {
    /// Answers a task for its own rows.
    pub fn ask(&self, task: &Task) -> Answer {
        match task {
            Task::Facts(classes) => Answer::Facts(self.facts(*classes)),
            Task::Visit(visit) => Answer::Visit(self.visit(visit)),
            Task::Clip(levels) => Answer::Clip(self.clip(*levels)),
            Task::Score { folds, numbers } => Answer::Score(self.score(folds, *numbers)),
            Task::Folds(visit, folds) => Answer::Folds(self.visit_folds(visit, *folds)),
            Task::Values(sampling) => Answer::Values(self.values(*sampling)),
            Task::Bins(visit, edges) => Answer::Bins(self.bins(visit, edges)),
            Task::Steps(visit, ranges) => Answer::Steps(self.steps(visit, ranges)),
        }
    }
}

/// Rows in blocks, wherever these are.
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

/// Asks rows a task, and takes the answer of the same name.
macro_rules! ask {
    ($rows:expr, $kind:ident, $task:expr) => {
        match $rows.ask(&$task)? {
            Answer::$kind(answer) => Ok(answer),
            _ => Err(other_answer()),
        }
    };
}

impl dyn Rows + '_ {
    pub(crate) fn facts(&self, classes: usize) -> Result<Facts, Error> {
        ask!(self, Facts, Task::Facts(classes))
    }

    pub(crate) fn visit(&self, visit: Visit) -> Result<Sums, Error> {
        ask!(self, Visit, Task::Visit(visit))
    }

    fn clip(&self, levels: [f64; 2]) -> Result<[Total; 5], Error> {
        ask!(self, Clip, Task::Clip(levels))
    }

    pub(crate) fn score(
        &self,
        folds: Vec<Vec<Coefficients>>,
        numbers: bool,
    ) -> Result<Score, Error> {
        ask!(self, Score, Task::Score { folds, numbers })
    }

    pub(crate) fn folds(&self, visit: Visit, folds: usize) -> Result<Vec<FoldSums>, Error> {
        ask!(self, Folds, Task::Folds(visit, folds))
    }

    fn values(&self, sampling: Sampling) -> Result<Vec<Vec<f64>>, Error> {
        ask!(self, Values, Task::Values(sampling))
    }

    fn bins(&self, visit: Visit, edges: Vec<Vec<f64>>) -> Result<Vec<Vec<Bin>>, Error> {
        ask!(self, Bins, Task::Bins(visit, edges))
    }

    fn steps(&self, visit: Visit, ranges: Vec<Range>) -> Result<Vec<Steps>, Error> {
        ask!(self, Steps, Task::Steps(visit, ranges))
    }
}

fn other_answer() -> Error {
    Error::Damaged { what: "answer of a block", reason: "it is the answer to another task".into() }
}

/// The bytes of a row besides its features and answers: target, weight, and room to spare.
const ROW: u64 = 32;

/// The blocks of one machine, in memory or in a temporary file.
#[derive(Debug)]
pub struct Blocks {
    place: Place,
    rows: u64,
}

#[derive(Debug)]
enum Place {
    Memory(Vec<Block>),
    File(Spill, Vec<Spilled>),
}

impl Blocks {
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

    /// No rows yet. They stay in memory if `rows` of `dimension` features that answer `patterns`
    /// neurons take no more than half of it.
    ///
    /// # Errors
    /// When there can be no temporary file.
    pub fn within(memory: u64, rows: u64, dimension: usize, patterns: u64) -> Result<Self, Error> {
        let each = (8 * dimension as u64 + patterns / 8).saturating_add(ROW);
        let fits = rows.saturating_mul(each) <= memory / 2;
        if fits { Ok(Self::in_memory()) } else { Self::in_file() }
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The number of blocks.
    pub fn count(&self) -> usize {
        match &self.place {
            Place::Memory(blocks) => blocks.len(),
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
    pub fn push(&mut self, block: Block) -> Result<(), Error> {
        assert_eq!(block.first, self.rows, "the rows that follow");
        self.rows += block.rows() as u64;
        match &mut self.place {
            Place::Memory(blocks) => blocks.push(block),
            Place::File(spill, spilled) => spilled.push(spill.store(&block)?),
        }
        Ok(())
    }
}

impl Rows for Blocks {
    fn answer(&mut self, neurons: &[Hyperplane]) -> Result<(), Error> {
        match &mut self.place {
            Place::Memory(blocks) => blocks.par_iter_mut().for_each(|block| block.answer(neurons)),
            Place::File(spill, spilled) => spilled.par_iter_mut().try_for_each(|place| {
                let mut block = spill.load(place, Want::Features)?;
                block.answer(neurons);
                spill.store_answers(place, &block.answers)
            })?,
        }
        Ok(())
    }

    fn ask(&self, task: &Task) -> Result<Answer, Error> {
        // Sums are exact, so the order in which threads end does not matter.
        let add = |mut sum: Answer, other: Answer| sum.add(&other).map(|()| sum);
        let sum = match &self.place {
            Place::Memory(blocks) => {
                blocks.par_iter().map(|block| Ok(block.ask(task))).try_reduce_with(add)
            }
            Place::File(spill, spilled) => {
                // Only the patterns in use are read where no others are asked for.
                let (columns, compact) = task.compact();
                let (want, task) = match task {
                    Task::Facts(_) | Task::Values(_) => (Want::Features, task),
                    Task::Visit(visit) if visit.thetas.is_empty() => (Want::AllAnswers, task),
                    Task::Folds(..) => (Want::AllAnswers, task),
                    Task::Bins(..) | Task::Steps(..) => (Want::Both(&columns), &compact),
                    _ => (Want::Answers(&columns), &compact),
                };
                (spilled.par_iter())
                    .map(|place| Ok(spill.load(place, want)?.ask(task)))
                    .try_reduce_with(add)
            }
        };
        sum.unwrap_or(Err(Error::NoSamples))
    }
}
