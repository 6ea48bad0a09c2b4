//! Doubles as integers and fractions, without rounding.

use std::fmt::{self, Display, Formatter};

use num_bigint::BigInt;

use crate::exact::dyadic::{lowest_bit, odd_part};

/// `x / 2^exponent`, for a multiple of `2^exponent`.
pub(super) fn whole(x: f64, exponent: i32) -> BigInt {
    let (odd, power) = odd_part(x);
    if odd == 0 {
        return BigInt::ZERO;
    }
    debug_assert!(power >= exponent, "{x} is a multiple of 2^{exponent}");
    let size = BigInt::from(odd) << (power - exponent) as usize;
    if x < 0.0 { -size } else { size }
}

/// The largest power of two that all these numbers are multiples of, at most one.
pub(super) fn grid(numbers: impl IntoIterator<Item = f64>) -> i32 {
    lowest_bit(numbers).unwrap_or(0).min(0)
}

/// `2^exponent`, for an exponent that is not negative.
pub(super) fn power(exponent: i32) -> BigInt {
    BigInt::from(1) << exponent as usize
}

/// A fraction of integers; the second is positive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ratio(pub(super) BigInt, pub(super) BigInt);

impl Ratio {
    pub(super) fn of(x: f64) -> Self {
        let exponent = grid([x]);
        Self(whole(x, exponent), power(-exponent))
    }

    /// `m·2^e`.
    pub(super) fn dyadic(m: BigInt, exponent: i32) -> Self {
        if exponent < 0 { Self(m, power(-exponent)) } else { Self(m * power(exponent), 1.into()) }
    }
}

impl Display for Ratio {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}

/// The largest integer that is at most `a/b`, for a positive `b`.
pub(super) fn floor(a: &BigInt, b: &BigInt) -> BigInt {
    let (quotient, zero) = (a / b, BigInt::ZERO);
    if a < &zero && &quotient * b != *a { quotient - 1 } else { quotient }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_double_is_a_fraction() {
        assert_eq!(Ratio::of(0.75).to_string(), "3 4");
        assert_eq!(Ratio::of(-6.0).to_string(), "-6 1");
        assert_eq!(Ratio::dyadic(3.into(), 2), Ratio(12.into(), 1.into()));
        assert_eq!(grid([0.5, 8.0, 0.0]), -1);
        assert_eq!((whole(0.0, -3), whole(-0.75, -3)), (0.into(), (-6).into()));
    }

    proptest! {
        #[test]
        fn floors_are_those_of_machine_integers(a in -1000i64..1000, b in 1i64..50) {
            prop_assert_eq!(floor(&a.into(), &b.into()), BigInt::from(a.div_euclid(b)));
        }
    }
}
