//! The axis of an effect: the values of an input, and the rows that have them.

use serde::Serialize;

use super::variables::{Variable, VariableKind, ends, numbers};
use crate::data::Features;

/// The bars of a histogram.
const BINS: usize = 24;
/// Whole numbers within this range have a bar each.
const WHOLE: f64 = 40.0;

/// What stands along the axis of an effect, with the rows that have it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Axis {
    Number {
        least: f64,
        most: f64,
        bins: Bins,
        /// The number of rows that have none.
        missing: usize,
    },
    Label {
        states: Vec<String>,
        counts: Vec<usize>,
    },
}

/// A histogram with bars of the same width.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bins {
    from: f64,
    to: f64,
    counts: Vec<usize>,
}

impl Bins {
    /// The histogram of these numbers; whole numbers of a small range have a bar each.
    pub fn of(numbers: &[f64]) -> Self {
        let (least, most) = ends(numbers).unwrap_or((0.0, 0.0));
        let whole = most - least <= WHOLE && numbers.iter().all(|v| v.fract() == 0.0);
        let (from, to, bars) = if whole {
            (least - 0.5, most + 0.5, (most - least) as usize + 1)
        } else {
            (least, most, BINS)
        };
        let mut counts = vec![0; bars];
        for v in numbers {
            let place = ((v - from) / (to - from) * bars as f64) as usize;
            counts[place.min(bars - 1)] += 1;
        }
        Self { from, to, counts }
    }
}

impl Axis {
    pub(super) fn of(variable: &Variable, rows: &Features) -> Self {
        match &variable.kind {
            VariableKind::Number { .. } => {
                let numbers = numbers(variable, rows);
                let (least, most) = ends(&numbers).unwrap_or((0.0, 0.0));
                let missing = rows.rows() - numbers.len();
                Self::Number { least, most, bins: Bins::of(&numbers), missing }
            }
            VariableKind::Label { states } => {
                let mut counts = vec![0; states.len()];
                (0..rows.rows())
                    .filter_map(|i| variable.state(rows.row(i)))
                    .for_each(|state| counts[state] += 1);
                Self::Label { states: states.iter().map(|s| s.name.clone()).collect(), counts }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_hold_every_number_once() {
        let whole = Bins::of(&[2.0, 4.0, 4.0, 5.0]);
        assert_eq!((whole.from, whole.to, whole.counts), (1.5, 5.5, vec![1, 0, 2, 1]));
        for numbers in [vec![], vec![0.5], vec![0.1, 0.2, 1e9], vec![-3.0, 1e6]] {
            let bins = Bins::of(&numbers);
            assert_eq!(bins.counts.iter().sum::<usize>(), numbers.len(), "{numbers:?}");
        }
    }
}
