//! `hardlim evaluate`.

use std::process::ExitCode;

use hardlim::network::Stored;

use super::{open_model, open_table};
use crate::args::{Common, Evaluate};
use crate::report::{self, Scores};

pub(crate) fn run(args: &Evaluate, common: &Common) -> anyhow::Result<ExitCode> {
    let stored = open_model(&args.model)?;
    let table = open_table(&args.data, common)?;
    let (coding, scores) = match &stored {
        Stored::Model(model) => {
            let targets = model.coding.targets(&table)?;
            (&model.coding, Scores::measure(model, &model.output(&table)?, &targets))
        }
        Stored::Classifier(classifier) => {
            let targets = classifier.coding().targets(&table)?;
            let outputs = classifier.outputs(&table)?;
            (classifier.coding(), Scores::of_classes(classifier, &outputs, &targets))
        }
    };
    if common.json {
        report::print_json(&scores.json())?;
    } else {
        report::print(&scores.text(coding))?;
    }
    Ok(ExitCode::SUCCESS)
}
