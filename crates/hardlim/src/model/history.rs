//! How a model was trained, in brief, so that a report can tell it.

use serde::{Deserialize, Serialize};

use super::Model;
use crate::error::Error;
use crate::table::TargetCoding;

/// The most points of a trace, and the most strengths.
const POINTS: usize = 100;
/// How far rounding may move a bound, relative to the objective.
const ROUNDING: f64 = 1e-9;
const OPTIONS: usize = 100;

/// The request behind a model, what was chosen, and how objective and bound met. It has no times:
/// the same training gives the same history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// The version of the library.
    pub version: String,
    /// Where chance started.
    pub seed: u64,
    /// The options that differ from their defaults, by their names.
    pub options: Vec<(String, String)>,
    /// What cross-validation found, if the strength was chosen by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<Validation>,
    /// Objective and lower bound from check to check; of all networks together, if there are
    /// several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<[f64; 2]>,
    /// How many networks each network is the mean of. They were trained apart, so there is no
    /// trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub averaged: Option<usize>,
}

/// The scores of cross-validation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Validation {
    /// The number of folds.
    pub folds: usize,
    /// The accuracy of classes, or `R²` of numbers, at the chosen strength.
    pub score: f64,
    /// The standard error of the score.
    pub error: f64,
    /// The strengths that were compared, as fractions of `β_max`.
    pub ratios: Vec<f64>,
    /// What was compared, for each of them.
    pub compared: Vec<f64>,
    /// Whether that is a score, of which more is better; otherwise it is a loss.
    pub scores: bool,
    /// The chosen strength.
    pub ratio: f64,
}

impl Validation {
    /// Whether all scores are numbers.
    pub(crate) fn is_finite(&self) -> bool {
        let Self { score, error, ratio, ratios, compared, .. } = self;
        [score, error, ratio].into_iter().chain(ratios).chain(compared).all(|v| v.is_finite())
    }
}

impl History {
    /// The sum of the traces of networks that were trained one after the other. A network counts
    /// with its first point before its turn, with its last after it, and with its end if it has no
    /// point.
    pub(crate) fn summed(traces: &[Vec<[f64; 2]>], ends: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let traces: Vec<Vec<[f64; 2]>> = traces.iter().map(|trace| last_program(trace)).collect();
        let first =
            |(k, end): (usize, &[f64; 2])| *traces.get(k).and_then(|t| t.first()).unwrap_or(end);
        let mut now: Vec<[f64; 2]> = ends.iter().enumerate().map(first).collect();
        let mut sums = Vec::new();
        for (k, trace) in traces.iter().enumerate().take(ends.len()) {
            for point in trace {
                now[k] = *point;
                sums.push([0, 1].map(|side| now.iter().map(|point| point[side]).sum()));
            }
        }
        sums
    }

    /// Some points of a trace, the first and the last among them.
    pub(crate) fn thinned(trace: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let last = trace.len().saturating_sub(1);
        if trace.len() <= POINTS {
            trace.to_vec()
        } else {
            (0..POINTS).map(|k| trace[k * last / (POINTS - 1)]).collect()
        }
    }

    /// Refuses what no training writes, because a file may state anything.
    pub(super) fn check(self) -> Result<Self, Error> {
        let damaged = |reason: &str| Err(Error::ModelFile(reason.into()));
        if self.options.len() > OPTIONS || self.trace.len() > POINTS {
            return damaged("its history is too long");
        }
        let uneven = |found: &Validation| {
            found.ratios.len() != found.compared.len() || found.ratios.len() > 10 * POINTS
        };
        if self.validation.as_ref().is_some_and(uneven) {
            return damaged("its history has not one score for each strength");
        }
        Ok(self)
    }
}

/// The end of a trace, from where bounds no longer fall: within one program they never do, so what
/// comes before is of a program that only prepared the last one.
fn last_program(trace: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let finite = |point: &&[f64; 2]| point.iter().all(|v| v.is_finite());
    let trace: Vec<[f64; 2]> = trace.iter().filter(finite).copied().collect();
    let falls = |pair: &[[f64; 2]]| pair[1][1] < pair[0][1] - ROUNDING * pair[0][0].abs();
    let before = trace.windows(2).rposition(falls).map_or(0, |k| k + 1);
    trace[before..].to_vec()
}

impl Model {
    /// The options that train the model again, by their names in errors (see
    /// [`crate::train::spelled`]); `None` if it does not remember them.
    pub fn options(&self) -> Option<Vec<(String, String)>> {
        let (history, coding) = (self.history()?, self.coding());
        let (target, last) = (coding.target().column(), coding.inputs().last().map(|c| c.position));
        let numbers = |labels: &[String]| labels.iter().all(|label| label.parse::<f64>().is_ok());
        let task = match coding.target() {
            TargetCoding::Several { classes, .. } if numbers(classes) => Some("classify"),
            TargetCoding::Number { .. } if coding.few_values() == Some(2) => Some("regress"),
            _ => None,
        };
        let ignored: Vec<&str> = coding.ignored().iter().map(|c| c.name.as_str()).collect();
        let columns = [
            ("target", (last > Some(target.position)).then(|| target.name.clone())),
            ("task", task.map(str::to_owned)),
            ("ignore", (!ignored.is_empty()).then(|| ignored.join(","))),
            ("weight_column", coding.weight().map(|c| c.name.clone())),
        ];
        let known = columns.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Some(known.chain(history.options.iter().cloned()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(points: usize) -> History {
        let trace: Vec<[f64; 2]> = (0..points).map(|k| [2.0 - k as f64, k as f64]).collect();
        let trace = History::thinned(&trace);
        let (options, validation, averaged) = (Vec::new(), None, None);
        History { version: "1".into(), seed: 0, options, validation, trace, averaged }
    }

    #[test]
    fn traces_of_several_networks_are_added_up() {
        let traces =
            [vec![[9.0, f64::NEG_INFINITY], [5.0, 1.0], [4.0, 3.0]], vec![], vec![[8.0, 7.0]]];
        let ends = [[4.0, 3.0], [2.0, 1.5], [8.0, 7.5]];
        let sums = History::summed(&traces, &ends);
        assert_eq!(sums, [[15.0, 9.5], [14.0, 11.5], [14.0, 11.5]]);
        assert_eq!(History::summed(&traces[..1], &ends[..1]), [[5.0, 1.0], [4.0, 3.0]]);
        assert!(History::summed(&[vec![]], &ends[..1]).is_empty());
    }

    #[test]
    fn only_the_last_program_is_told() {
        let prepared = [[9.0, 1.0], [8.0, 7.0], [6.0, 2.0], [5.0, 2.5], [4.0, 3.0]];
        assert_eq!(last_program(&prepared), prepared[2..]);
        // Pruning lets the objective rise.
        assert_eq!(last_program(&[[4.0, 3.0], [6.0, 3.0]]).len(), 2);
        assert_eq!(last_program(&[[4.0, 3.0], [4.0 + 1e-12, 3.0 - 1e-12]]).len(), 2);
        assert!(last_program(&[]).is_empty());
    }

    #[test]
    fn long_traces_keep_their_ends() {
        assert_eq!(history(3).trace.len(), 3);
        let long = history(12_345).trace;
        assert_eq!((long.len(), long[0][1], long[99][1]), (100, 0.0, 12_344.0));
        assert!(history(0).check().is_ok());
    }

    #[test]
    fn what_no_training_writes_is_refused() {
        let ratios = vec![0.5];
        let (compared, folds, score, error) = (Vec::new(), 5, 0.5, 0.1);
        let validation =
            Some(Validation { folds, score, error, ratios, compared, scores: true, ratio: 0.5 });
        assert!(History { validation, ..history(1) }.check().is_err());
        assert!(History { trace: vec![[0.0; 2]; 101], ..history(1) }.check().is_err());
    }
}
