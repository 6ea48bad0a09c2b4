//! Running an experiment: trial by trial, then the files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use hardlim::Error;
use hardlim::model::file;
use hardlim_plot::Picture;
use serde_json::{Value, json};

use crate::experiments::experiment::{Context, Experiment, Records, Trial};
use crate::experiments::page::{Section, section};
use crate::experiments::report::csv;

/// Records of other versions, or of another use of chance, are not used.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/streams");

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

/// Computes every trial that has no record yet in the journal, a file with a line for each record.
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
    let failed = |reason| Error::Write { path: path.clone(), reason };
    let (mut journal, mut known) = open(&path, context.seed).map_err(failed)?;
    let trials = (experiment.trials)(context);
    let start = Instant::now();
    let mut spent = 0.0;
    for (done, trial) in trials.iter().enumerate() {
        if known.0.contains_key(&trial.key) {
            continue;
        }
        let open = |trial: &&Trial| !known.0.contains_key(&trial.key);
        let ahead: f64 = trials[done..].iter().filter(open).map(|trial| trial.cost).sum();
        let left = (spent > 0.0).then(|| start.elapsed().mul_f64(ahead / spent));
        tell(&Progress { key: &trial.key, done, trials: trials.len(), left });
        let record = (trial.compute)(context)?;
        if context.budget.spent().is_some() {
            return Err(Error::Interrupted); // the record may have been cut short
        }
        spent += trial.cost;
        let (seed, key) = (context.seed, &trial.key);
        let line = json!({ "version": VERSION, "seed": seed, "key": key, "record": record });
        journal.write_all(format!("{line}\n").as_bytes()).map_err(failed)?;
        known.0.insert(key.clone(), record);
    }
    let record = |trial: &Trial| (trial.key.clone(), known.get(&trial.key).clone());
    Ok(Records(trials.iter().map(record).collect()))
}

/// The journal, open after its last complete line, and its records of this version and seed. A
/// killed program may have left an incomplete line, which is cut off.
fn open(path: &Path, seed: u64) -> io::Result<(File, Records)> {
    let mut file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |last| last + 1);
    file.set_len(whole as u64)?;
    file.seek(SeekFrom::Start(whole as u64))?;
    let mut records = Records::default();
    for line in String::from_utf8_lossy(&bytes[..whole]).lines() {
        let Ok(mut line) = serde_json::from_str::<Value>(line) else { continue };
        let ours = line["version"] == VERSION && line["seed"] == seed;
        if let (true, Some(key)) = (ours, line["key"].as_str().map(String::from)) {
            records.0.insert(key, line["record"].take());
        }
    }
    Ok((file, records))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::Report;

    #[test]
    fn whole_lines_of_a_seed_are_kept_and_half_ones_cut_off() {
        fn trial(key: &str) -> Trial {
            Trial::new(key, 1.0, |context| Ok(json!({ "v": context.seed })))
        }
        let experiment = Experiment {
            id: "x",
            title: "",
            trials: |_| ["a", "b"].map(trial).into(),
            report: |_, _| Report::default(),
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        let computed = |seed| {
            let (mut computed, context) = (0, crate::experiments::tiny(seed));
            let records = compute(&experiment, &context, folder.path(), |_| computed += 1).unwrap();
            assert!(records.0.values().all(|record| *record == json!({ "v": seed })));
            assert_eq!(records.0.len(), 2);
            computed
        };
        assert_eq!(computed(0), 2);
        let whole = fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            assert_eq!(computed(0), 2 - whole[..cut].iter().filter(|b| **b == b'\n').count());
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
        assert_eq!([1, 1, 0].map(computed), [2, 0, 0]);
    }
}
