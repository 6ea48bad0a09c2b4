//! `H(X)`: the patterns `1{X̃w ≥ 0}` over all `w`, and dictionaries of some of them.

mod cells;
mod deep;
mod enumerate;
mod evaluate;
mod mixed;
pub(crate) mod nearest;
pub(crate) mod policy;
mod reduction;
mod sample;
mod size;
pub(crate) mod thin_cell;
mod tuning;
mod witness;

pub use deep::Subnetwork;
pub use enumerate::Listing;
pub use evaluate::evaluate;
pub use mixed::Reads;
pub use policy::Policy;
pub(crate) use policy::Signs;
pub use size::Size;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::data::Features;
use crate::pattern::{Pattern, PatternMatrix};

/// The hyperplane arrangement of the distinct rows. It has a bias unless
/// [`Arrangement::without_bias`] is called.
#[derive(Debug, Clone, Copy)]
pub struct Arrangement<'a> {
    features: &'a Features,
    bias: bool,
    /// Whether the witness of a sampled pattern is the one that reads the fewest inputs.
    fewest: bool,
}

impl<'a> Arrangement<'a> {
    /// All patterns `1{Xw + b ≥ 0}`.
    pub fn of(features: &'a Features) -> Self {
        Self { features, bias: true, fewest: false }
    }

    /// All patterns of neurons with a bias, or of those without one.
    pub fn with_bias(features: &'a Features, bias: bool) -> Self {
        Self { bias, ..Self::of(features) }
    }

    /// All patterns `1{Xw ≥ 0}`.
    pub fn without_bias(self) -> Self {
        Self { bias: false, ..self }
    }

    /// The same patterns. If several random neurons have the same pattern, a sample keeps the one
    /// that reads the fewest inputs, not the first.
    #[must_use]
    pub(crate) fn with_fewest_inputs(self, fewest: bool) -> Self {
        Self { fewest, ..self }
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hyperplane {
    /// `w`.
    pub weights: Vec<f64>,
    /// `b`; zero without a bias.
    pub bias: f64,
}

impl Hyperplane {
    /// A hyperplane that reads no input.
    pub(crate) fn constant(dimension: usize, bias: f64) -> Self {
        Self { weights: vec![0.0; dimension], bias }
    }

    /// The number of inputs that make a difference to it.
    pub fn reads(&self) -> usize {
        self.weights.iter().filter(|w| **w != 0.0).count()
    }
}

/// `kᴾ`: what a neuron that reads `k` inputs pays for them, as a factor of `β|a|`. A neuron that
/// reads no input pays as if it read one.
pub(crate) fn cost_of_inputs(reads: usize, input_cost: f64) -> f64 {
    (reads.max(1) as f64).powf(input_cost)
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
    /// Keeps the first of equal patterns, with its witness or with the one that reads the `fewest`
    /// inputs.
    pub(crate) fn from_witnesses(
        samples: usize,
        fewest: bool,
        witnesses: impl IntoIterator<Item = (Pattern, Hyperplane)>,
    ) -> Self {
        let mut seen: HashMap<Pattern, usize> = HashMap::new();
        let mut dictionary = Self { patterns: PatternMatrix::new(samples), witnesses: Vec::new() };
        for (pattern, witness) in witnesses {
            if let Some(&place) = seen.get(&pattern) {
                let kept = &mut dictionary.witnesses[place];
                if fewest && witness.reads() < kept.reads() {
                    *kept = witness;
                }
                continue;
            }
            dictionary.patterns.push(&pattern);
            seen.insert(pattern, dictionary.witnesses.len());
            dictionary.witnesses.push(witness);
        }
        dictionary
    }

    /// What each pattern costs if a neuron pays `kᴾ` for `k` inputs; `None` if `P = 0`, where all
    /// cost one.
    pub fn costs(&self, input_cost: f64) -> Option<Vec<f64>> {
        let cost = |witness: &Hyperplane| cost_of_inputs(witness.reads(), input_cost);
        (input_cost != 0.0).then(|| self.witnesses.iter().map(cost).collect())
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
