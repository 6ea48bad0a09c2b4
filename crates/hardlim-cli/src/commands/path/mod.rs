//! `hardlim path`.

mod picture;
mod report;

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use hardlim::certificate::Certificate;
use hardlim::data::TargetCoding;
use hardlim::network::score::{Regression, accuracy};
use hardlim::solver::{Budget, Progress, StopReason};
use hardlim::train::PathPoint;

use super::prepare::{Prepared, budget};
use crate::args::{Common, Path};
use crate::report::{print, print_json, progress_line};
use crate::{files, interrupt, progress};

use report::Outcome;

pub(crate) fn run(args: &Path, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    files::check("--csv", args.csv.as_deref())?;
    files::check("--plot", args.plot.as_ref().map(|picture| picture.path()))?;
    let prepared = Prepared::new(&args.data, &args.columns, args.training.holdout, common)?;
    if let TargetCoding::Several { column, classes } = prepared.coding.target() {
        bail!(
            "the target {:?} has {} classes, and a path follows one network: give a column with two \
             values, one class and the rest, or choose a beta for all classes by hardlim train --cv 5",
            column.name,
            classes.len()
        );
    }
    let ratios = args.ratios();

    let bar = progress::steps(ratios.len());
    let show = |progress: &Progress| bar.set_message(progress_line(progress));
    let budget = budget(start, args.training.time_limit);
    let budget = Budget { progress: Some(&show), ..budget };
    let trainer = args.training.trainer(&args.problem, common, budget);
    let features = prepared.held_out.as_ref().map(|held_out| &held_out.features);
    let mut points = Vec::with_capacity(ratios.len());
    let mut cut = None;
    let path = trainer.path(&prepared.data, features, &ratios, |point| {
        points.push(Point::new(&point, &prepared));
        bar.inc(1);
        cut = trainer.budget.spent().filter(|_| points.len() < ratios.len());
        if cut.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();

    let outcome = Outcome {
        args,
        path: path?,
        prepared: &prepared,
        stop: stop(cut, &points),
        points,
        seconds: start.elapsed().as_secs_f64(),
    };
    if let Some(path) = &args.csv {
        files::write(path, &outcome.csv()?)?;
    }
    if let Some(picture) = &args.plot {
        files::draw(picture, &outcome.picture())?;
    }
    if common.json {
        print_json(&outcome.json())?;
    } else {
        print(&outcome.text())?;
    }
    Ok(outcome.exit_code())
}

/// One strength, and what it costs and brings.
struct Point {
    beta: f64,
    ratio: f64,
    /// The patterns in use, with their coefficients.
    coefficients: Vec<(usize, f64)>,
    certificate: Certificate,
    stop: StopReason,
    /// Accuracy, or R² where it is defined.
    train: Option<f64>,
    held_out: Option<f64>,
}

impl Point {
    fn new(point: &PathPoint, prepared: &Prepared) -> Self {
        let score = |output: &[f64], y: &[f64]| match prepared.classes() {
            true => Some(accuracy(output, y)),
            false => Regression::measure(output, y).r2,
        };
        let rows = prepared.data.row_of().iter();
        let output: Vec<f64> = rows.map(|&g| point.output[g as usize]).collect();
        let held_out = prepared.held_out.as_ref();
        let coefficients = point.solution.coefficients.iter().copied().enumerate();
        Self {
            beta: point.beta,
            ratio: point.ratio,
            coefficients: coefficients.filter(|(_, w)| *w != 0.0).collect(),
            certificate: point.solution.certificate.clone(),
            stop: point.solution.stop,
            train: score(&output, &prepared.y),
            held_out: held_out.and_then(|held_out| score(&point.held_out, &held_out.y)),
        }
    }
}

/// Why the path ended: because it was cut, or by the first point that did not reach the gap.
fn stop(cut: Option<StopReason>, points: &[Point]) -> StopReason {
    let unfinished = |point: &Point| Some(point.stop).filter(|s| *s != StopReason::GapReached);
    cut.or_else(|| points.iter().find_map(unfinished)).unwrap_or(StopReason::GapReached)
}

impl Outcome<'_> {
    fn exit_code(&self) -> ExitCode {
        let asked = self.args.ratios().len();
        let reached = |gap: f64| {
            self.points.len() == asked
                && self.points.iter().all(|point| point.certificate.relative_gap() <= gap)
        };
        match self.stop {
            StopReason::Interrupted => ExitCode::from(interrupt::EXIT_CODE),
            _ if self.args.training.gap.is_some_and(|gap| !reached(gap)) => ExitCode::from(1),
            _ => ExitCode::SUCCESS,
        }
    }
}
