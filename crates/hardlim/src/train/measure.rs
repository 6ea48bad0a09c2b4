//! How predictions are scored, and by what candidates are compared.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::table::TargetCoding;

/// How predictions are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The accuracy on classes `±1`.
    Accuracy,
    /// The accuracy on this many classes, given by their indices; the largest output predicts the class.
    Largest(usize),
    /// `R²` on numbers, with the variance of all targets, so that all folds have the same scale and a fold
    /// may have a single sample.
    R2,
}

impl Measure {
    /// The score for a target: accuracy for classes, `R²` for numbers.
    pub fn of(target: &TargetCoding) -> Self {
        match target {
            TargetCoding::Several { classes, .. } => Self::Largest(classes.len()),
            TargetCoding::Classes { .. } | TargetCoding::Against { .. } => Self::Accuracy,
            TargetCoding::Number { .. } => Self::R2,
        }
    }
}

/// What cross-validation compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scoring {
    /// The log-loss of classes, the loss itself of numbers.
    Loss,
    /// The accuracy of classes, `R²` of numbers.
    Score,
}

impl fmt::Display for Scoring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Loss { "loss" } else { "score" })
    }
}

impl FromStr for Scoring {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "loss" | "log_loss" => Ok(Self::Loss),
            "score" | "accuracy" | "r2" => Ok(Self::Score),
            _ => Err(Error::Unknown {
                what: "scoring",
                got: text.into(),
                expected: "loss (or log_loss), or score (or accuracy, r2)",
            }),
        }
    }
}
