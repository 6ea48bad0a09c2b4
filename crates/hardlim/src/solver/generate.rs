//! Generation: the Lasso program over all of `H(X)`, whose columns are found when they are needed.
//!
//! The optimum over a dictionary is the optimum over `H(X)` exactly when one of its dual points
//! satisfies `|dᵀz| ≤ β` for every pattern; for a smooth loss there is only one. We search for
//! patterns that violate this ([`crate::pricing`]) and add them, until there are none. At every
//! moment we have coefficients with their objective, and the best lower bound proven so far. This
//! is column generation, as Bengio et al. (2005) and Bach (2017) use it for convex neural networks.

use std::collections::HashSet;

use super::fewer::prune;
use super::tuning::{HARDER, IDLE_ROUNDS, LAST_PROOF, LOOSE, PROOF_EVERY, QUICK, WIDE};
use super::{ActiveSet, Budget, Progress, Solution, Source, StopReason, Work};
use crate::arrangement::{Dictionary, Hyperplane, Signs, Subnetwork};
use crate::certificate::{Ask, Bound, Certificate, DualPoint, Price, Problem};
use crate::loss::Loss;
use crate::pattern::{Pattern, PatternMatrix};
use crate::pricing::Priced;
use crate::program::LassoProgram;

/// Where and how to search for patterns.
#[derive(Debug)]
pub(crate) struct Generation<'a, S> {
    pub(crate) source: &'a S,
    pub(crate) tolerance: f64,
    pub(crate) rounds: usize,
    /// How much the objective may rise when neurons are pruned, as a fraction of it. It never rises
    /// by more than a tenth of the relative gap.
    pub(crate) prune: f64,
    pub(crate) seed: u64,
    /// How long it may take. Progress is reported once per round.
    pub(crate) budget: Budget<'a>,
}

/// What generation found.
#[derive(Debug, Clone)]
pub(crate) struct Generated<W = Hyperplane> {
    /// The patterns at the end, and the weights behind them.
    pub(crate) dictionary: Dictionary<W>,
    /// `w`, one number for each pattern.
    pub(crate) coefficients: Vec<f64>,
    /// `c`, the output bias; zero unless the program has one.
    pub(crate) offset: f64,
    /// The dual point of the last program that was solved.
    pub(crate) last: DualPoint,
    /// The dual point of the best lower bound.
    pub(crate) dual: DualPoint,
    /// `U ≥ max |dᵀz|` over the scope, for that point.
    pub(crate) price: Price,
    /// What is proven about the coefficients, over all patterns in scope.
    pub(crate) certificate: Certificate,
    pub(crate) stop: StopReason,
    pub(crate) rounds: usize,
}

impl<W: Clone + Into<Subnetwork>> Generated<W> {
    /// The same, with neurons as subnetworks.
    pub(crate) fn as_subnetworks(&self) -> Generated<Subnetwork> {
        let Dictionary { patterns, witnesses } = &self.dictionary;
        let witnesses = witnesses.iter().cloned().map(Into::into).collect();
        Generated {
            dictionary: Dictionary { patterns: patterns.clone(), witnesses },
            coefficients: self.coefficients.clone(),
            offset: self.offset,
            last: self.last.clone(),
            dual: self.dual.clone(),
            price: self.price,
            certificate: self.certificate.clone(),
            stop: self.stop,
            rounds: self.rounds,
        }
    }
}

impl<S: Source> Generation<'_, S> {
    /// Finds the optimum over all patterns in scope, up to the gap in its certificate, starting
    /// from these patterns.
    pub(crate) fn solve<L: Loss>(
        &self,
        problem: &Problem<'_, L>,
        start: Vec<Priced<S::Witness>>,
    ) -> Generated<S::Witness> {
        let mut state = State::new(self, problem, start);
        loop {
            state.solve_program();
            state.tell();
            if let Some(stop) = state.reason_to_stop() {
                return state.finish(stop);
            }
            let found = state.violators();
            if let Some(stop) = state.reason_to_stop() {
                return state.finish(stop);
            }
            state.admit(found);
            state.retire();
            state.round += 1;
        }
    }
}

struct State<'a, L, S: Source> {
    method: &'a Generation<'a, S>,
    problem: &'a Problem<'a, L>,
    dictionary: Dictionary<S::Witness>,
    /// The signs that the weight of each pattern may have.
    signs: Vec<Signs>,
    known: HashSet<(Pattern, Signs)>,
    /// Rounds since each pattern was last in use.
    idle: Vec<u32>,
    coefficients: Vec<f64>,
    offset: f64,
    objective: f64,
    /// The dual point of the program over the dictionary.
    dual: DualPoint,
    /// The best lower bound so far.
    proven: Proven,
    /// The largest relative violation that the last search found.
    violation: f64,
    round: usize,
    in_vain: usize,
    /// Whether the last proof that was due would have taken longer than there was time.
    unproven: bool,
    /// Whether a proof was cut short, so that the next would be, too.
    slow: bool,
    /// The round of the last proof, and the work done until then.
    last_proof: (usize, u64),
    work: Work<'a>,
    /// The budget of the search: without the time for the last proof.
    budget: Budget<'a>,
}

/// A lower bound and what proves it.
struct Proven {
    dual: DualPoint,
    price: Price,
    lower_bound: f64,
}

impl<'a, L: Loss, S: Source> State<'a, L, S> {
    fn new(
        method: &'a Generation<'a, S>,
        problem: &'a Problem<'a, L>,
        start: Vec<Priced<S::Witness>>,
    ) -> Self {
        let rows = problem.targets.rows();
        let (budget, cost) = (method.budget, method.source.cost());
        let reserved = cost.filter(|cost| *cost <= LAST_PROOF * budget.left()).unwrap_or(0.0);
        let (dual, price) = problem.complete_dual();
        let lower_bound = problem.lower_bound(&dual, price.value);
        let mut state = Self {
            method,
            problem,
            dictionary: Dictionary { patterns: PatternMatrix::new(rows), witnesses: Vec::new() },
            signs: Vec::new(),
            known: HashSet::new(),
            idle: Vec::new(),
            coefficients: Vec::new(),
            offset: 0.0,
            objective: problem.objective(&vec![0.0; rows], std::iter::empty()),
            dual: DualPoint::new(vec![0.0; rows]),
            proven: Proven { dual, price, lower_bound },
            violation: 1.0,
            round: 0,
            in_vain: 0,
            unproven: false,
            slow: false,
            last_proof: (0, 0),
            work: Work::part_of(&budget),
            budget: budget.without(reserved),
        };
        state.admit(start);
        state
    }

    /// Finds the optimum over the dictionary, starting from the present coefficients. The further
    /// the dual point is from being feasible, the less the last digits matter.
    fn solve_program(&mut self) {
        let Problem { targets, loss, beta, constraints } = *self.problem;
        let least = (0.1 * self.method.tolerance).min(LOOSE);
        let tolerance = (0.01 * self.violation).clamp(least, LOOSE);
        // The first network is worth the time even if that is up.
        let first = self.coefficients.iter().all(|w| *w == 0.0);
        let budget = if first { self.budget.for_the_end() } else { self.budget };
        let solver = ActiveSet {
            tolerance: tolerance.max(1e-12),
            budget: Budget { progress: None, work: Some(&self.work), ..budget },
            ..ActiveSet::default()
        };
        let patterns = &self.dictionary.patterns;
        let program =
            LassoProgram::new(patterns, targets, loss, beta).expect("a row for each target");
        let program = program.with_constraints(constraints).with_signs(Some(&self.signs));
        let solution = solver.solve_from(&program, &self.coefficients, self.offset);
        let Solution { coefficients, offset, dual, certificate, .. } = solution;
        if certificate.objective() <= self.objective {
            (self.coefficients, self.offset) = (coefficients, offset);
            self.objective = certificate.objective();
        }
        self.dual = dual;
        for (idle, w) in self.idle.iter_mut().zip(&self.coefficients) {
            *idle = if *w == 0.0 { *idle + 1 } else { 0 };
        }
    }

    /// The patterns outside the dictionary that violate the dual constraint, the worst first.
    fn violators(&mut self) -> Vec<Priced<S::Witness>> {
        let Generation { tolerance, source, .. } = *self.method;
        let beta = self.problem.beta.get();
        let threshold = beta * (1.0 + (0.1 * tolerance).max(1e-12));
        let mut found = self.search(threshold);
        let constraints = self.problem.constraints;
        let known = &self.known;
        let key = |p: &Priced<_>| (p.pattern.clone(), source.signs(&p.hyperplane));
        let price =
            |p: &Priced<_>| constraints.signs().and(source.signs(&p.hyperplane)).price(p.value);
        let violates = |p: &Priced<_>| price(p) > threshold && !known.contains(&key(p));
        let met = found.clone();
        found.retain(violates);
        self.in_vain = if found.is_empty() { self.in_vain + 1 } else { 0 };
        let (last, before) = self.last_proof;
        let cost = source.cost().unwrap_or(0.0);
        // While patterns are found, proofs take no more work than everything else.
        let worth = (self.work.done() - before) as f64 >= cost;
        let due = found.is_empty() || (self.round >= last + PROOF_EVERY && worth);
        // It may take longer than expected, but not all of the time.
        let most = self.method.budget.part(LAST_PROOF);
        let (stop, before) = (most.watching(|| source.work()), source.work());
        // A proof that leaves a tenth of a wide gap open is cheaper. Otherwise it starts from β, as
        // the check of the certificate does.
        let least = if tolerance >= WIDE { threshold } else { beta };
        let ask = Ask { known: &met, threshold: least, keep: source.keep() };
        self.unproven = due && (self.slow || cost > self.method.budget.left());
        let proof = if due && !self.unproven {
            source.prove(&self.dual, constraints, ask, &stop)
        } else {
            None
        };
        if let Some(proof) = proof {
            self.count(most.taken(before, source.work(), source.cost().unwrap_or(cost)));
            found.extend(proof.found.into_iter().filter(violates));
            let mut seen = HashSet::new();
            found.retain(|p| seen.insert(key(p)));
            if !found.is_empty() {
                self.in_vain = 0;
            }
            self.last_proof = (self.round, self.work.done());
            self.slow |= proof.price.bound == Bound::Complete;
            self.prove(proof.price);
        }
        let worst = found.iter().map(price).fold(beta, f64::max);
        self.violation = worst / beta - 1.0;
        found
    }

    /// The local search of this round. It works harder after every search in vain.
    fn search(&self, threshold: f64) -> Vec<Priced<S::Witness>> {
        let Generation { source, seed, .. } = self.method;
        let starts = source.around(self.in_vain);
        let mut used: Vec<usize> =
            (0..self.coefficients.len()).filter(|&j| self.coefficients[j] != 0.0).collect();
        // Every round starts from other neurons in use.
        let skip = (self.round * starts) % used.len().max(1);
        used.rotate_left(skip);
        let from: Vec<S::Witness> =
            used.iter().take(starts).map(|&j| self.dictionary.witnesses[j].clone()).collect();
        let round = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(self.round as u64);
        let budget = Budget { work: Some(&self.work), ..self.budget };
        source.search((self.dual.values(), threshold), &from, self.in_vain, round, &budget)
    }

    fn count(&self, steps: f64) {
        Budget { work: Some(&self.work), ..self.budget }.count(steps as usize);
    }

    /// Keeps the lower bound of the present dual point if it is the best so far.
    fn prove(&mut self, price: Price) {
        let lower_bound = self.problem.lower_bound(&self.dual, price.value);
        if lower_bound > self.proven.lower_bound && price.bound != Bound::Complete {
            self.proven = Proven { dual: self.dual.clone(), price, lower_bound };
        }
    }

    fn admit(&mut self, found: Vec<Priced<S::Witness>>) {
        for Priced { hyperplane, pattern, .. } in found {
            let signs = self.method.source.signs(&hyperplane);
            if self.known.insert((pattern.clone(), signs)) {
                self.signs.push(signs);
                self.dictionary.patterns.push(&pattern);
                self.dictionary.witnesses.push(hyperplane);
                self.coefficients.push(0.0);
                self.idle.push(0);
            }
        }
    }

    /// Drops patterns that have not been in use for some rounds.
    fn retire(&mut self) {
        let keep: Vec<usize> =
            (0..self.idle.len()).filter(|&j| self.idle[j] <= IDLE_ROUNDS).collect();
        if keep.len() == self.idle.len() {
            return;
        }
        let Dictionary { patterns, witnesses } = &mut self.dictionary;
        *patterns = patterns.select(&keep);
        *witnesses = keep.iter().map(|&j| witnesses[j].clone()).collect();
        self.coefficients = keep.iter().map(|&j| self.coefficients[j]).collect();
        self.idle = keep.iter().map(|&j| self.idle[j]).collect();
        self.signs = keep.iter().map(|&j| self.signs[j]).collect();
        self.known = (0..keep.len()).map(|j| (patterns.pattern(j), self.signs[j])).collect();
    }

    fn certificate(&self) -> Certificate {
        let Proven { dual, price, .. } = &self.proven;
        let class = self.method.source.class();
        Certificate::measure(self.problem, self.objective, dual, *price, &class)
    }

    fn tell(&self) {
        self.method.budget.tell(&Progress {
            round: self.round,
            patterns: self.idle.len(),
            neurons: self.coefficients.iter().filter(|w| **w != 0.0).count(),
            objective: self.objective,
            lower_bound: self.proven.lower_bound,
        });
    }

    fn reason_to_stop(&self) -> Option<StopReason> {
        if self.certificate().relative_gap() <= self.method.tolerance {
            return Some(StopReason::GapReached);
        }
        // Only a proof could find more, and there is no time for one.
        let only_proofs = self.unproven && self.method.source.around(0) == 0;
        if self.in_vain >= HARDER || only_proofs {
            let limit = self.budget.limit().filter(|_| self.unproven);
            return Some(limit.unwrap_or(StopReason::Standstill(self.round)));
        }
        let last = self.round >= self.method.rounds;
        if last { Some(StopReason::RoundLimit(self.round)) } else { self.budget.spent() }
    }

    /// Proves the bound of the last dual point, unless that takes longer than there is time.
    fn prove_last(&mut self, stop: StopReason) {
        let Generation { source, budget, .. } = self.method;
        let cost = source.cost().unwrap_or(0.0);
        if stop != StopReason::GapReached && !self.slow && cost <= budget.left().max(QUICK) {
            let (constraints, ask) = (self.problem.constraints, Ask::beyond(self.problem.beta));
            let budget = budget.for_the_rest();
            let (stop, before) = (budget.watching(|| source.work()), source.work());
            if let Some(proof) = source.prove(&self.dual, constraints, ask, &stop) {
                self.count(budget.taken(before, source.work(), source.cost().unwrap_or(cost)));
                self.prove(proof.price);
            }
        }
    }

    /// Removes the neurons that matter least, if the objective rises by much less than the gap.
    fn prune(&mut self) {
        let Problem { targets, loss, beta, constraints } = *self.problem;
        let part = self.method.prune.min(0.1 * self.certificate().relative_gap());
        if part <= self.method.tolerance {
            return;
        }
        let patterns = &self.dictionary.patterns;
        let program =
            LassoProgram::new(patterns, targets, loss, beta).expect("a row for each target");
        let program = program.with_constraints(constraints).with_signs(Some(&self.signs));
        // This takes little time and is worth it, even after an interrupt.
        let budget = self.method.budget.for_the_rest();
        let budget = Budget { progress: None, work: Some(&self.work), ..budget };
        let solver = ActiveSet { tolerance: 0.01 * part, budget, ..ActiveSet::default() };
        let coefficients = std::mem::take(&mut self.coefficients);
        let limit = self.objective * (1.0 + part);
        let (coefficients, offset, objective) =
            prune(&program, &solver, coefficients, self.offset, limit);
        (self.coefficients, self.offset) = (coefficients, offset);
        self.objective = objective.unwrap_or(self.objective);
    }

    fn finish(mut self, stop: StopReason) -> Generated<S::Witness> {
        if self.coefficients.iter().all(|w| *w == 0.0) && stop != StopReason::GapReached {
            self.solve_program();
        }
        self.prove_last(stop);
        self.prune();
        self.tell();
        let certificate = self.certificate();
        let Proven { dual, price, .. } = self.proven;
        Generated {
            dictionary: self.dictionary,
            coefficients: self.coefficients,
            offset: self.offset,
            last: self.dual,
            dual,
            price,
            certificate,
            stop,
            rounds: self.round,
        }
    }
}
