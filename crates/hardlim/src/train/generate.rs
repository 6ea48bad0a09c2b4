//! The Lasso program over all of `H(X)`, by generating patterns.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::classes::Shared;
use super::sample::used;
use super::{Proposal, Relaxation, Trainer};
use crate::arrangement::{Arrangement, Dictionary, Hyperplane, evaluate};
use crate::certificate::{Ask, Bound, DualPoint, Problem, Proof};
use crate::data::{Dataset, Features, Scaling};
use crate::error::Error;
use crate::loss::LossKind;
use crate::network::Cell;
use crate::network::recipe::{self, MOST_EFFORT, Recipe};
use crate::pattern::PatternMatrix;
use crate::pricing::{LocalSearch, Priced, Prover};
use crate::program::Beta;
use crate::solver::{Budget, Generated, Generation, Neurons, Progress, StopReason};

/// The most elementary steps of the local search in a round: at most a second of one core.
pub(super) const ROUND: f64 = 1e9;
/// The elementary steps of a training without a stopping rule: some seconds.
pub(super) const WORK: f64 = 6e9;
/// The fraction of the time after which a search for a bound begins, if no exact search is possible.
const PROOF_BEGINS: f64 = 0.7;
/// The fraction of the time after which its result is checked.
const PROOF_ENDS: f64 = 0.9;
/// The relative gap at each strength of a path over neurons of few inputs.
const PROVEN_ON_A_PATH: f64 = 1e-3;
/// The rounds at each strength of other paths.
pub(super) const ROUNDS_ON_A_PATH: usize = 4;

impl Trainer<'_> {
    pub(super) fn propose_generated(
        &self,
        data: &Dataset,
        shared: &Shared,
    ) -> Result<Proposal, Error> {
        let begun = Instant::now();
        let ground = self.ground(data)?;
        let neurons = ground.neurons();
        let mut first = self.first_patterns(data, &ground)?;
        first.patterns.extend_from_slice(shared.patterns());
        let beta = self.strength.beta(first.beta_max)?;
        let problem = self.problem(data, beta);
        let runs: Vec<Generated> = (0..self.average)
            .map(|run| {
                let generation = Generation {
                    rounds: self.rounds.unwrap_or_else(|| default_rounds(data, &ground)),
                    seed: self.seed.wrapping_add(run as u64),
                    budget: self.share(run, begun, &ground.prover),
                    ..self.generation(&neurons)
                };
                generation.solve(&problem, first.patterns.clone())
            })
            .collect();
        let best = |run: &&Generated| run.certificate.lower_bound();
        let best = runs.iter().max_by(|a, b| best(a).total_cmp(&best(b))).expect("at least one");
        let (mut dual, mut price) = (best.dual.clone(), best.price);
        if let Some((point, proof)) = self.search_for_proof(&problem, &ground, best, begun) {
            let lower_bound = problem.lower_bound(&point, proof.price.value);
            if lower_bound > problem.lower_bound(&dual, price.value) {
                (dual, price) = (point, proof.price);
                self.budget.tell(&Progress {
                    round: best.rounds,
                    patterns: best.dictionary.len(),
                    neurons: best.coefficients.iter().filter(|w| **w != 0.0).count(),
                    objective: best.certificate.objective(),
                    lower_bound,
                });
            }
        }
        let (cells, amplitudes) = mean(&runs);
        Ok(Proposal {
            cells,
            amplitudes,
            offset: runs.iter().map(|run| run.offset).sum::<f64>() / runs.len() as f64,
            dual,
            price,
            recipe: Recipe::Generate {
                max_inputs: self.max_inputs,
                effort: self.effort.min(MOST_EFFORT),
                widths: Vec::new(),
            },
            beta,
            beta_max: first.beta_max,
            beta_max_exact: first.exact,
            patterns: runs.iter().map(|run| run.dictionary.len()).sum(),
            stop: runs
                .iter()
                .map(|r| r.stop)
                .find(|s| *s != StopReason::GapReached)
                .unwrap_or(best.stop),
        })
    }

    /// The bound of a search, if no exact search is possible. It uses the dual point that suits the search
    /// best, or the last one.
    fn search_for_proof(
        &self,
        problem: &Problem<'_, LossKind>,
        ground: &Ground<'_>,
        run: &Generated,
        begun: Instant,
    ) -> Option<(DualPoint, Proof)> {
        let Ground { arrangement, prover, .. } = ground;
        let interrupted = || self.budget.spent() == Some(StopReason::Interrupted);
        let enough = run.certificate.relative_gap() <= self.tolerance;
        if prover.is_exact() || !self.prove || enough || interrupted() {
            return None;
        }
        let dual = match prover.blocks() {
            Some((blocks, nodes)) => {
                let budget = Budget { progress: None, ..self.until(begun, PROOF_ENDS) };
                Relaxation { arrangement: *arrangement, blocks, nodes }.solve(problem, &budget)
            }
            None => run.last.clone(),
        };
        // Checking may take up to half of the time limit in addition: a proof that was cut short could
        // not be repeated from its effort.
        let late = self.budget.deadline.map(|(end, limit)| end + limit / 2);
        let cut_short = AtomicBool::new(false);
        let stop = || {
            let stop = interrupted() || late.is_some_and(|late| Instant::now() >= late);
            cut_short.fetch_or(stop, Ordering::Relaxed);
            stop
        };
        let ask = Ask::beyond(problem.beta);
        let proof = Proof::of(&dual, prover, problem.constraints, ask, &stop);
        let whole = !cut_short.load(Ordering::Relaxed) && proof.price.bound != Bound::Complete;
        whole.then_some((dual, proof))
    }

    /// The budget that ends after this fraction of the time, counted from `begun`.
    pub(super) fn until(&self, begun: Instant, part: f64) -> Budget<'_> {
        let deadline = self.budget.deadline.map(|(end, limit)| {
            (begun + end.saturating_duration_since(begun).mul_f64(part), limit)
        });
        Budget { deadline, ..self.budget }
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
            let Dictionary { patterns: known, witnesses } = found.dictionary;
            patterns = priced(&known, witnesses).collect();
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
        let seed = self.seed;
        let mut patterns =
            search.map_or(Vec::new(), |s| s.search(arrangement, scaling, z.values(), &[], seed));
        let value = |p: &Priced| self.constraints.price(p.value);
        let mut beta_max = patterns.iter().map(value).fold(0.0, f64::max);
        let mut exact = false;
        if prover.is_exact() {
            let stop = || self.budget.spent().is_some();
            let keep = LocalSearch::default().keep;
            let ask = Ask { known: &patterns, threshold: 0.0, keep };
            let proof = Proof::of(&z, prover, self.constraints, ask, &stop);
            beta_max = proof.price.value;
            patterns = proof.found;
            exact = program.beta_max_is_exact() && proof.price.bound == Bound::Exact;
        }
        Ok(First { patterns, beta_max, exact })
    }

    /// The share of the time for this run, if several networks are averaged.
    fn share(&self, run: usize, begun: Instant, prover: &Prover<'_>) -> Budget<'_> {
        let part = if self.prove && !prover.is_exact() { PROOF_BEGINS } else { 1.0 };
        let Some((end, limit)) = self.until(begun, part).deadline else { return self.budget };
        let now = Instant::now();
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
    arrangement: Arrangement<'a>,
    scaling: Scaling,
    prover: Prover<'a>,
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
    let (n, d) = (data.distinct() as f64, data.dimension() as f64);
    n * (d + n.max(2.0).log2())
}

/// The rounds that take about [`WORK`] steps; this depends on the data alone, too.
fn default_rounds(data: &Dataset, ground: &Ground<'_>) -> usize {
    let searches = ground.search.map_or(0.0, |s| (2 * s.starts * s.steps) as f64);
    let round = searches * line_search(data) + ground.prover.cost();
    (WORK / round).clamp(10.0, 1000.0) as usize
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
