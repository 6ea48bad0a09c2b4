//! What `hardlim train` tells of what it chose for the best predictions.

use hardlim::certificate::Certificate;
use hardlim::model::{Model, Narrowed};
use hardlim::train::{Chosen, Pruned, Trained};
use serde_json::{Value, json};

use crate::report;

/// From this relative gap on, a certificate says little.
const LOOSE: f64 = 0.01;

pub(super) fn json(chosen: &Chosen) -> Value {
    let Chosen { folds, ratio, loss, score, error, .. } = chosen;
    let mut object = json!({ "folds": folds, "ratio": ratio, "error": error });
    object["class"] = json!(chosen.class.to_string());
    let classes = chosen.classes.iter().map(|(class, loss)| (class.to_string(), json!(loss)));
    object["classes"] = Value::Object(classes.collect());
    let names = if chosen.is_regression() { ["r2", "loss"] } else { ["accuracy", "log_loss"] };
    object[names[0]] = json!(score);
    object[names[1]] = json!(loss);
    object
}

/// The first line of the report.
pub(super) fn headline(chosen: &Chosen) -> String {
    let Chosen { folds, loss, score, error, .. } = chosen;
    let (score, loss) = match chosen.is_regression() {
        true => (format!("R2 {score:.3} ± {error:.3}"), String::new()),
        false => (
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
pub(super) fn class_text(chosen: &Chosen) -> String {
    if chosen.classes.len() < 2 {
        return String::new();
    }
    let name = if chosen.is_regression() { "loss" } else { "log-loss before calibration" };
    let classes: Vec<String> =
        chosen.classes.iter().map(|(class, loss)| format!("{class} {loss:.3}")).collect();
    format!("chosen: neurons of {} ({name}: {})\n", chosen.class, classes.join(", "))
}

/// What a limit on the neurons cost.
pub(super) fn pruned_text(pruned: &Pruned, certificate: &Certificate) -> String {
    let rise = certificate.objective() / pruned.objective - 1.0;
    format!(
        "  pruned     from {} neurons; the objective rose by {}, from {}\n",
        pruned.neurons,
        report::percent(rise),
        report::long(pruned.objective),
    )
}

/// What a limit on the bits of weights cost.
pub(super) fn narrowed_text(
    narrowed: &Narrowed,
    certificate: &Certificate,
    scored: bool,
) -> String {
    let Narrowed { bits, neurons, objective } = *narrowed;
    let them = if neurons == 1 { "1 neuron was" } else { &format!("{neurons} neurons were") };
    let change = certificate.objective() / objective - 1.0;
    let moved = if change < 0.0 { "fell" } else { "rose" };
    format!(
        "  bits       {them} changed to have weights of at most {bits} bits (--weight-bits allows more); the objective {moved} by {}, from {}{}\n",
        report::percent(change.abs()),
        report::long(objective),
        if scored { "; the score on new rows is from before" } else { "" },
    )
}

/// What to do about a certificate that leaves much open.
pub(super) fn hint(model: &Model) -> String {
    let gap = model.certificate().relative_gap();
    // Where neurons pay for their inputs, two inputs have no proof.
    let inputs = if model.setting().input_cost == 0.0 { 2 } else { 1 };
    let fewer = model.certificate().class().max_inputs.is_none_or(|own| own > inputs);
    match gap > LOOSE && fewer {
        true => format!(
            "\nthe proof leaves {:.0} % open; --max-inputs {inputs} gives a network that can be proven\n",
            100.0 * gap
        ),
        false => String::new(),
    }
}

/// What to say of a network without neurons, where the best predictions were asked for.
pub(super) fn warning(trained: &Trained) -> Option<&'static str> {
    (trained.choice.is_some() && trained.model.neurons() == 0).then_some(
        "the network has no neuron: no pattern is worth its penalty, and every row gets the same answer",
    )
}
