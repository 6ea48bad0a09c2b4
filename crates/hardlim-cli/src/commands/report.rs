//! `hardlim report`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueHint};
use hardlim::certify::Check;
use hardlim::model::{History, Model};
use hardlim::train::Request;
use hardlim_report::{Subject, page};
use serde_json::json;

use super::importance::prove;
use super::{checked, open_model};
use crate::args::{Command, Common, DataArgs, number};
use crate::report::{add, answer, notes, spelled_notes};
use crate::{files, interrupt, progress};

/// Write a page about a model, for the browser
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/report.txt"))]
pub(crate) struct Report {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,
    #[command(flatten)]
    data: DataArgs,
    /// Prove what is lost without each input, too; this takes as long as hardlim importance
    #[arg(long)]
    importance: bool,
    /// Stop proving after this many seconds, and show what is proven then
    #[arg(long, value_name = "SECONDS", value_parser = number, allow_negative_numbers = true,
          requires = "importance")]
    time_limit: Option<f64>,
    /// Write the page to this file
    #[arg(short, long, value_name = "REPORT.html", value_hint = ValueHint::FilePath)]
    output: PathBuf,
}

pub(crate) fn run(args: &Report, common: &Common) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let limit = args.time_limit.map_or(String::new(), |limit| format!("time_limit={limit}"));
    let asked = Request::of(&limit)?;
    let model = open_model(&args.model)?;
    let table = args.data.open(common)?;
    let check = checked(&model, Some(&table))?;
    let holds = check.as_ref().filter(|check| check.parts().is_some()).map(Check::holds);
    // What every network loses is measured from the certificate: nothing is, where that is wrong.
    let proving = args.importance && holds != Some(false);
    let lost = if proving { Some(prove(&asked, &model, &table, start)?) } else { None };
    let writing = progress::doing("writing the report");
    let file = args.model.file_name().unwrap_or(args.model.as_os_str()).to_string_lossy();
    let subject = Subject {
        lost: lost.as_ref(),
        notes: spelled_notes(&notes(&table, model.coding())),
        commands: commands(args, &model),
        ..Subject::of_table(&file, &model, &table, check.as_ref())?
    };
    let page = page(&subject);
    drop(writing);
    files::write(&args.output, page.as_bytes())?;
    let object = || {
        let rows = table.rows();
        let mut object = json!({ "file": args.output, "bytes": page.len(), "n": rows });
        add(&mut object, "holds", holds.map(|holds| json!(holds)));
        object
    };
    let text = || {
        let size = page.len().div_ceil(1000);
        let statement = model.statement(check.as_ref());
        let (problem, path) = (model.terms(), args.output.display());
        format!("{statement}\n  problem    {problem}\n\nreport written to {path} ({size} kB)\n")
    };
    answer(common, object, text)?;
    Ok(match holds {
        _ if interrupt::asked() => ExitCode::from(interrupt::EXIT_CODE),
        Some(false) => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}

/// The commands that train the model, check the certificate and make the report again.
fn commands(args: &Report, trained: &Model) -> Vec<String> {
    let (model, data) = (quoted(&args.model), quoted(Path::new(&args.data.data)));
    let size = args.data.size_flags();
    let importance = if args.importance { " --importance" } else { "" };
    let train = trained.history().zip(trained.options()).map(|(History { seed, .. }, options)| {
        let flag = |(name, value): &(String, String)| {
            format!(" {}", Command::usual_flag(name, Some(&quoted(Path::new(value)))))
        };
        let flags: String = options.iter().map(flag).collect();
        let seed = if *seed == 0 { String::new() } else { format!(" --seed {seed}") };
        format!("hardlim train {data}{size}{flags}{seed} -o {model}")
    });
    let mut commands: Vec<String> = train.into_iter().collect();
    commands.extend([
        format!("hardlim certify {model} {data}{size}"),
        format!("hardlim report {model} {data}{size}{importance} -o {}", quoted(&args.output)),
    ]);
    commands
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_where_a_shell_would_split_or_change_them() {
        let of = |text: &str| quoted(Path::new(text));
        assert_eq!(of("data/t.csv"), "data/t.csv");
        assert_eq!(of("my data.csv"), "'my data.csv'");
        assert_eq!(of("it's $1"), r"'it'\''s $1'");
    }
}
