//! The amount of work of a choice. It is counted, not timed, so that a seed gives one network on every
//! machine.
//!
//! The path of one network on one fold costs about `rows · patterns` for each strength and class. The
//! work of some seconds decides how many classes of networks are compared, how many patterns a network
//! may use, how many networks are averaged, and how many of them choose the strength.

use std::time::Duration;

/// The work of choosing and training, in answers of patterns: some seconds of two cores.
const WORK: f64 = 8e9;
/// The work of a second, at least: a time limit allows no more.
const A_SECOND: f64 = 4e8;
/// How many patterns a network draws: at least, and at most.
const PATTERNS: (usize, usize) = (1500, 3000);
/// How many networks are averaged, at most.
const AVERAGE: usize = 12;
/// How many of them choose the strength, at most.
const JUDGED: usize = 4;
/// How many folds, at most.
const FOLDS: usize = 5;

/// How many patterns, networks, folds and candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counts {
    /// Patterns that each network draws.
    pub(super) patterns: usize,
    /// Networks that are averaged.
    pub(super) average: usize,
    /// The networks among them that choose the strength.
    pub(super) judged: usize,
    /// Folds to choose on.
    pub(super) folds: usize,
    /// Candidates that draw patterns.
    pub(super) candidates: usize,
}

/// What the counts depend on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Demand {
    /// Distinct rows.
    pub(super) rows: usize,
    /// Samples.
    pub(super) samples: usize,
    /// Networks, one for each of several classes.
    pub(super) networks: usize,
    /// How many networks to average, if the request says so.
    pub(super) average: Option<usize>,
    /// The candidates that there are.
    pub(super) candidates: usize,
    /// How many folds, if the request says so.
    pub(super) folds: Option<usize>,
    /// The time limit.
    pub(super) limit: Option<Duration>,
}

impl Counts {
    /// The largest counts whose work fits.
    pub(super) fn of(demand: &Demand) -> Self {
        let &Demand { rows, samples, average, candidates, limit, .. } = demand;
        let folds = |most: usize| demand.folds.unwrap_or(most.min(samples));
        let patterns = rows.clamp(PATTERNS.0, PATTERNS.1);
        let average = average.unwrap_or(AVERAGE);
        let judged = JUDGED.min(average);
        let most = Self { patterns, average, judged, folds: folds(FOLDS), candidates };
        let one = Self { judged: 1, candidates: 1, ..most };
        let few = Self { patterns: PATTERNS.0, ..one };
        let fewer = Self { folds: folds(2), ..few };
        let fewest = Self { patterns: PATTERNS.0 / 3, ..fewer };
        let smaller = [
            most,
            Self { judged: judged.min(2), ..most },
            Self { judged: 1, ..most },
            Self { judged: judged.min(2), candidates: 1, ..most },
            one,
            Self { average: average.min(8), ..few },
            Self { average: average.min(4), ..fewer },
            Self { average: average.min(4), ..fewest },
            Self { average: average.min(2), ..fewest },
            Self { average: 1, ..fewest },
        ];
        let work = limit.map_or(WORK, |limit| WORK.min(A_SECOND * limit.as_secs_f64()));
        let fits = |counts: &&Self| counts.work(demand) <= work;
        *smaller.iter().find(fits).unwrap_or(&smaller[smaller.len() - 1])
    }

    /// The answers of patterns that are computed.
    fn work(&self, demand: &Demand) -> f64 {
        let paths = self.folds * self.judged * self.candidates + self.average;
        16.0 * (paths * demand.networks) as f64 * demand.rows as f64 * self.patterns as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demand(rows: usize) -> Demand {
        let (average, folds, limit) = (None, None, None);
        Demand { rows, samples: rows, networks: 1, average, candidates: 3, folds, limit }
    }

    #[test]
    fn more_rows_and_classes_take_fewer_networks_and_no_more_work() {
        let small = Counts::of(&demand(800));
        let all = Counts { patterns: 1500, average: 12, judged: 4, folds: 5, candidates: 3 };
        assert_eq!(small, all);
        let mut last = small;
        for rows in [1000, 3000, 10_000, 30_000, 100_000] {
            let counts = Counts::of(&demand(rows));
            assert!(counts.candidates <= last.candidates && counts.average <= last.average);
            assert!(counts.folds >= 2 && counts.average >= 1);
            last = counts;
        }
        let classes = Demand { networks: 10, ..demand(1500) };
        assert!(Counts::of(&classes).work(&classes) <= WORK);
        assert_eq!(Counts::of(&Demand { average: Some(1), ..demand(500) }).average, 1);
    }

    #[test]
    fn a_time_limit_allows_less_work() {
        let limit = Some(Duration::from_millis(200));
        let short = Demand { limit, ..demand(800) };
        assert!(Counts::of(&short).work(&short) <= 0.2 * A_SECOND);
    }
}
