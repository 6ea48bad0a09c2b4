//! `hardlim train`.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use hardlim::data::{Dataset, Table, TargetCoding};
use hardlim::model::Part;
use hardlim::network::Weights;
use hardlim::solver::{Budget, Progress, StopReason};
use hardlim::train::{CrossValidation, Method, Selection, Strength, Trained, Trainer};
use serde_json::json;

use super::cross_validate;
use super::depth::{self, Depth};
use super::prepare::{HeldOut, Prepared, budget};
use crate::args::{Common, Train};
use crate::plot::Picture;
use crate::report::{self, Scores};
use crate::trace::Trace;
use crate::{files, interrupt, progress};

pub(crate) fn run(args: &Train, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    check_flags(args)?;
    let prepared = Prepared::new(&args.data, &args.columns, args.training.holdout, common)?;
    let plan = args.cross_validation.plan(prepared.measure(), common);

    let mut trainer = Trainer {
        method: method(args),
        weights: args.weights,
        max_inputs: args.max_inputs,
        average: args.average as usize,
        strength: args.strength.strength(),
        tree: args.tree,
        ..args.training.trainer(&args.problem, common, budget(start, args.training.time_limit))
    };
    let depth = Depth::choose(args, &trainer, &prepared.data);
    (trainer.widths, trainer.representation) = (&depth.widths, depth.representation);
    let time = args.training.time_limit.map(Duration::from_secs_f64);
    trainer = trainer.asked(&prepared.data, args.training.gap, time);
    let select = |plan| cross_validate::select(plan, &trainer, &prepared, start);
    let selection = plan.as_ref().map(select).transpose()?;
    let mut interrupted = false;
    if let Some(selection) = &selection {
        trainer.strength = Strength::Ratio(selection.ratio);
        interrupted = trainer.budget.spent() == Some(StopReason::Interrupted);
    }
    if interrupted {
        trainer.budget = cross_validate::last_moment();
    }
    let bar = progress::spinner();
    let trace = Trace::new(start);
    let show = |progress: &Progress| {
        trace.record(progress);
        bar.set_message(report::progress_line(progress));
    };
    let budget = Budget { progress: Some(&show), ..trainer.budget };
    let trainer = Trainer { budget, ..trainer };

    let Prepared { table, coding, data, y, split, held_out } = prepared;
    if let TargetCoding::Several { column, .. } = coding.target() {
        for (flag, given) in [("--trace", args.trace.is_some()), ("--plot", args.plot.is_some())] {
            if given {
                let column = &column.name;
                bail!("{flag} follows one network, and every class of {column:?} has its own");
            }
        }
    }
    let picked = || (trainer.method == Method::Auto).then(|| trainer.pick(&data).1);
    let why = depth.why.clone().or_else(picked);
    let names = coding.target().classes().unwrap_or_default().to_vec();
    let begin = |k: usize| {
        if names.len() > 2 {
            bar.set_prefix(format!("class {} of {}: {}", k + 1, names.len(), names[k]));
        }
    };
    let trained = trainer.train_each(&data, coding, split, begin);
    bar.finish_and_clear();
    let mut trained = trained?;
    if interrupted {
        trained.stop = StopReason::Interrupted;
    }
    if let Some(path) = &args.trace {
        files::write(path, &trace.csv()?)?;
    }
    if let Some(picture) = &args.plot {
        files::draw(picture, &trace.picture(&report::title(&table, &trained.model)))?;
    }
    if let Some(path) = &args.output {
        interrupt::undisturbed(|| trained.model.save(path))?;
    }

    let score = |HeldOut { features, y }: &HeldOut| {
        Scores::measure(&trained.model, &trained.model.outputs_of(features), y)
    };
    let outcome = Outcome {
        args,
        trained: &trained,
        why,
        data: &data,
        y: &y,
        cross_validation: plan.as_ref().zip(selection.as_ref()),
        train: Scores::measure(&trained.model, &trained.model.outputs_on(&data), &y),
        held_out: held_out.as_ref().map(score),
        seconds: start.elapsed().as_secs_f64(),
    };
    if common.json {
        report::print_json(&outcome.json())?;
    } else {
        report::print(&outcome.text(&table))?;
    }
    Ok(exit_code(args, &trained))
}

/// Everything there is to tell about a run.
pub(crate) struct Outcome<'a> {
    args: &'a Train,
    trained: &'a Trained,
    /// Why this method, where it was chosen.
    why: Option<String>,
    data: &'a Dataset,
    y: &'a [f64],
    cross_validation: Option<(&'a CrossValidation, &'a Selection)>,
    train: Scores,
    held_out: Option<Scores>,
    seconds: f64,
}

impl Outcome<'_> {
    fn json(&self) -> serde_json::Value {
        let Trained { model, beta_max, beta_max_exact, patterns, stop } = self.trained;
        let (certificate, first) = (model.certificate(), model.first());
        let mut object = json!({
            "n": self.data.samples(),
            "distinct": self.data.distinct(),
            "d": self.data.dimension(),
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
            "train": self.train.json(),
            "stop": stop.name(),
            "seconds": self.seconds,
        });
        object["train"]["loss"] = json!(model.training_loss());
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
        if let Some(why) = &self.why {
            object["auto"] = json!(why);
        }
        if let Some((plan, selection)) = self.cross_validation {
            object["cv"] = cross_validate::json(plan, selection);
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
        let mut text = report::data_text(table, model.coding(), self.data, self.y);
        text += &report::problem_text(model, *beta_max, *patterns);
        if let Some(why) = &self.why {
            text += &format!("method {}: {why}\n", model.first().recipe().name());
        }
        if let Some((plan, selection)) = self.cross_validation {
            text += &cross_validate::text(plan, selection);
        }
        text += "\n";
        text += &report::certificate_text(model);
        text += "\n";
        text += &report::network_text(model, &self.train);
        if let Some(scores) = &self.held_out {
            text += &format!("  held out   {}\n", scores.line());
        }
        text += &format!("  time       {}{}\n", report::seconds(self.seconds), stopped(*stop));
        text += &report::advice(model, *stop);
        text += &match &self.args.output {
            Some(path) => format!("\nmodel written to {}\n", path.display()),
            None if model.parts().len() > 1 => "\nadd -o MODEL to keep the networks\n".into(),
            None => "\nadd -o MODEL to keep the network\n".into(),
        };
        text
    }
}

/// The method asked for: to draw patterns is to sample.
fn method(args: &Train) -> Method {
    match args.method {
        Method::Auto if args.training.draws() => Method::Sample,
        method => method,
    }
}

/// Flags that do not go together.
fn check_flags(args: &Train) -> anyhow::Result<()> {
    if args.method == Method::Complete && args.weights == Some(Weights::Sampled) {
        bail!("--weights sampled: --method complete draws no weights; use svm or pi");
    }
    if let (Some(k), Some(Weights::Pi)) = (args.max_inputs, args.weights) {
        bail!("--weights pi reads all inputs, and --max-inputs {k} allows {k}; use svm");
    }
    if args.training.draws() && method(args) != Method::Sample {
        bail!("--patterns draws random patterns, and needs --method sample, not {}", args.method);
    }
    if !matches!(method(args), Method::Auto | Method::Generate) || depth::is_deep(args) {
        let flags = [("--max-inputs", args.max_inputs.is_some()), ("--average", args.average > 1)];
        if let Some((flag, _)) = flags.into_iter().find(|(_, given)| *given) {
            bail!("{flag} needs --method generate and two layers");
        }
    }
    files::check("--trace", args.trace.as_deref())?;
    files::check("--plot", args.plot.as_ref().map(Picture::path))?;
    depth::check(args, method(args))?;
    files::check("-o", args.output.as_deref())
}

fn exit_code(args: &Train, trained: &Trained) -> ExitCode {
    let reached = |tolerance| trained.model.certificate().relative_gap() <= tolerance;
    match trained.stop {
        StopReason::Interrupted => ExitCode::from(interrupt::EXIT_CODE),
        _ if args.training.gap.is_some_and(|tolerance| !reached(tolerance)) => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    }
}

pub(super) fn stopped(stop: StopReason) -> &'static str {
    match stop {
        StopReason::GapReached => "",
        StopReason::RoundLimit(_) => " (stopped: round limit, or nothing more was found)",
        StopReason::TimeLimit(_) => " (stopped: time limit)",
        StopReason::Interrupted => " (stopped: interrupted)",
    }
}
