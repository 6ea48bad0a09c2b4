//! What a table would be read as.

use hardlim::table::{CodingOptions, ColumnDescription, Description};
use hardlim::train::spelled;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::convert::{Inputs, table};
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
    let table = table("X", names.as_deref(), columns)?;
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
