//! Networks of threshold neurons: `f(x) = c + Σⱼ aⱼ 1{x̃·wⱼ ≥ 0}`, of any depth.
//!
//! A deep network is a stack of layers; parallel subnetworks are neurons that read only their own
//! part of the layer below. The amplitudes `aⱼ` lie on a grid where sums are exact
//! ([`round_to_grid`]), so an output has one value, on every machine.

mod format;
mod layer;
mod model;
pub mod recipe;
mod reconstruct;
pub mod score;

pub use layer::{Layer, Neuron};
pub use model::{Check, Model};
pub use reconstruct::{Cell, Weights, reconstruct};

use rayon::prelude::*;

use crate::arrangement::evaluate;
use crate::data::Features;
use crate::error::Error;
use crate::pattern::{Pattern, PatternMatrix};
use crate::sum::round_to_grid;

/// A network: hidden layers of threshold neurons, then a linear output.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    inputs: usize,
    layers: Vec<Layer>,
    amplitudes: Vec<f64>,
    offset: f64,
}

impl Network {
    /// A network of these hidden layers. Amplitudes and offset are rounded to their grid.
    ///
    /// # Errors
    /// When there is no layer, widths do not fit, or a number is out of range.
    pub fn new(
        inputs: usize,
        layers: Vec<Layer>,
        amplitudes: Vec<f64>,
        offset: f64,
    ) -> Result<Self, Error> {
        if layers.is_empty() {
            return Err(Error::Network("there is no hidden layer".into()));
        }
        let mut width = inputs;
        for (l, layer) in layers.iter().enumerate() {
            for (k, neuron) in layer.neurons.iter().enumerate() {
                if let Some(problem) = neuron.problem(width) {
                    let place = format!("layer {}, neuron {}", l + 1, k + 1);
                    return Err(Error::Network(format!("{place}: {problem}")));
                }
            }
            width = layer.neurons.len();
        }
        if amplitudes.len() != width {
            let found = amplitudes.len();
            return Err(Error::Network(format!("{found} amplitudes for {width} neurons")));
        }
        let mut numbers = amplitudes;
        numbers.push(offset);
        if !numbers.iter().map(|a| a.abs()).sum::<f64>().is_finite() {
            return Err(Error::Network("the amplitudes are not finite".into()));
        }
        round_to_grid(&mut numbers);
        let offset = numbers.pop().expect("pushed above");
        Ok(Self { inputs, layers, amplitudes: numbers, offset })
    }

    /// How many numbers a sample has.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The hidden layers.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The number of layers, the linear output counted.
    pub fn depth(&self) -> usize {
        self.layers.len() + 1
    }

    /// `a`, one for each neuron of the last hidden layer.
    pub fn amplitudes(&self) -> &[f64] {
        &self.amplitudes
    }

    /// `c`, the output bias; zero unless asked for.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// How many output weights are not zero.
    pub fn neurons(&self) -> usize {
        self.amplitudes.iter().filter(|a| **a != 0.0).count()
    }

    /// What the last hidden layer answers, one pattern for each of its neurons.
    ///
    /// # Panics
    /// When the rows have another number of features than the network reads.
    pub fn patterns(&self, features: &Features) -> PatternMatrix {
        assert_eq!(features.dimension(), self.inputs, "as many features as inputs");
        let planes = |layer: &Layer, width: usize| -> Vec<_> {
            layer.neurons.iter().map(|neuron| neuron.hyperplane(width)).collect()
        };
        let mut patterns = evaluate(features, &planes(&self.layers[0], self.inputs));
        for layer in &self.layers[1..] {
            let width = patterns.patterns();
            let answers: Vec<Vec<bool>> = (0..features.rows())
                .into_par_iter()
                .map(|i| {
                    let bit = |j| f64::from(u8::from(patterns.get(i, j)));
                    let x: Vec<f64> = (0..width).map(bit).collect();
                    layer.neurons.iter().map(|neuron| neuron.fires(&x)).collect()
                })
                .collect();
            let next: Vec<Pattern> = (0..layer.neurons.len())
                .map(|j| Pattern::from_fn(features.rows(), |i| answers[i][j]))
                .collect();
            patterns = PatternMatrix::from_patterns(features.rows(), &next);
        }
        patterns
    }

    /// `f(x)` for every row.
    ///
    /// # Panics
    /// When the rows have another number of features than the network reads.
    pub fn output(&self, features: &Features) -> Vec<f64> {
        let patterns = self.patterns(features);
        let mut output = patterns.combine(self.amplitudes.iter().copied().enumerate());
        output.iter_mut().for_each(|u| *u += self.offset);
        output
    }
}
