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
        Self { samples, stride: stride(samples), words: Vec::new() }
    }

    /// The memory one column takes.
    pub fn bytes_per_pattern(samples: usize) -> usize {
        stride(samples) * size_of::<u64>()
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

    /// Adds a column by its words, one for each 64 samples; bits past the last sample are zero.
    ///
    /// # Panics
    /// When the number of words is not that of the samples.
    pub fn push_words(&mut self, words: &[u64]) {
        assert_eq!(words.len(), self.samples.div_ceil(WORD), "one word for each 64 samples");
        self.words.extend_from_slice(words);
        self.words.resize(self.words.len().next_multiple_of(self.stride), 0);
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

/// How many words a column takes.
fn stride(samples: usize) -> usize {
    samples.div_ceil(WORD).next_multiple_of(ALIGN).max(ALIGN)
}
