//! Choosing the strength by cross-validation.

use std::sync::atomic::Ordering;
use std::time::Duration;

use hardlim::Error;
use hardlim::data::Features;
use hardlim::solver::Budget;
use hardlim::train::{CrossValidation, Fold, Samples, Selection, Trainer, geometric};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict};

use crate::convert::vector;
use crate::options::Options;
use crate::problem::Problem;
use crate::training::Reports;

/// The part of the time limit that choosing may take; the rest is for training on all rows.
const SHARE: f64 = 0.8;
/// What training on all rows may take after Ctrl-C.
const LAST_MOMENT: Duration = Duration::from_millis(500);

/// How to choose.
pub(crate) struct Choice {
    validation: CrossValidation,
    /// The folds, where they are given.
    folds: Option<Vec<Fold>>,
}

impl Choice {
    /// What the options `folds` or `splits`, `points`, `least` and `one_se` ask for, where they do.
    pub(crate) fn read(
        options: &Options<'_>,
        problem: &Problem,
        seed: u64,
    ) -> PyResult<Option<Self>> {
        let splits: Option<Vec<(Vec<usize>, Vec<usize>)>> =
            options.get("splits", "pairs of rows to train on and rows to score")?;
        let count = options.count("folds")?;
        if splits.is_none() && count.is_none() {
            return Ok(None);
        }
        let points = options.count("points")?.unwrap_or(30);
        let least = options.number("least")?.unwrap_or(0.001);
        if !(2..=10_000).contains(&points) {
            return Err(wrong(format!("n_ratios must be between 2 and 10000, got {points}")));
        }
        if !(least > 0.0 && least < 1.0) {
            return Err(wrong(format!("least_ratio must be between 0 and 1, got {least}")));
        }
        let fold =
            |(train, test)| Fold { train: problem.places(train), test: problem.places(test) };
        let folds: Option<Vec<Fold>> = splits.map(|splits| splits.into_iter().map(fold).collect());
        let validation = CrossValidation {
            folds: count.unwrap_or_else(|| folds.as_ref().map_or(0, Vec::len)),
            ratios: geometric(least, points),
            one_standard_error: options.flag("one_se")?.unwrap_or(false),
            measure: problem.measure(),
            seed,
        };
        Ok(Some(Self { validation, folds }))
    }

    /// Chooses the strength.
    pub(crate) fn select(
        &self,
        trainer: &Trainer<'_>,
        problem: &Problem,
        reports: &Reports,
    ) -> Result<Selection, Error> {
        let data = &problem.data;
        let rows: Vec<usize> = data.row_of().iter().map(|&g| g as usize).collect();
        let x: Features = data.features().select(&rows);
        let begun = reports.start;
        let deadline =
            trainer.budget.deadline.map(|(_, limit)| (begun + limit.mul_f64(SHARE), limit));
        let budget = Budget { deadline, progress: None, ..trainer.budget };
        let trainer = Trainer { budget, ..*trainer };
        let scored = || reports.scored();
        reports.expect(self.folds() * self.validation.ratios.len());
        if self.folds.is_none() && (self.validation.folds < 2 || self.validation.folds > rows.len())
        {
            return Err(Error::Folds { folds: self.validation.folds, samples: rows.len() });
        }
        let made = self.validation.split(&problem.y);
        let samples = Samples {
            x: &x,
            y: &problem.y,
            weights: problem.weights.as_deref(),
            counts: problem.counts.as_deref(),
        };
        let folds = self.folds.as_ref().unwrap_or(&made);
        self.validation.select_on(folds, &trainer, &samples, scored)
    }

    fn folds(&self) -> usize {
        self.folds.as_ref().map_or(self.validation.folds, Vec::len)
    }
}

/// The budget for training after choosing: a moment, where Ctrl-C came meanwhile.
pub(crate) fn rest(budget: Budget<'_>) -> Budget<'_> {
    let interrupted = budget.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
    if !interrupted {
        return budget;
    }
    Budget { progress: budget.progress, ..Budget::time_limit(LAST_MOMENT) }
}

/// What was found, by name.
pub(crate) fn to_dict<'py>(py: Python<'py>, found: &Selection) -> PyResult<Bound<'py, PyDict>> {
    let dict = [
        ("ratios", vector(py, found.ratios.clone())),
        ("means", vector(py, found.means.clone())),
        ("errors", vector(py, found.errors.clone())),
    ]
    .into_py_dict(py)?;
    for (name, value) in [("ratio", found.ratio), ("score", found.score), ("error", found.error)] {
        dict.set_item(name, value)?;
    }
    dict.set_item("folds", found.folds)?;
    Ok(dict)
}

fn wrong(text: String) -> PyErr {
    PyValueError::new_err(text)
}
