//! From the columns of a table to the inputs of the neurons.
//!
//! If all columns are numbers there is one input `X`. Otherwise every column is an input of its
//! own, as in the exporters of scikit-learn: text is compared with the levels, and missing values
//! are filled in. If the weights are integers, numbers are rounded to their grid as in [`Circuit`]:
//! `m = round(x · 2ᵍ) − o`, with halves away from zero, within bounds. With `a = |x · 2ᵍ|`
//! this is `±(⌊a⌋ + 1{a − ⌊a⌋ ≥ ½})`, where every step is exact in double precision
//! (`⌊a + ½⌋` would not be).

use std::collections::HashSet;

use super::graph::{Element, Graph};
use crate::export::{Circuit, Input, names};
use crate::table::coding::{ColumnCoding, Steps};
use crate::table::{Coding, Field, Kind};

const OUTPUTS: [&str; 4] = ["label", "probabilities", "output", "variable"];
/// The texts that mean a missing label.
const MISSING: [&str; 11] =
    ["", "?", "NA", "N/A", "n/a", "null", "NULL", "<NA>", "nan", "NaN", "NAN"];

/// The names of the inputs of a graph: one for each column, or a single one if all columns are
/// numbers.
pub(super) fn input_names(coding: &Coding) -> Vec<String> {
    if is_one_matrix(coding) {
        return vec!["X".into()];
    }
    let mut used: HashSet<String> = OUTPUTS.iter().map(ToString::to_string).collect();
    let unique = |column: &ColumnCoding| {
        let name = &match column.kind {
            Kind::Number { .. } => column.names().remove(0),
            Kind::Category { .. } => column.column.name.clone(),
        };
        let plain = name.len() <= 64
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        names::unique(if plain { name.clone() } else { names::identifier(name) }, &mut used)
    };
    coding.columns().iter().map(unique).collect()
}

pub(super) fn is_one_matrix(coding: &Coding) -> bool {
    coding.columns().iter().all(|column| matches!(column.kind, Kind::Number { .. }))
}

/// Adds the inputs to a graph. Returns the matrix of features.
pub(super) fn features(graph: &mut Graph, coding: &Coding) -> String {
    let names = input_names(coding);
    if is_one_matrix(coding) {
        let all = coding.feature_names().join(", ");
        graph.input("X", Element::Double, coding.dimension(), &all);
        let fill = |column: &ColumnCoding| match column.kind {
            Kind::Number { fill } => fill,
            Kind::Category { .. } => None,
        };
        let fills: Vec<Option<f64>> = coding.columns().iter().map(fill).collect();
        let features = filled(graph, "X", &fills);
        return on_steps(graph, &features, coding);
    }
    let mut parts = Vec::new();
    for (column, name) in coding.columns().iter().zip(&names) {
        let meaning = match column.kind {
            Kind::Number { .. } => &column.names()[0],
            Kind::Category { .. } => &column.column.name,
        };
        match &column.kind {
            Kind::Number { fill } => {
                graph.input(name, Element::Double, 1, meaning);
                parts.push(filled(graph, name, &[*fill]));
            }
            Kind::Category { levels, fill } => {
                graph.input(name, Element::Text, 1, meaning);
                let levels = &levels[levels.len() - column.kind.width()..];
                parts.push(indicators(graph, name, column, levels, fill.as_deref()));
            }
        }
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let features = graph.apply_with("Concat", &parts, &[("axis", 1)]);
    on_steps(graph, &features, coding)
}

fn filled(graph: &mut Graph, name: &str, fills: &[Option<f64>]) -> String {
    if fills.iter().all(Option::is_none) {
        return name.to_owned();
    }
    let fills: Vec<f64> = fills.iter().map(|fill| fill.unwrap_or(f64::NAN)).collect();
    let fills = graph.doubles("fill", &[1, fills.len()], &fills);
    let missing = graph.apply("IsNaN", &[name]);
    graph.apply("Where", &[&missing, &fills, name])
}

/// One for the level that the text has, zero for all others.
fn indicators(
    graph: &mut Graph,
    name: &str,
    column: &ColumnCoding,
    levels: &[String],
    fill: Option<&str>,
) -> String {
    // Texts, each with the level that it stands for.
    let mut known: Vec<(String, &str)> = levels.iter().map(|l| (l.clone(), l.as_str())).collect();
    for level in levels {
        for text in spellings(level, column.folded.is_some()) {
            if known.iter().all(|(own, _)| *own != text) {
                known.push((text, level));
            }
        }
    }
    if let Some(fill) = fill {
        // A missing text counts as the level that replaces it, if that level has a feature.
        let missing = MISSING.iter().filter(|text| Field::parse(text) == Field::Missing);
        known.extend(missing.map(|text| ((*text).to_owned(), fill)));
    }
    let texts: Vec<&str> = known.iter().map(|(text, _)| text.as_str()).collect();
    let constant = graph.texts("levels", &[1, texts.len()], &texts);
    let equal = graph.apply("Equal", &[name, &constant]);
    let equal = graph.cast(&equal, Element::Double);
    if known.len() == levels.len() {
        return equal;
    }
    let mut counts = vec![0.0; known.len() * levels.len()];
    for (i, (_, level)) in known.iter().enumerate() {
        if let Some(k) = levels.iter().position(|l| l == level) {
            counts[i * levels.len() + k] = 1.0;
        }
    }
    let counts = graph.doubles("fill", &[known.len(), levels.len()], &counts);
    graph.apply("MatMul", &[&equal, &counts])
}

/// Other usual spellings of a label that a table may have for it: `2.0` for `2`, and other cases of
/// letters where they have no meaning.
fn spellings(level: &str, any_case: bool) -> Vec<String> {
    let mut found = Vec::new();
    if matches!(Field::parse(level), Field::Number(_)) {
        let point = if level.contains('.') { "" } else { "." };
        found.extend(["0", "00"].map(|zeros| format!("{level}{point}{zeros}")));
        found.retain(|text| Field::parse(text).label().as_deref() == Some(level));
    }
    if any_case {
        let mut letters = level.chars();
        let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
        let capital = first + &letters.as_str().to_lowercase();
        found.extend([level.to_lowercase(), level.to_uppercase(), capital]);
    }
    found
}

/// The integers of features on the grid of a circuit.
pub(super) fn rounded(graph: &mut Graph, features: &str, circuit: &Circuit) -> String {
    let of = |number: &dyn Fn(&Input) -> f64| circuit.inputs.iter().map(number).collect::<Vec<_>>();
    let offsets = of(&|i| i.offset as f64);
    let bounds = [of(&|i| (i.least + i.offset) as f64), of(&|i| (i.most + i.offset) as f64)];
    let codes = codes(graph, features, &of(&|i| 2f64.powi(i.shift)), &bounds);
    if offsets.iter().all(|o| *o == 0.0) {
        return codes;
    }
    let offsets = graph.doubles("offset", &[1, offsets.len()], &offsets);
    graph.apply("Sub", &[&codes, &offsets])
}

/// Features on the steps that training rounded them to.
fn on_steps(graph: &mut Graph, features: &str, coding: &Coding) -> String {
    let steps = coding.steps();
    if steps.iter().all(Option::is_none) {
        return features.to_owned();
    }
    let of = |other: f64, number: &dyn Fn(&Steps) -> f64| -> Vec<f64> {
        steps.iter().map(|s| s.as_ref().map_or(other, number)).collect()
    };
    let (far, scales) = (2f64.powi(30), of(1.0, &|s| 2f64.powi(s.shift)));
    let bounds = [of(-far, &|s| s.first as f64), of(far, &|s| s.last() as f64)];
    let codes = codes(graph, features, &scales, &bounds);
    let back: Vec<f64> = scales.iter().map(|scale| 1.0 / scale).collect();
    let back = graph.doubles("step", &[1, back.len()], &back);
    graph.apply("Mul", &[&codes, &back])
}

/// `round(x · scale)` within bounds.
fn codes(graph: &mut Graph, features: &str, scale: &[f64], bounds: &[Vec<f64>; 2]) -> String {
    let (d, [least, most]) = (scale.len(), bounds);
    let scale = graph.doubles("scale", &[1, d], scale);
    let scaled = graph.apply("Mul", &[features, &scale]);
    let size = graph.apply("Abs", &[&scaled]);
    let whole = graph.apply("Floor", &[&size]);
    let rest = graph.apply("Sub", &[&size, &whole]);
    let half = graph.doubles("half", &[], &[0.5]);
    let up = graph.apply("GreaterOrEqual", &[&rest, &half]);
    let up = graph.cast(&up, Element::Double);
    let size = graph.apply("Add", &[&whole, &up]);
    let sign = graph.apply("Sign", &[&scaled]);
    let integer = graph.apply("Mul", &[&size, &sign]);
    let least = graph.doubles("least", &[1, d], least);
    let most = graph.doubles("most", &[1, d], most);
    let integer = graph.apply("Max", &[&integer, &least]);
    graph.apply("Min", &[&integer, &most])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_the_spellings_that_are_read_as_them() {
        assert_eq!(spellings("2", false), ["2.0", "2.00"]);
        assert_eq!(spellings("2.5", false), ["2.50", "2.500"]);
        assert_eq!(spellings("-1", false), ["-1.0", "-1.00"]);
        assert!(spellings("1e300", false).is_empty() && spellings("b", false).is_empty());
        assert_eq!(spellings("True", true), ["true", "TRUE", "True"]);
    }
}
