//! Wires as Verilog.
//!
//! An expression is as wide as its target or its widest operand. It is signed if all of its
//! operands are signed, so unsigned operands get a sign bit first. Sums have the width of their
//! range, so no bit is lost.
//!
//! Comparisons are unsigned: of numbers with a sign, `2ⁿ⁻¹` is added on both sides, which
//! inverts the sign bit and costs nothing. Yosys up to 0.67 maps signed comparisons of few bits
//! with negative constants to wrong tables (YosysHQ/yosys#6085).

use super::net::{Kind, Net, Node, Test, Wire, all_values, looked_up, product};

/// `[7:0] ` for eight bits, `signed [7:0] ` if they may be negative, and nothing for one bit.
pub(super) fn span(signed: bool, bits: u32) -> String {
    let sign = if signed { "signed " } else { "" };
    if bits == 1 { sign.into() } else { format!("{sign}[{}:0] ", bits - 1) }
}

/// A constant among signed operands.
pub(super) fn signed_literal(value: i64) -> String {
    let minus = if value < 0 { "-" } else { "" };
    let size = value.unsigned_abs();
    format!("{minus}{}'sd{size}", u64::BITS - size.leading_zeros() + 1)
}

/// A constant that is not negative, among unsigned operands.
pub(super) fn unsigned_literal(value: i64) -> String {
    format!("{}'d{value}", (i64::BITS - value.leading_zeros()).max(1))
}

/// `value + 2ⁿ⁻¹`, unsigned, with `n` bits.
fn moved_literal(value: i64, n: u32) -> String {
    format!("{n}'d{}", i128::from(value) + (1i128 << (n - 1)))
}

fn sign(node: &Node) -> String {
    match node.bits() {
        1 => node.name.clone(),
        n => format!("{}[{}]", node.name, n - 1),
    }
}

fn literal(value: i64, signed: bool) -> String {
    if signed { signed_literal(value) } else { unsigned_literal(value) }
}

impl Net {
    pub(super) fn operand(&self, wire: Wire, signed: bool) -> String {
        let node = &self.nodes[wire];
        match node.kind {
            Kind::Constant(value) => literal(value, signed),
            _ if signed && !node.signed() => format!("$signed({{1'b0, {}}})", node.name),
            _ => node.name.clone(),
        }
    }

    fn joined(&self, wires: &[Wire], operator: &str) -> String {
        let signed = wires.iter().any(|&w| self.nodes[w].signed());
        let operands: Vec<String> = wires.iter().map(|&w| self.operand(w, signed)).collect();
        operands.join(operator)
    }

    /// `m + 2ⁿ⁻¹` of a wire that has at most `n` bits with its sign: unsigned, with `n` bits.
    fn moved(&self, wire: Wire, n: u32) -> String {
        let node = &self.nodes[wire];
        let (name, bits) = (&node.name, node.bits());
        if let Kind::Constant(value) = node.kind {
            return moved_literal(value, n);
        }
        let mut parts = Vec::new();
        if !node.signed() {
            parts.push("1'b1".to_owned());
            if bits + 1 < n {
                parts.push(format!("{}'b0", n - 1 - bits));
            }
            parts.push(name.clone());
        } else {
            let sign = sign(node);
            parts.push(format!("~{sign}"));
            if bits < n {
                parts.push(format!("{{{}{{{sign}}}}}", n - bits));
            }
            if bits > 1 {
                parts.push(format!("{name}[{}:0]", bits - 2));
            }
        }
        format!("{{{}}}", parts.join(", "))
    }

    /// The expression that drives a wire; `None` for inputs, constants, tables, registers and bits
    /// of other wires.
    fn expression(&self, node: &Node) -> Option<String> {
        Some(match &node.kind {
            Kind::Input(_) | Kind::Constant(_) | Kind::Register(_) => return None,
            Kind::Table { .. } | Kind::Bit { .. } => return None,
            Kind::Not(of) if node.signed() => format!("~{}", self.operand(*of, true)),
            Kind::Not(of) => format!("~{}", self.operand(*of, false)),
            Kind::Mask { bit, k } => {
                format!("{} ? {} : {}'d0", self.nodes[*bit].name, unsigned_literal(*k), node.bits())
            }
            Kind::Product { of, k } => {
                let signed = self.nodes[*of].signed();
                product(&self.operand(*of, signed), *k)
            }
            Kind::Sum(wires) => self.joined(wires, " + "),
            Kind::AtLeast { of, threshold } => {
                let below = &self.nodes[*of];
                match (below.signed(), *threshold) {
                    (false, _) => format!("{} >= {}", below.name, unsigned_literal(*threshold)),
                    (true, 0) => format!("~{}", sign(below)),
                    (true, _) => {
                        let n = below.bits();
                        format!("{} >= {}", self.moved(*of, n), moved_literal(*threshold, n))
                    }
                }
            }
            Kind::Inverted(bits) => {
                let names: Vec<String> =
                    bits.iter().rev().map(|&w| self.operand(w, false)).collect();
                format!("~{{{}}}", names.join(", "))
            }
            Kind::Greater(a, b) => {
                let with_sign = |w: Wire| self.nodes[w].bits() + u32::from(!self.nodes[w].signed());
                if [*a, *b].iter().any(|&w| self.nodes[w].signed()) {
                    let n = with_sign(*a).max(with_sign(*b));
                    format!("{} > {}", self.moved(*a, n), self.moved(*b, n))
                } else {
                    self.joined(&[*a, *b], " > ")
                }
            }
            Kind::Choose { on, yes, no } => {
                format!("{} ? {}", self.nodes[*on].name, self.joined(&[*yes, *no], " : "))
            }
        })
    }

    /// The statements of a table: for each bit of its value a constant, of which the wires that are
    /// read select a bit, the first wire lowest.
    fn table_text(&self, node: &Node, of: &[Wire], constant: i64, tests: &[Test]) -> String {
        let read: Vec<&Node> = of.iter().map(|&w| &self.nodes[w]).collect();
        let size = read.iter().map(|node| node.bits()).sum::<u32>();
        let ranges: Vec<(i64, i64)> = read.iter().map(|node| (node.least, node.most)).collect();
        let mut bits = vec![0u64; node.bits() as usize];
        for values in all_values(&ranges) {
            let (mut code, mut at) = (0u32, 0);
            for (value, node) in values.iter().zip(&read) {
                code |= (*value as u32 & ((1 << node.bits()) - 1)) << at;
                at += node.bits();
            }
            let value = looked_up(constant, tests, &values);
            for (b, bits) in bits.iter_mut().enumerate() {
                *bits |= ((value >> b & 1) as u64) << code;
            }
        }
        let names: Vec<&str> = read.iter().rev().map(|node| node.name.as_str()).collect();
        let code = match names[..] {
            [name] if !read[0].signed() => name.to_owned(),
            _ => format!("{{{}}}", names.join(", ")),
        };
        let mut text = format!("    wire {}{};\n", span(false, node.bits()), node.name);
        for (b, bits) in bits.iter().enumerate() {
            let bit = if node.bits() == 1 { String::new() } else { format!("[{b}]") };
            text +=
                &format!("    assign {}{bit} = {}'h{bits:x} >> {code};\n", node.name, 1u64 << size);
        }
        text
    }

    pub(super) fn statements(&self) -> String {
        let mut text = String::new();
        let mut clocked = String::new();
        for node in &self.nodes {
            let span = span(node.signed(), node.bits());
            if let Some(expression) = self.expression(node) {
                text += &format!("    wire {span}{} = {expression};\n", node.name);
            }
            if let Kind::Table { of, constant, tests } = &node.kind {
                text += &self.table_text(node, of, *constant, tests);
            }
            if let Kind::Register(of) = node.kind {
                text += &format!("    reg {span}{};\n", node.name);
                clocked += &format!("        {} <= {};\n", node.name, self.nodes[of].name);
            }
        }
        if !clocked.is_empty() {
            text += &format!("    always @(posedge clk) begin\n{clocked}    end\n");
        }
        text
    }
}
