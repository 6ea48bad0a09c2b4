//! Who watches a training: when it began, what may end it early, and who is told how it goes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Trained;
use super::plan::GRACE;
use crate::solver::{Budget, Progress, StopReason};

/// What a listener is told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event<'a> {
    /// A strength will be chosen among candidates; each is scored on every fold, so many scores in all.
    Choosing {
        /// How many scores there will be.
        scores: usize,
    },
    /// One more candidate was scored on one fold.
    Scored,
    /// The network of this class comes next.
    Class(usize),
    /// How the solver is doing.
    Progress(&'a Progress),
}

/// When a training began, a flag that ends it early, and a listener.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// When the time limit began to count.
    pub start: Instant,
    /// A flag that somebody else may raise: the best network so far is kept.
    pub interrupt: Option<&'a AtomicBool>,
    /// Who is told how it goes.
    pub listener: Option<&'a (dyn Fn(Event<'_>) + Sync)>,
}

impl Default for Watch<'_> {
    fn default() -> Self {
        Self { start: Instant::now(), interrupt: None, listener: None }
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

    /// Whether somebody asked to stop.
    pub fn interrupted(&self) -> bool {
        self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// This budget, or a short one where somebody asked to stop already: what was chosen is worth a network.
    pub(super) fn in_time<'b>(&self, budget: Budget<'b>) -> Budget<'b> {
        match self.interrupted() {
            true => Budget { progress: budget.progress, ..Budget::time_limit(GRACE) },
            false => budget,
        }
    }

    /// What was trained, with the reason that it stopped where that is somebody's.
    pub(super) fn stopped(&self, trained: Trained) -> Trained {
        let stop = if self.interrupted() { StopReason::Interrupted } else { trained.stop };
        Trained { stop, ..trained }
    }

    /// The budget that ends so long after the start, or with the flag.
    pub fn budget(&self, limit: Option<Duration>) -> Budget<'a> {
        let deadline = limit.map(|limit| (self.start + limit, limit));
        Budget { deadline, interrupt: self.interrupt, progress: None }
    }
}
