//! What later tables have that training had not: labels, and missing values.

use std::collections::{BTreeMap, HashSet};

use super::notes::counted;
use super::{Coding, Kind, Reading};
use crate::data::fields::{Field, Fields};
use crate::data::names::clip;
use crate::data::table::Table;
use crate::error::Error;

/// Counts over a table, or over all parts of one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// By column: how many labels are no levels, and the first of them.
    unseen: BTreeMap<String, (usize, String)>,
    /// By column without missing values in training: how many values are missing now.
    missing: BTreeMap<String, usize>,
}

impl Tally {
    /// Adds the counts of a table.
    ///
    /// # Errors
    /// When a column does not exist.
    pub fn add(&mut self, coding: &Coding, table: &Table) -> Result<(), Error> {
        let is_told = |reading: &Reading| matches!(reading, Reading::Missing { .. });
        let told: HashSet<usize> = (coding.columns().iter())
            .filter(|column| is_told(&column.reading))
            .map(|column| column.column.position)
            .collect();
        let mut last = None;
        for column in coding.columns() {
            let j = coding.locate(table, &column.column)?;
            let (name, fields) = (&column.column.name, &table.columns()[j].fields);
            if matches!(fields, Fields::Unusable(..)) || !column.reading.is_first() {
                continue;
            }
            // A date has several codings.
            let again = last.replace(j) == Some(j);
            if let Kind::Category { levels, .. } = &column.kind {
                let levels: HashSet<&str> = levels.iter().map(String::as_str).collect();
                for label in fields.iter().filter_map(Field::label) {
                    if !levels.contains(&*label) {
                        let first = || (0, clip(&label).into_owned());
                        self.unseen.entry(name.clone()).or_insert_with(first).0 += 1;
                    }
                }
            }
            if told.contains(&column.column.position) || again {
                continue;
            }
            let count = fields.iter().filter(|field| *field == Field::Missing).count();
            if count > 0 {
                *self.missing.entry(name.clone()).or_default() += count;
            }
        }
        Ok(())
    }

    /// How many labels were read as "other".
    pub fn unseen(&self) -> usize {
        self.unseen.values().map(|(count, _)| count).sum()
    }

    /// One sentence for each column that has something to tell.
    pub fn notes(&self) -> Vec<String> {
        let unseen = self.unseen.iter().map(|(name, (count, first))| {
            let (name, labels) = (clip(name), counted(*count, "label"));
            let are = if *count == 1 { "is" } else { "are" };
            format!(
                "column {name:?}: {labels} {are} read as \"other\", as training did not see enough of {}: {first:?}{}",
                if *count == 1 { "it" } else { "them" },
                if *count == 1 { "" } else { ", …" },
            )
        });
        let missing = self.missing.iter().map(|(name, count)| {
            let (name, values) = (clip(name), counted(*count, "missing value"));
            format!(
                "column {name:?}: {values}, filled in by the mean or the most frequent label of training, which \
                 had none"
            )
        });
        unseen.chain(missing).collect()
    }
}
