//! Checks of the ONNX export, in the onnxruntime of an installed Python.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::finding::Finding;
use super::tool::{self, Ran};
use super::{Order, Rows as TestRows, Subject, none_differ, scratch, written};
use crate::data::Features;
use crate::error::Error;
use crate::export::onnx::Rows;
use crate::export::{Counts, Replay};
use crate::model::Model;
use crate::model::file::DraftFolder;

const INSTALL: &str =
    "pip install onnxruntime numpy; HARDLIM_PYTHON names a Python other than python3";
/// The most bytes of rows beside hyperplanes.
const MOST_BYTES: usize = 1 << 28;

/// What was checked, and on what.
#[derive(Default)]
pub(super) struct Checked {
    pub(super) findings: Vec<Finding>,
    pub(super) counts: Option<Counts>,
}

/// The arithmetic of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Integers,
    Double,
    /// Sums with twice the digits of a double.
    Twice,
}

/// The training rows alone.
pub(super) fn rows(features: Option<&Features>) -> Replay<'_> {
    Replay { features, neighbours: 0, random: 0, seed: 0 }
}

/// Where the rows of an export are kept.
pub(super) fn path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}_vectors.f64"))
}

/// Writes rows and what they must give.
pub(super) fn write(model: &Model, replay: &Replay<'_>, path: &Path) -> Result<Counts, Error> {
    let rows = Rows::of(model, replay);
    std::fs::write(path, rows.bytes(model)?).map_err(written(path))?;
    Ok(rows.counts())
}

/// Writes all rows to check on.
pub(super) fn all(order: &Order<'_>, of: &Subject<'_>, path: &Path) -> Result<Counts, Error> {
    let features = of.rows.map(TestRows::features);
    let record = 8 * (features.map_or(1, Features::dimension) + 3);
    let neighbours = MOST_BYTES / record;
    let replay = Replay { features, neighbours, random: order.random, seed: order.seed };
    write(of.model, &replay, path)
}

/// Runs the model on all rows and compares it.
pub(super) fn verify(
    draft: &DraftFolder,
    order: &Order<'_>,
    of: &Subject<'_>,
) -> Result<Checked, Error> {
    (order.tell)("checking onnx");
    let scratch = scratch(draft, order)?;
    let vectors = path(scratch.temporary_path(), order.name);
    let counts = all(order, of, &vectors)?;
    let what = "the ONNX model, outputs within 1e-9 of their size, and class for class";
    let ran = match has_onnxruntime(order.python) {
        false => Ran::Missing,
        true => {
            let script = format!("{}_check.py", order.name);
            let file = format!("{}.onnx", order.name);
            let arguments = [&script, &*vectors.to_string_lossy(), &file];
            tool::run(draft.temporary_path(), order.python, &arguments)?
        }
    };
    let findings = vec![tool::compared("onnxruntime", what, counts.total(), ran, INSTALL)?];
    none_differ(&findings)?;
    Ok(Checked { findings, counts: Some(counts) })
}

/// Whether a Python has what the check needs.
fn has_onnxruntime(python: &str) -> bool {
    let mut command = Command::new(python);
    command.args(["-c", "import numpy, onnxruntime"]).stdin(Stdio::null());
    let found = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

impl Checked {
    /// What may be relied on, and what was checked: a line for each check, after this mark. Options are
    /// marked as in [`crate::spelling`].
    pub(super) fn text(&self, arithmetic: Arithmetic, mark: &str) -> String {
        let exact = arithmetic == Arithmetic::Integers;
        let arithmetic = match arithmetic {
            Arithmetic::Integers => {
                "Inputs are rounded to the grid of the integer weights, and all sums are integers below 2^53: \
                 the answers are exactly those of the model on that grid."
            }
            Arithmetic::Twice => {
                "Nothing is rounded to integers. Sums have about twice the digits of a double: the answer may differ \
                 from the model's only where a sum is within 2^-100 of its terms of zero. This is tested, not proven."
            }
            Arithmetic::Double => {
                "Sums are in double precision: where a sum is within rounding of a hyperplane, the answer may \
                 differ from the model's."
            }
        };
        let Some(Counts { rows, pairs, without, neighbourhoods, random, .. }) = self.counts else {
            return format!("{arithmetic}\n\nNot checked: add `verify=true`\n");
        };
        let apart = match exact {
            true => "adjacent on the grid or different in one label",
            false => "1e-9 of their terms on either side, or with another label",
        };
        let none = match without {
            0 => String::new(),
            _ => format!(" (for {without} more, no row was found)"),
        };
        let skipped = |finding: &Finding| matches!(finding, Finding::Skipped { .. });
        let checked = if self.findings.iter().all(skipped) { "Not checked" } else { "Checked" };
        let mut text = format!(
            "{arithmetic}\n\n{checked} on {rows} distinct training rows, {pairs} pairs of rows near {neighbourhoods} \
             of them with the hyperplane of a first-layer neuron between them, {apart}{none}, and \
             {random} random rows:\n\n"
        );
        for finding in &self.findings {
            text += &format!("{mark} {}\n", finding.sentence());
        }
        text
    }
}
