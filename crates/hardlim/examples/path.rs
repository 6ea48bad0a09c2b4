//! A path: the best networks for many strengths of weight decay, from strong to weak.
//!
//! `cargo run --release -p hardlim --example path`

#![allow(clippy::print_stdout, reason = "it prints what it found")]

use std::ops::ControlFlow;

use hardlim::train::{Options, Watch};
use hardlim::{Error, ReadOptions, Request, Table};

pub(crate) fn main() -> Result<(), Error> {
    // A table that comes with the crate: the boards of tic-tac-toe, and whether x has won.
    let table = Table::open("tic-tac-toe", &ReadOptions::default())?;

    // Ten strengths, from beta_max (no neuron is worth its price) down to a hundredth of it. A
    // fifth of the rows are held out. All networks choose among the same 500 random neurons.
    let options = Options::read("holdout=0.2 patterns=500 n_ratios=10 least_ratio=0.01")?;
    let request = Request::path_of(&options)?;
    let (set, held_out) = request.read(&table)?;
    let held_out = held_out.expect("a fifth of the rows");

    // The strengths come one by one. Each is solved starting from the one before, and has a
    // certificate.
    println!("{:>9} {:>8} {:>10} {:>8} {:>9}", "beta", "neurons", "objective", "gap", "held out");
    let path = request.path(&set, Some(&held_out.features), &Watch::default(), |point| {
        let neurons = point.solution.coefficients.iter().filter(|w| **w != 0.0).count();
        let certificate = &point.solution.certificate;
        let right = point
            .held_out
            .iter()
            .zip(&held_out.y)
            .filter(|(u, y)| (**u >= 0.0) == (**y > 0.0))
            .count();
        println!(
            "{:>9.3} {neurons:>8} {:>10.3} {:>8.0e} {:>7.1} %",
            point.beta,
            certificate.objective(),
            certificate.relative_gap(),
            100.0 * right as f64 / held_out.y.len() as f64
        );
        ControlFlow::Continue(()) // Break(()) would end the path here
    })?;
    println!("beta_max is {:.3}, the dictionary has {} patterns", path.beta_max, path.patterns);
    Ok(())
}
