//! Checks of the Rust export.

use std::path::Path;

use super::finding::{Finding, Job, none_differ};
use super::tool::{self, Ran};
use super::written;
use crate::error::Error;

const INSTALL: &str = "see rustup.rs, or apt install rustc";

pub(super) fn check(job: &Job<'_>) -> Result<Vec<Finding>, Error> {
    (job.tell)("compiling and running the Rust module");
    let what = "the Rust module, sums and classes bit for bit";
    let inputs = (job.vectors, job.counts.total());
    let findings = replayed([job.folder, job.scratch], job.name, inputs, what)?;
    none_differ(&findings)?;
    Ok(findings)
}

/// Compiles a module, alone and with its harness, and replays inputs through it.
pub(super) fn replayed(
    [folder, scratch]: [&Path; 2],
    name: &str,
    (vectors, inputs): (&Path, usize),
    what: &str,
) -> Result<Vec<Finding>, Error> {
    let program = scratch.join("replay").to_string_lossy().into_owned();
    let test = format!("{name}_test.rs");
    let arguments = ["-O", "--edition", "2021", "-D", "warnings", &test, "-o", &program];
    let ran = match tool::run(folder, "rustc", &arguments)? {
        Ran::Missing => Ran::Missing,
        Ran::Printed(_) => tool::run(folder, &program, &[&*vectors.to_string_lossy()])?,
    };
    let mut findings = Vec::new();
    if let Ran::Printed(_) = &ran {
        let module = folder.join(format!("{name}.rs"));
        let library = scratch.join("bare.rs");
        let text = format!("#![no_std]\n#[path = {module:?}]\npub mod {name};\n");
        std::fs::write(&library, text).map_err(written(&library))?;
        let edition = ["--edition", "2021", "--crate-type", "lib", "-D", "warnings"];
        let out = ["bare.rs", "-o", "bare.rlib"];
        tool::run(scratch, "rustc", &[&edition[..], &out].concat())?;
        findings.push(Finding::Noted {
            tool: "rustc",
            what: "it compiles without the standard library, without warnings".into(),
            numbers: serde_json::Value::Null,
        });
    }
    findings.push(tool::compared("rustc", what, inputs, ran, INSTALL)?);
    Ok(findings)
}
