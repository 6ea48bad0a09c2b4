//! Networks that fit every target, with the least sum of |output weights|.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use hardlim::train::{Event, Interpolated, Obstacle, Request, Watch};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::attend::attend;
use crate::convert::vector;
use crate::error::to_py;
use crate::model::Model;
use crate::options::Options;
use crate::training::Reports;
use crate::training_data::TrainingData;

/// The network of least ``sum |a_j|`` that fits every target, or the reason why there is none.
#[pyclass(frozen, get_all, module = "hardlim._hardlim")]
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
        match (&self.norm, &self.reason) {
            (Some(norm), _) => format!("Interpolation(feasible=True, norm={norm})"),
            (None, reason) => {
                format!(
                    "Interpolation(feasible=False, reason={:?})",
                    reason.as_deref().unwrap_or("")
                )
            }
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
    let start = Instant::now();
    let (options, training_data) = (Options(options), training_data.get());
    let (request, threads) =
        (Request::problem_of(&options.asked(&[])?).map_err(to_py)?, options.threads()?);
    let interrupt = AtomicBool::new(false);
    let reports = Reports::new(start);
    let listen = |event: Event<'_>| reports.hear(event);
    let watch =
        Watch { start, interrupt: Some(&interrupt), listener: Some(&listen), ..Watch::default() };
    let tick = &mut reports.teller(listener);
    let found =
        attend(py, threads, &interrupt, tick, || request.interpolate(&training_data.set, &watch))?;
    let data = training_data.set.data();
    Ok(match found {
        Interpolated::Feasible(fitted) => Interpolation {
            feasible: true,
            norm: Some(fitted.norm),
            lower_bound: Some(fitted.lower_bound),
            residual: Some(fitted.residual),
            scope: fitted.bound.scope().name(),
            patterns: fitted.patterns,
            model: Some(Py::new(py, Model(fitted.model))?),
            reason: None,
            separation: None,
        },
        Interpolated::Infeasible { obstacle, bound, patterns, .. } => {
            let (reason, z) = match obstacle {
                Obstacle::Conflict { row, targets } => {
                    let first = data.row_of().iter().position(|&g| g as usize == row);
                    let row = first.map_or(0, |i| training_data.sample(i));
                    (
                        format!(
                            "row {row} is repeated, with the targets {} and {}",
                            targets.0, targets.1
                        ),
                        None,
                    )
                }
                Obstacle::Separation(proof) => {
                    let mut z = vec![0.0; data.samples()];
                    for (g, &value) in proof.z.iter().enumerate() {
                        let first = data.row_of().iter().position(|&row| row as usize == g);
                        first.into_iter().for_each(|i| z[i] = value);
                    }
                    (format!("some target is missed by at least {:e}", proof.miss), Some(z))
                }
            };
            Interpolation {
                feasible: false,
                model: None,
                norm: None,
                lower_bound: None,
                residual: None,
                scope: bound.scope().name(),
                patterns,
                reason: Some(reason),
                separation: z.map(|z| vector(py, z)),
            }
        }
    })
}
