//! What later tables have that training had not: labels, and missing values.

use std::collections::{BTreeMap, HashSet};

use super::levels::Places;
use super::notes::counted;
use super::{Coding, Kind, Reading};
use crate::table::fields::{Field, Fields};
use crate::table::names::clip;
use crate::table::{Table, TableError};

/// How many labels a sentence names.
const SHOWN: usize = 3;

/// Counts over a table, or over all parts of one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// By column: the labels that are no levels.
    unseen: BTreeMap<String, Unseen>,
    /// By column without missing values in training: how many values are missing now.
    missing: BTreeMap<String, usize>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Unseen {
    /// How many rows have one.
    rows: usize,
    /// The first different ones, and whether there are more.
    first: Vec<String>,
    more: bool,
    /// Whether training saw labels that were too rare to be levels.
    rare: bool,
}

impl Unseen {
    fn add(&mut self, label: &str) {
        self.rows += 1;
        if !self.first.iter().any(|known| known == label) {
            if self.first.len() < SHOWN {
                self.first.push(label.to_owned())
            } else {
                self.more = true
            }
        }
    }

    fn note(&self, name: &str) -> String {
        let (name, rows) = (clip(name), counted(self.rows, "row"));
        let (have, labels) = match (self.rows, &self.first[..]) {
            (1, _) => ("has", "a label"),
            (_, [_]) if !self.more => ("have", "a label"),
            _ => ("have", "labels"),
        };
        let new = if self.rare {
            "that training has seen rarely or not at all"
        } else {
            "that training has not seen"
        };
        let first: Vec<String> = self.first.iter().map(|one| format!("{:?}", clip(one))).collect();
        let (first, more) = (first.join(", "), if self.more { ", …" } else { "" });
        format!("column {name:?}: {rows} {have} {labels} {new}, read as \"other\": {first}{more}")
    }
}

impl Tally {
    /// Adds the counts of a table.
    pub fn add(&mut self, coding: &Coding, table: &Table) -> Result<(), TableError> {
        let is_told = |reading: &Reading| matches!(reading, Reading::Missing { .. });
        let told: HashSet<usize> = (coding.columns().iter())
            .filter(|column| is_told(&column.reading))
            .map(|column| column.column.position)
            .collect();
        let mut last = None;
        for column in coding.columns() {
            let j = coding.locate(table, &column.column)?;
            let (name, fields) = (&column.column.name, &table.columns()[j].fields);
            if let (Reading::Other { .. }, Some(unseen)) =
                (&column.reading, self.unseen.get_mut(name))
            {
                unseen.rare = true;
            }
            if matches!(fields, Fields::Unusable(..)) || !column.reading.is_first() {
                continue;
            }
            // A date has several codings.
            let again = last.replace(j) == Some(j);
            if let Kind::Category { levels, .. } = &column.kind {
                let places = Places::new(levels, column.folded.is_some());
                for label in fields.iter().filter_map(Field::label) {
                    if places.get(&label).is_none() {
                        self.unseen.entry(name.clone()).or_default().add(&label);
                    }
                }
            }
            if told.contains(&column.column.position) || again {
                continue;
            }
            let count = fields.missing().count();
            if count > 0 {
                *self.missing.entry(name.clone()).or_default() += count;
            }
        }
        Ok(())
    }

    /// How many cells have labels that were read as "other".
    pub fn unseen(&self) -> usize {
        self.unseen.values().map(|unseen| unseen.rows).sum()
    }

    /// One sentence for each column that has something to tell.
    pub fn notes(&self) -> Vec<String> {
        let unseen = self.unseen.iter().map(|(name, unseen)| unseen.note(name));
        let missing = self.missing.iter().map(|(name, count)| {
            let (name, values) = (clip(name), counted(*count, "missing value"));
            format!(
                "column {name:?}: {values}, filled in by the mean or the most frequent label of \
                 training, which \
                 had none"
            )
        });
        unseen.chain(missing).collect()
    }
}
