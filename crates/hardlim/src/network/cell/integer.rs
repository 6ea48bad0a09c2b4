//! Small integers: `k`, `b` with `Σ kⱼmⱼ + b ≥ 0` on the rows that are on and `≤ −1` on the others,
//! where `mⱼ` are the inputs on their grid.
//!
//! First, the direction of the widest margin is rounded at many scales, the smallest first. With
//! few inputs, the direction of the least `max |kⱼ|` is rounded as well. Then every smaller width
//! is tried by local search: weights move by one, alone or two at once, while the room between the
//! two sides grows. No width is tried below the one that the least `max |kⱼ|` over real numbers
//! needs. The bias lies in the middle of the room, and may be wider. The search only uses the rows
//! that have come close. Its result is checked on all rows in integers that cannot overflow, and on
//! the inputs as read.

use std::sync::atomic::{AtomicBool, Ordering};

use super::grid::{Grid, width};
use super::least::{Least, Norm};
use super::{Cell, Task, closest, largest};
use crate::arrangement::Hyperplane;
use crate::data::Features;
use crate::exact::dyadic::gcd;
use crate::network::tuning::{LEAST, MULTIPLES, PAIRS, SCALES, STARTS};
use crate::pattern::Pattern;
use crate::pattern::threshold::activates;
use crate::solver::margin::{Margins, Vectors};

/// The widest weights that are searched for, in bits.
const MOST_WEIGHT_BITS: u32 = 40;
/// Sums stay below this power of two, so that no 64-bit integer overflows.
const SUMS: u32 = 61;

/// Integer weights on the inputs as read, for each cell where some were found.
pub(super) fn planes(task: Task<'_>, grid: &Grid) -> Vec<Option<Hyperplane>> {
    search_each(task, grid, |search| {
        let found = search.rounded().map(|(level, found)| search.smallest(level, found));
        (task.done)();
        found.map(|(k, b)| search.table.plane(&k, b))
    })
}

/// The cells for which integer weights are found by rounding.
pub(super) fn within_reach(task: Task<'_>, grid: &Grid) -> Vec<Cell> {
    let found = search_each(task, grid, |search| search.rounded().map(drop));
    let reached = task.cells.iter().zip(found).filter(|(_, found)| found.is_some());
    reached.map(|(cell, _)| cell.clone()).collect()
}

/// Whether rounding finds integer weights for all cells; the first failure ends the search, and so
/// does the end of the time.
pub(super) fn all_within_reach(task: Task<'_>, grid: &Grid) -> bool {
    let failed = AtomicBool::new(false);
    let stop = || failed.load(Ordering::Relaxed) || (task.stop)();
    search_each(Task { stop: &stop, ..task }, grid, |search| {
        if search.rounded().is_none() {
            failed.store(true, Ordering::Relaxed);
        }
        None::<()>
    });
    !failed.into_inner()
}

/// What `visit` returns for a search in each cell that there is time for.
fn search_each<T: Send>(
    task: Task<'_>,
    grid: &Grid,
    visit: impl Fn(&mut Search<'_>) -> Option<T> + Sync,
) -> Vec<Option<T>> {
    let (features, bias) = (task.arrangement.features(), task.arrangement.has_bias());
    let table = Table::new(features, grid);
    let dimension = features.dimension();
    let unit = table.rows.iter().map(|m| m.abs()).max().unwrap_or(0).max(1) as f64;
    let values: Vec<f64> = table.rows.iter().map(|&m| m as f64 / unit).collect();
    let rows = Vectors { values: &values, dimension };
    let margins = Margins::new(rows, features.rows(), bias, task.cells.len());
    task.each(|cell| {
        let start = || task.near(cell, dimension + 10, |_| 1.0);
        let max_margin = margins.max_margin(&cell.pattern, start);
        let direction = max_margin.or_else(|| {
            let plane = cell.witness.as_ref()?;
            let scaled = plane.weights.iter().enumerate().map(|(j, w)| w / grid.weight(j, 1));
            Some((scaled.collect(), plane.bias / unit))
        });
        let (direction, offset) = direction.unwrap_or_else(|| (vec![0.0; dimension], 0.0));
        let (table, pattern) = (&table, &cell.pattern);
        let mut search =
            Search { table, pattern, bias, direction, least: None, working: Vec::new() };
        search.begin(rows, offset);
        search.bound(rows, unit);
        visit(&mut search)
    })
}

struct Table<'a> {
    features: &'a Features,
    grid: &'a Grid,
    rows: Vec<i64>,
    dimension: usize,
    /// Whether the grid holds the inputs exactly.
    exact: bool,
    /// Weights with more bits might overflow.
    most_bits: u32,
}

impl<'a> Table<'a> {
    fn new(features: &'a Features, grid: &'a Grid) -> Self {
        let rows = grid.round(features);
        let dimension = features.dimension();
        let most = rows.iter().map(|m| m.unsigned_abs()).max().unwrap_or(0);
        // |Σ km| ≤ 2^(bits − 1) · most · d.
        let size = 64 - (most.max(1) * (dimension as u64 + 1)).leading_zeros();
        let most_bits = (SUMS.saturating_sub(size) + 1).clamp(1, MOST_WEIGHT_BITS);
        Self { features, grid, dimension, exact: grid.holds(features), rows, most_bits }
    }

    fn row(&self, i: usize) -> &[i64] {
        &self.rows[i * self.dimension..(i + 1) * self.dimension]
    }

    fn plane(&self, k: &[i64], b: i64) -> Hyperplane {
        let weights = k.iter().enumerate().map(|(j, &k)| self.grid.weight(j, k)).collect();
        Hyperplane { weights, bias: b as f64 }
    }
}

/// The quality of weights: first the room between the sides, which is at least zero if some bias
/// fits; then, how few rows limit the room.
type Score = (i64, i64);

struct Search<'a> {
    table: &'a Table<'a>,
    pattern: &'a Pattern,
    bias: bool,
    direction: Vec<f64>,
    /// Real numbers with the least `max |kⱼ|` and room for one integer between the sides, if inputs
    /// are few.
    least: Option<Vec<f64>>,
    /// The rows that have come close.
    working: Vec<usize>,
}

impl Search<'_> {
    /// Starts with the rows closest to the hyperplane on each side.
    fn begin(&mut self, rows: Vectors<'_>, offset: f64) {
        let count = 8 * (self.table.dimension + 2);
        for on in [true, false] {
            let side = (0..self.pattern.samples()).filter(|&i| self.pattern.get(i) == on);
            let near = closest(rows, side, (&self.direction, offset), count, |_| 1.0);
            self.working.extend(near);
        }
    }

    fn bound(&mut self, rows: Vectors<'_>, unit: f64) {
        let constant = [0, self.pattern.samples()].contains(&self.pattern.count());
        if constant || self.table.dimension > LEAST {
            return;
        }
        let (pattern, bias, norm) = (self.pattern, self.bias, Norm::Largest);
        let least = Least { rows, pattern, bias, norm };
        let all: Vec<usize> = (0..self.table.dimension).collect();
        let found = least.solve(&all, &mut self.working);
        // Margins of 1 on both sides leave room for two integers, margins of ½ for one.
        let room = if bias { 2.0 } else { 1.0 };
        self.least = found.map(|(w, _)| w.iter().map(|w| w / unit / room).collect());
    }

    /// A lower bound on the bits of any integer weights.
    fn fewest_bits(&self) -> u32 {
        if !self.bias {
            return 1; // rows that are on may lie at zero
        }
        // A little less, because the program is solved up to rounding. In two's complement a
        // negative power of two takes one bit less than a positive one.
        let least = |w: &Vec<f64>| -((largest(w) * (1.0 - 1e-4)).ceil() as i64);
        self.least.as_ref().map_or(1, |w| width(least(w)).max(1))
    }

    /// The candidates with `level` bits: the direction at scales where its largest weight has this
    /// many bits, and multiples of the least weights.
    fn roundings(&self, level: u32) -> Vec<Vec<i64>> {
        let most = ((1i64 << (level - 1)) - 1) as f64;
        let round = |w: &[f64], scale: f64| w.iter().map(|w| (scale * w).round() as i64).collect();
        // Scales where the largest weight has this many bits, the largest first.
        let scaled = |w: &[f64], largest: f64, s: i64| -> Vec<i64> {
            let part = 1.0 - s as f64 / (2 * SCALES) as f64;
            round(w, part * (most + 0.499) / largest)
        };
        let mut found = match largest(&self.direction) {
            0.0 => vec![vec![0; self.direction.len()]],
            size => (0..SCALES).map(|s| scaled(&self.direction, size, s)).collect(),
        };
        found.dedup();
        if let Some(least) = &self.least {
            let size = largest(least).max(f64::MIN_POSITIVE);
            let multiples = (most / size + 0.01).floor() as i64;
            let first = (multiples - MULTIPLES).max(0) + 1;
            found.extend((first..=multiples).map(|m| round(least, m as f64)));
            if multiples > 0 {
                found.extend((0..SCALES).map(|s| scaled(least, size, s)));
            }
        }
        found
    }

    /// The fewest bits at which rounding alone succeeds.
    fn rounded(&mut self) -> Option<(u32, (Vec<i64>, i64))> {
        let mut board = Board::new(self);
        for level in self.fewest_bits()..=self.table.most_bits {
            for k in self.roundings(level) {
                board.place(&k);
                if board.score().0 >= 0 {
                    if let Some(b) = self.verify(&k) {
                        return Some((level, (k, b)));
                    }
                    board = Board::new(self);
                }
            }
        }
        None
    }

    /// Reduces the bits by local search, as long as it succeeds.
    fn smallest(&mut self, level: u32, found: (Vec<i64>, i64)) -> (Vec<i64>, i64) {
        let mut best = found;
        for level in (self.fewest_bits().max(2)..level).rev() {
            let mut board = Board::new(self);
            let mut starts: Vec<(f64, Vec<i64>)> = (self.roundings(level).into_iter())
                .map(|k| {
                    board.place(&k);
                    let size = k.iter().map(|k| k.abs()).max().unwrap_or(0).max(1);
                    (board.score().0 as f64 / size as f64, k)
                })
                .collect();
            starts.sort_by(|a, b| b.0.total_cmp(&a.0));
            starts.truncate(STARTS[usize::from(self.table.dimension > LEAST)]);
            let most = (1i64 << (level - 1)) - 1;
            match starts.into_iter().find_map(|(_, k)| self.climb(k, most)) {
                Some(smaller) => best = smaller,
                None => break,
            }
        }
        self.reduce(best)
    }

    fn reduce(&mut self, (k, b): (Vec<i64>, i64)) -> (Vec<i64>, i64) {
        let factor = k.iter().fold(0, |a, &k| gcd(a, k.abs()));
        if factor > 1 {
            let smaller: Vec<i64> = k.iter().map(|k| k / factor).collect();
            if let Some(b) = self.verify(&smaller) {
                return (smaller, b);
            }
        }
        (k, b)
    }

    /// Moves weights within `±most` while the room grows, until all rows are on their sides.
    fn climb(&mut self, mut k: Vec<i64>, most: i64) -> Option<(Vec<i64>, i64)> {
        let mut board = Board::new(self);
        board.place(&k);
        let mut score = board.score();
        // The score rises with every step, except when new rows join.
        for _ in 0..8 * (self.table.dimension + 8) {
            if score.0 >= 0 {
                if let Some(b) = self.verify(&k) {
                    return Some((k, b));
                }
                board = Board::new(self);
                board.place(&k);
                score = board.score();
                if score.0 >= 0 {
                    return None; // only the inputs as read disagree
                }
            }
            let (better, moves) = board.best_move(&k, most)?;
            if better <= score {
                return None;
            }
            for (j, step) in moves {
                k[j] += step;
                board.shift(j, step);
            }
            score = better;
        }
        None
    }

    /// The bias with which these weights realise the pattern on every row, in integers and on the
    /// inputs as read. Rows that prevent it join the working rows.
    fn verify(&mut self, k: &[i64]) -> Option<i64> {
        if k.iter().any(|&k| width(k.abs()) > self.table.most_bits) {
            return None;
        }
        let sums: Vec<i64> = (0..self.pattern.samples())
            .map(|i| self.table.row(i).iter().zip(k).map(|(m, k)| m * k).sum())
            .collect();
        let mut room = Room::default();
        sums.iter().enumerate().for_each(|(i, &t)| room.take(t, self.pattern.get(i)));
        if room.slack(self.bias) < 0 {
            self.learn(&sums);
            return None;
        }
        if !self.table.exact {
            let plane = self.table.plane(k, 0);
            for i in 0..sums.len() {
                let row = self.table.features.row(i);
                let t: f64 = row.iter().zip(&plane.weights).map(|(x, w)| x * w).sum();
                // For an integer b, t + b ≥ 0 is ⌊t⌋ + b ≥ 0.
                room.take(t.floor() as i64, self.pattern.get(i));
            }
        }
        // A bias that is not a double would be stored as a different number.
        let b = room.middle(self.bias).filter(|b| b.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS)?;
        let plane = self.table.plane(k, b);
        let answers = |i: usize| {
            let inside = sums[i] + b >= 0;
            let as_read = activates(self.table.features.row(i), &plane.weights, plane.bias);
            inside == self.pattern.get(i) && as_read == inside
        };
        (0..sums.len()).all(answers).then_some(b)
    }

    /// Adds the rows that limit the room on each side to the working rows.
    fn learn(&mut self, sums: &[i64]) {
        let mut known = vec![false; sums.len()];
        self.working.iter().for_each(|&i| known[i] = true);
        for on in [true, false] {
            let mut side: Vec<usize> =
                (0..sums.len()).filter(|&i| self.pattern.get(i) == on && !known[i]).collect();
            side.sort_by_key(|&i| (if on { sums[i] } else { -sums[i] }, i));
            self.working.extend(side.into_iter().take(self.table.dimension + 10));
        }
    }
}

/// The smallest sum of the rows that are on, and the largest of the others.
#[derive(Debug, Clone, Copy, Default)]
struct Room {
    on: Option<i64>,
    off: Option<i64>,
}

impl Room {
    fn take(&mut self, sum: i64, on: bool) {
        if on {
            self.on = Some(self.on.map_or(sum, |t| t.min(sum)));
        } else {
            self.off = Some(self.off.map_or(sum, |t| t.max(sum)));
        }
    }

    /// At least zero if some bias fits, or if none is needed.
    fn slack(self, bias: bool) -> i64 {
        match (self.on, self.off) {
            (Some(on), Some(off)) if bias => on - off - 1,
            _ if bias => 0,
            (on, off) => on.unwrap_or(0).min(off.map_or(0, |off| -off - 1)),
        }
    }

    /// The bias in the middle: `−on ≤ b ≤ −off − 1`.
    fn middle(self, bias: bool) -> Option<i64> {
        if self.slack(bias) < 0 {
            return None;
        }
        Some(match (self.on, self.off) {
            _ if !bias => 0,
            (Some(on), Some(off)) => (-on - off - 1).div_euclid(2),
            (Some(on), None) => -on,
            (None, Some(off)) => -off - 1,
            (None, None) => 0,
        })
    }
}

/// The sums of the working rows; those that are on come first.
struct Board {
    bias: bool,
    on: usize,
    sums: Vec<i64>,
    columns: Vec<Vec<i64>>,
}

impl Board {
    fn new(search: &Search<'_>) -> Self {
        let (on, off): (Vec<usize>, Vec<usize>) =
            search.working.iter().partition(|&&i| search.pattern.get(i));
        let rows: Vec<usize> = on.iter().chain(&off).copied().collect();
        let column = |j: usize| rows.iter().map(|&i| search.table.row(i)[j]).collect();
        let columns: Vec<Vec<i64>> = (0..search.table.dimension).map(column).collect();
        Self { bias: search.bias, on: on.len(), sums: vec![0; rows.len()], columns }
    }

    fn place(&mut self, k: &[i64]) {
        self.sums.fill(0);
        k.iter().enumerate().for_each(|(j, &k)| self.shift(j, k));
    }

    fn shift(&mut self, j: usize, step: i64) {
        self.sums.iter_mut().zip(&self.columns[j]).for_each(|(t, m)| *t += step * m);
    }

    fn score(&self) -> Score {
        self.score_of(self.sums.iter().copied())
    }

    fn score_of(&self, mut sums: impl Iterator<Item = i64>) -> Score {
        let (mut on, mut ons) = (i64::MAX, 0);
        for t in sums.by_ref().take(self.on) {
            ons = if t < on { 1 } else { ons + i64::from(t == on) };
            on = on.min(t);
        }
        let (mut off, mut offs) = (i64::MIN, 0);
        for t in sums {
            offs = if t > off { 1 } else { offs + i64::from(t == off) };
            off = off.max(t);
        }
        let room =
            Room { on: (on != i64::MAX).then_some(on), off: (off != i64::MIN).then_some(off) };
        (room.slack(self.bias), -(ons + offs))
    }

    /// The best single step; if none helps, the best pair of steps.
    fn best_move(&self, k: &[i64], most: i64) -> Option<(Score, Vec<(usize, i64)>)> {
        let fits = |j: usize, step: i64| (k[j] + step).abs() <= most;
        let singles = (0..k.len()).flat_map(|j| [(j, 1), (j, -1)]).filter(|&(j, s)| fits(j, s));
        let single = singles
            .map(|(j, s)| {
                let moved = self.sums.iter().zip(&self.columns[j]).map(|(t, m)| t + s * m);
                (self.score_of(moved), vec![(j, s)])
            })
            .max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
        let now = self.score();
        if k.len() > PAIRS || single.as_ref().is_some_and(|best| best.0 > now) {
            return single;
        }
        let mut best = single;
        for j in 0..k.len() {
            for l in 0..j {
                for (s, r) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                    if !(fits(j, s) && fits(l, r)) {
                        continue;
                    }
                    let steps = self.columns[j].iter().zip(&self.columns[l]);
                    let moved = self.sums.iter().zip(steps).map(|(t, (a, b))| t + s * a + r * b);
                    let score = self.score_of(moved);
                    if best.as_ref().is_none_or(|best| score > best.0) {
                        best = Some((score, vec![(j, s), (l, r)]));
                    }
                }
            }
        }
        best
    }
}
