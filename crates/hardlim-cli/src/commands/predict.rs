//! `hardlim predict`.

use std::process::ExitCode;

use anyhow::Context;
use csv::Writer;
use hardlim::data::Table;
use hardlim::network::score::class_of;
use hardlim::network::{Classifier, Model, Stored};
use serde_json::{Value, json};

use super::{open_model, open_table};
use crate::args::{Common, Predict};
use crate::{files, report};

pub(crate) fn run(args: &Predict, common: &Common) -> anyhow::Result<ExitCode> {
    files::check("-o", args.output.as_deref())?;
    let stored = open_model(&args.model)?;
    let table = open_table(&args.data, common)?;
    let mut csv = Writer::from_writer(Vec::new());
    let mut object = match &stored {
        Stored::Model(model) => one(model, &table, &mut csv)?,
        Stored::Classifier(classifier) => several(classifier, &table, &mut csv)?,
    };
    let count = object["n"].clone();
    let csv = csv.into_inner().context("cannot write the answers")?;
    if let Some(path) = &args.output {
        files::write(path, &csv)?;
    }
    match (&args.output, common.json) {
        (path, true) => {
            if let Some(path) = path {
                object["file"] = json!(path);
            }
            report::print_json(&object)?;
        }
        (Some(path), false) => {
            report::print(&format!("{count} answers written to {}\n", path.display()))?;
        }
        (None, false) => report::print(std::str::from_utf8(&csv)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The answers of one network.
fn one(model: &Model, table: &Table, csv: &mut Writer<Vec<u8>>) -> anyhow::Result<Value> {
    let output = model.output(table)?;
    let mut answers = Vec::with_capacity(output.len());
    match model.coding.target().answers() {
        Some(classes) => {
            csv.write_record(["prediction", "output"])?;
            for &u in &output {
                let class = &classes[usize::from(class_of(u) > 0.0)];
                csv.write_record([class, &u.to_string()])?;
                answers.push(json!(class));
            }
        }
        None => {
            csv.write_record(["prediction"])?;
            for &u in &output {
                csv.write_record([u.to_string()])?;
                answers.push(json!(u));
            }
        }
    }
    Ok(json!({ "n": output.len(), "predictions": answers, "outputs": output }))
}

/// The answers of a network for each class: the class, the outputs, and their probabilities where the
/// loss gives them a meaning.
fn several(
    classifier: &Classifier,
    table: &Table,
    csv: &mut Writer<Vec<u8>>,
) -> anyhow::Result<Value> {
    let outputs = classifier.outputs(table)?;
    let classes = classifier.classes();
    let probabilities: Option<Vec<Vec<f64>>> =
        outputs.iter().map(|u| classifier.probabilities(u)).collect();
    let names = |what: &'static str| classes.iter().map(move |class| format!("{what}={class}"));
    let mut header = vec!["prediction".to_owned()];
    header.extend(names("output"));
    // Where there are no rows, there is nothing that could have a meaning.
    let probabilities = probabilities.filter(|p| !p.is_empty());
    if probabilities.is_some() {
        header.extend(names("probability"));
    }
    csv.write_record(&header)?;
    for (i, u) in outputs.iter().enumerate() {
        let mut record = vec![classifier.answer(u).to_owned()];
        record.extend(u.iter().map(ToString::to_string));
        let row = probabilities.iter().flat_map(|p| &p[i]);
        record.extend(row.map(ToString::to_string));
        csv.write_record(&record)?;
    }
    let answers: Vec<&str> = outputs.iter().map(|u| classifier.answer(u)).collect();
    let mut object = json!({
        "n": outputs.len(), "classes": classes, "predictions": answers, "outputs": outputs,
    });
    if let Some(probabilities) = probabilities {
        object["probabilities"] = json!(probabilities);
    }
    Ok(object)
}
