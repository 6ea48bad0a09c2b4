//! Sums of doubles without any rounding, so that the terms may come in any order and in any parts.
//!
//! A double is a whole number of 53 bits times a power of two. The exponents fall into 64 classes
//! of 32 each, and each class has a whole number of its own, to which its terms are added exactly.
//! Two sums are added class by class.

use serde::{Deserialize, Serialize};

/// The exponents of a class.
const SPAN: u32 = 32;
/// The exponent of the smallest positive double.
const LEAST: i32 = -1074;

/// The exact sum of some doubles.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Total {
    /// The classes from the first on: the sum is `Σ classₖ 2^(32k − 1074)`.
    classes: Vec<i128>,
}

impl Total {
    /// Adds a number.
    ///
    /// # Panics
    /// When it is not finite.
    pub(crate) fn add(&mut self, value: f64) {
        assert!(value.is_finite(), "only finite numbers have a sum");
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52) as u32 & 0x7ff, bits & ((1 << 52) - 1));
        // Subnormal numbers have the exponent of the smallest normal ones, and no hidden bit.
        let (shift, whole) = match exponent {
            0 => (0, fraction),
            exponent => (exponent - 1, fraction | 1 << 52),
        };
        // At most 85 bits: 2⁴² of them fit into a class.
        let whole = i128::from(whole) << (shift % SPAN);
        let class = (shift / SPAN) as usize;
        if self.classes.len() <= class {
            self.classes.resize(class + 1, 0);
        }
        self.classes[class] += if value < 0.0 { -whole } else { whole };
    }

    /// Adds another sum.
    pub(crate) fn merge(&mut self, other: &Self) {
        if self.classes.len() < other.classes.len() {
            self.classes.resize(other.classes.len(), 0);
        }
        self.classes.iter_mut().zip(&other.classes).for_each(|(a, b)| *a += b);
    }

    /// The sum as a double, with a relative error of at most `2⁻⁵²`. Equal sums have the same
    /// value, in whatever order they were added.
    pub(crate) fn value(&self) -> f64 {
        // The same sum with digits of 32 bits, all of them positive but for the sign in front.
        let (mut digits, mut carry) = (Vec::with_capacity(self.classes.len() + 4), 0i128);
        for class in self.classes.iter().copied().chain([0; 4]) {
            let sum = class + carry;
            digits.push((sum & 0xffff_ffff) as u64);
            carry = sum >> SPAN;
        }
        let negative = carry < 0;
        if negative {
            // The complement: digits from below, with a carry.
            let mut one = 1;
            for digit in &mut digits {
                let sum = (*digit ^ 0xffff_ffff) + one;
                (*digit, one) = (sum & 0xffff_ffff, sum >> SPAN);
            }
        }
        let Some(top) = digits.iter().rposition(|digit| *digit != 0) else { return 0.0 };
        let digit = |k: usize| top.checked_sub(k).map_or(0, |at| digits[at]);
        // Three digits have at least 65 bits.
        let leading =
            u128::from(digit(0)) << 64 | u128::from(digit(1)) << 32 | u128::from(digit(2));
        let exponent = SPAN as i32 * (top as i32 - 2) + LEAST;
        let size = scaled(leading as f64, exponent);
        if negative { -size } else { size }
    }
}

/// `v 2ᵉ`, by two factors that are doubles themselves.
fn scaled(v: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    v * 2f64.powi(half) * 2f64.powi(exponent - half)
}

impl FromIterator<f64> for Total {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Self {
        let mut total = Self::default();
        numbers.into_iter().for_each(|v| total.add(v));
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_sum_does_not_depend_on_its_order_or_parts(
            v in prop::collection::vec((-1.0f64..1.0, -200i32..200), 0..60),
            cut in 0usize..60,
        ) {
            let v: Vec<f64> = v.into_iter().map(|(v, e)| v * 2f64.powi(e)).collect();
            let whole: Total = v.iter().copied().collect();
            let backward: Total = v.iter().rev().copied().collect();
            prop_assert_eq!(whole.value().to_bits(), backward.value().to_bits());
            let (left, right) = v.split_at(cut.min(v.len()));
            let mut parts: Total = right.iter().copied().collect();
            parts.merge(&left.iter().copied().collect());
            prop_assert_eq!(parts.value().to_bits(), whole.value().to_bits());
        }

        #[test]
        fn whole_numbers_add_up_exactly(v in prop::collection::vec(-1i64 << 40..1 << 40, 0..60)) {
            let total: Total = v.iter().map(|&v| v as f64).collect();
            prop_assert_eq!(total.value(), v.iter().sum::<i64>() as f64);
        }
    }

    #[test]
    fn every_size_of_number_is_added() {
        let total = |v: &[f64]| v.iter().copied().collect::<Total>().value();
        for v in [0.0, 5e-324, -5e-324, 2.5e-310, 1.0, -1.5, f64::MAX / 4.0, f64::MIN_POSITIVE] {
            assert_eq!(total(&[v]), v);
        }
        assert_eq!(total(&[1e300, 1.0, -1e300]), 1.0);
        assert_eq!(total(&[1.0, -1.0, 5e-324]), 5e-324);
        assert_eq!(total(&[]), 0.0);
    }
}
