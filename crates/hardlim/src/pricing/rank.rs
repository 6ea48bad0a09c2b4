//! The rank of integer matrices, proven, by elimination modulo primes.
//!
//! A minor that is not zero modulo a prime is not zero, so columns found independent are. A minor
//! that is zero modulo several primes is a multiple of their product, and zero when that product is
//! larger than the minor can be (Hadamard).

/// Independent columns, as many as there are. `entry(i, j)` gives row `i` and column `j` as an
/// integer `± m · 2^e`; column `j` holds no integer above `2^bits(j)`. Nothing when there are more than
/// `most` columns.
pub(super) fn independent_columns(
    rows: usize,
    columns: usize,
    entry: impl Fn(usize, usize) -> (i64, u32),
    bits: impl Fn(usize) -> u32,
    most: usize,
) -> Option<Vec<usize>> {
    let mut sizes: Vec<u32> = (0..columns).map(bits).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let mut found: Vec<usize> = Vec::new();
    let mut proven = 0.0;
    for prime in (1..).map(|k| (1u64 << 61) - 2 * k + 1).filter(|&p| is_prime(p)) {
        let pivots = pivots(rows, columns, &entry, prime, most);
        if pivots.len() > most {
            return None;
        }
        if pivots.len() > found.len() || proven == 0.0 {
            (found, proven) = (pivots, 0.0);
        }
        if found.len() == columns.min(rows) {
            break;
        }
        // The next larger minors, by the product of their columns' lengths.
        let order = found.len() + 1;
        let length = 0.5 * (order as f64).log2() + 1.0;
        let largest: f64 = sizes[..order].iter().map(|&b| f64::from(b) + length).sum();
        proven += 60.0;
        if proven > largest {
            break;
        }
    }
    found.sort_unstable();
    Some(found)
}

/// The leading columns of an echelon form modulo a prime; stops beyond `most`.
fn pivots(
    rows: usize,
    columns: usize,
    entry: &impl Fn(usize, usize) -> (i64, u32),
    prime: u64,
    most: usize,
) -> Vec<usize> {
    let (mut basis, mut pivots) = (Vec::<Vec<u64>>::new(), Vec::new());
    for i in 0..rows {
        if basis.len() == columns || basis.len() > most {
            break;
        }
        let mut row: Vec<u64> = (0..columns)
            .map(|j| {
                let (mantissa, exponent) = entry(i, j);
                let size =
                    multiply(mantissa.unsigned_abs(), power(2, exponent.into(), prime), prime);
                if mantissa < 0 && size != 0 { prime - size } else { size }
            })
            .collect();
        for (basis, &pivot) in basis.iter().zip(&pivots) {
            let factor = row[pivot];
            if factor != 0 {
                for (r, &b) in row.iter_mut().zip(basis) {
                    let change = multiply(factor, b, prime);
                    *r = if *r >= change { *r - change } else { *r + prime - change };
                }
            }
        }
        if let Some(pivot) = row.iter().position(|&r| r != 0) {
            let inverse = power(row[pivot], prime - 2, prime);
            row.iter_mut().for_each(|r| *r = multiply(*r, inverse, prime));
            basis.push(row);
            pivots.push(pivot);
        }
    }
    pivots
}

fn multiply(a: u64, b: u64, modulus: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64
}

fn power(mut base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base, modulus);
        }
        base = multiply(base, base, modulus);
        exponent >>= 1;
    }
    result
}

/// Miller and Rabin's test, which these bases decide for all 64-bit numbers.
fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    let twos = (n - 1).trailing_zeros();
    BASES.iter().all(|&base| {
        let mut x = power(base, (n - 1) >> twos, n);
        if x == 1 || x == n - 1 {
            return true;
        }
        (1..twos).any(|_| {
            x = multiply(x, x, n);
            x == n - 1
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rank(matrix: &[Vec<i64>]) -> usize {
        let columns = matrix.first().map_or(0, Vec::len);
        let entry = |i: usize, j: usize| (matrix[i][j], 0);
        independent_columns(matrix.len(), columns, entry, |_| 63, usize::MAX).unwrap().len()
    }

    #[test]
    fn a_determinant_that_is_a_prime_is_not_zero() {
        // 2³¹ · 2³⁰ − 1 = 2⁶¹ − 1 is zero modulo itself.
        assert_eq!(rank(&[vec![1 << 31, 1], vec![1, 1 << 30]]), 2);
        assert_eq!(rank(&[vec![1 << 31, 1], vec![1 << 32, 2]]), 1);
        assert_eq!(rank(&[vec![0, 0], vec![0, 0]]), 0);
        assert!(is_prime((1 << 61) - 1) && !is_prime((1 << 61) - 3));
    }

    proptest! {
        #[test]
        fn products_of_thin_matrices_have_their_width_as_rank(
            width in 0usize..5,
            left in prop::collection::vec(-50i64..50, 8 * 5),
            right in prop::collection::vec(-50i64..50, 5 * 7),
        ) {
            let entry = |i: usize, j: usize| (0..width).map(|k| left[i * 5 + k] * right[k * 7 + j]).sum();
            let product: Vec<Vec<i64>> =
                (0..8).map(|i| (0..7).map(|j| entry(i, j)).collect()).collect();
            prop_assert!(rank(&product) <= width);
        }
    }
}
