//! `hardlim datasets`.

use std::process::ExitCode;

use hardlim::table::{Coding, CodingOptions, ReadOptions, Table, builtin};
use serde_json::json;

use crate::args::Common;
use crate::report;

pub(crate) fn run(common: &Common) -> anyhow::Result<ExitCode> {
    let mut text = format!("{:<13}{:>6}{:>6}  {:<9}what it is\n", "name", "rows", "cols", "task");
    let mut sets = Vec::new();
    for (name, generated, description) in builtin::list() {
        let table = Table::open(name, &ReadOptions::default())?;
        let coding = Coding::fit(&table, &CodingOptions::default())?;
        let task = if coding.target().classes().is_some() { "classify" } else { "regress" };
        let (rows, features) = (table.rows(), table.columns().len() - 1);
        text += &format!("{name:<13}{rows:>6}{features:>6}  {task:<9}{description}\n");
        sets.push(json!({
            "name": name, "n": rows, "d": features, "task": task, "generated": generated,
            "description": description,
        }));
    }
    if common.json {
        report::print_json(&json!({ "datasets": sets }))?;
        return Ok(ExitCode::SUCCESS);
    }
    text += "\nteacher2, teacher3 and checkerboard (always two columns) come in any size: \
             --rows N --features D --seed K\n";
    report::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
