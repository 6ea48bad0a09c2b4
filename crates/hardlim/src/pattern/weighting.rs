//! Weights of the samples, prepared for `Σᵢ sᵢ dᵢeᵢ`.
//!
//! Equal rows are merged, so most weights count rows: they are small integers, nearly all of them
//! one. Then `s = 1 + Σ_b 2ᵇ p_b − p₀`, where `p_b` holds the rows with bit `b` in `s − 1`, and
//! `p₀` those with `s = 0`. Each part counts bits over the few words where its plane is not zero.

use super::WORD;
use super::matrix::LINE;
use super::tuning::DENSE;

/// The weights of the samples, prepared for sums over two patterns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Weighting {
    Unit,
    /// `base + Σ_b scale_b p_b` for each of `samples` samples.
    Planes {
        samples: usize,
        base: f64,
        planes: Vec<Plane>,
    },
    General(Vec<f64>),
}

/// Rows that weigh `scale` more.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plane {
    pub(super) scale: f64,
    /// The words that are not zero, with their positions, padded with zeros to a whole cache line.
    pub(super) words: Vec<(usize, u64)>,
}

impl Weighting {
    /// Prepares weights, one for each sample. Sums of non-negative integers are exact up to `2⁵³`.
    pub(crate) fn new(weights: &[f64]) -> Self {
        let planes = planes(weights).filter(|planes| {
            let words: usize = planes.iter().map(|p| p.words.len()).sum();
            words <= DENSE * column_words(weights.len())
        });
        match planes {
            Some(planes) if planes.is_empty() => Self::Unit,
            Some(planes) => Self::Planes { samples: weights.len(), base: 1.0, planes },
            None => Self::General(weights.to_vec()),
        }
    }

    /// Weights close to these, for which sums are counts of bits, and their unit. The weights are
    /// multiples of the unit `max s / (2ᵇⁱᵗˢ − 1)`. The rounding error of a weight is added to the
    /// next one, so that sums over many samples hardly change. Weights that are counts stay as they
    /// are.
    pub(crate) fn rounded(weights: &[f64], bits: u32) -> (Self, f64) {
        assert!((1..=52).contains(&bits), "{bits} bits");
        assert!(weights.iter().all(|s| *s >= 0.0 && s.is_finite()), "weights are not negative");
        let exact = Self::new(weights);
        let largest = weights.iter().fold(0.0, |a, b| f64::max(a, *b));
        if !matches!(exact, Self::General(_)) || largest == 0.0 {
            return (exact, 1.0);
        }
        let levels = ((1u64 << bits) - 1) as f64;
        let unit = largest / levels;
        let mut planes: Vec<Plane> = (0..bits).map(|b| Plane::new(2f64.powi(b as i32))).collect();
        let mut rest = 0.0;
        for (i, s) in weights.iter().enumerate() {
            let level = ((s + rest) / unit).round().clamp(0.0, levels);
            rest += s - level * unit;
            insert(&mut planes, i, level as u64);
        }
        let planes = finished(planes);
        (Self::Planes { samples: weights.len(), base: 0.0, planes }, unit)
    }

    /// Whether these can be the weights of `samples` samples.
    pub(super) fn fits(&self, samples: usize) -> bool {
        match self {
            Self::Unit => true,
            Self::Planes { samples: own, .. } => *own == samples,
            Self::General(weights) => weights.len() == samples,
        }
    }
}

/// The planes of non-negative integers with an exact sum; `None` for other numbers.
fn planes(weights: &[f64]) -> Option<Vec<Plane>> {
    let largest = 2f64.powi(53);
    let count = |w: &f64| *w >= 0.0 && *w <= largest && w.fract() == 0.0;
    if !weights.iter().all(count) || weights.iter().sum::<f64>() > largest {
        return None;
    }
    let scales = std::iter::once(-1.0).chain((0..53).map(|b| 2f64.powi(b)));
    let mut planes: Vec<Plane> = scales.map(Plane::new).collect();
    for (i, &w) in weights.iter().enumerate() {
        // Bit 0 is the plane of zeros, bit b + 1 that of 2ᵇ.
        insert(&mut planes, i, if w == 0.0 { 1 } else { (w as u64 - 1) << 1 });
    }
    Some(finished(planes))
}

/// Adds row `i` to the planes of these bits.
fn insert(planes: &mut [Plane], i: usize, mut bits: u64) {
    while bits != 0 {
        planes[bits.trailing_zeros() as usize].insert(i);
        bits &= bits - 1; // drops the lowest set bit
    }
}

/// The planes that have any rows, in whole cache lines.
fn finished(mut planes: Vec<Plane>) -> Vec<Plane> {
    planes.retain(|plane| !plane.words.is_empty());
    for Plane { words, .. } in &mut planes {
        words.resize(words.len().next_multiple_of(LINE), (0, 0));
    }
    planes
}

fn column_words(samples: usize) -> usize {
    samples.div_ceil(WORD).next_multiple_of(LINE)
}

impl Plane {
    fn new(scale: f64) -> Self {
        Self { scale, words: Vec::new() }
    }

    /// Adds a row that comes after all rows so far.
    fn insert(&mut self, i: usize) {
        match self.words.last_mut() {
            Some((k, word)) if *k == i / WORD => *word |= 1 << (i % WORD),
            _ => self.words.push((i / WORD, 1 << (i % WORD))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_take_the_cheapest_shape_that_is_exact() {
        let kind = Weighting::new;
        assert_eq!(kind(&[1.0; 100]), Weighting::Unit);
        assert_eq!(kind(&[]), Weighting::Unit);
        let planes = kind(&[1.0, 3.0, 0.0]);
        assert!(matches!(planes, Weighting::Planes { planes, .. } if planes.len() == 2));
        assert!(matches!(kind(&[1.0, 0.5]), Weighting::General(_)));
        assert!(matches!(kind(&[1.0, -1.0]), Weighting::General(_)));
        assert!(matches!(kind(&[f64::NAN]), Weighting::General(_)));
        assert!(matches!(kind(&[2f64.powi(53), 2f64.powi(53)]), Weighting::General(_)));
        // Large numbers everywhere have too many planes.
        let large: Vec<f64> = (0..10_000).map(|i| f64::from(i * 104_729)).collect();
        assert!(matches!(kind(&large), Weighting::General(_)));
    }

    #[test]
    fn planes_add_up_to_the_weights() {
        let weights: Vec<f64> = (0..300).map(|i| f64::from(i % 7 * (i % 5))).collect();
        let mut sum = vec![1.0; 300];
        for plane in planes(&weights).unwrap() {
            assert_eq!(plane.words.len() % LINE, 0);
            for (k, word) in plane.words {
                (0..WORD)
                    .filter(|b| word >> b & 1 == 1)
                    .for_each(|b| sum[k * WORD + b] += plane.scale);
            }
        }
        assert_eq!(sum, weights);
    }

    #[test]
    fn rounded_weights_are_near_and_their_sums_nearer() {
        let weights: Vec<f64> = (0..500).map(|i| 0.25 * f64::from(i * 37 % 101) / 100.0).collect();
        for bits in [1, 4, 8] {
            let (weighting, unit) = Weighting::rounded(&weights, bits);
            let Weighting::Planes { base: 0.0, planes, .. } = weighting else {
                panic!("they are not counts");
            };
            let mut rounded = vec![0.0; 500];
            for plane in &planes {
                for &(k, word) in &plane.words {
                    (0..WORD)
                        .filter(|b| word >> b & 1 == 1)
                        .for_each(|b| rounded[k * WORD + b] += plane.scale * unit);
                }
            }
            let (mut sum, mut expected) = (0.0, 0.0);
            for (a, b) in rounded.iter().zip(&weights) {
                assert!((a - b).abs() <= 1.001 * unit, "{a} for {b}");
                sum += a;
                expected += b;
                assert!((sum - expected).abs() <= 0.501 * unit + 1e-12, "{sum} for {expected}");
            }
        }
        assert_eq!(Weighting::rounded(&[1.0, 2.0], 1), (Weighting::new(&[1.0, 2.0]), 1.0));
    }
}
