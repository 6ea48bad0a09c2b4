//! How good the answers are, on the rows of a report that have targets.

use serde::Serialize;

use super::subject::Subject;
use super::variables::Bins;
use super::{percent, rounded};
use crate::data::TargetCoding;
use crate::model::{Model, Validation};
use crate::network::explain::number;
use crate::network::score::{Classes, Classification, Regression};

/// Points of a curve that are nearer than this to the last one are left out.
const STEP: f64 = 0.01;
/// The groups of rows that calibration compares.
const GROUPS: usize = 10;
/// The most points of a scatter plot.
const POINTS: usize = 400;
/// The most wrong answers that are listed.
const ERRORS: usize = 40;

/// The scores of the rows, and what they are made of.
#[derive(Debug, Serialize)]
pub(super) struct Quality {
    /// The number of rows.
    n: usize,
    #[serde(flatten)]
    kind: Kind,
    /// The wrong answers, or those furthest off: the row, and the answer.
    pub(super) errors: Vec<Wrong>,
    /// How many there are in all.
    wrong: Option<usize>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Kind {
    Classes {
        accuracy: f64,
        auc: Option<f64>,
        log_loss: Option<f64>,
        /// The share of the most frequent class.
        most: f64,
        /// True classes downward, answers across.
        confusion: Vec<Vec<u64>>,
        /// One for each class; of two classes for the second.
        curves: Vec<ClassCurves>,
    },
    Numbers {
        r2: Option<f64>,
        mae: f64,
        /// The error of answering the mean of these rows.
        mae_of_mean: f64,
        /// Targets and answers of some rows.
        points: Vec<[f64; 2]>,
        /// Answers minus targets.
        residuals: Bins,
    },
}

/// How the answers for one class trade errors, and whether its probabilities are right.
#[derive(Debug, Serialize)]
struct ClassCurves {
    class: String,
    auc: Option<f64>,
    /// False and true positives, as parts of all.
    roc: Vec<[f64; 2]>,
    /// For groups of rows: the mean probability, the part that is of the class, and the rows.
    calibration: Vec<(f64, f64, usize)>,
}

/// A wrong answer.
#[derive(Debug, Serialize)]
pub(super) struct Wrong {
    /// The place of the row.
    #[serde(skip)]
    pub(super) place: usize,
    /// The number of the row that people see.
    row: u64,
    /// The target: a number, or the index of a class.
    target: f64,
    /// The answer.
    answer: f64,
    /// The probability of the answer, if there is one.
    probability: Option<f64>,
}

/// The score in a sentence, for the head of the page.
#[derive(Debug, Serialize)]
pub(super) struct Headline {
    /// The score.
    value: String,
    /// Its standard error.
    error: Option<String>,
    /// What it is.
    what: &'static str,
    /// The rows that it was measured on.
    on: String,
    /// What to compare it with.
    compare: String,
}

impl Quality {
    /// The quality on the rows that are scored; `None` if they have no targets.
    pub(super) fn of(subject: &Subject<'_>, outputs: &[Vec<f64>]) -> Option<Self> {
        let rows = subject.scored();
        let targets = subject.targets.as_ref()?;
        let y: Vec<f64> = rows.iter().map(|&i| targets[i]).collect();
        let u: Vec<Vec<f64>> =
            rows.iter().map(|&i| outputs.iter().map(|list| list[i]).collect()).collect();
        let model = subject.model;
        let kind = match model.coding().target() {
            TargetCoding::Number { .. } => numbers(&u, &y),
            _ => classes(model, &u, &y),
        };
        let (errors, wrong) = errors(subject, &rows, &u, &y);
        Some(Self { n: rows.len(), kind, errors, wrong })
    }

    /// The score in a sentence. If the rows are those of the training, and cross-validation has scored the
    /// strength on rows that were not trained on, it is the score of that.
    pub(super) fn headline(&self, subject: &Subject<'_>) -> Headline {
        let own = self.on_rows(subject);
        let trained_on = subject.training_rows.is_some_and(|rows| rows > 0);
        let validation = subject.model.history().and_then(|history| history.validation.as_ref());
        match validation.filter(|_| trained_on && subject.held_out.is_empty()) {
            Some(Validation { score, error, folds, .. }) => {
                let classes = matches!(self.kind, Kind::Classes { .. });
                let text = |v: f64| if classes { percent(v) } else { format!("{v:.4}") };
                Headline {
                    value: text(*score),
                    error: Some(text(*error)),
                    on: format!("expected on new rows, by cross-validation on {folds} folds"),
                    compare: format!(
                        "{} On the training rows it is {}.",
                        if classes { &own.compare } else { "" },
                        own.value
                    ),
                    ..own
                }
            }
            None => own,
        }
    }

    /// The score on the rows of the report, in a sentence.
    pub(super) fn on_rows(&self, subject: &Subject<'_>) -> Headline {
        let (rows, n) = (subject.features.rows(), self.n);
        let counted = if n == 1 { "1 row".into() } else { format!("{n} rows") };
        let on = match (&subject.held_out[..], subject.training_rows) {
            ([], Some(0)) => format!("on {counted}, none of which the model was trained on"),
            ([], Some(known)) if known == rows => {
                format!("on the {counted} that it was trained on: expect a lower score on new rows")
            }
            ([], Some(known)) => {
                format!(
                    "on {counted}, {known} of which are training rows: expect a lower score on new rows"
                )
            }
            ([], None) => format!("on {counted}"),
            _ => format!("on {counted} that were held out of training"),
        };
        // On training rows, the score is off by more than chance.
        let new = !subject.held_out.is_empty() || subject.training_rows == Some(0);
        match &self.kind {
            Kind::Classes { accuracy, most, .. } => Headline {
                value: percent(*accuracy),
                error: new.then(|| percent(standard_error(*accuracy, n))),
                what: "accuracy",
                on,
                compare: format!(
                    "Always answering the most frequent class gives {}.",
                    percent(*most)
                ),
            },
            Kind::Numbers { r2, mae, mae_of_mean, .. } => Headline {
                value: r2.map_or_else(|| "undefined".into(), |r2| format!("{r2:.4}")),
                error: None,
                what: "R²",
                on,
                compare: format!(
                    "The mean absolute error is {}; always answering the mean gives {}.",
                    number(rounded(*mae)),
                    number(rounded(*mae_of_mean)),
                ),
            },
        }
    }
}

/// The standard error of a share of `n` rows. Two more of either kind keep it above zero (Agresti and Coull).
fn standard_error(share: f64, n: usize) -> f64 {
    let n = n as f64;
    let p = (share * n + 2.0) / (n + 4.0);
    (p * (1.0 - p) / (n + 4.0)).sqrt()
}

fn numbers(u: &[Vec<f64>], y: &[f64]) -> Kind {
    let answers: Vec<f64> = u.iter().map(|u| u[0]).collect();
    let Regression { r2, mae, .. } = Regression::measure(&answers, y);
    let mean = y.iter().sum::<f64>() / y.len() as f64;
    let residuals: Vec<f64> = answers.iter().zip(y).map(|(u, y)| rounded(u - y)).collect();
    let count = y.len().min(POINTS);
    let places = (0..count).map(|k| k * y.len() / count);
    Kind::Numbers {
        r2,
        mae,
        mae_of_mean: Regression::measure(&vec![mean; y.len()], y).mae,
        points: places.map(|i| [rounded(y[i]), rounded(answers[i])]).collect(),
        residuals: Bins::of(&residuals),
    }
}

fn classes(model: &Model, u: &[Vec<f64>], y: &[f64]) -> Kind {
    let names = model.coding().target().classes().unwrap_or_default();
    let (accuracy, auc, log_loss, confusion) = match model.several_classes() {
        Some(_) => {
            let found = Classes::measure(u, y, |u| model.probabilities(u));
            (found.accuracy, found.auc, found.log_loss, found.confusion)
        }
        None => {
            let output: Vec<f64> = u.iter().map(|u| u[0]).collect();
            let second = |u| model.probabilities(&[u]).map_or(0.5, |p| p[1]);
            let found = Classification::measure(&output, y, second);
            let confusion = found.confusion.iter().map(|row| row.to_vec()).collect();
            (found.accuracy, found.auc, Some(found.log_loss), confusion)
        }
    };
    let several = model.several_classes().is_some();
    let of_class = |k: usize| {
        let place = if several { k } else { 0 };
        let hits: Vec<bool> =
            y.iter().map(|y| if several { *y as usize == k } else { *y > 0.0 }).collect();
        let scores: Vec<f64> = u.iter().map(|u| u[place]).collect();
        let p: Option<Vec<f64>> = u.iter().map(|u| Some(model.probabilities(u)?[k])).collect();
        let labels: Vec<f64> = hits.iter().map(|hit| if *hit { 1.0 } else { -1.0 }).collect();
        ClassCurves {
            class: names[k].clone(),
            auc: Classification::measure(&scores, &labels, |_| 0.5).auc,
            roc: roc(&scores, &hits),
            calibration: p.map_or_else(Vec::new, |p| calibration(&p, &hits)),
        }
    };
    let first = if several { 0 } else { 1 };
    let most = confusion.iter().map(|row: &Vec<u64>| row.iter().sum::<u64>()).max().unwrap_or(0);
    Kind::Classes {
        accuracy,
        auc,
        log_loss,
        most: most as f64 / y.len() as f64,
        confusion,
        curves: (first..names.len()).map(of_class).collect(),
    }
}

/// The receiver operating characteristic: from (0, 0) to (1, 1), as outputs go down. Empty if there is only
/// one class.
fn roc(scores: &[f64], hits: &[bool]) -> Vec<[f64; 2]> {
    let all = hits.iter().filter(|hit| **hit).count();
    if all == 0 || all == hits.len() {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..hits.len()).collect();
    order.sort_by(|&i, &j| scores[j].total_cmp(&scores[i]));
    let (mut found, mut curve) = ([0.0, 0.0], vec![[0.0, 0.0]]);
    for ties in order.chunk_by(|&i, &j| scores[i] == scores[j]) {
        let own = ties.iter().filter(|&&i| hits[i]).count();
        found[0] += (ties.len() - own) as f64 / (hits.len() - all) as f64;
        found[1] += own as f64 / all as f64;
        let last: [f64; 2] = *curve.last().expect("the start");
        if found[0] - last[0] >= STEP || found[1] - last[1] >= STEP {
            curve.push(found.map(rounded));
        }
    }
    curve.push([1.0, 1.0]);
    curve.dedup();
    curve
}

/// Groups of rows with about the same probability; equal ones stay together.
fn calibration(p: &[f64], hits: &[bool]) -> Vec<(f64, f64, usize)> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let (mut before, mut last) = (0, None);
    for ties in order.chunk_by(|&i, &j| p[i] == p[j]) {
        // The middle of the ties decides, so that groups have about the same size.
        let group = (before + ties.len() / 2) * GROUPS / p.len();
        match groups.last_mut() {
            Some(rows) if last == Some(group) => rows.extend(ties),
            _ => groups.push(ties.to_vec()),
        }
        (before, last) = (before + ties.len(), Some(group));
    }
    let mean = |rows: &Vec<usize>| {
        let count = rows.len() as f64;
        let hit = rows.iter().filter(|&&i| hits[i]).count() as f64;
        (rounded(rows.iter().map(|&i| p[i]).sum::<f64>() / count), rounded(hit / count), rows.len())
    };
    groups.iter().map(mean).collect()
}

/// The wrong answers, the most certain first; or for numbers those furthest off. And how many are wrong.
fn errors(
    subject: &Subject<'_>,
    rows: &[usize],
    u: &[Vec<f64>],
    y: &[f64],
) -> (Vec<Wrong>, Option<usize>) {
    let model = subject.model;
    let numbers = model.coding().target().classes().is_none();
    let several = model.several_classes().is_some();
    let mut found: Vec<(f64, Wrong)> = Vec::new();
    for (k, &place) in rows.iter().enumerate() {
        let (answer, target) = match (numbers, several) {
            (true, _) => (u[k][0], y[k]),
            (_, true) => (model.class(&u[k]) as f64, y[k]),
            _ => (model.class(&u[k]) as f64, f64::from(u8::from(y[k] > 0.0))),
        };
        let probability = match numbers {
            true => None,
            false => model.probabilities(&u[k]).map(|p| p[answer as usize]),
        };
        if numbers || answer != target {
            let sure = if numbers { (answer - target).abs() } else { probability.unwrap_or(0.0) };
            let (row, probability) = (subject.numbers[place], probability.map(rounded));
            found.push((sure, Wrong { place, row, target, answer, probability }));
        }
    }
    let wrong = (!numbers).then_some(found.len());
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    (found.into_iter().take(ERRORS).map(|(_, wrong)| wrong).collect(), wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_start_and_end_in_the_corners() {
        let hits = [true, false, true, false];
        assert_eq!(
            roc(&[3.0, 2.0, 2.0, 1.0], &hits),
            [[0.0, 0.0], [0.0, 0.5], [0.5, 1.0], [1.0, 1.0]]
        );
        assert_eq!(roc(&[1.0, 1.0], &[true, false]), [[0.0, 0.0], [1.0, 1.0]]);
        assert!(roc(&[1.0, 2.0], &[true, true]).is_empty());
    }

    #[test]
    fn groups_hold_every_row_once_and_equal_probabilities_stay_together() {
        let p: Vec<f64> = (0..100).map(|i| f64::from(i / 4) / 25.0).collect();
        let hits: Vec<bool> = (0..100).map(|i| i % 3 == 0).collect();
        let groups = calibration(&p, &hits);
        assert_eq!(groups.iter().map(|group| group.2).sum::<usize>(), 100);
        assert!((8..=10).contains(&groups.len()), "{groups:?}");
        assert!(groups.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(calibration(&[0.25; 8], &[true; 8]), [(0.25, 1.0, 8)]);
        assert_eq!(calibration(&[0.5], &[false]), [(0.5, 0.0, 1)]);
    }
}
