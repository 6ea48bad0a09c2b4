//! Models as rules.

use std::path::Path;

use hardlim::certify::Check;
use hardlim::data::Features;
use hardlim::model;
use pyo3::prelude::*;

use crate::attend::briefly;
use crate::model::Model;
use crate::subject::{check, rows};
use crate::training_data::TrainingData;

/// What to do for counts.
const HINT: &str = "explain(estimator, X)";

/// The rules of a model on training data, on `X` alone, or on no rows: as Markdown, and as the text of a JSON
/// object.
#[pyfunction]
#[pyo3(signature = (model, title, training_data=None, x=None, names=None, terms=None, threads=None))]
#[expect(clippy::too_many_arguments, reason = "they are given by name")]
pub(crate) fn explain(
    py: Python<'_>,
    model: &Model,
    title: &str,
    training_data: Option<&TrainingData>,
    x: Option<&Bound<'_, PyAny>>,
    names: Option<Vec<String>>,
    terms: Option<usize>,
    threads: Option<usize>,
) -> PyResult<(String, String)> {
    let rows = rows(model, training_data, x, names.as_deref())?;
    briefly(py, threads, || {
        let check = check(&model.0, training_data)?;
        Ok(page(&model.0, title, rows.as_ref(), check.as_ref(), terms))
    })
}

/// The rules, as Markdown and as the text of a JSON object; all terms by default.
pub(crate) fn page(
    model: &model::Model,
    title: &str,
    rows: Option<&Features>,
    check: Option<&Check>,
    terms: Option<usize>,
) -> (String, String) {
    let terms = terms.unwrap_or(usize::MAX);
    let (page, object) = hardlim_cli::explain(Path::new(title), model, rows, check, terms, HINT);
    (page, object.to_string())
}
