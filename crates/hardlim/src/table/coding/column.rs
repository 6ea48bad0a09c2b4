//! One column becomes one feature or several.

use serde::{Deserialize, Serialize};

use super::reading::Reading;
use super::steps::Steps;
use crate::table::error::Fault;
use crate::table::fields::{Field, merged};
use crate::table::{Table, TableError, out_of_range};

/// The most levels a stored column of labels may have, and the most classes of a target.
pub(crate) const LEVELS: usize = 1000;
/// The levels of a column of labels that have features: the most frequent ones. All other labels
/// are one level, "other".
pub(super) const FREQUENT: usize = 30;

/// A column of the training table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnRef {
    /// Its name.
    pub name: String,
    /// Its position in the training table, from 0.
    pub position: usize,
}

impl ColumnRef {
    pub(super) fn of(table: &Table, j: usize) -> Self {
        Self { name: table.columns()[j].name.clone(), position: j }
    }
}

/// A column of the training table, and how it becomes features. A column may have several codings,
/// one after the other: a date has one for its days and one for its day of the week.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnCoding {
    /// The column.
    pub column: ColumnRef,
    pub(crate) kind: Kind,
    #[serde(default, skip_serializing_if = "Reading::is_plain")]
    pub(crate) reading: Reading,
    /// If labels that differ by case only are one: a spelling that is not that of its level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) folded: Option<String>,
    /// The steps that its numbers are rounded to, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) steps: Option<Steps>,
}

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Kind {
    /// A number; the column is one feature.
    Number {
        /// What replaces a missing value: the mean of the training table.
        fill: Option<f64>,
    },
    /// One of several labels. Each level is a feature `column=level`: one if the field has that
    /// level, zero otherwise. With two levels the first one has no feature, because it is the
    /// opposite of the second. A label that is not a level is zero in all features.
    Category {
        levels: Vec<String>,
        /// What replaces a missing value: the most frequent level of the training table.
        fill: Option<String>,
    },
}

impl Kind {
    pub(crate) fn width(&self) -> usize {
        match self {
            Self::Number { .. } => 1,
            Self::Category { levels, .. } => levels.len() - self.left_out(),
        }
    }

    /// How many levels have no feature of their own.
    pub(super) fn left_out(&self) -> usize {
        usize::from(matches!(self, Self::Category { levels, .. } if levels.len() == 2))
    }

    pub(crate) fn names(&self, column: &str) -> Vec<String> {
        match self {
            Self::Number { .. } => vec![column.to_owned()],
            Self::Category { levels, .. } => {
                levels[self.left_out()..].iter().map(|level| format!("{column}={level}")).collect()
            }
        }
    }

    pub(crate) fn fills(&self) -> bool {
        match self {
            Self::Number { fill } => fill.is_some(),
            Self::Category { fill, .. } => fill.is_some(),
        }
    }
}

/// The number in a field; `None` if it is missing.
pub(super) fn number(table: &Table, i: usize, j: usize) -> Result<Option<f64>, TableError> {
    match table.field(i, j) {
        Field::Missing => Ok(None),
        Field::Number(value) => match out_of_range(value) {
            None => Ok(Some(value)),
            Some(reason) => Err(table.field_error(i, j, Fault::Range { value, reason })),
        },
        Field::Text(text) => {
            let got = text.to_owned();
            let fault = match merged(text) {
                Some(stands) => Fault::Merged { got, stands },
                None => Fault::ExpectedNumber { got, mixed: false },
            };
            Err(table.field_error(i, j, fault))
        }
    }
}

/// Refuses a column with a number that merges with another one as a double, unless its fields are
/// labels.
pub(super) fn refuse_merged(table: &Table, j: usize, categorical: bool) -> Result<(), TableError> {
    match table.columns()[j].fields.first_merged() {
        Some(i) if !categorical => number(table, i, j).map(drop),
        _ => Ok(()),
    }
}

/// The error for a column of numbers and text. It names the first field of the rarer kind.
pub(super) fn odd_one_out(table: &Table, j: usize) -> TableError {
    let fields = &table.columns()[j].fields;
    let is_text = |field: &Field<'_>| matches!(field, Field::Text(_));
    let is_number = |field: &Field<'_>| matches!(field, Field::Number(_));
    let texts = fields.iter().filter(is_text).count();
    let numbers = fields.iter().filter(is_number).count();
    let odd = |field: &Field<'_>| if texts <= numbers { is_text(field) } else { is_number(field) };
    let i = fields.iter().position(|field| odd(&field)).expect("a mixed column has both");
    let fault = match fields.get(i) {
        Field::Number(got) => Fault::ExpectedText { got },
        field => {
            let got = field.label().unwrap_or_default().into_owned();
            Fault::ExpectedNumber { got, mixed: true }
        }
    };
    table.field_error(i, j, fault)
}

/// Labels in order: by value when all are numbers, by code point otherwise.
pub(super) fn sorted_labels(labels: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut labels: Vec<String> = labels.into_iter().collect();
    labels.sort();
    let numbers: Option<Vec<f64>> = labels
        .iter()
        .map(|label| if let Field::Number(v) = Field::parse(label) { Some(v) } else { None })
        .collect();
    if let Some(numbers) = numbers {
        let mut order: Vec<usize> = (0..labels.len()).collect();
        order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
        labels = order.into_iter().map(|k| std::mem::take(&mut labels[k])).collect();
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_sorted_by_value_or_by_letter() {
        let sorted = |labels: &[&str]| sorted_labels(labels.iter().map(|&l| l.to_owned()));
        assert_eq!(sorted(&["10", "9", "-1"]), ["-1", "9", "10"]);
        assert_eq!(sorted(&["b", "10", "9"]), ["10", "9", "b"]);
        assert!(sorted(&[]).is_empty());
    }

    #[test]
    fn two_levels_are_one_feature_and_three_are_three() {
        let category = |levels: &[&str]| Kind::Category {
            levels: levels.iter().map(|&level| level.to_owned()).collect(),
            fill: None,
        };
        assert_eq!(category(&["a"]).names("c"), ["c=a"]);
        assert_eq!(category(&["a", "b"]).names("c"), ["c=b"]);
        assert_eq!(category(&["a", "b", "d"]).names("c"), ["c=a", "c=b", "c=d"]);
        assert_eq!([1, 2, 3].map(|k| category(&["a", "b", "d"][..k]).width()), [1, 1, 3]);
    }
}
