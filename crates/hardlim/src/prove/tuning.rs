//! Numbers that tune the proofs.

/// The most nodes of all trees of a proof.
pub(super) const MOST_NODES: u64 = 20_000_000;

/// An edge is split between the places that `½ − MIDDLE` and `½ + MIDDLE` of the weight reach.
pub(super) const MIDDLE: f64 = 0.1;

/// The most columns of a tree: each doubles the number of roots.
pub(super) const MOST_COLUMNS: usize = 10;

/// The bits of the shares of merged rows whose slopes are near one.
pub(super) const SHARE_BITS: i32 = 64;

/// The most bits that shares have more than the dual point, whose numbers have 53: 128 bits fit
/// all.
pub(super) const MOST_BITS: i32 = 48;

/// How much smaller `θ` gets where a row has no shares: far below the 1e-9 that bounds agree to.
pub(super) const SHRINK: f64 = 1e-12;

/// An edge that at most this many rows cross is split exactly where one of them is zero.
pub(super) const EXACT: usize = 4;

/// From this depth on, rows are decided one by one.
pub(super) const PATIENCE: usize = 100;
