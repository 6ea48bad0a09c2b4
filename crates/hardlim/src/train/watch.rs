//! Watching a training: its start time, a flag to end it early, and a listener for its progress.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Trained;
use super::tuning::GRACE;
use crate::solver::{Budget, Progress, StopReason, Work};

/// A message to the listener of a training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event<'a> {
    /// Cross-validation begins: each candidate will be scored on every fold.
    Choosing {
        /// The number of scores in all.
        scores: usize,
    },
    /// A candidate was scored on a fold.
    Scored,
    /// Training of the network of this class begins.
    Class(usize),
    /// The progress of the solver.
    Progress(&'a Progress),
    /// The progress of the search for a bound on lists of as many rules.
    Lists(&'a Progress),
}

/// The start time of a training, a flag that ends it early, and a listener.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// When the time limit starts to count.
    pub start: Instant,
    /// Set this flag to stop early; the best network so far is returned.
    pub interrupt: Option<&'a AtomicBool>,
    /// Called with every message.
    pub listener: Option<&'a (dyn Fn(Event<'_>) + Sync)>,
    /// Counts the work. If it is given, a time limit is for counted work, where a second is `10⁹`
    /// steps.
    pub work: Option<&'a Work<'a>>,
}

impl Default for Watch<'_> {
    fn default() -> Self {
        Self { start: Instant::now(), interrupt: None, listener: None, work: None }
    }
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { start, interrupt, .. } = self;
        f.debug_struct("Watch").field("start", start).field("interrupt", interrupt).finish()
    }
}

impl<'a> Watch<'a> {
    pub(super) fn tell(&self, event: Event<'_>) {
        if let Some(listener) = self.listener {
            listener(event);
        }
    }

    /// Whether the flag is set.
    pub fn interrupted(&self) -> bool {
        self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// This budget, or a short one if it is spent: the chosen strength still gets a network.
    pub(super) fn in_time<'b>(&self, budget: Budget<'b>) -> Budget<'b> {
        if self.interrupted() || budget.spent().is_some() {
            Budget { interrupt: None, ..budget.ending(GRACE) }
        } else {
            budget
        }
    }

    /// The trained model, with the right stop reason if the flag is set.
    pub(super) fn stopped(&self, trained: Trained) -> Trained {
        let stop = if self.interrupted() { StopReason::Interrupted } else { trained.stop };
        Trained { stop, ..trained }
    }

    /// The budget that ends at this time after the start, or with the flag.
    pub fn budget(&self, limit: Option<Duration>) -> Budget<'a> {
        let Self { start, interrupt, work, .. } = *self;
        let deadline = limit.map(|limit| (start + limit, limit));
        let counted_from = work.map(|_| start);
        Budget { deadline, interrupt, work, counted_from, progress: None }
    }

    /// The same, but only for a part of the time.
    pub(super) fn part_of(&self, limit: Option<Duration>, part: f64) -> Budget<'a> {
        let deadline = limit.map(|limit| (self.start + limit.mul_f64(part), limit));
        Budget { deadline, ..self.budget(limit) }
    }
}
