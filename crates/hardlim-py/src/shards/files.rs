//! Training on files block by block, in this process.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use hardlim::ReadOptions;
use hardlim::shards::{Parts, Shards};
use hardlim::train::{Event, Watch};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Coding;
use crate::attend::attend;
use crate::error::spelled_notes;
use crate::options::Options;
use crate::training::{Reports, Training};

/// The patterns that are drawn, unless their number is given.
const PATTERNS: u64 = 2000;

/// Trains on files within about so much memory. Returns the training, the coding, the accuracy on all rows or
/// `R²`, the number of rows, and what they have that the sample had not.
#[pyfunction]
#[pyo3(signature = (files, memory, options, listener=None))]
pub(crate) fn train_files(
    py: Python<'_>,
    files: Vec<String>,
    memory: u64,
    options: Bound<'_, PyDict>,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Training, Coding, f64, u64, Vec<String>)> {
    let options = Options(options);
    let (request, threads) = (options.request_for_rows()?, options.threads()?);
    let interrupt = AtomicBool::new(false);
    let reports = Reports::new(Instant::now());
    let listen = |event: Event<'_>| reports.hear(event);
    let watch = Watch {
        start: reports.start,
        interrupt: Some(&interrupt),
        listener: Some(&listen),
        ..Watch::default()
    };
    let tick = &mut reports.teller(listener);
    let (trained, coding, score, rows, notes) = attend(py, threads, &interrupt, tick, || {
        request.check_options()?;
        let patterns = usize::try_from(request.patterns.unwrap_or(PATTERNS)).unwrap_or(usize::MAX);
        let parts = Parts::within(memory, patterns, files, ReadOptions::default())?;
        let (coding, mut sample) = parts.sample(&request.columns, &|_| ())?;
        let mut shards = Shards::in_file()?;
        let tally = parts.code(&coding, &mut shards, &|_| ())?;
        let (trained, score) = request.train_rows(&coding, &mut sample, &mut shards, &watch)?;
        Ok((trained, coding, score, shards.rows(), tally.notes()))
    })?;
    let training = Training::of(py, trained, &reports)?;
    Ok((training, Coding { coding }, score, rows, spelled_notes(&notes)))
}
