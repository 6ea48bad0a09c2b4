//! From a table to `X` and `y`, by its coding.

use super::{Dataset, Features};
use crate::error::Error;
use crate::table::coding::{self, Coding, CodingOptions};
use crate::table::{Fault, SMALLEST, Table};

/// `X` of every column of a table except ignored ones, the weight, and the target; the names of the
/// columns of `X`; the column that was left out as the target. That is the last of the other
/// columns, unless `options` name it. Without `has_target` no column is the target.
///
/// # Errors
/// When a column does not exist, mixes numbers and text, or has missing values; when no column is
/// left.
pub fn inputs(
    table: &Table,
    options: &CodingOptions,
    has_target: bool,
) -> Result<(Features, Vec<String>, Option<String>), Error> {
    let target = has_target.then(|| options.target_position(table)).transpose()?;
    let (names, values) = coding::inputs(table, options, target)?;
    let features = Features::new(table.rows(), names.len(), values)?;
    Ok((features, names, target.map(|j| table.columns()[j].name.clone())))
}

impl Coding {
    /// `X`, from a table with or without the target.
    ///
    /// # Errors
    /// When a column does not exist; when a field is not a number or a date where one is expected,
    /// or is out of range; when a value is missing and there is nothing to fill it with.
    pub fn features(&self, table: &Table) -> Result<Features, Error> {
        Features::new(table.rows(), self.dimension(), self.encode(table)?)
    }

    /// The training set: features, targets and [`Coding::sample_weights`].
    pub fn dataset(&self, table: &Table) -> Result<Dataset, Error> {
        let (x, y) = (self.features(table)?, self.targets(table)?);
        self.grouped(x, &y, self.sample_weights(table)?.as_deref())
    }

    /// The training set of these features, targets and training weights.
    pub(super) fn grouped(
        &self,
        x: Features,
        y: &[f64],
        weights: Option<&[f64]>,
    ) -> Result<Dataset, Error> {
        match self.networks() {
            1 => Dataset::new(x, y, weights),
            classes => Dataset::of_classes(x, y, weights, classes),
        }
    }

    /// The same coding with numbers rounded to steps of at most `bits` bits, chosen for these
    /// rows.
    pub fn with_bits(self, x: &Features, bits: u32) -> Result<Self, Error> {
        let refused = |fault: Fault| Error::Option { option: "bits", problem: fault.to_string() };
        self.with_steps(x.values(), bits).map_err(refused)
    }

    /// Features as read, rounded to the steps of their columns. Rows that are rounded stay as they
    /// are.
    pub fn rounded(&self, x: Features) -> Features {
        if self.columns().iter().all(|coding| coding.steps.is_none()) {
            return x;
        }
        let (steps, rows) = (self.steps(), x.rows());
        let values = x.values().iter().zip(steps.iter().cycle());
        let values = values.map(|(x, steps)| steps.map_or(*x, |s| s.round(*x))).collect();
        Features::new(rows, x.dimension(), values).expect("as many finite numbers")
    }

    /// The same coding of numbers, with the mean of each column in the place of missing values.
    #[must_use]
    pub fn filling(self, x: &Features) -> Self {
        let mean = |j: usize| {
            let sum: f64 = (0..x.rows()).map(|i| x.row(i)[j]).sum();
            let mean = sum / x.rows() as f64;
            if mean.abs() < SMALLEST { 0.0 } else { mean }
        };
        self.with_fills((0..x.dimension()).map(mean))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Missing, ReadOptions};

    fn read(text: &str) -> Table {
        Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap()
    }

    #[test]
    fn targets_of_any_kind_are_left_out() {
        let table = read("a,b,y\n1,2,u\n3,4,v\n5,6,w\n");
        let usual = CodingOptions::default();
        let (features, names, target) = inputs(&table, &usual, true).unwrap();
        assert_eq!((names.join(","), target), ("a,b".into(), Some("y".into())));
        assert_eq!(features.values(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let (_, names, target) = inputs(&table, &usual, false).unwrap();
        assert_eq!(names, ["a", "b", "y=u", "y=v", "y=w"]);
        assert_eq!(target, None);
    }

    #[test]
    fn one_row_is_enough_and_no_column_is_not() {
        let table = read("a,y\n1,2\n");
        let usual = CodingOptions::default();
        assert_eq!(inputs(&table, &usual, true).unwrap().0.values(), [1.0]);
        let ignore = vec!["a".to_owned()];
        let options = CodingOptions { ignore, ..CodingOptions::default() };
        assert!(inputs(&table, &options, true).is_err());
        assert_eq!(inputs(&table, &options, false).unwrap().1, ["y"]);
        let gap = read("a,b,y\n1,,2\n3,4,5\n");
        assert_eq!(inputs(&gap, &usual, true).unwrap().1, ["a", "b", "b.missing"]);
        let strict = CodingOptions { missing: Missing::Error, ..CodingOptions::default() };
        let error = inputs(&gap, &strict, true).unwrap_err();
        assert!(error.to_string().contains("row 2, column \"b\""), "{error}");
    }
}
