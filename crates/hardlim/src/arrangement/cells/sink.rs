//! Sinks receive the cells as they are found.

use crate::pattern::WORD;

/// A receiver of cells.
pub(in crate::arrangement) trait Sink {
    /// Whether the bits matter, or only the number of cells.
    const BITS: bool;

    /// Takes the cell with its highest point at a vertex. `signs` has the rows that do not go
    /// through the vertex. `through` has the bits of those that do: their values in this cell,
    /// which are the opposite in the cell across the vertex.
    fn cell(&mut self, signs: &[u64], through: &[(usize, bool)]);
}

#[derive(Debug, Default)]
pub(in crate::arrangement) struct Count(pub(in crate::arrangement) u64);

impl Sink for Count {
    const BITS: bool = false;

    fn cell(&mut self, _signs: &[u64], _through: &[(usize, bool)]) {
        self.0 += 1;
    }
}

/// Collects the bits of the cells, one after the other.
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

pub(super) fn write(words: &mut [u64], bits: &[(usize, bool)], as_they_are: bool) {
    for &(bit, on) in bits {
        let word = &mut words[bit / WORD];
        *word = *word & !(1 << (bit % WORD)) | u64::from(on == as_they_are) << (bit % WORD);
    }
}
