//! The interpolation program, as the end of the path of the Lasso.
//!
//! Below some strength the optimum of `½‖Dw − y‖² + β‖w‖₁` keeps its columns `S` and their signs,
//! and the price of `(y − Dw)/β` stays one. Then the `w` with `D_S w = y` and that `z` solve the
//! interpolation program. So the strength is lowered until `w` and `z` prove each other optimal. We
//! compute `w` from `D_S`, and change `z` as little as possible until `D_Sᵀz` are the signs; both
//! are refined against rounding errors.

use std::ops::ControlFlow;

use super::factor::Factor;
use super::range::Orthogonal;
use super::tuning::{DECADES, REFINEMENTS};
use super::{ActiveSet, Budget, Solution};
use crate::data::Targets;
use crate::exact::sum::{Sum, round_to_grid};
use crate::loss::Squared;
use crate::program::interpolation::{InterpolationProgram, Separation};
use crate::program::{Beta, LassoProgram};

/// A target that is missed by less than this fraction of the size of the targets is met up to
/// rounding.
const ROUNDING: f64 = 1e-12;
/// A norm larger than this multiple of the size of the targets counts as infinite.
const FAR: f64 = 1e9;
/// The result for an interpolation program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Interpolation {
    /// Coefficients, and the vector that proves how good they are.
    Feasible(Interpolant),
    /// No coefficients interpolate, with the vector that proves it. If its price is not zero, no
    /// coefficients of a norm below its bound do.
    Infeasible(Separation),
    /// There was not enough time for either.
    Unfinished,
}

/// Coefficients that interpolate.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Interpolant {
    /// `w`, one number for each pattern, on the grid where their sums are exact.
    pub(crate) coefficients: Vec<f64>,
    /// `‖w‖₁` plus the cost of removing the residual: the norm of exact interpolation, up to
    /// rounding of that cost.
    pub(crate) norm: f64,
    /// `max |Dw − y|`: what the rounding of the coefficients leaves.
    pub(crate) residual: f64,
    /// `z`, which proves that every norm is at least `yᵀz/U`.
    pub(crate) proof: Separation,
}

impl Interpolant {
    /// `(norm − lower bound)/norm`, or zero if both are zero.
    pub(crate) fn relative_gap(&self) -> f64 {
        if self.norm == 0.0 { 0.0 } else { 1.0 - self.proof.lower_bound(0.0) / self.norm }
    }
}

/// Solves the program to a relative gap, or as far as rounding and the budget allow.
pub(crate) fn interpolate(
    program: &InterpolationProgram<'_>,
    tolerance: f64,
    budget: Budget<'_>,
) -> Interpolation {
    let (patterns, y) = (program.patterns(), program.targets());
    let size = y.iter().fold(0.0, |max: f64, y| max.max(y.abs()));
    if let Some(proof) = separate(program, size, &budget) {
        return Interpolation::Infeasible(proof);
    }
    let nothing = vec![0.0; patterns.patterns()];
    if size == 0.0 {
        return Interpolation::Feasible(judge(program, nothing, vec![0.0; y.len()]));
    }
    let targets = Targets::plain(y.to_vec());
    let one = Beta::new(1.0).expect("one is positive");
    let lasso = LassoProgram::new(patterns, &targets, Squared, one).expect("as many rows");
    let beta_max = lasso.beta_max();
    let betas = DECADES.filter_map(|k| Beta::new(beta_max * 10f64.powi(-k)).ok());
    let mut strengths = betas.clone();
    let mut best: Option<Interpolant> = None;
    let mut left = vec![0.0; y.len()];
    let solver = ActiveSet { tolerance: 1e-10, budget, ..ActiveSet::default() };
    solver.path(&lasso, betas, |solution| {
        let beta = strengths.next().expect("one strength for each solution");
        match polish(program, &solution, beta, size) {
            Ok(found) => {
                if best.as_ref().is_none_or(|best| found.relative_gap() < best.relative_gap()) {
                    best = Some(found);
                }
            }
            Err(residual) => left = residual,
        }
        let done = best.as_ref().is_some_and(|best| best.relative_gap() <= tolerance);
        if done || budget.spent().is_some() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    if let Some(best) = best {
        return Interpolation::Feasible(best);
    }
    // The rest of the targets is orthogonal to every column, up to rounding.
    let proof = program.separation(left);
    if proof.lower_bound(0.0) > FAR * size {
        Interpolation::Infeasible(proof)
    } else {
        Interpolation::Unfinished
    }
}

/// A vector that is orthogonal to every pattern but not to the targets; the one by which the
/// targets are missed most. There may be one that is not found if the budget does not suffice.
fn separate(
    program: &InterpolationProgram<'_>,
    size: f64,
    budget: &Budget<'_>,
) -> Option<Separation> {
    let orthogonal = Orthogonal::to(program.patterns(), budget)?;
    let mut best: Option<Separation> = None;
    for z in orthogonal.against(program.targets()).flatten() {
        let proof = program.separation(z);
        let better = best.as_ref().is_none_or(|best| proof.miss > best.miss);
        if proof.price == 0.0 && proof.miss > ROUNDING * size && better {
            best = Some(proof);
        }
    }
    best
}

/// Coefficients on the columns of a Lasso solution, and a vector whose prices are their signs; or
/// the rest of the targets, if these columns do not reach them.
fn polish(
    program: &InterpolationProgram<'_>,
    solution: &Solution,
    beta: Beta,
    size: f64,
) -> Result<Interpolant, Vec<f64>> {
    let (patterns, y) = (program.patterns(), program.targets());
    let set: Vec<usize> =
        (0..patterns.patterns()).filter(|&j| solution.coefficients[j] != 0.0).collect();
    let gram = patterns.gram_symmetric(&set);
    let places: Vec<usize> = (0..set.len()).collect();
    let mut factor = Factor::default();
    factor.refactor(gram.as_ref(), &places, &Budget::default());
    let combine = |w: &[f64]| patterns.combine(set.iter().copied().zip(w.iter().copied()));
    let subtract =
        |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a - b).collect() };

    let mut w: Vec<f64> = set.iter().map(|&j| solution.coefficients[j]).collect();
    let signs: Vec<f64> = w.iter().map(|w| w.signum()).collect();
    for _ in 0..REFINEMENTS {
        let mut step = patterns.correlations_of(&set, &subtract(y, &combine(&w)));
        factor.solve(&mut step);
        w.iter_mut().zip(step).for_each(|(w, s)| *w += s);
    }
    let mut z: Vec<f64> = solution.dual.values().iter().map(|z| -z / beta.get()).collect();
    for _ in 0..REFINEMENTS {
        let mut step = subtract(&signs, &patterns.correlations_of(&set, &z));
        factor.solve(&mut step);
        z.iter_mut().zip(combine(&step)).for_each(|(z, s)| *z += s);
    }
    let left = subtract(y, &combine(&w));
    if !w.iter().chain(&z).chain(&left).all(|v| v.is_finite()) {
        return Err(vec![0.0; y.len()]);
    }
    let mut coefficients = vec![0.0; patterns.patterns()];
    set.iter().zip(w).for_each(|(&j, w)| coefficients[j] = w);
    let mut found = judge(program, coefficients, z);
    let rounded: Vec<f64> = set.iter().map(|&j| found.coefficients[j]).collect();
    let mut correction = patterns.correlations_of(&set, &subtract(y, &combine(&rounded)));
    factor.solve(&mut correction);
    found.norm += correction.iter().map(|c| c.abs()).sum::<f64>() * (1.0 + 1e-3);
    if found.residual <= 1e3 * ROUNDING * size { Ok(found) } else { Err(left) }
}

fn judge(program: &InterpolationProgram<'_>, mut w: Vec<f64>, z: Vec<f64>) -> Interpolant {
    round_to_grid(&mut w);
    let norm: Sum = w.iter().map(|w| w.abs()).collect();
    let norm = norm.value() * (1.0 + f64::EPSILON);
    let (residual, proof) = (program.residual(&w), program.separation(z));
    Interpolant { coefficients: w, norm, residual, proof }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrangement::Arrangement;
    use crate::data::Features;
    use crate::pattern::{Pattern, PatternMatrix};
    use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// `min Σ(w₊ + w₋)` where `D(w₊ − w₋) = y`; nothing where that is infeasible.
    fn by_linear_program(patterns: &PatternMatrix, y: &[f64]) -> Option<f64> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let mut half = || problem.add_var(1.0, (0.0, f64::INFINITY));
        let w: Vec<_> = (0..patterns.patterns()).map(|_| (half(), half())).collect();
        for (i, y) in y.iter().enumerate() {
            let on = (0..w.len()).filter(|&j| patterns.get(i, j));
            let terms: Vec<_> = on.flat_map(|j| [(w[j].0, 1.0), (w[j].1, -1.0)]).collect();
            problem.add_constraint(terms, ComparisonOp::Eq, *y);
        }
        match problem.solve() {
            Ok(SolveOutcome::Solution(solution)) => Some(solution.objective()),
            _ => None,
        }
    }

    #[test]
    fn random_instances_agree_with_a_linear_program() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut seen = [0; 2];
        for case in 0..50 {
            let n = rng.random_range(2..=12);
            // Every pattern of points with or without a bias, or a few random ones.
            let patterns = if case % 3 == 2 {
                let few: Vec<Pattern> = (0..rng.random_range(1..=2 * n))
                    .map(|_| Pattern::from_fn(n, |_| rng.random_bool(0.5)))
                    .collect();
                PatternMatrix::from_patterns(n, &few)
            } else {
                let d = rng.random_range(1..=2);
                let values = (0..n * d).map(|_| f64::from(rng.random_range(-9..10))).collect();
                let (features, _) = Features::new(n, d, values).unwrap().merge();
                let arrangement = Arrangement::with_bias(&features, case % 3 == 0);
                arrangement.listing(u128::MAX).unwrap().patterns().unwrap()
            };
            let y: Vec<f64> = (0..patterns.samples())
                .map(|_| match case % 2 {
                    0 => [-1.0, 1.0][rng.random_range(0..2)],
                    _ => rng.random_range(-2.0..2.0),
                })
                .collect();
            let targets = Targets::plain(y.clone());
            let program = InterpolationProgram::new(&patterns, &targets).unwrap();
            let expected = by_linear_program(&patterns, &y);
            match (interpolate(&program, 1e-10, Budget::default()), expected) {
                (Interpolation::Feasible(found), Some(expected)) => {
                    seen[0] += 1;
                    let error = (found.norm - expected).abs();
                    assert!(
                        error <= 1e-7 * (1.0 + expected),
                        "case {case}: {} and {expected}",
                        found.norm
                    );
                    assert!(found.relative_gap() <= 1e-9, "case {case}: {}", found.relative_gap());
                    assert!(found.proof.lower_bound(0.0) <= found.norm, "case {case}");
                    assert!(found.residual <= 1e-11, "case {case}: {}", found.residual);
                    let used = found.coefficients.iter().filter(|w| **w != 0.0).count();
                    assert!(used <= y.len(), "case {case}: {used} columns for {} rows", y.len());
                }
                (Interpolation::Infeasible(proof), None) => {
                    seen[1] += 1;
                    // The proof again, by hand: no pattern meets z, the targets do.
                    assert_eq!(proof.price, 0.0, "case {case}");
                    for j in 0..patterns.patterns() {
                        let on = (0..y.len()).filter(|&i| patterns.get(i, j));
                        assert_eq!(on.map(|i| proof.z[i]).sum::<f64>(), 0.0, "case {case}, {j}");
                    }
                    let product: f64 = y.iter().zip(&proof.z).map(|(y, z)| y * z).sum();
                    assert!(product > 0.0 && proof.miss > 1e-6, "case {case}: {proof:?}");
                }
                (found, expected) => panic!("case {case}: {found:?}, and {expected:?}"),
            }
        }
        assert!(seen.iter().all(|&count| count >= 10), "{seen:?}");
    }
}
