//! The forward pass above the first layer, on packed answers.
//!
//! Neurons that read few inputs, or have small integer weights, read bits
//! ([`crate::pattern::forward`]). A layer whose neurons read all of a wide layer with arbitrary
//! weights is a matrix product: zeros and ones times the weights, like the first layer with
//! features.

use std::ops::Range;

use rayon::prelude::*;

use super::Neuron;
use super::tuning::{NUMBERS, WIDE};
use crate::arrangement::{Hyperplane, evaluate};
use crate::data::Features;
use crate::pattern::{Pattern, PatternMatrix, WORD, forward};

/// The answers of neurons that read these patterns.
pub(super) fn answers(below: &PatternMatrix, neurons: &[Neuron]) -> PatternMatrix {
    let rows = below.samples();
    let product = |neuron: &Neuron| {
        let reads_all = neuron.inputs.is_none() && neuron.weights.len() >= WIDE;
        reads_all && !forward::is_counted(&neuron.weights, neuron.bias)
    };
    if !neurons.is_empty() && neurons.iter().all(product) {
        let block = (NUMBERS / below.patterns() / WORD).max(1) * WORD;
        return multiplied(below, neurons, block);
    }
    let answers: Vec<Pattern> = neurons.par_iter().map(|neuron| neuron.answer(below)).collect();
    PatternMatrix::from_patterns(rows, &answers)
}

/// The same by matrix products, `block` rows at a time: a whole number of words.
fn multiplied(below: &PatternMatrix, neurons: &[Neuron], block: usize) -> PatternMatrix {
    let (rows, width) = (below.samples(), below.patterns());
    let planes: Vec<Hyperplane> = neurons.iter().map(|neuron| neuron.hyperplane(width)).collect();
    let mut columns = vec![Vec::with_capacity(rows.div_ceil(WORD)); neurons.len()];
    let rows_of = below.transposed();
    for start in (0..rows).step_by(block) {
        let part = start..rows.min(start + block);
        let words = part.len().div_ceil(WORD);
        let found = evaluate(&zeros_and_ones(&rows_of, part), &planes);
        for (j, column) in columns.iter_mut().enumerate() {
            column.extend_from_slice(&found.column(j)[..words]);
        }
    }
    let mut answers = PatternMatrix::new(rows);
    columns.iter().for_each(|column| answers.push_words(column));
    answers
}

/// Some columns of a bit matrix, as the rows of a matrix of numbers.
pub(super) fn zeros_and_ones(rows_of: &PatternMatrix, rows: Range<usize>) -> Features {
    let (count, width) = (rows.len(), rows_of.samples());
    let mut values = Vec::with_capacity(count * width);
    for i in rows {
        let words = rows_of.column(i);
        values.extend((0..width).map(|j| (words[j / WORD] >> (j % WORD) & 1) as f64));
    }
    Features::new(count, width, values).expect("zeros and ones")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_single_neurons_answer_alike() {
        for (rows, width) in [(1, 32), (64, 40), (130, 65), (700, 33)] {
            let bit = |i: usize, j: usize| (i * i + 3 * j * j + 5 * i * j) % 7 < 3;
            let columns: Vec<Pattern> =
                (0..width).map(|j| Pattern::from_fn(rows, |i| bit(i, j))).collect();
            let below = PatternMatrix::from_patterns(rows, &columns);
            // Tenths nearly cancel, or cancel exactly; so does the bias.
            let weight = |j: usize, k: usize| 0.1 * ((7 * j + 11 * k) % 9) as f64 - 0.4;
            let neurons: Vec<Neuron> = (0..5)
                .map(|k| Neuron {
                    inputs: None,
                    weights: (0..width).map(|j| weight(j, k)).collect(),
                    bias: 0.1 * k as f64,
                })
                .collect();
            let plain = |neuron: &Neuron| {
                Pattern::from_fn(rows, |i| {
                    let x: Vec<f64> = (0..width).map(|j| f64::from(u8::from(bit(i, j)))).collect();
                    neuron.fires(&x)
                })
            };
            let expected =
                PatternMatrix::from_patterns(rows, &neurons.iter().map(plain).collect::<Vec<_>>());
            assert_eq!(answers(&below, &neurons), expected);
            assert_eq!(multiplied(&below, &neurons, WORD), expected);
            let single = neurons.iter().map(|neuron| neuron.answer(&below)).collect::<Vec<_>>();
            assert_eq!(PatternMatrix::from_patterns(rows, &single), expected);
        }
    }
}
