//! The numbers that tune how arrangements are listed and sampled, each with what speaks for it.

use crate::pattern::WORD;

// evaluate.rs: 10⁵ rows of 20 inputs, 200 hyperplanes: 0.033 s of a core with blocks of 512 rows,
// 0.058 s with 4096.
/// Rows in a block: a whole number of words.
pub(in crate::arrangement) const EVALUATED_ROWS: usize = 8 * WORD;
/// Hyperplanes in a block.
pub(in crate::arrangement) const PLANES: usize = 256;

// sample.rs
/// The number of hyperplanes that are drawn and evaluated at a time.
pub(in crate::arrangement) const BATCH: usize = 1024;

// deep/sample.rs
/// The number of neurons of the first layer that are evaluated at a time.
pub(in crate::arrangement) const DEEP_BATCH: usize = 1024;

// mixed.rs
/// The most rows that a threshold is placed between.
pub(in crate::arrangement) const THRESHOLD_ROWS: usize = 2000;
/// The most columns whose correlations are used.
pub(in crate::arrangement) const MOST_COLUMNS: usize = 200;
/// The fraction of the mean variance that is added to the variance of every direction, because some
/// directions do not vary at all.
pub(in crate::arrangement) const RIDGE: f64 = 0.01;

// cells.rs
/// About how many cells a task looks for.
pub(in crate::arrangement) const TASK: f64 = 4096.0;
/// About how many tasks there are at most.
pub(in crate::arrangement) const TASKS: f64 = 1e6;

// thin_cell.rs
/// The number of multiples of a point that are tried.
pub(in crate::arrangement) const SCALES: usize = 48;

/// The most integer vectors that are tried for each multiple.
pub(in crate::arrangement) const BOX: usize = 400;
/// The largest distance of a side of that box from its middle.
pub(in crate::arrangement) const REACH: i32 = 40;
/// The most steps towards the weight that is solved for. A few are enough, unless the slopes are
/// rounding alone.
pub(in crate::arrangement) const ROUNDING_STEPS: usize = 64;

// reduction.rs
/// The most steps of a reduction.
pub(in crate::arrangement) const REDUCTION_STEPS: usize = 1000;
/// The widest cell in which all neighbours of the nearest weights are tried.
pub(in crate::arrangement) const NEIGHBOURS: usize = 5;
