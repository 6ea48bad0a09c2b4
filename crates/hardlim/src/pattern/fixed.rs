//! The signs of many sums at once, in fixed point. Rows and weights are rounded to 16-bit integers,
//! and the error of the rounding is bounded.
//!
//! Let `u = m + r` for a row and `v = k + e` for a neuron, where `m` and `k` are integers. Then
//! `Σ vⱼuⱼ = Σ kⱼmⱼ + Σ eⱼmⱼ + Σ vⱼrⱼ`, so by the Cauchy–Schwarz inequality
//!
//! `|Σ vⱼuⱼ − Σ kⱼmⱼ| ≤ ‖e‖‖m‖ + ‖v‖‖r‖`.
//!
//! The bias is one more weight, on an input that is 1. If the sum of integers is larger than the
//! bound, it has the sign of the real number. Other sums are left to exact arithmetic
//! ([`super::threshold`]). A step handles sixteen rows and sixteen neurons. Each group of sixteen
//! neurons reads only the pairs of inputs that at least one of them needs.

use super::kernel::{self, Isa};

/// The neurons of a panel, and the rows of a tile.
pub(crate) const SIDE: usize = 16;
/// The largest integer of a row or a weight.
pub(crate) const LARGEST: f64 = 32767.0;
/// Products add up to at most this, and so does the bias; sums are at most twice this.
pub(crate) const SUMS: f64 = (1u32 << 30) as f64;
/// Covers rounding of the bounds in single precision, with room to spare.
const SLACK: f64 = 1.0 + 1e-5;

/// Two inputs, or their weights, side by side.
pub(crate) type Pair = [i16; 2];

/// Sixteen neurons in fixed point.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Panel {
    /// The pairs of inputs that they read.
    pub(crate) pairs: Vec<u32>,
    /// `k`, for each of these pairs.
    pub(crate) weights: Vec<[Pair; SIDE]>,
    /// The integer of each bias.
    pub(crate) biases: [i32; SIDE],
    /// `‖e‖`, including the bias.
    pub(crate) errors: [f32; SIDE],
    /// `‖v‖`.
    pub(crate) norms: [f32; SIDE],
}

/// Sixteen rows in fixed point.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tile {
    /// `m`, for each pair of inputs.
    pub(crate) pairs: Vec<[Pair; SIDE]>,
    /// `‖m‖`, including the one of the bias.
    pub(crate) norms: [f32; SIDE],
    /// `‖r‖`.
    pub(crate) errors: [f32; SIDE],
}

/// One bit for each of sixteen neurons, on each of sixteen rows.
pub(crate) type Bits = [u16; SIDE];

impl Panel {
    /// Which neurons fire on which rows, and for which of them this is unsure.
    pub(crate) fn signs(&self, isa: Isa, tile: &Tile) -> (Bits, Bits) {
        assert_eq!(self.pairs.len(), self.weights.len(), "weights for each pair");
        kernel::products(isa, self, tile)
    }
}

impl Tile {
    pub(crate) fn new(dimension: usize) -> Self {
        let pairs = vec![[[0; 2]; SIDE]; dimension.div_ceil(2)];
        Self { pairs, norms: [0.0; SIDE], errors: [0.0; SIDE] }
    }

    /// Rounds row `i`: `u = x · scale`, cut off at the largest integers. Returns `‖m‖`.
    pub(crate) fn round(&mut self, isa: Isa, i: usize, x: &[f64], scales: &[f64]) -> f64 {
        assert_eq!(x.len(), scales.len(), "a scale for each input");
        assert_eq!(x.len().div_ceil(2), self.pairs.len(), "room for each input");
        let (norm, error) = kernel::round(isa, x, scales, &mut self.pairs, i);
        let norm = (norm + 1.0).sqrt();
        (self.norms[i], self.errors[i]) = (upper(norm), upper(error.sqrt()));
        norm
    }

    /// Sets the rows from `i` on to zero.
    pub(crate) fn forget(&mut self, i: usize) {
        self.pairs.iter_mut().for_each(|rows| rows[i..].fill([0; 2]));
        self.norms[i..].fill(0.0);
        self.errors[i..].fill(0.0);
    }
}

/// A bound in single precision, raised so that products of such bounds may be rounded.
pub(crate) fn upper(bound: f64) -> f32 {
    (bound * SLACK) as f32
}

/// The largest magnitude in each column of a matrix given row by row.
pub(crate) fn largest(isa: Isa, values: &[f64], most: &mut [f64]) {
    if !most.is_empty() {
        kernel::largest(isa, values, most);
    }
}
