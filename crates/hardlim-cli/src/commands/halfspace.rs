//! `hardlim halfspace`.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use hardlim::data::Dataset;
use hardlim::pricing::BestHalfspace;
use hardlim::table::{Coding, TargetCoding};
use serde_json::{Value, json};

use crate::args::{Asked, Common, DataArgs, Door, Said};
use crate::report::columns::cut;
use crate::{interrupt, progress, report};

/// Find the halfspace that agrees best with a column, proven
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/halfspace.txt"))]
pub(crate) struct Halfspace {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    asked: Asked<HalfspaceOptions>,
}

/// The options that the search for a halfspace shares with training.
#[derive(Debug)]
pub(crate) struct HalfspaceOptions;

impl Door for HalfspaceOptions {
    const NAMES: &'static str = "bias max_inputs gap time_limit";
    const HELP: Said = &[
        ("bias", "Only halfspaces whose boundary contains the origin: x.w >= 0"),
        ("max_inputs", "Only halfspaces that read at most K inputs, 1, 2 or 3"),
        (
            "gap",
            "Stop when the loss is proven to be within this fraction of the least; if it is given \
             and not reached, the exit code is 1 [default: 0]",
        ),
        (
            "time_limit",
            "Stop after this many seconds and keep the best halfspace and the best bound so far",
        ),
    ];
}

/// The longest line of the sum.
const WIDTH: usize = 100;

pub(crate) fn run(args: &Halfspace, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let request = args.asked.request(common)?;
    let table = args.data.open(common)?;
    let coding = Coding::fit(&table, &request.columns)?;
    if let TargetCoding::Several { column, classes } = coding.target() {
        let (name, count) = (&column.name, classes.len());
        bail!(
            "the target {name:?} has {count} classes; give a column with two values, or a number"
        );
    }
    let (data, y) = (coding.dataset(&table)?, coding.targets(&table)?);
    let bar = progress::doing("searching for a halfspace, and for a proof that none is better");
    let found = request.halfspace(&data, &interrupt::from(start, None));
    drop(bar);
    let report = Report {
        names: coding.feature_names(),
        data: &data,
        found: &found?,
        max_inputs: request.max_inputs(),
        seconds: start.elapsed().as_secs_f64(),
    };
    let json = || {
        let mut object = report.json();
        report::add_notes(&mut object, &report::notes(&table, &coding));
        object
    };
    let text = || format!("{}\n{}", report::data_text(&table, &coding, &data, &y), report.text());
    report::answer(common, json, text)?;
    let missed = args.asked.gap().is_some_and(|gap| !report.found.is_within(gap));
    Ok(if missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Everything there is to tell.
struct Report<'a> {
    names: Vec<String>,
    data: &'a Dataset,
    found: &'a BestHalfspace,
    max_inputs: Option<usize>,
    seconds: f64,
}

impl Report<'_> {
    /// The samples in the halfspace.
    fn inside(&self) -> usize {
        let pattern = &self.found.best.pattern;
        self.data.row_of().iter().filter(|&&g| pattern.get(g as usize)).count()
    }

    fn json(&self) -> Value {
        let Self { names, data, found, .. } = self;
        let plane = &found.best.hyperplane;
        json!({
            "n": data.samples(), "distinct": data.distinct(), "d": data.dimension(),
            "names": names, "weights": plane.weights, "bias": plane.bias,
            "max_inputs": self.max_inputs, "inside": self.inside(),
            "value": found.best.value, "upper_bound": found.upper_bound,
            "agreement": found.agreement(), "weight": found.weights.size(),
            "loss": found.loss(), "lower_bound": found.lower_bound(),
            "relative_gap": found.relative_gap(), "optimal": found.relative_gap() == 0.0,
            "seconds": self.seconds,
        })
    }

    /// `w·x ≥ t` in words, on as many lines as it takes.
    fn inequality(&self) -> String {
        let plane = &self.found.best.hyperplane;
        let terms = self.names.iter().zip(&plane.weights).filter(|(_, w)| **w != 0.0);
        let mut lines = vec![String::new()];
        for (name, w) in terms {
            let line = lines.last_mut().expect("at least one");
            let sign = match (w.is_sign_negative(), line.is_empty()) {
                (true, _) => "- ",
                (false, false) => "+ ",
                (false, true) => "",
            };
            let term = format!("{sign}{} {}", report::short(w.abs()), cut(name));
            if line.is_empty() {
                line.push_str(&term);
            } else if line.chars().count() + term.chars().count() < WIDTH {
                line.extend([" ", &term]);
            } else {
                lines.push(term);
            }
        }
        let sum = lines.join("\n             ");
        let sum = if sum.is_empty() { "0".into() } else { sum };
        format!("{sum} >= {}", report::short(0.0 - plane.bias))
    }

    fn text(&self) -> String {
        let Self { found, .. } = self;
        let class = match self.max_inputs {
            Some(1) => "halfspace of one input".into(),
            Some(most) => format!("halfspace of at most {most} inputs"),
            None => "halfspace".to_owned(),
        };
        let bound = found.lower_bound();
        let proof = if found.relative_gap() == 0.0 {
            let rounding = if found.weights.is_exact() { "" } else { ", but for rounding" };
            format!("optimal: no {class} has a smaller loss{rounding}")
        } else if bound > 0.0 {
            let (bound, gap) = (report::lower(bound), report::gap(found.relative_gap()));
            format!("no {class} has a loss below {bound}: at most {gap} to gain")
        } else {
            format!("none: it is not ruled out that a {class} has no loss at all")
        };
        let size = found.weights.size();
        format!(
            "  halfspace  {}\n  inside     {} of {} rows, sum {}\n  agreement  {} of {} ({})\n  \
             loss       {}\n  proof      {proof}\n\n  time       {}\n",
            self.inequality(),
            self.inside(),
            self.data.samples(),
            report::long(found.best.value),
            report::long(found.agreement()),
            report::long(size),
            report::percent(found.agreement() / size.max(f64::MIN_POSITIVE)),
            report::upper(found.loss()),
            report::seconds(self.seconds),
        )
    }
}
