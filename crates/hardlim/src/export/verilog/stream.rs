//! The stream around the pipelined module: what its templates need, and what is proven about it.
//!
//! The stream never looks at the data. So the pipelined module, which is proven by itself, is
//! replaced by a delay for the proof, and Yosys shows by induction over clocks that one transfer,
//! any one, comes out after those before it, with its own data: the delay reads the bits of the
//! transfer in their order, and its answer, which may be anything, is the answer to that transfer.

use super::super::{Style, fill};
use super::bench::{connected_inputs, connected_outputs};
use super::ports::Ports;
use super::text::span;

/// The places for answers that wait: a power of two above the inputs on their way.
fn places(latency: usize) -> usize {
    (latency + 2).next_power_of_two()
}

pub(super) fn replacements(ports: &Ports<'_>, latency: usize) -> Vec<(&'static str, String)> {
    let (x, y) = (ports.input_bits().next_multiple_of(8), ports.output_bits().next_multiple_of(8));
    let places_bits = places(latency).trailing_zeros();
    let clocked = [".clk(aclk)", ".reset(!aresetn)", ".valid_in(taken)", ".valid_out(answered)"];
    let clocked = clocked.map(|line| format!("        {line}")).to_vec();
    let (outputs, rest) = connected_outputs(ports, "answer", y);
    let axis = [clocked, connected_inputs(ports, "s_axis_tdata"), outputs].concat();
    vec![
        ("axis_x_top", (x - 1).to_string()),
        ("axis_y_top", (y - 1).to_string()),
        ("axis_places", places(latency).to_string()),
        ("axis_place_top", (places_bits - 1).to_string()),
        ("axis_count_top", places_bits.to_string()),
        ("axis_ports", axis.join(",\n")),
        ("axis_rest", rest),
    ]
}

pub(super) fn proof(
    ports: &Ports<'_>,
    style: &Style,
    latency: usize,
    more: &[(&str, String)],
) -> Vec<(String, Vec<u8>)> {
    let (name, bits) = (&style.name, ports.output_bits());
    let (places, inputs) = (places(latency), ports.input_bits());
    let joined = |lines: Vec<String>, between: &str| lines.join(between);
    let backwards = |names: Vec<&str>| names.into_iter().rev().collect::<Vec<_>>().join(", ");
    let input = |(name, bits): (&String, u32)| format!("input {}{name}", span(false, bits));
    let declared = ports.inputs.iter().zip(ports.circuit.inputs.iter().map(|i| i.bits()));
    let mut delayed: Vec<String> = declared.map(input).collect();
    delayed
        .extend(ports.outputs.iter().map(|o| format!("output {}{}", span(false, o.bits), o.name)));
    let selected = |k: usize| format!("({{BITS{{at[{k}]}}}} & data[{k}*BITS +: BITS])");
    let word = |k: usize| format!("place == {k} ? WORD_{k} : ");
    let count = |of: &str| joined((0..latency).map(|k| format!("{of}[{k}]")).collect(), " + ");
    let top = ports.output_bits().next_multiple_of(8);
    let own = [
        ("delay_ports", delayed.join(",\n    ")),
        ("delay_inputs", backwards(ports.inputs.iter().map(String::as_str).collect())),
        ("delay_outputs", backwards(ports.outputs.iter().map(|o| o.name.as_str()).collect())),
        ("input_top", inputs.saturating_sub(1).to_string()),
        ("output_bits_in_all", bits.to_string()),
        (
            "axis_words",
            joined((0..places).map(|k| format!("    wire [{top}:0] WORD_{k};")).collect(), "\n"),
        ),
        (
            "axis_connected",
            joined(
                (0..places).map(|k| format!("        .\\waiting[{k}] (WORD_{k})")).collect(),
                ",\n",
            ),
        ),
        ("axis_kept", (0..places).map(word).collect::<String>() + "0"),
        ("axis_own", joined((0..latency).map(selected).collect(), " | ")),
        ("axis_valid", count("valid")),
        ("axis_above", count("above")),
    ];
    let all: Vec<(&str, String)> = more.iter().cloned().chain(own).collect();
    let file =
        |end: &str, text: &str| super::super::file(format!("{name}{end}"), fill(text, style, &all));
    vec![
        file("_axis_delay.v", include_str!("axis_delay.v")),
        file("_axis_proof.v", include_str!("axis_proof.v")),
        file("_axis_proof.ys", include_str!("axis_proof.ys")),
    ]
}
