//! `hardlim evaluate`.

use std::process::ExitCode;

use super::{open_model, open_table};
use crate::args::{Common, Evaluate};
use crate::report::{self, Scores};

pub(crate) fn run(args: &Evaluate, common: &Common) -> anyhow::Result<ExitCode> {
    let model = open_model(&args.model)?;
    let table = open_table(&args.data, common)?;
    let targets = model.coding().targets(&table)?;
    let scores = Scores::measure(&model, &model.outputs(&table)?, &targets);
    report::answer(common, || scores.json(), || scores.text(model.coding()))?;
    Ok(ExitCode::SUCCESS)
}
