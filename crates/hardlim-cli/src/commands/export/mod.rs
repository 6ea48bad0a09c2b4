//! `hardlim export`.

mod as_is;
mod c;
mod finding;
mod inputs;
mod onnx;
mod report;
mod rust;
mod tool;
mod verilog;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use hardlim::Error;
use hardlim::certify::Check;
use hardlim::data::{Features, Table};
use hardlim::export::{self, Circuit, Counts, File, Style, names};
use hardlim::file::DraftFolder;
use hardlim::model::Model;
use hardlim::network::{Network, Rechoice, Weights};

use super::{checked, open_model, open_table};
use crate::args::{Common, Export, Target};
use crate::{interrupt, progress};
use finding::{Finding, Job};
use report::Report;

pub(crate) fn run(args: &Export, common: &Common) -> anyhow::Result<ExitCode> {
    if args.constant_time && args.to == Target::Verilog {
        bail!("--constant-time is for c and rust: a circuit takes the same time on every input");
    }
    let draft = interrupt::undisturbed(|| {
        let draft = DraftFolder::new(&args.output)?;
        interrupt::remove_on_exit(draft.temporary_path());
        Ok::<_, Error>(draft)
    })
    .context("-o")?;
    let model = open_model(&args.model)?;
    let table = args.table().map(|data| open_table(&data, common)).transpose()?;
    if let Target::Onnx | Target::Dot | Target::Markdown = args.to {
        return as_is::run(args, common, draft, &model, table.as_ref());
    }
    let (model, chosen) = with_integers(args, model, table.as_ref())?;
    let features = table.as_ref().map(|table| model.coding().features(table)).transpose()?;
    let style = style(args)?;
    let circuit = Circuit::of(&model)
        .with_context(|| format!("cannot export {} in integers", args.model.display()))?;
    for File { path, bytes } in write(args.to, &circuit, &style) {
        draft.add(&path, &bytes)?;
    }
    save(&model, &draft, &style)?;
    let records = inputs::path(draft.temporary_path(), &style.name);
    inputs::write(&circuit, &inputs::shipped(features.as_ref()), &records)?;
    if args.to == Target::Verilog {
        verilog::translate(&circuit, &records, &records.with_extension("hex"), usize::MAX)?;
    }
    let files = listing(draft.temporary_path())?;
    let (findings, counts) = match args.verify {
        false => (Vec::new(), None),
        true => verify(args, common, &draft, &model, &circuit, features.as_ref(), &style)?,
    };
    let (style, circuit) = (&style, &circuit);
    let check = checked(&model, table.as_ref())?;
    let statement = model.statement(check.as_ref());
    let certified = check.as_ref().map(Check::holds);
    let report =
        Report { args, style, circuit, statement, certified, chosen, files, findings, counts };
    draft.add(&report.file("md"), report.markdown().as_bytes())?;
    let json = serde_json::to_string_pretty(&report.json())? + "\n";
    draft.add(&report.file("json"), json.as_bytes())?;
    interrupt::undisturbed(|| draft.finish())?;
    crate::report::answer(common, || report.json(), || report.text())?;
    Ok(ExitCode::SUCCESS)
}

/// Puts the model file beside what is written from it.
fn save(model: &Model, draft: &DraftFolder, style: &Style) -> Result<(), Error> {
    model.save(&draft.temporary_path().join(format!("{}.hardlim", style.name)))
}

/// The files of a folder and their sizes, by name.
fn listing(folder: &Path) -> anyhow::Result<Vec<(String, u64)>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        files.push((entry.file_name().to_string_lossy().into_owned(), entry.metadata()?.len()));
    }
    files.sort_unstable();
    Ok(files)
}

fn write(target: Target, circuit: &Circuit, style: &Style) -> Vec<File> {
    match target {
        Target::C => export::c::write(circuit, style),
        Target::Rust => export::rust::write(circuit, style),
        Target::Onnx | Target::Dot | Target::Markdown => unreachable!("written as they are"),
        Target::Verilog => export::verilog::write(circuit, style),
    }
}

/// The model with integer weights, and whether they were chosen just now.
fn with_integers(
    args: &Export,
    model: Model,
    table: Option<&Table>,
) -> anyhow::Result<(Model, bool)> {
    if model.networks().all(|network| network.grid().is_some()) {
        return Ok((model, false));
    }
    let name = args.model.display();
    let Some(table) = table else {
        bail!(
            "{name} has no integer weights: give its training data with --data to choose them, or run \
             hardlim weights {name} DATA --choice integer first"
        );
    };
    let bar = progress::even_steps(model.networks().map(Network::neurons).sum());
    bar.set_prefix("choosing integer weights:");
    bar.set_message("neurons");
    let done = || bar.inc(1);
    let rechoice = Rechoice { done: &done, ..Rechoice::new(Weights::Integer) };
    let chosen = model.rechoose(&model.training_data(table)?, &rechoice);
    bar.finish_and_clear();
    let context =
        || format!("--data: cannot choose integer weights for {name} on {}", table.source());
    Ok((chosen.with_context(context)?.0, true))
}

fn style(args: &Export) -> anyhow::Result<Style> {
    let name = match &args.name {
        Some(name) if names::identifier(name) != *name => bail!(
            "--name {name}: not a valid name in C, Rust and Verilog; try {}",
            names::identifier(name)
        ),
        Some(name) => name.clone(),
        None => {
            let stem = args.model.file_stem().unwrap_or(args.model.as_os_str());
            names::identifier(&stem.to_string_lossy())
        }
    };
    let file = args.model.file_name().unwrap_or(args.model.as_os_str());
    let source = file.to_string_lossy().into_owned();
    Ok(Style { name, source, constant_time: args.constant_time })
}

/// Compares what was written with the model.
fn verify(
    args: &Export,
    common: &Common,
    draft: &DraftFolder,
    model: &Model,
    circuit: &Circuit,
    features: Option<&Features>,
    style: &Style,
) -> anyhow::Result<(Vec<Finding>, Option<Counts>)> {
    let bar = progress::spinner();
    let scratch = DraftFolder::new(&draft.temporary_path().with_extension("scratch"))?;
    interrupt::undisturbed(|| interrupt::remove_on_exit(scratch.temporary_path()));
    bar.set_message("comparing the integers with the model");
    let vectors = inputs::path(scratch.temporary_path(), &style.name);
    let replay = inputs::all(circuit, features, args.random, common.seed);
    let counts = inputs::write(circuit, &replay, &vectors)?;
    let mut findings = inputs::compare(model, circuit, &replay, counts, features)?;
    let job = Job {
        folder: draft.temporary_path(),
        scratch: scratch.temporary_path(),
        name: &style.name,
        circuit,
        vectors: &vectors,
        counts,
        has_rows: features.is_some(),
    };
    bar.set_message(format!("checking {}", args.to.name()));
    findings.extend(match args.to {
        Target::C => c::check(&job)?,
        Target::Rust => rust::check(&job)?,
        Target::Onnx | Target::Dot | Target::Markdown => unreachable!("written as they are"),
        Target::Verilog => verilog::check(&job)?,
    });
    bar.finish_and_clear();
    if let Some(finding) = findings.iter().find(|finding| finding.mismatches() > 0) {
        bail!("{}; nothing was written", finding.sentence());
    }
    Ok((findings, Some(counts)))
}
