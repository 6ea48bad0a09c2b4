//! Halfspaces of points in few dimensions, by branch and bound over boxes of normals.
//!
//! Up to its length and sign, every normal has a largest coordinate of one. So all normals are
//! `u = (1, s₁, s₂, …)`, up to the order of the coordinates, with `s` in a cube. In a box of this
//! cube, `x·u` lies within `Σ hₖ|xₖ|` of its value at the centre, where `h` are half the sides of
//! the box. So for every threshold `τ` some points are on in the whole box, some are off, and the
//! others count as whichever is better. This bounds all halfspaces with such normals, in `O(n)` by
//! sorting into buckets. Without a bias the only threshold is zero.
//!
//! A threshold is *hot* if its bound is above the best value known. A box without hot thresholds is
//! done. Other boxes are halved. A halved box has no hot thresholds that its parent has not. So it
//! looks only at points that can change sides at these, and the deeper a box, the fewer they are.
//!
//! Every pattern can be moved to a vertex without a change ([`super::sweep`]), and the points of
//! this vertex are undecided in its box. So a box is done, too, if its undecided points do not span
//! a plane, or if they lie on one plane and its vertex was visited ([`super::vertex`]). In more
//! than three dimensions, points that no halving separates are a problem of their own, with fewer
//! points and mostly of smaller rank; its answer is remembered. In the smallest boxes the circles
//! of the points that are left decide ([`super::flats`]). If the points are few, or too close to
//! each other for boxes, the circles of all points take less time.
//!
//! The cost follows from the points and `z`, not from `n` and the rank alone: far from good
//! halfspaces, large boxes are done at once.

use std::collections::HashMap;

use super::circles::all_steps;
use super::flats::{ANYTHING, Search, search};
use super::meter::Meter;
use super::points::Points;
use super::tuning::{
    DEEPEST_SIDE, LARGEST_RANK, MOST_CIRCLES, MOST_STEPS, QUESTION, STEPS_A_LOOK, STUCK,
    STUCK_A_SIDE,
};
use super::vertex::{Floors, Found, circles};
use crate::exact::rank::Matrix;

/// The most sides of a box.
const SIDES: usize = LARGEST_RANK - 1;

/// Points, without the coordinate of the bias if there is one.
#[derive(Debug, Clone)]
pub(super) struct Boxes {
    columns: Vec<Vec<f64>>,
    /// Whether there is a bias, so that halfspaces have any threshold.
    threshold: bool,
    /// A bound on the error of `x·u` for all normals, positive.
    error: f64,
    /// No coordinate is larger.
    size: f64,
}

#[derive(Debug, Clone)]
pub(super) struct Searched {
    pub(super) found: Found,
    /// What all values are within.
    pub(super) within: Floors,
}

#[derive(Debug)]
pub(super) enum Attempt {
    Done(Searched),
    /// With what was found so far.
    Stopped(Searched),
    /// The same.
    TooLong(Searched),
}

impl Searched {
    /// What is not beyond the floors of an exact search is within them.
    pub(super) fn exact(found: Found) -> Self {
        Self { within: found.floors, found }
    }
}

/// The normals with a one at `face`, and `s` near the centre.
#[derive(Debug, Clone, Copy)]
struct Cell {
    face: usize,
    center: [f64; SIDES],
    half: [f64; SIDES],
    depth: u32,
}

impl Cell {
    /// The two halves across the longest side.
    fn halves(&self) -> [Self; 2] {
        let longer = |a: usize, b: usize| if self.half[b] > self.half[a] { b } else { a };
        let side = (1..SIDES).fold(0, longer);
        [-0.5, 0.5].map(|part| {
            let mut half = Self { depth: self.depth + 1, ..*self };
            half.center[side] += part * self.half[side];
            half.half[side] *= 0.5;
            half
        })
    }
}

/// The points that change sides in a box at a hot threshold.
#[derive(Debug, Clone)]
struct Undecided {
    points: Vec<u32>,
    /// `Σ z` over the points that are on at all of these thresholds.
    on: f64,
    /// All hot thresholds lie between these.
    lowest: f64,
    highest: f64,
    /// What all values are within.
    within: Floors,
    /// How many halvings have separated none of them.
    stuck: u32,
}

impl Boxes {
    /// The points of rank three or four, if the first column is that of the bias.
    pub(super) fn of(points: &Points, bias: usize) -> Option<Self> {
        let few = (3..=4).contains(&points.rank()) && points.columns[0] == bias;
        few.then(|| Self::with_threshold(points, true))
    }

    /// The points of any rank from three up to [`LARGEST_RANK`].
    pub(super) fn any(points: &Points) -> Self {
        Self::with_threshold(points, (0..points.len).all(|i| points.value(i)[0] == 1.0))
    }

    fn with_threshold(points: &Points, threshold: bool) -> Self {
        let (columns, smallest): (Vec<Vec<f64>>, f64) = if threshold {
            // The first coordinate is a power of two: one, with every point scaled by its own.
            let one = &points.coordinates[0];
            let column = |q: &Vec<f64>| q.iter().zip(one).map(|(v, one)| v / one).collect();
            let smallest = one.iter().copied().fold(1.0, f64::min);
            (points.coordinates[1..].iter().map(column).collect(), smallest)
        } else {
            (points.coordinates.clone(), 1.0)
        };
        let size = columns.iter().flatten().fold(0.0, |m: f64, v| m.max(v.abs()));
        // One term for each coordinate, none larger than it; then their rounding.
        let terms = columns.len().max(3) as f64;
        let rounding = (4.0 * terms + 4.0) * f64::EPSILON * size;
        let error = (terms + 0.1) * points.error / smallest + rounding;
        Self { columns, threshold, error: error + f64::MIN_POSITIVE, size }
    }

    /// Whether these are points of the plane or of space.
    fn in_space(&self) -> bool {
        self.threshold && self.columns.len() <= 3
    }

    /// The best halfspaces beyond the floors, from above and from below.
    pub(super) fn search(
        &self,
        points: &Points,
        z: &[f64],
        floors: Floors,
        meter: &Meter<'_>,
    ) -> Searched {
        let patience = STEPS_A_LOOK * all_steps(points) as u64;
        match self.attempt(points, z, floors, patience, meter) {
            Attempt::Done(searched) => searched,
            Attempt::TooLong(Searched { found: before, .. }) => {
                let mut found = search(points, z, before.floors, meter);
                found.precede(before);
                Searched::exact(found)
            }
            Attempt::Stopped(searched) => searched,
        }
    }

    /// The same, in at most about `patience` elementary steps.
    pub(super) fn attempt(
        &self,
        points: &Points,
        z: &[f64],
        floors: Floors,
        patience: u64,
        meter: &Meter<'_>,
    ) -> Attempt {
        let most = meter.taken().saturating_add(patience);
        let mut branch = Branch {
            boxes: self,
            points,
            z,
            total: z.iter().sum(),
            search: Search::new(points, z, floors, meter),
            within: Floors::NONE,
            buckets: Vec::new(),
            reach: Vec::new(),
            visited: HashMap::new(),
            known: HashMap::new(),
            covered: Vec::new(),
            meter,
            most,
        };
        branch.search.found.everything_on(points, z);
        branch.search.found.nothing_on(points);
        let far = if self.threshold { f64::INFINITY } else { 0.0 };
        let all = Undecided {
            points: (0..z.len() as u32).collect(),
            on: 0.0,
            lowest: -far,
            highest: far,
            within: ANYTHING,
            stuck: 0,
        };
        let mut half = [0.0; SIDES];
        half[..self.columns.len() - 1].fill(1.0);
        let cells = (0..self.columns.len())
            .map(|face| Cell { face, center: [0.0; SIDES], half, depth: 0 })
            .flat_map(|cell| branch.bound(&cell, &all))
            .collect();
        branch.descend(cells);
        let Branch { search: Search { found, .. }, mut within, .. } = branch;
        if meter.is_over() || meter.taken() > most {
            within.widen(found.floors);
            let searched = Searched { found, within };
            return if meter.is_over() {
                Attempt::Stopped(searched)
            } else {
                Attempt::TooLong(searched)
            };
        }
        let high = if found.highest.is_some() { found.floors.high } else { within.high };
        let low = if found.lowest.is_some() { found.floors.low } else { within.low };
        Attempt::Done(Searched { found, within: Floors { high, low } })
    }

    /// The differences of two points, the coordinate of the face first.
    fn step(&self, face: usize, from: usize, to: usize) -> [f64; 3] {
        let mut step = [0.0; 3];
        let others = (0..self.columns.len()).filter(|&j| j != face);
        for (v, j) in step.iter_mut().zip(std::iter::once(face).chain(others)) {
            *v = self.columns[j][to] - self.columns[j][from];
        }
        step
    }

    /// A bound on the error of a product of two differences minus another one.
    fn product_error(&self) -> f64 {
        32.0 * self.size.max(f64::MIN_POSITIVE) * self.error + f64::MIN_POSITIVE
    }

    /// Whether the normal orthogonal to the differences of `rank − 1` points of the plane or of
    /// space may be in the box.
    fn may_have_vertex(&self, cell: &Cell, rows: &[usize]) -> bool {
        let (s, t, h, k) = (cell.center[0], cell.center[1], cell.half[0], cell.half[1]);
        let a = self.step(cell.face, rows[0], rows[1]);
        if rows.len() == 2 {
            return (a[0] + s * a[1]).abs() <= h * a[1].abs() + 4.0 * self.error;
        }
        // Cramer's rule for a·(1, s, t) = b·(1, s, t) = 0.
        let b = self.step(cell.face, rows[0], rows[2]);
        let determinant = a[1] * b[2] - a[2] * b[1];
        let for_s = a[2] * b[0] - a[0] * b[2];
        let for_t = a[0] * b[1] - a[1] * b[0];
        let error = 4.0 * self.product_error();
        let near = |found: f64, center: f64, half: f64| {
            (found - center * determinant).abs() <= half * determinant.abs() + error
        };
        near(for_s, s, h) && near(for_t, t, k)
    }

    /// Points that span the line, or plane, of all these; `None` if they clearly have none in
    /// common, and `Some(None)` if that is too close to tell.
    fn plane_of(&self, rows: &[usize]) -> Option<Option<Vec<usize>>> {
        let length = |a: &[f64; 3]| a.iter().map(|v| v.abs()).sum::<f64>();
        let far = |of: &dyn Fn(usize) -> f64| {
            rows.iter().copied().max_by(|&i, &j| of(i).total_cmp(&of(j))).expect("not empty")
        };
        let p = rows[0];
        let q = far(&|i| length(&self.step(0, p, i)));
        let a = self.step(0, p, q);
        let cross = |b: &[f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let area = |i: usize| length(&cross(&self.step(0, p, i)));
        let r = far(&area);
        let error = 3.0 * self.product_error();
        if self.columns.len() == 2 {
            return (area(r) <= error)
                .then_some((length(&a) > 4.0 * self.error).then(|| vec![p, q]));
        }
        if area(r) <= error {
            return Some(None);
        }
        let normal = cross(&self.step(0, p, r));
        let height = |i: usize| {
            let x = self.step(0, p, i);
            (0..3).map(|j| x[j] * normal[j]).sum::<f64>().abs()
        };
        let most = 8.0 * self.size.max(f64::MIN_POSITIVE) * error;
        let flat = rows.iter().all(|&i| height(i) <= most);
        flat.then(|| Some(vec![p, q, r]))
    }
}

/// Sums over one bucket of thresholds: points that may be on from here down, and points that are
/// on.
#[derive(Debug, Clone, Copy, Default)]
struct Bucket {
    may_above: f64,
    may_below: f64,
    is_above: f64,
    is_below: f64,
}

struct Branch<'a> {
    boxes: &'a Boxes,
    points: &'a Points,
    z: &'a [f64],
    total: f64,
    search: Search<'a>,
    /// What everything that was ruled out is within.
    within: Floors,
    buckets: Vec<Bucket>,
    /// For every undecided point of the parent, the least and the largest `x·u`.
    reach: Vec<(u32, f64, f64)>,
    /// The points on the vertices that were visited.
    visited: HashMap<Vec<usize>, Vec<u32>>,
    /// For points that were a problem of their own, what no pattern of theirs alone is beyond.
    known: HashMap<Vec<u32>, Floors>,
    /// Points, in increasing order, all of whose vertices were visited.
    covered: Vec<Vec<u32>>,
    meter: &'a Meter<'a>,
    /// How many steps the meter may have when boxes give up.
    most: u64,
}

impl Branch<'_> {
    /// The points that are undecided in a box, given those of its parent, for each run of hot
    /// thresholds. The box is done if there are none.
    fn bound(&mut self, cell: &Cell, parent: &Undecided) -> Vec<(Cell, Undecided)> {
        let Boxes { columns, error, .. } = self.boxes;
        let others: Vec<&Vec<f64>> =
            (0..columns.len()).filter(|&j| j != cell.face).map(|j| &columns[j]).collect();
        let Cell { face, center: c, half: h, .. } = cell;
        let mut on = parent.on;
        let (mut bottom, mut top) = (f64::INFINITY, f64::NEG_INFINITY);
        self.looks(parent.points.len());
        self.reach.clear();
        for &i in &parent.points {
            let p = i as usize;
            let at = columns[*face][p];
            let (center, radius) = match &others[..] {
                [x] => (at + c[0] * x[p], h[0] * x[p].abs()),
                [x, y] => {
                    let center = at + c[0] * x[p] + c[1] * y[p];
                    (center, h[0] * x[p].abs() + h[1] * y[p].abs())
                }
                all => all.iter().enumerate().fold((at, 0.0), |(center, radius), (k, x)| {
                    (center + c[k] * x[p], radius + h[k] * x[p].abs())
                }),
            };
            let radius = radius + error;
            let (low, high) = (center - radius, center + radius);
            if low > parent.highest {
                on += self.z[p];
            } else if high >= parent.lowest {
                (bottom, top) = (bottom.min(low), top.max(high));
                self.reach.push((i, low, high));
            }
        }
        (bottom, top) = (bottom.max(parent.lowest), top.min(parent.highest));
        let count = self.reach.len().clamp(16, 1 << 14);
        let scale = (count - 1) as f64 / (top - bottom).max(f64::MIN_POSITIVE);
        // Rounding is monotone, so a point is in no bucket that its real heights miss.
        let bucket = |height: f64| (((height - bottom).max(0.0) * scale) as usize).min(count - 1);
        self.buckets.clear();
        self.buckets.resize(count, Bucket::default());
        for &(i, low, high) in &self.reach {
            let (above, below) = (self.z[i as usize].max(0.0), self.z[i as usize].min(0.0));
            let (low, high) = (bucket(low), bucket(high));
            self.buckets[high].may_above += above;
            self.buckets[high].may_below += below;
            self.buckets[low].is_above += above;
            self.buckets[low].is_below += below;
        }
        let floors = self.search.found.floors;
        let (mut sure, mut above, mut below) = (on, 0.0, 0.0);
        // The first and last bucket of each run, and its bounds.
        let mut runs: Vec<(usize, usize, Floors)> = Vec::new();
        for (k, bucket) in self.buckets.iter().enumerate().rev() {
            above += bucket.may_above;
            below += bucket.may_below;
            // In front at most sure + above, at least sure + below; behind it the rest of the
            // total.
            let (most, least) = (sure + above, sure + below);
            let within =
                Floors { high: most.max(self.total - least), low: least.min(self.total - most) };
            if within.beats(floors) {
                match runs.last_mut() {
                    // The margins of closer runs would overlap.
                    Some(run) if run.0 <= k + 3 => {
                        run.0 = k;
                        run.2.widen(within);
                    }
                    _ => runs.push((k, k, within)),
                }
            } else {
                self.within.widen(within);
            }
            above -= bucket.is_above;
            below -= bucket.is_below;
            sure += bucket.is_above + bucket.is_below;
        }
        // One bucket more on both sides makes up for the rounding of their edges.
        let edge = |k: f64| bottom + k / scale;
        let undecided = |&(first, last, within): &(usize, usize, Floors)| {
            let lowest = parent.lowest.max(edge(first as f64 - 1.0));
            let highest = parent.highest.min(edge(last as f64 + 2.0));
            let (mut points, mut on) = (Vec::new(), on);
            for &(i, low, high) in &self.reach {
                if low > highest {
                    on += self.z[i as usize];
                } else if high >= lowest {
                    points.push(i);
                }
            }
            let stuck = if points.len() == parent.points.len() { parent.stuck + 1 } else { 0 };
            (*cell, Undecided { points, on, lowest, highest, within, stuck })
        };
        runs.iter().map(undecided).collect()
    }

    /// Searches these boxes, the most promising first. What is left when it has to end is within
    /// its bounds.
    fn descend(&mut self, mut cells: Vec<(Cell, Undecided)>) {
        let sides = self.boxes.columns.len() as u32 - 1;
        let space = self.boxes.in_space();
        let patience = if space { STUCK } else { STUCK_A_SIDE * sides };
        let deepest = DEEPEST_SIDE * sides.max(2);
        let Floors { high, low } = self.search.found.floors;
        let excess = |cell: &Undecided| f64::max(cell.within.high - high, low - cell.within.low);
        cells.sort_by(|a, b| excess(&b.1).total_cmp(&excess(&a.1)));
        for (cell, undecided) in cells {
            // The floors may have moved since.
            if self.is_to_end() || !undecided.within.beats(self.search.found.floors) {
                self.within.widen(undecided.within);
                continue;
            }
            let few = undecided.points.len() < self.points.rank();
            let stuck = undecided.stuck % patience == patience - 1;
            let last = cell.depth >= deepest;
            if few || stuck || last {
                let decided = if few || space {
                    self.decide(&cell, &undecided)
                } else {
                    self.decide_alone(&undecided)
                };
                if !decided && last {
                    self.cover(&undecided.points);
                }
                if decided || last {
                    if self.meter.is_over() {
                        self.within.widen(undecided.within);
                    }
                    continue;
                }
            }
            let halves = cell.halves();
            let halves = halves.iter().flat_map(|half| self.bound(half, &undecided)).collect();
            self.descend(halves);
        }
    }

    fn is_to_end(&self) -> bool {
        self.meter.is_over() || self.meter.taken() > self.most
    }

    /// Whether no pattern of the undecided points beats the floors, or all their vertices were
    /// visited.
    fn decide_alone(&mut self, undecided: &Undecided) -> bool {
        let rows = &undecided.points;
        let holds = |set: &Vec<u32>| {
            let mut set = set.iter();
            rows.iter().all(|row| set.any(|other| other == row))
        };
        if self.covered.iter().any(holds) {
            return true;
        }
        if rows.len() < self.points.len && !self.has_better(undecided) {
            self.settled();
            return true;
        }
        let few = circles(rows.len(), self.points.rank()) <= MOST_CIRCLES;
        if few {
            self.cover(rows);
        }
        few
    }

    /// Whether the undecided points alone may have a pattern that would beat the floors, with
    /// either side of the halfspaces in front.
    fn has_better(&mut self, undecided: &Undecided) -> bool {
        let Undecided { points: rows, on, .. } = undecided;
        let z: Vec<f64> = rows.iter().map(|&i| self.z[i as usize]).collect();
        let off = self.total - on - z.iter().sum::<f64>();
        let Floors { high, low } = self.search.found.floors;
        let beat = Floors { high: high - on.max(off), low: low - on.min(off) };
        if self.known.get(rows).is_some_and(|known| !known.beats(beat)) {
            return false;
        }
        let rank = self.points.rank();
        let (beside, _) = self.points.select(rows, rank).expect("no more columns than before");
        if all_steps(&beside) > MOST_STEPS {
            return true;
        }
        let found = search(&beside, &z, beat, self.meter).floors;
        if self.meter.is_over() {
            return true;
        }
        self.known.insert(rows.clone(), found);
        found.beats(beat)
    }

    /// Visits all vertices of these points. If they are most of the points, visiting all vertices
    /// at all is not much more.
    fn cover(&mut self, rows: &[u32]) {
        let count = |rows: usize| circles(rows, self.points.rank());
        let most = !self.boxes.in_space() && count(self.points.len) <= 4.0 * count(rows.len());
        let rows = if most { (0..self.points.len as u32).collect() } else { rows.to_vec() };
        self.search.through(&rows);
        self.settled();
        self.covered.push(rows);
    }

    /// Whether the undecided points have at most one vertex in the box. It is visited. Every
    /// pattern that is better has a vertex, and its points are undecided in the box of the vertex.
    fn decide(&mut self, cell: &Cell, undecided: &Undecided) -> bool {
        let rows: Vec<usize> = undecided.points.iter().map(|&i| i as usize).collect();
        let rank = self.points.rank();
        if rows.len() + 1 < rank {
            return true;
        }
        if rows.len() + 1 == rank {
            if !self.boxes.in_space() || self.boxes.may_have_vertex(cell, &rows) {
                self.visit(&rows);
            }
            return true;
        }
        self.looks(4 * rows.len());
        let Some(spanning) = self.boxes.plane_of(&rows) else { return false };
        let spanning = match spanning {
            Some(spanning) => spanning,
            None => {
                self.looks(QUESTION * rows.len());
                let value = |j: usize, i: usize| self.points.value(rows[i])[j];
                let matrix = Matrix::new(rank, rows.len(), value);
                let Some(kept) = matrix.independent_columns(rank - 1) else { return false };
                kept.into_iter().map(|k| rows[k]).collect()
            }
        };
        if spanning.len() + 1 < rank {
            return true;
        }
        let flat = self.visit(&spanning);
        rows.iter().all(|&i| flat.binary_search(&(i as u32)).is_ok())
    }

    /// Visits the vertex of these points, unless it was visited. Returns the points on it.
    fn visit(&mut self, rows: &[usize]) -> Vec<u32> {
        let mut key: Vec<usize> = rows.to_vec();
        key.sort_unstable();
        if let Some(flat) = self.visited.get(&key) {
            return flat.clone();
        }
        self.looks(4 * self.points.len);
        let found = &mut self.search.found;
        let flat = found.vertex(self.points, self.z, &key, self.meter).unwrap_or_default();
        self.settled();
        self.visited.insert(key, flat.clone());
        flat
    }

    fn looks(&self, points: usize) {
        self.meter.takes(STEPS_A_LOOK * points as u64);
    }

    /// What was ruled out by points one by one is not beyond the floors.
    fn settled(&mut self) {
        self.within.widen(self.search.found.floors);
    }
}
