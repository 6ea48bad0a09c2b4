//! Deeper networks: parallel subnetworks that share only the features, each with one neuron at its end.

use super::{FEW_DEEP, Method, Proposal, Trainer, rounded};
use crate::arrangement::{DeepDictionary, Subnetwork};
use crate::certificate::{Bound, Price};
use crate::data::Dataset;
use crate::error::Error;
use crate::network::recipe::{self, Recipe};
use crate::network::{Layer, Network, Neuron};
use crate::pricing::SubnetworkSearch;

impl Trainer<'_> {
    /// The network of subnetworks. They keep the weights they were found with, unless others are requested.
    pub(super) fn fit_deep(&self, data: &Dataset) -> Result<(Network, Proposal), Error> {
        let (dictionary, coefficients, proposal) = match self.method {
            Method::Enumerate => {
                let (dictionary, solution, proposal) = self.propose_enumerated_deep(data)?;
                (dictionary, solution.coefficients, proposal)
            }
            Method::Generate => self.propose_subnetworks(data)?,
            _ => self.propose_sampled_deep(data)?,
        };
        let (parts, amplitudes): (Vec<&Subnetwork>, Vec<f64>) =
            (dictionary.subnetworks.iter().zip(&coefficients)).filter(|(_, a)| **a != 0.0).unzip();
        let layers = side_by_side(&parts, self.widths.len() + 1);
        let network = Network::new(data.dimension(), layers, amplitudes, proposal.offset)?;
        Ok((self.rechosen(network, data)?, proposal))
    }

    /// The method that suits the widths, and why.
    pub(super) fn pick_deep(&self, data: &Dataset) -> (Method, String) {
        let bound = recipe::arrangement(data, self.bias).deep_bound(self.widths, self.tree);
        let there_may_be = format!("there may be {} deep patterns", rounded(bound));
        if bound <= FEW_DEEP || self.tree {
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

    /// The Lasso program on the patterns of random subnetworks.
    fn propose_sampled_deep(
        &self,
        data: &Dataset,
    ) -> Result<(DeepDictionary, Vec<f64>, Proposal), Error> {
        let (recipe, dictionary) = self.draw_deep(data)?;
        let program = self.lasso(&dictionary.patterns, data)?;
        let beta_max = program.beta_max();
        let program = program.with_beta(self.strength.beta(beta_max)?);
        let solution = self.solved(&program);
        let proposal = Proposal {
            cells: Vec::new(),
            amplitudes: Vec::new(),
            offset: solution.offset,
            price: Price {
                value: solution.dual.price(&dictionary.patterns, self.constraints),
                bound: Bound::Dictionary,
            },
            dual: solution.dual,
            recipe,
            beta: program.beta(),
            beta_max,
            beta_max_exact: program.beta_max_is_exact(),
            patterns: dictionary.subnetworks.len(),
            proof: None,
            stop: solution.stop,
        };
        Ok((dictionary, solution.coefficients, proposal))
    }

    /// The dictionary of random subnetworks; an error if it does not fit into memory.
    fn draw_deep(&self, data: &Dataset) -> Result<(Recipe, DeepDictionary), Error> {
        let first = self.widths.first().copied().unwrap_or(1);
        let (draws, seed, standardize) = (self.draws(data, first), self.seed, self.standardize);
        let recipe =
            Recipe::Sample { draws, seed, standardize, widths: self.widths.to_vec(), reads: None };
        recipe.check_size(data, self.memory)?;
        self.count_draws(data, draws.saturating_mul(first as u64));
        let dictionary = recipe.deep_dictionary(data, self.bias).expect("a deep sample");
        Ok((recipe, dictionary))
    }

    /// `β_max` over sampled or generated subnetworks.
    pub(super) fn beta_max_deep(&self, data: &Dataset) -> Result<f64, Error> {
        if self.method == Method::Generate {
            return self.beta_max_subnetworks(data);
        }
        let (_, dictionary) = self.draw_deep(data)?;
        Ok(self.lasso(&dictionary.patterns, data)?.beta_max())
    }
}

/// Hidden layers of subnetworks that share only the features.
fn side_by_side(parts: &[&Subnetwork], depth: usize) -> Vec<Layer> {
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
