//! Pricing: patterns `d ∈ H(X)` with a large `|dᵀz|`, and proofs that none is larger than `U`.
//!
//! A dual point `z` of the Lasso program over a dictionary is feasible for all of `H(X)` exactly
//! when `|dᵀz| ≤ β` for every pattern, so the pattern to add next, and what a dual point proves about
//! every network, are both answers to
//!
//! ```text
//! max_w Σᵢ zᵢ 1{x̃ᵢ·w ≥ 0}      and the same for −z.
//! ```
//!
//! The problem has many names: weighted 0-1 loss (learning a halfspace that agrees with most of the
//! labels `sign z`, NP-hard in general: Johnson and Preparata 1978), maximum halfspace discrepancy,
//! and halfspace depth (Tukey 1975), where all weights are one. The answers here:
//!
//! | | patterns | bound |
//! |---|---|---|
//! | [`LocalSearch`] | many good ones, in any dimension | none |
//! | [`Sweep`] | the best, where the rank of `X̃` is small | exact, `O(n^{r−1} log n)` |
//! | [`Axes`] | the best among neurons that read one input | exact, `O(nd)` |
//! | [`Pairs`] | the best among neurons that read two inputs | exact, bounds skip most of the work |
//! | [`Branch`] | good ones, of up to 128 rows in any rank | proven, as good as the time allows |
//! | [`Blocks`] | none | the sum of such bounds, for any number of rows |
//! | [`SubnetworkSearch`] | many good ones, of subnetworks with two layers | none |
//!
//! [`Prover`] chooses among those that prove something.
//!
//! The numbers of `z` lie on a grid where every sum is exact ([`crate::sum::round_to_grid`]): `dᵀz`
//! has one value, in whatever order it is added up, and bounds made of such sums carry no rounding.

mod axis;
mod blocks;
mod branch;
mod circle;
mod circuit;
mod cover;
mod flats;
mod line_search;
mod local;
mod pairs;
mod plane;
mod points;
mod prover;
mod starts;
mod subnetwork;
mod sweep;
#[cfg(test)]
mod twin;
mod vertex;
mod witness;

pub use axis::Axes;
pub use blocks::Blocks;
pub use branch::Branch;
pub use local::LocalSearch;
pub use pairs::Pairs;
pub use prover::Prover;
pub use subnetwork::SubnetworkSearch;
pub use sweep::{Extremes, Sweep};

use crate::arrangement::{Arrangement, Hyperplane, evaluate};
use crate::pattern::{Pattern, kernel};

/// A pattern, the hyperplane that gives it, or the subnetwork of several, and what it is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Priced<W = Hyperplane> {
    /// Weights on the features as read, with `pattern` as their answers.
    pub hyperplane: W,
    /// `d`.
    pub pattern: Pattern,
    /// `dᵀz`, exactly.
    pub value: f64,
}

/// How a number above every `|dᵀz|` was obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundKind {
    /// It is the maximum itself.
    Exact,
    /// A search that ended early: nothing is above it, and perhaps nothing reaches it.
    Search,
    /// `max(Σz₊, Σz₋)`, which no vector of zeros and ones exceeds.
    Complete,
}

/// `U ≥ max_d |dᵀz|` over all patterns in scope, proven.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UpperBound {
    /// `U`.
    pub value: f64,
    /// How it was obtained.
    pub kind: BoundKind,
}

impl UpperBound {
    /// `max(Σz₊, Σz₋)`, exactly.
    pub fn complete(z: &[f64]) -> Self {
        let (above, below) = parts(z);
        Self { value: above.max(below), kind: BoundKind::Complete }
    }
}

impl BoundKind {
    /// The kind of an extreme that is exact where it is above a threshold.
    fn of(extreme: f64, threshold: f64) -> Self {
        if extreme > threshold || extreme == 0.0 { Self::Exact } else { Self::Search }
    }
}

/// Patterns with a large `|dᵀz|`, and numbers that none exceeds.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Distinct patterns beyond the threshold asked for, the largest `|dᵀz|` first.
    pub found: Vec<Priced>,
    /// No `dᵀz` is above it.
    pub above: f64,
    /// No `−dᵀz` is above it.
    pub below: f64,
    /// How `max(above, below)` was obtained.
    pub kind: BoundKind,
}

impl Answer {
    /// `U = max(above, below)`.
    pub fn upper_bound(&self) -> UpperBound {
        UpperBound { value: self.above.max(self.below), kind: self.kind }
    }
}

/// `Σz₊` and `Σz₋`, both counted as positive numbers.
fn parts(z: &[f64]) -> (f64, f64) {
    z.iter().fold((0.0, 0.0), |(above, below), &z| (above + z.max(0.0), below + (-z).max(0.0)))
}

/// The hyperplanes with their answers on the data and what these are worth.
fn price_all(
    arrangement: &Arrangement<'_>,
    z: &[f64],
    hyperplanes: Vec<Hyperplane>,
) -> Vec<Priced> {
    let patterns = evaluate(arrangement.features(), &hyperplanes);
    (hyperplanes.into_iter().enumerate())
        .map(|(j, hyperplane)| Priced {
            hyperplane,
            pattern: patterns.pattern(j),
            value: kernel::masked_sum(patterns.column(j), z) + 0.0,
        })
        .collect()
}

/// The first of equal patterns, the largest `|dᵀz|` first, at most `keep` of them. Either sign has half
/// of the places while the other would fill them all: output weights may have to be of one sign.
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
