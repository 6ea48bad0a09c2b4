//! The Lasso program on any matrix of zeros and ones.

use hardlim::Error;
use hardlim::data::Targets;
use hardlim::pattern::PatternMatrix;
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::{ActiveSet, Budget, Progress, Solution};
use hardlim::train::Request;
use numpy::{
    Element, PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray2, PyUntypedArrayMethods as _,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::attend::watched;
use crate::certificate::Certificate;
use crate::convert::{self, vector};
use crate::error::to_py;
use crate::options::Options;

/// ``w`` near the minimum of ``L(Dw) + beta |w|_1``, with a proof of how near.
#[pyclass(frozen, get_all, module = "hardlim._hardlim")]
pub(crate) struct LassoSolution {
    /// ``w``, one number for each column.
    coefficients: Py<PyArray1<f64>>,
    /// The output bias; zero unless asked for.
    intercept: f64,
    /// ``z``; once scaled so that ``|d'z| <= beta`` for every column, it proves the bound.
    dual: Py<PyArray1<f64>>,
    /// The proof about ``w``.
    certificate: Certificate,
    /// ``L(Dw) + beta |w|_1``.
    objective: f64,
    /// A lower bound on the objective of every ``w``.
    lower_bound: f64,
    /// ``(objective - lower_bound) / objective``.
    gap: f64,
    /// The smallest beta whose optimum is zero.
    beta_max: f64,
    /// Why the solver stopped: gap, rounds, time or interrupt.
    stop: &'static str,
    /// The number of rounds.
    rounds: usize,
}

#[pymethods]
impl LassoSolution {
    fn __repr__(&self, py: Python<'_>) -> String {
        let nonzero = self.coefficients.bind(py).readonly();
        let nonzero = nonzero.as_array().iter().filter(|w| **w != 0.0).count();
        let (objective, gap, stop) = (self.objective, self.gap, self.stop);
        format!(
            "LassoSolution(objective={objective}, gap={gap:.3e}, nonzero={nonzero}, stop='{stop}')"
        )
    }
}

/// Solves the Lasso program of a matrix of unsigned bytes or doubles, in C or Fortran order; it is
/// read in place.
#[pyfunction]
#[pyo3(signature = (design, y, beta, options, sample_weight=None, listener=None))]
pub(crate) fn solve_lasso(
    py: Python<'_>,
    design: &Bound<'_, PyAny>,
    y: &Bound<'_, PyAny>,
    beta: f64,
    options: Bound<'_, PyDict>,
    sample_weight: Option<&Bound<'_, PyAny>>,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<LassoSolution> {
    let options = Options(options);
    let asked = options.asked(&[("gap", "tol")])?;
    let request = Request::problem_of(&asked).map_err(to_py)?;
    let beta = Beta::new(beta).map_err(to_py)?;
    let (loss, constraints) = (request.loss(), request.constraints());
    let threads = options.threads()?;
    let tolerance = request.gap().unwrap_or(1e-8);
    let y = convert::numbers(y)?;
    let weights = sample_weight.map(convert::numbers).transpose()?;

    let bytes = design.cast::<PyArray2<u8>>().ok().map(|array| array.readonly());
    let numbers = design.cast::<PyArray2<f64>>().ok().map(|array| array.readonly());
    type Pack<'a> = Box<dyn FnOnce() -> Result<PatternMatrix, Error> + Send + 'a>;
    let (rows, pack): (usize, Pack<'_>) = match (&bytes, &numbers) {
        (Some(array), _) => {
            let (rows, columns, order, entries) = plain(array)?;
            (rows, Box::new(move || PatternMatrix::from_entries(rows, columns, order, entries)))
        }
        (None, Some(array)) => {
            let (rows, columns, order, entries) = plain(array)?;
            (rows, Box::new(move || PatternMatrix::from_entries(rows, columns, order, entries)))
        }
        (None, None) => {
            return Err(PyTypeError::new_err("expected a matrix of bytes or doubles"));
        }
    };
    for (what, found) in
        [("y", y.len()), ("sample_weight", weights.as_ref().map_or(rows, Vec::len))]
    {
        if found != rows {
            let text = format!("D has {rows} rows, and {what} has {found}");
            return Err(PyValueError::new_err(text));
        }
    }

    let ((solution, beta_max), _) = watched(py, threads, listener, |watch, reports| {
        let record = |progress: &Progress| reports.record(progress);
        let budget = Budget { progress: Some(&record), ..watch.budget(request.time_limit()) };
        let solver = ActiveSet { tolerance, budget, ..ActiveSet::default() };
        let patterns = pack()?;
        if rows == 0 {
            return Err(Error::NoSamples);
        }
        let row_of: Vec<u32> = (0..rows as u32).collect();
        let targets = Targets::grouped(rows, &row_of, &y, weights.as_deref())?;
        let program =
            LassoProgram::new(&patterns, &targets, loss, beta)?.with_constraints(constraints);
        Ok((solver.solve(&program), program.beta_max()))
    })?;
    let Solution { coefficients, offset, dual, certificate, stop, rounds, .. } = solution;
    Ok(LassoSolution {
        coefficients: vector(py, coefficients),
        intercept: offset,
        dual: vector(py, dual.values().to_vec()),
        objective: certificate.objective(),
        lower_bound: certificate.lower_bound(),
        gap: certificate.relative_gap(),
        certificate: certificate.into(),
        beta_max,
        stop: stop.name(),
        rounds,
    })
}

/// Rows, columns, whether entries follow one another by columns, and the entries where they lie.
fn plain<'a, T: Element>(
    array: &'a PyReadonlyArray2<'_, T>,
) -> PyResult<(usize, usize, bool, &'a [T])> {
    let by_columns = !array.is_c_contiguous();
    if by_columns && !array.is_fortran_contiguous() {
        return Err(PyValueError::new_err("expected a contiguous matrix"));
    }
    Ok((array.shape()[0], array.shape()[1], by_columns, array.as_slice()?))
}
