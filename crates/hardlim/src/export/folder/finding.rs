//! What a check found.

use std::path::Path;

use serde_json::{Value, json};

use crate::export::{Circuit, Counts};

/// An export to check.
pub(super) struct Job<'a> {
    /// The folder of the export, under its temporary name.
    pub(super) folder: &'a Path,
    /// A folder for temporary files of the checks.
    pub(super) scratch: &'a Path,
    /// What the export is called.
    pub(super) name: &'a str,
    pub(super) circuit: &'a Circuit,
    /// All inputs and what they must give (`Circuit::record`).
    pub(super) vectors: &'a Path,
    pub(super) counts: Counts,
    /// Whether the export has a file of the training rows.
    pub(super) has_rows: bool,
}

/// The inputs that checks ran on, for scripts.
pub(super) fn counts_json(counts: Counts) -> Value {
    let mut object = json!(counts);
    object["inputs"] = json!(counts.total());
    object
}

/// What a check found.
#[derive(Debug, Clone)]
pub(super) enum Finding {
    /// Inputs were compared.
    Compared { tool: &'static str, what: String, inputs: usize, mismatches: usize },
    /// Something else was measured or proven.
    Noted { tool: &'static str, what: String, numbers: Value },
    /// A tool is missing.
    Skipped { tool: &'static str, what: String, install: &'static str },
}

impl Finding {
    pub(super) fn mismatches(&self) -> usize {
        match self {
            Self::Compared { mismatches, .. } => *mismatches,
            _ => 0,
        }
    }

    pub(super) fn sentence(&self) -> String {
        match self {
            Self::Compared { tool, what, inputs, mismatches } => {
                format!("{tool}: {what}: {inputs} inputs, {mismatches} mismatches")
            }
            Self::Noted { tool, what, .. } => format!("{tool}: {what}"),
            Self::Skipped { tool, what, install } => {
                format!("not checked, {tool} is missing: {what} (to install it: {install})")
            }
        }
    }

    pub(super) fn json(&self) -> Value {
        match self {
            Self::Compared { tool, what, inputs, mismatches } => {
                json!({ "tool": tool, "what": what, "inputs": inputs, "mismatches": mismatches })
            }
            Self::Noted { tool, what, numbers } => {
                json!({ "tool": tool, "what": what, "numbers": numbers })
            }
            Self::Skipped { tool, what, install } => {
                json!({ "tool": tool, "what": what, "skipped": true, "install": install })
            }
        }
    }
}
