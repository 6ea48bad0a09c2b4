//! Maximum margins: `min ½‖w‖²` where `±(x·w + b) ≥ 1`, with the plus sign where the pattern is on.
//!
//! This is solved in the dual, `min ½‖Σ αᵢyᵢxᵢ‖² − Σα` over `α ≥ 0` with `Σ αᵢyᵢ = 0`. There are
//! three ways. If there are about as many columns as rows, or more, all patterns share one Gram
//! matrix ([`super::pivot`]). If there are few columns, rows are admitted one by one
//! ([`super::projection`]). Otherwise a working set grows by rows whose margin is too small, and
//! the quadratic model with `w ≥ 0` solves it, until no such row is left. The equality is enforced
//! by a multiplier, which is the bias.
//!
//! Gram matrices contain squares, and lose margins below about `10⁻⁵` of the size of the rows.
//! Every result is checked. If it is not accurate enough, the nearest points of the two convex
//! hulls give the margin without squares: `w` is twice their difference over its square.

use faer::Mat;

use super::Budget;
use super::charge::Charge;
use super::factor::Factor;
use super::pivot::Pivoting;
use super::projection;
use super::quadratic::{Ending, Quadratic};
use super::tuning::{FEW_COLUMNS, SHARED};
use crate::arrangement::nearest::nearest;
use crate::pattern::Pattern;

/// Margins may fall short of 1 by this much.
const TOLERANCE: f64 = 1e-9;
/// The relative error of the margins or the norm that the check accepts.
const SLACK: f64 = 1e-7;

/// The rows of a matrix, one after the other: the inputs in the units of the margin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vectors<'a> {
    pub(crate) values: &'a [f64],
    pub(crate) dimension: usize,
}

impl<'a> Vectors<'a> {
    pub(crate) fn row(self, i: usize) -> &'a [f64] {
        &self.values[i * self.dimension..(i + 1) * self.dimension]
    }
}

/// `±1`: the side of a row.
pub(crate) fn side(pattern: &Pattern, i: usize) -> f64 {
    if pattern.get(i) { 1.0 } else { -1.0 }
}

#[derive(Debug)]
pub(crate) struct Margins<'a> {
    rows: Vectors<'a>,
    bias: bool,
    shared: Option<Pivoting>,
}

impl<'a> Margins<'a> {
    pub(crate) fn new(rows: Vectors<'a>, samples: usize, bias: bool, patterns: usize) -> Self {
        let wide = samples <= 2 * rows.dimension && (64..=SHARED).contains(&samples);
        let shared = (wide && patterns > 0).then(|| Pivoting::new(rows, samples, bias));
        Self { rows, bias, shared }
    }

    /// The weights and bias of the widest margin around `pattern`; `None` if no hyperplane has all
    /// rows strictly on their sides. `near` holds rows to start with: those close to some
    /// hyperplane that realises the pattern.
    pub(crate) fn max_margin(
        &self,
        pattern: &Pattern,
        near: impl FnOnce() -> Vec<usize>,
    ) -> Option<(Vec<f64>, f64)> {
        let (rows, bias) = (self.rows, self.bias);
        if bias && (pattern.count() == 0 || pattern.count() == pattern.samples()) {
            let side = if pattern.count() == 0 { -1.0 } else { 1.0 };
            return Some((vec![0.0; rows.dimension], side)); // the bias alone reaches any margin
        }
        let holds = |plane: &(Vec<f64>, f64)| falls_short_by(rows, pattern, plane) <= SLACK;
        let pivoted = self.shared.as_ref().and_then(|shared| shared.max_margin(rows, pattern));
        (pivoted.filter(holds))
            .or_else(|| {
                if rows.dimension <= FEW_COLUMNS {
                    projection::max_margin(rows, pattern, bias, near()).filter(holds)
                } else {
                    by_working_set(rows, pattern, bias, &near())
                }
            })
            .or_else(|| by_nearest_points(rows, pattern, bias))
    }
}

fn falls_short_by(
    rows: Vectors<'_>,
    pattern: &Pattern,
    (weights, offset): &(Vec<f64>, f64),
) -> f64 {
    let margin = |(i, on): (usize, bool)| {
        let t = dot(rows.row(i), weights) + offset;
        if on { t } else { -t }
    };
    1.0 - pattern.iter().enumerate().map(margin).fold(f64::INFINITY, f64::min)
}

fn by_working_set(
    rows: Vectors<'_>,
    pattern: &Pattern,
    bias: bool,
    near: &[usize],
) -> Option<(Vec<f64>, f64)> {
    let mut state = State::new(rows, pattern, bias, near);
    // A row joins once. The multiplier converges at least linearly.
    for _ in 0..pattern.samples() + 1000 {
        if !state.solve() {
            return None;
        }
        let short = state.rows_that_fall_short();
        if short.is_empty() && state.update_multiplier() {
            return state.is_optimal().then(|| (state.weights(), state.offset()));
        }
        state.extend(short);
    }
    None
}

/// The margin as half the distance between the convex hulls of the rows that are on and of those
/// that are off. Without a bias, as the distance from zero to the hull of all rows, with the sign
/// of the rows that are off changed.
fn by_nearest_points(rows: Vectors<'_>, pattern: &Pattern, bias: bool) -> Option<(Vec<f64>, f64)> {
    let side = |i: usize| side(pattern, i);
    let all = 0..pattern.samples();
    // The row of a kind that is farthest back along `v`, and its value.
    let last = |v: &[f64], kind: f64| {
        (all.clone().filter(|&i| side(i) == kind))
            .map(|i| (kind * dot(rows.row(i), v), i))
            .min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let mirrored = |i: usize| rows.row(i).iter().map(|x| side(i) * x).collect();
    let vertex = |v: &[f64]| -> Vec<f64> {
        match (last(v, 1.0), last(v, -1.0)) {
            (Some((_, on)), Some((_, off))) if bias => {
                rows.row(on).iter().zip(rows.row(off)).map(|(a, b)| a - b).collect()
            }
            (Some(on), Some(off)) => mirrored(if on.0 <= off.0 { on.1 } else { off.1 }),
            (on, off) => on.or(off).map_or_else(Vec::new, |(_, i)| mirrored(i)),
        }
    };
    let v = nearest(rows.dimension, vertex)?;
    let square = dot(&v, &v);
    let (scale, offset) = match (last(&v, 1.0), last(&v, -1.0)) {
        (Some((on, _)), Some((off, _))) if bias => (2.0 / square, (off - on) / square),
        _ => (1.0 / square, 0.0),
    };
    Some((v.iter().map(|v| scale * v).collect(), offset))
}

#[derive(Debug)]
struct State<'a> {
    rows: Vectors<'a>,
    pattern: &'a Pattern,
    /// The weight of the equality; zero without a bias.
    weight: f64,
    multiplier: f64,
    working: Vec<usize>,
    alpha: Vec<f64>,
    /// `yᵢyⱼ(xᵢ·xⱼ + weight)`.
    gram: Mat<f64>,
}

impl<'a> State<'a> {
    fn new(rows: Vectors<'a>, pattern: &'a Pattern, bias: bool, near: &[usize]) -> Self {
        let squares = rows.values.iter().map(|x| x * x).sum::<f64>();
        let mean_square = squares / pattern.samples() as f64;
        let weight = if bias { mean_square.max(f64::MIN_POSITIVE) } else { 0.0 };
        let mut state = Self {
            rows,
            pattern,
            weight,
            multiplier: 0.0,
            working: Vec::new(),
            alpha: Vec::new(),
            gram: Mat::new(),
        };
        state.extend(near.to_vec());
        state
    }

    fn extend(&mut self, rows: Vec<usize>) {
        let old = self.working.len();
        self.working.extend(rows);
        let size = self.working.len();
        self.alpha.resize(size, 0.0);
        self.gram.resize_with(size, size, |_, _| 0.0);
        for b in old..size {
            for a in 0..=b {
                let (i, j) = (self.working[a], self.working[b]);
                let product = dot(self.rows.row(i), self.rows.row(j)) + self.weight;
                self.gram[(a, b)] = side(self.pattern, i) * side(self.pattern, j) * product;
                self.gram[(b, a)] = self.gram[(a, b)];
            }
        }
    }

    /// Solves for the working set. Returns `false` if its rows cannot be separated.
    fn solve(&mut self) -> bool {
        // The gradient at the warm start, from the gradient at zero.
        let mut at_start: Vec<f64> =
            self.working.iter().map(|&i| self.multiplier * side(self.pattern, i) - 1.0).collect();
        for (j, &alpha) in self.alpha.iter().enumerate().filter(|(_, a)| **a != 0.0) {
            at_start.iter_mut().enumerate().for_each(|(i, g)| *g += alpha * self.gram[(i, j)]);
        }
        let model = Quadratic {
            gram: self.gram.as_ref(),
            reference: &self.alpha,
            gradient: &at_start,
            charge: Charge { non_negative: true, ..Charge::plain(0.0) },
        };
        let (alpha, ending) =
            model.solve(0.1 * TOLERANCE, usize::MAX, &Budget::default(), &mut Factor::default());
        self.alpha = alpha;
        ending != Ending::Unbounded
    }

    fn weights(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.rows.dimension];
        for (&i, alpha) in self.working.iter().zip(&self.alpha).filter(|(_, a)| **a != 0.0) {
            let scale = alpha * side(self.pattern, i);
            weights.iter_mut().zip(self.rows.row(i)).for_each(|(w, x)| *w += scale * x);
        }
        weights
    }

    /// `Σ αᵢyᵢ`, zero at the optimum.
    fn imbalance(&self) -> f64 {
        self.working.iter().zip(&self.alpha).map(|(&i, a)| side(self.pattern, i) * a).sum()
    }

    fn offset(&self) -> f64 {
        self.multiplier + self.weight * self.imbalance()
    }

    /// The rows outside the working set whose margin is below one, worst first.
    fn rows_that_fall_short(&self) -> Vec<usize> {
        let (weights, offset) = (self.weights(), self.offset());
        let mut outside = vec![true; self.pattern.samples()];
        self.working.iter().for_each(|&i| outside[i] = false);
        let mut short: Vec<(f64, usize)> = (0..outside.len())
            .filter(|&i| outside[i])
            .map(|i| (side(self.pattern, i) * (dot(self.rows.row(i), &weights) + offset), i))
            .filter(|(margin, _)| *margin < 1.0 - TOLERANCE)
            .collect();
        short.sort_by(|a, b| a.0.total_cmp(&b.0));
        short.truncate((self.working.len() / 4).max(10));
        short.into_iter().map(|(_, i)| i).collect()
    }

    /// Whether no margin is below one and the norm is proven to be the least: `‖w‖² = Σα`.
    fn is_optimal(&self) -> bool {
        let (weights, offset) = (self.weights(), self.offset());
        let margin = |i: usize| side(self.pattern, i) * (dot(self.rows.row(i), &weights) + offset);
        let square = dot(&weights, &weights);
        (0..self.pattern.samples()).all(|i| margin(i) >= 1.0 - SLACK)
            && (self.alpha.iter().sum::<f64>() - square).abs() <= SLACK * square
    }

    /// Updates the multiplier of the equality. Returns `true` if the equality holds, or if there is
    /// none.
    fn update_multiplier(&mut self) -> bool {
        let total: f64 = self.alpha.iter().sum();
        if self.weight == 0.0 || self.imbalance().abs() <= TOLERANCE * total {
            return true;
        }
        self.multiplier = self.offset();
        false
    }
}

/// `a·b`, as eight sums that the processor adds side by side.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a8.remainder().iter().zip(b8.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a8.zip(b8) {
        sums.iter_mut().zip(a).zip(b).for_each(|((s, a), b)| *s += a * b);
    }
    sums.iter().sum::<f64>() + rest
}
