//! `hardlim evaluate`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use hardlim::model::Model;
use hardlim::table::Tally;
use serde_json::json;

use super::{blocks, open_model};
use crate::args::{BlockArgs, Common, DataArgs};
use crate::progress;
use crate::report::{self, Scores};

/// Score a model on labelled data
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/evaluate.txt"))]
pub(crate) struct Evaluate {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    blocks: BlockArgs,
}

pub(crate) fn run(args: &Evaluate, common: &Common) -> anyhow::Result<ExitCode> {
    let model = open_model(&args.model)?;
    let (scores, trained_on, notes) = match args.blocks.memory {
        Some(memory) => {
            let (scores, notes) = blocks::scores(&model, &args.data, &args.blocks, memory, common)?;
            (scores, None, notes)
        }
        None => score(&model, args, common)?,
    };
    let json = || {
        let mut object = scores.json();
        object["training_rows"] = json!(trained_on);
        report::add_notes(&mut object, &notes);
        object
    };
    let text = || {
        let notes = report::notes_text(&notes);
        let below = if notes.is_empty() { "" } else { "\n" };
        format!("{}{below}{notes}", scores.text(model.coding()))
    };
    report::answer(common, json, text)?;
    Ok(ExitCode::SUCCESS)
}

/// The scores on a table in memory, how many of its rows are training rows, and what is new in it.
fn score(
    model: &Model,
    args: &Evaluate,
    common: &Common,
) -> anyhow::Result<(Scores, Option<usize>, Vec<String>)> {
    blocks::refuse_more(&args.blocks)?;
    let table = args.data.open(common)?;
    let _scoring = progress::doing(format!("scoring {} rows", table.rows()));
    let targets = model.coding().targets(&table)?;
    let scores = Scores::measure(model, &model.outputs(&table)?, &targets);
    let mut tally = Tally::default();
    tally.add(model.coding(), &table)?;
    let trained_on = model.training_rows(&table);
    let trained_note = model.training_rows_note(trained_on, table.rows());
    Ok((scores, trained_on, trained_note.into_iter().chain(tally.notes()).collect()))
}
