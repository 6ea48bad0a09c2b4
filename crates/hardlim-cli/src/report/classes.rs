//! Several classes, each with its network and certificate, and all together.

use hardlim::certificate::{Certificate, Scope};
use hardlim::network::{Check, Classifier};

use super::{among, check_text as check_one, columns, long, networks, percent};

/// The certificates of all classes, in words and in a table.
pub(crate) fn certificate_text(classifier: &Classifier, patterns: usize) -> String {
    let first = &classifier.models()[0];
    let (certificate, global) = (classifier.certificate(), classifier.global());
    let which = among(first.constraints);
    let gap = percent(certificate.relative_gap());
    let mut text = match certificate.scope() {
        Scope::Global => {
            let all = networks(first, &certificate);
            format!(
                "Certified: no {all}{which}, one for each class, is better by more than {gap}.\n"
            )
        }
        Scope::Dictionary => format!(
            "Certified: no networks built from these {patterns} patterns{which}, one for each class, \
             are better by more than {gap}.\n"
        ),
    };
    text += &format!(
        "  objective  {} (the sum over {} classes)\n  bound      {}\n",
        long(certificate.objective()),
        classifier.classes().len(),
        long(certificate.lower_bound()),
    );
    if certificate.scope() == Scope::Dictionary {
        text += &format!(
            "  all nets   no networks of any width or depth{which} are below {}: at most {} to gain\n",
            long(global.lower_bound()),
            percent(global.relative_gap()),
        );
    }
    text + "\n" + &table(classifier)
}

/// One line for each class.
fn table(classifier: &Classifier) -> String {
    let names = columns::cut_all(classifier.classes());
    let width = columns::width(&names, 8);
    let mut text = format!(
        "  {}  {:>13}  {:>13}  {:>10}  neurons\n",
        columns::left("class", width),
        "objective",
        "bound",
        "gap"
    );
    for (name, model) in names.iter().zip(classifier.models()) {
        let certificate = &model.certificate;
        text += &format!(
            "  {}  {:>13}  {:>13}  {:>10}  {:>7}\n",
            columns::left(name, width),
            long(certificate.objective()),
            long(certificate.lower_bound()),
            percent(certificate.relative_gap()),
            model.network.neurons(),
        );
    }
    text + &format!("  {}  {:>49}\n", columns::left("together", width), classifier.neurons())
}

/// What checking all classes again found: the certificates together, unless the data are others.
pub(crate) fn found(checks: &[Check]) -> Option<(Certificate, Certificate)> {
    let pairs: Option<Vec<(Certificate, Certificate)>> = (checks.iter())
        .map(|check| match check {
            Check::OtherData => None,
            Check::SameData { certificate, global } => {
                Some((certificate.certificate, global.certificate))
            }
        })
        .collect();
    let (certificates, globals): (Vec<_>, Vec<_>) = pairs?.into_iter().unzip();
    Certificate::sum(&certificates).zip(Certificate::sum(&globals))
}

/// What checking the certificates again found, class by class.
pub(crate) fn check_text(classifier: &Classifier, checks: &[Check]) -> String {
    if found(checks).is_none() {
        return check_one(&classifier.models()[0], &Check::OtherData);
    }
    let holds = checks.iter().all(Check::holds);
    let mut text = match holds {
        true => {
            "The certificates of all classes hold: computed again from the model and the data.\n"
        }
        false => {
            "The certificates do NOT hold: the model and the data do not support what it states.\n"
        }
    }
    .to_owned();
    for ((name, model), check) in classifier.classes().iter().zip(classifier.models()).zip(checks) {
        text += &format!("\nclass {}\n{}", columns::cut(name), check_one(model, check));
    }
    text
}
