//! One line of an arrangement, and where the rows cross it.

use std::cmp::Ordering;

use super::bounds::{certain, quotient};
use super::tableau::Tableau;
use super::walk::{NotGeneric, Space};
use crate::pattern::WORD;

/// The crossings of the rows with a line. It is reused for other lines to save memory.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Every crossing lies between these two.
    below: Vec<f64>,
    above: Vec<f64>,
    keys: Vec<u64>,
    /// The rows that cross the line, in the order of a growing objective.
    pub(super) order: Vec<usize>,
    /// The signs of the rows before the first crossing; the walk updates them.
    pub(super) signs: Vec<u64>,
    /// Whether no two crossings coincide, as far as doubles can tell.
    apart: bool,
}

impl Line {
    /// Sorts the crossings of the rows that do not vanish on the line. The table has the rows that
    /// define it in its basis.
    pub(super) fn sort(
        &mut self,
        space: &Space<'_, '_>,
        table: &mut Tableau<'_>,
        closed: &[bool],
    ) -> Result<(), NotGeneric> {
        let objective = space.level + 1;
        self.signs.clear();
        self.signs.extend_from_slice(space.signs);
        self.order.clear();
        self.keys.clear();
        self.below.resize(closed.len(), 0.0);
        self.above.resize(closed.len(), 0.0);
        quotient(
            table.column(objective - 1),
            table.column(objective),
            (&mut self.below, &mut self.above),
        );
        let mask = (1 << (usize::BITS - closed.len().leading_zeros())) - 1;
        for j in (0..closed.len()).filter(|&j| !closed[j]) {
            let (slopes, errors) = table.column(objective);
            let (mut slope, known) = (slopes[j], certain(slopes[j], errors[j]));
            let bit = space.bits[j];
            if !known {
                slope = f64::from(table.sign(objective, j));
                if slope == 0.0 {
                    // The row never vanishes there; see `Walk::enter`.
                    if (1..objective).any(|p| table.sign(p, j) != 0) {
                        return Err(NotGeneric);
                    }
                    self.signs[bit / WORD] |= u64::from(table.sign(0, j) > 0) << (bit % WORD);
                    continue;
                }
                (self.below[j], self.above[j]) = (f64::NEG_INFINITY, f64::INFINITY);
            }
            self.signs[bit / WORD] |= u64::from(slope < 0.0) << (bit % WORD);
            // The last bits of a key make room for the row.
            self.keys.push(sortable(self.below[j]) & !mask | j as u64);
        }
        self.keys.sort_unstable();
        self.order.extend(self.keys.iter().map(|key| (key & mask) as usize));
        self.apart = self.order.windows(2).all(|pair| self.above[pair[0]] < self.below[pair[1]]);
        if !self.apart {
            let mut order = std::mem::take(&mut self.order);
            order.sort_by(|&i, &j| self.compare((table, space.level), i, j));
            self.order = order;
        }
        Ok(())
    }

    /// The end of the crossings that coincide with one, in order.
    pub(super) fn group(&self, start: usize, table: &mut Tableau<'_>, level: usize) -> usize {
        let mut end = start + 1;
        while !self.apart
            && end < self.order.len()
            && self.compare((table, level), self.order[end - 1], self.order[end]).is_eq()
        {
            end += 1;
        }
        end
    }

    fn compare(&self, (table, level): (&mut Tableau<'_>, usize), i: usize, j: usize) -> Ordering {
        if self.above[i] < self.below[j] {
            Ordering::Less
        } else if self.above[j] < self.below[i] {
            Ordering::Greater
        } else if i == j {
            Ordering::Equal
        } else {
            // Crossings are at −x/y, the last constants outweighing those before.
            let by = |p: usize| table.compare_ratios([j, i], [p, level + 1]);
            (0..=level).rev().map(by).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        }
    }
}

/// Doubles as integers in the same order.
fn sortable(x: f64) -> u64 {
    let bits = x.to_bits();
    bits ^ ((bits as i64 >> 63) as u64 | 1 << 63)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_integers_sorts_doubles() {
        let values = [f64::NEG_INFINITY, -1e300, -1.0, -1e-300, 0.0, 1e-300, 1.0, f64::INFINITY];
        assert!(values.windows(2).all(|pair| sortable(pair[0]) < sortable(pair[1])));
    }
}
