//! Which targets a dictionary reaches: the vectors `z` with `Dᵀz = 0`, modulo a prime.
//!
//! They start as all unit vectors. A column with `dᵀz ≠ 0` for one of them takes that one away and
//! makes the others orthogonal to it; each keeps a row of its own where it is one. Whether a column
//! is orthogonal to all is asked of a random sum of them, and wrong once in 10¹⁸ questions: what
//! follows is checked without rounding by whoever states it.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Budget;
use crate::exact::dyadic::{Range, gcd};
use crate::exact::modular::Prime;
use crate::pattern::PatternMatrix;

/// Vectors that span `{z : Dᵀz = 0}`, by their residues.
pub(super) struct Orthogonal {
    prime: Prime,
    vectors: Vec<Vec<u64>>,
}

impl Orthogonal {
    /// Of the columns of a dictionary; `None` if the budget does not suffice.
    pub(super) fn to(patterns: &PatternMatrix, budget: &Budget<'_>) -> Option<Self> {
        let rows = patterns.samples();
        let prime = Prime::all().next().expect("a prime");
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let mut vectors: Vec<Vec<u64>> = (0..rows)
            .map(|k| (0..rows).map(|i| prime.residue(u64::from(i == k))).collect())
            .collect();
        let mut probe = mix(&prime, &vectors, rows, &mut rng);
        for pattern in (0..patterns.patterns()).map(|j| patterns.pattern(j)) {
            if vectors.is_empty() {
                break;
            }
            if budget.spent().is_some() {
                return None;
            }
            let on: Vec<usize> = (0..rows).filter(|&i| pattern.get(i)).collect();
            let product = |z: &[u64]| on.iter().fold(0, |sum, &i| prime.add(sum, z[i]));
            if product(&probe) == 0 {
                continue;
            }
            let products: Vec<u64> = vectors.iter().map(|z| product(z)).collect();
            let Some(k) = products.iter().position(|&p| p != 0) else { continue };
            let inverse = prime.inverse(products[k]);
            let taken = vectors.remove(k);
            let others = products.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, p)| p);
            for (z, &p) in vectors.iter_mut().zip(others).filter(|(_, p)| **p != 0) {
                let factor = prime.multiply(p, inverse);
                z.iter_mut()
                    .zip(&taken)
                    .for_each(|(z, t)| *z = prime.subtract(*z, prime.multiply(factor, *t)));
            }
            probe = mix(&prime, &vectors, rows, &mut rng);
            budget.count(2 * vectors.len() * rows);
        }
        Some(Self { prime, vectors })
    }

    /// Vectors with `yᵀz ≠ 0`, as whole numbers where these are small.
    pub(super) fn against(&self, y: &[f64]) -> impl Iterator<Item = Option<Vec<f64>>> {
        let (prime, range) = (&self.prime, Range::of(y.iter().copied()));
        let two = prime.powers_of_two(range.bits());
        let y: Vec<u64> = y.iter().map(|&y| prime.dyadic(y, range.low, &two)).collect();
        let meets = move |z: &&Vec<u64>| {
            let terms = y.iter().zip(*z).map(|(y, z)| prime.multiply(*y, *z));
            terms.fold(0, |sum, term| prime.add(sum, term)) != 0
        };
        self.vectors.iter().filter(meets).map(|z| whole(prime, z))
    }
}

/// A random sum of vectors.
fn mix(prime: &Prime, vectors: &[Vec<u64>], rows: usize, rng: &mut impl Rng) -> Vec<u64> {
    let mut sum = vec![0; rows];
    for vector in vectors {
        let factor = rng.random_range(1..prime.modulus());
        sum.iter_mut()
            .zip(vector)
            .for_each(|(s, v)| *s = prime.add(*s, prime.multiply(factor, *v)));
    }
    sum
}

/// The smallest multiple that is whole, where its numbers stay below `2⁵³`.
fn whole(prime: &Prime, z: &[u64]) -> Option<Vec<f64>> {
    let fractions: Vec<(i64, i64)> = z.iter().map(|&z| prime.fraction(z)).collect::<Option<_>>()?;
    let mut common = 1i64;
    for &(_, d) in &fractions {
        common = (common / gcd(common, d)).checked_mul(d).filter(|c| *c < 1 << 30)?;
    }
    let entry = |&(n, d): &(i64, i64)| n.checked_mul(common / d).filter(|v| v.abs() < 1 << 53);
    fractions.iter().map(|f| entry(f).map(|v| v as f64)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Pattern;

    #[test]
    fn what_is_orthogonal_to_all_columns_is_found_as_whole_numbers() {
        // d₁ = 1100, d₂ = 0110, d₃ = 0011: (1, −1, 1, −1) is orthogonal to all of them.
        let columns: Vec<Pattern> =
            (0..3).map(|k| Pattern::from_fn(4, |i| i == k || i == k + 1)).collect();
        let patterns = PatternMatrix::from_patterns(4, &columns);
        let found = |patterns: &PatternMatrix, y: &[f64]| -> Vec<Option<Vec<f64>>> {
            Orthogonal::to(patterns, &Budget::default()).unwrap().against(y).collect()
        };
        assert_eq!(found(&patterns, &[1.0, 0.0, 0.0, 0.0]), [Some(vec![-1.0, 1.0, -1.0, 1.0])]);
        assert_eq!(found(&patterns, &[1.0, 1.5, 0.5, 0.0]), []);
        // 0.1 + 0.2 is not 0.3.
        assert_eq!(found(&patterns, &[0.1, 0.3, 0.2, 0.0]).len(), 1);
        let all = PatternMatrix::from_patterns(2, &[Pattern::from_fn(2, |i| i == 0)]);
        assert_eq!(found(&all, &[1.0, 0.0]), []);
        assert_eq!(found(&PatternMatrix::new(2), &[1.0, 2.0]).len(), 2);
    }
}
