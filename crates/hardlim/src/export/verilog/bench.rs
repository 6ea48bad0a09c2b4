//! Files to replay the modules: both modules behind packed ports, a test bench that reads a text
//! file, and a harness for Verilator that reads the records of the other targets.

use super::ports::Ports;

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
        "// {name} and {name}_pipelined behind packed ports, the first input and the first output \
         lowest.
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
    for (module, to, clocked) in [("", "y", false), ("_pipelined", "y_pipelined", true)] {
        let mut connected = Vec::new();
        if clocked {
            let clocked = ["clk", "reset", "valid_in", "valid_out"];
            connected.extend(clocked.map(|p| format!("        .{p}({p})")));
        }
        let (outputs, rest) = connected_outputs(ports, to, y);
        connected.extend(connected_inputs(ports, "x").into_iter().chain(outputs));
        let connected = connected.join(",\n");
        text += &format!("    {name}{module} m_{to} (\n{connected}\n    );\n{rest}");
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

/// The output ports of a module, connected to a packed port of this name and this many bits, and
/// what drives the bits above them.
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
