//! What an experiment is: trials with records, and a report made from the records alone.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use hardlim::Error;
use hardlim::solver::Budget;
use hardlim::train::Watch;
use serde_json::Value;

use crate::experiments::chance;
use crate::experiments::report::Report;

/// An experiment: a figure or a table of the paper, or one that we add.
#[derive(Clone, Copy)]
pub struct Experiment {
    /// Its name on the command line.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The trials, in the order in which they are computed.
    pub trials: fn(&Context<'_>) -> Vec<Trial>,
    /// The report, made from the records of all trials.
    pub report: fn(&Context<'_>, &Records) -> Report,
}

type Compute = Box<dyn Fn(&Context<'_>) -> Result<Value, Error>>;

/// One step of an experiment.
pub struct Trial {
    /// All settings that determine the record. Trials with equal keys have equal records, except
    /// for times.
    pub key: String,
    /// An estimate of its time, in a unit that the trials of an experiment share.
    pub cost: f64,
    /// Its computation.
    pub compute: Compute,
}

impl Trial {
    pub(crate) fn new(
        key: impl Into<String>,
        cost: f64,
        compute: impl Fn(&Context<'_>) -> Result<Value, Error> + 'static,
    ) -> Self {
        Self { key: key.into(), cost, compute: Box::new(compute) }
    }
}

/// How much of an experiment is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Seconds, for tests: every step runs, but the results mean nothing.
    Tiny,
    /// Minutes: fewer epochs, starts and sizes.
    Quick,
    /// The settings of the paper, as far as one machine allows.
    Full,
}

impl Scale {
    /// The choice for this scale.
    pub fn pick<T>(self, tiny: T, quick: T, full: T) -> T {
        match self {
            Self::Tiny => tiny,
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.pick("tiny", "quick", "full"))
    }
}

/// The surroundings of a trial: scale, seed, data and budget.
#[derive(Debug)]
pub struct Context<'a> {
    /// How much is run.
    pub scale: Scale,
    /// How much is run of the convex columns of the table, Convex-Lasso and ours. In full they take
    /// half an hour, and the heuristics beside them days.
    pub convex: Scale,
    /// Decides all random choices.
    pub seed: u64,
    /// The folder with the data sets, if there is one.
    pub data: Option<PathBuf>,
    /// Ends a trial early; its result is then not kept.
    pub budget: Budget<'a>,
}

impl<'a> Context<'a> {
    /// The seed of one use of chance; no two uses share a name.
    pub(crate) fn stream(&self, name: &str) -> u64 {
        chance::stream(self.seed, name)
    }

    /// A training that begins now, and ends early with the trial.
    pub(crate) fn watch(&self) -> Watch<'a> {
        Watch { interrupt: self.budget.interrupt, ..Watch::default() }
    }
}

/// The records of an experiment, by their keys.
#[derive(Debug, Clone, Default)]
pub struct Records(pub BTreeMap<String, Value>);

impl Records {
    /// The record of a key.
    pub fn get(&self, key: &str) -> &Value {
        self.0.get(key).unwrap_or(&Value::Null)
    }

    /// A number of a record; NaN if there is none.
    pub(crate) fn number(&self, key: &str, field: &str) -> f64 {
        number(self.get(key), field)
    }
}

/// A number of a record; NaN if there is none.
pub(crate) fn number(record: &Value, field: &str) -> f64 {
    record[field].as_f64().unwrap_or(f64::NAN)
}
