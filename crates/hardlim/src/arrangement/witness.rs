//! Weights behind a pattern: a hyperplane that answers exactly its bits. If the cell is open, the
//! hyperplane is far from the rows.
//!
//! The largest margin is found on centred and scaled columns, then folded back to the features as
//! read. The hyperplane is used only if an exact evaluation confirms it. A cell that is too narrow
//! for this is entered from one of its vertices, with exact signs. If the nearest weights in double
//! precision still lie outside, other weights near them are searched ([`super::thin_cell`]).

use super::cells::{Column, Lattices, center, null_space};
use super::nearest::max_margin_direction;
use super::thin_cell::ThinCell;
use super::{Arrangement, Hyperplane};
use crate::exact::double::Double;
use crate::exact::sum::{dot, unit};
use crate::pattern::WORD;
use crate::pattern::threshold::{LARGEST_WEIGHT, SMALLEST_WEIGHT, activates, flush, is_weight};

/// Finds weights for patterns of one arrangement.
pub(super) struct Witnesses<'a, 'c> {
    arrangement: Arrangement<'a>,
    columns: &'c [Column],
    lattices: &'a Lattices<'c>,
    /// The rows on the columns, centred and scaled, one after the other.
    conditioned: Vec<f64>,
    center: Vec<f64>,
    scale: Vec<f64>,
}

impl<'a, 'c> Witnesses<'a, 'c> {
    pub(super) fn new(
        arrangement: Arrangement<'a>,
        columns: &'c [Column],
        lattices: &'a Lattices<'c>,
    ) -> Self {
        let features = arrangement.features();
        let rows = features.rows();
        let value = |i: usize, c: &Column| c.feature.map_or(1.0, |k| features.row(i)[k]);
        let mean = |of: &dyn Fn(usize) -> f64| (0..rows).map(of).sum::<f64>() / rows as f64;
        let (mut center, mut scale) = (Vec::new(), Vec::new());
        for column in columns {
            let centered = arrangement.has_bias() && column.feature.is_some();
            let c = if centered { mean(&|i| value(i, column)) } else { 0.0 };
            let s = mean(&|i| (value(i, column) - c).powi(2)).sqrt();
            center.push(c);
            scale.push(if s > 0.0 { s } else { 1.0 });
        }
        let conditioned = (0..rows)
            .flat_map(|i| columns.iter().enumerate().map(move |(k, c)| (i, k, c)))
            .map(|(i, k, c)| (value(i, c) - center[k]) / scale[k])
            .collect();
        Self { arrangement, columns, lattices, conditioned, center, scale }
    }

    /// A hyperplane in the open cell of a pattern.
    pub(super) fn open(&self, words: &[u64]) -> Option<Hyperplane> {
        let width = self.columns.len();
        if width == 0 {
            // All rows are zeros.
            return Some(self.fold(&[])).filter(|plane| self.realises(plane, words));
        }
        let mut vectors = Vec::with_capacity(self.conditioned.len());
        for (i, row) in self.conditioned.chunks(width).enumerate() {
            // A row of zeros is on for every weight, and has no margin.
            if row.iter().any(|&v| v != 0.0) {
                let sign = if on(words, i) { 1.0 } else { -1.0 };
                vectors.extend(row.iter().map(|v| sign * v));
            }
        }
        let wide = max_margin_direction(&vectors, width).map(|w| self.fold(&w));
        wide.filter(|plane| self.realises(plane, words)).or_else(|| self.narrow(words))
    }

    /// A hyperplane in an open cell that is too narrow for arithmetic in doubles.
    fn narrow(&self, words: &[u64]) -> Option<Hyperplane> {
        let features = self.arrangement.features();
        let zero =
            |i: usize| !self.arrangement.has_bias() && features.row(i).iter().all(|&v| v == 0.0);
        let sign = |i: usize| if on(words, i) { 1 } else { -1 };
        let signs: Vec<i8> =
            (0..features.rows()).map(|i| if zero(i) { 0 } else { sign(i) }).collect();
        let point = into_range(center(self.lattices, &signs)?);
        // The bias, if there is one, is the first column. Here it comes last.
        let mut columns: Vec<(Option<usize>, Double)> =
            self.columns.iter().map(|column| column.feature).zip(point).collect();
        let bias = self.arrangement.has_bias();
        columns.rotate_left(usize::from(bias));
        let row = |i: usize| {
            let value = |(feature, _): &(Option<usize>, Double)| {
                feature.map_or(1.0, |feature| features.row(i)[feature])
            };
            (columns.iter().map(value).collect(), signs[i] > 0)
        };
        let plane = |some: &[f64]| {
            let mut plane = Hyperplane::constant(features.dimension(), 0.0);
            for ((feature, _), &w) in columns.iter().zip(some) {
                *feature.map_or(&mut plane.bias, |feature| &mut plane.weights[feature]) = w;
            }
            plane
        };
        let cell = ThinCell {
            rows: (0..features.rows()).filter(|&i| signs[i] != 0).map(row).collect(),
            point: columns.iter().map(|(_, p)| *p).collect(),
            bias,
        };
        cell.realise(|w| self.realises(&plane(w), words)).map(|w| plane(&w))
    }

    /// A hyperplane for a pattern without an open cell, on the flat where some rows vanish.
    pub(super) fn on_flat(&self, words: &[u64], flat: &[u32]) -> Option<Hyperplane> {
        // A row vanishes only if nothing is rounded. So we combine integer vectors with
        // coefficients as short as the cell permits.
        let basis = null_space(self.lattices, flat);
        let features = self.arrangement.features();
        let combine = |coefficients: &[f64]| {
            let mut weights = vec![0.0; features.dimension()];
            for (vector, c) in basis.iter().zip(coefficients) {
                for (column, v) in self.columns.iter().zip(vector) {
                    weights[column.feature.expect("there is no bias")] += c * v;
                }
            }
            Hyperplane { weights, bias: 0.0 }
        };
        if basis.is_empty() {
            return Some(combine(&[])).filter(|plane| self.realises(plane, words));
        }
        let planes: Vec<Hyperplane> =
            (0..basis.len()).map(|k| combine(&unit(basis.len(), k))).collect();
        let mut vectors = Vec::new();
        for i in 0..features.rows() {
            let sign = if on(words, i) { 1.0 } else { -1.0 };
            let products: Vec<f64> =
                planes.iter().map(|p| sign * dot(features.row(i), &p.weights)).collect();
            let size = dot(&products, &products).sqrt();
            let vanishes = planes.iter().all(|p| vanishes(features.row(i), p));
            if !vanishes && size > 0.0 {
                vectors.extend(products.iter().map(|v| v / size));
            }
        }
        let coefficients = max_margin_direction(&vectors, basis.len())?;
        (2..50).step_by(3).find_map(|bits| {
            let grid = 2f64.powi(bits);
            let short: Vec<f64> = coefficients.iter().map(|c| (c * grid).round() / grid).collect();
            Some(combine(&short)).filter(|plane| self.realises(plane, words))
        })
    }

    /// Weights on the features as read.
    fn fold(&self, w: &[f64]) -> Hyperplane {
        let mut weights = vec![0.0; self.arrangement.features().dimension()];
        let mut bias = 0.0;
        for (k, column) in self.columns.iter().enumerate() {
            let weight = w[k] / self.scale[k];
            match column.feature {
                Some(feature) => weights[feature] = flush(weight),
                None => bias += weight,
            }
            bias -= weight * self.center[k];
        }
        Hyperplane { weights, bias: flush(bias) }
    }

    /// Whether a hyperplane answers exactly these bits.
    fn realises(&self, plane: &Hyperplane, words: &[u64]) -> bool {
        let features = self.arrangement.features();
        plane.weights.iter().chain([&plane.bias]).all(|&w| is_weight(w))
            && (0..features.rows())
                .all(|i| activates(features.row(i), &plane.weights, plane.bias) == on(words, i))
    }

    /// Whether a hyperplane is found that has all rows, except rows of zeros, strictly on its
    /// positive side.
    pub(super) fn all_positive(&self) -> bool {
        let features = self.arrangement.features();
        let zero = |i: usize| features.row(i).iter().all(|&v| v == 0.0);
        let rows = self.conditioned.chunks(self.columns.len().max(1)).enumerate();
        let vectors: Vec<f64> =
            rows.filter(|(i, _)| !zero(*i)).flat_map(|(_, row)| row).copied().collect();
        let Some(w) = max_margin_direction(&vectors, self.columns.len()) else { return false };
        let plane = self.fold(&w);
        plane.weights.iter().all(|&w| is_weight(w))
            && (0..features.rows()).all(|i| zero(i) || positive(features.row(i), &plane))
    }
}

/// `x·w > 0`, decided exactly.
fn positive(x: &[f64], plane: &Hyperplane) -> bool {
    let opposite: Vec<f64> = plane.weights.iter().map(|w| -w).collect();
    !activates(x, &opposite, -plane.bias)
}

/// `x·w = 0`, decided exactly; false if a weight is out of range.
fn vanishes(x: &[f64], plane: &Hyperplane) -> bool {
    plane.weights.iter().all(|&w| is_weight(w))
        && activates(x, &plane.weights, plane.bias)
        && !positive(x, plane)
}

fn on(words: &[u64], i: usize) -> bool {
    words[i / WORD] >> (i % WORD) & 1 == 1
}

/// The same direction, scaled by a power of two into the range of weights.
fn into_range(point: Vec<Double>) -> Vec<Double> {
    let sizes = || point.iter().map(|v| v.high.abs()).filter(|&v| v > 0.0);
    let (least, most) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    if least >= SMALLEST_WEIGHT * 2.0 && most <= LARGEST_WEIGHT / 2.0 {
        return point;
    }
    let middle = 0.5 * (least.log2() + most.log2());
    point.iter().map(|v| v.scaled(2f64.powi(-(middle as i32)))).collect()
}
