//! `hardlim predict`.

use std::process::ExitCode;

use anyhow::Context;
use hardlim::data::TargetCoding;
use hardlim::network::score::class_of;
use serde_json::json;

use super::{open_model, open_table};
use crate::args::{Common, Predict};
use crate::{files, report};

pub(crate) fn run(args: &Predict, common: &Common) -> anyhow::Result<ExitCode> {
    files::check("-o", args.output.as_deref())?;
    let model = open_model(&args.model)?;
    let table = open_table(&args.data, common)?;
    let output = model.output(&table)?;
    let mut csv = csv::Writer::from_writer(Vec::new());
    let mut answers = Vec::with_capacity(output.len());
    match model.coding.target() {
        TargetCoding::Classes { classes, .. } => {
            csv.write_record(["prediction", "output"])?;
            for &u in &output {
                let class = &classes[usize::from(class_of(u) > 0.0)];
                csv.write_record([class, &u.to_string()])?;
                answers.push(json!(class));
            }
        }
        TargetCoding::Number { .. } => {
            csv.write_record(["prediction"])?;
            for &u in &output {
                csv.write_record([u.to_string()])?;
                answers.push(json!(u));
            }
        }
    }
    let csv = csv.into_inner().context("cannot write the answers")?;
    if let Some(path) = &args.output {
        files::write(path, &csv)?;
    }
    match (&args.output, common.json) {
        (path, true) => {
            let mut object =
                json!({ "n": output.len(), "predictions": answers, "outputs": output });
            if let Some(path) = path {
                object["file"] = json!(path);
            }
            report::print_json(&object)?;
        }
        (Some(path), false) => {
            report::print(&format!("{} answers written to {}\n", output.len(), path.display()))?;
        }
        (None, false) => report::print(std::str::from_utf8(&csv)?)?,
    }
    Ok(ExitCode::SUCCESS)
}
