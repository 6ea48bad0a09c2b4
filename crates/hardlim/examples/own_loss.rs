//! Training with your own loss, step by step: patterns, program, certificate, network.
//!
//! `cargo run --release -p hardlim --example own_loss`

#![allow(clippy::print_stdout, reason = "it prints what it found")]

use hardlim::arrangement::Arrangement;
use hardlim::data::{Features, Scaling};
use hardlim::loss::{Loss, above};
use hardlim::network::{Cell, Layer, Network, Neuron, Weights, reconstruct};
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::ActiveSet;
use hardlim::{Dataset, Error};

/// A bakery that bakes too little loses more than one that bakes too much:
/// `l(u, y) = k(u − y)²/2`, where `k = 3` below the target `y` and `k = 1` above it.
#[derive(Debug)]
struct Lopsided;

/// `k`, by the sign of `u − y`, which is also the sign of the derivative.
fn k(side: f64) -> f64 {
    if side < 0.0 { 3.0 } else { 1.0 }
}

impl Loss for Lopsided {
    fn name(&self) -> &'static str {
        "lopsided"
    }

    fn value(&self, u: f64, y: f64) -> f64 {
        k(u - y) * (u - y) * (u - y) / 2.0
    }

    // From the left and from the right; they are equal, since the loss is smooth.
    fn subgradient(&self, u: f64, y: f64) -> (f64, f64) {
        let slope = k(u - y) * (u - y);
        (slope, slope)
    }

    // max_u zu − l(u, y) = zy + z²/(2k). The proof rests on this number, so it is rounded up.
    fn conjugate(&self, z: f64, y: f64) -> f64 {
        above([z * y, z * z / (2.0 * k(z))])
    }

    // The conjugate is finite everywhere.
    fn domain(&self, _y: f64) -> (f64, f64) {
        (f64::NEG_INFINITY, f64::INFINITY)
    }

    // These two are not needed, but make the solver faster.
    fn curvature(&self, u: f64, y: f64) -> f64 {
        k(u - y)
    }

    fn curvature_bound(&self) -> Option<f64> {
        Some(3.0)
    }
}

pub(crate) fn main() -> Result<(), Error> {
    // X, y: hours since opening and degrees outside; loaves sold.
    let x = [[1, 12], [2, 15], [3, 18], [4, 21], [5, 19], [6, 14], [7, 11], [8, 9]];
    let y = [30.0, 42.0, 45.0, 28.0, 26.0, 24.0, 12.0, 8.0];
    let values = x.iter().flatten().map(|&number| f64::from(number)).collect();
    let data = Dataset::new(Features::new(8, 2, values)?, &y, None)?;

    // D = H(X): every pattern of a threshold neuron on these rows, with its weights.
    let arrangement = Arrangement::of(data.features());
    let dictionary = arrangement.enumerate(1_000_000)?;

    // min L(Dw) + β‖w‖₁, and a proof of how close the solution is.
    let program =
        LassoProgram::new(&dictionary.patterns, data.targets(), Lopsided, Beta::new(5.0)?)?;
    let solution = ActiveSet::default().solve(&program);
    let certificate = &solution.certificate;
    println!("objective    {}", certificate.objective());
    println!("lower bound  {}", certificate.lower_bound());
    assert!(certificate.relative_gap() <= 1e-6);

    // Back to weights: for each pattern in use, the hyperplane with the widest margin.
    let (cells, amplitudes): (Vec<Cell>, Vec<f64>) = (solution.coefficients.iter().enumerate())
        .filter(|(_, amplitude)| **amplitude != 0.0)
        .map(|(j, &amplitude)| {
            let witness = Some(dictionary.witnesses[j].clone());
            (Cell { pattern: dictionary.patterns.pattern(j), witness }, amplitude)
        })
        .unzip();
    let scaling = Scaling::identity(data.dimension());
    let planes = reconstruct(&arrangement, cells, Weights::Svm, &scaling)?;
    let layer = Layer { neurons: planes.into_iter().map(Neuron::from).collect() };
    let network = Network::new(data.dimension(), vec![layer], amplitudes, 0.0)?;

    println!("{} of {} patterns are neurons", network.neurons(), dictionary.len());
    for (u, y) in network.output(data.features()).iter().zip(y) {
        println!("baked {u:>5.1}, sold {y:>4.1}");
    }
    Ok(())
}
