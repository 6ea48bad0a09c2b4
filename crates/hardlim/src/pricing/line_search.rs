//! Exact line search: the best `w` on a line through weight space.
//!
//! On the line through `w` with direction `v`, every row changes sides once, where
//! `x̃·w + t x̃·v = 0`. After one sort of the rows, one pass adds up `Σ z` in every interval. The
//! line with its point at infinity is half a [`Circle`]: the multiples of `w + tv` and their
//! opposites.

use super::circle::Circle;
use crate::arrangement::{Arrangement, Hyperplane};
use crate::data::Scaling;
use crate::exact::sum::{add_times, dot};
use crate::pattern::threshold::{flush, is_weight};

/// About how many elementary steps one line search takes.
pub(crate) fn steps(rows: usize, columns: usize) -> f64 {
    let (n, d) = (rows as f64, columns as f64);
    n * (d + n.max(2.0).log2())
}

/// The scaled rows, column by column; the column of ones comes last.
#[derive(Debug)]
pub(super) struct Scaled<'a> {
    scaling: &'a Scaling,
    pub(super) columns: Vec<Vec<f64>>,
    pub(super) bias: bool,
    pub(super) rows: usize,
}

impl<'a> Scaled<'a> {
    pub(super) fn new(arrangement: &Arrangement<'_>, scaling: &'a Scaling) -> Self {
        let features = arrangement.features();
        let (rows, dimension) = (features.rows(), features.dimension());
        let values = scaling.apply(features);
        let mut columns: Vec<Vec<f64>> = (0..dimension)
            .map(|j| (0..rows).map(|i| values[i * dimension + j]).collect())
            .collect();
        if arrangement.has_bias() {
            columns.push(vec![1.0; rows]);
        }
        Self { scaling, columns, bias: arrangement.has_bias(), rows }
    }

    pub(super) fn width(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn row(&self, i: usize) -> Vec<f64> {
        self.columns.iter().map(|column| column[i]).collect()
    }

    /// `X̃w`.
    pub(super) fn output(&self, weights: &[f64]) -> Vec<f64> {
        let mut output = vec![0.0; self.rows];
        for (column, &w) in self.columns.iter().zip(weights).filter(|(_, w)| **w != 0.0) {
            add_times(&mut output, w, column);
        }
        output
    }

    /// `X̃ᵀu`.
    pub(super) fn combine(&self, u: &[f64]) -> Vec<f64> {
        self.columns.iter().map(|column| dot(column, u)).collect()
    }

    /// Weights for scaled rows, from a hyperplane for rows as read.
    pub(super) fn weights(&self, plane: &Hyperplane) -> Vec<f64> {
        let scaled = plane.weights.iter().zip(self.scaling.scale()).map(|(w, s)| w * s);
        let shift: f64 = plane.weights.iter().zip(self.scaling.center()).map(|(w, c)| w * c).sum();
        scaled.chain(self.bias.then_some(plane.bias + shift)).collect()
    }

    /// The hyperplane of weights for scaled rows; `None` if it is out of range.
    pub(super) fn hyperplane(&self, weights: &[f64]) -> Option<Hyperplane> {
        let (weights, bias) = match weights.split_last() {
            Some((&bias, weights)) if self.bias => self.scaling.fold(weights, bias),
            // Scaling without centring has nothing to fold into a bias.
            _ => (self.scaling.fold(weights, 0.0).0, 0.0),
        };
        let weights: Vec<f64> = weights.into_iter().map(flush).collect();
        let bias = flush(bias);
        let in_range = weights.iter().chain([&bias]).all(|&w| is_weight(w));
        in_range.then_some(Hyperplane { weights, bias })
    }
}

/// Weights, with their outputs and their value.
#[derive(Debug, Clone)]
pub(super) struct Position {
    pub(super) weights: Vec<f64>,
    /// `X̃w`.
    pub(super) output: Vec<f64>,
    /// `Σ z` over the rows in front.
    pub(super) value: f64,
}

impl Position {
    pub(super) fn new(rows: &Scaled<'_>, z: &[f64], weights: Vec<f64>) -> Self {
        let output = rows.output(&weights);
        let value = output.iter().zip(z).filter(|(u, _)| **u >= 0.0).map(|(_, z)| z).sum();
        Self { weights, output, value }
    }

    /// Moves to the best point of the line in this direction, if it is better.
    pub(super) fn search(
        &mut self,
        rows: &Scaled<'_>,
        z: &[f64],
        direction: &[f64],
        circle: &mut Circle,
    ) -> bool {
        let change = rows.output(direction);
        circle.load(&self.output, &change, 0.0);
        let Some(gap) = circle.best_gap(z) else { return false };
        if gap.value <= self.value {
            return false;
        }
        let (c, s) = gap.direction;
        let mix = |a: &mut Vec<f64>, b: &[f64], scale: f64| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a = scale * (c * *a + s * b));
        };
        let size = |w: &[f64]| w.iter().map(|w| w * w).sum::<f64>().sqrt();
        mix(&mut self.weights, direction, 1.0);
        let scale = 1.0 / size(&self.weights).max(1e-100);
        self.weights.iter_mut().for_each(|w| *w *= scale);
        mix(&mut self.output, &change, scale);
        self.value = gap.value;
        true
    }
}
