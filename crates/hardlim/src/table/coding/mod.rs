//! How columns become `X`, `y` and sample weights. The training table decides, and every later
//! table follows.
//!
//! Columns are matched by name; they may come in any order, with other columns between them. In a
//! table without a header they are matched by position, with or without the target.

mod check;
mod column;
mod describe;
mod form;
mod inputs;
mod judge;
mod levels;
mod notes;
mod numbers;
mod options;
mod reading;
mod remark;
mod steps;
mod tally;
mod target;

pub(crate) use column::Kind;
pub(crate) use column::LEVELS;
pub use column::{ColumnCoding, ColumnRef};
pub use describe::{ColumnDescription, Description};
pub(crate) use inputs::inputs;
pub(crate) use judge::{LeftOut, Reason};
pub(crate) use notes::counted;
pub use options::{CodingOptions, Missing, Task};
pub(crate) use reading::Reading;
pub(crate) use steps::Steps;
pub use tally::Tally;
pub(crate) use target::FEW_CLASSES;
pub use target::TargetCoding;

use std::collections::HashMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Table;
use super::error::Fault;
use super::reading::Notation;
use crate::table::TableError;
use form::Form;
use judge::Kept;
use remark::Remark;

/// What the columns of a training table mean. A stored coding is checked when it is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub struct Coding(Stored);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    width: usize,
    features: Vec<ColumnCoding>,
    target: TargetCoding,
    weight: Option<ColumnRef>,
    ignored: Vec<ColumnRef>,
    balanced: bool,
    /// Columns from which nothing can be learnt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOut>,
    /// How the numbers of the target are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target_notation: Option<Notation>,
    /// If classes that differ by case only are one: a spelling that is not that of its class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target_folded: Option<String>,
    /// The number of values of the target, if it is a number of few whole values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    few_values: Option<usize>,
    /// The most bits of an input and of a neuron's weight, if training was asked for few.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bits: Option<u32>,
    /// What else training tells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<Remark>,
}

impl Stored {
    fn of_target(target: TargetCoding) -> Self {
        Self {
            width: 0,
            features: Vec::new(),
            target,
            weight: None,
            ignored: Vec::new(),
            balanced: false,
            left_out: Vec::new(),
            target_notation: None,
            target_folded: None,
            few_values: None,
            bits: None,
            remarks: Vec::new(),
        }
    }
}

impl Coding {
    /// Decides what the columns of a training table mean.
    ///
    /// # Errors
    /// When a column does not exist, or mixes numbers and text; when values are missing and the
    /// options refuse them; when the target has one class or too many; when there are fewer than
    /// two rows or no feature; when the bits of inputs are out of range.
    pub fn fit(table: &Table, options: &CodingOptions) -> Result<Self, TableError> {
        if table.rows() < 2 {
            return Err(table.error(Fault::TooFewRows { found: table.rows() }));
        }
        let ignored = table.find_all(&options.ignore)?;
        let categorical = table.find_all(&options.categorical)?;
        let weight = table.find_all(&options.weight_column)?.pop();
        let target = options.target_position(table)?;
        let conflict = |j, one, other| table.column_error(j, Fault::Conflict { one, other });
        for (one, j) in [("the target", Some(target)), ("the weight", weight)] {
            if let Some(j) = j.filter(|j| ignored.contains(j)) {
                return Err(conflict(j, one, "ignored"));
            }
        }
        if weight == Some(target) {
            return Err(conflict(target, "the target", "the weight"));
        }
        let width = table.columns().len();
        let free = |j: &usize| !ignored.contains(j) && Some(*j) != weight;
        let is_categorical = |j: usize| categorical.contains(&j);
        let commas = form::commas(table);
        let (target_coding, found) =
            TargetCoding::read(table, target, is_categorical(target), options.task, commas)?;
        let mut remarks = Vec::new();
        let keep = table.find_all(&options.keep)?;
        let (mut kept, mut features, mut left_out) = (Kept::new(), Vec::new(), Vec::new());
        for j in (0..width).filter(|j| free(j) && *j != target) {
            let form = Form::of(table, j, is_categorical(j), commas);
            let reason = judge::reason(&mut kept, (table, target), j, &form, is_categorical(j));
            remarks.extend(Remark::of(&table.columns()[j], &form, reason.as_ref()));
            match reason.filter(|_| !options.keep_all && !keep.contains(&j)) {
                Some(reason) => left_out.push(LeftOut { column: ColumnRef::of(table, j), reason }),
                None => features.extend(form::codings(table, j, &form, options.missing)?),
            }
        }
        if features.is_empty() {
            // Whole numbers that are all different may be the only input there is.
            if let Some(k) = left_out.iter().position(|out| out.is_sequence(table)) {
                let ColumnRef { name, position } = left_out.remove(k).column;
                features = form::codings(table, position, &Form::Numbers, options.missing)?;
                remarks.push(Remark::OnlyInput { column: name });
            }
        }
        if features.is_empty() {
            let why = LeftOut::why_nothing_is_left(&left_out);
            return Err(table.error(Fault::NoFeatures { columns: width, why }));
        }
        let reference = |j: usize| ColumnRef::of(table, j);
        let ignored = (0..width).filter(|j| ignored.contains(j)).map(reference).collect();
        let weight = weight.map(reference);
        let balanced = options.balanced;
        if balanced && target_coding.classes().is_none() {
            return Err(table.column_error(target, Fault::NoClasses));
        }
        let target_coding = match &options.positive {
            Some(label) => target_coding
                .with_positive(label, !is_categorical(target))
                .map_err(|fault| table.column_error(target, fault))?,
            None => target_coding,
        };
        let target_folded = match target_coding.classes() {
            Some(_) if !is_categorical(target) => {
                form::level_counts(table, target, &Form::Labels).1
            }
            _ => None,
        };
        if let Some(found) = &found {
            let example = form::example(table, target);
            remarks.push(Remark::Target { example, open: found.ambiguous });
        }
        let mut coding = Self(Stored {
            width,
            features,
            weight,
            ignored,
            balanced,
            left_out,
            target_notation: found.map(|found| found.notation),
            target_folded,
            remarks,
            ..Stored::of_target(target_coding)
        });
        if options.task == Task::Auto && coding.target().classes().is_none() {
            coding.0.few_values = target::few_whole_values(&coding.targets(table)?);
        }
        inputs::refuse_missing(table, &coding.located(table)?)?;
        coding.weights(table)?;
        match options.bits {
            None => Ok(coding),
            Some(bits) => {
                let x = coding.encode(table)?;
                coding.with_steps(&x, bits).map_err(|fault| table.error(fault))
            }
        }
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

    /// Whether the case of letters has no meaning in the labels of the target.
    pub(crate) fn target_in_any_case(&self) -> bool {
        self.0.target_folded.is_some()
    }

    /// Whether the target has plain numbers or labels.
    pub(crate) fn target_is_plain(&self) -> bool {
        self.0.target_notation.is_none()
    }

    /// Whether all classes have the same total weight.
    pub fn balanced(&self) -> bool {
        self.0.balanced
    }

    /// What happens to missing values.
    pub fn missing(&self) -> Missing {
        let mut pairs = self.columns().windows(2);
        let tells = |coding: &ColumnCoding| matches!(coding.reading, Reading::Missing { .. });
        if !self.columns().iter().any(ColumnCoding::fills) {
            Missing::Error
        } else if pairs.any(|pair| pair[0].column == pair[1].column && tells(&pair[0])) {
            Missing::Apart
        } else {
            Missing::Mean
        }
    }

    /// The columns that the user leaves out.
    pub fn ignored(&self) -> &[ColumnRef] {
        &self.0.ignored
    }

    pub(crate) fn left_out(&self) -> &[LeftOut] {
        &self.0.left_out
    }

    /// Whether every column holds plain numbers and is one input.
    pub fn is_numeric(&self) -> bool {
        let number = |column: &ColumnCoding| {
            matches!(column.kind, Kind::Number { .. }) && column.reading.is_plain()
        };
        self.left_out().is_empty() && self.columns().iter().all(number)
    }

    /// The columns that are read as dates or times, in order.
    pub(crate) fn dates(&self) -> Vec<ColumnRef> {
        let dates = self.columns().iter().filter(|c| matches!(c.reading, Reading::Time { .. }));
        let mut dates: Vec<ColumnRef> = dates.map(|coding| coding.column.clone()).collect();
        dates.dedup();
        dates
    }

    /// The same without a column, which does not help, and the features that are left.
    pub(crate) fn without(&self, column: &ColumnRef) -> (Self, Vec<u32>) {
        let mut parts = self.0.clone();
        parts.features.retain(|coding| coding.column != *column);
        parts.left_out.push(LeftOut { column: column.clone(), reason: Reason::NoHelp });
        parts.left_out.sort_by_key(|out| out.column.position);
        let columns = self.features_by_column().into_iter();
        let others = columns.filter(|(other, _)| *other != column);
        let features = others.flat_map(|(_, features)| features).map(|j| j as u32).collect();
        (Self(parts), features)
    }

    /// The names of the columns that are read, in order.
    pub fn column_names(&self) -> Vec<&str> {
        self.features_by_column().into_iter().map(|(column, _)| column.name.as_str()).collect()
    }

    /// The columns that are read or left out, in the order of the table.
    pub fn inputs(&self) -> Vec<&ColumnRef> {
        let read = self.columns().iter().map(|column| &column.column);
        let mut all: Vec<&ColumnRef> =
            read.chain(self.left_out().iter().map(|c| &c.column)).collect();
        all.sort_by_key(|column| column.position);
        all.dedup();
        all
    }

    /// The columns that are read, in order, each with its features: a column may have several
    /// codings, such as one for missing values.
    pub fn features_by_column(&self) -> Vec<(&ColumnRef, Range<usize>)> {
        let mut columns: Vec<(&ColumnRef, Range<usize>)> = Vec::new();
        let mut next = 0;
        for coding in self.columns() {
            let features = next..next + coding.width();
            next = features.end;
            match columns.last_mut() {
                Some((column, own)) if **column == coding.column => own.end = next,
                _ => columns.push((&coding.column, features)),
            }
        }
        columns
    }

    /// Which of these features tells where its column is missing, if one does.
    pub(crate) fn tells_missing(&self, features: &Range<usize>) -> Option<usize> {
        let readings = self.columns().iter().flat_map(|c| vec![&c.reading; c.width()]);
        let mut own = readings.enumerate().filter(|(feature, _)| features.contains(feature));
        own.find(|(_, r)| matches!(r, Reading::Missing { .. })).map(|(feature, _)| feature)
    }

    /// The most bits of an input and of a neuron's weight, if training was asked for few.
    pub fn bits(&self) -> Option<u32> {
        self.0.bits
    }

    /// The steps of each feature, where it is rounded to some.
    pub(crate) fn steps(&self) -> Vec<Option<Steps>> {
        let of = |coding: &ColumnCoding| vec![coding.steps; coding.width()];
        self.columns().iter().flat_map(of).collect()
    }

    /// The same coding with numbers rounded to steps of at most `bits` bits, chosen for these rows
    /// of `X`.
    pub(crate) fn with_steps(mut self, x: &[f64], bits: u32) -> Result<Self, Fault> {
        Steps::check_bits(bits)?;
        let dimension = self.dimension();
        let mut at = 0;
        for coding in &mut self.0.features {
            if coding.is_rounded() {
                let values: Vec<f64> = x.iter().skip(at).step_by(dimension).copied().collect();
                coding.steps = Some(Steps::fit(&values, bits));
            }
            at += coding.width();
        }
        self.0.bits = Some(bits);
        Ok(self)
    }

    pub(crate) fn few_values(&self) -> Option<usize> {
        self.0.few_values
    }

    /// The number of features.
    pub fn dimension(&self) -> usize {
        self.columns().iter().map(ColumnCoding::width).sum()
    }

    /// The names of the features: the name of the column, or `column=level`.
    pub fn feature_names(&self) -> Vec<String> {
        self.columns().iter().flat_map(ColumnCoding::names).collect()
    }

    /// Whether a table has the target column.
    pub fn has_target(&self, table: &Table) -> bool {
        self.locate(table, self.target().column()).is_ok()
    }

    /// The values of `X`, row by row.
    pub(crate) fn encode(&self, table: &Table) -> Result<Vec<f64>, TableError> {
        inputs::encode(table, &self.located(table)?)
    }

    /// `y`: −1 and +1 for two classes, the index of the class for several, the number itself
    /// otherwise.
    ///
    /// # Errors
    /// When the column does not exist; when a field is missing, has an unknown class, or is not a
    /// number.
    pub fn targets(&self, table: &Table) -> Result<Vec<f64>, TableError> {
        let j = self.locate(table, self.target().column())?;
        let Some(notation) = &self.0.target_notation else {
            return self.target().encode(table, j, self.0.target_folded.is_some());
        };
        let missing = |i| table.field_error(i, j, Fault::MissingValue { what: "target" });
        let value = |i| reading::written(table, i, j, notation)?.ok_or_else(|| missing(i));
        (0..table.rows()).map(value).collect()
    }

    /// The sample weights, if the coding has a column of them.
    ///
    /// # Errors
    /// When the column does not exist; when a weight is missing, not a number, or negative; when
    /// all weights are zero.
    pub fn weights(&self, table: &Table) -> Result<Option<Vec<f64>>, TableError> {
        let weights = self.weights_of_some(table)?;
        match (self.weight(), &weights) {
            (Some(column), Some(weights)) if weights.iter().all(|&s| s == 0.0) => {
                Err(table.column_error(self.locate(table, column)?, Fault::NoWeight))
            }
            _ => Ok(weights),
        }
    }

    /// The same for some of the rows: their weights may all be zero.
    pub fn weights_of_some(&self, table: &Table) -> Result<Option<Vec<f64>>, TableError> {
        let Some(column) = self.weight() else { return Ok(None) };
        let j = self.locate(table, column)?;
        let weight = |i: usize| match column::number(table, i, j)? {
            Some(s) if s >= 0.0 => Ok(s),
            Some(got) => Err(table.field_error(i, j, Fault::NegativeWeight { got })),
            None => Err(table.field_error(i, j, Fault::MissingValue { what: "sample weight" })),
        };
        Ok(Some((0..table.rows()).map(weight).collect::<Result<_, TableError>>()?))
    }

    /// The weight of each sample in training; `None` if every sample weighs one. If classes are
    /// balanced, the weights are scaled so that all classes have the same total weight.
    pub fn sample_weights(&self, table: &Table) -> Result<Option<Vec<f64>>, TableError> {
        let weights = self.weights(table)?;
        if !self.0.balanced {
            return Ok(weights);
        }
        let y = match self.target().clone() {
            // The classes of the table, not one class against the rest.
            TargetCoding::Against { column, classes, .. } => {
                let target = TargetCoding::Several { column, classes };
                Self(Stored { target, ..self.0.clone() }).targets(table)?
            }
            _ => self.targets(table)?,
        };
        Ok(self.training_weights(&y, weights))
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
            TargetCoding::Several { .. } => {
                Self(Stored { target: self.target().against_rest(network), ..self.0.clone() })
            }
            _ => self.clone(),
        }
    }

    /// The position of a training column in this table.
    pub(crate) fn locate(&self, table: &Table, column: &ColumnRef) -> Result<usize, TableError> {
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

    /// The positions of the features in this table, and how they are read.
    fn located(&self, table: &Table) -> Result<Vec<(usize, &ColumnCoding)>, TableError> {
        let place = |c: &'_ ColumnCoding| self.locate(table, &c.column);
        self.columns().iter().map(|c| Ok((place(c)?, c))).collect()
    }
}

/// Scales the weights so that all classes with a positive weight have the same total.
fn balance(y: &[f64], weights: &mut [f64]) {
    let factors = class_factors(y, weights);
    for (s, y) in weights.iter_mut().zip(y).filter(|(s, _)| **s > 0.0) {
        *s *= factors[&y.to_bits()];
    }
}

/// By what the weights of each class are multiplied so that all have the same total: the class is
/// given by the bits of its `y`.
pub(crate) fn class_factors(y: &[f64], weights: &[f64]) -> HashMap<u64, f64> {
    let total: f64 = weights.iter().sum();
    let mut sums: HashMap<u64, f64> = HashMap::new();
    for (y, s) in y.iter().zip(weights) {
        *sums.entry(y.to_bits()).or_default() += s;
    }
    sums.retain(|_, sum| *sum > 0.0);
    let classes = sums.len() as f64;
    sums.into_iter().map(|(y, sum)| (y, total / (classes * sum))).collect()
}

#[cfg(test)]
mod tests;
