//! What was written and what was checked, beside the export and on the screen.

use serde_json::{Value, json};

use super::finding::{CheckResult, Finding};
use super::markdown::counted;
use super::run::{Order, Prepared};
use super::tables::CircuitSize;
use super::{Circuit, Counts, Target, names, onnx, verilog};
use crate::certify::Check;

/// What the answers of an ONNX model are that is not on a grid.
const DOUBLES: &str = "Sums are in double precision: where a sum is within rounding of a \
    hyperplane, the answer may differ from the model's.";

pub(super) struct Summary<'a> {
    pub(super) order: &'a Order<'a>,
    pub(super) of: &'a Prepared<'a>,
    pub(super) circuit: Option<&'a Circuit>,
    /// Names and sizes.
    pub(super) files: Vec<(String, u64)>,
    /// One for each check, in order.
    pub(super) findings: Vec<Finding>,
    /// The inputs that were replayed.
    pub(super) counts: Option<Counts>,
}

impl Summary<'_> {
    pub(super) fn file(&self, extension: &str) -> String {
        format!("{}_report.{extension}", self.order.name)
    }

    fn statement(&self) -> String {
        self.of.model.statement(self.of.check.as_ref())
    }

    fn on_grid(&self) -> bool {
        onnx::exact(&self.of.model).is_some()
    }

    /// What was changed in the model for this export.
    fn changes(&self) -> Vec<String> {
        let integers =
            "Integer weights were chosen: the answers on all training rows stay the same.";
        let chosen = self.of.chosen.then(|| integers.to_owned());
        chosen.into_iter().chain(self.of.few_bits.map(|few| few.sentence())).collect()
    }

    fn size_lines(&self) -> Vec<String> {
        let Some(circuit) = self.circuit else { return Vec::new() };
        let CircuitSize { neurons, weights, weight_bits, input_bits, table_bytes, answer_bytes } =
            CircuitSize::of(circuit);
        let (inputs, neurons) =
            (counted(circuit.inputs.len(), "input"), counted(neurons, "neuron"));
        let weights = counted(weights, "non-zero weight");
        let mut lines = vec![
            format!("{inputs} of at most {input_bits} bits"),
            format!("{neurons} with {weights} of at most {weight_bits} bits"),
            format!("{table_bytes} bytes of constants, {answer_bytes} bytes of packed answers"),
        ];
        if circuit.rounded > 0 {
            lines.push(format!(
                "{} neurons have no usable integer weights; theirs were rounded, and the export is \
                 compared with the rounded network",
                circuit.rounded
            ));
        }
        lines
    }

    /// The inputs that checks ran on.
    fn inputs(&self, counts: Counts) -> String {
        let Counts { rows, pairs, without, neighbourhoods, random, every } = counts;
        let new = !self.of.new_rows.is_empty();
        let kind = if new { "" } else { "training " };
        let without = |why: &str| match without {
            0 => String::new(),
            _ => format!(" (for {without} more, {why})"),
        };
        if self.circuit.is_none() {
            let apart = if self.on_grid() {
                "adjacent on the grid or different in one label"
            } else {
                "1e-9 of their terms on either side, or with another label"
            };
            let none = without("no row was found");
            return format!(
                "{rows} distinct {kind}rows, {pairs} pairs of rows near {neighbourhoods} of them \
                 with the hyperplane of a first-layer neuron between them, \
                 {apart}{none}, and {random} random rows"
            );
        }
        let mut parts = Vec::new();
        if rows > 0 {
            parts.push(format!("{rows} distinct {kind}rows"));
            let beside = if neighbourhoods == rows {
                "every row".to_owned()
            } else {
                format!("{neighbourhoods} of the rows, evenly spread")
            };
            let none = without("no input within the bounds crosses it");
            parts.push(format!(
                "{pairs} pairs of adjacent inputs near {beside} with the hyperplane of a \
                 first-layer neuron \
                 between them, for every such neuron{none}"
            ));
        }
        parts.push(match every {
            0 => format!("{random} random inputs within the bounds"),
            every => format!("all {every} inputs within the bounds"),
        });
        parts.join(", ")
    }

    /// What was checked: a line for each check, after this mark.
    fn checks(&self, mark: &str) -> String {
        let Some(counts) = self.counts else {
            return self.order.spelled("Not checked: add `verify=true`\n");
        };
        let skipped = |finding: &Finding| matches!(finding.found, CheckResult::Skipped(_));
        let checked = if self.findings.iter().all(skipped) { "Not checked" } else { "Checked" };
        let mut text = format!("{checked} on {}:\n", self.inputs(counts));
        for finding in &self.findings {
            text += &format!("{mark} {}\n", finding.sentence());
        }
        text
    }

    pub(super) fn text(&self) -> String {
        let (to, folder) = (self.order.to, self.order.folder);
        let mut text = format!("{to} written to {}\n{}\n", folder.display(), self.statement());
        for line in self.changes() {
            text += &format!("{line}\n");
        }
        for line in self.size_lines() {
            text += &format!("  {line}\n");
        }
        if to == Target::Markdown {
            return text;
        }
        if to == Target::Onnx {
            text += &format!("\n{}\n", if self.on_grid() { onnx::ON_GRID } else { DOUBLES });
        }
        let report = folder.join(self.file("md"));
        text + &format!("\n{}\nreport in {}\n", self.checks(" "), report.display())
    }

    pub(super) fn markdown(&self) -> String {
        let (name, to) = (self.order.name, self.order.to);
        let (version, source) = (env!("CARGO_PKG_VERSION"), names::quoted(self.order.source));
        let mut text = format!("# {name}\n\n{to} written by hardlim {version} from {source}.\n\n");
        text += &format!("{}\n\n", self.statement());
        for line in self.changes() {
            text += &format!("{line}\n\n");
        }
        match self.circuit {
            Some(circuit) => text += &self.circuit_page(circuit),
            None => text += &format!("{}\n", if self.on_grid() { onnx::ON_GRID } else { DOUBLES }),
        }
        text += &format!("\n## Checks\n\n{}\n## Files\n\n", self.checks("-"));
        for (name, bytes) in &self.files {
            text += &format!("- {name} ({bytes} bytes)\n");
        }
        text
    }

    fn circuit_page(&self, circuit: &Circuit) -> String {
        let mut text = String::from("## Size\n\n");
        for line in self.size_lines() {
            text += &format!("- {line}\n");
        }
        text += "\n## Inputs\n\n| place | identifier | feature | integer | least | most |\n";
        text += "|---|---|---|---|---|---|\n";
        let identifiers = match self.order.to {
            Target::Verilog => verilog::port_names(circuit),
            _ => names::of_inputs(circuit),
        };
        let cell = |text: String| text.replace('|', "\\u{7c}");
        for (j, (input, identifier)) in circuit.inputs.iter().zip(identifiers).enumerate() {
            let integer = match input.level {
                Some(_) => "1 where it holds".into(),
                None => input.formula("x"),
            };
            let origin = input.origin.as_ref().map_or(String::new(), |o| format!("; {o}"));
            text += &format!(
                "| {j} | {identifier} | `{}` | {} | {} | {} |\n",
                cell(names::quoted(&input.name)),
                cell(integer + &origin),
                input.least,
                input.most
            );
        }
        text += &format!("\n## Answers\n\n- output = sum * 2^{}\n", circuit.exponent);
        for (k, label) in circuit.answer.labels().iter().enumerate() {
            text += &format!("- class {k}: `{}`\n", names::quoted(label));
        }
        text
    }

    pub(super) fn json(&self) -> Value {
        let Self { findings, counts, .. } = self;
        let compared = |finding: &Finding| matches!(finding.found, CheckResult::Compared { .. });
        let counts = counts.filter(|_| findings.iter().any(compared)).map(|counts| {
            let mut object = json!(counts);
            object["inputs"] = json!(counts.total());
            object
        });
        let mut object = json!({
            "target": self.order.to.name(),
            "name": self.order.name,
            "folder": self.order.folder,
            "files": self.files.iter().map(|file| &file.0).collect::<Vec<_>>(),
            "statement": self.statement(),
            "checked": self.of.check.as_ref().map(Check::holds),
            "checked_on": counts,
            "checks": findings.iter().map(Finding::json).collect::<Vec<_>>(),
        });
        if self.order.to == Target::Onnx {
            object["exact"] = json!(self.on_grid());
        }
        let Some(circuit) = self.circuit else { return object };
        let input = |input: &super::Input| {
            json!({
                "name": input.name, "meaning": input.meaning(), "shift": input.shift,
                "offset": input.offset, "least": input.least, "most": input.most,
            })
        };
        object["integers_chosen"] = json!(self.of.chosen);
        object["few_bits"] = json!(self.of.few_bits);
        object["rounded_neurons"] = json!(circuit.rounded);
        object["size"] = json!(CircuitSize::of(circuit));
        object["exponent"] = json!(circuit.exponent);
        object["labels"] = json!(circuit.answer.labels());
        object["inputs"] = circuit.inputs.iter().map(input).collect();
        object
    }
}
