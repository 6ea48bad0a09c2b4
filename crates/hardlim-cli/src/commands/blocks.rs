//! Training, scoring and checking block by block, for tables that do not fit into memory.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::bail;
use hardlim::Error;
use hardlim::arrangement::Hyperplane;
use hardlim::certify::Check;
use hardlim::model::Model;
use hardlim::rows::{Answer, Blocks, Coded, Files, MOST_IN_MEMORY, Ready, Rows, Taken, Task};
use hardlim::table::{Fingerprint, Table, Tally};
use hardlim::train::Request;

use crate::args::{BlockArgs, Common, DataArgs};
use crate::progress::{self, Training};
use crate::report::{self, Scores};

/// The memory of a check, unless it is given.
const CHECKING: u64 = 1 << 30;

/// Refuses several files if they are not read block by block.
pub(super) fn refuse_more(blocks: &BlockArgs) -> anyhow::Result<()> {
    match blocks.more.first() {
        Some(more) => bail!("{more}: several files are read with --memory"),
        None => Ok(()),
    }
}

/// Reads one file, or with `--memory` several, block by block. What comes back is in blocks if
/// there are more rows than fit, or if training says so.
pub(super) fn read(
    data: &DataArgs,
    blocks: &BlockArgs,
    request: &Request,
    common: &Common,
) -> anyhow::Result<Ready> {
    let Some(memory) = blocks.memory else {
        refuse_more(blocks)?;
        return Ok(Ready::Table(data.open(common)?));
    };
    let reading = progress::doing("reading");
    let tell = |text| reading.set_message(text);
    Ok(request.open(blocks.files(data)?, data.read_options(common)?, memory, &tell)?)
}

/// The names of the files in a few words.
pub(super) fn source(data: &DataArgs, blocks: &BlockArgs) -> anyhow::Result<String> {
    if blocks.memory.is_none() {
        return Ok(data.data.clone());
    }
    Ok(match &blocks.files(data)?[..] {
        [one] => one.clone(),
        files => format!("{} and {} more", files[0], files.len() - 1),
    })
}

/// What was decided about the columns, and what the rows have that the sample had not.
pub(super) fn notes(coded: &Coded) -> Vec<String> {
    coded.coding.notes().into_iter().chain(coded.tally.notes()).collect()
}

/// The rows, their columns and notes on them.
pub(super) fn rows_text(coded: &Coded, source: &str) -> String {
    let (rows, blocks) = (coded.rows.rows(), coded.rows.count());
    let s = if blocks == 1 { "" } else { "s" };
    format!(
        "{source}: {rows} rows in {blocks} block{s}, {}\ntarget {}\n{}",
        report::inputs_text(&coded.coding),
        report::target_text(&coded.coding, None),
        report::notes_text(&notes(coded)),
    )
}

/// Rows that count how often they are asked, and for how long.
pub(super) struct Timed<'a> {
    blocks: &'a mut Blocks,
    bar: &'a Training,
    times: Mutex<Times>,
}

impl<'a> Timed<'a> {
    pub(super) fn new(blocks: &'a mut Blocks, bar: &'a Training) -> Self {
        Self { blocks, bar, times: Mutex::default() }
    }

    pub(super) fn times(self) -> Times {
        self.times.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long it took to answer neurons, and to pass over the rows so often.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Times {
    pub(super) answering: Duration,
    pub(super) passes: u32,
    pub(super) passing: Duration,
}

impl Rows for Timed<'_> {
    fn answer(&mut self, neurons: &[Hyperplane]) -> Result<(), Error> {
        let start = Instant::now();
        self.bar.say(format!("{} neurons answer {} rows", neurons.len(), self.blocks.rows()));
        let answered = self.blocks.answer(neurons);
        self.times.get_mut().unwrap_or_else(PoisonError::into_inner).answering += start.elapsed();
        answered
    }

    fn ask(&self, task: &Task) -> Result<Answer, Error> {
        let start = Instant::now();
        let answer = self.blocks.ask(task);
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.passes += 1;
        times.passing += start.elapsed();
        self.bar.say(format!("{} passes over {} rows", times.passes, self.blocks.rows()));
        answer
    }
}

/// The scores of a model on files, block by block, and what is new in them.
pub(super) fn scores(
    model: &Model,
    data: &DataArgs,
    blocks: &BlockArgs,
    memory: u64,
    common: &Common,
) -> anyhow::Result<(Scores, Vec<String>)> {
    let files = open_files(data, blocks, memory, model.neurons() as u64, common)?;
    let scoring = progress::doing("scoring");
    let mut outputs = vec![Vec::new(); model.parts().len()];
    let (mut targets, mut tally) = (Vec::new(), Tally::default());
    files.for_each(|table| {
        targets.extend(model.coding().targets(&table)?);
        for (all, some) in outputs.iter_mut().zip(model.outputs(&table)?) {
            all.extend(some);
        }
        tally.add(model.coding(), &table)?;
        scoring.set_message(format!("scoring: {} rows", targets.len()));
        Ok(())
    })?;
    Ok((Scores::measure(model, &outputs, &targets), tally.notes()))
}

fn open_files(
    data: &DataArgs,
    blocks: &BlockArgs,
    memory: u64,
    patterns: u64,
    common: &Common,
) -> anyhow::Result<Files> {
    Ok(Files::within(memory, patterns, blocks.files(data)?, data.read_options(common)?)?)
}

/// Checks a model on files that are read block by block, and returns the SHA-256 of each.
pub(super) fn check(
    model: &Model,
    data: &DataArgs,
    blocks: &BlockArgs,
    common: &Common,
) -> anyhow::Result<(Check, Vec<Fingerprint>)> {
    let patterns = model.first().recipe().listed().map_or(0, <[_]>::len) as u64;
    let memory = blocks.memory.unwrap_or(CHECKING);
    let files = open_files(data, blocks, memory, patterns, common)?;
    let reading = progress::doing("reading");
    let tell = |rows| reading.set_message(format!("reading: {rows} rows"));
    let mut coded = Blocks::in_file()?;
    let (_, files) = files.code(model.coding(), &mut coded, &tell)?;
    reading.set_message("checking the certificate");
    Ok((model.certify_rows(&mut coded)?, files))
}

/// The table of files that are read block by block: a model of few rows is checked in memory.
pub(super) fn gathered(
    data: &DataArgs,
    blocks: &BlockArgs,
    memory: u64,
    common: &Common,
) -> anyhow::Result<Table> {
    let reading = progress::doing("reading");
    let files = open_files(data, blocks, memory, 0, common)?;
    let taken: Taken = files.take(&|rows| reading.set_message(format!("reading: {rows} rows")))?;
    if taken.rows() > MOST_IN_MEMORY as u64 {
        bail!("--memory: the model was trained in memory, and is checked without this flag");
    }
    Ok(taken.table()?)
}

/// Checks a model that was trained on rows in blocks, on a table in memory.
pub(super) fn check_table(model: &Model, table: &Table) -> anyhow::Result<Check> {
    let mut rows = Blocks::in_memory();
    rows.push_table((table, None), model.coding(), table.rows().max(1))?;
    Ok(model.certify_rows(&mut rows)?)
}
