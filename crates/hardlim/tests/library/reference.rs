//! The programs as a general conic solver sees them: the references that ours are checked against.

use clarabel::algebra::CscMatrix;
use clarabel::solver::SupportedConeT::{self, ExponentialConeT, NonnegativeConeT, ZeroConeT};
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, SolverStatus};
use hardlim::loss::LossKind;
use hardlim::program::Constraints;

/// `min ½xᵀPx + qᵀx` where `Ax = b` on the first rows and `Ax ≤ b` on the others: the value.
pub(crate) fn quadratic_program(
    diagonal: &[f64],
    q: &[f64],
    equalities: &[(Vec<(usize, f64)>, f64)],
    inequalities: &[(Vec<(usize, f64)>, f64)],
) -> f64 {
    let cones = [ZeroConeT(equalities.len()), NonnegativeConeT(inequalities.len())];
    conic_program(diagonal, q, equalities.iter().chain(inequalities), &cones, 1e-12).0
}

/// `min ½xᵀPx + qᵀx` where `b − Ax` lies in the cones: the value, and whether it has this
/// tolerance.
fn conic_program<'a>(
    diagonal: &[f64],
    q: &[f64],
    constraints: impl Iterator<Item = &'a (Vec<(usize, f64)>, f64)>,
    cones: &[SupportedConeT<f64>],
    tolerance: f64,
) -> (f64, bool) {
    let variables = q.len();
    let index: Vec<usize> = (0..variables).collect();
    let p =
        CscMatrix::new_from_triplets(variables, variables, index.clone(), index, diagonal.to_vec());
    let (mut rows, mut columns, mut values, mut b) = (vec![], vec![], vec![], vec![]);
    for (i, (row, right)) in constraints.enumerate() {
        for &(j, a) in row {
            rows.push(i);
            columns.push(j);
            values.push(a);
        }
        b.push(*right);
    }
    let a = CscMatrix::new_from_triplets(b.len(), variables, rows, columns, values);
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .tol_gap_abs(tolerance)
        .tol_gap_rel(tolerance)
        .tol_feas(tolerance)
        .build()
        .expect("valid settings");
    let mut solver = DefaultSolver::new(&p, q, &a, &b, cones, settings).expect("a valid program");
    solver.solve();
    (solver.solution.obj_val, solver.solution.status == SolverStatus::Solved)
}

/// `min_w Σ s(Dw + c − y)²/2 + Σ p|w|` for rows of bits with one target each, and penalties `p`.
pub(crate) fn lasso(
    rows: &[Vec<bool>],
    y: &[f64],
    s: &[f64],
    penalties: &[f64],
    constraints: Constraints,
) -> f64 {
    let (n, p) = (rows.len(), rows.first().map_or(0, Vec::len));
    // x = (w₊, w₋, r, c) with r = D(w₊ − w₋) + c − y.
    let diagonal: Vec<f64> =
        vec![0.0; 2 * p].into_iter().chain(s.iter().copied()).chain([0.0]).collect();
    let q = [penalties, penalties, &vec![0.0; n + 1]].concat();
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

/// `min_w Σ s·l(Dw + c, y) + Σ p|w|` for rows of bits, targets `(row, y, s)` and penalties `p`,
/// each loss in its own words: slacks for its pieces, exponential cones for the logistic loss.
/// Nothing where the conic solver says that it did not get there.
pub(crate) fn lasso_with(
    loss: LossKind,
    rows: &[Vec<bool>],
    targets: &[(usize, f64, f64)],
    penalties: &[f64],
    constraints: Constraints,
) -> Option<f64> {
    let p = rows.first().map_or(0, Vec::len);
    // x = (w₊, w₋, c, slacks).
    let (mut diagonal, mut q) = (vec![0.0; 2 * p + 1], penalties.repeat(2));
    q.push(0.0);
    let mut slack = |curvature: f64, price: f64| {
        diagonal.push(curvature);
        q.push(price);
        diagonal.len() - 1
    };
    let output = |i: usize, scale: f64| -> Vec<(usize, f64)> {
        let on = (0..p).filter(|&j| rows[i][j]);
        on.flat_map(|j| [(j, scale), (p + j, -scale)]).chain([(2 * p, scale)]).collect()
    };
    let with = |mut row: Vec<(usize, f64)>, more: &[(usize, f64)]| {
        row.extend(more);
        row
    };
    let (mut equalities, mut inequalities, mut exponential) = (vec![], vec![], vec![]);
    let free = if constraints.non_negative { p } else { 2 * p };
    inequalities.extend((0..free).map(|j| (vec![(j, -1.0)], 0.0)));
    equalities.extend((free..2 * p).map(|j| (vec![(j, 1.0)], 0.0)));
    if !constraints.intercept {
        equalities.push((vec![(2 * p, 1.0)], 0.0));
    }
    for &(i, y, s) in targets {
        match loss {
            LossKind::Squared => {
                let e = slack(s, 0.0);
                equalities.push((with(output(i, 1.0), &[(e, -1.0)]), y));
            }
            LossKind::Hinge | LossKind::SquaredHinge => {
                let t = if loss == LossKind::Hinge { slack(0.0, s) } else { slack(s, 0.0) };
                inequalities.push((with(output(i, -y), &[(t, -1.0)]), -1.0));
                inequalities.push((vec![(t, -1.0)], 0.0));
            }
            LossKind::Absolute | LossKind::Quantile(_) | LossKind::Huber(_) => {
                let (high, low) = match loss {
                    LossKind::Quantile(quantile) => (1.0 - quantile.tau(), quantile.tau()),
                    LossKind::Huber(huber) => (huber.threshold(), huber.threshold()),
                    _ => (1.0, 1.0),
                };
                let (a, b) = (slack(0.0, s * high), slack(0.0, s * low));
                let mut row = with(output(i, 1.0), &[(a, -1.0), (b, 1.0)]);
                if matches!(loss, LossKind::Huber(_)) {
                    row.push((slack(s, 0.0), -1.0));
                }
                equalities.push((row, y));
                inequalities.extend([a, b].map(|slack| (vec![(slack, -1.0)], 0.0)));
            }
            LossKind::Logistic => {
                // e^(−t) + e^(−yu − t) ≤ 1.
                let (t, a, b) = (slack(0.0, s), slack(0.0, 0.0), slack(0.0, 0.0));
                inequalities.push((vec![(a, 1.0), (b, 1.0)], 1.0));
                exponential.extend([
                    (vec![(t, 1.0)], 0.0),
                    (vec![], 1.0),
                    (vec![(a, -1.0)], 0.0),
                    (with(output(i, y), &[(t, 1.0)]), 0.0),
                    (vec![], 1.0),
                    (vec![(b, -1.0)], 0.0),
                ]);
            }
        }
    }
    let mut cones = vec![ZeroConeT(equalities.len()), NonnegativeConeT(inequalities.len())];
    cones.extend((0..exponential.len() / 3).map(|_| ExponentialConeT()));
    let constraints = equalities.iter().chain(&inequalities).chain(&exponential);
    let (value, solved) = conic_program(&diagonal, &q, constraints, &cones, 1e-10);
    solved.then_some(value)
}
