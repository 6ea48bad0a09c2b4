//! Conic programs for a general solver, every loss, one variable and one constraint at a time: the
//! references that our solvers are checked against.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, ExponentialConeT, IPSolver, NonnegativeConeT, SolverStatus,
    SupportedConeT, ZeroConeT,
};
use hardlim::loss::LossKind;
use hardlim::program::Constraints;

/// A conic program, written down one variable and one constraint at a time.
#[derive(Default)]
pub(crate) struct Conic {
    linear: Vec<f64>,
    quadratic: Vec<f64>,
    entries: Vec<(usize, usize, f64)>,
    offsets: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
}

/// `Σ a x + b`.
pub(crate) type Affine<'a> = (&'a [(usize, f64)], f64);

impl Conic {
    /// A new variable `x` that costs `cx + qx²/2`.
    pub(crate) fn variable(&mut self, linear: f64, quadratic: f64) -> usize {
        self.linear.push(linear);
        self.quadratic.push(quadratic);
        self.linear.len() - 1
    }

    fn row(&mut self, (terms, offset): Affine<'_>) {
        let row = self.offsets.len();
        self.entries.extend(terms.iter().map(|&(x, a)| (row, x, -a)));
        self.offsets.push(offset);
    }

    /// `Σ a x + b ≥ 0`.
    pub(crate) fn at_least_zero(&mut self, affine: Affine<'_>) {
        self.row(affine);
        self.cones.push(NonnegativeConeT(1));
    }

    /// `Σ a x + b = 0`.
    pub(crate) fn zero(&mut self, affine: Affine<'_>) {
        self.row(affine);
        self.cones.push(ZeroConeT(1));
    }

    /// `exp(left) ≤ x`.
    fn exponential(&mut self, left: Affine<'_>, x: usize) {
        self.row(left);
        self.row((&[], 1.0));
        self.row((&[(x, 1.0)], 0.0));
        self.cones.push(ExponentialConeT());
    }

    /// The optimum, as far as the solver gets.
    pub(crate) fn solve(&self) -> f64 {
        let (value, status) = self.value();
        assert!(matches!(status, SolverStatus::Solved | SolverStatus::AlmostSolved), "{status}");
        value
    }

    /// The value where the solver stopped, and why it did.
    pub(crate) fn value(&self) -> (f64, SolverStatus) {
        let n = self.linear.len();
        let square = (0..n).collect::<Vec<_>>();
        let p = CscMatrix::new_from_triplets(n, n, square.clone(), square, self.quadratic.clone());
        let (rows, columns, values) = self.entries.iter().fold(
            (vec![], vec![], vec![]),
            |(mut i, mut j, mut v), &(row, column, value)| {
                i.push(row);
                j.push(column);
                v.push(value);
                (i, j, v)
            },
        );
        let a = CscMatrix::new_from_triplets(self.offsets.len(), n, rows, columns, values);
        let settings = DefaultSettings {
            verbose: false,
            tol_gap_abs: 1e-11,
            tol_gap_rel: 1e-11,
            tol_feas: 1e-11,
            ..DefaultSettings::default()
        };
        let mut solver =
            DefaultSolver::new(&p, &self.linear, &a, &self.offsets, &self.cones, settings).unwrap();
        solver.solve();
        let solution = &solver.solution;
        (0.5 * (solution.obj_val + solution.obj_val_dual), solution.status)
    }

    /// Adds `s l(u, y)`, and returns the constant part of its cost.
    pub(crate) fn add_loss(&mut self, loss: LossKind, u: usize, y: f64, s: f64) -> f64 {
        match loss {
            LossKind::Squared => {
                self.linear[u] -= s * y;
                self.quadratic[u] += s;
                return s * y * y / 2.0;
            }
            LossKind::Logistic => {
                // exp(−yu − v) + exp(−v) ≤ 1.
                let (v, a, b) =
                    (self.variable(s, 0.0), self.variable(0.0, 0.0), self.variable(0.0, 0.0));
                self.exponential((&[(u, -y), (v, -1.0)], 0.0), a);
                self.exponential((&[(v, -1.0)], 0.0), b);
                self.at_least_zero((&[(a, -1.0), (b, -1.0)], 1.0));
            }
            LossKind::Hinge | LossKind::SquaredHinge => {
                let squared = loss == LossKind::SquaredHinge;
                let v = if squared { self.variable(0.0, s) } else { self.variable(s, 0.0) };
                self.at_least_zero((&[(v, 1.0)], 0.0));
                self.at_least_zero((&[(v, 1.0), (u, y)], -1.0));
            }
            LossKind::Huber(huber) => {
                // v²/2 + δ|u − y − v|.
                let (v, w) = (self.variable(0.0, s), self.variable(s * huber.threshold(), 0.0));
                self.at_least_zero((&[(w, 1.0), (u, -1.0), (v, 1.0)], y));
                self.at_least_zero((&[(w, 1.0), (u, 1.0), (v, -1.0)], -y));
            }
            LossKind::Absolute => {
                let v = self.variable(s, 0.0);
                self.at_least_zero((&[(v, 1.0), (u, -1.0)], y));
                self.at_least_zero((&[(v, 1.0), (u, 1.0)], -y));
            }
            LossKind::Quantile(quantile) => {
                let (v, tau) = (self.variable(s, 0.0), quantile.tau());
                self.at_least_zero((&[(v, 1.0), (u, tau)], -tau * y));
                self.at_least_zero((&[(v, 1.0), (u, tau - 1.0)], (1.0 - tau) * y));
            }
        }
        0.0
    }
}

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
