//! The least norm with margin 1: `min ‖w‖` where `±(x·w + b) ≥ 1`, for norms that make it a linear
//! program.
//!
//! It is solved on a working set of rows. Rows whose margin is too small join, until there are
//! none.

use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolveOutcome, Variable};

use super::largest;
use crate::network::tuning::ROWS_THAT_JOIN;
use crate::pattern::Pattern;
use crate::solver::margin::{Vectors, side};

/// Margins may fall short of 1 by this much.
const TOLERANCE: f64 = 1e-6;
/// Weights below this fraction of the largest are rounding errors.
const ROUNDING: f64 = 1e-10;
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Norm {
    /// `Σ|wⱼ|`, by `w = p − q` with `p, q ≥ 0`.
    Sum,
    /// `max |wⱼ|`.
    Largest,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Least<'a> {
    pub(super) rows: Vectors<'a>,
    pub(super) pattern: &'a Pattern,
    pub(super) bias: bool,
    pub(super) norm: Norm,
}

impl Least<'_> {
    /// The least norm over these inputs; `None` if the rows cannot be separated. Rows with too
    /// small a margin join the working rows.
    pub(super) fn solve(
        &self,
        inputs: &[usize],
        working: &mut Vec<usize>,
    ) -> Option<(Vec<f64>, f64)> {
        // A row joins once.
        for _ in 0..=self.pattern.samples() {
            let mut problem = Problem::new(OptimizationDirection::Minimize);
            let variables = Variables::new(&mut problem, inputs, self.norm, self.bias);
            for &i in working.iter() {
                problem.add_constraint(self.margin(&variables, i), ComparisonOp::Ge, 1.0);
            }
            let Ok(SolveOutcome::Solution(solution)) = problem.solve() else { return None };
            let (weights, bias) = variables.plane(&solution, self.rows.dimension);
            let short = self.rows_that_fall_short(&weights, bias, working);
            if short.is_empty() {
                return Some((weights, bias));
            }
            working.extend(short);
        }
        None
    }

    /// `±(x·w + b)` of a row, as an expression in the variables.
    fn margin(&self, variables: &Variables<'_>, i: usize) -> LinearExpr {
        let (row, side) = (self.rows.row(i), side(self.pattern, i));
        let mut terms = LinearExpr::empty();
        for (k, &j) in variables.inputs.iter().enumerate().filter(|(_, j)| row[**j] != 0.0) {
            terms.add(variables.plus[k], side * row[j]);
            if let Some(minus) = variables.minus.get(k) {
                terms.add(*minus, -side * row[j]);
            }
        }
        if let Some(offset) = variables.offset {
            terms.add(offset, side);
        }
        terms
    }

    /// The rows outside the working set whose margin is below one, the worst first.
    fn rows_that_fall_short(&self, weights: &[f64], bias: f64, working: &[usize]) -> Vec<usize> {
        let mut outside = vec![true; self.pattern.samples()];
        working.iter().for_each(|&i| outside[i] = false);
        let mut short: Vec<(f64, usize)> = (0..outside.len())
            .filter(|&i| outside[i])
            .map(|i| {
                let t: f64 = self.rows.row(i).iter().zip(weights).map(|(x, w)| x * w).sum();
                (side(self.pattern, i) * (t + bias), i)
            })
            .filter(|(margin, _)| *margin < 1.0 - TOLERANCE)
            .collect();
        short.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        short.truncate(ROWS_THAT_JOIN);
        short.into_iter().map(|(_, i)| i).collect()
    }
}

/// `w`, or `p` and `q`, and `b`.
struct Variables<'a> {
    inputs: &'a [usize],
    plus: Vec<Variable>,
    minus: Vec<Variable>,
    offset: Option<Variable>,
}

impl<'a> Variables<'a> {
    fn new(problem: &mut Problem, inputs: &'a [usize], norm: Norm, bias: bool) -> Self {
        let (free, positive) = ((f64::NEG_INFINITY, f64::INFINITY), (0.0, f64::INFINITY));
        let mut many = |cost: f64, range: (f64, f64)| -> Vec<Variable> {
            inputs.iter().map(|_| problem.add_var(cost, range)).collect()
        };
        let (plus, minus) = match norm {
            Norm::Sum => (many(1.0, positive), many(1.0, positive)),
            Norm::Largest => (many(0.0, free), Vec::new()),
        };
        if norm == Norm::Largest {
            let most = problem.add_var(1.0, positive);
            for &w in &plus {
                problem.add_constraint([(most, 1.0), (w, 1.0)], ComparisonOp::Ge, 0.0);
                problem.add_constraint([(most, 1.0), (w, -1.0)], ComparisonOp::Ge, 0.0);
            }
        }
        let offset = bias.then(|| problem.add_var(0.0, free));
        Self { inputs, plus, minus, offset }
    }

    fn plane(&self, solution: &microlp::Solution, dimension: usize) -> (Vec<f64>, f64) {
        let mut weights = vec![0.0; dimension];
        for (k, &j) in self.inputs.iter().enumerate() {
            let minus = self.minus.get(k).map_or(0.0, |&q| solution[q]);
            weights[j] = solution[self.plus[k]] - minus;
        }
        let largest = largest(&weights);
        weights.iter_mut().filter(|w| w.abs() <= ROUNDING * largest).for_each(|w| *w = 0.0);
        (weights, self.offset.map_or(0.0, |offset| solution[offset]))
    }
}
