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
//! halfspaces, large simplices are done at once. This pays if few halfspaces are nearly as good as
//! the best. It does not for the dual points of training, which many patterns reach.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::boxes::Searched;
use super::cell::Cell;
use super::circles::Circles;
use super::descent::{Descent, Known};
use super::meter::Meter;
use super::points::Points;
use super::tuning::{DEEPEST_SIMPLEX, QUOTA, SIMPLICES, SORTED_SIMPLICES};
use super::vertex::{Floors, Found};

/// Points prepared for searches with one `z` after the other.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    /// The coordinates, divided by the first if that is a constant column.
    pub(super) columns: Vec<Vec<f64>>,
    pub(super) threshold: bool,
    /// A bound on the error of heights, after any number of halvings.
    pub(super) error: f64,
    pub(super) size: f64,
}

impl Cells {
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
        let roundings = f64::from((DEEPEST_SIMPLEX + 2) * columns.len() as u32 + 8);
        let error = 2.1 * points.error * unit * (1.0 + size) + roundings * f64::EPSILON * size;
        Self { columns, threshold, error, size }
    }

    pub(super) fn corners(&self) -> usize {
        self.columns.len()
    }

    /// The best patterns beyond the floors, on all cores. The result does not depend on the number
    /// of threads, unless it was told to stop. After `patience` elementary steps, a search of all
    /// circles is the better one: some points are too close to each other for simplices.
    pub(super) fn search(
        &self,
        points: &Points,
        z: &[f64],
        floors: Floors,
        patience: f64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Searched {
        let mut known = Known::new();
        let mut found = Found::new(floors);
        found.everything_on(points, z);
        found.nothing_on(points);
        let total: f64 = z.iter().sum();
        let mut open = Cell::roots(self, z);
        let steps = AtomicU64::new(0);
        while !open.is_empty() && !stop() {
            if steps.load(Ordering::Relaxed) as f64 > patience {
                let all = Circles::default().search(points, z, found.floors, &steps, stop);
                let Some(all) = all else { break };
                found.merge(all);
                open.clear();
                break;
            }
            if open.len() <= SORTED_SIMPLICES {
                // The cells with the weakest bounds come last, and are searched first.
                open.sort_by(|a, b| a.within.width().total_cmp(&b.within.width()));
            }
            let batch = open.split_off(open.len().saturating_sub(SIMPLICES));
            let visited: Vec<(Found, Known, Vec<Cell>)> = batch
                .into_par_iter()
                .map(|cell| {
                    let meter = Meter::new(&steps, stop);
                    let mut descent = Descent::new(self, points, z, found.floors, &known, &meter);
                    let left = descent.visit(cell, QUOTA);
                    (descent.found, descent.learned, left)
                })
                .collect();
            let mut learned = Vec::new();
            for (better, more, left) in visited {
                found.merge(better);
                learned.push(more);
                open.extend(left);
            }
            learned.into_iter().for_each(|more| known.extend(more));
        }
        let mut within = found.floors;
        for Floors { high, low } in open.iter().map(|cell| cell.within) {
            within.widen(Floors { high: high.max(total - low), low: low.min(total - high) });
        }
        Searched { found, within }
    }
}

#[cfg(test)]
mod tests {
    use super::super::twin::random_problem;
    use super::*;
    use crate::arrangement::Arrangement;

    /// That simplices find the extremes is tested in `flats.rs`.
    #[test]
    fn a_search_that_is_told_to_stop_still_knows_a_bound() {
        let (features, z) = random_problem(200, 3, 9);
        let points = Points::of(&Arrangement::of(&features), 4).unwrap();
        let cells = Cells::of(&points);
        let calls = AtomicU64::new(0);
        let stop = || calls.fetch_add(1, Ordering::Relaxed) >= 1;
        let early = cells.search(&points, &z, Floors::NONE, 1e8, &stop);
        let all = cells.search(&points, &z, Floors::NONE, 1e8, &|| false);
        assert!(early.within != all.within);
        assert!(early.within.high >= all.within.high && early.within.low <= all.within.low);
    }
}
