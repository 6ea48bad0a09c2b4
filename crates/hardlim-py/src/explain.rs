//! Models as rules.

use hardlim::data::Features;
use hardlim::explain::Answers;
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

/// The answers of a model to rows, explained: each as Markdown, and as the text of a JSON object.
/// With `data`, inputs change within its range.
#[pyfunction]
#[pyo3(signature = (model, x, names=None, data=None, data_names=None, rules=None, terms=None))]
#[expect(clippy::too_many_arguments, reason = "they are given by name")]
pub(crate) fn explain_rows(
    py: Python<'_>,
    model: &Model,
    x: &Bound<'_, PyAny>,
    names: Option<Vec<String>>,
    data: Option<&Bound<'_, PyAny>>,
    data_names: Option<Vec<String>>,
    rules: Option<usize>,
    terms: Option<usize>,
) -> PyResult<Vec<(String, String)>> {
    let rows = model.features(x, names.as_deref())?;
    let data = data.map(|data| model.features(data, data_names.as_deref())).transpose()?;
    let most = |count: Option<usize>| count.unwrap_or(usize::MAX);
    let shown = Shown { rules: most(rules), terms: most(terms) };
    briefly(py, None, || {
        // The rows themselves come first: what is said holds on them, too.
        let values: Vec<f64> = [Some(&rows), data.as_ref()]
            .into_iter()
            .flatten()
            .flat_map(Features::values)
            .copied()
            .collect();
        let count = values.len() / rows.dimension();
        let all = Features::new(count, rows.dimension(), values)?;
        let answers = Answers::new(&model.0, &all, data.is_some());
        let one = |i: usize| {
            let title = format!("row {}", i + 1);
            let (page, answer) = markdown::row(&title, &answers, i, None, shown);
            (spelled(&page, parameter), answer.to_string())
        };
        Ok((0..rows.rows()).map(one).collect())
    })
}
