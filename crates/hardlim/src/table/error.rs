//! What is wrong with a table, and where: file, row and column.

use std::fmt::{self, Display, Formatter};
use std::io;

use super::Column;
use super::coding::{FEW_CLASSES, counted};
use super::names::{clip, nearest, plain};

/// A table that cannot be read or used. Prints as one line.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {place}{fault}", plain(table))]
pub struct TableError {
    /// The file, or the name of a built-in table.
    pub table: String,
    /// Where in the table.
    pub place: Place,
    /// What is wrong there.
    pub fault: Fault,
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

/// Something stored that contradicts itself.
#[derive(Debug, thiserror::Error)]
#[error("damaged {what}: {reason}")]
pub struct Damaged {
    /// What was stored.
    pub what: &'static str,
    /// What is wrong with it.
    pub reason: String,
}

/// A row, a column, a field, or a table as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The row number that people see: the line of a text file (header included), otherwise counted
    /// from 1.
    pub row: Option<u64>,
    /// The name of the column.
    pub column: Option<String>,
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.row, self.column.as_deref().map(clip)) {
            (Some(row), Some(column)) => write!(f, "row {row}, column {column:?}: "),
            (Some(row), None) => write!(f, "row {row}: "),
            (None, Some(column)) => write!(f, "column {column:?}: "),
            (None, None) => Ok(()),
        }
    }
}

/// Everything that can be wrong with a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The operating system refused.
    #[error("{0}")]
    Io(io::Error),
    /// There is neither a file nor a built-in table of that name.
    #[error("no such file or built-in data set{}", did_you_mean(.near))]
    NotFound {
        /// A built-in table with a similar name.
        near: Option<String>,
    },
    /// The path names a directory.
    #[error("it is a directory")]
    Directory,
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// There is a header but no rows.
    #[error("there is a header but no rows")]
    HeaderOnly,
    /// A row is shorter or longer than the first.
    #[error("expected {}, found {found}", counted(*.expected, "cell"))]
    Ragged {
        /// Fields in the first row.
        expected: usize,
        /// Fields in this one.
        found: usize,
    },
    /// The columns have different lengths.
    #[error("expected {}, found {found}", counted(*.expected, "row"))]
    Length {
        /// Rows in the first column.
        expected: usize,
        /// Rows in this one.
        found: usize,
    },
    /// Two columns share a name.
    #[error("two columns have this name")]
    DuplicateName,
    /// A spreadsheet, or another file that is not a table of text.
    #[error("it is a spreadsheet or an archive, not a table of text: save it as CSV")]
    Spreadsheet,
    /// A NUL byte, which no text file holds.
    #[error("not a text file: it holds a NUL byte")]
    Nul,
    /// Bytes that are not UTF-8.
    #[error("not a text file: the bytes are not UTF-8")]
    Utf8,
    /// A row that is too long.
    #[error("the row is longer than {limit} bytes")]
    LongRow {
        /// The most a row may have.
        limit: u64,
    },
    /// A compressed file that is too long when decompressed.
    #[error("decompressed, the file is longer than {limit} bytes")]
    LongFile {
        /// The most a decompressed file may have.
        limit: u64,
    },
    /// More of something than a table may hold.
    #[error("found {found} {what}, more than the {limit} allowed")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many there are, at least.
        found: u64,
        /// How many there may be.
        limit: u64,
    },
    /// The Parquet file is damaged, or uses a feature that we do not read.
    #[error("not a readable Parquet file: {}", plain(.0))]
    Parquet(String),
    /// This build does not read Parquet.
    #[error("reading Parquet files needs a build with `--features full`")]
    ParquetFeature,
    /// A column that holds neither numbers nor text.
    #[error("cells of type {0} are neither numbers nor text (`ignore` leaves the column out)")]
    Unusable(String),
    /// Text where numbers are expected.
    #[error("expected a number, got {:?}{}", clip(.got), number_hint(.got, *.mixed))]
    ExpectedNumber {
        /// The field.
        got: String,
        /// Whether naming the column categorical would help.
        mixed: bool,
    },
    /// Text that is not a date or a time, where these are expected.
    #[error("expected a date or a time as in training, got {:?}", clip(.got))]
    ExpectedTime {
        /// The field.
        got: String,
    },
    /// A number that is not written as the others.
    #[error("expected a number with {words} as in training, got {:?}", clip(.got))]
    ExpectedNotation {
        /// The field.
        got: String,
        /// How numbers are written.
        words: String,
    },
    /// Amounts in two currencies.
    #[error("the cells are amounts in {one} and in {other} (`categorical` reads them as labels)")]
    TwoCurrencies {
        /// One currency.
        one: String,
        /// Another one.
        other: String,
    },
    /// Per cent signs in some cells only.
    #[error(
        "got {:?}, per cent among plain numbers: write all cells in the same way (`categorical` reads them as \
         labels)",
        clip(.got)
    )]
    SomePercent {
        /// The field.
        got: String,
    },
    /// A number where text is expected.
    #[error("the other cells are text, got the number {got}{}", categorical_hint(true))]
    ExpectedText {
        /// The field.
        got: f64,
    },
    /// A number outside the supported range.
    #[error("{value:?} is out of range: {reason}")]
    Range {
        /// The field.
        value: f64,
        /// The range that the number must be in.
        reason: &'static str,
    },
    /// A number that becomes a different one in double precision.
    #[error(
        "{} cannot be told from {stands} in double precision (`categorical` reads every cell of the \
         column as text, `ignore` leaves it out)",
        clip(.got)
    )]
    Merged {
        /// The field.
        got: String,
        /// The double it becomes.
        stands: f64,
    },
    /// A table that does not fit into memory.
    #[error(
        "the table and its features would need about {:.1} GiB of memory, and {:.1} GiB are available \
         (training with `memory=1GiB` reads the rows block by block)",
        gibibytes(*.needed), gibibytes(*.available)
    )]
    Memory {
        /// The bytes that the table and its features need.
        needed: u64,
        /// The bytes that are available.
        available: u64,
    },
    /// Missing values that cannot be filled in.
    #[error(
        "{} (training with `missing=mean` fills {} in)",
        if *.count == 1 { "a missing value".into() } else { format!("the first of {} missing values", .count) },
        if *.count == 1 { "it" } else { "them" },
    )]
    Missing {
        /// How many there are in all.
        count: usize,
    },
    /// A target or a sample weight without a value; these are never filled in.
    #[error("the {what} is missing")]
    MissingValue {
        /// What the column is for.
        what: &'static str,
    },
    /// A column without any value.
    #[error("the column has no values (`ignore` leaves it out)")]
    NoValues,
    /// There is no column of that name.
    #[error("no column {:?}{instead}", clip(.wanted))]
    NoColumn {
        /// The name.
        wanted: String,
        /// The name that was probably meant, or the names to choose from.
        instead: String,
    },
    /// A table without a header has the wrong number of columns.
    #[error(
        "without a header, columns are matched by position: expected {} (one fewer without the \
         target), found {found}",
        counted(*.expected, "column")
    )]
    Width {
        /// The columns of the training table.
        expected: usize,
        /// The columns of this one.
        found: usize,
    },
    /// Class weights for a target that is a number.
    #[error("class weights need classes, the target is a number")]
    NoClasses,
    /// One column is given two roles.
    #[error("the column is both {one} and {other}")]
    Conflict {
        /// The first role.
        one: &'static str,
        /// The second role.
        other: &'static str,
    },
    /// No feature is left.
    #[error(
        "no column is left as a feature: there {} {} in all{}",
        if *.columns == 1 { "is" } else { "are" }, counted(*.columns, "column"), .why
    )]
    NoFeatures {
        /// The columns of the table.
        columns: usize,
        /// Which columns were left out and why; it may be empty.
        why: String,
    },
    /// There are too few rows.
    #[error("expected at least two rows, found {found}")]
    TooFewRows {
        /// The rows of the table.
        found: usize,
    },
    /// A target with only one value.
    #[error("the target is always {value:?}: expected two classes, found one")]
    OneClass {
        /// The one value.
        value: String,
    },
    /// A target with too many values to be classes.
    #[error(
        "found {found} classes, more than the {limit} that {}",
        if *limit == FEW_CLASSES { "a target of text has unless `task=classify` asks for more" }
        else { "are trained" }
    )]
    ManyClasses {
        /// How many there are.
        found: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A class that is not a whole number, although there are many classes.
    #[error(
        "{got} is one of {found} values and not a whole number (`task=regress` takes numbers, \
         `categorical` takes every cell of the column as a label)"
    )]
    BrokenClass {
        /// The label.
        got: String,
        /// How many values there are.
        found: usize,
    },
    /// A label that is not one of the classes.
    #[error("unknown class {:?}: expected {}", clip(.got), alternatives(.classes))]
    UnknownClass {
        /// The label.
        got: String,
        /// The classes.
        classes: Vec<String>,
    },
    /// A sample weight below zero.
    #[error("expected a weight of at least zero, got {got}")]
    NegativeWeight {
        /// The weight.
        got: f64,
    },
    /// All sample weights are zero.
    #[error("all sample weights are zero")]
    NoWeight,
    /// The bits of inputs are out of range.
    #[error("{0}")]
    Bits(String),
    /// Features that are given contradict each other.
    #[error("{0}")]
    Features(String),
}

impl Fault {
    /// Adds the place in a table to the fault.
    pub(crate) fn at(self, table: &str, row: Option<u64>, column: Option<&str>) -> TableError {
        let place = Place { row, column: column.map(str::to_owned) };
        TableError { table: table.to_owned(), place, fault: self }
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
    match missing {
        true if show => {
            " (missing values are empty, ?, NA, N/A, null or NaN; `categorical` reads every cell of the column \
             as text)"
                .into()
        }
        true => " (missing values are empty, ?, NA, N/A, null or NaN)".into(),
        false => categorical_hint(show).into(),
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
