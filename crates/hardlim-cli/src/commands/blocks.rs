//! Training, scoring and checking block by block, for tables that do not fit into memory.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use hardlim::certify::Check;
use hardlim::data::{Table, Tally};
use hardlim::model::Model;
use hardlim::shards::{Parts, Shards};
use hardlim::train::{Event, Trained, Watch};
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
    let patterns = request.patterns.unwrap_or(PATTERNS);
    let parts = parts(&args.data, &args.blocks, memory, patterns, common)?;
    let reading = progress::doing("reading");
    let say = |what: &str, rows: u64| reading.say(format!("{what}: {rows} rows"));
    let (coding, mut sample) = parts.sample(&request.columns, &|rows| say("reading", rows))?;
    let mut shards = Shards::in_file()?;
    let tally = parts.code(&coding, &mut shards, &|rows| say("coding", rows))?;
    drop(reading);
    let bar = Training::on(coding.target(), None);
    let listen = |event: Event<'_>| bar.show(event);
    let watch = Watch {
        start,
        interrupt: Some(interrupt::watch()),
        listener: Some(&listen),
        ..Watch::default()
    };
    let trained = request.train_rows(&coding, &mut sample, &mut shards, &watch);
    bar.finish();
    let (trained, score) = trained?;
    if let Some(path) = &args.output {
        interrupt::undisturbed(|| trained.model.save(path))?;
    }
    let outcome = Outcome {
        args,
        trained: &trained,
        source: source(&parts.sources),
        rows: shards.rows(),
        blocks: shards.count(),
        score,
        notes: coding.notes().into_iter().chain(tally.notes()).collect(),
        seconds: start.elapsed().as_secs_f64(),
    };
    report::answer(common, || outcome.json(), || outcome.text())?;
    Ok(super::train::exit_code(args, &trained))
}

/// The files in a few words.
fn source(files: &[String]) -> String {
    match files {
        [one] => one.clone(),
        files => format!("{} and {} more", files[0], files.len() - 1),
    }
}

/// Everything there is to tell about a run.
struct Outcome<'a> {
    args: &'a Train,
    trained: &'a Trained,
    source: String,
    rows: u64,
    blocks: usize,
    /// The accuracy on the training rows, or `R²`.
    score: f64,
    notes: Vec<String>,
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
            "n": self.rows,
            "blocks": self.blocks,
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
        });
        let name = if self.numbers() { "r2" } else { "accuracy" };
        object["train"][name] = json!(self.score);
        object["chosen"] = self.trained.choice.as_ref().map_or(json!(null), choice::json);
        report::add_path(&mut object, "model", self.args.output.as_deref());
        report::add_notes(&mut object, &self.notes);
        object
    }

    fn text(&self) -> String {
        let Trained { model, beta_max, patterns, stop, .. } = self.trained;
        let coding = model.coding();
        let mut text = self.trained.choice.as_ref().map_or(String::new(), choice::headline);
        let (rows, blocks) = (self.rows, self.blocks);
        let s = if blocks == 1 { "" } else { "s" };
        text += &format!("{}: {rows} rows in {blocks} block{s}, ", self.source);
        text += &report::inputs_text(coding);
        text += &format!("\ntarget {}\n", report::target_text(coding));
        text += &report::notes_text(&self.notes);
        text += &report::problem_text(model, *beta_max, *patterns);
        text += "\n";
        text += &report::certificate_text(model);
        text += "\n";
        let score = match self.numbers() {
            true => format!("R2 {:.4}", self.score),
            false => format!("accuracy {}", report::percent(self.score)),
        };
        text += &report::network_text(model, &format!("{score} on {rows} rows"));
        text += &format!("  time       {}{}\n", report::seconds(self.seconds), stopped(*stop));
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
