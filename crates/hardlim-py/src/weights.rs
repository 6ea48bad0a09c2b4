//! Other weights for models.

use hardlim::Error;
use hardlim::network::{Change, Rechoice, Weights};
use pyo3::prelude::*;

use crate::attend::watched;
use crate::error::{HardlimError, to_py};
use crate::model::Model;
use crate::training_data::TrainingData;

/// The model with other weights in the cells of its neurons, and what changed as the text of a JSON
/// object.
#[pyfunction]
#[pyo3(signature = (model, training_data, choice, input_bits=None, standardize=true, threads=None))]
pub(crate) fn weights(
    py: Python<'_>,
    model: &Model,
    training_data: &TrainingData,
    choice: &str,
    input_bits: Option<u32>,
    standardize: bool,
    threads: Option<usize>,
) -> PyResult<(Model, String)> {
    let choice: Weights = choice.parse().map_err(to_py)?;
    let problem = match (choice, input_bits) {
        (Weights::Sampled, _) => Some("choice must be svm, center, sparse, integer or pi".into()),
        (Weights::Integer, Some(bits)) if !(2..=31).contains(&bits) => {
            Some(format!("input_bits must be between 2 and 31, got {bits}"))
        }
        (Weights::Integer, _) | (_, None) => None,
        (_, Some(_)) => Some("input_bits needs choice='integer'".into()),
    };
    if let Some(problem) = problem {
        return Err(HardlimError::new_err(problem));
    }
    let ((chosen, changes), _) = watched(py, threads, None, |watch, _| {
        let stop = || watch.interrupted();
        let rechoice = Rechoice { standardize, input_bits, stop: &stop, ..Rechoice::new(choice) };
        let set = training_data.read_by(&model.0)?;
        let chosen = model.0.rechoose(set.data(), &rechoice)?;
        if stop() { Err(Error::Interrupted) } else { Ok(chosen) }
    })?;
    let object = Change::model_json(&changes, chosen.several_classes());
    Ok((Model(chosen), object.to_string()))
}
