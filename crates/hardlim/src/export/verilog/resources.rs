//! An estimate of the resources of a circuit, before any tool reads it.

use super::super::circuit::Circuit;
use super::build::{Built, build};
use super::net::{Kind, Net, digits};
use super::ports::Ports;

/// An estimate of the logic of a circuit. Constants, wires that are bits of other wires, and the
/// bounds of inputs are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Resources {
    /// Bits of all inputs.
    pub input_bits: u32,
    /// Bits of all sums and of the class.
    pub output_bits: u32,
    /// Products with constants that are not powers of two; equal ones count once.
    pub products: usize,
    /// Additions, including those within products; a full adder of three bits counts as one.
    pub adders: usize,
    /// The bits of the results of the additions.
    pub adder_bits: usize,
    /// Comparisons.
    pub comparators: usize,
    /// The bits that are compared.
    pub comparator_bits: usize,
    /// Tables of few bits, which stand for neurons and their output weights.
    pub tables: usize,
    /// The bits of their values.
    pub table_bits: usize,
    /// The longest path from an input to an output, in additions and comparisons.
    pub depth: usize,
    /// The registers of the pipelined module, in bits, including the valid bits.
    pub registers: usize,
    /// The clocks that the pipelined module takes.
    pub latency: usize,
}

impl Resources {
    /// The estimate for a circuit.
    pub fn of(circuit: &Circuit) -> Self {
        let ports = Ports::of(circuit);
        let names = ports.bounded();
        let plain = build(circuit, &names, false);
        let pipelined = build(circuit, &names, true);
        let mut found = Self {
            input_bits: ports.input_bits(),
            output_bits: ports.output_bits(),
            depth: plain.net.nodes.iter().map(|node| node.time.1).max().unwrap_or(0),
            registers: registers(&pipelined),
            latency: pipelined.latency,
            products: 0,
            adders: 0,
            adder_bits: 0,
            comparators: 0,
            comparator_bits: 0,
            tables: 0,
            table_bits: 0,
        };
        found.count(&plain.net);
        found
    }

    fn count(&mut self, net: &Net) {
        for node in &net.nodes {
            let bits = node.bits() as usize;
            match &node.kind {
                Kind::Product { k, .. } if digits(*k) > 1 => {
                    self.products += 1;
                    self.adders += digits(*k) - 1;
                    self.adder_bits += (digits(*k) - 1) * bits;
                }
                Kind::Sum(_) => {
                    self.adders += 1;
                    self.adder_bits += bits;
                }
                Kind::Table { .. } => {
                    self.tables += 1;
                    self.table_bits += bits;
                }
                Kind::AtLeast { of, .. } | Kind::Greater(of, _) => {
                    self.comparators += 1;
                    self.comparator_bits += net.nodes[*of].bits() as usize;
                }
                _ => (),
            }
        }
    }
}

fn registers(built: &Built) -> usize {
    let nodes = built.net.nodes.iter().filter(|node| matches!(node.kind, Kind::Register(_)));
    built.latency + nodes.map(|node| node.bits() as usize).sum::<usize>()
}
