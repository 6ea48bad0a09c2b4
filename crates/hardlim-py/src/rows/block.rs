//! Blocks: coded rows that answer neurons and tasks.

use hardlim::rows::{Answer, Task, from_text, to_text};
use hardlim::table::{Coding, Tally};
use hardlim::{Error, Table, rows};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::attend::briefly;
use crate::error::{spelled_notes, to_py};

/// Coded rows, and what neurons answer on them if they were asked.
#[pyclass(frozen, module = "hardlim._hardlim")]
pub(crate) struct Block {
    block: rows::Block,
    /// What its rows have that the sample had not.
    #[pyo3(get)]
    notes: Vec<String>,
}

impl Block {
    pub(super) fn coded(
        coding: &Coding,
        table: &Table,
        first: u64,
        weights: Option<Vec<f64>>,
    ) -> Result<Self, Error> {
        let mut tally = Tally::default();
        tally.add(coding, table)?;
        let block = coding.block(table, first, weights)?;
        Ok(Self { block, notes: spelled_notes(&tally.notes()) })
    }
}

#[pymethods]
impl Block {
    /// The block that this text holds.
    #[new]
    #[pyo3(signature = (block, notes=Vec::new()))]
    fn new(block: &str, notes: Vec<String>) -> PyResult<Self> {
        Ok(Self { block: from_text(block).map_err(to_py)?, notes })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String, Vec<String>)) {
        let text = py.detach(|| to_text(&self.block));
        (PyType::new::<Self>(py), (text, self.notes.clone()))
    }

    fn __sizeof__(&self) -> usize {
        self.block.bytes()
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.block.rows()
    }

    /// The same rows, on which these neurons were asked.
    #[pyo3(signature = (neurons, threads=None))]
    fn answer(&self, py: Python<'_>, neurons: &str, threads: Option<usize>) -> PyResult<Self> {
        briefly(py, threads, || {
            let mut block = self.block.clone();
            block.answer(&from_text::<Vec<_>>(neurons)?);
            Ok(Self { block, notes: Vec::new() })
        })
    }

    /// What its rows answer to a task.
    #[pyo3(signature = (task, threads=None))]
    fn ask(&self, py: Python<'_>, task: &str, threads: Option<usize>) -> PyResult<String> {
        briefly(py, threads, || Ok(to_text(&self.block.ask(&from_text::<Task>(task)?))))
    }
}

/// What several blocks answer to one task, added up.
#[pyfunction]
pub(crate) fn merge_answers(py: Python<'_>, answers: Vec<String>) -> PyResult<String> {
    py.detach(|| {
        let mut answers = answers.iter().map(|text| from_text::<Answer>(text));
        let mut sum = answers.next().ok_or(Error::NoSamples)??;
        answers.try_for_each(|answer| sum.add(&answer?))?;
        Ok::<_, Error>(to_text(&sum))
    })
    .map_err(to_py)
}
