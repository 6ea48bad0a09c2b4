//! Solvers: they propose coefficients, and return them with a certificate.

mod active_set;
pub(crate) mod factor;
mod generate;
mod interpolate;
pub(crate) mod margin;
mod newton;
mod pivot;
pub(crate) mod projection;
mod proximal;
mod prune;
mod quadratic;
mod range;
mod reduce;
mod screening;
mod smooth;
mod source;
mod working;

pub use active_set::ActiveSet;
#[doc(hidden)]
pub use generate::{Generated, Generation};
#[doc(hidden)]
pub use interpolate::{Interpolant, Interpolation, interpolate};
#[doc(hidden)]
pub use source::{Neurons, Source, Subnetworks};

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::certificate::{Certificate, DualPoint};

/// How often a budget is checked during the work.
const LOOK: Duration = Duration::from_millis(20);

/// Why a solver stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The gap asked for is reached.
    GapReached,
    /// No step improves any more: the limit of rounds or of the arithmetic is reached.
    RoundLimit(usize),
    /// The time is up.
    TimeLimit(Duration),
    /// The caller asked to stop.
    Interrupted,
}

impl StopReason {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::GapReached => "gap",
            Self::RoundLimit(_) => "rounds",
            Self::TimeLimit(_) => "time",
            Self::Interrupted => "interrupt",
        }
    }
}

/// The progress of a solver.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Rounds so far.
    pub round: usize,
    /// The number of patterns in play.
    pub patterns: usize,
    /// The number of coefficients that are not zero.
    pub neurons: usize,
    /// The best objective so far.
    pub objective: f64,
    /// The best lower bound so far.
    pub lower_bound: f64,
}

/// How long a solver may run, and where it reports progress.
#[derive(Clone, Copy, Default)]
pub struct Budget<'a> {
    /// When to stop, and the time limit that this comes from.
    pub deadline: Option<(Instant, Duration)>,
    /// A flag that another thread may set.
    pub interrupt: Option<&'a AtomicBool>,
    /// Called whenever the certificate is checked.
    pub progress: Option<&'a (dyn Fn(&Progress) + Sync)>,
    /// Counts the work that was done, in about a nanosecond of one core. The count is the same on every
    /// machine.
    pub work: Option<&'a AtomicU64>,
}

impl std::fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { deadline, interrupt, .. } = self;
        f.debug_struct("Budget").field("deadline", deadline).field("interrupt", interrupt).finish()
    }
}

impl Budget<'_> {
    /// A budget that ends after this time, counted from now.
    pub fn time_limit(limit: Duration) -> Self {
        Self { deadline: Some((Instant::now() + limit, limit)), ..Self::default() }
    }

    /// Adds to the work that was done, if it is counted.
    pub(crate) fn count(&self, work: usize) {
        if let Some(counter) = self.work {
            counter.fetch_add(work as u64, Ordering::Relaxed);
        }
    }

    /// Reports progress, if there is a listener.
    pub fn tell(&self, progress: &Progress) {
        if let Some(listener) = self.progress {
            listener(progress);
        }
    }

    /// Runs `work`, and sets the flag it is given when the budget is spent; `work` should then give
    /// up.
    pub fn watch<T>(&self, work: impl FnOnce(&AtomicBool) -> T) -> T {
        let stop = AtomicBool::new(false);
        let (working, done) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let done = done; // the waiting thread owns the receiver
                while done.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                    if self.spent().is_some() {
                        return stop.store(true, Ordering::Relaxed);
                    }
                }
            });
            let result = work(&stop);
            drop(working);
            result
        })
    }

    /// The reason to stop now, if there is one.
    pub fn spent(&self) -> Option<StopReason> {
        if self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(StopReason::Interrupted);
        }
        let (end, limit) = self.deadline?;
        (Instant::now() >= end).then_some(StopReason::TimeLimit(limit))
    }
}

/// The result of a solver: coefficients, the dual point that judges them, and the certificate.
#[derive(Debug, Clone)]
pub struct Solution {
    /// `w`, one number for each pattern, on the grid where their sums are exact.
    pub coefficients: Vec<f64>,
    /// `c`, the output bias; zero unless the program has one.
    pub offset: f64,
    /// `z`, near `∇L(Dw)`.
    pub dual: DualPoint,
    /// What is proven about `w`.
    pub certificate: Certificate,
    /// Why the solver stopped.
    pub stop: StopReason,
    /// How many rounds it took.
    pub rounds: usize,
    /// The time spent on Gram matrices.
    pub gram_time: Duration,
}
