//! From the fields of a column to its features.

use serde::{Deserialize, Serialize};

use super::column::{ColumnCoding, Kind, number};
use super::levels::Places;
use crate::table::error::Fault;
use crate::table::fields::{Field, Fields};
use crate::table::reading::{Clock, Notation, Point, TimePart};
use crate::table::{Table, TableError};

/// How the fields of a column are read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Reading {
    /// As they are: plain numbers, or labels.
    #[default]
    Plain,
    /// As numbers that people write.
    Written {
        notation: Notation,
        example: String,
        /// Whether a comma or a point could also have the other meaning.
        open: bool,
    },
    /// As dates or times, of which the feature is one part.
    Time {
        clock: Clock,
        part: TimePart,
        /// Whether day and month could also have the other order.
        open: bool,
    },
    /// The feature is one if the value is missing, and zero otherwise.
    Missing { rows: usize },
    /// The feature is one for a label that is none of the most frequent ones.
    Other { levels: Vec<String>, labels: usize, rows: usize },
}

impl Reading {
    pub(crate) fn is_plain(&self) -> bool {
        *self == Self::Plain
    }

    /// Whether it is the first of the readings of a column.
    pub(super) fn is_first(&self) -> bool {
        !matches!(self, Self::Missing { .. } | Self::Other { .. })
    }
}

impl ColumnCoding {
    pub(crate) fn width(&self) -> usize {
        if self.reading.is_plain() { self.kind.width() } else { 1 }
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let column = &self.column.name;
        match &self.reading {
            Reading::Plain => self.kind.names(column),
            Reading::Written { .. } => vec![column.clone()],
            Reading::Time { part, .. } => vec![format!("{column}.{}", part.name())],
            Reading::Missing { .. } => vec![format!("{column}.missing")],
            Reading::Other { .. } => vec![format!("{column}={}", self.other_name())],
        }
    }

    /// What labels are called that are none of the most frequent ones.
    pub(crate) fn other_name(&self) -> &'static str {
        match &self.reading {
            Reading::Other { levels, .. } if levels.iter().any(|level| level == "other") => {
                "(other)"
            }
            _ => "other",
        }
    }

    /// Whether a missing value has a meaning.
    pub fn fills(&self) -> bool {
        matches!(self.reading, Reading::Missing { .. } | Reading::Other { .. }) || self.kind.fills()
    }

    /// Whether the feature is a number, which may be rounded to steps, and not something that holds
    /// or does not.
    pub(super) fn is_rounded(&self) -> bool {
        matches!(self.kind, Kind::Number { .. }) && self.reading.is_first()
    }

    /// The number in row `i` of column `j`; `None` if it is missing.
    pub(super) fn value(
        &self,
        table: &Table,
        i: usize,
        j: usize,
    ) -> Result<Option<f64>, TableError> {
        match &self.reading {
            Reading::Written { notation, .. } => written(table, i, j, notation),
            Reading::Time { clock, part, .. } => match table.field(i, j) {
                Field::Missing => Ok(None),
                field => {
                    let got = field.label().unwrap_or_default();
                    let moment = clock.moment(&got).filter(|_| !matches!(field, Field::Number(_)));
                    let fault = || Fault::ExpectedTime { got: got.clone().into_owned() };
                    let moment = moment.ok_or_else(|| table.field_error(i, j, fault()))?;
                    Ok(Some(moment.part(*part)))
                }
            },
            _ => number(table, i, j),
        }
    }

    /// Writes the features of column `j` into a matrix of zeros, from feature `offset` on. A
    /// missing value without a fill stays zero.
    pub(super) fn encode(
        &self,
        table: &Table,
        j: usize,
        matrix: &mut [f64],
        (offset, dimension): (usize, usize),
    ) -> Result<(), TableError> {
        let fields = &table.columns()[j].fields;
        if let Fields::Unusable(kind, _) = fields {
            return Err(table.column_error(j, Fault::Unusable(kind.clone())));
        }
        let place = |i: usize| i * dimension + offset;
        match (&self.reading, &self.kind) {
            (Reading::Plain, Kind::Category { levels, fill }) => {
                let places = Places::new(levels, self.folded.is_some());
                for (i, field) in fields.iter().enumerate() {
                    let label = field.label();
                    let level = label.as_deref().or(fill.as_deref()).and_then(|l| places.get(l));
                    if let Some(k) = level.and_then(|k| k.checked_sub(self.kind.left_out())) {
                        matrix[place(i) + k] = 1.0;
                    }
                }
            }
            (Reading::Missing { .. }, _) => {
                for (i, field) in fields.iter().enumerate() {
                    matrix[place(i)] = f64::from(u8::from(field == Field::Missing));
                }
            }
            (Reading::Other { levels, .. }, _) => {
                let places = Places::new(levels, self.folded.is_some());
                for (i, field) in fields.iter().enumerate() {
                    let other = field.label().is_some_and(|label| places.get(&label).is_none());
                    matrix[place(i)] = f64::from(u8::from(other));
                }
            }
            (_, kind) => {
                let fill = if let Kind::Number { fill } = kind { *fill } else { None };
                for i in 0..table.rows() {
                    let value = self.value(table, i, j)?.or(fill).unwrap_or(0.0);
                    matrix[place(i)] = self.steps.map_or(value, |steps| steps.round(value));
                }
            }
        }
        Ok(())
    }
}

/// The number in row `i` of column `j`, in this notation. Each cell is decided by itself, whatever
/// the other cells of its table are.
pub(super) fn written(
    table: &Table,
    i: usize,
    j: usize,
    notation: &Notation,
) -> Result<Option<f64>, TableError> {
    let odd = |got: String| {
        let fault = Fault::ExpectedNotation { got, words: notation.words() };
        Err(table.field_error(i, j, fault))
    };
    // A column of numbers in a table that is not text has no spelling: they mean what they are.
    let mixed = matches!(table.columns()[j].fields, Fields::Mixed(..));
    let grouped = table.grouped(j);
    let (spelled, commas) = (mixed || grouped.is_some(), notation.point == Point::Comma);
    match table.field(i, j) {
        Field::Missing => Ok(None),
        Field::Number(v) if notation.percent || notation.unit.is_some() => odd(v.to_string()),
        Field::Number(v) if commas && grouped.is_some_and(|grouped| grouped.holds(i)) => {
            match notation.thousands {
                Some('.') => Ok(Some((1000.0 * v).round())),
                _ => odd(format!("{v:.3}")),
            }
        }
        Field::Number(v) if commas && spelled && v.fract() != 0.0 => odd(v.to_string()),
        Field::Number(_) => number(table, i, j),
        Field::Text(text) => match notation.number(text) {
            Some(value) => Ok(Some(value)),
            None => odd(text.to_owned()),
        },
    }
}
