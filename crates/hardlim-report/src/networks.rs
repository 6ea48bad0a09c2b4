//! The networks of a model as the page evaluates them, and their rules in words.

use hardlim::explain::{Explained, Explanation, WhereMissing, rounded};
use hardlim::model::Model;
use hardlim::network::{self, Layer};
use serde::Serialize;

/// The most neurons of a layer that are put into words.
const WORDS: usize = 120;
/// The most terms of a rule.
const TERMS: usize = 4;
/// The most rules in the table.
const RULES: usize = 100;

/// One network, with the weights to the last bit.
#[derive(Debug, Serialize)]
pub(crate) struct Network {
    offset: f64,
    amplitudes: String,
    layers: Vec<Neurons>,
    /// The neurons of the last layer in words, the most important first.
    words: Vec<Words>,
    /// On how many rows each neuron of the last layer fires.
    fires: Vec<usize>,
}

/// The neurons of a layer: how many inputs each reads, which, and the weights, all one after the
/// other.
#[derive(Debug, Serialize)]
struct Neurons {
    sizes: Vec<usize>,
    inputs: Vec<usize>,
    weights: String,
    biases: String,
}

#[derive(Debug, Serialize)]
struct Words {
    place: usize,
    rule: String,
}

/// A rule of the last layer: neurons that ask the same.
#[derive(Debug, Serialize)]
pub(crate) struct RuleText {
    reads: Vec<String>,
    rule: String,
    weight: f64,
    fires: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<WhereMissing>,
    change: f64,
    neurons: usize,
}

/// A neuron below the last layer, which other neurons name.
#[derive(Debug, Serialize)]
pub(crate) struct Lower<'a> {
    name: &'a str,
    rule: String,
    fires: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<WhereMissing>,
}

impl<'a> Lower<'a> {
    fn of(neuron: &'a Explained) -> Self {
        let Explained { name, fires, missing, .. } = neuron;
        Self { name, rule: neuron.text(TERMS), fires: *fires, missing: *missing }
    }
}

/// The neurons of the layers below the last, the uppermost first, and in each the most important
/// first.
pub(crate) fn lower(explanation: &Explanation) -> Vec<Vec<Lower<'_>>> {
    explanation
        .below()
        .iter()
        .rev()
        .map(|layer| layer.iter().take(WORDS).map(Lower::of).collect())
        .collect()
}

pub(crate) fn networks(model: &Model, explanations: &[Explanation]) -> Vec<Network> {
    model.networks().zip(explanations).map(|(network, words)| one(network, words)).collect()
}

fn one(network: &network::Network, explanation: &Explanation) -> Network {
    let below: usize = network.layers().iter().rev().skip(1).map(|layer| layer.neurons.len()).sum();
    // Names count the neurons of all layers from 1.
    let place = |name: &str| name[1..].parse::<usize>().expect("h and a number") - below - 1;
    let mut fires = vec![0; network.amplitudes().len()];
    let last = explanation.layers.last().map(Vec::as_slice).unwrap_or_default();
    for neuron in last {
        fires[place(&neuron.name)] = neuron.fires.unwrap_or(0);
    }
    let word = |neuron: &Explained| Words { place: place(&neuron.name), rule: neuron.text(TERMS) };
    Network {
        offset: network.offset(),
        amplitudes: base64(network.amplitudes()),
        layers: network.layers().iter().map(neurons).collect(),
        words: last.iter().take(WORDS).map(word).collect(),
        fires,
    }
}

fn neurons(layer: &Layer) -> Neurons {
    let (mut sizes, mut inputs, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for neuron in &layer.neurons {
        sizes.push(neuron.reads());
        // A weight of zero adds nothing to the exact sum.
        for (input, weight) in neuron.terms().filter(|(_, weight)| *weight != 0.0) {
            inputs.push(input);
            weights.push(weight);
        }
    }
    let biases: Vec<f64> = layer.neurons.iter().map(|neuron| neuron.bias).collect();
    Neurons { sizes, inputs, weights: base64(&weights), biases: base64(&biases) }
}

/// The rules of the last layer, those that change the output most first.
pub(crate) fn rules(explanation: &Explanation) -> Vec<RuleText> {
    let mut rules: Vec<RuleText> = (explanation.groups.iter())
        .flat_map(|group| group.rules.iter().map(|rule| (&group.reads, rule)))
        .map(|(reads, merged)| RuleText {
            reads: reads.iter().take(TERMS).cloned().collect(),
            rule: merged.text(TERMS),
            weight: rounded(merged.weight),
            fires: merged.fires,
            missing: merged.missing,
            change: rounded(merged.importance),
            neurons: merged.neurons.len(),
        })
        .collect();
    rules.sort_by(|a, b| b.change.total_cmp(&a.change));
    rules.truncate(RULES);
    rules
}

/// Doubles as text: their bytes, the lowest first, six bits a letter.
fn base64(values: &[f64]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word = (0..3).fold(0, |word, k| word << 8 | u32::from(*three.get(k).unwrap_or(&0)));
        for k in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * k) & 63) as usize];
            text.push(if k <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_become_letters() {
        assert_eq!(base64(&[]), "");
        assert_eq!(base64(&[1.0]), "AAAAAAAA8D8=");
        assert_eq!(base64(&[1.0, -0.1]), "AAAAAAAA8D+amZmZmZm5vw==");
        assert_eq!(base64(&[0.5, 2.0, 3.0]), "AAAAAAAA4D8AAAAAAAAAQAAAAAAAAAhA");
    }
}
