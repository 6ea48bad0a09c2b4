//! `hardlim baseline`.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use hardlim::data::{Dataset, HeldOut, Table};
use hardlim::model::{Model, Setting};
use hardlim::program::{Beta, Constraints};
use hardlim::solver::{ActiveSet, Budget, StopReason};
use hardlim::train::{Request, Watch};
use hardlim_baseline::{Baseline, Epoch, Trained, polish};
use serde_json::{Value, json};

use super::prepare::Prepared;
use crate::args::{self, Common};
use crate::plot::{Axis, CYCLE, Figure, Panel, Scale, Series, Stroke, line_chart};
use crate::report::{self, Scores};
use crate::{files, interrupt, progress};

pub(crate) fn run(args: &args::Baseline, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let request = args.request(common);
    request.check_options()?;
    let Prepared { table, set, held_out } = Prepared::new(&args.data, &request, common)?;
    let data = set.only("a baseline trains")?;
    let (loss, beta) = (request.loss(), Beta::new(request.beta.expect("it has a default"))?);
    let watch = Watch { start, interrupt: Some(interrupt::watch()), ..Watch::default() };
    let budget = watch.budget(request.limit());
    let mut runs = train(args, &request, data, beta, &budget)?;
    let best = runs.iter().map(|run| run.trained.rescaled).enumerate();
    let best = best.min_by(|a, b| a.1.total_cmp(&b.1)).expect("at least one start").0;
    if let Some(path) = &args.trace {
        files::write(path, &csv(&runs)?)?;
    }
    let found = &mut runs[best].trained;
    let trained = Scored { raw: found.raw, rescaled: found.rescaled };
    let mut network = found.network.clone();
    if args.polish {
        let _polishing = progress::doing("solving for the output weights");
        let solver = ActiveSet { budget, ..ActiveSet::default() };
        network = polish(&network, data, loss, beta, &solver)?.0;
    }
    let constraints = Constraints::default();
    let setting = Setting { loss, beta, bias: request.bias, constraints, input_cost: 0.0 };
    let model = Model::given(data, set.coding().clone(), set.split(), vec![network], setting)?;
    if let Some(picture) = &args.plot {
        files::draw(picture, &draw(&runs, &report::title(&table, &model)))?;
    }
    if let Some(path) = &args.output {
        interrupt::undisturbed(|| model.save(path))?;
    }
    let score =
        |HeldOut { features, y }: &HeldOut| Scores::measure(&model, &model.outputs_of(features), y);
    let outcome = Outcome {
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

/// One start at one learning rate, and what came of it.
struct Run {
    rate: f64,
    start: u32,
    trained: Trained,
}

/// The objectives that gradient descent found.
struct Scored {
    raw: f64,
    rescaled: f64,
}

/// Every learning rate from every start, until the budget is spent.
fn train(
    args: &args::Baseline,
    request: &Request,
    data: &Dataset,
    beta: Beta,
    budget: &Budget<'_>,
) -> anyhow::Result<Vec<Run>> {
    let bar = progress::spinner();
    bar.set_message("training by gradient descent");
    let mut runs = Vec::new();
    for &rate in &args.learning_rate {
        for start in 0..args.starts {
            if !runs.is_empty() && budget.spent().is_some() {
                break;
            }
            let baseline = Baseline {
                surrogate: args.estimator,
                widths: args.widths.clone(),
                epochs: args.epochs as usize,
                learning_rate: rate,
                momentum: args.momentum,
                patience: args.patience as usize,
                factor: args.factor,
                batch: args.batch.map(|rows| rows as usize),
                batch_norm: args.batch_norm,
                bias: request.bias,
                standardize: request.standardize,
                seed: request.seed,
                start: u64::from(start),
            };
            let tell = |epoch: &Epoch| {
                bar.set_message(format!(
                    "start {} of {}, learning rate {rate}, epoch {} of {}, objective {}",
                    start + 1,
                    args.starts,
                    epoch.epoch,
                    args.epochs,
                    report::short(epoch.rescaled)
                ));
            };
            let trained = baseline.train(data, request.loss(), beta, budget, tell)?;
            runs.push(Run { rate, start, trained });
        }
    }
    bar.finish_and_clear();
    Ok(runs)
}

/// Every epoch of every run.
fn csv(runs: &[Run]) -> anyhow::Result<Vec<u8>> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let head = ["first_rate", "start", "epoch", "seconds", "as_trained", "objective", "rate"];
    csv.write_record(head)?;
    for Run { rate, start, trained } in runs {
        for epoch in &trained.epochs {
            csv.write_record([
                rate.to_string(),
                (start + 1).to_string(),
                epoch.epoch.to_string(),
                epoch.seconds.to_string(),
                epoch.raw.to_string(),
                epoch.rescaled.to_string(),
                epoch.learning_rate.to_string(),
            ])?;
        }
    }
    csv.into_inner().context("cannot write the table")
}

/// The lowest objective of every run so far against its epochs, a color for each learning rate.
fn draw(runs: &[Run], title: &str) -> Figure {
    let mut rates: Vec<f64> = Vec::new();
    let mut series = Vec::new();
    for run in runs {
        let known = rates.iter().position(|rate| *rate == run.rate);
        let place = known.unwrap_or_else(|| {
            rates.push(run.rate);
            rates.len() - 1
        });
        // The lowest so far: with a learning rate that is too large, the objective fits no axis.
        let lowest = run.trained.epochs.iter().scan(f64::INFINITY, |lowest, epoch| {
            *lowest = lowest.min(epoch.rescaled);
            Some((epoch.epoch as f64, *lowest))
        });
        series.push(Series {
            name: known.is_none().then(|| format!("learning rate {}", run.rate)),
            points: lowest.collect(),
            color: CYCLE[place % CYCLE.len()],
            stroke: Stroke::Solid,
        });
    }
    let panel = Panel {
        title: "Lowest objective so far, after the best rescaling".into(),
        x: Axis { label: "epoch".into(), scale: Scale::Linear, range: None },
        y: Axis { label: "objective".into(), scale: Scale::Log, range: None },
        series,
        marks: Vec::new(),
    };
    line_chart(title, vec![panel], 1)
}

/// Everything there is to tell about a run.
struct Outcome<'a> {
    args: &'a args::Baseline,
    data: &'a Dataset,
    runs: &'a [Run],
    best: usize,
    trained: Scored,
    train: Scores,
    held_out: Option<Scores>,
    model: &'a Model,
    seconds: f64,
}

impl Outcome<'_> {
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
            "trained": { "as_trained": self.trained.raw, "objective": self.trained.rescaled },
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
            "{} loss, beta = {}\ngradient descent with the surrogate {}, {} epochs\n\n",
            model.loss(),
            report::short(model.beta().get()),
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
        text += &format!("\n  objective  {}", report::long(model.certificate().objective()));
        if self.args.polish {
            text += &format!(
                " with the best output weights ({} before)",
                report::long(self.trained.rescaled)
            );
        }
        text += &format!(
            "\n  all nets   no network of any width or depth is below {}\n",
            report::long(model.global().lower_bound())
        );
        text += &report::network_text(model, &self.train.line());
        if let Some(scores) = &self.held_out {
            text += &format!("  held out   {}\n", scores.line());
        }
        text += &format!("  time       {}\n", report::seconds(self.seconds));
        text + &report::kept(self.args.output.as_deref(), "the network")
    }
}
