//! The best output layer for the hidden layers that training found: a Lasso program over the
//! patterns of the last of them.

use hardlim::Error;
use hardlim::data::Dataset;
use hardlim::loss::LossKind;
use hardlim::network::{Layer, Network};
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::{ActiveSet, Solution};

/// The network with optimal output weights, without the neurons that these leave out, and the
/// solution that says how good they are.
///
/// # Errors
/// When the targets do not suit the loss.
pub fn polish(
    network: &Network,
    data: &Dataset,
    loss: LossKind,
    beta: Beta,
    solver: &ActiveSet<'_>,
) -> Result<(Network, Solution), Error> {
    let patterns = network.patterns(data.features());
    let program = LassoProgram::new(&patterns, data.targets(), loss, beta)?;
    let solution = solver.solve(&program);
    let used: Vec<usize> =
        (0..patterns.patterns()).filter(|&j| solution.coefficients[j] != 0.0).collect();
    let mut layers = network.layers().to_vec();
    let last = layers.pop().expect("there is a hidden layer");
    layers.push(Layer { neurons: used.iter().map(|&j| last.neurons[j].clone()).collect() });
    let amplitudes = used.iter().map(|&j| solution.coefficients[j]).collect();
    Ok((Network::new(network.inputs(), layers, amplitudes, solution.offset)?, solution))
}
