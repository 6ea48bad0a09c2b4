//! Small tables, and models trained on them.

use hardlim::data::{Cells, Coding, CodingOptions, Column, Dataset, Table};
use hardlim::train::{Trained, Trainer};

/// A table of these rows, the target last.
pub(crate) fn table(rows: &[Vec<f64>]) -> Table {
    let width = rows[0].len();
    let columns = (0..width).map(|j| Column {
        name: if j + 1 == width { "y".into() } else { format!("x{j}") },
        cells: Cells::Numbers(rows.iter().map(|row| row[j]).collect()),
    });
    Table::new("t", columns.collect()).expect("a table")
}

/// Trains on a table, all columns as they are.
pub(crate) fn train(trainer: &Trainer<'_>, table: &Table) -> (Trained, Dataset) {
    let coding = Coding::fit(table, &CodingOptions::default()).expect("a coding");
    let data = coding.dataset(table).expect("a training set");
    let trained = trainer.train(&data, coding, None).expect("a model");
    (trained, data)
}
