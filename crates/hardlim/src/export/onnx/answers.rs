//! From outputs to classes and probabilities. They have the names that exporters of scikit-learn
//! use.

use super::graph::{Element, Graph};
use crate::loss::LossKind;
use crate::model::Calibration;

#[derive(Debug, Clone, Copy)]
pub(super) struct Meaning {
    pub(super) calibration: Option<Calibration>,
    pub(super) loss: LossKind,
}

/// The labels as integers, if all of them are integers.
pub(super) fn integers(labels: &[String]) -> Option<Vec<i64>> {
    let integer = |label: &String| label.parse::<i64>().ok().filter(|k| k.to_string() == *label);
    labels.iter().map(integer).collect()
}

/// `variable`: the output of a regression.
pub(super) fn number(graph: &mut Graph, output: &str) {
    graph.output("variable", output, Element::Double, Some(1));
}

/// `label` and `probabilities` of two classes, and `output`.
pub(super) fn two(graph: &mut Graph, output: &str, labels: &[String; 2], meaning: Meaning) {
    let zero = graph.doubles("zero", &[], &[0.0]);
    let second = graph.apply("GreaterOrEqual", &[output, &zero]);
    let second = graph.cast(&second, Element::Integer);
    let list = graph.integers("list", &[-1]);
    let place = graph.apply("Reshape", &[&second, &list]);
    label(graph, &place, labels);
    let one = graph.doubles("one", &[], &[1.0]);
    let probability = match (meaning.calibration, meaning.loss) {
        (Some(calibration), _) => {
            let scaled = scaled(graph, output, calibration);
            graph.apply("Sigmoid", &[&scaled])
        }
        (None, LossKind::Logistic) => graph.apply("Sigmoid", &[output]),
        (None, _) => {
            // (1 + u)/2, limited to 0 and 1.
            let half = graph.doubles("half", &[], &[0.5]);
            let moved = graph.apply("Add", &[output, &one]);
            let halved = graph.apply("Mul", &[&moved, &half]);
            graph.apply("Clip", &[&halved, &zero, &one])
        }
    };
    let other = graph.apply("Sub", &[&one, &probability]);
    let both = graph.apply_with("Concat", &[&other, &probability], &[("axis", 1)]);
    probabilities(graph, &both, 2);
    graph.output("output", output, Element::Double, Some(1));
}

/// `label` of several classes, `probabilities` if they are defined, and `output`.
pub(super) fn several(graph: &mut Graph, outputs: &str, labels: &[String], meaning: Meaning) {
    // The first one if there are ties.
    let place = graph.apply_with("ArgMax", &[outputs], &[("axis", 1), ("keepdims", 0)]);
    label(graph, &place, labels);
    if let Some(calibration) = meaning.calibration {
        let scaled = scaled(graph, outputs, calibration);
        let shares = graph.apply_with("Softmax", &[&scaled], &[("axis", 1)]);
        probabilities(graph, &shares, labels.len());
    } else if meaning.loss == LossKind::Logistic {
        // Outputs this low make no difference, but their shares stay above zero.
        let bottom = graph.doubles("bottom", &[], &[-700.0]);
        let raised = graph.apply("Max", &[outputs, &bottom]);
        let shares = graph.apply("Sigmoid", &[&raised]);
        let axis = graph.integers("axis", &[1]);
        let sum = graph.apply("ReduceSum", &[&shares, &axis]);
        let divided = graph.apply("Div", &[&shares, &sum]);
        probabilities(graph, &divided, labels.len());
    }
    graph.output("output", outputs, Element::Double, Some(labels.len()));
}

/// `κu`.
fn scaled(graph: &mut Graph, outputs: &str, calibration: Calibration) -> String {
    let scale = graph.doubles("scale", &[], &[calibration.scale()]);
    graph.apply("Mul", &[outputs, &scale])
}

/// `label`, a list: integers if all labels are integers, otherwise text.
fn label(graph: &mut Graph, place: &str, labels: &[String]) {
    let (labels, element) = match integers(labels) {
        Some(integers) => (graph.integers("labels", &integers), Element::Integer),
        None => (graph.texts("labels", &[labels.len()], labels), Element::Text),
    };
    let label = graph.apply_with("Gather", &[&labels, place], &[("axis", 0)]);
    graph.output("label", &label, element, None);
}

fn probabilities(graph: &mut Graph, probabilities: &str, classes: usize) {
    let single = graph.cast(probabilities, Element::Float);
    graph.output("probabilities", &single, Element::Float, Some(classes));
}
