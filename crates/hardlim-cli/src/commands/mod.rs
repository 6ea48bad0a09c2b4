//! One file for each command.

pub(crate) mod certify;
pub(crate) mod completions;
mod cross_validate;
pub(crate) mod datasets;
pub(crate) mod evaluate;
pub(crate) mod lasso;
pub(crate) mod path;
pub(crate) mod predict;
mod prepare;
pub(crate) mod train;

use std::path::Path;

use anyhow::{Context, bail};
use hardlim::data::Table;
use hardlim::network::Model;

use crate::args::{Common, DataArgs};

fn open_table(data: &DataArgs, common: &Common) -> anyhow::Result<Table> {
    Ok(Table::open(&data.data, &data.read_options(common))?)
}

fn open_model(path: &Path) -> anyhow::Result<Model> {
    Model::load(path).with_context(|| format!("cannot read model {}", path.display()))
}

/// Refuses a file that cannot be written, before any work.
fn check_output(flag: &str, path: Option<&Path>) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    if path.is_dir() {
        bail!("{flag} {}: it is a directory; give a file name", path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("{flag} {}: there is no directory {}", path.display(), folder.display());
    }
    Ok(())
}
