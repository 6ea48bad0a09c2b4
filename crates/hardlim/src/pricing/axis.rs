//! Neurons that read one input: `1{wx + b ≥ 0}` cuts one column at one place.
//!
//! With the rows sorted by a column, once, the sums of all its cuts are one pass over `z`.

use rayon::prelude::*;

use super::{BoundKind, Priced, UpperBound, distinct_best};
use crate::arrangement::{Arrangement, Hyperplane};
use crate::pattern::{Pattern, WORD};

/// Every column of an arrangement, sorted.
#[derive(Debug, Clone)]
pub struct Axes<'a> {
    arrangement: Arrangement<'a>,
    axes: Vec<Axis>,
}

/// The rows in the order of one column.
#[derive(Debug, Clone)]
struct Axis {
    order: Vec<u32>,
    /// Where equal values end: how many rows are at most the first, second, … value.
    ends: Vec<u32>,
}

/// The rows below a cut, or those above it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cut {
    value: f64,
    column: usize,
    /// How many rows are below.
    place: usize,
    above: bool,
}

impl<'a> Axes<'a> {
    /// Sorts the rows by every column.
    pub fn new(arrangement: Arrangement<'a>) -> Self {
        let features = arrangement.features();
        let sorted = |j: usize| {
            let mut pairs: Vec<(f64, u32)> =
                (0..features.rows()).map(|i| (features.row(i)[j], i as u32)).collect();
            pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let ends = (1..=pairs.len())
                .filter(|&k| k == pairs.len() || pairs[k - 1].0 < pairs[k].0)
                .map(|k| k as u32)
                .collect();
            Axis { order: pairs.into_iter().map(|p| p.1).collect(), ends }
        };
        let axes = (0..features.dimension()).into_par_iter().map(sorted).collect();
        Self { arrangement, axes }
    }

    /// The best patterns of neurons that read one input, at most `keep` of them and distinct, and
    /// the exact `max |dᵀz|` over all such neurons. Of neighbouring cuts only the best is returned.
    ///
    /// # Panics
    /// When there is not one number in `z` for each row.
    pub fn price(&self, z: &[f64], keep: usize) -> (Vec<Priced>, UpperBound) {
        assert_eq!(z.len(), self.arrangement.features().rows(), "one number for each row");
        let total: f64 = z.iter().sum();
        let mut cuts: Vec<Cut> = (0..self.axes.len())
            .into_par_iter()
            .map(|j| self.best_cuts(j, z, total, keep))
            .collect::<Vec<_>>()
            .concat();
        cuts.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        // The constant patterns read no input at all; the empty one is worth nothing.
        let best = cuts.first().map_or(0.0, |c| c.value.abs()).max(total.abs());
        let mut found = vec![self.everything_on(total)];
        found.extend(cuts.iter().take(2 * keep).map(|cut| self.realise(cut)));
        (distinct_best(found, keep), UpperBound { value: best, kind: BoundKind::Exact })
    }

    fn everything_on(&self, value: f64) -> Priced {
        let (rows, dimension) =
            (self.arrangement.features().rows(), self.arrangement.features().dimension());
        let bias = f64::from(u8::from(self.arrangement.has_bias()));
        Priced {
            hyperplane: Hyperplane { weights: vec![0.0; dimension], bias },
            pattern: Pattern::from_fn(rows, |_| true),
            value,
        }
    }

    /// The cuts of one column that no neighbour beats, the best first.
    fn best_cuts(&self, column: usize, z: &[f64], total: f64, keep: usize) -> Vec<Cut> {
        let Axis { order, ends } = &self.axes[column];
        if !self.arrangement.has_bias() {
            return self.cuts_at_zero(column, z);
        }
        let (mut best, mut floor) = (Vec::new(), 0.0);
        // The sums below three neighbouring cuts.
        let (mut left, mut here, mut place) = (0.0, 0.0, 0);
        let mut sum = 0.0;
        for (k, &end) in ends.iter().enumerate() {
            let start = if k == 0 { 0 } else { ends[k - 1] as usize };
            sum += order[start..end as usize].iter().map(|&i| z[i as usize]).sum::<f64>();
            // Judge the cut before this one, now that both its neighbours are known.
            for above in [false, true] {
                let value = |below: f64| if above { total - below } else { below };
                let size = value(here).abs();
                let peak = size >= value(left).abs() && size >= value(sum).abs();
                if k > 0 && peak && size > floor {
                    best.push(Cut { value: value(here), column, place, above });
                }
            }
            if best.len() > 4 * keep + 16 {
                best.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
                best.truncate(keep.max(1));
                floor = best[best.len() - 1].value.abs();
            }
            (left, here, place) = (here, sum, end as usize);
        }
        best.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        best.truncate(keep.max(1));
        best
    }

    /// Without a bias a column is cut at zero, and zero is on.
    fn cuts_at_zero(&self, column: usize, z: &[f64]) -> Vec<Cut> {
        let Axis { order, .. } = &self.axes[column];
        let value = |k: usize| self.arrangement.features().row(order[k] as usize)[column];
        let places: Vec<usize> = (0..order.len()).collect();
        let negative = places.partition_point(|&k| value(k) < 0.0);
        let not_positive = places.partition_point(|&k| value(k) <= 0.0);
        let sum = |rows: &[u32]| rows.iter().map(|&i| z[i as usize]).sum::<f64>();
        vec![
            Cut { value: sum(&order[negative..]), column, place: negative, above: true },
            Cut { value: sum(&order[..not_positive]), column, place: not_positive, above: false },
        ]
    }

    fn realise(&self, cut: &Cut) -> Priced {
        let features = self.arrangement.features();
        let order = &self.axes[cut.column].order;
        let value = |k: usize| features.row(order[k] as usize)[cut.column];
        let sign = if cut.above { 1.0 } else { -1.0 };
        let mut weights = vec![0.0; features.dimension()];
        weights[cut.column] = sign;
        let mut threshold = 0.0;
        if self.arrangement.has_bias() {
            // Halfway, unless that rounds to the wrong side: the threshold itself counts as on.
            let (low, high) = (value(cut.place - 1), value(cut.place));
            threshold = low + (high - low) / 2.0;
            if cut.above && threshold <= low {
                threshold = high;
            } else if !cut.above && threshold >= high {
                threshold = low;
            }
        }
        let on = if cut.above { &order[cut.place..] } else { &order[..cut.place] };
        let mut words = vec![0u64; features.rows().div_ceil(WORD)];
        on.iter().for_each(|&i| words[i as usize / WORD] |= 1 << (i as usize % WORD));
        Priced {
            hyperplane: Hyperplane { weights, bias: 0.0 - sign * threshold },
            pattern: Pattern::from_words(features.rows(), words),
            value: cut.value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::price_all;
    use super::super::twin::small_problem;
    use super::*;
    use crate::data::Features;
    use proptest::prelude::*;

    /// Every threshold of every column, one at a time.
    fn plain(arrangement: &Arrangement<'_>, z: &[f64]) -> f64 {
        let x = arrangement.features();
        let mut best = z.iter().sum::<f64>().abs();
        for j in 0..x.dimension() {
            for sign in [1.0, -1.0] {
                for k in 0..x.rows() {
                    let threshold = if arrangement.has_bias() { x.row(k)[j] } else { 0.0 };
                    let on = |i: &usize| sign * (x.row(*i)[j] - threshold) >= 0.0;
                    let sum: f64 = (0..x.rows()).filter(on).map(|i| z[i]).sum();
                    best = best.max(sum.abs());
                }
            }
        }
        best
    }

    proptest! {
        #[test]
        fn the_bound_is_the_best_threshold_and_is_reached(
            (features, z) in small_problem(70, 0usize..4, 6), bias in any::<bool>(),
            keep in 1usize..8,
        ) {
            let mut arrangement = Arrangement::of(&features);
            if !bias {
                arrangement = arrangement.without_bias();
            }
            let (found, bound) = Axes::new(arrangement).price(&z, keep);
            prop_assert_eq!(bound.value, plain(&arrangement, &z));
            prop_assert_eq!(found[0].value.abs(), bound.value);
            prop_assert!(found.len() <= keep);
            for priced in &found {
                let again = price_all(&arrangement, &z, vec![priced.hyperplane.clone()]);
                prop_assert_eq!(&again[0], priced);
                prop_assert!(priced.hyperplane.weights.iter().filter(|w| **w != 0.0).count() <= 1);
            }
        }
    }

    #[test]
    fn neighbouring_doubles_are_cut_apart() {
        let x = vec![1.0, 1f64.next_up(), -1.0, (-1f64).next_down()];
        let features = Features::new(4, 1, x).unwrap();
        let arrangement = Arrangement::of(&features);
        for z in [[1.0, -1.0, 0.0, 0.0], [0.0, 0.0, 1.0, -1.0], [-1.0, 1.0, -1.0, 1.0]] {
            let (found, _) = Axes::new(arrangement).price(&z, 9);
            for priced in found {
                let again = price_all(&arrangement, &z, vec![priced.hyperplane.clone()]);
                assert_eq!(again[0], priced);
            }
        }
    }
}
