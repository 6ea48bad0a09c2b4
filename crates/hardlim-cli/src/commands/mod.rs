//! One file for each command.

pub(crate) mod certify;
pub(crate) mod completions;
pub(crate) mod datasets;
pub(crate) mod evaluate;
pub(crate) mod lasso;
pub(crate) mod predict;
pub(crate) mod train;

use std::path::Path;

use anyhow::Context;
use hardlim::data::Table;
use hardlim::network::Model;

use crate::args::{Common, DataArgs};

fn open_table(data: &DataArgs, common: &Common) -> anyhow::Result<Table> {
    Ok(Table::open(&data.data, &data.read_options(common))?)
}

fn open_model(path: &Path) -> anyhow::Result<Model> {
    Model::load(path).with_context(|| format!("cannot read model {}", path.display()))
}
