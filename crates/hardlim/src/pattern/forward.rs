//! Neurons that read patterns: `1{Σₖ wₖ dₖ + b ≥ 0}` on packed answers, many samples at a time.
//!
//! If the weights are small integers, for example ±1 and 0, the sum is counted in bits. A bit that
//! is off counts for a negative weight like a bit that is on for a positive one. So with
//! `c = Σ w₊ d + Σ w₋ (1 − d)` the neuron fires if `c ≥ t` for a whole number `t`. The bits of
//! `c + 2ᴮ − t` lie in `B + 1` cache lines, with bit `p` of 512 samples in line `p`. Columns are
//! added by an adder of ANDs and XORs, and the last line is the answer.
//!
//! Other weights are added in floating point, 64 samples at a time. If a sum is too small for its
//! sign to be certain, the sign is decided exactly ([`super::threshold`]).

use super::matrix::LINE;
use super::threshold::activates;
use super::{Pattern, PatternMatrix, WORD};

const BITS: usize = 31;

/// The answers of a neuron that reads the columns `inputs`, or all columns if none are named.
pub(crate) fn answer(
    below: &PatternMatrix,
    inputs: Option<&[u32]>,
    weights: &[f64],
    bias: f64,
) -> Pattern {
    let width = inputs.map_or(below.patterns(), <[u32]>::len);
    assert_eq!(weights.len(), width, "one weight for each column");
    let column = |k: usize| inputs.map_or(k, |inputs| inputs[k] as usize);
    let terms: Vec<(usize, f64)> = (weights.iter().enumerate())
        .filter(|(_, w)| **w != 0.0)
        .map(|(k, &w)| (column(k), w))
        .collect();
    let words = match Count::of(&terms, bias) {
        Some(count) => count.words(below),
        None => summed(below, &terms, bias),
    };
    Pattern::from_words(below.samples(), words)
}

/// A sum of small integers that is counted in bits.
struct Count {
    /// A column, the size of its weight, and the mask that flips its bits.
    terms: Vec<(usize, u32, u64)>,
    /// `B`.
    bits: usize,
    /// `2ᴮ − t`.
    start: u64,
}

impl Count {
    /// `None` if weights are not integers, or so large that adding them up is as fast.
    fn of(terms: &[(usize, f64)], bias: f64) -> Option<Self> {
        let (mut total, mut negative, mut additions) = (0u64, 0u64, 0);
        let mut counted = Vec::with_capacity(terms.len());
        for &(column, w) in terms {
            if w.fract() != 0.0 || w.abs() > f64::from(1 << 20) {
                return None;
            }
            let size = w.abs() as u32;
            total += u64::from(size);
            additions += size.count_ones() as usize;
            if w < 0.0 {
                negative += u64::from(size);
            }
            counted.push((column, size, if w < 0.0 { u64::MAX } else { 0 }));
        }
        let bits = (u64::BITS - total.leading_zeros()) as usize;
        if bits > BITS || additions > 4 * terms.len() {
            return None;
        }
        // Σ w d ≥ −b if c ≥ ⌈−b⌉ + Σ w₋. Only thresholds from 0 to the total plus one make a
        // difference. The total plus one is never reached, and is at most 2ᴮ.
        let least = ((-bias).ceil() + negative as f64).clamp(0.0, (total + 1) as f64);
        Some(Self { terms: counted, bits, start: (1 << bits) - least as u64 })
    }

    fn words(&self, below: &PatternMatrix) -> Vec<u64> {
        let words = below.samples().div_ceil(WORD);
        let mut answers = Vec::with_capacity(words.next_multiple_of(LINE));
        for line in (0..words).step_by(LINE) {
            let mut sum = [[0; LINE]; BITS + 1];
            for (bit, plane) in sum.iter_mut().enumerate().take(self.bits + 1) {
                *plane = [0u64.wrapping_sub(self.start >> bit & 1); LINE];
            }
            for &(column, size, flip) in &self.terms {
                let column = &below.column(column)[line..line + LINE];
                let mut left = size;
                while left != 0 {
                    let mut carry: [u64; LINE] = std::array::from_fn(|k| column[k] ^ flip);
                    for plane in &mut sum[left.trailing_zeros() as usize..=self.bits] {
                        let both: [u64; LINE] = std::array::from_fn(|k| plane[k] & carry[k]);
                        (0..LINE).for_each(|k| plane[k] ^= carry[k]);
                        carry = both;
                        if carry == [0; LINE] {
                            break;
                        }
                    }
                    left &= left - 1; // drops the lowest set bit
                }
            }
            answers.extend(sum[self.bits]);
        }
        answers.truncate(words);
        answers
    }
}

/// The answers of a neuron with arbitrary weights.
fn summed(below: &PatternMatrix, terms: &[(usize, f64)], bias: f64) -> Vec<u64> {
    let size = bias.abs() + terms.iter().map(|(_, w)| w.abs()).sum::<f64>();
    // A sum of k numbers has an error of at most (k + 1)ε of their size; the slack covers the size
    // itself.
    let error = (terms.len() + 4) as f64 * f64::EPSILON * size;
    let weights: Vec<f64> = terms.iter().map(|(_, w)| *w).collect();
    let word = |at: usize| {
        let mut sums = [bias; WORD];
        for &(column, w) in terms {
            let (bits, w) = (below.column(column)[at], w.to_bits());
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum += f64::from_bits(w & 0u64.wrapping_sub(bits >> i & 1));
            }
        }
        let mut answer = 0;
        for (i, &sum) in sums.iter().enumerate() {
            let on = if sum.abs() > error {
                sum > 0.0
            } else {
                let bit = |&(column, _): &(usize, f64)| (below.column(column)[at] >> i & 1) as f64;
                let x: Vec<f64> = terms.iter().map(bit).collect();
                activates(&x, &weights, bias)
            };
            answer |= u64::from(on) << i;
        }
        answer
    };
    (0..below.samples().div_ceil(WORD)).map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, one sample at a time.
    fn answer_plain(below: &PatternMatrix, inputs: &[u32], weights: &[f64], bias: f64) -> Pattern {
        Pattern::from_fn(below.samples(), |i| {
            let bit = |&k: &u32| f64::from(u8::from(below.get(i, k as usize)));
            activates(&inputs.iter().map(bit).collect::<Vec<_>>(), weights, bias)
        })
    }

    fn matrix(samples: usize, columns: usize, salt: usize) -> PatternMatrix {
        let pattern = |j: usize| {
            Pattern::from_fn(samples, |i| (i * i + 7 * j * j + i * j * salt + salt) % 11 < 5)
        };
        PatternMatrix::from_patterns(samples, &(0..columns).map(pattern).collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn packed_answers_are_those_of_the_definition(
            samples in prop::sample::select(vec![0usize, 1, 63, 64, 65, 511, 512, 700]),
            // Ones, small integers, large integers, and tenths whose sums nearly cancel.
            kind in 0usize..4,
            weights in prop::collection::vec(-3i32..4, 0..12),
            bias in -8i32..9, salt in 0usize..50,
        ) {
            let scale = [1.0, 5.0, 65_537.0, 0.1][kind];
            let limit = if kind == 0 { 1 } else { 3 };
            let weights: Vec<f64> =
                weights.iter().map(|w| scale * f64::from((*w).clamp(-limit, limit))).collect();
            let bias = match kind {
                3 => 0.1 * f64::from(bias),
                _ => 0.5 * scale * f64::from(bias),
            };
            let below = matrix(samples, 2 * weights.len() + 1, salt);
            let inputs: Vec<u32> = (0..weights.len() as u32).map(|k| 2 * k).collect();
            let expected = answer_plain(&below, &inputs, &weights, bias);
            prop_assert_eq!(answer(&below, Some(&inputs), &weights, bias), expected);
            let narrow = matrix(samples, weights.len(), salt);
            let all: Vec<u32> = (0..weights.len() as u32).collect();
            let expected = answer_plain(&narrow, &all, &weights, bias);
            prop_assert_eq!(answer(&narrow, None, &weights, bias), expected);
        }
    }

    #[test]
    fn biases_beyond_every_sum_decide_alone() {
        let below = matrix(100, 3, 1);
        for (bias, on) in [(1e100, 100), (-1e100, 0), (2.5, 100), (-3.5, 0)] {
            assert_eq!(answer(&below, None, &[1.0, -1.0, 1.0], bias).count(), on, "{bias}");
        }
        assert_eq!(answer(&below, Some(&[]), &[], 0.0).count(), 100);
        assert_eq!(answer(&below, Some(&[]), &[], -1e-120).count(), 0);
    }

    #[test]
    fn wide_counts_carry_through_every_bit() {
        let below =
            PatternMatrix::from_patterns(600, &vec![Pattern::from_fn(600, |i| i < 300); 1000]);
        let weights = vec![1.0; 1000];
        for (bias, on) in [(-1000.0, 300), (-1000.5, 0), (-999.5, 300), (0.0, 600), (-0.5, 300)] {
            assert_eq!(answer(&below, None, &weights, bias).count(), on, "{bias}");
        }
    }
}
