//! `hardlim baseline`.

use std::process::ExitCode;
use std::time::Instant;

use hardlim::data::{Dataset, HeldOut};
use hardlim::model::{Model, Setting};
use hardlim::program::{Beta, Constraints};
use hardlim::solver::{ActiveSet, Budget, StopReason};
use hardlim::table::Table;
use hardlim::train::{Request, Watch};
use hardlim_lab::baseline::{Baseline, Epoch, Run, csv, draw, polish, runs};
use serde_json::{Value, json};

use super::prepare::Prepared;
use crate::args::{self, Common};
use crate::report::{self, Scores};
use crate::{files, interrupt, progress};

pub(crate) fn run(args: &args::Baseline, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let request = args.request(common)?;
    let Prepared { table, set, held_out } = Prepared::new(&args.data, &request, common)?;
    let data = set.only("a baseline trains")?;
    let (loss, beta) = (request.loss(), request.strength().beta(1.0)?);
    let watch = Watch { start, interrupt: Some(interrupt::watch()), ..Watch::default() };
    let budget = watch.budget(request.time_limit());
    let mut runs = train(args, &request, data, beta, &budget)?;
    let best = runs.iter().map(|run| run.trained.rescaled).enumerate();
    let best = best.min_by(|a, b| a.1.total_cmp(&b.1)).expect("at least one start").0;
    if let Some(path) = &args.trace {
        files::write(path, csv(&runs).as_bytes())?;
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
    let setting = Setting { loss, beta, bias: request.bias(), constraints, input_cost: 0.0 };
    let model = Model::given(data, set.coding().clone(), set.split(), vec![network], setting)?;
    if let Some(picture) = &args.plot {
        files::draw(picture, &draw(&runs, &report::title(table.source(), &model)))?;
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
    let settings = Baseline {
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
        ..Baseline::default()
    };
    let tell = |run: &Baseline, epoch: &Epoch| {
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
    let runs = runs(&settings, starts, (data, request.loss(), beta), budget, &tell)?;
    bar.finish_and_clear();
    Ok(runs)
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
        text += &format!("\n  objective  {}", report::upper(model.certificate().objective()));
        if self.args.polish {
            text += &format!(
                " with the best output weights ({} before)",
                report::long(self.trained.rescaled)
            );
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
