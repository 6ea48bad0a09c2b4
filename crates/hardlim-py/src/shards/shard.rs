//! Shards: coded rows that answer neurons and tasks.

use hardlim::data::{Coding, Tally};
use hardlim::shards::{Answer, Task, neurons_from_bytes};
use hardlim::{Error, Table, shards};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::attend::briefly;
use crate::error::{spelled_notes, to_py};

/// Coded rows, and what neurons answer on them if they were asked.
#[pyclass(frozen, module = "hardlim._hardlim")]
pub(crate) struct Shard {
    shard: shards::Shard,
    /// What its rows have that the sample had not.
    #[pyo3(get)]
    notes: Vec<String>,
}

impl Shard {
    pub(super) fn coded(
        coding: &Coding,
        table: &Table,
        first: u64,
        weights: Option<Vec<f64>>,
    ) -> Result<Self, Error> {
        let mut tally = Tally::default();
        tally.add(coding, table)?;
        let (x, y) = (coding.features(table)?, coding.targets(table)?);
        let weights = coding.weights_of_some(table)?.or(weights);
        let shard = shards::Shard::new(first, x, y, weights)?;
        Ok(Self { shard, notes: spelled_notes(&tally.notes()) })
    }
}

#[pymethods]
impl Shard {
    /// The shard that these bytes hold.
    #[new]
    #[pyo3(signature = (shard, notes=Vec::new()))]
    fn new(shard: &[u8], notes: Vec<String>) -> PyResult<Self> {
        Ok(Self { shard: shards::Shard::from_bytes(shard).map_err(to_py)?, notes })
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyType>, (Bound<'py, PyBytes>, Vec<String>)) {
        let bytes = py.detach(|| self.shard.to_bytes());
        (PyType::new::<Self>(py), (PyBytes::new(py, &bytes), self.notes.clone()))
    }

    fn __sizeof__(&self) -> usize {
        self.shard.bytes()
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.shard.rows()
    }

    /// The same rows, on which these neurons were asked.
    #[pyo3(signature = (neurons, threads=None))]
    fn answer(&self, py: Python<'_>, neurons: &[u8], threads: Option<usize>) -> PyResult<Self> {
        briefly(py, threads, || {
            let mut shard = self.shard.clone();
            shard.answer(&neurons_from_bytes(neurons)?);
            Ok(Self { shard, notes: Vec::new() })
        })
    }

    /// What its rows answer to a task.
    #[pyo3(signature = (task, threads=None))]
    fn ask(&self, py: Python<'_>, task: &str, threads: Option<usize>) -> PyResult<String> {
        briefly(py, threads, || Ok(self.shard.ask(&Task::from_text(task)?).to_text()))
    }
}

/// What several shards answer to one task, added up.
#[pyfunction]
pub(crate) fn merge_answers(py: Python<'_>, answers: Vec<String>) -> PyResult<String> {
    py.detach(|| {
        let mut answers = answers.iter().map(|text| Answer::from_text(text));
        let mut sum = answers.next().ok_or(Error::NoSamples)??;
        answers.try_for_each(|answer| sum.add(&answer?))?;
        Ok(sum.to_text())
    })
    .map_err(to_py)
}
