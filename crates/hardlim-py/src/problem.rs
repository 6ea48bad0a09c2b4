//! What is trained on: rows, targets and weights, and the coding that a model will read tables by.

use hardlim::data::coding::ColumnRef;
use hardlim::data::{
    Cell, Cells, Coding, CodingOptions, Features, Missing, TargetCoding, Task, TrainingSet,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::convert::{self, Inputs, table};
use crate::error::to_py;

/// A training set. Samples of weight zero are left out.
#[pyclass(frozen, module = "hardlim._hardlim")]
pub(crate) struct Problem {
    /// What training starts from.
    pub(crate) set: TrainingSet,
    /// Which of the samples given these are, where not all.
    kept: Option<Vec<usize>>,
    labels: Option<Vec<String>>,
}

#[pymethods]
impl Problem {
    /// `x` as [`Inputs`] reads it; `y` numbers, or the places of classes among the `labels`.
    #[new]
    #[pyo3(signature = (x, names, target, y, labels=None, sample_weight=None, balanced=false,
                        categorical=Vec::new(), missing="error"))]
    #[expect(clippy::too_many_arguments, reason = "they are given by name")]
    fn new(
        x: &Bound<'_, PyAny>,
        names: Option<Vec<String>>,
        target: String,
        y: &Bound<'_, PyAny>,
        labels: Option<Vec<String>>,
        sample_weight: Option<&Bound<'_, PyAny>>,
        balanced: bool,
        categorical: Vec<String>,
        missing: &str,
    ) -> PyResult<Self> {
        let missing: Missing = missing.parse().map_err(to_py)?;
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
        let (coding, x, y) = match inputs {
            Inputs::Matrix(x) => {
                let coding = target.coding(names, x.dimension(), balanced)?;
                let y = target.values(coding.target())?;
                (coding, x, y)
            }
            Inputs::Columns(columns) => {
                let options = CodingOptions {
                    task: if target.labels.is_some() { Task::Classify } else { Task::Regress },
                    missing,
                    categorical,
                    balanced,
                    ..CodingOptions::default()
                };
                target.read(names, columns, options)?
            }
        };
        let problem = Self::weighted(coding, x, y, counts).map_err(to_py)?;
        Ok(Self { labels: target.labels, ..problem })
    }

    /// For each label, its place among the classes of the coding.
    #[getter]
    fn order(&self) -> Option<Vec<usize>> {
        let target = self.set.coding().target();
        let place = |value: &f64| match target {
            TargetCoding::Classes { .. } => usize::from(*value > 0.0),
            _ => *value as usize,
        };
        self.labels.as_ref().map(|labels| target.values_of(labels).iter().map(place).collect())
    }
}

impl Problem {
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
        Ok(Self { set: TrainingSet::new(coding, x, y, counts)?, kept, labels: None })
    }

    /// Which of the samples given sample `i` is.
    pub(crate) fn sample(&self, i: usize) -> usize {
        self.kept.as_ref().map_or(i, |kept| kept[i])
    }

    /// Where samples given are among those that are kept.
    pub(crate) fn places(&self, samples: Vec<usize>) -> Vec<usize> {
        match &self.kept {
            None => samples,
            Some(kept) => samples.iter().filter_map(|i| kept.binary_search(i).ok()).collect(),
        }
    }
}

/// The target as Python gives it.
struct Target {
    name: String,
    /// Numbers, or places among the labels.
    y: Vec<f64>,
    labels: Option<Vec<String>>,
}

impl Target {
    /// The coding of features as they are.
    fn coding(
        &self,
        names: Option<Vec<String>>,
        dimension: usize,
        balanced: bool,
    ) -> PyResult<Coding> {
        let names = names.unwrap_or_else(|| (1..=dimension).map(|j| format!("x{j}")).collect());
        if names.len() != dimension {
            let found = names.len();
            let text = format!("X has {dimension} columns, and there are {found} names");
            return Err(PyValueError::new_err(text));
        }
        let column = ColumnRef { name: self.name.clone(), position: dimension };
        let target = TargetCoding::of_labels(column, self.labels.as_deref()).map_err(to_py)?;
        Coding::of_numbers(names, target, balanced).map_err(to_py)
    }

    /// `y` of every sample.
    fn values(&self, coding: &TargetCoding) -> PyResult<Vec<f64>> {
        let Some(labels) = &self.labels else { return Ok(self.y.clone()) };
        let values = coding.values_of(labels);
        self.y.iter().map(|&place| Ok(values[self.place(place)?])).collect()
    }

    fn place(&self, place: f64) -> PyResult<usize> {
        let classes = self.labels.as_ref().map_or(0, Vec::len);
        if place >= 0.0 && place < classes as f64 && place.fract() == 0.0 {
            return Ok(place as usize);
        }
        Err(PyValueError::new_err(format!("class {place} of {classes}")))
    }

    /// The coding of columns, with what they are encoded to.
    fn read(
        &self,
        names: Option<Vec<String>>,
        mut columns: Vec<Cells>,
        options: CodingOptions,
    ) -> PyResult<(Coding, Features, Vec<f64>)> {
        let cells = match &self.labels {
            None => Cells::Numbers(self.y.clone()),
            Some(labels) => {
                let cell = |&place: &f64| Ok(Cell::parse(&labels[self.place(place)?]));
                self.y.iter().map(cell).collect::<PyResult<_>>()?
            }
        };
        columns.push(cells);
        let position = columns.len();
        let names =
            names.map(|names| names.into_iter().chain([self.name.clone()]).collect::<Vec<_>>());
        let table = table(names.as_deref(), columns)?;
        // A label may look like a number among labels that do not.
        let mut categorical = options.categorical.clone();
        if self.labels.is_some() {
            categorical.push(names.as_ref().map_or(position.to_string(), |_| self.name.clone()));
        }
        let options = CodingOptions { categorical, ..options };
        let coding = Coding::fit(&table, &options).map_err(to_py)?;
        let (x, y) = coding
            .features(&table)
            .and_then(|x| Ok((x, coding.targets(&table)?)))
            .map_err(to_py)?;
        Ok((coding, x, y))
    }
}
