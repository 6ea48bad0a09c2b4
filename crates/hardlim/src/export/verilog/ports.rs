//! The ports of a circuit: one for each input, the sums, and the class.

use super::super::circuit::{Circuit, bits};
use super::super::names;
use super::build::is_number;
use super::text::{signed_literal, span, unsigned_literal};

#[derive(Debug, Clone)]
pub(super) struct Output {
    pub(super) name: String,
    pub(super) signed: bool,
    pub(super) bits: u32,
}

#[derive(Debug, Clone)]
pub(super) struct Ports<'a> {
    pub(super) circuit: &'a Circuit,
    pub(super) inputs: Vec<String>,
    /// The sums, then the class.
    pub(super) outputs: Vec<Output>,
    pub(super) number_bits: Option<u32>,
}

impl<'a> Ports<'a> {
    pub(super) fn of(circuit: &'a Circuit) -> Self {
        let count = circuit.stacks.len();
        let sum = |s| if count == 1 { "sum".into() } else { format!("sum_{s}") };
        let mut taken: Vec<String> = (0..count).map(sum).collect();
        taken.extend(["class", "clk", "reset", "valid_in", "valid_out", "ready"].map(String::from));
        // An input with the name of one of our ports gets a number.
        let all = taken.iter().map(String::as_str);
        let mut ours =
            names::identifiers(all.chain(circuit.inputs.iter().map(|i| i.name.as_str())));
        let inputs = ours.split_off(taken.len());
        let output =
            |((least, most), name)| Output { name, signed: least < 0, bits: bits(least, most) };
        let outputs = circuit.output_ranges().into_iter().zip(ours).map(output).collect();
        let numbers = circuit.inputs.iter().filter(|i| is_number(i));
        Self { circuit, inputs, outputs, number_bits: numbers.map(|i| i.bits()).max() }
    }

    /// The names of the inputs after they are limited to their bounds. A bit keeps its name.
    pub(super) fn bounded(&self) -> Vec<String> {
        let name = |(input, name): (_, &String)| {
            if is_number(input) { format!("X_{name}") } else { name.clone() }
        };
        self.circuit.inputs.iter().zip(&self.inputs).map(name).collect()
    }

    /// `#(parameter WIDTH = 8) `, if there are numbers.
    pub(super) fn parameters(&self) -> String {
        self.number_bits.map_or_else(String::new, |bits| format!("#(parameter WIDTH = {bits}) "))
    }

    pub(super) fn declared_inputs(&self) -> Vec<String> {
        (self.circuit.inputs.iter().zip(&self.inputs))
            .map(|(input, name)| {
                if !is_number(input) {
                    return format!("input {name}");
                }
                let less = self.number_bits.map_or(0, |bits| bits - input.bits());
                let sign = if input.least < 0 { "signed " } else { "" };
                format!("input {sign}[WIDTH-{}:0] {name}", less + 1)
            })
            .collect()
    }

    pub(super) fn declared_outputs(&self) -> Vec<String> {
        let declared = |o: &Output| format!("output {}{}", span(o.signed, o.bits), o.name);
        self.outputs.iter().map(declared).collect()
    }

    /// The statements that limit the numbers among `used` to their bounds.
    pub(super) fn bounds(&self, used: impl Fn(usize) -> bool) -> String {
        let mut text = String::new();
        for (j, (input, name)) in self.circuit.inputs.iter().zip(&self.inputs).enumerate() {
            if !is_number(input) || !used(j) {
                continue;
            }
            // Comparisons are unsigned, see `text`.
            let (signed, span) = (input.least < 0, span(input.least < 0, input.bits()));
            let literal = if signed { signed_literal } else { unsigned_literal };
            let (least, most) = (literal(input.least), literal(input.most));
            let below = || format!("{name} < {}", unsigned_literal(input.least));
            let (above, below) = if signed {
                let less = self.number_bits.map_or(0, |bits| bits - input.bits());
                let sign = format!("{name}[WIDTH-{}]", less + 1);
                // `−1 − x` of a negative `x` has the inverted bits.
                let above = match input.most {
                    0.. => format!("!{sign} && {name} > {}", unsigned_literal(input.most)),
                    most => format!("!{sign} || {{~{name}}} < {}", unsigned_literal(-1 - most)),
                };
                let least = unsigned_literal(-1 - input.least);
                (above, Some(format!("{sign} && {{~{name}}} > {least}")))
            } else {
                (format!("{name} > {most}"), (input.least > 0).then(below))
            };
            text += &format!("    wire {span}X_{name} = {above} ? {most} : ");
            text += &match below {
                None => format!("{name};\n"),
                Some(below) => format!("{below} ? {least} : {name};\n"),
            };
        }
        text
    }

    pub(super) fn input_bits(&self) -> u32 {
        self.circuit.inputs.iter().map(|i| i.bits()).sum()
    }

    pub(super) fn output_bits(&self) -> u32 {
        self.outputs.iter().map(|o| o.bits).sum()
    }
}
