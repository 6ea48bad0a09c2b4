//! Doubles as odd integers times powers of two.

use std::ops::Rem;

/// `(m, e)` with `|x| = m·2ᵉ` and `m` odd; `m` is zero for zero.
pub(crate) fn odd_part(x: f64) -> (u64, i32) {
    let bits = x.abs().to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (integer, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let zeros = integer.trailing_zeros().min(63);
    (integer >> zeros, exponent + zeros as i32)
}

/// The exponent of the lowest bit of any of these numbers: all are multiples of `2ᵉ`. `None` if all
/// are zero.
pub(crate) fn lowest_bit(numbers: impl IntoIterator<Item = f64>) -> Option<i32> {
    numbers.into_iter().filter(|x| *x != 0.0).map(|x| odd_part(x).1).min()
}

/// The bits that some numbers use: they are integers times `2^low`, below `2^high` in magnitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Range {
    pub(crate) high: i32,
    pub(crate) low: i32,
}

impl Range {
    pub(crate) fn of(numbers: impl IntoIterator<Item = f64>) -> Self {
        let mut range = None;
        numbers.into_iter().for_each(|x| Self::take(&mut range, x));
        range.unwrap_or_default()
    }

    /// Adds one more number; `None` stands for zeros only.
    pub(crate) fn take(range: &mut Option<Self>, x: f64) {
        if x != 0.0 {
            let (odd, low) = odd_part(x);
            let high = low + 64 - odd.leading_zeros() as i32;
            let before = range.unwrap_or(Self { high, low });
            *range = Some(Self { high: before.high.max(high), low: before.low.min(low) });
        }
    }

    pub(crate) fn bits(self) -> i32 {
        self.high - self.low
    }
}

pub(crate) fn gcd<T: Copy + Default + PartialEq + Rem<Output = T>>(a: T, b: T) -> T {
    if b == T::default() { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_double_is_an_odd_integer_times_a_power_of_two() {
        assert_eq!(odd_part(1.0), (1, 0));
        assert_eq!(odd_part(-12.0), (3, 2));
        assert_eq!(odd_part(0.1), (3_602_879_701_896_397, -55));
        assert_eq!(odd_part(f64::from_bits(6)), (3, -1073));
        assert_eq!(odd_part(0.0).0, 0);
        assert_eq!(Range::of([0.75, -6.0, 0.0]), Range { high: 3, low: -2 });
        assert_eq!(Range::of([0.0]).bits(), 0);
        assert_eq!(lowest_bit([0.75, 0.0, 8.0]), Some(-2));
        assert_eq!(lowest_bit([0.0]), None);
    }

    proptest! {
        #[test]
        fn odd_parts_make_up_the_number(x in -1e60f64..1e60) {
            prop_assume!(x != 0.0);
            let (odd, exponent) = odd_part(x);
            prop_assert_eq!(odd % 2, 1);
            prop_assert_eq!(odd as f64 * 2f64.powi(exponent), x.abs());
        }
    }
}
