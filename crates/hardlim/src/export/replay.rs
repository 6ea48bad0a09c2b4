//! Inputs that an export is checked on: the rows of a table, their neighbours on both sides of every
//! hyperplane, and random ones, or all there are where these are few; each with the sums that it must give.
//!
//! A neighbour is found from a row by moving as few inputs as will do, one at a time: by the smallest step
//! of a single input that changes the neuron's answer, or, where no single one can, by the inputs that
//! move the sum furthest, each to its bound, until one of them can. The last step is a step of one: the
//! two inputs before and after it are adjacent, and the hyperplane passes between them.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::circuit::Circuit;
use super::gate::Gate;
use crate::data::Features;

/// Where an input comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A row of the table.
    Row,
    /// Beside a hyperplane.
    Boundary,
    /// By chance, or one of all.
    Random,
}

/// How many inputs there are of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rows of the table, equal ones once.
    pub rows: usize,
    /// Pairs of neighbours with a hyperplane between them.
    pub pairs: usize,
    /// Neurons and rows for which there is no such pair: no input within its bounds crosses over.
    pub without: usize,
    /// Rows whose neighbours were looked for.
    pub neighbourhoods: usize,
    /// Random inputs.
    pub random: usize,
    /// All inputs there are, one after the other, where they are no more than random ones would be.
    pub every: usize,
}

impl Counts {
    /// All inputs.
    pub fn total(&self) -> usize {
        self.rows + 2 * self.pairs + self.random + self.every
    }
}

/// What to check on.
#[derive(Debug, Clone, Copy)]
pub struct Replay<'a> {
    /// The rows, or nothing.
    pub features: Option<&'a Features>,
    /// Whether their neighbours are checked, and how many at most: then of every so-many-th row.
    pub neighbours: usize,
    /// How many random inputs; where there are no more inputs than these, every one of them instead.
    pub random: usize,
    /// Where chance starts.
    pub seed: u64,
}

impl Replay<'_> {
    /// Visits every input.
    pub fn visit<E>(
        &self,
        circuit: &Circuit,
        mut visit: impl FnMut(Origin, &[i64]) -> Result<(), E>,
    ) -> Result<Counts, E> {
        let mut counts = Counts::default();
        let mut rows: Vec<Vec<i64>> = (self.features.into_iter())
            .flat_map(|features| (0..features.rows()).map(|i| circuit.integers(features.row(i))))
            .collect();
        rows.sort_unstable();
        rows.dedup();
        counts.rows = rows.len();
        for row in &rows {
            visit(Origin::Row, row)?;
        }
        let gates: Vec<&Gate> =
            circuit.stacks.iter().filter_map(|stack| stack.layers.first()).flatten().collect();
        let most = (self.neighbours / (2 * gates.len()).max(1)).max(1);
        let step = rows.len().div_ceil(most).max(1);
        for row in rows.iter().step_by(if self.neighbours == 0 { usize::MAX } else { step }) {
            if self.neighbours == 0 {
                break;
            }
            counts.neighbourhoods += 1;
            for gate in &gates {
                match neighbours(circuit, gate, row) {
                    None => counts.without += 1,
                    Some(pair) => {
                        counts.pairs += 1;
                        for side in &pair {
                            visit(Origin::Boundary, side)?;
                        }
                    }
                }
            }
        }
        if let Some(every) = inputs_there_are(circuit).filter(|every| *every <= self.random) {
            let mut m: Vec<i64> = circuit.inputs.iter().map(|input| input.least).collect();
            for _ in 0..every {
                visit(Origin::Random, &m)?;
                // The next one, as a number with a digit for each input.
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
            let random: Vec<i64> = match rows.get(k % rows.len().max(1)) {
                // Half of them far from all rows, half of them rows with some inputs replaced.
                Some(row) if k % 2 == 0 => {
                    (row.iter().zip(&circuit.inputs))
                        .map(|(&m, i)| {
                            if rng.random_bool(0.25) {
                                rng.random_range(i.least..=i.most)
                            } else {
                                m
                            }
                        })
                        .collect()
                }
                _ => circuit.inputs.iter().map(|i| rng.random_range(i.least..=i.most)).collect(),
            };
            visit(Origin::Random, &random)?;
        }
        counts.random = self.random;
        Ok(counts)
    }
}

/// How many different inputs there are, where that can be counted.
fn inputs_there_are(circuit: &Circuit) -> Option<usize> {
    circuit.inputs.iter().try_fold(1usize, |count, input| {
        count.checked_mul(usize::try_from(input.most - input.least + 1).ok()?)
    })
}

/// Two adjacent inputs near a row with the gate's hyperplane between them, the one that is nearer to
/// the row first.
fn neighbours(circuit: &Circuit, gate: &Gate, row: &[i64]) -> Option<[Vec<i64>; 2]> {
    let mut m = row.to_vec();
    let mut sum = gate.bias + gate.terms.iter().map(|&(j, k)| k * m[j as usize]).sum::<i64>();
    let on = sum >= 0;
    // How far the sum may be pushed towards the other side by one input.
    let reach = |m: &[i64], j: u32, k: i64| {
        let input = &circuit.inputs[j as usize];
        let up = (k > 0) != on; // whether the input has to grow
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
    /// An input and what it must give, as the harnesses read it: the inputs in the width of
    /// [`Circuit::storage`], the sums in 64 bits, the class in 32, all of them little-endian.
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
}
