//! Rank modulo two: if all rows of an integer matrix are independent modulo two, a minor of all
//! rows is odd, and so not zero. With rows packed into bits, this is the cheapest proof of a full
//! rank.

/// Whether a matrix consists of integers and its rows are independent modulo two.
pub(crate) fn has_odd_minor(
    rows: usize,
    columns: usize,
    entry: impl Fn(usize, usize) -> f64,
) -> bool {
    let entries = || (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    if rows > columns || entries().any(|(i, j)| entry(i, j).fract() != 0.0) {
        return false;
    }
    let mut rows = vec![vec![0u64; columns.div_ceil(64)]; rows];
    for (i, j) in entries() {
        rows[i][j / 64] |= u64::from(entry(i, j) % 2.0 != 0.0) << (j % 64);
    }
    for k in 0..rows.len() {
        let (done, rest) = rows.split_at_mut(k + 1);
        let row = &done[k];
        let Some(word) = row.iter().position(|&w| w != 0) else { return false };
        let bit = row[word] & row[word].wrapping_neg(); // the lowest set bit
        for other in rest.iter_mut().filter(|other| other[word] & bit != 0) {
            other[word..].iter_mut().zip(&row[word..]).for_each(|(a, b)| *a ^= b);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::rank::Matrix;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_odd_minor_means_full_rank(
            n in 1usize..6, d in 0usize..8, values in prop::collection::vec(-3i32..4, 40),
        ) {
            let entry = |i: usize, j: usize| f64::from(values[i * d + j]);
            let rank = Matrix::new(n, d, entry).independent_columns(usize::MAX).unwrap().len();
            prop_assert!(!has_odd_minor(n, d, entry) || rank == n);
        }
    }

    #[test]
    fn independence_modulo_two_is_found() {
        let found = |rows: &[&[f64]]| has_odd_minor(rows.len(), rows[0].len(), |i, j| rows[i][j]);
        assert!(found(&[&[1.0, 0.0, 0.0], &[1.0, 1.0, 0.0], &[1.0, 4.0, -3.0]]));
        assert!(found(&[&[0.0, 0.0, 1.0], &[1.0, 0.0, 1.0], &[1.0, 1.0, 1.0]]));
        // Determinant two; numbers that are no integers; too many rows; equal ones.
        assert!(!found(&[&[1.0, 1.0, 0.0], &[1.0, 0.0, 1.0], &[0.0, 1.0, 1.0]]));
        assert!(!found(&[&[0.5, 0.0], &[0.0, 1.0]]));
        assert!(!found(&[&[0.0, 1.0], &[1.0, 1.0], &[2.0, 1.0]]));
        assert!(!found(&[&[1.0, 2.0, 1.0], &[1.0, 2.0, 1.0]]));
        // More columns than a word has bits.
        let wide: Vec<Vec<f64>> =
            (0..70).map(|i| (0..70).map(|j| f64::from(u8::from(j <= i))).collect()).collect();
        assert!(found(&wide.iter().map(Vec::as_slice).collect::<Vec<_>>()));
    }
}
