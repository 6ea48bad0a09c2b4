//! What a user may say about the columns of a training table.

use crate::table::error::Fault;
use crate::table::named::named;
use crate::table::{Table, TableError};

/// What each column is for. A column is given by its name, or by its number from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodingOptions {
    /// The target. By default, the last column that is neither ignored nor the weight.
    pub target: Option<String>,
    /// Whether the target is a class or a number.
    pub task: Task,
    /// The label of +1, of two classes. By default it is the larger one.
    pub positive: Option<String>,
    /// What to do with missing values.
    pub missing: Missing,
    /// Columns to leave out.
    pub ignore: Vec<String>,
    /// Columns to keep, even if they look like identifiers, are constant, or are copies of others.
    pub keep: Vec<String>,
    /// Whether all columns are kept.
    pub keep_all: bool,
    /// Columns whose fields are labels, even if they are numbers.
    pub categorical: Vec<String>,
    /// The column of sample weights.
    pub weight_column: Option<String>,
    /// The most bits of an input: numbers are rounded to steps before training. It is also the
    /// limit for the weights of neurons, which are integers then.
    pub bits: Option<u32>,
    /// Whether all classes get the same total weight, however many samples they have.
    pub balanced: bool,
}

impl CodingOptions {
    /// The position of the target column in a table.
    pub fn target_position(&self, table: &Table) -> Result<usize, TableError> {
        if let Some(name) = &self.target {
            return table.find(name);
        }
        let taken = table.find_all(self.ignore.iter().chain(&self.weight_column))?;
        let columns = table.columns().len();
        (0..columns)
            .rev()
            .find(|j| !taken.contains(j))
            .ok_or_else(|| table.error(Fault::NoFeatures { columns, why: String::new() }))
    }
}

/// Whether the target is a class or a number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Task {
    /// Classes if the target is text (with at most 20 values) or has exactly
    /// two values; otherwise a number.
    #[default]
    Auto,
    /// Classes: two, or more if the values are text or whole numbers.
    Classify,
    /// A number.
    Regress,
}

/// What to do with missing values of features. Targets and weights must not be missing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Missing {
    /// Refuse them.
    Error,
    /// Replace them by the mean of the training table, and tell them by a feature of their own. In
    /// a column of labels they are a level of their own. If training has none in a column, they get
    /// its mean or its most frequent level (the first in order if several are equally frequent).
    #[default]
    Mean,
    /// The same with a number below all others instead of the mean, so that a missing number
    /// answers no to every question "at least". For neurons that read one input: these never have
    /// to cut on both sides of a number that stands for missing ones. What is missing or not is
    /// always asked of the feature that tells it, which comes first.
    Apart,
}

named! { Task "task": Auto "auto", Classify "classify", Regress "regress" }
named! { Missing "way to treat missing values": Mean "mean", Apart "apart", Error "error" }
