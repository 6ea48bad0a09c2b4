//! Which rows are looked at more closely: chosen by a hash of their number, never by where they
//! lie.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::block::Block;
use crate::arrangement::Hyperplane;
use crate::data::Features;
use crate::pattern::PatternMatrix;

/// While a strength is chosen, one row in ten is held out: the first of ten folds.
pub(crate) const HELD_OUT: usize = 10;
/// The most rows of the sample. A table of no more rows is in the sample as a whole: every door
/// gathers it, and trains on it in memory.
pub const MOST_IN_MEMORY: usize = 1 << 16;

/// A hash of a row's number: all its bits depend on all bits of the number (splitmix64).
fn hash(row: u64, purpose: u64) -> u64 {
    let mut x = row.wrapping_add(purpose).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

pub(super) fn fold(row: u64, folds: usize) -> usize {
    (hash(row, 1 << 62) % folds as u64) as usize
}

/// Whether a row is held out while a strength is chosen.
pub(super) fn is_held_out(row: u64) -> bool {
    fold(row, HELD_OUT) == 0
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aside {
    None,
    Tenth,
    Fold { fold: usize, of: usize },
}

impl Aside {
    fn holds(self, row: u64) -> bool {
        match self {
            Self::None => false,
            Self::Tenth => is_held_out(row),
            Self::Fold { fold: own, of } => fold(row, of) == own,
        }
    }
}

/// The rows of a sample: those whose hash starts with a number of zeros, the fewest with which at
/// most 65,536 rows are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Sampling {
    pub(crate) zeros: u32,
}

impl Sampling {
    pub(crate) fn of(rows: u64) -> Self {
        let none = || [0usize; 65];
        let counts = (0..rows).into_par_iter().fold(none, |mut counts, row| {
            counts[hash(row, 1 << 63).leading_zeros() as usize] += 1;
            counts
        });
        let counts = counts.reduce(none, |a, b| std::array::from_fn(|zeros| a[zeros] + b[zeros]));
        let (mut left, mut zeros) = (counts.iter().sum::<usize>(), 0);
        while left > MOST_IN_MEMORY {
            left -= counts[zeros];
            zeros += 1;
        }
        Self { zeros: zeros as u32 }
    }

    pub(crate) fn takes(self, row: u64) -> bool {
        hash(row, 1 << 63).leading_zeros() >= self.zeros
    }

    /// The sampling that takes about one row in `2ᵏ`, with the least `k` that leaves at most
    /// `most` of `rows`.
    pub(super) fn leaving(most: u64, rows: u64) -> Self {
        let zeros = (0..64).find(|zeros| rows >> zeros <= most);
        Self { zeros: zeros.unwrap_or(64) }
    }

    /// Takes fewer rows, until these are not too many; those that are left stay in order.
    pub(super) fn thin<T>(&mut self, rows: &mut Vec<(u64, T)>) {
        while rows.len() > MOST_IN_MEMORY {
            self.zeros += 1;
            rows.retain(|(row, _)| self.takes(*row));
        }
    }
}

/// The sample: some of the rows, at hand while the others are in blocks. Neurons are drawn for it,
/// and it shows how the loss curves.
#[derive(Debug, Clone)]
pub struct Sample {
    rows: Block,
    /// Their numbers among all rows.
    numbers: Vec<u64>,
}

impl Sample {
    /// Rows with these numbers among all rows.
    pub(super) fn new(
        numbers: Vec<u64>,
        features: Features,
        y: Vec<f64>,
        weights: Option<Vec<f64>>,
    ) -> Self {
        let answers = PatternMatrix::new(y.len());
        Self { rows: Block { first: 0, features, y, weights, answers }, numbers }
    }

    /// With how many zeros the hash of a row of the sample starts; none if all of these rows are
    /// in it.
    pub fn zeros(rows: u64) -> u32 {
        Sampling::of(rows).zeros
    }

    /// Whether a row is in the sample with this number of zeros.
    pub fn takes(zeros: u32, row: u64) -> bool {
        Sampling { zeros }.takes(row)
    }

    /// `X`.
    pub fn features(&self) -> &Features {
        &self.rows.features
    }

    pub(crate) fn weights(&self) -> Vec<f64> {
        (0..self.rows.rows()).map(|i| self.rows.weight(i)).collect()
    }

    pub(crate) fn answer(&mut self, neurons: &[Hyperplane]) {
        self.rows.answer(neurons);
    }

    pub(crate) fn answers(&self) -> &PatternMatrix {
        &self.rows.answers
    }

    /// Target and weight of every row. With several classes, this one is told from the rest; rows
    /// set aside weigh nothing.
    pub(crate) fn targets(&self, class: Option<usize>, aside: Aside) -> Vec<(f64, f64)> {
        let weight = |i: usize| {
            if aside.holds(self.numbers[i]) { 0.0 } else { self.rows.weight(i) }
        };
        (0..self.rows.rows()).map(|i| (self.rows.target(i, class), weight(i))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_depends_on_the_numbers_of_the_rows_alone() {
        let n = 3 * MOST_IN_MEMORY as u64;
        let mut at_once = (Sampling::default(), (0..n).map(|i| (i, ())).collect());
        at_once.0.thin(&mut at_once.1);
        let mut in_parts = (Sampling::default(), Vec::new());
        for row in 0..n {
            if in_parts.0.takes(row) {
                in_parts.1.push((row, ()));
                in_parts.0.thin(&mut in_parts.1);
            }
        }
        assert_eq!(at_once, in_parts);
        assert_eq!((Sampling::of(n), Sampling::of(9).zeros), (at_once.0, 0));
        assert!(at_once.1.len() > MOST_IN_MEMORY / 3 && at_once.1.len() <= MOST_IN_MEMORY);
    }

    #[test]
    fn every_row_is_in_one_fold_and_folds_are_about_equal() {
        let mut sizes = [0; 7];
        (0..70_000).for_each(|row| sizes[fold(row, 7)] += 1);
        assert!(sizes.iter().all(|size| (9_000..11_000).contains(size)), "{sizes:?}");
        for row in 0..100 {
            let aside = |fold| Aside::Fold { fold, of: 7 }.holds(row);
            assert_eq!((0..7).filter(|&k| aside(k)).collect::<Vec<_>>(), [fold(row, 7)]);
            assert_eq!(Aside::Tenth.holds(row), Aside::Fold { fold: 0, of: 10 }.holds(row));
            assert!(!Aside::None.holds(row));
        }
    }

    #[test]
    fn one_row_in_ten_is_held_out_in_the_sample_as_elsewhere() {
        let sampling = Sampling { zeros: 2 };
        let (mut all, mut held) = (0, 0);
        for row in (0..100_000).filter(|row| sampling.takes(*row)) {
            all += 1;
            held += usize::from(is_held_out(row));
        }
        assert!((24_000..26_000).contains(&all), "{all}");
        assert!((all / 11..all / 9).contains(&held), "{held} of {all}");
    }
}
