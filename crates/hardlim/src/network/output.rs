//! `f(x) = c + Σⱼ aⱼ dⱼ(x)` for every row. The amplitudes lie on a grid where sums are exact, so
//! the order of summation does not matter.

use super::Network;
use super::tuning::ANSWERS;
use crate::data::Features;

impl Network {
    /// `f(x)` for every row. Rows are evaluated in parts, so that the answers of the widest layer
    /// fit into memory.
    ///
    /// # Panics
    /// When the rows do not have the number of features that the network reads.
    pub fn output(&self, features: &Features) -> Vec<f64> {
        let widest = self.layers.iter().map(|layer| layer.neurons.len()).max().unwrap_or(0);
        let part = (ANSWERS / widest.max(1)).max(512);
        let mut output = Vec::with_capacity(features.rows());
        for start in (0..features.rows()).step_by(part) {
            let rows = features.slice(start..features.rows().min(start + part));
            let sums = self.patterns(&rows).combine(self.amplitudes.iter().copied().enumerate());
            output.extend(sums.into_iter().map(|u| u + self.offset));
        }
        output
    }
}
