//! From a table to what is trained on, and what is held out of it.

use hardlim::data::{HeldOut, TrainingSet};
use hardlim::table::Table;
use hardlim::train::Request;

use super::open_table;
use crate::args::{Common, DataArgs};
use crate::progress;

/// The data of a run.
pub(super) struct Prepared {
    /// The table, all of it.
    pub(super) table: Table,
    /// The rows to train on.
    pub(super) set: TrainingSet,
    /// The other rows.
    pub(super) held_out: Option<HeldOut>,
}

impl Prepared {
    pub(super) fn new(data: &DataArgs, request: &Request, common: &Common) -> anyhow::Result<Self> {
        Self::of(open_table(data, common)?, request)
    }

    pub(super) fn of(table: Table, request: &Request) -> anyhow::Result<Self> {
        let _reading = progress::doing("reading the columns");
        let (set, held_out) = request.read(&table)?;
        Ok(Self { table, set, held_out })
    }
}
