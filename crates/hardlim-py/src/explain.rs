//! Models as rules.

use hardlim::export::markdown::{self, Shown};
use hardlim::train::spelled;
use pyo3::prelude::*;

use crate::attend::briefly;
use crate::error::parameter;
use crate::model::Model;
use crate::training_data::TrainingData;

/// The rules of a model on training data, on `X` alone, or on no rows: as Markdown, and as the text
/// of a JSON object.
#[pyfunction]
#[pyo3(signature = (
    model, title, training_data=None, x=None, names=None, rules=None, terms=None, threads=None
))]
#[expect(clippy::too_many_arguments, reason = "they are given by name")]
pub(crate) fn explain(
    py: Python<'_>,
    model: &Model,
    title: &str,
    training_data: Option<&TrainingData>,
    x: Option<&Bound<'_, PyAny>>,
    names: Option<Vec<String>>,
    rules: Option<usize>,
    terms: Option<usize>,
    threads: Option<usize>,
) -> PyResult<(String, String)> {
    let rows = model.rows(training_data, x, names.as_deref())?;
    let most = |count: Option<usize>| count.unwrap_or(usize::MAX);
    let shown = Shown { rules: most(rules), terms: most(terms) };
    briefly(py, threads, || {
        let check = training_data.map(|data| data.check(&model.0)).transpose()?;
        let (rows, check) = (rows.as_ref(), check.as_ref());
        let object = hardlim_cli::explain(&model.0, rows, check);
        let mut page = spelled(&markdown::page(title, &model.0, rows, check, shown), parameter);
        if rows.is_none() {
            page += "\nTo count the rows on which each rule holds: explain(estimator, X)\n";
        }
        Ok((page, object.to_string()))
    })
}
