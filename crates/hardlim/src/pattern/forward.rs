//! Neurons that read patterns: `1{Σₖ wₖ dₖ + b ≥ 0}` on packed answers, many samples at a time.
//!
//! The sums are added in floating point. Multiples of `2⁻²⁰` that are not too large, like small
//! integers, add up without an error. Where other sums are too small for their sign to be certain,
//! it is decided exactly ([`super::threshold`]).

use super::kernel::{self, Isa};
use super::threshold::activates;
use super::{Pattern, PatternMatrix, WORD};

/// The unit of numbers that are added without an error, and the largest sum of their sizes.
const UNIT: f64 = 1.0 / (1 << 20) as f64;
const EXACT: f64 = (1u64 << 32) as f64;

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
    let (terms, read): (Vec<(usize, f64)>, Vec<f64>) = (weights.iter().enumerate())
        .filter(|(_, w)| **w != 0.0)
        .map(|(k, &w)| ((column(k), w), w))
        .unzip();
    let numbers = || read.iter().chain([&bias]);
    let size: f64 = numbers().map(|w| w.abs()).sum();
    // A sum of k numbers has an error of at most (k + 1)ε of their size; the slack covers the size
    // itself. No size is below −1, so every sign is certain.
    let is_exact = size <= EXACT && numbers().all(|w| (w / UNIT).fract() == 0.0);
    let error = if is_exact { -1.0 } else { (read.len() + 4) as f64 * f64::EPSILON * size };
    let mut sums = below.combine(terms.iter().copied());
    sums.iter_mut().for_each(|sum| *sum += bias);
    let mut on = vec![0; sums.len().div_ceil(WORD)];
    let mut unsure = on.clone();
    kernel::signs(Isa::best(), &sums, &vec![1.0; sums.len()], error, &mut on, &mut unsure);
    kernel::for_each_on(&unsure, |i| {
        let bit = |&(column, _): &(usize, f64)| f64::from(u8::from(below.get(i, column)));
        let fires = activates(&terms.iter().map(bit).collect::<Vec<_>>(), &read, bias);
        on[i / WORD] = on[i / WORD] & !(1 << (i % WORD)) | u64::from(fires) << (i % WORD);
    });
    Pattern::from_words(sums.len(), on)
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
