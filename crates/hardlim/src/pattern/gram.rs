//! Gram matrices: `DᵀSD`, plain (`S = I`) or with sample weights.
//!
//! The matrix is cut into tiles, each the work of one thread. A tile is cut into chunks of words
//! that stay in the second-level cache. Counts are integers, and weighted sums have the order of
//! [`kernel`](super::kernel), so the number of threads does not change a result.

use std::array::from_fn;
use std::borrow::Cow;
use std::ops::Range;

use faer::{Mat, MatMut};
use rayon::prelude::*;

use super::kernel::{self, Isa, LANES, TILE};
use super::product::tile;
use super::tuning::{BLOCK, CHUNK};
use super::weighting::{Plane, Weighting};
use super::{PatternMatrix, WORD};

/// The rows and columns of the matrix that one thread computes at a time.
const EDGE: usize = 64;

/// The parts that are computed before they are written.
const PARTS: usize = 256;

const TILES: usize = EDGE / TILE;

impl PatternMatrix {
    /// `|dᵢ ∧ dⱼ|` for `i` and `j` in `columns`, with half the work.
    ///
    /// # Panics
    /// When there is no such column.
    pub fn gram_symmetric(&self, columns: &[usize]) -> Mat<f64> {
        self.weighted_gram_symmetric(columns, &Weighting::Unit)
    }

    /// `Σₖ sₖ dₖᵢ dₖⱼ` for `i` in `rows` and `j` in `columns`.
    pub(crate) fn weighted_gram(
        &self,
        rows: &[usize],
        columns: &[usize],
        s: &Weighting,
    ) -> Mat<f64> {
        Gram { matrix: self, rows, columns, symmetric: false }.compute(s)
    }

    /// `Σₖ sₖ dₖᵢ dₖⱼ` for `i` and `j` in `columns`, with half the work.
    pub(crate) fn weighted_gram_symmetric(&self, columns: &[usize], s: &Weighting) -> Mat<f64> {
        Gram { matrix: self, rows: columns, columns, symmetric: true }.compute(s)
    }
}

/// A Gram matrix to compute. If it is symmetric, its rows and columns are the same.
struct Gram<'a> {
    matrix: &'a PatternMatrix,
    rows: &'a [usize],
    columns: &'a [usize],
    symmetric: bool,
}

impl Gram<'_> {
    fn compute(&self, weighting: &Weighting) -> Mat<f64> {
        assert!(weighting.fits(self.matrix.samples()), "one weight for each sample");
        let (height, width) = (self.rows.len(), self.columns.len());
        let corners: Vec<(usize, usize)> = (0..width)
            .step_by(EDGE)
            .flat_map(|c| {
                let end = if self.symmetric { c + 1 } else { height };
                (0..end).step_by(EDGE).map(move |r| (r, c))
            })
            .collect();
        let part = |&(r, c): &(usize, usize)| {
            let mut part = Part {
                rows: &self.rows[r..height.min(r + EDGE)],
                columns: &self.columns[c..width.min(c + EDGE)],
                diagonal: self.symmetric && r == c,
                values: vec![[[0.0; TILE]; TILE]; TILES * TILES],
            };
            part.fill(self.matrix, weighting);
            part
        };
        let mut gram = Mat::zeros(height, width);
        // Some parts at a time, because all of them take as much memory as the matrix.
        for corners in corners.chunks(PARTS) {
            let parts: Vec<Part<'_>> = match corners {
                [corner] => vec![part(corner)],
                _ => corners.par_iter().map(part).collect(),
            };
            for (part, &(r, c)) in parts.iter().zip(corners) {
                let (height, width) = (part.rows.len(), part.columns.len());
                part.write(gram.as_mut().submatrix_mut(r, c, height, width), false);
                if self.symmetric {
                    part.write(gram.as_mut().submatrix_mut(c, r, width, height), true);
                }
            }
        }
        gram
    }
}

/// A block of rows and columns of a Gram matrix.
struct Part<'a> {
    rows: &'a [usize],
    columns: &'a [usize],
    /// Whether this part lies on the diagonal; then the tiles below it are not needed.
    diagonal: bool,
    /// The tiles, one column of tiles after the other; each is stored by columns.
    values: Vec<[[f64; TILE]; TILE]>,
}

impl Part<'_> {
    /// The positions of the tiles that are needed.
    fn tiles(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let diagonal = self.diagonal;
        let (height, width) = (self.rows.len().div_ceil(TILE), self.columns.len().div_ceil(TILE));
        (0..height).flat_map(move |r| (if diagonal { r } else { 0 }..width).map(move |c| (r, c)))
    }

    /// Writes the tiles, or their mirror images.
    fn write(&self, mut to: MatMut<'_, f64>, mirrored: bool) {
        for (r, c) in self.tiles() {
            let mut tile = self.values[c * TILES + r];
            let (mut first, mut left) = (r * TILE, c * TILE);
            if mirrored {
                tile = from_fn(|i| from_fn(|j| tile[j][i]));
                (first, left) = (left, first);
            }
            let height = TILE.min(to.nrows() - first);
            for (numbers, j) in tile.iter().zip(left..to.ncols()) {
                let column = to.as_mut().col_mut(j).try_as_col_major_mut();
                let column = column.expect("columns are contiguous").as_slice_mut();
                column[first..first + height].copy_from_slice(&numbers[..height]);
            }
        }
    }

    fn fill(&mut self, matrix: &PatternMatrix, weighting: &Weighting) {
        let (base, planes) = match weighting {
            Weighting::General(s) => return self.sum(matrix, s),
            Weighting::Planes { base, planes, .. } => (*base, &planes[..]),
            Weighting::Unit => (1.0, &[][..]),
        };
        let all = |j: usize, words| Cow::Borrowed(&matrix.column(j)[words]);
        if base != 0.0 {
            self.count(base, matrix.column_words(), all);
        }
        for Plane { scale, words } in planes {
            let masked = |j: usize, places: Range<usize>| {
                let column = matrix.column(j);
                words[places].iter().map(|&(k, mask)| column[k] & mask).collect()
            };
            self.count(*scale, words.len(), masked);
        }
    }

    /// Adds `scale·|dᵢ ∧ dⱼ|` for columns of `words` words.
    fn count<'m>(
        &mut self,
        scale: f64,
        words: usize,
        part: impl Fn(usize, Range<usize>) -> Cow<'m, [u64]>,
    ) {
        for start in (0..words).step_by(CHUNK) {
            let chunk = start..words.min(start + CHUNK);
            let [rows, columns] = [self.rows, self.columns]
                .map(|some| some.iter().map(|&j| part(j, chunk.clone())).collect::<Vec<_>>());
            let rows: Vec<_> = rows.chunks(TILE).map(|d| tile(d, |d| d)).collect();
            let columns: Vec<_> = columns.chunks(TILE).map(|d| tile(d, |d| d)).collect();
            for (r, c) in self.tiles() {
                let values = &mut self.values[c * TILES + r];
                kernel::add_overlaps(Isa::best(), &rows[r], &columns[c], scale, values);
            }
        }
    }

    /// Adds the weights of the rows where both patterns are on.
    fn sum(&mut self, matrix: &PatternMatrix, s: &[f64]) {
        for (r, c) in self.tiles() {
            let columns = &self.columns[c * TILE..self.columns.len().min((c + 1) * TILE)];
            for (i, &row) in self.rows[r * TILE..].iter().enumerate().take(TILE) {
                let mut lanes = [[0.0; LANES]; TILE];
                for (s, first) in s.chunks(BLOCK).zip((0..).step_by(BLOCK / WORD)) {
                    let words = first..first + s.len().div_ceil(WORD);
                    let row = &matrix.column(row)[words.clone()];
                    let mut both = [[0; BLOCK / WORD]; TILE];
                    for (both, &j) in both.iter_mut().zip(columns) {
                        let column = &matrix.column(j)[words.clone()];
                        for ((both, a), b) in both.iter_mut().zip(row).zip(column) {
                            *both = a & b;
                        }
                    }
                    kernel::masked_lanes(
                        Isa::best(),
                        both.each_ref().map(|d| &d[..]),
                        s,
                        &mut lanes,
                    );
                }
                for (values, lanes) in self.values[c * TILES + r].iter_mut().zip(&lanes) {
                    values[i] = kernel::fold(lanes);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Pattern;
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const SIZES: [usize; 9] = [0, 1, 63, 64, 65, 511, 512, 513, 4097];

    /// The definition: the sum of the weights where both are on, in the order of the kernels.
    fn entry_plain(a: &Pattern, b: &Pattern, s: &[f64]) -> f64 {
        let both = Pattern::from_fn(s.len(), |i| a.get(i) && b.get(i));
        kernel::masked_sum(both.words(), s)
    }

    /// Every way to compute the Gram matrix with these weights gives the definition.
    fn check(
        n: usize,
        patterns: usize,
        s: &[f64],
        rng: &mut ChaCha8Rng,
    ) -> Result<(), TestCaseError> {
        let all: Vec<Pattern> =
            (0..patterns).map(|_| Pattern::from_fn(n, |_| rng.random())).collect();
        let matrix = &PatternMatrix::from_patterns(n, &all);
        let (rows, columns): (Vec<usize>, Vec<usize>) =
            ((0..patterns).rev().step_by(2).collect(), (0..patterns).collect());
        let weighting = Weighting::new(s);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        for (rows, symmetric) in [(&rows, false), (&columns, true)] {
            let gram = Gram { matrix, rows, columns: &columns, symmetric };
            let gram = pool.install(|| gram.compute(&weighting));
            prop_assert_eq!((gram.nrows(), gram.ncols()), (rows.len(), columns.len()));
            for (r, &i) in rows.iter().enumerate() {
                for (c, &j) in columns.iter().enumerate() {
                    prop_assert_eq!(gram[(r, c)], entry_plain(&all[i], &all[j], s));
                }
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn gram_entries_are_those_of_one_pair_at_a_time(
            n in prop::sample::select(&SIZES[..]),
            patterns in prop::sample::select(&[0usize, 1, 3, 4, 5, 65, 70][..]),
            kind in 0..4,
            seed: u64,
        ) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let s: Vec<f64> = (0..n)
                .map(|_| match kind {
                    0 => 1.0,
                    1 if rng.random_bool(0.01) => f64::from(rng.random_range(0..9)),
                    1 => 1.0,
                    2 => f64::from(rng.random_range(0u32..100)),
                    _ => rng.random_range(-1.0..1.0),
                })
                .collect();
            check(n, patterns, &s, &mut rng)?;
        }
    }

    #[test]
    fn long_columns_are_counted_chunk_by_chunk() {
        let n = CHUNK * WORD * 2 + 100;
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let s: Vec<f64> = (0..n).map(|i| if i % 1000 == 0 { 5.0 } else { 1.0 }).collect();
        check(n, 5, &s, &mut rng).unwrap();
    }
}
