//! What a user may say about the columns of a training table.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use crate::data::fault::Fault;
use crate::data::table::Table;
use crate::error::Error;

/// What each column is for. A column is given by its name, or by its number from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodingOptions {
    /// The target. By default, the last column that is neither ignored nor the weight.
    pub target: Option<String>,
    /// Whether the target is a class or a number.
    pub task: Task,
    /// What to do with missing values.
    pub missing: Missing,
    /// Columns to leave out.
    pub ignore: Vec<String>,
    /// Columns whose fields are labels, even if they are numbers.
    pub categorical: Vec<String>,
    /// The column of sample weights.
    pub weight_column: Option<String>,
    /// Whether all classes get the same total weight, however many samples they have.
    pub balanced: bool,
}

impl CodingOptions {
    /// The position of the target column in a table.
    ///
    /// # Errors
    /// When a named column does not exist, or no column is left.
    pub fn target_position(&self, table: &Table) -> Result<usize, Error> {
        if let Some(name) = &self.target {
            return table.find(name);
        }
        let taken = (self.ignore.iter().chain(&self.weight_column))
            .map(|name| table.find(name))
            .collect::<Result<Vec<_>, _>>()?;
        let columns = table.columns().len();
        (0..columns)
            .rev()
            .find(|j| !taken.contains(j))
            .ok_or_else(|| table.error(Fault::NoFeatures { columns }))
    }
}

/// Whether the target is a class or a number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Task {
    /// Classes if the target is text (with at most [`super::FEW_CLASSES`] values) or has exactly
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
    #[default]
    Error,
    /// Replace them by the mean of the training table. In a column of labels, replace them by its
    /// most frequent level (the first in order if several are equally frequent).
    Mean,
}

const TASKS: [(&str, Task); 3] =
    [("auto", Task::Auto), ("classify", Task::Classify), ("regress", Task::Regress)];
const MISSING: [(&str, Missing); 2] = [("error", Missing::Error), ("mean", Missing::Mean)];

impl FromStr for Task {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::Unknown {
            what: "task",
            got: text.to_owned(),
            expected: "auto, classify, regress",
        };
        TASKS.iter().find(|(name, _)| *name == text).map(|&(_, task)| task).ok_or_else(unknown)
    }
}

impl FromStr for Missing {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::Unknown {
            what: "way to treat missing values",
            got: text.to_owned(),
            expected: "error, mean",
        };
        MISSING.iter().find(|(name, _)| *name == text).map(|&(_, way)| way).ok_or_else(unknown)
    }
}

impl Display for Task {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(TASKS[*self as usize].0)
    }
}

impl Display for Missing {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(MISSING[*self as usize].0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for (name, task) in TASKS {
            assert_eq!((name.parse::<Task>().unwrap(), task.to_string()), (task, name.into()));
        }
        for (name, way) in MISSING {
            assert_eq!((name.parse::<Missing>().unwrap(), way.to_string()), (way, name.into()));
        }
        assert!("mode".parse::<Missing>().is_err());
        assert!("".parse::<Task>().is_err());
    }
}
