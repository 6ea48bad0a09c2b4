//! The built-in tables.

use hardlim::table::{Coding, CodingOptions, Column, Field, Fields, ReadOptions, Table, builtin};
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::convert::{self, vector};
use crate::error::to_py;

/// A column: its name, and numbers or labels.
type Values = (String, Py<PyAny>);
/// The columns, the target last; `X` encoded, and the names of its features; a description.
type Built = (Vec<Values>, Py<PyArray2<f64>>, Vec<String>, &'static str);

/// A built-in table; the size and the seed matter only if it is generated.
#[pyfunction]
#[pyo3(signature = (name, rows=None, features=None, seed=0))]
pub(crate) fn dataset(
    py: Python<'_>,
    name: &str,
    rows: Option<usize>,
    features: Option<usize>,
    seed: u64,
) -> PyResult<Built> {
    let standard = builtin::TableSize::default();
    let size = builtin::TableSize {
        rows: rows.unwrap_or(standard.rows),
        features: features.unwrap_or(standard.features),
        seed,
    };
    let table = match builtin::load(name, &size) {
        Some(table) => table,
        // The error says which names there are.
        None => Table::open(name, &ReadOptions { size, ..ReadOptions::default() }),
    }
    .map_err(to_py)?;
    let coding = Coding::fit(&table, &CodingOptions::default()).map_err(to_py)?;
    let x = coding.features(&table).map_err(to_py)?;
    let shape = (x.rows(), x.dimension());
    let columns =
        table.columns().iter().map(|column| values(py, column)).collect::<PyResult<_>>()?;
    let description =
        builtin::list().into_iter().find(|one| one.name == name).map_or("", |one| one.description);
    let x = convert::rows(py, x.values().to_vec(), shape)?;
    Ok((columns, x, coding.feature_names(), description))
}

fn values(py: Python<'_>, Column { name, fields }: &Column) -> PyResult<Values> {
    let values = match fields {
        Fields::Numbers(numbers) => vector(py, numbers.clone()).into_any(),
        _ => {
            let labels: Vec<Option<String>> =
                fields.iter().map(Field::label).map(|label| label.map(Into::into)).collect();
            labels.into_pyobject(py)?.into_any().unbind()
        }
    };
    Ok((name.clone(), values))
}
