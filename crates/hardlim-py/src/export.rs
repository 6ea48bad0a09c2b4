//! Exports of models.

use std::path::PathBuf;

use hardlim::export::folder::{self, Order, Rows, Subject, Target, budget};
use hardlim::export::markdown::Shown;
use hardlim::model::file::DraftFolder;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::attend::briefly;
use crate::error::{HardlimError, parameter};
use crate::explain::page;
use crate::model::Model;
use crate::options::Options;
use crate::subject::{check, rows};
use crate::training_data::TrainingData;

/// Writes an export of a model into a new folder; the rows of training data, or of `X` alone, become test inputs.
/// The report comes back as text, and as the text of a JSON object.
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
    if (budget.is_some() || output_bits.is_some()) && training_data.is_none() {
        let what = if budget.is_some() { "budget" } else { "output_bits" };
        return Err(HardlimError::new_err(format!("{what} needs the training data, X and y")));
    }
    let integers = to.needs_integers() && !folder::has_integers(&model.0);
    if integers && training_data.is_none() {
        return Err(HardlimError::new_err(
            "the model has no integer weights: give its training data, X and y, to choose them",
        ));
    }
    let rows =
        rows(model, training_data, x, names.as_deref())?.map(|features| match training_data {
            Some(_) => Rows::trained(features),
            None => Rows::untrained(features),
        });
    let given = &model.0;
    let written = briefly(py, threads, move || {
        let order = Order {
            to,
            name: &name,
            source: &source,
            folder: &folder,
            constant_time,
            exact_outputs,
            output_bits,
            verify,
            random: random.unwrap_or(Order::RANDOM),
            time_limit: time_limit.unwrap_or(Order::TIME_LIMIT),
            seed: seed.unwrap_or(0),
            python: &python,
            spell: parameter,
            tell: &|_| (),
            temporary: &|_| (),
        };
        order.check()?;
        let draft = DraftFolder::new(&folder)?;
        let found = match (budget, training_data) {
            (Some(budget), Some(data)) => Some(budget::search(&order, given, &data.set, budget)?),
            _ => None,
        };
        let chosen = match training_data.filter(|_| integers && found.is_none()) {
            Some(data) => Some(folder::with_integers(given, data.read_by(given)?.data(), &|| ())?),
            None => None,
        };
        let searched = found.as_ref().map(|found| &found.model);
        let model = searched.or(chosen.as_ref()).unwrap_or(given);
        let rows = match (searched, training_data) {
            (Some(model), Some(data)) => Some(Rows::trained(data.read_by(model)?.features())),
            _ => rows,
        };
        let rounded = match training_data {
            Some(data) => folder::with_few_bits(&order, model, data.read_by(model)?.data())?,
            None => None,
        };
        let (model, few_bits) =
            rounded.as_ref().map_or((model, None), |(model, few)| (model, Some(*few)));
        let check = check(model, training_data)?;
        let (rows, check) = (rows.as_ref(), check.as_ref());
        let rules = match to {
            Target::Markdown => page(model, &source, rows.map(Rows::features), check, Shown::ALL),
            _ => String::new(),
        };
        let chosen = chosen.is_some();
        let subject = Subject { model, chosen, few_bits, rows, check, rules: &rules };
        let mut written = folder::fill(&draft, &order, &subject)?;
        if let Some(found) = &found {
            written.text = found.text() + &written.text;
            written.json["budget"] = found.json();
        }
        draft.finish()?;
        Ok(written)
    })?;
    Ok((written.text, written.json.to_string()))
}
