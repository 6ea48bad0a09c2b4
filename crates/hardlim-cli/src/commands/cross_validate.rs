//! What `hardlim train --cv` reports about its choice.

use hardlim::train::{Folds, Measure, Request, Selection};
use serde_json::{Value, json};

use crate::report;

pub(super) fn json(request: &Request, selection: &Selection) -> Value {
    let Selection { folds, ratios, means, errors, ratio, score, error, .. } = selection;
    let candidates: Vec<Value> = (ratios.iter().zip(means).zip(errors))
        .map(|((ratio, score), error)| json!({ "ratio": ratio, "score": score, "error": error }))
        .collect();
    json!({
        "folds": asked(request), "folds_scored": folds, "ratio": ratio, "score": score, "error": error,
        "measure": if selection.measure == Measure::R2 { "r2" } else { "accuracy" },
        "one_se": request.one_se, "candidates": candidates,
    })
}

pub(super) fn text(request: &Request, selection: &Selection) -> String {
    let Selection { ratios, ratio, score, error, .. } = selection;
    let (score, measure) = match selection.measure {
        Measure::R2 => (format!("{score:.4} ± {error:.4}"), "R2"),
        _ => (format!("{:.2} % ± {:.2} %", 100.0 * score, 100.0 * error), "accuracy"),
    };
    let rule = match request.one_se {
        true => "the largest within one standard error of the best",
        false => "the best",
    };
    let early = !selection.complete;
    let folds = if early { format!("{} of ", selection.folds) } else { String::new() };
    format!(
        "cross-validation: beta-ratio {}, {measure} {score}\n  \
         ({folds}{} folds; {rule} of {} strengths{})\n",
        report::short(*ratio),
        asked(request),
        ratios.len(),
        if early { "; stopped early" } else { "" },
    )
}

/// The folds asked for.
fn asked(request: &Request) -> usize {
    request.cv.as_ref().map_or(0, Folds::count)
}
