//! `hardlim train --cv`: the strength that does best on rows it was not trained on.

use std::time::{Duration, Instant};

use anyhow::Context;
use hardlim::solver::Budget;
use hardlim::train::{CrossValidation, Measure, Selection, Trainer};
use serde_json::{Value, json};

use super::prepare::Prepared;
use crate::{progress, report};

/// The part of the time limit that choosing may take; the rest is for training on all rows.
const SHARE: f64 = 0.8;
/// What training on all rows may take after Ctrl-C.
const LAST_MOMENT: Duration = Duration::from_secs(2);

/// Chooses the strength.
pub(super) fn select(
    plan: &CrossValidation,
    trainer: &Trainer<'_>,
    prepared: &Prepared,
    start: Instant,
) -> anyhow::Result<Selection> {
    let context = || format!("--cv {}", plan.folds);
    let x = prepared.coding.features(&prepared.table)?;
    let weights = prepared.coding.sample_weights(&prepared.table)?;
    let deadline = trainer.budget.deadline.map(|(_, limit)| (start + limit.mul_f64(SHARE), limit));
    let budget = Budget { deadline, ..trainer.budget };
    let trainer = Trainer { budget, ..*trainer };

    let bar = progress::steps(plan.folds * plan.ratios.len());
    bar.set_message("networks trained to choose beta");
    let selection = plan.select(&trainer, &x, &prepared.y, weights.as_deref(), || bar.inc(1));
    bar.finish_and_clear();
    selection.with_context(context)
}

/// Ctrl-C came while the strength was being chosen: the network is still to be trained, briefly.
pub(super) fn last_moment() -> Budget<'static> {
    Budget::time_limit(LAST_MOMENT)
}

pub(super) fn json(plan: &CrossValidation, selection: &Selection) -> Value {
    let Selection { folds, ratios, means, errors, ratio, score, error } = selection;
    let candidates: Vec<Value> = (ratios.iter().zip(means).zip(errors))
        .map(|((ratio, score), error)| json!({ "ratio": ratio, "score": score, "error": error }))
        .collect();
    json!({
        "folds": plan.folds, "folds_scored": folds, "ratio": ratio, "score": score, "error": error,
        "measure": measure(plan), "one_se": plan.one_standard_error, "candidates": candidates,
    })
}

pub(super) fn text(plan: &CrossValidation, selection: &Selection) -> String {
    let Selection { ratios, ratio, score, error, .. } = selection;
    let (score, measure) = match plan.measure {
        Measure::R2 => (format!("{score:.4} ± {error:.4}"), "R2"),
        _ => (format!("{:.2} % ± {:.2} %", 100.0 * score, 100.0 * error), "accuracy"),
    };
    let rule = match plan.one_standard_error {
        true => "the largest within one standard error of the best",
        false => "the best",
    };
    let early = selection.folds < plan.folds || ratios.len() < plan.ratios.len();
    let folds = if early { format!("{} of ", selection.folds) } else { String::new() };
    format!(
        "cross-validation: beta-ratio {}, {measure} {score}\n  \
         ({folds}{} folds; {rule} of {} strengths{})\n",
        report::short(*ratio),
        plan.folds,
        ratios.len(),
        if early { "; stopped early" } else { "" },
    )
}

fn measure(plan: &CrossValidation) -> &'static str {
    if plan.measure == Measure::R2 { "r2" } else { "accuracy" }
}
