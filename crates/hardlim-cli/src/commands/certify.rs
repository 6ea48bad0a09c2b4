//! `hardlim certify`.

use std::process::ExitCode;

use hardlim::network::Check;
use serde_json::json;

use super::{open_model, open_table};
use crate::args::{Certify, Common};
use crate::report;

pub(crate) fn run(args: &Certify, common: &Common) -> anyhow::Result<ExitCode> {
    let model = open_model(&args.model)?;
    let table = open_table(&args.data, common)?;
    let data = model.training_data(&table)?;
    let check = match report::available_memory() {
        Some(memory) => model.certify_within(&data, memory)?,
        None => model.certify(&data)?,
    };
    if common.json {
        report::print_json(&match &check {
            Check::OtherData => json!({
                "holds": false,
                "reason": "the data are not those the model was trained on",
            }),
            Check::SameData { certificate, global } => json!({
                "holds": check.holds(),
                "objective": certificate.certificate.objective(),
                "certificate": report::certificate_json(&model, &certificate.certificate),
                "global": report::certificate_json(&model, &global.certificate),
            }),
        })?;
    } else {
        report::print(&report::check_text(&model, &check))?;
    }
    Ok(if check.holds() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
