//! How good the answers are, on the rows of a report that have targets.

use hardlim::explain::score::{Classification, Regression};
use hardlim::explain::{Bins, rounded};
use hardlim::model::Model;
use hardlim::table::TargetCoding;
use serde::Serialize;

use crate::curves::ClassCurves;
use crate::subject::Subject;

/// The most points of a scatter plot.
const POINTS: usize = 400;
/// The most wrong answers that are listed.
const ERRORS: usize = 40;

/// The scores of the rows, and what they are made of.
#[derive(Debug, Serialize)]
pub(crate) struct Quality {
    pub(crate) n: usize,
    #[serde(flatten)]
    pub(crate) kind: Kind,
    /// The wrong answers, or those furthest off: the row, and the answer.
    pub(crate) errors: Vec<Wrong>,
    wrong: Option<usize>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Kind {
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
        r2_error: Option<f64>,
        mae: f64,
        /// The error of answering the mean of these rows.
        mae_of_mean: f64,
        /// Targets and answers of some rows.
        points: Vec<[f64; 2]>,
        /// Answers minus targets.
        residuals: Bins,
    },
}

#[derive(Debug, Serialize)]
pub(crate) struct Wrong {
    #[serde(skip)]
    pub(crate) place: usize,
    /// The number of the row that people see.
    row: u64,
    /// The target: a number, or the index of a class.
    target: f64,
    answer: f64,
    probability: Option<f64>,
}

impl Quality {
    /// The quality on the rows that are scored; `None` if they have no targets.
    pub(crate) fn of(subject: &Subject<'_>, outputs: &[Vec<f64>]) -> Option<Self> {
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
        r2_error: r2_error(&answers, y),
        mae,
        mae_of_mean: Regression::measure(&vec![mean; y.len()], y).mae,
        points: places.map(|i| [rounded(y[i]), rounded(answers[i])]).collect(),
        residuals: Bins::of(&residuals),
    }
}

/// The standard error of `R²` by the jackknife: how far it moves when a row is left out. `None` if
/// it is undefined then.
fn r2_error(answers: &[f64], y: &[f64]) -> Option<f64> {
    let n = y.len() as f64;
    let mean = y.iter().sum::<f64>() / n;
    let squares: f64 = answers.iter().zip(y).map(|(u, y)| (u - y).powi(2)).sum();
    let spread: f64 = y.iter().map(|y| (y - mean).powi(2)).sum();
    let without = |(u, y): (&f64, &f64)| {
        let left = spread - (y - mean).powi(2) * n / (n - 1.0);
        1.0 - (squares - (u - y).powi(2)) / left
    };
    let moved: Vec<f64> = answers.iter().zip(y).map(without).collect();
    let center = moved.iter().sum::<f64>() / n;
    let sum: f64 = moved.iter().map(|r2| (r2 - center).powi(2)).sum();
    Some(((n - 1.0) / n * sum).sqrt()).filter(|error| error.is_finite() && spread > 0.0)
}

fn classes(model: &Model, u: &[Vec<f64>], y: &[f64]) -> Kind {
    let names = model.coding().target().classes().unwrap_or_default();
    let several = model.several_classes().is_some();
    let scores = if several {
        Classification::of_several(u, y, |u| model.probabilities(u))
    } else {
        let output: Vec<f64> = u.iter().map(|u| u[0]).collect();
        let second = |u| model.probabilities(&[u]).map_or(0.5, |p| p[1]);
        Classification::of_two(&output, y, second)
    };
    let Classification { accuracy, auc, log_loss, confusion, .. } = scores;
    let first = if several { 0 } else { 1 };
    let most = confusion.iter().map(|row| row.iter().sum::<u64>()).max().unwrap_or(0);
    Kind::Classes {
        accuracy,
        auc,
        log_loss,
        most: most as f64 / y.len() as f64,
        confusion,
        curves: (first..names.len()).map(|k| ClassCurves::of(model, k, u, y)).collect(),
    }
}

/// The wrong answers, the most certain first; or for numbers those furthest off. And how many are
/// wrong.
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
        let probability =
            if numbers { None } else { model.probabilities(&u[k]).map(|p| p[answer as usize]) };
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
    fn the_error_of_a_score_is_how_far_rows_move_it() {
        let y: Vec<f64> = (0..40).map(f64::from).collect();
        let off = |i: usize| if i.is_multiple_of(2) { 1.5 } else { -2.0 };
        let answers: Vec<f64> = y.iter().enumerate().map(|(i, y)| y + off(i)).collect();
        let kept = |left_out: usize, values: &[f64]| -> Vec<f64> {
            let others = values.iter().enumerate().filter(|(i, _)| *i != left_out);
            others.map(|(_, v)| *v).collect()
        };
        let without =
            |i: usize| Regression::measure(&kept(i, &answers), &kept(i, &y)).r2.expect("a spread");
        let moved: Vec<f64> = (0..40).map(without).collect();
        let mean = moved.iter().sum::<f64>() / 40.0;
        let sum: f64 = moved.iter().map(|r2| (r2 - mean).powi(2)).sum();
        let error = r2_error(&answers, &y).expect("a spread");
        assert!((error - (39.0 / 40.0 * sum).sqrt()).abs() < 1e-12, "{error}");
        assert_eq!(r2_error(&[1.0, 2.0], &[3.0, 3.0]), None);
        assert_eq!(r2_error(&[1.0], &[3.0]), None);
    }
}
