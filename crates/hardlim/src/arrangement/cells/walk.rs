//! Walks along the lines of an arrangement, one cell at every vertex.

use std::cmp::Ordering;

use super::Cells;
use super::tableau::Tableau;
use super::vertex::regions_above;
use crate::pattern::WORD;

/// A coordinate is constant somewhere: the basis is not in general position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotGeneric;

/// What becomes of the cells.
pub(in crate::arrangement) trait Sink {
    /// Takes a cell, and gives back a place for its bits unless only their number matters.
    fn cell(&mut self, signs: &[u64]) -> Option<&mut [u64]>;
}

/// How many cells there are.
#[derive(Debug, Default)]
pub(in crate::arrangement) struct Count(pub(in crate::arrangement) u64);

impl Sink for Count {
    fn cell(&mut self, _signs: &[u64]) -> Option<&mut [u64]> {
        self.0 += 1;
        None
    }
}

/// The bits of the cells, one after the other.
#[derive(Debug, Default)]
pub(in crate::arrangement) struct Bits(pub(in crate::arrangement) Vec<u64>);

impl Sink for Bits {
    fn cell(&mut self, signs: &[u64]) -> Option<&mut [u64]> {
        let start = self.0.len();
        self.0.extend_from_slice(signs);
        Some(&mut self.0[start..])
    }
}

/// The flat a walk is on: the rows that vanish, one after the other, and the tables behind them.
pub(super) struct Walk<'w, 'a, S> {
    cells: &'w Cells<'a>,
    /// Elements up to this one are constants; the next is the objective.
    level: usize,
    sink: &'w mut S,
    /// `tables[m]` has the first `m` rows of the flat in its basis.
    tables: Vec<Tableau<'a>>,
    flat: Vec<Step>,
    /// The rows that vanish on the flat, those that define it included.
    closed: Vec<bool>,
    line: Line,
}

/// One row of a flat.
#[derive(Debug)]
struct Step {
    row: usize,
    /// The element it took the place of.
    element: usize,
    /// The rows that vanish since.
    closed: Vec<usize>,
}

/// Where the rows cross a line; kept between lines for their memory.
#[derive(Debug, Default)]
struct Line {
    /// Every crossing lies between these two.
    below: Vec<f64>,
    above: Vec<f64>,
    keys: Vec<u64>,
    order: Vec<usize>,
    signs: Vec<u64>,
}

impl<'w, 'a, S: Sink> Walk<'w, 'a, S> {
    pub(super) fn new(cells: &'w Cells<'a>, level: usize, sink: &'w mut S) -> Self {
        let width = cells.levels();
        let tables =
            (level + 1..width).map(|m| cells.root.restrict(0..if m > level + 1 { 0 } else { width }));
        Self {
            cells,
            level,
            sink,
            tables: tables.collect(),
            flat: Vec::new(),
            closed: vec![false; cells.root.rows()],
            line: Line::default(),
        }
    }

    /// How many rows define a line.
    fn depth(&self) -> usize {
        self.tables.len() - 1
    }

    /// All cells whose flat starts as the present one and goes on with a row of the range.
    pub(super) fn descend(&mut self, range: std::ops::Range<usize>) -> Result<(), NotGeneric> {
        if self.flat.len() == self.depth() {
            return self.line();
        }
        for row in range {
            if self.enter(row)? {
                self.descend(row + 1..self.closed.len())?;
                self.leave();
            }
        }
        Ok(())
    }

    /// Restricts to where one more row vanishes; not if that is nowhere or everywhere, or if the
    /// flat is reached by rows that come before.
    pub(super) fn enter(&mut self, row: usize) -> Result<bool, NotGeneric> {
        if self.closed[row] {
            return Ok(false);
        }
        let m = self.flat.len();
        let (level, width) = (self.level, self.cells.levels());
        let open: Vec<usize> =
            (level + 2..width).filter(|p| self.flat.iter().all(|step| step.element != *p)).collect();
        let (parents, children) = self.tables.split_at_mut(m + 1);
        let (parent, child) = (&mut parents[m], &mut children[0]);
        let Some(element) = parent.pivot_for(row, &open) else {
            // The row is a constant there: a hyperplane that never meets the flat.
            let parallel = (1..level + 2).all(|p| parent.sign(p, row) == 0);
            return if parallel { Ok(false) } else { Err(NotGeneric) };
        };
        let late = if m + 1 == width - level - 2 { level + 2 } else { usize::MAX };
        parent.pivot_into(row, element, late, child);
        let left: Vec<usize> =
            (0..level + 2).rev().chain(open.into_iter().filter(|&p| p != element)).collect();
        let mut closed = vec![row];
        for j in 0..self.closed.len() {
            if j != row && !self.closed[j] && child.vanishes(j, &left) {
                if j < row {
                    return Ok(false);
                }
                closed.push(j);
            }
        }
        closed.iter().for_each(|&j| self.closed[j] = true);
        self.flat.push(Step { row, element, closed });
        Ok(true)
    }

    fn leave(&mut self) {
        let step = self.flat.pop().expect("every leave follows an enter");
        step.closed.iter().for_each(|&j| self.closed[j] = false);
    }

    /// The cells with their highest point on the line that the flat is.
    fn line(&mut self) -> Result<(), NotGeneric> {
        self.crossings()?;
        let last = self.flat.last().map_or(0, |step| step.row + 1);
        let simple = self.flat.iter().all(|step| step.closed.len() == 1);
        let mut start = 0;
        while start < self.line.order.len() {
            let mut end = start + 1;
            while end < self.line.order.len() && self.coincide(end) {
                end += 1;
            }
            // A vertex belongs to the line of the first rows through it.
            if (start..end).all(|k| self.line.order[k] >= last) {
                if self.flat.is_empty() || (simple && end == start + 1) {
                    self.simple_vertex(self.line.order[start])?;
                } else {
                    self.vertex(start..end);
                }
            }
            for k in start..end {
                let bit = self.cells.bit(self.line.order[k]);
                self.line.signs[bit / WORD] ^= 1 << (bit % WORD);
            }
            start = end;
        }
        Ok(())
    }

    /// Sorts the crossings along the line, towards a growing objective; `signs` becomes what the
    /// rows are before the first.
    fn crossings(&mut self) -> Result<(), NotGeneric> {
        let table = &mut self.tables[self.flat.len()];
        let line = &mut self.line;
        line.signs.clone_from(&self.cells.signs);
        line.order.clear();
        line.keys.clear();
        line.below.resize(self.closed.len(), 0.0);
        line.above.resize(self.closed.len(), 0.0);
        {
            let ((x, ex), (y, ey)) = (table.column(self.level), table.column(self.level + 1));
            let inputs = x.iter().zip(ex).zip(y.iter().zip(ey));
            let outputs = line.below.iter_mut().zip(&mut line.above);
            for (((x, ex), (y, ey)), (below, above)) in inputs.zip(outputs) {
                let at = -x / y;
                let size = at.abs();
                let error = (ex + size * ey) / (y.abs() - ey);
                let error = error * (1.0 + 16.0 * f64::EPSILON) + 4.0 * f64::EPSILON * size + 1e-290;
                (*below, *above) = (at - error, at + error);
            }
        }
        let bits = usize::BITS - self.closed.len().leading_zeros();
        let mask = (1u64 << bits) - 1;
        let mut certain = true;
        for j in 0..self.closed.len() {
            if self.closed[j] {
                continue;
            }
            let uncertain = {
                let (y, ey) = table.column(self.level + 1);
                // Not the same as ≤: a bound that overflowed is no bound.
                !(y[j].abs() > ey[j])
            };
            let slope = table.sign(self.level + 1, j);
            let bit = self.cells.bit(j);
            if slope == 0 {
                if (1..=self.level).any(|p| table.sign(p, j) != 0) {
                    return Err(NotGeneric);
                }
                line.signs[bit / WORD] |= u64::from(table.sign(0, j) > 0) << (bit % WORD);
                continue;
            }
            line.signs[bit / WORD] |= u64::from(slope < 0) << (bit % WORD);
            if uncertain {
                (line.below[j], line.above[j]) = (f64::NEG_INFINITY, f64::INFINITY);
                certain = false;
            }
            line.keys.push(sortable(line.below[j]) & !mask | j as u64);
        }
        line.keys.sort_unstable();
        line.order.extend(line.keys.iter().map(|key| (key & mask) as usize));
        let apart = |pair: &[usize]| line.above[pair[0]] < line.below[pair[1]];
        if !(certain && line.order.windows(2).all(apart)) {
            let (below, above) = (&line.below, &line.above);
            line.order.sort_by(|&i, &j| compare((table, self.level), (below, above), i, j));
        }
        Ok(())
    }

    /// Whether a crossing, in order, is where the one before it is.
    fn coincide(&mut self, k: usize) -> bool {
        let (i, j) = (self.line.order[k - 1], self.line.order[k]);
        let table = &mut self.tables[self.flat.len()];
        compare((table, self.level), (&self.line.below, &self.line.above), i, j).is_eq()
    }

    /// As many rows as dimensions: the objective is a combination of them, and falls where each row
    /// has the sign opposite to its weight.
    fn simple_vertex(&mut self, row: usize) -> Result<(), NotGeneric> {
        let Some(out) = self.sink.cell(&self.line.signs) else { return Ok(()) };
        let table = &mut self.tables[self.flat.len()];
        let slope = table.sign(self.level + 1, row);
        for step in &self.flat {
            let sign = table.sign(step.element, row);
            if sign == 0 {
                return Err(NotGeneric);
            }
            let bit = self.cells.bit(step.row);
            out[bit / WORD] |= u64::from(sign == slope) << (bit % WORD);
        }
        Ok(())
    }

    /// More rows than dimensions.
    fn vertex(&mut self, crossings: std::ops::Range<usize>) {
        let closed = self.flat.iter().flat_map(|step| step.closed.iter().copied());
        let rows: Vec<usize> =
            closed.chain(crossings.map(|k| self.line.order[k])).collect();
        let step = self.flat.last().expect("vertices of points on a line are simple");
        let parent = self.tables[self.flat.len() - 1].subset(&rows);
        let place = rows.iter().position(|&j| j == step.row).expect("a row of the flat");
        let mut local = parent.pivot(place, step.element);
        (0..=self.level).for_each(|_| local.drop_element(0));
        local.push_form(0);
        let bits: Vec<usize> = rows.iter().map(|&j| self.cells.bit(j)).collect();
        for region in regions_above(&mut local) {
            // Opposite to a region above is one below.
            let Some(out) = self.sink.cell(&self.line.signs) else { continue };
            for (k, &bit) in bits.iter().enumerate() {
                let on = !region[k / WORD] >> (k % WORD) & 1;
                out[bit / WORD] = out[bit / WORD] & !(1 << (bit % WORD)) | on << (bit % WORD);
            }
        }
    }
}

/// Compares two crossings exactly.
fn compare(
    (table, level): (&mut Tableau<'_>, usize),
    (below, above): (&[f64], &[f64]),
    i: usize,
    j: usize,
) -> Ordering {
    if above[i] < below[j] {
        Ordering::Less
    } else if above[j] < below[i] {
        Ordering::Greater
    } else if i == j {
        Ordering::Equal
    } else {
        // Crossings are at −x/y, the last constants outweighing those before.
        let by = |p: usize| table.compare_ratios([j, i], [p, level + 1]);
        (0..=level).rev().map(by).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

/// Doubles as integers in the same order.
fn sortable(x: f64) -> u64 {
    let bits = x.to_bits();
    bits ^ ((bits as i64 >> 63) as u64 | 1 << 63)
}
