//! The active-set solver of the Lasso program.
//!
//! Columns that violate `|dᵀz| ≤ β` join a working set in batches; the program restricted to it is
//! solved to the limit of the arithmetic on its Gram matrix; then the certificate over the whole
//! dictionary decides whether to go on. The Gram matrix is computed for the working set alone.

use faer::Mat;

use super::quadratic::{Quadratic, Signs};
use super::{Budget, Solution, StopReason};
use crate::certificate::{Bound, Certificate, DualPoint, Problem, Scope};
use crate::loss::{self, Parabola, Squared};
use crate::program::LassoProgram;
use crate::sum::round_to_grid;

/// Second-order steps on a working set of columns.
#[derive(Debug, Clone, Copy)]
pub struct ActiveSet<'a> {
    /// The relative gap at which to stop.
    pub tolerance: f64,
    /// The most rounds, each a certificate and a working set solved.
    pub rounds: usize,
    /// How long it may take.
    pub budget: Budget<'a>,
}

impl Default for ActiveSet<'_> {
    fn default() -> Self {
        Self { tolerance: 1e-6, rounds: 1000, budget: Budget::default() }
    }
}

impl ActiveSet<'_> {
    /// The optimum, up to the gap in its certificate.
    pub fn solve(&self, program: &LassoProgram<'_, Squared>) -> Solution {
        self.solve_from(program, vec![0.0; program.patterns.patterns()])
    }

    /// The optimum, searched from these coefficients.
    ///
    /// # Panics
    /// When there is not one coefficient for each pattern.
    pub fn solve_from(&self, program: &LassoProgram<'_, Squared>, start: Vec<f64>) -> Solution {
        assert_eq!(start.len(), program.patterns.patterns(), "one coefficient for each pattern");
        let mut state = State::new(program, start);
        let mut best = state.measure(StopReason::GapReached, 0);
        for round in 0..self.rounds {
            if best.certificate.relative_gap() <= self.tolerance {
                return best;
            }
            if let Some(stop) = self.budget.spent() {
                return Solution { stop, ..best };
            }
            state.admit_violators();
            state.solve_working_set();
            let found = state.measure(StopReason::GapReached, round + 1);
            let admitted_all = state.nothing_left_to_admit();
            let improved = found.certificate.gap() < best.certificate.gap();
            if improved || found.certificate.objective() < best.certificate.objective() {
                best = found;
            }
            if admitted_all && !improved && best.certificate.relative_gap() > self.tolerance {
                return Solution { stop: StopReason::RoundLimit(round + 1), ..best };
            }
        }
        Solution { stop: StopReason::RoundLimit(self.rounds), ..best }
    }
}

/// The working set and its Gram matrix, with coefficients and what they lead to.
#[derive(Debug)]
struct State<'a> {
    program: &'a LassoProgram<'a, Squared>,
    /// `S`, the weight of each row.
    weights: Vec<f64>,
    w: Vec<f64>,
    working: Vec<usize>,
    gram: Mat<f64>,
    /// `Dᵀz` at `w`, for every column.
    correlations: Vec<f64>,
}

impl<'a> State<'a> {
    fn new(program: &'a LassoProgram<'a, Squared>, w: Vec<f64>) -> Self {
        let weights = program.targets.iter().map(|atoms| Parabola::of(atoms).weight).collect();
        let mut state = Self {
            program,
            weights,
            working: Vec::new(),
            gram: Mat::new(),
            correlations: Vec::new(),
            w,
        };
        let start = (0..state.w.len()).filter(|&j| state.w[j] != 0.0).collect();
        state.extend(start);
        state
    }

    /// The certificate of the present coefficients, rounded to their grid.
    fn measure(&mut self, stop: StopReason, rounds: usize) -> Solution {
        round_to_grid(&mut self.w);
        let LassoProgram { patterns, targets, loss, beta } = self.program;
        let output = self.program.output(&self.w);
        let dual = DualPoint::new(loss::gradient(loss, targets, &output));
        self.correlations = patterns.correlations(dual.values());
        let price = self.correlations.iter().fold(0.0, |max, c| f64::max(max, c.abs()));
        let problem = Problem { targets, loss, beta: *beta };
        let objective = problem.objective(&output, self.w.iter().copied());
        let scope = (Scope::Dictionary, Bound::Dictionary);
        let certificate = Certificate::measure(&problem, objective, &dual, price, scope);
        Solution { coefficients: self.w.clone(), dual, certificate, stop, rounds }
    }

    /// The worst violators outside the working set join it: as many as it has, at least 100, or all
    /// where the dictionary is small.
    fn admit_violators(&mut self) {
        let beta = self.program.beta.get();
        let mut outside = vec![true; self.w.len()];
        self.working.iter().for_each(|&j| outside[j] = false);
        let batch = if self.w.len() <= 2000 { 2000 } else { self.working.len().max(100) };
        let mut violators: Vec<usize> =
            (0..self.w.len()).filter(|&j| outside[j] && self.correlations[j].abs() > beta).collect();
        violators.sort_by(|&i, &j| {
            self.correlations[j].abs().total_cmp(&self.correlations[i].abs()).then(i.cmp(&j))
        });
        violators.truncate(batch);
        self.extend(violators);
    }

    /// Whether every violator is in the working set.
    fn nothing_left_to_admit(&self) -> bool {
        let beta = self.program.beta.get();
        let mut outside = vec![true; self.w.len()];
        self.working.iter().for_each(|&j| outside[j] = false);
        !(0..self.w.len()).any(|j| outside[j] && self.correlations[j].abs() > beta)
    }

    /// Adds columns to the working set, and their products with all of it to the Gram matrix.
    fn extend(&mut self, columns: Vec<usize>) {
        let old = self.working.len();
        self.working.extend(columns);
        let size = self.working.len();
        let patterns = self.program.patterns;
        self.gram.resize_with(size, size, |_, _| 0.0);
        for b in old..size {
            for a in 0..=b {
                let (d, e) = (patterns.column(self.working[a]), patterns.column(self.working[b]));
                let product = crate::pattern::kernel::masked_overlap(d, e, &self.weights);
                self.gram[(a, b)] = product;
                self.gram[(b, a)] = product;
            }
        }
    }

    /// Solves the program restricted to the working set, from the present coefficients.
    fn solve_working_set(&mut self) {
        let reference: Vec<f64> = self.working.iter().map(|&j| self.w[j]).collect();
        let gradient: Vec<f64> = self.working.iter().map(|&j| self.correlations[j]).collect();
        let beta = self.program.beta.get();
        let model = Quadratic {
            gram: self.gram.as_ref(),
            reference: &reference,
            gradient: &gradient,
            beta,
            signs: Signs::Free,
        };
        let (w, _) = model.solve(1e-12 * beta);
        self.working.iter().zip(w).for_each(|(&j, w)| self.w[j] = w);
    }
}
