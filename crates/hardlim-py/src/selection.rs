//! What cross-validation found, as Python sees it.

use hardlim::train::Selection;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict};

use crate::convert::vector;

/// What was found, by name.
pub(crate) fn to_dict<'py>(py: Python<'py>, found: &Selection) -> PyResult<Bound<'py, PyDict>> {
    let dict = [
        ("ratios", vector(py, found.ratios.clone())),
        ("means", vector(py, found.means.clone())),
        ("errors", vector(py, found.errors.clone())),
    ]
    .into_py_dict(py)?;
    for (name, value) in [("ratio", found.ratio), ("score", found.score), ("error", found.error)] {
        dict.set_item(name, value)?;
    }
    dict.set_item("folds", found.folds)?;
    Ok(dict)
}
