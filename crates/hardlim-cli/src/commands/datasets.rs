//! `hardlim datasets`.

use std::process::ExitCode;

use hardlim::table::builtin;
use serde_json::json;

use crate::args::Common;
use crate::report;

pub(crate) fn run(common: &Common) -> anyhow::Result<ExitCode> {
    let sets = builtin::list();
    if common.json {
        let sets: Vec<_> = (sets.iter())
            .map(|set| {
                json!({
                    "name": set.name, "n": set.rows, "d": set.features,
                    "task": set.task.to_string(), "generated": set.generated,
                    "description": set.description,
                })
            })
            .collect();
        report::print_json(&json!({ "datasets": sets }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("{:<13}{:>6}{:>6}  {:<9}what it is\n", "name", "rows", "cols", "task");
    for set in &sets {
        let (rows, features) = (set.rows, set.features);
        let task = set.task.to_string();
        text += &format!("{:<13}{rows:>6}{features:>6}  {task:<9}{}\n", set.name, set.description);
    }
    text += "\nteacher2, teacher3 and checkerboard (always two columns) come in any size: \
             --rows N --features D --seed K\n";
    report::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
