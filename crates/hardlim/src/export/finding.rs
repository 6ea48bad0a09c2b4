//! What a check found.

use serde_json::{Value, json};

use crate::error::Error;

/// What a check found.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The program that says so.
    tool: &'static str,
    /// What was compared, measured or proven.
    what: String,
    pub(super) found: CheckResult,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum CheckResult {
    /// Inputs were compared; others were left out, because simulation is slow.
    Compared { inputs: usize, mismatches: usize, left_out: usize },
    /// Something else was measured or proven: numbers for scripts.
    Noted(Value),
    /// The tool is missing: how to install it.
    Skipped(&'static str),
}

impl Finding {
    /// Something that was measured or proven.
    pub fn noted(tool: &'static str, what: impl Into<String>, numbers: Value) -> Self {
        Self { tool, what: what.into(), found: CheckResult::Noted(numbers) }
    }

    /// A check that was not made, because a tool is missing.
    pub fn skipped(tool: &'static str, what: impl Into<String>, install: &'static str) -> Self {
        Self { tool, what: what.into(), found: CheckResult::Skipped(install) }
    }

    /// Inputs that were compared.
    pub fn compared(
        tool: &'static str,
        what: impl Into<String>,
        inputs: usize,
        mismatches: usize,
    ) -> Self {
        let found = CheckResult::Compared { inputs, mismatches, left_out: 0 };
        Self { tool, what: what.into(), found }
    }

    /// The same if this many inputs were left out.
    pub fn without(mut self, inputs: usize) -> Self {
        if let CheckResult::Compared { left_out, .. } = &mut self.found {
            *left_out = inputs;
        }
        self
    }

    /// A check that was left out because the time was over.
    pub fn late(tool: &'static str, what: &str) -> Self {
        let what = format!("left out, because the time was over: {what}");
        Self::noted(tool, what, json!({ "late": true }))
    }

    /// The finding for people.
    pub fn sentence(&self) -> String {
        let Self { tool, what, found } = self;
        match found {
            CheckResult::Compared { inputs, mismatches, left_out } => {
                let found = format!("{tool}: {what}: {inputs} inputs, {mismatches} mismatches");
                match left_out {
                    0 => found,
                    _ => format!("{found}; {left_out} inputs left out, because simulation is slow"),
                }
            }
            CheckResult::Noted(_) => format!("{tool}: {what}"),
            CheckResult::Skipped(install) => {
                format!("not checked, {tool} is missing: {what} (to install it: {install})")
            }
        }
    }

    /// The finding for scripts.
    pub fn json(&self) -> Value {
        let mut object = match &self.found {
            CheckResult::Compared { inputs, mismatches, left_out } => {
                json!({ "inputs": inputs, "mismatches": mismatches, "left_out": left_out })
            }
            CheckResult::Noted(numbers) => json!({ "numbers": numbers }),
            CheckResult::Skipped(install) => json!({ "skipped": true, "install": install }),
        };
        object["tool"] = json!(self.tool);
        object["what"] = json!(self.what);
        object
    }
}

/// Refuses an export that gives other answers than the model.
///
/// # Errors
/// When an input has another answer.
pub fn none_differ(findings: &[Finding]) -> Result<(), Error> {
    for Finding { tool, what, found } in findings {
        if let CheckResult::Compared { inputs, mismatches: mismatches @ 1.., .. } = found {
            let by = if *tool == "hardlim" { String::new() } else { format!("{tool}: ") };
            let problem = format!(
                "{by}{what}: {mismatches} of {inputs} inputs have another answer; nothing was \
                 written"
            );
            return Err(Error::Export { problem });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_is_named_in_words_and_in_json() {
        let all = Finding::compared("vvp", "a module", 3, 0);
        assert_eq!(all.sentence(), "vvp: a module: 3 inputs, 0 mismatches");
        let some = all.without(40);
        let words = "; 40 inputs left out, because simulation is slow";
        assert!(some.sentence().ends_with(words) && some.json()["left_out"] == 40);
        let late = Finding::late("yosys", "a proof");
        assert_eq!(late.sentence(), "yosys: left out, because the time was over: a proof");
        assert_eq!(late.json()["numbers"]["late"], true);
    }
}
