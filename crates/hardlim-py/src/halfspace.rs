//! The halfspace of largest weighted agreement.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hardlim::arrangement::Arrangement;
use hardlim::data::Dataset;
use hardlim::pricing::{HalfspaceSearch, SignedWeights};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::attend::attend;
use crate::convert::{Inputs, numbers, vector};
use crate::error::to_py;
use crate::options::Options;

/// The nodes of the search for a bound if the rank is large: about a minute.
const EFFORT: u64 = 600_000;

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
    let start = Instant::now();
    let options = Options(options);
    let Inputs::Matrix(x) = Inputs::read(x)? else {
        return Err(PyValueError::new_err("expected a matrix of numbers"));
    };
    let (request, threads) = (options.request(None)?, options.threads()?);
    request.check_ranges().map_err(to_py)?;
    let z = numbers(z)?;
    if z.len() != x.rows() {
        let text = format!("X has {} rows, and z has {}", x.rows(), z.len());
        return Err(PyValueError::new_err(text));
    }
    let data = Dataset::new(x, &z, None).map_err(to_py)?;
    let end = request.time_limit.map(|limit| start + Duration::from_secs_f64(limit));
    let interrupt = AtomicBool::new(false);
    let weights = SignedWeights::of(&data);
    let found = attend(py, threads, &interrupt, &mut |_| Ok(()), || {
        let arrangement = Arrangement::of(data.features());
        let arrangement = if request.bias { arrangement } else { arrangement.without_bias() };
        let stop =
            || interrupt.load(Ordering::Relaxed) || end.is_some_and(|end| Instant::now() >= end);
        let search = HalfspaceSearch {
            max_inputs: request.max_inputs,
            gap: request.gap.unwrap_or(0.0),
            effort: EFFORT,
            seed: request.seed,
            stop: &stop,
        };
        search.find(arrangement, &weights.sums, weights.wanted)
    })?;
    let pattern = &found.best.pattern;
    let inside: Vec<bool> = data.row_of().iter().map(|&g| pattern.get(g as usize)).collect();
    let gap = found.relative_gap(weights.wanted);
    Ok(Halfspace {
        weights: vector(py, found.best.hyperplane.weights.clone()),
        bias: found.best.hyperplane.bias,
        inside: PyArray1::from_vec(py, inside).unbind(),
        value: found.best.value,
        upper_bound: found.upper_bound,
        loss: found.loss(weights.wanted),
        lower_bound: found.lower_bound(weights.wanted),
        gap,
        optimal: gap == 0.0,
    })
}
