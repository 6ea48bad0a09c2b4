//! ONNX: a graph of standard operators for servers. Every model can be exported.
//!
//! Inputs are the columns of the table. There is one matrix `X` if all columns are numbers;
//! otherwise there is one input for each column, numbers as doubles and labels as strings. Outputs
//! have the names that exporters of scikit-learn use: `label` and `probabilities` for classes,
//! `variable` for a number. `output` holds the sums that decide.
//!
//! All arithmetic is in double precision. If the weights are integers, inputs are first rounded to
//! their grid, all sums are integers below `2⁵³`, and the answers are those of [`Circuit`] on
//! every input. Otherwise the model decides the sign of the real number, and the server that of a
//! rounded sum. These may differ on rows whose sum is within rounding of zero.

mod answers;
mod graph;
mod inputs;
mod layers;
mod proto;
mod rows;

pub use rows::check_rows;

use serde_json::json;

use super::{Answer, Circuit, Style, file, fill, names};
use crate::certify::Check;
use crate::error::Error;
use crate::model::Model;
use crate::table::Kind;
use graph::Graph;
use layers::Matrices;
use proto::Message;

/// The most weights of a model, including zeros: a file must be smaller than 2 GiB.
const WEIGHTS: usize = 1 << 27;

/// The files of a model: `<name>.onnx`, and a program that replays [`check_rows`] from
/// `<name>_vectors.f64`. The file states the certificate, and whether a check of it holds.
///
/// # Errors
/// When there are too many weights for the format.
pub fn write(
    model: &Model,
    check: Option<&Check>,
    style: &Style,
) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let name = &style.name;
    Ok(vec![
        file(format!("{name}.onnx"), bytes(model, check, style)?),
        file(format!("{name}_check.py"), fill(include_str!("check.py"), style, &[])),
    ])
}

/// The integers of a model, if they give exactly its answers.
pub fn exact(model: &Model) -> Option<Circuit> {
    Circuit::of(model).ok().filter(layers::is_exact)
}

fn bytes(model: &Model, check: Option<&Check>, style: &Style) -> Result<Vec<u8>, Error> {
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
    let meaning = answers::Meaning { calibration: model.calibration(), loss: model.loss() };
    match Answer::of(coding.target()) {
        Answer::Number => answers::number(&mut graph, &outputs[0]),
        Answer::Sign(labels) => answers::two(&mut graph, &outputs[0], &labels, meaning),
        Answer::Largest(labels) => {
            let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
            let all = graph.apply_with("Concat", &outputs, &[("axis", 1)]);
            answers::several(&mut graph, &all, &labels, meaning);
        }
    }
    // Strings can be compared since operator set 19. Without them, older servers can read the
    // model.
    let (format, operators) = if inputs::is_one_matrix(coding) { (7, 13) } else { (9, 19) };
    // ModelProto: ir_version 1, producer 2 and its version 3, model_version 5, doc_string 6, graph
    // 7, opset_import 8 with domain 1 and version 2, metadata_props 14 with key 1 and value 2.
    let operators = Message::new().bytes(1, "").int(2, operators);
    let metadata: Vec<Message> = (metadata(model, check, circuit.as_ref()).iter())
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

/// What the answers of a model on a grid are.
pub(super) const ON_GRID: &str = "Inputs are rounded to the grid of the integer weights, and all \
    sums are integers below 2^53: the answers are exactly those of the model on that grid.";

/// What the model is, and how exact it is.
fn description(style: &Style, exact: bool) -> String {
    let doubles = "Sums are taken in double precision: a row whose sum is within rounding of a \
                   hyperplane may get a different answer than from the model.";
    let (arithmetic, source) =
        (if exact { ON_GRID } else { doubles }, names::quoted(&style.source));
    format!("A network of threshold neurons, written by hardlim from {source}. {arithmetic}")
}

/// Further facts: the certificate, the problem, and the meaning of inputs and outputs.
fn metadata(
    model: &Model,
    check: Option<&Check>,
    circuit: Option<&Circuit>,
) -> Vec<(&'static str, String)> {
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
        ("statement", model.statement(check)),
        ("exact", circuit.is_some().to_string()),
        ("target", coding.target().column().name.clone()),
        ("classes", json!(coding.target().classes()).to_string()),
        ("features", json!(coding.feature_names()).to_string()),
        ("columns", json!(columns).to_string()),
    ]
}
