//! Walks along the lines of an arrangement, one cell at every vertex.

use std::cmp::Ordering;

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
    /// What a pattern is before the rows have their say.
    pub(super) signs: &'w [u64],
}

/// What becomes of the cells.
pub(in crate::arrangement) trait Sink {
    /// Whether the bits matter, or only the number of cells.
    const BITS: bool;

    /// Takes the cell with its highest point at a vertex. `signs` has the rows that do not go through
    /// the vertex, `through` the bits of those that do: what they are in the cell, and the opposite
    /// of what they are in the cell across the vertex.
    fn cell(&mut self, signs: &[u64], through: &[(usize, bool)]);
}

/// How many cells there are.
#[derive(Debug, Default)]
pub(in crate::arrangement) struct Count(pub(in crate::arrangement) u64);

impl Sink for Count {
    const BITS: bool = false;

    fn cell(&mut self, _signs: &[u64], _through: &[(usize, bool)]) {
        self.0 += 1;
    }
}

/// The bits of the cells, one after the other.
#[derive(Debug, Default)]
pub(in crate::arrangement) struct Bits(pub(in crate::arrangement) Vec<u64>);

impl Sink for Bits {
    const BITS: bool = true;

    fn cell(&mut self, signs: &[u64], through: &[(usize, bool)]) {
        let start = self.0.len();
        self.0.extend_from_slice(signs);
        write(&mut self.0[start..], through, true);
    }
}

/// Writes bits as they are, or their opposites.
pub(super) fn write(words: &mut [u64], bits: &[(usize, bool)], as_they_are: bool) {
    for &(bit, on) in bits {
        let word = &mut words[bit / WORD];
        *word = *word & !(1 << (bit % WORD)) | u64::from(on == as_they_are) << (bit % WORD);
    }
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
    /// Whether no two crossings coincide, for all that doubles can tell.
    apart: bool,
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
        self.doubtful.extend((0..slopes.len()).filter(|&j| !(slopes[j].abs() > errors[j])));
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
                    self.simple_vertex(start..end)?;
                } else {
                    self.vertex(start..end);
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

    /// Sorts the crossings along the line, towards a growing objective; `signs` becomes what the
    /// rows are before the first.
    fn crossings(&mut self) -> Result<(), NotGeneric> {
        let objective = self.space.level + 1;
        let table = &mut self.tables[self.flat.len()];
        let line = &mut self.line;
        line.signs.clear();
        line.signs.extend_from_slice(self.space.signs);
        line.order.clear();
        line.keys.clear();
        line.below.resize(self.closed.len(), 0.0);
        line.above.resize(self.closed.len(), 0.0);
        {
            let ((x, ex), (y, ey)) = (table.column(objective - 1), table.column(objective));
            let inputs = x.iter().zip(ex).zip(y.iter().zip(ey));
            let outputs = line.below.iter_mut().zip(&mut line.above);
            for (((x, ex), (y, ey)), (below, above)) in inputs.zip(outputs) {
                let at = -x / y;
                let size = at.abs();
                let error = (ex + size * ey) / (y.abs() - ey);
                let error =
                    error * (1.0 + 16.0 * f64::EPSILON) + 4.0 * f64::EPSILON * size + 1e-290;
                (*below, *above) = (at - error, at + error);
            }
        }
        let bits = usize::BITS - self.closed.len().leading_zeros();
        let mask = (1u64 << bits) - 1;
        for j in 0..self.closed.len() {
            if self.closed[j] {
                continue;
            }
            let (y, ey) = table.column(objective);
            let bit = self.space.bits[j];
            let (mut slope, known) = (y[j], y[j].abs() > ey[j]);
            if !known {
                slope = f64::from(table.sign(objective, j));
                if slope == 0.0 {
                    if (1..objective).any(|p| table.sign(p, j) != 0) {
                        return Err(NotGeneric);
                    }
                    line.signs[bit / WORD] |= u64::from(table.sign(0, j) > 0) << (bit % WORD);
                    continue;
                }
                (line.below[j], line.above[j]) = (f64::NEG_INFINITY, f64::INFINITY);
            }
            line.signs[bit / WORD] |= u64::from(slope < 0.0) << (bit % WORD);
            line.keys.push(sortable(line.below[j]) & !mask | j as u64);
        }
        line.keys.sort_unstable();
        line.order.extend(line.keys.iter().map(|key| (key & mask) as usize));
        let apart = |pair: &[usize]| line.above[pair[0]] < line.below[pair[1]];
        line.apart = line.order.windows(2).all(apart);
        if !line.apart {
            let (below, above) = (&line.below, &line.above);
            line.order.sort_by(|&i, &j| compare((table, self.space.level), (below, above), i, j));
        }
        Ok(())
    }

    /// Whether a crossing, in order, is where the one before it is.
    fn coincide(&mut self, k: usize) -> bool {
        if self.line.apart {
            return false;
        }
        let (i, j) = (self.line.order[k - 1], self.line.order[k]);
        let table = &mut self.tables[self.flat.len()];
        compare((table, self.space.level), (&self.line.below, &self.line.above), i, j).is_eq()
    }

    /// As many rows as dimensions: the objective is a combination of them, and falls where each row
    /// has the sign opposite to its weight.
    fn simple_vertex(&mut self, crossings: std::ops::Range<usize>) -> Result<(), NotGeneric> {
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

    /// More rows than dimensions.
    fn vertex(&mut self, crossings: std::ops::Range<usize>) {
        let closed = self.flat.iter().flat_map(|step| step.closed.iter().copied());
        let rows: Vec<usize> = closed.chain(crossings.map(|k| self.line.order[k])).collect();
        let Space { root, level, bits, .. } = self.space;
        let local = root.subset(&rows).restrict(level + 1..root.width());
        for region in regions_above(&local) {
            // Opposite to a region above is one below.
            let below = |k: usize| region[k / WORD] >> (k % WORD) & 1 == 0;
            self.through.clear();
            self.through.extend(rows.iter().enumerate().map(|(k, &row)| (bits[row], below(k))));
            self.sink.cell(&self.line.signs, &self.through);
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
