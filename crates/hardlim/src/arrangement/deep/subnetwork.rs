//! Subnetworks: layers of threshold neurons that end in one neuron.

use crate::arrangement::Hyperplane;
use crate::pattern::threshold::activates;
use crate::pattern::{Pattern, PatternMatrix, forward};

/// Layers of threshold neurons. Every layer reads the whole layer below, and the last one has one
/// neuron.
#[derive(Debug, Clone, PartialEq)]
pub struct Subnetwork {
    layers: Vec<Vec<Hyperplane>>,
}

impl From<Hyperplane> for Subnetwork {
    fn from(neuron: Hyperplane) -> Self {
        Self { layers: vec![vec![neuron]] }
    }
}

/// The neuron of a subnetwork of one layer; a deeper one is returned.
impl TryFrom<Subnetwork> for Hyperplane {
    type Error = Subnetwork;

    fn try_from(mut subnetwork: Subnetwork) -> Result<Self, Subnetwork> {
        match &mut subnetwork.layers[..] {
            [layer] => Ok(layer.remove(0)),
            _ => Err(subnetwork),
        }
    }
}

impl Subnetwork {
    /// A subnetwork of these layers; the first one reads the features.
    ///
    /// # Panics
    /// When a neuron does not have one weight for each neuron of the layer below, or the last layer
    /// does not have one neuron.
    pub fn new(layers: Vec<Vec<Hyperplane>>) -> Self {
        let fits =
            |pair: &[Vec<Hyperplane>]| pair[1].iter().all(|n| n.weights.len() == pair[0].len());
        assert!(layers.windows(2).all(fits), "one weight for each neuron below");
        assert!(layers.last().is_some_and(|last| last.len() == 1), "one neuron at the end");
        Self { layers }
    }

    /// The layers; the first one reads the features.
    pub fn layers(&self) -> &[Vec<Hyperplane>] {
        &self.layers
    }

    /// The answer of the last neuron. Every sign is decided on the real numbers.
    pub fn fires(&self, x: &[f64]) -> bool {
        let mut inputs = x.to_vec();
        for layer in &self.layers {
            let answer = |neuron: &Hyperplane| activates(&inputs, &neuron.weights, neuron.bias);
            inputs = layer.iter().map(|neuron| f64::from(answer(neuron))).collect();
        }
        inputs == [1.0]
    }

    /// The answer of the last neuron, given the answers of the first layer.
    pub(super) fn answer(&self, first: PatternMatrix) -> Pattern {
        let rows = first.samples();
        let layer = |below: PatternMatrix, layer: &Vec<Hyperplane>| {
            let neuron = |n: &Hyperplane| forward::answer(&below, None, &n.weights, n.bias);
            let answers: Vec<Pattern> = layer.iter().map(neuron).collect();
            PatternMatrix::from_patterns(rows, &answers)
        };
        self.layers[1..].iter().fold(first, layer).pattern(0)
    }

    /// This subnetwork on top of a layer of neurons, which it reads in place of the features.
    pub(super) fn above(&self, layer: Vec<Hyperplane>) -> Self {
        Self { layers: std::iter::once(layer).chain(self.layers.iter().cloned()).collect() }
    }

    /// Subnetworks of this depth side by side, read by one neuron: a tree, because each keeps its
    /// own inputs. Without subnetworks the neuron is constant, and the layers below it are empty.
    pub(super) fn join(parts: &[&Self], depth: usize, neuron: &Hyperplane) -> Self {
        let mut layers: Vec<Vec<Hyperplane>> = Vec::new();
        for l in 0..depth {
            let below = layers.last().map(Vec::len);
            let (mut layer, mut offset) = (Vec::new(), 0);
            for part in parts {
                for neuron in &part.layers[l] {
                    let mut neuron = neuron.clone();
                    if let Some(below) = below {
                        let own = std::mem::replace(&mut neuron.weights, vec![0.0; below]);
                        neuron.weights[offset..offset + own.len()].copy_from_slice(&own);
                    }
                    layer.push(neuron);
                }
                offset += l.checked_sub(1).map_or(0, |below| part.layers[below].len());
            }
            layers.push(layer);
        }
        layers.push(vec![neuron.clone()]);
        Self { layers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neuron(weights: &[f64], bias: f64) -> Hyperplane {
        Hyperplane { weights: weights.to_vec(), bias }
    }

    #[test]
    fn an_interval_takes_two_neurons_and_one() {
        let last = Subnetwork::from(neuron(&[1.0, -1.0], -1.0));
        let interval = last.above(vec![neuron(&[1.0], 0.0), neuron(&[1.0], -2.0)]);
        let answers: Vec<bool> =
            [-1.0, 0.0, 1.0, 2.0].iter().map(|&x| interval.fires(&[x])).collect();
        assert_eq!(answers, [false, true, true, false]);
    }

    #[test]
    fn parts_of_a_tree_keep_their_inputs() {
        let above = |t: f64| Subnetwork::from(neuron(&[1.0], -1.0)).above(vec![neuron(&[1.0], -t)]);
        let tree = Subnetwork::join(&[&above(0.0), &above(2.0)], 2, &neuron(&[1.0, -1.0], -1.0));
        assert_eq!(tree.layers().iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
        assert!(tree.fires(&[1.0]) && !tree.fires(&[3.0]) && !tree.fires(&[-1.0]));
    }
}
