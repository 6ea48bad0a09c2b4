//! What an experiment is.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use hardlim::Error;
use hardlim::solver::Budget;
use hardlim::train::Watch;
use serde_json::Value;

use crate::report::Report;
use crate::samples::Samples;
use crate::scale::Scale;

/// A figure or a table of the paper, or one that it is missing.
pub trait Experiment: Sync {
    /// What it is called on the command line.
    fn id(&self) -> &'static str;

    /// What it shows.
    fn title(&self) -> &'static str;

    /// What is computed, in the order in which it is.
    fn cells(&self, context: &Context<'_>) -> Vec<Cell>;

    /// What there is to say, from the records of all cells.
    fn report(&self, context: &Context<'_>, records: &Records) -> Report;
}

/// What a cell computes.
type Compute = Box<dyn Fn(&Context<'_>) -> Result<Value, Error>>;

/// One step of an experiment.
pub struct Cell {
    /// Everything that decides the record: cells with equal keys have equal records, but for seconds.
    pub key: String,
    /// How long it takes, in some unit that the cells of an experiment share.
    pub cost: f64,
    /// What it computes.
    pub compute: Compute,
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cell").field("key", &self.key).field("cost", &self.cost).finish()
    }
}

impl Cell {
    /// A cell.
    pub fn new(
        key: impl Into<String>,
        cost: f64,
        compute: impl Fn(&Context<'_>) -> Result<Value, Error> + 'static,
    ) -> Self {
        Self { key: key.into(), cost, compute: Box::new(compute) }
    }
}

/// What cells know of the world.
#[derive(Debug)]
pub struct Context<'a> {
    /// How much is run.
    pub scale: Scale,
    /// Where chance starts.
    pub seed: u64,
    /// The folder with the data sets, where there is one.
    pub data: Option<PathBuf>,
    /// Ends a cell early; what it has computed by then is not kept.
    pub budget: Budget<'a>,
    /// The data set that was read last.
    last: Mutex<Option<(String, Arc<Samples>)>>,
}

impl<'a> Context<'a> {
    /// A context.
    pub fn new(scale: Scale, seed: u64, data: Option<PathBuf>, budget: Budget<'a>) -> Self {
        Self { scale, seed, data, budget, last: Mutex::new(None) }
    }

    /// A training that begins now, and ends early with the cell.
    pub(crate) fn watch(&self) -> Watch<'a> {
        Watch { interrupt: self.budget.interrupt, ..Watch::default() }
    }

    /// The data set of that name, read unless it is the one that was read last.
    pub(crate) fn keep(
        &self,
        name: &str,
        read: impl FnOnce() -> Result<Samples, Error>,
    ) -> Result<Arc<Samples>, Error> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((known, samples)) if known == name => Ok(samples.clone()),
            _ => {
                *last = None; // two large sets need not fit
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
    /// A number of a record; not a number where there is none.
    pub fn number(&self, key: &str, field: &str) -> f64 {
        self.0.get(key).and_then(|record| record[field].as_f64()).unwrap_or(f64::NAN)
    }

    /// The record of a key.
    pub fn get(&self, key: &str) -> &Value {
        self.0.get(key).unwrap_or(&Value::Null)
    }
}
