//! The rank of a matrix of doubles, proven by elimination modulo primes.
//!
//! Scaled by powers of two, the columns are integers. A minor that is not zero modulo a prime is
//! not zero, so the rows and columns found by elimination are independent. Let `A` be the largest
//! minor found, of order `r`, with its rows `[A B]`, and `[a b]` another row. The minors with one
//! row and one column more are `±det A · (b − aA⁻¹B)`. If all of them are zero, the matrix has rank
//! `r`. They are zero modulo every prime that finds no larger minor, so they are multiples of the
//! product of these primes. If that product exceeds their size (Hadamard's bound), they are zero.
//!
//! If all rows of an integer matrix are independent modulo two, a minor of all rows is odd, and so
//! not zero. With rows packed into bits, this is the cheapest proof of a full rank.

use std::ops::RangeInclusive;

use super::dyadic::Range;
use super::modular::Prime;

/// An optional proof with more multiplications than this, some seconds of work, is skipped.
const MOST: f64 = 1e9;

pub(crate) struct Matrix<F> {
    rows: usize,
    ranges: Vec<Range>,
    entry: F,
}

impl<F: Fn(usize, usize) -> f64> Matrix<F> {
    pub(crate) fn new(rows: usize, columns: usize, entry: F) -> Self {
        let mut ranges = vec![None; columns];
        for i in 0..rows {
            ranges.iter_mut().enumerate().for_each(|(j, r)| Range::take(r, entry(i, j)));
        }
        let ranges = ranges.into_iter().map(Option::unwrap_or_default).collect();
        Self { rows, ranges, entry }
    }

    /// The rank: one number, or a range for matrices too large for a proof within seconds.
    pub(crate) fn rank(&self) -> RangeInclusive<usize> {
        let most = self.rows.min(self.ranges.len());
        let (columns, proven) = self.prove(most, MOST);
        columns.len()..=if proven { columns.len() } else { most }
    }

    /// The first independent columns that span all others; `None` if there are more than `most`.
    pub(crate) fn independent_columns(&self, most: usize) -> Option<Vec<usize>> {
        let (mut columns, _) = self.prove(most, f64::INFINITY);
        columns.sort_unstable();
        (columns.len() <= most).then_some(columns)
    }

    /// Independent columns, and whether they are proven to span all others. They are not if there
    /// are more than `most`, or if a proof would take more than `work` multiplications.
    fn prove(&self, most: usize, work: f64) -> (Vec<usize>, bool) {
        let full = self.rows.min(self.ranges.len());
        let (mut best, mut settled) = (Vec::new(), 0);
        for prime in Prime::all() {
            let columns = self.leading_columns(&prime, most);
            if columns.len() > best.len() {
                best = columns;
            }
            settled += Prime::BITS;
            let left = self.minor_bits(&best) - settled;
            if best.len() == full || (best.len() <= most && left <= 0) {
                return (best, true);
            }
            if best.len() > most || self.work(best.len()) * (left / Prime::BITS + 1) as f64 > work {
                break;
            }
        }
        (best, false)
    }

    /// An upper bound on the bits of a minor of these columns and one more.
    fn minor_bits(&self, columns: &[usize]) -> i64 {
        let bits = |j: usize| i64::from(self.ranges[j].bits());
        let outside = (0..self.ranges.len()).filter(|j| !columns.contains(j));
        let order = columns.len() as u64 + 1;
        columns.iter().map(|&j| bits(j)).sum::<i64>()
            + outside.map(bits).max().unwrap_or(0)
            + order as i64 * i64::from(order.ilog2() + 1)
            + 3
    }

    /// About how many multiplications one prime takes: to compute the residues of every row, to
    /// reduce it, and to find the basis.
    fn work(&self, rank: usize) -> f64 {
        let columns = self.ranges.len();
        let each = rank * (columns - rank) + 4 * columns;
        self.rows as f64 * each as f64 + (rank * rank * columns) as f64
    }

    /// The leading columns of the rows, eliminated one after the other modulo a prime; stops beyond
    /// `most`. They are the first independent columns modulo the prime.
    fn leading_columns(&self, prime: &Prime, most: usize) -> Vec<usize> {
        let bits = self.ranges.iter().map(|range| range.bits()).max().unwrap_or(0);
        let two = prime.powers_of_two(bits);
        let residue =
            |i: usize, j: usize| prime.dyadic((self.entry)(i, j), self.ranges[j].low, &two);
        // The basis is the identity on the leading columns; its rows hold the other columns only.
        let (mut leading, mut basis) = (Vec::new(), Vec::<Vec<u64>>::new());
        let mut others: Vec<usize> = (0..self.ranges.len()).collect();
        for i in 0..self.rows {
            if others.is_empty() || leading.len() > most {
                break;
            }
            let factors: Vec<u64> = leading.iter().map(|&j| residue(i, j)).collect();
            let mut row: Vec<u64> = others.iter().map(|&j| residue(i, j)).collect();
            prime.subtract_rows(&mut row, &factors, &basis);
            let first = (0..row.len()).filter(|&k| row[k] != 0).min_by_key(|&k| others[k]);
            let Some(first) = first else { continue };
            leading.push(others.swap_remove(first));
            let inverse = prime.inverse(row.swap_remove(first));
            row.iter_mut().for_each(|r| *r = prime.multiply(*r, inverse));
            for above in &mut basis {
                let factor = above.swap_remove(first);
                prime.subtract_rows(above, &[factor], std::slice::from_ref(&row));
            }
            basis.push(row);
        }
        leading
    }
}

/// Whether a matrix consists of integers and its rows are independent modulo two.
pub(crate) fn has_odd_minor(
    rows: usize,
    columns: usize,
    entry: impl Fn(usize, usize) -> f64,
) -> bool {
    let entries = || (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    if rows > columns || entries().any(|(i, j)| entry(i, j).fract() != 0.0) {
        return false;
    }
    let mut rows = vec![vec![0u64; columns.div_ceil(64)]; rows];
    for (i, j) in entries() {
        rows[i][j / 64] |= u64::from(entry(i, j) % 2.0 != 0.0) << (j % 64);
    }
    for k in 0..rows.len() {
        let (done, rest) = rows.split_at_mut(k + 1);
        let row = &done[k];
        let Some(word) = row.iter().position(|&w| w != 0) else { return false };
        let bit = row[word] & row[word].wrapping_neg(); // the lowest set bit
        for other in rest.iter_mut().filter(|other| other[word] & bit != 0) {
            other[word..].iter_mut().zip(&row[word..]).for_each(|(a, b)| *a ^= b);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rank(matrix: &[Vec<f64>]) -> usize {
        let columns = matrix.first().map_or(0, Vec::len);
        let matrix = Matrix::new(matrix.len(), columns, |i, j| matrix[i][j]);
        let rank = matrix.independent_columns(usize::MAX).unwrap().len();
        assert_eq!(matrix.rank(), rank..=rank);
        assert!(rank == 0 || matrix.independent_columns(rank - 1).is_none());
        rank
    }

    #[test]
    fn a_determinant_that_is_a_prime_is_not_zero() {
        // 2³¹ · 2³⁰ − 1 = 2⁶¹ − 1 is a prime; so is 2⁶² − 57, and zero modulo itself.
        let power = |k| 2f64.powi(k);
        assert_eq!(rank(&[vec![power(31), 1.0], vec![1.0, power(30)]]), 2);
        assert_eq!(rank(&[vec![power(31), 57.0], vec![1.0, power(31)]]), 2);
        assert_eq!(rank(&[vec![power(31), 1.0], vec![power(32), 2.0]]), 1);
        assert_eq!(rank(&[vec![0.0, 0.0], vec![0.0, 0.0]]), 0);
        assert_eq!(rank(&[vec![1.0, 1.0], vec![2.0, power(61)], vec![power(62), 6.0]]), 2);
        // Tiny and huge numbers count alike.
        assert_eq!(rank(&[vec![1e60, 1e-60], vec![1e-60, 1e60]]), 2);
        assert_eq!(rank(&[vec![power(150), 1.0], vec![power(100), power(-50)]]), 1);
    }

    #[test]
    fn the_first_columns_that_span_are_taken() {
        // 1, x, 2x + 1, y, x.
        let points = [(0.0, 0.0), (1.0, 0.0), (0.0, 0.1), (3.0, 0.7)];
        let rows: Vec<Vec<f64>> =
            points.iter().map(|&(x, y)| vec![1.0, x, 2.0 * x + 1.0, y, x]).collect();
        let matrix = Matrix::new(4, 5, |i, j| rows[i][j]);
        assert_eq!(matrix.independent_columns(3), Some(vec![0, 1, 3]));
    }

    proptest! {
        #[test]
        fn products_of_thin_matrices_have_their_width_as_rank(
            width in 0usize..5,
            left in prop::collection::vec(-50i32..50, 8 * 5),
            right in prop::collection::vec(-50i32..50, 5 * 7),
        ) {
            let entry = |i: usize, j: usize| -> f64 {
                (0..width).map(|k| f64::from(left[i * 5 + k] * right[k * 7 + j]) / 64.0).sum()
            };
            let product: Vec<Vec<f64>> =
                (0..8).map(|i| (0..7).map(|j| entry(i, j)).collect()).collect();
            prop_assert!(rank(&product) <= width);
        }
    }

    proptest! {
        #[test]
        fn an_odd_minor_means_full_rank(
            n in 1usize..6, d in 0usize..8, values in prop::collection::vec(-3i32..4, 40),
        ) {
            let entry = |i: usize, j: usize| f64::from(values[i * d + j]);
            let rank = Matrix::new(n, d, entry).independent_columns(usize::MAX).unwrap().len();
            prop_assert!(!has_odd_minor(n, d, entry) || rank == n);
        }
    }

    #[test]
    fn independence_modulo_two_is_found() {
        let found = |rows: &[&[f64]]| has_odd_minor(rows.len(), rows[0].len(), |i, j| rows[i][j]);
        assert!(found(&[&[1.0, 0.0, 0.0], &[1.0, 1.0, 0.0], &[1.0, 4.0, -3.0]]));
        assert!(found(&[&[0.0, 0.0, 1.0], &[1.0, 0.0, 1.0], &[1.0, 1.0, 1.0]]));
        // Determinant two; numbers that are no integers; too many rows; equal ones.
        assert!(!found(&[&[1.0, 1.0, 0.0], &[1.0, 0.0, 1.0], &[0.0, 1.0, 1.0]]));
        assert!(!found(&[&[0.5, 0.0], &[0.0, 1.0]]));
        assert!(!found(&[&[0.0, 1.0], &[1.0, 1.0], &[2.0, 1.0]]));
        assert!(!found(&[&[1.0, 2.0, 1.0], &[1.0, 2.0, 1.0]]));
        // More columns than a word has bits.
        let wide: Vec<Vec<f64>> =
            (0..70).map(|i| (0..70).map(|j| f64::from(u8::from(j <= i))).collect()).collect();
        assert!(found(&wide.iter().map(Vec::as_slice).collect::<Vec<_>>()));
    }
}
