//! Sixteen neurons that are evaluated together, and the integers of their weights.

use std::collections::BTreeSet;

use super::scales::{Scales, exponent, power};
use crate::network::Neuron;
use crate::pattern::fixed::{LARGEST, Panel, SIDE, SUMS, upper};

pub(super) struct Group {
    pub(super) neurons: Vec<u32>,
    /// The pairs of inputs that at least one of them reads.
    pairs: Vec<u32>,
    /// For each of these pairs, the weights of the neurons on both inputs.
    weights: Vec<[[f64; SIDE]; 2]>,
    biases: [f64; SIDE],
    reads: [usize; SIDE],
}

impl Group {
    /// Groups of neurons that read the same inputs as far as possible. Neurons that read most
    /// inputs are side by side; the others are sorted by the inputs they read.
    pub(super) fn all(neurons: &[&Neuron]) -> Vec<Self> {
        let read: Vec<Vec<(u32, f64)>> = neurons.iter().map(|neuron| read(neuron)).collect();
        let width = read.iter().flatten().map(|(k, _)| *k as usize + 1).max().unwrap_or(0);
        let key = |j: usize| {
            let few = 2 * read[j].len() <= width;
            few.then(|| read[j].iter().map(|(k, _)| *k).collect::<Vec<u32>>())
        };
        let mut order: Vec<usize> = (0..neurons.len()).collect();
        order.sort_by_cached_key(|&j| key(j));
        order.chunks(SIDE).map(|chosen| Self::of(neurons, &read, chosen)).collect()
    }

    fn of(neurons: &[&Neuron], read: &[Vec<(u32, f64)>], chosen: &[usize]) -> Self {
        let inputs = |j: &usize| read[*j].iter().map(|(k, _)| k / 2);
        let pairs: Vec<u32> =
            chosen.iter().flat_map(inputs).collect::<BTreeSet<u32>>().into_iter().collect();
        let mut group = Self {
            neurons: chosen.iter().map(|&j| j as u32).collect(),
            weights: vec![[[0.0; SIDE]; 2]; pairs.len()],
            biases: [0.0; SIDE],
            reads: [0; SIDE],
            pairs,
        };
        for (lane, &j) in chosen.iter().enumerate() {
            (group.biases[lane], group.reads[lane]) = (neurons[j].bias, read[j].len());
            for &(k, w) in &read[j] {
                let place = group.pairs.binary_search(&(k / 2)).expect("a pair that is read");
                group.weights[place][k as usize % 2][lane] = w;
            }
        }
        group
    }

    pub(super) fn rounded(&self, scales: &Scales) -> Panel {
        let scaled: Vec<[[f64; SIDE]; 2]> = (self.pairs.iter().zip(&self.weights))
            .map(|(&p, weights)| {
                [0, 1].map(|half| {
                    let scale = scales.of_weight(2 * p as usize + half);
                    weights[half].map(|w| w * scale)
                })
            })
            .collect();
        let mut most = [0.0f64; SIDE];
        for v in scaled.as_flattened() {
            (0..SIDE).for_each(|j| most[j] = most[j].max(v[j].abs()));
        }
        // In units of the largest number, squares do not overflow.
        let units = most.map(|most| if most == 0.0 { 0.0 } else { power(-exponent(most)) });
        let mut squares = [0.0; SIDE];
        for v in scaled.as_flattened() {
            (0..SIDE).for_each(|j| squares[j] += (v[j] * units[j]) * (v[j] * units[j]));
        }
        let mut panel = Panel {
            pairs: self.pairs.clone(),
            weights: vec![[[0; 2]; SIDE]; self.pairs.len()],
            // Where there is no neuron, the sum is negative and certain.
            biases: [-1; SIDE],
            ..Panel::default()
        };
        let mut scale = [0.0; SIDE];
        for j in 0..self.neurons.len() {
            let norm = if most[j] == 0.0 { 0.0 } else { squares[j].sqrt() / units[j] };
            // ‖k‖ ≤ ‖v‖ + ‖e‖ ≤ ‖v‖ + √d/2, and ‖k‖ ≤ 2‖v‖, because numbers below a half become
            // zero.
            let (room, half) = (scales.room(), (self.reads[j] as f64).sqrt() / 2.0);
            let room = if 2.0 * half < room { room - half } else { room / 2.0 };
            let bias = self.biases[j];
            let least = (most[j] / LARGEST).max(norm / room).max(bias.abs() / (SUMS - 1.0));
            if least == 0.0 {
                panel.biases[j] = 1; // zero counts as on
                continue;
            }
            scale[j] = power(-exponent(least));
            let bias = bias * scale[j];
            panel.biases[j] = bias.round() as i32;
            squares[j] = (bias - bias.round()).powi(2); // from here on, the squares of ‖e‖
            panel.norms[j] = upper(norm * scale[j]);
        }
        for (weights, v) in panel.weights.iter_mut().zip(&scaled) {
            for half in 0..2 {
                for j in 0..SIDE {
                    let v = v[half][j] * scale[j];
                    let k = v.round_ties_even();
                    squares[j] += (v - k) * (v - k);
                    weights[j][half] = k as i16;
                }
            }
        }
        for j in (0..self.neurons.len()).filter(|&j| scale[j] != 0.0) {
            panel.errors[j] = upper(squares[j].sqrt());
        }
        panel
    }
}

/// The inputs that make a difference to a neuron, and their weights.
fn read(neuron: &Neuron) -> Vec<(u32, f64)> {
    neuron.terms().filter(|(_, w)| *w != 0.0).map(|(k, w)| (k as u32, w)).collect()
}
