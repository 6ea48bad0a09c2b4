//! The open cells of the arrangement of hyperplanes `{w : aᵢ·w = 0}`, one by one.
//!
//! Let the rows `aᵢ` span `Rʳ`. Cells come in pairs `±C`, so those with `a₁ > 0` are enough. On the
//! chart `a₁ = 1` they are the cells of an affine arrangement in `r − 1` dimensions. Take a linear
//! objective that is constant on no line of the arrangement. A cell on which it is bounded below
//! has exactly one lowest vertex; a cell on which it is not reaches down to where the objective is
//! −∞, and the cells there are those of the arrangement at infinity, `a₁ = 0`, on the side where
//! the objective is negative: an affine arrangement in one dimension less. So with coordinates
//! `u₁ … uᵣ₋₁` besides `a₁`, level `k` is the chart `a₁ = u₁ = … = uₖ₋₁ = 0`, `uₖ = 1` with the
//! objective `uₖ₊₁`, the last level is a point, and
//!
//! **every pair of cells is found at exactly one vertex of exactly one level.**
//!
//! Vertices are visited along lines. A flat (a line, a vertex) belongs to the first rows that cut it
//! out: each next the first one that does not vanish on what the others left. So every line is
//! visited once, and every vertex is taken on one line ([`walk`]). Along a line the rows are linear
//! functions of one parameter; sorted by their roots, each step flips one sign: one pattern costs
//! the copy of its words, and a share of the sort. How many cells a vertex is the lowest point of,
//! and which, is settled by the rows through it ([`vertex`]); in general position it is one.
//!
//! That no coordinate `uₖ` is constant on a flat of its level is checked on the levels `k ≥ 1`
//! before any cell is given away; if one is, other coordinates are drawn ([`lattice`]).

mod faces;
mod frame;
mod lattice;
mod modular;
mod tableau;
mod vertex;
mod walk;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

pub(super) use faces::Faces;
use lattice::Lattice;
pub(super) use lattice::{Column, independent_columns};
use tableau::Tableau;
use walk::{NotGeneric, Sink, Walk};
pub(super) use walk::{Bits, Count};

use crate::pattern::WORD;

/// Cells a task looks for, about.
const TASK: f64 = 16384.0;

/// One level: where `a₁` and all coordinates before one vanish, and that one is 1.
#[derive(Debug)]
struct Chart<'a> {
    level: usize,
    /// The rows that are not multiples of the first, on the coordinates from this one on.
    root: Tableau<'a>,
    /// The signs of the others where the first is positive.
    signs: Vec<u64>,
}

impl Chart<'_> {
    /// The bit of a row in a pattern.
    fn bit(&self, row: usize) -> usize {
        self.root.id(row) as usize
    }
}

/// The open cells within a flat: of the hyperplanes that do not contain it.
#[derive(Debug)]
pub(super) struct Cells<'a> {
    charts: Vec<Chart<'a>>,
    /// The rows that vanish on the flat: on in every pattern.
    fixed: Vec<u64>,
    /// The other rows.
    free: Vec<u64>,
}

/// A part of the work: a level, and the first rows of the flats to visit.
#[derive(Debug, Clone)]
pub(super) struct Task {
    level: usize,
    prefix: Option<usize>,
    range: Range<usize>,
}

/// Someone asked to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

/// Calls `then` on the cells within the flat where some independent rows vanish.
pub(super) fn with_cells<R>(
    columns: &[Column],
    rows: usize,
    flat: &[u32],
    stop: &AtomicBool,
    then: impl FnOnce(&Cells<'_>) -> R,
) -> Result<R, Stopped> {
    // Random integers of growing size are soon in general position: they fail to be only on the
    // zeros of finitely many polynomials.
    for attempt in 0.. {
        let lattice = Lattice::new(columns, rows, attempt);
        let cells = Cells::new(&lattice, flat);
        if cells.is_generic(stop)? {
            return Ok(then(&cells));
        }
    }
    unreachable!("attempts do not end")
}

impl<'a> Cells<'a> {
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
            return Self { charts: Vec::new(), fixed, free };
        };
        // The bias, where there is one: then the others are differences of rows.
        let p = table.pivot_for(first, &all[..1]).or_else(|| table.pivot_for(first, &all));
        let p = p.expect("not all coefficients are zero");
        table = table.pivot(first, p);
        table.to_front(p);
        let mut active = Vec::new();
        for j in (0..rows).filter(|&j| !zero[j]) {
            if table.vanishes(j, &all[1..]) {
                signs[j / WORD] |= u64::from(table.sign(0, j) > 0) << (j % WORD);
            } else {
                active.push(j);
            }
        }
        let table = table.subset(&active);
        let charts = (0..table.width())
            .map(|level| Chart {
                level,
                root: table.restrict(level..table.width()),
                signs: signs.clone(),
            })
            .collect();
        Self { charts, fixed, free }
    }

    /// Whether no coordinate is constant on a flat of its level.
    fn is_generic(&self, stop: &AtomicBool) -> Result<bool, Stopped> {
        let failed = AtomicBool::new(false);
        let tasks: Vec<Task> = (1..self.charts.len()).rev().flat_map(|k| self.tasks_of(k)).collect();
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
        (0..self.charts.len()).rev().flat_map(|level| self.tasks_of(level)).collect()
    }

    fn tasks_of(&self, level: usize) -> Vec<Task> {
        let root = &self.charts[level].root;
        let rows = root.rows();
        let depth = root.width().saturating_sub(2);
        if depth == 0 {
            return vec![Task { level, prefix: None, range: 0..rows }];
        }
        let mut tasks = Vec::new();
        let mut split = |prefix: Option<usize>, start: usize, depth: usize| {
            let (mut from, mut size) = (start, 0.0);
            for row in start..rows {
                size += binomial((rows - 1 - row) as f64, depth);
                if size >= TASK || row + 1 == rows {
                    tasks.push(Task { level, prefix, range: from..row + 1 });
                    (from, size) = (row + 1, 0.0);
                }
            }
        };
        if depth == 1 {
            split(None, 0, 1);
        } else {
            (0..rows).for_each(|first| split(Some(first), first + 1, depth - 1));
        }
        tasks
    }

    /// Does a part of the work.
    pub(super) fn run(&self, task: &Task, sink: &mut impl Sink) {
        let done = self.walk(task, sink);
        done.expect("coordinates in general position: `is_generic` has seen to it");
    }

    fn walk(&self, task: &Task, sink: &mut impl Sink) -> Result<(), NotGeneric> {
        let chart = &self.charts[task.level];
        if chart.root.width() == 1 {
            return chart.point(sink);
        }
        let mut walk = Walk::new(chart, sink);
        match task.prefix {
            Some(row) if !walk.enter(row)? => Ok(()),
            _ => walk.descend(task.range.clone()),
        }
    }

    /// How many words a pattern has.
    pub(super) fn words(&self) -> usize {
        self.fixed.len()
    }

    /// The pattern of the cell opposite to one.
    pub(super) fn opposite(&self, signs: &[u64], out: &mut [u64]) {
        for (k, out) in out.iter_mut().enumerate() {
            *out = !signs[k] & self.free[k] | self.fixed[k];
        }
    }

    /// The one pattern of a flat that is a point, where all rows vanish.
    pub(super) fn origin(&self) -> Option<&[u64]> {
        self.charts.is_empty().then_some(&self.fixed)
    }
}

impl Chart<'_> {
    /// The one cell of the last level.
    fn point(&self, sink: &mut impl Sink) -> Result<(), NotGeneric> {
        let mut root = self.root.restrict(0..1);
        let mut signs = self.signs.clone();
        for j in 0..root.rows() {
            let sign = root.sign(0, j);
            if sign == 0 {
                return Err(NotGeneric);
            }
            let bit = self.bit(j);
            signs[bit / WORD] |= u64::from(sign > 0) << (bit % WORD);
        }
        sink.cell(&signs);
        Ok(())
    }
}

fn binomial(n: f64, k: usize) -> f64 {
    (0..k).map(|i| (n - i as f64).max(0.0) / (i as f64 + 1.0)).product()
}
