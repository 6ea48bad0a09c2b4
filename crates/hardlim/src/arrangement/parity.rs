//! Rank modulo two: when all rows of a matrix of integers are independent there, a minor of all of them
//! is odd, and so not zero. Bits make this the cheapest proof of a full rank.

use super::Arrangement;
use crate::pattern::WORD;

/// Whether `X̃` is a matrix of integers whose rows are independent modulo two.
pub(super) fn has_odd_minor(arrangement: &Arrangement<'_>) -> bool {
    let (features, bias) = (arrangement.features, usize::from(arrangement.bias));
    let columns = features.dimension() + bias;
    if features.rows() > columns || features.values().iter().any(|v| v.fract() != 0.0) {
        return false;
    }
    let mut rows: Vec<Vec<u64>> = (0..features.rows())
        .map(|i| {
            let mut row = vec![0; columns.div_ceil(WORD)];
            let values = features.row(i).iter().chain([&1.0][..bias].iter().copied());
            for (k, value) in values.enumerate() {
                row[k / WORD] |= u64::from(value % 2.0 != 0.0) << (k % WORD);
            }
            row
        })
        .collect();
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
    use crate::arrangement::cells::independent_columns;
    use crate::data::Features;
    use proptest::prelude::*;

    fn features(rows: &[&[f64]]) -> Features {
        Features::new(rows.len(), rows[0].len(), rows.concat()).unwrap()
    }

    proptest! {
        #[test]
        fn an_odd_minor_means_full_rank(
            n in 1usize..6, d in 0usize..8, bias in any::<bool>(),
            values in prop::collection::vec(-3i32..4, 40),
        ) {
            let values = values[..n * d].iter().map(|&v| f64::from(v)).collect();
            let features = Features::new(n, d, values).unwrap();
            let arrangement = Arrangement { features: &features, bias };
            let rank = independent_columns(&arrangement).len();
            prop_assert!(!has_odd_minor(&arrangement) || rank == n);
        }
    }

    #[test]
    fn independence_modulo_two_is_found() {
        let found =
            |rows: &[&[f64]], bias| has_odd_minor(&Arrangement { features: &features(rows), bias });
        assert!(found(&[&[1.0, 0.0, 0.0], &[1.0, 1.0, 0.0], &[1.0, 4.0, -3.0]], false));
        assert!(found(&[&[0.0, 0.0], &[1.0, 0.0], &[1.0, 1.0]], true));
        // Determinant two; numbers that are no integers; too many rows; equal ones.
        assert!(!found(&[&[1.0, 1.0, 0.0], &[1.0, 0.0, 1.0], &[0.0, 1.0, 1.0]], false));
        assert!(!found(&[&[0.5, 0.0], &[0.0, 1.0]], false));
        assert!(!found(&[&[0.0], &[1.0], &[2.0]], true));
        assert!(!found(&[&[1.0, 2.0], &[1.0, 2.0]], true));
        // More columns than a word has bits.
        let wide: Vec<Vec<f64>> =
            (0..70).map(|i| (0..70).map(|j| f64::from(u8::from(j <= i))).collect()).collect();
        assert!(found(&wide.iter().map(Vec::as_slice).collect::<Vec<_>>(), false));
    }
}
