//! `hardlim train`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::{Args, ValueHint};
use hardlim::data::{Features, TrainingSet};
use hardlim::explain::Scorecard;
use hardlim::model::{Narrowed, Part};
use hardlim::rows::{Coded, Ready};
use hardlim::solver::StopReason;
use hardlim::table::{Coding, Fingerprint, Table, TargetCoding};
use hardlim::train::{Entry, Event, Request, Trained, spelled};
use serde_json::{Value, json};

use super::blocks::{self, Timed, Times};
use super::{choice, prepare};
use crate::args::{Asked, BlockArgs, Command, Common, DataArgs, Door, parse_picture};
use crate::plot::Picture;
use crate::progress::Training;
use crate::report::{self, Scores};
use crate::trace::Trace;
use crate::{files, interrupt};

/// Train a network, and prove how good it is
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/train.txt"))]
pub(crate) struct Train {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    blocks: BlockArgs,
    #[command(flatten)]
    asked: Asked<All>,
    /// Write objective and bound of each round to this CSV file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Result")]
    trace: Option<PathBuf>,
    /// Draw objective and bound over time; the name ends in .svg or .png
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = parse_picture,
          help_heading = "Result")]
    plot: Option<Picture>,
    /// Write the model to this file
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath,
          help_heading = "Result")]
    output: Option<PathBuf>,
}

/// All options.
#[derive(Debug)]
pub(crate) struct All;

impl Door for All {
    fn has(_: &Entry) -> bool {
        true
    }
}

pub(crate) fn run(args: &Train, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let request = args.asked.request(common)?;
    let ready = match blocks::read(&args.data, &args.blocks, &request, common)? {
        Ready::Table(table) => match request.divided(&table, &request.columns, None) {
            None => Ready::Table(table),
            Some(coded) => Ready::Blocks(coded),
        },
        blocks => blocks,
    };
    let trace = Trace::new(start);
    match ready {
        Ready::Table(table) => {
            let (set, held_out) = prepare(&table, &request)?;
            let bar = bar(args, &request, set.coding())?;
            let listen = |event: Event<'_>| trace.heard(event, &bar);
            let watch = interrupt::from(start, Some(&listen));
            let trained = request.screen((set, held_out), &watch).and_then(|(set, held_out)| {
                let trained = request.check(&set)?.train(&set, &watch)?;
                Ok((set, held_out, trained))
            });
            drop(bar);
            let (set, held_out, trained) = trained?;
            let trained = kept(args, trained, table.files(), &trace, table.source())?;
            let score = |(features, y): &(Features, Vec<f64>)| {
                Scores::measure(&trained.model, &trained.model.outputs_of(features), y)
            };
            let outputs = trained.model.outputs_on(set.data());
            let train = Scores::measure(&trained.model, &outputs, set.y());
            let held_out = held_out.as_ref().map(score);
            let rows = Rows::Table { table: &table, set: &set, train, held_out };
            tell(args, &request, &trained, rows, start, common)
        }
        Ready::Blocks(mut coded) => {
            let reading = start.elapsed();
            let bar = bar(args, &request, &coded.coding)?;
            let listen = |event: Event<'_>| trace.heard(event, &bar);
            let watch = interrupt::from(start, Some(&listen));
            let Coded { coding, sample, rows, .. } = &mut coded;
            let mut timed = Timed::new(rows, &bar);
            let trained = request.train_rows(coding, sample, &mut timed, &watch);
            let times = timed.times();
            drop(bar);
            let (trained, score) = trained?;
            let source = blocks::source(&args.data, &args.blocks)?;
            let trained = kept(args, trained, &coded.files, &trace, &source)?;
            let rows = Rows::Blocks { coded: &coded, source, score, reading, times };
            tell(args, &request, &trained, rows, start, common)
        }
    }
}

/// The bar of a training. A trace and its picture are those of one network.
fn bar(args: &Train, request: &Request, coding: &Coding) -> anyhow::Result<Training> {
    if let TargetCoding::Several { column, .. } = coding.target() {
        for (flag, given) in [("--trace", args.trace.is_some()), ("--plot", args.plot.is_some())] {
            let column = &column.name;
            ensure!(
                !given,
                "{flag} follows one network, and every class of {column:?} has its own"
            );
        }
    }
    Ok(Training::new(coding.target(), request.time_limit()))
}

/// What was trained, with the hashes of its files, after everything is written.
fn kept(
    args: &Train,
    trained: Trained,
    read: &[Fingerprint],
    trace: &Trace,
    source: &str,
) -> anyhow::Result<Trained> {
    let model = trained.model.with_files(read.to_vec());
    if let Some(path) = &args.trace {
        files::write(path, &trace.csv())?;
    }
    if let Some(picture) = &args.plot {
        files::draw(picture, &trace.picture(&report::title(source, report::problem(&model))))?;
    }
    if let Some(path) = &args.output {
        interrupt::undisturbed(|| model.save(path))?;
    }
    Ok(Trained { model, ..trained })
}

/// Prints everything there is to tell about a run.
fn tell(
    args: &Train,
    request: &Request,
    trained: &Trained,
    rows: Rows<'_>,
    start: Instant,
    common: &Common,
) -> anyhow::Result<ExitCode> {
    if let Some(warning) = choice::warning(trained) {
        report::note("warning", warning);
    }
    let why = trained.why.as_ref().map(|why| spelled(why, Command::usual_flag));
    let seconds = start.elapsed().as_secs_f64();
    let outcome = Outcome { args, request, trained, why, rows, seconds };
    report::answer(common, || outcome.json(), || outcome.text())?;
    let gap = match &trained.lists {
        None => trained.model.certificate().relative_gap(),
        Some(lists) => lists.relative_gap(),
    };
    let reached = |tolerance| gap <= tolerance;
    Ok(match trained.stop {
        StopReason::Interrupted => ExitCode::from(interrupt::EXIT_CODE),
        _ if args.asked.gap().is_some_and(|tolerance| !reached(tolerance)) => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}

/// What was trained on, and how well it is answered.
enum Rows<'a> {
    Table {
        table: &'a Table,
        set: &'a TrainingSet,
        train: Scores,
        held_out: Option<Scores>,
    },
    Blocks {
        coded: &'a Coded,
        source: String,
        /// The accuracy on the training rows, or `R²`.
        score: f64,
        /// How long it took to read and code the rows.
        reading: Duration,
        times: Times,
    },
}

/// Everything there is to tell about a run.
struct Outcome<'a> {
    args: &'a Train,
    request: &'a Request,
    trained: &'a Trained,
    /// Why this method, where it was chosen.
    why: Option<String>,
    rows: Rows<'a>,
    seconds: f64,
}

impl Outcome<'_> {
    fn json(&self) -> Value {
        let Trained { model, beta_max, beta_max_exact, patterns, stop, .. } = self.trained;
        let first = model.first();
        let mut object = json!({
            "d": model.coding().dimension(),
            "layers": first.network().depth(),
            "method": first.recipe().name(),
            "loss": model.loss().to_string(),
            "beta": model.beta().get(),
            "beta_max": beta_max,
            "neurons": model.neurons(),
            "patterns": patterns,
            "stop": stop.name(),
            "seconds": self.seconds,
        });
        match &self.rows {
            Rows::Table { table, set, train, held_out } => {
                object["n"] = json!(set.data().samples());
                object["distinct"] = json!(set.data().distinct());
                object["train"] = train.json();
                report::add(&mut object, "holdout", held_out.as_ref().map(Scores::json));
                report::add_notes(&mut object, &report::notes(table, model.coding()));
            }
            Rows::Blocks { coded, score, reading, times, .. } => {
                object["n"] = json!(coded.rows.rows());
                object["blocks"] = json!(coded.rows.count());
                let name = if self.classifies() { "accuracy" } else { "r2" };
                object["train"] = json!({ name: score });
                object["passes"] = json!(times.passes);
                object["seconds_of"] = json!({
                    "reading": reading.as_secs_f64(),
                    "answering": times.answering.as_secs_f64(),
                    "passes": times.passing.as_secs_f64(),
                });
                report::add_notes(&mut object, &blocks::notes(coded));
            }
        }
        object["train"]["loss"] = json!(model.training_loss());
        report::add_certificates(&mut object, model, &model.certificate(), &model.global());
        report::add(&mut object, "lists", self.trained.lists.as_ref().map(report::lists_json));
        report::add_shape(&mut object, model);
        if let Some(names) = model.several_classes() {
            let part = |(class, part): (&String, &Part)| {
                let mut object = report::certificate_json(part.certificate());
                object["class"] = json!(class);
                object["objective"] = json!(part.certificate().objective());
                object["neurons"] = json!(part.network().neurons());
                object["global"] = report::certificate_json(part.global());
                object
            };
            object["classes"] = json!(names);
            let parts = names.iter().zip(model.parts()).map(part);
            object["certificates"] = json!(parts.collect::<Vec<_>>());
        }
        if !beta_max_exact {
            object["beta_max_exact"] = json!(false);
        }
        report::add(&mut object, "auto", self.why.as_ref().map(|why| json!(why)));
        report::add(&mut object, "more", self.trained.more.as_ref().map(|more| json!(more)));
        let choice = self.trained.choice.as_ref();
        let cv = choice.and_then(|choice| choice::scores_json(self.request, choice));
        report::add(&mut object, "cv", cv);
        let cards = Scorecard::of(model);
        report::add(&mut object, "scorecards", (!cards.is_empty()).then(|| json!(cards)));
        object["chosen"] = choice.map_or(json!(null), choice::json);
        if let Some((neurons, objective)) = self.trained.pruned {
            object["pruned"] = json!({ "neurons": neurons, "objective": objective });
        }
        if let Some(Narrowed { bits, neurons, objective }) = self.trained.narrowed {
            object["narrowed"] =
                json!({ "bits": bits, "neurons": neurons, "objective": objective });
        }
        report::add_path(&mut object, "model", self.args.output.as_deref());
        object
    }

    fn classifies(&self) -> bool {
        self.trained.model.coding().target().classes().is_some()
    }

    fn text(&self) -> String {
        let Trained { model, beta_max, patterns, stop, .. } = self.trained;
        let choice = self.trained.choice.as_ref();
        let mut text = choice.map_or(String::new(), choice::headline);
        text += &match &self.rows {
            Rows::Table { table, set, .. } => {
                report::data_text(table, model.coding(), set.data(), set.y())
            }
            Rows::Blocks { coded, source, .. } => blocks::rows_text(coded, source),
        };
        text += &choice.map_or(String::new(), choice::class_text);
        text += &report::problem_text(model, *beta_max, *patterns);
        if let Some(why) = &self.why {
            text += &format!("method {}: {why}\n", model.first().recipe().name());
        }
        let strength = |choice| choice::strength_text(self.request, choice);
        text += &choice.map_or(String::new(), strength);
        text += &format!("\n{}", report::certificate_text(model));
        let lists = self.trained.lists.as_ref();
        text += &lists.map_or(String::new(), |lists| report::lists_text(lists, 11));
        text += "\n";
        let (scores, passes) = match &self.rows {
            Rows::Table { train, .. } => (train.line(), String::new()),
            Rows::Blocks { coded, score, times, .. } => {
                let (rows, passes) = (coded.rows.rows(), times.passes);
                let score = if self.classifies() {
                    format!("accuracy {}", report::percent(*score))
                } else {
                    format!("R2 {score:.4}")
                };
                (format!("{score} on {rows} rows"), format!(", {passes} passes over the rows"))
            }
        };
        text += &report::network_text(model, &scores);
        if let Some(pruned) = self.trained.pruned {
            text += &choice::pruned_text(pruned, &model.certificate());
        }
        if let Some(narrowed) = &self.trained.narrowed {
            text += &choice::narrowed_text(narrowed, &model.certificate(), choice.is_some());
        }
        if let Rows::Table { held_out: Some(scores), .. } = &self.rows {
            text += &format!("  held out   {}\n", scores.line());
        }
        for card in Scorecard::of(model) {
            text += &format!("\n{}\n", card.text());
        }
        let time = report::seconds(self.seconds);
        text += &format!("  time       {time}{passes}{}\n", stopped(*stop));
        text += &if choice::predicts(self.trained) {
            choice::hint(self.trained, self.request)
        } else {
            report::advice(self.trained)
        };
        let what = if model.parts().len() > 1 { "the networks" } else { "the network" };
        text + &report::kept(self.args.output.as_deref(), what)
    }
}

pub(super) fn stopped(stop: StopReason) -> &'static str {
    match stop {
        StopReason::GapReached | StopReason::Done => "",
        StopReason::RoundLimit(_) => " (stopped: round limit)",
        StopReason::Standstill(_) => " (stopped: nothing more was found)",
        StopReason::TimeLimit(_) => " (stopped: time limit)",
        StopReason::WorkLimit(_) => " (stopped: the work of a run without a limit is done)",
        StopReason::Interrupted => " (stopped: interrupted)",
    }
}
