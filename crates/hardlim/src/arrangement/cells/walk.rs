//! Walks along the lines of an arrangement, one cell at every vertex.

use std::ops::Range;

use super::bounds::certain;
use super::line::Line;
use super::sink::Sink;
use super::tableau::Tableau;
use super::vertex::regions_above;
use crate::pattern::WORD;

/// A coordinate is constant somewhere: the basis is not in general position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotGeneric;

/// The rows of an affine arrangement: the first elements of a basis are constants, the next is the
/// objective.
#[derive(Debug, Clone, Copy)]
pub(super) struct Space<'w, 'a> {
    pub(super) root: &'w Tableau<'a>,
    /// The last constant.
    pub(super) level: usize,
    /// The bit of each row in a pattern.
    pub(super) bits: &'w [usize],
    /// The bits of a pattern before those of the rows are set.
    pub(super) signs: &'w [u64],
}

/// The flat a walk is on: the rows that vanish, one after the other, and the tables behind them.
pub(super) struct Walk<'w, 'a, S> {
    space: Space<'w, 'a>,
    sink: &'w mut S,
    /// `tables[m]` has the first `m` rows of the flat in its basis.
    tables: Vec<Tableau<'a>>,
    flat: Vec<Step>,
    /// The rows that vanish on the flat, those that define it included.
    closed: Vec<bool>,
    line: Line,
    /// The rows whose slope is not known to differ from zero.
    doubtful: Vec<usize>,
    /// The bits of the rows through a vertex.
    through: Vec<(usize, bool)>,
}

#[derive(Debug)]
struct Step {
    row: usize,
    element: usize,
    /// The rows that vanish because of it.
    closed: Vec<usize>,
}

impl<'w, 'a, S: Sink> Walk<'w, 'a, S> {
    pub(super) fn new(space: Space<'w, 'a>, sink: &'w mut S) -> Self {
        let Space { root, level, .. } = space;
        let width = root.width();
        let tables =
            (level + 1..width).map(|m| root.restrict(0..if m > level + 1 { 0 } else { width }));
        Self {
            space,
            sink,
            tables: tables.collect(),
            flat: Vec::new(),
            closed: vec![false; root.rows()],
            line: Line::default(),
            doubtful: Vec::new(),
            through: Vec::new(),
        }
    }

    /// The number of rows that define a line.
    fn depth(&self) -> usize {
        self.tables.len() - 1
    }

    /// Visits all cells whose flat starts with the rows of the current one and continues with a row
    /// of the range.
    pub(super) fn descend(&mut self, range: Range<usize>) -> Result<(), NotGeneric> {
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

    /// Restricts to where one more row vanishes. Returns `false` if that is nowhere or everywhere,
    /// or if earlier rows define the same flat.
    pub(super) fn enter(&mut self, row: usize) -> Result<bool, NotGeneric> {
        if self.closed[row] {
            return Ok(false);
        }
        let m = self.flat.len();
        let (level, width) = (self.space.level, self.space.root.width());
        let open: Vec<usize> = (level + 2..width)
            .filter(|p| self.flat.iter().all(|step| step.element != *p))
            .collect();
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
        let (slopes, errors) = child.column(level + 1);
        self.doubtful.clear();
        self.doubtful.extend((0..slopes.len()).filter(|&j| !certain(slopes[j], errors[j])));
        for &j in &self.doubtful {
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

    /// Visits the cells with their highest point on this line.
    fn line(&mut self) -> Result<(), NotGeneric> {
        let level = self.space.level;
        self.line.sort(&self.space, &mut self.tables[self.flat.len()], &self.closed)?;
        let last = self.flat.last().map_or(0, |step| step.row + 1);
        let simple = self.flat.iter().all(|step| step.closed.len() == 1);
        let mut start = 0;
        while start < self.line.order.len() {
            let end = self.line.group(start, &mut self.tables[self.flat.len()], level);
            // A vertex belongs to the line of the first rows through it.
            if (start..end).all(|k| self.line.order[k] >= last) {
                if self.flat.is_empty() || (simple && end == start + 1) {
                    self.simple_vertex(start..end)?;
                } else {
                    self.vertex(start..end)?;
                }
            }
            for k in start..end {
                let bit = self.space.bits[self.line.order[k]];
                self.line.signs[bit / WORD] ^= 1 << (bit % WORD);
            }
            start = end;
        }
        Ok(())
    }

    /// A vertex with as many rows as dimensions: the objective is a combination of the rows, and
    /// falls where each row has the sign opposite to its weight.
    fn simple_vertex(&mut self, crossings: Range<usize>) -> Result<(), NotGeneric> {
        self.through.clear();
        if S::BITS {
            let table = &mut self.tables[self.flat.len()];
            let objective = self.space.level + 1;
            for &row in &self.line.order[crossings.clone()] {
                self.through.push((self.space.bits[row], table.sign(objective, row) < 0));
            }
            let row = self.line.order[crossings.start];
            let slope = table.sign(objective, row);
            for step in &self.flat {
                let sign = table.sign(step.element, row);
                if sign == 0 {
                    return Err(NotGeneric);
                }
                self.through.push((self.space.bits[step.row], sign == slope));
            }
        }
        self.sink.cell(&self.line.signs, &self.through);
        Ok(())
    }

    /// A vertex with more rows than dimensions.
    fn vertex(&mut self, crossings: Range<usize>) -> Result<(), NotGeneric> {
        let closed = self.flat.iter().flat_map(|step| step.closed.iter().copied());
        let rows: Vec<usize> = closed.chain(crossings.map(|k| self.line.order[k])).collect();
        let Space { root, level, bits, .. } = self.space;
        let local = root.subset(&rows).restrict(level + 1..root.width());
        for region in regions_above(&local)? {
            // Opposite to a region above is one below.
            let below = |k: usize| region[k / WORD] >> (k % WORD) & 1 == 0;
            self.through.clear();
            self.through.extend(rows.iter().enumerate().map(|(k, &row)| (bits[row], below(k))));
            self.sink.cell(&self.line.signs, &self.through);
        }
        Ok(())
    }
}
