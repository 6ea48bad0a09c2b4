//! Solves of the Lasso and of the complete program.

use std::error::Error;
use std::ops::ControlFlow;

use hardlim::arrangement::Arrangement;
use hardlim::data::{Dataset, Features, Scaling, Targets};
use hardlim::loss::LossKind;
use hardlim::pattern::PatternMatrix;
use hardlim::program::{Beta, CompleteProgram, LassoProgram};
use hardlim::solver::ActiveSet;
use hardlim::table::builtin::{self, TableSize};
use hardlim::table::{Coding, CodingOptions};
use hardlim::train::geometric;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

use super::{median, number, timed};

fn teacher(rows: usize, features: usize) -> Result<Dataset, hardlim::Error> {
    let size = TableSize { rows, features, seed: 1 };
    let table = builtin::load("teacher2", &size).expect("a built-in data set")?;
    Coding::fit(&table, &CodingOptions::default())?.dataset(&table)
}

fn sampled(features: &Features, patterns: usize, seed: u64) -> PatternMatrix {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let scaling = Scaling::identity(features.dimension());
    Arrangement::of(features).sample(patterns, &scaling, &mut rng).patterns
}

pub(super) fn lasso(words: &[String]) -> Result<(), Box<dyn Error>> {
    let [rows, patterns, inputs] =
        [(0, 3680.0), (1, 1000.0), (2, 57.0)].map(|(k, or)| number(words, k, or) as usize);
    let loss: LossKind = words.get(4).map_or(Ok(LossKind::Squared), |word| word.parse())?;
    let data = teacher(rows, inputs)?;
    let patterns = sampled(data.features(), patterns, 1);
    let program = LassoProgram::new(&patterns, data.targets(), loss, Beta::new(1.0)?)?;
    let program = program.with_beta(Beta::new(number(words, 3, 0.01) * program.beta_max())?);
    for tolerance in [1e-6, 1e-10] {
        let solver = ActiveSet { tolerance, ..ActiveSet::default() };
        let (solution, seconds) = timed(|| solver.solve(&program));
        println!(
            "tolerance {tolerance:e}: {seconds:.4} s, of which Gram {:.4} s; {} rounds, {} \
             neurons, gap {:.1e}",
            solution.gram_time.as_secs_f64(),
            solution.rounds,
            solution.coefficients.iter().filter(|w| **w != 0.0).count(),
            solution.certificate.relative_gap(),
        );
    }
    Ok(())
}

pub(super) fn path() -> Result<(), Box<dyn Error>> {
    let data = teacher(3680, 57)?;
    let patterns = sampled(data.features(), 1000, 1);
    let program = LassoProgram::new(&patterns, data.targets(), LossKind::Squared, Beta::new(1.0)?)?;
    let solver = ActiveSet { tolerance: 1e-6, ..ActiveSet::default() };
    let betas = geometric(0.001, 100).into_iter().map(|r| Beta::new(r * program.beta_max()));
    let betas = betas.collect::<Result<Vec<Beta>, _>>()?;
    let (mut cold, mut all, mut worst) = (Vec::new(), Vec::new(), 0.0_f64);
    for _ in 0..3 {
        let end = program.with_beta(betas[99]);
        cold.push(timed(|| solver.solve(&end)).1);
        let betas = betas.iter().copied();
        let path = timed(|| {
            solver.path(&program, betas, |solution| {
                worst = worst.max(solution.certificate.relative_gap());
                ControlFlow::Continue(())
            })
        });
        all.push(path.1);
    }
    let (cold, all) = (median(cold), median(all));
    println!(
        "{{\"path_seconds\":{all},\"cold_seconds\":{cold},\"ratio\":{},\"worst_gap\":{worst}}}",
        all / cold
    );
    Ok(())
}

pub(super) fn large(n: usize) -> Result<(), Box<dyn Error>> {
    let dimension = 20; // and the bias: 21 inputs
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut normal =
        |count: usize| -> Vec<f64> { (0..count).map(|_| rng.sample(StandardNormal)).collect() };
    let (teacher, x) = (normal(dimension), normal(n * dimension));
    let noise = normal(n);
    let label = |(x, noise): (&[f64], &f64)| {
        let t: f64 = x.iter().zip(&teacher).map(|(x, w)| (2.0 * x).sin() * w).sum();
        if t + noise >= 0.0 { 1.0 } else { -1.0 }
    };
    let targets = Targets::plain(x.chunks(dimension).zip(&noise).map(label).collect());
    let features = Features::new(n, dimension, x)?;
    let (patterns, sampling) = timed(|| sampled(&features, 2000, 2));
    let program = LassoProgram::new(&patterns, &targets, LossKind::Squared, Beta::new(1.0)?)?;
    let program = program.with_beta(Beta::new(0.01 * program.beta_max())?);
    let solver = ActiveSet { tolerance: 1e-10, ..ActiveSet::default() };
    let (solution, seconds) = timed(|| solver.solve(&program));
    // The most memory that the program has held, where the system tells.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM:"));
    let peak = peak.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    println!(
        "{{\"n\":{n},\"seconds\":{},\"sampling\":{sampling},\"gram\":{},\"gap\":{:e},\
         \"peak_mib\":{}}}",
        sampling + seconds,
        solution.gram_time.as_secs_f64(),
        solution.certificate.relative_gap(),
        peak.unwrap_or(0) / 1024
    );
    Ok(())
}

pub(super) fn complete(rows: usize) -> Result<(), Box<dyn Error>> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let targets = Targets::plain((0..rows).map(|_| rng.sample(StandardNormal)).collect());
    let beta_max = CompleteProgram::new(&targets, LossKind::Squared, Beta::new(1.0)?).beta_max();
    let mut copy = targets.values().to_vec();
    for ratio in [0.5, 0.1, 0.001] {
        let program =
            CompleteProgram::new(&targets, LossKind::Squared, Beta::new(ratio * beta_max)?);
        let (mut ours, mut sorting) = (Vec::new(), Vec::new());
        // Turn by turn, so that both meet the machine in the same state.
        for _ in 0..7 {
            ours.push(timed(|| program.solve()).1);
            copy.copy_from_slice(targets.values());
            sorting.push(timed(|| copy.sort_unstable_by(f64::total_cmp)).1);
        }
        let (ours, sorting) = (median(ours), median(sorting));
        println!("{ratio} of beta_max: {ours:.3} s, {:.2} of a sort", ours / sorting);
    }
    Ok(())
}
