//! The numbers that tune the search for patterns and the proofs that none is better, each with what
//! speaks for it.

use super::LocalSearch;

// axis.rs
/// How far the curve falls between two separate tops, as a fraction of the way from the threshold
/// to the best cut.
pub(super) const VALLEY: f64 = 0.25;

// local.rs
/// With more weights than this, edges are too expensive.
pub(super) const MOST_EDGE_WEIGHTS: usize = 64;
/// The line searches of a climb that is still worth its start.
pub(super) const SHORTEST: usize = 20;

// starts.rs
/// The most columns that are fitted by least squares.
pub(super) const MOST_FITTED: usize = 200;

// subnetwork.rs
/// The most climbs of single hyperplanes from one start.
pub(super) const TURNS: usize = 24;

// boxes.rs: Boxes with these numbers: pima in pairs at β = 10 takes 0.8 s where sectors took 5.6 s,
// german 1.2 s instead of 9.1 s.
/// The most halvings of each side of a box; of those of a plane, twice this.
pub(super) const DEEPEST_SIDE: u32 = 42;
/// Halvings that do not separate the undecided points before it is asked whether they lie on one
/// plane.
pub(super) const STUCK: u32 = 3;
/// In more than three dimensions: such halvings of each side before the undecided points are a
/// problem of their own.
pub(super) const STUCK_A_SIDE: u32 = 2;
/// These may have at most this many circles for all their vertices to be visited.
pub(super) const MOST_CIRCLES: f64 = 300.0;
/// They are a problem of their own if its circles take no more steps than this.
pub(super) const MOST_STEPS: f64 = 1e6;
/// About how many elementary steps a look at a point takes.
pub(super) const STEPS_A_LOOK: u64 = 32;
/// A question about the plane of a point takes as long as this number of looks at it.
pub(super) const QUESTION: usize = 32;

// space.rs: A proof over all triples of 768 rows takes a second for most of them; circles alone
// took minutes.
/// Boxes may take this multiple of the steps of all circles: on ties, circles take some times as
/// long.
pub(super) const BOX_PATIENCE: u64 = 16;

// vertex.rs
/// More points than this on a vertex are searched by boxes.
pub(super) const MANY_ON_A_PLANE: usize = 24;
/// The most steps of searches circle by circle. It is the faster way for a few points.
pub(super) const FEW_STEPS: f64 = 4000.0;

// circles.rs
/// The most circles that are remembered.
pub(super) const REMEMBERED_CIRCLES: f64 = 4e6;

// flats.rs
/// About how many elementary steps a comparison of two points on a circle takes.
pub(super) const STEPS_OF_A_SORT: f64 = 2.5;
/// About how many elementary steps it takes to tell on which side of a vertex a point is.
pub(super) const STEPS_A_VERTEX: u64 = 32;
/// Circles with a larger error are computed in integers.
pub(super) const WORST_ERROR: f64 = 1e-8;

// meter.rs
/// The steps between two questions whether to stop, about a twentieth of a millisecond.
pub(super) const STEPS_A_QUESTION: u64 = 50_000;

// witness.rs
/// The number of scales that are tried before the search.
pub(super) const ATTEMPTS: usize = 64;

// halfspace.rs
/// The largest rank for which boxes of normals are searched.
pub(super) const LARGEST_RANK: usize = 12;

// listed.rs: Chess, three inputs of two bits, 8 neurons: 3.1 s with lists, 40.1 s without.
/// The most points whose patterns are listed.
pub(super) const MOST_POINTS: usize = 16;
/// The most patterns of a list.
pub(super) const MOST_PATTERNS: u128 = 1 << 13;

// groups.rs
/// The line searches that a group of three columns begins with.
pub(super) const GROUP_SKETCH: LocalSearch = LocalSearch { starts: 8, steps: 20, keep: 2 };
/// The groups that are searched at the same time.
pub(super) const GROUPS_AT_A_TIME: usize = 64;
/// How many patterns of lists get weights for each that is kept.
pub(super) const SPARE: usize = 4;
/// About how many elementary steps it takes to prepare a row of a group.
pub(super) const STEPS_A_ROW: u64 = 64;

// corners.rs
/// About how many nanoseconds a cell of a pair of columns takes, and a node of a tree: 200 x 50
/// cells take 17 µs, 768 rows and seven levels of nodes 27 µs. Bounds from bins of the values were
/// tried before trees: at the optimum of ozone they ruled out 25 of 914 pairs, elsewhere none.
pub(super) const CELLS: f64 = 1.7;
pub(super) const LEAVES: f64 = 5.5;
/// The pairs that are searched at the same time.
pub(super) const PAIRS_AT_A_TIME: usize = 64;
/// The dual points that are remembered.
pub(super) const REMEMBERED_POINTS: usize = 32;

// feasibility.rs
/// The fraction of the largest margin that weights must have.
pub(super) const MARGIN: f64 = 0.01;
/// Kernels of larger ranks are not computed in integers.
pub(super) const LARGEST_EXACT: usize = 10;

// cover.rs: Bounds on 128 rows: see the table of blocks in docs/benchmarks.md.
/// The most infeasible sets that a bound uses.
pub(super) const MOST_PAID: usize = 300;
/// The number of infeasible sets that are always remembered.
pub(super) const REMEMBERED_SETS: usize = 8192;

// branch.rs
/// The nodes between two checks whether to stop.
pub(super) const NODES_A_QUESTION: usize = 64;

// blocks.rs
/// The line searches for a good halfspace of every block.
pub(super) const BLOCK_SKETCH: LocalSearch = LocalSearch { starts: 24, steps: 100, keep: 4 };

// prover.rs: `cargo bench -p hardlim --bench stopwatch -- pricing` prints what proofs take.
/// About how many elementary steps a node of a tree takes.
pub(super) const STEPS_A_NODE: f64 = 1e5;
/// The largest rank that is swept.
pub(super) const LARGEST_SWEPT: usize = 5;
/// The fewest rows of a block.
pub(super) const SMALLEST_BLOCK: usize = 8;
/// The most memory that groups of columns may take.
pub(super) const MOST_BYTES: u64 = 8 << 30;
/// The line searches for patterns that a sweep does not return.
pub(super) const SWEEP_SKETCH: LocalSearch = LocalSearch { starts: 32, steps: 100, keep: 64 };
