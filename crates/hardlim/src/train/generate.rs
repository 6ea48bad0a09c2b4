//! The Lasso program over all of `H(X)`, by generating patterns.

use std::ops::ControlFlow;
use std::time::Instant;

use super::classes::Shared;
use super::proof::{ProofSearch, Proven};
use super::sample::{drawing, used};
use super::tuning::ROUNDS_ON_A_PATH;
use super::{Proposal, Strength, Trainer};
use crate::arrangement::{Arrangement, Dictionary, Hyperplane, Reads, evaluate};
use crate::certificate::{Ask, Bound, Proof};
use crate::data::{Dataset, Features, Scaling};
use crate::error::Error;
use crate::network::Cell;
use crate::network::recipe::{self, MOST_EFFORT, Recipe};
use crate::pattern::PatternMatrix;
use crate::pricing::{LocalSearch, Priced, Prover, line_search};
use crate::program::Beta;
use crate::solver::{Budget, Generated, Generation, Neurons, StopReason, climb};

/// The most elementary steps of the local search in a round: at most a second of one core.
pub(super) const ROUND: f64 = 1e9;
/// The fraction of the time after which a search for a bound begins, if no exact search is possible.
const PROOF_BEGINS: f64 = 0.7;
/// The part of the time that the first search may take.
const FIRST: f64 = 0.2;
/// The part of the time that an exact `β_max` may take if the strength depends on it, and otherwise.
const EXACT_STRENGTH: (f64, f64) = (0.4, 0.1);
/// The random neurons to start from if there is no time for a search: the fewest and the most.
const FALLBACK: (usize, usize) = (64, 2000);
/// The most rounds of a network that is trained for its predictions.
const MOST_ROUNDS: usize = 1000;
/// The relative gap at each strength of a path over neurons of few inputs.
const PROVEN_ON_A_PATH: f64 = 1e-3;

impl Trainer<'_> {
    pub(super) fn propose_generated(
        &self,
        data: &Dataset,
        shared: &Shared,
    ) -> Result<Proposal, Error> {
        let begun = self.budget.now();
        let ground = self.ground(data)?;
        let neurons = ground.neurons();
        let mut first = self.first_patterns(data, &ground)?;
        first.patterns.extend_from_slice(shared.patterns());
        let beta = self.strength.beta(first.beta_max)?;
        let problem = self.problem(data, beta);
        let runs: Vec<Generated> = (0..self.average)
            .map(|run| {
                let generation = Generation {
                    rounds: self.most_rounds(),
                    seed: self.seed.wrapping_add(run as u64),
                    budget: self.share(run, begun, &ground.prover),
                    ..self.generation(&neurons)
                };
                generation.solve(&problem, first.patterns.clone())
            })
            .collect();
        let best = |run: &&Generated| run.certificate.lower_bound();
        let best = runs.iter().max_by(|a, b| best(a).total_cmp(&best(b))).expect("at least one");
        let search = ProofSearch { trainer: self, problem: &problem, ground: &ground, run: best };
        let Proven { dual, price, effort, .. } = search.best();
        let (cells, amplitudes) = mean(&runs);
        Ok(Proposal {
            cells,
            amplitudes,
            offset: runs.iter().map(|run| run.offset).sum::<f64>() / runs.len() as f64,
            dual,
            price,
            recipe: Recipe::Generate { max_inputs: self.max_inputs, effort, widths: Vec::new() },
            beta,
            beta_max: first.beta_max,
            beta_max_exact: first.exact,
            patterns: runs.iter().map(|run| run.dictionary.len()).sum(),
            proof: ground.prover.is_exact().then(|| ground.prover.cost()),
            stop: runs
                .iter()
                .map(|r| r.stop)
                .find(|s| *s != StopReason::GapReached)
                .unwrap_or(best.stop),
        })
    }

    /// Networks at each of the strengths that `β_max` gives. Patterns are generated starting from those of
    /// the strength before, and from those that were found on other rows at this strength. With a limit
    /// on the inputs, every network is proven to [`PROVEN_ON_A_PATH`] or to the tolerance; otherwise there
    /// are only a few rounds for each. `visit` may end the path.
    pub(super) fn generate_path(
        &self,
        data: &Dataset,
        betas: impl FnOnce(f64) -> Result<Vec<Beta>, Error>,
        others: &[Vec<Hyperplane>],
        mut visit: impl FnMut(Beta, &Generated) -> ControlFlow<()>,
    ) -> Result<(f64, bool), Error> {
        let mut ground = self.ground(data)?;
        let fewer =
            |search: LocalSearch| LocalSearch { starts: (search.starts / 4).max(2), ..search };
        ground.search = ground.search.map(fewer);
        let first = self.first_patterns(data, &ground)?;
        let neurons = ground.neurons();
        let proven = ground.prover.is_exact() && self.max_inputs.is_some();
        let rounds = if proven { usize::MAX } else { ROUNDS_ON_A_PATH };
        let mut patterns = first.patterns;
        for (k, beta) in betas(first.beta_max)?.into_iter().enumerate() {
            let generation =
                Generation { rounds: self.rounds.unwrap_or(rounds), ..self.generation(&neurons) };
            if let Some(witnesses) = others.get(k) {
                let answers = evaluate(data.features(), witnesses);
                patterns.extend(priced(&answers, witnesses.clone()));
            }
            let problem = self.problem(data, beta);
            let found = generation.solve(&problem, patterns);
            if visit(beta, &found).is_break() {
                break;
            }
            patterns = not_priced(found.dictionary);
        }
        Ok((first.beta_max, first.exact))
    }

    /// The gap at which networks on a path, or on a fold, are good enough to compare.
    pub(super) fn compared(&self) -> f64 {
        self.tolerance.max(if self.max_inputs.is_some() { PROVEN_ON_A_PATH } else { 1e-4 })
    }

    /// `β_max` over all patterns.
    pub(super) fn beta_max_generated(&self, data: &Dataset) -> Result<f64, Error> {
        Ok(self.first_patterns(data, &self.ground(data)?)?.beta_max)
    }

    /// What every search on the data needs.
    pub(super) fn ground<'a>(&self, data: &'a Dataset) -> Result<Ground<'a>, Error> {
        let arrangement = recipe::arrangement(data, self.bias);
        Ok(Ground {
            arrangement,
            scaling: recipe::scaling(data, self.bias, self.standardize),
            prover: Prover::new(arrangement, self.max_inputs, self.effort.min(MOST_EFFORT))?,
            search: self.max_inputs.is_none().then(|| affordable_search(data)),
        })
    }

    /// The most rounds of generation: without a gap to reach or a time to stop at, there is a limit.
    pub(super) fn most_rounds(&self) -> usize {
        let ends = self.prove || self.budget.deadline.is_some();
        self.rounds.unwrap_or(if ends { usize::MAX } else { MOST_ROUNDS })
    }

    /// Generation from this source, without a limit on rounds.
    pub(super) fn generation<'a, S>(&'a self, source: &'a S) -> Generation<'a, S> {
        Generation {
            source,
            tolerance: self.tolerance,
            rounds: usize::MAX,
            prune: self.prune,
            seed: self.seed,
            budget: self.budget,
        }
    }

    /// The patterns with the largest price at the zero network, and `β_max`.
    fn first_patterns(&self, data: &Dataset, ground: &Ground<'_>) -> Result<First, Error> {
        let Ground { arrangement, scaling, prover, search } = ground;
        let nothing = PatternMatrix::new(data.distinct());
        let program = self.lasso(&nothing, data)?;
        let z = self.problem(data, program.beta()).dual_point(program.null_gradient());
        let budget = &self.budget;
        let mut patterns = search.map_or(Vec::new(), |search| {
            // The first search need not take more than a part of the time.
            let budget = budget.part(FIRST);
            climb(search, arrangement, scaling, z.values(), &[], self.seed, &budget)
        });
        let value = |p: &Priced| self.constraints.price(p.value);
        let (mut beta_max, mut exact) = (patterns.iter().map(value).fold(0.0, f64::max), false);
        let part = match self.strength {
            Strength::Beta(_) => EXACT_STRENGTH.1,
            Strength::Ratio(_) => EXACT_STRENGTH.0,
        };
        if prover.is_exact() && prover.cost() <= part * budget.left() {
            // It may take longer than expected, but not all of the time.
            let most = budget.part(part);
            let (stop, before) = (most.watching(|| prover.work()), prover.work());
            let keep = LocalSearch::default().keep;
            let ask = Ask { known: &patterns, threshold: 0.0, keep };
            let proof = Proof::of(&z, prover, self.constraints, ask, &stop);
            budget.count(most.taken(before, prover.work(), prover.cost()) as usize);
            if proof.price.bound == Bound::Exact {
                beta_max = proof.price.value;
                patterns = proof.found;
                exact = program.beta_max_is_exact();
            }
        }
        if patterns.is_empty() {
            patterns = self.random_patterns(ground, z.values());
            beta_max = patterns.iter().map(value).fold(beta_max, f64::max);
        }
        Ok(First { patterns, beta_max, exact })
    }

    /// Some random neurons in scope, if there is no time for a search.
    fn random_patterns(&self, ground: &Ground<'_>, z: &[f64]) -> Vec<Priced> {
        let Ground { arrangement, scaling, .. } = ground;
        let features = arrangement.features();
        let counts = vec![self.max_inputs.unwrap_or_else(|| features.dimension()).max(1)];
        let reads = Reads { counts, decorrelated: false, groups: Vec::new() };
        let rng = &mut recipe::rng(self.seed);
        let each = drawing(features.rows(), features.dimension());
        let affordable = (FALLBACK.0 as f64).max(FIRST * self.budget.left() / each);
        let count = FALLBACK.1.min(affordable as usize);
        self.budget.count((count as f64 * each) as usize);
        let Dictionary { patterns, witnesses } =
            arrangement.sample_mixed(count, &reads, scaling, rng);
        let values = patterns.correlations(z);
        (witnesses.into_iter().enumerate())
            .map(|(j, hyperplane)| Priced {
                hyperplane,
                pattern: patterns.pattern(j),
                value: values[j],
            })
            .collect()
    }

    /// The share of the time for this run, if several networks are averaged.
    fn share(&self, run: usize, begun: Instant, prover: &Prover<'_>) -> Budget<'_> {
        let part = if self.prove && !prover.is_exact() { PROOF_BEGINS } else { 1.0 };
        let budget = self.budget.part_since(begun, part);
        let Some((end, limit)) = budget.deadline else { return self.budget };
        let now = budget.now();
        let left = end.saturating_duration_since(now) / (self.average - run) as u32;
        Budget { deadline: Some((now + left, limit)), ..self.budget }
    }
}

/// `f(x)` on rows whose features these are.
pub(super) fn answers(features: &Features, found: &Generated) -> Vec<f64> {
    let (used, amplitudes): (Vec<Hyperplane>, Vec<f64>) = in_use(found).unzip();
    let mut output = evaluate(features, &used).combine(amplitudes.into_iter().enumerate());
    output.iter_mut().for_each(|u| *u += found.offset);
    output
}

/// The neurons of a network with their amplitudes.
fn in_use(found: &Generated) -> impl Iterator<Item = (Hyperplane, f64)> + '_ {
    let neurons = found.dictionary.witnesses.iter().zip(&found.coefficients);
    neurons.filter(|(_, a)| **a != 0.0).map(|(w, a)| (w.clone(), *a))
}

/// Patterns to start from. Their prices depend on the next dual point, which is not known yet.
pub(super) fn priced(
    patterns: &PatternMatrix,
    witnesses: Vec<Hyperplane>,
) -> impl Iterator<Item = Priced> + '_ {
    let priced = |(j, hyperplane)| Priced { hyperplane, pattern: patterns.pattern(j), value: 0.0 };
    witnesses.into_iter().enumerate().map(priced)
}

/// The arrangement and the searches over it.
pub(super) struct Ground<'a> {
    pub(super) arrangement: Arrangement<'a>,
    scaling: Scaling,
    pub(super) prover: Prover<'a>,
    search: Option<LocalSearch>,
}

impl Ground<'_> {
    pub(super) fn neurons(&self) -> Neurons<'_> {
        let Self { arrangement, ref scaling, ref prover, search } = *self;
        Neurons { arrangement, scaling, prover, search }
    }
}

/// Where generation starts.
struct First {
    patterns: Vec<Priced>,
    beta_max: f64,
    exact: bool,
}

/// The patterns of a dictionary, to start from.
pub(super) fn not_priced(dictionary: Dictionary) -> Vec<Priced> {
    let Dictionary { patterns, witnesses } = dictionary;
    let one = |(j, hyperplane)| Priced { hyperplane, pattern: patterns.pattern(j), value: 0.0 };
    witnesses.into_iter().enumerate().map(one).collect()
}

/// A local search whose cost depends on the data alone, so that a seed gives the same result on every
/// machine.
fn affordable_search(data: &Dataset) -> LocalSearch {
    let LocalSearch { starts, steps, keep } = LocalSearch::default();
    // Half of the climbs start from neurons in use.
    let climbs = ROUND / line_search(data) / 2.0;
    let starts = (climbs / steps as f64).clamp(2.0, starts as f64);
    let steps = (climbs / starts).clamp(20.0, steps as f64);
    // Every climb ends at a pattern that the program may use.
    let keep = keep.max(4 * starts as usize);
    LocalSearch { starts: starts as usize, steps: steps as usize, keep }
}

/// About how many elementary steps one line search takes.
pub(super) fn line_search(data: &Dataset) -> f64 {
    line_search::steps(data.distinct(), data.dimension())
}

/// The mean of several networks: all neurons of all networks, with amplitudes divided by the number of
/// networks. The objective is convex, so that of the mean is at most the mean of theirs.
fn mean(runs: &[Generated]) -> (Vec<Cell>, Vec<f64>) {
    let neurons = runs.iter().flat_map(|run| {
        let (cells, amplitudes) = used(&run.dictionary, &run.coefficients);
        cells.into_iter().zip(amplitudes)
    });
    neurons.map(|(cell, a)| (cell, a / runs.len() as f64)).unzip()
}
