//! Networks that fit every target, with the least sum of |output weights|.

use hardlim::certificate::Scope;
use hardlim::train::{Interpolated, Request};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::attend::watched;
use crate::convert::vector;
use crate::error::to_py;
use crate::model::Model;
use crate::options::Options;
use crate::training_data::TrainingData;

/// The network of least ``sum |a_j|`` that fits every target, or the reason why there is none.
#[pyclass(frozen, get_all, module = "hardlim._hardlim")]
#[derive(Default)]
pub(crate) struct Interpolation {
    /// Whether there is such a network in scope.
    feasible: bool,
    /// The model.
    model: Option<Py<Model>>,
    /// ``sum |a_j|``.
    norm: Option<f64>,
    /// A lower bound on the norm of every such network in scope.
    lower_bound: Option<f64>,
    /// The largest distance of an output from its target.
    residual: Option<f64>,
    /// The scope of the proof: global or dictionary.
    scope: &'static str,
    /// The size of the dictionary.
    patterns: usize,
    /// The reason, if there is no such network.
    reason: Option<String>,
    /// The proof, if there is no such network: ``z`` that separates the targets from the outputs of
    /// all networks; one number for each row of ``X``, zero for repeated rows.
    separation: Option<Py<PyArray1<f64>>>,
}

#[pymethods]
impl Interpolation {
    fn __bool__(&self) -> bool {
        self.feasible
    }

    fn __repr__(&self) -> String {
        match (self.norm, self.reason.as_deref().unwrap_or_default()) {
            (Some(norm), _) => format!("Interpolation(feasible=True, norm={norm})"),
            (None, reason) => format!("Interpolation(feasible=False, reason={reason:?})"),
        }
    }
}

/// Interpolates the targets of training data.
#[pyfunction]
#[pyo3(signature = (training_data, options, listener=None))]
pub(crate) fn interpolate(
    py: Python<'_>,
    training_data: &Bound<'_, TrainingData>,
    options: Bound<'_, PyDict>,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<Interpolation> {
    let (options, training_data) = (Options(options), training_data.get());
    let request = Request::problem_of(&options.asked(&[])?).map_err(to_py)?;
    let (found, _) = watched(py, options.threads()?, listener, |watch, _| {
        request.interpolate(&training_data.set, watch)
    })?;
    let data = training_data.set.data();
    let first = |row: usize| data.row_of().iter().position(|&g| g as usize == row);
    Ok(match found {
        Interpolated::Feasible(fitted) => Interpolation {
            feasible: true,
            norm: Some(fitted.norm),
            lower_bound: Some(fitted.lower_bound),
            residual: Some(fitted.residual),
            scope: fitted.bound.scope().name(),
            patterns: fitted.patterns,
            model: Some(Py::new(py, Model(fitted.model))?),
            ..Interpolation::default()
        },
        Interpolated::Conflict { row, targets: (one, other) } => {
            let row = first(row).map_or(0, |i| training_data.sample(i));
            Interpolation {
                scope: Scope::Global.name(),
                reason: Some(format!("row {row} is repeated, with the targets {one} and {other}")),
                ..Interpolation::default()
            }
        }
        Interpolated::Separated { proof, bound, patterns, .. } => {
            let mut z = vec![0.0; data.samples()];
            for (g, &value) in proof.z.iter().enumerate() {
                first(g).into_iter().for_each(|i| z[i] = value);
            }
            Interpolation {
                scope: bound.scope().name(),
                patterns,
                reason: Some(format!("some target is missed by at least {:e}", proof.miss)),
                separation: Some(vector(py, z)),
                ..Interpolation::default()
            }
        }
    })
}
