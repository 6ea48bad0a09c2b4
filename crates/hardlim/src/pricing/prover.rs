//! Chooses a proof by the rank, the number of rows, and the effort.
//!
//! | neurons read | rows | proof |
//! |---|---|---|
//! | one input | any | `Axes`, exact |
//! | two or three inputs | any | `Groups`, exact |
//! | all inputs, rank at most 5 | as many as the effort allows | `Sweep`, exact |
//! | all inputs | at most 128 | `Branch`, exact if the effort suffices |
//! | all inputs | any | `Blocks` |
//!
//! The effort counts nodes of trees, not seconds. So the same effort gives the same bound for any
//! number of threads, and a certificate can be checked again.

use super::axis::Axes;
use super::feasibility::MOST_ROWS;
use super::groups::Groups;
use super::groups::on_grid;
use super::sweep::Sweep;
use super::tuning::{LARGEST_SWEPT, MOST_BYTES, SMALLEST_BLOCK, STEPS_A_NODE, SWEEP_SKETCH};
use super::vertex::Floors;
use super::{BestPatterns, Blocks, Bound, Branch, Priced, distinct_best, parts};
use crate::arrangement::{Arrangement, Policy};
use crate::data::Scaling;
use crate::error::Error;

/// Proves how large `dᵀz` and `−dᵀz` can be over all patterns in scope, for one `z` after the
/// other.
#[derive(Debug)]
pub struct Prover<'a> {
    arrangement: Arrangement<'a>,
    max_inputs: Option<usize>,
    policy: Policy,
    effort: u64,
    method: Method<'a>,
}

#[derive(Debug)]
enum Method<'a> {
    Axes(Axes<'a>),
    Groups(Groups<'a>),
    Sweep(Sweep<'a>),
    Branch(Branch<'a>),
    Blocks(Blocks),
    Complete,
}

impl<'a> Prover<'a> {
    /// Chooses the proof for neurons that read at most `max_inputs` columns, or all of them. The
    /// `effort` is a number of nodes; if it is zero, the bound is that of the complete program.
    ///
    /// # Errors
    /// For numbers of inputs other than one, two, three, and all; for groups of columns that do not
    /// fit into memory.
    pub fn new(
        arrangement: Arrangement<'a>,
        max_inputs: Option<usize>,
        effort: u64,
    ) -> Result<Self, Error> {
        Self::within(arrangement, max_inputs, effort, &Policy::default())
    }

    /// The same over neurons that keep to this, if they read one input; otherwise over all.
    pub(crate) fn within(
        arrangement: Arrangement<'a>,
        max_inputs: Option<usize>,
        effort: u64,
        policy: &Policy,
    ) -> Result<Self, Error> {
        let features = arrangement.features();
        let columns = features.dimension();
        let method = match max_inputs.unwrap_or(columns) {
            1 => Method::Axes(Axes::new(arrangement, policy)),
            inputs if inputs >= columns => Self::all_inputs(arrangement, effort),
            inputs @ (2 | 3) => {
                let bytes = Groups::bytes(&arrangement, inputs);
                if bytes > MOST_BYTES {
                    let (rows, most) = (features.rows(), MOST_BYTES);
                    return Err(Error::TooManyGroups { inputs, columns, rows, bytes, most });
                }
                Method::Groups(Groups::new(arrangement, inputs))
            }
            max_inputs => return Err(Error::MaxInputs { max_inputs, columns }),
        };
        let policy = policy.clone();
        Ok(Self { arrangement, max_inputs, policy, effort, method })
    }

    fn all_inputs(arrangement: Arrangement<'a>, effort: u64) -> Method<'a> {
        if effort == 0 {
            return Method::Complete;
        }
        let steps = effort as f64 * STEPS_A_NODE;
        if let Some(sweep) = Sweep::new(arrangement, LARGEST_SWEPT).filter(|s| s.steps() <= steps) {
            return Method::Sweep(sweep);
        }
        match Branch::new(arrangement) {
            Some(branch) => Method::Branch(branch),
            None => Method::Blocks(Blocks::new(arrangement, block_size(&arrangement, effort))),
        }
    }

    /// The most columns that a neuron may read, if that is limited.
    pub fn max_inputs(&self) -> Option<usize> {
        self.max_inputs
    }

    /// What neurons that read one input keep to.
    pub(crate) fn policy(&self) -> &Policy {
        &self.policy
    }

    pub(crate) fn has_bias(&self) -> bool {
        self.arrangement.has_bias()
    }

    /// The blocks of rows, and the nodes of the tree of each, if the proof adds up bounds over
    /// blocks.
    pub(crate) fn blocks(&self) -> Option<(&Blocks, usize)> {
        match &self.method {
            Method::Blocks(blocks) => Some((blocks, self.nodes(blocks.len()))),
            _ => None,
        }
    }

    /// Good patterns of few inputs that take less time than a proof, at most `keep`, and the
    /// elementary steps that they took.
    pub(crate) fn sketch(
        &self,
        z: &[f64],
        keep: usize,
        seed: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> (Vec<Priced>, f64) {
        match &self.method {
            Method::Groups(groups) => groups.sketch(z, keep, seed, stop),
            _ => (Vec::new(), 0.0),
        }
    }

    /// The elementary steps of all calls of [`Prover::price`] so far, if they are counted.
    pub(crate) fn work(&self) -> Option<u64> {
        match &self.method {
            Method::Groups(groups) => Some(groups.work.so_far()),
            Method::Sweep(sweep) => Some(sweep.work.so_far()),
            _ => None,
        }
    }

    /// Whether bounds beyond the threshold are always exact.
    pub fn is_exact(&self) -> bool {
        matches!(self.method, Method::Axes(_) | Method::Groups(_) | Method::Sweep(_))
    }

    /// About how many elementary steps [`Prover::price`] takes. A core does about `10⁹` of them in
    /// a second.
    pub fn cost(&self) -> f64 {
        let features = self.arrangement.features();
        match &self.method {
            Method::Axes(_) => 40.0 * (features.rows() * features.dimension()) as f64,
            Method::Groups(groups) => groups.steps(),
            Method::Sweep(sweep) => sweep.next_steps(),
            Method::Branch(_) | Method::Blocks(_) => self.effort as f64 * STEPS_A_NODE,
            Method::Complete => features.rows() as f64,
        }
    }

    /// The same before the first call, whatever came since.
    pub(crate) fn first_cost(&self) -> f64 {
        match &self.method {
            Method::Groups(groups) => groups.first_steps(),
            _ => self.cost(),
        }
    }

    /// Upper bounds on `dᵀz` and `−dᵀz`, and at most `keep` patterns with `|dᵀz| > threshold` that
    /// were found on the way or are already `known`.
    ///
    /// Values not beyond the threshold are ignored: if nothing is above the threshold, `above` and
    /// `below` may be the threshold itself. If `stop` returns true, the bounds are less precise,
    /// but they hold.
    ///
    /// # Panics
    /// When `z` does not have one number for each row.
    pub fn price(
        &self,
        z: &[f64],
        known: &[Priced],
        threshold: f64,
        keep: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> BestPatterns {
        assert_eq!(z.len(), self.arrangement.features().rows(), "one number for each row");
        let threshold = on_grid(threshold, z);
        let known = &again(known, z)[..];
        let answer = match &self.method {
            Method::Axes(axes) => Some(axes.price(z, threshold, keep)),
            Method::Groups(groups) => Some(groups.price(z, threshold, keep, stop)),
            Method::Sweep(sweep) => self.sweep(sweep, z, known, threshold, stop),
            Method::Branch(branch) => Some(branch.price(z, known, threshold, self.nodes(1), stop)),
            Method::Blocks(blocks) => Some(blocks.price(z, self.nodes(blocks.len()), stop)),
            Method::Complete => None,
        };
        let (above, below) = parts(z);
        let mut answer =
            answer.unwrap_or(BestPatterns { found: vec![], above, below, bound: Bound::Complete });
        answer.found.extend_from_slice(known);
        answer.found.retain(|p| p.value.abs() > threshold);
        answer.found = distinct_best(answer.found, keep);
        answer
    }

    fn sweep(
        &self,
        sweep: &Sweep<'_>,
        z: &[f64],
        known: &[Priced],
        threshold: f64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<BestPatterns> {
        let features = self.arrangement.features();
        let mut found = known.to_vec();
        if known.iter().all(|p| p.value.abs() <= threshold) {
            let bias = self.arrangement.has_bias();
            let scaling = Scaling::fit(features, &vec![1.0; features.rows()], bias);
            found.extend(SWEEP_SKETCH.search(&self.arrangement, &scaling, z, &[], 0, stop).0);
        }
        let floors = Floors::of(&found, threshold);
        let beyond = sweep.beyond(z, floors, stop)?;
        let (above, below) = (beyond.floors.high, -beyond.floors.low);
        found.extend(beyond.chains().filter_map(|chain| sweep.realise(z, &chain)));
        let bound = Bound::of_extreme(above.max(below), threshold);
        Some(BestPatterns { found, above, below, bound })
    }

    fn nodes(&self, trees: usize) -> usize {
        usize::try_from(self.effort.div_ceil(trees.max(1) as u64)).unwrap_or(usize::MAX)
    }
}

/// The rows of a block: as many as trees of this total effort can mostly solve. The first `2r` rows
/// can mostly all be satisfied; for 48 more rows a tree has about 3000 nodes, and a quarter more
/// for each further row.
fn block_size(arrangement: &Arrangement<'_>, effort: u64) -> usize {
    let rows = arrangement.features().rows();
    let (mut size, mut nodes) = (2 * arrangement.rank() + 48, 3000.0);
    let affordable = |size: usize, nodes: f64| rows.div_ceil(size) as f64 * nodes <= effort as f64;
    while size > SMALLEST_BLOCK && !affordable(size, nodes) {
        (size, nodes) = (size - 1, nodes / 1.25);
    }
    while size < MOST_ROWS && affordable(size + 1, nodes * 1.25) {
        (size, nodes) = (size + 1, nodes * 1.25);
    }
    size.min(MOST_ROWS)
}

/// The patterns of these rows with their values for this `z`.
fn again(known: &[Priced], z: &[f64]) -> Vec<Priced> {
    let worth = |p: &Priced| Priced::new(p.hyperplane.clone(), p.pattern.clone(), z);
    known.iter().filter(|p| p.pattern.samples() == z.len()).map(worth).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Price;
    use super::super::twin::{
        all_patterns, are_what_they_say, does_not_depend_on_threads, extremes, random_problem,
        small_problem,
    };
    use super::*;
    use crate::data::Features;
    use crate::pattern::Pattern;
    use proptest::prelude::{
        Just, ProptestConfig, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
    };

    /// The patterns of neurons that read at most two columns, one pair after the other.
    fn patterns_of_pairs(arrangement: &Arrangement<'_>) -> Vec<Pattern> {
        let x = arrangement.features();
        let pair = |a: usize, b: usize| {
            let values = (0..x.rows()).flat_map(|i| [x.row(i)[a], x.row(i)[b]]).collect();
            let two = Features::new(x.rows(), 2, values).unwrap();
            all_patterns(&Arrangement::with_bias(&two, arrangement.has_bias()))
        };
        (0..x.dimension())
            .flat_map(|a| (0..=a).map(move |b| (a, b)))
            .flat_map(|(a, b)| pair(a, b))
            .collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn no_pattern_is_beyond_the_answer_and_exact_answers_are_reached(
            (features, z) in small_problem(7, 1usize..5, 2), bias in any::<bool>(),
            two in any::<bool>(), effort in prop_oneof![0u64..8, Just(1000)],
            threshold in prop_oneof![Just(0.0), 0.0f64..6.0],
        ) {
            let arrangement = Arrangement::with_bias(&features, bias);
            let patterns =
                if two { patterns_of_pairs(&arrangement) } else { all_patterns(&arrangement) };
            let (high, low) = extremes(&patterns, &z);
            let prover = Prover::new(arrangement, two.then_some(2), effort).unwrap();
            let answer = prover.price(&z, &[], threshold, 5, &|| false);
            prop_assert!(high <= answer.above && -low <= answer.below);
            prop_assert!(answer.price().value <= Price::complete(&z).value.max(threshold));
            if prover.is_exact() && high.max(-low) > threshold {
                prop_assert_eq!(answer.price().value, high.max(-low));
                prop_assert_eq!(answer.found[0].value.abs(), high.max(-low));
                prop_assert!(high <= threshold || answer.above == high);
                prop_assert!(-low <= threshold || answer.below == -low);
            }
            are_what_they_say(&arrangement, &z, &answer.found);
            for priced in &answer.found {
                prop_assert!(priced.value.abs() > threshold && patterns.contains(&priced.pattern));
            }
            // Known patterns do not change a proof, and are among the results.
            let more = prover.price(&z, &answer.found, threshold, 5, &|| false);
            prop_assert!(more.above >= high && more.below >= -low);
            prop_assert_eq!(more.found.first().map(|p| p.value.abs()),
                answer.found.first().map(|p| p.value.abs()));
            // Told to stop at once, it still holds.
            let early = prover.price(&z, &[], threshold, 5, &|| true);
            prop_assert!(early.above >= high && early.below >= -low);
        }
    }

    #[test]
    fn the_more_effort_the_better_the_bound_whatever_the_number_of_threads() {
        let (features, z) = random_problem(200, 3, 4);
        let prover = |effort| Prover::new(Arrangement::of(&features), None, effort).unwrap();
        let price = |effort: u64| prover(effort).price(&z, &[], 0.0, 4, &|| false);
        let (none, some, all) = (price(0), price(200), price(100_000));
        assert!(prover(200).blocks().is_some() && prover(100_000).is_exact());
        does_not_depend_on_threads(|| price(200));
        assert_eq!((none.bound, some.bound), (Bound::Complete, Bound::Search));
        assert!(some.price().value < 0.95 * none.price().value);
        assert!(all.price().value <= some.price().value);
        assert_eq!(all.bound, Bound::Exact);
        assert!(all.found.len() > 1);
    }

    #[test]
    fn what_cannot_be_proven_is_refused_with_numbers() {
        let features = Features::new(2, 5, (0..10).map(f64::from).collect()).unwrap();
        let refused = Prover::new(Arrangement::of(&features), Some(4), 9).unwrap_err();
        assert!(refused.to_string().contains("at most 4 of 5 inputs"), "{refused}");
        assert!(Prover::new(Arrangement::of(&features), Some(0), 9).is_err());
        assert!(Prover::new(Arrangement::of(&features), Some(5), 9).is_ok());
    }
}
