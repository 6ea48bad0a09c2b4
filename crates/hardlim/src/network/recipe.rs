//! How the dictionary of a network was made, in enough detail to make it again.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::Neuron;
use super::representation::Representation;
use crate::arrangement::{Arrangement, Dictionary, Hyperplane, Policy, Reads, Subnetwork};
use crate::certificate::NetworkClass;
use crate::data::{Dataset, Scaling};
use crate::error::Error;
use crate::pattern::{PatternMatrix, WORD};

/// The most patterns that may be drawn.
pub const MOST_PATTERNS: u64 = 100_000_000;

/// The most nodes that may be searched for a bound.
pub const MOST_EFFORT: u64 = 10_000_000;

/// The largest exponent of what neurons pay for the inputs they read. Costs stay far below the
/// largest number.
pub const MOST_INPUT_COST: f64 = 16.0;

/// The way a network was trained; the dictionary follows from it and the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
        /// The widths of the layers below the last hidden one; none for two layers.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        widths: Vec<usize>,
        /// How many inputs each neuron reads; all of them if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reads: Option<Reads>,
    },
    /// The complete program.
    Complete,
    /// The complete program on the answers of random layers.
    Gaussian {
        /// The widths of these layers, as requested.
        widths: Vec<usize>,
        /// The seed they were drawn with.
        seed: u64,
        /// Whether the first was drawn for standardised inputs.
        standardize: bool,
    },
    /// The complete program on the answers of thresholds along one direction.
    Staircase {
        /// The seed the directions were drawn with.
        seed: u64,
        /// Whether they were drawn for standardised inputs.
        standardize: bool,
    },
    /// The Lasso program over all patterns, generated as they were needed.
    Generate {
        /// How many inputs a neuron may read, if that is limited.
        max_inputs: Option<usize>,
        /// How many nodes the search for a bound may visit if an exact bound is out of reach.
        effort: u64,
        /// The widths of the layers below the last hidden one; none for two layers.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        widths: Vec<usize>,
        /// What rules keep to.
        #[serde(default, skip_serializing_if = "Policy::is_empty")]
        policy: Policy,
    },
    /// The Lasso program on every pattern of this depth and these widths.
    Enumerate {
        /// The widths of the layers below the last hidden one; none for two layers.
        widths: Vec<usize>,
        /// Whether every neuron of these layers has its own inputs.
        tree: bool,
    },
    /// The Lasso program on the patterns of these neurons, over rows in blocks. The dual point is
    /// the derivative of the loss at the output of the network.
    Listed {
        /// The neurons.
        neurons: Vec<Neuron>,
        /// How many inputs a neuron may read, if the program is about all such neurons; then it is
        /// one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_inputs: Option<usize>,
    },
    /// No program: the weights came from elsewhere.
    Given,
}

impl Recipe {
    /// The name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Listed { max_inputs: Some(_), .. } => "generate",
            Self::Sample { .. } | Self::Listed { .. } => "sample",
            Self::Complete | Self::Gaussian { .. } | Self::Staircase { .. } => "complete",
            Self::Generate { .. } => "generate",
            Self::Enumerate { .. } => "enumerate",
            Self::Given => "given",
        }
    }

    /// How many inputs a neuron may read, if that is limited.
    pub fn max_inputs(&self) -> Option<usize> {
        match *self {
            Self::Generate { max_inputs, .. } | Self::Listed { max_inputs, .. } => max_inputs,
            _ => None,
        }
    }

    /// What rules keep to, if that is anything.
    pub(crate) fn policy(&self) -> Option<&Policy> {
        match self {
            Self::Generate { policy, .. } => Some(policy).filter(|own| !own.is_empty()),
            _ => None,
        }
    }

    /// Whether it is about all rules of two conditions.
    pub fn has_two_conditions(&self) -> bool {
        matches!(self, Self::Generate { .. }) && self.class(true).has_two_conditions()
    }

    /// The widths of the layers below the last hidden one, if the recipe has them.
    pub fn widths(&self) -> &[usize] {
        match self {
            Self::Sample { widths, .. }
            | Self::Gaussian { widths, .. }
            | Self::Generate { widths, .. }
            | Self::Enumerate { widths, .. } => widths,
            Self::Complete | Self::Staircase { .. } | Self::Listed { .. } | Self::Given => &[],
        }
    }

    /// The class of networks that its patterns belong to.
    pub fn class(&self, bias: bool) -> NetworkClass {
        let class = NetworkClass::subnetworks(self.widths(), bias);
        let max_inputs = self.max_inputs();
        match self {
            Self::Generate { policy, .. } => {
                NetworkClass { max_inputs, policy: policy.clone(), ..class }
            }
            Self::Sample { .. } | Self::Listed { .. } => NetworkClass { max_inputs, ..class },
            Self::Enumerate { tree, .. } => NetworkClass { tree: *tree, ..class },
            Self::Complete | Self::Gaussian { .. } | Self::Staircase { .. } | Self::Given => {
                NetworkClass::all()
            }
        }
    }

    /// The representation below the complete program, if there is one.
    pub fn representation(&self) -> Option<Representation> {
        match self {
            Self::Gaussian { .. } => Some(Representation::Gaussian),
            Self::Staircase { .. } => Some(Representation::Staircase),
            _ => None,
        }
    }

    /// The number of layers, including the linear output.
    pub fn depth(&self) -> usize {
        if matches!(self, Self::Staircase { .. }) { 3 } else { self.widths().len() + 2 }
    }

    /// The neurons of its dictionary, if they are listed: then it is about rows in blocks.
    pub fn listed(&self) -> Option<&[Neuron]> {
        if let Self::Listed { neurons, .. } = self { Some(neurons) } else { None }
    }

    /// Whether its certificate may be about neurons that pay for the inputs they read: those of
    /// random patterns, or of one input, which all pay the same.
    pub fn has_input_costs(&self) -> bool {
        let patterns =
            matches!(self, Self::Sample { .. } | Self::Generate { max_inputs: Some(1), .. });
        patterns && self.widths().is_empty()
    }

    /// Refuses a dictionary that is too large for this memory, or for any.
    pub fn check_size(&self, data: &Dataset, memory: Option<u64>) -> Result<(), Error> {
        let Self::Sample { draws, widths, .. } = self else { return Ok(()) };
        let (draws, each) = (*draws, bytes_each(data, widths));
        let most = memory.map_or(MOST_PATTERNS, |m| MOST_PATTERNS.min(m / each));
        if draws <= most {
            return Ok(());
        }
        let bytes = draws.saturating_mul(each);
        Err(Error::TooManyPatterns { patterns: draws, bytes, most })
    }

    /// The dictionary of the Lasso program over two layers, drawn again.
    /// If neurons pay for their inputs, a pattern has the witness that reads the fewest.
    pub fn dictionary(&self, data: &Dataset, bias: bool, input_cost: f64) -> Option<Dictionary> {
        let Self::Sample { draws, seed, standardize, widths, reads } = self else { return None };
        let arrangement = arrangement(data, bias).with_fewest_inputs(input_cost != 0.0);
        let scaling = scaling(data, bias, *standardize);
        let (draws, mut rng) = (*draws as usize, rng(*seed));
        let sample = || match reads {
            None => arrangement.sample(draws, &scaling, &mut rng),
            Some(reads) => arrangement.sample_mixed(draws, reads, &scaling, &mut rng),
        };
        widths.is_empty().then(sample)
    }

    /// Visits the patterns of its random neurons and their weights, some at a time: their number,
    /// which a file may state wrongly, takes no memory. Returns `false` if it has no random
    /// neurons.
    pub(crate) fn visit_draws(
        &self,
        data: &Dataset,
        bias: bool,
        visit: impl FnMut((PatternMatrix, Vec<Hyperplane>)),
    ) -> bool {
        let Self::Sample { draws, seed, standardize, widths, reads } = self else { return false };
        if widths.is_empty() {
            let (count, scaling) = (*draws as usize, scaling(data, bias, *standardize));
            let (arrangement, reads) = (arrangement(data, bias), reads.as_ref());
            arrangement.visit_draws(count, reads, &scaling, &mut rng(*seed), visit);
        }
        widths.is_empty()
    }

    /// The dictionary of the Lasso program over deeper networks, drawn again.
    pub fn deep_dictionary(&self, data: &Dataset, bias: bool) -> Option<Dictionary<Subnetwork>> {
        let Self::Sample { draws, seed, standardize, widths, .. } = self else { return None };
        let scaling = scaling(data, bias, *standardize);
        let sample = || {
            let arrangement = arrangement(data, bias);
            arrangement.sample_deep(widths, *draws as usize, &scaling, &mut rng(*seed))
        };
        (!widths.is_empty()).then(sample)
    }

    /// The patterns of subnetworks, or of all networks of a depth, made again from the recipe;
    /// `None` if it has others.
    pub(crate) fn patterns(
        &self,
        data: &Dataset,
        bias: bool,
        memory: u64,
    ) -> Result<Option<PatternMatrix>, Error> {
        self.check_size(data, Some(memory))?;
        let Self::Enumerate { widths, tree } = self else {
            return Ok(self.deep_dictionary(data, bias).map(|deep| deep.patterns));
        };
        let (arrangement, limit) = (arrangement(data, bias), most_patterns(data, Some(memory)));
        Ok(Some(if widths.is_empty() {
            arrangement.listing(limit)?.patterns()?
        } else {
            arrangement.deep(widths, *tree, limit)?.patterns
        }))
    }
}

/// The number of patterns that fit into memory.
pub fn most_patterns(data: &Dataset, memory: Option<u64>) -> u128 {
    memory.map_or(MOST_PATTERNS, |m| MOST_PATTERNS.min(m / bytes_each(data, &[]))).into()
}

/// The random generator of a seed. Generated data use stream 0 of the same seed.
pub(crate) fn rng(seed: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(1);
    rng
}

/// The memory of each pattern that is drawn: the pattern twice, and the weights behind it. If these
/// are layers, also the answers of the first layer.
fn bytes_each(data: &Dataset, widths: &[usize]) -> u64 {
    let words = data.distinct().div_ceil(WORD).next_multiple_of(8) as u64;
    let (mut inputs, mut numbers) = (data.dimension() as u64, 2 * words + 8);
    for &width in widths {
        let width = width as u64;
        numbers = numbers.saturating_add(width.saturating_mul(inputs.saturating_add(4)));
        inputs = width;
    }
    let first = widths.first().map_or(0, |&width| words.saturating_mul(width as u64));
    numbers.saturating_add(first).saturating_add(inputs).saturating_mul(8)
}

/// `H(X)` of the data.
pub fn arrangement(data: &Dataset, bias: bool) -> Arrangement<'_> {
    Arrangement::with_bias(data.features(), bias)
}

/// Mean zero and deviation one over the samples, by their weights: a sample of weight two counts
/// twice. Without a bias the columns are only scaled.
pub fn scaling(data: &Dataset, bias: bool, standardize: bool) -> Scaling {
    if !standardize {
        return Scaling::identity(data.dimension());
    }
    let weights: Vec<f64> = data.targets().iter().map(|atoms| atoms.weight()).collect();
    Scaling::fit(data.features(), &weights, bias)
}
