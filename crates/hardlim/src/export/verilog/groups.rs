//! Neurons that read few bits together, and so fit a table.
//!
//! `Σ aₖ 1{…}` over neurons that read four bits together is a function of four bits: one LUT
//! for each bit of its value, however many the neurons are. Neurons are grouped by what they read;
//! groups that have four bits together become one. If output weights are small, a group is a table
//! only where that takes no more LUTs than its neurons one by one, with the full adders for what
//! they add to the sum.

use super::super::circuit::bits;
use super::super::gate::Gate;
use super::net::{NARROW, Test, all_values, looked_up};
use crate::exact::dyadic::gcd;

/// The bits that a LUT reads on every FPGA.
const LUT_BITS: u32 = 4;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// What they read, in ascending order.
    pub(super) inputs: Vec<u32>,
    /// Their places in the layer.
    gates: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Groups {
    /// Those that become tables.
    pub(super) tables: Vec<Group>,
    /// The places of the others.
    pub(super) alone: Vec<usize>,
}

impl Groups {
    /// The groups of these gates with their output weights; `range` is that of what they read.
    pub(super) fn of(
        gates: &[Gate],
        amplitudes: &[i64],
        range: impl Fn(u32) -> (i64, i64),
    ) -> Self {
        let width = |&j: &u32| bits(range(j).0, range(j).1);
        let total = |inputs: &[u32]| inputs.iter().map(width).sum::<u32>();
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
            let size = total(&group.inputs);
            let many = fewest(size).is_some_and(|fewest| group.gates.len() >= fewest);
            let small = group.gates.iter().all(|&k| amplitudes[k].abs() <= NARROW);
            many && (size > LUT_BITS || !small || group.saves(gates, amplitudes, &range))
        };
        let (tables, few): (Vec<Group>, Vec<Group>) = groups.into_iter().partition(pays);
        alone.extend(few.into_iter().flat_map(|group| group.gates));
        alone.sort_unstable();
        Self { tables, alone }
    }
}

/// The fewest neurons that a table of this width pays for: a function of five or six bits takes
/// some LUTs of four for each bit of its value. `None` if it never does.
fn fewest(bits: u32) -> Option<usize> {
    match bits {
        0..=LUT_BITS => Some(2),
        5 => Some(3),
        6 => Some(6),
        _ => None,
    }
}

/// The two groups to join: those that share most, then those that fill a LUT best; the first ones
/// of equals.
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
    fn with(&self, other: &Self) -> Self {
        let mut inputs = [&self.inputs[..], &other.inputs].concat();
        inputs.sort_unstable();
        inputs.dedup();
        Self { inputs, gates: [&self.gates[..], &other.gates].concat() }
    }

    /// Whether a table of at most [`LUT_BITS`] takes no more LUTs than its neurons. A full adder is
    /// two LUTs, and there is one for nearly every bit that is added up.
    fn saves(&self, gates: &[Gate], amplitudes: &[i64], range: impl Fn(u32) -> (i64, i64)) -> bool {
        let tests = self.tests(gates, amplitudes);
        let ranges: Vec<(i64, i64)> = self.inputs.iter().map(|&j| range(j)).collect();
        let values = || all_values(&ranges).map(|v| looked_up(0, &tests, &v));
        let (least, most) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        let factor = tests.iter().fold(0, |d, t| gcd(d, t.amplitude.unsigned_abs())).max(1);
        let height = bits(0, (most - least) / factor as i64);
        let alone = |&k: &usize| {
            let is_bit = |t: &(u32, i64)| range(t.0) == (0, 1);
            let own = u32::from(!(gates[k].terms.len() == 1 && gates[k].terms.iter().all(is_bit)));
            own + 2 * amplitudes[k].unsigned_abs().count_ones()
        };
        height * (1 + 2 * factor.count_ones()) <= self.gates.iter().map(alone).sum::<u32>()
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
        let range = |j: u32| (0, (1 << [4, 4, 1, 1, 1, 1, 8][j as usize]) - 1);
        let gates: Vec<Gate> = [&[0][..], &[2], &[0], &[3, 4], &[1], &[5], &[6], &[0, 1]]
            .iter()
            .map(|inputs| gate(inputs))
            .collect();
        let groups = Groups::of(&gates, &[1, 2, 1, 2, 1, 2, 1, 1], range);
        let tables: Vec<(Vec<u32>, Vec<usize>)> =
            groups.tables.into_iter().map(|group| (group.inputs, group.gates)).collect();
        assert_eq!(tables, [(vec![0], vec![0, 2]), (vec![2, 3, 4, 5], vec![1, 3, 5])]);
        assert_eq!(groups.alone, [4, 6, 7]);
    }

    #[test]
    fn bits_that_are_only_counted_need_no_table() {
        let gates: Vec<Gate> = (0..4).map(|j| gate(&[j])).collect();
        let tables =
            |amplitudes: [i64; 4]| Groups::of(&gates, &amplitudes, |_| (0, 1)).tables.len();
        // Four bits make a count of three; with weights of two ones each, there are eight bits to
        // add up.
        assert_eq!((tables([1; 4]), tables([3, 5, 3, 5])), (0, 1));
        assert_eq!(tables([1000, 1001, 1002, 1003]), 1);
    }

    #[test]
    fn wide_tables_need_more_neurons() {
        let gates = vec![gate(&[0]); 4];
        let of = |size: u32| Groups::of(&gates, &[1; 4], move |_| (0, (1 << size) - 1));
        assert_eq!(of(5).tables.len(), 1);
        assert_eq!(of(6).tables.len(), 0);
        assert_eq!(of(7).alone, [0, 1, 2, 3]);
        assert_eq!(Groups::of(&[], &[], |_| (0, 127)).alone, [0; 0]);
    }
}
