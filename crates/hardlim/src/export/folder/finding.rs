//! What a check found.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::failed;
use crate::error::Error;
use crate::export::{Circuit, Counts, Style};

/// An export to check.
pub(super) struct Job<'a> {
    /// The folder of the export, under its temporary name.
    pub(super) folder: &'a Path,
    /// A folder for temporary files of the checks.
    pub(super) scratch: &'a Path,
    /// What the export is called.
    pub(super) name: &'a str,
    pub(super) style: &'a Style,
    pub(super) circuit: &'a Circuit,
    /// All inputs and what they must give (`Circuit::record`).
    pub(super) vectors: &'a Path,
    pub(super) counts: Counts,
    /// Whether the export has a file of the training rows.
    pub(super) has_rows: bool,
    /// When the time for outside tools is over.
    pub(super) end: Instant,
    /// Called with what is being done.
    pub(super) tell: &'a dyn Fn(&str),
}

impl Job<'_> {
    /// The time for a check that is made anyway: what is left, and a minute in any case. It is made for seconds, and
    /// takes more on a busy machine only.
    pub(super) fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now()).max(Duration::from_secs(60))
    }

    /// The time for a check that can be left out: half of what is left, so that others get some, up to a limit;
    /// `None` if there is none.
    pub(super) fn spare(&self, limit: Duration) -> Option<Duration> {
        let left = self.end.checked_duration_since(Instant::now())?;
        (left > Duration::from_secs(1)).then(|| (left / 2).min(limit))
    }
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
    /// Inputs were compared; others were left out.
    Compared { tool: &'static str, what: String, inputs: usize, mismatches: usize, left_out: usize },
    /// Something else was measured or proven.
    Noted { tool: &'static str, what: String, numbers: Value },
    /// A tool is missing.
    Skipped { tool: &'static str, what: String, install: &'static str },
}

/// Refuses an export that gives other answers than the model.
pub(super) fn none_differ(findings: &[Finding]) -> Result<(), Error> {
    for finding in findings {
        if let Finding::Compared { tool, what, inputs, mismatches: mismatches @ 1.., .. } = finding
        {
            let by = if *tool == "hardlim" { String::new() } else { format!("{tool}: ") };
            let differ = format!("{mismatches} of {inputs} inputs have another answer");
            return Err(failed(format!("{by}{what}: {differ}; nothing was written")));
        }
    }
    Ok(())
}

impl Finding {
    /// The same, if so many inputs were left out.
    pub(super) fn without(self, inputs: usize) -> Self {
        match self {
            Self::Compared { tool, what, inputs: compared, mismatches, .. } => {
                Self::Compared { tool, what, inputs: compared, mismatches, left_out: inputs }
            }
            other => other,
        }
    }

    /// What was left out because the time was over.
    pub(super) fn late(tool: &'static str, what: &str) -> Self {
        let what = format!("left out, because the time was over: {what}");
        Self::Noted { tool, what, numbers: json!({ "late": true }) }
    }

    pub(super) fn sentence(&self) -> String {
        match self {
            Self::Compared { tool, what, inputs, mismatches, left_out } => {
                let found = format!("{tool}: {what}: {inputs} inputs, {mismatches} mismatches");
                match left_out {
                    0 => found,
                    _ => format!("{found}; {left_out} inputs left out, because simulation is slow"),
                }
            }
            Self::Noted { tool, what, .. } => format!("{tool}: {what}"),
            Self::Skipped { tool, what, install } => {
                format!("not checked, {tool} is missing: {what} (to install it: {install})")
            }
        }
    }

    pub(super) fn json(&self) -> Value {
        match self {
            Self::Compared { tool, what, inputs, mismatches, left_out } => json!({
                "tool": tool, "what": what, "inputs": inputs, "mismatches": mismatches, "left_out": left_out,
            }),
            Self::Noted { tool, what, numbers } => {
                json!({ "tool": tool, "what": what, "numbers": numbers })
            }
            Self::Skipped { tool, what, install } => {
                json!({ "tool": tool, "what": what, "skipped": true, "install": install })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_is_named_in_words_and_in_json() {
        let all = Finding::Compared {
            tool: "vvp",
            what: "a module".into(),
            inputs: 3,
            mismatches: 0,
            left_out: 0,
        };
        assert_eq!(all.sentence(), "vvp: a module: 3 inputs, 0 mismatches");
        assert_eq!(all.json()["left_out"], 0);
        let some = all.without(40);
        let words =
            "vvp: a module: 3 inputs, 0 mismatches; 40 inputs left out, because simulation is slow";
        assert_eq!(some.sentence(), words);
        assert_eq!(some.json()["left_out"], 40);
        let late = Finding::late("yosys", "a proof");
        assert_eq!(late.sentence(), "yosys: left out, because the time was over: a proof");
        assert_eq!(late.json()["numbers"]["late"], true);
    }
}
