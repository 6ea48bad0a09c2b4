//! Where generation finds its patterns, and what proves that none is missing.

use std::fmt::Debug;

use super::Budget;
use super::tuning::RULES_A_ROUND;
use crate::arrangement::{Arrangement, Hyperplane, Signs, Subnetwork};
use crate::certificate::{Ask, DualPoint, NetworkClass, Proof};
use crate::data::Scaling;
use crate::pricing::line_search;
use crate::pricing::{Corners, LocalSearch, Priced, Prover, SubnetworkSearch};
use crate::program::Constraints;

/// A set of patterns that can be searched.
pub(crate) trait Source: Debug + Sync {
    /// What realises a pattern.
    type Witness: Clone + Debug;

    /// The networks whose neurons, or subnetworks, have these patterns.
    fn class(&self) -> NetworkClass;

    /// The signs that the output weight of a pattern with this witness may have.
    fn signs(&self, _witness: &Self::Witness) -> Signs {
        Signs::BOTH
    }

    /// How many witnesses in use to search around, after `in_vain` searches in vain.
    fn around(&self, in_vain: usize) -> usize;

    /// Distinct patterns with a large `|dᵀz|`, the largest first, found around those in use; those
    /// up to a threshold, given with `z`, are of no use. The search is harder after every search in
    /// vain, as far as the budget allows.
    fn search(
        &self,
        above: (&[f64], f64),
        used: &[Self::Witness],
        in_vain: usize,
        seed: u64,
        budget: &Budget<'_>,
    ) -> Vec<Priced<Self::Witness>>;

    /// The most patterns that a proof returns.
    fn keep(&self) -> usize;

    /// What an exact search proves about a dual point (see [`Proof::of`]); `None` if there is no
    /// proof.
    fn prove(
        &self,
        _dual: &DualPoint,
        _constraints: Constraints,
        _ask: Ask<'_, Self::Witness>,
        _stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Proof<Self::Witness>> {
        None
    }

    /// About how many elementary steps a proof takes; `None` if there is no proof.
    fn cost(&self) -> Option<f64> {
        None
    }

    /// The elementary steps of all proofs so far, if they are counted.
    fn work(&self) -> Option<u64> {
        None
    }
}

/// `H(X)`, the patterns of one neuron.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Neurons<'a> {
    pub(crate) arrangement: Arrangement<'a>,
    /// The scaling of the inputs in the local search.
    pub(crate) scaling: &'a Scaling,
    /// Proves that no pattern is missing, or bounds how far the rest can be.
    pub(crate) prover: &'a Prover<'a>,
    /// The local search of every round; `None` if the prover knows where to search.
    pub(crate) search: Option<LocalSearch>,
}

impl Source for Neurons<'_> {
    type Witness = Hyperplane;

    fn class(&self) -> NetworkClass {
        let (max_inputs, policy) = (self.prover.max_inputs(), self.prover.policy().clone());
        let class = NetworkClass::two_layers(self.arrangement.has_bias());
        NetworkClass { max_inputs, policy, ..class }
    }

    fn signs(&self, witness: &Hyperplane) -> Signs {
        self.prover.policy().signs_of_neuron(witness)
    }

    fn around(&self, in_vain: usize) -> usize {
        self.search.map_or(0, |search| search.starts << in_vain)
    }

    fn search(
        &self,
        (z, _): (&[f64], f64),
        used: &[Hyperplane],
        in_vain: usize,
        seed: u64,
        budget: &Budget<'_>,
    ) -> Vec<Priced<Hyperplane>> {
        let Some(search) = self.search else {
            let stop = || budget.spent().is_some();
            let (found, steps) = self.prover.sketch(z, self.keep(), seed, &stop);
            budget.count(steps as usize);
            return found;
        };
        let harder = LocalSearch { starts: search.starts << in_vain, ..search };
        climb(harder, &self.arrangement, self.scaling, z, used, seed, budget)
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

    fn cost(&self) -> Option<f64> {
        self.prover.is_exact().then(|| self.prover.cost())
    }

    fn work(&self) -> Option<u64> {
        self.prover.work()
    }
}

/// A local search that takes no longer than the budget allows; its work is counted.
pub(crate) fn climb(
    search: LocalSearch,
    arrangement: &Arrangement<'_>,
    scaling: &Scaling,
    z: &[f64],
    from: &[Hyperplane],
    seed: u64,
    budget: &Budget<'_>,
) -> Vec<Priced> {
    let features = arrangement.features();
    let one = line_search::steps(features.rows(), features.dimension());
    let (search, from_first) = search.within(from.len(), budget.left() / one);
    let stop = || budget.spent().is_some();
    let from = &from[..from_first];
    let (found, taken) = search.search(arrangement, scaling, z, from, seed, &stop);
    budget.count((taken as f64 * one) as usize);
    found
}

/// `H(X; m₁)`, the patterns of subnetworks with two layers. The only known proof is the one that
/// needs no patterns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subnetworks<'a> {
    pub(crate) arrangement: Arrangement<'a>,
    /// The scaling of the inputs in the search.
    pub(crate) scaling: &'a Scaling,
    pub(crate) search: &'a SubnetworkSearch,
}

impl Source for Subnetworks<'_> {
    type Witness = Subnetwork;

    fn class(&self) -> NetworkClass {
        NetworkClass::subnetworks(&[self.search.width()], self.arrangement.has_bias())
    }

    fn around(&self, in_vain: usize) -> usize {
        self.search.starts << in_vain
    }

    fn search(
        &self,
        (z, _): (&[f64], f64),
        used: &[Subnetwork],
        in_vain: usize,
        seed: u64,
        budget: &Budget<'_>,
    ) -> Vec<Priced<Subnetwork>> {
        let starts = self.search.starts << in_vain;
        self.climb(z, used, (starts, seed), budget)
    }

    fn keep(&self) -> usize {
        self.search.keep
    }
}

impl Subnetworks<'_> {
    /// A search from `starts` starts, or from fewer if the budget does not suffice; its work is
    /// counted.
    pub(crate) fn climb(
        &self,
        z: &[f64],
        used: &[Subnetwork],
        (starts, seed): (usize, u64),
        budget: &Budget<'_>,
    ) -> Vec<Priced<Subnetwork>> {
        let features = self.arrangement.features();
        let one = line_search::steps(features.rows(), features.dimension());
        // Those in use climb both ways.
        let climbs = (starts + 2 * used.len()).max(1);
        let each =
            one * self.search.line_searches() as f64 / (3 * self.search.starts).max(1) as f64;
        let part = (budget.left() / (climbs as f64 * each)).min(1.0);
        let fewer = |count: usize| (part * count as f64) as usize;
        let (starts, used) = (fewer(starts).max(2), &used[..fewer(used.len())]);
        let stop = || budget.spent().is_some();
        let Self { arrangement, scaling, search } = *self;
        let (found, taken) = search.search(&arrangement, scaling, z, used, (starts, seed), &stop);
        budget.count((taken as f64 * one) as usize);
        found
    }
}

/// The patterns of rules of two conditions. Single questions come first; then every pair of columns
/// is searched, which is a proof.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules<'a> {
    pub(crate) corners: &'a Corners<'a>,
}

impl Source for Rules<'_> {
    type Witness = Subnetwork;

    fn class(&self) -> NetworkClass {
        let policy = self.corners.policy().clone();
        NetworkClass { policy, ..NetworkClass::of_two_conditions() }
    }

    fn signs(&self, witness: &Subnetwork) -> Signs {
        self.corners.policy().signs_of_subnetwork(witness)
    }

    fn around(&self, _in_vain: usize) -> usize {
        0
    }

    fn search(
        &self,
        (z, threshold): (&[f64], f64),
        _used: &[Subnetwork],
        _in_vain: usize,
        _seed: u64,
        _budget: &Budget<'_>,
    ) -> Vec<Priced<Subnetwork>> {
        self.corners.questions(z, threshold, self.keep())
    }

    fn keep(&self) -> usize {
        RULES_A_ROUND
    }

    fn prove(
        &self,
        dual: &DualPoint,
        constraints: Constraints,
        ask: Ask<'_, Subnetwork>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Proof<Subnetwork>> {
        Some(Proof::of_rules(dual, self.corners, constraints, ask, stop))
    }

    fn cost(&self) -> Option<f64> {
        Some(self.corners.steps())
    }

    fn work(&self) -> Option<u64> {
        Some(self.corners.work())
    }
}
