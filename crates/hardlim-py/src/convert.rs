//! Arrays and columns of Python as matrices, tables and vectors of the library, and back.

use hardlim::data::Features;
use hardlim::table::{Column, Field, Fields, Table};
use numpy::{
    Element, IntoPyArray as _, PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1,
    PyUntypedArray, PyUntypedArrayMethods as _,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::error::to_py;

/// `X` as Python gives it: a matrix of numbers, or columns of which some hold labels.
pub(crate) enum Inputs {
    /// Features as they are.
    Matrix(Features),
    /// Columns that are still to be encoded.
    Columns(Vec<Values>),
}

/// One column, and the rows where it has text with a point, as `4.200`.
pub(crate) struct Values {
    fields: Fields,
    points: Vec<(usize, String)>,
}

impl From<Fields> for Values {
    fn from(fields: Fields) -> Self {
        Self { fields, points: Vec::new() }
    }
}

impl Inputs {
    /// Reads a matrix of any numeric type and order, or a list of columns `(values, levels)`:
    /// numbers if there are no levels, otherwise the indices of labels among the levels; −1 is a
    /// missing value.
    pub(crate) fn read(x: &Bound<'_, PyAny>) -> PyResult<Self> {
        if x.cast::<PyUntypedArray>().is_ok() {
            return Ok(Self::Matrix(matrix(x)?));
        }
        let columns: Vec<(Bound<'_, PyAny>, Option<Vec<String>>)> = x.extract()?;
        let fields = columns.iter().map(|(values, levels)| match levels {
            None => Ok(Fields::Numbers(numbers(values)?).into()),
            Some(levels) => labels(values, levels),
        });
        Ok(Self::Columns(fields.collect::<PyResult<_>>()?))
    }

    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Matrix(features) => features.rows(),
            Self::Columns(columns) => columns.first().map_or(0, |column| column.fields.len()),
        }
    }
}

/// The table of these columns, with their names if they have names; errors call it `source`.
pub(crate) fn table(
    source: &str,
    names: Option<&[String]>,
    columns: Vec<Values>,
) -> PyResult<Table> {
    let (fields, points): (Vec<Fields>, Vec<_>) =
        columns.into_iter().map(|Values { fields, points }| (fields, points)).unzip();
    let table = match names {
        None => Table::unnamed(source, fields),
        Some(names) if names.len() != fields.len() => {
            let (expected, found) = (fields.len(), names.len());
            return Err(PyValueError::new_err(format!("expected {expected} names, found {found}")));
        }
        Some(names) => {
            let column = |(name, fields): (&String, Fields)| Column { name: name.clone(), fields };
            Table::new(source, names.iter().zip(fields).map(column).collect())
        }
    };
    let spelled = points.iter().enumerate().filter(|(_, points)| !points.is_empty());
    Ok(spelled.fold(table.map_err(to_py)?, |table, (j, points)| {
        table.with_texts(j, points.iter().map(|(i, text)| (*i, text.as_str())))
    }))
}

/// A copy of a matrix, row by row, as doubles.
fn matrix(x: &Bound<'_, PyAny>) -> PyResult<Features> {
    fn read<T: Element + Copy>(
        x: &Bound<'_, PyAny>,
        number: impl Fn(T) -> f64,
    ) -> Option<PyResult<(usize, usize, Vec<f64>)>> {
        let array = x.cast::<PyArray2<T>>().ok()?;
        let array = match array.try_readonly() {
            Ok(array) => array,
            Err(error) => return Some(Err(PyValueError::new_err(error.to_string()))),
        };
        let (rows, columns) = (array.shape()[0], array.shape()[1]);
        let values = match array.as_slice() {
            Ok(values) if array.is_c_contiguous() => values.iter().map(|&v| number(v)).collect(),
            _ => array.as_array().iter().map(|&v| number(v)).collect(),
        };
        Some(Ok((rows, columns, values)))
    }
    let found = read::<f64>(x, |v| v)
        .or_else(|| read::<f32>(x, f64::from))
        .or_else(|| read::<i64>(x, |v| v as f64))
        .or_else(|| read::<i32>(x, f64::from))
        .or_else(|| read::<u8>(x, f64::from));
    let (rows, columns, values) = found.ok_or_else(|| unexpected("a matrix of numbers", x))??;
    Features::new(rows, columns, values).map_err(to_py)
}

/// A copy of a vector of doubles.
pub(crate) fn numbers(values: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let array: PyReadonlyArray1<'_, f64> =
        values.extract().map_err(|_| unexpected("a vector of doubles", values))?;
    Ok(array.as_array().iter().copied().collect())
}

/// Labels from their indices among the levels.
fn labels(places: &Bound<'_, PyAny>, levels: &[String]) -> PyResult<Values> {
    let array: PyReadonlyArray1<'_, i32> =
        places.extract().map_err(|_| unexpected("a vector of 32-bit places", places))?;
    let fields: Vec<Field<'_>> = levels.iter().map(|level| Field::parse(level)).collect();
    let field = |&place: &i32| match usize::try_from(place) {
        Err(_) => Ok(Field::Missing),
        Ok(place) => fields.get(place).copied().ok_or_else(|| {
            PyValueError::new_err(format!("label {place} of {} levels", levels.len()))
        }),
    };
    let fields = array.as_array().iter().map(field).collect::<PyResult<_>>()?;
    let text = |(i, &place): (usize, &i32)| {
        let level = levels.get(usize::try_from(place).ok()?)?;
        level.contains('.').then(|| (i, level.clone()))
    };
    Ok(Values { fields, points: array.as_array().iter().enumerate().filter_map(text).collect() })
}

fn unexpected(what: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let kind = match found.getattr("dtype") {
        Ok(kind) => format!("an array of {kind}"),
        Err(_) => found.get_type().to_string(),
    };
    PyTypeError::new_err(format!("expected {what}, got {kind}"))
}

/// A vector for Python.
pub(crate) fn vector(py: Python<'_>, values: Vec<f64>) -> Py<PyArray1<f64>> {
    values.into_pyarray(py).unbind()
}

/// A matrix for Python, from its rows one after the other.
pub(crate) fn rows<T: Element>(
    py: Python<'_>,
    values: Vec<T>,
    (rows, columns): (usize, usize),
) -> PyResult<Py<PyArray2<T>>> {
    Ok(values.into_pyarray(py).reshape([rows, columns])?.unbind())
}
