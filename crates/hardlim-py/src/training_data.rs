//! Training data: rows, targets and weights, and the coding by which a model reads tables.

use std::borrow::Cow;

use hardlim::certify::Check;
use hardlim::data::{Features, TrainingSet};
use hardlim::model::Model;
use hardlim::rows::{Block, Blocks, Coded, MOST_IN_MEMORY};
use hardlim::table::{
    Coding, CodingOptions, ColumnRef, Field, Fields, Missing, Table, TargetCoding, Task, memory,
};
use hardlim::train::Request;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{self, Inputs, Values, table};
use crate::error::{spelled_notes, to_py};
use crate::options::Options;

/// A training set. Samples of weight zero are left out.
#[pyclass(frozen, module = "hardlim._hardlim")]
pub(crate) struct TrainingData {
    /// The training set of the library.
    pub(crate) set: TrainingSet,
    /// The indices of the samples that were kept, if some were left out.
    kept: Option<Vec<usize>>,
    labels: Option<Vec<String>>,
    /// Columns that are kept whatever training finds.
    pub(crate) keep: Vec<String>,
    /// The table, if it is so large that it may be trained on in blocks.
    large: Option<Large>,
}

/// A table that may be trained on in blocks.
struct Large {
    table: Table,
    columns: CodingOptions,
    weights: Option<Vec<f64>>,
}

#[pymethods]
impl TrainingData {
    /// `x` as [`Inputs`] reads it; `y` holds numbers, or the indices of classes among the `labels`.
    /// The options say what the columns are.
    #[new]
    #[pyo3(signature = (x, names, target, y, options, labels=None, sample_weight=None))]
    fn new(
        x: &Bound<'_, PyAny>,
        names: Option<Vec<String>>,
        target: String,
        y: &Bound<'_, PyAny>,
        options: Bound<'_, PyDict>,
        labels: Option<Vec<String>>,
        sample_weight: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let columns = Options(options).columns()?;
        let y = convert::numbers(y)?;
        let counts = sample_weight.map(convert::numbers).transpose()?;
        let inputs = Inputs::read(x)?;
        let rows = inputs.rows();
        for (what, found) in
            [("y", y.len()), ("sample_weight", counts.as_ref().map_or(rows, Vec::len))]
        {
            if found != rows {
                let text = format!("X has {rows} rows, and {what} has {found}");
                return Err(PyValueError::new_err(text));
            }
        }
        let target = Target { name: target, y, labels };
        let mut large = None;
        let (coding, x, y) = match inputs {
            Inputs::Matrix(x) => {
                let coding = target.coding(names, x.dimension(), &columns)?;
                let y = values(coding.target(), target.labels.as_deref(), &target.y)?;
                let fills = columns.missing != Missing::Error && x.rows() > 0;
                let coding = if fills { coding.filling(&x) } else { coding };
                let coding = match columns.bits {
                    None => coding,
                    Some(bits) => coding.with_bits(&x, bits).map_err(to_py)?,
                };
                (coding, x, y)
            }
            Inputs::Columns(fields) => {
                let task = if target.labels.is_some() { Task::Classify } else { Task::Regress };
                let options = CodingOptions { task, ..columns.clone() };
                let (table, columns) = target.table(names, fields, options)?;
                let coding = Coding::fit(&table, &columns).map_err(to_py)?;
                let x = coding.features(&table).map_err(to_py)?;
                let y = coding.targets(&table).map_err(to_py)?;
                if table.rows() > MOST_IN_MEMORY {
                    large = Some(Large { table, columns, weights: counts.clone() });
                }
                (coding, x, y)
            }
        };
        let data = Self::weighted(coding, x, y, counts).map_err(to_py)?;
        Ok(Self { labels: target.labels, keep: columns.keep, large, ..data })
    }

    /// What was decided about the columns, one sentence for each decision.
    #[getter]
    fn notes(&self) -> Vec<String> {
        spelled_notes(&self.set.coding().notes())
    }

    /// For each label, its index among the classes of the coding.
    #[getter]
    fn order(&self) -> Option<Vec<Option<usize>>> {
        self.labels.as_ref().map(|labels| order(self.set.coding().target(), labels))
    }
}

impl TrainingData {
    fn weighted(
        coding: Coding,
        mut x: Features,
        mut y: Vec<f64>,
        mut counts: Option<Vec<f64>>,
    ) -> Result<Self, hardlim::Error> {
        let mut kept = None;
        if let Some(s) = &counts
            && s.contains(&0.0)
            && s.iter().any(|s| *s > 0.0)
        {
            let rows: Vec<usize> = (0..s.len()).filter(|&i| s[i] != 0.0).collect();
            x = x.select(&rows);
            y = rows.iter().map(|&i| y[i]).collect();
            counts = Some(rows.iter().map(|&i| s[i]).collect());
            kept = Some(rows);
        }
        Ok(Self {
            set: TrainingSet::new(coding, x, y, counts)?,
            kept,
            labels: None,
            keep: Vec::new(),
            large: None,
        })
    }

    /// The rows of a table, with their weights.
    pub(crate) fn of_table(
        table: &Table,
        columns: &CodingOptions,
        weights: Option<Vec<f64>>,
    ) -> Result<Self, hardlim::Error> {
        let coding = Coding::fit(table, columns)?;
        let (x, y) = (coding.features(table)?, coding.targets(table)?);
        Ok(Self { keep: columns.keep.clone(), ..Self::weighted(coding, x, y, weights)? })
    }

    /// The rows in blocks, if they are trained so.
    pub(crate) fn divided(&self, request: &Request) -> Option<Coded> {
        match &self.large {
            Some(Large { table, columns, weights }) => {
                request.divided(table, columns, weights.as_deref())
            }
            None => request.divided_set(&self.set),
        }
    }

    /// The rows in blocks, coded as a model that was trained so reads them.
    fn blocks(&self, coding: &Coding) -> Result<Blocks, hardlim::Error> {
        let mut rows = Blocks::in_memory();
        match &self.large {
            Some(Large { table, weights, .. }) => {
                rows.push_table((table, weights.as_deref()), coding, table.rows())?;
            }
            None => {
                let (x, y) = (self.set.features(), self.set.y().to_vec());
                rows.push(Block::new(0, x, y, self.set.counts().map(<[f64]>::to_vec))?)?;
            }
        }
        Ok(rows)
    }

    /// Targets as training has them, from numbers or from the indices of labels.
    pub(crate) fn values(&self, y: &[f64]) -> PyResult<Vec<f64>> {
        values(self.set.coding().target(), self.labels.as_deref(), y)
    }

    /// The same samples as a model reads them: without the columns that did not help it.
    pub(crate) fn read_by(&self, model: &Model) -> Result<Cow<'_, TrainingSet>, hardlim::Error> {
        self.set.read_by(model.coding())
    }

    /// What checking a model on these samples finds.
    pub(crate) fn check(&self, model: &Model) -> Result<Check, hardlim::Error> {
        if model.is_of_rows() {
            return model.certify_rows(&mut self.blocks(model.coding())?);
        }
        model.certify_within(self.read_by(model)?.data(), memory::for_checking())
    }

    /// The original index of sample `i`.
    pub(crate) fn sample(&self, i: usize) -> usize {
        self.kept.as_ref().map_or(i, |kept| kept[i])
    }

    /// The indices of the given samples among those that were kept.
    pub(crate) fn places(&self, samples: Vec<usize>) -> Vec<usize> {
        match &self.kept {
            None => samples,
            Some(kept) => samples.iter().filter_map(|i| kept.binary_search(i).ok()).collect(),
        }
    }
}

/// Targets as training has them, from numbers or from the indices of labels.
fn values(target: &TargetCoding, labels: Option<&[String]>, y: &[f64]) -> PyResult<Vec<f64>> {
    let Some(labels) = labels else { return Ok(y.to_vec()) };
    let values = target.values_of(labels);
    y.iter().map(|&place| Ok(values[index(place, labels.len())?])).collect()
}

/// The index of a class among `classes`.
fn index(place: f64, classes: usize) -> PyResult<usize> {
    if place >= 0.0 && place < classes as f64 && place.fract() == 0.0 {
        return Ok(place as usize);
    }
    Err(PyValueError::new_err(format!("class {place} of {classes}")))
}

/// For each label, its index among the classes; none for one that is no class.
pub(crate) fn order(target: &TargetCoding, labels: &[String]) -> Vec<Option<usize>> {
    let place = |value: f64| match target {
        _ if value.is_nan() => None,
        TargetCoding::Classes { .. } => Some(usize::from(value > 0.0)),
        _ => Some(value as usize),
    };
    target.values_of(labels).into_iter().map(place).collect()
}

/// The target as Python gives it.
struct Target {
    name: String,
    /// Numbers, or indices of the labels.
    y: Vec<f64>,
    labels: Option<Vec<String>>,
}

impl Target {
    /// The coding of features as they are.
    fn coding(
        &self,
        names: Option<Vec<String>>,
        dimension: usize,
        columns: &CodingOptions,
    ) -> PyResult<Coding> {
        let names = names.unwrap_or_else(|| (1..=dimension).map(|j| format!("x{j}")).collect());
        if names.len() != dimension {
            let found = names.len();
            let text = format!("X has {dimension} columns, and there are {found} names");
            return Err(PyValueError::new_err(text));
        }
        let column = ColumnRef { name: self.name.clone(), position: dimension };
        let (labels, positive) = (self.labels.as_deref(), columns.positive.as_deref());
        let target = TargetCoding::of_labels(column, labels, positive).map_err(to_py)?;
        Coding::of_numbers(names, target, columns.balanced).map_err(to_py)
    }

    /// The table of columns, and what they mean.
    fn table(
        &self,
        names: Option<Vec<String>>,
        mut columns: Vec<Values>,
        options: CodingOptions,
    ) -> PyResult<(Table, CodingOptions)> {
        let fields = match &self.labels {
            None => Fields::Numbers(self.y.clone()),
            Some(labels) => {
                let field = |&place: &f64| Ok(Field::parse(&labels[index(place, labels.len())?]));
                self.y.iter().map(field).collect::<PyResult<_>>()?
            }
        };
        columns.push(fields.into());
        let position = columns.len();
        let names =
            names.map(|names| names.into_iter().chain([self.name.clone()]).collect::<Vec<_>>());
        let table = table("X", names.as_deref(), columns)?;
        // A label may look like a number among labels that do not.
        let mut categorical = options.categorical.clone();
        if self.labels.is_some() {
            categorical.push(names.as_ref().map_or(position.to_string(), |_| self.name.clone()));
        }
        Ok((table, CodingOptions { categorical, ..options }))
    }
}
