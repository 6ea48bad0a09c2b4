//! `hardlim arrangements`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueHint};
use hardlim::arrangement::{Arrangement, Size};
use hardlim::data::inputs;
use hardlim::pattern::{Pattern, PatternMatrix};
use hardlim::table::{CodingOptions, Missing};
use hardlim_lab::patterns::{Estimate, Listed, PatternFile, Question};
use serde_json::{Value, json};

use crate::args::{Common, DataArgs, parse_picture};
use crate::plot::Picture;
use crate::{files, interrupt, progress, report};

/// List every pattern that a neuron can produce on a table
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/arrangements.txt"))]
pub(crate) struct Arrangements {
    #[command(flatten)]
    data: DataArgs,
    /// The target column, by name or number; it is left out [default: the last column not ignored]
    #[arg(long, value_name = "COL", help_heading = "Data")]
    target: Option<String>,
    /// There is no target: every column is a feature
    #[arg(long, conflicts_with = "target", help_heading = "Data")]
    no_target: bool,
    /// Columns to leave out, separated by commas
    #[arg(long, value_name = "COLS", value_delimiter = ',', help_heading = "Data")]
    ignore: Vec<String>,
    /// Columns of labels, even if the labels are numbers; separated by commas
    #[arg(long, value_name = "COLS", value_delimiter = ',', help_heading = "Data")]
    categorical: Vec<String>,
    /// Missing values: error refuses them, mean fills in the column's mean and adds an input that
    /// tells where (for labels, missing is a label of its own)
    #[arg(long, value_name = "HOW", default_value = "error", help_heading = "Data")]
    missing: Missing,
    /// Neurons without a bias: 1{x.w >= 0}
    #[arg(long, help_heading = "Neurons")]
    no_bias: bool,
    /// Widths of the layers below the last neuron, the first layer first, separated by commas
    #[arg(long, value_name = "M1,M2", value_delimiter = ',', value_parser = parse_width,
          help_heading = "Neurons")]
    widths: Vec<usize>,
    /// Subnetworks are trees: neurons share no neuron of the layer below
    #[arg(long, requires = "widths", help_heading = "Neurons")]
    tree: bool,
    /// Only count the patterns
    #[arg(long, conflicts_with_all = ["output", "hull"], help_heading = "Result")]
    count_only: bool,
    /// Stop if there may be more patterns than this, or more sets of neurons in a layer
    /// [default: 100000000, or 1000000 with --widths]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
          help_heading = "Result")]
    limit: Option<u64>,
    /// Write the patterns to this file, .csv or .npy
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath,
          help_heading = "Result")]
    output: Option<PathBuf>,
    /// Draw the convex hull of the patterns and their negatives, for two or three distinct rows,
    /// next to the hull for --widths (or width 2); the name ends in .svg or .png
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = parse_picture,
          help_heading = "Result")]
    hull: Option<Picture>,
}

impl Arrangements {
    fn coding_options(&self) -> CodingOptions {
        CodingOptions {
            target: self.target.clone(),
            missing: self.missing,
            ignore: self.ignore.clone(),
            categorical: self.categorical.clone(),
            ..CodingOptions::default()
        }
    }

    fn limit(&self) -> u128 {
        let default = if self.widths.is_empty() { 100_000_000 } else { 1_000_000 };
        self.limit.unwrap_or(default).into()
    }
}

/// A number of neurons.
pub(super) fn parse_width(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(width @ 1..=1_000_000) => Ok(width),
        _ => Err("expected a whole number of at least 1".into()),
    }
}

/// The most patterns, and the most rows, of a list that is printed.
const SHOWN: (usize, usize) = (64, 64);
/// Patterns found in a second, on a plain core or two.
const RATE: f64 = 3e6;

pub(crate) fn run(args: &Arrangements, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let table = args.data.open(common)?;
    let (features, names, target) = inputs(&table, &args.coding_options(), !args.no_target)?;
    let samples = features.rows();
    let (features, row_of) = features.merge();
    let arrangement = Arrangement::of(&features);
    let arrangement = if args.no_bias { arrangement.without_bias() } else { arrangement };
    let counting = progress::doing("counting how many patterns there can be");
    let question = Question {
        arrangement: &arrangement,
        widths: &args.widths,
        tree: args.tree,
        limit: args.limit(),
    };
    let estimate = question.estimate();
    drop(counting);
    let columns = match (names.len(), &target) {
        (1, None) => "1 feature".to_owned(),
        (d, None) => format!("{d} features"),
        (1, Some(target)) => format!("1 feature; the target {target} is left out"),
        (d, Some(target)) => format!("{d} features; the target {target} is left out"),
    };
    let rows = if features.rows() == samples {
        "all distinct".into()
    } else {
        format!("{} distinct", features.rows())
    };
    let mut text = format!("{}: {samples} rows ({rows}), {columns}\n", table.source());
    text += &summary(&estimate, args);

    if let Some(picture) = &args.hull {
        let rows = features.rows();
        ensure!(
            matches!(rows, 2 | 3),
            "--hull: only 2 or 3 distinct rows can be drawn, found {rows}"
        );
        let figure = question.hull().context("--hull")?.context("--hull: there is no pattern")?;
        files::draw(picture, &figure)?;
    }
    let found = list(args, &question, &estimate, &row_of)?;

    let all = power_of_two(features.rows());
    let complete = found.patterns.is_none_or(|patterns| Some(patterns) == all);
    let seconds = start.elapsed().as_secs_f64();
    if common.json {
        let mut object = json!({
            "n": samples, "distinct": features.rows(), "d": features.dimension(),
            "rank": estimate.size.rank, "patterns": big(found.patterns),
            "upper_bound": big(fits(estimate.bound)), "complete": complete,
            "layers": args.widths.len() + 2, "widths": args.widths, "tree": args.tree,
            "bias": !args.no_bias, "seconds": seconds,
        });
        report::add_path(&mut object, "file", args.output.as_deref());
        report::add_path(&mut object, "hull", args.hull.as_ref().map(Picture::path));
        report::print_json(&object)?;
        return Ok(ExitCode::SUCCESS);
    }
    let all = if complete { ": every dichotomy of the rows" } else { "" };
    let count = found.patterns.map_or_else(|| two_to(features.rows()), |count| count.to_string());
    text += &format!("\n{count} patterns{all}\n");
    text += &shown(&found, &row_of);
    text += &format!("  time       {}\n", report::seconds(seconds));
    if let Some(path) = &args.output {
        text += &format!("\npatterns written to {}\n", path.display());
    }
    if let Some(picture) = &args.hull {
        text += &format!("\nhull drawn in {}\n", picture.path().display());
    }
    report::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// What is known before any pattern is.
fn summary(estimate: &Estimate, args: &Arrangements) -> String {
    let Size { rows, rank, complete, .. } = estimate.size;
    let all = if complete {
        "every dichotomy is a pattern"
    } else {
        "not every dichotomy is a pattern of one neuron"
    };
    let widths: Vec<String> = args.widths.iter().map(ToString::to_string).collect();
    let what = match (widths.is_empty(), args.tree) {
        (true, _) => "patterns".to_owned(),
        (_, false) => format!("patterns of subnetworks with widths {}", widths.join(", ")),
        (_, true) => format!("patterns of trees with widths {}", widths.join(", ")),
    };
    let most = at_most(estimate, &what);
    format!("rank {rank} on {rows} distinct rows: {all}\nat most {most}\n")
}

/// The largest number there can be, with the memory and the time it would take.
fn at_most(estimate: &Estimate, what: &str) -> String {
    let Some(bound) = fits(estimate.bound) else {
        // There are never more patterns than dichotomies.
        return format!("{} {what} (too many for memory and time)", two_to(estimate.size.rows));
    };
    let more = if estimate.bytes == u128::MAX { "more than " } else { "" };
    let bytes = report::bytes(estimate.bytes as f64);
    let time = report::duration(bound as f64 / RATE);
    format!("{} {what} ({more}{bytes} of memory, {time})", report::count(bound))
}

/// Lists or counts, with what it writes on the way.
fn list(
    args: &Arrangements,
    question: &Question<'_>,
    estimate: &Estimate,
    row_of: &[u32],
) -> anyhow::Result<Listed> {
    let begin = |path: &std::path::PathBuf| {
        let file = PatternFile::new(path, row_of)?
            .with_context(|| format!("-o {}: the name must end in .csv or .npy", path.display()))?;
        interrupt::remove_on_exit(file.temporary_path());
        anyhow::Ok(file)
    };
    let mut file = args.output.as_ref().map(begin).transpose()?;
    let Size { rows, rank, complete, .. } = estimate.size;
    if args.count_only && args.widths.is_empty() && complete {
        return Ok(Listed { patterns: power_of_two(rows), list: None });
    }
    if estimate.bound > question.limit {
        bail!(
            "rank {rank} on {rows} distinct rows: there may be {}, more than the --limit of {}; \
             raise it, or train without a list: hardlim train --method generate searches \
             the patterns, --method sample draws some of them",
            at_most(estimate, "patterns"),
            question.limit,
        );
    }
    let bar = progress::doing("");
    let most = report::count(estimate.bound);
    let tell = |count: u64| bar.set_message(format!("{count} of at most {most} patterns"));
    let found = question.list(SHOWN.0 as u128, file.as_mut(), interrupt::watch(), &tell)?;
    if let Some(file) = file {
        interrupt::undisturbed(|| file.finish())?;
    }
    Ok(found)
}

/// The patterns themselves, where they are few, one line each.
fn shown(found: &Listed, row_of: &[u32]) -> String {
    let short = |list: &&PatternMatrix| list.patterns() <= SHOWN.0 && row_of.len() <= SHOWN.1;
    let Some(list) = found.list.as_ref().filter(short) else { return String::new() };
    let line = |pattern: Pattern| -> String {
        row_of.iter().map(|&g| if pattern.get(g as usize) { '1' } else { '0' }).collect()
    };
    (0..list.patterns()).map(|j| format!("  {}\n", line(list.pattern(j)))).collect()
}

/// A bound, unless it stands for more.
fn fits(bound: u128) -> Option<u128> {
    (bound < u128::MAX).then_some(bound)
}

/// A number that may be too large for JSON's whole numbers; null where it is not known as a number.
fn big(number: Option<u128>) -> Value {
    let whole = |number: u128| u64::try_from(number).map_or(json!(number as f64), |n| json!(n));
    number.map_or(Value::Null, whole)
}

/// `2ⁿ`, where it fits.
fn power_of_two(n: usize) -> Option<u128> {
    (n < 128).then(|| 1 << n)
}

/// `2ⁿ`, in words.
fn two_to(n: usize) -> String {
    format!("2^{n}")
}
