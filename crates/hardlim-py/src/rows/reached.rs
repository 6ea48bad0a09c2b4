//! Training on rows that Python keeps: whenever the library asks them, the thread that called it
//! answers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;

use hardlim::Error;
use hardlim::arrangement::Hyperplane;
use hardlim::rows::{Answer, Rows, Task, from_text, to_text};
use hardlim::train::{Event, Watch};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Coding, Sample};
use crate::attend::{LOOK, own_pool};
use crate::certificate::Check;
use crate::error::to_py;
use crate::model::Model;
use crate::options::Options;
use crate::training::{Reports, Training};

/// A question to the rows, and where the answer goes; nothing comes if they cannot answer.
struct Question {
    what: What,
    reply: mpsc::Sender<String>,
}

enum What {
    Answer(String),
    Ask(String),
}

/// Rows that the thread of the caller reaches.
struct Reached {
    questions: mpsc::Sender<Question>,
}

impl Reached {
    fn put(&self, what: What) -> Result<String, Error> {
        let (reply, answer) = mpsc::channel();
        self.questions.send(Question { what, reply }).map_err(|_| Error::Interrupted)?;
        answer.recv().map_err(|_| Error::Interrupted)
    }
}

impl Rows for Reached {
    fn answer(&mut self, neurons: &[Hyperplane]) -> Result<(), Error> {
        self.put(What::Answer(to_text(neurons))).map(|_| ())
    }

    fn ask(&self, task: &Task) -> Result<Answer, Error> {
        from_text(&self.put(What::Ask(to_text(task)))?)
    }
}

/// Puts a question to the object that keeps the rows: `answer(neurons)`, or `ask(task)`, which
/// returns text.
fn put(rows: &Bound<'_, PyAny>, what: &What) -> PyResult<String> {
    match what {
        What::Answer(neurons) => rows.call_method1("answer", (neurons,)).map(|_| String::new()),
        What::Ask(task) => rows.call_method1("ask", (task,))?.extract(),
    }
}

/// Does long work that asks rows. All of Python runs on the calling thread, so that what is set for
/// this thread holds, and Ctrl-C ends a question as it ends any other code. Whatever is raised ends
/// the work.
fn converse<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    rows: &Bound<'_, PyAny>,
    interrupt: &AtomicBool,
    tick: &mut dyn FnMut(Python<'_>) -> PyResult<()>,
    work: impl FnOnce(Reached) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let threads = threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, Into::into));
    let pool = own_pool(threads)?;
    let (questions, asked) = mpsc::channel();
    let asked = Mutex::new(asked);
    let reached = Reached { questions };
    let mut raised: Option<PyErr> = None;
    let result = thread::scope(|scope| {
        let worker = scope.spawn(|| pool.install(|| work(reached)));
        loop {
            let next = py
                .detach(|| asked.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(LOOK));
            let mut heard = |result: PyResult<()>| {
                if let Err(error) = result {
                    interrupt.store(true, Ordering::Relaxed);
                    raised.get_or_insert(error);
                }
                raised.is_none()
            };
            match next {
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => (),
                Ok(Question { what, reply }) if heard(py.check_signals()) => {
                    let answered = put(rows, &what).map(|text| {
                        reply.send(text).expect("the work waits for it");
                    });
                    heard(answered);
                }
                Ok(_) => (),
            }
            heard(py.check_signals()).then(|| heard(tick(py)));
        }
        match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    match raised {
        Some(error) => Err(error),
        None => result.map_err(to_py),
    }
}

/// Trains on rows in blocks, which `rows` keeps: it has the methods `answer(neurons)` and
/// `ask(task)`.
#[pyfunction]
#[pyo3(signature = (coding, sample, rows, options, listener=None))]
pub(crate) fn train_rows(
    py: Python<'_>,
    coding: &Coding,
    sample: &Sample,
    rows: &Bound<'_, PyAny>,
    options: Bound<'_, PyDict>,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<Training> {
    let options = Options(options);
    let (request, threads) = (options.request_for_rows()?, options.threads()?);
    let interrupt = AtomicBool::new(false);
    let reports = Reports::default();
    let listen = |event: Event<'_>| reports.hear(event);
    let watch = Watch { listener: Some(&listen), ..reports.watch(&interrupt) };
    let tick = &mut reports.teller(listener);
    let mut sample = sample.0.clone();
    let coding = &coding.coding;
    let (trained, _) = converse(py, threads, rows, &interrupt, tick, |mut rows| {
        request.train_rows(coding, &mut sample, &mut rows, &watch)
    })?;
    Training::of(py, trained, &reports)
}

/// Checks the certificate of a model again, on rows in blocks.
#[pyfunction]
#[pyo3(signature = (model, rows, threads=None))]
pub(crate) fn certify_rows(
    py: Python<'_>,
    model: &Model,
    rows: &Bound<'_, PyAny>,
    threads: Option<usize>,
) -> PyResult<Check> {
    let model = &model.0;
    let interrupt = AtomicBool::new(false);
    let check = converse(py, threads, rows, &interrupt, &mut |_| Ok(()), |mut rows| {
        model.certify_rows(&mut rows)
    })?;
    Ok(Check::from(&check))
}
