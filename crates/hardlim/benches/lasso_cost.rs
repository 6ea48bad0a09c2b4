//! What one solve costs: samples, patterns, inputs, a part of beta_max and a loss from the command
//! line. `cargo bench -p hardlim --bench lasso_cost -- 3680 1000 57 0.01 squared`, which are the
//! defaults.

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

mod words;

use std::time::Instant;

use hardlim::arrangement::Arrangement;
use hardlim::data::Scaling;
use hardlim::loss::LossKind;
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::ActiveSet;
use hardlim::table::builtin::{self, TableSize};
use hardlim::table::{Coding, CodingOptions};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn main() -> Result<(), hardlim::Error> {
    let words: Vec<String> = words::words().collect();
    let number = |k: usize, default: f64| -> f64 {
        words.get(k).and_then(|w| w.parse().ok()).unwrap_or(default)
    };
    let (rows, patterns, features) = (number(0, 3680.0), number(1, 1000.0), number(2, 57.0));
    let loss: LossKind = words.get(4).map_or(Ok(LossKind::Squared), |w| w.parse())?;
    let size = TableSize { rows: rows as usize, features: features as usize, seed: 1 };
    let table = builtin::load("teacher2", &size).expect("a built-in data set")?;
    let data = Coding::fit(&table, &CodingOptions::default())?.dataset(&table)?;
    let scaling = Scaling::identity(data.dimension());
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let arrangement = Arrangement::of(data.features());
    let dictionary = arrangement.sample(patterns as usize, &scaling, &mut rng);
    let program = LassoProgram::new(&dictionary.patterns, data.targets(), loss, Beta::new(1.0)?)?;
    let beta = Beta::new(number(3, 0.01) * program.beta_max())?;
    let program = program.with_beta(beta);
    for tolerance in [1e-6, 1e-10] {
        let solver = ActiveSet { tolerance, ..ActiveSet::default() };
        let start = Instant::now();
        let solution = solver.solve(&program);
        println!(
            "tolerance {tolerance:e}: {:.4} s, of which Gram {:.4} s; {} rounds, {} neurons, \
             gap {:.1e}",
            start.elapsed().as_secs_f64(),
            solution.gram_time.as_secs_f64(),
            solution.rounds,
            solution.coefficients.iter().filter(|w| **w != 0.0).count(),
            solution.certificate.relative_gap(),
        );
    }
    Ok(())
}
