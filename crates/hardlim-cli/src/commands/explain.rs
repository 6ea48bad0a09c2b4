//! `hardlim explain`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueHint};
use hardlim::certify::Check;
use hardlim::data::Features;
use hardlim::explain::{Explanation, Scorecard};
use hardlim::export::markdown::{self, Shown};
use hardlim::model::Model;
use hardlim::train::spelled;
use serde_json::{Value, json};

use super::{checked, open_model};
use crate::args::{Command, Common, DataArgs, Size};
use crate::{files, progress, report};

/// Show a model as rules, those that change its output most first
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/explain.txt"))]
pub(crate) struct Explain {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,
    /// A table to count on: a CSV, TSV or Parquet file (also .gz), - for standard input, or a
    /// built-in data set
    #[arg(value_hint = ValueHint::FilePath)]
    data: Option<String>,
    #[command(flatten)]
    size: Size,
    /// Show every rule with all its terms, and not only the ten that change the output most
    #[arg(long)]
    all: bool,
    /// Show at most K terms of a sum, those that change it most, or K conditions; 0 shows all
    /// [default: 4; all with --all]
    #[arg(long, value_name = "K")]
    terms: Option<usize>,
    /// Write the rules to this Markdown file instead of standard output
    #[arg(short, long, value_name = "rules.md", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl Explain {
    /// The table to count on.
    fn table(&self) -> Option<DataArgs> {
        let data = self.data.clone()?;
        Some(DataArgs { data, size: self.size.clone() })
    }

    /// How much is shown.
    fn shown(&self) -> Shown {
        let shown = if self.all { Shown::ALL } else { Shown::default() };
        match self.terms {
            None => shown,
            Some(0) => Shown { terms: usize::MAX, ..shown },
            Some(terms) => Shown { terms, ..shown },
        }
    }
}

pub(crate) fn run(args: &Explain, common: &Common) -> anyhow::Result<ExitCode> {
    let model = open_model(&args.model)?;
    let table = args.table().map(|data| data.open(common)).transpose()?;
    let rows = table.as_ref().map(|table| model.coding().features(table)).transpose()?;
    let check = checked(&model, table.as_ref())?;
    let (rows, check) = (rows.as_ref(), check.as_ref());
    let explaining = progress::doing("putting the neurons into words");
    let mut page = page(&args.model, &model, rows, check, args.shown());
    drop(explaining);
    if rows.is_none() {
        page += "\nTo count the rows on which each rule holds: hardlim explain MODEL DATA\n";
    }
    if let Some(path) = &args.output {
        files::write(path, page.as_bytes())?;
    }
    match (&args.output, common.json) {
        (path, true) => {
            let mut object = object(&model, rows, check);
            report::add_path(&mut object, "file", path.as_deref());
            report::print_json(&object)?;
        }
        (Some(path), false) => {
            report::print(&format!("rules written to {}\n", path.display()))?;
        }
        (None, false) => report::print(&page)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The rules of a model as Markdown, with the flags of the command line.
fn page(
    path: &Path,
    model: &Model,
    rows: Option<&Features>,
    check: Option<&Check>,
    shown: Shown,
) -> String {
    let file = path.file_name().unwrap_or(path.as_os_str());
    let page = markdown::page(&file.to_string_lossy(), model, rows, check, shown);
    spelled(&page, Command::usual_flag)
}

/// The rules of all networks, for scripts.
pub fn object(model: &Model, rows: Option<&Features>, check: Option<&Check>) -> Value {
    let statements = model.statements(check);
    let one = |k: usize| one_json(model, k, rows, &statements[k]);
    match model.several_classes() {
        None => one(0),
        Some(names) => {
            let part = |(k, class): (usize, &String)| {
                let mut object = one(k);
                object["class"] = json!(class);
                object
            };
            let parts = names.iter().enumerate().map(part);
            json!({ "classes": parts.collect::<Vec<_>>() })
        }
    }
}

fn one_json(model: &Model, k: usize, rows: Option<&Features>, statement: &str) -> Value {
    let part = &model.parts()[k];
    let rules = Explanation::of(part.network(), &model.coding().of_network(k), rows);
    let mut object = json!(rules);
    for (layer, neurons) in rules.layers.iter().enumerate() {
        for (k, neuron) in neurons.iter().enumerate() {
            object["layers"][layer][k]["text"] = json!(neuron.text(usize::MAX));
        }
    }
    for (place, group) in rules.groups.iter().enumerate() {
        for (k, merged) in group.rules.iter().enumerate() {
            object["groups"][place]["rules"][k]["text"] = json!(merged.text(usize::MAX));
        }
    }
    object["neurons"] = json!(rules.neurons());
    object["loss"] = json!(model.loss().to_string());
    object["beta"] = json!(model.beta().get());
    object["objective"] = json!(part.certificate().objective());
    object["certificate"] = report::certificate_json(part.certificate());
    object["headline"] = json!(statement);
    report::add(&mut object, "scorecard", Scorecard::of(model).get(k).map(|card| json!(card)));
    object
}
