//! One file for each command.

pub(crate) mod arrangements;
pub(crate) mod baseline;
mod blocks;
pub(crate) mod certify;
mod choice;
pub(crate) mod completions;
pub(crate) mod datasets;
pub(crate) mod describe;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod halfspace;
pub(crate) mod importance;
pub(crate) mod interpolate;
pub(crate) mod lasso;
pub(crate) mod path;
pub(crate) mod plot;
pub(crate) mod predict;
mod prepare;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod train;
pub(crate) mod weights;

use std::path::Path;

use anyhow::bail;
use hardlim::Error;
use hardlim::certify::Check;
use hardlim::model::Model;
use hardlim::table::memory;
use hardlim::table::{Table, builtin};

use crate::args::{Common, DataArgs};
use crate::progress;

fn open_table(data: &DataArgs, common: &Common) -> anyhow::Result<Table> {
    check_size_flags(data)?;
    let _reading = progress::doing(format!("reading {}", data.data));
    Ok(Table::open(&data.data, &data.read_options(common))?)
}

/// Refuses a size for data whose size is fixed.
fn check_size_flags(data: &DataArgs) -> anyhow::Result<()> {
    let generated =
        |name: &str| builtin::list().iter().any(|set| set.generated && set.name == name);
    if let Some(flag) = data.size_flag().filter(|_| !generated(&data.data)) {
        bail!("{flag}: {} is not a generated data set; its size is fixed", data.data);
    }
    if data.data == "checkerboard" && data.features().is_some_and(|features| features != 2) {
        bail!("--features: checkerboard always has two features");
    }
    Ok(())
}

/// What checking a model on a table finds; nothing where there is no table, or it has no target.
fn checked(model: &Model, table: Option<&Table>) -> anyhow::Result<Option<Check>> {
    let Some(table) = table.filter(|table| model.coding().has_target(table)) else {
        return Ok(None);
    };
    let _checking = progress::doing("checking the certificate");
    if model.is_of_rows() {
        return blocks::check_table(model, table).map(Some);
    }
    let data = model.training_data(table)?;
    Ok(Some(model.certify_within(&data, memory::for_checking())?))
}

fn open_model(path: &Path) -> anyhow::Result<Model> {
    let _reading = progress::doing(format!("reading {}", path.display()));
    Model::load(path).map_err(|error| match error {
        Error::Read { .. } => error.into(),
        error => anyhow::Error::from(error).context(format!("cannot read {}", path.display())),
    })
}
