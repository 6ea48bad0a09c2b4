//! The rows as integers: independent columns of `X̃`, scaled by powers of two and mixed.
//!
//! Only the column space of `X̃` matters to its patterns, so `r` independent columns are enough. A
//! double is an integer times a power of two, so a column becomes integers once its power is taken
//! out. A change of basis with integer coefficients and determinant one keeps them integers; it
//! puts the coordinates in general position with respect to data that are not (see
//! [`super::flag`]).

use std::sync::OnceLock;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::modular::Prime;
use crate::arrangement::Arrangement;

/// One column of `X̃`, all ones for the bias.
#[derive(Debug, Clone)]
pub(in crate::arrangement) struct Column {
    /// Which feature it is; none for the bias.
    pub(in crate::arrangement) feature: Option<usize>,
    values: Vec<f64>,
    /// Values lie below `2^high` in magnitude.
    high: i32,
    /// Values are integers times `2^low`.
    low: i32,
}

impl Column {
    fn new(feature: Option<usize>, values: Vec<f64>) -> Self {
        let parts = || values.iter().filter(|v| **v != 0.0).map(|&v| odd_part(v));
        let high = parts().map(|(odd, low)| low + 64 - odd.leading_zeros() as i32).max();
        let low = parts().map(|(_, low)| low).min();
        Self { feature, values, high: high.unwrap_or(0), low: low.unwrap_or(0) }
    }

    /// The power of two that brings the values below 1.
    pub(in crate::arrangement) fn shrink(&self) -> f64 {
        2f64.powi(-self.high)
    }

    /// How many bits its integers have.
    fn bits(&self) -> i32 {
        self.high - self.low
    }

    /// The integer of row `i` modulo a prime.
    fn residue(&self, i: usize, prime: &Prime, two: &[u64]) -> u64 {
        let v = self.values[i];
        if v == 0.0 {
            return 0;
        }
        let (odd, low) = odd_part(v);
        let size = prime.multiply(prime.residue(odd), two[(low - self.low) as usize]);
        if v < 0.0 { prime.subtract(0, size) } else { size }
    }
}

/// The magnitude of a number as an odd integer and a power of two.
fn odd_part(v: f64) -> (u64, i32) {
    let bits = v.abs().to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (integer, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let zeros = integer.trailing_zeros();
    (integer >> zeros, exponent + zeros as i32)
}

/// Powers of two modulo a prime, up to `2^most`.
fn powers_of_two(prime: &Prime, most: i32) -> Vec<u64> {
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

/// The rows in a basis of `r` coordinates: as doubles with proven errors, and as integers modulo as
/// many primes as a question needs.
#[derive(Debug)]
pub(super) struct Lattice<'a> {
    columns: &'a [Column],
    rows: usize,
    /// Coordinate `c` is `Σ_b mix[b][c]` times column `b`.
    mix: Vec<Vec<i64>>,
    /// One coordinate after the other.
    values: Vec<f64>,
    errors: Vec<f64>,
    /// For each coordinate, the power of two that makes its values integers.
    pub(super) scale: Vec<i32>,
    primes: Vec<Prime>,
    residues: Vec<OnceLock<Vec<u64>>>,
    reciprocals: Vec<OnceLock<u64>>,
}

impl<'a> Lattice<'a> {
    /// The rows in the `attempt`-th basis; the first is that of the columns.
    pub(super) fn new(columns: &'a [Column], rows: usize, attempt: u32) -> Self {
        let width = columns.len();
        let mix = &mixture(columns, attempt);
        let used = |c: usize| (0..width).filter(move |&b| mix[b][c] != 0);
        let scale: Vec<i32> =
            (0..width).map(|c| used(c).map(|b| columns[b].bits()).max().unwrap_or(0)).collect();
        let (mut values, mut errors) = (Vec::new(), Vec::new());
        for c in 0..width {
            for i in 0..rows {
                let (mut sum, mut size) = (0.0, 0.0f64);
                for b in used(c) {
                    let term = mix[b][c] as f64 * (columns[b].values[i] * columns[b].shrink());
                    sum += term;
                    size += term.abs();
                }
                // A double on its own is exact, and so are sums of integers below 2⁵³.
                let alone = used(c).count() == 1 && used(c).all(|b| mix[b][c].abs() == 1);
                let exact = alone || size * 2f64.powi(scale[c]) < 2f64.powi(52);
                values.push(sum);
                errors.push(if exact { 0.0 } else { (width + 4) as f64 * f64::EPSILON * size });
            }
        }
        // Hadamard: an integer of the lattice has `scale` bits and those of the mixture.
        let mixing = mix.iter().flatten().map(|m| m.unsigned_abs()).max().unwrap_or(1).ilog2() + 1;
        let growth = i64::from(mixing) + 2 * i64::from((width as u64 + 1).ilog2() + 1);
        let bits = scale.iter().map(|&s| i64::from(s) + growth).sum::<i64>() + 16;
        // Primes that divide the determinant of a frame are passed over: no more than `enough` do.
        let enough = (bits / Prime::BITS) as usize + 1;
        let primes = Prime::largest(2 * enough);
        let residues = primes.iter().map(|_| OnceLock::new()).collect();
        let reciprocals = primes.iter().map(|_| OnceLock::new()).collect();
        let mix = mix.clone();
        Self { columns, rows, mix, values, errors, scale, primes, residues, reciprocals }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn width(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn columns(&self) -> &'a [Column] {
        self.columns
    }

    /// Coordinate `c` of row `i`, and how far the double may be off.
    pub(super) fn value(&self, i: usize, c: usize) -> (f64, f64) {
        (self.values[c * self.rows + i], self.errors[c * self.rows + i])
    }

    /// Primes enough for every minor, twice.
    pub(super) fn primes(&self) -> &[Prime] {
        &self.primes
    }

    /// One over the product of some primes, modulo another. Almost always they are the first ones.
    pub(super) fn one_over(&self, k: usize, before: &[usize]) -> u64 {
        let others = || before.iter().map(|&b| self.primes[b]);
        if before.iter().copied().eq(0..k) {
            *self.reciprocals[k].get_or_init(|| self.primes[k].one_over(others()))
        } else {
            self.primes[k].one_over(others())
        }
    }

    /// At least as many bits as any minor has.
    pub(super) fn most_bits(&self) -> i64 {
        self.primes.len() as i64 / 2 * Prime::BITS - 4
    }

    /// The integers modulo prime `k`, row by row; row `rows + c` is the form that reads coordinate
    /// `c`, in the units of its integers.
    pub(super) fn residues(&self, k: usize) -> &[u64] {
        self.residues[k].get_or_init(|| {
            let prime = &self.primes[k];
            let width = self.width();
            let most = self.scale.iter().copied().max().unwrap_or(0);
            let two = powers_of_two(prime, most);
            let mix: Vec<u64> = (0..width * width)
                .map(|k| {
                    let (b, c) = (k / width, k % width);
                    let shift = (self.scale[c] - self.columns[b].bits()).max(0);
                    let factor = prime.signed_residue(self.mix[b][c]);
                    prime.multiply(factor, two[shift as usize])
                })
                .collect();
            let mut residues = Vec::with_capacity((self.rows + width) * width);
            for i in 0..self.rows {
                let row: Vec<u64> =
                    self.columns.iter().map(|c| c.residue(i, prime, &two)).collect();
                residues.extend((0..width).map(|c| {
                    (0..width).fold(0, |sum, b| {
                        prime.add(sum, prime.multiply(row[b], mix[b * width + c]))
                    })
                }));
            }
            for k in 0..width * width {
                let (form, c) = (k / width, k % width);
                residues.push(if form == c { two[self.scale[c] as usize] } else { 0 });
            }
            residues
        })
    }
}

/// The rows in one basis after the other, made as they are asked for.
#[derive(Debug)]
pub(in crate::arrangement) struct Lattices<'a> {
    columns: &'a [Column],
    rows: usize,
    made: Vec<OnceLock<Lattice<'a>>>,
}

impl<'a> Lattices<'a> {
    /// How many bases there are: far more than are ever needed, as random ones of growing size are
    /// in special position only on the zeros of finitely many polynomials.
    pub(super) const ATTEMPTS: u32 = 64;
    /// Why running out of them cannot happen.
    pub(super) const SOON: &'static str = "one of many random bases is in general position";

    /// For the rows of these columns.
    pub(in crate::arrangement) fn new(columns: &'a [Column], rows: usize) -> Self {
        let made = (0..Self::ATTEMPTS).map(|_| OnceLock::new()).collect();
        Self { columns, rows, made }
    }

    pub(super) fn get(&self, attempt: u32) -> &Lattice<'a> {
        self.made[attempt as usize].get_or_init(|| Lattice::new(self.columns, self.rows, attempt))
    }
}

/// A unimodular matrix: the identity at first, then random integers of growing size. With a bias
/// its column stays apart, as every row has the same one.
fn mixture(columns: &[Column], attempt: u32) -> Vec<Vec<i64>> {
    let width = columns.len();
    let identity = |i: usize, j: usize| i64::from(i == j);
    let bias = columns.first().is_some_and(|c| c.feature.is_none());
    let mut rng = ChaCha8Rng::seed_from_u64(u64::from(attempt));
    // Products of two stay below 2⁶³ in any rank that can be listed.
    let largest = 1i64 << (3 + 2 * attempt).min(if bias { 40 } else { 28 });
    let mut triangle = |upper: bool| -> Vec<Vec<i64>> {
        (0..width)
            .map(|i| {
                (0..width)
                    .map(|j| {
                        let inside = if upper { i < j } else { i > j };
                        let apart = bias && (i == 0 || j == 0);
                        if attempt > 0 && inside && !apart {
                            rng.random_range(-largest..=largest)
                        } else {
                            identity(i, j)
                        }
                    })
                    .collect()
            })
            .collect()
    };
    let upper = triangle(true);
    if bias {
        return upper;
    }
    let lower = triangle(false);
    (0..width)
        .map(|i| (0..width).map(|j| (0..width).map(|k| lower[i][k] * upper[k][j]).sum()).collect())
        .collect()
}
