//! Rules as text.

use std::fmt;

use super::rule::{Condition, Rule, Term};

impl Rule {
    /// The rule in one line, with at most `most` terms of a sum, those that change it most, or
    /// `most` conditions.
    pub(crate) fn text(&self, most: usize) -> String {
        match self {
            Self::Constant { fires: true } => "always".into(),
            Self::Constant { fires: false } => "never".into(),
            Self::Threshold { words: Some(words), .. } => words.clone(),
            Self::Threshold { column, at_least, value, .. } => {
                format!("{} {} {}", name(column), relation(*at_least), number(*value))
            }
            Self::Count { least, of } => {
                let list = |separator: &str| {
                    let mut shown: Vec<String> =
                        of.iter().take(most).map(ToString::to_string).collect();
                    if of.len() > most {
                        shown.push(format!("… ({} more)", of.len() - most));
                    }
                    shown.join(separator)
                };
                match *least {
                    k if k == of.len() => list(" and "),
                    1 => list(" or "),
                    k => format!("at least {k} of {}", list(", ")),
                }
            }
            Self::Sum { terms, at_least, value } => {
                let mut shown: Vec<&Term> = terms.iter().collect();
                let left = shown.len().saturating_sub(most);
                if left > 0 {
                    shown.sort_by(|a, b| b.size.total_cmp(&a.size));
                    shown.truncate(most);
                }
                let mut text = String::new();
                for (k, term) in shown.into_iter().enumerate() {
                    text += match (k, term.weight < 0.0) {
                        (0, false) => "",
                        (0, true) => "−",
                        (_, false) => " + ",
                        (_, true) => " − ",
                    };
                    text += &term.to_string();
                }
                if left > 0 {
                    text += &format!(" + … ({left} more)");
                }
                format!("{text} {} {}", relation(*at_least), number(*value))
            }
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(usize::MAX))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Neuron { name, holds: true } => f.write_str(name),
            Self::Neuron { name, holds: false } => write!(f, "not {name}"),
            Self::Rule { rule, holds: true } => write!(f, "{rule}"),
            Self::Rule { rule, holds: false } => write!(f, "not ({rule})"),
            Self::Label { column, labels, holds } => match &labels[..] {
                [label] => {
                    let relation = if *holds { '=' } else { '≠' };
                    write!(f, "{} {relation} {}", name(column), name(label))
                }
                labels => {
                    let labels: Vec<String> = labels.iter().map(|label| name(label)).collect();
                    let relation = if *holds { "in" } else { "not in" };
                    write!(f, "{} {relation} {{{}}}", name(column), labels.join(", "))
                }
            },
        }
    }
}

/// The term without its sign.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.weight.abs() != 1.0 {
            write!(f, "{}·", number(self.weight.abs()))?;
        }
        match &self.label {
            Some(label) => write!(f, "({} = {})", name(&self.name), name(label)),
            None => f.write_str(&name(&self.name)),
        }
    }
}

pub(super) fn relation(at_least: bool) -> char {
    if at_least { '≥' } else { '≤' }
}

/// A name, in quotes if it could be misread.
pub(super) fn name(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./%'+ ".contains(c);
    let inside = text.trim() == text && !text.is_empty();
    if inside && text.chars().all(plain) { text.into() } else { format!("{text:?}") }
}

/// Whole numbers with all digits, others with five significant digits.
pub fn number(value: f64) -> String {
    let size = value.abs();
    let text = if value.fract() == 0.0 && size < 1e15 {
        format!("{value}")
    } else if (1e-3..1e7).contains(&size) {
        let decimals = (4 - size.log10().floor() as i32).max(1) as usize;
        let text = format!("{value:.decimals$}");
        text.trim_end_matches('0').trim_end_matches('.').into()
    } else {
        format!("{value:.4e}")
    };
    text.replace('-', "−").replace("e−", "e-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_readable() {
        let numbers = [0.0, -3.0, 29.5, 1.0 / 3.0, 123_456.789, -0.000_012_345_678, 1e20];
        let texts = ["0", "−3", "29.5", "0.33333", "123456.8", "−1.2346e-5", "1.0000e20"];
        assert_eq!(numbers.map(number), texts);
        assert_eq!(
            ["sepal length", "a|b", "", " x", "é"].map(name),
            ["sepal length", "\"a|b\"", "\"\"", "\" x\"", "é",]
        );
    }
}
