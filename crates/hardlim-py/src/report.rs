//! Reports: pages for the browser, and the effects of inputs.

use std::path::PathBuf;

use hardlim::certify::Check;
use hardlim::data::Features;
use hardlim::explain::effects_json;
use hardlim::model::{self, file};
use hardlim_report::{Subject, page};
use pyo3::prelude::*;

use crate::attend::briefly;
use crate::error::spelled_notes;
use crate::model::Model;
use crate::training_data::TrainingData;

/// Writes the report of a model on `X`, with the targets of training data made from the same rows.
#[pyfunction]
#[pyo3(signature = (model, title, path, x, names=None, training_data=None, threads=None))]
#[expect(clippy::too_many_arguments, reason = "they are given by name")]
pub(crate) fn report(
    py: Python<'_>,
    model: &Model,
    title: &str,
    path: PathBuf,
    x: &Bound<'_, PyAny>,
    names: Option<Vec<String>>,
    training_data: Option<&TrainingData>,
    threads: Option<usize>,
) -> PyResult<()> {
    let rows = model.features(x, names.as_deref())?;
    let notes = spelled_notes(&model.0.coding().notes());
    briefly(py, threads, || {
        let check = training_data.map(|data| check(&model.0, data)).transpose()?;
        let page = page(&subject(&model.0, title, rows, training_data, check.as_ref(), notes)?);
        file::write(&path, page.as_bytes())
    })
}

/// A model on these rows, without those of weight zero.
fn subject<'a>(
    model: &'a model::Model,
    title: &'a str,
    rows: Features,
    data: Option<&TrainingData>,
    check: Option<&'a Check>,
    notes: Vec<String>,
) -> Result<Subject<'a>, hardlim::Error> {
    let Some(data) = data else {
        let subject = Subject::of_rows(title, model, "X", rows, None, None)?;
        return Ok(Subject { notes, ..subject });
    };
    let targets = data.set.y().to_vec();
    let kept: Vec<usize> = (0..targets.len()).map(|i| data.sample(i)).collect();
    let subject = Subject::of_rows(title, model, "X", rows.select(&kept), Some(targets), check)?;
    Ok(Subject { numbers: kept.iter().map(|&i| i as u64 + 1).collect(), notes, ..subject })
}

/// What checking a model on training data finds; data that are read in another way are other data.
fn check(model: &model::Model, data: &TrainingData) -> Result<Check, hardlim::Error> {
    let same = data.read_by(model)?.coding() == model.coding();
    if same { data.check(model) } else { Ok(Check::OtherData) }
}

/// The effects of the inputs of a model on `X`, as the text of a JSON list.
#[pyfunction]
#[pyo3(signature = (model, x, names=None, threads=None))]
pub(crate) fn effects(
    py: Python<'_>,
    model: &Model,
    x: &Bound<'_, PyAny>,
    names: Option<Vec<String>>,
    threads: Option<usize>,
) -> PyResult<String> {
    let rows = model.features(x, names.as_deref())?;
    briefly(py, threads, || Ok(effects_json(&model.0, &rows)))
}
