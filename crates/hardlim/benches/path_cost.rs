//! What a path of 100 strengths costs, beside one cold solve at its end: 3680 samples of 57 inputs,
//! 1000 sampled patterns, squared loss, relative gap 1e-6 at every point. `cargo bench -p hardlim
//! --bench path_cost`

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use std::ops::ControlFlow;
use std::time::Instant;

use hardlim::arrangement::Arrangement;
use hardlim::data::Scaling;
use hardlim::loss::Squared;
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::ActiveSet;
use hardlim::table::builtin::{self, TableSize};
use hardlim::table::{Coding, CodingOptions};
use hardlim::train::geometric;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn main() -> Result<(), hardlim::Error> {
    let size = TableSize { rows: 3680, features: 57, seed: 1 };
    let table = builtin::load("teacher2", &size).expect("a built-in data set")?;
    let coding = Coding::fit(&table, &CodingOptions::default())?;
    let data = coding.dataset(&table)?;
    let scaling = Scaling::identity(data.dimension());
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let dictionary = Arrangement::of(data.features()).sample(1000, &scaling, &mut rng);
    let program =
        LassoProgram::new(&dictionary.patterns, data.targets(), Squared, Beta::new(1.0)?)?;
    let beta_max = program.beta_max();
    let solver = ActiveSet { tolerance: 1e-6, ..ActiveSet::default() };

    let cold = |ratio: f64| {
        let program = program.with_beta(Beta::new(ratio * beta_max)?);
        let start = Instant::now();
        let solution = solver.solve(&program);
        let seconds = start.elapsed().as_secs_f64();
        let neurons = solution.coefficients.iter().filter(|w| **w != 0.0).count();
        let (gap, rounds) = (solution.certificate.relative_gap(), solution.rounds);
        eprintln!(
            "cold, {ratio} of beta_max: {seconds:.4} s, {neurons} neurons, gap {gap:.1e}, \
             {rounds} rounds"
        );
        Ok::<f64, hardlim::Error>(seconds)
    };
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    for ratio in [0.1, 0.01] {
        cold(ratio)?;
    }
    let cold_seconds = median((0..3).map(|_| cold(0.001)).collect::<Result<_, _>>()?);

    let ratios = geometric(0.001, 100);
    let betas: Vec<Beta> =
        ratios.iter().map(|r| Beta::new(r * beta_max)).collect::<Result<_, _>>()?;
    let mut worst = 0.0_f64;
    let times = (0..3).map(|_| {
        let start = Instant::now();
        solver.path(&program, betas.iter().copied(), |solution| {
            worst = worst.max(solution.certificate.relative_gap());
            ControlFlow::Continue(())
        });
        start.elapsed().as_secs_f64()
    });
    let path_seconds = median(times.collect());
    let ratio = path_seconds / cold_seconds;
    println!(
        "{{\"path_seconds\":{path_seconds},\"cold_seconds\":{cold_seconds},\"ratio\":{ratio},\
         \"worst_gap\":{worst}}}"
    );
    Ok(())
}
