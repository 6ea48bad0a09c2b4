//! `hardlim arrangements`.

mod file;
mod hull;

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use hardlim::Error;
use hardlim::arrangement::{Arrangement, Size};
use hardlim::data::Inputs;
use hardlim::pattern::{Pattern, PatternMatrix};
use serde_json::{Value, json};

use super::open_table;
use crate::args::{Arrangements, Common};
use crate::plot::Picture;
use crate::{files, interrupt, progress, report};
use file::PatternFile;

/// Lists of at most so many patterns, on at most so many rows, are printed.
const SHOWN: (usize, usize) = (64, 64);
/// Patterns found in a second, on a plain core or two.
const RATE: f64 = 3e6;

pub(crate) fn run(args: &Arrangements, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let table = open_table(&args.data, common)?;
    let Inputs { features, names, target } =
        Inputs::of(&table, &args.coding_options(), !args.no_target)?;
    let samples = features.rows();
    let (features, row_of) = features.merge();
    let arrangement = Arrangement::of(&features);
    let arrangement = if args.no_bias { arrangement.without_bias() } else { arrangement };
    let counting = progress::doing("counting how many patterns there can be");
    let summary = Summary::new(args, &arrangement);
    drop(counting);
    let columns = match (names.len(), &target) {
        (1, None) => "1 feature".to_owned(),
        (d, None) => format!("{d} features"),
        (1, Some(target)) => format!("1 feature; the target {target} is left out"),
        (d, Some(target)) => format!("{d} features; the target {target} is left out"),
    };
    let rows = match features.rows() == samples {
        true => "all distinct".into(),
        false => format!("{} distinct", features.rows()),
    };
    let mut text = format!("{}: {samples} rows ({rows}), {columns}\n", table.source());
    text += &summary.text(args);

    if let Some(picture) = &args.hull {
        let figure = hull::figure(&arrangement, args).context("--hull")?;
        files::draw(picture, &figure)?;
    }
    let file = args.output.as_deref().map(|path| PatternFile::new(path, &row_of)).transpose()?;
    let found = list(args, &arrangement, &summary, file)?;

    let all = power_of_two(features.rows());
    let complete = found.patterns.is_none_or(|patterns| Some(patterns) == all);
    let seconds = start.elapsed().as_secs_f64();
    if common.json {
        let mut object = json!({
            "n": samples, "distinct": features.rows(), "d": features.dimension(),
            "rank": summary.size.rank, "patterns": big(found.patterns),
            "upper_bound": big(summary.bound()), "complete": complete,
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
    text += &found.shown(&row_of);
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
struct Summary {
    size: Size,
    /// No more patterns than this, deep ones where asked for; the largest number stands for more.
    bound: u128,
    bytes: u128,
}

impl Summary {
    fn new(args: &Arrangements, arrangement: &Arrangement<'_>) -> Self {
        let size = arrangement.size();
        if args.widths.is_empty() {
            return Self { size, bound: size.bound, bytes: size.bytes };
        }
        let bound = arrangement.deep_bound(&args.widths, args.tree);
        let each = PatternMatrix::bytes_per_pattern(size.rows) as u128;
        Self { size, bound, bytes: bound.saturating_mul(each) }
    }

    fn text(&self, args: &Arrangements) -> String {
        let Size { rows, rank, complete, .. } = self.size;
        let all = match complete {
            true => "every dichotomy is a pattern",
            false => "not every dichotomy is a pattern of one neuron",
        };
        let widths: Vec<String> = args.widths.iter().map(ToString::to_string).collect();
        let what = match (widths.is_empty(), args.tree) {
            (true, _) => "patterns".to_owned(),
            (_, false) => format!("patterns of subnetworks with widths {}", widths.join(", ")),
            (_, true) => format!("patterns of trees with widths {}", widths.join(", ")),
        };
        format!("rank {rank} on {rows} distinct rows: {all}\nat most {}\n", self.estimate(&what))
    }

    /// No more patterns than this, where the number fits.
    fn bound(&self) -> Option<u128> {
        (self.bound < u128::MAX).then_some(self.bound)
    }

    /// The largest number there can be, with the memory and the time it would take.
    fn estimate(&self, what: &str) -> String {
        let Some(bound) = self.bound() else {
            // There are never more patterns than dichotomies.
            return format!("{} {what} (too many for memory and time)", two_to(self.size.rows));
        };
        let more = if self.bytes == u128::MAX { "more than " } else { "" };
        let bytes = report::bytes(self.bytes as f64);
        let time = report::duration(bound as f64 / RATE);
        format!("{} {what} ({more}{bytes} of memory, {time})", report::count(bound))
    }
}

/// All patterns, or as much of them as is asked for.
struct Found {
    /// How many there are; none stands for every dichotomy, where that number does not fit.
    patterns: Option<u128>,
    list: Option<PatternMatrix>,
}

/// Lists or counts, with what it writes on the way.
fn list(
    args: &Arrangements,
    arrangement: &Arrangement<'_>,
    summary: &Summary,
    mut file: Option<PatternFile<'_>>,
) -> anyhow::Result<Found> {
    let limit = args.limit();
    let rows = summary.size.rows;
    if args.count_only && args.widths.is_empty() && summary.size.complete {
        return Ok(Found { patterns: power_of_two(rows), list: None });
    }
    if summary.bound > limit {
        bail!(
            "rank {} on {rows} distinct rows: there may be {}, more than the --limit of {limit}; \
             raise it, or train without a list: hardlim train --method generate searches \
             the patterns, --method sample draws some of them",
            summary.size.rank,
            summary.estimate("patterns"),
        );
    }
    let bar = progress::spinner();
    let most = report::count(summary.bound);
    let show = |count: u64| bar.set_message(format!("{count} of at most {most} patterns"));
    let stop = interrupt::watch();
    let mut search = || -> Result<Found, Error> {
        if !args.widths.is_empty() {
            let recursion = arrangement.recursion(&args.widths, args.tree, limit)?.until(stop);
            let list = recursion.dictionary()?.patterns;
            for j in 0..list.patterns() {
                file.iter_mut().try_for_each(|file| file.add(list.column(j)))?;
            }
            return Ok(Found { patterns: Some(list.patterns() as u128), list: Some(list) });
        }
        let listing = arrangement.listing(limit)?.until(stop).reporting(&show);
        let shown = summary.bound <= SHOWN.0 as u128;
        if file.is_none() && !shown {
            return Ok(Found { patterns: Some(listing.count()?.into()), list: None });
        }
        let mut list = shown.then(|| PatternMatrix::new(rows));
        let (mut patterns, mut failed) = (0, Ok(()));
        let _ = listing.for_each(|words| {
            patterns += 1;
            list.iter_mut().for_each(|list| list.push_words(words));
            failed = file.iter_mut().try_for_each(|file| file.add(words));
            if failed.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        failed.map(|()| Found { patterns: Some(patterns), list })
    };
    let found = search();
    bar.finish_and_clear();
    let found = found?;
    if let Some(file) = file {
        interrupt::undisturbed(|| file.finish())?;
    }
    Ok(found)
}

impl Found {
    /// The patterns themselves, where they are few, one line each.
    fn shown(&self, row_of: &[u32]) -> String {
        let short = |list: &&PatternMatrix| list.patterns() <= SHOWN.0 && row_of.len() <= SHOWN.1;
        let Some(list) = self.list.as_ref().filter(short) else { return String::new() };
        let line = |pattern: Pattern| -> String {
            row_of.iter().map(|&g| if pattern.get(g as usize) { '1' } else { '0' }).collect()
        };
        (0..list.patterns()).map(|j| format!("  {}\n", line(list.pattern(j)))).collect()
    }
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
