//! Partitions: rows of a table as a worker has them.

use hardlim::Table;
use hardlim::rows::{self, from_text, to_text};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::{Block, Coding};
use crate::attend::briefly;
use crate::convert::{Inputs, Values, numbers, table};
use crate::error::to_py;

/// Some rows, with their weights.
#[pyclass(frozen, module = "hardlim._hardlim")]
pub(crate) struct Partition {
    pub(super) table: Table,
    pub(super) weights: Option<Vec<f64>>,
    /// The numbers of the rows among all rows, if they belong to the sample.
    pub(super) numbers: Vec<u64>,
}

#[pymethods]
impl Partition {
    /// Columns and target `(values, levels)` as [`Inputs::read`] reads them. Errors call the rows
    /// `source`.
    #[new]
    #[pyo3(signature = (source, x, names, target, y, sample_weight=None))]
    fn new(
        source: &str,
        x: &Bound<'_, PyAny>,
        names: Option<Vec<String>>,
        target: String,
        y: &Bound<'_, PyAny>,
        sample_weight: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let columns = |x: &Bound<'_, PyAny>| -> PyResult<Vec<Values>> {
            match Inputs::read(x)? {
                Inputs::Columns(columns) => Ok(columns),
                Inputs::Matrix(_) => Err(PyValueError::new_err("expected columns")),
            }
        };
        let mut fields = columns(x)?;
        fields.extend(columns(y)?);
        let names = names.map(|names| names.into_iter().chain([target]).collect::<Vec<_>>());
        let table = table(source, names.as_deref(), fields)?;
        let weights = sample_weight.map(numbers).transpose()?;
        if let Some(found) = weights.as_ref().map(Vec::len).filter(|found| *found != table.rows()) {
            let text = format!("X has {} rows, and sample_weight has {found}", table.rows());
            return Err(PyValueError::new_err(text));
        }
        Ok(Self { table, weights, numbers: Vec::new() })
    }

    #[staticmethod]
    fn restored(table: &str, weights: Option<Vec<f64>>, numbers: Vec<u64>) -> PyResult<Self> {
        Ok(Self { table: from_text(table).map_err(to_py)?, weights, numbers })
    }

    #[expect(clippy::type_complexity, reason = "a function and its arguments, for pickle")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, Option<Vec<f64>>, Vec<u64>))> {
        let table = to_text(&self.table);
        let restored = PyType::new::<Self>(py).getattr("restored")?;
        Ok((restored, (table, self.weights.clone(), self.numbers.clone())))
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.table.rows()
    }

    /// The names of the columns, with the target.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.table.columns().iter().map(|column| column.name.clone()).collect()
    }

    /// The rows that are in the sample, if the first row has this number among all rows.
    fn take(&self, first: u64, zeros: u32) -> Self {
        let rows = 0..self.table.rows();
        let taken: Vec<usize> =
            rows.filter(|&i| rows::Sample::takes(zeros, first + i as u64)).collect();
        Self {
            table: self.table.select(&taken),
            weights: self.weights.as_ref().map(|s| taken.iter().map(|&i| s[i]).collect()),
            numbers: taken.iter().map(|&i| first + i as u64).collect(),
        }
    }

    /// The rows, coded; the first row has this number among all rows.
    #[pyo3(signature = (coding, first, threads=None))]
    fn code(
        &self,
        py: Python<'_>,
        coding: &Coding,
        first: u64,
        threads: Option<usize>,
    ) -> PyResult<Block> {
        briefly(py, threads, || {
            Block::coded(&coding.coding, &self.table, first, self.weights.clone())
        })
    }
}

/// The number of zeros with which the hash of a row of the sample starts; none if it is all rows.
#[pyfunction]
#[pyo3(signature = (rows, threads=None))]
pub(crate) fn sample_zeros(py: Python<'_>, rows: u64, threads: Option<usize>) -> PyResult<u32> {
    briefly(py, threads, || Ok(rows::Sample::zeros(rows)))
}
