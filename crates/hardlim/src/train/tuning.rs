//! The numbers that tune training, each with what chose it.
//!
//! *Tuned*: chosen by accuracy and log-loss on the tuning seeds of `bench/accuracy/run --tune`, which
//! `docs/accuracy.md` never reports. *Counted*: a share of the work of a run, which is counted so that a
//! seed gives one network on every machine; `bench/accuracy/run` shows the seconds that it comes to.

/// The strengths of predictions, as parts of `β_max`: the largest, the factor between two, how many. Tuned.
pub(super) const GRID: (f64, f64, usize) = (0.5, 0.6, 16);
/// The relative gap of networks that are only compared with others. Tuned: less changes no choice.
pub(super) const COMPARED: f64 = 1e-3;
/// The relative gap of networks that are kept. Tuned.
pub(super) const KEPT: f64 = 1e-4;
/// A gap that is small enough whatever the objective, as a part of the loss of the zero network. Tuned.
pub(super) const SLACK: f64 = 1e-5;
/// A candidate that can be proven, and a table without a date, are preferred if their loss is within this
/// many standard errors of the least. Tuned.
pub(super) const PREFERENCE: f64 = 0.5;
/// The part of a time limit in which predictions are chosen; the rest is for training on all rows.
pub(super) const CHOOSING_PREDICTIONS: f64 = 0.7;
/// The effort of the bound on networks whose patterns were searched for. Counted.
pub(super) const EFFORT_OF_SEARCHED: u64 = 3000;
/// A search goes on if its loss on the first fold is within this many standard errors of the best. Tuned.
pub(super) const PROMISE: f64 = 1.0;
/// The least probability that counts: no sample costs more than about 16.
pub(super) const LEAST_PROBABILITY: f64 = 1e-7;

/// When a path has gone too far: its loss on the rows held out is this many times its least, or a tenth of
/// its first, because a least near zero may be an accident; the least was this many strengths ago; and
/// with fewer rows, accidents decide. Tuned.
pub(super) const TOO_FAR: TooFar = TooFar { times: 1.3, strengths: 3, rows: 20 };

/// When a path has gone too far.
pub(super) struct TooFar {
    pub(super) times: f64,
    pub(super) strengths: usize,
    pub(super) rows: usize,
}

/// The rounds of generation at each strength of a path, unless each network is proven. Counted.
pub(super) const ROUNDS_ON_A_PATH: usize = 4;
