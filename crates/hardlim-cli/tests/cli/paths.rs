//! `hardlim path` and `hardlim train --cv`, as a user sees them.

mod cv;
mod path;

use std::process::Output;

use serde_json::Value;

/// Runs `hardlim` with these arguments, separated by spaces.
fn hardlim(args: &str) -> Output {
    let mut command = assert_cmd::Command::cargo_bin("hardlim").expect("the program is built");
    command.args(args.split_whitespace()).output().expect("it runs")
}

/// The JSON object of a run that ends well; nothing is told on standard error.
fn json(args: &str) -> Value {
    let output = hardlim(&format!("{args} --json"));
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*told), (Some(0), ""), "{args}");
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Asserts that a run ends with exit code 2, and what it says.
fn refused(args: &str, message: &str) {
    let output = hardlim(args);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args}: {told}");
    assert!(told.contains(message), "{args}: {told}");
}

/// What a run prints, but for the seconds it took.
fn timeless(args: &str) -> Value {
    let mut object = json(args);
    object.as_object_mut().expect("an object").remove("seconds");
    object
}
