//! Training: from training data to a certified model.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hardlim::rows::Coded;
use hardlim::solver::Progress;
use hardlim::train::{Choice, Event, ListBound, Measure, Trained, Watch};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict};

use crate::attend::watched;
use crate::convert::{rows, vector};
use crate::model::Model;
use crate::options::Options;
use crate::training_data::TrainingData;

/// How often a listener is called.
const TELL: Duration = Duration::from_millis(100);

/// A trained model, and how it came about.
#[pyclass(frozen, get_all, module = "hardlim._hardlim")]
pub(crate) struct Training {
    /// The model.
    model: Py<Model>,
    /// The smallest beta whose optimum is the zero network.
    beta_max: f64,
    /// Whether that value is exact, or only a bound.
    beta_max_exact: bool,
    /// The size of the dictionary.
    patterns: usize,
    /// Why training stopped: gap, rounds, time or interrupt.
    stop: &'static str,
    /// The time it took.
    seconds: f64,
    /// One row for each check: seconds, round, patterns, neurons, objective, lower bound.
    trace: Py<PyArray2<f64>>,
    /// The results of cross-validation.
    selection: Option<Py<PyDict>>,
    /// The choice for the best predictions.
    choice: Option<Py<PyDict>>,
    /// What is proven about lists of as many rules.
    lists: Option<Py<PyDict>>,
}

/// Progress reports during training.
pub(crate) struct Reports {
    start: Instant,
    rows: Mutex<Vec<(Duration, Progress)>>,
    scored: AtomicUsize,
    expected: AtomicUsize,
}

impl Default for Reports {
    fn default() -> Self {
        let zero = AtomicUsize::default;
        Self { start: Instant::now(), rows: Mutex::default(), scored: zero(), expected: zero() }
    }
}

impl Reports {
    /// A watch from the same time on, which this flag ends early.
    pub(crate) fn watch<'a>(&self, interrupt: &'a AtomicBool) -> Watch<'a> {
        Watch { start: self.start, interrupt: Some(interrupt), ..Watch::default() }
    }

    /// Stores an event.
    pub(crate) fn hear(&self, event: Event<'_>) {
        match event {
            Event::Choosing { scores } => self.expect(scores),
            Event::Scored => self.scored(),
            Event::Class(_) | Event::Lists(_) => (),
            Event::Progress(progress) => self.record(progress),
        }
    }

    pub(crate) fn record(&self, progress: &Progress) {
        self.lock().push((self.start.elapsed(), *progress));
    }

    /// Sets how many candidates will be scored.
    pub(crate) fn expect(&self, candidates: usize) {
        self.expected.store(candidates, Ordering::Relaxed);
    }

    /// One more candidate was scored.
    pub(crate) fn scored(&self) {
        self.scored.fetch_add(1, Ordering::Relaxed);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(Duration, Progress)>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls a listener with the latest numbers, not too often: candidates scored and expected and,
    /// once a network is being trained, neurons, objective and lower bound.
    pub(crate) fn teller<'a>(
        &'a self,
        listener: Option<&'a Bound<'_, PyAny>>,
    ) -> impl FnMut(Python<'_>) -> PyResult<()> + 'a {
        let mut told = Instant::now();
        move |_| {
            let Some(listener) = listener.filter(|_| told.elapsed() >= TELL) else { return Ok(()) };
            told = Instant::now();
            let last = self.lock().last().map(|(_, p)| (p.neurons, p.objective, p.lower_bound));
            let scored = self.scored.load(Ordering::Relaxed);
            listener.call1((scored, self.expected.load(Ordering::Relaxed), last))?;
            Ok(())
        }
    }

    fn trace(&self, py: Python<'_>) -> PyResult<Py<PyArray2<f64>>> {
        let reports = self.lock();
        let values = reports.iter().flat_map(|(time, p)| {
            let counts = [p.round, p.patterns, p.neurons].map(|count| count as f64);
            [&[time.as_secs_f64()][..], &counts, &[p.objective, p.lower_bound]].concat()
        });
        rows(py, values.collect(), (reports.len(), 6))
    }
}

/// Trains a model on training data. The options have the names that they have on the command line;
/// the listener gets progress reports.
#[pyfunction]
#[pyo3(signature = (training_data, options, listener=None))]
pub(crate) fn train(
    py: Python<'_>,
    training_data: &Bound<'_, TrainingData>,
    options: Bound<'_, PyDict>,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<Training> {
    let options = Options(options);
    let training_data = training_data.get();
    let (request, threads) = (options.request(Some(training_data))?, options.threads()?);
    let (trained, reports) = watched(py, threads, listener, |watch, _| {
        if let Some(Coded { coding, mut sample, mut rows, .. }) = training_data.divided(&request) {
            return Ok(request.train_rows(&coding, &mut sample, &mut rows, watch)?.0);
        }
        let (set, _) = request.screen((training_data.set.clone(), None), watch)?;
        request.check(&set)?.train(&set, watch)
    })?;
    Training::of(py, trained, &reports)
}

impl Training {
    /// What was trained, for Python.
    pub(crate) fn of(py: Python<'_>, trained: Trained, reports: &Reports) -> PyResult<Self> {
        let (selection, choice) = match &trained.choice {
            None => (None, None),
            Some(choice) => (selection(py, choice)?, choice_of(py, choice)?),
        };
        let lists = trained.lists.as_ref().map(|lists| lists_of(py, lists)).transpose()?;
        Ok(Self {
            beta_max: trained.beta_max,
            beta_max_exact: trained.beta_max_exact,
            patterns: trained.patterns,
            stop: trained.stop.name(),
            model: Py::new(py, Model(trained.model))?,
            seconds: reports.start.elapsed().as_secs_f64(),
            trace: reports.trace(py)?,
            selection: selection.map(Bound::unbind),
            choice: choice.map(Bound::unbind),
            lists: lists.map(Bound::unbind),
        })
    }
}

/// What is proven about lists of as many rules, by name.
fn lists_of<'py>(py: Python<'py>, lists: &ListBound) -> PyResult<Bound<'py, PyDict>> {
    let dict = [
        ("objective", lists.objective),
        ("lower_bound", lists.lower_bound),
        ("relative_gap", lists.relative_gap()),
    ]
    .into_py_dict(py)?;
    dict.set_item("rules", lists.rules)?;
    dict.set_item("claim", lists.claim())?;
    dict.set_item("nodes", lists.nodes)?;
    dict.set_item("changed", lists.changed)?;
    Ok(dict)
}

/// The scores of all strengths by name, if they were asked for.
fn selection<'py>(py: Python<'py>, choice: &Choice) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some((score, error)) = choice.compared() else { return Ok(None) };
    let dict = [
        ("ratios", vector(py, choice.ratios.clone())),
        ("means", vector(py, choice.scores.clone())),
        ("errors", vector(py, choice.errors.clone())),
    ]
    .into_py_dict(py)?;
    for (name, value) in [("ratio", choice.ratio), ("score", score), ("error", error)] {
        dict.set_item(name, value)?;
    }
    dict.set_item("folds", choice.folds)?;
    Ok(Some(dict))
}

/// The choice for the best predictions by name, if these were requested.
fn choice_of<'py>(py: Python<'py>, choice: &Choice) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(found) = &choice.predicted else { return Ok(None) };
    let dict = [
        ("ratios", vector(py, choice.ratios.clone())),
        ("losses", vector(py, found.losses.clone())),
    ]
    .into_py_dict(py)?;
    let numbers = choice.measure == Measure::R2;
    let names = if numbers { ("r2", "loss") } else { ("accuracy", "log_loss") };
    let values = [
        ("ratio", choice.ratio),
        (names.0, choice.score),
        (names.1, found.loss),
        ("error", choice.error),
    ];
    for (name, value) in values {
        dict.set_item(name, value)?;
    }
    dict.set_item("folds", choice.folds)?;
    dict.set_item("class", found.class.to_string())?;
    let classes = found.classes.iter().map(|(class, loss)| (class.to_string(), *loss));
    dict.set_item("classes", classes.into_py_dict(py)?)?;
    Ok(Some(dict))
}
