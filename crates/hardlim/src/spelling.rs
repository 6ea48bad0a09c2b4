//! How an error names an option, and how the command line and Python spell it.
//!
//! The library has one name for an option, that of its field in [`crate::train::Request`]. Errors
//! mark it: `` `max_inputs` ``, or with a value `` `method=sample` ``. The command line and Python
//! replace each mark by their own spelling with [`spelled`]: `--method sample` on the command line,
//! `method='sample'` in Python.

/// Every option that an error may mark.
const OPTIONS: [&str; 52] = [
    "all",
    "average",
    "beta",
    "beta_ratio",
    "bias",
    "bits",
    "budget",
    "categorical",
    "class_weight",
    "constant_time",
    "cv",
    "exact_outputs",
    "gap",
    "holdout",
    "ignore",
    "input_cost",
    "inputs",
    "intercept",
    "keep",
    "layers",
    "least_ratio",
    "loss",
    "max_inputs",
    "memory",
    "method",
    "missing",
    "n_ratios",
    "name",
    "neurons",
    "non_negative",
    "one_se",
    "output_bits",
    "patterns",
    "prune",
    "ratios",
    "representation",
    "rounds",
    "scoring",
    "seed",
    "standardize",
    "target",
    "task",
    "time_limit",
    "to",
    "tolerance",
    "tree",
    "verify",
    "way",
    "weight_bits",
    "weight_column",
    "weights",
    "widths",
];

/// The mark of an option in a text, with the value that it has or should have.
pub fn mark(option: &str, value: Option<&str>) -> String {
    match value {
        None => format!("`{option}`"),
        Some(value) => format!("`{option}={value}`"),
    }
}

/// Replaces every marked option in a text by the result of `spell` for its name and value.
///
/// ```
/// let flag = |option: &str, value: Option<&str>| match value {
///     None => format!("--{option}"),
///     Some(value) => format!("--{option} {value}"),
/// };
/// let text = "`tree` needs `method=enumerate`, not `anything` else";
/// let expected = "--tree needs --method enumerate, not `anything` else";
/// assert_eq!(hardlim::spelling::spelled(text, flag), expected);
/// ```
pub fn spelled(text: &str, spell: impl Fn(&str, Option<&str>) -> String) -> String {
    let mut spelled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        spelled += before;
        let marked = after.split_once('`').and_then(|(inside, next)| {
            let (option, value) = match inside.split_once('=') {
                Some((option, value)) => (option, Some(value)),
                None => (inside, None),
            };
            OPTIONS.contains(&option).then(|| (spell(option, value), next))
        });
        match marked {
            Some((text, next)) => {
                spelled += &text;
                rest = next;
            }
            None => {
                spelled.push('`');
                rest = after;
            }
        }
    }
    spelled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_options_are_spelled_and_everything_else_stays() {
        let loud =
            |option: &str, value: Option<&str>| format!("<{option}|{}>", value.unwrap_or(""));
        for (text, expected) in [
            ("", ""),
            ("no mark", "no mark"),
            ("`beta`", "<beta|>"),
            ("a `beta=3` b `gap`.", "a <beta|3> b <gap|>."),
            ("`unknown` `beta", "`unknown` `beta"),
            ("a`b`beta`c", "a`b<beta|>c"),
            ("`--features full` and `tree`", "`--features full` and <tree|>"),
        ] {
            assert_eq!(spelled(text, loud), expected);
        }
        assert_eq!(mark("method", Some("sample")), "`method=sample`");
        assert!(OPTIONS.is_sorted());
    }
}
