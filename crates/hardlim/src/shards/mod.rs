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
mod measure;
mod read;
mod rows;
mod sample;
mod shard;
mod spill;

pub use bytes::{neurons_from_bytes, neurons_to_bytes};
pub(crate) use measure::Measured;
pub use read::{Parts, Taken};
pub use rows::Sampling;
pub use sample::Sample;
pub use shard::{Facts, Score, Shard, Sums, Visit};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::shard::merge_all;
use self::spill::{Spill, Spilled, Want};
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
    /// To [`Task::Score`].
    Score(Score),
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
            _ => panic!("answers to different tasks"),
        }
    }
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

fn other_answer() -> Error {
    Error::Damaged { what: "answer of a shard", reason: "it is the answer to another task".into() }
}

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

    /// The answers of all shards, added up.
    fn sum(&self, want: Want<'_>, task: &Task) -> Result<Answer, Error> {
        let answers: Vec<Answer> = match &self.place {
            Place::Memory(shards) => shards.par_iter().map(|shard| shard.ask(task)).collect(),
            Place::File(spill, spilled) => (spilled.par_iter())
                .map(|place| Ok(spill.load(place, want)?.ask(task)))
                .collect::<Result<_, Error>>()?,
        };
        let mut answers = answers.into_iter();
        let mut sum = answers.next().ok_or(Error::NoSamples)?;
        answers.for_each(|answer| sum.merge(&answer));
        Ok(sum)
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
        let in_file = matches!(self.place, Place::File(..));
        match task {
            Task::Facts(_) => self.sum(Want::Features, task),
            Task::Clip(_) => self.sum(Want::Answers(&[]), task),
            // Only the patterns in use are read where no others are asked for.
            Task::Visit(visit) if in_file && (visit.unit.is_none() || !visit.thetas.is_empty()) => {
                let columns: Vec<usize> = visit.coefficients.iter().map(|(j, _)| *j).collect();
                let coefficients =
                    visit.coefficients.iter().enumerate().map(|(k, (_, w))| (k, *w)).collect();
                let task = Task::Visit(Visit { coefficients, ..visit.clone() });
                self.sum(Want::Answers(&columns), &task)
            }
            Task::Visit(_) | Task::Score { .. } => self.sum(Want::AllAnswers, task),
        }
    }
}
