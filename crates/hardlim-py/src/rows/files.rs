//! Training on files that are read block by block, in this process.

use hardlim::ReadOptions;
use hardlim::rows::{Coded, Ready};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Coding;
use crate::attend::watched;
use crate::error::spelled_notes;
use crate::options::Options;
use crate::training::Training;

/// Trains on files within about `memory` bytes. Returns the training, the coding, and what the rows
/// have that the sample had not.
#[pyfunction]
#[pyo3(signature = (files, memory, options, listener=None))]
pub(crate) fn train_files(
    py: Python<'_>,
    files: Vec<String>,
    memory: u64,
    options: Bound<'_, PyDict>,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Training, Coding, Vec<String>)> {
    let options = Options(options);
    let (request, threads) = (options.request_for_rows()?, options.threads()?);
    let ((trained, notes), reports) = watched(py, threads, listener, |watch, _| {
        match request.open(files, ReadOptions::default(), memory, &|_| ())? {
            Ready::Table(table) => {
                let (set, _) = request.screen(request.read(&table)?, watch)?;
                let mut trained = request.check(&set)?.train(&set, watch)?;
                trained.model = trained.model.with_files(table.files().to_vec());
                Ok((trained, Vec::new()))
            }
            Ready::Blocks(Coded { coding, mut sample, mut rows, tally, files }) => {
                let (mut trained, _) =
                    request.train_rows(&coding, &mut sample, &mut rows, watch)?;
                trained.model = trained.model.with_files(files);
                Ok((trained, tally.notes()))
            }
        }
    })?;
    let coding = Coding { coding: trained.model.coding().clone() };
    Ok((Training::of(py, trained, &reports)?, coding, spelled_notes(&notes)))
}
