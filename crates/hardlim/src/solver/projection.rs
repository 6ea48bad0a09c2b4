//! Maximum margins in few dimensions: a projection onto `{v : n·v ≥ 1 for every row}`, `n = ±x`.
//!
//! Rows are admitted one at a time, the one with the smallest margin first. Each is brought to
//! margin 1 by the shortest way that keeps the multipliers of the rows before it positive; a row
//! whose multiplier would become negative is released (Goldfarb and Idnani, *A numerically stable
//! dual method*, 1983). The rows at margin 1 are kept as an orthogonal basis and a triangle, never
//! as squares. Only few rows are checked in most steps: those that have come close. All rows are
//! checked when none of these has a margin below 1.
//!
//! A bias is a column with almost no cost, `b²/s²` around the last `b`. This is a proximal step;
//! each one reduces the cost by a large factor.

use super::margin::{Vectors, dot, side};
use super::tuning::{PROJECTION_STEPS, ROWS_THAT_JOIN, STRETCH};
use crate::pattern::Pattern;

/// Margins may fall short of 1 by this much, plus rounding errors.
const TOLERANCE: f64 = 1e-10;
/// A row depends on others if at most this fraction of it is left outside their span.
const DEPENDENT: f64 = 1e-11;
/// The weights and bias of the widest margin; `None` if the rows cannot be separated, or rounding
/// prevents it. `near` holds rows to begin with.
pub(crate) fn max_margin(
    rows: Vectors<'_>,
    pattern: &Pattern,
    bias: bool,
    near: Vec<usize>,
) -> Option<(Vec<f64>, f64)> {
    let mut state = State::new(rows, pattern, bias, near);
    for _ in 0..PROJECTION_STEPS {
        state.project()?;
        if state.is_balanced() {
            break;
        }
        state.restart();
    }
    Some(state.plane())
}

#[derive(Debug)]
struct State<'a> {
    rows: Vectors<'a>,
    pattern: &'a Pattern,
    stretch: Option<f64>,
    /// The point that is projected.
    origin: Vec<f64>,
    v: Vec<f64>,
    active: Vec<usize>,
    multipliers: Vec<f64>,
    /// Orthonormal vectors, and the normals of the active rows in terms of them: column `k` has
    /// `k + 1` numbers.
    basis: Vec<Vec<f64>>,
    triangle: Vec<Vec<f64>>,
    close: Vec<usize>,
    is_close: Vec<bool>,
    sizes: Vec<f64>,
}

impl<'a> State<'a> {
    fn new(rows: Vectors<'a>, pattern: &'a Pattern, bias: bool, near: Vec<usize>) -> Self {
        let samples = pattern.samples();
        let squares: Vec<f64> = (0..samples).map(|i| dot(rows.row(i), rows.row(i))).collect();
        let mean = squares.iter().sum::<f64>() / samples.max(1) as f64;
        let stretch = bias.then(|| STRETCH * mean.sqrt().max(f64::MIN_POSITIVE));
        let column = stretch.map_or(0.0, |s| s * s);
        let mut is_close = vec![false; samples];
        near.iter().for_each(|&i| is_close[i] = true);
        let origin = vec![0.0; rows.dimension + usize::from(bias)];
        Self {
            rows,
            pattern,
            stretch,
            v: origin.clone(),
            origin,
            active: Vec::new(),
            multipliers: Vec::new(),
            basis: Vec::new(),
            triangle: Vec::new(),
            close: near,
            is_close,
            sizes: squares.iter().map(|s| (s + column).sqrt()).collect(),
        }
    }

    fn normal(&self, i: usize) -> Vec<f64> {
        let side = side(self.pattern, i);
        self.rows.row(i).iter().copied().chain(self.stretch).map(|x| side * x).collect()
    }

    /// How much the margin of row `i` is below 1, beyond rounding errors.
    fn shortfall(&self, i: usize, size: f64) -> f64 {
        let mut t = dot(self.rows.row(i), &self.v[..self.rows.dimension]);
        if let Some(stretch) = self.stretch {
            t += stretch * self.v[self.rows.dimension];
        }
        1.0 - side(self.pattern, i) * t - TOLERANCE - 1e-15 * size * self.sizes[i]
    }

    /// Admits rows until no margin is below 1; `None` if that is impossible.
    fn project(&mut self) -> Option<()> {
        // Every row that joins raises the norm, so no set of rows comes back. The limit guards
        // against rounding errors.
        for _ in 0..100 * (self.v.len() + 10) {
            let Some(i) = self.worst() else {
                self.polish();
                return Some(());
            };
            self.admit(i)?;
        }
        None
    }

    /// The row with the smallest margin; `None` if all margins are reached.
    fn worst(&mut self) -> Option<usize> {
        let size = dot(&self.v, &self.v).sqrt();
        let worst = (self.close.iter().copied())
            .filter(|i| !self.active.contains(i))
            .map(|i| (self.shortfall(i, size), i))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        if let Some((_, i)) = worst.filter(|worst| worst.0 > 0.0) {
            return Some(i);
        }
        let mut others: Vec<(f64, usize)> = (0..self.is_close.len())
            .filter(|&i| !self.is_close[i])
            .map(|i| (self.shortfall(i, size), i))
            .filter(|other| other.0 > 0.0)
            .collect();
        others.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        others.truncate(ROWS_THAT_JOIN);
        self.close.extend(others.iter().map(|other| other.1));
        others.iter().for_each(|other| self.is_close[other.1] = true);
        others.first().map(|other| other.1)
    }

    /// Brings a row to margin 1; `None` if the rows at margin 1 prevent it.
    fn admit(&mut self, i: usize) -> Option<()> {
        let normal = self.normal(i);
        let least = DEPENDENT * self.sizes[i];
        let mut multiplier = 0.0;
        loop {
            let (along, rest) = self.split(&normal);
            let shares = self.back(&along);
            let left = dot(&rest, &rest);
            let whole = if left > least * least {
                (1.0 - dot(&normal, &self.v)).max(0.0) / left
            } else {
                f64::INFINITY
            };
            let (part, first) = (shares.iter().zip(&self.multipliers).enumerate())
                .filter(|(_, (share, _))| **share > 0.0)
                .map(|(k, (share, multiplier))| (multiplier / share, k))
                .fold((f64::INFINITY, 0), |a, b| if b.0 < a.0 { b } else { a });
            let step = whole.min(part);
            if step == f64::INFINITY {
                return None;
            }
            self.multipliers.iter_mut().zip(&shares).for_each(|(u, share)| *u -= step * share);
            multiplier += step;
            if whole < f64::INFINITY {
                self.v.iter_mut().zip(&rest).for_each(|(v, z)| *v += step * z);
            }
            if whole <= part {
                let length = left.sqrt();
                let mut column = along;
                column.push(length);
                self.triangle.push(column);
                self.basis.push(rest.iter().map(|z| z / length).collect());
                self.active.push(i);
                self.multipliers.push(multiplier);
                return Some(());
            }
            self.release(first);
        }
    }

    /// The parts of `vector` along the basis, and the rest. Done twice against rounding errors.
    fn split(&self, vector: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut along, mut rest) = (vec![0.0; self.basis.len()], vector.to_vec());
        for _ in 0..2 {
            for (part, q) in along.iter_mut().zip(&self.basis) {
                let more = dot(q, &rest);
                rest.iter_mut().zip(q).for_each(|(r, q)| *r -= more * q);
                *part += more;
            }
        }
        (along, rest)
    }

    /// `R⁻¹` times a vector.
    fn back(&self, vector: &[f64]) -> Vec<f64> {
        let mut x = vector.to_vec();
        for k in (0..x.len()).rev() {
            x[k] /= self.triangle[k][k];
            let scale = x[k];
            x[..k].iter_mut().zip(&self.triangle[k]).for_each(|(x, r)| *x -= scale * r);
        }
        x
    }

    /// Releases the `k`-th active row; rotations restore the triangle.
    fn release(&mut self, k: usize) {
        self.active.remove(k);
        self.multipliers.remove(k);
        self.triangle.remove(k);
        for j in k..self.triangle.len() {
            let (a, b) = (self.triangle[j][j], self.triangle[j][j + 1]);
            let length = a.hypot(b);
            let (c, s) = (a / length, b / length);
            for column in &mut self.triangle[j..] {
                let (x, y) = (column[j], column[j + 1]);
                (column[j], column[j + 1]) = (c * x + s * y, c * y - s * x);
            }
            self.triangle[j].truncate(j + 1);
            let (left, right) = self.basis.split_at_mut(j + 1);
            for (x, y) in left[j].iter_mut().zip(&mut right[0]) {
                (*x, *y) = (c * *x + s * *y, c * *y - s * *x);
            }
        }
        self.basis.pop();
    }

    /// Computes the point again from the rows at margin 1, without the errors of the steps.
    fn polish(&mut self) {
        // RᵀQᵀ(v − origin) = 1 − N·origin, solved from the first equation on.
        let mut parts: Vec<f64> = Vec::with_capacity(self.active.len());
        for (k, &i) in self.active.iter().enumerate() {
            let known = dot(&self.triangle[k][..k], &parts);
            let right = 1.0 - dot(&self.normal(i), &self.origin);
            parts.push((right - known) / self.triangle[k][k]);
        }
        self.v.clone_from(&self.origin);
        for (part, q) in parts.iter().zip(&self.basis) {
            self.v.iter_mut().zip(q).for_each(|(v, q)| *v += part * q);
        }
        self.multipliers = self.back(&parts);
    }

    /// Whether the bias has its best value: `Σ ±u = 0`.
    fn is_balanced(&self) -> bool {
        let total: f64 = self.multipliers.iter().sum();
        let sides =
            self.active.iter().zip(&self.multipliers).map(|(&i, u)| side(self.pattern, i) * u);
        self.stretch.is_none() || sides.sum::<f64>().abs() <= 1e-10 * total
    }

    /// Starts again from the bias found, with the same rows to check.
    fn restart(&mut self) {
        let last = self.rows.dimension;
        self.origin[last] = self.v[last];
        self.v.clone_from(&self.origin);
        self.active.clear();
        self.multipliers.clear();
        self.basis.clear();
        self.triangle.clear();
    }

    fn plane(&self) -> (Vec<f64>, f64) {
        let mut weights = self.v.clone();
        let offset = self.stretch.map_or(0.0, |s| s * weights.pop().expect("the bias"));
        (weights, offset)
    }
}
