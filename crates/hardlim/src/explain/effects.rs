//! What each input does to the output.
//!
//! If all neurons that read an input read nothing else, its effect is a step function, and it is
//! exact: the sum of these neurons, minus its mean on the rows. Otherwise the effect is the mean
//! output over the rows if the input is set to a value and all others stay as they are, minus the
//! mean output (partial dependence). The band holds four fifths of the rows: the curves of single
//! rows, each moved to the same height.

use serde::Serialize;

use super::axis::Axis;
use super::rounded;
use super::rule::{Rule, threshold};
use super::variables::{Variable, VariableKind, numbers, variables};
use crate::data::Features;
use crate::model::Model;
use crate::network::{Network, Neuron};
use crate::table::SMALLEST;

/// The most inputs with an effect, those that change the output most; for several classes half of
/// them.
const MOST: usize = 24;
/// The most values of a number that are tried.
const VALUES: usize = 40;
/// The most rows that a mean is taken over.
const ROWS: usize = 120;
/// The part of the rows below the band, and above it.
const OUTSIDE: f64 = 0.1;

/// The effect of one input.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effect {
    pub(super) name: String,
    /// How far the effect is from its mean on the rows, on average, for the network where it is
    /// largest.
    size: f64,
    axis: Axis,
    /// One for each network.
    pub(super) curves: Vec<Curve>,
    /// The place of the input among the variables.
    variable: usize,
}

/// The effect of an input on the output of a network.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Curve {
    /// Whether it is exact; otherwise it is a mean over rows.
    pub(super) exact: bool,
    /// For numbers: where the exact steps are, or the values that were tried. A step belongs to the
    /// values from it on.
    pub(super) at: Vec<f64>,
    /// The effects: between the steps, one more than there are; at the values; or of the labels.
    pub(super) values: Vec<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) low: Vec<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) high: Vec<f64>,
    /// The effect of a missing number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) missing: Option<f64>,
    #[serde(skip)]
    size: f64,
}

/// The effects of the inputs of a model on some rows, the largest first.
pub fn effects(model: &Model, rows: &Features) -> Vec<Effect> {
    let variables = variables(model.coding());
    let sample = sample(rows);
    let mut read: Vec<(usize, &Variable, f64)> = (variables.iter().enumerate())
        .map(|(k, variable)| (k, variable, weight(model, variable)))
        .filter(|(.., weight)| *weight > 0.0)
        .collect();
    // Effects take time: only those of the inputs with the largest weights are computed.
    read.sort_by(|a, b| b.2.total_cmp(&a.2));
    read.truncate(MOST * 10);
    read.sort_by_key(|(k, ..)| *k);
    let mut effects: Vec<Effect> = (read.into_iter())
        .map(|(k, variable, _)| {
            let curve = |network: &Network| match own(network, variable) {
                Some(neurons) => exact(&neurons, variable, rows),
                None => dependence(network, variable, rows, &sample),
            };
            let curves: Vec<Curve> = model.networks().map(curve).collect();
            let size = rounded(curves.iter().map(|curve| curve.size).fold(0.0, f64::max));
            let axis = Axis::of(variable, rows);
            Effect { name: variable.name.clone(), size, axis, curves, variable: k }
        })
        .collect();
    // A stable sort: ties keep the order of the table.
    effects.sort_by(|a, b| b.size.total_cmp(&a.size));
    effects.truncate(if model.parts().len() > 1 { MOST / 2 } else { MOST });
    effects
}

/// The effects as the text of a JSON list.
pub fn effects_json(model: &Model, rows: &Features) -> String {
    serde_json::to_string(&effects(model, rows)).expect("effects are numbers and names")
}

/// The most that the neurons which read a variable can add to the outputs; for more layers, their
/// number.
fn weight(model: &Model, variable: &Variable) -> f64 {
    let of = |network: &Network| -> f64 {
        readers(network, &variable.features()).iter().map(|(_, a)| a.abs()).sum()
    };
    model.networks().map(of).sum()
}

/// The neurons of the first layer that read one of these features and reach the output, with their
/// amplitudes; with ones, if there are more layers.
fn readers<'a>(network: &'a Network, features: &[usize]) -> Vec<(&'a Neuron, f64)> {
    let amplitude =
        |k: usize| if network.layers().len() == 1 { network.amplitudes()[k] } else { 1.0 };
    let reads = |neuron: &Neuron| {
        neuron.terms().any(|(input, weight)| weight != 0.0 && features.contains(&input))
    };
    (network.layers()[0].neurons.iter().enumerate())
        .map(|(k, neuron)| (neuron, amplitude(k)))
        .filter(|(neuron, a)| *a != 0.0 && reads(neuron))
        .collect()
}

/// The neurons that read a variable, with their amplitudes, if they read nothing else.
fn own<'a>(network: &'a Network, variable: &Variable) -> Option<Vec<(&'a Neuron, f64)>> {
    let features = variable.features();
    let alone = |neuron: &Neuron| {
        neuron.terms().all(|(input, weight)| weight == 0.0 || features.contains(&input))
    };
    let neurons = readers(network, &features);
    let exact = network.layers().len() == 1 && neurons.iter().all(|(neuron, _)| alone(neuron));
    exact.then_some(neurons)
}

/// The exact effect of neurons that read a variable and nothing else.
fn exact(neurons: &[(&Neuron, f64)], variable: &Variable, rows: &Features) -> Curve {
    let sum = |row: &[f64]| -> f64 {
        neurons.iter().filter(|(neuron, _)| neuron.fires(row)).map(|(_, a)| a).sum()
    };
    let on_rows: Vec<f64> = (0..rows.rows()).map(|i| sum(rows.row(i))).collect();
    let mean = on_rows.iter().sum::<f64>() / on_rows.len() as f64;
    let size = on_rows.iter().map(|u| (u - mean).abs()).sum::<f64>() / on_rows.len() as f64;
    let mut row = vec![0.0; rows.dimension()];
    let (mut at, mut values, mut missing) = (Vec::new(), Vec::new(), None);
    match &variable.kind {
        VariableKind::Number { feature, missing: gap, .. } => {
            at = steps(neurons, *feature);
            // The values below the first step, and from each step on.
            let below = at.first().map_or(0.0, |first| before(*first));
            for value in [below].iter().chain(&at) {
                variable.put_number(&mut row, Some(*value));
                values.push(sum(&row) - mean);
            }
            if gap.is_some() {
                variable.put_number(&mut row, None);
                missing = Some(sum(&row) - mean);
            }
        }
        VariableKind::Label { states } => {
            for state in 0..states.len() {
                variable.put_state(&mut row, state);
                values.push(sum(&row) - mean);
            }
        }
    }
    Curve { exact: true, at, values, low: Vec::new(), high: Vec::new(), missing, size }
}

/// Where neurons of one number switch: the first doubles above each change.
fn steps(neurons: &[(&Neuron, f64)], feature: usize) -> Vec<f64> {
    let mut steps: Vec<f64> = (neurons.iter())
        .filter_map(|(neuron, _)| {
            let (_, weight) = neuron.terms().find(|(input, w)| *input == feature && *w != 0.0)?;
            match threshold("", weight, neuron.bias) {
                Rule::Threshold { at_least: true, value, .. } => Some(value),
                // Features are zero or not that small.
                Rule::Threshold { value: 0.0, .. } => Some(SMALLEST),
                Rule::Threshold { value, .. } => Some(value.next_up()),
                _ => None,
            }
        })
        .collect();
    steps.sort_by(f64::total_cmp);
    steps.dedup();
    steps
}

/// The last value of a feature before this one.
fn before(value: f64) -> f64 {
    match value {
        0.0 => -SMALLEST,
        SMALLEST => 0.0,
        value => value.next_down(),
    }
}

/// Some rows, evenly spread.
fn sample(rows: &Features) -> Features {
    let count = rows.rows().min(ROWS);
    rows.select(&(0..count).map(|k| k * rows.rows() / count).collect::<Vec<_>>())
}

/// The mean output over some rows for each value of a variable, and a band.
fn dependence(network: &Network, variable: &Variable, rows: &Features, sample: &Features) -> Curve {
    let at = match &variable.kind {
        VariableKind::Number { .. } => grid(numbers(variable, rows)),
        VariableKind::Label { .. } => Vec::new(),
    };
    let states = match &variable.kind {
        VariableKind::Number { missing, .. } => at.len() + usize::from(missing.is_some()),
        VariableKind::Label { states } => states.len(),
    };
    let (count, dimension) = (sample.rows(), sample.dimension());
    let mut values = Vec::with_capacity(states * count * dimension);
    for state in 0..states {
        for i in 0..count {
            let from = values.len();
            values.extend_from_slice(sample.row(i));
            let row = &mut values[from..];
            match &variable.kind {
                VariableKind::Number { .. } => variable.put_number(row, at.get(state).copied()),
                VariableKind::Label { .. } => variable.put_state(row, state),
            }
        }
    }
    let changed = Features::new(states * count, dimension, values).expect("values of the rows");
    let outputs = network.output(&changed);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / count as f64;
    let of_row =
        |i: usize| (0..states).map(|s| outputs[s * count + i]).sum::<f64>() / states as f64;
    let heights: Vec<f64> = (0..count).map(of_row).collect();
    let shift = mean(&heights) - mean(&network.output(sample));
    let outside = (OUTSIDE * count as f64) as usize;
    let (mut means, mut low, mut high) = (Vec::new(), Vec::new(), Vec::new());
    for state in 0..states {
        let mut curves: Vec<f64> =
            (0..count).map(|i| outputs[state * count + i] - heights[i]).collect();
        means.push(rounded(mean(&curves) + shift));
        curves.sort_by(f64::total_cmp);
        low.push(rounded(curves[outside] + shift));
        high.push(rounded(curves[count - 1 - outside] + shift));
    }
    let size = size(variable, rows, &at, &means);
    let missing = (states > at.len() && !at.is_empty()).then(|| {
        low.pop();
        high.pop();
        means.pop().expect("the last state")
    });
    Curve { exact: false, at, values: means, low, high, missing, size }
}

/// How far the effect is from its mean on the rows, on average.
fn size(variable: &Variable, rows: &Features, at: &[f64], means: &[f64]) -> f64 {
    let place = |i: usize| match variable.number(rows.row(i)) {
        Some(value) => Some(at.partition_point(|v| *v < value).min(at.len().saturating_sub(1))),
        None if at.is_empty() => variable.state(rows.row(i)),
        None => Some(at.len()),
    };
    let found: Vec<f64> =
        (0..rows.rows()).filter_map(place).filter_map(|k| means.get(k).copied()).collect();
    let count = found.len().max(1) as f64;
    let mean = found.iter().sum::<f64>() / count;
    found.iter().map(|u| (u - mean).abs()).sum::<f64>() / count
}

/// Values of a number to try: all, or evenly spread over the rows.
fn grid(mut numbers: Vec<f64>) -> Vec<f64> {
    numbers.sort_by(f64::total_cmp);
    let mut distinct = numbers.clone();
    distinct.dedup();
    if distinct.len() <= VALUES {
        return distinct;
    }
    let last = numbers.len() - 1;
    let mut grid: Vec<f64> = (0..VALUES).map(|k| numbers[k * last / (VALUES - 1)]).collect();
    grid.dedup();
    grid
}
