//! Independent columns of `X̃`, as integers times a power of two.

use super::modular::Prime;
use crate::arrangement::Arrangement;

/// One column of `X̃`, all ones for the bias.
#[derive(Debug, Clone)]
pub(in crate::arrangement) struct Column {
    /// Which feature it is; none for the bias.
    pub(in crate::arrangement) feature: Option<usize>,
    pub(super) values: Vec<f64>,
    /// Values lie below `2^high` in magnitude.
    high: i32,
    /// Values are integers times `2^low`.
    low: i32,
}

impl Column {
    fn new(feature: Option<usize>, values: Vec<f64>) -> Self {
        let (high, low) = bits_of(values.iter().copied());
        Self { feature, values, high, low }
    }

    /// The power of two that brings the values below 1.
    pub(in crate::arrangement) fn shrink(&self) -> f64 {
        2f64.powi(-self.high)
    }

    /// How many bits its integers have.
    pub(super) fn bits(&self) -> i32 {
        self.high - self.low
    }

    /// The integer of row `i` modulo a prime.
    pub(super) fn residue(&self, i: usize, prime: &Prime, two: &[u64]) -> u64 {
        let v = self.values[i];
        if v == 0.0 {
            return 0;
        }
        let (odd, low) = odd_part(v);
        let size = prime.multiply(prime.residue(odd), two[(low - self.low) as usize]);
        if v < 0.0 { prime.subtract(0, size) } else { size }
    }
}

/// `(high, low)` of numbers that are integers times `2^low` and below `2^high` in magnitude.
pub(super) fn bits_of(values: impl Iterator<Item = f64>) -> (i32, i32) {
    let ends = values.filter(|v| *v != 0.0).map(|v| {
        let (odd, low) = odd_part(v);
        (low + 64 - odd.leading_zeros() as i32, low)
    });
    ends.reduce(|a, b| (a.0.max(b.0), a.1.min(b.1))).unwrap_or((0, 0))
}

/// The magnitude of a number as an odd integer and a power of two.
pub(super) fn odd_part(v: f64) -> (u64, i32) {
    let bits = v.abs().to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (integer, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let zeros = integer.trailing_zeros();
    (integer >> zeros, exponent + zeros as i32)
}

/// Powers of two modulo a prime, up to `2^most`.
pub(super) fn powers_of_two(prime: &Prime, most: i32) -> Vec<u64> {
    let two = prime.residue(2);
    std::iter::successors(Some(prime.residue(1)), |&p| Some(prime.multiply(p, two)))
        .take(most as usize + 1)
        .collect()
}

/// Independent columns of `X̃` that span all of them, the bias first where there is one.
///
/// A minor that is not zero modulo a prime is not zero, so the columns found are independent. One
/// that is zero modulo so many primes that their product exceeds it is zero, so they span.
pub(in crate::arrangement) fn independent_columns(arrangement: &Arrangement<'_>) -> Vec<Column> {
    let (features, rows) = (arrangement.features(), arrangement.features().rows());
    let bias = arrangement.has_bias().then(|| Column::new(None, vec![1.0; rows]));
    let real = (0..features.dimension())
        .map(|k| Column::new(Some(k), (0..rows).map(|i| features.row(i)[k]).collect()));
    let mut columns: Vec<Column> = bias.into_iter().chain(real).collect();
    let mut sizes: Vec<i64> = columns.iter().map(|c| i64::from(c.bits())).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let most = columns.len().min(rows);
    let (mut best, mut settled) = (Vec::new(), 0);
    let needed = |rank: usize| -> i64 {
        let minor: i64 = sizes[..rank + 1].iter().sum();
        minor + (rank as i64 + 1) * i64::from((rank as u64 + 1).ilog2() + 1) + 3
    };
    let count = if most == 0 { 0 } else { needed(most - 1) / Prime::BITS + 1 };
    for prime in Prime::largest(count as usize) {
        if best.len() == most || settled >= needed(best.len()) {
            break;
        }
        let pivots = pivot_columns(&columns, rows, &prime);
        if pivots.len() > best.len() {
            best = pivots;
        }
        settled += Prime::BITS;
    }
    best.sort_unstable();
    let mut index = 0;
    columns.retain(|_| {
        index += 1;
        best.binary_search(&(index - 1)).is_ok()
    });
    columns
}

/// The columns in which the rows, eliminated one after the other, have their first entry.
fn pivot_columns(columns: &[Column], rows: usize, prime: &Prime) -> Vec<usize> {
    let most = columns.iter().map(Column::bits).max().unwrap_or(0);
    let two = powers_of_two(prime, most);
    let (mut basis, mut pivots) = (Vec::<Vec<u64>>::new(), Vec::new());
    for i in 0..rows {
        if basis.len() == columns.len() {
            break;
        }
        let mut row: Vec<u64> = columns.iter().map(|c| c.residue(i, prime, &two)).collect();
        for (basis, &pivot) in basis.iter().zip(&pivots) {
            let factor: u64 = row[pivot];
            if factor != 0 {
                for (r, &b) in row.iter_mut().zip(basis) {
                    *r = prime.subtract(*r, prime.multiply(factor, b));
                }
            }
        }
        if let Some(pivot) = row.iter().position(|&r| r != 0) {
            let inverse = prime.inverse(row[pivot]);
            row.iter_mut().for_each(|r| *r = prime.multiply(*r, inverse));
            basis.push(row);
            pivots.push(pivot);
        }
    }
    pivots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Features;

    #[test]
    fn columns_that_others_span_are_left_out() {
        // x, 2x + 1, y, x + y with a bias: the second and the fourth depend on the others.
        let points = [(0.0, 0.0), (1.0, 0.0), (0.0, 0.1), (3.0, 0.7)];
        let values = points.iter().flat_map(|&(x, y)| [x, 2.0 * x + 1.0, y, x]).collect();
        let features = Features::new(4, 4, values).unwrap();
        let kept = |arrangement: &Arrangement<'_>| -> Vec<Option<usize>> {
            independent_columns(arrangement).iter().map(|c| c.feature).collect()
        };
        assert_eq!(kept(&Arrangement::of(&features)), [None, Some(0), Some(2)]);
        assert_eq!(kept(&Arrangement::of(&features).without_bias()).len(), 3);
    }

    #[test]
    fn a_double_is_an_odd_integer_times_a_power_of_two() {
        assert_eq!(odd_part(1.0), (1, 0));
        assert_eq!(odd_part(-12.0), (3, 2));
        assert_eq!(odd_part(0.1), (3_602_879_701_896_397, -55));
        let column = Column::new(None, vec![0.75, -6.0, 0.0]);
        assert_eq!((column.high, column.low), (3, -2));
    }
}
