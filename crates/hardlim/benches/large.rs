//! How time and memory grow with the samples: 21 inputs, 2000 sampled patterns, squared loss at
//! 0.01 of beta_max, sampling included. `cargo bench -p hardlim --bench large -- [SAMPLES]`, 100000
//! by default.

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

mod words;

use std::time::Instant;

use hardlim::arrangement::Arrangement;
use hardlim::data::{Features, Scaling, Targets};
use hardlim::loss::Squared;
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::ActiveSet;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

fn main() -> Result<(), hardlim::Error> {
    let n: usize = words::words().next().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let dimension = 20; // and the bias: 21 inputs
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut normal =
        |count: usize| -> Vec<f64> { (0..count).map(|_| rng.sample(StandardNormal)).collect() };
    let (teacher, x) = (normal(dimension), normal(n * dimension));
    let noise = normal(n);
    let y: Vec<f64> = (x.chunks(dimension).zip(noise))
        .map(|(x, noise)| {
            let t: f64 = x.iter().zip(&teacher).map(|(x, w)| (2.0 * x).sin() * w).sum();
            if t + noise >= 0.0 { 1.0 } else { -1.0 }
        })
        .collect();
    let features = Features::new(n, dimension, x)?;
    let targets = Targets::plain(y);

    let start = Instant::now();
    let scaling = Scaling::identity(dimension);
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let dictionary = Arrangement::of(&features).sample(2000, &scaling, &mut rng);
    let sampled = start.elapsed().as_secs_f64();
    let program = LassoProgram::new(&dictionary.patterns, &targets, Squared, Beta::new(1.0)?)?;
    let beta = Beta::new(0.01 * program.beta_max())?;
    let solver = ActiveSet { tolerance: 1e-10, ..ActiveSet::default() };
    let solution = solver.solve(&program.with_beta(beta));
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{{\"n\":{n},\"seconds\":{seconds},\"sampling\":{sampled},\"gram\":{},\"gap\":{:e},\
         \"peak_mib\":{}}}",
        solution.gram_time.as_secs_f64(),
        solution.certificate.relative_gap(),
        peak_mib()
    );
    Ok(())
}

/// The most memory the program has held, where the system tells.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    line.and_then(|l| l.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
