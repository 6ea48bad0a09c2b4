//! `Dᵀz` and `Dw`: products of the pattern matrix with a vector.
//!
//! Rows are taken in blocks that stay in the first-level cache, and columns in tiles that share
//! what is loaded. Neither blocks nor threads change the order of summation, so they do not change
//! a result.

use rayon::prelude::*;

use super::kernel::{self, Isa, LANES, TILE};
use super::tuning::{ALONE, BLOCK, PANEL};
use super::{PatternMatrix, WORD};

impl PatternMatrix {
    /// `Dᵀz`, one sum for each column.
    ///
    /// # Panics
    /// When `z` does not have one number for each sample.
    pub fn correlations(&self, z: &[f64]) -> Vec<f64> {
        let all: Vec<usize> = (0..self.patterns()).collect();
        self.correlations_of(&all, z)
    }

    /// `dⱼᵀz` for these columns, in this order.
    ///
    /// # Panics
    /// When `z` does not have one number for each sample, or there is no such column.
    pub fn correlations_of(&self, columns: &[usize], z: &[f64]) -> Vec<f64> {
        assert_eq!(z.len(), self.samples(), "one number for each sample");
        let isa = Isa::best();
        let mut sums = vec![0.0; columns.len()];
        let panel = |columns: &[usize], sums: &mut [f64]| {
            let mut lanes = [[[0.0; LANES]; TILE]; PANEL / TILE];
            for (z, first) in z.chunks(BLOCK).zip((0..).step_by(BLOCK / WORD)) {
                let words = first..first + z.len().div_ceil(WORD);
                for (columns, lanes) in columns.chunks(TILE).zip(&mut lanes) {
                    let columns = tile(columns, |&j| &self.column(j)[words.clone()]);
                    kernel::masked_lanes(isa, columns, z, lanes);
                }
            }
            for (sum, lanes) in sums.iter_mut().zip(lanes.as_flattened()) {
                *sum = kernel::fold(lanes);
            }
        };
        if columns.len() * z.len() < ALONE {
            columns.chunks(PANEL).zip(sums.chunks_mut(PANEL)).for_each(|(c, s)| panel(c, s));
        } else {
            columns
                .par_chunks(PANEL)
                .zip(sums.par_chunks_mut(PANEL))
                .for_each(|(c, s)| panel(c, s));
        }
        sums
    }

    /// `Dw`; columns whose coefficient is zero are not read.
    ///
    /// # Panics
    /// When there are more coefficients than columns.
    pub fn times(&self, w: &[f64]) -> Vec<f64> {
        self.combine(w.iter().copied().enumerate().filter(|&(_, w)| w != 0.0))
    }

    /// `Dw` for a sparse `w`, given as pairs of a column and its coefficient.
    ///
    /// # Panics
    /// When there is no such column.
    pub fn combine(&self, coefficients: impl IntoIterator<Item = (usize, f64)>) -> Vec<f64> {
        let (isa, coefficients) = (Isa::best(), Vec::from_iter(coefficients));
        let mut output = vec![0.0; self.samples()];
        let block = |(b, u): (usize, &mut [f64])| {
            let first = b * BLOCK;
            let words = first / WORD..(first + u.len()).div_ceil(WORD);
            let column = |j: usize| &self.column(j)[words.clone()];
            let (tiles, rest) = coefficients.as_chunks::<TILE>();
            for tile in tiles {
                kernel::add_scaled_tile(isa, tile.map(|(j, _)| column(j)), tile.map(|(_, a)| a), u);
            }
            for &(j, a) in rest {
                kernel::add_scaled_tile(isa, [column(j)], [a], u);
            }
        };
        if coefficients.len() * output.len() < ALONE {
            output.chunks_mut(BLOCK).enumerate().for_each(block);
        } else {
            output.par_chunks_mut(BLOCK).enumerate().for_each(block);
        }
        output
    }
}

/// The words of up to four columns; the last column fills the rest of the tile.
pub(super) fn tile<'a, C>(
    columns: &'a [C],
    words: impl Fn(&'a C) -> &'a [u64],
) -> [&'a [u64]; TILE] {
    std::array::from_fn(|c| words(&columns[c.min(columns.len() - 1)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Pattern;
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const SIZES: [usize; 9] = [0, 1, 63, 64, 65, 511, 512, 513, 4097];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn products_are_those_of_one_column_at_a_time(
            n in prop::sample::select(&SIZES[..]),
            patterns in 0usize..80,
            threads in 1usize..4,
            seed: u64,
        ) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let columns: Vec<Pattern> =
                (0..patterns).map(|_| Pattern::from_fn(n, |_| rng.random())).collect();
            let matrix = PatternMatrix::from_patterns(n, &columns);
            let z: Vec<f64> = (0..n).map(|_| rng.random_range(-1.0..1.0)).collect();
            let w: Vec<(usize, f64)> =
                (0..patterns).map(|j| (j, rng.random_range(-1.0..1.0))).collect();

            let sums: Vec<f64> =
                columns.iter().map(|d| kernel::masked_sum(d.words(), &z)).collect();
            let mut output = vec![0.0; n];
            for &(j, a) in &w {
                kernel::add_scaled_tile(Isa::best(), [columns[j].words()], [a], &mut output);
            }
            let some: Vec<usize> = (0..patterns).rev().step_by(3).collect();

            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            prop_assert_eq!(pool.install(|| matrix.correlations(&z)), &sums[..]);
            prop_assert_eq!(pool.install(|| matrix.combine(w)), output);
            let picked: Vec<f64> = some.iter().map(|&j| sums[j]).collect();
            prop_assert_eq!(matrix.correlations_of(&some, &z), picked);
        }
    }

    #[test]
    fn empty_products_are_zero() {
        let matrix = PatternMatrix::new(3);
        assert!(matrix.correlations(&[1.0; 3]).is_empty());
        assert_eq!(matrix.combine([]), [0.0; 3]);
        assert_eq!(PatternMatrix::zeros(0, 2).correlations(&[]), [0.0; 2]);
    }
}
