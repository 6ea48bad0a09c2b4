//! Packing: matrices of zeros and ones, and signs of activations, become bits.

use faer::MatRef;
use rayon::prelude::*;

use super::kernel::{self, Isa};
use super::matrix::Line;
use super::{PatternMatrix, WORD};
use crate::error::Error;

impl PatternMatrix {
    /// A matrix from its entries, which are bytes or numbers, one row after the other as in C, or
    /// `by_columns` as in Fortran.
    ///
    /// # Errors
    /// When the length is not `samples · patterns`, or an entry is neither 0 nor 1.
    pub fn from_entries<T: Copy + Sync + Into<f64>>(
        samples: usize,
        patterns: usize,
        by_columns: bool,
        entries: &[T],
    ) -> Result<Self, Error> {
        let expected = samples.saturating_mul(patterns);
        if entries.len() != expected {
            return Err(Error::Length { what: "matrix entries", expected, found: entries.len() });
        }
        let mut matrix = Self::zeros(samples, patterns);
        let stride = matrix.stride;
        // Panels of 64 columns and blocks of 64 rows: a block stays in the cache in either order.
        let panel = |(p, lines): (usize, &mut [Line])| {
            for first in (0..samples).step_by(WORD) {
                for (k, lines) in lines.chunks_mut(stride).enumerate() {
                    let (j, mut word) = (p * WORD + k, 0);
                    for i in first..samples.min(first + WORD) {
                        let place = if by_columns { j * samples + i } else { i * patterns + j };
                        match entries[place].into() {
                            0.0 => {}
                            1.0 => word |= 1 << (i - first),
                            _ => return false,
                        }
                    }
                    Line::words_mut(lines)[first / WORD] = word;
                }
            }
            true
        };
        if matrix.lines.par_chunks_mut(stride * WORD).enumerate().map(panel).all(|binary| binary) {
            return Ok(matrix);
        }
        let other = |entry: &T| ![0.0, 1.0].contains(&(*entry).into());
        let place = entries.iter().position(other).expect("one was seen");
        let (row, column) = if by_columns {
            (place % samples, place / samples)
        } else {
            (place / patterns, place % patterns)
        };
        Err(Error::NotBinary { row: row + 1, column: column + 1, value: entries[place].into() })
    }

    /// Packs `1{t ≥ 0}` for a block of activations `T`, one column for each pattern, into the rows
    /// and columns from `(row, column)` on. Returns, column by column, the entries (row, column) of
    /// this matrix with `|tᵢⱼ| ≤ row_boundᵢ · column_boundⱼ`, where the product is rounded. The
    /// caller has to decide these exactly.
    ///
    /// # Panics
    /// When `row` is not a multiple of 64, the block does not fit, the bounds are not one for each
    /// row and column, or the columns of `T` are not contiguous.
    pub fn pack_signs(
        &mut self,
        (row, column): (usize, usize),
        activations: MatRef<'_, f64>,
        row_bounds: &[f64],
        column_bounds: &[f64],
    ) -> Vec<(usize, usize)> {
        let (height, width) = (activations.nrows(), activations.ncols());
        assert!(row.is_multiple_of(WORD), "row {row} does not start a word");
        assert!(row + height <= self.samples() && column + width <= self.patterns(), "no room");
        assert_eq!(column_bounds.len(), width, "a bound for each column");
        let words = row / WORD..row / WORD + height.div_ceil(WORD);
        let mut unsure = vec![0; words.len()];
        let mut undecided = Vec::new();
        for (j, &bound) in column_bounds.iter().enumerate() {
            let t = activations.col(j).try_as_col_major().expect("columns are contiguous");
            let on = &mut self.column_mut(column + j)[words.clone()];
            kernel::signs(Isa::best(), t.as_slice(), row_bounds, bound, on, &mut unsure);
            kernel::for_each_on(&unsure, |i| undecided.push((row + i, column + j)));
        }
        undecided
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Pattern;
    use faer::Mat;
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const SIZES: [usize; 9] = [0, 1, 63, 64, 65, 511, 512, 513, 4097];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn matrices_pack_alike_whatever_their_order_and_their_type(
            n in prop::sample::select(&SIZES[..]),
            patterns in prop::sample::select(&[0usize, 1, 7, 64, 65, 130][..]),
            seed: u64,
        ) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let columns: Vec<Pattern> =
                (0..patterns).map(|_| Pattern::from_fn(n, |_| rng.random())).collect();
            let matrix = PatternMatrix::from_patterns(n, &columns);
            let in_columns: Vec<u8> = columns.iter().flat_map(|d| d.iter().map(u8::from)).collect();
            let in_rows: Vec<u8> =
                (0..n).flat_map(|i| columns.iter().map(move |d| u8::from(d.get(i)))).collect();
            for (by_columns, mut bytes) in [(false, in_rows), (true, in_columns)] {
                let mut numbers: Vec<f64> = bytes.iter().map(|&b| f64::from(b)).collect();
                let pack = |x: &[u8]| PatternMatrix::from_entries(n, patterns, by_columns, x);
                let pack_numbers =
                    |x: &[f64]| PatternMatrix::from_entries(n, patterns, by_columns, x);
                prop_assert_eq!(&pack(&bytes).unwrap(), &matrix);
                prop_assert_eq!(&pack_numbers(&numbers).unwrap(), &matrix);
                if !bytes.is_empty() {
                    let (i, j) = (rng.random_range(0..n), rng.random_range(0..patterns));
                    let place = if by_columns { j * n + i } else { i * patterns + j };
                    (bytes[place], numbers[place]) = (4, f64::NAN);
                    for error in [pack(&bytes).unwrap_err(), pack_numbers(&numbers).unwrap_err()] {
                        let place = format!("row {}, column {}: expected 0 or 1", i + 1, j + 1);
                        prop_assert!(error.to_string().starts_with(&place));
                    }
                    prop_assert!(pack(&bytes[1..]).is_err());
                }
            }
        }

        #[test]
        fn signs_of_blocks_make_the_matrix_of_all_signs(
            n in prop::sample::select(&SIZES[..]),
            block in prop::sample::select(&[64usize, 128, 640][..]),
            seed: u64,
        ) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let t = Mat::from_fn(n, 5, |_, _| rng.random_range(-1.0..1.0));
            let row_bounds: Vec<f64> = (0..n).map(|_| rng.random_range(0.0..0.1)).collect();
            let column_bounds = [0.0, 1.0, 2.0];
            let mut matrix = PatternMatrix::zeros(n, 5);
            let mut undecided = Vec::new();
            for row in (0..n).step_by(block) {
                let height = block.min(n - row);
                let part = t.submatrix(row, 1, height, 3);
                let bounds = &row_bounds[row..row + height];
                undecided.extend(matrix.pack_signs((row, 1), part, bounds, &column_bounds));
            }
            undecided.sort_by_key(|&(i, j)| (j, i));
            let mut expected = Vec::new();
            for (i, j) in (0..5).flat_map(|j| (0..n).map(move |i| (i, j))) {
                let inside = (1..4).contains(&j);
                prop_assert_eq!(matrix.get(i, j), inside && t[(i, j)] >= 0.0);
                if inside && t[(i, j)].abs() <= row_bounds[i] * column_bounds[j - 1] {
                    expected.push((i, j));
                }
            }
            prop_assert_eq!(undecided, expected);
        }
    }
}
