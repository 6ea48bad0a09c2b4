//! The maximum of `|dᵀz|` over up to 128 rows of any rank, or a bound as good as the time allows.
//!
//! `dᵀz` is `Σz₊` minus `Σ|zᵢ|` over the rows on the wrong side: off where `zᵢ > 0`, or on where
//! `zᵢ < 0`. A tree bounds the least such sum ([`super::cover`]). Its bound holds at any time.

use super::cover::Tree;
use super::feasibility::{MOST_ROWS, System};
use super::groups::on_grid;
use super::points::Points;
use super::tuning::NODES_A_QUESTION;
use super::{BestPatterns, Bound, Priced, distinct_best, parts, price_all};
use crate::arrangement::{Arrangement, Hyperplane};
use crate::exact::dyadic::lowest_bit;
use crate::pattern::threshold::{flush, is_weight};

/// A few rows of any rank, prepared for searches with one `z` after the other.
#[derive(Debug, Clone)]
pub(crate) struct Branch<'a> {
    arrangement: Arrangement<'a>,
    points: Points,
}

/// When a search ends at the latest.
#[derive(Clone, Copy)]
struct Limit<'a> {
    /// Values not above it are ignored.
    floor: f64,
    nodes: usize,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Branch<'a> {
    /// Prepares the rows; `None` if there are more than 128.
    pub(crate) fn new(arrangement: Arrangement<'a>) -> Option<Self> {
        if arrangement.features().rows() > MOST_ROWS {
            return None;
        }
        Points::of(&arrangement, usize::MAX).map(|points| Self { arrangement, points })
    }

    /// Upper bounds on `dᵀz` and `−dᵀz`, and the patterns found, including those already `known`,
    /// the best first. The search ends at the extremes, when nothing beyond the threshold is left,
    /// after this many `nodes`, or when `stop` returns true. The bounds hold wherever it ends.
    ///
    /// # Panics
    /// When `z` does not have one number for each row.
    pub(crate) fn price(
        &self,
        z: &[f64],
        known: &[Priced],
        threshold: f64,
        nodes: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> BestPatterns {
        assert_eq!(z.len(), self.points.len, "one number for each row");
        let mut found: Vec<Priced> =
            known.iter().filter(|p| p.pattern.samples() == z.len()).cloned().collect();
        let bias = self.arrangement.has_bias();
        let dimension = self.arrangement.features().dimension();
        // Infeasible sets say nothing about w = 0, so its pattern has to be among those found.
        let mut planes = vec![Hyperplane::constant(dimension, 0.0)];
        if bias {
            planes.push(Hyperplane::constant(dimension, -1.0));
            planes.extend(found.iter().map(|p| reversed(&p.hyperplane)));
        }
        found.extend(price_all(&self.arrangement, z, planes));
        let limit = Limit { floor: on_grid(threshold, z), nodes, stop };
        let total: f64 = z.iter().sum();
        let (above, below) = if bias {
            // The complement of a pattern is a pattern: min dᵀz = Σz − max dᵀz.
            let limit = Limit { floor: limit.floor.min(limit.floor + total), ..limit };
            let above = self.most(z, 1.0, limit, &mut found);
            (above, above - total)
        } else {
            (self.most(z, 1.0, limit, &mut found), self.most(z, -1.0, limit, &mut found))
        };
        let reached = found.iter().any(|p| p.value.abs() == above.max(below));
        let bound = if reached { Bound::Exact } else { Bound::Search };
        BestPatterns { found: distinct_best(found, usize::MAX), above, below, bound }
    }

    /// An upper bound on `sign · dᵀz`. Adds the patterns that the search found.
    fn most(&self, z: &[f64], sign: f64, limit: Limit<'_>, found: &mut Vec<Priced>) -> f64 {
        let reached = found.iter().map(|p| sign * p.value).fold(limit.floor, f64::max);
        let wanted: Vec<f64> = z.iter().map(|z| sign * z).collect();
        // Rows with `z = 0` may be on any side, and rows of zeros are always on.
        let is_zero = |i: usize| self.points.value(i).iter().all(|v| *v == 0.0);
        let counts = |&i: &usize| wanted[i] < 0.0 || (wanted[i] > 0.0 && !is_zero(i));
        let rows: Vec<u32> = (0..z.len()).filter(counts).map(|i| i as u32).collect();
        let weights: Vec<f64> = rows.iter().map(|&i| wanted[i as usize]).collect();
        let (points, _) =
            self.points.select(&rows, usize::MAX).expect("no more columns than before");
        // Integers on the grid of z: their sums are exact, as are those of z.
        let unit = lowest_bit(weights.iter().copied()).map_or(1.0, |power| 2f64.powi(power));
        let costs = weights.iter().map(|z| (z.abs() / unit) as u64).collect();
        let (above, _) = parts(&wanted);
        let mut tree = Tree::new(costs, ((above - reached) / unit) as u64);
        let system = System::new(&points, &weights);
        let mut left = limit.nodes;
        while left > 0 && !tree.is_complete() && !(limit.stop)() {
            tree.search(&system, NODES_A_QUESTION.min(left));
            left = left.saturating_sub(NODES_A_QUESTION);
        }
        if let Some(weights) = &tree.best {
            let plane = self.plane(&points, &points.weights_as_read(weights));
            let planes = plane.iter().flat_map(|p| [p.clone(), reversed(p)]).collect();
            found.extend(price_all(&self.arrangement, z, planes));
        }
        above - tree.at_least() as f64 * unit
    }

    fn plane(&self, points: &Points, weights: &[f64]) -> Option<Hyperplane> {
        let mut all = vec![0.0; self.arrangement.features().dimension() + 1];
        for (&j, w) in points.columns.iter().zip(weights) {
            all[j] = flush(*w);
        }
        let in_range = all.iter().all(|&w| is_weight(w));
        let bias = all.pop()?;
        in_range.then_some(Hyperplane { weights: all, bias })
    }
}

fn reversed(plane: &Hyperplane) -> Hyperplane {
    Hyperplane { weights: plane.weights.iter().map(|w| 0.0 - w).collect(), bias: 0.0 - plane.bias }
}

#[cfg(test)]
mod tests {
    use super::super::Price;
    use super::super::twin::{
        all_patterns, are_what_they_say, best, extremes, random_problem, small_problem,
    };
    use super::*;
    use proptest::prelude::{
        Just, ProptestConfig, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
    };

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn no_pattern_is_above_the_bound_however_early_it_ends(
            (features, z) in small_problem(8, 0usize..5, 2), bias in any::<bool>(),
            nodes in 0usize..5, threshold in prop_oneof![Just(0.0), 0.0f64..6.0],
        ) {
            let arrangement = Arrangement::with_bias(&features, bias);
            let (high, low) = extremes(&all_patterns(&arrangement), &z);
            let branch = Branch::new(arrangement).unwrap();
            let early = branch.price(&z, &[], threshold, nodes, &|| false);
            prop_assert!(early.above >= high && early.below >= -low);
            let ended = branch.price(&z, &[], threshold, usize::MAX, &|| false);
            prop_assert!(ended.above >= high && ended.below >= -low);
            let complete = Price::complete(&z).value;
            prop_assert!(ended.price().value <= complete.max(threshold));
            if bias && high.max(-low) > threshold {
                prop_assert_eq!(ended.price().value, high.max(-low));
                prop_assert_eq!(ended.found[0].value.abs(), high.max(-low));
            } else if bias {
                prop_assert!(ended.price().value <= threshold);
            }
            are_what_they_say(&arrangement, &z, &ended.found);
        }
    }

    #[test]
    fn the_tree_and_the_sweep_agree() {
        for (n, d, seed) in [(30, 1, 1), (24, 2, 2), (24, 2, 3), (20, 3, 4), (16, 4, 5)] {
            let (features, z) = random_problem(n, d, seed);
            for bias in [true, false] {
                let arrangement = Arrangement::with_bias(&features, bias);
                let branch = Branch::new(arrangement).unwrap();
                let searched = branch.price(&z, &[], 0.0, usize::MAX, &|| false);
                assert_eq!(searched.price().value, best(arrangement, &z));
                assert_eq!(searched.bound, Bound::Exact);
            }
        }
    }
}
