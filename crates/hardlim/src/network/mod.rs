//! Networks of threshold neurons: `f(x) = c + Σⱼ aⱼ 1{x̃·wⱼ ≥ 0}`, of any depth.
//!
//! A deep network is a stack of layers. Parallel subnetworks are neurons that read only their own
//! part of the layer below. The amplitudes `aⱼ` lie on a grid where sums are exact
//! ([`round_to_grid`]), so an output has the same value on every machine.

mod cell;
mod layer;
mod output;
pub mod recipe;
pub(crate) mod representation;
pub(crate) mod staircase;
mod tuning;

pub use cell::{Cell, Grid, Rechoice, Weights, reconstruct};
pub(crate) use cell::{Nearest, reconstruct_until, width};
pub use layer::{Layer, Neuron};
pub use representation::Representation;
pub(crate) use staircase::Staircase;

use rayon::prelude::*;

use crate::arrangement::cost_of_inputs;
use crate::data::Features;
use crate::error::Error;
use crate::exact::sum::round_to_grid;
use crate::pattern::{Pattern, PatternMatrix};

/// A network: hidden layers of threshold neurons, then a linear output.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    inputs: usize,
    layers: Vec<Layer>,
    amplitudes: Vec<f64>,
    offset: f64,
    grid: Option<Grid>,
    /// The stated number of neurons of the first layer that are not on the grid.
    off_grid: usize,
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
        Ok(Self { inputs, layers, amplitudes: numbers, offset, grid: None, off_grid: 0 })
    }

    /// The same network with other output weights. In a network of two layers, neurons whose output
    /// weight is zero are left out.
    pub(crate) fn with_amplitudes(self, mut amplitudes: Vec<f64>, offset: f64) -> Self {
        let mut layers = self.layers;
        if let [layer] = &mut layers[..] {
            let mut read = amplitudes.iter();
            layer.neurons.retain(|_| read.next().is_none_or(|a| *a != 0.0));
            amplitudes.retain(|a| *a != 0.0);
        }
        let network = Self::new(self.inputs, layers, amplitudes, offset);
        network.expect("only the output weights are other ones").with_grid(self.grid)
    }

    /// The number of features that the network reads.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The hidden layers.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The number of layers, including the linear output.
    pub fn depth(&self) -> usize {
        self.layers.len() + 1
    }

    /// `a`, one for each neuron of the last hidden layer.
    pub fn amplitudes(&self) -> &[f64] {
        &self.amplitudes
    }

    /// `kⱼᴾ aⱼ`: the amplitudes, each times what its neuron pays for the `k` inputs that it reads.
    /// With `P = 0` they are the amplitudes themselves.
    pub fn paid_amplitudes(&self, input_cost: f64) -> impl Iterator<Item = f64> {
        let last = self.layers.last().expect("a network has a hidden layer");
        let paid =
            move |(neuron, a): (&Neuron, &f64)| cost_of_inputs(neuron.reads(), input_cost) * a;
        last.neurons.iter().zip(&self.amplitudes).map(paid)
    }

    /// `c`, the output bias; zero unless the network has one.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// The grid on which the first layer has integer weights, if these were chosen.
    pub fn grid(&self) -> Option<&Grid> {
        self.grid.as_ref()
    }

    /// The same network, with a first layer for inputs on a grid.
    pub(crate) fn with_grid(self, grid: Option<Grid>) -> Self {
        assert!(grid.iter().all(|grid| grid.shifts().len() == self.inputs), "one for each input");
        let network = Self { grid, ..self };
        let off_grid = network.off_grid().map_or(0, |(found, _)| found);
        Self { off_grid, ..network }
    }

    /// The same network, stating that this many neurons of the first layer are not on the grid.
    pub(crate) fn with_off_grid(self, off_grid: usize) -> Self {
        Self { off_grid, ..self }
    }

    /// How many neurons of the first layer are not on the grid, and the stated number of neurons
    /// without integer weights. `None` if there is no grid.
    pub fn off_grid(&self) -> Option<(usize, usize)> {
        let grid = self.grid.as_ref()?;
        let neurons = self.layers[0].neurons.iter();
        Some((neurons.filter(|neuron| grid.bits_of(neuron).is_none()).count(), self.off_grid))
    }

    /// The number of output weights that are not zero.
    pub fn neurons(&self) -> usize {
        self.amplitudes.iter().filter(|a| **a != 0.0).count()
    }

    /// The answers of the last hidden layer, one pattern for each of its neurons.
    pub fn patterns(&self, features: &Features) -> PatternMatrix {
        assert_eq!(features.dimension(), self.inputs, "as many features as inputs");
        let mut patterns = self.layers[0].answers(features);
        for layer in &self.layers[1..] {
            let answers: Vec<Pattern> =
                layer.neurons.par_iter().map(|neuron| neuron.answer(&patterns)).collect();
            patterns = PatternMatrix::from_patterns(features.rows(), &answers);
        }
        patterns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neuron(inputs: Option<Vec<u32>>, weights: &[f64], bias: f64) -> Neuron {
        Neuron { inputs, weights: weights.to_vec(), bias }
    }

    /// Exclusive or, by two layers: a or b, but not both.
    fn exclusive_or() -> Network {
        let below = vec![neuron(None, &[1.0, 1.0], -1.0), neuron(None, &[1.0, 1.0], -2.0)];
        let above = vec![neuron(None, &[1.0, -1.0], -1.0), neuron(Some(vec![1]), &[1.0], -1.0)];
        let layers = vec![Layer { neurons: below }, Layer { neurons: above }];
        Network::new(2, layers, vec![2.0, 0.5], -1.0).unwrap()
    }

    #[test]
    fn a_deep_network_answers_through_its_layers() {
        let features = Features::new(4, 2, vec![0., 0., 0., 1., 1., 0., 1., 1.]).unwrap();
        let network = exclusive_or();
        assert_eq!(network.output(&features), [-1.0, 1.0, 1.0, -0.5]);
        assert_eq!((network.depth(), network.neurons()), (3, 2));
    }

    #[test]
    fn a_network_without_neurons_answers_its_offset() {
        let features = Features::new(2, 1, vec![0.0, 1.0]).unwrap();
        let network = |offset| Network::new(1, vec![Layer { neurons: vec![] }], vec![], offset);
        assert_eq!(network(0.25).unwrap().output(&features), [0.25, 0.25]);
        assert!(network(f64::NAN).is_err());
    }

    #[test]
    fn parts_that_do_not_fit_are_refused_with_their_place() {
        let make = |layers: Vec<Vec<Neuron>>, amplitudes: Vec<f64>| {
            let layers = layers.into_iter().map(|neurons| Layer { neurons }).collect();
            Network::new(2, layers, amplitudes, 0.0).unwrap_err().to_string()
        };
        let good = || neuron(None, &[1.0, 1.0], 0.0);
        assert_eq!(make(vec![], vec![]), "not a network: there is no hidden layer");
        let found = "not a network: 2 amplitudes for 1 neurons";
        assert_eq!(make(vec![vec![good()]], vec![1.0, 1.0]), found);
        let found = "not a network: layer 1, neuron 2: it has 1 weights for 2 inputs";
        assert_eq!(make(vec![vec![good(), neuron(None, &[1.0], 0.0)]], vec![1.0; 2]), found);
        let found = "not a network: layer 2, neuron 1: it has 2 weights for 1 inputs";
        assert_eq!(make(vec![vec![good()], vec![good()]], vec![1.0]), found);
        for inputs in [vec![1, 0], vec![0, 0], vec![0, 2]] {
            let found =
                "not a network: layer 1, neuron 1: its inputs are not ascending numbers below 2";
            assert_eq!(make(vec![vec![neuron(Some(inputs), &[1.0; 2], 0.0)]], vec![1.0]), found);
        }
        for weight in [1e121, 1e-121, f64::NAN, f64::INFINITY] {
            let found = make(vec![vec![neuron(None, &[weight, 1.0], 0.0)]], vec![1.0]);
            assert!(found.ends_with("a weight is neither zero nor within 1e±120"), "{found}");
        }
    }
}
