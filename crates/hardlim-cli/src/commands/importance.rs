//! `hardlim importance`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueHint};
use hardlim::Error;
use hardlim::certificate::numbers::{DOWN, UP, percent};
use hardlim::model::Model;
use hardlim::table::Table;
use hardlim::train::{self, Event, Request};
use serde_json::{Value, json};

use super::open_model;
use super::train::stopped;
use crate::args::{Asked, Common, DataArgs, Door, Said, parse_picture};
use crate::plot::{Bar, Figure, Picture, bar_chart};
use crate::report::{answer, lower, seconds, title, upper};
use crate::{files, interrupt, progress};

/// Prove what is lost without each input of a model
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/importance.txt"))]
pub(crate) struct Importance {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    asked: Asked<ImportanceOptions>,
    /// Draw a bar for each input; the name ends in .svg or .png
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
          value_parser = parse_picture)]
    plot: Option<Picture>,
}

/// The options that importance shares with training.
#[derive(Debug)]
pub(crate) struct ImportanceOptions;

impl Door for ImportanceOptions {
    const COLUMNS: bool = false;
    const NAMES: &'static str = "gap time_limit";
    const HELP: Said = &[
        (
            "gap",
            "Solve for each input to this relative gap; if it is given and not reached, the exit \
             code is 1 [default: 1e-3]",
        ),
        ("time_limit", "Stop after this many seconds, and say what is proven then"),
    ];
}

pub(crate) fn run(args: &Importance, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let asked = args.asked.request(common)?;
    let model = open_model(&args.model)?;
    let table = args.data.open(common)?;
    let lost = match prove(&asked, &model, &table, start) {
        Ok(lost) => lost,
        Err(error) => return refused(error, &model, common),
    };
    let outcome =
        ImportanceOutcome { args, lost, model: &model, seconds: start.elapsed().as_secs_f64() };
    if let Some(picture) = &args.plot {
        files::draw(picture, &outcome.picture(table.source()))?;
    }
    answer(common, || outcome.json(), || outcome.text())?;
    Ok(outcome.exit_code())
}

/// Says why a certificate does not hold; every other error is passed on.
fn refused(error: anyhow::Error, model: &Model, common: &Common) -> anyhow::Result<ExitCode> {
    let Some(Error::NotCertified { reason }) = error.downcast_ref() else { return Err(error) };
    let json = || json!({ "holds": false, "reason": reason });
    let claim = model.certificate().claim();
    let text = || format!("The certificate does NOT hold: {reason}. The model states: {claim}.\n");
    answer(common, json, text)?;
    Ok(ExitCode::from(1))
}

/// What is lost without each input of a model, with progress.
pub(super) fn prove(
    asked: &Request,
    model: &Model,
    table: &Table,
    start: Instant,
) -> anyhow::Result<train::Importance> {
    let data = model.training_data(table)?;
    let bar = progress::even_steps(model.coding().column_names().len());
    bar.set_prefix("training again without each column:");
    let show = |event: Event<'_>| {
        if event == Event::Scored {
            bar.inc(1);
        }
    };
    Ok(asked.importance(model, &data, &interrupt::from(start, Some(&show)))?)
}

struct ImportanceOutcome<'a> {
    args: &'a Importance,
    lost: train::Importance,
    model: &'a Model,
    seconds: f64,
}

impl ImportanceOutcome<'_> {
    fn exit_code(&self) -> ExitCode {
        let missed = self.args.asked.gap().is_some_and(|gap| self.lost.relative_gap() > gap);
        ExitCode::from(u8::from(missed))
    }

    /// What is proven about the most important input, in words; `None` if that is nothing.
    fn claim(&self) -> Option<String> {
        let first = *self.lost.ranked().first().filter(|input| self.lost.at_least(input) > 0.0)?;
        let worse = percent(self.lost.at_least(first), DOWN);
        let networks = self.lost.class.networks();
        Some(format!("every {networks} without {} is at least {worse} worse", first.name))
    }

    fn json(&self) -> Value {
        let Self { lost, .. } = self;
        let inputs: Vec<Value> = (lost.inputs.iter())
            .map(|input| {
                json!({
                    "name": input.name,
                    "read": input.read,
                    "lower_bound": input.lower_bound,
                    "objective": input.objective,
                    "relative_gap": input.relative_gap(),
                    "at_least": lost.at_least(input),
                    "found": lost.found(input),
                    "neurons": input.neurons,
                })
            })
            .collect();
        let mut object = json!({
            "objective": lost.objective,
            "lower_bound": lost.lower_bound,
            "problem": self.model.terms(),
            "beta": self.model.beta().get(),
            "loss": self.model.loss().to_string(),
            "max_inputs": lost.class.max_inputs,
            "relative_gap": lost.relative_gap(),
            "claim": self.claim(),
            "inputs": inputs,
            "stop": lost.stop.name(),
            "seconds": self.seconds,
        });
        if let Some(picture) = &self.args.plot {
            object["plot"] = json!(picture.path());
        }
        object
    }

    fn text(&self) -> String {
        let Self { lost, model, args, .. } = self;
        let mut text = String::new();
        text += &self.claim().map_or_else(
            || {
                "Nothing is proven: a network without any one input may be as good as the model.\n"
                    .into()
            },
            |claim| format!("Proven: {claim}.\n"),
        );
        text += &format!("  problem    {}\n\n", model.terms());
        text += &format!(
            "the model: objective {}, {} neurons\n\n",
            upper(lost.objective),
            model.neurons(),
        );
        let ranked = lost.ranked();
        let width = ranked.iter().map(|input| input.name.chars().count()).fold(13, usize::max);
        text += &format!(
            "{:<width$}  {:>10}  {:>10}  {:>13}  {:>13}  {:>8}  {:>7}\n",
            "without input", "at least", "found", "lower bound", "objective", "gap", "neurons"
        );
        for input in ranked {
            text += &format!(
                "{:<width$}  {:>10}  {:>10}  {:>13}  {:>13}  {:>8.1e}  {:>7}{}\n",
                input.name,
                percent(lost.at_least(input), DOWN),
                percent(lost.found(input), UP),
                lower(input.lower_bound),
                upper(input.objective),
                input.relative_gap().max(0.0),
                input.neurons,
                if input.read { "" } else { "  not read" },
            );
        }
        text += "\nat least: how much worse every network without the input is, of any width; \
                 found: the best one found\n";
        text += &format!("  time       {}{}\n", seconds(self.seconds), stopped(lost.stop));
        if let Some(picture) = &args.plot {
            text += &format!("\npicture written to {}\n", picture.path().display());
        }
        text
    }

    fn picture(&self, source: &str) -> Figure {
        let lost = &self.lost;
        let bar = |input: &&train::WithoutInput| Bar {
            name: input.name.clone(),
            value: lost.at_least(input),
            mark: lost.found(input).max(0.0),
        };
        let rows: Vec<Bar> = lost.ranked().iter().map(bar).collect();
        let title = title(source, "what is lost without an input");
        let label = "the objective without the input, above that of the model";
        bar_chart(&title, label, ("proven: at least", "the best network found"), &rows)
    }
}
