//! The search of one simplex after the other, down to single vertices.
//!
//! Halving does not separate points that are all orthogonal to one direction, as on tied data. If
//! the undecided points `S` stay the same for some halvings, the maximum over the patterns of `S`
//! alone replaces the sum of their positive parts. That is a problem with fewer points, mostly of
//! smaller rank, and its answer is remembered for all simplices next to the same flat.

use std::collections::HashMap;

use super::cell::{Bounds, Cell};
use super::cells::Cells;
use super::circles::all_steps;
use super::flats::{Search, search};
use super::meter::Meter;
use super::points::Points;
use super::tuning::{
    DEEPEST_SIMPLEX, FEW_CIRCLES, MOST_CIRCLES, MOST_STEPS, STALLED, STEPS_A_HEIGHT,
};
use super::vertex::{Floors, Found, circles};
use crate::exact::sum::{add_times, dot, project_out, unit};

/// For sets of undecided points, values that no pattern of theirs alone is beyond.
pub(super) type Known = HashMap<Vec<u32>, Floors>;

/// A search of cells on one core.
pub(super) struct Descent<'a> {
    cells: &'a Cells,
    points: &'a Points,
    z: &'a [f64],
    total: f64,
    pub(super) found: Found,
    known: &'a Known,
    /// What this search adds to what is known.
    pub(super) learned: Known,
    /// Points, in increasing order, all of whose vertices were visited.
    visited: Vec<Vec<u32>>,
    bounds: Bounds,
    meter: &'a Meter<'a>,
}

impl<'a> Descent<'a> {
    pub(super) fn new(
        cells: &'a Cells,
        points: &'a Points,
        z: &'a [f64],
        floors: Floors,
        known: &'a Known,
        meter: &'a Meter<'a>,
    ) -> Self {
        let (total, found) = (z.iter().sum(), Found::new(floors));
        let (learned, visited, bounds) = (Known::new(), Vec::new(), Bounds::default());
        Self { cells, points, z, total, found, known, learned, visited, bounds, meter }
    }

    /// Searches a cell, and returns the parts that are left after a number of visits, or when told
    /// to stop.
    pub(super) fn visit(&mut self, cell: Cell, quota: usize) -> Vec<Cell> {
        let mut open = vec![cell];
        for _ in 0..quota {
            let Some(cell) = open.pop() else { break };
            let steps = STEPS_A_HEIGHT * cell.rows.len() * self.cells.corners();
            if self.meter.takes(steps as u64) {
                open.push(cell);
                break;
            }
            let floors = self.found.floors.with_opposites(self.total);
            if !self.bounds.measure(self.cells, self.z, &cell, floors) {
                continue;
            }
            let mut cell = cell.narrowed(self.cells, self.z, &self.bounds);
            if !self.is_done(&mut cell) || self.meter.is_over() {
                open.extend(cell.halves());
            }
        }
        open
    }

    /// Whether the cell needs no halving: no pattern of its undecided points beats the floors, or
    /// all their vertices were visited.
    fn is_done(&mut self, cell: &mut Cell) -> bool {
        let (corners, count) = (self.cells.corners() as u32, cell.rows.len());
        if count < self.points.rank() && cell.stalled == 0 {
            // Mostly independent: every one of their patterns is next to a vertex.
            self.turn(cell);
            if self.beyond(cell, self.parts(cell)).is_none() {
                return true;
            }
        }
        if cell.stalled >= STALLED * corners {
            cell.stalled = 0;
            if self.is_visited(&cell.rows) {
                return true;
            }
            if count < self.points.len {
                if !self.has_better(cell) {
                    return true;
                }
                self.turn(cell);
                if !self.has_better(cell) {
                    return true;
                }
            }
            let few = if count < self.points.len { MOST_CIRCLES } else { FEW_CIRCLES };
            if circles(count, self.points.rank()) <= few {
                self.visit_all(cell);
                return true;
            }
        }
        let deep = cell.depth >= DEEPEST_SIMPLEX * corners;
        if deep {
            self.visit_all(cell);
        }
        deep
    }

    /// Visits all vertices of the undecided points. Cells with some of the same points are done
    /// after that.
    fn visit_all(&mut self, cell: &Cell) {
        let count = |rows: usize| circles(rows, self.points.rank());
        // If they are most of the points, visiting all vertices at all is not much more.
        let most = count(self.points.len) <= 4.0 * count(cell.rows.len());
        let rows = if most { (0..self.points.len as u32).collect() } else { cell.rows.clone() };
        let mut search = Search::new(self.points, self.z, self.found.floors, self.meter);
        search.through(&rows);
        self.found.merge(search.found);
        self.visited.push(rows);
    }

    /// Whether all vertices of these points were visited.
    fn is_visited(&self, rows: &[u32]) -> bool {
        let holds = |set: &Vec<u32>| {
            let mut set = set.iter();
            rows.iter().all(|row| set.any(|other| other == row))
        };
        self.visited.iter().any(holds)
    }

    /// `Σ z₊` and `Σ z₋` over the undecided points.
    fn parts(&self, cell: &Cell) -> Floors {
        let z = || cell.rows.iter().map(|&i| self.z[i as usize]);
        Floors { high: z().map(|z| z.max(0.0)).sum(), low: z().map(|z| z.min(0.0)).sum() }
    }

    /// What the sum over the undecided points has to beat, with either side of the halfspaces in
    /// front; `None` if it is known to be within these values.
    fn beyond(&self, cell: &Cell, within: Floors) -> Option<Floors> {
        let undecided: f64 = cell.rows.iter().map(|&i| self.z[i as usize]).sum();
        let off = self.total - cell.on - undecided;
        let Floors { high, low } = self.found.floors;
        let beat = Floors { high: high - cell.on.max(off), low: low - cell.on.min(off) };
        within.beats(beat).then_some(beat)
    }

    /// Whether the undecided points alone may have a pattern that would beat the floors.
    fn has_better(&mut self, cell: &Cell) -> bool {
        let Some(beat) = self.beyond(cell, self.parts(cell)) else { return false };
        let known = self.learned.get(&cell.rows).or_else(|| self.known.get(&cell.rows)).copied();
        if known.is_some_and(|known| self.beyond(cell, known).is_none()) {
            return false;
        }
        let most = self.points.rank();
        let (beside, _) =
            self.points.select(&cell.rows, most).expect("no more columns than before");
        if all_steps(&beside) > MOST_STEPS {
            return true;
        }
        let z: Vec<f64> = cell.rows.iter().map(|&i| self.z[i as usize]).collect();
        let floors = search(&beside, &z, beat, self.meter).floors;
        if self.meter.is_over() {
            return true;
        }
        self.learned.insert(cell.rows.clone(), floors);
        self.beyond(cell, floors).is_some()
    }

    /// Offers the patterns next to a vertex that is orthogonal to the undecided points: turns a
    /// normal of the cell until enough other points are orthogonal to it.
    fn turn(&mut self, cell: &Cell) {
        let (corners, rank) = (self.cells.corners(), self.points.rank());
        let ones = usize::from(self.cells.threshold);
        let mut w = vec![0.0; rank];
        for corner in cell.corners.chunks_exact(corners) {
            w[ones..].iter_mut().zip(corner).for_each(|(w, c)| *w += c / corners as f64);
        }
        if ones == 1 {
            w[0] = -(cell.window.0 + cell.window.1) / 2.0;
        }
        let point = |i: usize| -> Vec<f64> {
            let columns = self.cells.columns.iter().map(|c| c[i]);
            std::iter::repeat_n(1.0, ones).chain(columns).collect()
        };
        let mut basis = Basis::default();
        let mut rows: Vec<usize> = Vec::new();
        for &i in &cell.rows {
            if rows.len() + 1 < rank && basis.add(&point(i as usize)) {
                rows.push(i as usize);
            }
        }
        basis.project(&mut w);
        while rows.len() + 1 < rank {
            // A direction that is orthogonal to the points and to w.
            let mut turned = basis.clone();
            turned.add(&w);
            let units = (0..rank).map(|j| {
                let mut unit = unit(rank, j);
                turned.project(&mut unit);
                unit
            });
            let v = units.max_by(|a, b| dot(a, a).total_cmp(&dot(b, b))).expect("rank above one");
            let hit = |i: usize| {
                let a = point(i);
                let t = -dot(&a, &w) / dot(&a, &v);
                (t.is_finite() && basis.rest(&a).is_some()).then_some((t, i))
            };
            let hits = (0..self.points.len).filter_map(hit);
            let Some((t, i)) = hits.min_by(|a, b| a.0.abs().total_cmp(&b.0.abs())) else { return };
            add_times(&mut w, t, &v);
            basis.add(&point(i));
            rows.push(i);
            basis.project(&mut w);
        }
        self.found.vertex(self.points, self.z, &rows, self.meter);
    }
}

/// Orthonormal vectors.
#[derive(Debug, Clone, Default)]
struct Basis(Vec<Vec<f64>>);

impl Basis {
    /// Makes a vector orthogonal to all others. Twice is enough.
    fn project(&self, vector: &mut [f64]) {
        project_out(&self.0, vector);
        project_out(&self.0, vector);
    }

    /// The unit vector that a vector would add; `None` if it depends on the others.
    fn rest(&self, vector: &[f64]) -> Option<Vec<f64>> {
        let mut rest = vector.to_vec();
        self.project(&mut rest);
        let left = dot(&rest, &rest);
        (left > 1e-18 * dot(vector, vector)).then(|| rest.iter().map(|v| v / left.sqrt()).collect())
    }

    /// Adds a vector. Returns `false` if it depends on the others.
    fn add(&mut self, vector: &[f64]) -> bool {
        let rest = self.rest(vector);
        let adds = rest.is_some();
        self.0.extend(rest);
        adds
    }
}
