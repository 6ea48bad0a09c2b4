//! Neurons that read one input: `1{wx + b ≥ 0}` cuts one column at one place.
//!
//! The rows are sorted by each column once. Then one pass over `z` gives the sums `s` below all
//! cuts of a column. The useful cuts are the tops and bottoms of that curve. Of two tops only one
//! is returned, unless the curve falls far enough between them. Where the least value of a column
//! stands for missing ones, a column of two values asks the same as the cut above it, and is easier
//! to read: that cut is left to it. Columns that the output goes up or down with have one sign for
//! each side of a cut.

use std::collections::HashSet;

use rayon::prelude::*;

use super::tuning::VALLEY;
use super::{BestPatterns, Bound, Priced, distinct_best};
use crate::arrangement::{Arrangement, Hyperplane, Policy, Signs};
use crate::pattern::{Pattern, WORD};

/// Every column of an arrangement, sorted.
#[derive(Debug, Clone)]
pub(super) struct Axes<'a> {
    arrangement: Arrangement<'a>,
    axes: Vec<Axis>,
}

/// The rows in the order of one column.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    pub(super) order: Vec<u32>,
    /// Where equal values end: the number of rows up to the first, second, … value.
    pub(super) ends: Vec<u32>,
    /// Whether a column of two values tells the least value from all others.
    told: bool,
    /// The signs of the output weights of the rows below a cut, and of those above it.
    signs: [Signs; 2],
}

/// The rows below a cut, or those above it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cut {
    value: f64,
    column: usize,
    /// The number of rows below.
    place: usize,
    above: bool,
}

impl<'a> Axes<'a> {
    pub(super) fn new(arrangement: Arrangement<'a>, policy: &Policy) -> Self {
        let features = arrangement.features();
        let sorted = |j: usize| {
            let mut pairs: Vec<(f64, u32)> =
                (0..features.rows()).map(|i| (features.row(i)[j], i as u32)).collect();
            pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let ends = (1..=pairs.len())
                .filter(|&k| k == pairs.len() || pairs[k - 1].0 < pairs[k].0)
                .map(|k| k as u32)
                .collect();
            let signs = [false, true].map(|above| policy.signs(j, above));
            Axis { order: pairs.into_iter().map(|p| p.1).collect(), ends, told: false, signs }
        };
        let mut axes: Vec<Axis> = (0..features.dimension()).into_par_iter().map(sorted).collect();
        // Rows of one value are in order.
        let sides = |axis: &Axis| match axis.ends[..] {
            [end, _] if axis.signs == [Signs::BOTH; 2] => {
                let (below, above) = axis.order.split_at(end as usize);
                vec![below.to_vec(), above.to_vec()]
            }
            _ => Vec::new(),
        };
        let sides: HashSet<Vec<u32>> = axes.iter().flat_map(sides).collect();
        for axis in axes.iter_mut().filter(|axis| axis.ends.len() > 2) {
            axis.told = sides.contains(&axis.order[..axis.ends[0] as usize]);
        }
        Self { arrangement, axes }
    }

    pub(super) fn arrangement(&self) -> &Arrangement<'a> {
        &self.arrangement
    }

    pub(super) fn axis(&self, column: usize) -> &Axis {
        &self.axes[column]
    }

    /// The exact extremes of `dᵀz` over all neurons that read one input, and at most `keep` of
    /// their patterns with `|dᵀz| > threshold`. The best of every column comes before the second
    /// best of any.
    ///
    /// # Panics
    /// When `z` does not have one number for each row.
    pub(super) fn price(&self, z: &[f64], threshold: f64, keep: usize) -> BestPatterns {
        assert_eq!(z.len(), self.arrangement.features().rows(), "one number for each row");
        let total: f64 = z.iter().sum();
        let columns: Vec<Column> = (0..self.axes.len())
            .into_par_iter()
            .map(|j| self.column(j, z, total, threshold.max(0.0)))
            .collect();
        // Constant patterns read no input. Without a bias there is no pattern of zeros only.
        let off = if self.arrangement.has_bias() { 0.0 } else { total };
        let above = columns.iter().map(|c| c.above).fold(total.max(off), f64::max);
        let below = columns.iter().map(|c| c.below).fold((-total).max(-off), f64::max);
        let mut ranked: Vec<(usize, Cut)> =
            columns.into_iter().flat_map(|c| c.cuts.into_iter().enumerate()).collect();
        ranked.sort_by(|(i, a), (j, b)| i.cmp(j).then(b.value.abs().total_cmp(&a.value.abs())));
        let mut found: Vec<Priced> =
            ranked.iter().take(2 * keep).map(|(_, cut)| self.realise(cut)).collect();
        if total.abs() > threshold {
            found.insert(0, self.everything_on(total));
        }
        let (above, below) = (above + 0.0, below + 0.0);
        BestPatterns { found: distinct_best(found, keep), above, below, bound: Bound::Exact }
    }

    fn everything_on(&self, value: f64) -> Priced {
        let features = self.arrangement.features();
        let bias = f64::from(u8::from(self.arrangement.has_bias()));
        Priced {
            hyperplane: Hyperplane::constant(features.dimension(), bias),
            pattern: Pattern::from_fn(features.rows(), |_| true),
            value,
        }
    }

    /// The extremes of one column, and its tops and bottoms beyond the threshold, the best first.
    fn column(&self, column: usize, z: &[f64], total: f64, threshold: f64) -> Column {
        if !self.arrangement.has_bias() {
            return self.cuts_at_zero(column, z, threshold);
        }
        let Axis { order, ends, told, signs } = &self.axes[column];
        let (mut sums, mut start, mut sum) = (Vec::with_capacity(ends.len()), 0, 0.0);
        for &end in ends {
            sum += order[start..end as usize].iter().map(|&i| z[i as usize]).sum::<f64>();
            sums.push(sum);
            start = end as usize;
        }
        sums.pop(); // the last one holds every row: no cut
        let high = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let low = sums.iter().copied().fold(f64::INFINITY, f64::min);
        // The rows above a cut have the rest of the total.
        let (above, below) = extremes(*signs, [[high, low], [total - low, total - high]]);
        let best = above.max(below);
        // Both sides of a cut, because output weights may have to be of one sign.
        let cut = |k: usize| {
            let side =
                |above: bool, value: f64| Cut { value, column, place: ends[k] as usize, above };
            [side(false, sums[k]), side(true, total - sums[k])]
        };
        let mut cuts = Vec::new();
        if best > threshold {
            let turns = turns(&sums, VALLEY * (best - threshold)).into_iter();
            cuts.extend(turns.filter(|k| !told || *k > 0).flat_map(cut));
        }
        Column::new(cuts, *signs, (above, below), threshold)
    }

    /// Without a bias a column is cut at zero, and zero is on.
    fn cuts_at_zero(&self, column: usize, z: &[f64], threshold: f64) -> Column {
        let Axis { order, signs, .. } = &self.axes[column];
        let value = |k: usize| self.arrangement.features().row(order[k] as usize)[column];
        let places: Vec<usize> = (0..order.len()).collect();
        let negative = places.partition_point(|&k| value(k) < 0.0);
        let not_positive = places.partition_point(|&k| value(k) <= 0.0);
        let sum = |rows: &[u32]| rows.iter().map(|&i| z[i as usize]).sum::<f64>();
        let (right, left) = (sum(&order[negative..]), sum(&order[..not_positive]));
        let cuts = vec![
            Cut { value: right, column, place: negative, above: true },
            Cut { value: left, column, place: not_positive, above: false },
        ];
        let extremes = extremes(*signs, [[left; 2], [right; 2]]);
        Column::new(cuts, *signs, extremes, threshold)
    }

    fn realise(&self, cut: &Cut) -> Priced {
        let rows = self.arrangement.features().rows();
        let order = &self.axes[cut.column].order;
        let on = if cut.above { &order[cut.place..] } else { &order[..cut.place] };
        let mut words = vec![0u64; rows.div_ceil(WORD)];
        on.iter().for_each(|&i| words[i as usize / WORD] |= 1 << (i as usize % WORD));
        Priced {
            hyperplane: self.plane(cut.column, cut.place, cut.above),
            pattern: Pattern::from_words(rows, words),
            value: cut.value,
        }
    }

    /// The neuron that tells the rows below a place of a column from those above.
    pub(super) fn plane(&self, column: usize, place: usize, above: bool) -> Hyperplane {
        let features = self.arrangement.features();
        let order = &self.axes[column].order;
        let value = |k: usize| features.row(order[k] as usize)[column];
        let sign = if above { 1.0 } else { -1.0 };
        let mut weights = vec![0.0; features.dimension()];
        weights[column] = sign;
        let mut threshold = 0.0;
        if self.arrangement.has_bias() {
            // Halfway, unless that rounds to the wrong side: the threshold itself counts as on.
            let (low, high) = (value(place - 1), value(place));
            threshold = low + (high - low) / 2.0;
            if above && threshold <= low {
                threshold = high;
            } else if !above && threshold >= high {
                threshold = low;
            }
        }
        Hyperplane { weights, bias: 0.0 - sign * threshold }
    }
}

/// The cuts and the extremes of one column.
struct Column {
    /// The cuts, the best first.
    cuts: Vec<Cut>,
    /// `max dᵀz` and `max −dᵀz`, as far as signs allow a weight that makes use of them.
    above: f64,
    below: f64,
}

impl Column {
    fn new(
        mut cuts: Vec<Cut>,
        signs: [Signs; 2],
        (above, below): (f64, f64),
        threshold: f64,
    ) -> Self {
        let of_use = |cut: &Cut| signs[usize::from(cut.above)].allow(-cut.value);
        cuts.retain(|cut| cut.value.abs() > threshold && of_use(cut));
        cuts.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        Self { cuts, above, below }
    }
}

/// `max dᵀz` over what may have a negative weight, and `max −dᵀz` over what may have a positive
/// one, given the largest and the smallest sum on each side of the cuts.
fn extremes(signs: [Signs; 2], sides: [[f64; 2]; 2]) -> (f64, f64) {
    let none = f64::NEG_INFINITY;
    let sides = || signs.into_iter().zip(sides);
    let above = sides().map(|(signs, [high, _])| if signs.negative { high } else { none });
    let below = sides().map(|(signs, [_, low])| if signs.positive { -low } else { none });
    (above.fold(none, f64::max), below.fold(none, f64::max))
}

/// The tops and bottoms of a curve, each at least `depth` from the next; the highest top and the
/// lowest bottom are among them.
fn turns(curve: &[f64], depth: f64) -> Vec<usize> {
    let mut turns = Vec::new();
    let (mut top, mut bottom) = (0, 0);
    // Whether the next turn is a top, if that is known yet.
    let mut rising = None;
    for (k, &value) in curve.iter().enumerate() {
        if value > curve[top] {
            top = k;
        }
        if value < curve[bottom] {
            bottom = k;
        }
        if rising != Some(false) && curve[top] - value > depth {
            turns.push(top);
            (rising, bottom) = (Some(false), k);
        } else if rising != Some(true) && value - curve[bottom] > depth {
            turns.push(bottom);
            (rising, top) = (Some(true), k);
        }
    }
    match rising {
        Some(true) => turns.push(top),
        Some(false) => turns.push(bottom),
        None if !curve.is_empty() => turns.extend([top, bottom]),
        None => {}
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::super::twin::{are_what_they_say, small_problem, some_trends};
    use super::*;
    use crate::data::Features;
    use proptest::prelude::*;

    /// Every threshold of every column, one at a time: `max dᵀz` over those that may have a
    /// negative weight, and `max −dᵀz` over those that may have a positive one.
    fn plain(arrangement: &Arrangement<'_>, z: &[f64], policy: &Policy) -> (f64, f64) {
        let x = arrangement.features();
        let total = z.iter().sum::<f64>();
        let off = if arrangement.has_bias() { 0.0 } else { total };
        let (mut above, mut below) = (total.max(off), (-total).max(-off));
        for j in 0..x.dimension() {
            for sign in [1.0, -1.0] {
                for k in 0..x.rows() {
                    let threshold = if arrangement.has_bias() { x.row(k)[j] } else { 0.0 };
                    let on = |i: &usize| sign * (x.row(*i)[j] - threshold) >= 0.0;
                    let sum: f64 = (0..x.rows()).filter(on).map(|i| z[i]).sum();
                    let signs = policy.signs(j, sign > 0.0);
                    above = if signs.negative { above.max(sum) } else { above };
                    below = if signs.positive { below.max(-sum) } else { below };
                }
            }
        }
        (above, below)
    }

    proptest! {
        #[test]
        fn the_bound_is_the_best_threshold_and_is_reached(
            (features, z) in small_problem(70, 0usize..4, 6), bias in any::<bool>(),
            threshold in prop_oneof![Just(0.0), 0.0f64..20.0], keep in 1usize..8,
            policy in some_trends(4),
        ) {
            let arrangement = Arrangement::with_bias(&features, bias);
            let BestPatterns { found, above, below, bound } =
                Axes::new(arrangement, &policy).price(&z, threshold, keep);
            prop_assert_eq!((above, below), plain(&arrangement, &z, &policy));
            prop_assert_eq!(bound, Bound::Exact);
            match found.first() {
                Some(best) => prop_assert_eq!(best.value.abs(), above.max(below)),
                None => prop_assert!(above.max(below) <= threshold),
            }
            prop_assert!(found.len() <= keep);
            for priced in &found {
                prop_assert!(priced.value.abs() > threshold);
                prop_assert!(priced.hyperplane.reads() <= 1);
                prop_assert!(policy.signs_of_neuron(&priced.hyperplane).allow(-priced.value));
            }
            are_what_they_say(&arrangement, &z, &found);
        }

        #[test]
        fn between_two_turns_a_curve_goes_a_long_way(
            curve in prop::collection::vec(-9i32..10, 1..40), depth in 0i32..6,
        ) {
            let curve: Vec<f64> = curve.into_iter().map(f64::from).collect();
            let turns = turns(&curve, f64::from(depth));
            let highest = curve.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let lowest = curve.iter().copied().fold(f64::INFINITY, f64::min);
            prop_assert!(turns.iter().any(|&k| curve[k] == highest));
            prop_assert!(turns.iter().any(|&k| curve[k] == lowest));
            let far = |w: &[usize]| (curve[w[0]] - curve[w[1]]).abs() > f64::from(depth);
            prop_assert!(highest - lowest <= f64::from(depth) || turns.windows(2).all(far));
        }
    }

    #[test]
    fn what_a_column_of_two_values_asks_is_not_asked_of_another() {
        // Two numbers are missing: -64 stands for them.
        let x = vec![-64.0, 1.0, -64.0, 1.0, 18.0, 0.0, 30.0, 0.0, 50.0, 0.0];
        let features = Features::new(5, 2, x).unwrap();
        let axes = Axes::new(Arrangement::of(&features), &Policy::default());
        for z in [[1.0, 1.0, -1.0, -1.0, 0.0], [-0.5, -0.25, 0.25, 0.75, 0.25], [1.0; 5]] {
            let BestPatterns { found, above, below, .. } = axes.price(&z, 0.0, 9);
            let free = Policy::default();
            assert_eq!((above, below), plain(&Arrangement::of(&features), &z, &free));
            let gap = [true, true, false, false, false];
            for priced in found {
                let on: Vec<bool> = priced.pattern.iter().collect();
                let asks = on == gap || on.iter().zip(gap).all(|(one, other)| *one != other);
                assert_eq!(asks, priced.hyperplane.weights[1] != 0.0, "{on:?}");
            }
        }
    }

    #[test]
    fn neighbouring_doubles_are_cut_apart() {
        let x = vec![1.0, 1f64.next_up(), -1.0, (-1f64).next_down()];
        let features = Features::new(4, 1, x).unwrap();
        let arrangement = Arrangement::of(&features);
        for z in [[1.0, -1.0, 0.0, 0.0], [0.0, 0.0, 1.0, -1.0], [-1.0, 1.0, -1.0, 1.0]] {
            are_what_they_say(
                &arrangement,
                &z,
                &Axes::new(arrangement, &Policy::default()).price(&z, 0.0, 9).found,
            );
        }
    }
}
