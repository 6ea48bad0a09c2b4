//! ONNX: a model of standard operators for servers, from any model.
//!
//! Inputs are the columns of the table: one matrix `X` where all of them are numbers, otherwise one input for
//! each, numbers as doubles and labels as texts. Outputs are named as by the exporters of scikit-learn:
//! `label` and `probabilities` of classes, `variable` of a number; `output` has the sums that decide.
//!
//! Everything is in double precision. Where weights are integers, inputs are rounded to their grid first, all
//! sums are integers below `2⁵³`, and the answers are those of [`Circuit`], on every input. Otherwise the
//! model decides the sign of real numbers and the server that of a rounded sum: these may differ on rows
//! with a sum that is within rounding of zero.

mod answers;
mod graph;
mod inputs;
mod layers;
mod proto;
mod rows;

#[doc(hidden)]
pub use rows::Rows;

use serde_json::json;

use super::{Answer, Circuit, File, Style, fill, names};
use crate::data::Kind;
use crate::error::Error;
use crate::model::Model;
use graph::Graph;
use layers::Matrices;
use proto::Message;

/// The most weights of a model, zeros counted: a file has less than 2 GiB.
const WEIGHTS: usize = 1 << 27;

/// The files of a model: `<name>.onnx`, and a program that replays [`Rows`] from `<name>_vectors.f64`.
///
/// # Errors
/// When there are too many weights for the format.
pub fn write(model: &Model, style: &Style) -> Result<Vec<File>, Error> {
    let name = &style.name;
    Ok(vec![
        File::new(format!("{name}.onnx"), bytes(model, style)?),
        File::new(format!("{name}_check.py"), fill(include_str!("check.py"), style, &[])),
    ])
}

/// The integers of a model, where its answers are exactly theirs.
pub fn exact(model: &Model) -> Option<Circuit> {
    Circuit::of(model).ok().filter(layers::is_exact)
}

/// The bytes of the model.
fn bytes(model: &Model, style: &Style) -> Result<Vec<u8>, Error> {
    let coding = model.coding();
    let weights = model.networks().map(layers::weights).sum();
    if weights > WEIGHTS {
        return Err(Error::ExportTooLarge { found: weights, limit: WEIGHTS });
    }
    let circuit = exact(model);
    let networks: Vec<Matrices> = match &circuit {
        Some(circuit) => {
            circuit.stacks.iter().map(|stack| Matrices::of_stack(circuit, stack)).collect()
        }
        None => model.networks().map(Matrices::of_network).collect(),
    };
    let mut graph = Graph::default();
    let mut features = inputs::features(&mut graph, coding);
    if let Some(circuit) = &circuit {
        features = inputs::rounded(&mut graph, &features, circuit);
    }
    let add = |network: &Matrices| network.add(&mut graph, &features, coding.dimension());
    let outputs: Vec<String> = networks.iter().map(add).collect();
    let loss = model.loss();
    match Answer::of(coding.target()) {
        Answer::Number => answers::number(&mut graph, &outputs[0]),
        Answer::Sign(labels) => answers::two(&mut graph, &outputs[0], &labels, loss),
        Answer::Largest(labels) => {
            let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
            let all = graph.apply_with("Concat", &outputs, &[("axis", 1)]);
            answers::several(&mut graph, &all, &labels, loss);
        }
    }
    // Texts are compared from operator set 19 on; without them, older servers will do.
    let (format, operators) = if inputs::is_one_matrix(coding) { (7, 13) } else { (9, 19) };
    // ModelProto: ir_version 1, producer 2 and its version 3, model_version 5, doc_string 6, graph 7,
    // opset_import 8 with domain 1 and version 2, metadata_props 14 with key 1 and value 2.
    let operators = Message::new().bytes(1, "").int(2, operators);
    let metadata: Vec<Message> = (metadata(model, circuit.as_ref()).iter())
        .map(|(key, value)| Message::new().bytes(1, key).bytes(2, value))
        .collect();
    let message = (Message::new().int(1, format).bytes(2, "hardlim"))
        .bytes(3, env!("CARGO_PKG_VERSION"))
        .int(5, 1)
        .bytes(6, description(style, circuit.is_some()))
        .message(7, &graph.message(&style.name))
        .message(8, &operators)
        .messages(14, &metadata);
    Ok(message.into_bytes())
}

/// What the model is and how far it can be relied on.
fn description(style: &Style, exact: bool) -> String {
    let arithmetic = match exact {
        true => {
            "Inputs are rounded to the grid of the integer weights, and all sums are integers below 2^53: \
             the answers are exactly those of the model on that grid."
        }
        false => {
            "Sums are taken in double precision: a row whose sum is within rounding of a hyperplane may be \
             answered otherwise than by the model."
        }
    };
    let source = names::quoted(&style.source);
    format!("A network of threshold neurons, written by hardlim from {source}. {arithmetic}")
}

/// What else is known: the certificate, the problem, and what inputs and outputs stand for.
fn metadata(model: &Model, circuit: Option<&Circuit>) -> Vec<(&'static str, String)> {
    let (coding, certificate) = (model.coding(), model.certificate());
    let inputs = inputs::input_names(coding);
    let columns: Vec<_> = (coding.columns().iter().enumerate())
        .map(|(j, column)| {
            let levels = match &column.kind {
                Kind::Number { .. } => None,
                Kind::Category { levels, .. } => Some(levels),
            };
            let input = inputs.get(j).filter(|_| inputs.len() == coding.columns().len());
            let input = input.unwrap_or(&inputs[0]);
            json!({ "input": input, "column": column.column.name, "levels": levels })
        })
        .collect();
    vec![
        ("hardlim_version", env!("CARGO_PKG_VERSION").into()),
        ("loss", model.loss().to_string()),
        ("beta", model.beta().get().to_string()),
        ("objective", certificate.objective().to_string()),
        ("lower_bound", certificate.lower_bound().to_string()),
        ("gap", certificate.gap().to_string()),
        ("relative_gap", certificate.relative_gap().to_string()),
        ("scope", certificate.scope().name().into()),
        ("exact", circuit.is_some().to_string()),
        ("target", coding.target().column().name.clone()),
        ("classes", json!(coding.target().classes()).to_string()),
        ("features", json!(coding.feature_names()).to_string()),
        ("columns", json!(columns).to_string()),
    ]
}
