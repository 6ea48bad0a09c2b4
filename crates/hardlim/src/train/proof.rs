//! The search for a bound, if no exact search is possible, or none ended in time.
//!
//! A certificate stores the effort of its search in nodes, so that it can be checked again. So a
//! check that was cut short is worth nothing, and the effort has to fit into the time: a trial with
//! few nodes tells how many there may be. Without a time limit, the effort grows until the bound is
//! good enough or stands still.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Trainer;
use super::generate::Ground;
use super::relaxation::Relaxation;
use super::tuning::{
    PROOF_BLOCKS, PROOF_CHECK, PROOF_EFFORTS, PROOF_TRIAL, PROOF_TRIES, STANDSTILL, STILL,
};
use crate::certificate::{Ask, Bound, DualPoint, Price, Problem, Proof};
use crate::loss::LossKind;
use crate::network::recipe::MOST_EFFORT;
use crate::pricing::Prover;
use crate::solver::{Budget, Generated, Progress};

pub(super) struct Proven {
    pub(super) dual: DualPoint,
    pub(super) price: Price,
    /// The effort that the proof can be repeated with.
    pub(super) effort: u64,
    lower_bound: f64,
}

pub(super) struct ProofSearch<'a> {
    pub(super) trainer: &'a Trainer<'a>,
    pub(super) problem: &'a Problem<'a, LossKind>,
    pub(super) ground: &'a Ground<'a>,
    pub(super) run: &'a Generated,
}

impl ProofSearch<'_> {
    pub(super) fn best(&self) -> Proven {
        let Self { run, trainer, ground, .. } = self;
        let known = Proven {
            dual: run.dual.clone(),
            price: run.price,
            effort: trainer.effort.min(MOST_EFFORT),
            lower_bound: run.certificate.lower_bound(),
        };
        let unproven = !ground.prover.is_exact() || run.price.bound == Bound::Complete;
        let wanted = trainer.proves() && unproven && !self.is_enough(&known);
        match trainer.budget.deadline {
            _ if !wanted || trainer.budget.spent().is_some() => known,
            Some(_) => self.in_time(known),
            None => self.with_growing_effort(known),
        }
    }

    fn is_enough(&self, proven: &Proven) -> bool {
        self.gap(proven.lower_bound) <= self.trainer.tolerance * self.objective()
    }

    fn objective(&self) -> f64 {
        self.run.certificate.objective()
    }

    fn gap(&self, lower_bound: f64) -> f64 {
        self.objective() - lower_bound
    }

    /// The largest effort whose search is not exact.
    fn most(&self) -> u64 {
        let max_inputs = self.trainer.terms.max_inputs;
        let mut effort = self.trainer.effort.min(MOST_EFFORT);
        let exact = |effort: u64| {
            let prover = Prover::new(self.ground.arrangement, max_inputs, effort);
            prover.is_ok_and(|prover| prover.is_exact())
        };
        while self.ground.prover.is_exact() && effort > 0 && exact(effort) {
            effort /= 4;
        }
        effort
    }

    /// A trial first, and then with the effort that fits into the time.
    fn in_time(&self, mut best: Proven) -> Proven {
        let budget = self.trainer.budget;
        let mut effort = self.most();
        let (mut trial, mut check) = (None, 0.0);
        for _ in 0..PROOF_TRIES {
            let (begun, most) = (budget.now(), budget.part(PROOF_CHECK));
            let few = effort / PROOF_TRIAL;
            trial = self.prover(few).and_then(|p| self.check(&self.run.last, &p, few, &most));
            check = PROOF_TRIAL as f64 * budget.now().duration_since(begun).as_secs_f64() * 1e9;
            let fits = PROOF_CHECK * budget.left();
            if trial.is_none() || check > fits {
                let part = if trial.is_none() { 0.1 } else { fits / check };
                effort = (part * effort as f64) as u64;
                check = fits;
            }
            if trial.is_some() {
                break;
            }
        }
        if trial.is_none() {
            return best;
        }
        best = self.better(best, trial);
        // The check must come in time, even if it takes a quarter longer than expected.
        let before = budget.without(1.25 * check);
        let found = self.relaxed(effort, &before, &budget);
        self.better(best, found)
    }

    fn with_growing_effort(&self, mut best: Proven) -> Proven {
        let budget = self.trainer.budget;
        for part in PROOF_EFFORTS {
            let before = best.lower_bound;
            let found = self.relaxed(self.most() / part, &budget, &budget);
            best = self.better(best, found);
            let stands_still = best.lower_bound - before < STANDSTILL * self.gap(before);
            if stands_still || self.is_enough(&best) || budget.spent().is_some() {
                break;
            }
        }
        best
    }

    /// The better of the two; what is new is told.
    fn better(&self, old: Proven, new: Option<Proven>) -> Proven {
        let Some(new) = new.filter(|new| new.lower_bound > old.lower_bound) else { return old };
        self.tell(new.lower_bound);
        new
    }

    fn tell(&self, lower_bound: f64) {
        self.trainer.budget.tell(&Progress {
            round: self.run.rounds,
            patterns: self.run.dictionary.len(),
            neurons: self.run.coefficients.iter().filter(|w| **w != 0.0).count(),
            objective: self.objective(),
            lower_bound,
        });
    }

    /// The prover of this effort, if there is time to prepare it.
    fn prover(&self, effort: u64) -> Option<Prover<'_>> {
        let features = self.ground.arrangement.features();
        let steps = PROOF_BLOCKS * (features.rows() * features.dimension()) as f64;
        if effort == 0 || steps > PROOF_CHECK * self.trainer.budget.left() {
            return None;
        }
        self.trainer.budget.count(steps as usize);
        Prover::new(self.ground.arrangement, self.trainer.terms.max_inputs, effort).ok()
    }

    /// The bound of the dual point that suits a search of this effort best. There is time to look
    /// for that point before `before`, and for the check until the end of `budget`.
    fn relaxed(&self, effort: u64, before: &Budget<'_>, budget: &Budget<'_>) -> Option<Proven> {
        let prover = self.prover(effort)?;
        let dual = match prover.blocks() {
            Some((blocks, nodes)) => {
                let mut last = (self.run.certificate.lower_bound(), 0);
                let unlimited = budget.deadline.is_none();
                let balanced = self.problem.constraints.intercept;
                let visit = |bound: f64| {
                    // A dual point that is balanced afterwards may prove less.
                    if !balanced && bound > self.run.certificate.lower_bound() {
                        self.tell(bound);
                    }
                    let (before, still) = last;
                    let moves = bound - before >= STANDSTILL * self.gap(before);
                    last = (bound.max(before), if moves { 0 } else { still + 1 });
                    let reached =
                        self.gap(bound) <= 0.5 * self.trainer.tolerance * self.objective();
                    if reached || (unlimited && last.1 >= STILL) {
                        return ControlFlow::Break(());
                    }
                    ControlFlow::Continue(())
                };
                let budget = &Budget { progress: None, ..*before };
                let (arrangement, problem) = (self.ground.arrangement, self.problem);
                Relaxation { arrangement, blocks, nodes, problem, budget }.solve(visit)?
            }
            None => self.run.last.clone(),
        };
        self.check(&dual, &prover, effort, budget)
    }

    /// The bound of a dual point, unless the check was cut short: then it could not be repeated.
    fn check(
        &self,
        dual: &DualPoint,
        prover: &Prover<'_>,
        effort: u64,
        budget: &Budget<'_>,
    ) -> Option<Proven> {
        let cut_short = AtomicBool::new(false);
        let stop = || {
            let stop = budget.spent().is_some();
            cut_short.fetch_or(stop, Ordering::Relaxed);
            stop
        };
        let Problem { beta, constraints, .. } = *self.problem;
        let before = prover.work();
        let proof = Proof::of(dual, prover, constraints, Ask::beyond(beta), &stop);
        budget.count(budget.taken(before, prover.work(), prover.cost()) as usize);
        let price = proof.price;
        let whole = !cut_short.load(Ordering::Relaxed) && price.bound != Bound::Complete;
        let lower_bound = self.problem.lower_bound(dual, price.value);
        whole.then(|| Proven { dual: dual.clone(), price, effort, lower_bound })
    }
}
