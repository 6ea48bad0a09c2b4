//! The threshold `1{t ≥ 0}`, defined once, and the exact sign of `x̃·w`.
//!
//! The answer of a neuron is `1{x·w + b ≥ 0}` for the real number `x·w + b`, not for its rounded
//! value. Patterns, networks and certificates agree because this sign is decided exactly. A
//! floating-point sum with a proven error bound decides almost every case. The rest is summed
//! without rounding, as a floating-point expansion (Shewchuk, *Adaptive precision floating-point
//! arithmetic*, 1997).

use crate::exact::double::Double;

/// The largest magnitude of a weight or bias.
pub const LARGEST_WEIGHT: f64 = 1e120;
/// The smallest magnitude of a weight or bias that is not zero.
pub const SMALLEST_WEIGHT: f64 = 1e-120;

/// The number of sums that run side by side.
const LANES: usize = 8;

/// `1{t ≥ 0}`: zero counts as on.
pub fn fires(t: f64) -> bool {
    t >= 0.0
}

/// Whether products of this weight with features are exact: it is zero or within `10^±120`.
pub fn is_weight(w: f64) -> bool {
    w == 0.0 || (w.is_finite() && (SMALLEST_WEIGHT..=LARGEST_WEIGHT).contains(&w.abs()))
}

/// Sets weights that are too small to matter to zero, so that [`is_weight`] holds.
pub fn flush(w: f64) -> f64 {
    if w.abs() < SMALLEST_WEIGHT { 0.0 } else { w }
}

/// `1{x·w + b ≥ 0}`, decided on the real number.
///
/// Features are zero or within `10^±60`, and weights are zero or within `10^±120`. Then no product
/// overflows, and no rounding error of a product is lost to underflow.
pub fn activates(x: &[f64], weights: &[f64], bias: f64) -> bool {
    let (mut sums, mut sizes) = ([0.0; LANES], [0.0; LANES]);
    let (eights, rest) = x.as_chunks::<LANES>();
    let (weights_of_eights, weights_of_rest) = weights.as_chunks::<LANES>();
    for (x, w) in eights.iter().zip(weights_of_eights) {
        for k in 0..LANES {
            let product = x[k] * w[k];
            sums[k] += product;
            sizes[k] += product.abs();
        }
    }
    for (k, (x, w)) in rest.iter().zip(weights_of_rest).enumerate() {
        let product = x * w;
        sums[k] += product;
        sizes[k] += product.abs();
    }
    let t = bias + sums.iter().sum::<f64>();
    let size = bias.abs() + sizes.iter().sum::<f64>();
    // In any order, a sum of k products has an error of at most (k + 1)ε of its size. The slack
    // covers `size` itself.
    let error = (x.len() + 4) as f64 * f64::EPSILON * size;
    if t.abs() > error { fires(t) } else { fires(exact_sign(x, weights, bias)) }
}

/// The sign of `x·w + b`: −1, 0 or 1.
fn exact_sign(x: &[f64], weights: &[f64], bias: f64) -> f64 {
    let mut sum = Expansion::default();
    sum.add(bias);
    for (&x, &w) in x.iter().zip(weights) {
        let product = Double::product(x, w);
        sum.add(product.high);
        sum.add(product.low);
    }
    sum.sign()
}

/// A number held as a sum of doubles that do not overlap, smallest first.
#[derive(Debug, Default)]
struct Expansion(Vec<f64>);

impl Expansion {
    fn add(&mut self, value: f64) {
        let mut carry = value;
        let mut kept = 0;
        for k in 0..self.0.len() {
            let Double { high: sum, low: error } = Double::sum(carry, self.0[k]);
            if error != 0.0 {
                self.0[kept] = error;
                kept += 1;
            }
            carry = sum;
        }
        self.0.truncate(kept);
        if carry != 0.0 {
            self.0.push(carry);
        }
    }

    /// The largest part decides, because the others together are smaller.
    fn sign(&self) -> f64 {
        self.0.last().map_or(0.0, |t| t.signum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn zero_counts_as_on() {
        assert!(fires(0.0) && fires(-0.0) && !fires(-1e-300));
        assert!(activates(&[], &[], 0.0));
        assert!(activates(&[1.0, -1.0], &[0.1, 0.1], 0.0));
    }

    #[test]
    fn a_sum_that_rounds_to_zero_still_has_its_sign() {
        // Rounding loses 1 + 2^-60 - 1; this does not.
        let tiny = 2f64.powi(-60);
        assert!(!activates(&[1.0, 1.0, 1.0], &[1.0, -tiny, -1.0], 0.0));
        assert!(activates(&[1.0, 1.0, 1.0], &[1.0, tiny, -1.0], 0.0));
        // 0.1 · 3 − 0.3 is positive for the doubles: 3 · 0.1 > 0.3 by one part in 2^54.
        assert!(activates(&[0.1], &[3.0], -0.3));
        assert!(!activates(&[-0.1], &[3.0], 0.3));
    }

    proptest! {
        #[test]
        fn signs_of_integer_sums_are_those_of_integers(
            pairs in prop::collection::vec((-1i64 << 40..1 << 40, -1i64 << 40..1 << 40), 0..6),
            slack in -2i64..3,
        ) {
            // Values of 2^40 make products of 2^80, which no double holds exactly.
            let total: i128 = pairs.iter().map(|&(a, b)| i128::from(a) * i128::from(b)).sum();
            let (mut x, mut w): (Vec<f64>, Vec<f64>) =
                pairs.iter().map(|&(a, b)| (a as f64, b as f64)).unzip();
            // Cancels the sum in pieces that doubles hold exactly, and leaves `slack`.
            for shift in [0, 32, 64] {
                x.push((1u128 << shift) as f64);
                w.push(-(((total.unsigned_abs() >> shift) & 0xffff_ffff) as f64)
                    * total.signum() as f64);
            }
            prop_assert_eq!(activates(&x, &w, slack as f64), slack >= 0);
        }
    }
}
