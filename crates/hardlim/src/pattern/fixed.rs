//! Signs of many sums at once, in fixed point: rows and weights are rounded to integers of 16 bits, and
//! what the rounding may have moved is bounded.
//!
//! With `u = m + r` for a row and `v = k + e` for a neuron, `m` and `k` integers,
//! `Σ vⱼuⱼ = Σ kⱼmⱼ + Σ eⱼmⱼ + Σ vⱼrⱼ`, so by Cauchy and Schwarz
//!
//! `|Σ vⱼuⱼ − Σ kⱼmⱼ| ≤ ‖e‖‖m‖ + ‖v‖‖r‖`.
//!
//! The bias is one more weight, on an input that is 1. A sum of integers beyond the bound has the sign of
//! the real number; the others are left to exact arithmetic ([`super::threshold`]). Sixteen rows meet
//! sixteen neurons at a time, and each sixteen neurons read the pairs of inputs that one of them needs.

use super::kernel::{self, Isa};

/// Neurons in a panel, and rows in a tile.
pub(crate) const SIDE: usize = 16;
/// The largest integer of a row or a weight.
pub(crate) const LARGEST: f64 = 32767.0;
/// Sums stay within twice this: the products within it, and the bias.
pub(crate) const SUMS: f64 = (1u32 << 30) as f64;
/// What single precision may take from a bound, and more.
const SLACK: f64 = 1.0 + 1e-5;

/// Two inputs, or their weights, side by side.
pub(crate) type Pair = [i16; 2];

/// Sixteen neurons in fixed point.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Panel {
    /// Which pairs of inputs they read.
    pub(crate) pairs: Vec<u32>,
    /// `k`, for each of these pairs.
    pub(crate) weights: Vec<[Pair; SIDE]>,
    /// The integer of each bias.
    pub(crate) biases: [i32; SIDE],
    /// `‖e‖`, the bias included.
    pub(crate) errors: [f32; SIDE],
    /// `‖v‖`.
    pub(crate) norms: [f32; SIDE],
}

/// Sixteen rows in fixed point.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tile {
    /// `m`, for each pair of inputs.
    pub(crate) pairs: Vec<[Pair; SIDE]>,
    /// `‖m‖`, the one of the bias included.
    pub(crate) norms: [f32; SIDE],
    /// `‖r‖`.
    pub(crate) errors: [f32; SIDE],
}

/// For each of sixteen rows, one bit for each of sixteen neurons.
pub(crate) type Bits = [u16; SIDE];

impl Panel {
    /// Which neurons fire on which rows, and where that is unsure.
    ///
    /// # Panics
    /// When there is no such pair of inputs, or not one of weights for each.
    pub(crate) fn signs(&self, isa: Isa, tile: &Tile) -> (Bits, Bits) {
        let pairs = tile.pairs.len();
        assert!(self.pairs.iter().all(|&p| (p as usize) < pairs), "pairs of the tile");
        assert_eq!(self.pairs.len(), self.weights.len(), "weights for each pair");
        kernel::products(isa, self, tile)
    }
}

impl Tile {
    /// Room for rows of so many inputs.
    pub(crate) fn new(dimension: usize) -> Self {
        let pairs = vec![[[0; 2]; SIDE]; dimension.div_ceil(2)];
        Self { pairs, norms: [0.0; SIDE], errors: [0.0; SIDE] }
    }

    /// Rounds row `i`: `u = x · scale`, and what is beyond the integers is cut off at them. Gives back `‖m‖`.
    ///
    /// # Panics
    /// When the row has other inputs than there is room and are scales for.
    pub(crate) fn round(&mut self, isa: Isa, i: usize, x: &[f64], scales: &[f64]) -> f64 {
        assert_eq!(x.len(), scales.len(), "a scale for each input");
        assert_eq!(x.len().div_ceil(2), self.pairs.len(), "room for each input");
        let (norm, error) = kernel::round(isa, x, scales, &mut self.pairs, i);
        let norm = (norm + 1.0).sqrt();
        (self.norms[i], self.errors[i]) = (upper(norm), upper(error.sqrt()));
        norm
    }

    /// Forgets the rows from the i-th on: they are zero.
    pub(crate) fn forget(&mut self, i: usize) {
        self.pairs.iter_mut().for_each(|rows| rows[i..].fill([0; 2]));
        self.norms[i..].fill(0.0);
        self.errors[i..].fill(0.0);
    }
}

/// A number that single precision holds, and so much larger that products of such numbers may be rounded.
pub(crate) fn upper(bound: f64) -> f32 {
    (bound * SLACK) as f32
}

/// For each column of a matrix of rows the largest magnitude.
pub(crate) fn largest(isa: Isa, values: &[f64], most: &mut [f64]) {
    if !most.is_empty() {
        kernel::largest(isa, values, most);
    }
}
