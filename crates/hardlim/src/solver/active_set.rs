//! The solver of the Lasso program: second-order steps on a working set of columns. After every
//! step the certificate over the whole dictionary judges the result.
//!
//! Smooth losses take proximal Newton steps. Losses with kinks take them on the Moreau envelope,
//! and then move its multiplier to the gradient found (the augmented Lagrangian method). On a
//! polyhedral problem a few such moves reach the optimum.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::charge::Charge;
use super::fewer::reduce;
use super::newton::Newton;
use super::screening::Screening;
use super::smooth::{Envelope, Smooth, Summed, width};
use super::tuning::{ROUNDS_IN_VAIN, STIFFEST};
use super::{Budget, Progress, Solution, StopReason};
use crate::arrangement::Signs;
use crate::certificate::{Bound, Certificate, DualPoint, NetworkClass, Price, Problem};
use crate::exact::sum::round_to_grid;
use crate::loss::{self, Loss};
use crate::pattern::{Pattern, PatternMatrix};
use crate::program::lasso::cost_of;
use crate::program::{Beta, LassoProgram};

/// Second-order steps on a working set of columns.
#[derive(Debug, Clone, Copy)]
pub struct ActiveSet<'a> {
    /// The relative gap at which to stop.
    pub tolerance: f64,
    /// A gap that is always small enough, as a fraction of the loss at zero. With a small `β` the
    /// objective is a tiny fraction of that loss, and its last digits change no prediction.
    pub slack: f64,
    /// The most rounds; each is a step and a certificate.
    pub rounds: usize,
    /// How long it may take.
    pub budget: Budget<'a>,
}

impl Default for ActiveSet<'_> {
    fn default() -> Self {
        Self { tolerance: 1e-6, slack: 0.0, rounds: 10_000, budget: Budget::default() }
    }
}

impl ActiveSet<'_> {
    /// Finds the optimum, up to the gap in its certificate.
    pub fn solve<L: Loss>(&self, program: &LassoProgram<'_, L>) -> Solution {
        self.solve_from(program, &vec![0.0; program.patterns().patterns()], 0.0)
    }

    /// Finds the optimum, starting from these coefficients and this output bias.
    pub fn solve_from<L: Loss>(
        &self,
        program: &LassoProgram<'_, L>,
        coefficients: &[f64],
        offset: f64,
    ) -> Solution {
        let mut found = None;
        let keep = |solution| {
            found = Some(solution);
            ControlFlow::Break(())
        };
        // Inside the thread pool a parallel loop is a call; outside of it, it is a message.
        rayon::scope(|_| self.walk(program, (coefficients, offset), [program.beta()], keep));
        found.expect("one strength, one solution")
    }

    /// Finds the optima for a sequence of strengths, each from the one before, and keeps what was
    /// computed about the dictionary. It ends when `visit` says so.
    pub fn path<L: Loss>(
        &self,
        program: &LassoProgram<'_, L>,
        betas: impl IntoIterator<Item = Beta> + Send,
        visit: impl FnMut(Solution) -> ControlFlow<()> + Send,
    ) {
        let start = vec![0.0; program.patterns().patterns()];
        rayon::scope(|_| self.walk(program, (&start, 0.0), betas, visit));
    }

    fn walk<L: Loss>(
        &self,
        program: &LassoProgram<'_, L>,
        (coefficients, offset): (&[f64], f64),
        betas: impl IntoIterator<Item = Beta>,
        mut visit: impl FnMut(Solution) -> ControlFlow<()>,
    ) {
        assert_eq!(coefficients.len(), program.patterns().patterns(), "one for each pattern");
        let (patterns, targets) = (program.patterns(), program.targets());
        let (loss, constraints) = (program.loss(), program.constraints());
        // The output bias is a last column of ones without a penalty.
        let (mut extended, mut intercept) = (Cow::Borrowed(patterns), None);
        let mut start = coefficients.to_vec();
        if constraints.intercept {
            intercept = Some(patterns.patterns());
            start.push(offset);
            extended.to_mut().push(&Pattern::from_fn(patterns.samples(), |_| true));
        }
        let patterns = extended.as_ref();
        let costs: Option<Vec<f64>> = program.costs().map(|costs| {
            let bias = intercept.map(|_| 1.0); // it has no penalty, whatever it costs
            costs.iter().copied().chain(bias).collect()
        });
        let costs = costs.as_deref();
        let signs: Option<Vec<Signs>> = program.signs().map(|signs| {
            let bias = intercept.map(|_| Signs::BOTH);
            signs.iter().copied().chain(bias).collect()
        });
        let charge = Charge {
            beta: f64::INFINITY,
            costs,
            signs: signs.as_deref(),
            non_negative: constraints.non_negative,
            intercept,
        };
        let mut newton = Newton::new(patterns, charge, start, self.tolerance);
        for beta in betas {
            newton.set_beta(beta.get());
            let problem = Problem { targets, loss, beta, constraints };
            let zero = problem.objective(&vec![0.0; patterns.samples()], std::iter::empty());
            let mut run = Run {
                slack: self.slack * zero,
                solver: self,
                patterns,
                charge: newton.charge,
                screening: Screening::new(patterns, newton.charge, &problem),
                newton: &mut newton,
                problem,
                primal: None,
                dual: None,
                rounds: 0,
                improved: 0,
            };
            let stop = if loss.is_smooth() { run.smooth() } else { run.with_kinks() };
            if visit(run.finish(stop)).is_break() {
                return;
            }
        }
    }
}

struct Run<'a, 'n, L> {
    solver: &'a ActiveSet<'a>,
    slack: f64,
    /// `D`, with a last column of ones if the output has a bias.
    patterns: &'a PatternMatrix,
    charge: Charge<'a>,
    problem: Problem<'a, L>,
    newton: &'n mut Newton<'a>,
    screening: Screening<'a>,
    primal: Option<Primal>,
    dual: Option<Dual>,
    rounds: usize,
    /// The round of the last progress: a smaller gap or a lower objective.
    improved: usize,
}

/// Coefficients, whether their columns are known to be independent, and their objective.
struct Primal {
    coefficients: Vec<f64>,
    independent: bool,
    objective: f64,
}

/// A dual point, its price over the columns that are not ruled out, and its bound.
struct Dual {
    point: DualPoint,
    price: f64,
    lower_bound: f64,
}

impl<L: Loss> Run<'_, '_, L> {
    /// Newton steps on the loss itself.
    fn smooth(&mut self) -> StopReason {
        let Problem { targets, loss, .. } = self.problem;
        let f = Summed { loss, targets };
        loop {
            let (stop, u, correlations) = self.measure(&f);
            if let Some(stop) = stop {
                return stop;
            }
            if !self.newton.step(&f, &u, &correlations, &self.solver.budget) {
                return self.solver.budget.spent().unwrap_or(StopReason::RoundLimit(self.rounds));
            }
        }
    }

    /// Newton steps on the envelope, between moves of its multiplier.
    fn with_kinks(&mut self) -> StopReason {
        let Problem { targets, loss, beta, .. } = self.problem;
        // A non-zero start has a subgradient near the multiplier of the optimum.
        let mut multiplier = if self.newton.w.iter().any(|w| *w != 0.0) {
            loss::least_gradient(loss, targets, &self.newton.output())
        } else {
            vec![0.0; targets.rows()]
        };
        let stiff = width(targets).recip();
        let (mut stiffness, mut last) = (stiff, f64::INFINITY);
        let mut tolerance = 1e-2 * beta.get();
        loop {
            let f = Envelope { loss, targets, stiffness, multiplier: &multiplier };
            self.newton.tolerance = 0.1 * tolerance / beta.get();
            let (stop, mut u, mut correlations) = self.measure(&f);
            if let Some(stop) = stop {
                return stop;
            }
            // Newton's method converges quadratically; the limit guards against rounding errors.
            for _ in 0..100 {
                let settled =
                    self.newton.charge.distance(&self.newton.w, &correlations) <= tolerance;
                let late = self.solver.budget.spent().is_some();
                if settled || late || !self.newton.step(&f, &u, &correlations, &self.solver.budget)
                {
                    break;
                }
                self.solver.budget.count(3 * f.work());
                u = self.newton.output();
                correlations = self.screening.correlations(self.patterns, &f.gradient(&u));
            }
            let next = f.gradient(&u);
            // σ‖u − v‖ is how far the multiplier moves.
            let distance = (next.iter().zip(&multiplier))
                .map(|(a, b)| (a - b).abs() / stiffness)
                .fold(0.0, f64::max);
            multiplier = next;
            if distance > 0.25 * last {
                stiffness = f64::min(stiffness * 4.0, STIFFEST * stiff);
            }
            last = distance;
            tolerance = f64::max(tolerance / 10.0, 1e-11 * beta.get());
        }
    }

    /// Measures the present coefficients, rounded to their grid. Returns a reason to stop, if there
    /// is one, the output, and `Dᵀ∇f`.
    fn measure(&mut self, f: &impl Smooth) -> (Option<StopReason>, Vec<f64>, Vec<f64>) {
        round_to_grid(&mut self.newton.w);
        let output = self.newton.output();
        let gradient = f.gradient(&output);
        let point = self.problem.dual_point(gradient.clone());
        let prices = self.screening.correlations(self.patterns, point.values());
        let gap = self.keep(&output, point, &prices);
        let correlations = match self.charge.intercept {
            None => prices,
            // A dual point that was balanced afterwards says nothing about the bias.
            Some(_) => self.screening.correlations(self.patterns, &gradient),
        };
        let gap = if gap <= self.enough() { self.settle() } else { gap };
        let (primal, dual) = self.best();
        self.solver.budget.tell(&Progress {
            round: self.rounds,
            patterns: self.patterns.patterns(),
            neurons: primal.coefficients.iter().filter(|w| **w != 0.0).count(),
            objective: primal.objective,
            lower_bound: dual.lower_bound,
        });
        let stop = if gap <= self.enough() {
            Some(StopReason::GapReached)
        } else if self.rounds == self.solver.rounds || self.rounds - self.improved > ROUNDS_IN_VAIN
        {
            Some(StopReason::RoundLimit(self.rounds))
        } else {
            self.solver.budget.spent()
        };
        self.rounds += 1;
        (stop, output, correlations)
    }

    /// Keeps the coefficients and the dual point if they are the best so far, and uses them to rule
    /// out columns. Returns the gap of the best. The prices are `dᵀz` for every column in play.
    fn keep(&mut self, output: &[f64], point: DualPoint, prices: &[f64]) -> f64 {
        let before = self.gap();
        let Problem { targets, loss, beta, .. } = self.problem;
        let price = self.charge.price(prices);
        let objective = self.objective(output, &self.newton.w);
        let place = point.best(loss, targets, beta, price);
        let lowest = self.primal.as_ref().map_or(f64::INFINITY, |best| best.objective);
        if objective < lowest {
            let (coefficients, independent) = (self.newton.w.clone(), self.newton.independent);
            self.primal = Some(Primal { coefficients, independent, objective });
        }
        if self.dual.as_ref().is_none_or(|best| place.value > best.lower_bound) {
            self.dual = Some(Dual { point, price, lower_bound: place.value });
        }
        let after = self.gap();
        if after < before || objective < lowest * (1.0 - 1e-9) {
            self.improved = self.rounds;
        }
        let used = |j: usize| self.newton.w[j] != 0.0 || self.charge.intercept == Some(j);
        let gap = objective.min(lowest) - place.value;
        self.screening.rule_out(self.patterns, prices, place.theta, gap, used);
        after
    }

    /// The gap over all columns. The best dual point may have been priced over the columns in play
    /// only. If the price over all columns is larger, all columns are in play again.
    fn settle(&mut self) -> f64 {
        let Problem { targets, loss, beta, .. } = self.problem;
        if let Some(dual) = self.dual.as_mut().filter(|_| self.screening.has_ruled_out()) {
            let price = self.charge.price(&self.patterns.correlations(dual.point.values()));
            if price > dual.price {
                dual.price = price;
                dual.lower_bound = dual.point.lower_bound(loss, targets, beta, price);
                self.screening.end();
            }
        }
        self.gap()
    }

    fn enough(&self) -> f64 {
        f64::max(self.solver.tolerance * self.best().0.objective, self.slack)
    }

    fn gap(&self) -> f64 {
        match (&self.primal, &self.dual) {
            (Some(primal), Some(dual)) => primal.objective - dual.lower_bound,
            _ => f64::INFINITY,
        }
    }

    fn best(&self) -> (&Primal, &Dual) {
        let best = self.primal.as_ref().zip(self.dual.as_ref());
        best.expect("the first measure keeps what it finds")
    }

    /// `L(u) + β‖w‖₁`, or `L(u) + β Σⱼ cⱼ|wⱼ|` with costs, rounded up.
    fn objective(&self, output: &[f64], w: &[f64]) -> f64 {
        let patterns = w.iter().take(self.charge.intercept.unwrap_or(w.len()));
        let paid = patterns.enumerate().map(|(j, w)| cost_of(self.charge.costs, j) * w);
        self.problem.objective(output, paid)
    }

    fn finish(mut self, stop: StopReason) -> Solution {
        self.settle();
        let (primal, dual) = self.best();
        let (mut reduced, mut objective) = (primal.coefficients.clone(), primal.objective);
        if !primal.independent {
            let budget = self.solver.budget.for_the_rest();
            reduced = reduce(self.patterns, &reduced, &self.charge, &budget);
            round_to_grid(&mut reduced);
            objective = self.objective(&self.patterns.times(&reduced), &reduced);
        }
        let price = Price { value: dual.price, bound: Bound::Dictionary };
        let class = NetworkClass::all();
        let certificate =
            Certificate::measure(&self.problem, objective, &dual.point, price, &class);
        let offset = self.charge.intercept.map_or(0.0, |_| reduced.pop().expect("the last column"));
        Solution {
            coefficients: reduced,
            offset,
            dual: dual.point.clone(),
            certificate,
            stop,
            rounds: self.rounds,
            gram_time: self.newton.working.gram_time,
        }
    }
}
