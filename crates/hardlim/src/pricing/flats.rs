//! All vertices of an arrangement, circle by circle.
//!
//! The directions orthogonal to `r − 2` points form a circle. Eliminating the points one by one, as
//! in Gaussian elimination, projects all others to the plane of that circle. With `|b − b*| ≤ E`
//! for all coordinates, `|b| ≤ M`, and the pivot `|b_qc| ≥ D + E`, a step `b_j − (b_qj / b_qc) b_c`
//! has an error of at most `2E + (2E/D + ε)M + 3εM`.
//!
//! Points that are (nearly) dependent leave no accuracy. Every vertex on their circle lies on other
//! circles, too, and mostly one of these is accurate; the rest are visited vertex by vertex.

use std::collections::HashMap;

use super::circle::Circle;
use super::circles::circle_steps;
use super::meter::Meter;
use super::points::Points;
use super::tuning::{STEPS_A_VERTEX, STEPS_OF_A_SORT, WORST_ERROR};
use super::vertex::{Floors, Found};
use crate::exact::integer::dependent;

/// What is known about circles that have to be visited in every round.
pub(super) const ANYTHING: Floors = Floors { high: f64::INFINITY, low: f64::NEG_INFINITY };
/// The patterns of all points that beat the floors, the best from above and from below.
pub(super) fn search(points: &Points, z: &[f64], floors: Floors, meter: &Meter<'_>) -> Found {
    let mut search = Search::new(points, z, floors, meter);
    search.found.everything_on(points, z);
    match points.rank() {
        0 => {}
        1 => {
            search.found.vertex(points, z, &[], meter);
        }
        2 => search.circle(),
        _ => search.through(&(0..points.len as u32).collect::<Vec<u32>>()),
    }
    search.found
}

/// The points projected along those chosen so far.
#[derive(Debug, Clone, Default)]
struct Level {
    columns: Vec<Vec<f64>>,
    accuracy: Accuracy,
}

/// How large the numbers of a level are, and their errors.
#[derive(Debug, Clone, Copy, Default)]
struct Accuracy {
    error: f64,
    size: f64,
}

impl Accuracy {
    /// The accuracy after elimination by a pivot of this size; `None` if too little is left.
    fn eliminated(self, pivot: f64) -> Option<Self> {
        let Self { error, size } = self;
        let ratio_error = 2.0 * error / (pivot - error) + f64::EPSILON;
        let next = 2.0 * error + (ratio_error + 3.0 * f64::EPSILON) * size + f64::MIN_POSITIVE;
        (pivot > error && next <= WORST_ERROR).then_some(Self { error: next, size: 2.0 * size })
    }
}

fn largest(numbers: impl Iterator<Item = f64>) -> (usize, f64) {
    numbers
        .enumerate()
        .fold((0, 0.0), |best, (j, v)| if v.abs() > best.1 { (j, v.abs()) } else { best })
}

/// Values that the patterns next to the vertices of a circle are within, in some round.
#[derive(Debug, Clone, Copy)]
pub(super) struct Within {
    values: Floors,
    pub(super) round: u32,
}

/// A round that is over: the values that all its patterns are within, and by how much they may have
/// moved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Past {
    pub(super) end: Floors,
    pub(super) drift: Floors,
}

/// A search over the circles through some points. It is complete unless its meter is over.
pub(super) struct Search<'a> {
    points: &'a Points,
    z: &'a [f64],
    meter: &'a Meter<'a>,
    chosen: Vec<usize>,
    levels: Vec<Level>,
    circle: Circle,
    pub(super) found: Found,
    /// Whether other searches visit all circles of the points before the first chosen one.
    shared: bool,
    /// What earlier rounds knew about the circles, in the order of the search.
    old: &'a [Within],
    past: &'a [Past],
    /// The number of this round, if circles are remembered.
    round: Option<u32>,
    pub(super) within: Vec<Within>,
    /// The flats of the vertices that were visited; true if they are left to other searches.
    visited: HashMap<Vec<u32>, bool>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        points: &'a Points,
        z: &'a [f64],
        floors: Floors,
        meter: &'a Meter<'a>,
    ) -> Self {
        let mut levels = vec![Level::default(); points.rank().saturating_sub(1).max(1)];
        levels[0] = Level {
            columns: points.coordinates.clone(),
            accuracy: Accuracy { error: points.error, size: 1.01 },
        };
        Self {
            points,
            z,
            meter,
            chosen: Vec::new(),
            levels,
            circle: Circle::default(),
            found: Found::new(floors),
            shared: false,
            old: &[],
            past: &[],
            round: None,
            within: Vec::new(),
            visited: HashMap::new(),
        }
    }

    /// Leaves the vertices that have points before the first chosen one to the searches of those
    /// points.
    pub(super) fn shared(self) -> Self {
        Self { shared: true, ..self }
    }

    /// Skips circles that earlier rounds rule out, and notes what this round finds.
    pub(super) fn remember(&mut self, old: &'a [Within], past: &'a [Past], round: u32) {
        (self.old, self.past, self.round) = (old, past, Some(round));
    }

    /// Whether an earlier round rules the next circle out. Then it keeps what is known.
    fn is_known(&mut self) -> bool {
        let Some(&old) = self.old.get(self.within.len()) else { return false };
        let Past { end, drift } = self.past[old.round as usize];
        let Floors { high, low } = self.found.floors;
        let known = old.values.high.min(end.high) + drift.high <= high
            && old.values.low.max(end.low) + drift.low >= low;
        if known {
            self.within.push(old);
        }
        known
    }

    /// Notes what the patterns of the last circle are within.
    fn note(&mut self, values: Floors) {
        if let Some(round) = self.round {
            self.within.push(Within { values, round });
        }
    }

    /// Searches all vertices orthogonal to some of these points, in increasing order, and no others
    /// but by chance. The rank is at least three.
    pub(super) fn through(&mut self, rows: &[u32]) {
        for (k, &p) in rows.iter().enumerate() {
            self.pivot(p as usize, &rows[k + 1..]);
        }
    }

    /// Searches all circles through point `p` and some of the points after it.
    pub(super) fn pivot(&mut self, p: usize, after: &[u32]) {
        let last = self.chosen.len() + 3 == self.points.rank();
        if self.meter.is_over() || (last && self.is_known()) {
            return;
        }
        let accurate = self.eliminate(p);
        self.chosen.push(p);
        if !accurate {
            self.inaccurate(after);
            if last {
                self.note(ANYTHING);
            }
        } else if last {
            self.circle();
        } else {
            self.through(after);
        }
        self.chosen.pop();
    }

    /// Projects the points along point `q`. Returns `false` if that leaves too little accuracy.
    fn eliminate(&mut self, q: usize) -> bool {
        let (done, next) = self.levels.split_at_mut(self.chosen.len() + 1);
        let (level, next) = (&done[done.len() - 1], &mut next[0]);
        let (c, pivot) = largest(level.columns.iter().map(|b| b[q]));
        let Some(accuracy) = level.accuracy.eliminated(pivot) else { return false };
        next.accuracy = accuracy;
        next.columns.resize_with(level.columns.len() - 1, Vec::new);
        let divisor = &level.columns[c];
        let others = level.columns.iter().enumerate().filter(|&(j, _)| j != c).map(|(_, b)| b);
        for (column, projected) in others.zip(&mut next.columns) {
            let ratio = column[q] / divisor[q];
            projected.clear();
            projected.extend(column.iter().zip(divisor).map(|(b, d)| b - ratio * d));
        }
        true
    }

    /// Whether the circle through these points, in order, is accurate: [`Search::eliminate`] on
    /// these points alone.
    fn is_accurate(&self, chosen: &[usize]) -> bool {
        let row = |&i: &usize| self.points.coordinates.iter().map(|q| q[i]).collect();
        let mut rows: Vec<Vec<f64>> = chosen.iter().map(row).collect();
        let mut accuracy = self.levels[0].accuracy;
        for k in 0..rows.len() {
            let (c, pivot) = largest(rows[k].iter().copied());
            let Some(next) = accuracy.eliminated(pivot) else { return false };
            accuracy = next;
            let pivot_row = rows[k].clone();
            for row in &mut rows[k + 1..] {
                let divisor = row[c];
                for (b, p) in row.iter_mut().zip(&pivot_row) {
                    *b -= p / pivot_row[c] * divisor;
                }
                row.remove(c);
            }
        }
        true
    }

    /// The vertices on the circle of the chosen points.
    fn circle(&mut self) {
        if self.meter.takes((STEPS_OF_A_SORT * circle_steps(self.points.len)) as u64) {
            return;
        }
        let level = &self.levels[self.chosen.len()];
        let error = level.accuracy.error;
        // The error of a key is 3E/(|x| + |y| − 2E), less than 4√E if points are no shorter than
        // √E.
        let shortest = error.sqrt();
        self.circle.load(&level.columns[0], &level.columns[1], shortest);
        let (mut above, mut below) = (0.0, 0.0);
        for &i in &self.circle.near {
            above += self.z[i as usize].max(0.0);
            below += self.z[i as usize].min(0.0);
        }
        let floors = self.found.floors;
        let (mut suspects, mut within) = (Vec::new(), Floors::NONE);
        self.circle.runs(self.z, 8.0 * shortest, |run| {
            let reach = run.sums.reach(above, below);
            if reach.beats(floors) {
                suspects.push((reach, run));
            } else {
                within.widen(reach);
            }
        });
        if suspects.is_empty() && self.circle.near.len() < self.points.len {
            return self.note(within); // the usual case: even the best choices give nothing new
        }
        let near = std::mem::take(&mut self.circle.near);
        let (all_near, mut left) = (near.len() == self.points.len, false);
        suspects.sort_by(|a, b| b.0.width().total_cmp(&a.0.width()));
        for (reach, run) in suspects {
            if !reach.beats(self.found.floors) {
                within.widen(reach);
                continue;
            }
            let level = &self.levels[self.chosen.len()];
            for part in self.circle.split(&run, &level.columns[0], &level.columns[1], error, self.z)
            {
                let reach = part.sums.reach(above, below);
                within.widen(reach);
                if reach.beats(self.found.floors) {
                    let flat = self.flat(&part.members, &near);
                    left |= match self.visited.get(&flat) {
                        Some(left) => *left,
                        None => self.vertices(part.members, &near),
                    };
                }
            }
        }
        // The points next to the chosen ones may change sides anywhere on the circle.
        left |= self.vertices(near.iter().map(|&i| i as usize).collect(), &near);
        // Whatever was beyond the floors before is not beyond those of now, unless it is left to
        // others.
        let Floors { high, low } = self.found.floors;
        let values = Floors { high: within.high.min(high), low: within.low.max(low) };
        self.note(match (all_near, left) {
            (true, _) => ANYTHING,
            (false, true) => within,
            (false, false) => values,
        });
    }

    /// These points, with the chosen ones and those next to them, in order.
    fn flat(&self, members: &[usize], near: &[u32]) -> Vec<u32> {
        let others = members.iter().chain(&self.chosen).map(|&i| i as u32);
        let mut flat: Vec<u32> = others.chain(near.iter().copied()).collect();
        flat.sort_unstable();
        flat.dedup();
        flat
    }

    /// The vertices of the chosen points with each of these. Returns whether some are left to other
    /// searches.
    fn vertices(&mut self, mut rows: Vec<usize>, near: &[u32]) -> bool {
        let first = self.chosen.first().copied().filter(|_| self.shared).unwrap_or(0);
        let others = rows.iter().copied().chain(near.iter().map(|&i| i as usize));
        // A point of zeros is on every vertex, and has no search of its own.
        let searched = |&i: &usize| i < first && self.points.value(i).iter().any(|v| *v != 0.0);
        let before: Vec<usize> = others.filter(searched).collect();
        let (mut left, all) = (false, self.flat(&rows, near));
        rows.retain(|i| !self.chosen.contains(i));
        while let Some(i) = rows.pop() {
            if self.meter.takes(STEPS_A_VERTEX * self.points.len as u64) {
                return true;
            }
            self.chosen.push(i);
            let normal = self.points.normal(&self.chosen);
            self.chosen.pop();
            let Some(normal) = normal else { continue };
            if before.iter().any(|&i| self.points.side(i, &normal) == 0) {
                left = true;
                if all.iter().all(|&i| self.points.side(i as usize, &normal) == 0) {
                    self.visited.insert(all, true);
                    break;
                }
                rows.retain(|&i| self.points.side(i, &normal) != 0);
                continue;
            }
            let flat = self.found.next_to(self.points, self.z, &normal, self.meter);
            rows.retain(|&i| flat.binary_search(&(i as u32)).is_err());
            if flat.len() >= self.points.rank() {
                self.visited.insert(flat, false);
            }
        }
        left
    }

    /// Searches all circles through the chosen points if their elimination is inaccurate.
    fn inaccurate(&mut self, after: &[u32]) {
        let rows: Vec<Vec<_>> =
            self.chosen.iter().map(|&i| self.points.integers(i).collect()).collect();
        if dependent(&rows, self.points.rank()) {
            return;
        }
        if self.chosen.len() + 2 < self.points.rank() {
            for (k, &q) in after.iter().enumerate() {
                self.chosen.push(q as usize);
                self.inaccurate(&after[k + 1..]);
                self.chosen.pop();
            }
            return;
        }
        for i in 0..self.points.len {
            if self.meter.takes(STEPS_A_VERTEX * self.points.len as u64) {
                return;
            }
            if self.chosen.contains(&i) {
                continue;
            }
            let mut all = self.chosen.clone();
            all.insert(all.partition_point(|&j| j < i), i);
            // A search that is shared might leave it to this one.
            let elsewhere = !self.shared
                && (all.iter().filter(|&&left_out| left_out != i)).any(|&left_out| {
                    let others: Vec<usize> =
                        all.iter().copied().filter(|&j| j != left_out).collect();
                    self.is_accurate(&others)
                });
            if !elsewhere {
                self.found.vertex(self.points, self.z, &all, self.meter);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::super::boxes::{Attempt, Boxes, Searched};
    use super::super::circles::Circles;
    use super::super::groups::subsets;
    use super::super::twin::{random_problem, small_problem};
    use super::*;
    use crate::arrangement::Arrangement;
    use crate::data::Features;
    use proptest::prelude::*;

    /// Every vertex, one set of points at a time, in integers.
    fn all_vertices(points: &Points, z: &[f64]) -> Floors {
        let mut found = Found::new(Floors::NONE);
        found.everything_on(points, z);
        if points.rank() > 0 {
            let meter = Meter::free();
            for set in subsets(points.len, points.rank() - 1) {
                found.vertex(points, z, &set, &meter);
            }
        }
        found.floors
    }

    fn agrees_with_the_vertices(features: &Features, z: &[f64], bias: bool) {
        let arrangement = Arrangement::with_bias(features, bias);
        let points = Points::of(&arrangement, 5).unwrap();
        let expected = all_vertices(&points, z);
        assert_eq!(
            search(&points, z, Floors::NONE, &Meter::free()).floors,
            expected,
            "{features:?} {z:?}"
        );
        if points.rank() >= 3 {
            let found = Circles::default()
                .search(&points, z, Floors::NONE, &AtomicU64::new(0), &|| false)
                .unwrap();
            assert_eq!(found.floors, expected, "{features:?} {z:?}");
            let searched = Boxes::any(&points).search(&points, z, Floors::NONE, &Meter::free());
            assert_eq!((searched.found.floors, searched.within), (expected, expected));
        }
        if let Some(boxes) = Boxes::of(&points, features.dimension()).filter(|_| bias) {
            let searched = boxes.search(&points, z, Floors::NONE, &Meter::free());
            assert_eq!(searched.found.floors, expected, "{features:?} {z:?}");
            assert_eq!(searched.within, expected);
            // Half of the best as the floor: what is ruled out is bounded.
            let half = Floors { high: expected.high.max(0.0) / 2.0, low: expected.low / 2.0 };
            let searched = boxes.search(&points, z, half, &Meter::free());
            assert!(searched.within.high >= expected.high && searched.within.low <= expected.low);
            for patience in [0, 1000, 10_000_000] {
                let meter = Meter::free();
                let outcome = boxes.attempt(&points, z, Floors::NONE, patience, &meter);
                match outcome {
                    Attempt::Done(searched) => assert_eq!(searched.found.floors, expected),
                    Attempt::TooLong(Searched { found, within }) => {
                        let Floors { high, low } = found.floors;
                        assert!(high <= expected.high && low >= expected.low);
                        assert!(within.high >= expected.high && within.low <= expected.low);
                        assert!(meter.taken() >= patience);
                    }
                    Attempt::Stopped(_) => panic!("nobody told it to stop"),
                }
            }
        }
    }

    /// Larger tables, on which boxes and circles have to agree.
    #[test]
    fn boxes_of_tables_of_tenths_find_what_circles_do() {
        for (seed, (n, d, values)) in
            (0..).zip([(60, 2, 9.0), (60, 3, 5.0), (80, 3, 1000.0), (30, 4, 4.0), (28, 4, 100.0)])
        {
            let (fine, z) = random_problem(n, d, seed);
            let tenths = fine.values().iter().map(|v| (v * values / 2.0).floor() / 10.0).collect();
            let (features, _) = Features::new(n, d, tenths).unwrap().merge();
            let (points, z) =
                (Points::of(&Arrangement::of(&features), 6).unwrap(), &z[..features.rows()]);
            let expected = search(&points, z, Floors::NONE, &Meter::free()).floors;
            let boxes = Boxes::any(&points);
            let half = Floors { high: expected.high / 2.0, low: expected.low / 2.0 };
            for floors in [Floors::NONE, half] {
                let found = boxes.search(&points, z, floors, &Meter::free());
                assert_eq!((found.found.floors, found.within), (expected, expected));
            }
        }
    }

    #[test]
    fn boxes_that_are_told_to_stop_still_know_a_bound() {
        let (features, z) = random_problem(200, 4, 9);
        let points = Points::of(&Arrangement::of(&features), 5).unwrap();
        let (counter, calls) = (AtomicU64::new(0), AtomicU64::new(0));
        let stop = || calls.fetch_add(1, Ordering::Relaxed) >= 2;
        let meter = Meter::new(&counter, &stop);
        let boxes = Boxes::any(&points);
        let Attempt::Stopped(early) = boxes.attempt(&points, &z, Floors::NONE, 1 << 40, &meter)
        else {
            panic!("it was told to stop")
        };
        let all = boxes.search(&points, &z, Floors::NONE, &Meter::free());
        assert!(early.within != all.within);
        assert!(early.within.high >= all.within.high && early.within.low <= all.within.low);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// Tenths are not on a grid of doubles: lines through them are almost, but not quite, full
        /// of points.
        #[test]
        fn sweeps_of_tenths_find_what_the_vertices_one_by_one_do(
            (features, z) in small_problem(10, 1usize..5, 2), bias in any::<bool>(),
            unit in prop_oneof![Just(0.1), Just(1.0), Just(1e-20), Just(0.1 / 3.0)],
            shift in prop_oneof![Just(0.0), Just(0.3), Just(1e5)],
            tilt in prop_oneof![Just(0.0), Just(1.0), Just(0.7)],
        ) {
            let d = features.dimension();
            let mut values: Vec<f64> =
                features.values().iter().map(|v| v * unit + shift * unit).collect();
            for row in values.chunks_exact_mut(d) {
                row[d - 1] += tilt * row[0]; // almost dependent where the tilt is one
            }
            prop_assume!(values.iter().all(|v| *v == 0.0 || v.abs() > 1e-50));
            let (features, _) = Features::new(features.rows(), d, values).unwrap().merge();
            agrees_with_the_vertices(&features, &z[..features.rows()], bias);
        }

        /// Points so close to each other that floating point has no directions between them.
        #[test]
        fn sweeps_of_tight_clusters_find_what_the_vertices_one_by_one_do(
            (coarse, _) in small_problem(10, 1usize..5, 1),
            fine in prop::collection::vec(-2i32..3, 40),
            z in prop::collection::vec(-4i32..5, 10),
            halvings in prop_oneof![Just(20), Just(28), Just(34), Just(40)], bias in any::<bool>(),
        ) {
            let (n, d) = (10, coarse.dimension());
            let value = |k: usize| {
                let center = coarse.values()[k % coarse.values().len()];
                center + f64::from(fine[k]) * 2f64.powi(-halvings)
            };
            let values = (0..n * d).map(value).collect();
            let (features, _) = Features::new(n, d, values).unwrap().merge();
            let z: Vec<f64> = z[..features.rows()].iter().map(|&z| f64::from(z)).collect();
            agrees_with_the_vertices(&features, &z, bias);
        }

        /// One cluster and a few points far away: most cells have all their vertices inside.
        #[test]
        fn sweeps_inside_a_tight_cluster_find_what_the_vertices_one_by_one_do(
            (fine, z) in small_problem(8, 3usize..5, 2), bias in any::<bool>(),
        ) {
            let (n, d) = (fine.rows(), fine.dimension());
            let mut values: Vec<f64> =
                fine.values().iter().map(|v| 1.0 + v * 2f64.powi(-36)).collect();
            for far in 0..d {
                values.extend((0..d).map(|j| if j == far { -1.0 } else { 0.5 * j as f64 }));
            }
            let features = Features::new(n + d, d, values).unwrap();
            let z: Vec<f64> = z.into_iter().chain(vec![0.0; d]).collect();
            agrees_with_the_vertices(&features, &z, bias);
        }
    }
}
