//! Neurons that read few bits together, and so fit a table.
//!
//! `Σ aₖ 1{…}` over neurons that read four bits together is a function of four bits: one LUT for each
//! bit of its value, however many the neurons are. Neurons are grouped by what they read; groups that
//! have four bits together become one.

use super::super::gate::Gate;
use super::net::Test;

/// The bits that a LUT reads on every FPGA.
const LUT_BITS: u32 = 4;

/// A group of neurons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// What they read, in ascending order.
    pub(super) inputs: Vec<u32>,
    /// Their places in the layer.
    gates: Vec<usize>,
}

/// The neurons of a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Groups {
    /// Those that become tables.
    pub(super) tables: Vec<Group>,
    /// The places of the others.
    pub(super) alone: Vec<usize>,
}

impl Groups {
    /// The groups of these gates; `bits` is the number of bits of what they read.
    pub(super) fn of(gates: &[Gate], bits: impl Fn(u32) -> u32) -> Self {
        let total = |inputs: &[u32]| inputs.iter().map(|&j| bits(j)).sum::<u32>();
        let mut groups: Vec<Group> = Vec::new();
        let mut alone = Vec::new();
        for (k, gate) in gates.iter().enumerate() {
            let inputs: Vec<u32> = gate.terms.iter().map(|t| t.0).collect();
            match groups.iter_mut().find(|group| group.inputs == inputs) {
                Some(group) => group.gates.push(k),
                None if fewest(total(&inputs)).is_none() => alone.push(k),
                None => groups.push(Group { inputs, gates: vec![k] }),
            }
        }
        while let Some((a, b)) = best_pair(&groups, total) {
            let other = groups.remove(b);
            groups[a] = groups[a].with(&other);
        }
        let pays = |group: &Group| {
            fewest(total(&group.inputs)).is_some_and(|fewest| group.gates.len() >= fewest)
        };
        let (tables, few): (Vec<Group>, Vec<Group>) = groups.into_iter().partition(pays);
        alone.extend(few.into_iter().flat_map(|group| group.gates));
        alone.sort_unstable();
        Self { tables, alone }
    }
}

/// How many neurons a table of so many bits pays for: a function of five or six bits takes some LUTs of four for
/// each bit of its value. `None` if it never does.
fn fewest(bits: u32) -> Option<usize> {
    match bits {
        0..=LUT_BITS => Some(2),
        5 => Some(3),
        6 => Some(6),
        _ => None,
    }
}

/// The two groups to join: those that share most, then those that fill a LUT best; the first ones of equals.
fn best_pair(groups: &[Group], total: impl Fn(&[u32]) -> u32) -> Option<(usize, usize)> {
    let mut best = None;
    for b in 1..groups.len() {
        let own = total(&groups[b].inputs);
        if own > LUT_BITS {
            continue;
        }
        for a in 0..b {
            let all = total(&groups[a].with(&groups[b]).inputs);
            let shared = total(&groups[a].inputs) + own - all;
            if all <= LUT_BITS && best.is_none_or(|(most, _)| (shared, all) > most) {
                best = Some(((shared, all), (a, b)));
            }
        }
    }
    best.map(|(_, pair)| pair)
}

impl Group {
    /// Both groups together.
    fn with(&self, other: &Self) -> Self {
        let mut inputs = [&self.inputs[..], &other.inputs].concat();
        inputs.sort_unstable();
        inputs.dedup();
        Self { inputs, gates: [&self.gates[..], &other.gates].concat() }
    }

    /// The parts of its table.
    pub(super) fn tests(&self, gates: &[Gate], amplitudes: &[i64]) -> Vec<Test> {
        let place = |j: u32| self.inputs.binary_search(&j).expect("an input of the group");
        let test = |&k: &usize| Test {
            terms: gates[k].terms.iter().map(|&(j, w)| (place(j), w)).collect(),
            bias: gates[k].bias,
            amplitude: amplitudes[k],
        };
        self.gates.iter().map(test).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(inputs: &[u32]) -> Gate {
        Gate { neuron: 0, terms: inputs.iter().map(|&j| (j, 1)).collect(), bias: -1, exact: true }
    }

    #[test]
    fn neurons_share_a_table_while_they_fit_it() {
        // Two numbers of four bits, four bits, a number of eight.
        let bits = |j: u32| [4, 4, 1, 1, 1, 1, 8][j as usize];
        let gates: Vec<Gate> = [&[0][..], &[2], &[0], &[3, 4], &[1], &[5], &[6], &[0, 1]]
            .iter()
            .map(|inputs| gate(inputs))
            .collect();
        let groups = Groups::of(&gates, bits);
        let tables: Vec<(Vec<u32>, Vec<usize>)> =
            groups.tables.into_iter().map(|group| (group.inputs, group.gates)).collect();
        assert_eq!(tables, [(vec![0], vec![0, 2]), (vec![2, 3, 4, 5], vec![1, 3, 5])]);
        assert_eq!(groups.alone, [4, 6, 7]);
    }

    #[test]
    fn wide_tables_need_more_neurons() {
        let gates = vec![gate(&[0]); 4];
        assert_eq!(Groups::of(&gates, |_| 5).tables.len(), 1);
        assert_eq!(Groups::of(&gates, |_| 6).tables.len(), 0);
        assert_eq!(Groups::of(&gates, |_| 7).alone, [0, 1, 2, 3]);
        assert_eq!(Groups::of(&[], |_| 7).alone, [0; 0]);
    }
}
