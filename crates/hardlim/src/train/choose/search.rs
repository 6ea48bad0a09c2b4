//! Dictionaries that are searched for: neurons that read all inputs, with the weights that the rows
//! ask for.
//!
//! Random weights on many inputs seldom point where it matters. Here a few rounds of generation
//! ([`Generation`]) at decreasing strengths find patterns with a large price, starting from random
//! ones. The networks then solve the Lasso program on these patterns at every strength, as they do
//! on random ones.

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
use crate::train::tuning::{
    COMPARED, SEARCH_RANDOM, SEARCH_ROUNDS, SEARCH_STARTS, SEARCH_STEPS, SEARCH_STRENGTHS,
};
use crate::train::{Strength, Terms, Trainer};

/// The local search of each round, if a dictionary for these networks may take this much work;
/// `None` if that is too little for any.
pub(super) fn affordable(line_search: f64, networks: usize, work: f64) -> Option<LocalSearch> {
    let rounds = (SEARCH_STRENGTHS.len() * SEARCH_ROUNDS * networks) as f64;
    // Every round climbs from as many neurons in use as from random starts.
    let climbs = work / (2.0 * rounds * line_search);
    let starts = (climbs / SEARCH_STEPS.1).clamp(SEARCH_STARTS.0, SEARCH_STARTS.1);
    let steps = (climbs / starts).min(SEARCH_STEPS.1);
    let keep = 4 * starts as usize;
    (steps >= SEARCH_STEPS.0).then_some(LocalSearch {
        starts: starts as usize,
        steps: steps as usize,
        keep,
    })
}

impl Chooser<'_> {
    /// The dictionary that a search finds for the networks of these problems.
    pub(super) fn searched(
        &self,
        sets: &[Dataset],
        search: LocalSearch,
        seed: u64,
        budget: Budget<'_>,
    ) -> Result<Dictionary, Error> {
        let Trainer { terms: Terms { bias, standardize, .. }, loss, .. } = self.trainer;
        let data = &sets[0];
        let arrangement = recipe::arrangement(data, bias);
        let scaling = recipe::scaling(data, bias, standardize);
        let prover = Prover::new(arrangement, None, 0)?;
        let search = Some(search);
        let neurons = Neurons { arrangement, scaling: &scaling, prover: &prover, search };
        let reads = &self.candidate.reads;
        let random =
            arrangement.sample_mixed(SEARCH_RANDOM, reads, &scaling, &mut recipe::rng(seed));
        let targets = sets.par_iter().filter(|data| constant(loss, data.targets()).is_none());
        let found = targets.map(|data| self.search_for(data, &neurons, &random, (seed, budget)));
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
        (seed, budget): (u64, Budget<'_>),
    ) -> Result<Vec<Priced>, Error> {
        let most = self.trainer.lasso(&random.patterns, data)?.beta_max();
        let mut patterns = not_priced(random.clone());
        if most == 0.0 {
            return Ok(patterns);
        }
        let generation = Generation {
            source: neurons,
            tolerance: COMPARED,
            rounds: SEARCH_ROUNDS,
            prune: 0.0,
            seed,
            budget: Budget { progress: None, ..budget },
        };
        for ratio in SEARCH_STRENGTHS {
            let problem = self.trainer.problem(data, Strength::Ratio(ratio).beta(most)?);
            patterns = not_priced(generation.solve(&problem, patterns).dictionary);
        }
        Ok(patterns)
    }
}
