//! `hardlim explain`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueHint};
use hardlim::certify::Check;
use hardlim::data::Features;
use hardlim::explain::Explanation;
use hardlim::export::markdown::{self, Shown};
use hardlim::model::Model;
use hardlim::train::spelled;
use serde_json::{Value, json};

use super::{checked, open_model};
use crate::args::{Command, Common, DataArgs};
use crate::{files, progress, report};

/// Show a model as rules, those that change its output most first
#[derive(Debug, Args)]
#[command(after_help = "\
A threshold neuron is a rule: it holds or it does not. Where it holds, its weight is added to the \
output. Rules are printed as Markdown, in the units and labels of the table, the most important \
first:

  age >= 29.5                            one number
  sex = male and class in {1st, 2nd}     labels
  0.31 age + 2 fare >= 14.5              a sum
  h3 and not h5, at least 2 of h1, h2    neurons of the layer below, in deeper networks

The first table has the ten rules that change the output most, grouped by the columns that they \
read; --all shows every rule with all its terms. Neurons that ask the same are one rule, and their \
weights are added.

With DATA (the training data or any other), the report counts the rows where each rule holds. What \
a rule changes is then how far its part of the output is from its mean, on average over these \
rows. Neurons that give the same or the opposite answer on all rows are one rule; on other rows \
they may differ. Without DATA the change is at most the size of the weight, and rules are one only \
if they are the same for every input. Numbers have five digits; --json has all digits, and every \
neuron on its own.

Examples:
  hardlim train titanic --beta 10 --max-inputs 1 -o titanic.hardlim
  hardlim explain titanic.hardlim titanic
  hardlim explain titanic.hardlim titanic --all
  hardlim explain titanic.hardlim -o rules.md")]
pub(crate) struct Explain {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) model: PathBuf,
    /// A table to count on: a CSV, TSV or Parquet file (also .gz), - for standard input, or a
    /// built-in data set
    #[arg(value_hint = ValueHint::FilePath)]
    data: Option<String>,
    /// Rows of a generated data set [default: 100]
    #[arg(long, value_name = "N", requires = "data", help_heading = "Data")]
    rows: Option<usize>,
    /// Features of a generated data set [default: 20]
    #[arg(long, value_name = "D", requires = "data", help_heading = "Data")]
    features: Option<usize>,
    /// Show every rule with all its terms, and not only the ten that change the output most
    #[arg(long)]
    all: bool,
    /// Show at most K terms of a sum, those that change it most, or K conditions; 0 shows all
    /// [default: 4; all with --all]
    #[arg(long, value_name = "K")]
    terms: Option<usize>,
    /// Write the rules to this Markdown file instead of standard output
    #[arg(short, long, value_name = "rules.md", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

impl Explain {
    /// The table to count on.
    pub(crate) fn table(&self) -> Option<DataArgs> {
        let data = self.data.clone()?;
        Some(DataArgs { data, rows: self.rows, features: self.features })
    }

    /// How much is shown.
    pub(crate) fn shown(&self) -> Shown {
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
            object["layers"][layer][k]["text"] = json!(neuron.rule.to_string());
        }
    }
    for (place, group) in rules.groups.iter().enumerate() {
        for (k, merged) in group.rules.iter().enumerate() {
            object["groups"][place]["rules"][k]["text"] = json!(merged.rule.to_string());
        }
    }
    object["neurons"] = json!(rules.neurons());
    object["loss"] = json!(model.loss().to_string());
    object["beta"] = json!(model.beta().get());
    object["objective"] = json!(part.certificate().objective());
    object["certificate"] = report::certificate_json(part.certificate());
    object["headline"] = json!(statement);
    object
}
