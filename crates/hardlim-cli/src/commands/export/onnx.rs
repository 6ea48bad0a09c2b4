//! Checks of the ONNX export, in the onnxruntime of an installed Python.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use hardlim::data::Features;
use hardlim::export::onnx::Rows;
use hardlim::export::{Counts, Replay, Style};
use hardlim::file::DraftFolder;
use hardlim::model::Model;

use super::finding::Finding;
use super::tool::{self, Ran};
use crate::args::{Common, Export};
use crate::{interrupt, progress};

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

/// The training rows alone.
pub(super) fn rows(features: Option<&Features>) -> Replay<'_> {
    Replay { features, neighbours: 0, random: 0, seed: 0 }
}

/// Where the rows of an export are kept.
pub(super) fn path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}_vectors.f64"))
}

/// Writes rows and what they must give.
pub(super) fn write(model: &Model, replay: &Replay<'_>, path: &Path) -> anyhow::Result<Counts> {
    let rows = Rows::of(model, replay);
    let written = std::fs::write(path, rows.bytes(model)?);
    written.with_context(|| format!("cannot write {}", path.display()))?;
    Ok(rows.counts())
}

/// Runs the model on all rows and compares it.
pub(super) fn verify(
    args: &Export,
    common: &Common,
    draft: &DraftFolder,
    model: &Model,
    features: Option<&Features>,
    style: &Style,
) -> anyhow::Result<Checked> {
    let bar = progress::spinner();
    bar.set_message("checking onnx");
    let scratch = DraftFolder::new(&draft.temporary_path().with_extension("scratch"))?;
    interrupt::undisturbed(|| interrupt::remove_on_exit(scratch.temporary_path()));
    let vectors = path(scratch.temporary_path(), &style.name);
    let record = 8 * (features.map_or(1, Features::dimension) + 3);
    let neighbours = MOST_BYTES / record;
    let replay = Replay { features, neighbours, random: args.random, seed: common.seed };
    let counts = write(model, &replay, &vectors)?;
    let what = "the ONNX model, outputs within 1e-9 of their size, and class for class";
    let ran = match python() {
        None => Ran::Missing,
        Some(python) => {
            let script = format!("{}_check.py", style.name);
            let file = format!("{}.onnx", style.name);
            tool::run(
                draft.temporary_path(),
                &python,
                &[&script, &vectors.to_string_lossy(), &file],
            )?
        }
    };
    let finding = tool::compared("onnxruntime", what, counts.total(), ran, INSTALL)?;
    bar.finish_and_clear();
    if finding.mismatches() > 0 {
        bail!("{}; nothing was written", finding.sentence());
    }
    Ok(Checked { findings: vec![finding], counts: Some(counts) })
}

/// A Python that has what the check needs.
fn python() -> Option<String> {
    let python = std::env::var("HARDLIM_PYTHON").unwrap_or_else(|_| "python3".into());
    let mut command = Command::new(&python);
    command.args(["-c", "import numpy, onnxruntime"]).stdin(Stdio::null());
    let found = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success()).then_some(python)
}

impl Checked {
    /// What may be relied on, and what was checked: a line for each check, after this mark.
    pub(super) fn text(&self, exact: bool, mark: &str) -> String {
        let arithmetic = match exact {
            true => {
                "Inputs are rounded to the grid of the integer weights, and all sums are integers below 2^53: \
                 the answers are exactly those of the model on that grid."
            }
            false => {
                "Sums are in double precision: where a sum is within rounding of a hyperplane, the answer may \
                 differ from the model's."
            }
        };
        let Some(Counts { rows, pairs, without, neighbourhoods, random, .. }) = self.counts else {
            return format!("{arithmetic}\n\nNot checked: add --verify\n");
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
