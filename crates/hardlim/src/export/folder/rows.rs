//! The rows of an export, and the comparison of its integers with the model on them.
//!
//! On the training rows the answers are promised: integer weights lie inside the cells of the neurons, and
//! rounding an input to the grid keeps every answer. On other rows an input may cross a hyperplane when it
//! is rounded. There the differences are counted, and the first row is named.

use rayon::prelude::*;
use serde_json::json;

use super::finding::Finding;
use crate::data::Features;
use crate::error::Error;
use crate::export::Circuit;
use crate::model::Model;
use crate::table::Table;

/// Rows that become test inputs.
#[derive(Debug, Clone)]
pub struct Rows {
    features: Features,
    /// The rows that the model was not trained on, and the numbers that people know them by.
    new: Vec<(usize, u64)>,
}

impl Rows {
    /// The rows of a table.
    ///
    /// # Errors
    /// When the table does not match the coding of the model.
    pub fn of(model: &Model, table: &Table) -> Result<Self, Error> {
        let features = model.coding().features(table)?;
        let new = model.new_rows(table).into_iter().map(|i| (i, table.row_number(i))).collect();
        Ok(Self { features, new })
    }

    /// The training rows.
    pub fn trained(features: Features) -> Self {
        Self { features, new: Vec::new() }
    }

    /// Rows that the model was not trained on.
    pub fn untrained(features: Features) -> Self {
        let new = (0..features.rows()).map(|i| (i, i as u64 + 1)).collect();
        Self { features, new }
    }

    /// The rows as read.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// Whether there are rows that the model was not trained on.
    pub(super) fn has_new(&self) -> bool {
        !self.new.is_empty()
    }

    /// Compares the integers of the rounded rows with the model on the rows as read.
    pub(super) fn compare(&self, model: &Model, circuit: &Circuit) -> Vec<Finding> {
        let outputs = model.outputs_of(&self.features);
        let other = |i: usize| -> (bool, bool) {
            let sums = circuit.sums(&circuit.integers(self.features.row(i)));
            let own: Vec<f64> = outputs.iter().map(|output| output[i]).collect();
            let class = circuit.answer.class(&sums) != circuit.answer.class_of_outputs(&own);
            (class, sums.iter().zip(&own).any(|(&sum, &output)| circuit.output(sum) != output))
        };
        let others: Vec<(bool, bool)> =
            (0..self.features.rows()).into_par_iter().map(other).collect();
        let mut is_new = vec![false; others.len()];
        self.new.iter().for_each(|&(i, _)| is_new[i] = true);
        let trained =
            || others.iter().zip(&is_new).filter(|(_, new)| !**new).map(|(other, _)| other);
        let mut findings = Vec::new();
        let inputs = trained().count();
        if inputs > 0 {
            let (tool, rounded) = ("hardlim", circuit.rounded);
            let mut what =
                "the integers of the rounded training rows and the model on the rows as read"
                    .to_owned();
            if !circuit.answer.labels().is_empty() {
                let mismatches = trained().filter(|other| other.0).count();
                let classes = format!("{what}, class for class");
                findings.push(Finding::Compared {
                    tool,
                    what: classes,
                    inputs,
                    mismatches,
                    left_out: 0,
                });
                what = "the same".into();
            }
            let off = trained().filter(|other| other.1).count();
            what += ", output for output";
            findings.push(if rounded == 0 {
                Finding::Compared { tool, what, inputs, mismatches: off, left_out: 0 }
            } else {
                // The integers are a network of their own.
                what += &format!(": {inputs} rows, {off} with another output, because {rounded} neurons were rounded");
                let numbers = json!({ "inputs": inputs, "other_outputs": off });
                Finding::Noted { tool, what, numbers }
            });
        }
        findings.extend(self.on_new(&others, circuit));
        findings
    }

    /// What differs on rows that the model was not trained on.
    fn on_new(&self, others: &[(bool, bool)], circuit: &Circuit) -> Option<Finding> {
        let count = self.new.len();
        if count == 0 {
            return None;
        }
        let outputs = self.new.iter().filter(|&&(i, _)| others[i].1).count();
        let classes = self.new.iter().filter(|&&(i, _)| others[i].0).count();
        let first = self.new.iter().find(|&&(i, _)| others[i].1).map(|&(_, number)| number);
        let mut what = format!(
            "{count} rows that were not trained on, rounded and as read: {outputs} with another output"
        );
        if !circuit.answer.labels().is_empty() {
            what += &format!(", {classes} with another class");
        }
        if let Some(row) = first {
            what += &format!("; the first is row {row}");
        }
        let numbers = json!({
            "new_rows": count, "other_outputs": outputs, "other_classes": classes, "first_row": first,
        });
        Some(Finding::Noted { tool: "hardlim", what, numbers })
    }
}
