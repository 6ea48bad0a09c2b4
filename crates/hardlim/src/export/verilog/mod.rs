//! Verilog-2001: a combinational and a pipelined module, the pipelined one behind AXI4-Stream,
//! test benches, a harness for Verilator, and what every wire stands for.
//!
//! Wires have exactly the width of their range. An input beyond
//! its bounds counts as the nearest bound, on buses of any width.

mod bench;
mod build;
mod groups;
mod net;
mod ports;
mod stream;
mod text;
mod wires;

use super::circuit::{Circuit, Input};
use super::{Style, answer_lines, fill, input_lines};
use build::{Built, build};
use net::{Kind, Wire};
use ports::Ports;

/// The files of a circuit. The test bench reads `<name>_vectors.hex` (see [`Circuit::line`]), the
/// harness for Verilator `<name>_vectors.bin` (see [`Circuit::record`]).
pub fn write(circuit: &Circuit, style: &Style) -> Vec<(String, Vec<u8>)> {
    let (name, ports) = (&style.name, Ports::of(circuit));
    let plain = build(circuit, &ports.bounded(), false);
    let pipelined = build(circuit, &ports.bounded(), true);
    let more = replacements(&ports, &pipelined);
    let file = |end: &str, text: String| super::file(format!("{name}{end}"), text);
    let template = |end: &str, text: &str| file(end, fill(text, style, &more));
    let see = |text: String| format!("// See {name}.v. Written by hardlim.\n{text}");
    let mut files = vec![
        file(".v", header(&ports, style) + &module(&ports, style, &plain)),
        file("_pipelined.v", see(module(&ports, style, &pipelined))),
        file("_pair.v", bench::pair(name, &ports)),
        template("_tb.v", include_str!("tb.v")),
        template("_axis.v", include_str!("axis.v")),
        template("_stream_tb.v", include_str!("stream_tb.v")),
        template("_verilator.cpp", include_str!("verilator.cpp")),
        super::file("Makefile", fill(include_str!("Makefile"), style, &more)),
    ];
    for (end, built) in [("", &plain), ("_pipelined", &pipelined)] {
        let text = wires::text(&format!("{name}{end}"), &ports, built);
        files.push(file(&format!("{end}_wires.txt"), text));
    }
    files.extend(stream::proof(&ports, style, pipelined.latency, &more));
    files
}

pub(super) fn port_names(circuit: &Circuit) -> Vec<String> {
    Ports::of(circuit).inputs
}

pub(super) fn sum_names(circuit: &Circuit) -> Vec<String> {
    let outputs = Ports::of(circuit).outputs;
    outputs.into_iter().take(circuit.stacks.len()).map(|output| output.name).collect()
}

fn replacements(ports: &Ports<'_>, pipelined: &Built) -> Vec<(&'static str, String)> {
    let circuit = ports.circuit;
    let (x, y) = (bench::packed_bits(ports.input_bits()), bench::packed_bits(ports.output_bits()));
    let list = |bits: Vec<u32>| bits.iter().map(|b| format!("{b},")).collect::<String>();
    vec![
        ("x_top", (x - 1).to_string()),
        ("y_top", (y - 1).to_string()),
        ("x_words", (x / 32).to_string()),
        ("y_words", (y / 32).to_string()),
        ("latency", pipelined.latency.to_string()),
        ("inputs", circuit.inputs.len().to_string()),
        ("input_bytes", (circuit.storage() / 8).to_string()),
        ("input_bits", list(circuit.inputs.iter().map(Input::bits).collect()) + "0"),
        ("sums", circuit.stacks.len().to_string()),
        ("outputs", ports.outputs.len().to_string()),
        ("output_bits", list(ports.outputs.iter().map(|o| o.bits).collect())),
    ]
    .into_iter()
    .chain(stream::replacements(ports, pipelined.latency))
    .collect()
}

/// The meaning of the modules, as comments.
fn header(ports: &Ports<'_>, style: &Style) -> String {
    let comment = |lines: Vec<String>| -> String {
        lines.iter().map(|line| format!("// {}\n", line.trim_end())).collect()
    };
    let width = match ports.number_bits {
        None => String::new(),
        Some(bits) => format!(
            "// WIDTH is the number of bits of the widest number, {bits} by default. On wider \
             buses, too, an input\n\
             // beyond its bounds counts as the nearest bound.\n//\n"
        ),
    };
    let outputs = (ports.outputs.iter())
        .map(|o| {
            let kind = if o.signed { "two's complement" } else { "unsigned" };
            let s = if o.bits == 1 { "" } else { "s" };
            format!("{}: {} bit{s}, {kind}", o.name, o.bits)
        })
        .collect();
    let more = [
        ("input_lines", comment(input_lines(ports.circuit, &ports.inputs))),
        ("answer_lines", comment(answer_lines(ports.circuit))),
        ("output_lines", comment(outputs)),
        ("width_lines", width),
    ];
    fill(include_str!("header.v"), style, &more)
}

/// One module: ports, bounds, wires, and outputs.
fn module(ports: &Ports<'_>, style: &Style, built: &Built) -> String {
    let pipelined = built.net.pipelined();
    let mut all = Vec::new();
    if pipelined {
        all.extend(["input clk", "input reset", "input valid_in"].map(String::from));
    }
    all.extend(ports.declared_inputs());
    if pipelined {
        all.push("output valid_out".into());
    }
    all.extend(ports.declared_outputs());
    let name = if pipelined { format!("{}_pipelined", style.name) } else { style.name.clone() };
    let mut text = String::new();
    if pipelined {
        text += &format!(
            "\
// Takes one input each clock, and gives its answer {} clocks later (LATENCY). valid_out
// comes with the answer and equals the valid_in that came with the input. reset clears
// the valid bits; nothing else needs it. If valid_out is not read, valid_in and reset
// may be left unconnected.
",
            built.latency
        );
    }
    text += &format!("module {name} {}(\n    {}\n);\n", ports.parameters(), all.join(",\n    "));
    let used: Vec<bool> = (0..ports.inputs.len())
        .map(|j| built.net.nodes.iter().any(|node| node.kind == Kind::Input(j)))
        .collect();
    text += &ports.bounds(|j| used[j]);
    text += &built.net.statements();
    if pipelined {
        text += &valid(built.latency);
    }
    let wires: Vec<Wire> = built.sums.iter().copied().chain(built.class).collect();
    for (output, wire) in ports.outputs.iter().zip(wires) {
        let operand = built.net.operand(wire, output.signed);
        text += &format!("    assign {} = {operand};\n", output.name);
    }
    text + "endmodule\n"
}

fn valid(latency: usize) -> String {
    let (top, shifted) = match latency {
        1 => (0, "valid_in".to_owned()),
        n => (n - 1, format!("{{VALID[{}:0], valid_in}}", n - 2)),
    };
    format!(
        "    localparam LATENCY = {latency};
    reg [{top}:0] VALID;
    always @(posedge clk) VALID <= reset ? {latency}'b0 : {shifted};
    assign valid_out = VALID[LATENCY-1];
"
    )
}
