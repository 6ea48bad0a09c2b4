//! Neurons that read two inputs: for every pair of columns, the best halfplane.
//!
//! Rows that agree on the two columns are one point of the plane, with the sum of their `z`.
//! Columns with few values give few points, and `max(Σz₊, Σz₋)` over the points is a first bound. A
//! few line searches give every pair a good halfplane. Pairs that bounds cannot rule out are
//! searched exactly ([`super::plane`]).

use rayon::prelude::*;

use super::flats::search;
use super::plane::Plane;
use super::points::Points;
use super::sweep::hyperplane;
use super::vertex::{Floors, Found};
use super::{BestPatterns, BoundKind, LocalSearch, Priced, distinct_best, parts};
use crate::arrangement::{Arrangement, Hyperplane};
use crate::data::{Features, Scaling};
use crate::exact::dyadic::lowest_bit;
use crate::pattern::Pattern;

/// The line searches that every pair begins with.
const SKETCH: LocalSearch = LocalSearch { starts: 4, steps: 14, keep: 2 };

/// Every pair of columns of an arrangement, with equal rows merged.
#[derive(Debug)]
pub struct Pairs<'a> {
    arrangement: Arrangement<'a>,
    pairs: Vec<Pair>,
}

/// Two columns, or a single one if there is no other.
#[derive(Debug)]
struct Pair {
    columns: Vec<usize>,
    /// The distinct points.
    features: Features,
    scaling: Scaling,
    /// The point of every row.
    point_of: Vec<u32>,
    points: Points,
    plane: Option<Plane>,
}

impl<'a> Pairs<'a> {
    /// Merges the rows of every pair. Memory for `n` rows and `d` columns: about `2nd²` bytes for
    /// the rows and up to `40nd²` for the points, if all are distinct.
    pub fn new(arrangement: Arrangement<'a>) -> Self {
        let dimension = arrangement.features().dimension();
        let columns: Vec<Vec<usize>> = match dimension {
            0 | 1 => vec![(0..dimension).collect()],
            _ => (0..dimension).flat_map(|a| (a + 1..dimension).map(move |b| vec![a, b])).collect(),
        };
        let pairs = columns.into_par_iter().map(|c| Pair::new(&arrangement, c)).collect();
        Self { arrangement, pairs }
    }

    /// An upper bound on the bytes that merging the rows of every pair takes.
    pub fn bytes(arrangement: &Arrangement<'_>) -> u64 {
        let features = arrangement.features();
        let rows = features.rows() as u64;
        let values = |j: usize| {
            let mut column: Vec<f64> = (0..features.rows()).map(|i| features.row(i)[j]).collect();
            column.sort_unstable_by(f64::total_cmp);
            column.dedup();
            column.len() as u64
        };
        let values: Vec<u64> = (0..features.dimension()).map(values).collect();
        // A number for every row; twelve for every point, its names for the columns among them.
        let bytes = |a: u64, b: u64| 4 * rows + 96 * rows.min(a.saturating_mul(b)) + 1024;
        let others =
            |(k, &a): (usize, &u64)| values[k + 1..].iter().map(|&b| bytes(a, b)).sum::<u64>();
        values.iter().enumerate().map(others).sum()
    }

    /// About how many elementary steps [`Pairs::price`] takes.
    pub fn steps(&self) -> f64 {
        self.pairs.iter().map(|pair| 1e4 * pair.features.rows() as f64).sum()
    }

    /// The extremes of `dᵀz` over all neurons that read two inputs, and their best patterns, at most
    /// two for each pair and `keep` altogether.
    ///
    /// Patterns with `|dᵀz| ≤ threshold` are ignored, and so are those after the `keep` best from
    /// above or from below. An extreme is exact if it is above the threshold; if nothing is above
    /// the threshold, it may be the threshold itself. `None` if `stop` returns true.
    ///
    /// # Panics
    /// When `z` does not have one number for each row.
    pub fn price(
        &self,
        z: &[f64],
        threshold: f64,
        keep: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<BestPatterns> {
        assert_eq!(z.len(), self.arrangement.features().rows(), "one number for each row");
        let merged: Vec<Vec<f64>> = self.pairs.par_iter().map(|pair| pair.merge(z)).collect();
        let complete = |z: &[f64]| f64::max(parts(z).0, parts(z).1);
        let threshold = on_grid(threshold, z);
        let sketches: Vec<Vec<Priced>> = (self.pairs.par_iter().zip(&merged))
            .map(
                |(pair, z)| {
                    if complete(z) > threshold { pair.sketch(z, self.bias()) } else { Vec::new() }
                },
            )
            .collect();
        let floors = Floors {
            high: last_kept(&sketches, 1.0, keep).max(threshold),
            low: -last_kept(&sketches, -1.0, keep).max(threshold),
        };
        let found: Vec<Option<(Vec<Priced>, Floors)>> = (self.pairs.par_iter())
            .zip(&merged)
            .zip(sketches)
            .map(|((pair, z), sketch)| pair.extremes(z, floors, sketch, self.bias(), stop))
            .collect();
        let (mut priced, mut extremes) = (Vec::new(), floors);
        for (pair, found) in self.pairs.iter().zip(found) {
            let (found, Floors { high, low }) = found?;
            extremes.high = extremes.high.max(high);
            extremes.low = extremes.low.min(low);
            priced.extend(found.into_iter().map(|p| pair.widened(p, &self.arrangement)));
        }
        let (above, below) = (extremes.high, -extremes.low);
        priced.retain(|p| p.value.abs() > threshold);
        let found = distinct_best(priced, keep);
        let kind = BoundKind::of(above.max(below), threshold);
        Some(BestPatterns { found, above, below, kind })
    }

    fn bias(&self) -> bool {
        self.arrangement.has_bias()
    }
}

/// The last of the `keep` best values from one side, one value for each pair. Values not above it
/// need not be found.
fn last_kept(sketches: &[Vec<Priced>], sign: f64, keep: usize) -> f64 {
    let best = |s: &Vec<Priced>| s.iter().map(|p| sign * p.value).fold(0.0, f64::max);
    let mut values: Vec<f64> = sketches.iter().map(best).collect();
    values.sort_by(|a, b| b.total_cmp(a));
    keep.checked_sub(1).and_then(|k| values.get(k)).copied().unwrap_or(0.0)
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

impl Pair {
    fn new(arrangement: &Arrangement<'_>, columns: Vec<usize>) -> Self {
        let all = arrangement.features();
        let values = (0..all.rows()).flat_map(|i| columns.iter().map(move |&j| all.row(i)[j]));
        let features = Features::new(all.rows(), columns.len(), values.collect());
        let (features, point_of) = features.expect("columns of features").merge();
        let mut points = Arrangement::of(&features);
        if !arrangement.has_bias() {
            points = points.without_bias();
        }
        let points = Points::of(&points, 3).expect("two columns and a bias");
        let plane = Plane::of(&points, columns.len());
        let scaling = Scaling::fit(&features, &vec![1.0; features.rows()], arrangement.has_bias());
        Self { columns, features, scaling, point_of, points, plane }
    }

    /// `z` added up over the rows of every point.
    fn merge(&self, z: &[f64]) -> Vec<f64> {
        let mut merged = vec![0.0; self.features.rows()];
        self.point_of.iter().zip(z).for_each(|(&p, z)| merged[p as usize] += z);
        merged
    }

    fn sketch(&self, z: &[f64], bias: bool) -> Vec<Priced> {
        let arrangement = Arrangement::of(&self.features);
        let arrangement = if bias { arrangement } else { arrangement.without_bias() };
        SKETCH.search(&arrangement, &self.scaling, z, &[], 0)
    }

    /// The patterns beyond the floor, and the extremes.
    fn extremes(
        &self,
        z: &[f64],
        floors: Floors,
        sketch: Vec<Priced>,
        bias: bool,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<(Vec<Priced>, Floors)> {
        let mut found = sketch;
        let high = found.iter().map(|p| p.value).fold(floors.high, f64::max);
        let low = found.iter().map(|p| p.value).fold(floors.low, f64::min);
        let (above, below) = parts(z);
        let floors = Floors { high, low };
        if above <= high && -below >= low {
            return Some((found, floors));
        }
        let Found { floors, highest, lowest } = match &self.plane {
            Some(plane) => plane.search(&self.points, z, floors, stop)?,
            None => search(&self.points, z, floors),
        };
        for chain in [highest, lowest].into_iter().flatten() {
            if let Some(hyperplane) = hyperplane(&self.points, &chain, self.columns.len()) {
                let arrangement = Arrangement::of(&self.features);
                let arrangement = if bias { arrangement } else { arrangement.without_bias() };
                found.extend(super::price_all(&arrangement, z, vec![hyperplane]));
            }
        }
        Some((found, floors))
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
    use super::super::price_all;
    use super::super::twin::{all_patterns, extremes, small_problem};
    use super::*;
    use proptest::prelude::*;

    fn plain(arrangement: &Arrangement<'_>, z: &[f64]) -> (f64, f64) {
        let x = arrangement.features();
        let total = z.iter().sum::<f64>();
        let off = if arrangement.has_bias() { 0.0 } else { total };
        let (mut most, mut least) = (total.max(off), total.min(off));
        for a in 0..x.dimension() {
            for b in 0..x.dimension() {
                let values = (0..x.rows()).flat_map(|i| [x.row(i)[a], x.row(i)[b]]).collect();
                let two = Features::new(x.rows(), 2, values).unwrap();
                let pair = Arrangement::of(&two);
                let pair = if arrangement.has_bias() { pair } else { pair.without_bias() };
                let (high, low) = extremes(&all_patterns(&pair), z);
                (most, least) = (most.max(high), least.min(low));
            }
        }
        (most, least)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn the_bound_is_the_best_pair_and_is_reached(
            (features, z) in small_problem(8, 0usize..4, 2), bias in any::<bool>(),
            threshold in prop_oneof![Just(0.0), 0.0f64..8.0], keep in 1usize..4,
        ) {
            let mut arrangement = Arrangement::of(&features);
            if !bias {
                arrangement = arrangement.without_bias();
            }
            let (high, low) = plain(&arrangement, &z);
            let BestPatterns { found, above, below, kind } =
                Pairs::new(arrangement).price(&z, threshold, keep, &|| false).unwrap();
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
                prop_assert_eq!(kind, BoundKind::Exact);
                prop_assert_eq!(found[0].value.abs(), best);
            } else {
                prop_assert!(found.is_empty());
            }
            for priced in &found {
                let again = price_all(&arrangement, &z, vec![priced.hyperplane.clone()]);
                prop_assert_eq!(&again[0], priced);
                prop_assert!(priced.hyperplane.weights.iter().filter(|w| **w != 0.0).count() <= 2);
            }
        }
    }
}
