//! One file for each command.

pub(crate) mod arrangements;
pub(crate) mod baseline;
mod blocks;
pub(crate) mod certify;
mod choice;
pub(crate) mod completions;
pub(crate) mod datasets;
pub(crate) mod describe;
pub(crate) mod edit;
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
pub(crate) mod prove;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod train;

use std::path::Path;

use hardlim::Error;
use hardlim::certify::Check;
use hardlim::data::{Features, TrainingSet};
use hardlim::model::Model;
use hardlim::table::{Table, memory};
use hardlim::train::Request;

use crate::progress;

/// `X` and `y` of rows held out.
type NewRows = (Features, Vec<f64>);

/// The rows of a table to train on, and those that are held out.
fn prepare(table: &Table, request: &Request) -> Result<(TrainingSet, Option<NewRows>), Error> {
    let _reading = progress::doing("reading the columns");
    request.read(table)
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
