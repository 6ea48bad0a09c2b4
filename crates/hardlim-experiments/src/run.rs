//! Running an experiment: cell by cell, then the files.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use hardlim::{Error, file};
use hardlim_plot::Picture;

use crate::experiment::{Context, Experiment, Records};
use crate::journal::Journal;
use crate::report::Report;

/// How far an experiment is.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// The cell that is computed now.
    pub key: &'a str,
    /// Cells that are done.
    pub done: usize,
    /// All of them.
    pub cells: usize,
    /// How long the rest will take, by what the cells of this run took.
    pub left: Option<Duration>,
}

/// Computes every cell that is not in the journal yet.
///
/// # Errors
/// When a cell fails, the budget is spent ([`Error::Interrupted`]), or the journal cannot be written to.
/// What was computed before is in the journal.
pub fn compute(
    experiment: &dyn Experiment,
    context: &Context<'_>,
    folder: &Path,
    mut tell: impl FnMut(&Progress<'_>),
) -> Result<Records, Error> {
    fs::create_dir_all(folder).map_err(|reason| Error::Write { path: folder.into(), reason })?;
    let path = folder.join(format!("{}.jsonl", experiment.id()));
    let mut journal = Journal::open(&path, context.seed)?;
    let cells = experiment.cells(context);
    let start = Instant::now();
    let mut spent = 0.0;
    for (done, cell) in cells.iter().enumerate() {
        if !journal.records().get(&cell.key).is_null() {
            continue;
        }
        let open = |c: &&crate::Cell| journal.records().get(&c.key).is_null();
        let ahead: f64 = cells[done..].iter().filter(open).map(|c| c.cost).sum();
        let left = (spent > 0.0).then(|| start.elapsed().mul_f64(ahead / spent));
        tell(&Progress { key: &cell.key, done, cells: cells.len(), left });
        let record = (cell.compute)(context)?;
        if context.budget.spent().is_some() {
            return Err(Error::Interrupted); // the record may have been cut short
        }
        spent += cell.cost;
        journal.add(&cell.key, record)?;
    }
    let mut records = Records::default();
    for cell in &cells {
        records.0.insert(cell.key.clone(), journal.records().get(&cell.key).clone());
    }
    Ok(records)
}

/// Writes the files of a report: tables as CSV, pictures as SVG and PNG, what is to be said as Markdown.
/// Gives their names.
///
/// # Errors
/// When a file cannot be written.
pub fn write(
    experiment: &dyn Experiment,
    report: &Report,
    folder: &Path,
) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    let mut name = |suffix: &str, extension: &str| {
        let name = format!("{}{suffix}.{extension}", experiment.id());
        names.push(name.clone());
        folder.join(name)
    };
    for (suffix, table) in &report.tables {
        file::write(&name(suffix, "csv"), &table.csv())?;
    }
    for (suffix, figure) in &report.figures {
        for extension in ["svg", "png"] {
            let picture = Picture::new(name(suffix, extension)).expect("a format we know");
            picture.write(figure)?;
        }
    }
    let text = crate::page::section(experiment.id(), experiment.title(), report);
    file::write(&name("", "md"), text.as_bytes())?;
    Ok(names)
}
