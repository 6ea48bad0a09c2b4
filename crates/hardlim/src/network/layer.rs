//! Layers of threshold neurons.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::tuning::NEURONS;
use crate::arrangement::{Hyperplane, evaluate};
use crate::data::Features;
use crate::pattern::threshold::{activates, is_weight};
use crate::pattern::{Pattern, PatternMatrix, forward};

/// One threshold neuron: `1{x·w + b ≥ 0}` over some or all of the layer's inputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Neuron {
    /// The inputs that the weights belong to, in ascending order; all inputs if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Vec<u32>>,
    /// `w`.
    pub weights: Vec<f64>,
    /// `b`.
    pub bias: f64,
}

impl From<Hyperplane> for Neuron {
    fn from(Hyperplane { weights, bias }: Hyperplane) -> Self {
        Self { inputs: None, weights, bias }
    }
}

impl Neuron {
    /// The neuron's answer, decided on the real numbers.
    pub fn fires(&self, x: &[f64]) -> bool {
        match &self.inputs {
            None => activates(x, &self.weights, self.bias),
            Some(inputs) => {
                let x: Vec<f64> = inputs.iter().map(|&k| x[k as usize]).collect();
                activates(&x, &self.weights, self.bias)
            }
        }
    }

    /// Its answers on inputs that are patterns.
    pub fn answer(&self, below: &PatternMatrix) -> Pattern {
        forward::answer(below, self.inputs.as_deref(), &self.weights, self.bias)
    }

    /// The number of inputs that make a difference to it.
    pub fn reads(&self) -> usize {
        self.weights.iter().filter(|w| **w != 0.0).count()
    }

    /// The weights, each with the input that it reads.
    pub fn terms(&self) -> impl Iterator<Item = (usize, f64)> {
        let input = |k: usize| self.inputs.as_ref().map_or(k, |inputs| inputs[k] as usize);
        self.weights.iter().enumerate().map(move |(k, &w)| (input(k), w))
    }

    /// The weights on all of `width` inputs, with zeros where it does not read.
    pub fn hyperplane(&self, width: usize) -> Hyperplane {
        let mut weights = vec![0.0; width];
        self.terms().for_each(|(k, w)| weights[k] = w);
        Hyperplane { weights, bias: self.bias }
    }

    /// What is wrong with a neuron that reads `width` inputs, if anything is.
    pub(crate) fn problem(&self, width: usize) -> Option<String> {
        if !self.weights.iter().chain([&self.bias]).all(|&w| is_weight(w)) {
            return Some("a weight is neither zero nor within 1e±120".into());
        }
        let expected = match &self.inputs {
            None => width,
            Some(inputs) => {
                let ascending = inputs.windows(2).all(|pair| pair[0] < pair[1]);
                if !ascending || inputs.last().is_some_and(|&k| k as usize >= width) {
                    return Some(format!("its inputs are not ascending numbers below {width}"));
                }
                inputs.len()
            }
        };
        let found = self.weights.len();
        (found != expected).then(|| format!("it has {found} weights for {expected} inputs"))
    }
}

/// Neurons side by side that all read the layer below.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Layer {
    /// The neurons.
    pub neurons: Vec<Neuron>,
}

impl Layer {
    /// What each neuron answers on each row.
    pub(crate) fn answers(&self, inputs: &Features) -> PatternMatrix {
        let part = |neurons: &[Neuron]| {
            let planes = neurons.iter().map(|neuron| neuron.hyperplane(inputs.dimension()));
            evaluate(inputs, &planes.collect::<Vec<Hyperplane>>())
        };
        let parts: Vec<PatternMatrix> = self.neurons.par_chunks(NEURONS).map(part).collect();
        let mut answers = PatternMatrix::new(inputs.rows());
        parts.iter().for_each(|part| answers.append(part));
        answers
    }
}
