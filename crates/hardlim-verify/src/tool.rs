//! External programs that check an export.

use std::io::{ErrorKind, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hardlim::Error;
use hardlim::export::Finding;

use crate::failed;
use crate::group::Group;

pub(crate) enum Ran {
    Printed(String),
    Missing,
    /// It was stopped, with all that it started, because its time was over.
    Late,
}

impl Ran {
    /// The same with other words where something was printed.
    pub(crate) fn map(&self, words: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Printed(printed) => Self::Printed(words(printed)),
            Self::Missing => Self::Missing,
            Self::Late => Self::Late,
        }
    }
}

/// Runs a tool in a folder, however long it takes.
///
/// # Errors
/// When it fails, with what it said.
pub(crate) fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<Ran, Error> {
    run_within(folder, program, arguments, Duration::MAX)
}

/// Runs a tool in a folder, for at most this long.
///
/// # Errors
/// When it fails, with what it said.
pub(crate) fn run_within(
    folder: &Path,
    program: &str,
    arguments: &[&str],
    limit: Duration,
) -> Result<Ran, Error> {
    let mut command = Command::new(program);
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let failed_to = |error| failed(format!("cannot run {program}: {error}"));
    let (mut child, group) = match Group::start(&mut command) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Ran::Missing),
        started => started.map_err(failed_to)?,
    };
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let out = std::thread::spawn(move || all_of(out));
    let err = std::thread::spawn(move || all_of(err));
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(failed_to)? {
            break status;
        }
        if start.elapsed() >= limit {
            group.stop(&mut child).map_err(failed_to)?;
            return Ok(Ran::Late);
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    group.leave().map_err(failed_to)?;
    let read = |thread: std::thread::JoinHandle<String>| thread.join().unwrap_or_default();
    // An emulator may print what its program prints as an error.
    let printed = read(err) + &read(out);
    // A replay that finds differences says so by its exit code, too: the numbers are what counts.
    if !status.success() && mismatches(&printed).is_none() {
        let said: Vec<&str> = printed.lines().filter(|line| !line.is_empty()).take(5).collect();
        let (arguments, said) = (arguments.join(" "), said.join("; "));
        return Err(failed(format!("{program} {arguments}: {status}: {said}")));
    }
    Ok(Ran::Printed(printed))
}

fn all_of(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    // What cannot be read is missing from the message.
    let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned() + "\n"
}

/// The numbers of the last line `N inputs, M mismatches`, whatever stands before it.
pub(crate) fn mismatches(printed: &str) -> Option<(usize, usize)> {
    printed.lines().rev().find_map(|line| {
        let (before, rest) = line.trim().split_once(" inputs, ")?;
        let inputs = before.split_whitespace().next_back()?;
        let mismatches = rest.strip_suffix(" mismatches")?;
        Some((inputs.parse().ok()?, mismatches.parse().ok()?))
    })
}

/// What a replay found; it must have seen every input.
pub(crate) fn compared(
    tool: &'static str,
    what: &str,
    expected: usize,
    ran: &Ran,
    install: &'static str,
) -> Result<Finding, Error> {
    let printed = match ran {
        Ran::Printed(printed) => printed,
        Ran::Missing => return Ok(Finding::skipped(tool, what, install)),
        Ran::Late => return Ok(Finding::late(tool, what)),
    };
    match mismatches(printed) {
        Some((inputs, mismatches)) if inputs == expected => {
            Ok(Finding::compared(tool, what, inputs, mismatches))
        }
        Some((inputs, _)) => {
            Err(failed(format!("{tool}: {what}: {inputs} of {expected} inputs were replayed")))
        }
        None => {
            let printed = printed.trim();
            Err(failed(format!("{tool}: {what}: no result in its output: {printed}")))
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_is_stopped_takes_its_children_with_it() {
        let folder = tempfile::tempdir().unwrap();
        // The child would write a file two seconds after the limit.
        let tool = "(touch started; sleep 3; touch late) & wait";
        let start = Instant::now();
        let limit = Duration::from_secs(1);
        let ran = run_within(folder.path(), "sh", &["-c", tool], limit).unwrap();
        assert!(matches!(ran, Ran::Late) && start.elapsed() < Duration::from_secs(3));
        std::thread::sleep(Duration::from_secs(3).saturating_sub(start.elapsed()));
        std::thread::sleep(Duration::from_millis(500));
        assert!(folder.path().join("started").exists());
        assert!(!folder.path().join("late").exists());
    }

    #[test]
    fn a_tool_that_ends_in_time_is_heard() {
        let folder = tempfile::tempdir().unwrap();
        let ran = run(folder.path(), "sh", &["-c", "echo heard"]).unwrap();
        assert!(matches!(ran, Ran::Printed(said) if said.contains("heard")));
        assert!(matches!(run(folder.path(), "no-such-tool", &[]).unwrap(), Ran::Missing));
    }
}
