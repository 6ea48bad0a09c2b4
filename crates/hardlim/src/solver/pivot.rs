//! Maximum margins of many patterns of the same rows: block pivoting on one Gram matrix.
//!
//! With `K = XXᵀ` and signs `yᵢ = ±1`, the widest margin is `min ½aᵀKa − yᵀa` over `yᵢaᵢ ≥ 0`, and
//! `Σa = 0` if there is a bias. Let `F` be a set of rows whose margin is assumed to be exactly one.
//! Then the equations `K_FF a_F + b1 = y_F`, `Σa_F = 0` have one solution. `F` is right when
//! `yᵢaᵢ ≥ 0` on it and no margin outside is below one. All rows that fail this test join or leave
//! `F` at once; if that makes no progress, they do so one at a time (Júdice and Pires, *A block
//! principal pivoting algorithm*, 1994). Few rounds are needed, and each is a Cholesky factor. Rows
//! that are likely to stay come first in it, so that most of the factor is used again. `K` does not
//! contain the signs, so all patterns share it. They also share the first guess of `F`: the rows
//! that a ridge regression on the signs pulls towards their side.
//!
//! The method is made for rows that are independent, or nearly so: about as many columns as rows,
//! or more.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use rayon::prelude::*;

use super::Budget;
use super::factor::Factor;
use super::margin::Vectors;
use super::tuning::{EXCHANGES_IN_VAIN, PIVOT_BLOCK, PIVOT_ROUNDS, RIDGE};
use crate::pattern::Pattern;

/// Negative multipliers of this size, relative to the largest, are rounding errors.
const ROUNDING: f64 = 1e-11;
/// Margins may fall short of 1 by this much.
const TOLERANCE: f64 = 1e-9;
/// What all patterns of the same rows share.
#[derive(Debug)]
pub(super) struct Pivoting {
    bias: bool,
    /// `K` of the rows around their mean. With a bias all entries are raised by the same number;
    /// since `Σa = 0`, this changes nothing but makes `K` definite.
    gram: Mat<f64>,
    center: Vec<f64>,
    ridge: Factor,
    /// `(K + ridge)⁻¹1`.
    ones: Vec<f64>,
}

impl Pivoting {
    pub(super) fn new(rows: Vectors<'_>, count: usize, bias: bool) -> Self {
        let dimension = rows.dimension;
        let mut center = vec![0.0; dimension];
        if bias {
            for i in 0..count {
                center.iter_mut().zip(rows.row(i)).for_each(|(c, x)| *c += x / count as f64);
            }
        }
        let centered = Mat::from_fn(dimension, count, |k, i| rows.row(i)[k] - center[k]);
        let mut gram = Mat::zeros(count, count);
        // The blocks do not depend on the number of threads, so the sums do not either.
        gram.as_mut().par_col_chunks_mut(PIVOT_BLOCK).enumerate().for_each(|(k, block)| {
            let right = centered.subcols(k * PIVOT_BLOCK, block.ncols());
            matmul(block, Accum::Replace, centered.transpose(), right, 1.0, Par::Seq);
        });
        let mean_square = (0..count).map(|i| gram[(i, i)]).sum::<f64>() / count.max(1) as f64;
        if bias {
            gram.col_iter_mut().for_each(|c| c.iter_mut().for_each(|k| *k += mean_square));
        }
        let mut raised = gram.clone();
        (0..count).for_each(|i| raised[(i, i)] += RIDGE * mean_square);
        let mut ridge = Factor::default();
        ridge.refactor(raised.as_ref(), &(0..count).collect::<Vec<_>>(), &Budget::default());
        let mut ones = vec![1.0; count];
        ridge.solve(&mut ones);
        Self { bias, gram, center, ridge, ones }
    }

    /// The weights and bias of the widest margin; `None` if rows depend on each other or the limit
    /// of rounds is reached.
    pub(super) fn max_margin(
        &self,
        rows: Vectors<'_>,
        pattern: &Pattern,
    ) -> Option<(Vec<f64>, f64)> {
        let mut state = State::new(self, pattern);
        let (mut least, mut patience) = (usize::MAX, EXCHANGES_IN_VAIN);
        for _ in 0..PIVOT_ROUNDS {
            if !state.solve() {
                return None;
            }
            let wrong = state.wrong();
            if wrong.is_empty() {
                return Some(state.plane(rows));
            }
            if wrong.len() < least {
                (least, patience) = (wrong.len(), EXCHANGES_IN_VAIN);
            } else if patience > 0 {
                patience -= 1;
            } else {
                let last = *wrong.iter().max().expect("not empty");
                state.exchange(&[last]);
                continue;
            }
            state.exchange(&wrong);
        }
        None
    }
}

/// A guess of the rows at margin one, and what follows from it.
#[derive(Debug)]
struct State<'a> {
    shared: &'a Pivoting,
    side: Vec<f64>,
    /// `F`; the rows that are likely to stay come first.
    active: Vec<usize>,
    factor: Factor,
    /// `a`, zero outside `F`.
    a: Vec<f64>,
    b: f64,
}

impl<'a> State<'a> {
    fn new(shared: &'a Pivoting, pattern: &Pattern) -> Self {
        let side: Vec<f64> = pattern.iter().map(|on| if on { 1.0 } else { -1.0 }).collect();
        let mut a = side.clone();
        shared.ridge.solve(&mut a);
        if shared.bias {
            let b = a.iter().sum::<f64>() / shared.ones.iter().sum::<f64>();
            a.iter_mut().zip(&shared.ones).for_each(|(a, one)| *a -= b * one);
        }
        let pull: Vec<f64> = a.iter().zip(&side).map(|(a, y)| a * y).collect();
        let mut active: Vec<usize> = (0..side.len()).filter(|&i| pull[i] > 0.0).collect();
        active.sort_by(|&i, &j| pull[j].total_cmp(&pull[i]).then(i.cmp(&j)));
        Self { shared, side, active, factor: Factor::default(), a, b: 0.0 }
    }

    /// Computes `a` and `b` for the present `F`. Returns `false` if its rows depend on each other.
    fn solve(&mut self) -> bool {
        self.factor.refactor(self.shared.gram.as_ref(), &self.active, &Budget::default());
        if !self.factor.dependent().is_empty() || self.active.is_empty() {
            return false;
        }
        let mut p: Vec<f64> = self.active.iter().map(|&i| self.side[i]).collect();
        self.factor.solve(&mut p);
        self.b = 0.0;
        if self.shared.bias {
            let mut q = vec![1.0; p.len()];
            self.factor.solve(&mut q);
            self.b = p.iter().sum::<f64>() / q.iter().sum::<f64>();
            p.iter_mut().zip(q).for_each(|(p, q)| *p -= self.b * q);
        }
        self.a.fill(0.0);
        self.active.iter().zip(p).for_each(|(&i, p)| self.a[i] = p);
        self.b.is_finite()
    }

    fn wrong(&self) -> Vec<usize> {
        let mut output = vec![self.b; self.a.len()];
        let column = |j: usize| {
            let column = self.shared.gram.col(j).try_as_col_major().expect("stored by columns");
            (self.a[j], column.as_slice())
        };
        let fours = self.active.chunks_exact(4);
        for &j in fours.remainder() {
            let (a, k) = column(j);
            output.iter_mut().zip(k).for_each(|(u, k)| *u += a * k);
        }
        for four in fours {
            let [(a, k), (b, l), (c, m), (d, n)] = [0, 1, 2, 3].map(|j| column(four[j]));
            let columns = k.iter().zip(l).zip(m.iter().zip(n));
            for (u, ((k, l), (m, n))) in output.iter_mut().zip(columns) {
                *u += (a * k + b * l) + (c * m + d * n);
            }
        }
        let mut inside = vec![false; self.a.len()];
        self.active.iter().for_each(|&i| inside[i] = true);
        let largest = self.a.iter().map(|a| a.abs()).fold(0.0, f64::max);
        (0..self.a.len())
            .filter(|&i| {
                if inside[i] {
                    self.side[i] * self.a[i] < -ROUNDING * largest
                } else {
                    self.side[i] * output[i] < 1.0 - TOLERANCE
                }
            })
            .collect()
    }

    /// Rows in `F` leave it; the others join.
    fn exchange(&mut self, rows: &[usize]) {
        let mut changes = vec![false; self.a.len()];
        rows.iter().for_each(|&i| changes[i] = true);
        let mut inside = vec![false; self.a.len()];
        self.active.iter().for_each(|&i| inside[i] = true);
        self.active.retain(|&i| !changes[i]);
        self.active.extend(rows.iter().filter(|&&i| !inside[i]));
    }

    fn plane(&self, rows: Vectors<'_>) -> (Vec<f64>, f64) {
        let mut weights = vec![0.0; rows.dimension];
        for &i in &self.active {
            weights.iter_mut().zip(rows.row(i)).for_each(|(w, x)| *w += self.a[i] * x);
        }
        let shift: f64 = weights.iter().zip(&self.shared.center).map(|(w, c)| w * c).sum();
        let bias = if self.shared.bias { self.b - shift } else { 0.0 };
        (weights, bias)
    }
}
