//! Which weights a trained network gets inside its cells.

use super::Trainer;
use crate::data::Dataset;
use crate::error::Error;
use crate::network::recipe::{self, Recipe};
use crate::network::{Network, Rechoice, Weights};

impl Trainer<'_> {
    /// The weights to begin with: those asked for where they come from patterns alone, otherwise those
    /// drawn, or the widest margin where none were.
    pub(super) fn first_weights(&self, recipe: &Recipe) -> Weights {
        match (self.weights, recipe) {
            (Some(weights @ (Weights::Sampled | Weights::Pi | Weights::Svm)), _)
                if self.max_inputs.is_none() =>
            {
                weights
            }
            (_, Recipe::Sample { .. } | Recipe::Generate { .. }) => Weights::Sampled,
            _ => Weights::Svm,
        }
    }

    /// The network with the weights asked for, where it does not begin with them.
    pub(super) fn rechosen(&self, network: Network, data: &Dataset) -> Result<Network, Error> {
        let deep = network.depth() > 2;
        let weights = match self.weights {
            None | Some(Weights::Sampled) => return Ok(network),
            Some(Weights::Pi | Weights::Svm) if self.max_inputs.is_none() && !deep => {
                return Ok(network);
            }
            Some(weights) => weights,
        };
        let scaling = recipe::scaling(data, self.bias, self.standardize);
        let rechoice = Rechoice::new(weights);
        let limited = self.max_inputs.is_some();
        Ok(network.rechoose(data.features(), self.bias, limited, &scaling, &rechoice)?.0)
    }
}
