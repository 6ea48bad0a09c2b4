//! Checks of the Rust export.

use hardlim::Error;
use hardlim::export::Finding;
use serde_json::Value;

use crate::tool::{self, Ran};
use crate::{Run, written};

const INSTALL: &str = "see rustup.rs, or apt install rustc";

/// Compiles the module, alone and with its harness, and replays all inputs through it.
pub(crate) fn check(run: &Run<'_>) -> Result<Vec<Finding>, Error> {
    run.tell("compiling and running the Rust module");
    let (name, program) = (run.name(), run.temporary("replay"));
    let test = format!("{name}_test.rs");
    let arguments = ["-O", "--edition", "2021", "-D", "warnings", &test, "-o", &program];
    let mut findings = Vec::new();
    let mut ran = tool::run(run.folder(), "rustc", &arguments)?;
    if let Ran::Printed(_) = ran {
        ran = tool::run(run.folder(), &program, &[&*run.vectors.to_string_lossy()])?;
        let library = run.scratch.join("bare.rs");
        let module = run.folder().join(format!("{name}.rs"));
        let text = format!("#![no_std]\n#[path = {module:?}]\npub mod {name};\n");
        std::fs::write(&library, text).map_err(written(&library))?;
        let edition = ["--edition", "2021", "--crate-type", "lib", "-D", "warnings"];
        let out = ["bare.rs", "-o", "bare.rlib"];
        tool::run(run.scratch, "rustc", &[&edition[..], &out].concat())?;
        let what = "it compiles without the standard library, without warnings";
        findings.push(Finding::noted("rustc", what, Value::Null));
    }
    let what = "the Rust module, sums and classes bit for bit";
    findings.push(tool::compared("rustc", what, run.counts.total(), &ran, INSTALL)?);
    Ok(findings)
}
