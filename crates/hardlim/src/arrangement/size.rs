//! How large `H(X)` is: the rank of `X̃`, bounds, and whether every dichotomy is a pattern.
//!
//! The rank is computed without rounding, modulo primes ([`crate::exact::rank`]). The rank found is
//! never too large, so a full rank is proven. For integers we try the prime 2 first. A rank that is
//! not full is proven with more primes. If that would take too long, the bounds use the largest
//! rank that is possible.
//!
//! Let `r` be the rank of `X̃`, and `n` the number of distinct rows. The number of patterns is at
//! most `2 Σ_{k<r} C(n−1, k)` with a bias, which is attained in general position, and at most
//! `Σ_{k≤r} C(n, k)` without one (Sauer's lemma).

use std::ops::RangeInclusive;

use super::Arrangement;
use crate::error::Error;
use crate::exact::rank::{Matrix, has_odd_minor};
use crate::pattern::PatternMatrix;

/// The size of an arrangement, as known before its patterns are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// `n`, the number of distinct rows.
    pub rows: usize,
    /// `r`, the rank of `X̃`. For matrices too large for a proof within seconds, the rank is at
    /// least this.
    pub rank: usize,
    /// An upper bound on the number of patterns.
    pub bound: u128,
    /// The bytes of a matrix with this many patterns.
    pub bytes: u128,
    /// Whether every dichotomy of the rows is a pattern.
    pub complete: bool,
}

impl Size {
    /// Fails if there may be more patterns than `limit`.
    pub(super) fn within(self, limit: u128) -> Result<Self, Error> {
        let Self { bound, bytes, .. } = self;
        if bound > limit {
            return Err(Error::ArrangementTooLarge { bound, bytes, limit });
        }
        Ok(self)
    }
}

/// An upper bound on the number of patterns of `rows` distinct rows of this rank.
pub(super) fn bound(rows: usize, rank: usize, bias: bool) -> u128 {
    match (rows, bias) {
        (0, _) => 1,
        (_, true) => binomial_sum(rows - 1, rank - 1).saturating_mul(2),
        (_, false) => binomial_sum(rows, rank),
    }
}

/// `Σ_{k≤last} C(n, k)`, or the largest number if that is smaller.
fn binomial_sum(n: usize, last: usize) -> u128 {
    (0..=last.min(n)).fold(0u128, |sum, k| sum.saturating_add(binomial(n as u128, k as u128)))
}

/// `C(n, k)`, or the largest number if that is smaller.
pub(super) fn binomial(n: u128, k: u128) -> u128 {
    if k > n {
        return 0;
    }
    let k = k.min(n - k);
    let mut value = 1u128;
    for i in 0..k {
        let Some(product) = value.checked_mul(n - i) else { return u128::MAX };
        value = product / (i + 1);
    }
    value
}

/// `2ⁿ`, or the largest number if that is smaller.
pub(super) fn power_of_two(n: usize) -> u128 {
    if n < 128 { 1 << n } else { u128::MAX }
}

impl Arrangement<'_> {
    /// The rank of `X̃` (of `X` without a bias). It is never too large. It is too small only if a
    /// proof would take too long and a prime of 62 bits divides every largest minor.
    pub fn rank(&self) -> usize {
        *self.rank_range().start()
    }

    /// The rank of `X̃`: one number, or a range for matrices too large for a proof within seconds.
    pub(super) fn rank_range(&self) -> RangeInclusive<usize> {
        let (rows, dimension) = (self.features.rows(), self.features.dimension());
        let columns = dimension + usize::from(self.bias);
        let entry = |i: usize, j: usize| if j < dimension { self.features.row(i)[j] } else { 1.0 };
        if has_odd_minor(rows, columns, entry) {
            return rows..=rows;
        }
        Matrix::new(rows, columns, entry).rank()
    }

    /// The rank, the bound, the memory, and whether the arrangement is complete.
    pub fn size(&self) -> Size {
        let (rows, ranks) = (self.features.rows(), self.rank_range());
        let (rank, bound) = (*ranks.start(), bound(rows, *ranks.end(), self.bias));
        let bytes = bound.saturating_mul(PatternMatrix::bytes_per_pattern(rows) as u128);
        Size { rows, rank, bound, bytes, complete: rank == rows }
    }

    /// Whether every dichotomy of the rows is a pattern. This is so exactly when the rank of `X̃`
    /// is the number of rows, because halfspaces through the origin of `R^r` shatter at most `r`
    /// points.
    pub fn is_complete(&self) -> bool {
        let (rows, columns) =
            (self.features.rows(), self.features.dimension() + usize::from(self.bias));
        rows <= columns && self.rank() == rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Features;

    fn rank(rows: usize, dimension: usize, values: Vec<f64>, bias: bool) -> usize {
        let features = Features::new(rows, dimension, values).unwrap();
        let arrangement = Arrangement::of(&features);
        if bias { arrangement.rank() } else { arrangement.without_bias().rank() }
    }

    #[test]
    fn ranks_are_those_of_exact_arithmetic() {
        assert_eq!(rank(5, 1, vec![-2.0, -1.0, 0.0, 1.0, 2.0], true), 2);
        assert_eq!(rank(2, 1, vec![1.0, -1.0], false), 1);
        assert_eq!(rank(1, 1, vec![0.0], false), 0);
        assert_eq!(rank(3, 0, vec![], true), 1);
        // 0.1 + 0.2 is not 0.3 in doubles: three points that are not on a line.
        assert_eq!(rank(3, 2, vec![0.1, 1.0, 0.2, 2.0, 0.1 + 0.2, 3.0], false), 2);
        assert_eq!(rank(3, 3, vec![1.0, 0.0, 0.1, 0.0, 1.0, 0.2, 1.0, 1.0, 0.3], false), 3);
        assert_eq!(rank(3, 3, vec![1.0, 0.0, 0.25, 0.0, 1.0, 0.5, 1.0, 1.0, 0.75], false), 2);
    }

    #[test]
    fn a_minor_that_is_a_prime_is_not_zero() {
        // 2⁶¹ − 1 is zero modulo itself.
        let features = Features::new(2, 1, vec![1.0, 2f64.powi(61)]).unwrap();
        let size = Arrangement::of(&features).size();
        assert_eq!((size.rank, size.bound, size.complete), (2, 4, true));
        assert!(Arrangement::of(&features).is_complete());
        assert_eq!(Arrangement::of(&features).listing(4).unwrap().count().unwrap(), 4);
    }

    #[test]
    fn a_rank_too_costly_to_prove_is_a_range_on_the_safe_side() {
        // Thirty columns, each twice.
        let value = |k: usize| f64::from((k as f64 * 0.7).sin().to_bits() as u32) / 3.0;
        let values: Vec<f64> = (0..901 * 60).map(|k| value(k / 60 * 30 + k % 60 % 30)).collect();
        let features = Features::new(901, 60, values).unwrap();
        let arrangement = Arrangement::of(&features);
        assert_eq!(arrangement.rank_range(), 31..=31);
        let mut values: Vec<f64> = (0..300 * 900).map(value).collect();
        // The last row is the double of the first: with no bias, one rank less.
        let first: Vec<f64> = values[..900].iter().map(|v| 2.0 * v).collect();
        values[299 * 900..].copy_from_slice(&first);
        let features = Features::new(300, 900, values).unwrap();
        let arrangement = Arrangement::of(&features).without_bias();
        assert_eq!(arrangement.rank_range(), 299..=300);
        let size = arrangement.size();
        assert!(!size.complete && size.bound == bound(300, 300, false));
    }

    #[test]
    fn bounds_are_those_of_general_position() {
        assert_eq!(bound(3, 2, true), 6);
        assert_eq!(bound(2, 1, false), 3);
        assert_eq!(bound(100, 5, true), 7_852_352);
        assert_eq!(bound(1000, 3, true), 999_002);
        assert_eq!(bound(14, 4, true), 756);
        assert_eq!(bound(7, 7, true), 128);
        assert_eq!(bound(7, 7, false), 128);
        assert_eq!((bound(0, 0, true), bound(0, 0, false), bound(4, 0, false)), (1, 1, 1));
        assert_eq!(bound(100_000, 50, true), u128::MAX);
    }

    #[test]
    fn what_may_not_fit_is_refused_with_its_numbers() {
        let features =
            Features::new(14, 3, (0..42).map(|k| f64::from(k * k * k)).collect()).unwrap();
        let size = Arrangement::of(&features).size();
        assert_eq!((size.rows, size.rank, size.bound, size.complete), (14, 4, 756, false));
        assert_eq!(size.bytes, 756 * 64);
        let error = size.within(755).unwrap_err().to_string();
        assert!(error.contains("756") && error.contains("755"), "{error}");
        assert!(size.within(756).is_ok());
    }
}
