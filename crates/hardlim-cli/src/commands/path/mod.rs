//! `hardlim path`.

mod blocks;
mod picture;
mod report;

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use hardlim::certificate::Certificate;
use hardlim::rows::Ready;
use hardlim::solver::StopReason;
use hardlim::train::{Event, PathPoint, Watch};

use super::prepare::Prepared;
use crate::args::{Common, Path};
use crate::report::{answer, progress_line};
use crate::{files, interrupt, progress};

use report::{Data, Outcome};

pub(crate) fn run(args: &Path, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let request = args.request(common)?;
    let table = match super::blocks::read(&args.data, &args.blocks, &request, common)? {
        Ready::Table(table) => table,
        Ready::Blocks(coded) => return blocks::run(args, &request, coded, start, common),
    };
    let prepared = Prepared::of(table, &request)?;

    let bar = progress::steps(request.path_ratios().len());
    bar.set_prefix("strengths solved:");
    let show = |event: Event<'_>| {
        if let Event::Progress(progress) = event {
            bar.set_message(progress_line(progress));
        }
    };
    let watch = Watch {
        start,
        interrupt: Some(interrupt::watch()),
        listener: Some(&show),
        ..Watch::default()
    };
    let features = prepared.held_out.as_ref().map(|held_out| &held_out.features);
    let mut points = Vec::new();
    let path = request.path(&prepared.set, features, &watch, |point| {
        points.push(Point::new(&point, &prepared));
        bar.inc(1);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();

    let outcome = Outcome {
        args,
        request: &request,
        path: path?,
        data: Data::of(&prepared, &request),
        points,
        seconds: start.elapsed().as_secs_f64(),
    };
    outcome.tell(common)
}

impl Outcome<'_> {
    /// Writes and prints what was asked for.
    fn tell(&self, common: &Common) -> anyhow::Result<ExitCode> {
        let (args, outcome) = (self.args, self);
        if let Some(path) = &args.csv {
            files::write(path, &outcome.csv()?)?;
        }
        if let Some(picture) = &args.plot {
            files::draw(picture, &outcome.picture())?;
        }
        answer(common, || outcome.json(), || outcome.text())?;
        Ok(outcome.exit_code())
    }
}

/// One strength, with its solution and scores.
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
        let y = prepared.held_out.as_ref().map(|held_out| &held_out.y[..]);
        let [train, held_out] = point.scores(&prepared.set, y);
        let coefficients = point.solution.coefficients.iter().copied().enumerate();
        Self {
            beta: point.beta,
            ratio: point.ratio,
            coefficients: coefficients.filter(|(_, w)| *w != 0.0).collect(),
            certificate: point.solution.certificate.clone(),
            stop: point.solution.stop,
            train,
            held_out,
        }
    }
}

impl Outcome<'_> {
    fn exit_code(&self) -> ExitCode {
        let reached = |gap: f64| {
            self.path.complete
                && self.points.iter().all(|point| point.certificate.relative_gap() <= gap)
        };
        match self.path.stop {
            StopReason::Interrupted => ExitCode::from(interrupt::EXIT_CODE),
            _ if self.args.asked.gap().is_some_and(|gap| !reached(gap)) => ExitCode::from(1),
            _ => ExitCode::SUCCESS,
        }
    }
}
