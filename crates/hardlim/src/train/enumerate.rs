//! The Lasso program on every pattern: Theorem 2.2 for two layers, Theorem 3.2 for more.
//!
//! The certificate is over all networks of this depth and these widths, with any number of
//! subnetworks. Patterns whose cells are too narrow for weights in double precision cannot become a
//! neuron, but the bound includes them.

use std::sync::atomic::{AtomicU64, Ordering};

use super::sample::used;
use super::{Proposal, Trainer};
use crate::arrangement::{DeepDictionary, Dictionary, Listing};
use crate::certificate::{Bound, DualPoint, Price};
use crate::data::Dataset;
use crate::error::Error;
use crate::network::recipe::{self, Recipe};
use crate::pattern::PatternMatrix;
use crate::solver::{Solution, StopReason};

/// About how many elementary steps it takes to list a pattern, for each of its rows.
const PATTERN: usize = 20;

impl Trainer<'_> {
    pub(super) fn propose_enumerated(&self, data: &Dataset) -> Result<Proposal, Error> {
        let arrangement = recipe::arrangement(data, self.bias);
        let listing = arrangement.listing(recipe::most_patterns(data, self.memory))?;
        let (dictionary, narrow) = self.listed(listing, data.distinct())?;
        let (solution, mut proposal) = self.solve_listed(data, &dictionary.patterns, &narrow)?;
        (proposal.cells, proposal.amplitudes) = used(&dictionary, &solution.coefficients);
        Ok(proposal)
    }

    /// All patterns that can become neurons, and the others. The work is counted as they are found.
    pub(super) fn listed(
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

    /// `β_max` over every pattern.
    pub(super) fn beta_max_enumerated(&self, data: &Dataset) -> Result<f64, Error> {
        let arrangement = recipe::arrangement(data, self.bias);
        let limit = recipe::most_patterns(data, self.memory);
        let (patterns, narrow) = match self.widths {
            [] => {
                let (dictionary, narrow) =
                    self.listed(arrangement.listing(limit)?, data.distinct())?;
                (dictionary.patterns, narrow)
            }
            widths => {
                let recursion = arrangement.recursion(widths, self.tree, limit)?;
                let dictionary = self.budget.watch(|stop| recursion.until(stop).dictionary())?;
                (dictionary.patterns, PatternMatrix::new(data.distinct()))
            }
        };
        let beta_max = |patterns| Ok::<_, Error>(self.lasso(patterns, data)?.beta_max());
        Ok(beta_max(&patterns)?.max(beta_max(&narrow)?))
    }

    pub(super) fn propose_enumerated_deep(
        &self,
        data: &Dataset,
    ) -> Result<(DeepDictionary, Solution, Proposal), Error> {
        let arrangement = recipe::arrangement(data, self.bias);
        let limit = recipe::most_patterns(data, self.memory);
        let recursion = arrangement.recursion(self.widths, self.tree, limit)?;
        let dictionary = self.budget.watch(|stop| recursion.until(stop).dictionary())?;
        let none = PatternMatrix::new(data.distinct());
        let (solution, proposal) = self.solve_listed(data, &dictionary.patterns, &none)?;
        Ok((dictionary, solution, proposal))
    }

    /// The Lasso program on the patterns that can become neurons, with a certificate over all patterns. The
    /// caller adds the cells.
    fn solve_listed(
        &self,
        data: &Dataset,
        patterns: &PatternMatrix,
        narrow: &PatternMatrix,
    ) -> Result<(Solution, Proposal), Error> {
        let program = self.lasso(patterns, data)?;
        let beta_max = program.beta_max().max(self.lasso(narrow, data)?.beta_max());
        let program = program.with_beta(self.strength.beta(beta_max)?);
        let solution = self.solved(&program);
        let problem = self.problem(data, program.beta());
        let bound = |dual: DualPoint| {
            let price = |patterns| dual.price(patterns, self.constraints);
            let value = price(patterns).max(price(narrow));
            (problem.lower_bound(&dual, value), dual, value)
        };
        let (mut judge, mut stop) = (bound(solution.dual.clone()), solution.stop);
        let objective = solution.certificate.objective();
        let falls_short = |lower_bound: f64| objective - lower_bound > self.tolerance * objective;
        if narrow.patterns() > 0 && falls_short(judge.0) {
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
        let proposal = Proposal {
            cells: Vec::new(),
            amplitudes: Vec::new(),
            offset: solution.offset,
            price: Price { value, bound: Bound::Enumeration },
            dual,
            recipe: Recipe::Enumerate { widths: self.widths.to_vec(), tree: self.tree },
            beta: program.beta(),
            beta_max,
            beta_max_exact: program.beta_max_is_exact(),
            patterns: patterns.patterns() + narrow.patterns(),
            proof: None,
            stop,
        };
        Ok((solution, proposal))
    }
}
