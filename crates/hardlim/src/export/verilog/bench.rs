//! Files to replay the modules: both modules behind packed ports, a test bench that reads a text
//! file, and a harness for Verilator that reads the records of the other targets.

use super::super::circuit::Circuit;
use super::ports::{Ports, output_bits};

/// The bits of a packed port: whole words of 32 bits, and at least three of them, so that Verilator
/// passes an array.
pub(super) fn packed_bits(bits: u32) -> u32 {
    bits.next_multiple_of(32).max(96)
}

/// A module that contains both modules. Inputs and outputs are packed one after the other, the
/// first one in the lowest bits.
pub(super) fn pair(name: &str, ports: &Ports<'_>) -> String {
    let (x, y) = (packed_bits(ports.input_bits()), packed_bits(ports.output_bits()));
    let (x_top, y_top) = (x - 1, y - 1);
    let mut text = format!(
        "// {name} and {name}_pipelined behind packed ports, the first input and the first output lowest.
module {name}_pair (
    input clk,
    input reset,
    input valid_in,
    input [{x_top}:0] x,
    output [{y_top}:0] y,
    output valid_out,
    output [{y_top}:0] y_pipelined
);
"
    );
    let inputs = connected_inputs(ports, "x");
    let outputs = slices(ports.outputs.iter().map(|o| o.bits));
    let outputs: Vec<(&str, String)> =
        ports.outputs.iter().map(|o| o.name.as_str()).zip(outputs).collect();
    for (module, to, clocked) in [("", "y", false), ("_pipelined", "y_pipelined", true)] {
        let mut connected = Vec::new();
        if clocked {
            connected.extend(
                ["clk", "reset", "valid_in", "valid_out"].map(|p| format!("        .{p}({p})")),
            );
        }
        connected.extend(inputs.iter().cloned());
        connected.extend(outputs.iter().map(|(name, at)| format!("        .{name}({to}{at})")));
        text += &format!("    {name}{module} m_{to} (\n{}\n    );\n", connected.join(",\n"));
        if ports.output_bits() < y {
            let rest = y - ports.output_bits();
            text += &format!("    assign {to}[{y_top}:{}] = {rest}'b0;\n", y - rest);
        }
    }
    text + "endmodule\n"
}

/// Where numbers of these bits lie in a packed port, the first one lowest.
fn slices(bits: impl Iterator<Item = u32>) -> Vec<String> {
    let mut at = 0;
    bits.map(|bits| {
        at += bits;
        format!("[{}:{}]", at - 1, at - bits)
    })
    .collect()
}

/// The input ports of a module, connected to a packed port of this name.
pub(super) fn connected_inputs(ports: &Ports<'_>, packed: &str) -> Vec<String> {
    let slices = slices(ports.circuit.inputs.iter().map(|input| input.bits()));
    (ports.inputs.iter().zip(slices))
        .map(|(name, slice)| format!("        .{name}({packed}{slice})"))
        .collect()
}

/// The output ports of a module, connected to a packed port of this name and this many bits, and what drives the
/// bits above them.
pub(super) fn connected_outputs(
    ports: &Ports<'_>,
    packed: &str,
    bits: u32,
) -> (Vec<String>, String) {
    let slices = slices(ports.outputs.iter().map(|o| o.bits));
    let connected = (ports.outputs.iter().zip(slices))
        .map(|(output, slice)| format!("        .{}({packed}{slice})", output.name))
        .collect();
    let own = ports.output_bits();
    let rest = match bits - own {
        0 => String::new(),
        rest => format!("    assign {packed}[{}:{own}] = {rest}'b0;\n", bits - 1),
    };
    (connected, rest)
}

/// The text for the placeholders of the serial module in its test bench.
pub(super) fn serial(ports: &Ports<'_>) -> Vec<(&'static str, String)> {
    let clocked = [
        ".clk(serial_clk)",
        ".reset(reset)",
        ".valid_in(serial_valid)",
        ".valid_out(serial_out)",
        ".ready(serial_ready)",
    ];
    let clocked = clocked.map(|line| format!("        {line}")).to_vec();
    let (outputs, rest) = connected_outputs(ports, "y_serial", packed_bits(ports.output_bits()));
    let serial = [clocked, connected_inputs(ports, "x"), outputs].concat();
    vec![("serial_ports", serial.join(",\n")), ("serial_rest", rest)]
}

/// An input and what it must give, as a line of the file for the test bench.
pub(super) fn line(circuit: &Circuit, inputs: &[i64]) -> String {
    let sums = circuit.sums(inputs);
    let class = circuit.answer.class(&sums) as i64;
    let x = inputs.iter().zip(circuit.inputs.iter().map(|i| i.bits()));
    let y = sums.iter().chain([&class]).zip(output_bits(circuit));
    format!("{} {}\n", hexadecimal(x), hexadecimal(y))
}

/// The low bits of numbers one after the other, the first one in the lowest bits, in hexadecimal.
fn hexadecimal<'a>(numbers: impl Iterator<Item = (&'a i64, u32)>) -> String {
    let mut digits = vec![0u8];
    let mut at = 0;
    for (number, bits) in numbers {
        for i in 0..bits {
            if at / 4 == digits.len() {
                digits.push(0);
            }
            digits[at / 4] |= ((number >> i & 1) as u8) << (at % 4);
            at += 1;
        }
    }
    digits.iter().rev().map(|&d| char::from_digit(d.into(), 16).expect("a digit")).collect()
}
