//! Parquet files, in a build that does not read them.

use std::fs::File;

use super::Table;
use super::error::{Fault, TableError};

/// Returns an error that says which build reads them.
pub(crate) fn read_blocks<E: From<TableError>>(
    _: File,
    source: &str,
    _: Option<u64>,
    _: usize,
    _: impl FnMut(Table) -> Result<(), E>,
) -> Result<(), E> {
    let reason = "reading Parquet files needs a build with `--features full`";
    Err(Fault::Other(reason.into()).at(source, None, None).into())
}
