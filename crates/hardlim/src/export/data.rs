//! The data that a model is exported with: they choose integers, and their rows become test inputs.

use std::borrow::Cow;

use super::budget;
use crate::certify::Check;
use crate::data::{Dataset, Features, TrainingSet};
use crate::error::Error;
use crate::model::Model;
use crate::rows::Blocks;
use crate::table::Table;
use crate::table::memory;

type TestRows = (Features, Vec<(usize, u64)>);

/// The data of an export.
#[derive(Debug, Clone, Copy)]
pub enum Data<'a> {
    /// None.
    Nothing,
    /// A table; without the target, its rows are test inputs only.
    Table(&'a Table),
    /// The training set.
    Training(&'a TrainingSet),
    /// Rows that the model was not trained on.
    Rows(&'a Features),
}

impl<'a> Data<'a> {
    /// The training set for the task of a model, numbers as they are read.
    pub(super) fn training_set(self, model: &Model) -> Result<Option<Cow<'a, TrainingSet>>, Error> {
        let columns = budget::request(model).columns;
        Ok(match self {
            Self::Training(set) => Some(Cow::Borrowed(set)),
            Self::Table(table) => Some(Cow::Owned(match model.split() {
                None => TrainingSet::of_table(table, &columns)?,
                Some(split) => TrainingSet::split_off(table, &columns, split)?.0,
            })),
            Self::Nothing | Self::Rows(_) => None,
        })
    }

    pub(super) fn training_data(self, model: &Model) -> Result<Option<Dataset>, Error> {
        match self {
            Self::Table(table) if model.coding().has_target(table) => {
                model.training_data(table).map(Some)
            }
            Self::Training(set) => Ok(Some(set.read_by(model.coding())?.data().clone())),
            _ => Ok(None),
        }
    }

    /// Rows that become test inputs; those that the model was not trained on, with the numbers that
    /// people know them by.
    pub(super) fn rows(self, model: &Model) -> Result<Option<TestRows>, Error> {
        Ok(Some(match self {
            Self::Nothing => return Ok(None),
            Self::Table(table) => {
                let numbered = |i: usize| (i, table.row_number(i));
                let new = model.new_rows(table).into_iter().map(numbered).collect();
                (model.coding().features(table)?, new)
            }
            Self::Training(set) => (set.read_by(model.coding())?.features(), Vec::new()),
            Self::Rows(features) => {
                let new = (0..features.rows()).map(|i| (i, i as u64 + 1)).collect();
                (features.clone(), new)
            }
        }))
    }

    /// What checking the certificate of a model finds, if there are training data.
    pub(super) fn check(self, model: &Model) -> Result<Option<Check>, Error> {
        if let (Self::Table(table), true) = (self, model.is_of_rows()) {
            if !model.coding().has_target(table) {
                return Ok(None);
            }
            let mut rows = Blocks::in_memory();
            rows.push_table((table, None), model.coding(), table.rows().max(1))?;
            return model.certify_rows(&mut rows).map(Some);
        }
        let data = self.training_data(model)?;
        data.map(|data| model.certify_within(&data, memory::for_checking())).transpose()
    }
}
