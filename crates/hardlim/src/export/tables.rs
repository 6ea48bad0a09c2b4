//! The constants of a layer, in the order in which a program reads them.

use super::circuit::{Circuit, Input, Stack, bits};
use super::gate::Gate;

/// The bits of a word of packed answers.
pub(super) const WORD: usize = 32;

/// One layer: a bias for each gate, and its weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layer {
    /// The indices of the gates among the neurons of the model, from 0.
    pub(super) neurons: Vec<usize>,
    /// The number of inputs or answers that the layer reads.
    pub(super) width: usize,
    pub(super) biases: Vec<i64>,
    pub(super) weights: Form,
    /// The bits of a sum, including partial sums: 32 or 64.
    pub(super) sum_bits: u32,
}

/// How weights are laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// A weight for each input, including zeros.
    Dense(Vec<Vec<i64>>),
    /// The inputs that are read and their weights. Those of gate `i` start at `from[i]`.
    Sparse { from: Vec<i64>, at: Vec<i64>, weights: Vec<i64> },
    /// Weights of one and minus one on packed answers: which answers to add, and which to subtract.
    Counted { up: Vec<Vec<u32>>, down: Vec<Vec<u32>> },
}

impl Layer {
    fn new(gates: &[Gate], width: usize, inputs: Option<&[Input]>) -> Self {
        let bounds = |j: u32| inputs.map_or((0, 1), |i| (i[j as usize].least, i[j as usize].most));
        let size = |gate: &Gate| {
            let terms = gate.terms.iter().map(|&(j, k)| {
                let (least, most) = bounds(j);
                (k * least).unsigned_abs().max((k * most).unsigned_abs())
            });
            gate.bias.unsigned_abs() + terms.sum::<u64>()
        };
        let sum_bits = if gates.iter().all(|gate| size(gate) < 1 << 31) { 32 } else { 64 };
        let dense = || -> Vec<Vec<i64>> {
            let spread = |gate: &Gate| {
                let mut row = vec![0; width];
                gate.terms.iter().for_each(|&(j, k)| row[j as usize] = k);
                row
            };
            gates.iter().map(spread).collect()
        };
        let terms: usize = gates.iter().map(|gate| gate.terms.len()).sum();
        let counted =
            inputs.is_none() && gates.iter().all(|g| g.terms.iter().all(|t| t.1.abs() == 1));
        let weights = if counted && terms * WORD > gates.len() * width {
            let pick = |gate: &Gate, sign: i64| {
                let mut words = vec![0u32; width.div_ceil(WORD)];
                for (j, _) in gate.terms.iter().filter(|t| t.1 == sign) {
                    words[*j as usize / WORD] |= 1 << (*j as usize % WORD);
                }
                words
            };
            let all = |sign| gates.iter().map(|gate| pick(gate, sign)).collect();
            Form::Counted { up: all(1), down: all(-1) }
        } else if 3 * terms < gates.len() * width {
            let mut from = vec![0];
            for gate in gates {
                from.push(from[from.len() - 1] + gate.terms.len() as i64);
            }
            let all = || gates.iter().flat_map(|gate| &gate.terms);
            let at = all().map(|t| i64::from(t.0)).collect();
            Form::Sparse { from, at, weights: all().map(|t| t.1).collect() }
        } else {
            Form::Dense(dense())
        };
        let neurons = gates.iter().map(|gate| gate.neuron).collect();
        let biases = gates.iter().map(|gate| gate.bias).collect();
        Self { neurons, width, biases, weights, sum_bits }
    }

    pub(super) fn gates(&self) -> usize {
        self.biases.len()
    }

    fn bytes(&self) -> usize {
        bytes(&self.biases)
            + match &self.weights {
                Form::Dense(rows) => bytes(&rows.concat()),
                Form::Sparse { from, at, weights } => {
                    let places = |at: &[i64]| at.len() * place_bits(at) as usize / 8;
                    places(from) + places(at) + bytes(weights)
                }
                Form::Counted { up, down } => 4 * (up.concat().len() + down.concat().len()),
            }
    }
}

/// The layers of a network; empty if its output is a constant.
pub(super) fn layers(circuit: &Circuit, stack: &Stack) -> Vec<Layer> {
    let mut layers = Vec::new();
    for (l, gates) in stack.layers.iter().enumerate() {
        if gates.is_empty() {
            return Vec::new(); // then the layers above are constant, too
        }
        let (width, inputs) = match l {
            0 => (circuit.inputs.len(), Some(&circuit.inputs[..])),
            _ => (stack.layers[l - 1].len(), None),
        };
        layers.push(Layer::new(gates, width, inputs));
    }
    layers
}

/// The bits of the smallest type that holds all of these, two's complement: 8, 16, 32 or 64.
pub(super) fn type_bits(values: &[i64]) -> u32 {
    let (least, most) = values.iter().fold((0, 0), |(l, m), &v| (v.min(l), v.max(m)));
    let needed = bits(least.min(-1), most);
    [8, 16, 32].into_iter().find(|bits| *bits >= needed).unwrap_or(64)
}

/// The bits of the smallest unsigned type that holds all of these numbers, which are not negative.
pub(super) fn place_bits(values: &[i64]) -> u32 {
    let needed = bits(0, values.iter().copied().max().unwrap_or(0));
    [8, 16, 32].into_iter().find(|bits| *bits >= needed).unwrap_or(64)
}

/// Numbers as text, twelve to a line.
pub(super) fn list(values: &[i64], literal: impl Fn(i64) -> String) -> String {
    let line = |values: &[i64]| {
        let numbers: Vec<String> = values.iter().map(|&v| literal(v)).collect();
        format!("\n    {},", numbers.join(", "))
    };
    values.chunks(12).map(line).collect()
}

fn bytes(values: &[i64]) -> usize {
    values.len() * type_bits(values) as usize / 8
}

/// The size of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub(super) struct CircuitSize {
    pub(super) neurons: usize,
    /// The weights that are not zero.
    pub(super) weights: usize,
    /// The bits of the widest weight of a neuron, including the sign.
    pub(super) weight_bits: u32,
    pub(super) input_bits: u32,
    /// The bytes of all constants in a program.
    pub(super) table_bytes: usize,
    /// The bytes of the packed answers, which a program keeps on its stack.
    pub(super) answer_bytes: usize,
}

impl CircuitSize {
    pub(super) fn of(circuit: &Circuit) -> Self {
        let all: Vec<(Vec<Layer>, &Stack)> =
            circuit.stacks.iter().map(|stack| (layers(circuit, stack), stack)).collect();
        let tables = |(layers, stack): &(Vec<Layer>, &Stack)| {
            layers.iter().map(Layer::bytes).sum::<usize>() + bytes(&stack.amplitudes)
        };
        let answers = |(layers, _): &(Vec<Layer>, &Stack)| {
            layers.iter().map(|layer| 4 * layer.gates().div_ceil(WORD)).sum::<usize>()
        };
        Self {
            neurons: circuit.gates().count(),
            weights: circuit.gates().map(|gate| gate.terms.len()).sum(),
            weight_bits: circuit.gates().map(Gate::weight_bits).max().unwrap_or(0),
            input_bits: circuit.inputs.iter().map(Input::bits).max().unwrap_or(0),
            table_bytes: all.iter().map(tables).sum(),
            answer_bytes: all.iter().map(answers).max().unwrap_or(0),
        }
    }
}
