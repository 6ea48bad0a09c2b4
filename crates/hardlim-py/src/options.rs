//! Parameters by name, as on the command line, and the trainer that they ask for.

use std::time::{Duration, Instant};

use hardlim::Error;
use hardlim::data::Dataset;
use hardlim::loss::LossKind;
use hardlim::memory;
use hardlim::network::recipe::MOST_PATTERNS;
use hardlim::network::representation::GAUSSIAN_WIDTH;
use hardlim::network::{Representation, Weights};
use hardlim::program::{Beta, Constraints};
use hardlim::solver::Budget;
use hardlim::train::{Method, Strength, Trainer};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{HardlimError, to_py};

/// Values by name; those that are not there, or `None`, are left to the library.
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
    fn parse<T: std::str::FromStr<Err = Error>>(&self, name: &str) -> PyResult<Option<T>> {
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

    /// A number in a range.
    fn number_in(&self, name: &str, range: &str, fits: fn(f64) -> bool) -> PyResult<Option<f64>> {
        match self.number(name)? {
            Some(value) if !fits(value) => {
                Err(refused(format!("{name} must be {range}, got {value}")))
            }
            value => Ok(value),
        }
    }

    /// How many threads to use; as many as there are cores where nothing is said.
    pub(crate) fn threads(&self) -> PyResult<Option<usize>> {
        match self.count("threads")? {
            Some(threads) if !(1..=1024).contains(&threads) => {
                Err(refused(format!("threads must be between 1 and 1024, got {threads}")))
            }
            threads => Ok(threads),
        }
    }

    /// A part of `β_max`.
    pub(crate) fn ratio(&self, name: &str) -> PyResult<Option<f64>> {
        self.number_in(name, "positive", |v| v > 0.0 && v.is_finite())
    }

    /// `l`.
    pub(crate) fn loss(&self) -> PyResult<LossKind> {
        Ok(self.parse("loss")?.unwrap_or(LossKind::Squared))
    }

    pub(crate) fn constraints(&self) -> PyResult<Constraints> {
        Ok(Constraints {
            non_negative: self.flag("non_negative")?.unwrap_or(false),
            intercept: self.flag("intercept")?.unwrap_or(false),
        })
    }

    pub(crate) fn gap(&self) -> PyResult<Option<f64>> {
        self.number_in("gap", "zero or more", |v| v >= 0.0 && v.is_finite())
    }

    pub(crate) fn time_limit(&self) -> PyResult<Option<Duration>> {
        let seconds =
            self.number_in("time_limit", "above zero and at most 1e9", |v| v > 0.0 && v <= 1e9)?;
        Ok(seconds.map(Duration::from_secs_f64))
    }

    /// The budget that ends with the time limit.
    pub(crate) fn budget(&self, start: Instant) -> PyResult<Budget<'static>> {
        let deadline = self.time_limit()?.map(|limit| (start + limit, limit));
        Ok(Budget { deadline, ..Budget::default() })
    }

    fn strength(&self) -> PyResult<Strength> {
        match (self.number("beta")?, self.ratio("beta_ratio")?) {
            (Some(_), Some(_)) => Err(refused("give beta or beta_ratio, not both".into())),
            (Some(beta), None) => Beta::new(beta).map(Strength::Beta).map_err(to_py),
            (None, ratio) => Ok(Strength::Ratio(ratio.unwrap_or(0.05))),
        }
    }

    /// What is asked of training.
    pub(crate) fn plan(&self) -> PyResult<Plan> {
        let patterns: Option<u64> = self.get("patterns", "a whole number of at least one")?;
        if let Some(patterns) = patterns.filter(|p| !(1..=MOST_PATTERNS).contains(p)) {
            return Err(refused(format!(
                "patterns must be between 1 and {MOST_PATTERNS}, got {patterns}"
            )));
        }
        let method = match (self.parse("method")?.unwrap_or(Method::Auto), patterns) {
            (Method::Auto, Some(_)) => Method::Sample,
            (method, _) => method,
        };
        let mut plan = Plan {
            method,
            representation: self.parse("representation")?.unwrap_or_default(),
            loss: self.loss()?,
            strength: self.strength()?,
            patterns,
            max_inputs: self.count("max_inputs")?,
            average: self.count("average")?.unwrap_or(1),
            layers: self.count("layers")?,
            widths: self.get("widths", "a list of whole numbers")?.unwrap_or_default(),
            tree: self.flag("tree")?.unwrap_or(false),
            weights: self.parse("weights")?,
            bias: self.flag("bias")?.unwrap_or(true),
            constraints: self.constraints()?,
            standardize: self.flag("standardize")?.unwrap_or(true),
            seed: self.get("seed", "a whole number of at least zero")?.unwrap_or(0),
            gap: self.gap()?,
            time_limit: self.time_limit()?,
        };
        plan.check()?;
        // One width, or none, stands for all random layers.
        if let (Representation::Gaussian, [] | [_]) = (plan.representation, &plan.widths[..]) {
            let width = plan.widths.first().copied().unwrap_or(GAUSSIAN_WIDTH);
            plan.widths = vec![width; plan.depth() - 2];
        }
        Ok(plan)
    }
}

fn refused(text: String) -> PyErr {
    HardlimError::new_err(text)
}

/// What is asked of training.
pub(crate) struct Plan {
    method: Method,
    representation: Representation,
    loss: LossKind,
    strength: Strength,
    patterns: Option<u64>,
    max_inputs: Option<usize>,
    average: usize,
    layers: Option<usize>,
    widths: Vec<usize>,
    tree: bool,
    weights: Option<Weights>,
    bias: bool,
    constraints: Constraints,
    standardize: bool,
    pub(crate) seed: u64,
    pub(crate) gap: Option<f64>,
    pub(crate) time_limit: Option<Duration>,
}

impl Plan {
    /// What does not go together.
    fn check(&self) -> PyResult<()> {
        if self.method == Method::Complete && self.weights == Some(Weights::Sampled) {
            let text = "weights='sampled': the method complete draws no weights; use svm or pi";
            return Err(refused(text.into()));
        }
        if let (Some(k), Some(Weights::Pi)) = (self.max_inputs, self.weights) {
            return Err(refused(format!(
                "weights='pi' reads all inputs, and max_inputs={k} allows {k}; use another choice"
            )));
        }
        if self.patterns.is_some() && self.method != Method::Sample {
            return Err(refused(format!(
                "patterns draws random patterns, and needs method='sample', not {}",
                self.method
            )));
        }
        if !(1..=1000).contains(&self.average) {
            return Err(refused(format!(
                "average must be between 1 and 1000, got {}",
                self.average
            )));
        }
        if self.widths.contains(&0) || self.widths.len() > 62 {
            return Err(refused("widths must be at most 62 numbers of at least one".into()));
        }
        let (layers, widths) = (self.depth(), self.widths.len());
        let represented = self.representation != Representation::None;
        if represented && !matches!(self.method, Method::Auto | Method::Complete) {
            let text = format!("a representation needs method='complete', not {}", self.method);
            return Err(refused(text));
        }
        if represented && self.weights == Some(Weights::Sampled) {
            let text = "weights='sampled': on a representation no weights are drawn; use svm or pi";
            return Err(refused(text.into()));
        }
        let fits = match self.representation {
            Representation::None => layers == widths + 2,
            Representation::Gaussian => layers > 2 && (widths <= 1 || layers == widths + 2),
            Representation::Staircase => layers == 3 && widths == 0,
        };
        match fits {
            true => Ok(()),
            false if represented => Err(refused(format!(
                "layers={layers}, widths of {widths} numbers: a staircase makes 3 layers and has no \
                 widths, random layers have one for all of them or one for each"
            ))),
            false => Err(refused(format!(
                "layers={layers}: expected widths with {} numbers, one for each layer below the last \
                 hidden one, found {widths}; or give a representation",
                layers.saturating_sub(2),
            ))),
        }
    }

    /// The number of layers, the output counted.
    fn depth(&self) -> usize {
        let least = usize::from(self.representation != Representation::None);
        self.layers.unwrap_or(self.widths.len().max(least) + 2)
    }

    /// The trainer, within this budget.
    pub(crate) fn trainer<'a>(&'a self, data: &Dataset, budget: Budget<'a>) -> Trainer<'a> {
        self.plain(budget).asked(data, self.gap, self.time_limit)
    }

    /// The trainer for what takes no more time when nobody asks for a gap.
    pub(crate) fn plain<'a>(&'a self, budget: Budget<'a>) -> Trainer<'a> {
        let standard = Trainer::default();
        Trainer {
            method: self.method,
            loss: self.loss,
            strength: self.strength,
            patterns: self.patterns.unwrap_or(standard.patterns),
            max_inputs: self.max_inputs,
            average: self.average,
            widths: &self.widths,
            representation: self.representation,
            tree: self.tree,
            weights: self.weights,
            bias: self.bias,
            constraints: self.constraints,
            standardize: self.standardize,
            tolerance: self.gap.unwrap_or(standard.tolerance),
            seed: self.seed,
            budget,
            memory: memory::available(),
            ..standard
        }
    }

    pub(crate) fn bias(&self) -> bool {
        self.bias
    }
}
