//! Layers as matrices: `h ← 1{h W + b ≥ 0}`, then `u = h a + c`.

use super::graph::{Element, Graph};
use crate::export::{Circuit, Gate, Stack};
use crate::network::{Layer, Network};

/// Integers below this are exact in double precision.
const EXACT: u64 = 1 << 53;

/// One layer: `W` row by row, with a row for each input, and `b`.
struct Matrix {
    weights: Vec<f64>,
    biases: Vec<f64>,
}

impl Matrix {
    /// The layer of these neurons: what each reads with its weights, and its bias.
    fn of(width: usize, neurons: Vec<(Vec<(usize, f64)>, f64)>) -> Self {
        let mut weights = vec![0.0; width * neurons.len()];
        for (k, (terms, _)) in neurons.iter().enumerate() {
            terms.iter().for_each(|&(j, w)| weights[j * neurons.len() + k] = w);
        }
        Self { weights, biases: neurons.into_iter().map(|(_, bias)| bias).collect() }
    }
}

pub(super) struct Matrices {
    layers: Vec<Matrix>,
    amplitudes: Vec<f64>,
    offset: f64,
}

impl Matrices {
    /// The weights of a network, unchanged.
    pub(super) fn of_network(network: &Network) -> Self {
        let mut width = network.inputs();
        let mut layers = Vec::new();
        for Layer { neurons } in network.layers() {
            let own = neurons.iter().map(|neuron| (neuron.terms().collect(), neuron.bias));
            layers.push(Matrix::of(width, own.collect()));
            width = neurons.len();
        }
        let amplitudes = network.amplitudes().to_vec();
        Self { layers, amplitudes, offset: network.offset() }
    }

    pub(super) fn of_stack(circuit: &Circuit, stack: &Stack) -> Self {
        let mut width = circuit.inputs.len();
        let mut layers = Vec::new();
        for gates in &stack.layers {
            let term = |&(j, k): &(u32, i64)| (j as usize, k as f64);
            let own = |gate: &Gate| (gate.terms.iter().map(term).collect(), gate.bias as f64);
            layers.push(Matrix::of(width, gates.iter().map(own).collect()));
            width = gates.len();
        }
        let amplitudes = stack.amplitudes.iter().map(|&a| circuit.output(a)).collect();
        Self { layers, amplitudes, offset: circuit.output(stack.offset) }
    }

    /// Adds the network to a graph. Returns its output, one column.
    pub(super) fn add(&self, graph: &mut Graph, inputs: &str, width: usize) -> String {
        let zero = graph.doubles("zero", &[], &[0.0]);
        let fires = |graph: &mut Graph, below: &str, dims: [usize; 2], layer: &Matrix| {
            let weights = graph.doubles("weights", &dims, &layer.weights);
            let biases = graph.doubles("biases", &[dims[1]], &layer.biases);
            let sum = graph.apply("Gemm", &[below, &weights, &biases]);
            let on = graph.apply("GreaterOrEqual", &[&sum, &zero]);
            graph.cast(&on, Element::Double)
        };
        let (mut below, mut width) = (inputs.to_owned(), width);
        for layer in self.layers.iter().take_while(|layer| !layer.biases.is_empty()) {
            below = fires(graph, &below, [width, layer.biases.len()], layer);
            width = layer.biases.len();
        }
        let mut amplitudes = self.amplitudes.clone();
        if amplitudes.is_empty() {
            // If no neuron is left, the output is constant: a weight of zero on some input.
            if self.layers.first().is_none_or(|layer| layer.biases.is_empty()) {
                let constant = Matrix { weights: vec![0.0; width], biases: vec![0.0] };
                below = fires(graph, &below, [width, 1], &constant);
                width = 1;
            }
            amplitudes = vec![0.0; width];
        }
        let amplitudes = graph.doubles("amplitudes", &[width, 1], &amplitudes);
        let offset = graph.doubles("offset", &[1], &[self.offset]);
        graph.apply("Gemm", &[&below, &amplitudes, &offset])
    }
}

/// The number of weights of a network as matrices, including zeros.
pub(super) fn weights(network: &Network) -> usize {
    let widths = network.layers().iter().map(|layer| layer.neurons.len());
    let inputs = [network.inputs()].into_iter().chain(widths.clone());
    inputs.zip(widths).map(|(inputs, neurons)| inputs * neurons).sum()
}

/// Whether every sum of a circuit is exact in double precision, in any order, and every gate equals
/// its neuron.
pub(super) fn is_exact(circuit: &Circuit) -> bool {
    let of_layer = |l: usize, gates: &[Gate]| {
        gates.iter().all(|gate| {
            let size = gate.terms.iter().map(|&(j, k)| {
                let largest = match l {
                    0 => {
                        let input = &circuit.inputs[j as usize];
                        input.least.unsigned_abs().max(input.most.unsigned_abs())
                    }
                    _ => 1,
                };
                u128::from(k.unsigned_abs()) * u128::from(largest)
            });
            size.sum::<u128>() + u128::from(gate.bias.unsigned_abs()) < u128::from(EXACT)
        })
    };
    // Outputs need no check: amplitudes lie on a grid where sums are exact.
    circuit.rounded == 0
        && (circuit.stacks.iter())
            .all(|stack| stack.layers.iter().enumerate().all(|(l, gates)| of_layer(l, gates)))
}
