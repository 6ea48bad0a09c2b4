//! The Lasso program on every pattern: Theorem 2.2 as it stands for two layers, Theorem 3.2 for more.
//!
//! The certificate is over all networks of this depth and these widths, with any number of
//! subnetworks. Patterns whose cells are too narrow for weights in double precision cannot carry a
//! neuron; they count for the bound all the same.

use super::sample::used;
use super::{Method, Proposal, Trainer};
use crate::arrangement::Subnetwork;
use crate::certificate::{Bound, Scope};
use crate::data::Dataset;
use crate::error::Error;
use crate::network::recipe::{self, Recipe};
use crate::network::{Layer, Network, Neuron};
use crate::pattern::PatternMatrix;
use crate::program::LassoProgram;
use crate::solver::Solution;

impl Trainer<'_> {
    pub(super) fn propose_enumerated(&self, data: &Dataset) -> Result<Proposal, Error> {
        let arrangement = recipe::arrangement(data, self.bias);
        let listing = arrangement.listing(recipe::most_patterns(data, self.memory))?;
        let (dictionary, narrow) = self.budget.watch(|stop| listing.until(stop).realised())?;
        let (solution, mut proposal) = self.solve_listed(data, &dictionary.patterns, &narrow)?;
        (proposal.cells, proposal.amplitudes) = used(&dictionary, &solution.coefficients);
        Ok(proposal)
    }

    /// `β_max` over every pattern.
    pub(super) fn beta_max_enumerated(&self, data: &Dataset) -> Result<f64, Error> {
        let recipe = Recipe::Enumerate { widths: self.widths.to_vec(), tree: self.tree };
        let memory = self.memory.unwrap_or(u64::MAX);
        let patterns = recipe.patterns(data, self.bias, memory)?.expect("all are listed");
        Ok(self.lasso(&patterns, data)?.beta_max())
    }

    /// The network of subnetworks, its weights those of the enumeration unless others are asked for.
    pub(super) fn fit_deep(
        &self,
        data: &Dataset,
        method: Method,
    ) -> Result<(Network, Proposal), Error> {
        if method != Method::Enumerate {
            return Err(Error::DeepMethod { layers: self.widths.len() + 2 });
        }
        let arrangement = recipe::arrangement(data, self.bias);
        let limit = recipe::most_patterns(data, self.memory);
        let recursion = arrangement.recursion(self.widths, self.tree, limit)?;
        let dictionary = self.budget.watch(|stop| recursion.until(stop).dictionary())?;
        let none = PatternMatrix::new(data.distinct());
        let (solution, proposal) = self.solve_listed(data, &dictionary.patterns, &none)?;
        let (parts, amplitudes): (Vec<&Subnetwork>, Vec<f64>) =
            (dictionary.subnetworks.iter().zip(&solution.coefficients))
                .filter(|(_, a)| **a != 0.0)
                .unzip();
        let layers = side_by_side(&parts, self.widths.len() + 1);
        let network = Network::new(data.dimension(), layers, amplitudes, solution.offset)?;
        Ok((self.rechosen(network, data)?, proposal))
    }

    /// The Lasso program on the patterns that can carry a neuron, judged by all of them. The cells are
    /// left to the caller.
    fn solve_listed(
        &self,
        data: &Dataset,
        patterns: &PatternMatrix,
        narrow: &PatternMatrix,
    ) -> Result<(Solution, Proposal), Error> {
        let program = self.lasso(patterns, data)?;
        let beta_max = program.beta_max().max(self.lasso(narrow, data)?.beta_max());
        let program = LassoProgram { beta: self.beta(beta_max)?, ..program };
        let solution = self.solver().solve(&program);
        let price = |patterns| solution.dual.price(patterns, self.constraints);
        let proposal = Proposal {
            cells: Vec::new(),
            amplitudes: Vec::new(),
            offset: solution.offset,
            price: price(patterns).max(price(narrow)),
            dual: solution.dual.clone(),
            scope: (Scope::Global, Bound::Enumeration),
            recipe: Recipe::Enumerate { widths: self.widths.to_vec(), tree: self.tree },
            beta: program.beta,
            beta_max,
            beta_max_exact: program.beta_max_is_exact(),
            patterns: patterns.patterns() + narrow.patterns(),
            stop: solution.stop,
        };
        Ok((solution, proposal))
    }
}

/// Hidden layers of subnetworks that share nothing but the features.
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
            offset += part.layers()[l][0].weights.len() as u32;
        }
        Layer { neurons }
    };
    (0..depth).map(layer).collect()
}
