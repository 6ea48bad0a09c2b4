//! Parameters by name, and the request that they make.

use hardlim::Error;
use hardlim::table::CodingOptions;
use hardlim::train::{Fold, Folds, Request};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{HardlimError, to_py};
use crate::training_data::TrainingData;

/// Values by name; the library chooses those that are missing or `None`.
pub(crate) struct Options<'py>(pub(crate) Bound<'py, PyDict>);

impl<'py> Options<'py> {
    /// The value of that name, where it is given.
    pub(crate) fn get<T: FromPyObjectOwned<'py>>(
        &self,
        name: &str,
        expected: &str,
    ) -> PyResult<Option<T>> {
        let Some(value) = self.0.get_item(name)?.filter(|value| !value.is_none()) else {
            return Ok(None);
        };
        let wrong = || -> PyErr {
            let found = value.repr().map_or_else(|_| "?".into(), |text| text.to_string());
            PyTypeError::new_err(format!("{name} must be {expected}, got {found}"))
        };
        value.extract().map(Some).map_err(|_| wrong())
    }

    /// A name that the library knows.
    pub(crate) fn parse<T: std::str::FromStr<Err: Into<Error>>>(
        &self,
        name: &str,
    ) -> PyResult<Option<T>> {
        let text: Option<String> = self.get(name, "a string")?;
        text.map(|text| text.parse()).transpose().map_err(to_py)
    }

    pub(crate) fn flag(&self, name: &str) -> PyResult<Option<bool>> {
        self.get(name, "True or False")
    }

    pub(crate) fn number(&self, name: &str) -> PyResult<Option<f64>> {
        self.get(name, "a number")
    }

    pub(crate) fn count(&self, name: &str) -> PyResult<Option<usize>> {
        self.get(name, "a whole number of at least zero")
    }

    /// The number of threads; the number of cores by default.
    pub(crate) fn threads(&self) -> PyResult<Option<usize>> {
        match self.count("threads")? {
            Some(threads) if !(1..=1024).contains(&threads) => {
                Err(refused(format!("threads must be between 1 and 1024, got {threads}")))
            }
            threads => Ok(threads),
        }
    }

    /// The request to train.
    pub(crate) fn request(&self, training_data: Option<&TrainingData>) -> PyResult<Request> {
        let whole = "a whole number of at least zero";
        let standard = Request::default();
        let on = |name: &str, default: bool| -> PyResult<bool> {
            Ok(self.flag(name)?.unwrap_or(default))
        };
        let keep = training_data.map_or(Vec::new(), |data| data.keep.clone());
        Ok(Request {
            columns: CodingOptions { keep, ..CodingOptions::default() },
            loss: self.parse("loss")?,
            beta: self.number("beta")?,
            beta_ratio: self.number("beta_ratio")?,
            cv: self.folds(training_data)?,
            n_ratios: self.count("n_ratios")?,
            least_ratio: self.number("least_ratio")?,
            one_se: on("one_se", standard.one_se)?,
            scoring: self.parse("scoring")?,
            intercept: on("intercept", standard.intercept)?,
            non_negative: on("non_negative", standard.non_negative)?,
            bias: on("bias", standard.bias)?,
            method: self.parse("method")?.unwrap_or(standard.method),
            patterns: self.get("patterns", whole)?,
            layers: self.count("layers")?,
            widths: self.get("widths", "a list of whole numbers")?.unwrap_or_default(),
            tree: on("tree", standard.tree)?,
            representation: self.parse("representation")?,
            weights: self.parse("weights")?,
            max_inputs: self.count("max_inputs")?,
            average: self.count("average")?,
            inputs: self.parse("inputs")?,
            input_cost: self.number("input_cost")?.unwrap_or(standard.input_cost),
            neurons: self.count("neurons")?,
            output_bits: self.get("output_bits", whole)?,
            weight_bits: self.get("weight_bits", whole)?,
            standardize: on("standardize", standard.standardize)?,
            gap: self.number("gap")?,
            time_limit: self.number("time_limit")?,
            seed: self.get("seed", whole)?.unwrap_or(standard.seed),
            ..standard
        })
    }

    /// The request to train on rows in blocks: what the columns mean is among the options.
    pub(crate) fn request_for_rows(&self) -> PyResult<Request> {
        Ok(Request { columns: self.columns()?, ..self.request(None)? })
    }

    /// What is said about the columns.
    pub(crate) fn columns(&self) -> PyResult<CodingOptions> {
        let list = |name: &str| -> PyResult<Vec<String>> {
            Ok(self.get(name, "a list of names")?.unwrap_or_default())
        };
        Ok(CodingOptions {
            target: self.get("target", "a string")?,
            task: self.parse("task")?.unwrap_or_default(),
            missing: self.parse("missing")?.unwrap_or_default(),
            ignore: list("ignore")?,
            keep: list("keep")?,
            keep_all: self.flag("keep_all")?.unwrap_or_default(),
            categorical: list("categorical")?,
            weight_column: self.get("weight_column", "a string")?,
            bits: self.get("bits", "a whole number of at least zero")?,
            balanced: match self.get::<String>("class_weight", "\"balanced\" or None")?.as_deref() {
                None => false,
                Some("balanced") => true,
                Some(other) => {
                    return Err(refused(format!("class_weight must be balanced, got {other:?}")));
                }
            },
        })
    }

    /// The folds of cross-validation: how many, or which rows.
    fn folds(&self, training_data: Option<&TrainingData>) -> PyResult<Option<Folds>> {
        let splits: Option<Vec<(Vec<usize>, Vec<usize>)>> =
            self.get("splits", "pairs of rows to train on and rows to score")?;
        let Some((splits, training_data)) = splits.zip(training_data) else {
            return Ok(self.count("cv")?.map(Folds::Count));
        };
        let fold = |(train, test)| Fold {
            train: training_data.places(train),
            test: training_data.places(test),
        };
        Ok(Some(Folds::Given(splits.into_iter().map(fold).collect())))
    }
}

fn refused(text: String) -> PyErr {
    HardlimError::new_err(text)
}
