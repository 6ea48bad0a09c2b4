//! Sums over packed patterns: `dᵀv`, `|d ∧ e|`, and `u += a·d`.

use super::WORD;

/// `dᵀv`: the sum of `v` over the rows where the pattern is on.
pub fn masked_sum(words: &[u64], v: &[f64]) -> f64 {
    let mut sum = 0.0;
    for_each_on(words, |i| sum += v[i]);
    sum
}

/// `dᵀe = |d ∧ e|`: on how many rows both patterns are on.
pub fn overlap(a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum()
}

/// `Σ vᵢ` over the rows where both patterns are on.
pub fn masked_overlap(a: &[u64], b: &[u64], v: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (k, (a, b)) in a.iter().zip(b).enumerate() {
        let mut word = a & b;
        while word != 0 {
            sum += v[k * WORD + word.trailing_zeros() as usize];
            word &= word - 1; // drops the lowest set bit
        }
    }
    sum
}

/// `u += a·d`.
pub fn add_scaled(words: &[u64], a: f64, u: &mut [f64]) {
    for_each_on(words, |i| u[i] += a);
}

/// Visits the rows where the pattern is on, in order.
pub fn for_each_on(words: &[u64], mut visit: impl FnMut(usize)) {
    for (k, &word) in words.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            visit(k * WORD + word.trailing_zeros() as usize);
            word &= word - 1; // drops the lowest set bit
        }
    }
}
