//! Small tables, and models trained on them.

use hardlim::Error;
use hardlim::data::{Dataset, TrainingSet};
use hardlim::table::{CodingOptions, Column, Fields, ReadOptions, Table};
use hardlim::train::{Request, Trained, Watch};

/// A table of these rows, the target last.
pub(crate) fn table(rows: &[Vec<f64>]) -> Table {
    let width = rows[0].len();
    let columns = (0..width).map(|j| Column {
        name: if j + 1 == width { "y".into() } else { format!("x{j}") },
        fields: Fields::Numbers(rows.iter().map(|row| row[j]).collect()),
    });
    Table::new("t", columns.collect()).expect("a table")
}

/// A table of this text.
pub(crate) fn read(text: &str) -> Table {
    Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).expect("a table")
}

/// The training set of a table, coded as without options.
pub(crate) fn coded(table: &Table) -> TrainingSet {
    TrainingSet::of_table(table, &CodingOptions::default()).expect("a training set")
}

/// The training set of a table, all columns as they are.
pub(crate) fn set(table: &Table) -> TrainingSet {
    let options = CodingOptions { keep_all: true, ..CodingOptions::default() };
    TrainingSet::of_table(table, &options).expect("a training set")
}

/// Widths as an option has them.
pub(crate) fn joined(widths: &[usize]) -> String {
    widths.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Trains on a training set.
pub(crate) fn train_on(request: &Request, set: &TrainingSet) -> Result<Trained, Error> {
    request.check(set)?.train(set, &Watch::default())
}

/// Trains on a table, all columns as they are.
pub(crate) fn train(request: &Request, table: &Table) -> (Trained, Dataset) {
    let set = set(table);
    (train_on(request, &set).expect("a model"), set.data().clone())
}
