//! Paths: the optimum for a decreasing sequence of strengths.

use std::ops::ControlFlow;

use hardlim::data::Features;
use hardlim::train::{PathPoint, Request};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::attend::watched;
use crate::convert::{self, Inputs, rows, table, vector};
use crate::error::{to_py, to_py_of};
use crate::options::Options;
use crate::training_data::TrainingData;

/// One optimum for each strength, on one dictionary of random patterns or over neurons of few
/// inputs.
#[pyclass(frozen, get_all, module = "hardlim._hardlim")]
pub(crate) struct Path {
    /// The strengths, largest first.
    betas: Py<PyArray1<f64>>,
    /// The same as fractions of ``beta_max``.
    ratios: Py<PyArray1<f64>>,
    /// The objectives.
    objectives: Py<PyArray1<f64>>,
    /// Lower bounds on the objectives, over the dictionary or over all neurons of few inputs.
    lower_bounds: Py<PyArray1<f64>>,
    /// The number of non-zero coefficients.
    n_neurons: Py<PyArray1<f64>>,
    /// The coefficients, one row for each strength.
    coefficients: Py<PyArray2<f64>>,
    /// ``f(x)`` on the training rows, one row for each strength.
    outputs: Py<PyArray2<f64>>,
    /// ``f(x)`` on the held-out rows, one row for each strength.
    held_out: Py<PyArray2<f64>>,
    /// What the scores are: accuracy or r2.
    scoring: &'static str,
    /// The scores on the training rows; NaN where R² is not defined.
    scores: Py<PyArray1<f64>>,
    /// The scores on the held-out rows; ``None`` without their targets.
    test_scores: Option<Py<PyArray1<f64>>>,
    /// The smallest beta whose optimum is the zero network.
    beta_max: f64,
    /// Whether all strengths were reached.
    complete: bool,
}

/// Computes the path on training data, with the outputs on held-out rows if there are any, and the
/// scores if their targets `y` are given, as the training data have them.
#[pyfunction]
#[pyo3(signature = (training_data, options, held_out=None, names=None, y=None, listener=None))]
pub(crate) fn path(
    py: Python<'_>,
    training_data: &Bound<'_, TrainingData>,
    options: Bound<'_, PyDict>,
    held_out: Option<&Bound<'_, PyAny>>,
    names: Option<Vec<String>>,
    y: Option<&Bound<'_, PyAny>>,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<Path> {
    let (options, training_data) = (Options(options), training_data.get());
    let own = [("n_ratios", "points"), ("least_ratio", "least")];
    let request = Request::path_of(&options.asked(&own)?).map_err(to_py_of(&own))?;
    let threads = options.threads()?;
    let points = request.path_ratios().len();
    let aside = held_out.map(|x| encoded(training_data, x, names.as_deref())).transpose()?;
    let y = y.map(|y| training_data.values(&convert::numbers(y)?)).transpose()?;
    let (rows_aside, targets) = (aside.as_ref().map_or(0, Features::rows), y.as_deref());
    if let Some(found) = targets.map(<[f64]>::len).filter(|found| *found != rows_aside) {
        let text = format!("X_test has {rows_aside} rows, and y_test has {found}");
        return Err(PyValueError::new_err(text));
    }

    let mut found: Vec<PathPoint> = Vec::with_capacity(points);
    let (path, _) = watched(py, threads, listener, |watch, reports| {
        reports.expect(points);
        request.path(&training_data.set, aside.as_ref().map(|x| (x, targets)), watch, |point| {
            found.push(point);
            reports.scored();
            ControlFlow::Continue(())
        })
    })?;
    let each = |value: &dyn Fn(&PathPoint) -> f64| vector(py, found.iter().map(value).collect());
    let matrix = |width: usize, row: &dyn Fn(&PathPoint) -> Vec<f64>| {
        rows(py, found.iter().flat_map(row).collect(), (found.len(), width))
    };
    let score = |k: usize| {
        vector(py, found.iter().map(|point| point.scores[k].unwrap_or(f64::NAN)).collect())
    };
    let samples = training_data.set.data().row_of();
    Ok(Path {
        betas: each(&|point| point.beta),
        ratios: each(&|point| point.ratio),
        objectives: each(&|point| point.certificate.objective()),
        lower_bounds: each(&|point| point.certificate.lower_bound()),
        n_neurons: each(&|point| point.coefficients.len() as f64),
        coefficients: matrix(path.patterns, &|point| {
            let mut coefficients = vec![0.0; path.patterns];
            point.coefficients.iter().for_each(|&(j, a)| coefficients[j] = a);
            coefficients
        })?,
        outputs: matrix(samples.len(), &|point| {
            samples.iter().map(|&g| point.outputs[0][g as usize]).collect()
        })?,
        held_out: matrix(rows_aside, &|point| point.outputs[1].clone())?,
        scoring: if training_data.set.classifies() { "accuracy" } else { "r2" },
        scores: score(0),
        test_scores: targets.map(|_| score(1)),
        beta_max: path.beta_max,
        complete: path.complete,
    })
}

/// Other rows, encoded as the training data.
fn encoded(
    training_data: &TrainingData,
    x: &Bound<'_, PyAny>,
    names: Option<&[String]>,
) -> PyResult<Features> {
    let x = match Inputs::read(x)? {
        Inputs::Matrix(x) => x,
        Inputs::Columns(columns) => {
            training_data.set.coding().features(&table("X", names, columns)?).map_err(to_py)?
        }
    };
    let (expected, found) = (training_data.set.coding().dimension(), x.dimension());
    if expected != found {
        let text = format!("X has {expected} features, and the rows held out have {found}");
        return Err(PyValueError::new_err(text));
    }
    Ok(training_data.set.coding().rounded(x))
}
