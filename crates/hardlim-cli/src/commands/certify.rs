//! `hardlim certify`.

use std::process::ExitCode;

use hardlim::data::Table;
use hardlim::memory;
use hardlim::network::{Check, Classifier, Model, Stored};
use serde_json::{Value, json};

use super::{open_model, open_table};
use crate::args::{Certify, Common};
use crate::report::{self, classes};

pub(crate) fn run(args: &Certify, common: &Common) -> anyhow::Result<ExitCode> {
    let stored = open_model(&args.model)?;
    let table = open_table(&args.data, common)?;
    let (holds, object, text) = match &stored {
        Stored::Model(model) => one(model, &table)?,
        Stored::Classifier(classifier) => several(classifier, &table)?,
    };
    if common.json {
        report::print_json(&object)?;
    } else {
        report::print(&text)?;
    }
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn one(model: &Model, table: &Table) -> anyhow::Result<(bool, Value, String)> {
    let data = model.training_data(table)?;
    let check = model.certify_within(&data, memory::for_checking())?;
    Ok((check.holds(), json(model, &check), report::check_text(model, &check)))
}

fn several(classifier: &Classifier, table: &Table) -> anyhow::Result<(bool, Value, String)> {
    let data = classifier.training_data(table)?;
    let checks = classifier.certify_within(&data, memory::for_checking())?;
    let holds = checks.iter().all(Check::holds);
    let parts = (classifier.models().iter().zip(classifier.classes()).zip(&checks)).map(
        |((model, class), check)| {
            let mut object = json(model, check);
            object["class"] = json!(class);
            object
        },
    );
    let mut object = json!({ "holds": holds, "certificates": parts.collect::<Vec<_>>() });
    match classes::found(&checks) {
        Some((certificate, global)) => {
            let first = &classifier.models()[0];
            object["objective"] = json!(certificate.objective());
            object["certificate"] = report::certificate_json(first, &certificate);
            object["global"] = report::certificate_json(first, &global);
        }
        None => object["reason"] = json!(OTHER_DATA),
    }
    Ok((holds, object, classes::check_text(classifier, &checks)))
}

const OTHER_DATA: &str = "the data are not those the model was trained on";

fn json(model: &Model, check: &Check) -> Value {
    match check {
        Check::OtherData => json!({ "holds": false, "reason": OTHER_DATA }),
        Check::SameData { certificate, global } => json!({
            "holds": check.holds(),
            "objective": certificate.certificate.objective(),
            "certificate": report::certificate_json(model, &certificate.certificate),
            "global": report::certificate_json(model, &global.certificate),
        }),
    }
}
