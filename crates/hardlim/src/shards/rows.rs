//! Which rows are looked at more closely: chosen by a hash of their number, never by where they lie.

use rayon::prelude::*;

/// One row in so many is held out while a strength is chosen.
pub(super) const HELD_OUT: u64 = 10;
/// The most rows of the sample.
pub(super) const SAMPLE: usize = 1 << 16;

/// A hash of a row's number: all its bits depend on all bits of the number (splitmix64).
fn hash(row: u64, purpose: u64) -> u64 {
    let mut x = row.wrapping_add(purpose).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Whether a row is held out while a strength is chosen.
pub(super) fn is_held_out(row: u64) -> bool {
    hash(row, 1 << 62).is_multiple_of(HELD_OUT)
}

/// The rows of a sample: those whose hash starts with so many zeros. So many are the fewest with which at
/// most 65536 rows are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sampling {
    /// How many zeros.
    pub zeros: u32,
}

impl Sampling {
    /// The sample of so many rows.
    pub fn of(rows: u64) -> Self {
        let none = || [0usize; 65];
        let counts = (0..rows).into_par_iter().fold(none, |mut counts, row| {
            counts[hash(row, 1 << 63).leading_zeros() as usize] += 1;
            counts
        });
        let counts = counts.reduce(none, |a, b| std::array::from_fn(|zeros| a[zeros] + b[zeros]));
        let (mut left, mut zeros) = (counts.iter().sum::<usize>(), 0);
        while left > SAMPLE {
            left -= counts[zeros];
            zeros += 1;
        }
        Self { zeros: zeros as u32 }
    }

    /// Whether a row is in the sample.
    pub fn takes(self, row: u64) -> bool {
        hash(row, 1 << 63).leading_zeros() >= self.zeros
    }

    /// Takes fewer rows, until these are not too many; those that are left stay in order.
    pub(super) fn thin<T>(&mut self, rows: &mut Vec<(u64, T)>) {
        while rows.len() > SAMPLE {
            self.zeros += 1;
            rows.retain(|(row, _)| self.takes(*row));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_depends_on_the_numbers_of_the_rows_alone() {
        let n = 3 * SAMPLE as u64;
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
        assert!(at_once.1.len() > SAMPLE / 3 && at_once.1.len() <= SAMPLE);
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
