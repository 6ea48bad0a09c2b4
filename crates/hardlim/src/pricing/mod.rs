//! Pricing: patterns `d ∈ H(X)` with a large `|dᵀz|`, and proofs that none is larger than `U`.
//!
//! ```text
//! max_d dᵀz = max_w Σᵢ zᵢ 1{x̃ᵢ·w ≥ 0} ≤ U        and the same for −z
//! ```
//!
//! A dual point `z` of the Lasso program over a dictionary is feasible for all of `H(X)` exactly
//! when `|dᵀz| ≤ β` for every pattern. So the pattern to add next, and the bound that a dual point
//! proves for every network, both come from this maximum.
//!
//! The problem has many names: weighted 0-1 loss (learning a halfspace that agrees with most of the
//! labels `sign z`, NP-hard in general: Johnson and Preparata 1978), maximum halfspace discrepancy,
//! and halfspace depth (Tukey 1975), where all weights are one. [`HalfspaceSearch`] finds the one
//! halfspace with the largest sum, and [`Prover`] bounds all of them. Their parts are:
//!
//! | | patterns | bound |
//! |---|---|---|
//! | [`LocalSearch`] | many good ones, in any dimension | none |
//! | [`SubnetworkSearch`] | many good ones, of subnetworks with two layers | none |
//! | `Axes` | the best among neurons that read one input | exact, `O(nd)` |
//! | `Groups` | the best among neurons that read two or three inputs | exact |
//! | `Corners` | the best among rules of two conditions, each about one input | exact |
//! | `Sweep` | the best, where the rank of `X̃` is small | exact |
//! | `Cells` | the one with the largest `dᵀz` | by simplices of normals, at any time |
//! | `Branch` | good ones, of up to 128 rows in any rank | proven, as good as the time allows |
//! | `Blocks` | none | the sum of such bounds, for any number of rows |
//!
//! ```
//! use hardlim::arrangement::Arrangement;
//! use hardlim::data::Features;
//! use hardlim::pricing::{Bound, Prover};
//!
//! // The corners of a square; those across a diagonal pull alike, as in exclusive or.
//! let square = Features::new(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0])?;
//! let z = [1.0, -1.0, -1.0, 1.0];
//! let prover = Prover::new(Arrangement::of(&square), None, 1000)?;
//! let answer = prover.price(&z, &[], 0.0, 8, &|| false);
//!
//! // No halfspace holds one diagonal alone: the largest sum is one, not two.
//! assert_eq!((answer.price().value, answer.price().bound), (1.0, Bound::Exact));
//! assert!(answer.found.iter().all(|best| best.value.abs() == 1.0));
//! # Ok::<(), hardlim::Error>(())
//! ```
//!
//! The numbers of `z` lie on a grid where every sum is exact ([`round_to_grid`]). So
//! `dᵀz` has the same value for every order of summation, and bounds made of such sums have no
//! rounding error.

mod axis;
mod blocks;
mod boxes;
mod branch;
mod cell;
mod cells;
mod circle;
mod circles;
mod corners;
mod cover;
mod descent;
mod feasibility;
mod flats;
mod groups;
mod halfspace;
pub(crate) mod line_search;
mod listed;
mod local;
mod meter;
mod points;
mod prover;
mod space;
mod starts;
mod subnetwork;
mod sweep;
mod tuning;
#[cfg(test)]
mod twin;
mod vertex;
mod witness;

pub(crate) use blocks::Blocks;
pub(crate) use branch::Branch;
pub(crate) use corners::Corners;
pub use halfspace::{BestHalfspace, HalfspaceSearch, SignedWeights};
pub use local::LocalSearch;
pub use prover::Prover;
pub use subnetwork::SubnetworkSearch;

use serde::{Deserialize, Serialize};

use crate::arrangement::{Arrangement, Hyperplane, evaluate};
pub use crate::exact::sum::round_to_grid;
use crate::pattern::{Pattern, kernel};

/// A pattern with its value `dᵀz`, and the hyperplane or subnetwork that gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct Priced<W = Hyperplane> {
    /// Weights on the features as read, with `pattern` as their answers.
    pub hyperplane: W,
    /// `d`.
    pub pattern: Pattern,
    /// `dᵀz`, exactly.
    pub value: f64,
}

impl<W> Priced<W> {
    fn new(hyperplane: W, pattern: Pattern, z: &[f64]) -> Self {
        let value = kernel::masked_sum(pattern.words(), z) + 0.0;
        Self { hyperplane, pattern, value }
    }
}

/// How `U ≥ max_d |dᵀz|` over the patterns in scope was obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// The maximum over the columns of the dictionary.
    Dictionary,
    /// `max(Σz₊, Σz₋)`, an upper bound on `|dᵀz|` for every vector of zeros and ones. It always
    /// exists, and is tight if every dichotomy of the distinct rows is realisable.
    Complete,
    /// The maximum over all patterns in scope, by exact search.
    Exact,
    /// A search that ended early: the bound is proven, but perhaps no pattern reaches it.
    Search,
    /// The maximum over all patterns of the network's depth and widths, which were listed.
    Enumeration,
}

impl Bound {
    /// The word in reports and model files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dictionary => "dictionary",
            Self::Complete => "complete",
            Self::Exact => "exact",
            Self::Search => "search",
            Self::Enumeration => "enumeration",
        }
    }

    /// That of an extreme that is exact where it is above a threshold.
    fn of_extreme(extreme: f64, threshold: f64) -> Self {
        if extreme > threshold || extreme == 0.0 { Self::Exact } else { Self::Search }
    }
}

/// An upper bound over the patterns of a scope: `U ≥ max |dᵀz|`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// `U`.
    pub value: f64,
    /// How it was obtained; this tells over which patterns it holds.
    pub bound: Bound,
}

impl Price {
    /// `max(Σz₊, Σz₋)`, exactly.
    pub fn complete(z: &[f64]) -> Self {
        let (above, below) = parts(z);
        Self { value: above.max(below), bound: Bound::Complete }
    }
}

/// Patterns with a large `|dᵀz|`, and upper bounds for all patterns.
#[derive(Debug, Clone, PartialEq)]
pub struct BestPatterns<W = Hyperplane> {
    /// Distinct patterns beyond the given threshold, the largest `|dᵀz|` first.
    pub found: Vec<Priced<W>>,
    /// An upper bound on `dᵀz`.
    pub above: f64,
    /// An upper bound on `−dᵀz`.
    pub below: f64,
    /// How `max(above, below)` was obtained.
    pub bound: Bound,
}

impl<W> BestPatterns<W> {
    /// `U = max(above, below)`.
    pub fn price(&self) -> Price {
        Price { value: self.above.max(self.below), bound: self.bound }
    }
}

/// `Σz₊` and `Σz₋`, both counted as positive numbers.
fn parts(z: &[f64]) -> (f64, f64) {
    z.iter().fold((0.0, 0.0), |(above, below), &z| (above + z.max(0.0), below + (-z).max(0.0)))
}

/// The hyperplanes with their patterns on the data and the values `dᵀz`.
fn price_all(
    arrangement: &Arrangement<'_>,
    z: &[f64],
    hyperplanes: Vec<Hyperplane>,
) -> Vec<Priced> {
    let patterns = evaluate(arrangement.features(), &hyperplanes);
    let patterns = (0..hyperplanes.len()).map(|j| patterns.pattern(j));
    hyperplanes.into_iter().zip(patterns).map(|(plane, d)| Priced::new(plane, d, z)).collect()
}

/// The distinct patterns with the largest `|dᵀz|`, the largest first, at most `keep` of them. Each
/// sign gets half of the places, and those that the other leaves free, because output weights may
/// have to be of one sign.
fn distinct_best<W>(mut priced: Vec<Priced<W>>, keep: usize) -> Vec<Priced<W>> {
    // A stable sort: among equals, the order of the search decides.
    priced.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
    let mut seen = std::collections::HashSet::new();
    priced.retain(|p| seen.insert(p.pattern.clone()));
    let negative = priced.iter().filter(|p| p.value < 0.0).count();
    let positive = priced.len() - negative;
    let (half, other_half) = (keep.div_ceil(2), keep / 2);
    let first_negative = priced.first().is_some_and(|p| p.value < 0.0);
    let (most, least) = if first_negative { (half, other_half) } else { (other_half, half) };
    let mut left_negative = most.max(keep.saturating_sub(positive));
    let mut left_positive = least.max(keep.saturating_sub(negative));
    priced.retain(|p| {
        let left = if p.value < 0.0 { &mut left_negative } else { &mut left_positive };
        let kept = *left > 0;
        *left = left.saturating_sub(1);
        kept
    });
    priced
}
