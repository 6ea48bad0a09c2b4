//! `hardlim predict`: part after part of the table, so that memory does not grow with it.

use std::process::ExitCode;

use csv::Writer;
use hardlim::Error;
use hardlim::data::{Problem, Table, TableError};
use hardlim::network::score::class_of;
use hardlim::network::{Classifier, Model, Stored};
use serde_json::{Value, json};

use super::{check_size_flags, open_model};
use crate::args::{Common, Predict};
use crate::files::Output;
use crate::report;

/// Cells of a table that are in memory at a time.
const CELLS: usize = 1 << 20;

pub(crate) fn run(args: &Predict, common: &Common) -> anyhow::Result<ExitCode> {
    let stored = open_model(&args.model)?;
    check_size_flags(&args.data)?;
    let mut output = match (&args.output, common.json) {
        (Some(path), _) => Some(Output::file(path)?),
        (None, true) => None,
        (None, false) => Some(Output::Standard),
    };
    let mut answers = Answers { count: 0, object: common.json.then(|| object_of(&stored)) };
    let mut missing: Option<Box<TableError>> = None;
    Table::for_each_part(&args.data.data, &args.data.read_options(common), CELLS, |table| {
        let part = match &stored {
            Stored::Model(model) => answers.one(model, &table),
            Stored::Classifier(classifier) => answers.several(classifier, &table),
        };
        match (part, &mut missing) {
            // Nothing is answered from here on; what is missing is counted to the end.
            (Err(error), missing) => note_missing(error, missing)?,
            (Ok(_), Some(_)) => {}
            (Ok(csv), None) => output.as_mut().map_or(Ok(()), |output| output.add(&csv))?,
        }
        anyhow::Ok(())
    })?;
    if let Some(error) = missing {
        return Err(Error::Table(error).into());
    }
    if let Some(output) = output {
        output.finish()?;
    }
    match (&args.output, answers.object) {
        (path, Some(mut object)) => {
            object["n"] = json!(answers.count);
            if let Some(path) = path {
                object["file"] = json!(path);
            }
            report::print_json(&object)?;
        }
        (Some(path), None) => {
            report::print(&format!("{} answers written to {}\n", answers.count, path.display()))?;
        }
        (None, None) => {}
    }
    Ok(ExitCode::SUCCESS)
}

/// Keeps the first error about missing values, with their count so far; any other is one.
fn note_missing(error: anyhow::Error, noted: &mut Option<Box<TableError>>) -> anyhow::Result<()> {
    let found = match error.downcast::<Error>() {
        Ok(Error::Table(found)) => found,
        Ok(error) => return Err(error.into()),
        Err(error) => return Err(error),
    };
    match (noted.as_mut().map(|noted| &mut noted.problem), &found.problem) {
        (None, Problem::Missing { .. }) => *noted = Some(found),
        (Some(Problem::Missing { count }), Problem::Missing { count: more }) => *count += more,
        // The first error stands.
        (Some(_), _) => {}
        (None, _) => return Err(Error::Table(found).into()),
    }
    Ok(())
}

/// Answers as they come.
struct Answers {
    count: usize,
    /// All of them, where they are asked for as JSON.
    object: Option<Value>,
}

/// One JSON object, its lists still empty.
fn object_of(stored: &Stored) -> Value {
    let mut object = json!({ "predictions": [], "outputs": [] });
    if let Stored::Classifier(classifier) = stored {
        object["classes"] = json!(classifier.classes());
        if has_probabilities(classifier) {
            object["probabilities"] = json!([]);
        }
    }
    object
}

/// Whether the loss gives probabilities a meaning.
fn has_probabilities(classifier: &Classifier) -> bool {
    classifier.probabilities(&vec![0.0; classifier.classes().len()]).is_some()
}

fn push(object: &mut Value, list: &str, answer: Value) {
    object[list].as_array_mut().expect("a list of answers").push(answer);
}

impl Answers {
    /// The answers of one network, as lines of CSV.
    fn one(&mut self, model: &Model, table: &Table) -> anyhow::Result<Vec<u8>> {
        let output = model.output(table)?;
        let mut csv = Writer::from_writer(Vec::new());
        let classes = model.coding.target().answers();
        if self.count == 0 {
            let header = ["prediction", "output"];
            csv.write_record(&header[..1 + usize::from(classes.is_some())])?;
        }
        for &u in &output {
            let class = classes.as_ref().map(|classes| &classes[usize::from(class_of(u) > 0.0)]);
            match class {
                Some(class) => csv.write_record([class, &u.to_string()])?,
                None => csv.write_record([u.to_string()])?,
            }
            if let Some(object) = &mut self.object {
                push(object, "predictions", class.map_or_else(|| json!(u), |class| json!(class)));
                push(object, "outputs", json!(u));
            }
        }
        self.count += output.len();
        Ok(csv.into_inner()?)
    }

    /// The answers of a network for each class, as lines of CSV: the class, the outputs, and their
    /// probabilities where the loss gives them a meaning.
    fn several(&mut self, classifier: &Classifier, table: &Table) -> anyhow::Result<Vec<u8>> {
        let outputs = classifier.outputs(table)?;
        let mut csv = Writer::from_writer(Vec::new());
        if self.count == 0 {
            let classes = classifier.classes();
            let names = |what: &'static str| classes.iter().map(move |c| format!("{what}={c}"));
            let mut header = vec!["prediction".to_owned()];
            header.extend(names("output"));
            if has_probabilities(classifier) {
                header.extend(names("probability"));
            }
            csv.write_record(&header)?;
        }
        for u in &outputs {
            let probabilities = classifier.probabilities(u);
            let class = classifier.answer(u);
            let mut record = vec![class.to_owned()];
            record.extend(u.iter().chain(probabilities.iter().flatten()).map(ToString::to_string));
            csv.write_record(&record)?;
            if let Some(object) = &mut self.object {
                push(object, "predictions", json!(class));
                push(object, "outputs", json!(u));
                if let Some(probabilities) = probabilities {
                    push(object, "probabilities", json!(probabilities));
                }
            }
        }
        self.count += outputs.len();
        Ok(csv.into_inner()?)
    }
}
