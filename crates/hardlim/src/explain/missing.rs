//! What rules answer where a cell is missing.
//!
//! Where training had missing cells in a column, a feature tells them, and a number has a value in
//! their place ([`crate::table::Missing`]). A neuron that reads this column alone gives all of them
//! one answer. Sums read the value.

use std::collections::BTreeSet;

use serde::Serialize;

use super::rule::Term;
use crate::data::Features;
use crate::network::Neuron;
use crate::table::Coding;
use crate::table::coding::{Kind, Reading};

/// What a rule answers where the column that it reads is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct WhereMissing {
    /// Whether it holds there.
    pub holds: bool,
    /// The number of rows where the column is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
}

/// The columns that may be missing; one for each column of the coding.
pub(super) struct Gaps(Vec<Option<Gap>>);

struct Gap {
    /// The feature that tells it.
    feature: usize,
    /// The features of the column where it is missing, from the first on.
    first: usize,
    values: Vec<f64>,
    /// The numbers among them, by the names of their features.
    numbers: Vec<(String, f64)>,
    rows: Option<usize>,
}

impl Gaps {
    pub(super) fn of(coding: &Coding, rows: Option<&Features>) -> Self {
        let mut codings = coding.columns().iter().peekable();
        let mut gaps = Vec::new();
        for (column, features) in coding.features_by_column() {
            let (mut values, mut numbers) = (Vec::new(), Vec::new());
            let mut feature = None;
            while let Some(coding) = codings.next_if(|coding| coding.column == *column) {
                match (&coding.reading, &coding.kind) {
                    (Reading::Missing { .. }, _) => {
                        feature = Some(features.start + values.len());
                        values.push(1.0);
                    }
                    (_, Kind::Number { fill: Some(fill) }) => {
                        let fill = coding.steps.map_or(*fill, |steps| steps.round(*fill));
                        numbers.push((coding.names().remove(0), fill));
                        values.push(fill);
                    }
                    _ => values.extend(vec![0.0; coding.width()]),
                }
            }
            let gap = |feature: usize| Gap {
                feature,
                first: features.start,
                values,
                numbers,
                rows: rows
                    .map(|rows| (0..rows.rows()).filter(|&i| rows.row(i)[feature] == 1.0).count()),
            };
            gaps.push(feature.map(gap));
        }
        Self(gaps)
    }

    /// The answer of a neuron that reads one of these columns, and not only whether it is missing.
    pub(super) fn answer(
        &self,
        neuron: &Neuron,
        columns: &BTreeSet<usize>,
    ) -> Option<WhereMissing> {
        let column = columns.first().filter(|_| columns.len() == 1)?;
        let gap = self.0[*column].as_ref()?;
        if neuron.terms().all(|(input, weight)| weight == 0.0 || input == gap.feature) {
            return None;
        }
        let width = neuron.terms().map(|(input, _)| input + 1).max().unwrap_or(0);
        let mut row = vec![0.0; width.max(gap.first + gap.values.len())];
        row[gap.first..][..gap.values.len()].copy_from_slice(&gap.values);
        Some(WhereMissing { holds: neuron.fires(&row), rows: gap.rows })
    }

    /// The numbers among the terms of a sum that stand for missing ones, by their places.
    pub(super) fn filled(&self, terms: &[Term]) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        for (c, gap) in self.0.iter().enumerate() {
            for (k, (name, _)) in gap.iter().flat_map(|gap| &gap.numbers).enumerate() {
                if terms.iter().any(|term| term.is_number() && term.name == *name) {
                    places.push((c, k));
                }
            }
        }
        places
    }

    /// These numbers by name.
    pub(super) fn named(&self, places: BTreeSet<(usize, usize)>) -> Vec<(String, f64)> {
        let number = |(c, k): (usize, usize)| self.0[c].as_ref().map(|gap| gap.numbers[k].clone());
        places.into_iter().filter_map(number).collect()
    }
}
