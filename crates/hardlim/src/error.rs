//! The errors of the library, with the numbers that explain them.

use std::path::PathBuf;

use crate::table::{TableError, Unknown};

/// An error of the library; each variant is one kind of problem.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message of a variant says what its fields are")]
pub enum Error {
    /// The strength of the penalty is not a positive number.
    #[error("beta must be a positive finite number, got {0}")]
    Beta(f64),
    /// The cost of a column is not a positive number.
    #[error("a cost must be a positive finite number, got {0}")]
    Cost(f64),
    /// An option is out of range, or conflicts with another option.
    #[error("{problem}")]
    Option { option: &'static str, problem: String },
    /// Two things that must have the same length do not.
    #[error("{what}: expected {expected}, found {found}")]
    Length { what: &'static str, expected: usize, found: usize },
    /// A number is too large or too small for exact arithmetic.
    #[error("row {row}, feature {feature}: {value} is out of range: {reason}")]
    Value { row: usize, feature: usize, value: f64, reason: &'static str },
    /// A target is not finite, or too large to be squared.
    #[error("row {row}: target {value} is out of range: expected a magnitude of at most 1e60")]
    Target { row: usize, value: f64 },
    /// A sample weight is negative or not finite, or all are zero.
    #[error("sample weights must be between 0 and 1e60, with at least one positive: {0}")]
    SampleWeight(String),
    /// A loss for two classes got a target that is not `±1`.
    #[error("the {loss} loss needs targets -1 and 1, got {value}")]
    Label { loss: &'static str, value: f64 },
    /// The parameter of a loss is out of range.
    #[error("the {parameter} of the {loss} loss must be {expected}, got {value}")]
    LossParameter {
        loss: &'static str,
        parameter: &'static str,
        expected: &'static str,
        value: f64,
    },
    /// A certificate has no proof that other programs check.
    #[error("there is no proof for other programs: {why}")]
    NoProof { why: String },
    /// The certificate does not hold, so there is nothing to prove.
    #[error("the certificate does not hold: {0}")]
    NotProven(String),
    /// The trees of a proof have too many nodes.
    #[error(
        "the proof would have more than {nodes} nodes: neurons of fewer inputs, a larger beta and \
         the bound over all networks have shorter ones"
    )]
    ProofTooLong { nodes: u64 },
    /// An entry of a matrix of zeros and ones is neither zero nor one.
    #[error("row {row}, column {column}: expected 0 or 1, found {value}")]
    NotBinary { row: usize, column: usize, value: f64 },
    /// The data have no samples.
    #[error("no samples")]
    NoSamples,
    /// A name is unknown.
    #[error("unknown {what} {got:?}: expected one of {expected}")]
    Unknown { what: &'static str, got: String, expected: &'static str },
    /// The target has several classes, but only one network is possible here.
    #[error(
        "the target {target:?} has {classes} classes, but {what} one network: use a target with \
         two values, such as one class and the rest"
    )]
    SeveralClasses { target: String, classes: usize, what: &'static str },
    /// Something is wrong with the rows held out.
    #[error("the rows held out: {0}")]
    HeldOut(Box<Error>),
    /// A table cannot be read or used.
    #[error(transparent)]
    Table(Box<TableError>),
    /// Something stored contradicts itself.
    #[error("damaged {what}: {reason}")]
    Damaged { what: &'static str, reason: String },
    /// The parts of a network do not fit together.
    #[error("not a network: {0}")]
    Network(String),
    /// Integer weights are needed, but the network has none.
    #[error("the network has no integer weights")]
    NoIntegers,
    /// Sums would not fit into an integer.
    #[error("the {what} need integers of more than {bits} bits")]
    TooWide { what: &'static str, bits: u32 },
    /// The network has too many weights for this format.
    #[error("the layers have {found} weights, including zeros: this format allows at most {limit}")]
    ExportTooLarge { found: usize, limit: usize },
    /// An export cannot be checked, or does not give the answers of the model.
    #[error("{problem}")]
    Export { problem: String },
    /// The pseudo-inverse needs linearly independent rows.
    #[error("pseudo-inverse weights need rows of full rank: {rows} distinct rows have rank {rank}")]
    RowRank { rows: usize, rank: usize },
    /// A pattern has no known weights, and its cell has no interior to take weights from.
    #[error("no weights are known for a pattern whose cell has no interior")]
    NoWitness,
    /// Rounding moved a row to the wrong side of a hyperplane.
    #[error("the {choice} weights do not realise their pattern in double precision")]
    WeightsMissPattern { choice: String },
    /// The data are not the training data of the model.
    #[error("the data are not the training data of the model")]
    OtherData,
    /// A model has no such rules to edit, or a weight is impossible.
    #[error("cannot edit the rules: {0}")]
    Edit(String),
    /// A certificate over rows in blocks is checked on rows in blocks.
    #[error("the model was trained on rows in blocks, and is checked on rows in blocks")]
    InBlocks,
    /// The complete program needs every dichotomy to be possible.
    #[error(
        "the complete program needs every dichotomy of the rows, but {rows} distinct rows have \
         rank {rank}, not {rows}: use the method generate"
    )]
    NotComplete { rows: usize, rank: usize },
    /// Equal rows have different targets, so nothing interpolates them.
    #[error("row {row}: equal rows have the targets {} and {}", targets.0, targets.1)]
    Conflict { row: usize, targets: (f64, f64) },
    /// The answers of a random layer do not have full rank.
    #[error(
        "the {width} neurons of the last random layer have {columns} distinct answers of rank \
         {rank}, but {rows} distinct rows need rank {rows}: use wider layers ({} neurons may be \
         enough), or a staircase",
        (2 * rows).max(4 * width)
    )]
    ShortRepresentation { rows: usize, rank: usize, width: usize, columns: usize },
    /// No threshold separates the projections of two rows.
    #[error(
        "rows {} and {} project to {} and {}, too close for a threshold in double precision \
         ({directions} directions tried)",
        rows.0, rows.1, projections.0, projections.1
    )]
    NotSeparated { rows: (usize, usize), projections: (f64, f64), directions: usize },
    /// A dictionary does not fit into memory.
    #[error(
        "{patterns} patterns would need {:.1} GiB of memory: at most {most} fit",
        *bytes as f64 / f64::from(1 << 30)
    )]
    TooManyPatterns { patterns: u64, bytes: u64, most: u64 },
    /// An arrangement may have more patterns than are allowed.
    #[error(
        "the arrangement may have {bound} patterns ({:.1} GiB), more than the {limit} allowed: \
         use the method generate or sample",
        *bytes as f64 / f64::from(1 << 30)
    )]
    ArrangementTooLarge { bound: u128, bytes: u128, limit: u128 },
    /// A layer would take too long to enumerate.
    #[error(
        "a layer has {sets} sets of neurons to visit, more than the {limit} allowed: use \
         smaller widths, or two layers"
    )]
    TooManySets { sets: u128, limit: u128 },
    /// Some patterns have no weights in double precision.
    #[error(
        "{patterns} patterns have cells too narrow for weights in double precision: round the \
         data, or list the patterns without weights"
    )]
    NarrowCells { patterns: usize },
    /// No bound is known for neurons that read this many inputs.
    #[error(
        "no bound is known for neurons that read at most {max_inputs} of {columns} inputs: \
         expected 1, 2, 3, or all {columns}"
    )]
    MaxInputs { max_inputs: usize, columns: usize },
    /// A model is used as if its certificate held, but it does not.
    #[error("the certificate does not hold: {reason}")]
    NotCertified { reason: String },
    /// What is lost without an input cannot be said.
    #[error("{problem}")]
    Importance { problem: String },
    /// The pairs, or triples, of columns do not fit into memory.
    #[error(
        "the {} of {columns} columns on {rows} rows would need {:.1} GiB of memory, more than \
         {:.1}: use fewer inputs for each neuron, or fewer columns",
        if *inputs == 2 { "pairs" } else { "triples" },
        *bytes as f64 / f64::from(1 << 30), *most as f64 / f64::from(1 << 30)
    )]
    TooManyGroups { inputs: usize, columns: usize, rows: usize, bytes: u64, most: u64 },
    /// Training was stopped before its first result.
    #[error("stopped before the first result")]
    Interrupted,
    /// The random layers are too large for a model file.
    #[error(
        "the random layers would have {weights} weights, but a model has at most {most}: use fewer \
         layers, or fewer neurons in each"
    )]
    TooManyWeights { weights: u64, most: usize },
    /// A file is not a valid model.
    #[error("{0}")]
    ModelFile(String),
    /// A file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Read { path: PathBuf, reason: std::io::Error },
    /// A file cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Write { path: PathBuf, reason: std::io::Error },
}

impl From<TableError> for Error {
    fn from(error: TableError) -> Self {
        Self::Table(Box::new(error))
    }
}

impl From<Unknown> for Error {
    fn from(Unknown { what, got, expected }: Unknown) -> Self {
        Self::Unknown { what, got, expected }
    }
}
