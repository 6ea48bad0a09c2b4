//! An estimate of the resources of a circuit, before any tool reads it.

use super::super::circuit::Circuit;
use super::build::{Built, build};
use super::net::{Kind, digits};
use super::ports::Ports;

/// An estimate of the logic of a circuit. Constants, wires that are bits of other wires, and the
/// bounds of inputs are not counted; additions within products are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Resources {
    pub(crate) input_bits: u32,
    pub(crate) output_bits: u32,
    /// Products with constants that are not powers of two; equal ones count once.
    pub(crate) products: usize,
    pub(crate) adders: usize,
    pub(crate) adder_bits: usize,
    pub(crate) comparators: usize,
    pub(crate) comparator_bits: usize,
    pub(crate) tables: usize,
    pub(crate) table_bits: usize,
    /// The longest path from an input to an output, in additions and comparisons.
    pub(crate) depth: usize,
    /// The registers of the pipelined module, in bits, including the valid bits.
    pub(crate) registers: usize,
    /// The clocks that the pipelined module takes.
    pub(crate) latency: usize,
}

impl Resources {
    /// The estimate for a circuit.
    pub(crate) fn of(circuit: &Circuit) -> Self {
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

#[cfg(test)]
mod tests {
    use super::super::super::{Answer, Field, Gate, Input, Stack};
    use super::*;

    #[test]
    fn the_estimate_counts_what_is_written() {
        // Seven bits: three full adders of 2 bits in the first column, and one in the second, whose
        // carry is the answer; the sum has 2 bits, and the class is looked up in them. With
        // registers: two full adders, then 1 + 2 bits and 2 + 3 bits, two additions between
        // registers; the answer, the outputs.
        let input = |j: usize| Input {
            name: format!("x{j}"),
            level: None,
            column: String::new(),
            field: Field::Computed,
            origin: None,
            shift: 0,
            offset: 0,
            least: 0,
            most: 1,
        };
        let terms = (0..7).map(|j| (j, 1)).collect();
        let majority = Gate { neuron: 0, terms, bias: -4, exact: true };
        let stack = Stack { layers: vec![vec![majority]], amplitudes: vec![2], offset: -1 };
        let (inputs, answer) = ((0..7).map(input).collect(), Answer::Sign(Default::default()));
        let circuit = Circuit { inputs, stacks: vec![stack], exponent: 0, answer, rounded: 0 };
        let expected = Resources {
            input_bits: 7,
            output_bits: 3,
            adders: 5,
            adder_bits: 10,
            tables: 1,
            table_bits: 1,
            depth: 4, // the class does not wait for the constant of the sum
            registers: 5 + 1 + 3 + 3,
            latency: 3,
            ..Resources::default()
        };
        assert_eq!(Resources::of(&circuit), expected);
    }
}
