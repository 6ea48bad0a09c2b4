//! The choice of weights for a trained network.

use super::Trainer;
use crate::data::Dataset;
use crate::error::Error;
use crate::network::recipe::{self, Recipe};
use crate::network::{Cell, Layer, Network, Neuron, Rechoice, Weights, reconstruct_until};

impl Trainer<'_> {
    /// The first weights: the requested ones if patterns are enough to find them, otherwise the
    /// drawn ones, or the widest margin if none were drawn.
    fn first_weights(&self, recipe: &Recipe) -> Weights {
        match (self.terms.weights, recipe) {
            (Some(weights @ (Weights::Sampled | Weights::Pi | Weights::Svm)), _)
                if self.terms.max_inputs.is_none() =>
            {
                weights
            }
            (_, Recipe::Sample { .. } | Recipe::Generate { .. }) => Weights::Sampled,
            _ => Weights::Svm,
        }
    }

    pub(super) fn first_layer(
        &self,
        data: &Dataset,
        cells: Vec<Cell>,
        recipe: &Recipe,
    ) -> Result<Layer, Error> {
        let budget = self.budget.for_the_rest();
        let planes = reconstruct_until(
            &recipe::arrangement(data, self.terms.bias),
            cells,
            self.first_weights(recipe),
            &recipe::scaling(data, self.terms.bias, self.terms.standardize),
            &|| budget.spent().is_some(),
        )?;
        Ok(Layer { neurons: planes.into_iter().map(Neuron::from).collect() })
    }

    /// The network with the requested weights, if it does not have them yet.
    pub(super) fn rechosen(&self, network: Network, data: &Dataset) -> Result<Network, Error> {
        let deep = network.depth() > 2;
        let weights = match self.terms.weights {
            None | Some(Weights::Sampled) => return Ok(network),
            Some(Weights::Pi | Weights::Svm) if self.terms.max_inputs.is_none() && !deep => {
                return Ok(network);
            }
            Some(weights) => weights,
        };
        let scaling = recipe::scaling(data, self.terms.bias, self.terms.standardize);
        let budget = self.budget.for_the_rest();
        let stop = || budget.spent().is_some();
        let same_inputs = self.terms.max_inputs.is_some();
        let rechoice = Rechoice { same_inputs, stop: &stop, ..Rechoice::new(weights) };
        network.rechoose(data.features(), self.terms.bias, &scaling, &rechoice)
    }
}
