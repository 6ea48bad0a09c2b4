//! The cells that have one vertex as their highest point.
//!
//! The hyperplanes through a vertex form a central arrangement in the space of directions. Let `g`
//! be the objective. The cells with their highest point at the vertex are the regions in `{g < 0}`:
//! those opposite to the regions in `{g > 0}`. If as many hyperplanes meet as there are dimensions,
//! there is one such cell (see [`super::walk`]). This file is for the vertices where more meet.
//!
//! A region lies in `{g > 0}` exactly when the part of it where `g = 1` is a bounded cell of the
//! arrangement there, which has one dimension less. With the next coordinate as the objective, a
//! bounded cell has a highest vertex and a lowest one. A cell that has both is bounded: in a
//! direction to infinity the objective could neither rise nor fall, but it is constant in none. So
//! the walk along the lines of that arrangement finds all cells below and all cells above its
//! vertices, and the bounded cells are those found twice.

use super::sink::{Sink, write};
use super::tableau::Tableau;
use super::walk::{NotGeneric, Space, Walk};
use crate::pattern::WORD;

/// Which rows are positive, 64 to a word.
type Signs = Vec<u64>;

/// The regions where the first element of a basis is positive, in a stable order. The other
/// elements are coordinates in general position, as many as needed.
pub(super) fn regions_above(table: &Tableau<'_>) -> Result<Vec<Signs>, NotGeneric> {
    let rows = table.rows();
    let range: Vec<usize> = (0..rows).collect();
    let signs = vec![0; rows.div_ceil(WORD)];
    let space = Space { root: table, level: 0, bits: &range, signs: &signs };
    let mut sink = Both::default();
    Walk::new(space, &mut sink).descend(0..rows)?;
    let Both { mut below, mut above } = sink;
    below.sort_unstable();
    above.sort_unstable();
    below.retain(|signs| above.binary_search(signs).is_ok());
    Ok(below)
}

/// The cells below a vertex and those above.
#[derive(Debug, Default)]
struct Both {
    below: Vec<Signs>,
    above: Vec<Signs>,
}

impl Sink for Both {
    const BITS: bool = true;

    fn cell(&mut self, signs: &[u64], through: &[(usize, bool)]) {
        for (found, below) in [(&mut self.below, true), (&mut self.above, false)] {
            let mut cell = signs.to_vec();
            write(&mut cell, through, below);
            found.push(cell);
        }
    }
}
