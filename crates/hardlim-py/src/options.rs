//! Parameters by name, and the request that they make.

use std::collections::BTreeMap;

use hardlim::Error;
use hardlim::table::CodingOptions;
use hardlim::train::{Entry, Fold, Heading, Kind, Request, TABLE, spelled};
use pyo3::IntoPyObjectExt as _;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{HardlimError, parameter, to_py, to_py_of};
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
                let text = format!("threads must be between 1 and 1024, got {threads}");
                Err(HardlimError::new_err(text))
            }
            threads => Ok(threads),
        }
    }

    /// The options of training among them, checked; some may have names of their own in Python.
    pub(crate) fn asked(&self, own: &[(&str, &str)]) -> PyResult<hardlim::train::Options> {
        self.named(own, |entry| entry.heading != Heading::Data)
    }

    fn named(
        &self,
        own: &[(&str, &str)],
        which: impl Fn(&Entry) -> bool,
    ) -> PyResult<hardlim::train::Options> {
        let mut asked = hardlim::train::Options::default();
        for entry in TABLE.iter().filter(|entry| which(entry)) {
            match entry.kind {
                Kind::Names => {
                    let names: Option<Vec<String>> = self.get(entry.name, "a list of names")?;
                    names.map_or(Ok(()), |names| asked.set_names(entry.name, &names))
                }
                Kind::Signed => {
                    let expected = "a dictionary of names with \"+\" or \"-\"";
                    let signs: Option<BTreeMap<String, Sign>> = self.get(entry.name, expected)?;
                    let signs = signs.unwrap_or_default().into_iter();
                    let signs = signs.map(|(name, sign)| format!("{name}={}", sign.text()));
                    asked.set_names(entry.name, &signs.collect::<Vec<_>>())
                }
                Kind::Pairs => {
                    let expected = "pairs of names";
                    let pairs: Option<Vec<[String; 2]>> = self.get(entry.name, expected)?;
                    let pairs = pairs.unwrap_or_default().into_iter();
                    let pairs = pairs.map(|[one, other]| format!("{one}:{other}"));
                    asked.set_names(entry.name, &pairs.collect::<Vec<_>>())
                }
                _ => self.text(entry)?.map_or(Ok(()), |text| asked.set(entry.name, &text)),
            }
            .map_err(to_py_of(own))?;
        }
        Ok(asked)
    }

    /// The value of an option as text; the type must be right.
    fn text(&self, entry: &Entry) -> PyResult<Option<String>> {
        let (name, whole) = (entry.name, "a whole number of at least zero");
        Ok(match entry.kind {
            Kind::Flag => self.flag(name)?.map(|on| on.to_string()),
            Kind::Number(..) => self.number(name)?.map(|number| number.to_string()),
            Kind::Whole(..) => self.get::<u64>(name, whole)?.map(|number| number.to_string()),
            Kind::Wholes(..) => {
                let numbers: Option<Vec<u64>> = self.get(name, "a list of whole numbers")?;
                let text = |numbers: Vec<u64>| -> Vec<String> {
                    numbers.iter().map(ToString::to_string).collect()
                };
                numbers.filter(|numbers| !numbers.is_empty()).map(|all| text(all).join(","))
            }
            _ => self.get(name, "a string")?,
        })
    }

    /// The request to train.
    pub(crate) fn request(&self, training_data: Option<&TrainingData>) -> PyResult<Request> {
        let mut asked = self.asked(&[])?;
        let splits: Option<Vec<(Vec<usize>, Vec<usize>)>> =
            self.get("splits", "pairs of rows to train on and rows to score")?;
        let Some(training_data) = training_data else {
            return Request::new(&asked).map_err(to_py);
        };
        asked.set_names("keep", &training_data.keep).map_err(to_py)?;
        let Some(splits) = splits else { return Request::new(&asked).map_err(to_py) };
        asked.set("cv", &splits.len().max(2).to_string()).map_err(to_py)?;
        let fold = |(train, test)| Fold {
            train: training_data.places(train),
            test: training_data.places(test),
        };
        let request = Request::new(&asked).map_err(to_py)?;
        Ok(request.on_folds(splits.into_iter().map(fold).collect()))
    }

    /// The request to train on rows in blocks: what the columns mean is among the options.
    pub(crate) fn request_for_rows(&self) -> PyResult<Request> {
        Ok(self.request(None)?.with_columns(self.columns()?))
    }

    /// What is said about the columns.
    pub(crate) fn columns(&self) -> PyResult<CodingOptions> {
        let of_columns = |entry: &Entry| {
            entry.heading == Heading::Data || ["bits", "max_inputs"].contains(&entry.name)
        };
        let asked = self.named(&[], of_columns)?;
        Ok(CodingOptions {
            keep_all: self.flag("keep_all")?.unwrap_or_default(),
            categorical: self.get("categorical", "a list of names")?.unwrap_or_default(),
            ..Request::new(&asked).map_err(to_py)?.columns
        })
    }
}

/// A direction, as `"+"` or as `1`.
#[derive(Debug, FromPyObject)]
enum Sign {
    Number(i64),
    Text(String),
}

impl Sign {
    fn text(self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text,
        }
    }
}

/// A parameter: its name, type, default and description.
type Parameter = (&'static str, &'static str, Py<PyAny>, String);

/// The parameters that an estimator has, from the table of options.
#[pyfunction]
pub(crate) fn parameters(py: Python<'_>, classifier: bool, cv: bool) -> PyResult<Vec<Parameter>> {
    let marked = |option: &str, value: Option<&str>| format!("``{}``", parameter(option, value));
    let known = TABLE.iter().filter(|entry| (entry.estimators)(classifier, cv));
    known
        .map(|entry| {
            let number = entry.standard.parse::<f64>().ok();
            let (kind, default) = match entry.kind {
                Kind::Flag => ("bool", (entry.standard == "true").into_py_any(py)?),
                Kind::Number(..) => ("float", number.into_py_any(py)?),
                Kind::Whole(..) => ("int", py.None()),
                Kind::Wholes(..) => ("int or sequence of int", py.None()),
                Kind::Names => ("str or sequence of str", py.None()),
                Kind::Signed => ("dict of str to str or int", py.None()),
                Kind::Pairs => ("sequence of pairs of str", py.None()),
                Kind::Word(_) | Kind::Text if entry.standard.is_empty() => ("str", py.None()),
                Kind::Word(_) | Kind::Text => ("str", entry.standard.into_py_any(py)?),
            };
            let usual = entry.default_text().filter(|_| entry.standard.is_empty());
            let usual = usual.map(|text| format!("\n\nBy default: {text}."));
            let help =
                entry.help.trim_end_matches('.').to_owned() + "." + &usual.unwrap_or_default();
            Ok((entry.name, kind, default, spelled(&help, marked)))
        })
        .collect()
}

/// Whether options ask for the best predictions: none of them poses a problem, or is wrong.
#[pyfunction]
pub(crate) fn predicts(options: Bound<'_, PyDict>) -> bool {
    let request = Options(options).asked(&[]).and_then(|asked| Request::new(&asked).map_err(to_py));
    request.is_ok_and(|request| request.predicts())
}
