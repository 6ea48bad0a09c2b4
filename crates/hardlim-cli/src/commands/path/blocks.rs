//! `hardlim path --memory`: the path on rows in blocks.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use hardlim::train::{Event, Request, RowsPoint, Watch};

use super::Point;
use super::report::{Data, Outcome};
use crate::args::{Common, Path};
use crate::commands::blocks::Blocks;
use crate::report::progress_line;
use crate::{interrupt, progress};

pub(super) fn run(
    args: &Path,
    request: &Request,
    memory: u64,
    common: &Common,
) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let mut blocks = Blocks::read(&args.data, &args.blocks, request, memory, common)?;
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
    let Blocks { coding, sample, shards, .. } = &mut blocks;
    let path = request.path_rows(coding, sample, shards, &watch, |point| {
        points.push(Point::from(point));
        bar.inc(1);
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    let (text, source, rows) = (blocks.text(), blocks.source(), blocks.shards.rows());
    let outcome = Outcome {
        args,
        request,
        path: path?,
        data: Data::of_blocks(text, source, rows, &blocks.coding, blocks.notes),
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
