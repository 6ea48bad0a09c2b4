//! Fewer neurons: with the same output, or at the cost of a stated fraction of the objective.
//!
//! If columns in use depend on each other, a move along the dependence does not change `Dw`. In one
//! of the two directions `‖w‖₁` does not grow, and the move ends when a coefficient is zero. At
//! most `rank D` non-zeros are left.
//!
//! Near the optimum many neurons share the work of one: they differ on a few rows and have small
//! coefficients. Without the smallest ones, the Lasso program on the rest is hardly worse.

use super::charge::Charge;
use super::quadratic::Quadratic;
use super::tuning::{PRUNED_AT_A_TIME, REDUCED_AT_A_TIME};
use super::{ActiveSet, Budget};
use crate::arrangement::Signs;
use crate::loss::Loss;
use crate::pattern::PatternMatrix;
use crate::program::LassoProgram;

/// Coefficients on independent columns with the same `Dw`, up to rounding. A column without a
/// penalty stays. With costs, it is `Σ cⱼ|wⱼ|` that does not grow. Columns join the kept ones a few
/// at a time, so that no Gram matrix has more than about `2·rank D` columns. If the budget does not
/// suffice, some of them may still depend on others.
pub(crate) fn reduce(
    patterns: &PatternMatrix,
    coefficients: &[f64],
    charge: &Charge<'_>,
    budget: &Budget<'_>,
) -> Vec<f64> {
    let mut reduced = coefficients.to_vec();
    let mut waiting = (0..coefficients.len()).filter(|&j| coefficients[j] != 0.0).peekable();
    let mut kept: Vec<usize> = Vec::new();
    while waiting.peek().is_some() && budget.spent().is_none() {
        kept.extend(waiting.by_ref().take(kept.len().max(REDUCED_AT_A_TIME)));
        let gram = patterns.gram_symmetric(&kept);
        let reference: Vec<f64> = kept.iter().map(|&j| reduced[j]).collect();
        let own = charge.on(&kept);
        let model = Quadratic {
            gram: gram.as_ref(),
            reference: &reference,
            gradient: &vec![0.0; kept.len()],
            charge: own.charge(Charge::plain(1.0)),
        };
        kept.iter().zip(model.independent(budget)).for_each(|(&j, w)| reduced[j] = w);
        kept.retain(|&j| reduced[j] != 0.0);
    }
    reduced
}

/// The best coefficients found that use few columns and have an objective of at most `limit`, and
/// that objective; the given coefficients if none are better.
pub(crate) fn prune<L: Loss>(
    program: &LassoProgram<'_, L>,
    solver: &ActiveSet<'_>,
    mut coefficients: Vec<f64>,
    mut offset: f64,
    limit: f64,
) -> (Vec<f64>, f64, Option<f64>) {
    let (mut part, mut objective) = (PRUNED_AT_A_TIME, None);
    while solver.budget.spent().is_none() {
        let mut used: Vec<usize> =
            (0..coefficients.len()).filter(|&j| coefficients[j] != 0.0).collect();
        let drop = (part * used.len() as f64) as usize;
        if drop == 0 {
            break;
        }
        let largest_first = |i: &usize, j: &usize| {
            coefficients[*j].abs().total_cmp(&coefficients[*i].abs()).then(i.cmp(j))
        };
        used.sort_by(largest_first);
        used.truncate(used.len() - drop);
        used.sort_unstable();
        let patterns = program.patterns().select(&used);
        let own: Option<Vec<Signs>> =
            program.signs().map(|signs| used.iter().map(|&j| signs[j]).collect());
        let rest = program.over(&patterns).expect("the same rows").with_signs(own.as_deref());
        let start: Vec<f64> = used.iter().map(|&j| coefficients[j]).collect();
        let solution = solver.solve_from(&rest, &start, offset);
        if solution.certificate.objective() > limit {
            part /= 2.0;
            continue;
        }
        objective = Some(solution.certificate.objective());
        offset = solution.offset;
        coefficients.fill(0.0);
        used.iter().zip(solution.coefficients).for_each(|(&j, w)| coefficients[j] = w);
    }
    (coefficients, offset, objective)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Targets;
    use crate::loss::Squared;
    use crate::pattern::Pattern;
    use crate::program::Beta;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn fewer_columns_cost_no_more_than_allowed() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        // Patterns that differ from one of three on a few rows.
        let patterns: Vec<Pattern> = (0..120)
            .map(|j| {
                let flips: Vec<usize> = (0..3).map(|_| rng.random_range(0..100)).collect();
                Pattern::from_fn(100, |i| (i * (j % 3 + 1) / 40 % 2 == 0) != flips.contains(&i))
            })
            .collect();
        let matrix = PatternMatrix::from_patterns(100, &patterns);
        let y = (0..100).map(|i| f64::from(u8::from(i % 7 < 3)) + rng.random::<f64>()).collect();
        let targets = Targets::plain(y);
        let beta = Beta::new(0.5).unwrap();
        let program = LassoProgram::new(&matrix, &targets, Squared, beta).unwrap();
        let solver = ActiveSet { tolerance: 1e-9, ..ActiveSet::default() };
        let solution = solver.solve(&program);
        let count = |w: &[f64]| w.iter().filter(|w| **w != 0.0).count();
        let best = solution.certificate.objective();
        let mut last = count(&solution.coefficients);
        for part in [1e-3, 1e-2, 1e-1] {
            let limit = best * (1.0 + part);
            let (w, offset, objective) =
                prune(&program, &solver, solution.coefficients.clone(), 0.0, limit);
            assert_eq!(offset, 0.0);
            assert!(program.objective(&w) <= limit * (1.0 + 1e-12));
            assert!(objective.is_none_or(|o| (o - program.objective(&w)).abs() <= 1e-9 * best));
            assert!(count(&w) <= last, "{} and {last} at {part}", count(&w));
            last = count(&w);
        }
        assert!(last < count(&solution.coefficients));
        let (w, _, objective) = prune(&program, &solver, solution.coefficients.clone(), 0.0, 0.0);
        assert_eq!((w, objective), (solution.coefficients, None));
    }
}
