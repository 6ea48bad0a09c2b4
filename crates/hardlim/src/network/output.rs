//! `f(x) = c + Σⱼ aⱼ dⱼ(x)` for every row.
//!
//! Two-layer networks evaluate one block of rows after the other, on all threads, and keep only the
//! outputs. The amplitudes are added four at a time, from tables of all sixteen sums. They lie on a
//! grid where sums are exact, so the order does not matter.

use rayon::prelude::*;

use super::Network;
use super::fixed::FixedLayer;
use super::tuning::ANSWERS;
use crate::data::Features;
use crate::pattern::fixed::SIDE;

/// The number of bits that are looked up at a time, and the number of their values.
const BITS: usize = 4;
const SUMS: usize = 1 << BITS;
/// The tables of sixteen neurons.
const TABLES: usize = SIDE / BITS;

impl Network {
    /// `f(x)` for every row.
    ///
    /// # Panics
    /// When the rows do not have the number of features that the network reads.
    pub fn output(&self, features: &Features) -> Vec<f64> {
        assert_eq!(features.dimension(), self.inputs, "as many features as inputs");
        match self.layers.len() {
            1 => self.output_of_two_layers(features),
            _ => self.output_of_patterns(features),
        }
    }

    /// Evaluates the rows in parts, so that the answers of the widest layer fit into memory.
    fn output_of_patterns(&self, features: &Features) -> Vec<f64> {
        let widest = self.layers.iter().map(|layer| layer.neurons.len()).max().unwrap_or(0);
        let batch = (ANSWERS / widest.max(1)).max(512);
        let mut output = Vec::with_capacity(features.rows());
        for start in (0..features.rows()).step_by(batch) {
            let part = features.slice(start..features.rows().min(start + batch));
            let patterns = self.patterns(&part);
            let sums = patterns.combine(self.amplitudes.iter().copied().enumerate());
            output.extend(sums.into_iter().map(|u| u + self.offset));
        }
        output
    }

    fn output_of_two_layers(&self, features: &Features) -> Vec<f64> {
        // A neuron with amplitude zero makes no difference.
        let (neurons, amplitudes): (Vec<_>, Vec<f64>) =
            (self.layers[0].neurons.iter().zip(&self.amplitudes))
                .filter(|(_, a)| **a != 0.0)
                .unzip();
        let layer = FixedLayer::new(neurons, self.inputs);
        let ordered: Vec<f64> = layer.order().map(|j| j.map_or(0.0, |j| amplitudes[j])).collect();
        let fours = ordered.as_chunks::<BITS>().0.as_chunks::<TABLES>().0;
        let tables: Vec<[[f64; SUMS]; TABLES]> =
            fours.iter().map(|fours| fours.map(sums)).collect();
        let (d, block) = (self.inputs, layer.block());
        let mut output = vec![self.offset; features.rows()];
        output.par_chunks_mut(block).enumerate().for_each_init(
            || layer.worker(),
            |worker, (b, output)| {
                let values = &features.values()[b * block * d..][..output.len() * d];
                let bits = worker.answers(values, output.len());
                for (u, bits) in output.iter_mut().zip(bits.chunks_exact(tables.len().max(1))) {
                    for (bits, tables) in bits.iter().zip(&tables) {
                        let at = |k: usize| tables[k][usize::from(bits >> (BITS * k)) % SUMS];
                        *u += (at(0) + at(1)) + (at(2) + at(3));
                    }
                }
            },
        );
        output
    }
}

/// The sums of all subsets of four numbers; the bits of the index select the subset.
fn sums(four: [f64; BITS]) -> [f64; SUMS] {
    std::array::from_fn(|bits| (0..BITS).filter(|k| bits >> k & 1 == 1).map(|k| four[k]).sum())
}
