//! `hardlim certify`.

use std::process::ExitCode;

use hardlim::certify::{Check, PartCheck};
use hardlim::model::Model;
use hardlim::table::memory;
use serde_json::{Value, json};

use super::{blocks, open_model, open_table};
use crate::args::{Certify, Common};
use crate::{progress, report};

pub(crate) fn run(args: &Certify, common: &Common) -> anyhow::Result<ExitCode> {
    let model = open_model(&args.model)?;
    let check = match model.is_of_rows() {
        true => blocks::check(&model, &args.data, &args.blocks, common)?,
        false => check(&model, args, common)?,
    };
    report::answer(common, || json(&model, &check), || report::check_text(&model, &check))?;
    Ok(if check.holds() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Checks a model that was trained on a table in memory.
fn check(model: &Model, args: &Certify, common: &Common) -> anyhow::Result<Check> {
    let table = match args.blocks.memory {
        Some(memory) => blocks::gathered(&args.data, &args.blocks, memory, common)?,
        None => {
            blocks::refuse_more(&args.blocks)?;
            open_table(&args.data, common)?
        }
    };
    let _checking = progress::doing("checking the certificate");
    let data = model.training_data(&table)?;
    Ok(model.certify_within(&data, memory::for_checking())?)
}

fn json(model: &Model, check: &Check) -> Value {
    let mut object = json!({ "holds": check.holds() });
    report::add(&mut object, "reason", check.reason().map(|reason| json!(reason)));
    let found = check.certificate().zip(check.global()).zip(check.parts());
    let Some(((certificate, global), parts)) = found else {
        return object;
    };
    object["objective"] = json!(certificate.objective());
    object["certificate"] = report::certificate_json(&certificate);
    object["global"] = report::certificate_json(&global);
    if let Some(names) = model.several_classes() {
        let part = |(class, part): (&String, &PartCheck)| {
            let (certificate, global) = (&part.certificate.certificate, &part.global.certificate);
            json!({
                "class": class,
                "holds": part.holds(),
                "objective": certificate.objective(),
                "certificate": report::certificate_json(certificate),
                "global": report::certificate_json(global),
            })
        };
        object["certificates"] = json!(names.iter().zip(parts).map(part).collect::<Vec<_>>());
    }
    object
}
