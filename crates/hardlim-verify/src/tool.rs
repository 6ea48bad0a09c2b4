//! External programs that check an export.

use std::io::{ErrorKind, Read};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use hardlim::Error;
use hardlim::export::Finding;

use crate::failed;
use crate::group::Group;

/// What a tool printed, if it is installed.
pub(crate) enum Ran {
    Printed(String),
    Missing,
}

/// Runs a tool in a folder.
///
/// # Errors
/// When it fails, with what it said.
pub(crate) fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<Ran, Error> {
    let ran = run_within(folder, program, arguments, None)?;
    Ok(ran.expect("without a limit it is not stopped"))
}

/// What a tool printed, if it succeeded.
fn ended(
    program: &str,
    arguments: &[&str],
    status: ExitStatus,
    printed: String,
) -> Result<Ran, Error> {
    // A replay that finds differences says so by its exit code, too: the numbers are what counts.
    if !status.success() && mismatches(&printed).is_none() {
        let said: Vec<&str> = printed.lines().filter(|line| !line.is_empty()).take(5).collect();
        let (arguments, said) = (arguments.join(" "), said.join("; "));
        return Err(failed(format!("{program} {arguments}: {status}: {said}")));
    }
    Ok(Ran::Printed(printed))
}

/// Runs a tool in a folder, for at most this long if there is a limit; `None` if it was stopped,
/// with all that it started.
///
/// # Errors
/// When it fails, with what it said.
pub(crate) fn run_within(
    folder: &Path,
    program: &str,
    arguments: &[&str],
    limit: Option<Duration>,
) -> Result<Option<Ran>, Error> {
    let mut command = Command::new(program);
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let failed_to = |error| failed(format!("cannot run {program}: {error}"));
    let started = match limit {
        Some(_) => Group::start(&mut command).map(|(child, group)| (child, Some(group))),
        None => command.spawn().map(|child| (child, None)),
    };
    let (mut child, group) = match started {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Some(Ran::Missing)),
        started => started.map_err(failed_to)?,
    };
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let out = std::thread::spawn(move || all_of(out));
    let err = std::thread::spawn(move || all_of(err));
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(failed_to)? {
            Some(status) => break status,
            None if limit.is_none_or(|limit| start.elapsed() < limit) => {
                std::thread::sleep(Duration::from_millis(5));
            }
            None => {
                group.map_or(Ok(()), |group| group.stop(&mut child)).map_err(failed_to)?;
                return Ok(None);
            }
        }
    };
    group.map_or(Ok(()), Group::leave).map_err(failed_to)?;
    let read = |thread: std::thread::JoinHandle<String>| thread.join().unwrap_or_default();
    // An emulator may print what its program prints as an error.
    let printed = read(err) + &read(out);
    ended(program, arguments, status, printed).map(Some)
}

fn all_of(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    // What cannot be read is missing from the message.
    let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned() + "\n"
}

/// Whether a tool is installed.
pub(crate) fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    !matches!(found, Err(error) if error.kind() == ErrorKind::NotFound)
}

/// The numbers of a line `N inputs, M mismatches`, whatever stands before it.
pub(crate) fn mismatches(printed: &str) -> Option<(usize, usize)> {
    printed.lines().find_map(|line| {
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
    let Ran::Printed(printed) = ran else { return Ok(Finding::skipped(tool, what, install)) };
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
        let limit = Some(Duration::from_secs(1));
        let ran = run_within(folder.path(), "sh", &["-c", tool], limit).unwrap();
        assert!(ran.is_none() && start.elapsed() < Duration::from_secs(3));
        std::thread::sleep(Duration::from_secs(3).saturating_sub(start.elapsed()));
        std::thread::sleep(Duration::from_millis(500));
        assert!(folder.path().join("started").exists());
        assert!(!folder.path().join("late").exists());
    }

    #[test]
    fn a_tool_that_ends_in_time_is_heard() {
        let folder = tempfile::tempdir().unwrap();
        let limit = Some(Duration::from_secs(60));
        let ran = run_within(folder.path(), "sh", &["-c", "echo heard"], limit).unwrap();
        assert!(matches!(ran, Some(Ran::Printed(said)) if said.contains("heard")));
        let missing = run_within(folder.path(), "no-such-tool", &[], limit).unwrap();
        assert!(matches!(missing, Some(Ran::Missing)));
    }
}
