//! The Lasso program over all of `H(X)`, by generating patterns.

use std::ops::ControlFlow;
use std::time::Instant;

use super::classes::Shared;
use super::folds::shared_out;
use super::listed::{drawing, in_use, used};
use super::proof::{ProofSearch, Proven};
use super::tuning::{
    EXACT_STRENGTH, FALLBACK, FIRST_SEARCH, MOST_ROUNDS, PROOF_BEGINS, PROVEN_ON_A_PATH, ROUND,
    ROUNDS_ON_A_PATH,
};
use super::{Proposal, Strength, Trainer, Units, first_short};
use crate::arrangement::{Arrangement, Dictionary, Reads, Subnetwork};
use crate::certificate::{Ask, Bound, Proof};
use crate::data::{Dataset, Features, Scaling};
use crate::error::Error;
use crate::network::Cell;
use crate::network::recipe::{self, MOST_EFFORT, Recipe};
use crate::pattern::PatternMatrix;
use crate::pricing::{LocalSearch, Priced, Prover, line_search};
use crate::program::Beta;
use crate::solver::{Budget, Generated, Generation, Neurons, Rules, Source, climb};

impl Trainer<'_> {
    pub(super) fn propose_generated(
        &self,
        data: &Dataset,
        shared: &Shared,
    ) -> Result<Proposal, Error> {
        let begun = self.budget.now();
        let ground = self.ground(data)?;
        let neurons = ground.neurons();
        let (mut first, beta_max, beta_max_exact) = self.first_patterns(data, &ground)?;
        first.extend_from_slice(&shared.patterns);
        let beta = self.strength.beta(beta_max)?;
        let problem = self.problem(data, beta);
        let run = |run| {
            let generation = Generation {
                rounds: self.most_rounds(),
                seed: self.seed.wrapping_add(run as u64),
                budget: self.share(run, begun, &ground.prover),
                ..self.generation(&neurons)
            };
            generation.solve(&problem, first.clone())
        };
        let runs: Vec<Generated> = (0..self.average()).map(run).collect();
        let best = |run: &&Generated| run.certificate.lower_bound();
        let best = runs.iter().max_by(|a, b| best(a).total_cmp(&best(b))).expect("at least one");
        let search = ProofSearch { trainer: self, problem: &problem, ground: &ground, run: best };
        let Proven { dual, price, effort, .. } = search.best();
        let (cells, amplitudes) = mean(&runs);
        Ok(Proposal {
            units: Units::Cells(cells),
            amplitudes,
            offset: runs.iter().map(|run| run.offset).sum::<f64>() / runs.len() as f64,
            dual,
            price,
            recipe: Recipe::Generate {
                max_inputs: self.terms.max_inputs,
                effort,
                widths: Vec::new(),
                policy: self.policy.of_one_condition(),
            },
            beta,
            beta_max,
            beta_max_exact,
            patterns: runs.iter().map(|run| run.dictionary.len()).sum(),
            proof: ground.prover.is_exact().then(|| ground.prover.cost()),
            stop: first_short(runs.iter().map(|run| run.stop)),
        })
    }

    /// Networks at each of the strengths that `β_max` gives. Patterns are generated starting from
    /// those of the strength before, and from those that were found on other rows at this strength.
    /// With a limit on the inputs, every network is proven to [`PROVEN_ON_A_PATH`] or to the
    /// tolerance; otherwise there are only a few rounds for each. `visit` may end the path.
    pub(super) fn generate_path(
        &self,
        data: &Dataset,
        betas: impl FnOnce(f64) -> Result<Vec<Beta>, Error>,
        others: &[Vec<Subnetwork>],
        visit: impl FnMut(Beta, &Generated<Subnetwork>) -> ControlFlow<()>,
    ) -> Result<(f64, bool), Error> {
        if self.has_two_conditions() {
            let corners = self.corners(data);
            let source = Rules { corners: &corners };
            let first = self.first_rules(data, source)?;
            let given = (betas, others, usize::MAX);
            return self.path_over(data, &source, first, given, visit);
        }
        let mut ground = self.ground(data)?;
        if let Some(search) = &mut ground.search {
            search.starts = (search.starts / 4).max(2);
        }
        let first = self.first_patterns(data, &ground)?;
        let proven = ground.prover.is_exact() && self.terms.max_inputs.is_some();
        let rounds = if proven { usize::MAX } else { ROUNDS_ON_A_PATH };
        self.path_over(data, &ground.neurons(), first, (betas, others, rounds), visit)
    }

    /// The same over one source, given its first patterns, and how many rounds there are at every
    /// strength.
    fn path_over<S>(
        &self,
        data: &Dataset,
        source: &S,
        (mut patterns, beta_max, exact): (Vec<Priced<S::Witness>>, f64, bool),
        (betas, others, rounds): (
            impl FnOnce(f64) -> Result<Vec<Beta>, Error>,
            &[Vec<Subnetwork>],
            usize,
        ),
        mut visit: impl FnMut(Beta, &Generated<Subnetwork>) -> ControlFlow<()>,
    ) -> Result<(f64, bool), Error>
    where
        S: Source<Witness: Into<Subnetwork> + TryFrom<Subnetwork>>,
    {
        for (k, beta) in betas(beta_max)?.into_iter().enumerate() {
            let generation = Generation {
                rounds: self.limits.rounds.unwrap_or(rounds),
                ..self.generation(source)
            };
            if let Some(witnesses) = others.get(k) {
                let answers = recipe::arrangement(data, self.terms.bias).answers(witnesses);
                let known = witnesses.iter().cloned().zip(answers);
                patterns.extend(known.filter_map(|(witness, pattern)| {
                    let hyperplane = witness.try_into().ok()?;
                    Some(Priced { hyperplane, pattern, value: 0.0 })
                }));
            }
            let problem = self.problem(data, beta);
            let found = generation.solve(&problem, patterns);
            if visit(beta, &found.as_subnetworks()).is_break() {
                break;
            }
            patterns = not_priced(found.dictionary);
        }
        Ok((beta_max, exact))
    }

    /// The gap at which networks on a path, or on a fold, are good enough to compare.
    pub(super) fn compared(&self) -> f64 {
        self.tolerance.max(if self.terms.max_inputs.is_some() { PROVEN_ON_A_PATH } else { 1e-4 })
    }

    pub(super) fn beta_max_generated(&self, data: &Dataset) -> Result<f64, Error> {
        if self.has_two_conditions() {
            let corners = self.corners(data);
            return Ok(self.first_rules(data, Rules { corners: &corners })?.1);
        }
        Ok(self.first_patterns(data, &self.ground(data)?)?.1)
    }

    pub(super) fn ground<'a>(&self, data: &'a Dataset) -> Result<Ground<'a>, Error> {
        let arrangement = recipe::arrangement(data, self.terms.bias);
        let (max_inputs, effort) = (self.terms.max_inputs, self.effort.min(MOST_EFFORT));
        Ok(Ground {
            arrangement,
            scaling: recipe::scaling(data, self.terms.bias, self.terms.standardize),
            prover: Prover::within(arrangement, max_inputs, effort, self.policy)?,
            search: self.terms.max_inputs.is_none().then(|| affordable_search(data)),
        })
    }

    /// The most rounds of generation: without a gap to reach or a time to stop at, there is a
    /// limit.
    pub(super) fn most_rounds(&self) -> usize {
        let ends = self.proves() || self.budget.deadline.is_some();
        self.limits.rounds.unwrap_or(if ends { usize::MAX } else { MOST_ROUNDS })
    }

    /// Generation from this source, without a limit on rounds.
    pub(super) fn generation<'a, S>(&'a self, source: &'a S) -> Generation<'a, S> {
        Generation {
            source,
            tolerance: self.tolerance,
            rounds: usize::MAX,
            prune: self.limits.prune,
            seed: self.seed,
            budget: self.budget,
        }
    }

    /// The patterns with the largest price at the zero network, `β_max`, and whether it is exact.
    fn first_patterns(
        &self,
        data: &Dataset,
        ground: &Ground<'_>,
    ) -> Result<(Vec<Priced>, f64, bool), Error> {
        let Ground { arrangement, scaling, prover, search } = ground;
        let nothing = PatternMatrix::new(data.distinct());
        let program = self.lasso(&nothing, data)?;
        let z = self.problem(data, program.beta()).dual_point(program.null_gradient());
        let budget = &self.budget;
        let mut patterns = search.map_or(Vec::new(), |search| {
            // The first search need not take more than a part of the time.
            let budget = budget.part(FIRST_SEARCH);
            climb(search, arrangement, scaling, z.values(), &[], self.seed, &budget)
        });
        let value = |p: &Priced| self.terms.constraints.price(p.value);
        let (mut beta_max, mut exact) = (patterns.iter().map(value).fold(0.0, f64::max), false);
        let (needed, otherwise) = EXACT_STRENGTH;
        let part = if matches!(self.strength, Strength::Ratio(_)) { needed } else { otherwise };
        if prover.is_exact() && prover.cost() <= part * budget.left() {
            // It may take longer than expected, but not all of the time.
            let most = budget.part(part);
            let (stop, before) = (most.watching(|| prover.work()), prover.work());
            let keep = LocalSearch::default().keep;
            let ask = Ask { known: &patterns, threshold: 0.0, keep };
            let proof = Proof::of(&z, prover, self.terms.constraints, ask, &stop);
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
        Ok((patterns, beta_max, exact))
    }

    /// Some random neurons in scope, if there is no time for a search.
    fn random_patterns(&self, ground: &Ground<'_>, z: &[f64]) -> Vec<Priced> {
        let Ground { arrangement, scaling, .. } = ground;
        let features = arrangement.features();
        let counts = vec![self.terms.max_inputs.unwrap_or_else(|| features.dimension()).max(1)];
        let reads = Reads { counts, decorrelated: false, groups: Vec::new() };
        let rng = &mut recipe::rng(self.seed);
        let each = drawing(features.rows(), features.dimension());
        let affordable = (FALLBACK.0 as f64).max(FIRST_SEARCH * self.budget.left() / each);
        let count = FALLBACK.1.min(affordable as usize);
        self.budget.count((count as f64 * each) as usize);
        let dictionary = arrangement.sample_mixed(count, &reads, scaling, rng);
        let values = dictionary.patterns.correlations(z);
        priced(dictionary, |j| values[j])
    }

    /// The share of the time for this run, if several networks are averaged.
    fn share(&self, run: usize, begun: Instant, prover: &Prover<'_>) -> Budget<'_> {
        let part = if self.proves() && !prover.is_exact() { PROOF_BEGINS } else { 1.0 };
        let budget = self.budget.part_since(begun, part);
        Budget { deadline: shared_out(budget, self.average() - run).deadline, ..self.budget }
    }
}

pub(super) fn answers(features: &Features, found: &Generated<Subnetwork>) -> Vec<f64> {
    let (used, amplitudes) = in_use(&found.dictionary.witnesses, &found.coefficients);
    let patterns = Arrangement::of(features).answers(&used);
    let patterns = PatternMatrix::from_patterns(features.rows(), &patterns);
    let mut output = patterns.combine(amplitudes.into_iter().enumerate());
    output.iter_mut().for_each(|u| *u += found.offset);
    output
}

/// Where patterns are searched and priced.
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

/// Patterns to start from. Their prices depend on the next dual point, which is not known yet.
pub(super) fn not_priced<W>(dictionary: Dictionary<W>) -> Vec<Priced<W>> {
    priced(dictionary, |_| 0.0)
}

fn priced<W>(dictionary: Dictionary<W>, value: impl Fn(usize) -> f64) -> Vec<Priced<W>> {
    let Dictionary { patterns, witnesses } = dictionary;
    let one =
        |(j, hyperplane)| Priced { hyperplane, pattern: patterns.pattern(j), value: value(j) };
    witnesses.into_iter().enumerate().map(one).collect()
}

/// A local search whose cost depends on the data alone, so that a seed gives the same result on
/// every machine.
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

pub(super) fn line_search(data: &Dataset) -> f64 {
    line_search::steps(data.distinct(), data.dimension())
}

/// The mean of several networks: all neurons of all networks, with amplitudes divided by the number
/// of networks. The objective is convex, so that of the mean is at most the mean of theirs.
fn mean(runs: &[Generated]) -> (Vec<Cell>, Vec<f64>) {
    let used = runs.iter().map(|run| {
        let Dictionary { patterns, witnesses } = &run.dictionary;
        used(patterns, witnesses, &run.coefficients)
    });
    let neurons = used.flat_map(|(cells, amplitudes)| cells.into_iter().zip(amplitudes));
    neurons.map(|(cell, a)| (cell, a / runs.len() as f64)).unzip()
}
