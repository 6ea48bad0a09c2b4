//! The complete program, in closed form.

use hardlim::data::Targets;
use hardlim::loss::Loss as _;
use hardlim::program::{Beta, CompleteProgram};
use hardlim::train::Request;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::attend::briefly;
use crate::convert::{self, vector};
use crate::error::to_py;
use crate::options::Options;

/// The minimum of ``L(delta) + beta (max(delta)_+ + max(-delta)_+)``.
#[pyclass(frozen, get_all, module = "hardlim._hardlim")]
pub(crate) struct CompleteSolution {
    /// ``delta``, the outputs of the best network.
    delta: Py<PyArray1<f64>>,
    /// The minimum.
    objective: f64,
    /// The output bias; zero unless asked for.
    intercept: f64,
    /// The smallest beta whose optimum has no neuron.
    beta_max: f64,
    /// The amplitudes of the network, one for each level of ``delta``.
    amplitudes: Py<PyArray1<f64>>,
}

/// Solves the complete program for targets, one for each distinct row.
#[pyfunction]
#[pyo3(signature = (y, beta, options, sample_weight=None))]
pub(crate) fn complete(
    py: Python<'_>,
    y: &Bound<'_, PyAny>,
    beta: f64,
    options: Bound<'_, PyDict>,
    sample_weight: Option<&Bound<'_, PyAny>>,
) -> PyResult<CompleteSolution> {
    let options = Options(options);
    let request = Request::problem_of(&options.asked(&[])?).map_err(to_py)?;
    let beta = Beta::new(beta).map_err(to_py)?;
    let (loss, constraints) = (request.loss(), request.constraints());
    let threads = options.threads()?;
    let y = convert::numbers(y)?;
    let weights = sample_weight.map(convert::numbers).transpose()?;
    let (solution, beta_max) = briefly(py, threads, || {
        if y.is_empty() {
            return Err(hardlim::Error::NoSamples);
        }
        let rows: Vec<u32> = (0..y.len() as u32).collect();
        let targets = Targets::grouped(y.len(), &rows, &y, weights.as_deref())?;
        loss.check_targets(&targets)?;
        let program = CompleteProgram::new(&targets, loss, beta).with_constraints(constraints);
        Ok((program.solve(), program.beta_max()))
    })?;
    let amplitudes = solution.level_sets().into_iter().map(|(_, amplitude)| amplitude).collect();
    Ok(CompleteSolution {
        amplitudes: vector(py, amplitudes),
        delta: vector(py, solution.delta),
        objective: solution.value,
        intercept: solution.offset,
        beta_max,
    })
}
