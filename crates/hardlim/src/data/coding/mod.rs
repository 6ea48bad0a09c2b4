//! How columns become `X`, `y` and sample weights. The training table decides, and every later
//! table follows.
//!
//! Columns are matched by name; they may come in any order, with other columns between them. In a
//! table without a header they are matched by position, with or without the target.

mod check;
mod column;
mod inputs;
mod numbers;
mod options;
mod target;

pub use column::{ColumnCoding, ColumnRef, Kind, LEVELS};
pub use inputs::Inputs;
pub use options::{CodingOptions, Missing, Task};
pub use target::{FEW_CLASSES, TargetCoding};

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::Dataset;
use super::fault::Fault;
use super::features::Features;
use super::table::Table;
use crate::error::Error;

/// What the columns of a training table mean. A stored coding is checked when it is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts")]
pub struct Coding(Parts);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    /// The number of columns of the training table.
    width: usize,
    features: Vec<ColumnCoding>,
    target: TargetCoding,
    weight: Option<ColumnRef>,
    ignored: Vec<ColumnRef>,
    /// Whether all classes have the same total weight.
    balanced: bool,
}

impl Coding {
    /// Decides what the columns of a training table mean.
    ///
    /// # Errors
    /// When a column does not exist, mixes numbers and text, or has missing values; when the target
    /// has one class or too many; when there are fewer than two rows or no feature.
    pub fn fit(table: &Table, options: &CodingOptions) -> Result<Self, Error> {
        if table.rows() < 2 {
            return Err(table.error(Fault::TooFewRows { found: table.rows() }));
        }
        let find_all = |names: &[String]| -> Result<Vec<usize>, Error> {
            names.iter().map(|name| table.find(name)).collect()
        };
        let ignored = find_all(&options.ignore)?;
        let categorical = find_all(&options.categorical)?;
        let weight = options.weight_column.as_ref().map(|name| table.find(name)).transpose()?;
        let width = table.columns().len();
        let free = |j: &usize| !ignored.contains(j) && Some(*j) != weight;
        let target = options.target_position(table)?;
        let roles = [("the target", Some(target)), ("the weight", weight)];
        for (one, j) in roles {
            if let Some(j) = j.filter(|j| ignored.contains(j)) {
                return Err(table.column_error(j, Fault::Conflict { one, other: "ignored" }));
            }
        }
        if weight == Some(target) {
            let fault = Fault::Conflict { one: "the target", other: "the weight" };
            return Err(table.column_error(target, fault));
        }
        let reference = |j: usize| ColumnRef { name: table.columns()[j].name.clone(), position: j };
        let is_categorical = |j: usize| categorical.contains(&j);
        let target_coding = TargetCoding::fit(table, target, is_categorical(target), options.task)?;
        let features = (0..width)
            .filter(|j| free(j) && *j != target)
            .map(|j| {
                let kind = Kind::fit(table, j, is_categorical(j), options.missing)?;
                Ok(ColumnCoding { column: reference(j), kind })
            })
            .collect::<Result<Vec<_>, Error>>()?;
        if features.is_empty() {
            return Err(table.error(Fault::NoFeatures { columns: width }));
        }
        let ignored = (0..width).filter(|j| ignored.contains(j)).map(reference).collect();
        let weight = weight.map(reference);
        let balanced = options.balanced;
        if balanced && target_coding.classes().is_none() {
            return Err(table.column_error(target, Fault::NoClasses));
        }
        let parts = Parts { width, features, target: target_coding, weight, ignored, balanced };
        let coding = Self(parts);
        inputs::refuse_missing(table, &coding.located(table)?)?;
        coding.weights(table)?;
        Ok(coding)
    }

    /// The columns that become features, in order.
    pub fn columns(&self) -> &[ColumnCoding] {
        &self.0.features
    }

    /// The target.
    pub fn target(&self) -> &TargetCoding {
        &self.0.target
    }

    /// The column of sample weights, if there is one.
    pub fn weight(&self) -> Option<&ColumnRef> {
        self.0.weight.as_ref()
    }

    /// The columns that are left out.
    pub fn ignored(&self) -> &[ColumnRef] {
        &self.0.ignored
    }

    /// The number of features.
    pub fn dimension(&self) -> usize {
        self.columns().iter().map(|coding| coding.kind.width()).sum()
    }

    /// The names of the features: the name of the column, or `column=level`.
    pub fn feature_names(&self) -> Vec<String> {
        self.columns().iter().flat_map(|coding| coding.kind.names(&coding.column.name)).collect()
    }

    /// Whether a table has the target column.
    pub fn has_target(&self, table: &Table) -> bool {
        self.locate(table, self.target().column()).is_ok()
    }

    /// `X`, from a table with or without the target.
    ///
    /// # Errors
    /// When a column does not exist; when a field is not a number where one is expected, or is out
    /// of range; when a value is missing and there is nothing to fill it with.
    pub fn features(&self, table: &Table) -> Result<Features, Error> {
        inputs::encode(table, &self.located(table)?)
    }

    /// `y`: −1 and +1 for two classes, the index of the class for several, the number itself
    /// otherwise.
    ///
    /// # Errors
    /// When the column does not exist; when a field is missing, has an unknown class, or is not a
    /// number.
    pub fn targets(&self, table: &Table) -> Result<Vec<f64>, Error> {
        self.target().encode(table, self.locate(table, self.target().column())?)
    }

    /// The sample weights, if the coding has a column of them.
    ///
    /// # Errors
    /// When the column does not exist; when a weight is missing, not a number, or negative; when
    /// all weights are zero.
    pub fn weights(&self, table: &Table) -> Result<Option<Vec<f64>>, Error> {
        let Some(column) = self.weight() else { return Ok(None) };
        let j = self.locate(table, column)?;
        let weight = |i: usize| match column::number(table, i, j)? {
            Some(s) if s >= 0.0 => Ok(s),
            Some(got) => Err(table.field_error(i, j, Fault::NegativeWeight { got })),
            None => Err(table.field_error(i, j, Fault::MissingValue { what: "sample weight" })),
        };
        let weights = (0..table.rows()).map(weight).collect::<Result<Vec<_>, Error>>()?;
        if weights.iter().all(|&s| s == 0.0) {
            return Err(table.column_error(j, Fault::NoWeight));
        }
        Ok(Some(weights))
    }

    /// The weight of each sample in training; `None` if every sample weighs one. If classes are
    /// balanced, the weights are scaled so that all classes have the same total weight.
    ///
    /// # Errors
    /// As for [`Coding::targets`] and [`Coding::weights`].
    pub fn sample_weights(&self, table: &Table) -> Result<Option<Vec<f64>>, Error> {
        let mut weights = self.weights(table)?;
        if self.0.balanced {
            let y = match self.target() {
                // The classes of the table, not one class against the rest.
                TargetCoding::Against { column, classes, .. } => {
                    let (column, classes) = (column.clone(), classes.clone());
                    let several = TargetCoding::Several { column, classes };
                    several.encode(table, self.locate(table, several.column())?)?
                }
                _ => self.targets(table)?,
            };
            balance(&y, weights.get_or_insert_with(|| vec![1.0; y.len()]));
        }
        Ok(weights)
    }

    /// The training set: features, targets and [`Coding::sample_weights`].
    ///
    /// # Errors
    /// As for [`Coding::features`], [`Coding::targets`] and [`Coding::weights`].
    pub fn dataset(&self, table: &Table) -> Result<Dataset, Error> {
        let (x, y) = (self.features(table)?, self.targets(table)?);
        self.grouped(x, &y, self.sample_weights(table)?.as_deref())
    }

    /// The training set of these features, targets and training weights.
    fn grouped(&self, x: Features, y: &[f64], weights: Option<&[f64]>) -> Result<Dataset, Error> {
        match self.networks() {
            1 => Dataset::new(x, y, weights),
            classes => Dataset::of_classes(x, y, weights, classes),
        }
    }

    /// The number of networks of a model for this target: one for each class if there are several,
    /// otherwise one.
    pub fn networks(&self) -> usize {
        match self.target() {
            TargetCoding::Several { classes, .. } => classes.len(),
            _ => 1,
        }
    }

    /// The coding of one network of a model: its class against the rest if there are several
    /// classes, otherwise this coding.
    pub fn of_network(&self, network: usize) -> Self {
        match self.target() {
            TargetCoding::Several { .. } => self.against_rest(network),
            _ => self.clone(),
        }
    }

    /// The same columns, with one of several classes against the rest as the target.
    ///
    /// # Panics
    /// When there are fewer than three classes, or `class` is not one of them.
    pub fn against_rest(&self, class: usize) -> Self {
        Self(Parts { target: self.target().against_rest(class), ..self.0.clone() })
    }

    /// The position of a training column in this table.
    pub(crate) fn locate(&self, table: &Table, column: &ColumnRef) -> Result<usize, Error> {
        if table.named() {
            return table.position(&column.name).ok_or_else(|| table.no_column(&column.name));
        }
        let (found, expected) = (table.columns().len(), self.0.width);
        let target = self.target().column().position;
        if found == expected {
            Ok(column.position)
        } else if found + 1 != expected {
            Err(table.error(Fault::Width { expected, found }))
        } else if column.position == target {
            Err(table.no_column(&column.name))
        } else {
            Ok(column.position - usize::from(column.position > target))
        }
    }

    /// The positions of the features in this table, and what they hold.
    fn located(&self, table: &Table) -> Result<Vec<(usize, &Kind)>, Error> {
        let place = |c: &'_ ColumnCoding| self.locate(table, &c.column);
        self.columns().iter().map(|c| Ok((place(c)?, &c.kind))).collect()
    }
}

/// Scales the weights so that all classes with a positive weight have the same total.
fn balance(y: &[f64], weights: &mut [f64]) {
    let total: f64 = weights.iter().sum();
    let mut sums: HashMap<u64, f64> = HashMap::new();
    for (y, s) in y.iter().zip(&*weights) {
        *sums.entry(y.to_bits()).or_default() += s;
    }
    let classes = sums.values().filter(|sum| **sum > 0.0).count() as f64;
    for (s, y) in weights.iter_mut().zip(y).filter(|(s, _)| **s > 0.0) {
        *s *= total / (classes * sums[&y.to_bits()]);
    }
}

#[cfg(test)]
mod tests;
