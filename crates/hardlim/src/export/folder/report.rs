//! What was written and what was checked, beside the export and on the screen.

use serde_json::{Value, json};

use super::finding::{Finding, counts_json};
use super::{Order, Rows, Subject, Target};
use crate::export::{Circuit, CircuitSize, Counts, names, verilog};

pub(super) struct Report<'a> {
    pub(super) order: &'a Order<'a>,
    pub(super) of: &'a Subject<'a>,
    pub(super) circuit: &'a Circuit,
    /// What is proven about the model, as far as it was checked.
    pub(super) statement: String,
    /// Whether the certificate holds, where it was checked.
    pub(super) certified: Option<bool>,
    /// Names and sizes.
    pub(super) files: Vec<(String, u64)>,
    /// What the checks found and what they were run on; nothing where none were asked for.
    pub(super) findings: Vec<Finding>,
    pub(super) counts: Option<Counts>,
}

impl Report<'_> {
    fn size_lines(&self) -> Vec<String> {
        let CircuitSize { neurons, weights, weight_bits, input_bits, table_bytes, answer_bytes } =
            CircuitSize::of(self.circuit);
        let inputs = self.circuit.inputs.len();
        let plural = |count: usize, one: &str| match count {
            1 => format!("1 {one}"),
            count => format!("{count} {one}s"),
        };
        vec![
            format!("{} of at most {input_bits} bits", plural(inputs, "input")),
            format!(
                "{} with {} of at most {weight_bits} bits",
                plural(neurons, "neuron"),
                plural(weights, "non-zero weight")
            ),
            format!("{table_bytes} bytes of constants, {answer_bytes} bytes of packed answers"),
        ]
    }

    /// What the inputs were that checks ran on.
    fn inputs_line(&self) -> Option<String> {
        let Counts { rows, pairs, without, neighbourhoods, random, every } = self.counts?;
        let mut parts = Vec::new();
        if rows > 0 {
            let kind = if self.of.rows.is_some_and(Rows::has_new) { "" } else { "training " };
            parts.push(format!("{rows} distinct {kind}rows"));
            let beside = match neighbourhoods == rows {
                true => "every row".to_owned(),
                false => format!("{neighbourhoods} of the rows, evenly spread"),
            };
            let none = match without {
                0 => String::new(),
                _ => format!(" (for {without} more, no input within the bounds crosses it)"),
            };
            parts.push(format!(
                "{pairs} pairs of adjacent inputs near {beside} with the hyperplane of a first-layer neuron between them, for every such neuron{none}"
            ));
        }
        parts.push(match every {
            0 => format!("{random} random inputs within the bounds"),
            every => format!("all {every} inputs within the bounds"),
        });
        Some(parts.join(", "))
    }

    /// What was changed in the model for this export.
    fn changes(&self) -> Vec<String> {
        let integers =
            "Integer weights were chosen: the answers on all training rows stay the same.";
        let chosen = self.of.chosen.then(|| integers.to_owned());
        chosen.into_iter().chain(self.of.few_bits.map(|few| few.sentence())).collect()
    }

    pub(super) fn text(&self) -> String {
        let mut text = format!("{} written to {}\n", self.order.to, self.order.folder.display());
        text += &format!("{}\n", self.statement);
        for line in self.changes() {
            text += &format!("{line}\n");
        }
        for line in self.size_lines() {
            text += &format!("  {line}\n");
        }
        if self.circuit.rounded > 0 {
            text += &format!("  {}\n", self.rounded());
        }
        match self.inputs_line() {
            None => text += &self.order.spelled("\nNot checked: add `verify=true`\n"),
            Some(inputs) => {
                text += &format!("\nChecked on {inputs}:\n");
                for finding in &self.findings {
                    text += &format!("  {}\n", finding.sentence());
                }
            }
        }
        text + &format!("\nreport in {}\n", self.order.folder.join(self.file("md")).display())
    }

    pub(super) fn file(&self, extension: &str) -> String {
        format!("{}_report.{extension}", self.order.name)
    }

    fn rounded(&self) -> String {
        format!(
            "{} neurons have no usable integer weights; theirs were rounded, and the export is compared with the rounded network",
            self.circuit.rounded
        )
    }

    pub(super) fn markdown(&self) -> String {
        let quoted = |text: &str| names::quoted(text);
        let mut text = format!("# {}\n\n", self.order.name);
        text += &format!(
            "{} written by hardlim {} from {}.\n\n{}\n\n",
            self.order.to,
            env!("CARGO_PKG_VERSION"),
            quoted(self.order.source),
            self.statement,
        );
        for line in self.changes() {
            text += &format!("{line}\n\n");
        }
        text += "## Size\n\n";
        for line in self.size_lines() {
            text += &format!("- {line}\n");
        }
        if self.circuit.rounded > 0 {
            text += &format!("- {}\n", self.rounded());
        }
        text += "\n## Inputs\n\n| place | identifier | feature | integer | least | most |\n";
        text += "|---|---|---|---|---|---|\n";
        let identifiers = match self.order.to {
            Target::Verilog => verilog::port_names(self.circuit),
            _ => names::identifiers(self.circuit.inputs.iter().map(|input| input.name.as_str())),
        };
        for (j, (input, identifier)) in self.circuit.inputs.iter().zip(identifiers).enumerate() {
            let integer: String = match (&input.level, input.shift) {
                (Some(_), _) => "1 where it holds".into(),
                (None, 0) => "round(x)".into(),
                (None, g) => format!("round(x * 2^{g})"),
            };
            let origin = input.origin.as_ref().map_or(String::new(), |o| format!("; {o}"));
            let integer = (integer + &origin).replace('|', "\\u{7c}");
            text += &format!(
                "| {j} | {identifier} | `{}` | {integer} | {} | {} |\n",
                quoted(&input.name).replace('|', "\\u{7c}"),
                input.least,
                input.most
            );
        }
        text += "\n## Answers\n\n";
        text += &format!("- output = sum * 2^{}\n", self.circuit.exponent);
        for (k, label) in self.circuit.answer.labels().iter().enumerate() {
            text += &format!("- class {k}: `{}`\n", quoted(label));
        }
        text += "\n## Checks\n\n";
        match self.inputs_line() {
            None => {
                text += &self.order.spelled("None: the export was written without `verify`.\n");
            }
            Some(inputs) => {
                text += &format!("On {inputs}:\n\n");
                for finding in &self.findings {
                    text += &format!("- {}\n", finding.sentence());
                }
            }
        }
        text += "\n## Files\n\n";
        for (name, bytes) in &self.files {
            text += &format!("- {name} ({bytes} bytes)\n");
        }
        text
    }

    pub(super) fn json(&self) -> Value {
        let inputs: Vec<Value> = (self.circuit.inputs.iter())
            .map(|input| {
                json!({
                    "name": input.name, "meaning": input.meaning(), "shift": input.shift, "offset": input.offset,
                    "least": input.least, "most": input.most,
                })
            })
            .collect();
        json!({
            "target": self.order.to.name(),
            "name": self.order.name,
            "folder": self.order.folder,
            "files": self.files.iter().map(|file| &file.0).collect::<Vec<_>>(),
            "statement": self.statement,
            "checked": self.certified,
            "integers_chosen": self.of.chosen,
            "few_bits": self.of.few_bits,
            "rounded_neurons": self.circuit.rounded,
            "size": CircuitSize::of(self.circuit),
            "exponent": self.circuit.exponent,
            "labels": self.circuit.answer.labels(),
            "inputs": inputs,
            "checked_on": self.counts.map(counts_json),
            "checks": self.findings.iter().map(Finding::json).collect::<Vec<_>>(),
        })
    }
}
