//! The walk of the data, one step at a time: a table, its distinct rows, patterns, the Lasso program, its
//! certificate, and back to a network.

#![allow(clippy::print_stdout, reason = "it prints what it found")]

use hardlim::arrangement::Arrangement;
use hardlim::data::{Coding, CodingOptions, ReadOptions, Scaling, Table};
use hardlim::loss::Squared;
use hardlim::network::{Cell, Layer, Network, Neuron, Weights, reconstruct};
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::ActiveSet;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn main() -> Result<(), hardlim::Error> {
    // X, y: 2201 samples, 14 distinct rows.
    let table = Table::open("titanic", &ReadOptions::default())?;
    let coding = Coding::fit(&table, &CodingOptions::default())?;
    let data = coding.dataset(&table)?;

    // Some of H(X), with the weights behind each pattern.
    let arrangement = Arrangement::of(data.features());
    let scaling = Scaling::identity(data.dimension());
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let dictionary = arrangement.sample(1000, &scaling, &mut rng);

    // min L(Dw) + β‖w‖₁, and the proof of how close we are.
    let beta = Beta::new(10.0)?;
    let program = LassoProgram::new(&dictionary.patterns, data.targets(), Squared, beta)?;
    let solution = ActiveSet::default().solve(&program);
    let certificate = solution.certificate;
    println!("{} distinct rows, {} patterns", data.distinct(), dictionary.len());
    println!("objective {}, gap {:e}", certificate.objective(), certificate.relative_gap());

    // Back to weights: the widest margin in the cell of every pattern in use.
    let (cells, amplitudes): (Vec<Cell>, Vec<f64>) = (solution.coefficients.iter().enumerate())
        .filter(|(_, a)| **a != 0.0)
        .map(|(j, &a)| {
            let witness = Some(dictionary.witnesses[j].clone());
            (Cell { pattern: dictionary.patterns.pattern(j), witness }, a)
        })
        .unzip();
    let planes = reconstruct(&arrangement, cells, Weights::Svm, &scaling)?;
    let layer = Layer { neurons: planes.into_iter().map(Neuron::from).collect() };
    let network = Network::new(data.dimension(), vec![layer], amplitudes, 0.0)?;
    assert_eq!(network.output(data.features()), program.output(&solution.coefficients));
    println!("{} neurons", network.neurons());
    Ok(())
}
