//! The trait of all experiments, and its parts.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use hardlim::Error;
use hardlim::solver::Budget;
use hardlim::train::Watch;
use serde_json::Value;

use crate::experiments::chance::Chance;
use crate::experiments::report::Report;
use crate::experiments::samples::Samples;
use crate::experiments::scale::Scale;

/// An experiment: a figure or a table of the paper, or one that we add.
pub trait Experiment: Sync {
    /// Its name on the command line.
    fn id(&self) -> &'static str;

    /// Its title.
    fn title(&self) -> &'static str;

    /// The trials, in the order in which they are computed.
    fn trials(&self, context: &Context<'_>) -> Vec<Trial>;

    /// The report, made from the records of all trials.
    fn report(&self, context: &Context<'_>, records: &Records) -> Report;
}

/// The computation of a trial.
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

impl std::fmt::Debug for Trial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trial").field("key", &self.key).field("cost", &self.cost).finish()
    }
}

impl Trial {
    /// Creates a trial.
    pub fn new(
        key: impl Into<String>,
        cost: f64,
        compute: impl Fn(&Context<'_>) -> Result<Value, Error> + 'static,
    ) -> Self {
        Self { key: key.into(), cost, compute: Box::new(compute) }
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
    /// Every use of chance has its own stream.
    pub(crate) chance: Chance,
    /// The folder with the data sets, if there is one.
    pub data: Option<PathBuf>,
    /// Ends a trial early; its result is then not kept.
    pub budget: Budget<'a>,
    /// The last data set that was read.
    last: Mutex<Option<(String, Arc<Samples>)>>,
}

impl<'a> Context<'a> {
    /// Creates a context. The seed determines all random choices.
    pub fn new(scale: Scale, seed: u64, data: Option<PathBuf>, budget: Budget<'a>) -> Self {
        Self {
            scale,
            convex: scale,
            chance: Chance::new(seed),
            data,
            budget,
            last: Mutex::new(None),
        }
    }

    /// A training that begins now, and ends early with the trial.
    pub(crate) fn watch(&self) -> Watch<'a> {
        Watch { interrupt: self.budget.interrupt, ..Watch::default() }
    }

    /// The data set of this name; it is read unless it was the last one.
    pub(crate) fn keep(
        &self,
        name: &str,
        read: impl FnOnce() -> Result<Samples, Error>,
    ) -> Result<Arc<Samples>, Error> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((known, samples)) if known == name => Ok(samples.clone()),
            _ => {
                *last = None; // two large sets may not fit into memory
                let samples = Arc::new(read()?);
                *last = Some((name.into(), samples.clone()));
                Ok(samples)
            }
        }
    }
}

/// The records of an experiment, by their keys.
#[derive(Debug, Clone, Default)]
pub struct Records(pub BTreeMap<String, Value>);

impl Records {
    /// A number of a record; NaN if there is none.
    pub fn number(&self, key: &str, field: &str) -> f64 {
        number(self.get(key), field)
    }

    /// The record of a key.
    pub fn get(&self, key: &str) -> &Value {
        self.0.get(key).unwrap_or(&Value::Null)
    }
}

/// A number of a record; NaN if there is none.
pub(crate) fn number(record: &Value, field: &str) -> f64 {
    record[field].as_f64().unwrap_or(f64::NAN)
}
