//! The halfspace of largest weighted agreement.

use hardlim::data::Dataset;
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::attend::watched;
use crate::convert::{Inputs, numbers, vector};
use crate::error::to_py;
use crate::options::Options;

/// A halfspace, and what is proven about all others.
#[pyclass(frozen, get_all, module = "hardlim._hardlim")]
pub(crate) struct Halfspace {
    /// ``w``: the halfspace is ``x.w + bias >= 0``.
    weights: Py<PyArray1<f64>>,
    bias: f64,
    /// For every row of ``X``, whether it is in the halfspace.
    inside: Py<PyArray1<bool>>,
    /// The sum of ``z`` in the halfspace.
    value: f64,
    /// No halfspace has a larger sum.
    upper_bound: f64,
    /// The sum of ``|z|`` over the rows on the wrong side.
    loss: f64,
    /// No halfspace has a smaller loss.
    lower_bound: f64,
    /// ``(loss - lower_bound) / loss``.
    gap: f64,
    /// Whether the halfspace is proven to be the best.
    optimal: bool,
}

#[pymethods]
impl Halfspace {
    fn __repr__(&self) -> String {
        let Self { value, upper_bound, loss, gap, .. } = self;
        format!("Halfspace(value={value}, upper_bound={upper_bound}, loss={loss}, gap={gap:.3e})")
    }
}

/// Finds the halfspace with the largest sum of ``z``.
#[pyfunction]
#[pyo3(signature = (x, z, options))]
pub(crate) fn best_halfspace(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    z: &Bound<'_, PyAny>,
    options: Bound<'_, PyDict>,
) -> PyResult<Halfspace> {
    let options = Options(options);
    let Inputs::Matrix(x) = Inputs::read(x)? else {
        return Err(PyValueError::new_err("expected a matrix of numbers"));
    };
    let (request, threads) = (options.request(None)?, options.threads()?);
    let z = numbers(z)?;
    if z.len() != x.rows() {
        let text = format!("X has {} rows, and z has {}", x.rows(), z.len());
        return Err(PyValueError::new_err(text));
    }
    let data = Dataset::new(x, &z, None).map_err(to_py)?;
    let (found, _) = watched(py, threads, None, |watch, _| request.halfspace(&data, watch))?;
    let pattern = &found.best.pattern;
    let inside: Vec<bool> = data.row_of().iter().map(|&g| pattern.get(g as usize)).collect();
    let gap = found.relative_gap();
    Ok(Halfspace {
        weights: vector(py, found.best.hyperplane.weights.clone()),
        bias: found.best.hyperplane.bias,
        inside: PyArray1::from_vec(py, inside).unbind(),
        value: found.best.value,
        upper_bound: found.upper_bound,
        loss: found.loss(),
        lower_bound: found.lower_bound(),
        gap,
        optimal: gap == 0.0,
    })
}
