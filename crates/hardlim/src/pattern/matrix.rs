//! `D`: patterns as the columns of a matrix of bits.

use rayon::prelude::*;

use super::{Pattern, WORD, kernel};

/// Columns start at multiples of this many words: one cache line.
const ALIGN: usize = 8;

/// A matrix of bits, `samples` rows by `patterns` columns, one column after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternMatrix {
    samples: usize,
    stride: usize,
    words: Vec<u64>,
}

impl PatternMatrix {
    /// A matrix without columns.
    pub fn new(samples: usize) -> Self {
        let stride = samples.div_ceil(WORD).next_multiple_of(ALIGN).max(ALIGN);
        Self { samples, stride, words: Vec::new() }
    }

    /// The matrix of these columns.
    ///
    /// # Panics
    /// When a pattern has another number of samples.
    pub fn from_patterns<'a>(
        samples: usize,
        patterns: impl IntoIterator<Item = &'a Pattern>,
    ) -> Self {
        let mut matrix = Self::new(samples);
        patterns.into_iter().for_each(|p| matrix.push(p));
        matrix
    }

    /// Adds a column.
    ///
    /// # Panics
    /// When the pattern has another number of samples.
    pub fn push(&mut self, pattern: &Pattern) {
        assert_eq!(pattern.samples(), self.samples, "one answer for each sample");
        self.words.extend_from_slice(pattern.words());
        self.words.resize(self.words.len().next_multiple_of(self.stride), 0);
    }

    /// Adds the columns of another matrix.
    ///
    /// # Panics
    /// When it has another number of samples.
    pub fn extend(&mut self, other: &Self) {
        assert_eq!(other.samples, self.samples, "one answer for each sample");
        self.words.extend_from_slice(&other.words);
    }

    /// The number of rows.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The number of columns.
    pub fn patterns(&self) -> usize {
        self.words.len() / self.stride
    }

    /// The words of column `j`, padded with zeros to a whole number of cache lines.
    pub fn column(&self, j: usize) -> &[u64] {
        &self.words[j * self.stride..(j + 1) * self.stride]
    }

    /// Column `j` on its own.
    pub fn pattern(&self, j: usize) -> Pattern {
        let words = &self.column(j)[..self.samples.div_ceil(WORD)];
        Pattern::from_words(self.samples, words.to_vec())
    }

    /// What column `j` answers on row `i`.
    pub fn bit(&self, i: usize, j: usize) -> bool {
        self.words[j * self.stride + i / WORD] >> (i % WORD) & 1 == 1
    }

    /// The matrix of columns `keep`, in that order.
    pub fn select(&self, keep: &[usize]) -> Self {
        let words = keep.iter().flat_map(|&j| self.column(j)).copied().collect();
        Self { words, ..*self }
    }

    /// `Dᵀz`, one sum for each column.
    pub fn correlations(&self, z: &[f64]) -> Vec<f64> {
        assert_eq!(z.len(), self.samples, "one number for each sample");
        self.words.par_chunks_exact(self.stride).map(|d| kernel::masked_sum(d, z)).collect()
    }

    /// `Dw` for a sparse `w`, given as pairs of a column and its coefficient.
    pub fn combine(&self, coefficients: impl IntoIterator<Item = (usize, f64)>) -> Vec<f64> {
        let mut u = vec![0.0; self.samples];
        for (j, a) in coefficients {
            kernel::add_scaled(self.column(j), a, &mut u);
        }
        u
    }
}
