//! Checks of the ONNX export, in the onnxruntime of an installed Python.

use std::path::Path;
use std::process::{Command, Stdio};

use hardlim::Error;
use hardlim::data::Features;
use hardlim::export::onnx::check_rows;
use hardlim::export::{Counts, Finding, Job, Replay};

use crate::tool::{self, Ran};
use crate::written;

const INSTALL: &str =
    "pip install onnxruntime numpy; HARDLIM_PYTHON names a Python other than python3";
/// The most bytes of rows beside hyperplanes.
const MOST_BYTES: usize = 1 << 28;

pub(crate) fn check(
    job: &Job<'_>,
    python: &str,
    scratch: &Path,
) -> Result<(Vec<Finding>, Counts), Error> {
    let order = job.order;
    (order.tell)("checking onnx");
    let features = job.rows;
    let neighbours = MOST_BYTES / (8 * (features.map_or(1, Features::dimension) + 3));
    let replay = Replay { features, neighbours, random: order.random, seed: order.seed };
    let (rows, counts) = check_rows(job.model, &replay)?;
    let path = scratch.join("vectors.f64");
    std::fs::write(&path, rows).map_err(written(&path))?;
    let what = "the ONNX model, outputs within 1e-9 of their size, and class for class";
    let ran = if has_onnxruntime(python) {
        let (script, file) = (format!("{}_check.py", order.name), format!("{}.onnx", order.name));
        tool::run(job.folder, python, &[&script, &*path.to_string_lossy(), &file])?
    } else {
        Ran::Missing
    };
    let findings = vec![tool::compared("onnxruntime", what, counts.total(), &ran, INSTALL)?];
    Ok((findings, counts))
}

fn has_onnxruntime(python: &str) -> bool {
    let mut command = Command::new(python);
    command.args(["-c", "import numpy, onnxruntime"]).stdin(Stdio::null());
    let found = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}
