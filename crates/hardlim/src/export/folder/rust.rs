//! Checks of the Rust export.

use super::finding::{Finding, Job, none_differ};
use super::tool::{self, Ran};
use super::written;
use crate::error::Error;

const INSTALL: &str = "see rustup.rs, or apt install rustc";

pub(super) fn check(job: &Job<'_>) -> Result<Vec<Finding>, Error> {
    (job.tell)("compiling and running the Rust module");
    let name = job.name;
    let program = job.scratch.join("replay").to_string_lossy().into_owned();
    let test = format!("{name}_test.rs");
    let arguments = ["-O", "--edition", "2021", "-D", "warnings", &test, "-o", &program];
    let ran = match tool::run(job.folder, "rustc", &arguments)? {
        Ran::Missing => Ran::Missing,
        Ran::Printed(_) => tool::run(job.folder, &program, &[&job.vectors.to_string_lossy()])?,
    };
    let mut findings = Vec::new();
    if let Ran::Printed(_) = &ran {
        let module = job.folder.join(format!("{name}.rs"));
        let library = job.scratch.join("bare.rs");
        let text = format!("#![no_std]\n#[path = {module:?}]\npub mod {name};\n");
        std::fs::write(&library, text).map_err(written(&library))?;
        let edition = ["--edition", "2021", "--crate-type", "lib", "-D", "warnings"];
        let out = ["bare.rs", "-o", "bare.rlib"];
        tool::run(job.scratch, "rustc", &[&edition[..], &out].concat())?;
        findings.push(Finding::Noted {
            tool: "rustc",
            what: "it compiles without the standard library, without warnings".into(),
            numbers: serde_json::Value::Null,
        });
    }
    let what = "the Rust module, sums and classes bit for bit";
    findings.push(tool::compared("rustc", what, job.counts.total(), ran, INSTALL)?);
    none_differ(&findings)?;
    Ok(findings)
}
