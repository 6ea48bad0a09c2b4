//! The score in a sentence.

use hardlim::explain::{number, rounded};
use hardlim::model::Validation;
use serde::Serialize;

use crate::percent;
use crate::quality::{Kind, Quality};
use crate::subject::Subject;

/// The score in a sentence, for the head of the page.
#[derive(Debug, Serialize)]
pub(crate) struct Headline {
    value: String,
    error: Option<String>,
    what: &'static str,
    on: String,
    compare: String,
}

impl Headline {
    /// If the rows are those of the training, and cross-validation has scored the
    /// strength on rows that were not trained on, it is the score of that.
    pub(crate) fn of(quality: &Quality, subject: &Subject<'_>) -> Self {
        let own = Self::on_rows(quality, subject);
        let trained_on = subject.training_rows.is_some_and(|rows| rows > 0);
        let validation = subject.model.history().and_then(|history| history.validation.as_ref());
        match validation.filter(|_| trained_on && subject.held_out.is_empty()) {
            Some(Validation { score, error, folds, .. }) => {
                let classes = matches!(quality.kind, Kind::Classes { .. });
                let text = |v: f64| if classes { percent(v) } else { format!("{v:.4}") };
                Self {
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

    /// The score on the rows of the report.
    pub(crate) fn on_rows(quality: &Quality, subject: &Subject<'_>) -> Self {
        let (rows, n) = (subject.features.rows(), quality.n);
        let counted = if n == 1 { "1 row".into() } else { format!("{n} rows") };
        let on = match (&subject.held_out[..], subject.training_rows) {
            ([], Some(0)) => format!("on {counted}, none of which the model was trained on"),
            ([], Some(known)) if known == rows => {
                format!("on the {counted} that it was trained on: expect a lower score on new rows")
            }
            ([], Some(known)) => {
                format!(
                    "on {counted}, {known} of which are training rows: expect a lower score on new \
                     rows"
                )
            }
            ([], None) => format!("on {counted}"),
            _ => format!("on {counted} that were held out of training"),
        };
        // On training rows, the score is off by more than chance.
        let new = !subject.held_out.is_empty() || subject.training_rows == Some(0);
        match &quality.kind {
            Kind::Classes { accuracy, most, .. } => Self {
                value: percent(*accuracy),
                error: new.then(|| percent(standard_error(*accuracy, n))),
                what: "accuracy",
                on,
                compare: format!(
                    "Always answering the most frequent class gives {}.",
                    percent(*most)
                ),
            },
            Kind::Numbers { r2, r2_error, mae, mae_of_mean, .. } => Self {
                value: r2.map_or_else(|| "undefined".into(), |r2| format!("{r2:.4}")),
                error: r2_error.filter(|_| new).map(|error| format!("{error:.4}")),
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

/// The standard error of a share of `n` rows. Two more of either kind keep it above zero (Agresti
/// and Coull).
fn standard_error(share: f64, n: usize) -> f64 {
    let n = n as f64;
    let p = (share * n + 2.0) / (n + 4.0);
    (p * (1.0 - p) / (n + 4.0)).sqrt()
}
