//! The open cells of the arrangement of hyperplanes `{w : aᵢ·w = 0}`, one by one.
//!
//! Let the rows `aᵢ` span `Rʳ`. Cells come in pairs `±C`, so those with `a₁ > 0` are enough. On the
//! chart `a₁ = 1` they are the cells of an affine arrangement in `r − 1` dimensions. Take a linear
//! objective `u₁` that is constant on no line of the arrangement. A cell on which it is bounded
//! above has exactly one highest vertex. A cell on which it is unbounded above meets the hyperplane
//! `u₁ = M₁`, with `M₁` beyond all vertices, in exactly one cell of the arrangement within this
//! hyperplane, and every cell there is met: an affine arrangement in one dimension less. So with
//! coordinates `u₁ … uᵣ₋₁` besides `a₁`, level `k` is where `a₁ = 1`, `u₁ = M₁ ≪ … ≪ uₖ = Mₖ` with
//! the objective `uₖ₊₁`, the last level is a point, and
//!
//! **every pair of cells is found at exactly one vertex of exactly one level.**
//!
//! The `Mₖ` stay symbols: a row is `Σ_p tₚ·Mₚ` plus a linear form, where `M₀ = 1`. To compare two
//! such constants, compare the last coefficient in which they differ.
//!
//! Vertices are visited along lines. A flat (a line, a vertex) belongs to the first rows that cut
//! it out: each is the first row that does not vanish on what the rows before it leave. So every
//! line is visited once, and every vertex is taken on one line ([`walk`]). Along a line the rows
//! are linear functions of one parameter; sorted by their roots, each step flips one sign. So one
//! pattern costs a copy of its words and a share of the sort. The rows through a vertex decide
//! which cells have it as their highest point ([`vertex`]); in general position there is one.
//!
//! Before any cell is returned, we check that no coordinate is constant on a line of its level.
//! Such a line would show on the next level, as a hyperplane that never meets some flat although it
//! is not parallel to it in the chart. Then other coordinates are drawn ([`lattice`]).

mod bounds;
mod center;
mod columns;
mod faces;
mod frame;
mod lattice;
mod line;
mod signs;
mod sink;
mod tableau;
mod vertex;
mod walk;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

pub(super) use center::center;
pub(super) use columns::{Column, independent_columns};
pub(super) use faces::{Flat, flats, null_space};
use lattice::Lattice;
pub(super) use lattice::Lattices;
use sink::Sink;
pub(super) use sink::{Bits, Count};
use tableau::Tableau;
use walk::{NotGeneric, Space, Walk};

use crate::arrangement::tuning::{TASK, TASKS};
use crate::pattern::WORD;

/// The open cells within a flat, between the hyperplanes that do not contain it.
#[derive(Debug)]
pub(super) struct Cells<'a> {
    /// The rows that are not multiples of the first row, in a basis whose first element is the
    /// first row.
    root: Tableau<'a>,
    /// The bit of each of these rows in a pattern.
    bits: Vec<usize>,
    /// The signs of the other rows where the first is positive.
    signs: Vec<u64>,
    /// The rows that vanish on the flat: on in every pattern.
    fixed: Vec<u64>,
    /// The other rows.
    free: Vec<u64>,
}

/// A part of the work: a level, and the first rows of the flats to visit.
#[derive(Debug, Clone)]
pub(super) struct Task {
    level: usize,
    prefix: Vec<usize>,
    range: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

impl<'a> Cells<'a> {
    /// The cells within the flat where some independent rows vanish, in a basis in general
    /// position.
    pub(super) fn within(
        flat: &[u32],
        lattices: &'a Lattices<'_>,
        stop: &AtomicBool,
    ) -> Result<Self, Stopped> {
        for attempt in 0..Lattices::ATTEMPTS {
            let cells = Self::new(lattices.get(attempt), flat);
            if cells.is_generic(stop)? {
                return Ok(cells);
            }
        }
        unreachable!("{}", Lattices::SOON)
    }

    fn new(lattice: &'a Lattice<'a>, flat: &[u32]) -> Self {
        let rows = lattice.rows();
        let mut table = Tableau::new(lattice, (0..rows as u32).collect());
        for &row in flat {
            let elements: Vec<usize> = (0..table.width()).collect();
            let p = table.pivot_for(row as usize, &elements).expect("independent rows");
            table = table.pivot(row as usize, p);
            table.drop_element(p);
        }
        let all: Vec<usize> = (0..table.width()).collect();
        let zero: Vec<bool> = (0..rows).map(|j| table.vanishes(j, &all)).collect();
        let mut fixed = vec![0; rows.div_ceil(WORD)];
        let mut free = fixed.clone();
        for (j, &zero) in zero.iter().enumerate() {
            let words = if zero { &mut fixed } else { &mut free };
            words[j / WORD] |= 1 << (j % WORD);
        }
        let mut signs = fixed.clone();
        let Some(first) = zero.iter().position(|zero| !zero) else {
            return Self { root: table, bits: Vec::new(), signs, fixed, free };
        };
        // The bias, if there is one; then the others are differences of rows.
        let p = table.pivot_for(first, &all[..1]).or_else(|| table.pivot_for(first, &all));
        let p = p.expect("not all coefficients are zero");
        table = table.pivot(first, p);
        table.bring_to_front(p);
        let mut active = Vec::new();
        for j in (0..rows).filter(|&j| !zero[j]) {
            if table.vanishes(j, &all[1..]) {
                signs[j / WORD] |= u64::from(table.sign(0, j) > 0) << (j % WORD);
            } else {
                active.push(j);
            }
        }
        Self { root: table.subset(&active), bits: active, signs, fixed, free }
    }

    /// The number of levels: the rank of the rows within the flat.
    fn levels(&self) -> usize {
        self.root.width()
    }

    /// Whether no coordinate is constant on a flat of its level.
    fn is_generic(&self, stop: &AtomicBool) -> Result<bool, Stopped> {
        let failed = AtomicBool::new(false);
        let tasks: Vec<Task> = (1..self.levels()).rev().flat_map(|k| self.tasks_of(k)).collect();
        tasks.par_iter().for_each(|task| {
            let over = stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
            if !over && self.walk(task, &mut Count::default()).is_err() {
                failed.store(true, Ordering::Relaxed);
            }
        });
        if stop.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(!failed.into_inner()) }
    }

    /// All of the work, in order: from the last level to the first.
    pub(super) fn tasks(&self) -> Vec<Task> {
        (0..self.levels()).rev().flat_map(|level| self.tasks_of(level)).collect()
    }

    fn tasks_of(&self, level: usize) -> Vec<Task> {
        let depth = (self.levels() - level).saturating_sub(2);
        let whole = Task { level, prefix: Vec::new(), range: 0..self.root.rows() };
        if depth == 0 {
            return vec![whole];
        }
        let mut tasks = Vec::new();
        let size = TASK.max(binomial(self.root.rows(), depth + 1) / TASKS);
        whole.split(depth, size, &mut tasks);
        tasks
    }

    pub(super) fn run(&self, task: &Task, sink: &mut impl Sink) {
        let done = self.walk(task, sink);
        done.expect("coordinates in general position, as `is_generic` checked");
    }

    fn walk(&self, task: &Task, sink: &mut impl Sink) -> Result<(), NotGeneric> {
        if task.level + 1 == self.levels() {
            return self.point(sink);
        }
        let Self { root, bits, signs, .. } = self;
        let mut walk = Walk::new(Space { root, level: task.level, bits, signs }, sink);
        for &row in &task.prefix {
            if !walk.enter(row)? {
                return Ok(());
            }
        }
        walk.descend(task.range.clone())
    }

    pub(super) fn words(&self) -> usize {
        self.fixed.len()
    }

    /// The pattern of the cell opposite to one.
    pub(super) fn opposite(&self, signs: &[u64], out: &mut [u64]) {
        for (k, out) in out.iter_mut().enumerate() {
            *out = !signs[k] & self.free[k] | self.fixed[k];
        }
    }

    /// The only pattern of a flat that is a point, where all rows vanish.
    pub(super) fn origin(&self) -> Option<&[u64]> {
        (self.levels() == 0).then_some(&self.fixed)
    }

    /// The only cell of the last level.
    fn point(&self, sink: &mut impl Sink) -> Result<(), NotGeneric> {
        let mut root = self.root.restrict(self.levels() - 1..self.levels());
        let mut signs = self.signs.clone();
        for j in 0..root.rows() {
            let sign = root.sign(0, j);
            if sign == 0 {
                return Err(NotGeneric);
            }
            let bit = self.bits[j];
            signs[bit / WORD] |= u64::from(sign > 0) << (bit % WORD);
        }
        sink.cell(&signs, &[]);
        Ok(())
    }
}

impl Task {
    /// Splits a task into parts of at least some size, in order; `depth` rows are left to choose.
    fn split(&self, depth: usize, size: f64, parts: &mut Vec<Self>) {
        let (mut start, mut found) = (self.range.start, 0.0);
        let part = |range| Self { range, ..self.clone() };
        for row in self.range.clone() {
            let cells = binomial(self.range.end - 1 - row, depth);
            if depth > 1 && cells > 4.0 * size {
                if start < row {
                    parts.push(part(start..row));
                }
                let prefix = self.prefix.iter().copied().chain([row]).collect();
                let inner = Self { prefix, range: row + 1..self.range.end, ..*self };
                inner.split(depth - 1, size, parts);
                (start, found) = (row + 1, 0.0);
                continue;
            }
            found += cells;
            if found >= size {
                parts.push(part(start..row + 1));
                (start, found) = (row + 1, 0.0);
            }
        }
        if start < self.range.end {
            parts.push(part(start..self.range.end));
        }
    }
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n as f64 - i as f64).max(0.0) / (i as f64 + 1.0)).product()
}
