//! Parquet files, in a build that does not read them.

use std::fs::File;

use super::Table;
use super::error::Fault;
use crate::table::TableError;

const NO_PARQUET: &str = "reading Parquet files needs a build with `--features full`";

/// Returns an error that says which build reads them.
pub(crate) fn read(_: File, source: &str, _: Option<u64>) -> Result<Table, TableError> {
    Err(Fault::Other(NO_PARQUET.into()).at(source, None, None))
}

/// The same.
pub(crate) fn read_parts<E: From<TableError>>(
    _: File,
    source: &str,
    _: Option<u64>,
    _: usize,
    _: impl FnMut(Table) -> Result<(), E>,
) -> Result<(), E> {
    Err(Fault::Other(NO_PARQUET.into()).at(source, None, None).into())
}
