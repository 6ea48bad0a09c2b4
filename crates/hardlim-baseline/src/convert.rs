//! From parameters to an ordinary network.
//!
//! Amplitudes and normalisations between layers are folded into the weights above and below them, the
//! scaling of the inputs into the first layer. What the network answers is decided on the real
//! numbers, so a sample that lies on a neuron's hyperplane to the last digit may be answered otherwise
//! than in training.

use hardlim::Error;
use hardlim::data::Scaling;
use hardlim::network::{Layer, Network, Neuron};
use hardlim::pattern::threshold::flush;

use crate::norm::Statistics;
use crate::parameters::Parameters;

/// The network of these parameters on inputs as read; `statistics` are those of the training data,
/// one list a layer, empty without batch normalisation.
///
/// # Errors
/// When a number has grown out of range.
pub(crate) fn network(
    parameters: &Parameters,
    statistics: &[Vec<Statistics>],
    scaling: &Scaling,
) -> Result<Network, Error> {
    let mut layers = Vec::new();
    for (l, layer) in parameters.layers.iter().enumerate() {
        let neuron = |j: usize| {
            let mut weights = layer.weights.col_as_slice(j).to_vec();
            let mut bias = layer.bias[j];
            if l > 0 {
                let below = &parameters.layers[l - 1].amplitude;
                weights.iter_mut().zip(below).for_each(|(w, s)| *w *= s);
            }
            if let Some((gain, shift)) = &layer.norm {
                let Statistics { mean, deviation } = statistics[l][j];
                let scale = gain[j] / deviation;
                weights.iter_mut().for_each(|w| *w *= scale);
                bias = scale * (bias - mean) + shift[j];
            }
            if l == 0 {
                (weights, bias) = scaling.fold(&weights, bias);
            }
            let weights = weights.into_iter().map(flush).collect();
            Neuron { inputs: None, weights, bias: flush(bias) }
        };
        layers.push(Layer { neurons: (0..layer.bias.len()).map(neuron).collect() });
    }
    let inputs = parameters.layers[0].weights.nrows();
    Network::new(inputs, layers, parameters.amplitudes(), 0.0)
}
