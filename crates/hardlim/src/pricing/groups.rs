//! Neurons that read at most two or three inputs: the best halfspace for every group of columns.
//!
//! Rows that agree on the columns of a group are one point, with the sum of their `z`. Columns with
//! few values give few points, and `max(Σz₊, Σz₋)` over the points is a first bound. Groups that
//! this bound cannot rule out are searched exactly: the list of all patterns if the points are very
//! few ([`super::listed`]), otherwise [`super::space`].
//!
//! A group remembers its last bound. Between two dual points `z` and `z'`, no `dᵀz` grows by more
//! than `Σ(z' − z)₊`, summed over the points of the group. So if `z` moves little, most groups need
//! no search.
//!
//! Groups are prepared when they are first searched, some at a time. A search that is told to stop
//! keeps what the groups before these have found. So it does not depend on the number of threads if
//! it is told by the number of steps.

use std::sync::{Mutex, OnceLock};

use rayon::prelude::*;

use super::boxes::Searched;
use super::line_search;
use super::listed::{Extreme, Listed, Lists};
use super::meter::Work;
use super::points::Points;
use super::space::{self, Space};
use super::sweep::hyperplane;
use super::tuning::{GROUP_SKETCH, GROUPS_AT_A_TIME, SPARE, STEPS_A_ROW};
use super::vertex::Floors;
use super::{BestPatterns, Bound, Priced, distinct_best, parts};
use crate::arrangement::{Arrangement, Hyperplane};
use crate::data::{Features, Scaling};
use crate::exact::dyadic::lowest_bit;
use crate::pattern::Pattern;

/// Every group of two or three columns of an arrangement, with equal rows merged.
#[derive(Debug)]
pub(super) struct Groups<'a> {
    arrangement: Arrangement<'a>,
    groups: Vec<Place>,
    /// The number of values of every column.
    values: Vec<usize>,
    lists: Lists,
    pub(super) work: Work,
}

/// Some columns, what is prepared for them, and what the last search has proven.
#[derive(Debug)]
struct Place {
    columns: Vec<usize>,
    group: OnceLock<Group>,
    memory: Mutex<Memory>,
}

#[derive(Debug)]
struct Group {
    columns: Vec<usize>,
    features: Features,
    scaling: Scaling,
    /// The point of every row.
    point_of: Vec<u32>,
    space: Space,
    /// All patterns, if the points are few.
    listed: Option<Listed>,
}

/// What earlier searches of a group have proven.
#[derive(Debug, Clone, Default)]
struct Memory {
    /// The `z` of the last search.
    z: Vec<f64>,
    /// An upper bound on `dᵀz`, for that `z`.
    above: f64,
    /// An upper bound on `−dᵀz`.
    below: f64,
    learnt: space::Memory,
}

impl Memory {
    /// Upper bounds for another `z`.
    fn bounds(&self, z: &[f64]) -> (f64, f64) {
        let (above, below) = parts(z);
        if self.z.len() != z.len() {
            return (above, below);
        }
        let (mut up, mut down) = (0.0, 0.0);
        for (new, old) in z.iter().zip(&self.z) {
            let step = new - old;
            up += step.max(0.0);
            down += (-step).max(0.0);
        }
        // Differences of numbers on two grids are rounded, and so are their sums.
        let room = 1.0 + 4.0 * f64::EPSILON * (z.len() + 4) as f64;
        let after = |bound: f64, drift: f64| bound + drift * room + bound.abs() * f64::EPSILON;
        (above.min(after(self.above, up)), below.min(after(self.below, down)))
    }
}

/// A pattern of a list, without weights yet, and its group.
type OfGroup<'a> = (&'a Group, Extreme);

/// What one group has found: patterns, and upper bounds on `dᵀz` and `−dᵀz`.
struct Answer {
    found: Vec<Priced>,
    /// Patterns of a list, without weights yet.
    listed: Vec<Extreme>,
    above: f64,
    below: f64,
}

impl<'a> Groups<'a> {
    /// All groups of `inputs` columns. Memory for `n` rows, once they are searched: about `4n`
    /// bytes for the rows of each group and up to `130n` for its points, if all are distinct.
    pub(super) fn new(arrangement: Arrangement<'a>, inputs: usize) -> Self {
        let features = arrangement.features();
        let dimension = features.dimension();
        let place = |columns| Place { columns, group: OnceLock::new(), memory: Mutex::default() };
        let groups = subsets(dimension, inputs.min(dimension)).into_iter().map(place).collect();
        let values = (0..dimension).map(|j| distinct(features, j)).collect();
        Self { arrangement, groups, values, lists: Lists::default(), work: Work::default() }
    }

    /// An upper bound on the bytes that merging the rows of every group takes.
    pub(super) fn bytes(arrangement: &Arrangement<'_>, inputs: usize) -> u64 {
        let features = arrangement.features();
        let rows = features.rows() as u64;
        let values: Vec<u64> =
            (0..features.dimension()).map(|j| distinct(features, j) as u64).collect();
        // A number for every row; sixteen for every point, its names for the columns among them.
        let bytes = |points: u64| 4 * rows + 128 * rows.min(points) + 1024;
        let mut sum = 0u64;
        let mut add = |points: u64| sum = sum.saturating_add(bytes(points));
        for (k, &a) in values.iter().enumerate() {
            for (l, &b) in values[k + 1..].iter().enumerate() {
                let points = a.saturating_mul(b);
                match inputs {
                    2 => add(points),
                    _ => values[k + l + 2..].iter().for_each(|c| add(points.saturating_mul(*c))),
                }
            }
        }
        sum
    }

    /// About how many elementary steps [`Groups::price`] takes.
    pub(super) fn steps(&self) -> f64 {
        self.work.next(|| self.first_steps())
    }

    /// The same before the first call.
    pub(super) fn first_steps(&self) -> f64 {
        let rows = self.arrangement.features().rows();
        let steps = |place: &Place| {
            let product =
                place.columns.iter().fold(1, |p: usize, &j| p.saturating_mul(self.values[j]));
            let rank = place.columns.len() + usize::from(self.arrangement.has_bias());
            STEPS_A_ROW as f64 * rows as f64 + space::steps(product.min(rows), rank)
        };
        self.groups.iter().map(steps).sum()
    }

    /// The extremes of `dᵀz` over all neurons that read the columns of a group, and their best
    /// patterns, a few for each group and `keep` altogether.
    ///
    /// Patterns with `|dᵀz| ≤ threshold` are ignored. An extreme is exact if it is above the
    /// threshold; if nothing is above the threshold, it may be the threshold itself. If `stop`
    /// returns true, the bounds are those of all vectors of zeros and ones.
    ///
    /// # Panics
    /// When `z` does not have one number for each row.
    pub(super) fn price(
        &self,
        z: &[f64],
        threshold: f64,
        keep: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> BestPatterns {
        assert_eq!(z.len(), self.arrangement.features().rows(), "one number for each row");
        let threshold = on_grid(threshold, z);
        let before = self.work.so_far();
        let (mut priced, mut above, mut below) = (Vec::new(), threshold, threshold);
        let mut listed = Vec::new();
        for batch in self.groups.chunks(GROUPS_AT_A_TIME) {
            let answers: Option<Vec<Answer>> =
                batch.par_iter().map(|place| self.search(place, z, threshold, stop)).collect();
            let Some(answers) = answers.filter(|_| !stop()) else {
                let (above, below) = parts(z);
                priced.extend(self.realised(listed, keep));
                let found = distinct_best(priced, keep);
                return BestPatterns { found, above, below, bound: Bound::Complete };
            };
            for (place, answer) in batch.iter().zip(answers) {
                (above, below) = (above.max(answer.above), below.max(answer.below));
                let beyond = answer.found.into_iter().filter(|p| p.value.abs() > threshold);
                priced.extend(beyond.map(|p| self.group(place).widened(p, &self.arrangement)));
                let beyond = answer.listed.into_iter().filter(|e| e.value.abs() > threshold);
                listed.extend(beyond.map(|extreme| (self.group(place), extreme)));
            }
        }
        self.work.end(before);
        priced.extend(self.realised(listed, keep));
        let found = distinct_best(priced, keep);
        let bound = Bound::of_extreme(above.max(below), threshold);
        BestPatterns { found, above, below, bound }
    }

    fn group<'b>(&self, place: &'b Place) -> &'b Group {
        let new = || Group::new(&self.arrangement, place.columns.clone(), &self.lists);
        place.group.get_or_init(new)
    }

    /// Patterns with a large `|dᵀz|`, at most `keep`, by line searches in every group of three
    /// columns, and the elementary steps that they took. For pairs a proof takes hardly longer.
    pub(super) fn sketch(
        &self,
        z: &[f64],
        keep: usize,
        seed: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> (Vec<Priced>, f64) {
        let places = self.groups.par_iter().filter(|place| place.columns.len() > 2);
        let bias = self.arrangement.has_bias();
        let climbed: Vec<(Vec<Priced>, Vec<OfGroup<'_>>, f64)> = places
            .map(|place| {
                if stop() {
                    return (Vec::new(), Vec::new(), 0.0);
                }
                let group = self.group(place);
                let arrangement = group.arrangement(bias);
                let z = group.merge(z);
                if let Some(listed) = &group.listed {
                    let best = listed.extremes(&z).map(|extreme| (group, extreme));
                    return (Vec::new(), best.into(), listed.steps() as f64);
                }
                let (found, taken) =
                    GROUP_SKETCH.search(&arrangement, &group.scaling, &z, &[], seed, stop);
                let widened = found.into_iter().map(|p| group.widened(p, &self.arrangement));
                let one = line_search::steps(group.features.rows(), group.columns.len());
                (widened.collect(), Vec::new(), taken as f64 * one)
            })
            .collect();
        let (mut found, mut listed, mut steps) = (Vec::new(), Vec::new(), 0.0);
        for (own, own_listed, taken) in climbed {
            found.extend(own);
            listed.extend(own_listed);
            steps += taken;
        }
        found.extend(self.realised(listed, keep));
        (distinct_best(found, keep), steps)
    }

    /// The patterns of one group beyond the threshold, and its extremes.
    fn search(
        &self,
        place: &Place,
        z: &[f64],
        threshold: f64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Answer> {
        if stop() {
            return None;
        }
        let steps = if place.group.get().is_some() { 8 } else { STEPS_A_ROW };
        self.work.add(steps * z.len() as u64);
        let group = self.group(place);
        let z = group.merge(z);
        let mut memory = place.memory.lock().expect("no search panics");
        let (above, below) = memory.bounds(&z);
        if above <= threshold && below <= threshold {
            let (found, listed) = (Vec::new(), Vec::new());
            return Some(Answer { found, listed, above: threshold, below: threshold });
        }
        let answer = self.extremes(group, &z, threshold, &mut memory.learnt, stop)?;
        let Answer { above, below, .. } = answer;
        (memory.z, memory.above, memory.below) = (z, above, below);
        let (above, below) = (above.max(threshold), below.max(threshold));
        Some(Answer { above, below, ..answer })
    }

    /// The patterns of one group beyond the threshold, and upper bounds; `None` if told to stop.
    /// The steps are counted.
    fn extremes(
        &self,
        group: &Group,
        z: &[f64],
        threshold: f64,
        learnt: &mut space::Memory,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Answer> {
        let arrangement = group.arrangement(self.arrangement.has_bias());
        if let Some(listed) = &group.listed {
            self.work.add(listed.steps() as u64);
            let listed = listed.extremes(z);
            let (above, below) = (listed[0].value, -listed[1].value);
            return Some(Answer { found: Vec::new(), listed: listed.into(), above, below });
        }
        let mut found = Vec::new();
        // The best of some line searches saves most of a long search.
        if group.columns.len() > 2 {
            let one = line_search::steps(group.features.rows(), group.columns.len());
            let taken;
            (found, taken) = GROUP_SKETCH.search(&arrangement, &group.scaling, z, &[], 0, stop);
            self.work.add((taken as f64 * one) as u64);
        }
        let floors = Floors::of(&found, threshold);
        let searched = group.space.search(z, floors, learnt, &self.work.counter, stop)?;
        let Searched { found: beyond, within } = searched;
        let (mut above, mut below) = (within.high, -within.low);
        // What the line searches found is not ruled out.
        for priced in &found {
            (above, below) = (above.max(priced.value), below.max(-priced.value));
        }
        for chain in beyond.chains() {
            if let Some(hyperplane) = hyperplane(&group.space.points, &chain, group.columns.len()) {
                found.extend(super::price_all(&arrangement, z, vec![hyperplane]));
            }
        }
        Some(Answer { found, listed: Vec::new(), above, below })
    }

    /// The best patterns of lists with their weights, as patterns of the rows. Some more than
    /// `keep`, because groups may have the same patterns.
    fn realised(&self, mut listed: Vec<OfGroup<'_>>, keep: usize) -> Vec<Priced> {
        listed.sort_by(|(_, a), (_, b)| b.value.abs().total_cmp(&a.value.abs()));
        listed.truncate(SPARE * keep);
        let realised = |(group, extreme): OfGroup<'_>| {
            let pattern = Pattern::from_fn(extreme.on.len(), |i| extreme.on[i]);
            let hyperplane = group.arrangement(self.arrangement.has_bias()).witness(&pattern)?;
            let priced = Priced { hyperplane, pattern, value: extreme.value + 0.0 };
            Some(group.widened(priced, &self.arrangement))
        };
        listed.into_par_iter().filter_map(realised).collect()
    }
}

fn distinct(features: &Features, j: usize) -> usize {
    let mut column: Vec<f64> = (0..features.rows()).map(|i| features.row(i)[j]).collect();
    column.sort_unstable_by(f64::total_cmp);
    column.dedup();
    column.len()
}

/// All subsets of `size` columns, in order.
pub(super) fn subsets(dimension: usize, size: usize) -> Vec<Vec<usize>> {
    let mut subsets = vec![Vec::new()];
    for _ in 0..size {
        let longer = |set: Vec<usize>| {
            let next = set.last().map_or(0, |last| last + 1);
            (next..dimension).map(move |j| set.iter().copied().chain([j]).collect())
        };
        subsets = subsets.into_iter().flat_map(longer).collect();
    }
    subsets
}

/// The threshold, rounded down to the grid of `z`. A sum exceeds one exactly when it exceeds the
/// other, and differences from it are exact.
pub(super) fn on_grid(threshold: f64, z: &[f64]) -> f64 {
    let Some(exponent) = lowest_bit(z.iter().copied()) else { return 0.0 };
    let unit = 2f64.powi(exponent);
    // No sum is above the larger part.
    let (above, below) = parts(z);
    (threshold.clamp(0.0, above.max(below)) / unit).floor() * unit
}

impl Group {
    fn new(arrangement: &Arrangement<'_>, columns: Vec<usize>, lists: &Lists) -> Self {
        let all = arrangement.features();
        let values = (0..all.rows()).flat_map(|i| columns.iter().map(move |&j| all.row(i)[j]));
        let features = Features::new(all.rows(), columns.len(), values.collect());
        let (features, point_of) = features.expect("columns of features").merge();
        let points = Arrangement::with_bias(&features, arrangement.has_bias());
        let points = Points::of(&points, columns.len() + 1).expect("the columns and a bias");
        let space = Space::new(points, columns.len());
        let scaling = Scaling::fit(&features, &vec![1.0; features.rows()], arrangement.has_bias());
        let listed = lists.of(&features).filter(|_| arrangement.has_bias());
        Self { columns, features, scaling, point_of, space, listed }
    }

    /// `z` added up over the rows of every point.
    fn merge(&self, z: &[f64]) -> Vec<f64> {
        let mut merged = vec![0.0; self.features.rows()];
        self.point_of.iter().zip(z).for_each(|(&p, z)| merged[p as usize] += z);
        merged
    }

    fn arrangement(&self, bias: bool) -> Arrangement<'_> {
        Arrangement::with_bias(&self.features, bias)
    }

    /// A pattern of the points as one of the rows.
    fn widened(&self, priced: Priced, arrangement: &Arrangement<'_>) -> Priced {
        let mut weights = vec![0.0; arrangement.features().dimension()];
        for (&j, w) in self.columns.iter().zip(priced.hyperplane.weights) {
            weights[j] = w;
        }
        let on = |i: usize| priced.pattern.get(self.point_of[i] as usize);
        Priced {
            hyperplane: Hyperplane { weights, bias: priced.hyperplane.bias },
            pattern: Pattern::from_fn(self.point_of.len(), on),
            value: priced.value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::twin::{
        all_patterns, are_what_they_say, extremes, random_problem, small_problem,
    };
    use super::*;
    use crate::exact::sum::round_to_grid;
    use proptest::prelude::*;

    /// The extremes over all patterns of every group, by their definition.
    fn plain(arrangement: &Arrangement<'_>, inputs: usize, z: &[f64]) -> (f64, f64) {
        let x = arrangement.features();
        let total = z.iter().sum::<f64>();
        let off = if arrangement.has_bias() { 0.0 } else { total };
        let (mut most, mut least) = (total.max(off), total.min(off));
        for columns in subsets(x.dimension(), inputs.min(x.dimension())) {
            let row = |i: usize| columns.iter().map(move |&j| x.row(i)[j]);
            let values = (0..x.rows()).flat_map(row).collect();
            let few = Features::new(x.rows(), columns.len(), values).unwrap();
            let group = Arrangement::with_bias(&few, arrangement.has_bias());
            let (high, low) = extremes(&all_patterns(&group), z);
            (most, least) = (most.max(high), least.min(low));
        }
        (most, least)
    }

    fn check(
        groups: &Groups<'_>,
        inputs: usize,
        z: &[f64],
        threshold: f64,
        keep: usize,
    ) -> Result<(), TestCaseError> {
        let arrangement = groups.arrangement;
        let (high, low) = plain(&arrangement, inputs, z);
        let BestPatterns { found, above, below, bound } =
            groups.price(z, threshold, keep, &|| false);
        prop_assert!(found.len() <= keep);
        let best = high.max(-low);
        for (extreme, bound) in [(high, above), (-low, below)] {
            if extreme > threshold {
                prop_assert_eq!(extreme, bound);
            } else {
                prop_assert!(extreme <= bound && bound <= threshold);
            }
        }
        if best > threshold {
            prop_assert_eq!(bound, Bound::Exact);
            prop_assert_eq!(found[0].value.abs(), best);
        } else {
            prop_assert!(found.is_empty());
        }
        are_what_they_say(&arrangement, z, &found);
        prop_assert!(found.iter().all(|priced| priced.hyperplane.reads() <= inputs));
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn the_bound_is_the_best_group_and_is_reached(
            (features, z) in small_problem(8, 0usize..5, 2), bias in any::<bool>(),
            inputs in 2usize..4, steps in prop::collection::vec(-1.0f64..1.0, 8),
            threshold in prop_oneof![Just(0.0), 0.0f64..8.0], keep in 1usize..4,
            size in prop_oneof![Just(1e-3), Just(0.1), Just(1.0)],
        ) {
            let arrangement = Arrangement::with_bias(&features, bias);
            let groups = Groups::new(arrangement, inputs);
            check(&groups, inputs, &z, threshold, keep)?;
            // What it remembers changes nothing.
            let mut next: Vec<f64> = z.iter().zip(steps).map(|(z, s)| z + size * s).collect();
            round_to_grid(&mut next);
            check(&groups, inputs, &next, threshold, keep)?;
            check(&groups, inputs, &z, threshold / 2.0, keep)?;
        }
    }

    #[test]
    fn a_second_proof_near_the_first_needs_no_search() {
        let (features, z) = random_problem(80, 4, 1);
        for inputs in [2, 3] {
            let groups = Groups::new(Arrangement::of(&features), inputs);
            let best = groups.price(&z, 0.0, 4, &|| false).price().value;
            let first = groups.work.so_far();
            let mut near: Vec<f64> = z.iter().map(|z| z * (1.0 + 1e-4)).collect();
            round_to_grid(&mut near);
            let answer = groups.price(&near, 1.01 * best, 4, &|| false);
            assert!(answer.found.is_empty());
            assert!(
                10 * (groups.work.so_far() - first) < first,
                "{first} steps, then {}",
                groups.work.so_far()
            );
        }
    }
}
