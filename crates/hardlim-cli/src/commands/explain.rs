//! `hardlim explain`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, ValueHint};
use hardlim::certify::Check;
use hardlim::data::Features;
use hardlim::explain::{Answers, Explanation, Scorecard, number};
use hardlim::export::markdown::{self, Shown};
use hardlim::model::Model;
use hardlim::table::Table;
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
    /// Explain the answer to this row of DATA: which rules hold, what they add, and the nearest
    /// change of one input that gives another class; several separated by commas
    ///
    /// A row has the number that errors give it: its line in a text file, where the header is line
    /// 1; in other tables, rows count from 1.
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "data")]
    row: Vec<u64>,
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
    if let (Some(table), Some(rows), [_, ..]) = (&table, &rows, &args.row[..]) {
        let explaining = progress::doing("putting the rows into words");
        let answers = rows_answered(args, &model, table, rows)?;
        drop(explaining);
        let object = json!({ "rows": answers.iter().map(|one| &one.1).collect::<Vec<_>>() });
        let pages: Vec<&str> = answers.iter().map(|one| one.0.as_str()).collect();
        return finish(args, common, &pages.join("\n"), || object);
    }
    let check = checked(&model, table.as_ref())?;
    let (rows, check) = (rows.as_ref(), check.as_ref());
    let explaining = progress::doing("putting the neurons into words");
    let mut page = page(&args.model, &model, rows, check, args.shown());
    drop(explaining);
    if rows.is_none() {
        page += "\nTo count the rows on which each rule holds: hardlim explain MODEL DATA\n";
    }
    finish(args, common, &page, || object(&model, rows, check))
}

/// Writes or prints the page, or the object.
fn finish(
    args: &Explain,
    common: &Common,
    page: &str,
    object: impl FnOnce() -> Value,
) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.output {
        files::write(path, page.as_bytes())?;
    }
    match (&args.output, common.json) {
        (path, true) => {
            let mut object = object();
            report::add_path(&mut object, "file", path.as_deref());
            report::print_json(&object)?;
        }
        (Some(path), false) => {
            report::print(&format!("rules written to {}\n", path.display()))?;
        }
        (None, false) => report::print(page)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The page and the object of each row that is asked for.
fn rows_answered(
    args: &Explain,
    model: &Model,
    table: &Table,
    rows: &Features,
) -> anyhow::Result<Vec<(String, Value)>> {
    let numbers: Vec<u64> = (0..table.rows()).map(|i| table.row_number(i)).collect();
    let coding = model.coding();
    let truths = coding.has_target(table).then(|| coding.targets(table)).and_then(Result::ok);
    let answers = Answers::new(model, rows, rows.rows() > 1);
    let names = coding.target().answers().map(|two| two.to_vec());
    let names = names.or_else(|| coding.target().classes().map(<[String]>::to_vec));
    let answered = |wanted: &u64| -> anyhow::Result<(String, Value)> {
        let Some(i) = numbers.iter().position(|number| number == wanted) else {
            let (first, last) = (numbers.first().unwrap_or(&0), numbers.last().unwrap_or(&0));
            bail!("{}: no row {wanted}: rows are {first} to {last}", table.source());
        };
        let truth = truths.as_ref().map(|y| match &names {
            None => number(y[i]),
            Some(names) if names.len() == 2 => names[usize::from(y[i] > 0.0)].clone(),
            Some(names) => names[y[i] as usize].clone(),
        });
        let title = format!("row {wanted} of {}", table.source());
        let (page, mut object) = markdown::row(&title, &answers, i, truth.as_deref(), args.shown());
        object["row"] = json!(wanted);
        object["target"] = json!(truth);
        Ok((spelled(&page, Command::usual_flag), object))
    };
    args.row.iter().map(answered).collect()
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
    object["neurons"] = json!(rules.neurons());
    object["loss"] = json!(model.loss().to_string());
    object["beta"] = json!(model.beta().get());
    object["objective"] = json!(part.certificate().objective());
    object["certificate"] = report::certificate_json(part.certificate());
    object["headline"] = json!(statement);
    report::add(&mut object, "scorecard", Scorecard::of(model).get(k).map(|card| json!(card)));
    object
}
