//! Deeper networks: parallel subnetworks that share only the features, each with one neuron at its
//! end.

use super::tuning::FEW_DEEP_PATTERNS;
use super::{Method, Trainer, rounded};
use crate::arrangement::Subnetwork;
use crate::data::Dataset;
use crate::network::recipe;
use crate::network::{Layer, Neuron};
use crate::pricing::SubnetworkSearch;

impl Trainer<'_> {
    /// The method that suits the widths, and why.
    pub(super) fn pick_deep(&self, data: &Dataset) -> (Method, String) {
        let bound = recipe::arrangement(data, self.bias).deep_bound(self.widths, self.tree);
        let there_may_be = format!("there may be {} deep patterns", rounded(bound));
        if bound <= FEW_DEEP_PATTERNS || self.tree {
            let why = format!("at most {} deep patterns, few enough to list", rounded(bound));
            (Method::Enumerate, why)
        } else if SubnetworkSearch::reaches(self.widths) {
            (Method::Generate, there_may_be)
        } else {
            let why =
                format!("{there_may_be}, and there is no search for subnetworks of these widths");
            (Method::Sample, why)
        }
    }
}

/// Hidden layers of subnetworks that share only the features.
pub(super) fn side_by_side(parts: &[Subnetwork], depth: usize) -> Vec<Layer> {
    let layer = |l: usize| {
        let mut offset = 0;
        let mut neurons = Vec::new();
        for part in parts {
            for plane in &part.layers()[l] {
                let width = plane.weights.len() as u32;
                let inputs = (l > 0).then(|| (offset..offset + width).collect());
                neurons.push(Neuron { inputs, ..Neuron::from(plane.clone()) });
            }
            // A constant needs no neurons below it, so a layer may be empty.
            offset += if l > 0 { part.layers()[l - 1].len() as u32 } else { 0 };
        }
        Layer { neurons }
    };
    (0..depth).map(layer).collect()
}
