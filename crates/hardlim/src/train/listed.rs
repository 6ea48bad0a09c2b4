//! The Lasso program on a dictionary that is there from the start: the patterns of random weights
//! (the paper's Convex-Lasso), or all patterns (Theorem 2.2 for two layers, Theorem 3.2 for more).
//!
//! Over all patterns, the certificate speaks of all networks of this depth and these widths, with
//! any number of subnetworks. Patterns whose cells are too narrow for weights in double precision
//! cannot become a neuron, but the bound includes them.

use std::sync::atomic::{AtomicU64, Ordering};

use super::tuning::{DRAWING, PATTERN};
use super::{Method, Proposal, Trainer, Units};
use crate::arrangement::{Dictionary, Hyperplane, Listing, Subnetwork};
use crate::certificate::{Bound, DualPoint, Price};
use crate::data::Dataset;
use crate::error::Error;
use crate::loss::LossKind;
use crate::network::Cell;
use crate::network::recipe::{self, Recipe};
use crate::pattern::PatternMatrix;
use crate::program::{Beta, LassoProgram};
use crate::solver::{ActiveSet, Solution, StopReason};

/// A dictionary that is listed or drawn before the solver starts.
#[derive(Debug)]
pub(super) struct Listed {
    recipe: Recipe,
    patterns: PatternMatrix,
    witnesses: Witnesses,
    /// What the patterns cost, if neurons pay for their inputs.
    costs: Option<Vec<f64>>,
    /// The patterns that can become no neuron, if there are any.
    narrow: Option<PatternMatrix>,
}

#[derive(Debug)]
enum Witnesses {
    Neurons(Vec<Hyperplane>),
    Subnetworks(Vec<Subnetwork>),
}

impl Listed {
    fn of_subnetworks(recipe: Recipe, found: Dictionary<Subnetwork>) -> Self {
        let witnesses = Witnesses::Subnetworks(found.witnesses);
        Self { recipe, patterns: found.patterns, witnesses, costs: None, narrow: None }
    }

    fn used(&self, coefficients: &[f64]) -> (Units, Vec<f64>) {
        match &self.witnesses {
            Witnesses::Neurons(neurons) => {
                let (cells, amplitudes) = used(&self.patterns, neurons, coefficients);
                (Units::Cells(cells), amplitudes)
            }
            Witnesses::Subnetworks(subnetworks) => {
                let (parts, amplitudes) = in_use(subnetworks, coefficients);
                (Units::Subnetworks(parts), amplitudes)
            }
        }
    }
}

impl Trainer<'_> {
    /// The optimum on a dictionary, with the certificate that the dictionary gives.
    pub(super) fn propose_listed(
        &self,
        data: &Dataset,
        listed: &Listed,
    ) -> Result<Proposal, Error> {
        let Listed { recipe, patterns, costs, narrow, .. } = listed;
        let narrow = narrow.as_ref();
        let program = self.lasso(patterns, data)?.with_costs(costs.as_deref())?;
        let beta_max = self.beta_max_listed(data, listed)?;
        let program = program.with_beta(self.strength.beta(beta_max)?);
        let solution = self.solved(&program);
        let problem = self.problem(data, program.beta());
        let bound = |dual: DualPoint| {
            let on = dual.price(patterns, self.terms.constraints, costs.as_deref());
            let value =
                narrow.map_or(on, |all| on.max(dual.price(all, self.terms.constraints, None)));
            (problem.lower_bound(&dual, value), dual, value)
        };
        let (mut judge, mut stop) = (bound(solution.dual.clone()), solution.stop);
        let objective = solution.certificate.objective();
        let falls_short = |lower_bound: f64| objective - lower_bound > self.tolerance * objective;
        if let Some(narrow) = narrow.filter(|_| falls_short(judge.0)) {
            // No network reaches the optimum over all patterns, but the bound is this optimum.
            let mut all = patterns.clone();
            all.append(narrow);
            let other = bound(self.solver().solve(&program.over(&all)?).dual);
            judge = if other.0 > judge.0 { other } else { judge };
            if stop == StopReason::GapReached && falls_short(judge.0) {
                stop = StopReason::RoundLimit(solution.rounds);
            }
        }
        let (_, dual, value) = judge;
        let (units, amplitudes) = listed.used(&solution.coefficients);
        let all = matches!(recipe, Recipe::Enumerate { .. });
        Ok(Proposal {
            units,
            amplitudes,
            offset: solution.offset,
            price: Price { value, bound: if all { Bound::Enumeration } else { Bound::Dictionary } },
            dual,
            recipe: recipe.clone(),
            beta: program.beta(),
            beta_max,
            beta_max_exact: program.beta_max_is_exact(),
            patterns: patterns.patterns() + narrow.map_or(0, PatternMatrix::patterns),
            proof: None,
            stop,
        })
    }

    pub(super) fn beta_max_listed(&self, data: &Dataset, listed: &Listed) -> Result<f64, Error> {
        let program = self.lasso(&listed.patterns, data)?.with_costs(listed.costs.as_deref())?;
        let most = program.beta_max();
        let Some(narrow) = &listed.narrow else { return Ok(most) };
        Ok(most.max(self.lasso(narrow, data)?.beta_max()))
    }

    /// The dictionary of the method; an error if it does not fit into memory.
    pub(super) fn listed(&self, data: &Dataset) -> Result<Listed, Error> {
        let (all, widths) = (self.method == Method::Enumerate, self.widths);
        let arrangement = recipe::arrangement(data, self.terms.bias);
        let limit = recipe::most_patterns(data, self.limits.memory);
        if !all && widths.is_empty() {
            let (recipe, dictionary) = self.draw(data)?;
            return Ok(self.of_neurons(recipe, dictionary, None));
        }
        if !all {
            let first = widths[0];
            let (draws, seed, standardize) =
                (self.draws(data, first), self.seed, self.terms.standardize);
            let widths = widths.to_vec();
            let recipe = Recipe::Sample { draws, seed, standardize, widths, reads: None };
            recipe.check_size(data, self.limits.memory)?;
            self.count_draws(data, draws.saturating_mul(first as u64));
            let dictionary = recipe.deep_dictionary(data, self.terms.bias).expect("a deep sample");
            return Ok(Listed::of_subnetworks(recipe, dictionary));
        }
        let recipe = Recipe::Enumerate { widths: widths.to_vec(), tree: self.tree };
        if widths.is_empty() {
            let listing = arrangement.listing(limit)?;
            let (dictionary, narrow) = self.realised(listing, data.distinct())?;
            let narrow = Some(narrow).filter(|narrow| narrow.patterns() > 0);
            return Ok(self.of_neurons(recipe, dictionary, narrow));
        }
        let list = |stop: &_| arrangement.deep_until(widths, self.tree, limit, stop);
        Ok(Listed::of_subnetworks(recipe, self.budget.watch(list)?))
    }

    /// All patterns that can become neurons, and the others. The work is counted as they are found.
    pub(super) fn realised(
        &self,
        listing: Listing<'_>,
        rows: usize,
    ) -> Result<(Dictionary, PatternMatrix), Error> {
        let known = AtomicU64::new(0);
        let found = |found: u64| {
            let new = found.saturating_sub(known.fetch_max(found, Ordering::Relaxed));
            self.budget.count(new as usize * rows * PATTERN);
        };
        self.budget.watch(|stop| listing.until(stop).reporting(&found).realised())
    }

    /// The dictionary of random weights; an error if it does not fit into memory.
    pub(super) fn draw(&self, data: &Dataset) -> Result<(Recipe, Dictionary), Error> {
        let (draws, seed, standardize) = (self.draws(data, 1), self.seed, self.terms.standardize);
        let (widths, reads) = (Vec::new(), self.reads.cloned());
        let recipe = Recipe::Sample { draws, seed, standardize, widths, reads };
        recipe.check_size(data, self.limits.memory)?;
        self.count_draws(data, draws);
        let dictionary = recipe.dictionary(data, self.terms.bias, self.terms.input_cost);
        let dictionary = dictionary.expect("a sample has a dictionary");
        Ok((recipe, dictionary))
    }

    fn of_neurons(
        &self,
        recipe: Recipe,
        dictionary: Dictionary,
        narrow: Option<PatternMatrix>,
    ) -> Listed {
        let costs = dictionary.costs(self.terms.input_cost);
        let Dictionary { patterns, witnesses } = dictionary;
        Listed { recipe, patterns, witnesses: Witnesses::Neurons(witnesses), costs, narrow }
    }

    /// How many neurons, or subnetworks with this many neurons in their first layer, are drawn: as
    /// many as requested, or as there is time for.
    fn draws(&self, data: &Dataset, neurons: usize) -> u64 {
        let each = drawing(data.distinct(), data.dimension()) * neurons.max(1) as f64;
        let affordable = DRAWING.0 * self.budget.left() / each;
        let most =
            if self.limits.time.is_some() { affordable.max(DRAWING.1) } else { f64::INFINITY };
        self.patterns.min(most as u64)
    }

    fn count_draws(&self, data: &Dataset, neurons: u64) {
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
        Ok(program.with_constraints(self.terms.constraints))
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

/// About how many elementary steps it takes to draw a neuron.
pub(super) fn drawing(rows: usize, columns: usize) -> f64 {
    (rows * (columns + 8)) as f64 / 4.0
}

pub(super) fn used(
    patterns: &PatternMatrix,
    witnesses: &[Hyperplane],
    coefficients: &[f64],
) -> (Vec<Cell>, Vec<f64>) {
    let cell = |(j, &a): (usize, &f64)| {
        (Cell { pattern: patterns.pattern(j), witness: Some(witnesses[j].clone()) }, a)
    };
    coefficients.iter().enumerate().filter(|(_, a)| **a != 0.0).map(cell).unzip()
}

/// Those of some units that are in use, with their output weights.
pub(super) fn in_use<W: Clone>(units: &[W], coefficients: &[f64]) -> (Vec<W>, Vec<f64>) {
    let pairs = units.iter().zip(coefficients).filter(|(_, a)| **a != 0.0);
    pairs.map(|(unit, a)| (unit.clone(), *a)).unzip()
}

/// `f(x)` on rows whose patterns these are.
pub(super) fn answer(patterns: &PatternMatrix, solution: &Solution) -> Vec<f64> {
    let nonzero = solution.coefficients.iter().copied().enumerate().filter(|(_, a)| *a != 0.0);
    let mut output = patterns.combine(nonzero);
    output.iter_mut().for_each(|u| *u += solution.offset);
    output
}
