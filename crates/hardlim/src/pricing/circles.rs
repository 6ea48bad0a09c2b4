//! All vertices, circle by circle, on all cores, with a memory.
//!
//! `O(n^{r−1} log n)`, whatever the points and `z` look like. For each circle the search remembers
//! values `U` and `L` that no pattern next to its vertices is beyond. For another `z′`,
//!
//! ```text
//! dᵀz′ = dᵀz + dᵀ(z′ − z) ≤ U + Σ (z′ − z)₊,
//! ```
//!
//! so a circle for which this is not above the best value known needs no visit.

use std::sync::atomic::AtomicU64;

use rayon::prelude::*;

use super::flats::{Past, Search, Within};
use super::meter::Meter;
use super::points::Points;
use super::tuning::REMEMBERED_CIRCLES;
use super::vertex::{Floors, Found, circles};

/// What is remembered of all circles, by their first point.
#[derive(Debug, Clone, Default)]
pub(super) struct Circles {
    within: Vec<Vec<Within>>,
    /// The `z` of every round, and the values that all patterns were within.
    rounds: Vec<(Vec<f64>, Floors)>,
}

/// About how many elementary steps a search of all circles takes.
pub(super) fn all_steps(points: &Points) -> f64 {
    circles(points.len, points.rank()) * circle_steps(points.len)
}

/// The same for one circle.
pub(super) fn circle_steps(points: usize) -> f64 {
    points as f64 * (points as f64 + 2.0).log2()
}

impl Circles {
    /// The best patterns beyond the floors; `None` if told to stop. Elementary steps are counted. A
    /// batch of first points uses what earlier batches found, so the result does not depend on the
    /// number of threads.
    pub(super) fn search(
        &mut self,
        points: &Points,
        z: &[f64],
        floors: Floors,
        counter: &AtomicU64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Found> {
        let past = |&(ref old, end): &(Vec<f64>, Floors)| Past { end, drift: drift(z, old) };
        let past: Vec<Past> = self.rounds.iter().map(past).collect();
        let mut old = std::mem::take(&mut self.within);
        old.resize(points.len, Vec::new());
        let remembers = circles(points.len, points.rank()) <= REMEMBERED_CIRCLES;
        let round = self.rounds.len() as u32;
        let (mut found, mut known) = (Found::new(floors), Vec::with_capacity(points.len));
        found.everything_on(points, z);
        let after: Vec<u32> = (0..points.len as u32).collect();
        let (mut start, mut size) = (0, 1);
        while start < points.len {
            let end = points.len.min(start + size);
            let batch: Vec<Option<(Found, Vec<Within>)>> = (start..end)
                .into_par_iter()
                .map(|p| {
                    let meter = Meter::new(counter, stop);
                    if meter.ask() {
                        return None;
                    }
                    let mut search = Search::new(points, z, found.floors, &meter).shared();
                    if remembers {
                        search.remember(&old[p], &past, round);
                    }
                    search.pivot(p, &after[p + 1..]);
                    (!meter.is_over()).then_some((search.found, search.within))
                })
                .collect();
            for part in batch {
                let (other, within) = part?;
                found.merge(other);
                known.push(within);
            }
            (start, size) = (end, 2 * size);
        }
        // A search that was told to stop is forgotten, and with it all others.
        self.within = known;
        self.rounds.push((z.to_vec(), found.floors));
        Some(found)
    }
}

/// By how much `dᵀz` may be above or below that of an older `z`.
fn drift(z: &[f64], old: &[f64]) -> Floors {
    let change = || z.iter().zip(old).map(|(new, old)| new - old);
    // The two are on different grids, so differences and their sums are rounded.
    let size: f64 = z.iter().chain(old).map(|z| z.abs()).sum();
    let rounding = 4.0 * f64::EPSILON * size * (1.0 + z.len() as f64);
    Floors {
        high: change().map(|c| c.max(0.0)).sum::<f64>() + rounding,
        low: change().map(|c| c.min(0.0)).sum::<f64>() - rounding,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::super::flats::search;
    use super::super::twin::small_problem;
    use super::*;
    use crate::arrangement::Arrangement;
    use crate::exact::sum::round_to_grid;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Tables full of ties, with one `z` after the other, each close to the one before. One
        /// search is told to stop.
        #[test]
        fn what_is_remembered_changes_no_extreme(
            (features, z) in small_problem(14, 2usize..5, 2), bias in any::<bool>(),
            changes in prop::collection::vec(-0.5f64..0.5, 40), part in 0.0f64..1.0,
            size in prop_oneof![Just(0.0), Just(1e-6), Just(0.01), Just(0.5)], stops in 0usize..15,
        ) {
            let arrangement = Arrangement::with_bias(&features, bias);
            let points = Points::of(&arrangement, 6).unwrap();
            prop_assume!(points.rank() >= 3);
            let (mut memory, mut z) = (Circles::default(), z);
            for round in 0..4 {
                let expected = search(&points, &z, Floors::NONE, &Meter::free()).floors;
                let floors = Floors { high: part * expected.high, low: part * expected.low };
                let (calls, steps) = (AtomicUsize::new(0), AtomicU64::new(0));
                let stop = || calls.fetch_add(1, Ordering::Relaxed) >= stops;
                if round == 1 && memory.search(&points, &z, floors, &steps, &stop).is_none() {
                    prop_assert!(calls.load(Ordering::Relaxed) > stops);
                }
                let found = memory.search(&points, &z, floors, &steps, &|| false).unwrap();
                prop_assert_eq!(found.floors.high, expected.high.max(floors.high));
                prop_assert_eq!(found.floors.low, expected.low.min(floors.low));
                for (i, z) in z.iter_mut().enumerate() {
                    *z += size * changes[(i + 20 * round) % 40];
                }
                round_to_grid(&mut z);
            }
        }
    }
}
