//! Tables: what one would be read as, and the built-in ones.

use hardlim::table::{
    Coding, CodingOptions, Column, ColumnDescription, Description, Field, Fields, ReadOptions,
    Table, builtin,
};
use hardlim::train::spelled;
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::convert::{self, Inputs, vector};
use crate::error::{parameter, spelled_notes, to_py};

/// Describes columns `(values, levels)`; the last one is the target if `has_target`.
#[pyfunction]
#[pyo3(signature = (x, names, has_target=false, categorical=Vec::new(), keep=Vec::new()))]
pub(crate) fn describe(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    names: Option<Vec<String>>,
    has_target: bool,
    categorical: Vec<String>,
    keep: Vec<String>,
) -> PyResult<Py<PyDict>> {
    let columns = match Inputs::read(x)? {
        Inputs::Columns(columns) => columns,
        Inputs::Matrix(_) => Vec::new(),
    };
    let table = convert::table("X", names.as_deref(), columns)?;
    let options = CodingOptions { categorical, keep, ..CodingOptions::default() };
    let found = Description::of(&table, &options, has_target).map_err(to_py)?;
    let columns = found.columns.iter().map(|column| described(py, column));
    let object = PyDict::new(py);
    object.set_item("rows", found.rows)?;
    object.set_item("features", found.features)?;
    object.set_item("columns", PyList::new(py, columns.collect::<PyResult<Vec<_>>>()?)?)?;
    object.set_item("target", found.target)?;
    object.set_item("notes", spelled_notes(&found.notes))?;
    object.set_item("problem", found.problem.map(|problem| spelled(&problem, parameter)))?;
    Ok(object.unbind())
}

fn described(py: Python<'_>, column: &ColumnDescription) -> PyResult<Py<PyDict>> {
    let object = PyDict::new(py);
    object.set_item("name", &column.name)?;
    object.set_item("role", column.role)?;
    object.set_item("read_as", &column.read_as)?;
    object.set_item("distinct", column.distinct)?;
    object.set_item("missing", column.missing)?;
    let range = column.range.as_ref().map(|[least, most]| (least.clone(), most.clone()));
    object.set_item("range", range)?;
    object.set_item("frequent", column.frequent.clone())?;
    object.set_item("why", column.why.as_ref().map(|why| spelled(why, parameter)))?;
    object.set_item("features", &column.features)?;
    Ok(object.unbind())
}

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
    let description = builtin::list().into_iter().find(|one| one.0 == name).map_or("", |one| one.2);
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
