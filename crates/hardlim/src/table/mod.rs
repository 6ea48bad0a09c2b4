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

pub(crate) use coding::Kind;
pub use coding::{Coding, CodingOptions, Missing, TargetCoding, Task};
pub use coding::{ColumnCoding, ColumnDescription, ColumnRef, Description, Tally};
pub(crate) use error::Fault;
pub use error::{TableError, Unknown};
pub use fields::{Field, Fields};
pub(crate) use fields::{LARGEST, SMALLEST, out_of_range};
pub use fingerprint::Fingerprint;
pub(crate) use fingerprint::RowSum;
pub use source::ReadOptions;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use reading::notation::may_be_grouped;

/// The most columns a table may have.
pub(crate) const COLUMNS: usize = 1 << 20;
/// The most fields a table may have.
pub(crate) const FIELDS: usize = 1 << 31;

/// Columns of equal length under distinct names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "packed::Packed", try_from = "packed::Packed")]
pub struct Table {
    source: String,
    named: bool,
    rows: usize,
    columns: Vec<Column>,
    positions: HashMap<String, usize>,
    numbering: Numbering,
    pub(crate) spelling: Spelling,
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

/// What a text file tells besides the values of its fields.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spelling {
    pub(crate) grouped: Vec<Grouped>,
    /// The encoding, if it is not UTF-8.
    #[serde(skip)]
    pub(crate) encoding: Option<&'static str>,
    /// Whether semicolons stand between the fields, and commas within fields.
    pub(crate) semicolons: bool,
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
    pub fn unnamed(source: impl Into<String>, columns: Vec<Fields>) -> Result<Self, TableError> {
        let names = default_names(columns.len());
        let columns = names.into_iter().zip(columns).map(|(name, fields)| Column { name, fields });
        Self::with_numbering(source.into(), false, columns.collect(), Numbering::default())
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
        let (spelling, files) = (Spelling::default(), Vec::new());
        Ok(Self { source, named, rows, columns, positions, numbering, spelling, files })
    }

    /// The same table, where the numbers of column `j` in these rows were written so: a point may
    /// stand between thousands. The rows are in order.
    #[must_use]
    pub fn with_texts<'a>(
        mut self,
        j: usize,
        texts: impl IntoIterator<Item = (usize, &'a str)>,
    ) -> Self {
        self.spelling.grouped.resize(self.columns.len(), Grouped::default());
        for (i, text) in texts {
            if let Field::Number(_) = self.field(i, j) {
                self.spelling.grouped[j].note(i, text);
            }
        }
        self
    }

    pub(crate) fn with_files(self, files: Vec<Fingerprint>) -> Self {
        Self { files, ..self }
    }

    /// The SHA-256 of the bytes of each of its files, as they are stored.
    pub fn files(&self) -> &[Fingerprint] {
        &self.files
    }

    pub(crate) fn with_column(&self, column: Column) -> Result<Self, TableError> {
        let columns = self.columns.iter().cloned().chain([column]).collect();
        let (source, numbering) = (self.source.clone(), self.numbering.clone());
        let table = Self::with_numbering(source, self.named, columns, numbering)?;
        Ok(Self { spelling: self.spelling.clone(), ..table })
    }

    /// What is unusual about the file, one sentence for each thing.
    pub fn notes(&self) -> Vec<String> {
        let encoding = self.spelling.encoding.iter();
        encoding.map(|encoding| format!("the file is read as {encoding}")).collect()
    }

    /// The numbers of column `j` that are written like `1.234`.
    pub(crate) fn grouped(&self, j: usize) -> Option<&Grouped> {
        self.spelling.grouped.get(j)
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
    pub fn find(&self, name: &str) -> Result<usize, TableError> {
        let number = || name.parse::<usize>().ok()?.checked_sub(1);
        self.position(name)
            .or_else(|| number().filter(|&j| j < self.columns.len()))
            .ok_or_else(|| self.no_column(name))
    }

    /// The positions of these columns (see [`Table::find`]).
    pub(crate) fn find_all<'a>(
        &self,
        names: impl IntoIterator<Item = &'a String>,
    ) -> Result<Vec<usize>, TableError> {
        names.into_iter().map(|name| self.find(name)).collect()
    }

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
        self.numbering.get(i).1
    }

    /// The table of these rows, in this order. Errors still give their numbers in this table.
    pub fn select(&self, rows: &[usize]) -> Self {
        let columns = (self.columns.iter())
            .map(|Column { name, fields }| {
                let mut kept = fields.without_rows();
                rows.iter().for_each(|&i| kept.push(fields.get(i)));
                Column { name: name.clone(), fields: kept }
            })
            .collect();
        let mut numbering = Numbering::default();
        rows.iter().enumerate().for_each(|(k, &i)| numbering.set(k, self.numbering.get(i)));
        let grouped = self.spelling.grouped.iter().map(|grouped| grouped.select(rows)).collect();
        Self {
            source: self.source.clone(),
            named: self.named,
            rows: rows.len(),
            columns,
            positions: self.positions.clone(),
            numbering,
            spelling: Spelling { grouped, ..self.spelling },
            files: Vec::new(),
        }
    }

    /// Adds the rows of another table below, whose columns have the same names, or the same number
    /// if they have none. Errors give the rows their numbers in their own table.
    pub(crate) fn append(&mut self, other: &Self) -> Result<(), TableError> {
        let width = self.columns.len();
        if !self.named && other.columns.len() != width {
            let fault = Fault::Width { expected: width, found: other.columns.len() };
            return Err(other.error(fault));
        }
        check_size(self.rows + other.rows, width).map_err(|fault| other.error(fault))?;
        let place = |name: &str| other.position(name).ok_or_else(|| other.no_column(name));
        let places: Vec<usize> = if self.named {
            self.columns.iter().map(|c| place(&c.name)).collect::<Result<_, TableError>>()?
        } else {
            (0..width).collect()
        };
        self.spelling.grouped.resize(width, Grouped::default());
        for (j, &place) in places.iter().enumerate() {
            let fields = &mut self.columns[j].fields;
            other.columns[place].fields.iter().for_each(|field| fields.push(field));
            if let Some(grouped) = other.grouped(place) {
                self.spelling.grouped[j].append(grouped, self.rows);
            }
        }
        let elsewhere = (other.source != self.source).then_some(other.source());
        for i in 0..other.rows {
            let (source, number) = other.numbering.get(i);
            let source = source.or(elsewhere);
            self.numbering.set(self.rows + i, (source, number));
        }
        self.rows += other.rows;
        self.spelling.encoding = self.spelling.encoding.or(other.spelling.encoding);
        Ok(())
    }

    pub(crate) fn field_error(&self, i: usize, j: usize, fault: Fault) -> TableError {
        let (source, number) = self.numbering.get(i);
        fault.at(source.unwrap_or(&self.source), Some(number), Some(&self.columns[j].name))
    }

    pub(crate) fn column_error(&self, j: usize, fault: Fault) -> TableError {
        fault.at(&self.source, None, Some(&self.columns[j].name))
    }

    pub(crate) fn error(&self, fault: Fault) -> TableError {
        fault.at(&self.source, None, None)
    }
}

/// The numbers of a column that are written like `1.234`: with a decimal point, or with a point
/// between thousands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Grouped {
    rows: Vec<u32>,
    /// Whether another number of the column has a decimal point for certain.
    pub(crate) decimals: bool,
}

impl Grouped {
    fn append(&mut self, other: &Self, rows: usize) {
        self.rows.extend(other.rows.iter().map(|&i| i + rows as u32));
        self.decimals |= other.decimals;
    }

    pub(crate) fn note(&mut self, i: usize, text: &str) {
        if text.contains('.') {
            if may_be_grouped(text) { self.rows.push(i as u32) } else { self.decimals = true }
        }
    }

    pub(crate) fn first(&self) -> Option<usize> {
        self.rows.first().map(|&i| i as usize)
    }

    pub(crate) fn holds(&self, i: usize) -> bool {
        self.rows.binary_search(&(i as u32)).is_ok()
    }

    fn select(&self, rows: &[usize]) -> Self {
        let kept = (0..rows.len()).filter(|&k| self.holds(rows[k]));
        Self { rows: kept.map(|k| k as u32).collect(), decimals: self.decimals }
    }
}

/// `x1`, `x2`, …, `y`: the names of columns without names.
pub(crate) fn default_names(columns: usize) -> Vec<String> {
    let name = |j| if j == columns { "y".to_owned() } else { format!("x{j}") };
    (1..=columns).map(name).collect()
}

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

/// Where the rows come from: numbers go up by one, except where a line is skipped, a row spans
/// several lines, or another file begins.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Numbering {
    /// The rows that do not follow the one before, with their source, if it is not that of the
    /// table, and their number.
    jumps: Vec<(usize, Option<String>, u64)>,
}

impl Numbering {
    /// Sets the source and the number of row `i`. Rows come in order.
    pub(crate) fn set(&mut self, i: usize, place: (Option<&str>, u64)) {
        if self.get(i) != place {
            self.jumps.push((i, place.0.map(str::to_owned), place.1));
        }
    }

    fn get(&self, i: usize) -> (Option<&str>, u64) {
        match self.jumps[..self.jumps.partition_point(|(row, ..)| *row <= i)].last() {
            None => (None, i as u64 + 1),
            Some((row, source, number)) => (source.as_deref(), number + (i - row) as u64),
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
}
