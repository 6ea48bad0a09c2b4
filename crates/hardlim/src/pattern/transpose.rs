//! `Dᵀ`: rows become columns, in blocks of 64 × 64 bits.

use rayon::prelude::*;

use super::matrix::Line;
use super::{PatternMatrix, WORD};

impl PatternMatrix {
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
pub(crate) fn transpose(block: &mut [u64; WORD]) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Pattern;

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
