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
    let (x, y) = held_out.expect("a fifth of the rows");

    // The strengths come one by one. Each is solved starting from the one before, and has a
    // certificate.
    println!("{:>9} {:>8} {:>10} {:>8} {:>9}", "beta", "neurons", "objective", "gap", "held out");
    let path = request.path(&set, Some((&x, Some(&y))), &Watch::default(), |point| {
        println!(
            "{:>9.3} {:>8} {:>10.3} {:>8.0e} {:>7.1} %",
            point.beta,
            point.coefficients.len(),
            point.certificate.objective(),
            point.certificate.relative_gap(),
            100.0 * point.scores[1].expect("the accuracy of classes")
        );
        ControlFlow::Continue(()) // Break(()) would end the path here
    })?;
    println!("beta_max is {:.3}, the dictionary has {} patterns", path.beta_max, path.patterns);
    Ok(())
}
