//! Work while Python waits: on separate threads, without the interpreter's lock, with a watch for
//! Ctrl-C.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use hardlim::Error;
use hardlim::train::{Event, Watch};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::to_py;
use crate::training::Reports;

/// How often signals are checked.
pub(crate) const LOOK: Duration = Duration::from_millis(20);
/// The stack of a thread, as large as that of a program's main thread.
const STACK: usize = 8 << 20;

/// The pools of a process, by the number of their threads.
type Pools = (u32, HashMap<usize, Arc<ThreadPool>>);

static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

/// A pool of this many threads, or of one for each core. A forked process has none of its parent's
/// threads, so it gets new ones.
pub(crate) fn pool(threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    let threads = threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, Into::into));
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if pools.as_ref().is_some_and(|(owner, _)| *owner != process) {
        std::mem::forget(pools.take()); // nothing would answer if they were asked to end
    }
    let (_, pools) = pools.get_or_insert_with(|| (process, HashMap::new()));
    if let Some(pool) = pools.get(&threads) {
        return Ok(Arc::clone(pool));
    }
    Ok(Arc::clone(pools.entry(threads).or_insert(Arc::new(own_pool(threads)?))))
}

/// A pool that nobody else uses, for work that waits on its threads.
pub(crate) fn own_pool(threads: usize) -> PyResult<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
    pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// Does short work without the interpreter's lock.
pub(crate) fn briefly<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    let pool = pool(threads)?;
    py.detach(|| pool.install(work)).map_err(to_py)
}

/// Does long work without the interpreter's lock. The first Ctrl-C raises the flag `interrupt`, and
/// the result of the work is still returned. A second Ctrl-C is raised in Python when the work has
/// returned. `tick` is called from time to time, with the lock; if it fails, so does the work.
pub(crate) fn attend<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    interrupt: &AtomicBool,
    tick: &mut dyn FnMut(Python<'_>) -> PyResult<()>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    let pool = pool(threads)?;
    let done = AtomicBool::new(false);
    let waiting = thread::current();
    let mut fatal: Option<PyErr> = None;
    let result = thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = pool.install(work);
            done.store(true, Ordering::Release);
            waiting.unpark();
            result
        });
        while !done.load(Ordering::Acquire) && !worker.is_finished() {
            py.detach(|| thread::park_timeout(LOOK));
            let told = if fatal.is_none() { tick(py) } else { Ok(()) };
            // Ctrl-C may come during the call of `tick`, or outside it.
            for error in [py.check_signals(), told].into_iter().filter_map(Result::err) {
                let asked = interrupt.swap(true, Ordering::Relaxed);
                if asked || !error.is_instance_of::<PyKeyboardInterrupt>(py) {
                    fatal.get_or_insert(error);
                }
            }
        }
        match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    if let Some(error) = fatal {
        return Err(error);
    }
    result.map_err(|error| match error {
        Error::Interrupted if interrupt.load(Ordering::Relaxed) => {
            PyKeyboardInterrupt::new_err(error.to_string())
        }
        error => to_py(error),
    })
}

/// Does long work that Ctrl-C ends early, with a listener to its progress.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    listener: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watch<'_>, &Reports) -> Result<T, Error> + Send,
) -> PyResult<(T, Reports)> {
    let interrupt = AtomicBool::new(false);
    let reports = Reports::default();
    let listen = |event: Event<'_>| reports.hear(event);
    let watch = Watch { listener: Some(&listen), ..reports.watch(&interrupt) };
    let mut tick = reports.teller(listener);
    let found = attend(py, threads, &interrupt, &mut tick, || work(&watch, &reports))?;
    drop(tick);
    Ok((found, reports))
}
