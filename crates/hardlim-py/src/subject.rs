//! A model, with the rows that it is looked at on.

use hardlim::Error;
use hardlim::certify::Check;
use hardlim::data::Features;
use hardlim::model;
use hardlim::table::memory;
use pyo3::prelude::*;

use crate::error::to_py;
use crate::model::Model;
use crate::training_data::TrainingData;

/// The rows of training data, of `X` alone, or none.
pub(crate) fn rows(
    model: &Model,
    training_data: Option<&TrainingData>,
    x: Option<&Bound<'_, PyAny>>,
    names: Option<&[String]>,
) -> PyResult<Option<Features>> {
    match (training_data, x) {
        (Some(data), _) => Ok(Some(data.read_by(&model.0).map_err(to_py)?.features())),
        (None, x) => x.map(|x| model.features(x, names)).transpose(),
    }
}

/// What checking a model on its training data finds.
pub(crate) fn check(
    model: &model::Model,
    training_data: Option<&TrainingData>,
) -> Result<Option<Check>, Error> {
    let memory = memory::for_checking();
    let check = |data: &TrainingData| model.certify_within(data.read_by(model)?.data(), memory);
    training_data.map(check).transpose()
}
