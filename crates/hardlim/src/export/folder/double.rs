//! Checks of the C export in double precision: compiled here, and compared on rows.

use super::c::{GCC, STRICT};
use super::onnx::{Checked, all, path};
use super::tool::{self, Ran};
use super::{Order, Subject, none_differ, scratch};
use crate::error::Error;
use crate::file::DraftFolder;

/// Compiles the program, runs it on all rows and compares it.
pub(super) fn verify(
    draft: &DraftFolder,
    order: &Order<'_>,
    of: &Subject<'_>,
) -> Result<Checked, Error> {
    (order.tell)("compiling and running the C program");
    let scratch = scratch(draft, order)?;
    let vectors = path(scratch.temporary_path(), order.name);
    let counts = all(order, of, &vectors)?;
    let program = scratch.temporary_path().join("replay").to_string_lossy().into_owned();
    let (test, source) = (format!("{}_test.c", order.name), format!("{}.c", order.name));
    let more = ["-O2", "-ffp-contract=off", &test, &source, "-o", &program];
    let ran = match tool::run(draft.temporary_path(), "cc", &[&STRICT[..], &more].concat())? {
        Ran::Missing => Ran::Missing,
        Ran::Printed(_) => {
            tool::run(draft.temporary_path(), &program, &[&*vectors.to_string_lossy()])?
        }
    };
    let what = "the C program, outputs and classes bit for bit";
    let findings = vec![tool::compared("cc", what, counts.total(), ran, GCC)?];
    none_differ(&findings)?;
    Ok(Checked { findings, counts: Some(counts) })
}
