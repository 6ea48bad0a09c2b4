//! Running an experiment: trial by trial, then the files.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use hardlim::Error;
use hardlim::model::file;
use hardlim_plot::Picture;

use crate::experiments::experiment::{Context, Experiment, Records, Trial};
use crate::experiments::journal::Journal;
use crate::experiments::page::{Section, section};
use crate::experiments::report::csv;

/// The progress of an experiment.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// The trial that is computed now.
    pub key: &'a str,
    /// Trials that are done.
    pub done: usize,
    /// All of them.
    pub trials: usize,
    /// An estimate of the remaining time, from the time so far.
    pub left: Option<Duration>,
}

/// Computes every trial that is not in the journal yet.
///
/// # Errors
/// When a trial fails, the budget is spent ([`Error::Interrupted`]), or the journal cannot be
/// written. Everything that was computed before is in the journal.
pub fn compute(
    experiment: &Experiment,
    context: &Context<'_>,
    folder: &Path,
    mut tell: impl FnMut(&Progress<'_>),
) -> Result<Records, Error> {
    fs::create_dir_all(folder).map_err(|reason| Error::Write { path: folder.into(), reason })?;
    let path = folder.join(format!("{}.jsonl", experiment.id));
    let mut journal = Journal::open(&path, context.seed)?;
    let trials = (experiment.trials)(context);
    let start = Instant::now();
    let mut spent = 0.0;
    for (done, trial) in trials.iter().enumerate() {
        let open = |key: &str| journal.records.get(key).is_null();
        if !open(&trial.key) {
            continue;
        }
        let ahead: f64 = trials[done..].iter().filter(|t| open(&t.key)).map(|t| t.cost).sum();
        let left = (spent > 0.0).then(|| start.elapsed().mul_f64(ahead / spent));
        tell(&Progress { key: &trial.key, done, trials: trials.len(), left });
        let record = (trial.compute)(context)?;
        if context.budget.spent().is_some() {
            return Err(Error::Interrupted); // the record may have been cut short
        }
        spent += trial.cost;
        journal.add(&trial.key, record)?;
    }
    let record = |trial: &Trial| (trial.key.clone(), journal.records.get(&trial.key).clone());
    Ok(Records(trials.iter().map(record).collect()))
}

/// Makes the report of an experiment, and writes its files: the records as CSV, pictures as SVG and
/// PNG, the text as Markdown.
///
/// # Errors
/// When a file cannot be written.
pub fn write(
    experiment: &Experiment,
    context: &Context<'_>,
    records: &Records,
    folder: &Path,
) -> Result<Section, Error> {
    let Experiment { id, title, report, .. } = *experiment;
    let (report, mut files) = (report(context, records), Vec::new());
    let mut name = |suffix: &str, extension: &str| {
        let name = format!("{id}{suffix}.{extension}");
        files.push(name.clone());
        folder.join(name)
    };
    file::write(&name("", "csv"), csv(records).as_bytes())?;
    for (suffix, figure) in &report.figures {
        for extension in ["svg", "png"] {
            let picture = Picture::new(name(suffix, extension)).expect("a format we know");
            picture.write(figure)?;
        }
    }
    file::write(&name("", "md"), section(id, title, &report).as_bytes())?;
    Ok(Section { id, title, report, files })
}
