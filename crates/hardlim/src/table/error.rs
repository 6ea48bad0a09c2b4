//! What is wrong with a table, and where: file, row and column.

use std::io;

use super::Column;
use super::coding::{FEW_CLASSES, counted};
use super::names::{clip, nearest, plain};

/// A table that cannot be read or used. Prints as one line.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {}{fault}", plain(table), place(*.row, .column.as_deref()))]
pub struct TableError {
    /// The file, or the name of a built-in table.
    table: String,
    /// The row number that people see: the line of a text file (header included), otherwise counted
    /// from 1.
    row: Option<u64>,
    column: Option<String>,
    pub(super) fault: Fault,
}

impl TableError {
    /// How many values are missing and cannot be filled in, if that is what is wrong.
    pub fn missing(&mut self) -> Option<&mut usize> {
        match &mut self.fault {
            Fault::Missing { count } => Some(count),
            _ => None,
        }
    }
}

/// A name that is unknown.
#[derive(Debug, thiserror::Error)]
#[error("unknown {what} {got:?}: expected one of {expected}")]
pub struct Unknown {
    /// What is named, for example a loss.
    pub what: &'static str,
    /// The name that was given.
    pub got: String,
    /// The names that are known.
    pub expected: &'static str,
}

/// A row, a column or a field, before what is wrong with it; nothing for a table as a whole.
fn place(row: Option<u64>, column: Option<&str>) -> String {
    match (row, column.map(clip)) {
        (Some(row), Some(column)) => format!("row {row}, column {column:?}: "),
        (Some(row), None) => format!("row {row}: "),
        (None, Some(column)) => format!("column {column:?}: "),
        (None, None) => String::new(),
    }
}

/// Everything that can be wrong with a table.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    #[error("{0}")]
    Io(io::Error),
    #[error("no such file or built-in data set{}", did_you_mean(.near))]
    NotFound { near: Option<String> },
    #[error("it is a directory")]
    Directory,
    #[error("the file is empty")]
    Empty,
    #[error("there is a header but no rows")]
    HeaderOnly,
    #[error("expected {}, found {found}", counted(*.expected, "cell"))]
    Ragged { expected: usize, found: usize },
    #[error("expected {}, found {found}", counted(*.expected, "row"))]
    Length { expected: usize, found: usize },
    #[error("two columns have this name")]
    DuplicateName,
    #[error("it is a spreadsheet or an archive, not a table of text: save it as CSV")]
    Spreadsheet,
    #[error("not a text file: it holds a NUL byte")]
    Nul,
    #[error("not a text file: the bytes are not UTF-8")]
    Utf8,
    #[error("the row is longer than {limit} bytes")]
    LongRow { limit: u64 },
    #[error("decompressed, the file is longer than {limit} bytes")]
    LongFile { limit: u64 },
    #[error("found {found} {what}, more than the {limit} allowed")]
    TooMany { what: &'static str, found: u64, limit: u64 },
    #[cfg(feature = "parquet")]
    #[error("not a readable Parquet file: {}", plain(.0))]
    Parquet(String),
    #[error("cells of type {0} are neither numbers nor text (`ignore` leaves the column out)")]
    Unusable(String),
    #[error("expected a number, got {:?}{}", clip(.got), number_hint(.got, *.mixed))]
    ExpectedNumber { got: String, mixed: bool },
    #[error("expected a date or a time as in training, got {:?}", clip(.got))]
    ExpectedTime { got: String },
    #[error("expected a number with {words} as in training, got {:?}", clip(.got))]
    ExpectedNotation { got: String, words: String },
    #[error("the cells are amounts in {one} and in {other} (`categorical` reads them as labels)")]
    TwoCurrencies { one: String, other: String },
    #[error(
        "got {:?}, per cent among plain numbers: write all cells in the same way (`categorical` \
         reads them as \
         labels)",
        clip(.got)
    )]
    SomePercent { got: String },
    #[error("the other cells are text, got the number {got}{}", categorical_hint(true))]
    ExpectedText { got: f64 },
    #[error("{value:?} is out of range: {reason}")]
    Range { value: f64, reason: &'static str },
    #[error(
        "{} cannot be told from {stands} in double precision (`categorical` reads every cell of \
         the \
         column as text, `ignore` leaves it out)",
        clip(.got)
    )]
    Merged { got: String, stands: f64 },
    #[error(
        "the table and its features would need about {:.1} GiB of memory, and {:.1} GiB are \
         available \
         (training with `memory=1GiB` reads the rows block by block)",
        gibibytes(*.needed), gibibytes(*.available)
    )]
    Memory { needed: u64, available: u64 },
    #[error(
        "{} (training with `missing=mean` fills {} in)",
        if *.count == 1 { "a missing value".into() } else { format!("the first of {} missing \
            values", .count) },
        if *.count == 1 { "it" } else { "them" },
    )]
    Missing { count: usize },
    #[error("the {what} is missing")]
    MissingValue { what: &'static str },
    #[error("the column has no values (`ignore` leaves it out)")]
    NoValues,
    #[error("no column {:?}{instead}", clip(.wanted))]
    NoColumn { wanted: String, instead: String },
    #[error(
        "without a header, columns are matched by position: expected {} (one fewer without the \
         target), found {found}",
        counted(*.expected, "column")
    )]
    Width { expected: usize, found: usize },
    #[error("class weights need classes, the target is a number")]
    NoClasses,
    #[error("the column is both {one} and {other}")]
    Conflict { one: &'static str, other: &'static str },
    #[error(
        "no column is left as a feature: there {} {} in all{}",
        if *.columns == 1 { "is" } else { "are" }, counted(*.columns, "column"), .why
    )]
    NoFeatures { columns: usize, why: String },
    #[error("expected at least two rows, found {found}")]
    TooFewRows { found: usize },
    #[error("the target is always {value:?}: expected two classes, found one")]
    OneClass { value: String },
    #[error(
        "found {found} classes, more than the {limit} that {}",
        if *limit == FEW_CLASSES { "a target of text has unless `task=classify` asks for more" }
        else { "are trained" }
    )]
    ManyClasses { found: usize, limit: usize },
    #[error(
        "{got} is one of {found} values and not a whole number (`task=regress` takes numbers, \
         `categorical` takes every cell of the column as a label)"
    )]
    BrokenClass { got: String, found: usize },
    #[error("unknown class {:?}: expected {}", clip(.got), alternatives(.classes))]
    UnknownClass { got: String, classes: Vec<String> },
    #[error("`positive` is no class: expected {}, got {:?}", alternatives(.classes), clip(.got))]
    NoSuchClass { got: String, classes: Vec<String> },
    #[error("`positive` chooses between two classes, and the target {found}")]
    NotTwoClasses { found: String },
    #[error("expected a weight of at least zero, got {got}")]
    NegativeWeight { got: f64 },
    #[error("all sample weights are zero")]
    NoWeight,
    #[error("{0}")]
    Other(String),
}

impl Fault {
    /// Adds the place in a table to the fault.
    pub(crate) fn at(self, table: &str, row: Option<u64>, column: Option<&str>) -> TableError {
        let (table, column) = (table.to_owned(), column.map(str::to_owned));
        TableError { table, row, column, fault: self }
    }
}

fn gibibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}

/// The labels to choose from, as many as fit.
fn alternatives(labels: &[String]) -> String {
    const SHOWN: usize = 8;
    let mut names: Vec<String> =
        labels.iter().take(SHOWN).map(|label| format!("{:?}", clip(label))).collect();
    match (labels.len() > SHOWN, names.pop()) {
        (true, Some(last)) => format!("{}, {last}, …", names.join(", ")),
        (false, Some(last)) if !names.is_empty() => format!("{} or {last}", names.join(", ")),
        (_, last) => last.unwrap_or_default(),
    }
}

fn did_you_mean(near: &Option<String>) -> String {
    near.as_ref().map_or_else(String::new, |near| format!(": did you mean {near:?}?"))
}

/// The column that was probably meant by `name`; otherwise the columns to choose from.
pub(super) fn instead(name: &str, columns: &[Column]) -> String {
    const SHOWN: usize = 8;
    let names = || columns.iter().map(|column| column.name.as_str());
    if let Some(near) = nearest(name, names()) {
        return did_you_mean(&Some(near.to_owned()));
    }
    let shown: Vec<_> = names().take(SHOWN).map(|name| format!("{:?}", clip(name))).collect();
    let more = if columns.len() > SHOWN { ", …" } else { "" };
    format!(" among {}{more}", shown.join(", "))
}

fn categorical_hint(show: bool) -> &'static str {
    if show { " (`categorical` reads every cell of the column as text)" } else { "" }
}

/// What to do about a text among numbers; the spellings of missing values if it may mean one.
fn number_hint(got: &str, show: bool) -> String {
    const WORDS: [&str; 6] = ["na", "n.a.", "nil", "none", "missing", "unknown"];
    let missing = WORDS.contains(&got.to_lowercase().as_str())
        || !got.contains(|c: char| c.is_alphanumeric());
    let hint = categorical_hint(show);
    if missing {
        let hint = hint.strip_prefix(" (").map_or(")".into(), |hint| format!("; {hint}"));
        format!(" (missing values are empty, ?, NA, N/A, null or NaN{hint}")
    } else {
        hint.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_the_file_the_row_and_the_column() {
        let got = "wide".to_owned();
        let error = Fault::ExpectedNumber { got, mixed: false }.at("a.csv", Some(12), Some("w"));
        assert_eq!(
            error.to_string(),
            r#"cannot read a.csv: row 12, column "w": expected a number, got "wide""#
        );
        let error = Fault::Empty.at("a.csv", None, None);
        assert_eq!(error.to_string(), "cannot read a.csv: the file is empty");
    }

    #[test]
    fn one_thing_is_not_counted_as_several() {
        let line = |fault: Fault| fault.to_string();
        assert_eq!(line(Fault::Ragged { expected: 1, found: 2 }), "expected 1 cell, found 2");
        let why = String::new();
        let none = line(Fault::NoFeatures { columns: 1, why });
        assert_eq!(none, "no column is left as a feature: there is 1 column in all");
        let missing = line(Fault::Missing { count: 1 });
        assert_eq!(missing, "a missing value (training with `missing=mean` fills it in)");
    }

    #[test]
    fn what_may_mean_a_missing_value_is_told_how_to_be_spelled() {
        let line = |got: &str| Fault::ExpectedNumber { got: got.into(), mixed: true }.to_string();
        for got in ["-", "--", ".", "none", "Unknown"] {
            assert!(
                line(got).contains("(missing values are empty, ?, NA, N/A, null or NaN; "),
                "{got}"
            );
        }
        assert!(!line("wide").contains("missing"));
    }

    #[test]
    fn an_error_is_plain_whatever_the_names() {
        let got = "x\ny".repeat(1000);
        let error = Fault::ExpectedNumber { got, mixed: true }.at("a\nb", None, Some("c\nd"));
        assert!(!error.to_string().contains('\n'));
        assert!(error.to_string().len() < 300);
    }
}
