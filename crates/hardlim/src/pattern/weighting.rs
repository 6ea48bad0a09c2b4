//! Weights of the samples, prepared for `Σᵢ sᵢ dᵢeᵢ`.
//!
//! Equal rows are merged, so most weights count rows: small integers, nearly all of them one. Then
//! `s = 1 + Σ_b 2ᵇ p_b − p₀`, where `p_b` holds the rows with bit `b` in `s − 1` and `p₀` those with
//! `s = 0`, and each part is a count of bits over the few words where its plane has any.

use super::WORD;
use super::matrix::LINE;

/// Words of planes, for each word of a column, up to which counting beats adding.
const DENSE: usize = 8;

/// Weights of the samples, in the shape that sums over two patterns take.
#[derive(Debug, Clone, PartialEq)]
pub struct Weighting {
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// Every weight is one.
    Unit,
    /// One, and what these planes add; for this many samples.
    Planes(usize, Vec<Plane>),
    /// One number for each sample.
    General(Vec<f64>),
}

/// Rows that weigh `scale` more.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plane {
    pub(super) scale: f64,
    /// The words that are not zero, with their places; filled with zeros to a whole cache line.
    pub(super) words: Vec<(usize, u64)>,
}

impl Weighting {
    /// Every sample counts once.
    pub fn unit() -> Self {
        Self { kind: Kind::Unit }
    }

    /// Prepares weights, one for each sample. Sums of non-negative integers are exact up to `2⁵³`.
    pub fn new(weights: &[f64]) -> Self {
        let planes = planes(weights).filter(|planes| {
            let words: usize = planes.iter().map(|p| p.words.len()).sum();
            words <= DENSE * weights.len().div_ceil(WORD).next_multiple_of(LINE)
        });
        let kind = match planes {
            Some(planes) if planes.is_empty() => Kind::Unit,
            Some(planes) => Kind::Planes(weights.len(), planes),
            None => Kind::General(weights.to_vec()),
        };
        Self { kind }
    }

    /// Whether these may be the weights of so many samples.
    pub(super) fn fits(&self, samples: usize) -> bool {
        match &self.kind {
            Kind::Unit => true,
            Kind::Planes(weights, _) => *weights == samples,
            Kind::General(weights) => weights.len() == samples,
        }
    }
}

/// The planes of non-negative integers with an exact sum, or nothing for other numbers.
fn planes(weights: &[f64]) -> Option<Vec<Plane>> {
    let largest = 2f64.powi(53);
    let count = |w: &f64| *w >= 0.0 && *w <= largest && w.fract() == 0.0;
    if !weights.iter().all(count) || weights.iter().sum::<f64>() > largest {
        return None;
    }
    let scales = std::iter::once(-1.0).chain((0..53).map(|b| 2f64.powi(b)));
    let mut planes: Vec<Plane> = scales.map(|scale| Plane { scale, words: Vec::new() }).collect();
    for (i, &w) in weights.iter().enumerate() {
        // Bit 0 is the plane of zeros, bit b + 1 that of 2ᵇ.
        let mut bits = if w == 0.0 { 1 } else { (w as u64 - 1) << 1 };
        while bits != 0 {
            planes[bits.trailing_zeros() as usize].insert(i);
            bits &= bits - 1; // drops the lowest set bit
        }
    }
    planes.retain(|plane| !plane.words.is_empty());
    for Plane { words, .. } in &mut planes {
        words.resize(words.len().next_multiple_of(LINE), (0, 0));
    }
    Some(planes)
}

impl Plane {
    /// Adds a row after all those that are in.
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
        assert_eq!(Weighting::new(&[1.0; 100]), Weighting::unit());
        assert_eq!(Weighting::new(&[]), Weighting::unit());
        let kind = |w: &[f64]| Weighting::new(w).kind;
        assert!(matches!(kind(&[1.0, 3.0, 0.0]), Kind::Planes(3, planes) if planes.len() == 2));
        assert!(matches!(kind(&[1.0, 0.5]), Kind::General(_)));
        assert!(matches!(kind(&[1.0, -1.0]), Kind::General(_)));
        assert!(matches!(kind(&[f64::NAN]), Kind::General(_)));
        assert!(matches!(kind(&[2f64.powi(53), 2f64.powi(53)]), Kind::General(_)));
        // Large numbers everywhere have too many planes.
        let large: Vec<f64> = (0..10_000).map(|i| f64::from(i * 104_729)).collect();
        assert!(matches!(kind(&large), Kind::General(_)));
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
}
