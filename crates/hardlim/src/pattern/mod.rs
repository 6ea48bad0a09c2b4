//! Patterns: vectors of `{0,1}ⁿ`, the answers of one neuron on the `n` distinct rows, 64 per word.

pub(crate) mod forward;
mod gram;
pub(crate) mod kernel;
pub(crate) mod matrix;
mod pack;
mod product;
pub mod threshold;
mod tuning;
pub(crate) mod weighting;

pub use matrix::PatternMatrix;
pub(crate) use weighting::Weighting;

/// Bits in a word.
pub const WORD: usize = 64;

/// One pattern, packed: bit `i % 64` of word `i / 64` is the answer on row `i`. Bits past the last
/// row are zero, so equal patterns have equal words.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pattern {
    samples: usize,
    words: Vec<u64>,
}

impl Pattern {
    /// The pattern that is off everywhere.
    pub fn zeros(samples: usize) -> Self {
        Self { samples, words: vec![0; samples.div_ceil(WORD)] }
    }

    /// The pattern whose answer on row `i` is `on(i)`.
    pub fn from_fn(samples: usize, mut on: impl FnMut(usize) -> bool) -> Self {
        let mut pattern = Self::zeros(samples);
        for i in 0..samples {
            pattern.words[i / WORD] |= u64::from(on(i)) << (i % WORD);
        }
        pattern
    }

    /// A pattern from its words. Bits past the last row are cleared.
    ///
    /// # Panics
    /// When the number of words does not match the number of samples.
    pub fn from_words(samples: usize, mut words: Vec<u64>) -> Self {
        assert_eq!(words.len(), samples.div_ceil(WORD), "one word for each 64 samples");
        if let Some(last) = words.last_mut().filter(|_| !samples.is_multiple_of(WORD)) {
            *last &= (1 << (samples % WORD)) - 1;
        }
        Self { samples, words }
    }

    /// The number of rows.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The answer on row `i`.
    pub fn get(&self, i: usize) -> bool {
        self.words[i / WORD] >> (i % WORD) & 1 == 1
    }

    /// The packed answers.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The number of rows on which the pattern is on.
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The answers, row by row.
    pub fn iter(&self) -> impl Iterator<Item = bool> + '_ {
        (0..self.samples).map(|i| self.get(i))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_gives_back_the_bits_it_was_made_of() {
        for samples in [0, 1, 63, 64, 65, 130] {
            let pattern = Pattern::from_fn(samples, |i| i % 3 == 0);
            assert!(pattern.iter().enumerate().all(|(i, on)| on == (i % 3 == 0)));
            assert_eq!(pattern.count(), samples.div_ceil(3));
            assert_eq!(Pattern::from_words(samples, pattern.words().to_vec()), pattern);
        }
    }

    #[test]
    fn bits_past_the_last_row_do_not_count() {
        let pattern = Pattern::from_words(65, vec![0, !0]);
        assert_eq!(pattern.count(), 1);
        assert_eq!(pattern, Pattern::from_fn(65, |i| i == 64));
    }
}
