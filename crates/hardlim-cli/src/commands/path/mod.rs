//! `hardlim path`.

mod picture;
mod report;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueHint};
use hardlim::Error;
use hardlim::rows::{Coded, Ready};
use hardlim::solver::StopReason;
use hardlim::train::{self, Entry, Heading, Options, PathPoint, Request, Watch};

use super::{blocks, prepare};
use crate::args::{Asked, BlockArgs, Common, DataArgs, Door, Said, parse_picture};
use crate::plot::Picture;
use crate::{files, interrupt, progress};

use report::{Data, PathOutcome};

/// Train for decreasing weight decays, and compare the networks
#[derive(Debug, Args)]
#[command(after_help = include_str!("../../help/path.txt"))]
pub(crate) struct Path {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    blocks: BlockArgs,
    #[command(flatten)]
    asked: Asked<PathOptions>,
    /// Write the table to this CSV file, with all digits
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Result")]
    csv: Option<PathBuf>,
    /// Draw coefficients, neurons, objective and accuracy (or R2) against beta, and accuracy (or
    /// R2) against the number of neurons; the name ends in .svg or .png
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = parse_picture,
          help_heading = "Result")]
    plot: Option<Picture>,
}

/// The options that a path shares with training.
#[derive(Debug)]
pub(crate) struct PathOptions;

impl Door for PathOptions {
    const NAMES: &'static str = "loss intercept non_negative monotone interactions \
         no_interactions bias patterns standardize max_inputs conditions gap time_limit \
         holdout n_ratios least_ratio";
    const FLAGS: Said = &[("n_ratios", "points"), ("least_ratio", "least")];
    const HELP: Said = &[
        ("n_ratios", "The number of betas [default: 100]"),
        ("least_ratio", "The smallest beta, as a fraction of beta_max [default: 0.001]"),
        (
            "max_inputs",
            "Limit every neuron to at most K inputs, 1, 2 or 3, and prove the optimum over all \
             such networks",
        ),
    ];

    fn heading(entry: &Entry) -> &'static str {
        match entry.heading {
            Heading::CrossValidation => "Grid",
            heading => heading.name(),
        }
    }

    fn request(options: &Options) -> Result<Request, hardlim::Error> {
        Request::path_of(options)
    }
}

pub(crate) fn run(args: &Path, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let request = args.asked.request(common)?;
    let ((path, points), data) = match blocks::read(&args.data, &args.blocks, &request, common)? {
        Ready::Table(table) => {
            let (set, held_out) = prepare(&table, &request)?;
            let aside = held_out.as_ref().map(|(x, y)| (x, Some(&y[..])));
            let found =
                follow(&request, start, |watch, keep| request.path(&set, aside, watch, keep))?;
            (found, Data::of(&table, &set, aside.is_some(), &request))
        }
        Ready::Blocks(mut coded) => {
            let Coded { coding, sample, rows, .. } = &mut coded;
            let found = follow(&request, start, |watch, keep| {
                request.path_rows(coding, sample, rows, watch, keep)
            })?;
            (found, Data::of_blocks(&coded, blocks::source(&args.data, &args.blocks)?))
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let outcome = PathOutcome { args, request: &request, path, data, points, seconds };
    if let Some(path) = &args.csv {
        files::write(path, outcome.csv().as_bytes())?;
    }
    if let Some(picture) = &args.plot {
        files::draw(picture, &outcome.picture())?;
    }
    crate::report::answer(common, || outcome.json(), || outcome.text())?;
    Ok(outcome.exit_code())
}

type Keep<'a> = dyn FnMut(PathPoint) -> ControlFlow<()> + Send + 'a;

/// Follows a path, with a bar that counts its points.
fn follow(
    request: &Request,
    start: Instant,
    path: impl FnOnce(&Watch<'_>, &mut Keep<'_>) -> Result<train::Path, Error>,
) -> anyhow::Result<(train::Path, Vec<PathPoint>)> {
    let bar = progress::steps(request.path_ratios().len());
    bar.set_prefix("strengths solved:");
    let show = progress::listener(&bar);
    let mut points = Vec::new();
    let path = path(&interrupt::from(start, Some(&show)), &mut |point| {
        // The outputs of all rows at all strengths would take much memory.
        points.push(PathPoint { outputs: Default::default(), ..point });
        bar.inc(1);
        ControlFlow::Continue(())
    });
    Ok((path?, points))
}

impl PathOutcome<'_> {
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
