//! The inputs of a model as people see them: numbers and labels, instead of features.
//!
//! A column of labels has a feature for each level, and a number may have one that tells where it is
//! missing. A variable puts them together again. A date is several numbers.

use serde::Serialize;

use super::rounded;
use super::subject::Subject;
use crate::data::coding::{ColumnCoding, Kind, Reading};
use crate::data::{Coding, Features};

/// One input.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Variable {
    pub(super) name: String,
    /// Its column, by its place among the columns that are read.
    pub(super) column: usize,
    pub(super) kind: VariableKind,
}

/// What a variable holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum VariableKind {
    /// A number, and the feature that is one if it is missing.
    Number { feature: usize, missing: Option<Gap> },
    /// One of several states.
    Label { states: Vec<State> },
}

/// A missing number: the feature that tells, and the number in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gap {
    pub(super) feature: usize,
    pub(super) fill: f64,
}

/// A state of a label, and the feature that is one in this state; all are zero if there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct State {
    pub(super) name: String,
    pub(super) on: Option<usize>,
}

impl Variable {
    /// Its features.
    pub(super) fn features(&self) -> Vec<usize> {
        match &self.kind {
            VariableKind::Number { feature, missing } => {
                [*feature].into_iter().chain(missing.map(|gap| gap.feature)).collect()
            }
            VariableKind::Label { states } => states.iter().filter_map(|state| state.on).collect(),
        }
    }

    /// Writes a number into a row.
    pub(super) fn put_number(&self, row: &mut [f64], value: Option<f64>) {
        if let VariableKind::Number { feature, missing } = &self.kind {
            row[*feature] = value.or(missing.map(|gap| gap.fill)).unwrap_or(0.0);
            missing.iter().for_each(|gap| row[gap.feature] = f64::from(u8::from(value.is_none())));
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
    pub(super) fn number(&self, row: &[f64]) -> Option<f64> {
        match &self.kind {
            VariableKind::Number { feature, missing } => {
                (!missing.is_some_and(|gap| row[gap.feature] == 1.0)).then_some(row[*feature])
            }
            VariableKind::Label { .. } => None,
        }
    }

    /// The state in a row; `None` if the label is not known, or there are numbers.
    pub(super) fn state(&self, row: &[f64]) -> Option<usize> {
        let VariableKind::Label { states } = &self.kind else { return None };
        let is = |state: &State| state.on.is_some_and(|feature| row[feature] == 1.0);
        states.iter().position(is).or_else(|| states.iter().position(|state| state.on.is_none()))
    }
}

/// The variables of a coding.
pub(super) struct Variables {
    pub(super) list: Vec<Variable>,
    /// For each column its first coding, how many it has, and its first feature.
    spans: Vec<(usize, usize, usize)>,
}

impl Variables {
    pub(super) fn of(coding: &Coding) -> Self {
        let (mut list, mut spans) = (Vec::new(), Vec::new());
        let (mut first, mut feature) = (0, 0);
        let same = |a: &ColumnCoding, b: &ColumnCoding| a.column.position == b.column.position;
        for codings in coding.columns().chunk_by(same) {
            list.extend(variables(codings, spans.len(), feature));
            spans.push((first, codings.len(), feature));
            first += codings.len();
            feature += codings.iter().map(ColumnCoding::width).sum::<usize>();
        }
        Self { list, spans }
    }

    /// The columns, for the controls of the page.
    pub(super) fn columns<'a>(&self, subject: &'a Subject<'_>) -> Vec<Column<'a>> {
        let codings = subject.model.coding().columns();
        let used = used(subject);
        let shares = shares(subject);
        let column = |(k, &(first, count, feature)): (usize, &(usize, usize, usize))| {
            let own = self.list.iter().filter(|variable| variable.column == k);
            let read = own.clone().any(|variable| variable.features().iter().any(|&f| used[f]));
            let range = own.filter(|_| read).map(|variable| range(variable, &subject.features));
            Column {
                name: &codings[first].column.name,
                codings: [first, count],
                feature,
                read,
                share: rounded(shares[k]),
                ranges: range.collect(),
            }
        };
        self.spans.iter().enumerate().map(column).collect()
    }

    /// The variables, for the scripts of the page.
    pub(super) fn shown(&self) -> Vec<Shown<'_>> {
        self.list.iter().map(Shown::of).collect()
    }
}

/// A column of the table.
#[derive(Debug, Serialize)]
pub(super) struct Column<'a> {
    name: &'a str,
    /// Its first coding, and how many it has.
    codings: [usize; 2],
    /// Its first feature.
    feature: usize,
    /// Whether a network reads it.
    read: bool,
    /// Its share in the changes of the output.
    share: f64,
    /// For each variable the least and the greatest number, and the deviation; none for labels.
    ranges: Vec<Option<[f64; 3]>>,
}

/// A variable as the scripts know it.
#[derive(Debug, Serialize)]
pub(super) struct Shown<'a> {
    name: &'a str,
    column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    feature: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fill: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<&'a [State]>,
}

impl<'a> Shown<'a> {
    fn of(variable: &'a Variable) -> Self {
        let (feature, gap, states) = match &variable.kind {
            VariableKind::Number { feature, missing } => (Some(*feature), *missing, None),
            VariableKind::Label { states } => (None, None, Some(&states[..])),
        };
        let (missing, fill) = (gap.map(|gap| gap.feature), gap.map(|gap| gap.fill));
        Self { name: &variable.name, column: variable.column, feature, missing, fill, states }
    }
}

/// The variables of one column, from this feature on.
fn variables(codings: &[ColumnCoding], column: usize, mut feature: usize) -> Vec<Variable> {
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
        let missing = missing.filter(|_| alone).map(|feature| Gap { feature, fill });
        Variable { name, column, kind: VariableKind::Number { feature, missing } }
    };
    let mut list: Vec<Variable> = numbers.into_iter().map(number).collect();
    if let Some(on) = missing.filter(|_| !alone) {
        let there = State { name: "there".into(), on: None };
        let states = vec![there, State { name: "missing".into(), on: Some(on) }];
        list.push(label(format!("{name}.missing"), states));
    }
    list
}

/// Which features the networks of a model read.
fn used(subject: &Subject<'_>) -> Vec<bool> {
    let mut used = vec![false; subject.features.dimension()];
    for network in subject.model.networks() {
        for (input, weight) in network.layers()[0].neurons.iter().flat_map(|n| n.terms()) {
            used[input] |= weight != 0.0;
        }
    }
    used
}

/// The share of each column in the changes of the output.
fn shares(subject: &Subject<'_>) -> Vec<f64> {
    let rows = subject.features.rows();
    let data = crate::data::Dataset::new(subject.features.clone(), &vec![0.0; rows], None);
    let data = data.expect("rows that were read");
    subject.model.shares(&data).into_iter().map(|(_, share)| share).collect()
}

fn range(variable: &Variable, rows: &Features) -> Option<[f64; 3]> {
    let numbers = numbers(variable, rows);
    let (least, most) = ends(&numbers)?;
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let spread = numbers.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
    Some([least, most, rounded(spread.sqrt())])
}

/// The numbers of a variable that are not missing.
pub(super) fn numbers(variable: &Variable, rows: &Features) -> Vec<f64> {
    (0..rows.rows()).filter_map(|i| variable.number(rows.row(i))).collect()
}

/// The least and the greatest.
pub(super) fn ends(numbers: &[f64]) -> Option<(f64, f64)> {
    let least = numbers.iter().copied().reduce(f64::min)?;
    Some((least, numbers.iter().copied().fold(least, f64::max)))
}
