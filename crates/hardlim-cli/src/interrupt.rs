//! Ctrl-C: while there is something to save, it asks training to stop; otherwise it ends the
//! program.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;

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
                    let _ = match path.is_dir() {
                        true => std::fs::remove_dir_all(path),
                        false => std::fs::remove_file(path),
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
