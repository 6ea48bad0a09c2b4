//! `hardlim train`.

use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use hardlim::data::{Coding, Split, Table};
use hardlim::network::Weights;
use hardlim::solver::{Budget, Progress, StopReason};
use hardlim::train::{Method, Trained, Trainer};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::open_table;
use crate::args::{Common, Train};
use crate::report::{self, Scores};
use crate::{files, interrupt};

pub(crate) fn run(args: &Train, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    check_flags(args)?;
    let table = open_table(&args.data, common)?;
    let options = args.columns.coding_options();
    let split = args.holdout.map(|fraction| Split { fraction, seed: common.seed });
    let (training, held_out) = match &split {
        None => (None, None),
        Some(split) => {
            let (kept, aside) = split.parts(&table, options.target_position(&table)?);
            let (fraction, rows) = (split.fraction, table.rows());
            if kept.is_empty() || aside.is_empty() {
                bail!("--holdout {fraction}: one of the two parts of {rows} rows would be empty");
            }
            (Some(table.select(&kept)), Some(table.select(&aside)))
        }
    };
    let training = training.as_ref().unwrap_or(&table);
    let coding = Coding::fit(training, &options)?;
    let data = coding.dataset(training)?;
    if let Some(table) = &held_out {
        coding.targets(table).and(coding.features(table)).context("the rows held out")?;
    }

    let bar = progress_bar();
    let show = |progress: &Progress| bar.set_message(report::progress_line(progress));
    let budget = Budget {
        deadline: args.time_limit.map(|seconds| {
            let limit = Duration::from_secs_f64(seconds);
            (start + limit, limit)
        }),
        interrupt: Some(interrupt::watch()),
        progress: Some(&show),
    };
    let trainer = Trainer {
        method: args.method,
        loss: args.problem.loss,
        strength: args.problem.strength(),
        constraints: args.problem.constraints(),
        patterns: args.patterns,
        weights: args.weights,
        bias: !args.no_bias,
        standardize: !args.no_standardize,
        tolerance: args.gap.unwrap_or(1e-6),
        seed: common.seed,
        budget,
        memory: report::available_memory(),
    };
    let trained = trainer.train(&data, coding, split);
    bar.finish_and_clear();
    let trained = trained?;
    if let Some(path) = &args.output {
        interrupt::undisturbed(|| trained.model.save(path))?;
    }

    let y = trained.model.coding.targets(training)?;
    let outcome = Outcome {
        args,
        trained: &trained,
        data: &data,
        y: &y,
        train: Scores::measure(&trained.model, &trained.model.output_on(&data), &y),
        held_out: held_out.map(|table| score(&trained, &table)).transpose()?,
        seconds: start.elapsed().as_secs_f64(),
    };
    if common.json {
        report::print_json(&outcome.json())?;
    } else {
        report::print(&outcome.text(training))?;
    }
    Ok(exit_code(args, &trained))
}

/// Everything there is to tell about a run.
pub(crate) struct Outcome<'a> {
    args: &'a Train,
    trained: &'a Trained,
    data: &'a hardlim::data::Dataset,
    y: &'a [f64],
    train: Scores,
    held_out: Option<Scores>,
    seconds: f64,
}

impl Outcome<'_> {
    fn json(&self) -> serde_json::Value {
        let Trained { model, beta_max, beta_max_exact, patterns, stop } = self.trained;
        let mut object = json!({
            "n": self.data.samples(),
            "distinct": self.data.distinct(),
            "d": self.data.dimension(),
            "layers": model.network.depth(),
            "method": model.recipe.name(),
            "loss": model.loss.to_string(),
            "beta": model.beta.get(),
            "beta_max": beta_max,
            "neurons": model.network.neurons(),
            "patterns": patterns,
            "objective": model.certificate.objective(),
            "certificate": report::certificate_json(&model.certificate),
            "global": report::certificate_json(&model.global),
            "train": self.train.json(),
            "stop": stop.name(),
            "seconds": self.seconds,
        });
        object["train"]["loss"] = json!(report::loss_part(model));
        if !beta_max_exact {
            object["beta_max_exact"] = json!(false);
        }
        if let Some(scores) = &self.held_out {
            object["holdout"] = scores.json();
        }
        if let Some(path) = &self.args.output {
            object["model"] = json!(path);
        }
        object
    }

    fn text(&self, table: &Table) -> String {
        let Trained { model, beta_max, patterns, stop, .. } = self.trained;
        let mut text = report::data_text(table, model, self.data, self.y);
        text += &report::problem_text(model, *beta_max, *patterns);
        text += "\n";
        text += &report::certificate_text(model, *patterns);
        text += "\n";
        text += &report::network_text(model, &self.train);
        if let Some(scores) = &self.held_out {
            text += &format!("  held out   {}\n", scores.line());
        }
        text += &format!("  time       {}{}\n", report::seconds(self.seconds), stopped(*stop));
        text += &match &self.args.output {
            Some(path) => format!("\nmodel written to {}\n", path.display()),
            None => "\nadd -o MODEL to keep the network\n".into(),
        };
        text
    }
}

/// Flags that do not go together.
fn check_flags(args: &Train) -> anyhow::Result<()> {
    if args.method == Method::Complete && args.weights == Some(Weights::Sampled) {
        bail!("--weights sampled: --method complete draws no weights; use svm or pi");
    }
    files::check(args.output.as_deref())
}

fn score(trained: &Trained, table: &Table) -> anyhow::Result<Scores> {
    let model = &trained.model;
    let targets = model.coding.targets(table).context("the rows held out")?;
    let output = model.output(table).context("the rows held out")?;
    Ok(Scores::measure(model, &output, &targets))
}

fn exit_code(args: &Train, trained: &Trained) -> ExitCode {
    let reached = |tolerance| trained.model.certificate.relative_gap() <= tolerance;
    match trained.stop {
        StopReason::Interrupted => ExitCode::from(interrupt::EXIT_CODE),
        _ if args.gap.is_some_and(|tolerance| !reached(tolerance)) => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    }
}

fn stopped(stop: StopReason) -> &'static str {
    match stop {
        StopReason::GapReached => "",
        StopReason::RoundLimit(_) => " (stopped: no further step improves)",
        StopReason::TimeLimit(_) => " (stopped: time limit)",
        StopReason::Interrupted => " (stopped: interrupted)",
    }
}

/// A line on standard error, when somebody is there to watch it.
fn progress_bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{spinner} {elapsed} {msg}").expect("a valid template");
    let bar = ProgressBar::new_spinner().with_style(style);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
