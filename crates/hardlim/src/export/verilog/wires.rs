//! What every wire of a module stands for, in whole numbers: a file for whoever proves the module.
//!
//! `input p` and `output p = formula` are the ports in their order, `wire w l..m = formula` is a
//! wire with its range, and `reg r l..m <= w` a wire one clock later. A formula is a sum of `k*w`,
//! of bits `w[j]`, and of tests `k*(sum >= 0)`; or `on ? yes : no`; or `bounded p`, an input
//! limited to its range.

use super::build::{Built, is_number};
use super::net::{Kind, Net, Node, Test, Wire, signed_digits};
use super::ports::Ports;

pub(super) fn text(module: &str, ports: &Ports<'_>, built: &Built) -> String {
    let net = &built.net;
    let mut text = format!(
        "# What every wire of {module} stands for, in whole numbers: its range and its formula.\n"
    );
    for name in &ports.inputs {
        text += &format!("input {name}\n");
    }
    for node in &net.nodes {
        let Node { least, most, name, .. } = node;
        let formula = match &node.kind {
            Kind::Constant(_) | Kind::Bit { .. } => continue,
            Kind::Input(j) if !is_number(&ports.circuit.inputs[*j]) => continue,
            Kind::Input(j) => format!("bounded {}", ports.inputs[*j]),
            Kind::Register(of) => {
                text += &format!("reg {name} {least}..{most} <= {}\n", net.nodes[*of].name);
                continue;
            }
            kind => net.formula(kind),
        };
        text += &format!("wire {name} {least}..{most} = {formula}\n");
    }
    let outputs = built.sums.iter().copied().chain(built.class);
    for (output, wire) in ports.outputs.iter().zip(outputs) {
        text += &format!("output {} = {}\n", output.name, net.linear(0, [(wire, 1)]));
    }
    text
}

impl Net {
    fn formula(&self, kind: &Kind) -> String {
        match kind {
            Kind::Not(of) if self.range(*of) == (0, 1) => self.linear(1, [(*of, -1)]),
            Kind::Not(of) => self.linear(-1, [(*of, -1)]),
            Kind::Mask { bit, k } => self.linear(0, [(*bit, *k)]),
            Kind::Product { of, k } => {
                // Shifted and added up as it is written.
                let digit = |(place, minus)| (*of, if minus { -1 } else { 1i64 } << place);
                self.linear(0, signed_digits(*k).into_iter().map(digit))
            }
            Kind::Sum(wires) => self.linear(0, wires.iter().map(|&w| (w, 1))),
            Kind::Inverted(bits) => {
                let digits = bits.iter().enumerate().map(|(j, &w)| (w, -1i64 << j));
                self.linear((1 << bits.len()) - 1, digits)
            }
            Kind::AtLeast { of, threshold } => {
                format!("({} >= 0)", self.linear(-threshold, [(*of, 1)]))
            }
            Kind::Greater(a, b) => format!("({} >= 0)", self.linear(-1, [(*a, 1), (*b, -1)])),
            Kind::Choose { on, yes, no } => {
                let [yes, no] = [yes, no].map(|w| self.linear(0, [(*w, 1)]));
                format!("{} ? {yes} : {no}", self.nodes[*on].name)
            }
            Kind::Table { of, constant, tests } => {
                let test = |test: &Test| {
                    let inner = test.terms.iter().map(|&(j, k)| (of[j], k));
                    format!(" + {}*({} >= 0)", test.amplitude, self.linear(test.bias, inner))
                };
                constant.to_string() + &tests.iter().map(test).collect::<String>()
            }
            Kind::Input(_) | Kind::Constant(_) | Kind::Bit { .. } | Kind::Register(_) => {
                unreachable!("these have a line of their own, or none")
            }
        }
    }

    /// `c + Σ kⱼmⱼ`.
    fn linear(&self, mut constant: i64, terms: impl IntoIterator<Item = (Wire, i64)>) -> String {
        let mut text = String::new();
        for (wire, k) in terms {
            match self.nodes[wire].kind {
                Kind::Constant(value) => constant += k * value,
                _ => text += &format!(" + {k}*{}", self.nodes[wire].name),
            }
        }
        constant.to_string() + &text
    }
}
