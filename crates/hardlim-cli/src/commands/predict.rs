//! `hardlim predict`: part after part of the table, so that memory does not grow with it.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use csv::Writer;
use hardlim::Error;
use hardlim::model::Model;
use hardlim::table::{Table, TableError, Tally};
use serde_json::{Value, json};

use super::open_model;
use crate::args::{Common, DataArgs};
use crate::files::Output;
use crate::{progress, report};

/// Predict for new rows
#[derive(Debug, Args)]
#[command(after_help = include_str!("../help/predict.txt"))]
pub(crate) struct Predict {
    /// The model file
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,
    #[command(flatten)]
    data: DataArgs,
    /// Write the predictions to this CSV file instead of standard output
    #[arg(short, long, value_name = "OUT.csv", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

/// Fields of a table that are in memory at a time.
const FIELDS: usize = 1 << 20;

pub(crate) fn run(args: &Predict, common: &Common) -> anyhow::Result<ExitCode> {
    let model = open_model(&args.model)?;
    let mut output = match (&args.output, common.json) {
        (Some(path), _) => Some(Output::file(path)?),
        (None, true) => None,
        (None, false) => Some(Output::Standard),
    };
    let mut answers = Answers { kept: common.json, ..Answers::default() };
    let mut missing: Option<TableError> = None;
    let mut tally = Tally::default();
    // Not between predictions that are printed on the same terminal.
    let apart = args.output.is_some() || common.json || !io::stdout().is_terminal();
    let predicting = apart.then(|| progress::doing("predicting"));
    Table::for_each_block(&args.data.data, &args.data.read_options(common)?, FIELDS, |table| {
        match (answers.add(&model, &table), &mut missing) {
            // Nothing is answered from here on; what is missing is counted to the end.
            (Err(error), missing) => note_missing(error, missing)?,
            (Ok(_), Some(_)) => {}
            (Ok(csv), None) => {
                tally.add(model.coding(), &table)?;
                output.as_mut().map_or(Ok(()), |output| output.add(&csv))?;
                let words = format!("predicting: {} rows", answers.count);
                predicting.iter().for_each(|bar| bar.set_message(words.clone()));
            }
        }
        anyhow::Ok(())
    })?;
    drop(predicting);
    if let Some(error) = missing {
        return Err(Error::from(error).into());
    }
    if let Some(output) = output {
        output.finish()?;
    }
    if !common.json {
        // Standard output holds the predictions and nothing else.
        for note in report::spelled_notes(&tally.notes()) {
            report::note("note", &note);
        }
    }
    if common.json {
        let mut object = answers.json(&model);
        report::add_notes(&mut object, &tally.notes());
        report::add_path(&mut object, "file", args.output.as_deref());
        report::print_json(&object)?;
    } else if let Some(path) = &args.output {
        let (count, path) = (answers.count, path.display());
        report::print(&format!("{count} predictions written to {path}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Keeps the first error about missing values, with their count so far; any other is one.
fn note_missing(error: anyhow::Error, noted: &mut Option<TableError>) -> anyhow::Result<()> {
    let mut found = match error.downcast::<Error>() {
        Ok(Error::Table(found)) => *found,
        Ok(error) => return Err(error.into()),
        Err(error) => return Err(error),
    };
    match (noted.as_mut().and_then(TableError::missing), found.missing()) {
        (Some(count), Some(more)) => *count += *more,
        (Some(_), None) => {} // the first error stands
        (None, Some(_)) => *noted = Some(found),
        (None, None) => return Err(Error::from(found).into()),
    }
    Ok(())
}

/// Answers as they come.
#[derive(Default)]
struct Answers {
    count: usize,
    /// Whether all of them are kept, to be printed as JSON.
    kept: bool,
    predictions: Vec<Value>,
    outputs: Vec<Value>,
    probabilities: Vec<Vec<f64>>,
}

/// Whether several classes are answered with their probabilities.
fn has_probabilities(model: &Model) -> bool {
    let networks = model.parts().len();
    networks > 1 && model.probabilities(&vec![0.0; networks]).is_some()
}

impl Answers {
    /// The answers of a model, as lines of CSV: the class or the number, then of classes the
    /// outputs, one of each network, and of several their probabilities where the loss gives them a
    /// meaning.
    fn add(&mut self, model: &Model, table: &Table) -> anyhow::Result<Vec<u8>> {
        let outputs = model.outputs(table)?;
        let target = model.coding().target();
        let classes: Option<Vec<String>> = match target.answers() {
            Some(answers) => Some(answers.to_vec()),
            None => target.classes().map(<[String]>::to_vec),
        };
        let mut csv = Writer::from_writer(Vec::new());
        if self.count == 0 {
            csv.write_record(header(model, classes.is_some()))?;
        }
        let rows = outputs[0].len();
        for i in 0..rows {
            let u: Vec<f64> = outputs.iter().map(|output| output[i]).collect();
            let class = classes.as_ref().map(|names| &names[model.class(&u)]);
            let shares = if has_probabilities(model) { model.probabilities(&u) } else { None };
            let mut record: Vec<String> = class.cloned().into_iter().collect();
            record.extend(u.iter().chain(shares.iter().flatten()).map(ToString::to_string));
            csv.write_record(&record)?;
            if self.kept {
                self.predictions.push(class.map_or_else(|| json!(u[0]), |class| json!(class)));
                self.outputs.push(if u.len() > 1 { json!(u) } else { json!(u[0]) });
                self.probabilities.extend(shares);
            }
        }
        self.count += rows;
        Ok(csv.into_inner()?)
    }

    fn json(self, model: &Model) -> Value {
        let Self { count, predictions, outputs, probabilities, .. } = self;
        let mut object = json!({ "n": count, "predictions": predictions, "outputs": outputs });
        if let Some(names) = model.several_classes() {
            object["classes"] = json!(names);
            if has_probabilities(model) {
                object["probabilities"] = json!(probabilities);
            }
        }
        object
    }
}

/// The names of the columns that are written.
fn header(model: &Model, classes: bool) -> Vec<String> {
    let mut header = vec!["prediction".to_owned()];
    match model.several_classes() {
        Some(names) => {
            let named = |what: &'static str| names.iter().map(move |c| format!("{what}={c}"));
            header.extend(named("output"));
            if has_probabilities(model) {
                header.extend(named("probability"));
            }
        }
        None if classes => header.push("output".into()),
        None => {}
    }
    header
}
