//! The extremes of `dᵀz` by branch and bound over simplices of normals.
//!
//! If the first column is constant, halfspaces are `{x·u ≥ τ}`. For normals `u = Σ αₖuₖ` of the
//! simplex with corners `uₖ`, `x·u` lies between the smallest and the largest `x·uₖ`. So for every
//! threshold `τ` some points are on for the whole simplex, some are off, and the rest count as
//! whichever is better. One pass over buckets of thresholds bounds all halfspaces with such normals
//! (`cell.rs`). A simplex is done if its bound is not above the best value known. Others are
//! halved. Without a constant column the only threshold is zero.
//!
//! The cost follows from the points and `z`, not from `n` and the rank alone: far from good
//! halfspaces, large simplices are done at once. What was proven for one `z` is remembered for the
//! next (`memory.rs`).

use rayon::prelude::*;

use super::cell::Cell;
use super::descent::{Descent, Known, Left};
use super::memory::{Done, Memory};
use super::points::Points;
use super::vertex::{Floors, Found};

/// The most halvings, for every corner. After them, all vertices of the undecided points are
/// visited.
pub(super) const DEEPEST: u32 = 24;
/// The cells that are searched at the same time.
const BATCH: usize = 32;
/// The most cells that are sorted. More would take too much memory.
const SORTED: usize = 4096;
/// The cells that a search visits before it returns those left.
const QUOTA: usize = 4000;

/// Points prepared for searches with one `z` after the other.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    /// The coordinates, divided by the first if that is a constant column.
    pub(super) columns: Vec<Vec<f64>>,
    /// Whether there is a constant column.
    pub(super) threshold: bool,
    /// A bound on the error of heights, after any number of halvings.
    pub(super) error: f64,
    /// The largest coordinate.
    pub(super) size: f64,
}

/// What a search found.
#[derive(Debug)]
pub(super) struct Searched {
    pub(super) found: Found,
    /// What all patterns are within.
    pub(super) within: Floors,
    /// Whether the search came to its end: the floors are the extremes beyond those it started from.
    pub(super) complete: bool,
}

impl Cells {
    /// Prepares the points, of rank at least two.
    pub(super) fn of(points: &Points) -> Self {
        let first = points.value(0)[0];
        let threshold = first != 0.0 && (0..points.len).all(|i| points.value(i)[0] == first);
        let (columns, unit): (Vec<Vec<f64>>, f64) = if threshold {
            let one = &points.coordinates[0];
            let divided =
                |column: &Vec<f64>| column.iter().zip(one).map(|(v, one)| v / one).collect();
            let smallest = one.iter().fold(f64::INFINITY, |m, v| m.min(v.abs()));
            (points.coordinates[1..].iter().map(divided).collect(), 1.0 / smallest)
        } else {
            (points.coordinates.clone(), 1.0)
        };
        let size = columns.iter().flatten().fold(0.0, |m: f64, v| m.max(v.abs()));
        // Two errors in a division, one rounding for each halving, and one for each term of a
        // height, as the numbers of a corner add up to one.
        let roundings = f64::from((DEEPEST + 2) * columns.len() as u32 + 8);
        let error = 2.1 * points.error * unit * (1.0 + size) + roundings * f64::EPSILON * size;
        Self { columns, threshold, error, size }
    }

    /// The number of corners of a simplex.
    pub(super) fn corners(&self) -> usize {
        self.columns.len()
    }

    /// About how many elementary steps it takes to bound and to halve a simplex with so many undecided
    /// points.
    pub(super) fn steps(&self, rows: usize) -> f64 {
        let corners = self.corners() as f64;
        200.0 + rows as f64 * (corners * corners / 2.0 + corners + 6.0)
    }

    /// The best patterns beyond the floors, on all cores. The result does not depend on the number of
    /// threads, unless it was told to stop. `stop` gets the number of steps at the end of every batch.
    pub(super) fn search(
        &self,
        points: &Points,
        z: &[f64],
        floors: Floors,
        memory: &mut Memory,
        stop: &(dyn Fn(f64) -> bool + Sync),
    ) -> Searched {
        let mut known = Known::new();
        let mut found = Found::new(floors);
        found.everything_on(points, z);
        found.nothing_on(points);
        let total = z.iter().sum();
        let parts = memory.open(self.corners(), z, found.floors.with_opposites(total));
        let mut open: Vec<Cell> = parts.iter().map(|part| Cell::new(self, z, part)).collect();
        while !open.is_empty() && !stop(memory.steps) {
            if open.len() <= SORTED {
                // The cells with the weakest bounds come last, and are searched first.
                open.sort_by(|a, b| a.within.width().total_cmp(&b.within.width()));
            }
            let batch = open.split_off(open.len().saturating_sub(BATCH));
            let visited: Vec<(Found, Known, Left)> = batch
                .into_par_iter()
                .map(|cell| {
                    let mut descent = Descent::new(self, points, z, found.floors, &known);
                    let left = descent.visit(cell, QUOTA, &|| stop(0.0));
                    (descent.found, descent.learned, left)
                })
                .collect();
            for (other, learned, left) in visited {
                found.merge(other);
                known.extend(learned);
                open.extend(left.open);
                memory.keep(left.done);
                memory.steps += left.steps;
            }
        }
        let complete = open.is_empty();
        let mut within = found.floors;
        for Floors { high, low } in open.iter().map(|cell| cell.within) {
            within.widen(high.max(total - low), low.min(total - high));
        }
        Searched { found, within, complete }
    }

    /// [`Cells::search`] on one core, to the end.
    pub(super) fn search_alone(&self, points: &Points, z: &[f64], floors: Floors) -> Found {
        let known = Known::new();
        let mut descent = Descent::new(self, points, z, floors, &known);
        descent.found.everything_on(points, z);
        descent.found.nothing_on(points);
        for root in Done::roots(self.corners()) {
            descent.visit(Cell::new(self, z, &root), usize::MAX, &|| false);
        }
        descent.found
    }
}

#[cfg(test)]
mod tests {
    use super::super::flats::search;
    use super::super::twin::small_problem;
    use super::*;
    use crate::arrangement::Arrangement;
    use crate::data::Features;
    use crate::sum::round_to_grid;
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn points_of(features: &Features, bias: bool) -> Points {
        let arrangement = Arrangement::of(features);
        let arrangement = if bias { arrangement } else { arrangement.without_bias() };
        Points::of(&arrangement, 6).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// Tables full of ties, with one `z` after the other: what is remembered, the floors and the
        /// number of simplices searched at once change nothing.
        #[test]
        fn simplices_find_what_circles_do_with_and_without_a_memory(
            (features, z) in small_problem(16, 2usize..4, 2), bias in any::<bool>(),
            changes in prop::collection::vec(-0.5f64..0.5, 40), part in 0.0f64..1.0,
        ) {
            let points = points_of(&features, bias);
            prop_assume!(points.rank() >= 3);
            let cells = Cells::of(&points);
            let (mut memory, mut z) = (Memory::default(), z);
            for round in 0..2 {
                let expected = search(&points, &z, Floors::NONE).floors;
                let alone = cells.search_alone(&points, &z, Floors::NONE);
                prop_assert_eq!(alone.floors, expected);
                let floors = Floors { high: part * expected.high, low: part * expected.low };
                let searched = cells.search(&points, &z, floors, &mut memory, &|_| false);
                prop_assert!(searched.complete);
                let Floors { high, low } = searched.found.floors;
                prop_assert_eq!(high, expected.high.max(floors.high));
                prop_assert_eq!(low, expected.low.min(floors.low));
                for (i, z) in z.iter_mut().enumerate() {
                    *z += 0.2 * changes[(i + 20 * round) % 40];
                }
                round_to_grid(&mut z);
            }
        }
    }

    fn random(n: usize, d: usize, values: u32, seed: u64) -> (Points, Vec<f64>) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let x = (0..n * d).map(|_| f64::from(rng.random_range(0..values)) / 10.0).collect();
        let (features, _) = Features::new(n, d, x).unwrap().merge();
        let mut z: Vec<f64> = (0..features.rows()).map(|_| rng.random_range(-1.0..1.0)).collect();
        round_to_grid(&mut z);
        (points_of(&features, true), z)
    }

    #[test]
    fn tables_of_tenths_have_the_extremes_that_circles_find() {
        for (seed, (n, d, values)) in
            [(60, 2, 9), (60, 3, 5), (80, 3, 1000), (30, 4, 4), (28, 4, 100)]
                .into_iter()
                .enumerate()
        {
            let (points, z) = random(n, d, values, seed as u64);
            let cells = Cells::of(&points);
            let expected = search(&points, &z, Floors::NONE).floors;
            assert_eq!(cells.search_alone(&points, &z, Floors::NONE).floors, expected);
            let mut memory = Memory::default();
            for _ in 0..2 {
                let found = cells.search(&points, &z, Floors::NONE, &mut memory, &|_| false);
                assert_eq!(found.found.floors, expected);
                assert_eq!(found.within, expected);
            }
        }
    }

    #[test]
    fn a_search_that_is_told_to_stop_still_knows_a_bound() {
        let (points, z) = random(200, 3, 1000, 9);
        let cells = Cells::of(&points);
        let calls = std::sync::atomic::AtomicUsize::new(0);
        let stop = |_: f64| calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 1;
        let early = cells.search(&points, &z, Floors::NONE, &mut Memory::default(), &stop);
        let all = cells.search(&points, &z, Floors::NONE, &mut Memory::default(), &|_| false);
        assert!(all.complete && !early.complete);
        assert!(early.within.high >= all.within.high && early.within.low <= all.within.low);
    }

    #[test]
    fn simplices_that_hardly_moved_are_not_visited_again() {
        let (points, mut z) = random(150, 3, 1000, 4);
        let corners = Cells::of(&points).corners();
        let cells = Cells::of(&points);
        let mut memory = Memory::default();
        let floors = cells.search(&points, &z, Floors::NONE, &mut memory, &|_| false).found.floors;
        let all = memory.clone().open(corners, &vec![1e3; z.len()], floors).len();
        z.iter_mut().for_each(|z| *z *= 1.0 + 1e-4);
        round_to_grid(&mut z);
        let floors = Floors { high: 1.001 * floors.high, low: 1.001 * floors.low };
        let total = z.iter().sum();
        let again = memory.open(corners, &z, floors.with_opposites(total)).len();
        assert!(10 * again < all, "{again} of {all}");
    }
}
