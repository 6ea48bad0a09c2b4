//! `hardlim reproduce`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};
use hardlim::solver::Budget;
use hardlim_lab::experiments::{
    ALL, Context, Experiment, Progress, Scale, Section, Set, compute, document, missing, write,
};
use serde_json::{Value, json};

use crate::args::Common;
use crate::progress::clock;
use crate::{files, interrupt, progress, report};

/// Reproduce a figure or table of the paper, or all of them
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/reproduce.txt"))]
pub(crate) struct Reproduce {
    /// Which experiment: line, two-layer, representation, three-layer, ten-layer, hull,
    /// arrangements, gap, table, or all
    #[arg(value_parser = PossibleValuesParser::new(ids()), hide_possible_values = true)]
    id: String,
    /// Fewer epochs, starts, splits and sizes: everything in about a quarter of an hour on two
    /// cores
    #[arg(long)]
    quick: bool,
    /// Run these experiments in full nevertheless; `table-convex` is Convex-Lasso and ours in the
    /// table, without the heuristics
    #[arg(long, value_name = "ID,..", value_delimiter = ',', requires = "quick",
          value_parser = PossibleValuesParser::new(full_ids()), hide_possible_values = true)]
    full: Vec<String>,
    /// Seconds, for tests
    #[arg(long, hide = true, conflicts_with = "quick")]
    tiny: bool,
    /// The folder with the data sets of the table [default: HARDLIM_DATA]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    data: Option<PathBuf>,
    /// The folder to write to
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath,
          default_value = "reproduction")]
    output: PathBuf,
}

impl Reproduce {
    fn scale(&self) -> Scale {
        match (self.tiny, self.quick) {
            (true, _) => Scale::Tiny,
            (_, true) => Scale::Quick,
            _ => Scale::Full,
        }
    }

    /// How much of an experiment is run.
    fn scale_of(&self, id: &str) -> Scale {
        if self.full.iter().any(|full| full == id) { Scale::Full } else { self.scale() }
    }

    /// How much is run of the convex columns of the table.
    fn scale_of_convex(&self) -> Scale {
        let scale = self.scale_of(CONVEX);
        if scale == Scale::Full { scale } else { self.scale_of("table") }
    }

    /// The folder with the data sets, where one was named.
    fn data(&self) -> Option<PathBuf> {
        let named = || std::env::var_os("HARDLIM_DATA").filter(|v| !v.is_empty());
        self.data.clone().or_else(|| named().map(PathBuf::from))
    }
}

/// The convex columns of the table, which can be run in full without the heuristics beside them.
const CONVEX: &str = "table-convex";

fn full_ids() -> Vec<&'static str> {
    ids().into_iter().chain([CONVEX]).collect()
}

fn ids() -> Vec<&'static str> {
    ALL.iter().map(|e| e.id).chain(["all"]).collect()
}

/// Every claim with its verdict.
const DOCUMENT: &str = "reproduction.md";

pub(crate) fn run(args: &Reproduce, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let data = args.data();
    if let Some(folder) = data.as_ref().filter(|folder| !folder.is_dir()) {
        let flag = if args.data.is_some() { "--data" } else { "HARDLIM_DATA" };
        bail!("{flag} {}: there is no such directory", folder.display());
    }
    let everything = args.id == "all";
    let chosen: Vec<Experiment> =
        ALL.into_iter().filter(|e| everything || e.id == args.id).collect();
    let budget = Budget { interrupt: Some(interrupt::watch()), ..Budget::default() };
    let skipped =
        if chosen.iter().any(|e| e.id == "table") { missing(data.as_deref()) } else { Vec::new() };
    let mut sections = Vec::new();
    let mut seconds = Vec::new();
    for experiment in &chosen {
        let begun = Instant::now();
        let (scale, convex) = (args.scale_of(experiment.id), args.scale_of_convex());
        let context = Context { scale, convex, seed: common.seed, data: data.clone(), budget };
        sections.push(measure(experiment, &context, args)?);
        seconds.push(begun.elapsed().as_secs_f64());
    }
    let settings = settings(args, common);
    if everything {
        let text = document(&sections, &settings, "");
        files::write(&args.output.join(DOCUMENT), text.as_bytes())?;
    }
    let time = start.elapsed();
    let json = || object(args, &sections, &seconds, &skipped, time);
    report::answer(common, json, || text(args, &sections, &skipped, time))?;
    Ok(ExitCode::SUCCESS)
}

/// Computes what is missing, and writes the files of one experiment.
fn measure(
    experiment: &Experiment,
    context: &Context<'_>,
    args: &Reproduce,
) -> anyhow::Result<Section> {
    let id = experiment.id;
    let bar = progress::steps((experiment.trials)(context).len());
    bar.set_prefix("steps computed:");
    bar.set_message(id);
    let tell = |progress: &Progress<'_>| {
        bar.set_position(progress.done as u64);
        let left =
            progress.left.map_or(String::new(), |left| format!(", about {} left", clock(left)));
        bar.set_message(format!("{id}{left}: {}", progress.key));
    };
    let records = compute(experiment, context, &args.output, tell);
    drop(bar);
    let records = records.with_context(|| {
        if interrupt::asked() {
            format!("{id}: finished steps are kept, the same command continues")
        } else {
            id.into()
        }
    })?;
    Ok(interrupt::undisturbed(|| write(experiment, context, &records, &args.output))?)
}

/// How it was run.
fn settings(args: &Reproduce, common: &Common) -> String {
    let mut flags = match args.scale() {
        hardlim_lab::experiments::Scale::Full => String::new(),
        scale => format!(" --{scale}"),
    };
    if !args.full.is_empty() {
        flags += &format!(" --full {}", args.full.join(","));
    }
    // Times are part of what is shown.
    let build = if cfg!(debug_assertions) { ", with an unoptimised build" } else { "" };
    format!("`hardlim reproduce {}{flags} --seed {}`{build}.", args.id, common.seed)
}

fn object(
    args: &Reproduce,
    sections: &[Section],
    seconds: &[f64],
    skipped: &[Set],
    time: Duration,
) -> Value {
    let section = |(section, seconds): (&Section, &f64)| {
        let claims: Vec<Value> = (section.report.claims.iter())
            .map(|claim| {
                json!({
                    "source": claim.source, "expected": claim.expected, "found": claim.found,
                    "verdict": claim.verdict.to_string(),
                })
            })
            .collect();
        json!({
            "id": section.id, "title": section.title, "files": section.files, "claims": claims,
            "seconds": seconds,
        })
    };
    let skip =
        |set: &Set| json!({ "name": set.name, "files": set.files(), "origin": set.origin() });
    let mut object = json!({
        "scale": args.scale().to_string(), "folder": args.output,
        "experiments": sections.iter().zip(seconds).map(section).collect::<Vec<_>>(),
        "skipped": skipped.iter().map(skip).collect::<Vec<_>>(), "seconds": time.as_secs_f64(),
    });
    if args.id == "all" {
        object["page"] = json!(args.output.join(DOCUMENT));
    }
    object
}

fn text(args: &Reproduce, sections: &[Section], skipped: &[Set], time: Duration) -> String {
    let mut text = String::new();
    for Section { id, title, report, files } in sections {
        text += &format!("{id}: {title}\n");
        for claim in &report.claims {
            text += &format!(
                "  {:<14}  {}\n  {:14}  {}\n",
                claim.verdict.to_string(),
                claim.expected,
                "",
                claim.found
            );
        }
        text += &format!("  {:<14}  {}\n\n", "files", files.join(", "));
    }
    for set in skipped {
        text += &format!(
            "skipped {}: {} not found; {}\n",
            set.name,
            set.files().join(", "),
            set.origin()
        );
    }
    if !skipped.is_empty() {
        text += "--data DIR or HARDLIM_DATA names the folder with these files\n\n";
    }
    let folder = args.output.display();
    text += &match args.id.as_str() {
        "all" => format!("everything on one page: {}\n", args.output.join(DOCUMENT).display()),
        _ => format!("written to {folder}\n"),
    };
    text + &format!("time {}\n", clock(time))
}
