//! The command line, for the `hardlim` command that comes with the package.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command line with these arguments, the first of which is its name, and returns its exit
/// code.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| hardlim_cli::number(hardlim_cli::run(arguments)))
}
