//! One file for each command.

pub(crate) mod certify;
pub(crate) mod completions;
pub(crate) mod datasets;
pub(crate) mod evaluate;
pub(crate) mod predict;
pub(crate) mod train;

use std::path::Path;

use anyhow::{Context, bail};
use hardlim::data::{Table, builtin};
use hardlim::network::Model;
use hardlim::{Error, file};

use crate::args::{Common, DataArgs};
use crate::interrupt;

fn open_table(data: &DataArgs, common: &Common) -> anyhow::Result<Table> {
    let generated =
        |name: &str| builtin::list().iter().any(|set| set.generated && set.name == name);
    if let Some(flag) = data.size_flag().filter(|_| !generated(&data.data)) {
        bail!("{flag}: {} is not a generated data set, it has the size it has", data.data);
    }
    Ok(Table::open(&data.data, &data.read_options(common))?)
}

fn open_model(path: &Path) -> anyhow::Result<Model> {
    Model::load(path).map_err(|error| match error {
        Error::Read { .. } => error.into(),
        error => anyhow::Error::from(error).context(format!("cannot read {}", path.display())),
    })
}

/// Refuses a place that cannot be written to, before any work.
fn check_output(path: Option<&Path>) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    if path.is_dir() {
        bail!("-o {}: it is a directory; give a file name", path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("-o {}: there is no directory {}", path.display(), folder.display());
    }
    interrupt::undisturbed(|| file::check(path)).context("-o")
}
