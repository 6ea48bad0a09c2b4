//! The numbers that tune training, each with what chose it.
//!
//! *Tuned*: chosen by accuracy and log-loss on the tuning seeds of `bench/accuracy/run --tune`,
//! which `docs/accuracy.md` never reports. *Counted*: a share of the work of a run, which is
//! counted so that a seed gives one network on every machine; `bench/accuracy/run` shows the
//! seconds that it comes to.

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

/// When a path has gone too far: its loss on the rows held out is this many times its least, or a
/// tenth of its first, because a least near zero may be an accident; the least was this many
/// strengths ago; and with fewer rows, accidents decide. Tuned.
pub(super) const TOO_FAR: TooFar = TooFar { times: 1.3, strengths: 3, rows: 20 };

/// When a path has gone too far.
pub(super) struct TooFar {
    pub(super) times: f64,
    pub(super) strengths: usize,
    pub(super) rows: usize,
}

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

/// How few neurons are chosen: for the outputs of a large network and for the targets. Of five
/// ways, on the tables of `docs/accuracy.md` with 5 to 12 neurons, these two come nearest to the
/// least log-loss of all five on held-out rows: .0012 above it, and .0016 with output weights of
/// three bits.
pub(super) const FEW: Few = Few {
    strength: 1e-3,
    part: 4,
    looked_at: 300,
    alike: 1e-7,
    rounds: 12,
    enough: 1e-3,
    fitted: 1e-4,
    keep: (1, 32),
    longest: 8.0,
    newton: (30, 1e-6, 1e-9),
    quarters: 4.0,
    ridge: 1e-9,
};

/// How few neurons are chosen.
pub(super) struct Few {
    /// The strength for the outputs of a large network, as a part of the largest: outputs stay
    /// finite even if no row is wrong.
    pub(super) strength: f64,
    /// Neurons are exchanged when the network has grown by one part of this many.
    pub(super) part: usize,
    /// The most neurons of the large network that are looked at.
    pub(super) looked_at: usize,
    /// The part of the mean of a diagonal that is added to it, because columns may be alike.
    pub(super) alike: f64,
    /// The most rounds of exchanges.
    pub(super) rounds: usize,
    /// A round that lowers the objective by a smaller part of it is the last one.
    pub(super) enough: f64,
    /// The relative gap of the fits.
    pub(super) fitted: f64,
    /// How many patterns a search returns: one if both of its signs are of use, otherwise more.
    pub(super) keep: (usize, usize),
    /// The longest first step of a neuron.
    pub(super) longest: f64,
    /// The most steps of the fit of a unit, the shortest one, and the gain that ends it, as a part
    /// of the objective.
    pub(super) newton: (usize, f64, f64),
    /// The parts of a unit that the output bias may have.
    pub(super) quarters: f64,
    /// What is added to a curvature, as a part of it, because it may be zero.
    pub(super) ridge: f64,
}
