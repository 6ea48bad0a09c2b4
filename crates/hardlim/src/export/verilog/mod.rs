//! Verilog-2001: a combinational and a pipelined module, the pipelined one behind AXI4-Stream, one that computes a
//! term each clock, test benches, a harness for Verilator, and what a SAT solver has to prove about every
//! wire.
//!
//! Wires have exactly the width of their range (see [`Resources`] for the total). An input beyond
//! its bounds counts as the nearest bound, on buses of any width.

mod bench;
mod build;
mod groups;
mod lemmas;
mod meaning;
mod net;
mod ports;
mod read;
mod resources;
mod serial;
mod stream;
mod text;

use super::circuit::{Circuit, Input};
use super::{File, Style, answer_lines, fill, input_lines};
use build::{Built, build};
use net::{Kind, Wire};
use ports::Ports;
use read::Clocked;

#[doc(hidden)]
pub use resources::Resources;

/// The most comparisons of steps in a simulation of the serial module: seconds.
const SERIAL_STEPS: usize = 150_000_000;

/// The files of a circuit. The test bench reads `<name>_vectors.hex` (see [`vector`]), the harness for
/// Verilator `<name>_vectors.bin` (see [`Circuit::record`]).
pub fn write(circuit: &Circuit, style: &Style) -> Vec<File> {
    let (name, ports) = (&style.name, Ports::of(circuit));
    let plain = build(circuit, &ports.bounded(), false);
    let pipelined = build(circuit, &ports.bounded(), true);
    let more = replacements(&ports, &pipelined);
    let file = |end: &str, text: String| File::new(format!("{name}{end}"), text);
    let template = |end: &str, text: &str| file(end, fill(text, style, &more));
    let see = |text: String| format!("// See {name}.v. Written by hardlim.\n{text}");
    let mut files = vec![
        file(".v", header(&ports, style) + &module(&ports, style, &plain)),
        file("_pipelined.v", see(module(&ports, style, &pipelined))),
        file("_pair.v", bench::pair(name, &ports)),
        template("_tb.v", include_str!("tb.v")),
        template("_axis.v", include_str!("axis.v")),
        file("_serial.v", see(serial::module(&ports, style))),
        template("_stream_tb.v", include_str!("stream_tb.v")),
        template("_verilator.cpp", include_str!("verilator.cpp")),
        template("_wires.v", include_str!("wires.v")),
        File::new("Makefile", fill(include_str!("Makefile"), style, &more)),
    ];
    for (end, built) in [("", &plain), ("_pipelined", &pipelined)] {
        let module = format!("{name}{end}");
        let (text, groups) = lemmas::module(&module, &ports, built);
        let step = |g| format!("sat -verify -prove SAME_{g} 1 {module}_proof/w:SAME_{g} %ci*\n");
        let more = [("module", module.clone()), ("steps", (0..groups).map(step).collect())];
        files.push(file(&format!("{end}_proof.v"), see(text)));
        files.push(file(&format!("{end}_proof.ys"), fill(include_str!("proof.ys"), style, &more)));
    }
    files.extend(stream::proof(&ports, style, pipelined.latency, &more));
    files
}

/// Why the formulas of the wires, put together, are not the circuit's; `None` if they are, in both modules.
#[doc(hidden)]
pub fn difference(circuit: &Circuit) -> Option<String> {
    let names = Ports::of(circuit).bounded();
    [false, true].into_iter().find_map(|pipelined| {
        let built = build(circuit, &names, pipelined);
        meaning::difference(circuit, &built).map(|why| match pipelined {
            false => format!("the combinational module: {why}"),
            true => format!("the pipelined module: {why}"),
        })
    })
}

/// A module that is proven by reading it back.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Without a clock.
    Combinational,
    /// An input each clock.
    Pipelined,
    /// A term each clock.
    Serial,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Combinational, Self::Pipelined, Self::Serial];

    /// What its module is called after the name of the export.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Combinational => "",
            Self::Pipelined => "_pipelined",
            Self::Serial => "_serial",
        }
    }
}

/// Whether the text of a module computes a circuit on every input, after as many clocks as it says: `None` if it does,
/// or what differs.
///
/// # Errors
/// When that cannot be decided, with the reason.
#[doc(hidden)]
pub fn prove(
    circuit: &Circuit,
    name: &str,
    form: Form,
    text: &str,
) -> Result<Option<String>, String> {
    let ports = Ports::of(circuit);
    let built = |pipelined| build(circuit, &ports.bounded(), pipelined);
    let module = format!("{name}{}", form.ending());
    let proven = |clocked: Clocked<'_>| read::prove(&ports, &module, text, clocked);
    match form {
        Form::Combinational => proven(Clocked::No(&built(false))),
        Form::Pipelined => proven(Clocked::Pipelined(&built(true))),
        Form::Serial => proven(Clocked::Serial),
    }
}

/// An input and the outputs that it must give, as a line of the test bench's file.
///
/// # Panics
/// When there is not one integer for each input.
pub fn vector(circuit: &Circuit, inputs: &[i64]) -> String {
    bench::line(circuit, inputs)
}

/// The names of the input ports, in the order of the inputs.
pub fn port_names(circuit: &Circuit) -> Vec<String> {
    Ports::of(circuit).inputs
}

/// The names of the ports of the sums.
#[doc(hidden)]
pub fn sum_names(circuit: &Circuit) -> Vec<String> {
    let outputs = Ports::of(circuit).outputs;
    outputs.into_iter().take(circuit.stacks.len()).map(|output| output.name).collect()
}

/// The clocks that the serial module takes for an input.
#[doc(hidden)]
pub fn clocks(circuit: &Circuit) -> usize {
    serial::clocks(circuit)
}

/// How many inputs of the serial module Icarus Verilog simulates within seconds. It compares a place with all steps
/// before it, so a clock takes as long as there are steps.
#[doc(hidden)]
pub fn serial_inputs(circuit: &Circuit) -> usize {
    (SERIAL_STEPS / serial::clocks(circuit).pow(2)).clamp(2, 1000)
}

/// The text for the placeholders in the templates.
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
        ("clocks", serial::clocks(circuit).to_string()),
        ("serial_inputs", serial_inputs(circuit).to_string()),
    ]
    .into_iter()
    .chain(bench::serial(ports))
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
            "// WIDTH is the number of bits of the widest number, {bits} by default. On wider buses, too, an input\n\
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
            "// Takes one input each clock, and {} (LATENCY). valid_out comes with the\n\
             // answer and equals the valid_in that came with the input. reset clears the valid bits; nothing else\n\
             // needs it. If valid_out is not read, valid_in and reset may be left unconnected.\n",
            stated(built.latency)
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

/// What a module says about its clocks, as a comment: reading it back compares that with what it does.
fn stated(clocks: usize) -> String {
    format!("gives its answer {clocks} clocks later")
}

/// The valid bits, one for each clock.
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
