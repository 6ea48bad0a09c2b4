//! `hardlim path --memory`: the path on rows in blocks.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use hardlim::rows::Coded;
use hardlim::train::{Event, Request, RowsPoint, Watch};

use super::Point;
use super::report::{Data, Outcome};
use crate::args::{Common, Path};
use crate::commands::blocks;
use crate::report::progress_line;
use crate::{interrupt, progress};

pub(super) fn run(
    args: &Path,
    request: &Request,
    mut coded: Coded,
    start: Instant,
    common: &Common,
) -> anyhow::Result<ExitCode> {
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
    let mut points = Vec::new();
    let Coded { coding, sample, rows, .. } = &mut coded;
    let path = request.path_rows(coding, sample, rows, &watch, |point| {
        points.push(Point::from(point));
        bar.inc(1);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    let source = blocks::source(&args.data, &args.blocks)?;
    let outcome = Outcome {
        args,
        request,
        path: path?,
        data: Data::of_blocks(&coded, source),
        points,
        seconds: start.elapsed().as_secs_f64(),
    };
    outcome.tell(common)
}

impl From<RowsPoint> for Point {
    fn from(point: RowsPoint) -> Self {
        let RowsPoint { beta, ratio, coefficients, certificate, stop, score } = point;
        Self { beta, ratio, coefficients, certificate, stop, train: Some(score), held_out: None }
    }
}
