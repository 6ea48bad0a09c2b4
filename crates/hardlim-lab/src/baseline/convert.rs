//! From parameters to an ordinary network.
//!
//! Amplitudes and normalisations between layers are folded into the weights above and below them,
//! and the scaling of the inputs into the first layer. The network decides signs on real numbers,
//! so the answer may differ from training if a sample lies within rounding of a neuron's
//! hyperplane.

use hardlim::Error;
use hardlim::data::Scaling;
use hardlim::network::{Layer, Network, Neuron};
use hardlim::pattern::threshold::flush;

use super::norm::Statistics;
use super::parameters::Parameters;

/// The network of these parameters on inputs as read. `statistics` are those of the training data,
/// one list for each layer; the lists are empty without batch normalisation.
///
/// # Errors
/// When a number is out of range.
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
