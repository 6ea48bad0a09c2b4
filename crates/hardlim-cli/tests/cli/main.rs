//! The command line as its users meet it: what they type, what they read, and the exit code.

/// Asserts that an object of JSON has these values, whatever else it has.
macro_rules! has {
    ($object:expr, $expected:tt) => {
        crate::assert_has(&$object, serde_json::json!($expected))
    };
}

mod arrangements;
mod baseline;
mod blocks;
mod certify;
mod classes;
mod completions;
mod cv;
mod datasets;
mod deep;
mod describe;
mod door;
mod edit;
mod enumerate;
mod errors;
mod evaluate;
mod explain;
mod export;
mod files;
mod halfspace;
mod importance;
mod interpolate;
mod interrupt;
mod lists;
mod names;
mod path;
mod plot;
mod predict;
#[cfg(unix)]
mod progress;
mod prove;
mod report;
mod reports;
mod reproduce;
#[cfg(unix)]
mod running;
mod tables;
mod train;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

/// A made-up table of the guide.
const LOANS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/loans.csv");

/// A folder that goes away with its test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in it, there or not.
    fn file(&self, name: &str) -> String {
        self.path().join(name).to_str().expect("UTF-8").to_owned()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.path().join(name), bytes).expect("written");
        self.file(name)
    }

    /// A model file with this text, and the checksum that belongs to it.
    fn forged(&self, text: &str) -> String {
        let line = "  \"checksum\": \"sha256:";
        let body = &text[..text.rfind(line).expect("a checksum")];
        let sum = Sha256::digest(body.as_bytes());
        self.write("forged", format!("{body}{line}{sum:x}\"\n}}\n"))
    }

    /// Everything in it.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<PathBuf> = fs::read_dir(self.path())
            .expect("there")
            .map(|e| e.expect("an entry").path())
            .collect();
        names.sort();
        names.iter().map(|p| p.file_name().unwrap().to_str().unwrap().to_owned()).collect()
    }

    /// A model of a table, trained with these flags.
    fn model(&self, name: &str, table: &str, flags: &[&str]) -> String {
        let path = self.file(name);
        let ran = run(&[&["train", table, "-o", &path], flags].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        path
    }
}

/// What a command did.
struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

fn run(arguments: &[&str]) -> Ran {
    run_with(arguments, &[])
}

/// Runs a command with these bytes on its standard input.
fn run_with(arguments: &[&str], input: &[u8]) -> Ran {
    let output =
        cargo_bin_cmd!("hardlim").args(arguments).write_stdin(input).output().expect("ran");
    Ran {
        code: output.status.code().expect("not killed"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Runs a command as it is typed, where no argument has spaces.
fn run_line(line: &str) -> Ran {
    run(&line.split_whitespace().collect::<Vec<_>>())
}

/// The JSON object of a run that ends well.
fn json(line: &str) -> Value {
    run_line(&format!("{line} --json")).json(0)
}

/// The same, but for the seconds it took.
fn timeless(line: &str) -> Value {
    let mut object = json(line);
    object.as_object_mut().expect("an object").remove("seconds");
    object
}

/// Asserts that a run ends with exit code 2, and says these words.
#[track_caller]
fn refused(line: &str, words: &str) {
    let ran = run_line(line);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{line}: {}", ran.stderr);
    assert!(ran.stderr.contains(words), "{line}: {}", ran.stderr);
}

/// Asserts that a text has these words.
#[track_caller]
fn says(text: impl AsRef<str>, words: &[&str]) {
    let text = text.as_ref();
    for words in words {
        assert!(text.contains(words), "{words:?} is not in\n{text}");
    }
}

#[track_caller]
fn assert_has(object: &Value, expected: Value) {
    match expected {
        Value::Object(expected) => {
            for (name, value) in expected {
                assert_has(&object[name], value);
            }
        }
        expected => assert_eq!(*object, expected),
    }
}

#[track_caller]
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, not {value}"))
}

impl Ran {
    /// The one JSON object on standard output, of a command that ended with this code.
    #[track_caller]
    fn json(&self, code: i32) -> Value {
        assert_eq!((self.code, self.stderr.as_str()), (code, ""), "{}", self.stdout);
        assert_eq!(self.stdout.matches('\n').count(), 1, "{}", self.stdout);
        serde_json::from_str(&self.stdout).expect("JSON")
    }

    /// The text on standard output, of a command that ended with this code.
    #[track_caller]
    fn text(&self, code: i32) -> &str {
        assert_eq!((self.code, self.stderr.as_str()), (code, ""), "{}", self.stdout);
        &self.stdout
    }

    /// Asserts that a command ended well, and that its standard output has these words.
    #[track_caller]
    fn says(&self, words: &[&str]) {
        says(self.text(0), words);
    }

    /// The one line of an error, of a command that could not run.
    #[track_caller]
    fn error(&self) -> &str {
        assert_eq!((self.code, self.stdout.as_str()), (2, ""), "{}", self.stderr);
        let line = self.stderr.strip_suffix('\n').expect("a line");
        assert!(!line.contains('\n'), "{line}");
        line.strip_prefix("hardlim: ").expect("the name of the program")
    }

    /// The text about a flag that is wrong.
    #[track_caller]
    fn usage(&self) -> &str {
        assert_eq!((self.code, self.stdout.as_str()), (2, ""), "{}", self.stderr);
        self.stderr.strip_prefix("error: ").expect("an error of usage")
    }
}

/// Tables that tests train on.
mod samples {
    /// Two features and a label, the second class where their sum is large.
    pub(crate) fn labelled(rows: usize) -> String {
        let row = |i: usize| {
            let (a, b) = ((i * 7 % 11) as f64 * 0.5, (i * 5 % 13) as f64 - 6.0);
            format!("{a},{b},{}\n", if a + b > 1.0 { "yes" } else { "no" })
        };
        "a,b,label\n".to_owned() + &(0..rows).map(row).collect::<String>()
    }

    /// A few rows of many features, of two classes.
    pub(crate) fn many_features(features: usize) -> String {
        let header: String = (0..features).map(|j| format!("feature{j},")).collect();
        let row = |i: usize| {
            let cells: String = (0..features)
                .map(|j| format!("{},", (i * i + 3 * j * i + 7 * j) % 10_007))
                .collect();
            format!("{cells}{}\n", i % 2)
        };
        format!("{header}y\n") + &(0..6).map(row).collect::<String>()
    }

    /// A number as the target.
    pub(crate) fn regression(rows: usize) -> String {
        let row = |i: usize| {
            let (a, b) = ((i * 7 % 11) as f64, (i * 5 % 13) as f64);
            format!("{a},{b},{}\n", 0.5 * a - b.sqrt())
        };
        "a,b,value\n".to_owned() + &(0..rows).map(row).collect::<String>()
    }

    /// A number of 10¹² and more as the target.
    pub(crate) fn huge(rows: usize) -> String {
        let row = |i: usize| {
            let (a, b) = ((i * i + 3 * i) % 101, i * 37 % 89);
            format!("{a},{b},{}000000000\n", 3000 + 20 * a + a * b % 997)
        };
        "a,b,value\n".to_owned() + &(0..rows).map(row).collect::<String>()
    }

    /// More columns than rows: every dichotomy is possible.
    pub(crate) fn wide() -> String {
        let header: String = (0..8).map(|j| format!("x{j},")).collect();
        let row = |i: usize| {
            let cells: String =
                (0..8).map(|j| format!("{},", (i * i + 3 * j * i + j) % 17)).collect();
            format!("{cells}{}\n", i % 2)
        };
        format!("{header}y\n") + &(0..6).map(row).collect::<String>()
    }
}
