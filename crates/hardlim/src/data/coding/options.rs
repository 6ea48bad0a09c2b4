//! What a user may say about the columns of a training table.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use crate::data::problem::Problem;
use crate::data::table::Table;
use crate::error::Error;

/// Which column is what. Columns are called by name, or by number from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodingOptions {
    /// The target; the last column that is neither ignored nor the weight by default.
    pub target: Option<String>,
    /// What the target is.
    pub task: Task,
    /// What to do about missing values.
    pub missing: Missing,
    /// Columns left out.
    pub ignore: Vec<String>,
    /// Columns whose cells are all labels, numbers too.
    pub categorical: Vec<String>,
    /// The column of sample weights.
    pub weight_column: Option<String>,
    /// Whether all classes weigh the same, however many samples they have.
    pub balanced: bool,
}

impl CodingOptions {
    /// The column of a table that is the target.
    ///
    /// # Errors
    /// When a column is called that is not there, or none is left.
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
            .ok_or_else(|| table.error(Problem::NoFeatures { columns }))
    }
}

/// What the target is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Task {
    /// Classes when it is text (of at most [`super::FEW_CLASSES`] values) or has exactly two values, a
    /// number otherwise.
    #[default]
    Auto,
    /// Classes: two, or several where the values are text or whole numbers.
    Classify,
    /// A number.
    Regress,
}

/// What to do about missing values of features. Targets and weights must not be missing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Missing {
    /// Refuse them.
    #[default]
    Error,
    /// Put the mean of the training table in their place, or its most frequent level in a column
    /// of labels (the first in order, among equals).
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
