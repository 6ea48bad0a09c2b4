//! External programs that check an export.

use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

use super::failed;
use super::finding::Finding;
use crate::error::Error;

/// What a tool printed, if it is installed.
pub(super) enum Ran {
    Printed(String),
    Missing,
}

/// Runs a tool in a folder.
///
/// # Errors
/// When it fails, with what it said.
pub(super) fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<Ran, Error> {
    let mut command = Command::new(program);
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    let output = match command.output() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Ran::Missing),
        output => output.map_err(|error| failed(format!("cannot run {program}: {error}")))?,
    };
    // An emulator may print what its program prints as an error.
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned() + "\n";
    let printed = text(&output.stderr) + &text(&output.stdout);
    // A replay that finds differences says so by its exit code, too: the numbers are what counts.
    if !output.status.success() && mismatches(&printed).is_none() {
        let said: Vec<&str> = printed.lines().filter(|line| !line.is_empty()).take(5).collect();
        let (arguments, said) = (arguments.join(" "), said.join("; "));
        return Err(failed(format!("{program} {arguments}: {}: {said}", output.status)));
    }
    Ok(Ran::Printed(printed))
}

/// Whether a tool is installed.
pub(super) fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    !matches!(found, Err(error) if error.kind() == ErrorKind::NotFound)
}

/// The numbers of a line `N inputs, M mismatches`.
pub(super) fn mismatches(printed: &str) -> Option<(usize, usize)> {
    printed.lines().find_map(|line| {
        let (inputs, rest) = line.trim().split_once(" inputs, ")?;
        let mismatches = rest.strip_suffix(" mismatches")?;
        Some((inputs.parse().ok()?, mismatches.parse().ok()?))
    })
}

/// What a replay found; it must have seen every input.
pub(super) fn compared(
    tool: &'static str,
    what: &str,
    expected: usize,
    ran: Ran,
    install: &'static str,
) -> Result<Finding, Error> {
    let what = what.to_owned();
    let Ran::Printed(printed) = ran else {
        return Ok(Finding::Skipped { tool, what, install });
    };
    match mismatches(&printed) {
        Some((inputs, mismatches)) if inputs == expected => {
            Ok(Finding::Compared { tool, what, inputs, mismatches })
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
