//! The coding of partitions, and the sample that decides it.

use hardlim::rows::{self, Taken};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Partition;
use crate::attend::briefly;
use crate::error::{spelled_notes, to_py};
use crate::model::Model;
use crate::options::Options;
use crate::training_data::{TrainingData, order};

/// What the columns mean.
#[pyclass(frozen, module = "hardlim._hardlim")]
pub(crate) struct Coding {
    pub(super) coding: hardlim::table::Coding,
}

#[pymethods]
impl Coding {
    /// The coding that this text holds.
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        let damaged = |error: serde_json::Error| PyValueError::new_err(error.to_string());
        Ok(Self { coding: serde_json::from_str(text).map_err(damaged)? })
    }

    fn __getnewargs__(&self) -> (String,) {
        (serde_json::to_string(&self.coding).expect("all keys are text"),)
    }

    /// The coding of a model.
    #[staticmethod]
    fn of_model(model: &Model) -> Self {
        Self { coding: model.0.coding().clone() }
    }

    /// What was decided about the columns, one sentence for each decision.
    #[getter]
    fn notes(&self) -> Vec<String> {
        spelled_notes(&self.coding.notes())
    }

    /// The labels of the classes, in order; `None` if the target is a number.
    #[getter]
    fn classes(&self) -> Option<Vec<String>> {
        self.coding.target().classes().map(<[String]>::to_vec)
    }

    /// For each label, its index among the classes; `None` for one that is no class.
    fn order(&self, labels: Vec<String>) -> Vec<Option<usize>> {
        order(self.coding.target(), &labels)
    }
}

/// The rows of the sample, coded.
#[pyclass(frozen, module = "hardlim._hardlim")]
pub(crate) struct Sample(pub(super) rows::Sample);

/// The rows that were taken of partitions, and their weights, if some have any.
fn together(partitions: &[Py<Partition>]) -> PyResult<(Taken, Option<Vec<f64>>)> {
    let mut taken = Taken::default();
    let weighted = partitions.iter().any(|partition| partition.get().weights.is_some());
    let mut weights = Vec::new();
    for partition in partitions {
        let partition = partition.get();
        taken.add_taken(partition.table.clone(), &partition.numbers).map_err(to_py)?;
        match &partition.weights {
            Some(some) => weights.extend(some),
            None => weights.resize(weights.len() + partition.table.rows(), 1.0),
        }
    }
    Ok((taken, weighted.then_some(weights)))
}

/// The coding that the rows of the sample decide, and the sample. The partitions come in order.
#[pyfunction]
#[pyo3(signature = (partitions, options, threads=None))]
pub(crate) fn code_sample(
    py: Python<'_>,
    partitions: Vec<Py<Partition>>,
    options: Bound<'_, PyDict>,
    threads: Option<usize>,
) -> PyResult<(Coding, Sample)> {
    let columns = Options(options).columns()?;
    let (taken, weights) = together(&partitions)?;
    let (coding, sample) = briefly(py, threads, || taken.coded(&columns, weights))?;
    Ok((Coding { coding }, Sample(sample)))
}

/// The training data of partitions that were taken as a whole, in order.
#[pyfunction]
pub(crate) fn gathered(
    py: Python<'_>,
    partitions: Vec<Py<Partition>>,
    options: Bound<'_, PyDict>,
) -> PyResult<TrainingData> {
    let columns = Options(options).columns()?;
    let (taken, weights) = together(&partitions)?;
    py.detach(|| TrainingData::of_table(&taken.table()?, &columns, weights)).map_err(to_py)
}
