//! `hardlim describe`.

use std::process::ExitCode;

use clap::Args;
use hardlim::table::{ColumnDescription, Description};
use hardlim::train::spelled;
use serde_json::{Value, json};

use crate::args::{Asked, Command, Common, DataArgs, Door};
use crate::progress;
use crate::report::{self, columns};

/// Show what a table would be read as, before any training
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/describe.txt"))]
pub(crate) struct Describe {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    asked: Asked<Columns>,
}

/// The options that say what columns are.
#[derive(Debug)]
pub(crate) struct Columns;

impl Door for Columns {}

pub(crate) fn run(args: &Describe, common: &Common) -> anyhow::Result<ExitCode> {
    let table = args.data.open(common)?;
    let reading = progress::doing("reading the columns");
    let found = Description::of(&table, &args.asked.request(common)?.columns, true)?;
    drop(reading);
    report::answer(common, || json(&found), || text(table.source(), &found))?;
    Ok(ExitCode::SUCCESS)
}

fn json(found: &Description) -> Value {
    let column = |column: &ColumnDescription| {
        let frequent =
            column.frequent.iter().map(|(label, rows)| json!({ "label": label, "rows": rows }));
        json!({
            "name": column.name,
            "role": column.role,
            "read_as": column.read_as,
            "distinct": column.distinct,
            "missing": column.missing,
            "range": column.range,
            "frequent": frequent.collect::<Vec<_>>(),
            "why": column.why.as_ref().map(|why| spelled(why, Command::usual_flag)),
            "features": column.features,
        })
    };
    json!({
        "n": found.rows,
        "d": found.features,
        "columns": found.columns.iter().map(column).collect::<Vec<_>>(),
        "target": found.target,
        "notes": report::spelled_notes(&found.notes),
        "problem": found.problem.as_ref().map(|problem| spelled(problem, Command::usual_flag)),
    })
}

fn text(source: &str, found: &Description) -> String {
    let header = ["column", "role", "read as", "different", "missing", "values"].map(str::to_owned);
    let mut rows = vec![header];
    rows.extend(found.columns.iter().map(cells));
    let widths: Vec<usize> =
        (0..5).map(|k| columns::width(rows.iter().map(|row| &row[k]), 0)).collect();
    let mut text = format!("{source}: {} rows, {} columns\n\n", found.rows, found.columns.len());
    for row in &rows {
        let mut line = String::new();
        for (k, width) in widths.iter().enumerate() {
            let cell = if k == 3 || k == 4 { columns::right } else { columns::left };
            line += &cell(&row[k], *width);
            line += "  ";
        }
        line += &row[5];
        text += line.trim_end();
        text += "\n";
    }
    if let Some(target) = &found.target {
        let features = found.features.unwrap_or_default();
        let plural = if features == 1 { "" } else { "s" };
        text += &format!(
            "\nthe target is {}\n{features} input{plural} for the network\n",
            columns::cut(target)
        );
    }
    let notes = report::notes_text(&found.notes);
    if !notes.is_empty() {
        text += &format!("\n{notes}");
    }
    if let Some(problem) = &found.problem {
        text += &format!("\ntrain would refuse it: {}\n", spelled(problem, Command::usual_flag));
    }
    text
}

/// The line of a column.
fn cells(column: &ColumnDescription) -> [String; 6] {
    let frequent = || {
        let shown =
            column.frequent.iter().map(|(label, rows)| format!("{} ({rows})", columns::cut(label)));
        let more = if column.distinct > column.frequent.len() { ", …" } else { "" };
        format!("{}{more}", shown.collect::<Vec<_>>().join(", "))
    };
    let values = match (&column.range, column.frequent.is_empty()) {
        (Some([least, most]), _) => format!("{least} to {most}"),
        (None, false) => frequent(),
        (None, true) => String::new(),
    };
    [
        columns::cut(&column.name),
        column.role.to_owned(),
        column.read_as.clone(),
        column.distinct.to_string(),
        column.missing.to_string(),
        values,
    ]
}
