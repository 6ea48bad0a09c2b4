//! `H(X)`: the patterns `1{X̃w ≥ 0}` over all `w`, and dictionaries of some of them.

mod cells;
mod deep;
mod enumerate;
mod evaluate;
mod mixed;
pub(crate) mod rounding;
mod sample;
mod size;
mod witness;

#[doc(hidden)]
pub use deep::{DeepDictionary, Recursion, Subnetwork};
#[doc(hidden)]
pub use enumerate::Listing;
pub use evaluate::evaluate;
#[doc(hidden)]
pub use mixed::Reads;
#[doc(hidden)]
pub use size::Size;

use std::collections::HashSet;

use crate::data::Features;
use crate::pattern::{Pattern, PatternMatrix};

/// The hyperplane arrangement of the distinct rows. It has a bias unless
/// [`Arrangement::without_bias`] is called.
#[derive(Debug, Clone, Copy)]
pub struct Arrangement<'a> {
    features: &'a Features,
    bias: bool,
}

impl<'a> Arrangement<'a> {
    /// All patterns `1{Xw + b ≥ 0}`.
    pub fn of(features: &'a Features) -> Self {
        Self { features, bias: true }
    }

    /// All patterns `1{Xw ≥ 0}`.
    pub fn without_bias(self) -> Self {
        Self { bias: false, ..self }
    }

    /// The distinct rows.
    pub fn features(&self) -> &'a Features {
        self.features
    }

    /// Whether hyperplanes have a bias.
    pub fn has_bias(&self) -> bool {
        self.bias
    }
}

/// One hyperplane: weights on the features as read, and a bias.
#[derive(Debug, Clone, PartialEq)]
pub struct Hyperplane {
    /// `w`.
    pub weights: Vec<f64>,
    /// `b`; zero without a bias.
    pub bias: f64,
}

/// Distinct patterns, each with the weights that realise it on the data.
#[derive(Debug, Clone)]
pub struct Dictionary<W = Hyperplane> {
    /// `D`.
    pub patterns: PatternMatrix,
    /// For each column of `D`, the hyperplane or subnetwork that gives it.
    pub witnesses: Vec<W>,
}

impl Dictionary {
    /// Keeps the first of equal patterns.
    fn from_witnesses(
        samples: usize,
        witnesses: impl IntoIterator<Item = (Pattern, Hyperplane)>,
    ) -> Self {
        let mut seen = HashSet::new();
        let mut dictionary = Self { patterns: PatternMatrix::new(samples), witnesses: Vec::new() };
        for (pattern, witness) in witnesses {
            if !seen.contains(&pattern) {
                dictionary.patterns.push(&pattern);
                dictionary.witnesses.push(witness);
                seen.insert(pattern);
            }
        }
        dictionary
    }
}

impl<W> Dictionary<W> {
    /// The number of patterns.
    pub fn len(&self) -> usize {
        self.witnesses.len()
    }

    /// Whether there is no pattern.
    pub fn is_empty(&self) -> bool {
        self.witnesses.is_empty()
    }
}
