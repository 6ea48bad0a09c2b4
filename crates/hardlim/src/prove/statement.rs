//! The statement of a proof: how the table is read, the networks, the claim. `docs/proofs.md` says
//! what the fields mean.

use serde::Serialize;

use super::Place as Rows;
use super::number::{Ratio, grid, whole};
use super::table::Inputs;
use crate::certificate::NetworkClass;
use crate::network::{Layer, Network};
use crate::table::coding::{ColumnCoding, ColumnRef, Kind, Reading};
use crate::table::{Coding, TargetCoding};

/// `statement.json`. Numbers are texts: integers, or fractions `a/b`.
#[derive(Debug, Serialize)]
pub(super) struct Statement {
    pub(super) format: &'static str,
    pub(super) claim: String,
    pub(super) problem: String,
    pub(super) table: TableFields,
    pub(super) class: ClassFields,
    pub(super) networks: Vec<NetworkFields>,
}

#[derive(Debug, Serialize)]
pub(super) struct TableFields {
    named: bool,
    rows: usize,
    /// Rows of the table that are not part of the problem, from 0.
    held_out: Vec<usize>,
    inputs: Vec<InputFields>,
    target: TargetFields,
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<Place>,
    /// What the weight of a row is multiplied by, for each label.
    #[serde(skip_serializing_if = "Option::is_none")]
    label_weights: Option<Vec<(String, String)>>,
}

#[derive(Debug, Serialize)]
struct Place {
    column: String,
    position: usize,
}

impl Place {
    fn of(column: &ColumnRef) -> Self {
        Self { column: column.name.clone(), position: column.position }
    }
}

#[derive(Debug, Serialize)]
struct InputFields {
    name: String,
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    how: How,
    /// The rows of `core.txt` have the value of the input divided by this.
    unit: String,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum How {
    Number {
        #[serde(skip_serializing_if = "Option::is_none")]
        fill: Option<String>,
    },
    /// One for this label.
    Label {
        level: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        fill: Option<String>,
        any_case: bool,
    },
    /// One for labels that are not listed.
    Other {
        levels: Vec<String>,
        any_case: bool,
    },
    Missing,
    /// A date, or a number that is not written plainly or is rounded: only hardlim reads it.
    Written,
}

#[derive(Debug, Serialize)]
struct TargetFields {
    #[serde(flatten)]
    place: Place,
    /// The labels; numbers if absent. Of two, the second is `+1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<Vec<String>>,
    any_case: bool,
    /// Whether only hardlim reads its numbers.
    written: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct ClassFields {
    pub(super) networks: String,
    /// The number of layers, the linear output included; any if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) layers: Option<usize>,
    pub(super) widths: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_inputs: Option<usize>,
}

impl ClassFields {
    pub(super) fn of(class: &NetworkClass, networks: String) -> Self {
        let NetworkClass { layers, ref widths, max_inputs, .. } = *class;
        Self { networks, layers, widths: widths.clone(), max_inputs }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct NetworkFields {
    pub(super) core: String,
    /// The class that it tells from all others, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) label: Option<String>,
    pub(super) lower_bound: String,
    pub(super) objective: String,
    output_bias: String,
    /// Of each neuron of the last hidden layer.
    amplitudes: Vec<String>,
    layers: Vec<Vec<NeuronFields>>,
}

/// `1{Σ weights · inputs + bias ≥ 0}`, inputs counted from 1.
#[derive(Debug, Serialize)]
struct NeuronFields {
    inputs: String,
    weights: String,
    bias: String,
}

pub(super) fn fraction(x: f64) -> String {
    let Ratio(num, den) = Ratio::of(x);
    format!("{num}/{den}")
}

impl NetworkFields {
    pub(super) fn of(
        network: &Network,
        inputs: &Inputs,
        core: String,
        label: Option<String>,
        [lower_bound, objective]: [f64; 2],
    ) -> Self {
        let layer = |(l, layer): (usize, &Layer)| {
            let neuron = |k: usize| {
                let neuron = &layer.neurons[k];
                let terms: Vec<(usize, f64)> = neuron.terms().filter(|(_, w)| *w != 0.0).collect();
                let numbers = if l == 0 {
                    inputs.weights(&terms, neuron.bias)
                } else {
                    let all = || terms.iter().map(|(_, w)| *w).chain([neuron.bias]);
                    all().map(|w| whole(w, grid(all()))).collect()
                };
                let (bias, weights) = numbers.split_last().expect("there is a bias");
                let joined = |words: Vec<String>| words.join(" ");
                NeuronFields {
                    inputs: joined(terms.iter().map(|(j, _)| (j + 1).to_string()).collect()),
                    weights: joined(weights.iter().map(ToString::to_string).collect()),
                    bias: bias.to_string(),
                }
            };
            (0..layer.neurons.len()).map(neuron).collect()
        };
        Self {
            core,
            label,
            lower_bound: fraction(lower_bound),
            objective: fraction(objective),
            output_bias: fraction(network.offset()),
            amplitudes: network.amplitudes().iter().map(|a| fraction(*a)).collect(),
            layers: network.layers().iter().enumerate().map(layer).collect(),
        }
    }
}

impl TableFields {
    pub(super) fn of(
        coding: &Coding,
        place: Rows,
        label_weights: Option<Vec<(String, f64)>>,
        inputs: &Inputs,
    ) -> Self {
        let names = coding.feature_names().into_iter();
        let hows = coding.columns().iter().flat_map(|column| {
            hows(column).into_iter().map(|how| (Place::of(&column.column), how))
        });
        let fields = names.zip(hows).zip(&inputs.units).map(|((name, (place, how)), unit)| {
            let Ratio(num, den) = unit.ratio();
            InputFields { name, place, how, unit: format!("{num}/{den}") }
        });
        let target = coding.target();
        let label_weights = label_weights
            .map(|all| all.into_iter().map(|(label, weight)| (label, fraction(weight))).collect());
        let Rows { named, rows, held_out } = place;
        Self {
            named,
            rows,
            held_out,
            inputs: fields.collect(),
            target: TargetFields {
                place: Place::of(target.column()),
                labels: target.classes().map(<[String]>::to_vec),
                any_case: coding.target_in_any_case(),
                written: !coding.target_is_plain(),
            },
            weight: coding.weight().map(Place::of),
            label_weights,
        }
    }
}

/// How the inputs of a column are read.
fn hows(coding: &ColumnCoding) -> Vec<How> {
    let any_case = coding.folded.is_some();
    match (&coding.reading, &coding.kind) {
        (Reading::Written { .. } | Reading::Time { .. }, _) => vec![How::Written],
        (Reading::Missing { .. }, _) => vec![How::Missing],
        (Reading::Other { levels, .. }, _) => {
            vec![How::Other { levels: levels.clone(), any_case }]
        }
        (Reading::Plain, Kind::Number { .. }) if coding.steps.is_some() => vec![How::Written],
        (Reading::Plain, Kind::Number { fill }) => {
            vec![How::Number { fill: fill.map(fraction) }]
        }
        (Reading::Plain, Kind::Category { levels, fill }) => {
            let first = levels.len() - coding.width();
            let label =
                |level: &String| How::Label { level: level.clone(), fill: fill.clone(), any_case };
            levels[first..].iter().map(label).collect()
        }
    }
}

/// The label of a part, if there are several classes.
pub(super) fn label(target: &TargetCoding, k: usize) -> Option<String> {
    match target {
        TargetCoding::Several { classes, .. } => Some(classes[k].clone()),
        _ => None,
    }
}
