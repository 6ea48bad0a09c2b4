//! An estimate of the resources of a circuit, before any tool reads it.

use super::super::circuit::Circuit;
use super::build::{Built, build};
use super::net::{Kind, digits};
use super::ports::Ports;

/// An estimate of the logic of a circuit. Constants, wires that are bits of other wires, and the
/// bounds of inputs are not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
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
        let plain = build(circuit, &names, false).net;
        let Built { net: pipelined, latency, .. } = build(circuit, &names, true);
        let registers = pipelined.nodes.iter().filter(|n| matches!(n.kind, Kind::Register(_)));
        let mut found = Self {
            input_bits: ports.input_bits(),
            output_bits: ports.output_bits(),
            depth: plain.nodes.iter().map(|node| node.time.1).max().unwrap_or(0),
            registers: latency + registers.map(|node| node.bits() as usize).sum::<usize>(),
            latency,
            ..Self::default()
        };
        for node in &plain.nodes {
            let bits = node.bits() as usize;
            match &node.kind {
                Kind::Product { k, .. } if digits(*k) > 1 => {
                    found.products += 1;
                    found.adders += digits(*k) - 1;
                    found.adder_bits += (digits(*k) - 1) * bits;
                }
                Kind::Sum(_) => {
                    found.adders += 1;
                    found.adder_bits += bits;
                }
                Kind::Table { .. } => {
                    found.tables += 1;
                    found.table_bits += bits;
                }
                Kind::AtLeast { of, .. } | Kind::Greater(of, _) => {
                    found.comparators += 1;
                    found.comparator_bits += plain.nodes[*of].bits() as usize;
                }
                _ => (),
            }
        }
        found
    }
}
