//! What can go wrong, with the numbers that explain it.

use std::path::PathBuf;

use crate::data::TableError;

/// Everything the library refuses, one variant for each thing that can be wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The strength of the penalty is not a positive number.
    #[error("beta must be a positive finite number, got {0}")]
    Beta(f64),
    /// An option that is out of range, or that does not go together with another one.
    #[error("{problem}")]
    Option {
        /// The name of the option, as a field of [`crate::train::Request`].
        option: &'static str,
        /// What is wrong with it, in a sentence that marks options as [`crate::spelling`] says.
        problem: String,
    },
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
    #[error("sample weights must be between 0 and 1e60, with at least one positive: {0}")]
    SampleWeight(String),
    /// A loss for two classes met a target that is no class.
    #[error("the {loss} loss needs targets -1 and 1, got {value}")]
    Label {
        /// The loss.
        loss: &'static str,
        /// The target.
        value: f64,
    },
    /// The parameter of a loss is out of range.
    #[error("the {parameter} of the {loss} loss must be {expected}, got {value}")]
    LossParameter {
        /// The loss.
        loss: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// Its range.
        expected: &'static str,
        /// The number itself.
        value: f64,
    },
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
    /// Several classes, where there is one network.
    #[error(
        "the target {target:?} has {classes} classes, and {what} one network: give a target with two \
         values, one class and the rest"
    )]
    SeveralClasses {
        /// The name of the target.
        target: String,
        /// How many classes it has.
        classes: usize,
        /// Who has one network, and a verb.
        what: &'static str,
    },
    /// Something is wrong with the rows held out.
    #[error("the rows held out: {0}")]
    HeldOut(Box<Error>),
    /// A table cannot be read or used.
    #[error(transparent)]
    Table(#[from] Box<TableError>),
    /// Something stored contradicts itself.
    #[error("damaged {what}: {reason}")]
    Damaged {
        /// What was stored.
        what: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A network whose parts do not fit together.
    #[error("not a network: {0}")]
    Network(String),
    /// Integer weights are needed, and the network has none.
    #[error("the network has no integer weights")]
    NoIntegers,
    /// Sums would not fit into an integer.
    #[error("the {what} need integers of more than {bits} bits")]
    TooWide {
        /// What is summed.
        what: &'static str,
        /// The bits there are.
        bits: u32,
    },
    /// A format has no room for so many weights.
    #[error("the layers have {found} weights, zeros counted, more than the {limit} of this format")]
    ExportTooLarge {
        /// How many there are.
        found: usize,
        /// How many there may be.
        limit: usize,
    },
    /// The pseudo-inverse needs linearly independent rows.
    #[error("pseudo-inverse weights need rows of full rank: {rows} distinct rows have rank {rank}")]
    RowRank {
        /// How many distinct rows there are.
        rows: usize,
        /// The rank of the matrix of rows.
        rank: usize,
    },
    /// A pattern came without weights, and no margin around it exists.
    #[error("no weights are known for a pattern whose cell is not open")]
    NoWitness,
    /// Rounding moved a row to the wrong side.
    #[error("the {choice} weights do not realise their pattern in double precision")]
    WeightsMissPattern {
        /// The choice of weights.
        choice: String,
    },
    /// Something that needs the training data got others.
    #[error("the data are not those the model was trained on")]
    OtherData,
    /// The complete program needs every dichotomy to be possible.
    #[error(
        "the complete program needs every dichotomy of the rows: {rows} distinct rows have rank \
         {rank}, not {rows}; use the method generate"
    )]
    NotComplete {
        /// How many distinct rows there are.
        rows: usize,
        /// The rank of the matrix of rows.
        rank: usize,
    },
    /// A row that nothing interpolates.
    #[error("row {row}: equal rows have the targets {} and {}", targets.0, targets.1)]
    Conflict {
        /// The distinct row, counted from 1.
        row: usize,
        /// Two of its targets.
        targets: (f64, f64),
    },
    /// Random neurons that do not tell enough.
    #[error(
        "the {width} neurons of the last random layer have {columns} distinct answers, of rank {rank} on \
         {rows} distinct rows, not {rows}: use wider layers ({} neurons may do), or the staircase",
        (2 * rows).max(4 * width)
    )]
    ShortRepresentation {
        /// How many distinct rows there are.
        rows: usize,
        /// The rank of the answers.
        rank: usize,
        /// How many neurons there are.
        width: usize,
        /// How many of them answer differently.
        columns: usize,
    },
    /// Rows that no threshold along a direction separates.
    #[error(
        "rows {} and {} project to {} and {}, too near for a threshold in double precision ({directions} \
         directions tried)",
        rows.0, rows.1, projections.0, projections.1
    )]
    NotSeparated {
        /// The distinct rows, counted from 1.
        rows: (usize, usize),
        /// Where they project to, rounded.
        projections: (f64, f64),
        /// How many directions were tried.
        directions: usize,
    },
    /// A dictionary that will not fit.
    #[error(
        "{patterns} patterns would need {:.1} GiB of memory: at most {most} are possible here",
        *bytes as f64 / f64::from(1 << 30)
    )]
    TooManyPatterns {
        /// How many patterns were asked for.
        patterns: u64,
        /// The memory they would take.
        bytes: u64,
        /// How many there is room for.
        most: u64,
    },
    /// An arrangement that may not fit.
    #[error(
        "the arrangement may have {bound} patterns ({:.1} GiB), more than the {limit} allowed: \
         use the method generate or sample",
        *bytes as f64 / f64::from(1 << 30)
    )]
    ArrangementTooLarge {
        /// How many patterns there may be.
        bound: u128,
        /// The memory these would take.
        bytes: u128,
        /// How many were allowed.
        limit: u128,
    },
    /// A layer that would take too long.
    #[error(
        "a layer has {sets} sets of neurons to visit, more than the {limit} allowed: use \
         smaller widths, or two layers"
    )]
    TooManySets {
        /// How many sets there are.
        sets: u128,
        /// How many were allowed.
        limit: u128,
    },
    /// Patterns that weights in double precision miss.
    #[error(
        "{patterns} patterns have cells too narrow for weights in double precision: round the data, or \
         list the patterns without weights"
    )]
    NarrowCells {
        /// How many there are.
        patterns: usize,
    },
    /// A number of inputs for which no proof is known.
    #[error(
        "neurons that read at most {max_inputs} of {columns} inputs cannot be priced: expected 1, 2, or \
         all {columns}"
    )]
    MaxInputs {
        /// How many inputs a neuron may read.
        max_inputs: usize,
        /// How many there are.
        columns: usize,
    },
    /// Pairs of columns that will not fit.
    #[error(
        "the pairs of {columns} columns on {rows} rows would need {:.1} GiB of memory, more than {:.1}: \
         use one input for each neuron, or fewer columns",
        *bytes as f64 / f64::from(1 << 30), *most as f64 / f64::from(1 << 30)
    )]
    TooManyPairs {
        /// How many columns there are.
        columns: usize,
        /// How many distinct rows there are.
        rows: usize,
        /// The memory they would take.
        bytes: u64,
        /// How much is allowed.
        most: u64,
    },
    /// There was no time for anything.
    #[error("stopped before the first result")]
    Interrupted,
    /// Rows that weights cannot tell apart.
    #[error(
        "{way}: rows of different labels are too close to each other for weights in double precision"
    )]
    TooClose {
        /// How they were to be told apart.
        way: &'static str,
    },
    /// Codes that would not fit into memory.
    #[error("given up: codes of {bits} bits for {rows} rows take too much memory")]
    TooManyCodes {
        /// Rows that have one.
        rows: usize,
        /// How long they are.
        bits: usize,
    },
    /// A fixed point for inputs that need none.
    #[error(
        "the inputs are whole numbers and are taken as they are: there is no fixed point of {bits} \
         bits to choose"
    )]
    WholeInputs {
        /// The width asked for.
        bits: u32,
    },
    /// Random layers that no model file could hold.
    #[error(
        "the random layers would have {weights} weights, more than the {most} of a model: use fewer \
         layers, or fewer neurons in each"
    )]
    TooManyWeights {
        /// How many there would be.
        weights: u64,
        /// How many there may be.
        most: usize,
    },
    /// A network that is larger than was allowed.
    #[error("given up: it takes more than {most} neurons")]
    TooManyNeurons {
        /// How many were allowed.
        most: usize,
    },
    /// A model file that is not one.
    #[error("{0}")]
    ModelFile(String),
    /// A file that cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: std::io::Error,
    },
    /// A file that cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: std::io::Error,
    },
}
