//! Checks of the exports in double precision: compiled here, and compared on rows.

use std::path::Path;

use super::c::{GCC, STRICT};
use super::finding::Finding;
use super::onnx::{Checked, all, path};
use super::tool::{self, Ran};
use super::{Order, Subject, Target, none_differ, rust, scratch};
use crate::error::Error;
use crate::export::Counts;
use crate::model::file::DraftFolder;

/// Compiles the program, runs it on all rows and compares it.
pub(super) fn verify(
    draft: &DraftFolder,
    order: &Order<'_>,
    of: &Subject<'_>,
) -> Result<Checked, Error> {
    let scratch = scratch(draft, order)?;
    let vectors = path(scratch.temporary_path(), order.name);
    let counts = all(order, of, &vectors)?;
    let folders = [draft.temporary_path(), scratch.temporary_path()];
    let findings = match order.to {
        Target::RustDouble => {
            (order.tell)("compiling and running the Rust module");
            let what = "the Rust module, outputs and classes bit for bit";
            rust::replayed(folders, order.name, (&vectors, counts.total()), what)?
        }
        _ => vec![c(order, folders, &vectors, counts)?],
    };
    none_differ(&findings)?;
    Ok(Checked { findings, counts: Some(counts) })
}

/// The C program, compiled and run.
fn c(
    order: &Order<'_>,
    [folder, scratch]: [&Path; 2],
    vectors: &Path,
    counts: Counts,
) -> Result<Finding, Error> {
    (order.tell)("compiling and running the C program");
    let program = scratch.join("replay").to_string_lossy().into_owned();
    let (test, source) = (format!("{}_test.c", order.name), format!("{}.c", order.name));
    let more = ["-O2", "-ffp-contract=off", &test, &source, "-o", &program];
    let ran = match tool::run(folder, "cc", &[&STRICT[..], &more].concat())? {
        Ran::Missing => Ran::Missing,
        Ran::Printed(_) => tool::run(folder, &program, &[&*vectors.to_string_lossy()])?,
    };
    let what = "the C program, outputs and classes bit for bit";
    tool::compared("cc", what, counts.total(), ran, GCC)
}
