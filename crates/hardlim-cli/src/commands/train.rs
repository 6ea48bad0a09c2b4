//! `hardlim train`.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use hardlim::data::{HeldOut, TrainingSet};
use hardlim::model::{Narrowed, Part};
use hardlim::rows::{Coded, Ready};
use hardlim::solver::StopReason;
use hardlim::table::{Coding, Table, TargetCoding};
use hardlim::train::spelled;
use hardlim::train::{Event, Request, Trained, Watch};
use serde_json::json;

use super::prepare::Prepared;
use super::{blocks, choice};
use crate::args::{Command, Common, Train};
use crate::progress::Training;
use crate::report::{self, Scores};
use crate::trace::Trace;
use crate::{files, interrupt};

pub(crate) fn run(args: &Train, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let request = args.request(common)?;
    let table = match blocks::read(&args.data, &args.blocks, &request, common)? {
        Ready::Table(table) => table,
        Ready::Blocks(coded) => return in_blocks(args, &request, coded, start, common),
    };
    if let Some(coded) = request.divided(&table, &request.columns, None) {
        drop(table);
        return in_blocks(args, &request, coded, start, common);
    }
    let Prepared { table, set, held_out } = Prepared::of(table, &request)?;
    check_pictures(args, set.coding())?;
    let (bar, trace) = (Training::new(&set, request.time_limit()), Trace::new(start));
    let listen = |event: Event<'_>| trace.heard(event, &bar);
    let watch = Watch {
        start,
        interrupt: Some(interrupt::watch()),
        listener: Some(&listen),
        ..Watch::default()
    };
    let trained = request.screen((set, held_out), &watch).and_then(|(set, held_out)| {
        let trained = request.check(&set)?.train(&set, &watch)?;
        Ok((set, held_out, trained))
    });
    bar.finish();
    let (set, held_out, mut trained) = trained?;
    trained.model = trained.model.with_files(table.files().to_vec());
    if let Some(path) = &args.trace {
        files::write(path, &trace.csv())?;
    }
    if let Some(picture) = &args.plot {
        files::draw(picture, &trace.picture(&report::title(table.source(), &trained.model)))?;
    }
    if let Some(path) = &args.output {
        interrupt::undisturbed(|| trained.model.save(path))?;
    }

    let score = |HeldOut { features, y }: &HeldOut| {
        Scores::measure(&trained.model, &trained.model.outputs_of(features), y)
    };
    let outcome = Outcome {
        args,
        request: &request,
        trained: &trained,
        why: trained.why.as_ref().map(|why| spelled(why, Command::usual_flag)),
        set: &set,
        train: Scores::measure(&trained.model, &trained.model.outputs_on(set.data()), set.y()),
        held_out: held_out.as_ref().map(score),
        seconds: start.elapsed().as_secs_f64(),
    };
    if let Some(warning) = choice::warning(&trained) {
        report::note("warning", &warning);
    }
    report::answer(common, || outcome.json(&table), || outcome.text(&table))?;
    Ok(exit_code(args, &trained))
}

fn in_blocks(
    args: &Train,
    request: &Request,
    coded: Coded,
    start: Instant,
    common: &Common,
) -> anyhow::Result<ExitCode> {
    check_pictures(args, &coded.coding)?;
    blocks::train(args, request, coded, start, common)
}

/// A trace and its picture are those of one network.
fn check_pictures(args: &Train, coding: &Coding) -> anyhow::Result<()> {
    let TargetCoding::Several { column, .. } = coding.target() else { return Ok(()) };
    for (flag, given) in [("--trace", args.trace.is_some()), ("--plot", args.plot.is_some())] {
        if given {
            let column = &column.name;
            bail!("{flag} follows one network, and every class of {column:?} has its own");
        }
    }
    Ok(())
}

/// Everything there is to tell about a run.
pub(crate) struct Outcome<'a> {
    args: &'a Train,
    request: &'a Request,
    trained: &'a Trained,
    /// Why this method, where it was chosen.
    why: Option<String>,
    set: &'a TrainingSet,
    train: Scores,
    held_out: Option<Scores>,
    seconds: f64,
}

impl Outcome<'_> {
    fn json(&self, table: &Table) -> serde_json::Value {
        let Trained { model, beta_max, beta_max_exact, patterns, stop, .. } = self.trained;
        let data = self.set.data();
        let first = model.first();
        let mut object = json!({
            "n": data.samples(),
            "distinct": data.distinct(),
            "d": data.dimension(),
            "layers": first.network().depth(),
            "method": first.recipe().name(),
            "loss": model.loss().to_string(),
            "beta": model.beta().get(),
            "beta_max": beta_max,
            "neurons": model.neurons(),
            "patterns": patterns,
            "train": self.train.json(),
            "stop": stop.name(),
            "seconds": self.seconds,
        });
        report::add_certificates(&mut object, model, &model.certificate(), &model.global());
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
        report::add(&mut object, "auto", self.why.as_ref().map(|why| json!(why)));
        report::add(&mut object, "more", self.trained.more.as_ref().map(|more| json!(more)));
        let choice = self.trained.choice.as_ref();
        let cv = choice.and_then(|choice| choice::scores_json(self.request, choice));
        report::add(&mut object, "cv", cv);
        object["chosen"] = choice.map_or(json!(null), choice::json);
        if let Some(pruned) = &self.trained.pruned {
            object["pruned"] = json!({ "neurons": pruned.neurons, "objective": pruned.objective });
        }
        if let Some(Narrowed { bits, neurons, objective }) = self.trained.narrowed {
            object["narrowed"] =
                json!({ "bits": bits, "neurons": neurons, "objective": objective });
        }
        report::add(&mut object, "holdout", self.held_out.as_ref().map(Scores::json));
        report::add_path(&mut object, "model", self.args.output.as_deref());
        report::add_notes(&mut object, &report::notes(table, model.coding()));
        object
    }

    fn text(&self, table: &Table) -> String {
        let Trained { model, beta_max, patterns, stop, .. } = self.trained;
        let choice = self.trained.choice.as_ref();
        let mut text = choice.map_or(String::new(), choice::headline);
        text += &report::data_text(table, model.coding(), self.set.data(), self.set.y());
        text += &choice.map_or(String::new(), choice::class_text);
        text += &report::problem_text(model, *beta_max, *patterns);
        if let Some(why) = &self.why {
            text += &format!("method {}: {why}\n", model.first().recipe().name());
        }
        let strength = |choice| choice::strength_text(self.request, choice);
        text += &choice.map_or(String::new(), strength);
        text += "\n";
        text += &report::certificate_text(model);
        text += "\n";
        text += &report::network_text(model, &self.train.line());
        if let Some(pruned) = &self.trained.pruned {
            text += &choice::pruned_text(pruned, &model.certificate());
        }
        if let Some(narrowed) = &self.trained.narrowed {
            text += &choice::narrowed_text(narrowed, &model.certificate(), choice.is_some());
        }
        if let Some(scores) = &self.held_out {
            text += &format!("  held out   {}\n", scores.line());
        }
        text += &format!("  time       {}{}\n", report::seconds(self.seconds), stopped(*stop));
        text += &match choice::predicts(self.trained) {
            true => choice::hint(self.trained, self.request),
            false => report::advice(self.trained),
        };
        let what = if model.parts().len() > 1 { "the networks" } else { "the network" };
        text + &report::kept(self.args.output.as_deref(), what)
    }
}

pub(super) fn exit_code(args: &Train, trained: &Trained) -> ExitCode {
    let reached = |tolerance| trained.model.certificate().relative_gap() <= tolerance;
    match trained.stop {
        StopReason::Interrupted => ExitCode::from(interrupt::EXIT_CODE),
        _ if args.asked.gap().is_some_and(|tolerance| !reached(tolerance)) => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
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
