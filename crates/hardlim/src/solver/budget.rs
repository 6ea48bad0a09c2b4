//! Budgets: how long work may take, on the clock or in counted steps.
//!
//! A time limit is kept to within a tenth of it, or half a second if that is more. So every loop
//! asks its budget before a step that takes a while, and does not begin a step that cannot be
//! interrupted and would take too long. What comes after the end (the best network so far is
//! completed) must fit into this slack, too.
//!
//! Time may also be the work that was counted, where a second is `10⁹` steps. Then the same work is
//! done on every machine. Work on several threads is counted when it is done, so that what is seen
//! of the count does not depend on their speed.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::tuning::{FINISH, LOOK, REST};
use super::{Progress, StopReason};

/// How long a solver may run, and where it reports progress.
#[derive(Clone, Copy, Default)]
pub struct Budget<'a> {
    /// When to stop, and the time limit that this comes from.
    pub deadline: Option<(Instant, Duration)>,
    /// A flag that another thread may set.
    pub interrupt: Option<&'a AtomicBool>,
    /// Called whenever the certificate is checked.
    pub progress: Option<&'a (dyn Fn(&Progress) + Sync)>,
    /// Counts the work that was done.
    pub work: Option<&'a Work<'a>>,
    /// If it is given, time is what `work` has counted since then, and not the time of the clock.
    pub counted_from: Option<Instant>,
}

/// Counts work, in about a nanosecond of one core. The count is the same on every machine.
#[derive(Debug, Default)]
pub struct Work<'a> {
    count: AtomicU64,
    whole: Option<&'a Work<'a>>,
}

impl<'a> Work<'a> {
    /// Counts a part of the work of this budget, which counts it, too.
    pub fn part_of(budget: &Budget<'a>) -> Self {
        Self { count: AtomicU64::new(0), whole: budget.work }
    }

    /// The work so far.
    pub fn done(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    fn add(&self, work: u64) {
        self.count.fetch_add(work, Ordering::Relaxed);
        if let Some(whole) = self.whole {
            whole.add(work);
        }
    }
}

impl std::fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { deadline, interrupt, work, .. } = self;
        let mut text = f.debug_struct("Budget");
        text.field("deadline", deadline).field("interrupt", interrupt).field("work", work).finish()
    }
}

impl<'a> Budget<'a> {
    /// A budget that ends after this time, counted from now.
    pub fn time_limit(limit: Duration) -> Self {
        Self { deadline: Some((Instant::now() + limit, limit)), ..Self::default() }
    }

    /// The same, with an end after counted work: a second for `10⁹` steps.
    pub(crate) fn counting<'b>(&self, limit: Duration, work: &'b Work<'b>) -> Budget<'b>
    where
        'a: 'b,
    {
        let start = Instant::now();
        let (deadline, counted_from) = (Some((start + limit, limit)), Some(start));
        Budget { deadline, counted_from, work: Some(work), ..*self }
    }

    pub(crate) fn now(&self) -> Instant {
        match (self.counted_from, self.work) {
            // The whole work is the clock, not a part of it.
            (Some(start), Some(mut work)) => {
                while let Some(whole) = work.whole {
                    work = whole;
                }
                start + Duration::from_nanos(work.done())
            }
            _ => Instant::now(),
        }
    }

    pub(crate) fn count(&self, work: usize) {
        if let Some(counter) = self.work {
            counter.add(work as u64);
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
        let (end, _) = self.deadline?;
        self.limit().filter(|_| self.now() >= end)
    }

    /// The reason to stop when the time is up, if there is a limit.
    pub(crate) fn limit(&self) -> Option<StopReason> {
        let (_, limit) = self.deadline?;
        Some(match self.counted_from {
            Some(_) => StopReason::WorkLimit(limit),
            None => StopReason::TimeLimit(limit),
        })
    }

    /// The steps that fit into the time that is left, on one core: `10⁹` in a second. Infinite
    /// without a time limit, zero if the budget is spent.
    pub(crate) fn left(&self) -> f64 {
        if self.spent().is_some() {
            return 0.0;
        }
        let Some((end, _)) = self.deadline else { return f64::INFINITY };
        end.saturating_duration_since(self.now()).as_secs_f64() * 1e9
    }

    /// Whether to stop a proof whose elementary steps are counted by `done`. Counted time stands
    /// still during a proof, which may take no more steps than there are left.
    pub(crate) fn watching<'b>(
        &'b self,
        done: impl Fn() -> Option<u64> + Sync + 'b,
    ) -> impl Fn() -> bool + Sync + 'b {
        let begun = done().filter(|_| self.counted_from.is_some());
        let most = self.left();
        move || {
            let taken = begun.and_then(|begun| done().map(|now| (now - begun) as f64));
            self.spent().is_some() || taken.is_some_and(|taken| taken > most)
        }
    }

    /// The steps of a proof, given those of all proofs before and after it, if they are counted,
    /// and what it was expected to take. One that was stopped took what was left.
    pub(crate) fn taken(&self, before: Option<u64>, after: Option<u64>, expected: f64) -> f64 {
        let taken = before.zip(after).map(|(before, after)| (after - before) as f64);
        let most = if self.counted_from.is_some() { self.left() } else { f64::INFINITY };
        taken.map_or(expected, |taken| taken.min(most))
    }

    pub(crate) fn part(&self, part: f64) -> Self {
        self.part_since(self.now(), part)
    }

    pub(crate) fn part_since(&self, begun: Instant, part: f64) -> Self {
        let deadline = self.deadline.map(|(end, limit)| {
            (begun + end.saturating_duration_since(begun).mul_f64(part), limit)
        });
        Self { deadline, ..*self }
    }

    pub(crate) fn without(&self, steps: f64) -> Self {
        let less = Duration::try_from_secs_f64(steps / 1e9).unwrap_or_default();
        let deadline =
            self.deadline.map(|(end, limit)| (end.checked_sub(less).unwrap_or(end), limit));
        Self { deadline, ..*self }
    }

    /// The budget for a step whose work the caller counts when it is done.
    pub(crate) fn uncounted(&self) -> Self {
        match self.counted_from {
            None => Self { work: None, ..*self },
            Some(_) => Self { deadline: None, work: None, counted_from: None, ..*self },
        }
    }

    /// The budget for what makes a network better: this one, or a very short time if it is spent.
    pub(crate) fn for_the_rest(&self) -> Self {
        let [late, interrupted] = REST;
        match self.spent() {
            None => *self,
            // Whoever waits counts seconds, not work.
            Some(StopReason::Interrupted) => {
                let clock = Self { interrupt: None, counted_from: None, ..*self };
                clock.ending(interrupted)
            }
            Some(_) => {
                Self { deadline: self.deadline.map(|(end, limit)| (end + late, limit)), ..*self }
            }
        }
    }

    /// The budget for a first network: this one, or a short time if it is spent.
    pub(crate) fn for_the_end(&self) -> Self {
        match self.spent() {
            None => *self,
            Some(_) => Self { interrupt: None, ..self.ending(FINISH) },
        }
    }

    /// The budget with another time limit, counted from now.
    pub(crate) fn ending(&self, limit: Duration) -> Self {
        Self { deadline: Some((self.now() + limit, limit)), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_work_is_a_clock() {
        let work = Work::default();
        let limit = Duration::from_secs(2);
        let counted_from = Some(Instant::now());
        let deadline = counted_from.map(|start| (start + limit, limit));
        let budget = Budget { deadline, work: Some(&work), counted_from, ..Budget::default() };
        assert_eq!((budget.spent(), budget.left()), (None, 2e9));
        budget.count(500_000_000);
        assert_eq!(budget.left(), 1.5e9);
        let part = Work::part_of(&budget);
        let half = Budget { work: Some(&part), ..budget.part(0.5) };
        half.count(700_000_000);
        assert_eq!((part.done(), work.done()), (700_000_000, 1_200_000_000));
        assert_eq!((half.spent(), half.left()), (None, 0.05e9));
        half.count(50_000_000);
        assert_eq!((half.spent(), half.left()), (Some(StopReason::WorkLimit(limit)), 0.0));
        assert_eq!((half.for_the_end().left(), half.for_the_rest().left()), (0.15e9, 0.1e9));
        assert_eq!(budget.without(0.5e9).left(), 0.25e9);
        assert_eq!(budget.spent(), None);
        budget.count(750_000_000);
        assert_eq!(budget.spent(), Some(StopReason::WorkLimit(limit)));
        let flag = AtomicBool::new(true);
        let interrupted = Budget { interrupt: Some(&flag), ..Budget::default() };
        assert_eq!(interrupted.spent(), Some(StopReason::Interrupted));
        assert_eq!(interrupted.for_the_end().spent(), None);
    }
}
