//! Training, scoring and checking block by block, for tables that do not fit into memory.

use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::bail;
use hardlim::Error;
use hardlim::arrangement::Hyperplane;
use hardlim::certify::Check;
use hardlim::model::Model;
use hardlim::rows::{Answer, Blocks, Coded, Files, MOST_IN_MEMORY, Ready, Rows, Taken, Task};
use hardlim::table::{Fingerprint, Table, Tally};
use hardlim::train::{Event, Request, Trained, Watch};
use serde_json::{Value, json};

use super::train::stopped;
use super::{check_size_flags, choice, open_table};
use crate::args::{BlockArgs, Common, DataArgs, Train};
use crate::progress::{self, Training};
use crate::report::{self, Scores};
use crate::trace::Trace;
use crate::{files, interrupt};

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
        return Ok(Ready::Table(open_table(data, common)?));
    };
    check_size_flags(data)?;
    let reading = progress::doing("reading");
    let tell = |text| reading.say(text);
    Ok(request.open(blocks.files(data)?, data.read_options(common), memory, &tell)?)
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
struct Timed<'a> {
    blocks: &'a mut Blocks,
    bar: &'a Training,
    times: Mutex<Times>,
}

/// How long it took to answer neurons, and to pass over the rows so often.
#[derive(Debug, Clone, Copy, Default)]
struct Times {
    answering: Duration,
    passes: u32,
    passing: Duration,
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

/// `hardlim train` on rows in blocks.
pub(super) fn train(
    args: &Train,
    request: &Request,
    mut coded: Coded,
    start: Instant,
    common: &Common,
) -> anyhow::Result<ExitCode> {
    let reading = start.elapsed();
    let bar = Training::on(coded.coding.target(), request.time_limit());
    let trace = Trace::new(start);
    let listen = |event: Event<'_>| trace.heard(event, &bar);
    let watch = Watch {
        start,
        interrupt: Some(interrupt::watch()),
        listener: Some(&listen),
        ..Watch::default()
    };
    let Coded { coding, sample, rows, .. } = &mut coded;
    let mut timed = Timed { blocks: rows, bar: &bar, times: Mutex::default() };
    let trained = request.train_rows(coding, sample, &mut timed, &watch);
    bar.finish();
    let times = timed.times.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (mut trained, score) = trained?;
    trained.model = trained.model.with_files(coded.files.clone());
    let source = source(&args.data, &args.blocks)?;
    if let Some(path) = &args.trace {
        files::write(path, &trace.csv())?;
    }
    if let Some(picture) = &args.plot {
        files::draw(picture, &trace.picture(&report::title(&source, &trained.model)))?;
    }
    if let Some(path) = &args.output {
        interrupt::undisturbed(|| trained.model.save(path))?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let outcome =
        Outcome { args, trained: &trained, coded: &coded, source, score, reading, times, seconds };
    report::answer(common, || outcome.json(), || outcome.text())?;
    Ok(super::train::exit_code(args, &trained))
}

/// Everything there is to tell about a run.
struct Outcome<'a> {
    args: &'a Train,
    trained: &'a Trained,
    coded: &'a Coded,
    source: String,
    /// The accuracy on the training rows, or `R²`.
    score: f64,
    /// How long it took to read and code the rows.
    reading: Duration,
    times: Times,
    seconds: f64,
}

impl Outcome<'_> {
    fn numbers(&self) -> bool {
        self.trained.model.coding().target().classes().is_none()
    }

    fn json(&self) -> Value {
        let Trained { model, beta_max, patterns, stop, .. } = self.trained;
        let first = model.first();
        let mut object = json!({
            "n": self.coded.rows.rows(),
            "blocks": self.coded.rows.count(),
            "d": model.coding().dimension(),
            "layers": first.network().depth(),
            "method": first.recipe().name(),
            "loss": model.loss().to_string(),
            "beta": model.beta().get(),
            "beta_max": beta_max,
            "neurons": model.neurons(),
            "patterns": patterns,
            "train": { "loss": model.training_loss() },
            "stop": stop.name(),
            "seconds": self.seconds,
            "passes": self.times.passes,
            "seconds_of": {
                "reading": self.reading.as_secs_f64(),
                "answering": self.times.answering.as_secs_f64(),
                "passes": self.times.passing.as_secs_f64(),
            },
        });
        report::add_certificates(&mut object, model, &model.certificate(), &model.global());
        let name = if self.numbers() { "r2" } else { "accuracy" };
        object["train"][name] = json!(self.score);
        object["chosen"] = self.trained.choice.as_ref().map_or(json!(null), choice::json);
        report::add_path(&mut object, "model", self.args.output.as_deref());
        report::add_notes(&mut object, &notes(self.coded));
        object
    }

    fn text(&self) -> String {
        let Trained { model, beta_max, patterns, stop, .. } = self.trained;
        let mut text = self.trained.choice.as_ref().map_or(String::new(), choice::headline);
        let rows = self.coded.rows.rows();
        text += &rows_text(self.coded, &self.source);
        text += &report::problem_text(model, *beta_max, *patterns);
        text += "\n";
        text += &report::certificate_text(model);
        text += "\n";
        let score = if self.numbers() {
            format!("R2 {:.4}", self.score)
        } else {
            format!("accuracy {}", report::percent(self.score))
        };
        text += &report::network_text(model, &format!("{score} on {rows} rows"));
        let passes = self.times.passes;
        text += &format!(
            "  time       {}, {passes} passes over the rows{}\n",
            report::seconds(self.seconds),
            stopped(*stop)
        );
        let what = if model.parts().len() > 1 { "the networks" } else { "the network" };
        text + &report::kept(self.args.output.as_deref(), what)
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
        scoring.say(format!("scoring: {} rows", targets.len()));
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
    check_size_flags(data)?;
    Ok(Files::within(memory, patterns, blocks.files(data)?, data.read_options(common))?)
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
    let tell = |rows| reading.say(format!("reading: {rows} rows"));
    let mut coded = Blocks::in_file()?;
    let (_, files) = files.code(model.coding(), &mut coded, &tell)?;
    reading.say("checking the certificate".into());
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
    let taken: Taken = files.take(&|rows| reading.say(format!("reading: {rows} rows")))?;
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
