//! Solvers: they propose coefficients, and return them with the certificate that judges them.

mod active_set;
pub(crate) mod factor;
mod generate;
mod interpolate;
pub(crate) mod margin;
mod nearest;
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

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::certificate::{Certificate, DualPoint};

/// How often a budget is looked at while others work.
const LOOK: Duration = Duration::from_millis(20);

/// Why a solver stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The gap asked for is reached.
    GapReached,
    /// No step is left that improves: the limit of rounds, or of the arithmetic.
    RoundLimit(usize),
    /// The time is up.
    TimeLimit(Duration),
    /// Somebody asked to stop.
    Interrupted,
}

impl StopReason {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::GapReached => "gap",
            Self::RoundLimit(_) => "rounds",
            Self::TimeLimit(_) => "time",
            Self::Interrupted => "interrupt",
        }
    }
}

/// How a solver is doing.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Rounds so far.
    pub round: usize,
    /// Patterns in play.
    pub patterns: usize,
    /// Coefficients that are not zero.
    pub neurons: usize,
    /// The best objective so far.
    pub objective: f64,
    /// What is proven about it.
    pub lower_bound: f64,
}

/// How long a solver may go on, and whom it tells how it is doing.
#[derive(Clone, Copy, Default)]
pub struct Budget<'a> {
    /// When it has to end, and how long that was from the start.
    pub deadline: Option<(Instant, Duration)>,
    /// A flag that somebody else may raise.
    pub interrupt: Option<&'a AtomicBool>,
    /// Called at every check of the certificate.
    pub progress: Option<&'a (dyn Fn(&Progress) + Sync)>,
}

impl std::fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { deadline, interrupt, .. } = self;
        f.debug_struct("Budget").field("deadline", deadline).field("interrupt", interrupt).finish()
    }
}

impl Budget<'_> {
    /// Ends after this time, counted from now.
    pub fn time_limit(limit: Duration) -> Self {
        Self { deadline: Some((Instant::now() + limit, limit)), ..Self::default() }
    }

    /// Tells whoever wants to know.
    pub fn tell(&self, progress: &Progress) {
        if let Some(listener) = self.progress {
            listener(progress);
        }
    }

    /// Does work that gives up when a flag is raised, and raises it when the budget is spent.
    pub fn watch<T>(&self, work: impl FnOnce(&AtomicBool) -> T) -> T {
        let stop = AtomicBool::new(false);
        let (working, done) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let done = done; // whoever waits takes the end of the channel along
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

/// What a solver found: coefficients, the dual point that judges them, and the verdict.
#[derive(Debug, Clone)]
pub struct Solution {
    /// `w`, one number for each pattern, on the grid where their sums are exact.
    pub coefficients: Vec<f64>,
    /// `c`, the output bias; zero unless asked for.
    pub offset: f64,
    /// `z`, near `∇L(Dw)`.
    pub dual: DualPoint,
    /// What is proven about `w`.
    pub certificate: Certificate,
    /// Why the solver stopped.
    pub stop: StopReason,
    /// How many rounds it took.
    pub rounds: usize,
    /// How much of the time went into Gram matrices.
    pub gram_time: Duration,
}
