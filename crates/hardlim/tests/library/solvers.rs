//! One suite over every solver: what it returns is optimal, by its own certificate and by a
//! general conic solver.

use std::ops::ControlFlow;
use std::sync::Mutex;

use crate::conic;
use hardlim::certificate::{Certificate, Problem};
use hardlim::data::Targets;
use hardlim::loss::LossKind;
use hardlim::pattern::{Pattern, PatternMatrix};
use hardlim::program::{Beta, CompleteProgram, Constraints, LassoProgram};
use hardlim::solver::{ActiveSet, Budget, Progress, Solution};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Solves a Lasso program to a relative gap, where a start is asked for from these coefficients.
type Solve = fn(&LassoProgram<'_, LossKind>, f64, &[f64]) -> Solution;

/// Every way to solve a Lasso program. A new solver is tested by being listed here.
const SOLVERS: [(&str, Solve); 3] = [
    ("active set", |program, tolerance, _| active_set(tolerance).solve(program)),
    ("active set from elsewhere", |program, tolerance, start| {
        active_set(tolerance).solve_from(program, start, 0.5)
    }),
    ("active set along a path", |program, tolerance, _| {
        let (most, least) = (program.beta_max(), program.beta().get());
        let between = [0.25, 0.5, 0.75].map(|k| Beta::new(most.powf(1.0 - k) * least.powf(k)));
        let betas = between.into_iter().flatten().chain([program.beta()]).collect::<Vec<_>>();
        let mut last = None;
        active_set(tolerance).path(program, betas, |solution| {
            last = Some(solution);
            ControlFlow::Continue(())
        });
        last.expect("the strength asked for is the last one")
    }),
];

fn active_set(tolerance: f64) -> ActiveSet<'static> {
    ActiveSet { tolerance, ..ActiveSet::default() }
}

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

/// Classes by chance.
fn labels(n: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    (0..n).map(|_| if rng.random_bool(0.5) { 1.0 } else { -1.0 }).collect()
}

/// `D`, row by row.
fn rows(patterns: &[Pattern], n: usize) -> Vec<Vec<bool>> {
    (0..n).map(|i| patterns.iter().map(|d| d.get(i)).collect()).collect()
}

/// Costs of columns, from one on.
fn costs(p: usize, seed: usize) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed as u64);
    (0..p).map(|_| f64::from(rng.random_range(1..20u32)).sqrt()).collect()
}

/// What one unit of each coefficient costs.
fn penalties(program: &LassoProgram<'_, LossKind>) -> Vec<f64> {
    let beta = program.beta().get();
    match program.costs() {
        None => vec![beta; program.patterns().patterns()],
        Some(costs) => costs.iter().map(|cost| beta * cost).collect(),
    }
}

#[test]
fn costs_that_do_not_fit_are_refused() {
    let matrix = PatternMatrix::from_patterns(2, &[Pattern::zeros(2), Pattern::zeros(2)]);
    let targets = Targets::plain(vec![1.0, -1.0]);
    let program =
        LassoProgram::new(&matrix, &targets, LossKind::Squared, Beta::new(1.0).unwrap()).unwrap();
    assert!(program.with_costs(Some(&[1.0, 2.0])).is_ok());
    for bad in [&[1.0][..], &[1.0, 0.0], &[f64::INFINITY, 1.0], &[f64::NAN, 1.0]] {
        assert!(program.with_costs(Some(bad)).is_err(), "{bad:?}");
    }
}

#[test]
fn lasso_optima_agree_with_a_conic_solver() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for case in 0..50 {
        let (n, p) = (rng.random_range(1..=60), rng.random_range(1..=200));
        let patterns = dictionary(n, p, &mut rng);
        let y: Vec<f64> = match case % 3 {
            0 => (0..n).map(|_| rng.random_range(-2.0..2.0)).collect(),
            1 => labels(n, &mut rng),
            _ => (0..n).map(|_| f64::from(rng.random_range(-3..4))).collect(),
        };
        let s: Vec<f64> = match case % 2 {
            0 => vec![1.0; n],
            _ => (0..n).map(|_| rng.random_range(0.1..3.0)).collect(),
        };
        let row_of: Vec<u32> = (0..n as u32).collect();
        let targets = Targets::grouped(n, &row_of, &y, Some(&s)).unwrap();
        let matrix = PatternMatrix::from_patterns(n, &patterns);
        let one = Beta::new(1.0).unwrap();
        let loss = LossKind::Squared;
        let costs = (case % 2 == 1).then(|| costs(p, case));
        let one = LassoProgram::new(&matrix, &targets, loss, one).unwrap();
        let one = one.with_costs(costs.as_deref()).unwrap();
        let beta_max = one.beta_max();
        for (k, ratio) in [0.5, 0.1, 0.01, 0.001].into_iter().enumerate() {
            let Ok(beta) = Beta::new(ratio * beta_max) else { continue };
            let (non_negative, intercept) = ((case + k) % 5 == 3, (case + k) % 3 == 2);
            let program = one.with_beta(beta);
            let program = program.with_constraints(Constraints { non_negative, intercept });
            let bits = rows(&patterns, n);
            let atoms: Vec<(usize, f64, f64)> = (0..n).map(|i| (i, y[i], s[i])).collect();
            let constraints = program.constraints();
            let expected = conic::lasso(loss, &bits, &atoms, &penalties(&program), constraints);
            let expected = expected.expect("the conic solver gets there");
            let start: Vec<f64> = (0..p).map(|_| f64::from(rng.random_range(0..2))).collect();
            for (name, solve) in SOLVERS {
                let what = format!("{name}, case {case}, n {n}, p {p}, ratio {ratio}");
                let solution = solve(&program, 1e-10, &start);
                let certificate = solution.certificate;
                let (stop, objective) = (solution.stop, certificate.objective());
                assert!(certificate.relative_gap() <= 1e-10, "{what}: {certificate:?} {stop:?}");
                assert!(certificate.lower_bound() <= objective, "{what}: {certificate:?}");
                let error = (objective - expected).abs() / expected.abs().max(1e-12);
                assert!(error <= 1e-8, "{what}: {objective} and {expected}");
                let used = solution.coefficients.iter().filter(|w| **w != 0.0).count();
                assert!(used <= n, "{what}: {used} columns in use");
                // From its own optimum a search ends where it starts.
                let again = active_set(1e-10).solve_from(&program, &solution.coefficients, 0.5);
                let again = again.certificate;
                assert!(again.relative_gap() <= 1e-10, "{what}: {again:?}");
            }
        }
    }
}

#[test]
fn every_loss_reaches_a_certified_gap_and_the_value_of_a_conic_solver() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let (mut compared, mut problems) = (0, 0);
    for case in 0..6 {
        let (n, p) = (rng.random_range(2..=60), rng.random_range(1..=200));
        let patterns = dictionary(n, p, &mut rng);
        let matrix = PatternMatrix::from_patterns(n, &patterns);
        // Merged rows: several samples share one, with labels of both kinds.
        let samples = 2 * n;
        let row_of: Vec<u32> = (0..samples).map(|i| (i % n) as u32).collect();
        let y = labels(samples, &mut rng);
        let s: Vec<f64> = (0..samples).map(|_| rng.random_range(0.1..3.0)).collect();
        let targets = Targets::grouped(n, &row_of, &y, Some(&s)).unwrap();
        let bits = rows(&patterns, n);
        let atoms: Vec<(usize, f64, f64)> = (0..samples).map(|i| (i % n, y[i], s[i])).collect();
        let costs = costs(p, case);
        for (loss, constraints) in all_problems() {
            let beta = Beta::new(1.0).unwrap();
            let program = LassoProgram::new(&matrix, &targets, loss, beta).unwrap();
            let program = program.with_constraints(constraints);
            let beta_max = program.beta_max();
            for (ratio, pays) in [(0.5, false), (0.1, false), (0.1, true), (0.01, false)] {
                let Ok(beta) = Beta::new(ratio * beta_max) else { continue };
                let program = program.with_beta(beta);
                let program = program.with_costs(pays.then_some(&costs)).unwrap();
                let what = format!(
                    "case {case}, {loss}, {constraints:?}, {n} x {p}, {ratio}, costs {pays}"
                );
                problems += 1;
                let expected = conic::lasso(loss, &bits, &atoms, &penalties(&program), constraints);
                compared += usize::from(expected.is_some());
                let mut objectives = Vec::new();
                let start: Vec<f64> = (0..p).map(|j| (j % 2) as f64).collect();
                for (name, solve) in SOLVERS {
                    let what = format!("{name}, {what}");
                    let solution = solve(&program, 1e-8, &start);
                    let (certificate, stop) = (solution.certificate, solution.stop);
                    assert!(certificate.relative_gap() <= 1e-8, "{what}: {certificate:?} {stop:?}");
                    let objective = certificate.objective();
                    if let Some(expected) = expected {
                        // Both are within 1e-8 of the optimum, relative: ours by its certificate.
                        let error = (objective - expected).abs() / expected.max(1e-12);
                        assert!(error <= 2e-8, "{what}: {objective} and {expected}");
                    }
                    let used = solution.coefficients.iter().filter(|w| **w != 0.0);
                    assert!(used.clone().count() <= n, "{what}: more columns in use than rows");
                    assert!(!constraints.non_negative || used.clone().all(|w| *w > 0.0), "{what}");
                    assert!(constraints.intercept || solution.offset == 0.0, "{what}");
                    objectives.push(objective);
                }
                // The bound over all networks is below what any dictionary reaches.
                let objective = objectives.into_iter().fold(f64::INFINITY, f64::min);
                let problem = Problem::new(&targets, &loss, beta, constraints).unwrap();
                let global = Certificate::complete(&problem, objective);
                assert!(global.lower_bound() <= objective, "{what}: {global:?}");
                let complete = CompleteProgram::new(&targets, loss, beta)
                    .with_constraints(constraints)
                    .solve()
                    .value;
                let error = (global.lower_bound() - complete).abs();
                assert!(error <= 1e-9 * (1.0 + complete), "{what}: {global:?}, {complete}");
            }
        }
    }
    assert!(5 * compared >= 4 * problems, "{compared} of {problems} have a reference");
}

#[test]
fn a_search_cut_short_returns_the_best_of_both_sides() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (n, p) = (150, 60);
    let patterns = dictionary(n, p, &mut rng);
    let matrix = PatternMatrix::from_patterns(n, &patterns);
    let targets = Targets::plain(labels(n, &mut rng));
    for loss in LossKind::all() {
        let program = LassoProgram::new(&matrix, &targets, loss, Beta::new(1.0).unwrap()).unwrap();
        let beta = Beta::new(0.01 * program.beta_max()).unwrap();
        let program = program.with_beta(beta);
        for rounds in 0..8 {
            let seen = Mutex::new(Vec::new());
            let listen = |progress: &Progress| seen.lock().unwrap().push(*progress);
            let budget = Budget { progress: Some(&listen), ..Budget::default() };
            let solver = ActiveSet { tolerance: 1e-12, rounds, budget, ..ActiveSet::default() };
            let certificate = solver.solve(&program).certificate;
            let seen = seen.into_inner().unwrap();
            assert!(seen.is_sorted_by(|a, b| a.objective >= b.objective), "{loss}");
            assert!(seen.is_sorted_by(|a, b| a.lower_bound <= b.lower_bound), "{loss}");
            let last = seen.last().expect("the start is measured");
            // The columns in use are made independent at the end, which rounds once more.
            assert!(certificate.objective() <= last.objective * (1.0 + 1e-12), "{loss}");
            assert!(certificate.lower_bound() >= last.lower_bound, "{loss}");
            let zero = program.objective(&vec![0.0; p]);
            assert!(rounds < 3 || certificate.objective() < zero, "{loss}, {rounds} rounds");
        }
    }
}

#[test]
fn a_hundred_thousand_coefficients_are_reduced_to_the_rank() {
    let (n, p) = (40, 100_000);
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let patterns: Vec<Pattern> =
        (0..p).map(|_| Pattern::from_fn(n, |_| rng.random_bool(0.5))).collect();
    let matrix = PatternMatrix::from_patterns(n, &patterns);
    let targets = Targets::plain((0..n).map(|_| rng.random_range(-1.0..1.0)).collect());
    let start: Vec<f64> = (0..p).map(|_| rng.random_range(-1e-6..1e-6)).collect();
    let program =
        LassoProgram::new(&matrix, &targets, LossKind::Squared, Beta::new(1e-3).unwrap()).unwrap();
    // No round at all: what is returned is the start, on fewer columns.
    let solver = ActiveSet { rounds: 0, ..ActiveSet::default() };
    let solution = solver.solve_from(&program, &start, 0.0);
    let used = solution.coefficients.iter().filter(|w| **w != 0.0).count();
    assert!(used <= n, "{used} columns in use, {n} rows");
    let (before, after) = (program.objective(&start), program.objective(&solution.coefficients));
    assert!(after <= before * (1.0 + 1e-9), "{before} became {after}");
    let moved = (program.output(&start).iter().zip(program.output(&solution.coefficients)))
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max);
    assert!(moved <= 1e-9, "the output moved by {moved}");
}

/// Every loss with every constraint on the output.
fn all_problems() -> impl Iterator<Item = (LossKind, Constraints)> {
    LossKind::all().into_iter().flat_map(|loss| {
        [(false, false), (false, true), (true, false), (true, true)]
            .map(|(non_negative, intercept)| (loss, Constraints { non_negative, intercept }))
    })
}
