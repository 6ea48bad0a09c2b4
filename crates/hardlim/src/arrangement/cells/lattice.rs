//! The rows as integers: independent columns of `X̃`, scaled by powers of two and mixed.
//!
//! Only the column space of `X̃` matters to its patterns, so `r` independent columns are enough. A
//! double is an integer times a power of two, so a column becomes integers once its power is taken
//! out. A change of basis with integer coefficients and determinant one keeps them integers; it
//! puts the coordinates in general position even if the data are not (see [`super`]).

use std::sync::OnceLock;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::columns::Column;
use crate::exact::modular::Prime;

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
        // Primes that divide the determinant of a frame are skipped; at most `enough` do.
        let enough = (bits / Prime::BITS) as usize + 1;
        let primes = Prime::all().take(2 * enough).collect::<Vec<_>>();
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

    /// Coordinate `c` of row `i`, and a bound on its error.
    pub(super) fn value(&self, i: usize, c: usize) -> (f64, f64) {
        (self.values[c * self.rows + i], self.errors[c * self.rows + i])
    }

    /// Enough primes for every minor, twice over.
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

    /// An upper bound on the bits of any minor.
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
            let two = prime.powers_of_two(most);
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

/// The rows in one basis after the other, computed on demand.
#[derive(Debug)]
pub(in crate::arrangement) struct Lattices<'a> {
    columns: &'a [Column],
    rows: usize,
    made: Vec<OnceLock<Lattice<'a>>>,
}

impl<'a> Lattices<'a> {
    /// The number of bases. It is far more than are ever needed, because random bases of growing
    /// size are in special position only on the zeros of finitely many polynomials.
    pub(super) const ATTEMPTS: u32 = 64;
    /// Why the bases never run out.
    pub(super) const SOON: &'static str = "one of many random bases is in general position";

    /// The bases for the rows of these columns.
    pub(in crate::arrangement) fn new(columns: &'a [Column], rows: usize) -> Self {
        let made = (0..Self::ATTEMPTS).map(|_| OnceLock::new()).collect();
        Self { columns, rows, made }
    }

    pub(super) fn get(&self, attempt: u32) -> &Lattice<'a> {
        self.made[attempt as usize].get_or_init(|| Lattice::new(self.columns, self.rows, attempt))
    }
}

/// A unimodular matrix: the identity at first, then random integers of growing size. The column of
/// a bias is not mixed, because it is the same for every row.
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
