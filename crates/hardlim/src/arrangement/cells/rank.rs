//! The rank of `X̃`, proven from independent rows and columns.
//!
//! Let `A` be a square minor of rank `r` of the matrix `M` of integers, with its rows `[A B]` and another
//! row `[a b]`. The minors with one row and one column more are `±det A · (b − aA⁻¹B)`: when all of them
//! are zero, `M` has rank `r`. They are zero when they are so modulo primes that divide no `det A` and whose
//! product exceeds them (Hadamard).

use super::columns::{bits_of, odd_part, powers_of_two};
use super::modular::Prime;
use crate::arrangement::Arrangement;

/// A proof of more multiplications is not begun: some seconds.
const MOST: f64 = 1e9;

/// Whether a matrix has no larger rank than that of independent rows and columns; nothing where the answer
/// would take too long. `known` bits of every larger minor are known to be zero.
pub(in crate::arrangement) fn is_rank_of(
    arrangement: &Arrangement<'_>,
    rows: &[usize],
    columns: &[usize],
    known: i64,
) -> Option<bool> {
    let matrix = Integers::of(arrangement);
    let (n, r, c) = (arrangement.features().rows(), rows.len(), matrix.ranges.len());
    let rest: Vec<usize> = (0..c).filter(|j| !columns.contains(j)).collect();
    let inside: i64 = columns.iter().map(|&j| matrix.bits(j)).sum();
    let border = rest.iter().map(|&j| matrix.bits(j)).max().unwrap_or(0);
    let order = r as u64 + 1;
    let needed = inside + border + order as i64 * i64::from(order.ilog2() + 1) + 3;
    let count = (needed - known).max(0) as u64 / Prime::BITS as u64 + 1;
    // Every row becomes residues, a few multiplications each.
    let each = (r * rest.len() + 4 * c) as f64;
    let work = count as f64 * (n as f64 * each + (r * r * c) as f64);
    if work > MOST {
        return None;
    }
    let mut settled = known;
    // A prime that divides det A settles nothing; there are few of them.
    for prime in Prime::largest(2 * count as usize + 8) {
        if settled >= needed {
            return Some(true);
        }
        match matrix.spans(rows, columns, &rest, &prime) {
            Some(true) => settled += Prime::BITS,
            Some(false) => return Some(false),
            None => {}
        }
    }
    (settled >= needed).then_some(true)
}

/// `X̃` with columns scaled to integers, the bias last.
struct Integers<'a> {
    arrangement: &'a Arrangement<'a>,
    /// For each column `(high, low)`: integers times `2^low`, below `2^high`.
    ranges: Vec<(i32, i32)>,
}

impl<'a> Integers<'a> {
    fn of(arrangement: &'a Arrangement<'a>) -> Self {
        let features = arrangement.features();
        let column = |k: usize| bits_of((0..features.rows()).map(|i| features.row(i)[k]));
        let bias = arrangement.has_bias().then_some((1, 0));
        Self { arrangement, ranges: (0..features.dimension()).map(column).chain(bias).collect() }
    }

    fn bits(&self, column: usize) -> i64 {
        let (high, low) = self.ranges[column];
        i64::from(high - low)
    }

    /// Row `i` modulo a prime.
    fn row(&self, i: usize, prime: &Prime, two: &[u64]) -> Vec<u64> {
        let bias = self.arrangement.has_bias().then_some(&1.0);
        let values = self.arrangement.features().row(i).iter().chain(bias);
        let residue = |(&v, &(_, lowest)): (&f64, &(i32, i32))| {
            if v == 0.0 {
                return 0;
            }
            let (odd, low) = odd_part(v);
            let size = prime.multiply(prime.residue(odd), two[(low - lowest) as usize]);
            if v < 0.0 { prime.subtract(0, size) } else { size }
        };
        values.zip(&self.ranges).map(residue).collect()
    }

    /// Whether these rows span all others modulo a prime; nothing where it divides their minor.
    fn spans(
        &self,
        rows: &[usize],
        columns: &[usize],
        rest: &[usize],
        prime: &Prime,
    ) -> Option<bool> {
        let two = powers_of_two(prime, self.ranges.iter().map(|(h, l)| h - l).max().unwrap_or(0));
        // [A B] to [I A⁻¹B], column by column.
        let mut basis: Vec<Vec<u64>> = rows.iter().map(|&i| self.row(i, prime, &two)).collect();
        for (k, &pivot) in columns.iter().enumerate() {
            let found = (k..basis.len()).find(|&i| basis[i][pivot] != 0)?;
            basis.swap(k, found);
            let inverse = prime.inverse(basis[k][pivot]);
            basis[k].iter_mut().for_each(|b| *b = prime.multiply(*b, inverse));
            let leading = std::mem::take(&mut basis[k]);
            for row in basis.iter_mut().filter(|row| !row.is_empty() && row[pivot] != 0) {
                let factor = row[pivot];
                for (r, &l) in row.iter_mut().zip(&leading) {
                    *r = prime.subtract(*r, prime.multiply(factor, l));
                }
            }
            basis[k] = leading;
        }
        let mut own = vec![false; self.arrangement.features().rows()];
        rows.iter().for_each(|&i| own[i] = true);
        let mut others = (0..own.len()).filter(|&i| !own[i]);
        Some(others.all(|i| {
            let mut row = self.row(i, prime, &two);
            for (basis, &pivot) in basis.iter().zip(columns) {
                let factor = row[pivot];
                if factor != 0 {
                    for &j in rest {
                        row[j] = prime.subtract(row[j], prime.multiply(factor, basis[j]));
                    }
                }
            }
            rest.iter().all(|&j| row[j] == 0)
        }))
    }
}
