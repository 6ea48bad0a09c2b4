//! The best output layer for trained hidden layers: the Lasso program over the patterns of the last
//! one.

use hardlim::Error;
use hardlim::data::Dataset;
use hardlim::loss::LossKind;
use hardlim::network::{Layer, Network};
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::{ActiveSet, Solution};

/// The network with optimal output weights, without the neurons whose output weight is zero, and
/// the solution with its certificate.
///
/// # Errors
/// When the loss does not take the targets.
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
