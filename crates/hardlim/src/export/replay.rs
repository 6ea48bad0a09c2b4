//! Inputs on which an export is checked, each with the sums that it must give. They are the rows of
//! a table, their neighbours on both sides of every hyperplane, and random inputs, or all possible
//! inputs if there are few.
//!
//! A neighbour of a row is found by moving as few inputs as possible, one at a time. We take the
//! smallest step of a single input that changes the neuron's answer. If no single input can, we
//! move the inputs that change the sum furthest, each to its bound, until one of them can. The last
//! step has size one: the two inputs before and after it are adjacent, and the hyperplane passes
//! between them.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::answer::Answer;
use super::circuit::{Circuit, Input, Stack, bits};
use super::gate::Gate;
use crate::data::Features;

/// The number of inputs of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Rows of the table; equal rows count once.
    pub rows: usize,
    /// Pairs of neighbours with a hyperplane between them.
    pub pairs: usize,
    /// Pairs of a neuron and a row without such neighbours: no input within its bounds crosses the
    /// hyperplane.
    pub without: usize,
    /// Rows whose neighbours were searched for.
    pub neighbourhoods: usize,
    /// Random inputs.
    pub random: usize,
    /// All possible inputs, if there are no more of them than random ones would be.
    pub every: usize,
}

impl Counts {
    /// The number of all inputs.
    pub fn total(&self) -> usize {
        self.rows + 2 * self.pairs + self.random + self.every
    }
}

/// Which inputs to check.
#[derive(Debug, Clone, Copy)]
pub struct Replay<'a> {
    /// The rows, if there are any.
    pub features: Option<&'a Features>,
    /// About how many neighbours to check at most; 0 for none. If the rows have more, only every
    /// n-th row is used.
    pub neighbours: usize,
    /// The number of random inputs. If there are no more possible inputs than this, all of them are
    /// checked instead.
    pub random: usize,
    /// The seed of the random inputs.
    pub seed: u64,
}

impl Replay<'_> {
    /// The rows whose neighbours are searched for, evenly spread.
    pub(super) fn centres<'r, T>(
        &self,
        rows: &'r [T],
        planes: usize,
    ) -> impl Iterator<Item = &'r T> {
        let most = (self.neighbours / (2 * planes).max(1)).max(1);
        let visited = if self.neighbours == 0 { 0 } else { rows.len() };
        rows[..visited].iter().step_by(rows.len().div_ceil(most).max(1))
    }

    /// Visits every input.
    pub fn visit<E>(
        &self,
        circuit: &Circuit,
        mut visit: impl FnMut(&[i64]) -> Result<(), E>,
    ) -> Result<Counts, E> {
        let mut counts = Counts::default();
        let mut rows: Vec<Vec<i64>> = (self.features.into_iter())
            .flat_map(|features| (0..features.rows()).map(|i| circuit.integers(features.row(i))))
            .collect();
        rows.sort_unstable();
        rows.dedup();
        counts.rows = rows.len();
        rows.iter().try_for_each(|row| visit(row))?;
        let gates: Vec<&Gate> =
            circuit.stacks.iter().filter_map(|stack| stack.layers.first()).flatten().collect();
        for row in self.centres(&rows, gates.len()) {
            counts.neighbourhoods += 1;
            for gate in &gates {
                match neighbours(circuit, gate, row) {
                    None => counts.without += 1,
                    Some(pair) => {
                        counts.pairs += 1;
                        pair.iter().try_for_each(|side| visit(side))?;
                    }
                }
            }
        }
        if let Some(every) = inputs_there_are(circuit).filter(|every| *every <= self.random) {
            let mut m: Vec<i64> = circuit.inputs.iter().map(|input| input.least).collect();
            for _ in 0..every {
                visit(&m)?;
                // The next input, counted like a number with one digit for each input.
                for (m, input) in m.iter_mut().zip(&circuit.inputs) {
                    *m += 1;
                    if *m <= input.most {
                        break;
                    }
                    *m = input.least;
                }
            }
            counts.every = every;
            return Ok(counts);
        }
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        for k in 0..self.random {
            // Half of them are far from all rows; the others are rows with some inputs replaced.
            let (mut m, part) = match rows.get(k % rows.len().max(1)) {
                Some(row) if k % 2 == 0 => (row.clone(), 0.25),
                _ => (vec![0; circuit.inputs.len()], 1.0),
            };
            for (m, input) in m.iter_mut().zip(&circuit.inputs) {
                if rng.random_bool(part) {
                    *m = rng.random_range(input.least..=input.most);
                }
            }
            visit(&m)?;
        }
        counts.random = self.random;
        Ok(counts)
    }
}

/// The number of different inputs, if it can be counted.
fn inputs_there_are(circuit: &Circuit) -> Option<usize> {
    circuit.inputs.iter().try_fold(1usize, |count, input| {
        count.checked_mul(usize::try_from(input.most - input.least + 1).ok()?)
    })
}

/// Two adjacent inputs near a row with the gate's hyperplane between them. The one nearer to the
/// row comes first.
fn neighbours(circuit: &Circuit, gate: &Gate, row: &[i64]) -> Option<[Vec<i64>; 2]> {
    let mut m = row.to_vec();
    let mut sum = gate.bias + gate.terms.iter().map(|&(j, k)| k * m[j as usize]).sum::<i64>();
    let on = sum >= 0;
    // How far one input can push the sum towards the other side.
    let reach = |m: &[i64], j: u32, k: i64| {
        let input = &circuit.inputs[j as usize];
        let up = (k > 0) != on; // whether the input has to increase
        let bound = if up { input.most } else { input.least };
        (bound, (k * (bound - m[j as usize])).abs())
    };
    let needed = |sum: i64| if on { sum + 1 } else { -sum };
    let mut order = gate.terms.clone();
    order.sort_by_key(|&(j, k)| std::cmp::Reverse(reach(&m, j, k).1));
    for i in 0..=order.len() {
        // The smallest step of a single input that crosses.
        let need = needed(sum);
        let single = (order[i..].iter())
            .filter(|&&(j, k)| reach(&m, j, k).1 >= need)
            .map(|&(j, k)| ((need + k.abs() - 1) / k.abs(), j, k))
            .min();
        if let Some((steps, j, k)) = single {
            let direction = if (k > 0) != on { 1 } else { -1 };
            m[j as usize] += direction * (steps - 1);
            let near = m.clone();
            m[j as usize] += direction;
            return Some([near, m]);
        }
        let &(j, k) = order.get(i)?;
        let (bound, by) = reach(&m, j, k);
        m[j as usize] = bound;
        sum += if on { -by } else { by };
    }
    None
}

impl Circuit {
    /// Writes an input and what it must give, as the harnesses read it: the inputs in the width of
    /// [`Circuit::storage`], the sums in 64 bits, the class in 32 bits, all little-endian.
    pub fn record(&self, inputs: &[i64], record: &mut Vec<u8>) {
        let width = self.storage() as usize / 8;
        for m in inputs {
            record.extend_from_slice(&m.to_le_bytes()[..width]);
        }
        let sums = self.sums(inputs);
        for sum in &sums {
            record.extend_from_slice(&sum.to_le_bytes());
        }
        record.extend_from_slice(&(self.answer.class(&sums) as u32).to_le_bytes());
    }

    /// An input and what it must give, as a line of the file for a test bench: the inputs, then the
    /// sums and the class, in hexadecimal, the first one in the lowest bits.
    pub fn line(&self, inputs: &[i64]) -> String {
        let sums = self.sums(inputs);
        let class = self.answer.class(&sums) as i64;
        let x = inputs.iter().zip(self.inputs.iter().map(Input::bits));
        let widths = self.output_ranges().into_iter().map(|(least, most)| bits(least, most));
        let y = sums.iter().chain([&class]).zip(widths);
        format!("{} {}\n", hexadecimal(x), hexadecimal(y))
    }

    /// The ranges of the sums, and of the class if there is one.
    pub fn output_ranges(&self) -> Vec<(i64, i64)> {
        let mut all: Vec<(i64, i64)> = self.stacks.iter().map(Stack::range).collect();
        match self.answer {
            Answer::Number => (),
            Answer::Sign(_) => all.push((0, 1)),
            Answer::Largest(_) => all.push((0, self.stacks.len() as i64 - 1)),
        }
        all
    }
}

/// The low bits of numbers one after the other, the first one in the lowest bits, in hexadecimal.
fn hexadecimal<'a>(numbers: impl Iterator<Item = (&'a i64, u32)>) -> String {
    let mut digits = vec![0u8];
    let mut at = 0;
    for (number, bits) in numbers {
        for i in 0..bits {
            if at / 4 == digits.len() {
                digits.push(0);
            }
            digits[at / 4] |= ((number >> i & 1) as u8) << (at % 4);
            at += 1;
        }
    }
    digits.iter().rev().map(|&d| char::from_digit(d.into(), 16).expect("a digit")).collect()
}
