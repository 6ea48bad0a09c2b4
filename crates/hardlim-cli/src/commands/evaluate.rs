//! `hardlim evaluate`.

use std::process::ExitCode;

use hardlim::data::Tally;
use serde_json::json;

use super::{open_model, open_table};
use crate::args::{Common, Evaluate};
use crate::progress;
use crate::report::{self, Scores};

pub(crate) fn run(args: &Evaluate, common: &Common) -> anyhow::Result<ExitCode> {
    let model = open_model(&args.model)?;
    let table = open_table(&args.data, common)?;
    let scoring = progress::doing(format!("scoring {} rows", table.rows()));
    let targets = model.coding().targets(&table)?;
    let scores = Scores::measure(&model, &model.outputs(&table)?, &targets);
    let mut tally = Tally::default();
    tally.add(model.coding(), &table)?;
    let notes = tally.notes();
    let trained_on = model.training_rows(&table).filter(|rows| *rows > 0);
    drop(scoring);
    let json = || {
        let mut object = scores.json();
        object["training_rows"] = json!(trained_on.unwrap_or(0));
        report::add_notes(&mut object, &notes);
        object
    };
    let text = || {
        let seen = trained_on.map_or(String::new(), |rows| training_rows_text(rows, table.rows()));
        let notes = report::notes_text(&notes);
        let below = if seen.is_empty() && notes.is_empty() { "" } else { "\n" };
        format!("{}{below}{seen}{notes}", scores.text(model.coding()))
    };
    report::answer(common, json, text)?;
    Ok(ExitCode::SUCCESS)
}

fn training_rows_text(rows: usize, all: usize) -> String {
    let which = match rows == all {
        true => "these are the training rows".to_owned(),
        false => format!("{rows} of these {all} rows are training rows"),
    };
    format!("note: {which}: expect a lower score on new ones\n")
}
