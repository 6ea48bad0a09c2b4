//! The report of an experiment: tables, pictures, and a verdict on each claim.

use std::collections::BTreeSet;
use std::fmt;

use hardlim_plot::Figure;
use serde_json::Value;

use crate::experiments::experiment::Records;

/// The report of an experiment. The first figure has no suffix.
#[derive(Debug, Default)]
pub struct Report {
    /// A description of the experiment, with the settings of this run.
    pub setup: String,
    /// The pictures, each with the suffix of its file name.
    pub figures: Vec<(&'static str, Figure)>,
    /// The tables that are shown with the pictures.
    pub summaries: Vec<TextTable>,
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

/// Rows of text under named columns.
#[derive(Debug)]
pub struct TextTable {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table without rows; commas separate the names of its columns.
    pub(crate) fn new(columns: &str) -> Self {
        Self { columns: columns.split(", ").map(String::from).collect(), rows: Vec::new() }
    }

    /// Adds a row, with a cell for each column.
    pub(crate) fn row(&mut self, cells: &[&dyn fmt::Display]) {
        assert_eq!(cells.len(), self.columns.len(), "a cell for each column");
        self.rows.push(cells.iter().map(ToString::to_string).collect());
    }
}

/// The records as CSV: a line for each, or for each of a list of them. Lists of lists are left out;
/// columns of measured times end in `_seconds`.
pub fn csv(records: &Records) -> String {
    let mut lines: Vec<(String, &Value)> = Vec::new();
    for (key, record) in &records.0 {
        match record {
            Value::Array(list) => {
                lines.extend(list.iter().enumerate().map(|(k, r)| (format!("{key}/{k}"), r)));
            }
            _ => lines.push((key.clone(), record)),
        }
    }
    let fields = lines.iter().flat_map(|line| line.1.as_object().into_iter().flatten());
    let columns: BTreeSet<&str> =
        fields.filter(|(_, value)| cell(value).is_some()).map(|(name, _)| &name[..]).collect();
    let mut csv = csv::Writer::from_writer(Vec::new());
    let mut write = |line: Vec<&str>| csv.write_record(line).expect("writing to memory");
    write([&"key"].into_iter().chain(&columns).copied().collect());
    for (key, record) in &lines {
        let cells: Vec<String> =
            columns.iter().map(|name| cell(&record[name]).unwrap_or_default()).collect();
        write([key].into_iter().chain(&cells).map(|cell| &cell[..]).collect());
    }
    String::from_utf8(csv.into_inner().expect("writing to memory")).expect("all of it is text")
}

/// A number, a word, or a list of them as text.
fn cell(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text.clone()),
        Value::Array(list) if !list.iter().any(Value::is_array) => {
            Some(list.iter().filter_map(cell).collect::<Vec<_>>().join(" "))
        }
        Value::Array(_) | Value::Object(_) => None,
        number => Some(number.to_string()),
    }
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
    use serde_json::json;

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
    }

    #[test]
    fn records_are_lines_of_numbers() {
        let whole = json!({ "a": 0.5, "b": null, "c": [1, 2], "curve": [[1, 2], [3, 4]] });
        let records = [("x", whole), ("y", json!([{ "a": 1 }, { "b": "10, 01" }]))];
        let records = Records(records.map(|(key, record)| (key.into(), record)).into());
        assert_eq!(csv(&records), "key,a,b,c\nx,0.5,,1 2\ny/0,1,,\ny/1,,\"10, 01\",\n");
    }
}
