//! The fingerprint of a training set, by which we recognise it again.

use std::fmt::{self, Debug, Display, Formatter};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// SHA-256 of a training set: the rows of `X` sample by sample, to the last bit, and the targets
/// and weights of each distinct row. Two sets have the same fingerprint when they are the same
/// problem, whatever file they came from. It is written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The hash of the bytes so far.
    pub(crate) fn of(hash: Sha256) -> Self {
        Self(hash.finalize().into())
    }

    /// A number that depends on all bytes.
    pub(crate) fn seed(&self) -> u64 {
        u64::from_le_bytes(*self.0.first_chunk().expect("32 bytes"))
    }
}

/// The sum of the fingerprints of single rows, modulo `2²⁵⁶`: it does not depend on their order, so
/// rows may be added in parts. The fingerprint of a row includes its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct RowSum([u64; 4]);

impl RowSum {
    pub(crate) fn add(&mut self, row: &[u8; 32]) {
        let word =
            |k: usize| u64::from_le_bytes(row[8 * k..8 * k + 8].try_into().expect("8 bytes"));
        self.merge(&Self([word(0), word(1), word(2), word(3)]));
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        let mut carry = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            let (sum, over) = a.overflowing_add(*b);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            (*a, carry) = (sum, over || again);
        }
    }

    /// The fingerprint of a training set of `rows` rows and `dimension` features.
    pub(crate) fn fingerprint(&self, rows: u64, dimension: usize) -> Fingerprint {
        let mut hash = Sha256::new();
        hash.update(b"hardlim rows 1\n");
        [rows, dimension as u64].iter().for_each(|length| hash.update(length.to_le_bytes()));
        self.0.iter().for_each(|word| hash.update(word.to_le_bytes()));
        Fingerprint::of(hash)
    }
}

impl Display for Fingerprint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Debug for Fingerprint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl From<Fingerprint> for String {
    fn from(fingerprint: Fingerprint) -> Self {
        fingerprint.to_string()
    }
}

impl TryFrom<String> for Fingerprint {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        const BAD: &str = "damaged fingerprint: expected 64 hexadecimal digits";
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(BAD);
        }
        let mut bytes = [0; 32];
        for (k, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * k..2 * k + 2], 16).map_err(|_| BAD)?;
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Features};
    use proptest::prelude::*;

    fn of(x: &[f64], y: &[f64], s: Option<&[f64]>) -> Fingerprint {
        let x = Features::new(y.len(), x.len() / y.len(), x.to_vec()).unwrap();
        Dataset::new(x, y, s).unwrap().fingerprint()
    }

    #[test]
    fn the_same_problem_has_the_same_fingerprint_and_another_shape_or_weight_has_not() {
        let plain = of(&[1.0, 0.0, 2.0], &[0.0, 1.0, 1.0], None);
        assert_eq!(of(&[1.0, -0.0, 2.0], &[-0.0, 1.0, 1.0], Some(&[1.0; 3])), plain);
        assert_ne!(of(&[1.0, 0.0, 2.0], &[0.0, 1.0, 1.0], Some(&[1.0, 2.0, 1.0])), plain);
        assert_ne!(of(&[1.0, 2.0, 0.0], &[0.0, 1.0, 1.0], None), plain);
        assert_ne!(of(&[1.0, 2.0], &[0.0, 1.0], None), of(&[1.0, 1.0], &[0.0, 1.0], None));
    }

    proptest! {
        #[test]
        fn rows_may_be_added_in_any_order_and_parts(
            rows in prop::collection::vec(prop::array::uniform32(any::<u8>()), 0..9),
            cut in 0usize..9,
        ) {
            let sum = |rows: &mut dyn Iterator<Item = &[u8; 32]>| {
                let mut sum = RowSum::default();
                rows.for_each(|row| sum.add(row));
                sum
            };
            let whole = sum(&mut rows.iter());
            prop_assert_eq!(sum(&mut rows.iter().rev()), whole);
            let (left, right) = rows.split_at(cut.min(rows.len()));
            let mut parts = sum(&mut right.iter());
            parts.merge(&sum(&mut left.iter()));
            prop_assert_eq!(parts.fingerprint(9, 2), whole.fingerprint(9, 2));
        }
    }

    #[test]
    fn a_fingerprint_reads_back() {
        let plain = of(&[1.0, 2.0], &[0.0, 1.0], None);
        let stored = serde_json::to_string(&plain).unwrap();
        assert_eq!(serde_json::from_str::<Fingerprint>(&stored).unwrap(), plain);
        for bad in ["", "ab", &"g".repeat(64), &"é".repeat(32), &"+f".repeat(32)] {
            assert!(Fingerprint::try_from(bad.to_owned()).is_err(), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn any_changed_number_changes_it(
            x in prop::collection::vec(-3i32..3, 6),
            y in prop::collection::vec(-2i32..2, 3),
            k in 0usize..9,
        ) {
            let mut x: Vec<f64> = x.into_iter().map(f64::from).collect();
            let mut y: Vec<f64> = y.into_iter().map(f64::from).collect();
            let before = of(&x, &y, None);
            let changed = if k < 6 { &mut x[k] } else { &mut y[k - 6] };
            *changed = (*changed + 10.0).next_up();
            prop_assert_ne!(of(&x, &y, None), before);
        }
    }
}
