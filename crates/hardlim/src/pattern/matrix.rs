//! `D`: patterns as the columns of a bit matrix.

use rayon::prelude::*;

use super::{Pattern, WORD};

/// Words in a cache line.
pub(super) const LINE: usize = 8;

/// One cache line of a column: 512 samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Line([u64; LINE]);

impl Line {
    pub(super) fn words(lines: &[Self]) -> &[u64] {
        // SAFETY: a line is eight words, with nothing between or after them.
        unsafe { std::slice::from_raw_parts(lines.as_ptr().cast(), lines.len() * LINE) }
    }

    /// The words of consecutive lines, for writing.
    pub(super) fn words_mut(lines: &mut [Self]) -> &mut [u64] {
        // SAFETY: a line is eight words, with nothing between or after them.
        unsafe { std::slice::from_raw_parts_mut(lines.as_mut_ptr().cast(), lines.len() * LINE) }
    }
}

/// A bit matrix of `samples` rows and `patterns` columns, one column after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternMatrix {
    samples: usize,
    /// The lines from the start of a column to the start of the next.
    pub(super) stride: usize,
    pub(super) lines: Vec<Line>,
}

impl PatternMatrix {
    /// A matrix without columns.
    pub fn new(samples: usize) -> Self {
        Self { samples, stride: stride(samples), lines: Vec::new() }
    }

    /// The memory of one column, in bytes.
    pub fn bytes_per_pattern(samples: usize) -> usize {
        stride(samples) * size_of::<Line>()
    }

    /// A matrix of columns that are off everywhere.
    pub fn zeros(samples: usize, patterns: usize) -> Self {
        let mut matrix = Self::new(samples);
        matrix.lines.resize(patterns * matrix.stride, Line([0; LINE]));
        matrix
    }

    /// The matrix of these columns.
    ///
    /// # Panics
    /// When a pattern has a different number of samples.
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
    /// When the pattern has a different number of samples.
    pub fn push(&mut self, pattern: &Pattern) {
        assert_eq!(pattern.samples(), self.samples, "one answer for each sample");
        self.push_words(pattern.words());
    }

    /// Adds the columns of another matrix.
    ///
    /// # Panics
    /// When it has a different number of samples.
    pub fn append(&mut self, other: &Self) {
        assert_eq!(other.samples, self.samples, "one answer for each sample");
        self.lines.extend_from_slice(&other.lines);
    }

    /// Adds a column by its words, one for each 64 samples. Bits past the last sample must be zero.
    ///
    /// # Panics
    /// When the number of words does not match the number of samples.
    pub fn push_words(&mut self, words: &[u64]) {
        assert_eq!(words.len(), self.samples.div_ceil(WORD), "one word for each 64 samples");
        let j = self.patterns();
        self.lines.resize(self.lines.len() + self.stride, Line([0; LINE]));
        self.column_mut(j)[..words.len()].copy_from_slice(words);
    }

    /// Writes words of column `j`, from word `at` on. Bits past the last sample must be zero.
    pub(crate) fn put_words(&mut self, j: usize, at: usize, words: &[u64]) {
        self.column_mut(j)[at..at + words.len()].copy_from_slice(words);
    }

    /// Writes all words of column `j`. Bits past the last sample must be zero.
    pub(crate) fn fill_column(&mut self, j: usize, words: impl Iterator<Item = u64>) {
        self.column_mut(j).iter_mut().zip(words).for_each(|(to, word)| *to = word);
    }

    /// The number of rows.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The number of columns.
    pub fn patterns(&self) -> usize {
        self.lines.len() / self.stride
    }

    /// The number of words of a column: whole cache lines, with zeros past the last row.
    pub(super) fn column_words(&self) -> usize {
        self.samples.div_ceil(WORD).next_multiple_of(LINE)
    }

    /// The words of column `j`, padded with zeros to a whole number of cache lines.
    pub fn column(&self, j: usize) -> &[u64] {
        let lines = &self.lines[j * self.stride..(j + 1) * self.stride];
        &Line::words(lines)[..self.column_words()]
    }

    /// The words of column `j`, for writing. Bits past the last row must stay zero.
    pub(super) fn column_mut(&mut self, j: usize) -> &mut [u64] {
        let words = self.column_words();
        let lines = &mut self.lines[j * self.stride..(j + 1) * self.stride];
        &mut Line::words_mut(lines)[..words]
    }

    /// The answer of pattern `j` on row `i`.
    ///
    /// # Panics
    /// When there is no such row or pattern.
    pub fn get(&self, i: usize, j: usize) -> bool {
        assert!(i < self.samples, "row {i} of {}", self.samples);
        self.column(j)[i / WORD] >> (i % WORD) & 1 == 1
    }

    /// Sets the answer of pattern `j` on row `i`.
    ///
    /// # Panics
    /// When there is no such row or pattern.
    pub fn set(&mut self, i: usize, j: usize, on: bool) {
        assert!(i < self.samples, "row {i} of {}", self.samples);
        let word = &mut self.column_mut(j)[i / WORD];
        *word = (*word & !(1 << (i % WORD))) | (u64::from(on) << (i % WORD));
    }

    /// A copy of column `j`.
    pub fn pattern(&self, j: usize) -> Pattern {
        let words = &self.column(j)[..self.samples.div_ceil(WORD)];
        Pattern::from_words(self.samples, words.to_vec())
    }

    /// The matrix of the columns `keep`, in this order.
    pub fn select(&self, keep: &[usize]) -> Self {
        let column = |&j: &usize| &self.lines[j * self.stride..(j + 1) * self.stride];
        Self { lines: keep.iter().flat_map(column).copied().collect(), ..*self }
    }

    /// `Dᵀ`, whose columns are the rows of this matrix.
    pub fn transposed(&self) -> Self {
        let mut transposed = Self::zeros(self.patterns(), self.samples());
        let stride = transposed.stride;
        transposed.lines.par_chunks_mut(WORD * stride).enumerate().for_each(|(k, lines)| {
            let mut rows: Vec<&mut [u64]> = lines.chunks_mut(stride).map(Line::words_mut).collect();
            for start in (0..self.patterns()).step_by(WORD) {
                let width = WORD.min(self.patterns() - start);
                let mut block = [0; WORD];
                (0..width).for_each(|j| block[j] = self.column(start + j)[k]);
                transpose(&mut block);
                rows.iter_mut().zip(block).for_each(|(row, word)| row[start / WORD] = word);
            }
        });
        transposed
    }
}

/// Transposes 64 words of 64 bits: halves are swapped, then quarters, and so on.
fn transpose(block: &mut [u64; WORD]) {
    let (mut half, mut mask) = (WORD / 2, u64::MAX >> (WORD / 2));
    while half > 0 {
        for k in (0..WORD).filter(|k| k & half == 0) {
            let moved = (block[k] >> half ^ block[k + half]) & mask;
            block[k + half] ^= moved;
            block[k] ^= moved << half;
        }
        half /= 2;
        mask ^= mask << half; // the lower half of every group of bits
    }
}

/// The number of lines of a column.
fn stride(samples: usize) -> usize {
    let length = samples.div_ceil(WORD * LINE).max(1);
    // Columns that are a power of two apart would compete for the same few places of a cache.
    if length.is_multiple_of(8) { length + 1 } else { length }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_gives_back_the_columns_it_was_made_of() {
        for samples in [0, 1, 63, 64, 65, 511, 512, 513, 4096, 4097] {
            let patterns: Vec<Pattern> =
                (2..7).map(|k| Pattern::from_fn(samples, |i| i % k == 0)).collect();
            let matrix = PatternMatrix::from_patterns(samples, &patterns);
            assert_eq!((matrix.samples(), matrix.patterns()), (samples, 5));
            assert!((0..5).all(|j| matrix.pattern(j) == patterns[j]));
            assert!((0..5).all(|j| matrix.column(j).as_ptr().addr().is_multiple_of(64)));

            let mut again = matrix.select(&[0, 1]);
            again.append(&matrix.select(&[2, 3, 4]));
            assert_eq!(again, matrix);

            let mut copy = PatternMatrix::zeros(samples, 5);
            for (i, j) in (0..samples).flat_map(|i| (0..5).map(move |j| (i, j))) {
                copy.set(i, j, !matrix.get(i, j));
                copy.set(i, j, matrix.get(i, j));
            }
            assert_eq!(copy, matrix);
        }
    }

    #[test]
    fn rows_become_columns() {
        for (n, p) in [(0, 3), (1, 1), (63, 65), (64, 64), (65, 130), (600, 70)] {
            let patterns: Vec<Pattern> = (0..p)
                .map(|j| Pattern::from_fn(n, |i| (i * i + 3 * j * j + i * j) % 7 < 3))
                .collect();
            let matrix = PatternMatrix::from_patterns(n, &patterns);
            let transposed = matrix.transposed();
            assert_eq!((transposed.samples(), transposed.patterns()), (p, n));
            for (i, j) in (0..n).flat_map(|i| (0..p).map(move |j| (i, j))) {
                assert_eq!(transposed.get(j, i), matrix.get(i, j));
            }
            assert_eq!(transposed.transposed(), matrix);
        }
    }
}
