//! How a model came about, so that it can be made again.

use hardlim::explain::number;
use hardlim::model::{History, Model, Validation};
use hardlim::network::Layer;
use hardlim::network::recipe::Recipe;
use hardlim::train::{Importance, WithoutInput};
use serde::Serialize;

use crate::subject::Subject;

#[derive(Debug, Serialize)]
pub(crate) struct Origin<'a> {
    facts: Vec<(&'static str, String)>,
    /// What was decided about the columns.
    notes: Vec<String>,
    commands: Vec<String>,
    /// Objective and lower bound from check to check, of all networks together.
    trace: &'a [[f64; 2]],
    validation: Option<&'a Validation>,
}

impl<'a> Origin<'a> {
    pub(crate) fn of(subject: &'a Subject<'_>) -> Self {
        let model = subject.model;
        let (setting, part) = (model.setting(), model.first());
        let mut facts = vec![
            ("data", format!("{}, {} rows", subject.source, subject.features.rows())),
            ("inputs", inputs(model)),
            ("networks", networks(model)),
            ("loss", setting.loss.to_string()),
            ("beta", number(setting.beta.get())),
            ("method", method(part.recipe())),
        ];
        let averaged = model.history().and_then(|history| history.averaged);
        if let Some(networks) = averaged.filter(|networks| *networks > 1) {
            let words = format!("the mean of {networks} networks, each trained for itself");
            facts.push(("average", words));
        }
        if let Some(split) = model.split() {
            let share = 100.0 * split.fraction;
            facts.push((
                "held out",
                format!("{} % of the rows, seed {}", number(share), split.seed),
            ));
        }
        if setting.constraints.intercept {
            facts.push(("output bias", "not penalised".into()));
        }
        if setting.constraints.non_negative {
            facts.push(("output weights", "at least zero".into()));
        }
        if !setting.bias {
            facts.push(("biases", "none".into()));
        }
        if setting.input_cost != 0.0 {
            facts.push(("input cost", number(setting.input_cost)));
        }
        if let Some(calibration) = model.calibration() {
            let scale = number(calibration.scale());
            facts.push(("probabilities", format!("calibrated on the folds, scale {scale}")));
        }
        if let Some((History { version, seed, .. }, options)) = model.history().zip(model.options())
        {
            let options: Vec<String> =
                options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let options = if options.is_empty() { "none".into() } else { options.join(", ") };
            facts.push(("options", options));
            facts.push(("seed", seed.to_string()));
            facts.push(("trained by", format!("hardlim {version}")));
        }
        facts.push(("fingerprint of the training data", part.fingerprint().to_string()));
        facts.push(("checksum of the model", model.checksum()));
        facts.push(("report by", format!("hardlim {}", env!("CARGO_PKG_VERSION"))));
        Self {
            facts,
            notes: subject.notes.clone(),
            commands: subject.commands.clone(),
            trace: model.history().map_or(&[], |history| &history.trace),
            validation: model.history().and_then(|history| history.validation.as_ref()),
        }
    }
}

fn inputs(model: &Model) -> String {
    let (columns, features) = (model.coding().column_names().len(), model.coding().dimension());
    if columns == features {
        format!("{columns} columns")
    } else {
        format!("{columns} columns, as {features} features")
    }
}

fn networks(model: &Model) -> String {
    let widths = |layer: &Layer| layer.neurons.len().to_string();
    let network = model.first().network();
    let layers: Vec<String> = network.layers().iter().map(widths).collect();
    let shape = match layers.len() {
        1 => format!("two layers, {} neurons", model.neurons()),
        _ => format!("{} layers, hidden widths {}", network.depth(), layers.join(", ")),
    };
    match model.parts().len() {
        1 => shape,
        several => format!("{several}, one for each class; {shape}"),
    }
}

/// The program that was solved, in words.
fn method(recipe: &Recipe) -> String {
    match recipe {
        Recipe::Sample { draws, seed, .. } => {
            format!("sample: the Lasso over the patterns of {draws} random neurons, seed {seed}")
        }
        Recipe::Complete => "complete: every dichotomy of the rows is possible".into(),
        Recipe::Gaussian { .. } => "complete, on the answers of random layers".into(),
        Recipe::Staircase { .. } => "complete, on a staircase along one direction".into(),
        rules if rules.has_two_conditions() => {
            "generate: the Lasso over all rules of two conditions".into()
        }
        Recipe::Generate { max_inputs: Some(1), .. } => {
            "generate: the Lasso over all patterns of neurons that read one input".into()
        }
        Recipe::Generate { max_inputs: Some(k), .. } => {
            format!("generate: the Lasso over all patterns of neurons that read at most {k} inputs")
        }
        Recipe::Generate { .. } => {
            "generate: the Lasso over all patterns, searched as needed".into()
        }
        Recipe::Enumerate { .. } => "enumerate: the Lasso over the list of all patterns".into(),
        Recipe::Listed { max_inputs: Some(_), .. } => {
            "generate: the Lasso over all patterns of neurons that read one input, on rows in \
             blocks"
                .into()
        }
        Recipe::Listed { neurons, .. } => {
            format!("sample: the Lasso over {} neurons, on rows in blocks", neurons.len())
        }
        Recipe::Given => "the weights come from another source".into(),
    }
}

/// What is lost without an input.
#[derive(Debug, Serialize)]
pub(crate) struct Lost {
    name: String,
    /// Every network without it is worse by this fraction, at least.
    at_least: f64,
    /// The best one that was found is worse by this fraction.
    found: f64,
}

pub(crate) fn lost(importance: &Importance) -> Vec<Lost> {
    let one = |input: &&WithoutInput| Lost {
        name: input.name.clone(),
        at_least: importance.at_least(input),
        found: importance.found(input),
    };
    importance.ranked().iter().map(one).collect()
}
