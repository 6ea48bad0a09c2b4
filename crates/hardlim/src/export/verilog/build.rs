//! The net of a circuit.

use super::super::answer::Answer;
use super::super::circuit::{Circuit, Input};
use super::super::gate::Gate;
use super::groups::Groups;
use super::net::{Net, Wire};

/// The number of consecutive additions between two registers.
const LEVELS: usize = 2;

#[derive(Debug, Clone)]
pub(super) struct Built {
    pub(super) net: Net,
    pub(super) sums: Vec<Wire>,
    pub(super) class: Option<Wire>,
    pub(super) latency: usize,
}

/// The net of a circuit; `names` are the names of the inputs after they are limited to their
/// bounds.
pub(super) fn build(circuit: &Circuit, names: &[String], pipelined: bool) -> Built {
    let mut net = Net::new(pipelined.then_some(LEVELS));
    let mut totals = Vec::new();
    for (s, stack) in circuit.stacks.iter().enumerate() {
        let mut below: Vec<Option<Wire>> = vec![None; circuit.inputs.len()];
        for &(j, _) in stack.layers.iter().take(1).flatten().flat_map(|gate| &gate.terms) {
            let (j, input) = (j as usize, &circuit.inputs[j as usize]);
            below[j] = Some(net.input(j, (input.least, input.most), names[j].clone()));
        }
        let answer = |net: &mut Net, below: &[Option<Wire>], l: usize, gate: &Gate| {
            let read = |&(j, k): &(u32, i64)| (below[j as usize].expect("it is read"), k);
            let terms: Vec<(Wire, i64)> = gate.terms.iter().map(read).collect();
            let answer = net.fires(&terms, gate.bias);
            net.call(answer, answer_name(circuit, s, l, gate.neuron));
            answer
        };
        let lower = stack.layers.len().saturating_sub(1);
        for (l, gates) in stack.layers[..lower].iter().enumerate() {
            let answers: Vec<Wire> =
                gates.iter().map(|gate| answer(&mut net, &below, l, gate)).collect();
            below = after(&mut net, &answers).into_iter().map(Some).collect();
        }
        // The neurons of the last layer are added up, one by one or as tables.
        let gates = stack.layers.last().map_or(&[][..], |gates| &gates[..]);
        let range = |j: u32| {
            let node = &net.nodes[below[j as usize].expect("it is read")];
            (node.least, node.most)
        };
        let groups = Groups::of(gates, &stack.amplitudes, range);
        let answers: Vec<Wire> =
            groups.alone.iter().map(|&k| answer(&mut net, &below, lower, &gates[k])).collect();
        let (mut parts, mut factors) = (Vec::new(), Vec::new());
        let mut offset = stack.offset;
        for group in &groups.tables {
            let of = group.inputs.iter().map(|&j| below[j as usize].expect("it is read")).collect();
            let tests = group.tests(gates, &stack.amplitudes);
            let (wire, factor, constant) = net.table(of, tests);
            parts.push(wire);
            factors.push(factor);
            offset += constant;
        }
        let amplitudes = groups.alone.iter().map(|&k| stack.amplitudes[k]).chain(factors);
        let ready = after(&mut net, &[answers, parts].concat());
        let terms: Vec<(Wire, i64)> = ready.into_iter().zip(amplitudes).collect();
        totals.push((terms, offset));
    }
    let (sums, class) = match circuit.answer {
        Answer::Sign(_) => {
            // The class does not need the constant, so it costs nothing if the sum is not read.
            let (terms, offset) = totals.pop().expect("one network");
            let (class, total, constant) = net.sum(&terms, offset);
            (vec![net.with_constant(total, constant)], Some(class))
        }
        _ => {
            let sums: Vec<Wire> = totals
                .into_iter()
                .map(|(terms, offset)| {
                    let (wires, constant) = net.weighted(&terms, offset);
                    net.with_constant(wires, constant)
                })
                .collect();
            let class =
                matches!(circuit.answer, Answer::Largest(_)).then(|| largest(&mut net, &sums));
            (sums, class)
        }
    };
    let mut outputs = sums.clone();
    outputs.extend(class);
    let outputs = after(&mut net, &outputs);
    let latency = outputs.iter().map(|&w| net.nodes[w].time.0).max().unwrap_or(0);
    let latency = if pipelined { latency.max(1) } else { 0 };
    let (sums, class) = outputs.split_at(sums.len());
    Built { sums: sums.to_vec(), class: class.first().copied(), net, latency }
}

/// The name of a neuron's answer: its layer and its index in the layer, from 1.
pub(super) fn answer_name(circuit: &Circuit, stack: usize, layer: usize, neuron: usize) -> String {
    let class = if circuit.stacks.len() > 1 { format!("C{stack}_") } else { String::new() };
    format!("{class}L{}_N{}", layer + 1, neuron + 1)
}

/// The wires behind registers, all at the same stage; in a net without registers, the wires
/// themselves.
fn after(net: &mut Net, wires: &[Wire]) -> Vec<Wire> {
    let Some(last) = wires.iter().map(|&w| net.nodes[w].time.0).max() else { return Vec::new() };
    let stage = if net.pipelined() { last + 1 } else { last };
    wires.iter().map(|&w| net.at_stage(w, stage)).collect()
}

/// The index of the largest wire, the first one if there are ties: neighbours are compared, then
/// the larger of them.
fn largest(net: &mut Net, wires: &[Wire]) -> Wire {
    let mut pairs: Vec<[Wire; 2]> =
        wires.iter().enumerate().map(|(c, &w)| [w, net.constant(c as i64)]).collect();
    while pairs.len() > 1 {
        pairs = (pairs.chunks(2).map(<[_]>::to_vec).collect::<Vec<_>>().into_iter())
            .map(|pair| if let [a, b] = pair[..] { net.larger(a, b) } else { pair[0] })
            .collect();
    }
    pairs[0][1]
}

/// Whether an input has more than one bit, and so has bounds and a width that can be chosen.
pub(super) fn is_number(input: &Input) -> bool {
    (input.least, input.most) != (0, 1)
}
