//! The numbers that tune the solvers, each with what speaks for it.

use std::ops::RangeInclusive;
use std::time::Duration;

// active_set.rs
/// After this many rounds without a smaller gap, only rounding errors are left.
pub(super) const ROUNDS_IN_VAIN: usize = 20;

/// From this median of the targets on, the first envelope of a loss with kinks is wider than one.
/// 300 rows with targets of this size take 0.1 s; with 10⁴ and an envelope of one they took more
/// than 20 s.
pub(super) const LARGE: f64 = 256.0;
/// How much stiffer than at first an envelope becomes at most.
pub(super) const STIFFEST: f64 = 1e8;
/// About how many nanoseconds a proximal point of a row takes.
pub(super) const PROXIMAL: usize = 16;

// newton.rs: Logistic loss, 3680 x 1000 at 0.01 of β_max: 0.06 s with rounded curvatures, 0.33 s
// without. A model of a loss with kinks that was minimised took 9 s.
/// About how many answers of patterns are used in a nanosecond, in all passes of a step.
pub(super) const CORRELATIONS: usize = 2;
/// The largest damping that is tried before a step is given up.
pub(super) const MOST_DAMPING: f64 = 1e3;
/// The bits of a curvature while the columns in use change, and then.
pub(super) const COARSE: u32 = 3;
pub(super) const FINE: u32 = 6;
/// Below this number of sums in a Gram matrix, rounding its weights saves nothing.
pub(super) const CHEAP: usize = 1 << 22;
/// The steps of the active set on a model that is not the function. The model need not be
/// minimised; it only has to be lower.
pub(super) const MODEL_STEPS: usize = 5;
/// How far the curvature may be from that of the model, relative to its size.
pub(super) const DRIFT: f64 = 0.03;
/// The steps of the active set before the proximal point method takes over, if there are more
/// columns than rows.
pub(super) const EXACT_STEPS: usize = 8;
/// The most rows for which the proximal point method is tried, because it may factor a matrix of
/// that size.
pub(super) const MOST_ROWS: usize = 5000;

// working.rs
/// About how many answers of pairs of patterns are compared in a nanosecond.
pub(super) const OVERLAPS: usize = 64;
/// The work of a Gram matrix after which the budget is asked.
pub(super) const GRAM_PANEL: usize = 20_000_000;

// factor.rs: `cargo bench -p hardlim --bench stopwatch -- lasso` prints what a solve takes.
/// The columns of a panel.
pub(super) const FACTOR_PANEL: usize = 32;
/// The rows of a panel that one thread works on.
pub(super) const CHUNK: usize = 192;
/// About how many multiplications of a factorisation take a nanosecond.
pub(super) const FLOPS: usize = 24;
/// The work of a panel for which the budget is asked.
pub(super) const LONG: usize = 100_000;

// proximal.rs: 1000 x 10000 patterns at 0.01 of β_max: 0.65 s; exchanging dependent columns took 21
// s.
/// The first `σ`, relative to one over the largest diagonal entry of the Gram matrix.
pub(super) const FIRST: f64 = 100.0;
/// The factor by which `σ` grows from step to step.
pub(super) const GROWTH: f64 = 5.0;
/// The most Newton steps for one proximal point; rounding usually ends them earlier.
pub(super) const PROXIMAL_STEPS: usize = 50;

// reduce.rs
/// The least number of columns that join at a time.
pub(super) const REDUCED_AT_A_TIME: usize = 64;

// prune.rs
/// The fraction of the columns in use that is removed at first; it is halved when that is too many.
pub(super) const PRUNED_AT_A_TIME: f64 = 0.25;

// generate.rs
/// Rounds between two proofs while the local search still finds patterns.
pub(super) const PROOF_EVERY: usize = 8;
/// Rounds that a pattern may stay at zero before it is dropped.
pub(super) const IDLE_ROUNDS: u32 = 8;
/// The search ends after this many searches in a row without a pattern, each harder than the one
/// before.
pub(super) const HARDER: usize = 3;
/// A proof may still be made after the time is up if it takes at most this many elementary steps.
pub(super) const QUICK: f64 = 1e8;
/// Time is set aside for the last proof if it takes at most this part of what there is.
pub(super) const LAST_PROOF: f64 = 0.5;
/// From this relative gap on, a proof need not be sharp.
pub(super) const WIDE: f64 = 1e-4;
/// The largest relative gap to which a program over a dictionary is solved.
pub(super) const LOOSE: f64 = 1e-3;

// source.rs
/// The most rules of two conditions that join in a round.
pub(super) const RULES_A_ROUND: usize = 256;

// descent.rs
/// The bits of a curvature on the sample. The gradient is exact, so this affects the number of
/// steps only.
pub(super) const SAMPLE_BITS: u32 = 4;
/// The most Newton steps on the sample for each pass.
pub(super) const SAMPLE_STEPS: usize = 40;
/// The violation that is left on the sample, as a part of that before.
pub(super) const SAMPLE_LEFT: f64 = 0.02;
/// How often a step is halved before it is given up.
pub(super) const HALVINGS: usize = 6;
/// The part of the expected descent that a step must reach.
pub(super) const ENOUGH: f64 = 1e-4;

// interpolate.rs
/// How far the strength is lowered, in powers of ten below `β_max`.
pub(super) const DECADES: RangeInclusive<i32> = 3..=9;
/// How often the solution of a linear system is refined against rounding errors.
pub(super) const REFINEMENTS: usize = 4;

// margin.rs: `bench/weights/run` compares these margins and their times with those of scikit-learn.
/// The most rows for which one Gram matrix is kept: it takes 200 MB.
pub(super) const SHARED: usize = 5000;
/// The most columns for which rows are admitted one by one.
pub(super) const FEW_COLUMNS: usize = 200;

// pivot.rs
/// The ridge of the first guess, relative to the mean square of the rows.
pub(super) const RIDGE: f64 = 3e-2;
/// Block exchanges without progress before rows are exchanged one at a time.
pub(super) const EXCHANGES_IN_VAIN: usize = 4;
/// The columns of the Gram matrix that one thread works on.
pub(super) const PIVOT_BLOCK: usize = 128;
/// Rounds before giving up.
pub(super) const PIVOT_ROUNDS: usize = 200;

// projection.rs
/// The value of the bias column, in root mean squares of a row.
pub(super) const STRETCH: f64 = 1e3;
/// The most proximal steps.
pub(super) const PROJECTION_STEPS: usize = 8;
/// The number of rows that join those to check, at a time.
pub(super) const ROWS_THAT_JOIN: usize = 32;

// budget.rs
/// How often a budget is checked during the work.
pub(super) const LOOK: Duration = Duration::from_millis(20);
/// The time for a first network after the end; the rest of the slack is for what cannot be
/// interrupted.
pub(super) const FINISH: Duration = Duration::from_millis(150);
/// The time after the end for what makes a network better, and after an interrupt for each such
/// step.
pub(super) const REST: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(50)];
