//! How many elementary steps a thread takes, and whether it is to stop.
//!
//! Searches inside searches share a meter. Once it is over, all of them end as soon as they can,
//! and what they return is not complete.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use super::tuning::STEPS_A_QUESTION;

/// The steps of one search after the other.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) counter: AtomicU64,
    /// The steps of the last search; zero before the first.
    last: AtomicU64,
}

impl Work {
    /// The steps of all searches so far.
    pub(super) fn so_far(&self) -> u64 {
        self.counter.load(Ordering::Relaxed)
    }

    pub(super) fn add(&self, steps: u64) {
        self.counter.fetch_add(steps, Ordering::Relaxed);
    }

    /// Ends a search that began after this number of steps.
    pub(super) fn end(&self, before: u64) {
        self.last.store(self.so_far() - before, Ordering::Relaxed);
    }

    /// About how many steps the next search takes: as many as the last one, if there was one.
    pub(super) fn next(&self, first: impl FnOnce() -> f64) -> f64 {
        match self.last.load(Ordering::Relaxed) {
            0 => first(),
            last => last as f64,
        }
    }
}

pub(super) struct Meter<'a> {
    /// The steps of all threads, if others want to know.
    counter: Option<&'a AtomicU64>,
    stop: &'a (dyn Fn() -> bool + Sync),
    taken: Cell<u64>,
    /// How many of them are counted.
    told: Cell<u64>,
    over: Cell<bool>,
}

impl<'a> Meter<'a> {
    pub(super) fn new(counter: &'a AtomicU64, stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let mut meter = Self::free();
        (meter.counter, meter.stop) = (Some(counter), stop);
        meter
    }

    /// For short searches: nobody counts, and nobody stops them.
    pub(super) fn free() -> Self {
        let (taken, told, over) = (Cell::new(0), Cell::new(0), Cell::new(false));
        Self { counter: None, stop: &|| false, taken, told, over }
    }

    /// Counts some steps. Returns whether to stop.
    pub(super) fn takes(&self, steps: u64) -> bool {
        self.taken.set(self.taken.get() + steps);
        if self.taken.get() - self.told.get() >= STEPS_A_QUESTION {
            self.ask()
        } else {
            self.over.get()
        }
    }

    pub(super) fn ask(&self) -> bool {
        self.tell();
        if !self.over.get() {
            self.over.set((self.stop)());
        }
        self.over.get()
    }

    /// Whether a search was told to stop. If not, it is complete.
    pub(super) fn is_over(&self) -> bool {
        self.over.get()
    }

    pub(super) fn taken(&self) -> u64 {
        self.taken.get()
    }

    fn tell(&self) {
        if let Some(counter) = self.counter {
            counter.fetch_add(self.taken.get() - self.told.get(), Ordering::Relaxed);
        }
        self.told.set(self.taken.get());
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.tell();
    }
}
