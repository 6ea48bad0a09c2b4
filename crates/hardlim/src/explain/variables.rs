//! The inputs of a model as people see them: numbers and labels, instead of features.
//!
//! A column of labels has a feature for each level, and a number may have one that tells where it
//! is missing. A variable puts them together again. A date is several numbers.

use serde::Serialize;

use crate::data::Features;
use crate::table::Coding;
use crate::table::coding::{ColumnCoding, Kind, Reading};

/// One input.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its column, by its place among the columns that are read.
    pub column: usize,
    #[serde(flatten)]
    pub(super) kind: VariableKind,
}

/// What a variable holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum VariableKind {
    Number {
        feature: usize,
        /// The feature that is one where it is missing, if it may be.
        #[serde(skip_serializing_if = "Option::is_none")]
        missing: Option<usize>,
        /// The number in its place.
        #[serde(skip_serializing_if = "Option::is_none")]
        fill: Option<f64>,
    },
    Label {
        states: Vec<State>,
    },
}

/// A state of a label, and the feature that is one in this state; all are zero if there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct State {
    pub(super) name: String,
    /// The feature that is one in it.
    on: Option<usize>,
}

impl Variable {
    /// Its features.
    pub fn features(&self) -> Vec<usize> {
        match &self.kind {
            VariableKind::Number { feature, missing, .. } => {
                [*feature].into_iter().chain(*missing).collect()
            }
            VariableKind::Label { states } => states.iter().filter_map(|state| state.on).collect(),
        }
    }

    /// Whether it holds numbers.
    pub(super) fn is_number(&self) -> bool {
        matches!(self.kind, VariableKind::Number { .. })
    }

    /// Writes a number into a row.
    pub(super) fn put_number(&self, row: &mut [f64], value: Option<f64>) {
        if let VariableKind::Number { feature, missing, fill } = self.kind {
            row[feature] = value.or(fill).unwrap_or(0.0);
            missing.iter().for_each(|&gap| row[gap] = f64::from(u8::from(value.is_none())));
        }
    }

    /// Writes a state into a row.
    pub(super) fn put_state(&self, row: &mut [f64], state: usize) {
        if let VariableKind::Label { states } = &self.kind {
            states.iter().filter_map(|state| state.on).for_each(|feature| row[feature] = 0.0);
            states[state].on.into_iter().for_each(|feature| row[feature] = 1.0);
        }
    }

    /// The number in a row; `None` if it is missing, or there are labels.
    pub fn number(&self, row: &[f64]) -> Option<f64> {
        match &self.kind {
            VariableKind::Number { feature, missing, .. } => {
                (!missing.is_some_and(|gap| row[gap] == 1.0)).then_some(row[*feature])
            }
            VariableKind::Label { .. } => None,
        }
    }

    /// The state in a row; `None` if the label is not known, or there are numbers.
    pub fn state(&self, row: &[f64]) -> Option<usize> {
        let VariableKind::Label { states } = &self.kind else { return None };
        let is = |state: &State| state.on.is_some_and(|feature| row[feature] == 1.0);
        states.iter().position(is).or_else(|| states.iter().position(|state| state.on.is_none()))
    }
}

/// The variables of a coding, in the order of the table.
pub fn variables(coding: &Coding) -> Vec<Variable> {
    let one = |(column, &(first, count, feature)): (usize, &(usize, usize, usize))| {
        of_column(&coding.columns()[first..first + count], column, feature)
    };
    spans(coding).iter().enumerate().flat_map(one).collect()
}

/// For each column of a coding its first coding, how many it has, and its first feature.
pub fn spans(coding: &Coding) -> Vec<(usize, usize, usize)> {
    let (mut spans, mut first, mut feature) = (Vec::new(), 0, 0);
    let same = |a: &ColumnCoding, b: &ColumnCoding| a.column.position == b.column.position;
    for codings in coding.columns().chunk_by(same) {
        spans.push((first, codings.len(), feature));
        first += codings.len();
        feature += codings.iter().map(ColumnCoding::width).sum::<usize>();
    }
    spans
}

/// The variables of one column, from this feature on.
fn of_column(codings: &[ColumnCoding], column: usize, mut feature: usize) -> Vec<Variable> {
    let (mut numbers, mut states, mut missing) = (Vec::new(), Vec::new(), None);
    for coding in codings {
        match (&coding.reading, &coding.kind) {
            (Reading::Missing { .. }, _) => missing = Some(feature),
            (Reading::Other { .. }, _) => {
                states.push(State { name: coding.other_name().into(), on: Some(feature) });
            }
            (Reading::Plain, Kind::Category { levels, .. }) => {
                let left_out = levels.len() - coding.width();
                let on = |k: usize| k.checked_sub(left_out).map(|k| feature + k);
                states.extend(
                    (levels.iter().enumerate())
                        .map(|(k, level)| State { name: level.clone(), on: on(k) }),
                );
            }
            (_, kind) => {
                let fill = if let Kind::Number { fill: Some(fill) } = kind { *fill } else { 0.0 };
                numbers.push((coding.names().remove(0), feature, fill));
            }
        }
        feature += coding.width();
    }
    let name = codings[0].column.name.clone();
    let label = |name: String, states: Vec<State>| Variable {
        name,
        column,
        kind: VariableKind::Label { states },
    };
    if !states.is_empty() {
        states.extend(missing.map(|on| State { name: "missing".into(), on: Some(on) }));
        return vec![label(name, states)];
    }
    let alone = numbers.len() == 1;
    let number = |(name, feature, fill): (String, usize, f64)| {
        let missing = missing.filter(|_| alone);
        let fill = missing.map(|_| fill);
        Variable { name, column, kind: VariableKind::Number { feature, missing, fill } }
    };
    let mut list: Vec<Variable> = numbers.into_iter().map(number).collect();
    if let Some(on) = missing.filter(|_| !alone) {
        let there = State { name: "there".into(), on: None };
        let states = vec![there, State { name: "missing".into(), on: Some(on) }];
        list.push(label(format!("{name}.missing"), states));
    }
    list
}

/// The numbers of a variable that are not missing.
pub fn numbers(variable: &Variable, rows: &Features) -> Vec<f64> {
    (0..rows.rows()).filter_map(|i| variable.number(rows.row(i))).collect()
}

/// The least and the greatest.
pub fn ends(numbers: &[f64]) -> Option<(f64, f64)> {
    let least = numbers.iter().copied().reduce(f64::min)?;
    Some((least, numbers.iter().copied().fold(least, f64::max)))
}
