//! Parquet files, in a build that does not read them.

use std::fs::File;

use super::Table;
use super::error::Fault;
use crate::table::TableError;

/// Returns an error that says which build reads them.
pub(crate) fn read(_: File, source: &str, _: Option<u64>) -> Result<Table, TableError> {
    Err(Fault::ParquetFeature.at(source, None, None))
}

/// The same.
pub(crate) fn read_parts<E: From<TableError>>(
    _: File,
    source: &str,
    _: Option<u64>,
    _: usize,
    _: impl FnMut(Table) -> Result<(), E>,
) -> Result<(), E> {
    Err(Fault::ParquetFeature.at(source, None, None).into())
}
