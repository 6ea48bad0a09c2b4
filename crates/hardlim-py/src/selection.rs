//! The results of cross-validation, for Python.

use hardlim::train::{Choice, Measure};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict};

use crate::convert::vector;

/// The scores of all strengths by name, if they were asked for.
pub(crate) fn to_dict<'py>(
    py: Python<'py>,
    choice: &Choice,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some((score, error)) = choice.compared() else { return Ok(None) };
    let dict = [
        ("ratios", vector(py, choice.ratios.clone())),
        ("means", vector(py, choice.scores.clone())),
        ("errors", vector(py, choice.errors.clone())),
    ]
    .into_py_dict(py)?;
    for (name, value) in [("ratio", choice.ratio), ("score", score), ("error", error)] {
        dict.set_item(name, value)?;
    }
    dict.set_item("folds", choice.folds)?;
    Ok(Some(dict))
}

/// The choice for the best predictions by name, if these were requested.
pub(crate) fn choice<'py>(
    py: Python<'py>,
    choice: &Choice,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(found) = &choice.predicted else { return Ok(None) };
    let dict = [
        ("ratios", vector(py, choice.ratios.clone())),
        ("losses", vector(py, found.losses.clone())),
    ]
    .into_py_dict(py)?;
    let numbers = choice.measure == Measure::R2;
    let names = if numbers { ("r2", "loss") } else { ("accuracy", "log_loss") };
    let values = [
        ("ratio", choice.ratio),
        (names.0, choice.score),
        (names.1, found.loss),
        ("error", choice.error),
    ];
    for (name, value) in values {
        dict.set_item(name, value)?;
    }
    dict.set_item("folds", choice.folds)?;
    dict.set_item("class", found.class.to_string())?;
    let classes = found.classes.iter().map(|(class, loss)| (class.to_string(), *loss));
    dict.set_item("classes", classes.into_py_dict(py)?)?;
    Ok(Some(dict))
}
