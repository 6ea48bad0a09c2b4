//! One suite over every solver: what it returns is optimal, by its own certificate and by a
//! general conic solver.

mod reference;

use hardlim::data::Targets;
use hardlim::loss::{LossKind, Squared};
use hardlim::pattern::{Pattern, PatternMatrix};
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::ActiveSet;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A dictionary with everything that makes one awkward: duplicate, constant, empty and dependent
/// columns, beside random ones.
fn dictionary(n: usize, p: usize, rng: &mut ChaCha8Rng) -> Vec<Pattern> {
    let mut patterns: Vec<Pattern> = Vec::new();
    for j in 0..p {
        let pattern = match (j, rng.random_range(0..10)) {
            (_, 0) => Pattern::zeros(n),
            (_, 1) => Pattern::from_fn(n, |_| true),
            (1.., 2) => patterns[rng.random_range(0..j)].clone(),
            (1.., 3) => {
                let other = patterns[rng.random_range(0..j)].clone();
                Pattern::from_fn(n, |i| !other.get(i))
            }
            _ => {
                let share = rng.random_range(0.1..0.9);
                Pattern::from_fn(n, |_| rng.random_bool(share))
            }
        };
        patterns.push(pattern);
    }
    patterns
}

#[test]
fn lasso_optima_agree_with_a_conic_solver() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for case in 0..50 {
        let (n, p) = (rng.random_range(1..=60), rng.random_range(1..=200));
        let patterns = dictionary(n, p, &mut rng);
        let y: Vec<f64> = match case % 3 {
            0 => (0..n).map(|_| rng.random_range(-2.0..2.0)).collect(),
            1 => (0..n).map(|_| if rng.random_bool(0.5) { 1.0 } else { -1.0 }).collect(),
            _ => (0..n).map(|_| f64::from(rng.random_range(-3..4))).collect(),
        };
        let s: Vec<f64> = match case % 2 {
            0 => vec![1.0; n],
            _ => (0..n).map(|_| rng.random_range(0.1..3.0)).collect(),
        };
        let rows: Vec<u32> = (0..n as u32).collect();
        let targets = Targets::grouped(n, &rows, &y, Some(&s)).unwrap();
        let matrix = PatternMatrix::from_patterns(n, &patterns);
        let one = Beta::new(1.0).unwrap();
        let beta_max = LassoProgram::new(&matrix, &targets, Squared, one).unwrap().beta_max();
        for ratio in [0.5, 0.1, 0.01, 0.001] {
            let Ok(beta) = Beta::new(ratio * beta_max) else { continue };
            let program = LassoProgram::new(&matrix, &targets, Squared, beta).unwrap();
            let solver = ActiveSet { tolerance: 1e-10, ..Default::default() };
            let solution = solver.solve(&program);
            let certificate = solution.certificate;
            assert!(
                certificate.relative_gap() <= 1e-10,
                "case {case}, n {n}, p {p}, ratio {ratio}: {certificate:?} {:?}",
                solution.stop
            );
            assert!(certificate.lower_bound() <= certificate.objective());
            let bits: Vec<Vec<bool>> =
                (0..n).map(|i| patterns.iter().map(|d| d.get(i)).collect()).collect();
            let expected = reference::lasso(&bits, &y, &s, beta.get());
            let error = (certificate.objective() - expected).abs() / expected.abs().max(1e-12);
            assert!(error <= 1e-8, "case {case}: {} and {expected}", certificate.objective());
            let used = solution.coefficients.iter().filter(|w| **w != 0.0).count();
            assert!(used <= n, "case {case}: {used} columns in use, {n} rows");
        }
    }
}

#[test]
fn every_loss_reaches_a_certified_gap() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for case in 0..20 {
        let (n, p) = (rng.random_range(2..=60), rng.random_range(1..=200));
        let patterns = dictionary(n, p, &mut rng);
        let matrix = PatternMatrix::from_patterns(n, &patterns);
        // Merged rows: several samples share one, with labels of both kinds.
        let samples = 2 * n;
        let row_of: Vec<u32> = (0..samples).map(|i| (i % n) as u32).collect();
        let y: Vec<f64> =
            (0..samples).map(|_| if rng.random_bool(0.5) { 1.0 } else { -1.0 }).collect();
        let s: Vec<f64> = (0..samples).map(|_| rng.random_range(0.1..3.0)).collect();
        let targets = Targets::grouped(n, &row_of, &y, Some(&s)).unwrap();
        for loss in LossKind::all() {
            let one = Beta::new(1.0).unwrap();
            let beta_max = LassoProgram::new(&matrix, &targets, loss, one).unwrap().beta_max();
            for ratio in [0.5, 0.1, 0.01] {
                let Ok(beta) = Beta::new(ratio * beta_max) else { continue };
                let program = LassoProgram::new(&matrix, &targets, loss, beta).unwrap();
                let solver = ActiveSet { tolerance: 1e-8, ..Default::default() };
                let solution = solver.solve(&program);
                let certificate = solution.certificate;
                assert!(
                    certificate.relative_gap() <= 1e-8,
                    "case {case}, {loss}, n {n}, p {p}, ratio {ratio}: {certificate:?} {:?} {}",
                    solution.stop,
                    solution.rounds
                );
                let used = solution.coefficients.iter().filter(|w| **w != 0.0).count();
                assert!(used <= n, "case {case}, {loss}: {used} columns in use, {n} rows");
            }
        }
    }
}
