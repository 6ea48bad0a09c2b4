//! The results of cross-validation, for Python.

use hardlim::train::{Chosen, Selection};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict};

use crate::convert::vector;

/// The results, by name.
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

/// The choice for the best predictions, by name.
pub(crate) fn choice<'py>(py: Python<'py>, chosen: &Chosen) -> PyResult<Bound<'py, PyDict>> {
    let dict = [
        ("ratios", vector(py, chosen.ratios.clone())),
        ("losses", vector(py, chosen.losses.clone())),
    ]
    .into_py_dict(py)?;
    let names = if chosen.is_regression() { ("r2", "loss") } else { ("accuracy", "log_loss") };
    let values = [
        ("ratio", chosen.ratio),
        (names.0, chosen.score),
        (names.1, chosen.loss),
        ("error", chosen.error),
    ];
    for (name, value) in values {
        dict.set_item(name, value)?;
    }
    dict.set_item("folds", chosen.folds)?;
    dict.set_item("class", chosen.class.to_string())?;
    let classes = chosen.classes.iter().map(|(class, loss)| (class.to_string(), *loss));
    dict.set_item("classes", classes.into_py_dict(py)?)?;
    Ok(dict)
}
