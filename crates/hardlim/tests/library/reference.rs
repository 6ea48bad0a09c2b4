//! The programs as a general conic solver sees them: the references that ours are checked against.

use crate::conic::Conic;
use clarabel::solver::SolverStatus;
use hardlim::loss::LossKind;
use hardlim::program::Constraints;

/// `min ½ Σ pⱼxⱼ²` where `a·x ≥ b` for every `(a, b)`.
pub(crate) fn least_square(p: &[f64], inequalities: &[(Vec<(usize, f64)>, f64)]) -> f64 {
    let mut conic = Conic::default();
    p.iter().for_each(|p| _ = conic.variable(0.0, *p));
    inequalities.iter().for_each(|(terms, right)| conic.at_least_zero((terms, -right)));
    conic.solve()
}

/// `min_w Σ s·l(Dw + c, y) + Σ p|w|` for rows of bits, targets `(row, y, s)` and penalties `p`.
/// Nothing where the conic solver says that it did not get there.
pub(crate) fn lasso(
    loss: LossKind,
    rows: &[Vec<bool>],
    targets: &[(usize, f64, f64)],
    penalties: &[f64],
    constraints: Constraints,
) -> Option<f64> {
    let mut conic = Conic::default();
    let signs = if constraints.non_negative { &[1.0][..] } else { &[1.0, -1.0] };
    let parts: Vec<(usize, usize, f64)> = (signs.iter())
        .flat_map(|&sign| penalties.iter().enumerate().map(move |(j, p)| (j, *p, sign)))
        .map(|(j, p, sign)| (j, conic.variable(p, 0.0), sign))
        .collect();
    parts.iter().for_each(|(_, part, _)| conic.at_least_zero((&[(*part, 1.0)], 0.0)));
    let intercept = constraints.intercept.then(|| conic.variable(0.0, 0.0));
    let outputs: Vec<usize> = rows.iter().map(|_| conic.variable(0.0, 0.0)).collect();
    for (row, &u) in rows.iter().zip(&outputs) {
        let on = parts.iter().filter(|(j, ..)| row[*j]).map(|&(_, part, sign)| (part, sign));
        let terms = on.chain(intercept.map(|c| (c, 1.0))).chain([(u, -1.0)]);
        conic.zero((&terms.collect::<Vec<_>>(), 0.0));
    }
    let constant: f64 =
        targets.iter().map(|&(i, y, s)| conic.add_loss(loss, outputs[i], y, s)).sum();
    let (value, status) = conic.value();
    (status == SolverStatus::Solved).then_some(value + constant)
}
