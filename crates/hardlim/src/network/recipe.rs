//! How a network's dictionary came about, in enough words to make it again.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::arrangement::{Arrangement, Dictionary};
use crate::data::{Dataset, Scaling};
use crate::error::Error;
use crate::pattern::{PatternMatrix, WORD};

/// The most patterns that are ever drawn.
pub const MOST_PATTERNS: u64 = 100_000_000;

/// The most nodes that are ever searched for a bound.
pub const MOST_EFFORT: u64 = 10_000_000;

/// The way a network was trained; the dictionary follows from it and the data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "lowercase", deny_unknown_fields)]
pub enum Recipe {
    /// The Lasso program on the patterns of random weights.
    Sample {
        /// How many weights were drawn.
        draws: u64,
        /// The seed they were drawn with.
        seed: u64,
        /// Whether they were drawn for standardised inputs.
        standardize: bool,
    },
    /// The complete program.
    Complete,
    /// The Lasso program over all patterns, generated as they were needed.
    Generate {
        /// How many inputs a neuron may read, where that is limited.
        max_inputs: Option<usize>,
        /// How hard the search for a bound went on where an exact one is out of reach.
        effort: u64,
    },
    /// The Lasso program on every pattern of this depth and these widths.
    Enumerate {
        /// The widths of the layers below the last hidden one; none for two layers.
        widths: Vec<usize>,
        /// Whether every neuron of these layers owns its inputs.
        tree: bool,
    },
}

impl Recipe {
    /// The word in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sample { .. } => "sample",
            Self::Complete => "complete",
            Self::Generate { .. } => "generate",
            Self::Enumerate { .. } => "enumerate",
        }
    }

    /// How many inputs a neuron may read, where that is limited.
    pub fn max_inputs(&self) -> Option<usize> {
        match *self {
            Self::Generate { max_inputs, .. } => max_inputs,
            Self::Sample { .. } | Self::Complete | Self::Enumerate { .. } => None,
        }
    }

    /// The number of layers, the linear output counted.
    pub fn depth(&self) -> usize {
        if let Self::Enumerate { widths, .. } = self { widths.len() + 2 } else { 2 }
    }

    /// Whether its dictionary holds every pattern of this depth and these widths.
    pub fn lists_all(&self) -> bool {
        matches!(self, Self::Enumerate { .. })
    }

    /// The memory that its dictionary takes: each pattern, its hash entry and its witness.
    pub fn bytes(&self, data: &Dataset) -> u64 {
        let Self::Sample { draws, .. } = *self else { return 0 };
        draws.saturating_mul(bytes_each(data))
    }

    /// Refuses a dictionary that is too large for this memory, or for any.
    ///
    /// # Errors
    /// When it is.
    pub fn check_size(&self, data: &Dataset, memory: Option<u64>) -> Result<(), Error> {
        let Self::Sample { draws, .. } = *self else { return Ok(()) };
        let most = memory.map_or(MOST_PATTERNS, |m| MOST_PATTERNS.min(m / bytes_each(data)));
        if draws <= most {
            return Ok(());
        }
        Err(Error::TooManyPatterns { patterns: draws, bytes: self.bytes(data), most })
    }

    /// The dictionary of the Lasso program, drawn again.
    pub fn dictionary(&self, data: &Dataset, bias: bool) -> Option<Dictionary> {
        let Self::Sample { draws, seed, standardize } = *self else { return None };
        let scaling = scaling(data, bias, standardize);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(1); // generated data take the stream 0 of the same seed
        Some(arrangement(data, bias).sample(draws as usize, &scaling, &mut rng))
    }

    /// The patterns that a certificate speaks of, made again; none where it speaks of no dictionary.
    ///
    /// # Errors
    /// When they may not fit into this memory, or there are too many to list.
    pub fn patterns(
        &self,
        data: &Dataset,
        bias: bool,
        memory: u64,
    ) -> Result<Option<PatternMatrix>, Error> {
        self.check_size(data, Some(memory))?;
        let Self::Enumerate { widths, tree } = self else {
            return Ok(self.dictionary(data, bias).map(|dictionary| dictionary.patterns));
        };
        let (arrangement, limit) = (arrangement(data, bias), most_patterns(data, Some(memory)));
        if widths.is_empty() {
            return arrangement.listing(limit)?.patterns().map(Some);
        }
        Ok(Some(arrangement.deep(widths, *tree, limit)?.patterns))
    }
}

/// How many patterns there is room for.
pub fn most_patterns(data: &Dataset, memory: Option<u64>) -> u128 {
    memory.map_or(MOST_PATTERNS, |m| MOST_PATTERNS.min(m / bytes_each(data))).into()
}

/// What each pattern that is drawn may take.
fn bytes_each(data: &Dataset) -> u64 {
    let words = data.distinct().div_ceil(WORD).next_multiple_of(8);
    8 * (2 * words + data.dimension() + 8) as u64
}

/// `H(X)` of the data.
pub fn arrangement(data: &Dataset, bias: bool) -> Arrangement<'_> {
    let arrangement = Arrangement::of(data.features());
    if bias { arrangement } else { arrangement.without_bias() }
}

/// Mean zero and deviation one over the samples, by their weights: a sample of weight two is as good as
/// two. Without a bias the columns are scaled only.
pub fn scaling(data: &Dataset, bias: bool, standardize: bool) -> Scaling {
    if !standardize {
        return Scaling::identity(data.dimension());
    }
    let weights: Vec<f64> = data.targets().iter().map(|atoms| atoms.weight()).collect();
    Scaling::fit(data.features(), &weights, bias)
}
