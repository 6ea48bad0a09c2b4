//! What `hardlim train` tells of what was chosen by cross-validation.

use hardlim::certificate::Certificate;
use hardlim::model::Narrowed;
use hardlim::train::{Choice, Measure, Predicted, Request, Trained};
use serde_json::{Value, json};

use crate::report;

/// From this relative gap on, a certificate says little.
const LOOSE: f64 = 0.01;

/// What was chosen for the best predictions.
pub(super) fn json(choice: &Choice) -> Value {
    let Choice { folds, ratio, score, error, measure, .. } = choice;
    let Some(Predicted { class, classes, loss, .. }) = &choice.predicted else {
        return json!(null);
    };
    let mut object = json!({ "folds": folds, "ratio": ratio, "error": error });
    object["class"] = json!(class.to_string());
    let classes = classes.iter().map(|(class, loss)| (class.to_string(), json!(loss)));
    object["classes"] = Value::Object(classes.collect());
    let numbers = *measure == Measure::R2;
    let names = if numbers { ["r2", "loss"] } else { ["accuracy", "log_loss"] };
    object[names[0]] = json!(score);
    object[names[1]] = json!(loss);
    object
}

/// The scores of all strengths, if these were asked for.
pub(super) fn scores_json(request: &Request, choice: &Choice) -> Option<Value> {
    let (score, error) = choice.compared()?;
    let Choice { folds, ratios, scores, errors, ratio, measure, .. } = choice;
    let candidates: Vec<Value> = (ratios.iter().zip(scores).zip(errors))
        .map(|((ratio, score), error)| json!({ "ratio": ratio, "score": score, "error": error }))
        .collect();
    Some(json!({
        "folds": request.folds(), "folds_scored": folds, "ratio": ratio, "score": score,
        "error": error, "measure": if *measure == Measure::R2 { "r2" } else { "accuracy" },
        "one_se": request.one_se(), "candidates": candidates,
    }))
}

/// The first line of the report.
pub(super) fn headline(choice: &Choice) -> String {
    let Choice { folds, score, error, measure, .. } = choice;
    let Some(Predicted { loss, .. }) = choice.predicted else { return String::new() };
    let (score, loss) = match measure {
        Measure::R2 => (format!("R2 {score:.3} ± {error:.3}"), String::new()),
        _ => (
            format!("accuracy {:.1} % ± {:.1} %", 100.0 * score, 100.0 * error),
            format!(", log-loss {loss:.3}"),
        ),
    };
    let how = match folds {
        1 => "one row in ten held out".into(),
        folds => format!("cross-validation, {folds} folds"),
    };
    format!("expected on new rows: {score}{loss} ({how})\n")
}

/// Which class of networks was chosen, if several were compared.
pub(super) fn class_text(choice: &Choice) -> String {
    let Some(found) = choice.predicted.as_ref().filter(|found| found.classes.len() > 1) else {
        return String::new();
    };
    let numbers = choice.measure == Measure::R2;
    let name = if numbers { "loss" } else { "log-loss before calibration" };
    let classes: Vec<String> =
        found.classes.iter().map(|(class, loss)| format!("{class} {loss:.3}")).collect();
    format!("chosen: neurons of {} ({name}: {})\n", found.class, classes.join(", "))
}

/// Which strength was chosen on the folds that were asked for.
pub(super) fn strength_text(request: &Request, choice: &Choice) -> String {
    let Some((score, error)) = choice.compared() else { return String::new() };
    let (score, measure) = match choice.measure {
        Measure::R2 => (format!("{score:.4} ± {error:.4}"), "R2"),
        _ => (format!("{:.2} % ± {:.2} %", 100.0 * score, 100.0 * error), "accuracy"),
    };
    let largest = "the largest within one standard error of the best";
    let one_se = request.one_se();
    let rule = if one_se { largest } else { "the best" };
    let early = !choice.complete;
    let folds = if early { format!("{} of ", choice.folds) } else { String::new() };
    format!(
        "cross-validation: beta-ratio {}, {measure} {score}\n  \
         ({folds}{} folds; {rule} of {} strengths{})\n",
        report::short(choice.ratio),
        request.folds(),
        choice.ratios.len(),
        if early { "; stopped early" } else { "" },
    )
}

/// What a limit on the neurons cost.
pub(super) fn pruned_text((neurons, objective): (usize, f64), certificate: &Certificate) -> String {
    let moved = moved(certificate.objective(), objective);
    format!("  pruned     from {neurons} neurons; {moved}\n")
}

/// How the objective changed from what it was.
fn moved(objective: f64, before: f64) -> String {
    let change = objective / before - 1.0;
    let verb = if change < 0.0 { "fell" } else { "rose" };
    let by = report::percent(change.abs());
    format!("the objective {verb} by {by}, from {}", report::long(before))
}

/// What a limit on the bits of weights cost.
pub(super) fn narrowed_text(
    narrowed: &Narrowed,
    certificate: &Certificate,
    scored: bool,
) -> String {
    let Narrowed { bits, neurons, objective } = *narrowed;
    let them = if neurons == 1 { "1 neuron was" } else { &format!("{neurons} neurons were") };
    format!(
        "  bits       {them} changed to have weights of at most {bits} bits (--weight-bits allows \
         more); {}{}\n",
        moved(certificate.objective(), objective),
        if scored { "; the score on new rows is from before" } else { "" },
    )
}

/// What to do about a certificate that leaves much open.
pub(super) fn hint(trained: &Trained, request: &Request) -> String {
    let certificate = trained.model.certificate();
    // A mean of networks, few neurons and weights of few bits leave a gap, whatever neurons read.
    let options = request.options();
    let averages = options.get("average").is_some_and(|average: usize| average > 1);
    let limited = ["neurons", "rules"].iter().any(|name| options.text(name).is_some());
    let few = limited || trained.narrowed.is_some();
    let plain = request.predicts() && !averages && !few;
    // The optimum over neurons of one input is always found and proven.
    let closes = plain && certificate.class().max_inputs != Some(1);
    let gap = 100.0 * certificate.relative_gap();
    if !closes || gap <= 100.0 * LOOSE {
        return String::new();
    }
    format!("\nthe proof leaves {gap:.0} % open; --max-inputs 1 gives a network that is proven\n")
}

/// What to say of a network without neurons, where the best predictions were asked for.
pub(super) fn warning(trained: &Trained) -> Option<&'static str> {
    (predicts(trained) && trained.model.neurons() == 0).then_some(
        "the network has no neuron: no pattern is worth its penalty, and every row gets the same \
         answer",
    )
}

/// Whether the best predictions were asked for.
pub(super) fn predicts(trained: &Trained) -> bool {
    trained.choice.as_ref().is_some_and(|choice| choice.predicted.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_objective_that_falls_does_not_rise_by_less_than_nothing() {
        assert_eq!(moved(75.0, 100.0), "the objective fell by 25.0000 %, from 100");
        assert_eq!(moved(125.0, 100.0), "the objective rose by 25.0000 %, from 100");
    }
}
