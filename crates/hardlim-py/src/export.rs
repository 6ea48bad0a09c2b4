//! Exports of models.

use std::path::PathBuf;

use hardlim::export::{Data, Order, Target, run};
use hardlim::model::file::DraftFolder;
use hardlim_verify::Installed;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::attend::briefly;
use crate::error::parameter;
use crate::model::Model;
use crate::options::Options;
use crate::training_data::TrainingData;

/// Writes an export of a model into a new folder; the rows of training data, or of `X` alone,
/// become test inputs. The report comes back as text, and as the text of a JSON object.
#[pyfunction]
#[pyo3(signature = (model, folder, options, training_data=None, x=None, names=None))]
pub(crate) fn export(
    py: Python<'_>,
    model: &Model,
    folder: PathBuf,
    options: Bound<'_, PyDict>,
    training_data: Option<&TrainingData>,
    x: Option<&Bound<'_, PyAny>>,
    names: Option<Vec<String>>,
) -> PyResult<(String, String)> {
    let options = Options(options);
    let to: Target = options.parse("to")?.unwrap_or(Target::C);
    let name = options.get("name", "a string")?.unwrap_or_else(|| "model".to_owned());
    let python: String = options.get("python", "a string")?.unwrap_or_default();
    let (random, threads) = (options.count("random")?, options.threads()?);
    let (source, seed) = (format!("{name}.hardlim"), options.get("seed", "a whole number")?);
    let on = |name: &str| -> PyResult<bool> { Ok(options.flag(name)?.unwrap_or(false)) };
    let (constant_time, verify) = (on("constant_time")?, on("verify")?);
    let exact_outputs = on("exact_outputs")?;
    let output_bits = options.get("output_bits", "a whole number")?;
    let budget = options.count("budget")?;
    let time_limit = options.number("time_limit")?;
    let rows = match training_data {
        Some(_) => None,
        None => model.rows(None, x, names.as_deref())?,
    };
    let (text, json) = briefly(py, threads, move || {
        let order = Order {
            to,
            name: &name,
            source: &source,
            folder: &folder,
            constant_time,
            exact_outputs,
            output_bits,
            budget,
            verify,
            random: random.unwrap_or(Order::RANDOM),
            seed: seed.unwrap_or(0),
            spell: parameter,
            tell: &|_| (),
            draft: &DraftFolder::new,
        };
        let data = match (training_data, &rows) {
            (Some(data), _) => Data::Training(&data.set),
            (None, Some(rows)) => Data::Rows(rows),
            (None, None) => Data::Nothing,
        };
        run(&order, &model.0, data, &Installed::new(python, time_limit)?)
    })?;
    Ok((text, json.to_string()))
}
