//! The numbers that tune training, each with what chose it.
//!
//! *Tuned*: chosen by accuracy and log-loss on the tuning seeds of `bench/accuracy/run --tune`,
//! which `docs/accuracy.md` never reports. *Counted*: a share of the work of a run, which is
//! counted so that a seed gives one network on every machine; `bench/accuracy/run` shows the
//! seconds that it comes to.

use std::time::Duration;

use crate::pricing::LocalSearch;

/// The strengths of predictions, as parts of `β_max`: the largest, the factor between two, how
/// many. Tuned.
pub(super) const GRID: (f64, f64, usize) = (0.5, 0.6, 16);
/// The relative gap of networks that are only compared with others. Tuned: less changes no choice.
pub(super) const COMPARED: f64 = 1e-3;
/// The relative gap of networks that are kept. Tuned.
pub(super) const KEPT: f64 = 1e-4;
/// A gap that is small enough whatever the objective, as a part of the loss of the zero network.
/// Tuned.
pub(super) const SLACK: f64 = 1e-5;
/// A candidate that can be proven, and a table without a date, are preferred if their loss is
/// within this many standard errors of the least. Tuned.
pub(super) const PREFERENCE: f64 = 0.5;
/// The part of a time limit in which predictions are chosen; the rest is for training on all rows.
pub(super) const CHOOSING_PREDICTIONS: f64 = 0.7;
/// The effort of the bound on networks whose patterns were searched for. Counted.
pub(super) const EFFORT_OF_SEARCHED: u64 = 3000;
/// A search goes on if its loss on the first fold is within this many standard errors of the best.
/// Tuned.
pub(super) const PROMISE: f64 = 1.0;
/// The least probability that counts: no sample costs more than about 16.
pub(super) const LEAST_PROBABILITY: f64 = 1e-7;

/// A path has gone too far when its loss on the rows held out is this many times its least, or a
/// tenth of its first, because a least near zero may be an accident. Tuned.
pub(super) const TOO_FAR: f64 = 1.3;
/// The least is then this many strengths ago. Tuned.
pub(super) const TOO_LONG: usize = 3;
/// With fewer rows than this, accidents decide, and no path is left. Tuned.
pub(super) const ROWS_OF_A_PATH: usize = 20;

/// The most rows, times networks, on which networks of one input are solved. Counted.
pub(super) const MOST_ROWS_OF_ONE: usize = 10_000;
/// The work of searching for one dictionary, in about a nanosecond of one core. Counted.
pub(super) const SEARCH_WORK: f64 = 3e8;
/// How many networks choose the strength and are averaged, at most, if their patterns are searched
/// for. Counted: searching takes longer than drawing.
pub(super) const SEARCHED: (usize, usize) = (2, 8);

/// The strengths at which patterns are searched for, as parts of `β_max`. Tuned.
pub(super) const SEARCH_STRENGTHS: [f64; 3] = [0.3, 0.1, 0.03];
/// The rounds at each of them. Tuned.
pub(super) const SEARCH_ROUNDS: usize = 4;
/// How many random patterns a search starts with.
pub(super) const SEARCH_RANDOM: usize = 200;
/// The line searches of a climb: at least, and at most.
pub(super) const SEARCH_STEPS: (f64, f64) = (20.0, 100.0);
/// The starts of a round: at least, and at most.
pub(super) const SEARCH_STARTS: (f64, f64) = (2.0, 32.0);

/// The work of choosing and training, in about a nanosecond of one core: 1.2 to 6 s of two cores in
/// `docs/accuracy.md`. Counted.
pub(super) const WORK: f64 = 1.2e10;
/// The work of a second, at least: a time limit allows no more. Counted.
pub(super) const WORK_OF_A_SECOND: f64 = 5e8;
/// The part of the work that the first network may take. Counted.
pub(super) const FIRST_NETWORK: f64 = 0.25;
/// The part of the work that one program over the patterns of all networks may take. Counted.
pub(super) const JOINED: f64 = 0.15;
/// How many patterns a network draws: at least, and at most. Tuned.
pub(super) const PATTERNS: (usize, usize) = (1500, 3000);
/// How many networks are averaged, at most. Tuned.
pub(super) const AVERAGE: usize = 12;
/// How many networks should be averaged before more of them choose. Tuned.
pub(super) const AVERAGE_FIRST: usize = 6;
/// How many of them choose the strength, at most. Tuned.
pub(super) const JUDGED: usize = 4;
/// How many folds, at most. Tuned.
pub(super) const FOLDS: usize = 5;

/// The relative gap of listed patterns, which are solved to optimality.
pub(super) const LISTED: f64 = 1e-9;
/// A gap that counts as reached is at most this, or what was asked for.
pub(super) const SMALL_GAP: f64 = 1e-3;
/// The part of a time limit in which the strength of a problem is chosen.
pub(super) const CHOOSING: f64 = 0.8;
/// The work on a problem without a stopping rule, as the time that one core takes for it. Counted.
pub(super) const WORK_ON_A_PROBLEM: Duration = Duration::from_secs(10);
/// The time for training on all rows if that for choosing was cut short.
pub(super) const GRACE: Duration = Duration::from_millis(200);

/// On more samples than this, one table is compared with another on some of them. Counted.
pub(super) const MOST_COMPARED: usize = 3000;

/// The part of the time that is left which the check of a bound may take.
pub(super) const PROOF_CHECK: f64 = 0.3;
/// How many times the nodes of the trial are those of the check.
pub(super) const PROOF_TRIAL: u64 = 8;
/// How often a trial is made, each with a tenth of the effort of the one before.
pub(super) const PROOF_TRIES: usize = 2;
/// The efforts without a time limit, as parts of the largest.
pub(super) const PROOF_EFFORTS: [u64; 3] = [100, 10, 1];
/// A bound stands still if another step closes less than this part of the gap.
pub(super) const STANDSTILL: f64 = 0.01;
/// The search for a dual point ends after this many rounds in a row that leave the bound where it
/// was.
pub(super) const STILL: usize = 2;
/// About how many elementary steps it takes to put one number of a row into its block.
pub(super) const PROOF_BLOCKS: f64 = 40.0;

/// The local search for patterns of a block.
pub(super) const BLOCK_SEARCH: LocalSearch = LocalSearch { starts: 48, steps: 100, keep: 32 };
/// The number of patterns that the next search starts from.
pub(super) const BLOCK_NEAR: usize = 16;
/// The nodes of a short tree search for patterns that the local search missed.
pub(super) const BLOCK_LOOK: usize = 1000;
/// About how many elementary steps a node of a tree takes.
pub(super) const BLOCK_NODE: usize = 100_000;
/// How often the strength is moved between blocks before the first proof.
pub(super) const BLOCK_SKETCHES: usize = 12;
/// The most proofs of every block.
pub(super) const BLOCK_PROOFS: usize = 12;
/// Patterns whose price is above a block's strength by this fraction start another round.
pub(super) const BLOCK_TOLERANCE: f64 = 1e-3;

/// The most patterns that [`Method::Auto`](super::Method::Auto) lists: solved to optimality in a
/// second.
pub(super) const FEW_PATTERNS: u128 = 2000;
/// The same of deeper networks, which have no search that proves anything.
pub(super) const FEW_DEEP_PATTERNS: u128 = 100_000;
/// The part of the time that is left in which patterns are drawn, and the fewest draws.
pub(super) const DRAWING: (f64, f64) = (0.3, 64.0);
/// About how many elementary steps it takes to list a pattern, for each of its rows. Counted.
pub(super) const PATTERN: usize = 20;
/// The number of directions that are tried for the shortest staircase.
pub(super) const DIRECTIONS: usize = 64;

/// The most elementary steps of the local search in a round: at most a second of one core. Counted.
pub(super) const ROUND: f64 = 1e9;
/// The part of the time after which a search for a bound begins, if no exact search is possible.
pub(super) const PROOF_BEGINS: f64 = 0.7;
/// The part of the time that the first search may take.
pub(super) const FIRST_SEARCH: f64 = 0.2;
/// The part of the time for the two-layer network that subnetworks begin with.
pub(super) const TWO_LAYERS: f64 = 0.3;
/// The part of the time that an exact `β_max` may take if the strength depends on it, and
/// otherwise.
pub(super) const EXACT_STRENGTH: (f64, f64) = (0.4, 0.1);
/// The random neurons to start from if there is no time for a search: the fewest and the most.
pub(super) const FALLBACK: (usize, usize) = (64, 2000);
/// The most rounds of a network that is trained for its predictions.
pub(super) const MOST_ROUNDS: usize = 1000;
/// The relative gap at each strength of a path over neurons of few inputs.
pub(super) const PROVEN_ON_A_PATH: f64 = 1e-3;
/// The rounds of generation at each strength of other paths. Counted.
pub(super) const ROUNDS_ON_A_PATH: usize = 4;

/// The most patterns that an interpolation lists by default.
pub(super) const LISTED_TO_INTERPOLATE: u128 = 200_000;
/// The bytes that these patterns may take.
pub(super) const ROOM_TO_INTERPOLATE: u64 = 4 << 30;
/// The relative gap of an interpolation by default.
pub(super) const INTERPOLATED: f64 = 1e-9;
/// The relative gap of an interpolating model's certificate that is due to its weight decay.
pub(super) const DECAY: f64 = 1e-6;

// How few neurons are chosen: for the outputs of a large network and for the targets. Of five ways,
// on the tables of `docs/accuracy.md` with 5 to 12 neurons, these two come nearest to the least
// log-loss of all five on held-out rows: .0012 above it, and .0016 with output weights of three
// bits.

/// The strength for the outputs of a large network, as a part of the largest: outputs stay finite
/// even if no row is wrong.
pub(super) const FEW_STRENGTH: f64 = 1e-3;
/// Neurons are exchanged when the network has grown by one part of this many.
pub(super) const FEW_PART: usize = 4;
/// The most neurons of the large network that are looked at.
pub(super) const FEW_LOOKED_AT: usize = 300;
/// The part of the mean of a diagonal that is added to it, because columns may be alike.
pub(super) const FEW_ALIKE: f64 = 1e-7;
/// The most rounds of exchanges.
pub(super) const FEW_ROUNDS: usize = 12;
/// A round that lowers the objective by a smaller part of it is the last one.
pub(super) const FEW_ENOUGH: f64 = 1e-3;
/// The relative gap of the fits.
pub(super) const FEW_FITTED: f64 = 1e-4;
/// How many patterns a search returns: one if both of its signs are of use, otherwise more.
pub(super) const FEW_KEPT: (usize, usize) = (1, 32);
/// The longest first step of a neuron.
pub(super) const FEW_LONGEST: f64 = 8.0;
/// The most steps of the fit of a unit, the shortest one, and the gain that ends it, as a part of
/// the objective.
pub(super) const FEW_NEWTON: (usize, f64, f64) = (30, 1e-6, 1e-9);
/// The parts of a unit that the output bias may have.
pub(super) const FEW_QUARTERS: f64 = 4.0;
/// What is added to a curvature, as a part of it, because it may be zero.
pub(super) const FEW_RIDGE: f64 = 1e-9;

// Rules: lists of few questions about one column. On eight sets of up to 2,200 rows, seeds 0 to 4
// of `bench/rules/run --tune`, one pass of exchanges or two, two or four new rules, a ridge, folds
// made twice, gains averaged over eight samples of the rows, and more strengths are within .002 in
// log-loss (.424 with 15 rules). Nine evenly placed cuts of a column, and a price for all others,
// gain .004 there, but miss half of the seven steps of a made-up table of 3,000 rows.

/// The strengths of rules, as parts of `β_max`.
pub(super) const RULES_STRENGTHS: [f64; 4] = [0.1, 0.05, 0.02, 0.01];
/// The strength is the best one for lists of up to this many rules, whatever the limit is.
pub(super) const RULES_JUDGED: usize = 10;
/// How many new rules are fitted before one is kept.
pub(super) const RULES_ADDED: usize = 2;
/// Rules are exchanged when the list has grown by one part of this many: a fifth of the time of
/// exchanging them at every size.
pub(super) const RULES_PART: usize = 2;
/// The most passes of exchanges.
pub(super) const RULES_PASSES: usize = 2;
/// A pass that lowers the objective by a smaller part of it is the last one.
pub(super) const RULES_ENOUGH: f64 = 1e-3;
/// A gain that counts, as a part of the objective.
pub(super) const RULES_FITTED: f64 = 1e-6;
/// The most steps of a fit, and of halvings of a step.
pub(super) const RULES_STEPS: usize = 12;
pub(super) const RULES_HALVINGS: usize = 20;
/// What is added to a curvature, as a part of that of all rows, because rules may be alike.
pub(super) const RULES_ALIKE: f64 = 1e-9;
/// The units of points that are tried.
pub(super) const RULES_UNITS: usize = 8;

// The bound on lists of so many rules.

/// The relative gap of the programs, as a part of the gap that is asked for.
pub(super) const LISTS_SOLVED: f64 = 0.1;
/// About how many elementary steps a round takes for each row, beside the solver: 2 ms of one core
/// for a set of questions about 1000 rows. Counted.
pub(super) const LISTS_ROW: usize = 500;
/// The most rounds in which questions are added to a program.
pub(super) const LISTS_ROUNDS: usize = 12;
/// After so many sets of questions, a list is made of the best rules of one.
pub(super) const LISTS_TRIED: usize = 16;
/// Cuts are left out together if fewer than this part of all rows lie between them.
pub(super) const LISTS_NEAR: f64 = 0.05;

/// With fewer samples than this, accidents decide: every date stays.
pub(super) const FEWEST_WITH_DATES: usize = 50;
/// How many dates are looked at: each takes its time.
pub(super) const MOST_DATES: usize = 4;
/// The part of the time limit that this may take.
pub(super) const SCREENING: f64 = 0.2;

/// Rows in blocks: the relative gap of a network that is only compared, and the most passes for it.
pub(super) const BLOCKS_COMPARED: (f64, usize) = (1e-3, 4);
/// The same for the network that is kept.
pub(super) const BLOCKS_KEPT: (f64, usize) = (1e-4, 50);
/// About the passes that come after a time limit: for the certificate, and for the score.
pub(super) const LAST_PASSES: u32 = 5;
/// After this many strengths that predict worse than the best before, no smaller ones are tried.
pub(super) const WORSE: usize = 2;

/// The splits of a column in the first dictionary, in each direction.
pub(super) const SPLITS_FIRST: usize = 24;
/// The most splits of a column that a round adds.
pub(super) const SPLITS_ADDED: usize = 12;
/// The most rounds.
pub(super) const SPLITS_ROUNDS: usize = 60;
/// A neuron stays while its price is at least this part of `β`.
pub(super) const SPLITS_NEAR: f64 = 0.8;
/// While an edge of a bin violates the constraint by this part of `β`, no bin is searched.
pub(super) const SPLITS_ROUGH: f64 = 0.05;
/// The part of the gap that is left to the splits at hand.
pub(super) const SPLITS_OWN: f64 = 0.3;
/// The relative gap on the splits at hand while the others are far from solved.
pub(super) const SPLITS_COARSE: f64 = 1e-3;

/// The relative gap for each input whose importance is asked for.
pub(super) const GAP_OF_IMPORTANCE: f64 = 1e-3;
/// The nodes of the search for the best halfspace, if the rank is large: about a minute.
pub(super) const EFFORT_OF_HALFSPACE: u64 = 600_000;
