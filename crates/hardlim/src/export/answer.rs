//! The meaning of sums.

use crate::model::{class_of, largest};
use crate::table::TargetCoding;

/// The meaning of the sums of a circuit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Two classes: the second one if the sum is at least zero.
    Sign([String; 2]),
    /// The class of the largest sum; the first one if there are ties.
    Largest(Vec<String>),
    /// A number: the sum itself.
    Number,
}

impl Answer {
    pub(super) fn of(target: &TargetCoding) -> Self {
        match target {
            TargetCoding::Several { classes, .. } => Self::Largest(classes.clone()),
            _ => target.answers().map_or(Self::Number, Self::Sign),
        }
    }

    /// The labels of the classes; empty if the answer is a number.
    pub fn labels(&self) -> &[String] {
        match self {
            Self::Sign(labels) => labels,
            Self::Largest(labels) => labels,
            Self::Number => &[],
        }
    }

    /// The index of the class for these sums; 0 if the answer is a number.
    pub fn class(&self, sums: &[i64]) -> usize {
        match self {
            Self::Sign(_) => usize::from(sums[0] >= 0),
            Self::Largest(_) => {
                (1..sums.len()).fold(0, |best, c| if sums[c] > sums[best] { c } else { best })
            }
            Self::Number => 0,
        }
    }

    /// The index of the class for these outputs, as the model decides it.
    pub fn class_of_outputs(&self, outputs: &[f64]) -> usize {
        match self {
            Self::Sign(_) => usize::from(class_of(outputs[0]) > 0.0),
            Self::Largest(_) => largest(outputs),
            Self::Number => 0,
        }
    }
}
