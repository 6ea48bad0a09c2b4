//! From columns to the numbers of `X`.

use std::collections::{BTreeSet, HashSet};

use super::form::{self, Form};
use super::{CodingOptions, ColumnCoding};
use crate::table::error::Fault;
use crate::table::{Table, TableError, check_size};

/// The names of the features of a table whose target is column `target`, and `X`, row by row: every
/// column but ignored ones, the weight and the target.
pub(crate) fn inputs(
    table: &Table,
    options: &CodingOptions,
    target: Option<usize>,
) -> Result<(Vec<String>, Vec<f64>), TableError> {
    let out = table.find_all(options.ignore.iter().chain(&options.weight_column))?;
    let categorical = table.find_all(&options.categorical)?;
    let width = table.columns().len();
    let commas = form::commas(table);
    let mut codings = Vec::new();
    for j in (0..width).filter(|j| !out.contains(j) && Some(*j) != target) {
        let form = Form::of(table, j, categorical.contains(&j), commas);
        codings.extend(form::codings(table, j, &form, options.missing)?);
    }
    if codings.is_empty() {
        return Err(table.error(Fault::NoFeatures { columns: width, why: String::new() }));
    }
    let columns: Vec<(usize, &ColumnCoding)> =
        codings.iter().map(|coding| (coding.column.position, coding)).collect();
    let names = codings.iter().flat_map(ColumnCoding::names).collect();
    Ok((names, encode(table, &columns)?))
}

/// `X`, row by row: the features of these columns of a table.
pub(super) fn encode(
    table: &Table,
    columns: &[(usize, &ColumnCoding)],
) -> Result<Vec<f64>, TableError> {
    refuse_missing(table, columns)?;
    let dimension = columns.iter().map(|(_, coding)| coding.width()).sum();
    check_size(table.rows(), dimension).map_err(|fault| table.error(fault))?;
    let mut matrix = vec![0.0; table.rows() * dimension];
    let mut offset = 0;
    for (j, coding) in columns {
        coding.encode(table, *j, &mut matrix, (offset, dimension))?;
        offset += coding.width();
    }
    Ok(matrix)
}

/// Refuses missing values that cannot be filled in. The error names the first and counts them all.
pub(super) fn refuse_missing(
    table: &Table,
    columns: &[(usize, &ColumnCoding)],
) -> Result<(), TableError> {
    let filled: HashSet<usize> =
        columns.iter().filter(|(_, coding)| coding.fills()).map(|(j, _)| *j).collect();
    let strict: BTreeSet<usize> = columns.iter().map(|(j, _)| *j).collect();
    let (mut first, mut count) = (None::<(usize, usize)>, 0);
    for j in strict.into_iter().filter(|j| !filled.contains(j)) {
        for i in table.columns()[j].fields.missing() {
            count += 1;
            first = Some(first.map_or((i, j), |place| place.min((i, j))));
        }
    }
    let Some((i, j)) = first else { return Ok(()) };
    Err(table.field_error(i, j, Fault::Missing { count }))
}
