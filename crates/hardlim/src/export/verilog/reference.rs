//! The definition in Verilog, for proofs: integers of 64 bits, one term after the other, nothing shared.

use super::super::answer::Answer;
use super::super::circuit::Stack;
use super::ports::Ports;

/// A 64-bit constant.
fn wide(value: i64) -> String {
    if value < 0 { format!("-64'sd{}", value.unsigned_abs()) } else { format!("64'sd{value}") }
}

/// The module, whose sums have 64 bits and whose class has 32.
pub(super) fn module(name: &str, ports: &Ports<'_>) -> String {
    let circuit = ports.circuit;
    let mut all = ports.declared_inputs();
    all.extend(ports.outputs.iter().enumerate().map(|(s, output)| {
        let kind = if s < circuit.stacks.len() { "signed [63:0]" } else { "[31:0]" };
        format!("output reg {kind} {}", output.name)
    }));
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
    for (s, stack) in circuit.stacks.iter().enumerate() {
        let (registers, statements) = sum(s, stack, &ports.outputs[s].name);
        text += &registers;
        body += &statements;
    }
    if let Some(class) = ports.outputs.get(circuit.stacks.len()) {
        body += &match circuit.answer {
            Answer::Sign(_) => {
                format!("        {} = {} >= 64'sd0;\n", class.name, ports.outputs[0].name)
            }
            _ => largest(ports, &class.name),
        };
    }
    text + &format!("    always @* begin\n{body}    end\nendmodule\n")
}

/// The answers of one network, and its sum.
fn sum(s: usize, stack: &Stack, output: &str) -> (String, String) {
    let (mut registers, mut text) = (String::new(), String::new());
    for (l, gates) in stack.layers.iter().enumerate() {
        for (i, gate) in gates.iter().enumerate() {
            registers += &format!("    reg H{s}_{l}_{i};\n");
            text += &format!("        T = {};\n", wide(gate.bias));
            for &(j, k) in &gate.terms {
                text += &match l {
                    0 => format!("        T = T + X{j} * {};\n", wide(k)),
                    _ => format!("        if (H{s}_{}_{j}) T = T + {};\n", l - 1, wide(k)),
                };
            }
            text += &format!("        H{s}_{l}_{i} = T >= 64'sd0;\n");
        }
    }
    text += &format!("        {output} = {};\n", wide(stack.offset));
    for (i, &a) in stack.amplitudes.iter().enumerate() {
        let l = stack.layers.len() - 1;
        text += &format!("        if (H{s}_{l}_{i}) {output} = {output} + {};\n", wide(a));
    }
    (registers, text)
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

/// The module whose output `same` says whether the three modules agree, all registers taken for wires.
pub(super) fn proof(name: &str, ports: &Ports<'_>) -> String {
    let sums = ports.circuit.stacks.len();
    let mut text = format!("module {name}_proof {}(\n    ", ports.parameters());
    let mut all = ports.declared_inputs();
    all.push("output SAME".into());
    text += &format!("{}\n);\n", all.join(",\n    "));
    let inputs: Vec<String> = ports.inputs.iter().map(|name| format!(".{name}({name})")).collect();
    let mut same = Vec::new();
    let width = if ports.widest.is_some() { "#(.WIDTH(WIDTH)) " } else { "" };
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
                _ => super::text::span(output.signed, output.bits),
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
