//! The incremental tree of Rada and Černý: rows one after the other, a linear program at every
//! branch. Slow, and simple enough to be believed.

use hardlim::arrangement::Arrangement;
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};

/// All patterns of an arrangement of at most 64 rows, in ascending order.
pub(crate) fn patterns(arrangement: &Arrangement<'_>) -> Vec<u64> {
    let features = arrangement.features();
    let rows: Vec<Vec<f64>> = (0..features.rows())
        .map(|i| {
            let one = arrangement.has_bias().then_some(1.0);
            features.row(i).iter().copied().chain(one).collect()
        })
        .collect();
    let width = features.dimension() + usize::from(arrangement.has_bias());
    let mut found = Vec::new();
    grow(&rows, &mut Vec::new(), &vec![0.0; width], &mut found);
    found.sort_unstable();
    found
}

/// The patterns that start with some answers, of which `w` is a witness.
fn grow(rows: &[Vec<f64>], answers: &mut Vec<bool>, w: &[f64], found: &mut Vec<u64>) {
    if answers.len() == rows.len() {
        let bits = answers.iter().enumerate().map(|(i, &on)| u64::from(on) << i);
        found.push(bits.sum());
        return;
    }
    let product: f64 = rows[answers.len()].iter().zip(w).map(|(a, w)| a * w).sum();
    for on in [false, true] {
        answers.push(on);
        let inside = if on { product > 1e-6 } else { product < -1e-6 };
        let witness = if inside { Some(w.to_vec()) } else { feasible(rows, answers) };
        if let Some(w) = witness {
            grow(rows, answers, &w, found);
        }
        answers.pop();
    }
}

/// Some `w` with `a·w ≥ 0` on the rows that are on and `a·w ≤ −1` on those that are off.
fn feasible(rows: &[Vec<f64>], answers: &[bool]) -> Option<Vec<f64>> {
    let width = rows[0].len();
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let free = (f64::NEG_INFINITY, f64::INFINITY);
    let w: Vec<_> = (0..width).map(|_| problem.add_var(0.0, free)).collect();
    for (row, &on) in rows.iter().zip(answers) {
        let terms: Vec<_> = w.iter().copied().zip(row.iter().copied()).collect();
        let (op, right) = if on { (ComparisonOp::Ge, 0.0) } else { (ComparisonOp::Le, -1.0) };
        problem.add_constraint(terms, op, right);
    }
    let Ok(SolveOutcome::Solution(solution)) = problem.solve() else { return None };
    Some(w.iter().map(|&v| solution[v]).collect())
}
