//! Reading: files become columns of numbers and text, and a [`Coding`] says what each column means.
//!
//! ```
//! use hardlim::table::{Coding, CodingOptions, ReadOptions, Table};
//!
//! let table = Table::open("titanic", &ReadOptions::default())?;
//! let coding = Coding::fit(&table, &CodingOptions::default())?;
//! let data = coding.dataset(&table)?;
//! assert_eq!((data.samples(), data.distinct(), data.dimension()), (2201, 14, 3));
//! # Ok::<(), hardlim::Error>(())
//! ```

pub mod builtin;
pub(crate) mod bytes;
pub(crate) mod coding;
mod csv;
pub(crate) mod error;
pub(crate) mod fields;
mod fingerprint;
pub mod memory;
pub(crate) mod named;
pub mod names;
mod packed;
#[cfg_attr(not(feature = "parquet"), path = "no_parquet.rs")]
mod parquet;
pub(crate) mod reading;
mod sniff;
pub(crate) mod source;
mod stream;

pub use coding::{Coding, CodingOptions, Missing, TargetCoding, Task};
pub use coding::{ColumnCoding, ColumnDescription, ColumnRef, Description, Kind, LeftOut, Reading};
pub use coding::{Reason, Steps, Tally};
pub(crate) use error::Fault;
pub use error::{Damaged, TableError, Unknown};
pub use fields::{Field, Fields};
pub(crate) use fields::{LARGEST, SMALLEST, out_of_range};
pub use fingerprint::{Fingerprint, RowSum};
pub use source::ReadOptions;

use std::collections::HashMap;

use reading::notation::may_be_grouped;

/// The most columns a table may have.
pub(crate) const COLUMNS: usize = 1 << 20;
/// The most fields a table may have.
pub(crate) const FIELDS: usize = 1 << 31;

/// Columns of equal length under distinct names.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    source: String,
    named: bool,
    rows: usize,
    columns: Vec<Column>,
    positions: HashMap<String, usize>,
    numbering: Numbering,
    /// For each column of a text file, its numbers that are written like `1.234`.
    grouped: Vec<Grouped>,
    /// The encoding of the file, if it is not UTF-8.
    encoding: Option<&'static str>,
    /// Whether semicolons stand between the fields of a text file, and commas within fields.
    semicolons: bool,
    /// The rows from which on they come from another source, if the table was put together from several.
    origins: Vec<(usize, String)>,
    /// The SHA-256 of the files that it was read from.
    files: Vec<Fingerprint>,
}

/// One column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name in the header.
    pub name: String,
    /// Its fields.
    pub fields: Fields,
}

impl Table {
    /// Makes a table from its columns; errors call it `source`. Rows are numbered from 1.
    ///
    /// # Errors
    /// When two columns have the same name or different lengths, or the table is too large.
    pub fn new(source: impl Into<String>, columns: Vec<Column>) -> Result<Self, TableError> {
        Self::with_numbering(source.into(), true, columns, Numbering::default())
    }

    /// Makes a table without a header: its columns are matched by position and get default names.
    ///
    /// # Errors
    /// As for [`Table::new`].
    pub fn unnamed(source: impl Into<String>, columns: Vec<Fields>) -> Result<Self, TableError> {
        let columns = default_names(columns.len())
            .into_iter()
            .zip(columns)
            .map(|(name, fields)| Column { name, fields })
            .collect();
        Self::with_numbering(source.into(), false, columns, Numbering::default())
    }

    pub(crate) fn with_numbering(
        source: String,
        named: bool,
        columns: Vec<Column>,
        numbering: Numbering,
    ) -> Result<Self, TableError> {
        let rows = columns.first().map_or(0, |column| column.fields.len());
        let mut positions = HashMap::with_capacity(columns.len());
        for (j, Column { name, fields }) in columns.iter().enumerate() {
            if positions.insert(name.clone(), j).is_some() {
                return Err(Fault::DuplicateName.at(&source, None, Some(name)));
            }
            if fields.len() != rows {
                let fault = Fault::Length { expected: rows, found: fields.len() };
                return Err(fault.at(&source, None, Some(name)));
            }
        }
        check_size(rows, columns.len()).map_err(|fault| fault.at(&source, None, None))?;
        Ok(Self {
            source,
            named,
            rows,
            columns,
            positions,
            numbering,
            grouped: Vec::new(),
            encoding: None,
            semicolons: false,
            origins: Vec::new(),
            files: Vec::new(),
        })
    }

    /// The same table of a text file: which of its numbers are written like `1.234`, its encoding if
    /// it is not UTF-8, and whether semicolons stand between fields and commas within.
    pub(crate) fn with_spelling(
        mut self,
        mut grouped: Vec<Grouped>,
        encoding: Option<&'static str>,
        semicolons: bool,
    ) -> Self {
        grouped.truncate(self.columns.len());
        (self.grouped, self.encoding, self.semicolons) = (grouped, encoding, semicolons);
        self
    }

    /// The same table, where the numbers of column `j` in these rows were written so: a point may stand between
    /// thousands. The rows are in order.
    #[must_use]
    pub fn with_texts<'a>(
        mut self,
        j: usize,
        texts: impl IntoIterator<Item = (usize, &'a str)>,
    ) -> Self {
        self.grouped.resize(self.columns.len(), Grouped::default());
        for (i, text) in texts {
            if let Field::Number(_) = self.field(i, j) {
                self.grouped[j].note(i, text);
            }
        }
        self
    }

    /// The same table, read from files of these hashes.
    pub(crate) fn with_files(self, files: Vec<Fingerprint>) -> Self {
        Self { files, ..self }
    }

    /// The SHA-256 of the bytes of each of its files, as they are stored.
    pub fn files(&self) -> &[Fingerprint] {
        &self.files
    }

    /// The table with one more column, on the right.
    pub(crate) fn with_column(&self, column: Column) -> Result<Self, TableError> {
        let columns = self.columns.iter().cloned().chain([column]).collect();
        let (source, numbering) = (self.source.clone(), self.numbering.clone());
        let table = Self::with_numbering(source, self.named, columns, numbering)?;
        Ok(table.with_spelling(self.grouped.clone(), self.encoding, self.semicolons))
    }

    /// Whether it is a text file with semicolons between its fields, and commas within fields.
    pub(crate) fn has_semicolons(&self) -> bool {
        self.semicolons
    }

    /// The encoding of the file, if it is not UTF-8.
    pub fn encoding(&self) -> Option<&'static str> {
        self.encoding
    }

    /// What is unusual about the file, one sentence for each thing.
    pub fn notes(&self) -> Vec<String> {
        self.encoding.iter().map(|encoding| format!("the file is read as {encoding}")).collect()
    }

    /// The numbers of column `j` that are written like `1.234`.
    pub(crate) fn grouped(&self, j: usize) -> Option<&Grouped> {
        self.grouped.get(j)
    }

    /// Whether the number in row `i` of column `j` is written like `1.234`.
    pub(crate) fn is_grouped(&self, i: usize, j: usize) -> bool {
        self.grouped(j).is_some_and(|grouped| grouped.rows.binary_search(&(i as u32)).is_ok())
    }

    /// The name of the file or built-in table.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the columns have names of their own; otherwise they are called `x1`, `x2`, …, `y`.
    pub fn named(&self) -> bool {
        self.named
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns from left to right.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The position of the column with this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.positions.get(name).copied()
    }

    /// The position of the column that a user means: by its name, or else by its number from 1.
    ///
    /// # Errors
    /// When there is no such column.
    pub fn find(&self, name: &str) -> Result<usize, TableError> {
        let number = || name.parse::<usize>().ok()?.checked_sub(1);
        self.position(name)
            .or_else(|| number().filter(|&j| j < self.columns.len()))
            .ok_or_else(|| self.no_column(name))
    }

    /// The error for a column that does not exist.
    pub(crate) fn no_column(&self, name: &str) -> TableError {
        let instead = error::instead(name, &self.columns);
        self.error(Fault::NoColumn { wanted: name.to_owned(), instead })
    }

    /// The field in row `i` of column `j`.
    pub fn field(&self, i: usize, j: usize) -> Field<'_> {
        self.columns[j].fields.get(i)
    }

    /// The number of row `i` that people see.
    pub fn row_number(&self, i: usize) -> u64 {
        self.numbering.get(i)
    }

    /// The table of these rows, in this order. Errors still give their numbers in this table.
    pub fn select(&self, rows: &[usize]) -> Self {
        let columns = (self.columns.iter())
            .map(|Column { name, fields }| {
                let mut kept = match fields {
                    Fields::Unusable(kind, _) => Fields::Unusable(kind.clone(), 0),
                    _ => Fields::default(),
                };
                rows.iter().for_each(|&i| kept.push(fields.get(i)));
                Column { name: name.clone(), fields: kept }
            })
            .collect();
        let mut numbering = Numbering::default();
        rows.iter().enumerate().for_each(|(k, &i)| numbering.set(k, self.row_number(i)));
        let grouped = self.grouped.iter().map(|grouped| grouped.select(rows)).collect();
        let mut origins = Vec::new();
        let mut last = self.source();
        for (k, &i) in rows.iter().enumerate().filter(|_| !self.origins.is_empty()) {
            if self.origin(i) != last {
                last = self.origin(i);
                origins.push((k, last.to_owned()));
            }
        }
        Self {
            source: self.source.clone(),
            named: self.named,
            rows: rows.len(),
            columns,
            positions: self.positions.clone(),
            numbering,
            grouped,
            encoding: self.encoding,
            semicolons: self.semicolons,
            origins,
            files: Vec::new(),
        }
    }

    /// Adds the rows of another table below, whose columns have the same names, or the same number if they have
    /// none. Errors give the rows their numbers in their own table.
    ///
    /// # Errors
    /// When a column is missing there, or the table becomes too large.
    pub(crate) fn append(&mut self, other: &Self) -> Result<(), TableError> {
        let width = self.columns.len();
        if !self.named && other.columns.len() != width {
            let fault = Fault::Width { expected: width, found: other.columns.len() };
            return Err(other.error(fault));
        }
        check_size(self.rows + other.rows, width).map_err(|fault| other.error(fault))?;
        let place = |name: &str| other.position(name).ok_or_else(|| other.no_column(name));
        let places: Vec<usize> = match self.named {
            true => {
                self.columns.iter().map(|c| place(&c.name)).collect::<Result<_, TableError>>()?
            }
            false => (0..width).collect(),
        };
        self.grouped.resize(width, Grouped::default());
        for (j, &place) in places.iter().enumerate() {
            let fields = &mut self.columns[j].fields;
            other.columns[place].fields.iter().for_each(|field| fields.push(field));
            if let Some(grouped) = other.grouped(place) {
                self.grouped[j].append(grouped, self.rows);
            }
        }
        for i in 0..other.rows {
            self.numbering.set(self.rows + i, other.row_number(i));
        }
        let last = self.origins.last().map_or(self.source(), |(_, source)| source);
        if last != other.source() {
            self.origins.push((self.rows, other.source.clone()));
        }
        self.rows += other.rows;
        self.encoding = self.encoding.or(other.encoding);
        Ok(())
    }

    /// Where row `i` comes from.
    fn origin(&self, i: usize) -> &str {
        match self.origins.partition_point(|(row, _)| *row <= i) {
            0 => &self.source,
            k => &self.origins[k - 1].1,
        }
    }

    /// A fault with the field in row `i` of column `j`.
    pub(crate) fn field_error(&self, i: usize, j: usize, fault: Fault) -> TableError {
        fault.at(self.origin(i), Some(self.row_number(i)), Some(&self.columns[j].name))
    }

    /// A fault with column `j`.
    pub(crate) fn column_error(&self, j: usize, fault: Fault) -> TableError {
        fault.at(&self.source, None, Some(&self.columns[j].name))
    }

    /// A fault with the table.
    pub(crate) fn error(&self, fault: Fault) -> TableError {
        fault.at(&self.source, None, None)
    }
}

/// The numbers of a column that are written like `1.234`: with a decimal point, or with a point
/// between thousands.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Grouped {
    /// Their rows.
    rows: Vec<u32>,
    /// Whether another number of the column has a decimal point.
    decimals: bool,
}

impl Grouped {
    /// Adds those of rows that follow, from this row on.
    fn append(&mut self, other: &Self, rows: usize) {
        self.rows.extend(other.rows.iter().map(|&i| i + rows as u32));
        self.decimals |= other.decimals;
    }

    /// Notes the number in row `i`.
    pub(crate) fn note(&mut self, i: usize, text: &str) {
        if text.contains('.') {
            if may_be_grouped(text) { self.rows.push(i as u32) } else { self.decimals = true }
        }
    }

    /// The first row with such a number.
    pub(crate) fn first(&self) -> Option<usize> {
        self.rows.first().map(|&i| i as usize)
    }

    /// Whether a number of the column has a decimal point for certain.
    pub(crate) fn has_decimals(&self) -> bool {
        self.decimals
    }

    fn select(&self, rows: &[usize]) -> Self {
        let found = |i: &usize| self.rows.binary_search(&(*i as u32)).is_ok();
        let kept = rows.iter().enumerate().filter(|(_, i)| found(i));
        Self { rows: kept.map(|(k, _)| k as u32).collect(), decimals: self.decimals }
    }
}

/// `x1`, `x2`, …, `y`: the names of columns without names.
pub(crate) fn default_names(columns: usize) -> Vec<String> {
    let name = |j| if j == columns { "y".to_owned() } else { format!("x{j}") };
    (1..=columns).map(name).collect()
}

/// Refuses a table that is too large.
pub(crate) fn check_size(rows: usize, columns: usize) -> Result<(), Fault> {
    let check = |what, found: u64, limit: u64| {
        if found > limit { Err(Fault::TooMany { what, found, limit }) } else { Ok(()) }
    };
    check("columns", columns as u64, COLUMNS as u64)?;
    check("cells", (rows as u64).saturating_mul(columns as u64), FIELDS as u64)
}

/// Refuses a table of `bytes` bytes if the memory is too small; its features need about as much
/// again. `taken` of these bytes may be in use already. By default the limit is the available
/// memory.
pub(crate) fn check_memory(bytes: u64, taken: u64, limit: Option<u64>) -> Result<(), Fault> {
    let left = || memory::available().map(|left| left.saturating_add(taken));
    let needed = bytes.saturating_mul(2);
    match limit.or_else(left) {
        Some(available) if needed > available => Err(Fault::Memory { needed, available }),
        _ => Ok(()),
    }
}

/// The row numbers. They go up by one, except where a line is skipped or a row spans several lines.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Numbering {
    /// The rows whose number is not the number before plus one, with their numbers.
    jumps: Vec<(usize, u64)>,
}

impl Numbering {
    /// Sets the number of row `i`. Rows come in order.
    pub(crate) fn set(&mut self, i: usize, number: u64) {
        if self.get(i) != number {
            self.jumps.push((i, number));
        }
    }

    fn get(&self, i: usize) -> u64 {
        match self.jumps.partition_point(|&(row, _)| row <= i) {
            0 => i as u64 + 1,
            k => self.jumps[k - 1].1 + (i - self.jumps[k - 1].0) as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, values: &[f64]) -> Column {
        Column { name: name.into(), fields: Fields::Numbers(values.to_vec()) }
    }

    #[test]
    fn columns_are_found_by_name_and_then_by_number() {
        let columns = vec![column("a", &[1.0]), column("3", &[2.0]), column("width", &[3.0])];
        let table = Table::new("t", columns).unwrap();
        assert_eq!(table.find("a").unwrap(), 0);
        assert_eq!(table.find("3").unwrap(), 1);
        assert_eq!(table.find("1").unwrap(), 0);
        let error = |name| table.find(name).unwrap_err().to_string();
        assert_eq!(error("widht"), r#"cannot read t: no column "widht": did you mean "width"?"#);
        assert_eq!(error("0"), r#"cannot read t: no column "0" among "a", "3", "width""#);
        assert_eq!(error("label"), r#"cannot read t: no column "label" among "a", "3", "width""#);
    }

    #[test]
    fn names_are_distinct_and_lengths_equal() {
        let error = |columns| Table::new("t", columns).unwrap_err().to_string();
        assert_eq!(
            error(vec![column("a", &[1.0]), column("a", &[2.0])]),
            r#"cannot read t: column "a": two columns have this name"#
        );
        assert_eq!(
            error(vec![column("a", &[1.0]), column("b", &[2.0, 3.0])]),
            r#"cannot read t: column "b": expected 1 row, found 2"#
        );
    }

    #[test]
    fn rows_put_together_keep_their_file_and_number() {
        let part = |source: &str, names: [&str; 2]| {
            let columns = names.map(|name| column(name, &[1.0, 2.0])).into();
            Table::new(source, columns).unwrap()
        };
        let mut table = part("one", ["a", "b"]);
        table.append(&part("two", ["b", "a"])).unwrap();
        table.append(&part("two", ["a", "b"]).select(&[1])).unwrap();
        let place = |table: &Table, i: usize| {
            let error = table.field_error(i, 0, Fault::MissingValue { what: "target" });
            error.to_string().replace("cannot read ", "").replace(": the target is missing", "")
        };
        let expected = ["one: row 1", "one: row 2", "two: row 1", "two: row 2", "two: row 2"];
        for (i, expected) in expected.iter().enumerate() {
            assert_eq!(place(&table, i), format!("{expected}, column \"a\""));
        }
        let some = table.select(&[0, 4, 1]);
        assert_eq!([0, 1, 2].map(|i| place(&some, i)[..3].to_owned()), ["one", "two", "one"]);
        let error = table.append(&part("three", ["a", "c"])).unwrap_err().to_string();
        assert!(error.starts_with("cannot read three: no column \"b\""), "{error}");
    }

    #[test]
    fn columns_without_names_get_some() {
        let fields = |v| Fields::Numbers(vec![v]);
        let table = Table::unnamed("t", vec![fields(1.0), fields(2.0), fields(3.0)]).unwrap();
        let names: Vec<_> = table.columns().iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["x1", "x2", "y"]);
        assert!(!table.named());
    }

    #[test]
    fn numbers_jump_where_lines_are_skipped() {
        let mut numbering = Numbering::default();
        let lines = [2, 3, 7, 8, 12];
        (0..5).for_each(|i| numbering.set(i, lines[i]));
        assert_eq!((0..6).map(|i| numbering.get(i)).collect::<Vec<_>>(), [2, 3, 7, 8, 12, 13]);
        assert_eq!(numbering.jumps.len(), 3);
    }
}
