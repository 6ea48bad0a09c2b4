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
mod files;
mod measure;
mod price;
mod sampling;
mod spill;
mod steps;
mod text;

pub use block::Block;
pub(crate) use block::{Facts, FoldSums, Score, Sums, Visit};
pub use files::{Coded, Files, Ready, Taken};
pub(crate) use measure::Measured;
pub(crate) use price::OneInput;
pub(crate) use sampling::{Aside, HELD_OUT};
pub use sampling::{MOST_IN_MEMORY, Sample};
pub use text::{from_text, to_text};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::block::merge_all;
use self::sampling::Sampling;
use self::spill::{Spill, Spilled};
use self::steps::{Bin, Range, Steps, merge_steps, merge_values};
use crate::arrangement::Hyperplane;
use crate::error::Error;
use crate::exact::total::Total;

/// A network on the patterns of a dictionary: coefficients that are not zero, with their patterns.
pub(crate) type Coefficients = Vec<(usize, f64)>;

/// What rows can be asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task(Question);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Question {
    /// What the rows are; the number of classes, or zero if the targets are numbers.
    Facts(usize),
    /// A pass with a network.
    Visit(Visit),
    /// The sums of the complete program for numbers, clipped at these levels.
    Clip([f64; 2]),
    /// How well networks predict: for each fold those that score its rows, one, or one for each
    /// class, or none; and whether the targets are numbers.
    Score(Vec<Vec<Coefficients>>, bool),
    /// A pass that gives the gradient of the rows of each fold, and the number of folds.
    Folds(Visit, usize),
    /// The different values of each column, in some of the rows.
    Values(Sampling),
    /// The dual point of a network, added up between these edges of each column.
    Bins(Visit, Vec<Vec<f64>>),
    /// The same for every value in these ranges.
    Steps(Visit, Vec<Range>),
}

/// What rows answer to a [`Task`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer(Reply);

/// The answer to the question of the same name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Reply {
    Facts(Facts),
    Visit(Sums),
    Clip([Total; 5]),
    Score(Score),
    Folds(Vec<FoldSums>),
    Values(Vec<Vec<f64>>),
    Bins(Vec<Vec<Bin>>),
    Steps(Vec<Steps>),
}

impl Question {
    /// The patterns that the question names, and the question with their places among these.
    fn compact(&self) -> (Vec<usize>, Self) {
        let mut question = self.clone();
        let networks: Vec<&mut Coefficients> = match &mut question {
            Self::Visit(visit) | Self::Bins(visit, _) | Self::Steps(visit, _) => {
                vec![&mut visit.coefficients]
            }
            Self::Score(folds, _) => folds.iter_mut().flatten().collect(),
            _ => Vec::new(),
        };
        let mut columns: Vec<usize> =
            networks.iter().flat_map(|w| w.iter().map(|(j, _)| *j)).collect();
        columns.sort_unstable();
        columns.dedup();
        for (j, _) in networks.into_iter().flatten() {
            *j = columns.partition_point(|column| column < j);
        }
        (columns, question)
    }
}

impl Answer {
    /// Adds what other rows answer to the same task.
    pub fn add(&mut self, other: &Self) -> Result<(), Error> {
        match (&mut self.0, &other.0) {
            (Reply::Facts(a), Reply::Facts(b)) => a.merge(b),
            (Reply::Visit(a), Reply::Visit(b)) => a.merge(b),
            (Reply::Clip(a), Reply::Clip(b)) => merge_all(a, b),
            (Reply::Score(a), Reply::Score(b)) => a.merge(b),
            (Reply::Folds(a), Reply::Folds(b)) => each(a, b, FoldSums::merge),
            (Reply::Values(a), Reply::Values(b)) => each(a, b, |a, b| merge_values(a, b)),
            (Reply::Bins(a), Reply::Bins(b)) => each(a, b, |a, b| each(a, b, Bin::merge)),
            (Reply::Steps(a), Reply::Steps(b)) => each(a, b, merge_steps),
            _ => return Err(other_answer()),
        }
        Ok(())
    }
}

fn each<T>(all: &mut [T], others: &[T], mut add: impl FnMut(&mut T, &T)) {
    all.iter_mut().zip(others).for_each(|(a, b)| add(a, b));
}

impl Block {
    /// Answers a task for its own rows.
    pub fn ask(&self, task: &Task) -> Answer {
        Answer(match &task.0 {
            Question::Facts(classes) => Reply::Facts(self.facts(*classes)),
            Question::Visit(visit) => Reply::Visit(self.visit(visit)),
            Question::Clip(levels) => Reply::Clip(self.clip(*levels)),
            Question::Score(folds, numbers) => Reply::Score(self.score(folds, *numbers)),
            Question::Folds(visit, folds) => Reply::Folds(self.visit_folds(visit, *folds)),
            Question::Values(sampling) => Reply::Values(self.values(*sampling)),
            Question::Bins(visit, edges) => Reply::Bins(self.bins(visit, edges)),
            Question::Steps(visit, ranges) => Reply::Steps(self.steps(visit, ranges)),
        })
    }
}

/// Rows in blocks, wherever these are.
pub trait Rows: Sync {
    /// Asks these neurons, instead of those before.
    fn answer(&mut self, neurons: &[Hyperplane]) -> Result<(), Error>;

    /// What all rows together answer to a task.
    fn ask(&self, task: &Task) -> Result<Answer, Error>;
}

/// Asks rows a question, and takes the answer of the same name.
macro_rules! ask {
    ($rows:ident, $kind:ident($($part:expr),+)) => {
        match $rows.ask(&Task(Question::$kind($($part),+)))? {
            Answer(Reply::$kind(answer)) => Ok(answer),
            _ => Err(other_answer()),
        }
    };
}

impl dyn Rows + '_ {
    pub(crate) fn facts(&self, classes: usize) -> Result<Facts, Error> {
        ask!(self, Facts(classes))
    }

    pub(crate) fn visit(&self, visit: Visit) -> Result<Sums, Error> {
        ask!(self, Visit(visit))
    }

    fn clip(&self, levels: [f64; 2]) -> Result<[Total; 5], Error> {
        ask!(self, Clip(levels))
    }

    pub(crate) fn score(&self, w: Vec<Vec<Coefficients>>, numbers: bool) -> Result<Score, Error> {
        ask!(self, Score(w, numbers))
    }

    pub(crate) fn folds(&self, visit: Visit, folds: usize) -> Result<Vec<FoldSums>, Error> {
        ask!(self, Folds(visit, folds))
    }

    fn values(&self, sampling: Sampling) -> Result<Vec<Vec<f64>>, Error> {
        ask!(self, Values(sampling))
    }

    fn bins(&self, visit: Visit, edges: Vec<Vec<f64>>) -> Result<Vec<Vec<Bin>>, Error> {
        ask!(self, Bins(visit, edges))
    }

    fn steps(&self, visit: Visit, ranges: Vec<Range>) -> Result<Vec<Steps>, Error> {
        ask!(self, Steps(visit, ranges))
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
    pub fn in_file() -> Result<Self, Error> {
        Ok(Self { place: Place::File(Spill::new()?, Vec::new()), rows: 0 })
    }

    /// No rows yet. They stay in memory if `rows` of `dimension` features that answer `patterns`
    /// neurons take no more than half of it.
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
                let mut block = spill.load(place, true, Some(&[]))?;
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
                let (columns, compact) = task.0.compact();
                let compact = Task(compact);
                let (features, neurons, task) = match &task.0 {
                    Question::Visit(visit) if visit.thetas.is_empty() => (false, None, task),
                    Question::Folds(..) => (false, None, task),
                    Question::Visit(_) | Question::Clip(_) | Question::Score(..) => {
                        (false, Some(&columns[..]), &compact)
                    }
                    _ => (true, Some(&columns[..]), &compact),
                };
                (spilled.par_iter())
                    .map(|place| Ok(spill.load(place, features, neurons)?.ask(task)))
                    .try_reduce_with(add)
            }
        };
        sum.unwrap_or(Err(Error::NoSamples))
    }
}
