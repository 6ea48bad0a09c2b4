//! The numbers that tune products of the pattern matrix, each with what speaks for it.

// gram.rs
/// The words of a column that are taken at a time: 2 KiB.
pub(super) const CHUNK: usize = 256;

// product.rs
/// The rows of a block: 16 KiB of doubles.
pub(super) const BLOCK: usize = 2048;
/// The columns that one thread works on at a time.
pub(super) const PANEL: usize = 32;
/// Below this number of bits in a product, waking other threads takes longer than the work.
pub(super) const ALONE: usize = 1 << 18;

// weighting.rs
/// Counting is faster than adding up to this many words of planes for each word of a column.
pub(super) const DENSE: usize = 8;
