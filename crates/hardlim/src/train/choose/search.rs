//! Dictionaries that are searched for: neurons that read all inputs, with the weights that the rows ask for.
//!
//! Random weights on many inputs seldom point where it matters. Here a few rounds of generation
//! ([`Generation`]) at decreasing strengths find patterns with a large price, starting from random ones. The
//! networks then solve the Lasso program on these patterns at every strength, as they do on random ones.

use rayon::prelude::*;

use super::Chooser;
use super::paths::constant;
use crate::arrangement::Dictionary;
use crate::data::Dataset;
use crate::error::Error;
use crate::network::recipe;
use crate::pricing::{LocalSearch, Priced, Prover};
use crate::solver::{Budget, Generation, Neurons};
use crate::train::generate::not_priced;
use crate::train::tuning::COMPARED;
use crate::train::{Strength, Trainer};

/// The strengths at which patterns are searched for, as fractions of `β_max`.
const STRENGTHS: [f64; 3] = [0.3, 0.1, 0.03];
/// The rounds at each strength.
const ROUNDS: usize = 4;
/// How many random patterns a search starts with.
const RANDOM: usize = 200;
/// The line searches of a climb: at least, and at most.
const STEPS: (f64, f64) = (20.0, 100.0);
/// The starts of a round: at least, and at most.
const STARTS: (f64, f64) = (2.0, 32.0);

/// The local search of each round, if a dictionary for so many networks may take this much work; `None` if
/// that is too little for any.
pub(super) fn affordable(line_search: f64, networks: usize, work: f64) -> Option<LocalSearch> {
    let rounds = (STRENGTHS.len() * ROUNDS * networks) as f64;
    // Every round climbs from as many neurons in use as from random starts.
    let climbs = work / (2.0 * rounds * line_search);
    let starts = (climbs / STEPS.1).clamp(STARTS.0, STARTS.1);
    let steps = (climbs / starts).min(STEPS.1);
    let keep = 4 * starts as usize;
    (steps >= STEPS.0).then_some(LocalSearch {
        starts: starts as usize,
        steps: steps as usize,
        keep,
    })
}

/// A search for patterns that networks on some rows can use.
pub(super) struct Searching<'a> {
    /// One problem for each of several targets.
    pub(super) sets: &'a [Dataset],
    /// The local search of each round.
    pub(super) search: LocalSearch,
    pub(super) seed: u64,
    pub(super) budget: Budget<'a>,
}

impl Chooser<'_> {
    /// The dictionary that a search finds.
    pub(super) fn searched(&self, searching: &Searching<'_>) -> Result<Dictionary, Error> {
        let Trainer { bias, standardize, loss, .. } = self.trainer;
        let &Searching { sets, search, seed, .. } = searching;
        let data = &sets[0];
        let arrangement = recipe::arrangement(data, bias);
        let scaling = recipe::scaling(data, bias, standardize);
        let prover = Prover::new(arrangement, None, 0)?;
        let search = Some(search);
        let neurons = Neurons { arrangement, scaling: &scaling, prover: &prover, search };
        let reads = &self.candidate.reads;
        let random = arrangement.sample_mixed(RANDOM, reads, &scaling, &mut recipe::rng(seed));
        let targets = sets.par_iter().filter(|data| constant(loss, data.targets()).is_none());
        let found = targets.map(|data| self.search_for(data, &neurons, &random, searching));
        let found = found.collect::<Result<Vec<_>, Error>>()?;
        let planes = found.into_iter().flatten().map(|p| (p.pattern, p.hyperplane));
        Ok(Dictionary::from_witnesses(data.distinct(), false, planes))
    }

    /// The patterns that the search for one network has kept.
    fn search_for(
        &self,
        data: &Dataset,
        neurons: &Neurons<'_>,
        random: &Dictionary,
        searching: &Searching<'_>,
    ) -> Result<Vec<Priced>, Error> {
        let most = self.trainer.lasso(&random.patterns, data)?.beta_max();
        let mut patterns = not_priced(random.clone());
        if most == 0.0 {
            return Ok(patterns);
        }
        let generation = Generation {
            source: neurons,
            tolerance: COMPARED,
            rounds: ROUNDS,
            prune: 0.0,
            seed: searching.seed,
            budget: Budget { progress: None, ..searching.budget },
        };
        for ratio in STRENGTHS {
            let problem = self.trainer.problem(data, Strength::Ratio(ratio).beta(most)?);
            patterns = not_priced(generation.solve(&problem, patterns).dictionary);
        }
        Ok(patterns)
    }
}
