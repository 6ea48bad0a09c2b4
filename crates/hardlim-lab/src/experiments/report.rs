//! The report of an experiment: tables, pictures, and a verdict on each claim.

use std::fmt;

use hardlim_plot::Figure;
use serde_json::Value;

use crate::experiments::experiment::number;

/// The report of an experiment. The first table and figure have no suffix.
#[derive(Debug, Default)]
pub struct Report {
    /// A description of the experiment, with the settings of this run.
    pub setup: String,
    /// The tables, each with the suffix of its file name.
    pub tables: Vec<(&'static str, Table)>,
    /// The pictures, each with the suffix of its file name.
    pub figures: Vec<(&'static str, Figure)>,
    /// The tables that are shown with the pictures.
    pub summaries: Vec<Table>,
    /// The claims, and our results.
    pub claims: Vec<Claim>,
}

/// A claim, and our result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Where the paper makes it.
    pub source: &'static str,
    /// The claim.
    pub expected: String,
    /// Our result, with its numbers.
    pub found: String,
    /// Whether the two agree.
    pub verdict: Verdict,
}

/// Whether a claim holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Our result agrees with the claim.
    Reproduced,
    /// Our result goes beyond the claim, in its direction.
    Better,
    /// Our result disagrees with the claim.
    NotReproduced,
    /// Our result neither agrees nor disagrees: the runs do not decide it.
    Undecided,
    /// The claim holds in another form.
    Corrected,
    /// A measurement of ours, without a claim to compare it with.
    Measured,
}

impl Verdict {
    /// The verdict on a claim that holds or does not.
    pub(crate) fn of(holds: bool) -> Self {
        if holds { Self::Reproduced } else { Self::NotReproduced }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reproduced => "reproduced",
            Self::Better => "better",
            Self::NotReproduced => "not reproduced",
            Self::Undecided => "undecided",
            Self::Corrected => "corrected",
            Self::Measured => "measured",
        })
    }
}

/// Rows of text under named columns. Columns of measured times end in `_seconds`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows; commas separate the names of its columns.
    pub(crate) fn new(columns: &str) -> Self {
        Self { columns: columns.split(", ").map(String::from).collect(), rows: Vec::new() }
    }

    /// Adds a row of texts and then numbers. Numbers have all their digits; NaN is an empty cell.
    pub(crate) fn row(&mut self, texts: &[&dyn fmt::Display], numbers: &[f64]) {
        let numbers = numbers.iter().map(|number| number as &dyn fmt::Display);
        let cells = texts.iter().copied().chain(numbers).map(ToString::to_string);
        let row: Vec<String> =
            cells.map(|cell| if cell == "NaN" { String::new() } else { cell }).collect();
        assert_eq!(row.len(), self.columns.len(), "a cell for each column");
        self.rows.push(row);
    }

    /// The table as CSV.
    pub fn csv(&self) -> Vec<u8> {
        let mut csv = csv::Writer::from_writer(Vec::new());
        for row in [&self.columns].into_iter().chain(&self.rows) {
            csv.write_record(row).expect("writing to memory");
        }
        csv.into_inner().expect("writing to memory")
    }
}

/// Numbers of a record; commas separate the names of their fields.
pub(crate) fn numbers(record: &Value, fields: &str) -> Vec<f64> {
    fields.split(", ").map(|field| number(record, field)).collect()
}

/// A number with four significant digits.
pub(crate) fn short(value: f64) -> String {
    match value.abs() {
        _ if value.is_nan() => "–".into(),
        0.0 => "0".into(),
        size if (1e-3..1e5).contains(&size) => {
            let digits = (3 - size.log10().floor() as i32).max(0) as usize;
            format!("{value:.digits$}")
        }
        _ => format!("{value:.3e}"),
    }
}

/// Items in a line; "none" if there are none.
pub(crate) fn listed(items: &[String], separator: &str) -> String {
    if items.is_empty() { "none".into() } else { items.join(separator) }
}

/// An accuracy with three digits.
pub(crate) fn part(value: f64) -> String {
    if value.is_nan() { "–".into() } else { format!("{value:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.012345, "0.01235"),
            (12.5, "12.50"),
            (1234.5, "1234"),
            (1e-7, "1.000e-7"),
        ] {
            assert_eq!(short(value), text);
        }
        let mut table = Table::new("text, number");
        table.row(&[&"x"], &[f64::NAN]);
        assert_eq!(table.rows, [["x", ""]]);
    }
}
