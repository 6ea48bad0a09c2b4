//! `hardlim baseline`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueHint};
use hardlim::data::{Dataset, Features};
use hardlim::model::{Model, Setting};
use hardlim::program::{Beta, Constraints};
use hardlim::solver::{ActiveSet, Budget, StopReason};
use hardlim::table::Table;
use hardlim::train::Request;
use hardlim_lab::baseline::{self, Epoch, Run, Surrogate, csv, draw, polish, runs};
use serde_json::{Value, json};

use super::prepare;
use crate::args::{Asked, Common, DataArgs, Door, Said, parse_picture};
use crate::plot::Picture;
use crate::report::{self, Scores};
use crate::{files, interrupt, progress};

/// Train by gradient descent with surrogate gradients, to compare
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/baseline.txt"))]
pub(crate) struct Baseline {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    asked: Asked<BaselineOptions>,
    /// The surrogate for the derivative of the threshold: ste, relu, lrelu or crelu
    #[arg(long, value_name = "NAME", default_value = "ste", help_heading = "Search")]
    estimator: Surrogate,
    /// The widths of the hidden layers, the first layer first; all are fully connected
    #[arg(long, value_name = "M1,M2", value_delimiter = ',', default_value = "1000",
          help_heading = "Search", value_parser = super::arrangements::parse_width)]
    widths: Vec<usize>,
    /// Passes over the rows
    #[arg(long, value_name = "N", default_value_t = 500, help_heading = "Search",
          value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// The initial learning rate, for the mean loss over the rows. Of several, separated by commas,
    /// all are tried and the best is kept
    #[arg(long, value_name = "R1,R2", value_delimiter = ',', default_value = "0.01",
          help_heading = "Search", value_parser = parse_rate, allow_negative_numbers = true)]
    learning_rate: Vec<f64>,
    /// Epochs without progress before the learning rate falls
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Search")]
    patience: u32,
    /// What the learning rate is multiplied by when it falls
    #[arg(long, value_name = "F", default_value_t = 0.1, help_heading = "Search",
          value_parser = parse_factor, allow_negative_numbers = true)]
    factor: f64,
    /// Rows per step [default: all]
    #[arg(long, value_name = "N", help_heading = "Search",
          value_parser = clap::value_parser!(u32).range(1..))]
    batch: Option<u32>,
    /// Use batch normalisation in every hidden layer
    #[arg(long, help_heading = "Search")]
    batch_norm: bool,
    /// The number of random starts; the best is kept
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Search",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    starts: u32,
    /// Replace the output weights by the best ones for these neurons, by solving a Lasso
    #[arg(long, help_heading = "Search")]
    polish: bool,
    /// Write every epoch to this CSV file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Result")]
    trace: Option<PathBuf>,
    /// Draw the objective against the epochs; the name ends in .svg or .png
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = parse_picture,
          help_heading = "Result")]
    plot: Option<Picture>,
    /// Write the model to this file
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath,
          help_heading = "Result")]
    output: Option<PathBuf>,
}

/// The options that descent shares with training.
#[derive(Debug)]
struct BaselineOptions;

impl Door for BaselineOptions {
    const NAMES: &'static str = "loss beta bias standardize time_limit holdout";
    const HELP: Said = &[
        (
            "beta",
            "The weight decay: objective = sum of losses + BETA * sum of |output weights| \
             [default: 0.001]",
        ),
        ("standardize", "Do not standardise the inputs"),
    ];
    /// The weight decay of the paper's experiments.
    const STANDARD: Said = &[("beta", "0.001")];
}

fn parse_rate(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(rate) if rate > 0.0 && f64::is_finite(rate) => Ok(rate),
        _ => Err("expected a number above zero".into()),
    }
}

fn parse_factor(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(factor) if factor > 0.0 && factor <= 1.0 => Ok(factor),
        _ => Err("expected a number above 0, at most 1".into()),
    }
}

pub(crate) fn run(args: &Baseline, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let request = args.asked.request(common)?;
    let table = args.data.open(common)?;
    let (set, held_out) = prepare(&table, &request)?;
    let data = set.only("a baseline trains")?;
    let (loss, beta) = (request.loss(), request.beta(1.0)?);
    let budget = interrupt::from(start, None).budget(request.time_limit());
    let mut runs = train(args, &request, data, beta, &budget)?;
    let best = runs.iter().map(|run| run.trained.rescaled).enumerate();
    let best = best.min_by(|a, b| a.1.total_cmp(&b.1)).expect("at least one start").0;
    if let Some(path) = &args.trace {
        files::write(path, csv(&runs).as_bytes())?;
    }
    let found = &mut runs[best].trained;
    let trained = (found.raw, found.rescaled);
    let mut network = found.network.clone();
    if args.polish {
        let _polishing = progress::doing("solving for the output weights");
        let solver = ActiveSet { budget, ..ActiveSet::default() };
        network = polish(&network, data, loss, beta, &solver)?.0;
    }
    let constraints = Constraints::default();
    let setting = Setting { loss, beta, bias: request.bias(), constraints, input_cost: 0.0 };
    let model = Model::given(data, set.coding().clone(), set.split(), vec![network], setting)?;
    if let Some(picture) = &args.plot {
        files::draw(
            picture,
            &draw(&runs, &report::title(table.source(), report::problem(&model))),
        )?;
    }
    if let Some(path) = &args.output {
        interrupt::undisturbed(|| model.save(path))?;
    }
    let score = |(features, y): &(Features, Vec<f64>)| {
        Scores::measure(&model, &model.outputs_of(features), y)
    };
    let outcome = BaselineOutcome {
        args,
        data,
        runs: &runs,
        best,
        trained,
        train: Scores::measure(&model, &model.outputs_on(data), set.y()),
        held_out: held_out.as_ref().map(score),
        model: &model,
        seconds: start.elapsed().as_secs_f64(),
    };
    let json = || {
        let mut object = outcome.json();
        report::add_notes(&mut object, &report::notes(&table, set.coding()));
        object
    };
    report::answer(common, json, || outcome.text(&table, set.y()))?;
    Ok(match budget.spent() {
        Some(StopReason::Interrupted) => ExitCode::from(interrupt::EXIT_CODE),
        _ => ExitCode::SUCCESS,
    })
}

/// Every learning rate from every start, until the budget is spent.
fn train(
    args: &Baseline,
    request: &Request,
    data: &Dataset,
    beta: Beta,
    budget: &Budget<'_>,
) -> anyhow::Result<Vec<Run>> {
    let bar = progress::doing("training by gradient descent");
    let settings = baseline::Baseline {
        surrogate: args.estimator,
        widths: args.widths.clone(),
        epochs: args.epochs as usize,
        patience: args.patience as usize,
        factor: args.factor,
        batch: args.batch.map(|rows| rows as usize),
        batch_norm: args.batch_norm,
        bias: request.bias(),
        standardize: request.standardize(),
        seed: request.seed(),
        ..baseline::Baseline::default()
    };
    let tell = |run: &baseline::Baseline, epoch: &Epoch| {
        bar.set_message(format!(
            "start {} of {}, learning rate {}, epoch {} of {}, objective {}",
            run.start + 1,
            args.starts,
            run.learning_rate,
            epoch.epoch,
            args.epochs,
            report::short(epoch.rescaled)
        ));
    };
    let starts = (&args.learning_rate[..], u64::from(args.starts));
    Ok(runs(&settings, starts, (data, request.loss(), beta), budget, &tell)?)
}

/// Everything there is to tell about a run.
struct BaselineOutcome<'a> {
    args: &'a Baseline,
    data: &'a Dataset,
    runs: &'a [Run],
    best: usize,
    /// The objectives that gradient descent found: as trained, and with weights rescaled.
    trained: (f64, f64),
    train: Scores,
    held_out: Option<Scores>,
    model: &'a Model,
    seconds: f64,
}

impl BaselineOutcome<'_> {
    fn json(&self) -> Value {
        let (model, best) = (self.model, &self.runs[self.best]);
        let run = |run: &Run| {
            json!({
                "learning_rate": run.rate, "start": run.start + 1,
                "epochs": run.trained.epochs.len() - 1,
                "as_trained": run.trained.raw, "objective": run.trained.rescaled,
            })
        };
        let mut object = json!({
            "n": self.data.samples(), "distinct": self.data.distinct(), "d": self.data.dimension(),
            "layers": model.first().network().depth(), "estimator": self.args.estimator.to_string(),
            "loss": model.loss().to_string(), "beta": model.beta().get(),
            "neurons": model.neurons(), "objective": model.certificate().objective(),
            "trained": { "as_trained": self.trained.0, "objective": self.trained.1 },
            "polished": self.args.polish, "learning_rate": best.rate, "start": best.start + 1,
            "runs": self.runs.iter().map(run).collect::<Vec<_>>(),
            "global": report::certificate_json(&model.global()),
            "train": self.train.json(), "seconds": self.seconds,
        });
        object["train"]["loss"] = json!(model.training_loss());
        report::add(&mut object, "holdout", self.held_out.as_ref().map(Scores::json));
        report::add_path(&mut object, "model", self.args.output.as_deref());
        object
    }

    fn text(&self, table: &Table, y: &[f64]) -> String {
        let model = self.model;
        let mut text = report::data_text(table, model.coding(), self.data, y);
        text += &format!(
            "{}\ngradient descent with the surrogate {}, {} epochs\n\n",
            report::problem(model),
            self.args.estimator,
            self.args.epochs
        );
        text += &format!(
            "  {:>13}  {:>5}  {:>12}  {:>12}\n",
            "learning rate", "start", "as trained", "objective"
        );
        for (k, Run { rate, start, trained }) in self.runs.iter().enumerate() {
            let mark = if k == self.best { "  kept" } else { "" };
            text += &format!(
                "  {rate:>13}  {:>5}  {:>12}  {:>12}{mark}\n",
                start + 1,
                report::short(trained.raw),
                report::short(trained.rescaled)
            );
        }
        text += &format!("\n  objective  {}", report::upper(model.certificate().objective()));
        if self.args.polish {
            text +=
                &format!(" with the best output weights ({} before)", report::long(self.trained.1));
        }
        text += &format!(
            "\n  all nets   no network of any width or depth is below {}\n",
            report::lower(model.global().lower_bound())
        );
        text += &report::network_text(model, &self.train.line());
        if let Some(scores) = &self.held_out {
            text += &format!("  held out   {}\n", scores.line());
        }
        text += &format!("  time       {}\n", report::seconds(self.seconds));
        text + &report::kept(self.args.output.as_deref(), "the network")
    }
}
