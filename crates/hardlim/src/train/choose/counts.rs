//! The amount of work of a choice. It is counted, not timed, so that a seed gives one network on
//! every machine.
//!
//! The number of rows decides how many patterns a network may use, and on how many folds it is
//! scored. The solver counts the work of the first network on all folds ([`Budget::work`]). This
//! count decides how many classes of networks are compared, how many networks choose the strength,
//! and how many are averaged.
//!
//! [`Budget::work`]: crate::solver::Budget::work

use std::time::Duration;

use crate::train::tuning::{
    AVERAGE, AVERAGE_FIRST, FIRST_NETWORK, FOLDS, GRID, JOINED, JUDGED, PATTERNS, WORK,
    WORK_OF_A_SECOND,
};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::train) struct Counts {
    /// Patterns that each network draws.
    pub(in crate::train) patterns: usize,
    pub(in crate::train) average: usize,
    /// The networks among them that choose the strength.
    pub(in crate::train) judged: usize,
    pub(in crate::train) folds: usize,
    pub(in crate::train) candidates: usize,
    /// The work that all of this may take.
    work: f64,
    /// The work of training one network on all rows, once it is known.
    training: f64,
    networks: usize,
}

impl Counts {
    /// The largest numbers of patterns and folds that fit, and the most of everything else.
    pub(super) fn of(
        (rows, samples, networks): (usize, usize, usize),
        candidates: usize,
        average: Option<usize>,
        folds: Option<usize>,
        limit: Option<Duration>,
    ) -> Self {
        let work = limit.map_or(WORK, |limit| WORK.min(WORK_OF_A_SECOND * limit.as_secs_f64()));
        let average = average.unwrap_or(AVERAGE);
        let folds = |most: usize| folds.unwrap_or(most.min(samples));
        let patterns = rows.clamp(PATTERNS.0, PATTERNS.1);
        let few = PATTERNS.0;
        let sizes = [(patterns, FOLDS), (few, FOLDS), (few, 2), (few / 3, 2), (few / 10, 2)];
        let fits = |&&(patterns, most): &&(usize, usize)| {
            let paths = (folds(most) * networks) as f64;
            GRID.2 as f64 * paths * rows as f64 * patterns as f64 <= FIRST_NETWORK * work
        };
        let (patterns, most) = *sizes.iter().find(fits).unwrap_or(&sizes[sizes.len() - 1]);
        let (judged, folds) = (JUDGED.min(average), folds(most));
        Self { patterns, average, judged, folds, candidates, work, training: 0.0, networks }
    }

    /// The same for one network of one candidate.
    pub(super) fn of_one(self) -> Self {
        Self { average: 1, judged: 1, candidates: 1, ..self }
    }

    /// The work that one path may take; more if there is nothing to compare it with.
    pub(super) fn path(&self, alone: bool) -> f64 {
        let part = if alone { 1.0 } else { FIRST_NETWORK };
        part * self.work / (self.folds * self.networks) as f64
    }

    /// The counts that fit, if the first network has taken this much work on all folds.
    pub(super) fn after(self, first: u64) -> Self {
        let one = first as f64;
        // There are more rows to train on than in a fold.
        let training = 1.3 * one / self.folds as f64;
        let Self { judged, candidates, average, .. } = self;
        let choosing = |judged: usize, candidates: usize| one * (judged * candidates) as f64;
        let fits = |&&(judged, candidates): &&(usize, usize)| {
            choosing(judged, candidates) + training * average.min(AVERAGE_FIRST) as f64 <= self.work
        };
        let some = judged.min(2);
        let all = [(judged, candidates), (some, candidates), (1, candidates), (some, 1), (1, 1)];
        let (judged, candidates) = *all.iter().find(fits).unwrap_or(&(1, 1));
        let left = (self.work - choosing(judged, candidates)) / training.max(1.0);
        let average = average.min((left as usize).max(1)).max(judged);
        Self { judged, candidates, average, training, ..self }
    }

    /// Whether one program over the patterns of all these networks is cheap, too: its network is
    /// larger.
    pub(super) fn may_join(&self, networks: usize) -> bool {
        self.training * (networks as f64).powf(1.5) <= JOINED * self.work
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(rows: usize) -> Counts {
        Counts::of((rows, rows, 1), 3, None, None, None)
    }

    #[test]
    fn more_rows_take_fewer_patterns_and_folds() {
        let small = counts(800);
        assert_eq!((small.patterns, small.folds, small.judged, small.average), (1500, 5, 4, 12));
        let size = |rows| {
            let counts = counts(rows);
            counts.patterns * counts.folds
        };
        assert!(size(10_000) >= size(30_000) && size(30_000) > size(300_000));
        let of = |average, folds, limit| Counts::of((800, 800, 1), 3, average, folds, limit);
        assert_eq!(of(Some(1), None, None).average, 1);
        assert_eq!(of(None, Some(7), None).folds, 7);
        assert!(of(None, None, Some(Duration::from_millis(20))).patterns < 1500);
    }

    #[test]
    fn more_work_for_the_first_network_leaves_fewer_of_them() {
        let counts = counts(800);
        assert_eq!(Counts { training: 0.0, ..counts.after(1000) }, counts);
        assert!(counts.after(1000).may_join(12) && !counts.after(10_000_000_000).may_join(4));
        let mut last = counts;
        for first in [1e8, 1e9, 2e9, 4e9, 1e10, 1e12] {
            let next = counts.after(first as u64);
            assert!(next.judged * next.candidates <= last.judged * last.candidates);
            assert!(next.average >= 1 && next.judged >= 1 && next.candidates >= 1);
            last = next;
        }
        assert_eq!((last.judged, last.candidates, last.average), (1, 1, 1));
    }
}
