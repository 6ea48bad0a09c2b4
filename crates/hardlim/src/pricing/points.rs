//! The rows of `X̃` as points of `R^r`, where `r` is the rank: exactly, and in coordinates fit for
//! floating point.
//!
//! `r` independent columns give all patterns, since the others are combinations of them. A double
//! is an integer times a power of two, so with a power of two for every column the points are
//! vectors of integers, and every sign below is that of an integer.
//!
//! For floating point the columns are made nearly orthonormal by a triangular matrix `T`. Whatever
//! the rounding in `T` was, `XT` has the patterns of `X`. Only the products with it are rounded,
//! and these are summed in twice the precision (Ogita, Rump and Oishi, *Accurate sum and dot
//! product*, 2005). So a column that is almost a combination of others is resolved, too.

use crate::arrangement::Arrangement;
use crate::exact::double::Double;
use crate::exact::dyadic::lowest_bit;
use crate::exact::integer::{Integer, cross_product};
use crate::exact::rank::Matrix;
use crate::exact::sum::{add_times, dot};

/// Distinct rows in `r` independent columns.
#[derive(Debug, Clone)]
pub(super) struct Points {
    /// The columns, the bias as the last feature plus one.
    pub(super) columns: Vec<usize>,
    /// `rank` numbers for each point, the columns scaled by powers of two to at most 1.
    values: Vec<f64>,
    /// The powers of two by which the columns were scaled: `as read = value · 2^scale`.
    scales: Vec<i32>,
    /// The powers of two that make the columns integers: `integer = value / 2^grid`.
    grids: Vec<i32>,
    /// Nearly orthonormal columns, every point scaled by a power of two to at most 1.
    pub(super) coordinates: Vec<Vec<f64>>,
    /// A bound on the error of each coordinate.
    pub(super) error: f64,
    /// The columns of `T`: coordinate `j` is `Σ Tₖⱼ xₖ` over the scaled columns, up to the power of
    /// two of the point.
    transform: Vec<Vec<f64>>,
    pub(super) len: usize,
}

impl Points {
    /// The rows of an arrangement; `None` if their rank is above `most`.
    pub(super) fn of(arrangement: &Arrangement<'_>, most: usize) -> Option<Self> {
        let features = arrangement.features();
        let (rows, dimension) = (features.rows(), features.dimension());
        let width = dimension + usize::from(arrangement.has_bias());
        let mut values = Vec::with_capacity(rows * width);
        for i in 0..rows {
            values.extend_from_slice(features.row(i));
            values.resize((i + 1) * width, 1.0);
        }
        // The bias comes first, because the other columns are centred by it.
        let order: Vec<usize> = (dimension..width).chain(0..dimension).collect();
        Self::new(&values, rows, &order, width, most)
    }

    /// Some columns, in this order, of a matrix with `width` of them.
    pub(super) fn new(
        matrix: &[f64],
        len: usize,
        order: &[usize],
        width: usize,
        most: usize,
    ) -> Option<Self> {
        let mut values = Vec::with_capacity(len * order.len());
        for i in 0..len {
            values.extend(order.iter().map(|&j| matrix[i * width + j]));
        }
        let wide = order.len();
        let column = |j: usize| (0..len).map(move |i| i * wide + j);
        let (mut scales, mut grids) = (Vec::new(), Vec::new());
        for j in 0..wide {
            let size = column(j).map(|k| values[k].abs()).fold(0.0, f64::max);
            let scale = if size > 0.0 { size.log2().ceil() as i32 } else { 0 };
            column(j).for_each(|k| values[k] *= 2f64.powi(-scale));
            scales.push(scale);
            grids.push(lowest_bit(column(j).map(|k| values[k])).unwrap_or(0));
        }
        let all = Self {
            columns: order.to_vec(),
            values,
            scales,
            grids,
            coordinates: Vec::new(),
            transform: Vec::new(),
            error: 0.0,
            len,
        };
        let rows: Vec<u32> = (0..len as u32).collect();
        all.select(&rows, most).map(|(points, _)| points)
    }

    pub(super) fn rank(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn value(&self, i: usize) -> &[f64] {
        &self.values[i * self.rank()..(i + 1) * self.rank()]
    }

    pub(super) fn integers(&self, i: usize) -> impl Iterator<Item = Integer> + '_ {
        let entry = |(&x, &grid): (&f64, &i32)| Integer::from_double(x, grid);
        self.value(i).iter().zip(&self.grids).map(entry)
    }

    /// Some of the points with independent columns of theirs, and the numbers of these columns;
    /// `None` if there are more than `most`.
    pub(super) fn select(&self, rows: &[u32], most: usize) -> Option<(Self, Vec<usize>)> {
        let entry = |i: usize, j: usize| self.value(rows[i] as usize)[j];
        let kept = Matrix::new(rows.len(), self.rank(), entry).independent_columns(most)?;
        let pick = |from: &[i32]| kept.iter().map(|&j| from[j]).collect();
        let mut points = Self {
            columns: kept.iter().map(|&j| self.columns[j]).collect(),
            values: Vec::with_capacity(rows.len() * kept.len()),
            scales: pick(&self.scales),
            grids: pick(&self.grids),
            coordinates: Vec::new(),
            transform: Vec::new(),
            error: 0.0,
            len: rows.len(),
        };
        for &i in rows {
            let row = self.value(i as usize);
            points.values.extend(kept.iter().map(|&j| row[j]));
        }
        points.condition();
        Some((points, kept))
    }

    /// The direction orthogonal to `rank − 1` points; `None` if they are dependent.
    pub(super) fn normal(&self, rows: &[usize]) -> Option<Normal> {
        let rows: Vec<Vec<Integer>> = rows.iter().map(|&i| self.integers(i).collect()).collect();
        let exact = cross_product(&rows);
        let normal = Normal::new(exact, |j| self.grids[j]);
        (!normal.is_zero()).then_some(normal)
    }

    /// A direction with every point in front of it, if one column gives it.
    pub(super) fn all_in_front(&self) -> Option<Normal> {
        let in_front =
            |&(j, sign): &(usize, f64)| (0..self.len).all(|i| sign * self.value(i)[j] > 0.0);
        let (j, sign) = (0..self.rank()).flat_map(|j| [(j, 1.0), (j, -1.0)]).find(in_front)?;
        let unit = |k: usize| Integer::from_double(if k == j { sign } else { 0.0 }, 0);
        Some(Normal::new((0..self.rank()).map(unit).collect(), |j| self.grids[j]))
    }

    /// The sign of `aᵢ·w`.
    pub(super) fn side(&self, i: usize, normal: &Normal) -> i8 {
        normal.sign(self.value(i).iter().copied(), || self.integers(i))
    }

    /// The exponents of the powers of two by which the columns were scaled.
    pub(super) fn scales(&self) -> &[i32] {
        &self.scales
    }

    /// Weights on the columns as read, from weights on the coordinates.
    pub(super) fn weights_as_read(&self, weights: &[f64]) -> Vec<f64> {
        let mut read = vec![0.0; self.rank()];
        for (column, w) in self.transform.iter().zip(weights) {
            add_times(&mut read, *w, column);
        }
        read.iter().zip(&self.scales).map(|(w, &s)| w * 2f64.powi(-s)).collect()
    }

    fn condition(&mut self) {
        let (rank, len) = (self.rank(), self.len);
        let mut errors = vec![0.0f64; len];
        for j in 0..rank {
            let mut terms = vec![(j, 1.0)];
            // Twice is enough (Kahan): the second pass removes the rounding errors of the first.
            for _ in 0..2 {
                let column = self.combine(&terms);
                let mut change = vec![0.0; j];
                for (q, combination) in self.coordinates.iter().zip(&self.transform) {
                    let along = dot(q, &column) / dot(q, q).max(f64::MIN_POSITIVE);
                    add_times(&mut change, -along, combination);
                }
                terms.extend(change.into_iter().enumerate().filter(|&(_, t)| t != 0.0));
            }
            let column = self.combine(&terms);
            let size = (column.iter().map(|v| v * v).sum::<f64>() / len.max(1) as f64).sqrt();
            let unit = if size > 0.0 { 2f64.powi(-(size.log2().round() as i32)) } else { 1.0 };
            terms.iter_mut().for_each(|(_, t)| *t *= unit);
            let column: Vec<f64> = column.into_iter().map(|v| v * unit).collect();
            for (i, error) in errors.iter_mut().enumerate() {
                let size: f64 = terms.iter().map(|&(k, t)| (self.value(i)[k] * t).abs()).sum();
                *error = error.max(f64::EPSILON * column[i].abs() + 2f64.powi(-95) * size);
            }
            // The diagonal of T is not zero, so T is regular.
            let mut combination = vec![0.0; j + 1];
            terms.iter().for_each(|&(k, t)| combination[k] += t);
            self.transform.push(combination);
            self.coordinates.push(column);
        }
        for i in 0..len {
            let size = self.coordinates.iter().map(|q| q[i].abs()).fold(0.0, f64::max);
            if size > 0.0 {
                let unit = 2f64.powi(-(size.log2().ceil() as i32));
                self.coordinates.iter_mut().for_each(|q| q[i] *= unit);
                self.error = self.error.max(errors[i] * unit);
            }
        }
    }

    /// `Σ t xₖ` for every point, summed in twice the precision.
    fn combine(&self, terms: &[(usize, f64)]) -> Vec<f64> {
        let sum = |i: usize| {
            let mut total = Double::default();
            for &(k, t) in terms {
                let product = Double::product(self.value(i)[k], t);
                let sum = Double::sum(total.high, product.high);
                total = Double { high: sum.high, low: total.low + (sum.low + product.low) };
            }
            total.value()
        };
        (0..self.len).map(sum).collect()
    }
}

/// A direction in weight space: exactly, and rounded.
#[derive(Debug, Clone)]
pub(super) struct Normal {
    /// As integers, for points as integers.
    pub(super) exact: Vec<Integer>,
    /// For scaled points, the largest weight about 1.
    pub(super) rounded: Vec<f64>,
    /// The powers of two between the integers and the weights for scaled points.
    shifts: Vec<i32>,
}

impl Normal {
    fn new(exact: Vec<Integer>, grid: impl Fn(usize) -> i32) -> Self {
        let powers = exact.iter().enumerate().map(|(j, w)| (w, grid(j)));
        let top = powers.filter(|(w, _)| w.sign() != 0).map(|(w, grid)| w.approximate().1 - grid);
        let top = top.max().unwrap_or(0);
        let shifts = (0..exact.len()).map(|j| -grid(j) - top).collect();
        let mut normal = Self { rounded: Vec::new(), exact, shifts };
        normal.rounded = normal.twice().iter().map(|w| w.high).collect();
        normal
    }

    /// The weights for scaled points, to twice the precision.
    pub(super) fn twice(&self) -> Vec<Double> {
        let pair = |(w, &shift): (&Integer, &i32)| {
            let (size, exponent) = w.approximate();
            let (rest, below) = w.minus(size, exponent).approximate();
            let scaled = |size: f64, exponent: i32| size * 2f64.powi((exponent + shift).max(-900));
            Double { high: scaled(size, exponent), low: scaled(rest, below) }
        };
        self.exact.iter().zip(&self.shifts).map(pair).collect()
    }

    pub(super) fn is_zero(&self) -> bool {
        self.exact.iter().all(|w| w.sign() == 0)
    }

    pub(super) fn reversed(&self) -> Self {
        Self {
            exact: self.exact.iter().map(|w| w.clone().negated()).collect(),
            rounded: self.rounded.iter().map(|w| -w).collect(),
            shifts: self.shifts.clone(),
        }
    }

    /// The same direction among more columns, zero on the new ones.
    pub(super) fn widened(&self, kept: &[usize], rank: usize) -> Self {
        let mut wide = Self {
            exact: vec![Integer::default(); rank],
            rounded: vec![0.0; rank],
            shifts: vec![0; rank],
        };
        for (k, &j) in kept.iter().enumerate() {
            wide.exact[j] = self.exact[k].clone();
            (wide.rounded[j], wide.shifts[j]) = (self.rounded[k], self.shifts[k]);
        }
        wide
    }

    /// The sign of `a·w`: from rounded numbers if they decide it, exact otherwise.
    fn sign<I: Iterator<Item = Integer>>(
        &self,
        values: impl Iterator<Item = f64>,
        integers: impl FnOnce() -> I,
    ) -> i8 {
        let (mut sum, mut size) = (0.0f64, 0.0f64);
        for (a, w) in values.zip(&self.rounded) {
            sum += a * w;
            size += (a * w).abs();
        }
        // Each weight and product is rounded, then the sum; the last term covers underflow.
        let error = (self.rounded.len() + 6) as f64 * f64::EPSILON * size + 1e-250;
        if sum.abs() > error {
            return if sum > 0.0 { 1 } else { -1 };
        }
        let mut sum = Integer::default();
        integers().zip(&self.exact).for_each(|(a, w)| sum.add_product(&a, w));
        sum.sign()
    }
}
