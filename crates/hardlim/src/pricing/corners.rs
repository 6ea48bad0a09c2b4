//! Rules of two conditions: `age ≥ 45 and income < 1800`, exactly.
//!
//! A subnetwork of two neurons that read one input each, and a neuron on top, answers with a
//! threshold function of two bits: one of 14. They are the corners `1{xᵢ ≥ s and xⱼ < t}` of two
//! columns in their four orientations, the bands `1{s ≤ xᵢ < t}` of one column, single questions,
//! constants, and the complements of all of these, whose sums are `Σz − dᵀz`. With
//!
//! ```text
//! F(s, t) = Σ {z of the rows with xᵢ < s and xⱼ < t},    C(t) = F(∞, t),    R(s) = F(s, ∞)
//! ```
//!
//! the four corners of `(s, t)` have the sums `F`, `R − F`, `C − F` and `Σz − R − C + F`. So all
//! that is needed for a pair of columns are the extremes of `F(s, ·)` and `(C − F)(s, ·)` for every
//! `s`: from two-dimensional prefix sums, `O(values × values)`, or, where columns have many values,
//! from two trees of prefix extremes that take the rows one after the other, `O(n log n)`. All sums
//! are exact, because `z` lies on a grid.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::axis::Axes;
use super::groups::on_grid;
use super::meter::Work;
use super::tuning::{CELLS, LEAVES, PAIRS_AT_A_TIME, REMEMBERED_POINTS, SPARE};
use super::{BestPatterns, Bound, Priced, distinct_best, parts};
use crate::arrangement::{Arrangement, Hyperplane, Policy, Signs, Subnetwork};
use crate::pattern::Pattern;

/// All rules of at most two conditions.
#[derive(Debug)]
pub(crate) struct Corners<'a> {
    axes: Axes<'a>,
    policy: Policy,
    /// For every column, the place of every row among its values.
    places: Vec<Vec<u32>>,
    /// The pairs of columns, that with more values first. A column with itself has the bands.
    pairs: Vec<[usize; 2]>,
    memory: Mutex<Memory>,
    pub(super) work: Work,
}

/// The extremes of every pair for earlier `z`.
#[derive(Debug, Default)]
struct Memory {
    /// The last `z`, the newest last, each with its number.
    points: Vec<(usize, Vec<f64>)>,
    /// For every pair the number of a `z`, and the extremes for it.
    known: Vec<Option<(usize, [f64; 2])>>,
    searches: usize,
}

/// Rows below or above a cut of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Question {
    column: usize,
    /// The number of values below the cut.
    cut: usize,
    above: bool,
}

/// The rows for which both questions are answered with yes, or the others.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rule {
    questions: [Question; 2],
    all: bool,
    value: f64,
}

/// The largest and the smallest sum of a pair, and rules beyond the threshold.
struct Answer {
    extremes: [f64; 2],
    rules: Vec<Rule>,
}

impl Corners<'_> {
    /// Sorts the columns. Rules keep to the policy: where the output goes up or down with an input,
    /// so does every rule, times its weight.
    ///
    /// # Panics
    /// When neurons have no bias.
    pub(crate) fn new<'a>(arrangement: Arrangement<'a>, policy: &Policy) -> Corners<'a> {
        assert!(arrangement.has_bias(), "a cut needs a bias");
        let axes = Axes::new(arrangement, policy);
        let rows = arrangement.features().rows();
        let places = (0..arrangement.features().dimension()).map(|j| {
            let (axis, mut places, mut start) = (axes.axis(j), vec![0; rows], 0);
            for (place, &end) in axis.ends.iter().enumerate() {
                let here = &axis.order[start..end as usize];
                here.iter().for_each(|&i| places[i as usize] = place as u32);
                start = end as usize;
            }
            places
        });
        let places: Vec<Vec<u32>> = places.collect();
        let values = |j: usize| axes.axis(j).ends.len();
        let varies: Vec<usize> = (0..places.len()).filter(|&j| values(j) > 1).collect();
        let mut pairs = Vec::new();
        for (k, &a) in varies.iter().enumerate() {
            // A band goes up and down.
            let bands = values(a) > 2 && policy.signs(a, true) == Signs::BOTH;
            pairs.extend(bands.then_some([a, a]));
            let ordered = |&b: &usize| if values(b) > values(a) { [b, a] } else { [a, b] };
            let others = varies[k + 1..].iter().filter(|&&b| policy.lets_meet([a, b]));
            pairs.extend(others.map(ordered));
        }
        let (policy, memory, work) = (policy.clone(), Mutex::default(), Work::default());
        Corners { axes, policy, places, pairs, memory, work }
    }

    /// What rules keep to.
    pub(crate) fn policy(&self) -> &Policy {
        &self.policy
    }

    /// About how many elementary steps [`Self::price`] takes.
    pub(crate) fn steps(&self) -> f64 {
        self.work.next(|| self.pairs.iter().map(|pair| self.steps_of(*pair) as f64).sum())
    }

    /// The elementary steps of all calls so far.
    pub(crate) fn work(&self) -> u64 {
        self.work.so_far()
    }

    /// Single questions with `|dᵀz| > threshold`, at most `keep`.
    pub(crate) fn questions(
        &self,
        z: &[f64],
        threshold: f64,
        keep: usize,
    ) -> Vec<Priced<Subnetwork>> {
        self.axes.price(z, threshold, keep).found.into_iter().map(passed_on).collect()
    }

    /// The extremes of `dᵀz`, exactly where they are above the threshold; if nothing is, they may
    /// be the threshold itself. Also rules with `|dᵀz| > threshold`, at most `keep`: the best of
    /// every pair before others. Where `Σz = 0`, a complement has the same `|dᵀz|`, and is among
    /// them only if both are needed. If `stop` returns true, the bounds are those of all vectors of
    /// zeros and ones.
    ///
    /// # Panics
    /// When `z` does not have one number for each row.
    pub(crate) fn price(
        &self,
        z: &[f64],
        (threshold, keep, both): (f64, usize, bool),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> BestPatterns<Subnetwork> {
        let threshold = on_grid(threshold, z);
        let total: f64 = z.iter().sum();
        let both = both || total != 0.0;
        let single = self.axes.price(z, threshold, keep);
        let (mut above, mut below) = (single.above.max(threshold), single.below.max(threshold));
        let mut found: Vec<Priced<Subnetwork>> = single.found.into_iter().map(passed_on).collect();
        let bounds = self.bounds(z);
        let before = self.work.so_far();
        let (mut rules, mut extremes) = (Vec::new(), Vec::with_capacity(self.pairs.len()));
        for start in (0..self.pairs.len()).step_by(PAIRS_AT_A_TIME) {
            let batch = start..self.pairs.len().min(start + PAIRS_AT_A_TIME);
            let search = |k: usize| {
                let within = |[high, low]: [f64; 2]| {
                    high.max(total - low) <= threshold && (-low).max(high - total) <= threshold
                };
                let hopeless = bounds.as_ref().is_some_and(|bounds| bounds[k].is_some_and(within));
                (!hopeless).then(|| self.search(self.pairs[k], z, total, threshold, both))
            };
            let answers: Vec<Option<Answer>> = batch.into_par_iter().map(search).collect();
            if stop() {
                let (above, below) = parts(z);
                found.extend(self.realised(rules, keep));
                let found = distinct_best(found, keep);
                return BestPatterns { found, above, below, bound: Bound::Complete };
            }
            for answer in answers {
                extremes.push(answer.as_ref().map(|answer| answer.extremes));
                let Some(Answer { extremes: [high, low], rules: beyond }) = answer else {
                    continue;
                };
                (above, below) = (above.max(high).max(total - low), below.max(-low));
                below = below.max(high - total);
                rules.extend(beyond.into_iter().enumerate());
            }
        }
        self.work.end(before);
        self.remember(z, &extremes);
        found.extend(self.realised(rules, keep));
        let bound = Bound::of_extreme(above.max(below), threshold);
        BestPatterns { found: distinct_best(found, keep), above, below, bound }
    }

    /// Bounds on the extremes of every pair, from those of earlier `z`.
    fn bounds(&self, z: &[f64]) -> Option<Vec<Option<[f64; 2]>>> {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        // Differences of numbers on two grids are rounded, and so are their sums.
        let room = 1.0 + 4.0 * f64::EPSILON * (z.len() + 4) as f64;
        let drift = |(number, point): &(usize, Vec<f64>)| {
            let (mut up, mut down) = (0.0, 0.0);
            for (new, old) in z.iter().zip(point) {
                let step = new - old;
                up += step.max(0.0);
                down += (-step).max(0.0);
            }
            (*number, [up * room, down * room])
        };
        let drifts: Vec<(usize, [f64; 2])> = memory.points.iter().map(drift).collect();
        let bound = |known: &Option<(usize, [f64; 2])>| {
            let (number, [high, low]) = (*known)?;
            let (_, [up, down]) = drifts.iter().find(|drift| drift.0 == number)?;
            let rounding = |v: f64| v.abs() * 2.0 * f64::EPSILON;
            Some([high + up + rounding(high), low - down - rounding(low)])
        };
        (!drifts.is_empty()).then(|| memory.known.iter().map(bound).collect())
    }

    fn remember(&self, z: &[f64], extremes: &[Option<[f64; 2]>]) {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let number = memory.searches;
        memory.searches += 1;
        memory.known.resize(self.pairs.len(), None);
        for (known, extremes) in memory.known.iter_mut().zip(extremes) {
            *known = extremes.map(|extremes| (number, extremes)).or(*known);
        }
        if memory.points.len() == REMEMBERED_POINTS {
            memory.points.remove(0);
        }
        memory.points.push((number, z.to_vec()));
    }

    fn values(&self, column: usize) -> usize {
        self.axes.axis(column).ends.len()
    }

    /// Whether prefix sums are the cheaper way for a pair.
    fn has_few_cells(&self, [outer, inner]: [usize; 2]) -> bool {
        let cells = (self.values(outer) * self.values(inner)) as f64;
        cells * CELLS <= self.leaves([outer, inner])
    }

    /// The steps of the trees of a pair.
    fn leaves(&self, [_, inner]: [usize; 2]) -> f64 {
        let height = (self.values(inner) as f64).log2().ceil() + 1.0;
        self.places[inner].len() as f64 * height * LEAVES
    }

    fn steps_of(&self, pair: [usize; 2]) -> u64 {
        let (cells, rows) = (self.values(pair[0]) * self.values(pair[1]), self.places[0].len());
        if pair[0] == pair[1] {
            rows as u64
        } else if self.has_few_cells(pair) {
            rows as u64 + (CELLS * cells as f64) as u64
        } else {
            rows as u64 + self.leaves(pair) as u64
        }
    }

    fn search(
        &self,
        pair: [usize; 2],
        z: &[f64],
        total: f64,
        threshold: f64,
        both: bool,
    ) -> Answer {
        self.work.add(self.steps_of(pair));
        let mut rules: Vec<Rule> = if pair[0] == pair[1] {
            self.bands(pair[0], z)
        } else {
            let mut best = Best::new(total);
            if self.has_few_cells(pair) {
                self.by_cells(pair, z, &mut best);
            } else {
                self.by_trees(pair, z, &mut best);
            }
            best.corners.iter().flatten().map(|&corner| rule(pair, corner)).collect()
        };
        rules.retain(|rule| self.is_of_use(rule));
        let high = rules.iter().map(|r| r.value).fold(0.0, f64::max);
        let low = rules.iter().map(|r| r.value).fold(0.0, f64::min);
        let beyond = |value: f64| value.abs() > threshold;
        rules.retain(|r| r.value != 0.0 && (beyond(r.value) || both && beyond(total - r.value)));
        if pair[0] != pair[1] {
            rules.iter_mut().for_each(|rule| self.complete(pair, z, rule));
        }
        if both {
            rules.extend(rules.clone().into_iter().map(|rule| rule.complement(total)));
        }
        rules.retain(|rule| beyond(rule.value) && self.is_of_use(rule));
        rules.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        Answer { extremes: [high, low], rules }
    }

    /// Whether a weight that makes use of a rule has a sign that is allowed. A complement may have
    /// the opposite signs.
    fn is_of_use(&self, rule: &Rule) -> bool {
        let signs = rule.questions.map(|q| self.policy.signs(q.column, q.above));
        signs[0].and(signs[1]).allow(-rule.value)
    }

    /// The bands of a column with the largest and the smallest sum.
    fn bands(&self, column: usize, z: &[f64]) -> Vec<Rule> {
        let axis = self.axes.axis(column);
        let (mut sum, mut start) = (0.0, 0);
        let (mut least, mut most) = ((0.0, 0), (0.0, 0));
        let (mut high, mut low) = ((0.0, 0, 0), (0.0, 0, 0));
        for (k, &end) in axis.ends.iter().enumerate() {
            sum += axis.order[start..end as usize].iter().map(|&i| z[i as usize]).sum::<f64>();
            start = end as usize;
            if sum - least.0 > high.0 {
                high = (sum - least.0, least.1, k + 1);
            }
            if sum - most.0 < low.0 {
                low = (sum - most.0, most.1, k + 1);
            }
            if sum < least.0 {
                least = (sum, k + 1);
            }
            if sum > most.0 {
                most = (sum, k + 1);
            }
        }
        let band = |(value, from, to): (f64, usize, usize)| Rule {
            questions: [
                Question { column, cut: from, above: true },
                Question { column, cut: to, above: false },
            ],
            all: true,
            value,
        };
        vec![band(high), band(low)]
    }

    /// The extremes from prefix sums over all cells.
    fn by_cells(&self, [outer, inner]: [usize; 2], z: &[f64], best: &mut Best) {
        let width = self.values(inner);
        let mut cells = vec![0.0; self.values(outer) * width];
        for ((&a, &b), z) in self.places[outer].iter().zip(&self.places[inner]).zip(z) {
            cells[a as usize * width + b as usize] += z;
        }
        let mut all = vec![0.0; width];
        for row in cells.chunks_exact(width) {
            all.iter_mut().zip(row).for_each(|(sum, z)| *sum += z);
        }
        let mut sum = 0.0;
        for all in &mut all {
            sum += *all;
            *all = sum;
        }
        let mut columns = vec![0.0; width];
        for (k, row) in cells.chunks_exact(width).enumerate() {
            let mut sum = 0.0;
            let mut ends = Ends::default();
            for ((column, z), all) in columns.iter_mut().zip(row).zip(&all) {
                *column += z;
                sum += *column;
                ends.take(sum, all - sum);
            }
            best.take(k + 1, sum, ends);
        }
    }

    /// The extremes from trees that take the rows in the order of the outer column.
    fn by_trees(&self, [outer, inner]: [usize; 2], z: &[f64], best: &mut Best) {
        let (axis, places) = (self.axes.axis(outer), &self.places[inner]);
        let mut tree = Tree::new(self.values(inner), places, z);
        let mut start = 0;
        for (k, &end) in axis.ends.iter().enumerate() {
            for &i in &axis.order[start..end as usize] {
                tree.take(places[i as usize] as usize, z[i as usize]);
            }
            start = end as usize;
            let Node { sum, ends, .. } = tree.nodes[1];
            best.take(k + 1, sum, ends);
        }
    }

    /// Finds the cut of the inner column that gives a corner its value.
    fn complete(&self, [outer, inner]: [usize; 2], z: &[f64], corner: &mut Rule) {
        let [first, second] = corner.questions;
        let mut sums = vec![0.0; self.values(inner)];
        for ((&a, &b), z) in self.places[outer].iter().zip(&self.places[inner]).zip(z) {
            if first.holds(a) {
                sums[b as usize] += z;
            }
        }
        let inside: f64 = sums.iter().sum();
        let below = sums.iter().scan(0.0, |below, sum| {
            *below += sum;
            Some(if second.above { inside - *below } else { *below })
        });
        let at = std::iter::once(if second.above { inside } else { 0.0 }).chain(below);
        let cut = at.into_iter().position(|sum| sum == corner.value);
        corner.questions[1].cut = cut.expect("sums on a grid have one value");
    }

    /// The rules as subnetworks with their patterns: the best of every pair first, and some more
    /// than `keep`, because pairs may have the same patterns.
    fn realised(&self, mut rules: Vec<(usize, Rule)>, keep: usize) -> Vec<Priced<Subnetwork>> {
        rules.sort_by(|(i, a), (j, b)| i.cmp(j).then(b.value.abs().total_cmp(&a.value.abs())));
        rules.truncate(SPARE * keep);
        rules.into_par_iter().map(|(_, rule)| self.realise(&rule)).collect()
    }

    fn realise(&self, rule: &Rule) -> Priced<Subnetwork> {
        let [first, second] = rule.questions;
        let [a, b] = [first, second].map(|question| &self.places[question.column]);
        let rows = self.axes.arrangement().features().rows();
        let pattern = Pattern::from_fn(rows, |i| match [first.holds(a[i]), second.holds(b[i])] {
            [true, true] => true,
            [one, other] => !rule.all && (one || other),
        });
        // Questions that all rows answer alike are left out.
        let asks = |q: &&Question| q.cut > 0 && q.cut < self.values(q.column);
        let planes: Vec<Hyperplane> =
            rule.questions.iter().filter(asks).map(|q| self.plane(q)).collect();
        let hyperplane = match planes.len() {
            0 => constant(self.axes.arrangement(), pattern.get(0)),
            asked => {
                let least = if rule.all { asked } else { 1 };
                let last = Hyperplane { weights: vec![1.0; asked], bias: -(least as f64) };
                Subnetwork::new(vec![planes, vec![last]])
            }
        };
        Priced { hyperplane, pattern, value: rule.value + 0.0 }
    }

    fn plane(&self, question: &Question) -> Hyperplane {
        let Question { column, cut, above } = *question;
        let place = self.axes.axis(column).ends[cut - 1] as usize;
        self.axes.plane(column, place, above)
    }
}

/// A subnetwork that is always on, or never.
fn constant(arrangement: &Arrangement<'_>, on: bool) -> Subnetwork {
    let bias = if on { 1.0 } else { -1.0 };
    let plane = Hyperplane::constant(arrangement.features().dimension(), bias);
    let last = Hyperplane { weights: vec![1.0], bias: -1.0 };
    Subnetwork::new(vec![vec![plane], vec![last]])
}

/// The subnetwork with the same answers as one neuron.
fn passed_on(priced: Priced) -> Priced<Subnetwork> {
    let Priced { hyperplane, pattern, value } = priced;
    let last = Hyperplane { weights: vec![1.0], bias: -1.0 };
    Priced { hyperplane: Subnetwork::new(vec![vec![hyperplane], vec![last]]), pattern, value }
}

impl Question {
    /// The answer of a row at this place of the column.
    fn holds(&self, place: u32) -> bool {
        ((place as usize) < self.cut) != self.above
    }
}

impl Rule {
    /// The rows for which this rule does not hold.
    fn complement(self, total: f64) -> Self {
        let turned = self.questions.map(|q| Question { above: !q.above, ..q });
        Self { questions: turned, all: !self.all, value: total - self.value }
    }
}

/// A corner before its second cut is known: the first cut, on which sides of both, and the sum.
#[derive(Debug, Clone, Copy)]
struct Corner {
    cut: usize,
    above: [bool; 2],
    value: f64,
}

fn rule([outer, inner]: [usize; 2], corner: Corner) -> Rule {
    let [first, second] = corner.above;
    Rule {
        questions: [
            Question { column: outer, cut: corner.cut, above: first },
            Question { column: inner, cut: 0, above: second },
        ],
        all: true,
        value: corner.value,
    }
}

/// The extremes over prefixes: of `F(s, ·)` and of `(C − F)(s, ·)`. The empty prefix is one, too.
#[derive(Debug, Clone, Copy, Default)]
struct Ends {
    high: f64,
    low: f64,
    rest_high: f64,
    rest_low: f64,
}

impl Ends {
    #[inline]
    fn take(&mut self, sum: f64, rest: f64) {
        // No number is NaN, so these are single instructions.
        self.high = if sum > self.high { sum } else { self.high };
        self.low = if sum < self.low { sum } else { self.low };
        self.rest_high = if rest > self.rest_high { rest } else { self.rest_high };
        self.rest_low = if rest < self.rest_low { rest } else { self.rest_low };
    }
}

/// The corners of a pair with the largest and the smallest sum in every orientation.
struct Best {
    total: f64,
    corners: [[Corner; 2]; 4],
}

impl Best {
    fn new(total: f64) -> Self {
        let both = |above| [Corner { cut: 0, above, value: 0.0 }; 2];
        let sides = [[false, false], [false, true], [true, false], [true, true]];
        Self { total, corners: sides.map(both) }
    }

    /// The extremes with this first cut; the rows below it have the sum `below`.
    fn take(&mut self, cut: usize, below: f64, ends: Ends) {
        let rest = self.total - below;
        let found = [
            [ends.high, ends.low],
            [below - ends.low, below - ends.high],
            [ends.rest_high, ends.rest_low],
            [rest - ends.rest_low, rest - ends.rest_high],
        ];
        for (corners, [high, low]) in self.corners.iter_mut().zip(found) {
            if high > corners[0].value {
                (corners[0].cut, corners[0].value) = (cut, high);
            }
            if low < corners[1].value {
                (corners[1].cut, corners[1].value) = (cut, low);
            }
        }
    }
}

/// The sums and the extremes over prefixes of the places below a node: of the rows taken, and of
/// the others.
#[derive(Debug, Clone, Copy, Default)]
struct Node {
    sum: f64,
    rest: f64,
    ends: Ends,
}

impl Node {
    fn leaf(sum: f64, rest: f64) -> Self {
        let mut ends = Ends::default();
        ends.take(sum, rest);
        Self { sum, rest, ends }
    }

    #[inline]
    fn join(left: &Self, right: &Self) -> Self {
        let most = |a: f64, b: f64| if b > a { b } else { a };
        let least = |a: f64, b: f64| if b < a { b } else { a };
        let ends = Ends {
            high: most(left.ends.high, left.sum + right.ends.high),
            low: least(left.ends.low, left.sum + right.ends.low),
            rest_high: most(left.ends.rest_high, left.rest + right.ends.rest_high),
            rest_low: least(left.ends.rest_low, left.rest + right.ends.rest_low),
        };
        Self { sum: left.sum + right.sum, rest: left.rest + right.rest, ends }
    }
}

/// A tree over the places of a column; node `k` is above `2k` and `2k + 1`.
struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// The tree before any row is taken.
    fn new(values: usize, places: &[u32], z: &[f64]) -> Self {
        let first = values.next_power_of_two();
        let mut nodes = vec![Node::default(); 2 * first];
        for (&place, z) in places.iter().zip(z) {
            nodes[first + place as usize].rest += z;
        }
        nodes[first..].iter_mut().for_each(|node| *node = Node::leaf(0.0, node.rest));
        for k in (1..first).rev() {
            nodes[k] = Node::join(&nodes[2 * k], &nodes[2 * k + 1]);
        }
        Self { nodes }
    }

    /// Takes a row of this place.
    fn take(&mut self, place: usize, z: f64) {
        let mut k = self.nodes.len() / 2 + place;
        let Node { sum, rest, .. } = self.nodes[k];
        self.nodes[k] = Node::leaf(sum + z, rest - z);
        while k > 1 {
            k /= 2;
            self.nodes[k] = Node::join(&self.nodes[2 * k], &self.nodes[2 * k + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::twin::{
        does_not_depend_on_threads, random_problem, small_problem, some_trends,
    };
    use super::*;
    use crate::data::Features;
    use crate::pattern::kernel;
    use proptest::prelude::*;

    /// Every threshold function of two bits that are questions about one column each: the largest
    /// sum of those that may have a negative weight, and the smallest of those that may have a
    /// positive one.
    fn plain(features: &Features, z: &[f64], policy: &Policy) -> (f64, f64) {
        let rows = features.rows();
        let sides = |j: usize| {
            let column = move |i: usize| features.row(i)[j];
            let cut = move |k: usize| (j, (0..rows).map(|i| column(i) >= column(k)).collect());
            (0..rows).map(cut)
        };
        // No column has the number of all.
        let mut questions: Vec<(usize, Vec<bool>)> = vec![(usize::MAX, vec![true; rows])];
        questions.extend((0..features.dimension()).flat_map(sides));
        let (mut high, mut low) = (0.0f64, 0.0f64);
        for (first, a) in &questions {
            for (second, b) in &questions {
                for code in 0..16usize {
                    // All functions of two bits but exclusive or and its complement.
                    if code == 0b0110 || code == 0b1001 {
                        continue;
                    }
                    let holds = |a: usize, b: usize| code >> (2 * a + b) & 1;
                    let on = |i: &usize| holds(usize::from(a[*i]), usize::from(b[*i])) == 1;
                    let sum: f64 = (0..rows).filter(on).map(|i| z[i]).sum();
                    // Where a bit of a question changes the answer, and which way.
                    let steps = [0, 1].into_iter().flat_map(|bit| {
                        [
                            (*first, holds(0, bit), holds(1, bit)),
                            (*second, holds(bit, 0), holds(bit, 1)),
                        ]
                    });
                    let signs = steps
                        .filter(|(_, before, after)| before != after)
                        .map(|(column, before, after)| policy.signs(column, after > before))
                        .fold(Signs::BOTH, Signs::and);
                    high = if signs.negative { high.max(sum) } else { high };
                    low = if signs.positive { low.min(sum) } else { low };
                }
            }
        }
        (high, low)
    }

    fn check(
        corners: &Corners<'_>,
        features: &Features,
        z: &[f64],
        threshold: f64,
        keep: usize,
    ) -> Result<(), TestCaseError> {
        let policy = corners.policy();
        let (high, low) = plain(features, z, policy);
        for both in [true, false] {
            let answer = corners.price(z, (threshold, keep, both), &|| false);
            for (extreme, bound) in [(high, answer.above), (-low, answer.below)] {
                if extreme > threshold {
                    prop_assert_eq!(extreme, bound);
                } else {
                    prop_assert!(extreme <= bound && bound <= threshold);
                }
            }
            let best = high.max(-low);
            if best > threshold {
                prop_assert_eq!(answer.bound, Bound::Exact);
                prop_assert_eq!(answer.found[0].value.abs(), best);
            } else {
                prop_assert!(answer.found.is_empty());
            }
            prop_assert!(answer.found.len() <= keep);
            for Priced { hyperplane, pattern, value } in &answer.found {
                prop_assert!(value.abs() > threshold);
                prop_assert!(policy.signs_of_subnetwork(hyperplane).allow(-value));
                let fires = Pattern::from_fn(z.len(), |i| hyperplane.fires(features.row(i)));
                prop_assert_eq!(&fires, pattern);
                prop_assert_eq!(kernel::masked_sum(pattern.words(), z), *value);
                prop_assert!(hyperplane.layers()[0].len() <= 2 && hyperplane.layers().len() == 2);
                prop_assert!(hyperplane.layers()[0].iter().all(|plane| plane.reads() <= 1));
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn the_bound_is_the_best_of_all_pairs_of_cuts_and_is_reached(
            (features, z) in small_problem(12, 0usize..4, 3),
            steps in prop::collection::vec(-1.0f64..1.0, 12),
            threshold in prop_oneof![Just(0.0), 0.0f64..8.0], keep in 1usize..9,
            size in prop_oneof![Just(1e-3), Just(0.1), Just(1.0)], policy in some_trends(4),
        ) {
            let corners = Corners::new(Arrangement::of(&features), &policy);
            check(&corners, &features, &z, threshold, keep)?;
            // What it remembers changes nothing.
            let mut next: Vec<f64> = z.iter().zip(steps).map(|(z, s)| z + size * s).collect();
            crate::exact::sum::round_to_grid(&mut next);
            check(&corners, &features, &next, threshold, keep)?;
            check(&corners, &features, &z, threshold / 2.0, keep)?;
        }

        #[test]
        fn trees_and_cells_agree((features, z) in small_problem(40, Just(2), 9)) {
            let corners = Corners::new(Arrangement::of(&features), &Policy::default());
            let total = z.iter().sum();
            for pair in corners.pairs.iter().filter(|pair| pair[0] != pair[1]) {
                let (mut cells, mut trees) = (Best::new(total), Best::new(total));
                corners.by_cells(*pair, &z, &mut cells);
                corners.by_trees(*pair, &z, &mut trees);
                let both = cells.corners.iter().flatten().zip(trees.corners.iter().flatten());
                for (cell, tree) in both {
                    prop_assert_eq!((cell.cut, cell.value), (tree.cut, tree.value));
                }
            }
        }
    }

    #[test]
    fn exclusive_or_is_two_corners() {
        let square = Features::new(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]).unwrap();
        let corners = Corners::new(Arrangement::of(&square), &Policy::default());
        let answer = corners.price(&[1.0, -1.0, -1.0, 1.0], (0.5, 8, true), &|| false);
        assert_eq!((answer.above, answer.below), (1.0, 1.0));
        assert_eq!(answer.found.len(), 8, "every corner and its complement");
    }

    #[test]
    fn stopped_or_on_other_threads_it_is_right() {
        let (features, z) = random_problem(300, 4, 5);
        let price = |stop: bool| {
            let corners = Corners::new(Arrangement::of(&features), &Policy::default());
            corners.price(&z, (1.0, 16, true), &|| stop)
        };
        does_not_depend_on_threads(|| price(false));
        let (all, early) = (price(false), price(true));
        assert_eq!(early.bound, Bound::Complete);
        assert!(all.above <= early.above && all.below <= early.below);
    }

    #[test]
    fn near_the_first_price_most_pairs_need_no_search() {
        let (features, z) = random_problem(200, 8, 1);
        let corners = Corners::new(Arrangement::of(&features), &Policy::default());
        let best = corners.price(&z, (0.0, 8, true), &|| false).price().value;
        let first = corners.work();
        let mut near: Vec<f64> = z.iter().map(|z| z * (1.0 + 1e-4)).collect();
        crate::exact::sum::round_to_grid(&mut near);
        corners.price(&near, (1.01 * best, 8, true), &|| false);
        assert_eq!(corners.work(), first);
    }
}
