//! How inputs fill 16 bits: each has a power of two as its scale.

use crate::pattern::fixed::SUMS;

/// The number of bits of the integers of inputs and weights, without the sign.
pub(super) const BITS: i32 = 15;

/// Powers of two that fit a block of rows, and blocks like it.
#[derive(Debug)]
pub(super) struct Scales {
    /// `c`: inputs stay below `2^c`.
    exponents: Vec<i32>,
    /// `2^(15 − c)`: the factors of the inputs.
    pub(super) of_inputs: Vec<f64>,
    /// An upper bound on the norm of a row of integers.
    norm: f64,
}

impl Scales {
    pub(super) fn new(dimension: usize) -> Self {
        Self { exponents: vec![0; dimension], of_inputs: vec![power(BITS); dimension], norm: 1.0 }
    }

    /// Fits the scales to inputs of at most these magnitudes. A scale changes only if it is too
    /// small, or more than four times too large. Returns whether any changed.
    pub(super) fn suit(&mut self, most: &[f64]) -> bool {
        let mut changed = false;
        for ((&most, c), scale) in most.iter().zip(&mut self.exponents).zip(&mut self.of_inputs) {
            let needed = exponent(most);
            if most != 0.0 && !(needed..=needed + 2).contains(c) {
                (*c, *scale, changed) = (needed, power(BITS - needed), true);
            }
        }
        changed
    }

    /// The same for the largest norm of a row of integers.
    pub(super) fn suit_norm(&mut self, norm: f64) -> bool {
        let suits = (norm..=4.0 * norm).contains(&self.norm);
        if !suits {
            self.norm = power(exponent(norm));
        }
        !suits
    }

    /// The factor of the weight of input `j`.
    pub(super) fn of_weight(&self, j: usize) -> f64 {
        self.exponents.get(j).map_or(0.0, |c| power(c - BITS))
    }

    /// The largest `‖k‖` for which no sum is too large.
    pub(super) fn room(&self) -> f64 {
        SUMS / self.norm
    }
}

/// The smallest `c` with `v < 2^c`, for a normal number.
pub(super) fn exponent(v: f64) -> i32 {
    (v.to_bits() >> 52 & 0x7ff) as i32 - 1022
}

/// `2^c`, a normal number.
pub(super) fn power(c: i32) -> f64 {
    f64::from_bits(((c + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_lie_above() {
        for (v, c) in [(1.0, 1), (0.75, 0), (0.5, 0), (0.49, -1), (1e60, 200), (1e-60, -199)] {
            assert_eq!(exponent(v), c, "{v}");
            assert!(v < power(c) && v >= power(c - 1), "{v}");
        }
    }

    #[test]
    fn scales_stay_as_long_as_they_suit() {
        let mut scales = Scales::new(2);
        assert!(scales.suit(&[100.0, 0.0]));
        assert_eq!(scales.of_inputs, [256.0, 32768.0]);
        assert!(!scales.suit(&[127.0, 0.0]) && !scales.suit(&[32.0, 0.0]));
        assert!(scales.suit(&[128.0, 0.0]) && scales.suit(&[7.0, 3.0]));
        assert_eq!(scales.of_inputs, [4096.0, 8192.0]);
        assert_eq!((scales.of_weight(0), scales.of_weight(2)), (1.0 / 4096.0, 0.0));
        assert!(scales.suit_norm(1000.0) && !scales.suit_norm(300.0) && scales.suit_norm(200.0));
        assert_eq!(scales.room(), 4_194_304.0);
    }
}
