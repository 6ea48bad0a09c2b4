//! The numbers that tune the searches among targets, each with what speaks for it.

// select.rs
/// The least size of a sample; it is at most twice this.
pub(super) const SAMPLE: usize = 1 << 13;
/// The passes over all numbers before the search continues by halves.
pub(super) const PASSES: usize = 8;

// clip.rs
/// With at most this many distinct targets (two classes, or a few levels), one row per target
/// stands for all rows.
pub(super) const KINDS: usize = 8;
