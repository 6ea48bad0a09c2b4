//! `X` alone, without targets.

use std::collections::{BTreeSet, HashSet};

use super::form::{self, Form};
use super::{CodingOptions, ColumnCoding};
use crate::data::fault::Fault;
use crate::data::features::Features;
use crate::data::fields::{Field, Fields};
use crate::data::table::{Table, check_size};
use crate::error::Error;

/// The features of one table, whatever its target is.
#[derive(Debug, Clone, PartialEq)]
pub struct Inputs {
    /// `X`, one row for each row of the table.
    pub features: Features,
    /// The names of the columns of `X`.
    pub names: Vec<String>,
    /// The column that was left out as the target.
    pub target: Option<String>,
}

impl Inputs {
    /// Takes every column of a table except ignored ones, the weight, and the target. The target is
    /// the last of the other columns, unless `options` name it. Without `has_target` no column is
    /// the target.
    ///
    /// # Errors
    /// When a column does not exist, mixes numbers and text, or has missing values; when no column
    /// is left.
    pub fn of(table: &Table, options: &CodingOptions, has_target: bool) -> Result<Self, Error> {
        let target = has_target.then(|| options.target_position(table)).transpose()?;
        let find = |name: &String| table.find(name);
        let out = (options.ignore.iter().chain(&options.weight_column))
            .map(find)
            .collect::<Result<Vec<_>, _>>()?;
        let categorical = options.categorical.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let width = table.columns().len();
        let commas = form::commas(table);
        let mut codings = Vec::new();
        for j in (0..width).filter(|j| !out.contains(j) && Some(*j) != target) {
            let form = Form::of(table, j, categorical.contains(&j), commas);
            codings.extend(form::codings(table, j, &form, options.missing)?);
        }
        if codings.is_empty() {
            let why = String::new();
            return Err(table.error(Fault::NoFeatures { columns: width, why }));
        }
        let columns: Vec<(usize, &ColumnCoding)> =
            codings.iter().map(|coding| (coding.column.position, coding)).collect();
        Ok(Self {
            features: encode(table, &columns)?,
            names: codings.iter().flat_map(ColumnCoding::names).collect(),
            target: target.map(|j| table.columns()[j].name.clone()),
        })
    }
}

/// The features of these columns of a table.
pub(super) fn encode(table: &Table, columns: &[(usize, &ColumnCoding)]) -> Result<Features, Error> {
    refuse_missing(table, columns)?;
    let dimension = columns.iter().map(|(_, coding)| coding.width()).sum();
    check_size(table.rows(), dimension).map_err(|fault| table.error(fault))?;
    let mut matrix = vec![0.0; table.rows() * dimension];
    let mut offset = 0;
    for (j, coding) in columns {
        coding.encode(table, *j, &mut matrix, (offset, dimension))?;
        offset += coding.width();
    }
    Features::new(table.rows(), dimension, matrix)
}

/// Refuses missing values that cannot be filled in. The error names the first and counts them all.
pub(super) fn refuse_missing(
    table: &Table,
    columns: &[(usize, &ColumnCoding)],
) -> Result<(), Error> {
    let mut first: Option<(usize, usize)> = None;
    let mut count = 0;
    let filled: HashSet<usize> =
        columns.iter().filter(|(_, coding)| coding.fills()).map(|(j, _)| *j).collect();
    let strict: BTreeSet<usize> = columns.iter().map(|(j, _)| *j).collect();
    for j in strict.into_iter().filter(|j| !filled.contains(j)) {
        let fields = &table.columns()[j].fields;
        if let Fields::Unusable(..) = fields {
            continue;
        }
        for (i, _) in fields.iter().enumerate().filter(|&(_, field)| field == Field::Missing) {
            count += 1;
            first = Some(first.map_or((i, j), |place| place.min((i, j))));
        }
    }
    let Some((i, j)) = first else { return Ok(()) };
    Err(table.field_error(i, j, Fault::Missing { count }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Missing, ReadOptions};

    fn read(text: &str) -> Table {
        Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap()
    }

    #[test]
    fn targets_of_any_kind_are_left_out() {
        let table = read("a,b,y\n1,2,u\n3,4,v\n5,6,w\n");
        let inputs = Inputs::of(&table, &CodingOptions::default(), true).unwrap();
        assert_eq!((inputs.names.join(","), inputs.target), ("a,b".into(), Some("y".into())));
        assert_eq!(inputs.features.values(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let inputs = Inputs::of(&table, &CodingOptions::default(), false).unwrap();
        assert_eq!(inputs.names, ["a", "b", "y=u", "y=v", "y=w"]);
        assert_eq!(inputs.target, None);
    }

    #[test]
    fn one_row_is_enough_and_no_column_is_not() {
        let table = read("a,y\n1,2\n");
        let inputs = Inputs::of(&table, &CodingOptions::default(), true).unwrap();
        assert_eq!(inputs.features.values(), [1.0]);
        let ignore = vec!["a".to_owned()];
        let options = CodingOptions { ignore, ..CodingOptions::default() };
        assert!(Inputs::of(&table, &options, true).is_err());
        assert_eq!(Inputs::of(&table, &options, false).unwrap().names, ["y"]);
        let gap = read("a,b,y\n1,,2\n3,4,5\n");
        let filled = Inputs::of(&gap, &CodingOptions::default(), true).unwrap();
        assert_eq!(filled.names, ["a", "b", "b.missing"]);
        let strict = CodingOptions { missing: Missing::Error, ..CodingOptions::default() };
        let error = Inputs::of(&gap, &strict, true).unwrap_err();
        assert!(error.to_string().contains("row 2, column \"b\""), "{error}");
    }
}
