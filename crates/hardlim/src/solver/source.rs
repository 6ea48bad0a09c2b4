//! Where generation finds its patterns, and what proves that none is missing.

use std::fmt::Debug;

use crate::arrangement::{Arrangement, Hyperplane, Subnetwork};
use crate::certificate::{Ask, DualPoint, Proof};
use crate::data::Scaling;
use crate::pricing::{LocalSearch, Priced, Prover, SubnetworkSearch};
use crate::program::Constraints;

/// A set of patterns that can be searched.
pub trait Source: Debug + Sync {
    /// What realises a pattern.
    type Witness: Clone + Debug;

    /// How many witnesses in use to search around, after `in_vain` searches in vain.
    fn around(&self, in_vain: usize) -> usize;

    /// Distinct patterns with a large `|dᵀz|`, the largest first, found around those in use. The
    /// search is harder after every search in vain.
    fn search(
        &self,
        z: &[f64],
        used: &[Self::Witness],
        in_vain: usize,
        seed: u64,
    ) -> Vec<Priced<Self::Witness>>;

    /// The most patterns that a proof returns.
    fn keep(&self) -> usize;

    /// What an exact search proves about a dual point (see [`Proof::of`]); `None` if there is no
    /// proof.
    fn prove(
        &self,
        dual: &DualPoint,
        constraints: Constraints,
        ask: Ask<'_, Self::Witness>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Proof<Self::Witness>>;

    /// About how many elementary steps a proof takes.
    fn cost(&self) -> f64;
}

/// `H(X)`, the patterns of one neuron.
#[derive(Debug, Clone, Copy)]
pub struct Neurons<'a> {
    /// `H(X)`.
    pub arrangement: Arrangement<'a>,
    /// The scaling of the inputs in the local search.
    pub scaling: &'a Scaling,
    /// Proves that no pattern is missing, or bounds how far the rest can be.
    pub prover: &'a Prover<'a>,
    /// The local search of every round; `None` if only the prover searches.
    pub search: Option<LocalSearch>,
}

impl Source for Neurons<'_> {
    type Witness = Hyperplane;

    fn around(&self, in_vain: usize) -> usize {
        self.search.map_or(0, |search| search.starts << in_vain)
    }

    fn search(
        &self,
        z: &[f64],
        used: &[Hyperplane],
        in_vain: usize,
        seed: u64,
    ) -> Vec<Priced<Hyperplane>> {
        let Some(search) = self.search else { return Vec::new() };
        let harder = LocalSearch { starts: search.starts << in_vain, ..search };
        harder.search(&self.arrangement, self.scaling, z, used, seed)
    }

    fn keep(&self) -> usize {
        self.search.map_or(64, |search| search.keep)
    }

    fn prove(
        &self,
        dual: &DualPoint,
        constraints: Constraints,
        ask: Ask<'_>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Proof<Hyperplane>> {
        self.prover.is_exact().then(|| Proof::of(dual, self.prover, constraints, ask, stop))
    }

    fn cost(&self) -> f64 {
        self.prover.cost()
    }
}

/// `H(X; m₁)`, the patterns of subnetworks with two layers. The only known proof is the one that
/// needs no patterns.
#[derive(Debug, Clone, Copy)]
pub struct Subnetworks<'a> {
    /// `H(X)`.
    pub arrangement: Arrangement<'a>,
    /// The scaling of the inputs in the search.
    pub scaling: &'a Scaling,
    /// The search of every round.
    pub search: &'a SubnetworkSearch,
}

impl Source for Subnetworks<'_> {
    type Witness = Subnetwork;

    fn around(&self, in_vain: usize) -> usize {
        self.search.starts << in_vain
    }

    fn search(
        &self,
        z: &[f64],
        used: &[Subnetwork],
        in_vain: usize,
        seed: u64,
    ) -> Vec<Priced<Subnetwork>> {
        let starts = self.search.starts << in_vain;
        self.search.search(&self.arrangement, self.scaling, z, used, (starts, seed))
    }

    fn keep(&self) -> usize {
        self.search.keep
    }

    fn prove(
        &self,
        _dual: &DualPoint,
        _constraints: Constraints,
        _ask: Ask<'_, Subnetwork>,
        _stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Proof<Subnetwork>> {
        None
    }

    fn cost(&self) -> f64 {
        0.0
    }
}
