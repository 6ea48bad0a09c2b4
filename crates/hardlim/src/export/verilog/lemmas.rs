//! What is proven about a module, wire by wire: a module in Verilog for a SAT solver.
//!
//! Every wire of the written module is cut. For all values of the wires it reads that are within their
//! ranges, it must have the value of its formula as a whole number, and be within its range. Numbers
//! are written with all their bits, so no rule of Verilog on widths and signs is needed here: a wire of
//! the module that is too narrow, or that is compared without its sign, fails.
//!
//! That the formulas give the circuit together is proven without a solver, see [`super::meaning`].

use super::super::circuit::bits;
use super::build::{Built, is_number};
use super::net::{Kind, Net, Node, Test, Wire, product};
use super::ports::Ports;

/// A value: the name of a signal, its bits, and whether the highest one is a sign.
struct Signal {
    name: String,
    bits: u32,
    signed: bool,
}

impl Signal {
    /// The value with this many bits and a sign.
    fn wide(&self, width: u32) -> String {
        let (name, more) = (&self.name, width - self.bits);
        match (more, self.signed, self.bits) {
            (0, ..) => format!("$signed({name})"),
            (_, false, _) => format!("$signed({{{more}'b0, {name}}})"),
            (_, true, 1) => format!("$signed({{{{{more}{{{name}}}}}, {name}}})"),
            (_, true, n) => format!("$signed({{{{{more}{{{name}[{}]}}}}, {name}}})", n - 1),
        }
    }
}

/// A whole number with this many bits and a sign.
fn number(value: i64, width: u32) -> String {
    if value < 0 {
        format!("-{width}'sd{}", value.unsigned_abs())
    } else {
        format!("{width}'sd{value}")
    }
}

/// Whether a value is within a range, which is written only where it is narrower than the signal.
fn within(signal: &Signal, (least, most): (i64, i64), width: u32) -> Vec<String> {
    let value = signal.wide(width);
    let mut parts = Vec::new();
    let (low, high) = match signal.signed {
        true => (-1i128 << (signal.bits - 1), (1i128 << (signal.bits - 1)) - 1),
        false => (0, (1i128 << signal.bits) - 1),
    };
    if i128::from(least) > low {
        parts.push(format!("{value} >= {}", number(least, width)));
    }
    if i128::from(most) < high {
        parts.push(format!("{value} <= {}", number(most, width)));
    }
    parts
}

/// The wires of a node that are cut: all but constants, inputs of one bit, and bits, which are cut with their numbers.
fn is_cut(ports: &Ports<'_>, node: &Node) -> bool {
    match node.kind {
        Kind::Constant(_) | Kind::Bit { .. } => false,
        Kind::Input(j) => is_number(&ports.circuit.inputs[j]),
        _ => true,
    }
}

/// The value of a wire where it is read: free, unless it is an input of one bit.
fn read(ports: &Ports<'_>, node: &Node) -> Signal {
    let free = is_cut(ports, node) || matches!(node.kind, Kind::Bit { .. });
    let name = if free { format!("I_{}", node.name) } else { node.name.clone() };
    Signal { name, bits: node.bits(), signed: node.signed() }
}

/// The lemma of one wire.
fn lemma(ports: &Ports<'_>, net: &Net, node: &Node) -> String {
    let out = Signal { name: format!("O_{}", node.name), bits: node.bits(), signed: node.signed() };
    let operands: Vec<Wire> = node.kind.operands();
    // The bits of every operand with a sign, then of the value of the formula.
    let with_sign = |node: &Node| node.bits() + u32::from(!node.signed());
    let widest = operands.iter().map(|&w| with_sign(&net.nodes[w])).max().unwrap_or(0);
    let formula = match node.kind {
        Kind::Input(j) => ports.circuit.inputs[j].bits() + 1,
        Kind::Product { k, .. } => widest + bits(0, k) + 1,
        Kind::Mask { k, .. } => bits(0, k) + 1,
        Kind::AtLeast { threshold, .. } => widest.max(bits(threshold.min(-1), threshold)),
        Kind::Sum(_) => widest + 2,
        Kind::Inverted(ref bits) => bits.len() as u32 + 2,
        Kind::Table { constant, ref tests, .. } => {
            let most = |j: usize| {
                let read = &net.nodes[operands[j]];
                read.least.abs().max(read.most.abs())
            };
            let size = |test: &Test| {
                let terms = test.terms.iter().map(|&(j, k)| k.abs() * most(j)).sum::<i64>();
                // Products are sums and differences of shifts, which may be larger on the way.
                2 * (terms + test.bias.abs())
            };
            let parts = tests.iter().map(|test| test.amplitude.abs()).sum::<i64>() + constant.abs();
            bits(-1, tests.iter().map(size).max().unwrap_or(0).max(parts)) + 1
        }
        _ => widest + 1,
    };
    let width = formula.max(widest).max(with_sign(node)).max(2);
    let value = |wire: Wire| match net.nodes[wire].kind {
        Kind::Constant(value) => number(value, width),
        _ => read(ports, &net.nodes[wire]).wide(width),
    };
    let bit = |wire: Wire| format!("{} == {}", value(wire), number(1, width));
    let (one, none) = (number(1, width), number(0, width));
    let expected = match &node.kind {
        Kind::Constant(value) => number(*value, width),
        Kind::Input(j) => {
            let (input, name) = (&ports.circuit.inputs[*j], ports.inputs[*j].clone());
            let signal = Signal { name, bits: input.bits(), signed: input.least < 0 };
            let (least, most) = (number(input.least, width), number(input.most, width));
            let v = signal.wide(width);
            format!("{v} < {least} ? {least} : {v} > {most} ? {most} : {v}")
        }
        Kind::Not(of) if net.nodes[*of].signed() || net.nodes[*of].most > 1 => {
            format!("-{one} - {}", value(*of))
        }
        Kind::Not(of) => format!("{one} - {}", value(*of)),
        Kind::Mask { bit: of, k } => format!("{} ? {} : {none}", bit(*of), number(*k, width)),
        Kind::Product { of, k } => product(&value(*of), *k),
        Kind::Sum(wires) => wires.iter().map(|&w| value(w)).collect::<Vec<_>>().join(" + "),
        Kind::AtLeast { of, threshold } => {
            format!("{} >= {} ? {one} : {none}", value(*of), number(*threshold, width))
        }
        Kind::Greater(a, b) => format!("{} > {} ? {one} : {none}", value(*a), value(*b)),
        Kind::Choose { on, yes, no } => {
            format!("{} ? {} : {}", bit(*on), value(*yes), value(*no))
        }
        Kind::Table { of, constant, tests } => {
            let test = |test: &Test| {
                let mut sum = number(test.bias, width);
                for &(j, k) in &test.terms {
                    let sign = if k < 0 { "-" } else { "+" };
                    sum += &format!(" {sign} ({})", product(&value(of[j]), k.abs()));
                }
                format!(" + ({sum} >= {none} ? {} : {none})", number(test.amplitude, width))
            };
            number(*constant, width) + &tests.iter().map(test).collect::<String>()
        }
        Kind::Inverted(bits) => {
            let one = |(j, &w): (usize, &Wire)| format!(" - {}", product(&value(w), 1 << j));
            number((1 << bits.len()) - 1, width)
                + &bits.iter().enumerate().map(one).collect::<String>()
        }
        Kind::Bit { .. } => unreachable!("it has no wire of its own"),
        Kind::Register(of) => value(*of),
    };
    let mut given = Vec::new();
    if let Kind::Inverted(_) = node.kind {
        // The digits depend on each other: that their number is within the range is proven with the formulas.
        let (least, most) = (number(node.least, width), number(node.most, width));
        given.push(format!("({expected}) >= {least} && ({expected}) <= {most}"));
    }
    for &wire in operands.iter().filter(|&&w| !matches!(net.nodes[w].kind, Kind::Constant(_))) {
        let operand = &net.nodes[wire];
        given.extend(within(&read(ports, operand), (operand.least, operand.most), width));
    }
    if let Kind::Choose { on, yes, no } = &node.kind
        && net.nodes[*on].kind == Kind::Greater(*yes, *no)
    {
        // The larger of two: the range needs that the choice is the comparison's, which has a lemma.
        let larger = format!("{} > {} ? {one} : {none}", value(*yes), value(*no));
        given.push(format!("{} == ({larger})", value(*on)));
    }
    let mut proven = vec![format!("{} == ({expected})", out.wide(width))];
    proven.extend(within(&out, (node.least, node.most), width));
    implies(&given, &proven)
}

/// `!(given) || proven`.
fn implies(given: &[String], proven: &[String]) -> String {
    let proven = proven.join(" && ");
    match given {
        [] => proven,
        given => format!("!({}) || ({proven})", given.join(" && ")),
    }
}

/// The lemmas that are proven at a time: few, so that a problem is small, but not too few, because each
/// problem is looked for among all cells.
fn group(lemmas: usize) -> usize {
    lemmas.div_ceil(32).max(24)
}

/// The module that holds a lemma for every wire of a written module, and how many outputs it has; each of
/// them, `SAME_0` and so on, says whether some of the lemmas hold.
pub(super) fn module(module: &str, ports: &Ports<'_>, built: &Built) -> (String, usize) {
    let net = &built.net;
    let mut declared: Vec<String> = (ports.circuit.inputs.iter().zip(&ports.inputs))
        .map(|(input, name)| format!("input [{}:0] {name}", input.bits() - 1))
        .collect();
    let mut connected: Vec<String> =
        ports.inputs.iter().map(|name| format!(".{name}({name})")).collect();
    if net.pipelined() {
        let clocked = [".clk(1'b0)", ".reset(1'b0)", ".valid_in(1'b0)", ".valid_out()"];
        connected.extend(clocked.map(String::from));
    }
    let (mut wires, mut lemmas) = (String::new(), Vec::new());
    for node in net.nodes.iter().filter(|node| is_cut(ports, node)) {
        let (name, top) = (&node.name, node.bits() - 1);
        declared.push(format!("input [{top}:0] I_{name}"));
        wires += &format!("    wire [{top}:0] O_{name};\n");
        connected.push(format!(".{name}(O_{name}), .\\{name}.i (I_{name})"));
        lemmas.push(lemma(ports, net, node));
    }
    let outputs: Vec<Wire> = built.sums.iter().copied().chain(built.class).collect();
    for (output, &wire) in ports.outputs.iter().zip(&outputs) {
        let (node, name) = (&net.nodes[wire], format!("Y_{}", output.name));
        wires += &format!("    wire [{}:0] {name};\n", output.bits - 1);
        connected.push(format!(".{}({name})", output.name));
        let width = output.bits.max(node.bits()) + 2;
        let (driven, given) = match node.kind {
            Kind::Constant(value) => (number(value, width), Vec::new()),
            _ => {
                let signal = read(ports, node);
                (signal.wide(width), within(&signal, (node.least, node.most), width))
            }
        };
        let port = Signal { name, bits: output.bits, signed: output.signed };
        lemmas.push(implies(&given, &[format!("{} == {driven}", port.wide(width))]));
    }
    let groups: Vec<&[String]> = lemmas.chunks(group(lemmas.len())).collect();
    declared.extend((0..groups.len()).map(|g| format!("output SAME_{g}")));
    let mut text = format!("module {module}_proof (\n    {}\n);\n", declared.join(",\n    "));
    text +=
        &format!("{wires}    {module} M (\n        {}\n    );\n", connected.join(",\n        "));
    for (g, lemmas) in groups.iter().enumerate() {
        text += &format!(
            "    assign SAME_{g} = &{{\n        {}\n    }};\n",
            lemmas.join(",\n        ")
        );
    }
    (text + "endmodule\n", groups.len())
}
