//! The programs as a general conic solver sees them: the references that ours are checked against.

use clarabel::algebra::CscMatrix;
use clarabel::solver::SupportedConeT::{NonnegativeConeT, ZeroConeT};
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver};
use hardlim::program::Constraints;

/// `min ½xᵀPx + qᵀx` where `Ax = b` on the first rows and `Ax ≤ b` on the others: the value.
pub(crate) fn quadratic_program(
    diagonal: &[f64],
    q: &[f64],
    equalities: &[(Vec<(usize, f64)>, f64)],
    inequalities: &[(Vec<(usize, f64)>, f64)],
) -> f64 {
    let variables = q.len();
    let index: Vec<usize> = (0..variables).collect();
    let p =
        CscMatrix::new_from_triplets(variables, variables, index.clone(), index, diagonal.to_vec());
    let (mut rows, mut columns, mut values, mut b) = (vec![], vec![], vec![], vec![]);
    for (i, (row, right)) in equalities.iter().chain(inequalities).enumerate() {
        for &(j, a) in row {
            rows.push(i);
            columns.push(j);
            values.push(a);
        }
        b.push(*right);
    }
    let a = CscMatrix::new_from_triplets(b.len(), variables, rows, columns, values);
    let cones = [ZeroConeT(equalities.len()), NonnegativeConeT(inequalities.len())];
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .tol_gap_abs(1e-12)
        .tol_gap_rel(1e-12)
        .tol_feas(1e-12)
        .build()
        .expect("valid settings");
    let mut solver = DefaultSolver::new(&p, q, &a, &b, &cones, settings).expect("a valid program");
    solver.solve();
    solver.solution.obj_val
}

/// `min_w Σ s(Dw + c − y)²/2 + β‖w‖₁` for rows of bits with one target each.
pub(crate) fn lasso(
    rows: &[Vec<bool>],
    y: &[f64],
    s: &[f64],
    beta: f64,
    constraints: Constraints,
) -> f64 {
    let (n, p) = (rows.len(), rows.first().map_or(0, Vec::len));
    // x = (w₊, w₋, r, c) with r = D(w₊ − w₋) + c − y.
    let diagonal: Vec<f64> =
        vec![0.0; 2 * p].into_iter().chain(s.iter().copied()).chain([0.0]).collect();
    let q: Vec<f64> = vec![beta; 2 * p].into_iter().chain(vec![0.0; n + 1]).collect();
    let equalities: Vec<_> = (0..n)
        .map(|i| {
            let on = (0..p).filter(|&j| rows[i][j]);
            let mut row: Vec<(usize, f64)> = on.flat_map(|j| [(j, 1.0), (p + j, -1.0)]).collect();
            row.extend([(2 * p + i, -1.0), (2 * p + n, 1.0)]);
            (row, y[i])
        })
        .collect();
    let mut inequalities: Vec<_> = (0..2 * p).map(|j| (vec![(j, -1.0)], 0.0)).collect();
    if constraints.non_negative {
        inequalities.extend((p..2 * p).map(|j| (vec![(j, 1.0)], 0.0)));
    }
    if !constraints.intercept {
        inequalities.extend([1.0, -1.0].map(|sign| (vec![(2 * p + n, sign)], 0.0)));
    }
    quadratic_program(&diagonal, &q, &equalities, &inequalities)
}
