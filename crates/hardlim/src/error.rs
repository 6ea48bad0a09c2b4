//! What can go wrong, with the numbers that explain it.

/// Everything the library refuses, one variant for each thing that can be wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The strength of the penalty is not a positive number.
    #[error("beta must be a positive finite number, got {0}")]
    Beta(f64),
    /// Two things that must have the same length do not.
    #[error("{what}: expected {expected}, found {found}")]
    Length {
        /// What was counted.
        what: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A number lies outside what can be computed with exactly.
    #[error("row {row}, feature {feature}: {value} is out of range: {reason}")]
    Value {
        /// The row, counted from 1.
        row: usize,
        /// The feature, counted from 1.
        feature: usize,
        /// The number itself.
        value: f64,
        /// Which range it leaves.
        reason: &'static str,
    },
    /// A target is not finite, or so large that its square would not be.
    #[error("row {row}: target {value} is out of range: expected a magnitude of at most 1e60")]
    Target {
        /// The row, counted from 1.
        row: usize,
        /// The target itself.
        value: f64,
    },
    /// A sample weight is negative or not finite, or all are zero.
    #[error("sample weights must be finite and non-negative, with at least one positive: {0}")]
    SampleWeight(String),
    /// An entry of a matrix of zeros and ones is neither.
    #[error("row {row}, column {column}: expected 0 or 1, found {value}")]
    NotBinary {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// The entry itself.
        value: f64,
    },
    /// There is nothing to learn from.
    #[error("no samples")]
    NoSamples,
    /// A text that should name something does not.
    #[error("unknown {what} {got:?}: expected one of {expected}")]
    Unknown {
        /// What kind of thing.
        what: &'static str,
        /// What was given.
        got: String,
        /// What is known.
        expected: &'static str,
    },
}
