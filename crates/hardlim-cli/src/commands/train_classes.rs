//! `hardlim train` where the target has three classes or more: a network for each.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use hardlim::data::{Dataset, Table};
use hardlim::network::Model;
use hardlim::solver::{Budget, Progress, StopReason};
use hardlim::train::{CrossValidation, Selection, TrainedClasses, Trainer};
use serde_json::{Value, json};

use super::prepare::{HeldOut, Prepared};
use super::{cross_validate, train};
use crate::args::{Common, Train};
use crate::report::{self, Scores, classes};
use crate::{interrupt, progress};

/// What was asked for, and what has been decided.
pub(super) struct Run<'a> {
    pub(super) args: &'a Train,
    pub(super) common: &'a Common,
    pub(super) start: Instant,
    pub(super) cross_validation: Option<(&'a CrossValidation, &'a Selection)>,
    /// Whether Ctrl-C came while the strength was being chosen.
    pub(super) interrupted: bool,
}

impl Run<'_> {
    pub(super) fn train(
        &self,
        trainer: &Trainer<'_>,
        prepared: Prepared,
    ) -> anyhow::Result<ExitCode> {
        let args = self.args;
        let Prepared { table, coding, data, y, split, held_out } = prepared;
        for (flag, given) in [("--trace", args.trace.is_some()), ("--plot", args.plot.is_some())] {
            if given {
                let column = &coding.target().column().name;
                bail!("{flag} follows one network, and every class of {column:?} has its own");
            }
        }
        let problems = coding.datasets(&table)?;
        let bar = progress::spinner();
        let show = |progress: &Progress| bar.set_message(report::progress_line(progress));
        let names = coding.target().classes().unwrap_or_default().to_vec();
        let begin = |class: usize| {
            bar.set_prefix(format!("class {} of {}: {}", class + 1, names.len(), names[class]));
        };
        let budget = Budget { progress: Some(&show), ..trainer.budget };
        let trained = Trainer { budget, ..*trainer }.train_classes(&problems, coding, split, begin);
        bar.finish_and_clear();
        let mut trained = trained?;
        if self.interrupted {
            trained.stop = StopReason::Interrupted;
        }
        let classifier = &trained.classifier;
        if let Some(path) = &args.output {
            interrupt::undisturbed(|| classifier.save(path))?;
        }
        let score = |HeldOut { features, y }: &HeldOut| {
            Scores::of_classes(classifier, &classifier.outputs_of(features), y)
        };
        let outcome = Outcome {
            run: self,
            trained: &trained,
            data: &data,
            train: Scores::of_classes(classifier, &classifier.outputs(&table)?, &y),
            held_out: held_out.as_ref().map(score),
            y: &y,
            seconds: self.start.elapsed().as_secs_f64(),
        };
        if self.common.json {
            report::print_json(&outcome.json())?;
        } else {
            report::print(&outcome.text(&table))?;
        }
        Ok(self.exit_code(&trained))
    }

    fn exit_code(&self, trained: &TrainedClasses) -> ExitCode {
        let gap = trained.classifier.certificate().relative_gap();
        match trained.stop {
            StopReason::Interrupted => ExitCode::from(interrupt::EXIT_CODE),
            _ if self.args.training.gap.is_some_and(|tolerance| gap > tolerance) => {
                ExitCode::from(1)
            }
            _ => ExitCode::SUCCESS,
        }
    }
}

/// Everything there is to tell about a run.
struct Outcome<'a> {
    run: &'a Run<'a>,
    trained: &'a TrainedClasses,
    data: &'a Dataset,
    y: &'a [f64],
    train: Scores,
    held_out: Option<Scores>,
    seconds: f64,
}

impl Outcome<'_> {
    fn json(&self) -> Value {
        let TrainedClasses { classifier, beta_max, beta_max_exact, patterns, stop } = self.trained;
        let first = &classifier.models()[0];
        let (certificate, global) = (classifier.certificate(), classifier.global());
        let part = |(class, model): (&String, &Model)| {
            let mut object = report::certificate_json(model, &model.certificate);
            object["class"] = json!(class);
            object["objective"] = json!(model.certificate.objective());
            object["neurons"] = json!(model.network.neurons());
            object["global"] = report::certificate_json(model, &model.global);
            object
        };
        let parts = classifier.classes().iter().zip(classifier.models()).map(part);
        let mut object = json!({
            "n": self.data.samples(),
            "distinct": self.data.distinct(),
            "d": self.data.dimension(),
            "classes": classifier.classes(),
            "layers": first.network.depth(),
            "method": first.recipe.name(),
            "loss": first.loss.to_string(),
            "beta": first.beta.get(),
            "beta_max": beta_max,
            "neurons": classifier.neurons(),
            "patterns": patterns,
            "objective": certificate.objective(),
            "certificate": report::certificate_json(first, &certificate),
            "certificates": parts.collect::<Vec<_>>(),
            "global": report::certificate_json(first, &global),
            "train": self.train.json(),
            "stop": stop.name(),
            "seconds": self.seconds,
        });
        let losses = classifier.models().iter().map(report::loss_part);
        object["train"]["loss"] = json!(losses.sum::<f64>());
        report::add_shape(&mut object, first);
        if !beta_max_exact {
            object["beta_max_exact"] = json!(false);
        }
        if let Some((plan, selection)) = self.run.cross_validation {
            object["cv"] = cross_validate::json(plan, selection);
        }
        if let Some(scores) = &self.held_out {
            object["holdout"] = scores.json();
        }
        if let Some(path) = &self.run.args.output {
            object["model"] = json!(path);
        }
        object
    }

    fn text(&self, table: &Table) -> String {
        let TrainedClasses { classifier, beta_max, patterns, stop, .. } = self.trained;
        let first = &classifier.models()[0];
        let mut text = report::data_text(table, classifier.coding(), self.data, self.y);
        text += &report::problem_text(first, *beta_max, *patterns);
        if let Some((plan, selection)) = self.run.cross_validation {
            text += &cross_validate::text(plan, selection);
        }
        text += "\n";
        text += &classes::certificate_text(classifier, *patterns);
        text += &format!("\n  training   {}\n", self.train.line());
        if let Some(scores) = &self.held_out {
            text += &format!("  held out   {}\n", scores.line());
        }
        let seconds = report::seconds(self.seconds);
        text += &format!("  time       {seconds}{}\n", train::stopped(*stop));
        text += &report::advice(first, *stop);
        text += &match &self.run.args.output {
            Some(path) => format!("\nmodel written to {}\n", path.display()),
            None => "\nadd -o MODEL to keep the networks\n".into(),
        };
        text
    }
}
