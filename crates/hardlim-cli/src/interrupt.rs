//! Ctrl-C: while there is something to save, it asks training to stop; otherwise it ends the
//! program.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::Context;
use hardlim::train::{Event, Watch};

/// The exit code after Ctrl-C.
pub(crate) const EXIT_CODE: u8 = 130;

static ASKED: AtomicBool = AtomicBool::new(false);
static PATIENT: AtomicBool = AtomicBool::new(false);
static WRITING: Mutex<()> = Mutex::new(());
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Takes over the signals.
pub(crate) fn install() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        // The second time, or with nothing to wait for, the answer is immediate.
        if ASKED.swap(true, Ordering::Relaxed) || !PATIENT.load(Ordering::Relaxed) {
            undisturbed(|| {
                let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
                for path in unfinished.iter() {
                    let _ = if path.is_dir() {
                        std::fs::remove_dir_all(path)
                    } else {
                        std::fs::remove_file(path)
                    };
                }
                std::process::exit(EXIT_CODE.into());
            });
        }
    })
    .context("cannot watch for Ctrl-C")
}

/// Whether Ctrl-C was pressed.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// From now on, Ctrl-C raises this flag first.
pub(crate) fn watch() -> &'static AtomicBool {
    PATIENT.store(true, Ordering::Relaxed);
    &ASKED
}

/// A watch from this time on, which Ctrl-C ends early.
pub(crate) fn from<'a>(
    start: Instant,
    listener: Option<&'a (dyn Fn(Event<'_>) + Sync)>,
) -> Watch<'a> {
    Watch { start, interrupt: Some(watch()), listener, ..Watch::default() }
}

/// Removes this temporary file or folder if the program ends before it is finished.
pub(crate) fn remove_on_exit(path: &Path) {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(path.into());
}

/// Does work that a second Ctrl-C must not cut short, such as writing a file. The thread that
/// handles signals waits here.
pub(crate) fn undisturbed<T>(work: impl FnOnce() -> T) -> T {
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    work()
}
