//! Training, scoring and checking block by block, for tables that do not fit into memory.

use std::cell::Cell;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::bail;
use hardlim::Error;
use hardlim::arrangement::Hyperplane;
use hardlim::certify::Check;
use hardlim::data::{Coding, Table, Tally};
use hardlim::model::Model;
use hardlim::shards::{Answer, Parts, Rows, Sample, Shards, Task};
use hardlim::train::{Event, Request, Trained, Watch};
use serde_json::{Value, json};

use super::train::stopped;
use super::{check_size_flags, choice};
use crate::args::{BlockArgs, Common, DataArgs, Train};
use crate::interrupt;
use crate::progress::{self, Training};
use crate::report::{self, Scores};

/// The memory of a check, unless it is given.
const CHECKING: u64 = 1 << 30;
/// The patterns that are drawn, unless their number is given.
const PATTERNS: u64 = 2000;

/// Refuses several files if they are not read block by block.
pub(super) fn refuse_more(blocks: &BlockArgs) -> anyhow::Result<()> {
    match blocks.more.first() {
        Some(more) => bail!("{more}: several files are read with --memory"),
        None => Ok(()),
    }
}

/// The files, and how to read them.
fn parts(
    data: &DataArgs,
    blocks: &BlockArgs,
    memory: u64,
    patterns: u64,
    common: &Common,
) -> anyhow::Result<Parts> {
    check_size_flags(data)?;
    let patterns = usize::try_from(patterns).unwrap_or(usize::MAX);
    Ok(Parts::within(memory, patterns, blocks.files(data)?, data.read_options(common))?)
}

/// Rows that were read and coded, in memory if they fit, otherwise in a temporary file.
pub(super) struct Blocks {
    pub(super) coding: Coding,
    pub(super) sample: Sample,
    pub(super) shards: Shards,
    pub(super) notes: Vec<String>,
    files: Vec<String>,
}

impl Blocks {
    pub(super) fn read(
        data: &DataArgs,
        blocks: &BlockArgs,
        request: &Request,
        memory: u64,
        common: &Common,
    ) -> anyhow::Result<Self> {
        let patterns = request.patterns.unwrap_or(PATTERNS);
        let parts = parts(data, blocks, memory, patterns, common)?;
        let reading = progress::doing("reading");
        let rows = Cell::new(0);
        let (coding, sample) = parts.sample(&request.columns, &|read| {
            rows.set(read);
            reading.say(format!("reading: {read} rows"));
        })?;
        let mut shards = Shards::within(memory, rows.get(), coding.dimension(), patterns)?;
        let tally = parts.code(&coding, &mut shards, &|coded| {
            reading.say(format!("coding: {coded} of {} rows", rows.get()));
        })?;
        let notes = coding.notes().into_iter().chain(tally.notes()).collect();
        Ok(Self { coding, sample, shards, notes, files: parts.sources })
    }

    /// The files in a few words.
    pub(super) fn source(&self) -> String {
        match &self.files[..] {
            [one] => one.clone(),
            files => format!("{} and {} more", files[0], files.len() - 1),
        }
    }

    /// The rows, their columns and notes on them.
    pub(super) fn text(&self) -> String {
        let (rows, blocks) = (self.shards.rows(), self.shards.count());
        let s = if blocks == 1 { "" } else { "s" };
        format!(
            "{}: {rows} rows in {blocks} block{s}, {}\ntarget {}\n{}",
            self.source(),
            report::inputs_text(&self.coding),
            report::target_text(&self.coding),
            report::notes_text(&self.notes),
        )
    }
}

/// Rows that count how often they are asked, and for how long.
struct Timed<'a> {
    shards: &'a mut Shards,
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
        self.bar.say(format!("{} neurons answer {} rows", neurons.len(), self.shards.rows()));
        let answered = self.shards.answer(neurons);
        self.times.get_mut().unwrap_or_else(PoisonError::into_inner).answering += start.elapsed();
        answered
    }

    fn ask(&self, task: &Task) -> Result<Answer, Error> {
        let start = Instant::now();
        let answer = self.shards.ask(task);
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.passes += 1;
        times.passing += start.elapsed();
        self.bar.say(format!("{} passes over {} rows", times.passes, self.shards.rows()));
        answer
    }
}

/// `hardlim train --memory`.
pub(super) fn train(args: &Train, memory: u64, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let request = args.request(common);
    request.check_options()?;
    for (flag, given) in [("--trace", args.trace.is_some()), ("--plot", args.plot.is_some())] {
        if given {
            bail!("{flag} does not go with --memory");
        }
    }
    let mut blocks = Blocks::read(&args.data, &args.blocks, &request, memory, common)?;
    let reading = start.elapsed();
    let bar = Training::on(blocks.coding.target(), request.time_limit);
    let listen = |event: Event<'_>| bar.show(event);
    let watch = Watch {
        start,
        interrupt: Some(interrupt::watch()),
        listener: Some(&listen),
        ..Watch::default()
    };
    let Blocks { coding, sample, shards, .. } = &mut blocks;
    let mut timed = Timed { shards, bar: &bar, times: Mutex::default() };
    let trained = request.train_rows(coding, sample, &mut timed, &watch);
    bar.finish();
    let times = timed.times.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (trained, score) = trained?;
    if let Some(path) = &args.output {
        interrupt::undisturbed(|| trained.model.save(path))?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let outcome =
        Outcome { args, trained: &trained, blocks: &blocks, score, reading, times, seconds };
    report::answer(common, || outcome.json(), || outcome.text())?;
    Ok(super::train::exit_code(args, &trained))
}

/// Everything there is to tell about a run.
struct Outcome<'a> {
    args: &'a Train,
    trained: &'a Trained,
    blocks: &'a Blocks,
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
        let (certificate, first) = (model.certificate(), model.first());
        let mut object = json!({
            "n": self.blocks.shards.rows(),
            "blocks": self.blocks.shards.count(),
            "d": model.coding().dimension(),
            "layers": first.network().depth(),
            "method": first.recipe().name(),
            "loss": model.loss().to_string(),
            "beta": model.beta().get(),
            "beta_max": beta_max,
            "neurons": model.neurons(),
            "patterns": patterns,
            "objective": certificate.objective(),
            "certificate": report::certificate_json(&certificate),
            "global": report::certificate_json(&model.global()),
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
        let name = if self.numbers() { "r2" } else { "accuracy" };
        object["train"][name] = json!(self.score);
        object["chosen"] = self.trained.choice.as_ref().map_or(json!(null), choice::json);
        report::add_path(&mut object, "model", self.args.output.as_deref());
        report::add_notes(&mut object, &self.blocks.notes);
        object
    }

    fn text(&self) -> String {
        let Trained { model, beta_max, patterns, stop, .. } = self.trained;
        let mut text = self.trained.choice.as_ref().map_or(String::new(), choice::headline);
        let rows = self.blocks.shards.rows();
        text += &self.blocks.text();
        text += &report::problem_text(model, *beta_max, *patterns);
        text += "\n";
        text += &report::certificate_text(model);
        text += "\n";
        let score = match self.numbers() {
            true => format!("R2 {:.4}", self.score),
            false => format!("accuracy {}", report::percent(self.score)),
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
    let parts = parts(data, blocks, memory, model.neurons() as u64, common)?;
    let scoring = progress::doing("scoring");
    let mut outputs = vec![Vec::new(); model.parts().len()];
    let (mut targets, mut tally) = (Vec::new(), Tally::default());
    parts.for_each(|table| {
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

/// Checks a model that was trained block by block.
pub(super) fn check(
    model: &Model,
    data: &DataArgs,
    blocks: &BlockArgs,
    common: &Common,
) -> anyhow::Result<Check> {
    let patterns = model.first().recipe().listed().map_or(0, <[_]>::len) as u64;
    let memory = blocks.memory.unwrap_or(CHECKING);
    let parts = parts(data, blocks, memory, patterns, common)?;
    let reading = progress::doing("reading");
    let mut shards = Shards::in_file()?;
    parts
        .code(model.coding(), &mut shards, &|rows| reading.say(format!("reading: {rows} rows")))?;
    reading.say("checking the certificate".into());
    Ok(model.certify_rows(&mut shards)?)
}

/// The same on a table in memory.
pub(super) fn check_table(model: &Model, table: &Table) -> anyhow::Result<Check> {
    let mut shards = Shards::in_memory();
    shards.push(model.coding().shard(table, 0)?)?;
    Ok(model.certify_rows(&mut shards)?)
}
