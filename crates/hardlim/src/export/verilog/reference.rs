//! The definition in Verilog, for proofs: 64-bit integers, one term after the other, and no shared
//! wires.

use super::super::answer::Answer;
use super::super::circuit::{Circuit, Input};
use super::build::answer_name;
use super::ports::Ports;
use super::text::span;

/// A 64-bit constant.
fn wide(value: i64) -> String {
    if value < 0 { format!("-64'sd{}", value.unsigned_abs()) } else { format!("64'sd{value}") }
}

/// The module; its sums have 64 bits and its class has 32.
pub(super) fn module(name: &str, ports: &Ports<'_>) -> String {
    let circuit = ports.circuit;
    let mut all = ports.declared_inputs();
    all.extend(wide_outputs(ports).iter().map(|output| format!("output reg {output}")));
    let mut text = format!("module {name}_reference {}(\n    ", ports.parameters());
    text += &format!("{}\n);\n", all.join(",\n    "));
    let mut body = String::new();
    for (j, (input, port)) in circuit.inputs.iter().zip(&ports.inputs).enumerate() {
        let (least, most) = (wide(input.least), wide(input.most));
        text += &format!("    reg signed [63:0] X{j};\n");
        body += &format!("        X{j} = {port};\n");
        body += &format!("        if (X{j} < {least}) X{j} = {least};\n");
        body += &format!("        if (X{j} > {most}) X{j} = {most};\n");
    }
    text += "    reg signed [63:0] T;\n";
    for s in 0..circuit.stacks.len() {
        let (registers, statements) = sum(circuit, s, &ports.outputs[s].name);
        text += &registers;
        body += &statements;
    }
    if let Some(class) = ports.outputs.get(circuit.stacks.len()) {
        let (class, sum) = (&class.name, &ports.outputs[0].name);
        body += &match circuit.answer {
            Answer::Sign(_) => format!("        {class} = {sum} >= 64'sd0;\n"),
            _ => largest(ports, class),
        };
    }
    text + &format!("    always @* begin\n{body}    end\nendmodule\n")
}

/// The sums in 64 bits and the class in 32.
fn wide_outputs(ports: &Ports<'_>) -> Vec<String> {
    (ports.outputs.iter().enumerate())
        .map(|(s, output)| {
            let sum = s < ports.circuit.stacks.len();
            format!("{} {}", if sum { "signed [63:0]" } else { "[31:0]" }, output.name)
        })
        .collect()
}

/// The answers of one network, and its sum.
fn sum(circuit: &Circuit, s: usize, output: &str) -> (String, String) {
    let stack = &circuit.stacks[s];
    let (mut registers, mut text) = (String::new(), String::new());
    let answer = |l: usize, i: usize| answer_name(circuit, s, l, stack.layers[l][i].neuron);
    for (l, gates) in stack.layers.iter().enumerate() {
        for (i, gate) in gates.iter().enumerate() {
            registers += &format!("    reg {};\n", answer(l, i));
            text += &format!("        T = {};\n", wide(gate.bias));
            for &(j, k) in &gate.terms {
                text += &match l {
                    0 => product(j, &circuit.inputs[j as usize], k),
                    _ => {
                        format!("        if ({}) T = T + {};\n", answer(l - 1, j as usize), wide(k))
                    }
                };
            }
            text += &format!("        {} = T >= 64'sd0;\n", answer(l, i));
        }
    }
    text += &format!("        {output} = {};\n", wide(stack.offset));
    for (i, &a) in stack.amplitudes.iter().enumerate() {
        let on = answer(stack.layers.len() - 1, i);
        text += &format!("        if ({on}) {output} = {output} + {};\n", wide(a));
    }
    (registers, text)
}

/// Adds `k m`, bit by bit of `m`. If `m` may be negative, its highest bit is subtracted.
fn product(j: u32, input: &Input, k: i64) -> String {
    let bits = input.bits();
    (0..bits)
        .map(|i| {
            let down = input.least < 0 && i + 1 == bits;
            let weight = if down { -(k << i) } else { k << i };
            format!("        if (X{j}[{i}]) T = T + {};\n", wide(weight))
        })
        .collect()
}

/// The first of the largest sums.
fn largest(ports: &Ports<'_>, class: &str) -> String {
    let mut text = format!("        {class} = 32'd0;\n        T = {};\n", ports.outputs[0].name);
    for (c, sum) in ports.outputs.iter().enumerate().take(ports.circuit.stacks.len()).skip(1) {
        let sum = &sum.name;
        text += &format!("        if ({sum} > T) begin {class} = 32'd{c}; T = {sum}; end\n");
    }
    text
}

/// The module whose output `SAME` says whether the three modules agree. All registers are treated
/// as wires.
pub(super) fn proof(name: &str, ports: &Ports<'_>) -> String {
    let sums = ports.circuit.stacks.len();
    let mut text = format!("module {name}_proof {}(\n    ", ports.parameters());
    let mut all = ports.declared_inputs();
    all.push("output SAME".into());
    text += &format!("{}\n);\n", all.join(",\n    "));
    let inputs: Vec<String> = ports.inputs.iter().map(|name| format!(".{name}({name})")).collect();
    let mut same = Vec::new();
    let width = if ports.number_bits.is_some() { "#(.WIDTH(WIDTH)) " } else { "" };
    for (o, (module, clocked)) in
        [("_reference", false), ("", false), ("_pipelined", true)].into_iter().enumerate()
    {
        let mut connected = inputs.clone();
        if clocked {
            connected.extend([".clk(1'b0)", ".reset(1'b0)", ".valid_in(1'b0)"].map(String::from));
            connected.push(".valid_out()".into());
        }
        for (s, output) in ports.outputs.iter().enumerate() {
            let kind = match (o, s < sums) {
                (0, true) => "signed [63:0] ".into(),
                (0, false) => "[31:0] ".into(),
                _ => span(output.signed, output.bits),
            };
            text += &format!("    wire {kind}Y{o}_{s};\n");
            connected.push(format!(".{}(Y{o}_{s})", output.name));
            let signed = if output.signed { "" } else { "$signed({1'b0, " };
            let end = if output.signed { "" } else { "})" };
            if o > 0 && s < sums {
                same.push(format!("Y0_{s} == {signed}Y{o}_{s}{end}"));
            } else if o > 0 {
                same.push(format!("Y0_{s} == Y{o}_{s}"));
            }
        }
        text += &format!("    {name}{module} {width}M{o} ({});\n", connected.join(", "));
    }
    text + &format!("    assign SAME = {};\nendmodule\n", same.join("\n        && "))
}
