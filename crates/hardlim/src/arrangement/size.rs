//! How large `H(X)` is: the rank of `X̃`, and whether every dichotomy is a pattern.
//!
//! The rank is computed without rounding. A double is an integer times a power of two, so `X̃` maps
//! to the integers modulo the prime `2⁶¹ − 1`, minors to minors. A minor that is not zero modulo a
//! prime is not zero: the rank found is never too large, and a full rank is proven. It could only
//! be too small if the prime divided every largest minor.

use super::Arrangement;

/// The prime `2⁶¹ − 1`.
const PRIME: u64 = (1 << 61) - 1;

impl Arrangement<'_> {
    /// The rank of `X̃` (of `X`, without a bias).
    pub fn rank(&self) -> usize {
        let columns = self.features.dimension() + usize::from(self.bias);
        // Row echelon form, one row at a time; `pivots[k]` is the leading column of row k.
        let (mut basis, mut pivots) = (Vec::<Vec<u64>>::new(), Vec::<usize>::new());
        for i in 0..self.features.rows() {
            if basis.len() == columns {
                break;
            }
            let mut row: Vec<u64> = self.features.row(i).iter().map(|&x| residue(x)).collect();
            if self.bias {
                row.push(1);
            }
            for (basis, &pivot) in basis.iter().zip(&pivots) {
                let factor = row[pivot];
                if factor != 0 {
                    let factor = PRIME - factor;
                    for (r, &b) in row[pivot..].iter_mut().zip(&basis[pivot..]) {
                        *r = add(*r, multiply(factor, b));
                    }
                }
            }
            if let Some(pivot) = row.iter().position(|&r| r != 0) {
                let inverse = power(row[pivot], PRIME - 2);
                row[pivot..].iter_mut().for_each(|r| *r = multiply(*r, inverse));
                basis.push(row);
                pivots.push(pivot);
            }
        }
        basis.len()
    }

    /// Whether every dichotomy of the rows is a pattern: exactly when the rank of `X̃` is their
    /// number, since halfspaces through the origin of `R^r` shatter at most `r` points.
    pub fn is_complete(&self) -> bool {
        let (rows, columns) =
            (self.features.rows(), self.features.dimension() + usize::from(self.bias));
        rows <= columns && self.rank() == rows
    }
}

/// The residue of a double: its integer times its power of two.
fn residue(x: f64) -> u64 {
    let bits = x.abs().to_bits();
    let (exponent, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
    // Features are zero or far above the smallest normal number.
    let (integer, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    // 2⁶¹ = 1 modulo the prime, so exponents count modulo 61, negative ones too.
    let size = multiply(integer, 1 << exponent.rem_euclid(61));
    if x < 0.0 && size != 0 { PRIME - size } else { size }
}

fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    add((product as u64) & PRIME, (product >> 61) as u64)
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base);
        }
        base = multiply(base, base);
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Features;
    use proptest::prelude::*;

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
    fn tiny_and_huge_numbers_count_alike() {
        assert_eq!(rank(2, 2, vec![1e60, 1e-60, 1e-60, 1e60], false), 2);
        assert_eq!(rank(2, 2, vec![2f64.powi(150), 1.0, 2f64.powi(100), 2f64.powi(-50)], false), 1);
    }

    proptest! {
        #[test]
        fn products_of_thin_matrices_have_their_width_as_rank(
            left in prop::collection::vec(-50i32..50, 8 * 3),
            right in prop::collection::vec(-50i32..50, 3 * 7),
        ) {
            let entry = |i: usize, j: usize| -> f64 {
                (0..3).map(|k| f64::from(left[i * 3 + k] * right[k * 7 + j]) / 64.0).sum()
            };
            let values = (0..56).map(|k| entry(k / 7, k % 7)).collect();
            prop_assert!(rank(8, 7, values, false) <= 3);
        }
    }
}
