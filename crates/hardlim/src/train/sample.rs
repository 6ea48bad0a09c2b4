//! The Lasso program on the patterns of random weights (the paper's Convex-Lasso).

use super::classes::Shared;
use super::{Proposal, Trainer};
use crate::arrangement::Dictionary;
use crate::certificate::{Bound, Price};
use crate::data::Dataset;
use crate::error::Error;
use crate::loss::LossKind;
use crate::network::Cell;
use crate::network::recipe::Recipe;
use crate::pattern::PatternMatrix;
use crate::program::{Beta, LassoProgram};
use crate::solver::{ActiveSet, Solution};

/// The part of the time that is left in which patterns are drawn, and the fewest draws.
const DRAWING: f64 = 0.3;
const FEWEST: f64 = 64.0;

/// About how many elementary steps it takes to draw a neuron.
pub(super) fn drawing(rows: usize, columns: usize) -> f64 {
    (rows * (columns + 8)) as f64 / 4.0
}

impl Trainer<'_> {
    pub(super) fn propose_sampled(
        &self,
        data: &Dataset,
        shared: &mut Shared,
    ) -> Result<Proposal, Error> {
        let (recipe, dictionary) = shared.drawn(|| self.draw(data))?;
        let costs = dictionary.costs(self.input_cost);
        let program = self.lasso(&dictionary.patterns, data)?.with_costs(costs.as_deref())?;
        let beta_max = program.beta_max();
        let program = program.with_beta(self.strength.beta(beta_max)?);
        let solution = self.solved(&program);
        let (cells, amplitudes) = used(dictionary, &solution.coefficients);
        let value = solution.dual.price_with_costs(
            &dictionary.patterns,
            self.constraints,
            costs.as_deref(),
        );
        Ok(Proposal {
            cells,
            amplitudes,
            offset: solution.offset,
            price: Price { value, bound: Bound::Dictionary },
            dual: solution.dual,
            recipe: recipe.clone(),
            beta: program.beta(),
            beta_max,
            beta_max_exact: program.beta_max_is_exact(),
            patterns: dictionary.len(),
            proof: None,
            stop: solution.stop,
        })
    }

    /// The dictionary of random weights; an error if it does not fit into memory.
    pub(super) fn draw(&self, data: &Dataset) -> Result<(Recipe, Dictionary), Error> {
        let (draws, seed, standardize) = (self.draws(data, 1), self.seed, self.standardize);
        let (widths, reads) = (Vec::new(), self.reads.cloned());
        let recipe = Recipe::Sample { draws, seed, standardize, widths, reads };
        recipe.check_size(data, self.memory)?;
        self.count_draws(data, draws);
        let dictionary = recipe.dictionary(data, self.bias, self.input_cost);
        let dictionary = dictionary.expect("a sample has a dictionary");
        Ok((recipe, dictionary))
    }

    /// How many neurons, or subnetworks with so many neurons in their first layer, are drawn: as many as
    /// requested, or as there is time for.
    pub(super) fn draws(&self, data: &Dataset, neurons: usize) -> u64 {
        let each = drawing(data.distinct(), data.dimension()) * neurons.max(1) as f64;
        let affordable = DRAWING * self.budget.left() / each;
        let most = if self.hurried { affordable.max(FEWEST) } else { f64::INFINITY };
        self.patterns.min(most as u64)
    }

    /// Counts the work of drawing so many neurons.
    pub(super) fn count_draws(&self, data: &Dataset, neurons: u64) {
        let work = neurons as f64 * drawing(data.distinct(), data.dimension());
        self.budget.count(work as usize);
    }

    /// The Lasso program of these patterns, which cost one each; the caller chooses its strength.
    pub(super) fn lasso<'a>(
        &self,
        patterns: &'a PatternMatrix,
        data: &'a Dataset,
    ) -> Result<LassoProgram<'a, LossKind>, Error> {
        let one = Beta::new(1.0).expect("one is positive");
        let program = LassoProgram::new(patterns, data.targets(), self.loss, one)?;
        Ok(program.with_constraints(self.constraints))
    }

    /// The optimum, as far as the time allows. If there was none for a first step, it is taken now.
    pub(super) fn solved(&self, program: &LassoProgram<'_, LossKind>) -> Solution {
        let solution = self.solver().solve(program);
        let empty = solution.coefficients.iter().all(|w| *w == 0.0);
        if !empty || self.budget.spent().is_none() {
            return solution;
        }
        let solver = ActiveSet { budget: self.budget.for_the_end(), ..self.solver() };
        Solution { stop: solution.stop, ..solver.solve(program) }
    }

    pub(super) fn solver(&self) -> ActiveSet<'_> {
        ActiveSet { tolerance: self.tolerance, budget: self.budget, ..ActiveSet::default() }
    }
}

/// The patterns in use, with their amplitudes.
pub(super) fn used(dictionary: &Dictionary, coefficients: &[f64]) -> (Vec<Cell>, Vec<f64>) {
    let nonzero = coefficients.iter().enumerate().filter(|(_, a)| **a != 0.0);
    nonzero
        .map(|(j, &a)| {
            let pattern = dictionary.patterns.pattern(j);
            (Cell { pattern, witness: Some(dictionary.witnesses[j].clone()) }, a)
        })
        .unzip()
}
