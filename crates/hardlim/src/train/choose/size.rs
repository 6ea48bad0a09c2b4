//! How much work a choice is: counted, not timed, so that a seed gives one network on every machine.
//!
//! The path of one network on one fold costs about `rows · patterns` for each strength and class. What
//! fits into the work of some seconds decides how many patterns a network may use, how many networks are
//! averaged, and how many of them have a say in the choice.

/// What is spent on choosing and training, in answers of patterns looked at: some seconds of two cores.
const WORK: f64 = 6e9;
/// How many patterns a network draws: at least, and at most.
const PATTERNS: (usize, usize) = (1500, 3000);
/// How many networks are averaged, at most.
const AVERAGE: usize = 12;
/// How many of them choose the strength, at most.
const JUDGED: usize = 4;
/// How many folds, at most.
const FOLDS: usize = 5;

/// How many patterns, networks and folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::train) struct Size {
    /// Patterns that each network draws.
    pub(in crate::train) patterns: usize,
    /// Networks that are averaged.
    pub(in crate::train) average: usize,
    /// The networks among them that choose the strength.
    pub(in crate::train) judged: usize,
    /// Folds to choose on.
    pub(in crate::train) folds: usize,
}

impl Size {
    /// What suits so many distinct rows, samples and classes; as many networks as asked for.
    pub(in crate::train) fn of(
        rows: usize,
        samples: usize,
        networks: usize,
        average: Option<usize>,
    ) -> Self {
        let patterns = rows.clamp(PATTERNS.0, PATTERNS.1);
        let average = average.unwrap_or(AVERAGE);
        let most = Self { patterns, average, judged: JUDGED.min(average), folds: FOLDS };
        let smaller = [
            most,
            Self { judged: most.judged.min(2), ..most },
            Self { judged: 1, ..most },
            Self { judged: 1, patterns: PATTERNS.0, average: average.min(8), ..most },
            Self { judged: 1, patterns: PATTERNS.0, folds: 2, average: average.min(4) },
            Self { judged: 1, patterns: PATTERNS.0 / 3, folds: 2, average: average.min(4) },
            Self { judged: 1, patterns: PATTERNS.0 / 3, folds: 2, average: average.min(2) },
        ];
        let fits = |size: &&Self| size.work(rows, networks) <= WORK;
        let size = *smaller.iter().find(fits).unwrap_or(&smaller[smaller.len() - 1]);
        Self { folds: size.folds.min(samples), ..size }
    }

    /// The answers of patterns that are looked at.
    fn work(&self, rows: usize, networks: usize) -> f64 {
        let paths = (self.folds * self.judged + self.average) * networks;
        16.0 * paths as f64 * rows as f64 * self.patterns as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_rows_and_classes_take_fewer_networks_and_no_more_work() {
        let small = Size::of(800, 900, 1, None);
        assert_eq!(small, Size { patterns: 1500, average: 12, judged: 4, folds: 5 });
        let mut last = small.judged;
        for rows in [1000, 3000, 10_000, 30_000, 100_000] {
            let size = Size::of(rows, rows, 1, None);
            assert!(size.judged <= last && size.folds >= 2 && size.average >= 1);
            last = size.judged;
        }
        assert!(Size::of(1500, 1500, 10, None).work(1500, 10) <= WORK);
        assert_eq!(Size::of(500, 500, 1, Some(1)).average, 1);
    }
}
