//! An upper bound on the number of deep patterns, sharper than the paper's Lemma 3.5: rows are
//! capped at `2^m`.

use crate::arrangement::Arrangement;
use crate::arrangement::size::{binomial, bound, power_of_two};

impl Arrangement<'_> {
    /// An upper bound on the number of deep patterns: the number of sets of columns that matter
    /// times the patterns of each, layer by layer, and at most `2ⁿ`.
    pub fn deep_bound(&self, widths: &[usize], tree: bool) -> u128 {
        let rows = self.features().rows();
        let last = bound(rows, *self.rank_range().end(), self.has_bias());
        if tree {
            widths.iter().fold(last, |below, &width| self.above(rows, below, &[width]))
        } else {
            self.above(rows, last, widths)
        }
    }

    /// A bound with layers of these widths above this many patterns.
    fn above(&self, rows: usize, patterns: u128, widths: &[usize]) -> u128 {
        let [width, rest @ ..] = widths else { return patterns };
        let inner = self.inner_bound(rows, *width, rest);
        power_of_two(rows).min(self.sets(patterns, *width).saturating_mul(inner))
    }

    /// A bound on `H(D_S; …)` with `width` columns in `S`.
    fn inner_bound(&self, rows: usize, width: usize, rest: &[usize]) -> u128 {
        let rows = power_of_two(width).min(rows as u128) as usize;
        let rank = (width + usize::from(self.has_bias())).min(rows);
        self.above(rows, bound(rows, rank, self.has_bias()), rest)
    }

    /// The number of sets of columns that matter among this many patterns.
    fn sets(&self, patterns: u128, width: usize) -> u128 {
        let columns = if self.has_bias() { patterns.saturating_sub(2) / 2 } else { patterns };
        binomial(columns, columns.min(width as u128))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Features;

    #[test]
    fn bounds_multiply_sets_and_patterns() {
        let line = |n: usize| Features::new(n, 1, (0..n).map(|i| i as f64).collect()).unwrap();
        let bound = |n: usize, widths: &[usize], tree: bool| {
            Arrangement::of(&line(n)).deep_bound(widths, tree)
        };
        assert_eq!(bound(3, &[], false), 6);
        assert_eq!(bound(3, &[2], false), 8);
        // 200 patterns, 99 columns that matter, two patterns of one column and their complements.
        assert_eq!(bound(100, &[1], false), 99 * 4);
        // Pairs of 99 columns; four rows in the plane have 14 patterns.
        assert_eq!(bound(100, &[2], false), 99 * 98 / 2 * 14);
        assert_eq!(bound(100, &[1, 2], false), 99 * 4);
        assert_eq!(bound(100, &[1, 2], true), 197 * 196 / 2 * 14);
        assert_eq!(bound(1000, &[40, 40], true), u128::MAX);
    }
}
