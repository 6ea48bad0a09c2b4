//! Proximal Newton steps for `min_w f(Dw) + β‖w‖₁` with a smooth `f`, on a working set of columns.
//! If columns have costs, the penalty of column `j` is `cⱼβ`.
//!
//! Around `w` the function is replaced by its quadratic model with the Gram matrix `DᵀHD`, where
//! `H` is the curvature at `u = Dw`. The active set minimises the model, and a line search makes
//! sure that the function falls. If `H` is the same everywhere (the squared loss), the model is the
//! function, and the Gram matrix is kept.

use faer::Mat;

use super::Budget;
use super::charge::Charge;
use super::factor::Factor;
use super::proximal::{Model, Proximal};
use super::quadratic::{Ending, Quadratic};
use super::smooth::Smooth;
use super::tuning::{
    CHEAP, COARSE, CORRELATIONS, DRIFT, EXACT_STEPS, FINE, MODEL_STEPS, MOST_DAMPING, MOST_ROWS,
    OVERLAPS,
};
use super::working::WorkingSet;
use crate::pattern::{PatternMatrix, Weighting};

#[derive(Debug)]
pub(crate) struct Newton<'a> {
    patterns: &'a PatternMatrix,
    pub(super) charge: Charge<'a>,
    /// How much a column may violate its condition at the minimum of a model, relative to `β`.
    pub(crate) tolerance: f64,
    /// `w`, one number for each column.
    pub(crate) w: Vec<f64>,
    pub(super) working: WorkingSet<'a>,
    /// Added to the diagonal of the model, relative to its largest entry. Without it the model has
    /// no minimum where `f` is flat.
    damping: f64,
    /// The curvature of the model in units of `scale`; then the scale, the violation of the
    /// conditions at the last step, and the number of columns in use.
    curvature: Vec<f64>,
    scale: f64,
    violation: f64,
    used: usize,
    /// How many bits of the curvature a model keeps; all of them if rounded curvatures make no
    /// progress. The gradient is exact, so this affects the number of steps and not where they end.
    bits: Option<u32>,
    /// The proximal point method, while it is running.
    proximal: Option<Proximal>,
    /// Whether its last step kept the same columns in use.
    settled: bool,
    /// Whether the last step left independent columns in use.
    pub(super) independent: bool,
}

impl<'a> Newton<'a> {
    pub(crate) fn new(
        patterns: &'a PatternMatrix,
        charge: Charge<'a>,
        w: Vec<f64>,
        tolerance: f64,
    ) -> Self {
        Self {
            patterns,
            // The violations add up to a gap of at most their size relative to β.
            tolerance: if tolerance >= 1e-8 { 0.1 * tolerance } else { 1e-12 },
            charge,
            w,
            working: WorkingSet::new(patterns),
            damping: 0.0,
            curvature: Vec::new(),
            scale: 1.0,
            violation: f64::INFINITY,
            used: 0,
            bits: Some(COARSE),
            proximal: None,
            settled: false,
            independent: false,
        }
    }

    pub(crate) fn output(&self) -> Vec<f64> {
        self.patterns.times(&self.w)
    }

    pub(crate) fn set_beta(&mut self, beta: f64) {
        self.charge.beta = beta;
        self.proximal = None;
        self.settled = false;
        self.bits = Some(COARSE);
    }

    /// One step from `w`, where the output is `u` and the correlations are `Dᵀ∇f(u)`. Returns
    /// `false` if no descent is left, as far as rounding allows to tell.
    pub(crate) fn step(
        &mut self,
        f: &impl Smooth,
        u: &[f64],
        correlations: &[f64],
        budget: &Budget<'_>,
    ) -> bool {
        let used = self.w.iter().filter(|w| **w != 0.0).count();
        budget.count(u.len() * (self.w.len() / CORRELATIONS + used * used / OVERLAPS));
        if f.is_quadratic() && self.working.weighting.is_none() {
            self.working.restart(Weighting::new(&f.curvature(u)), f.scale());
        }
        if f.is_quadratic() {
            let wide = self.w.len() > u.len() && u.len() <= MOST_ROWS;
            let cold = self.w.iter().all(|w| *w == 0.0);
            return if wide && !self.settled && (cold || self.proximal.is_some()) {
                self.proximal_step(f, u, budget)
            } else {
                self.exact_step(f, u, correlations, wide, budget)
            };
        }
        self.independent = false;
        let mut entering = self.prepare(f, u, self.charge.distance(&self.w, correlations));
        entering.extend(self.violators(correlations, false));
        if !self.working.extend(entering, &self.w, budget) {
            return false;
        }
        loop {
            let (target, ending) = self.minimum(correlations, self.damping, MODEL_STEPS, budget);
            let step = match ending {
                Ending::Unbounded => 0.0,
                _ => self.search(f, u, correlations, &target, budget),
            };
            if step >= 0.1 {
                self.damping /= 10.0;
                return true;
            }
            // The model only holds for small steps.
            self.damping = (100.0 * self.damping).max(1e-12);
            if step > 0.0 {
                return true;
            }
            if self.damping > MOST_DAMPING || budget.spent().is_some() {
                return false;
            }
        }
    }

    /// Prepares a model around `u`. An earlier model is used again if its curvature is close to
    /// that at `u` and its steps still make progress. The gradient is exact, so an old curvature
    /// only makes the steps less effective.
    fn prepare(&mut self, f: &impl Smooth, u: &[f64], violation: f64) -> Vec<usize> {
        let curvature = f.curvature(u);
        let size: f64 = curvature.iter().sum();
        let near = self.curvature.len() == u.len() && {
            let pairs = curvature.iter().zip(&self.curvature);
            pairs.map(|(a, b)| (a - b).abs()).sum::<f64>() <= DRIFT * size
        };
        let scale = f.scale();
        let leads = self.damping == 0.0 && violation <= 0.25 * self.violation;
        let support: Vec<usize> = (0..self.w.len()).filter(|&j| self.w[j] != 0.0).collect();
        if !(near && leads && scale == self.scale) {
            let change = support.len().abs_diff(self.used);
            let settled = self.used > 0 && change <= support.len() / 20;
            let poor = violation > if settled { 0.5 } else { 0.9 } * self.violation;
            self.bits = match self.bits {
                Some(COARSE) if settled || poor => Some(FINE),
                Some(FINE) if poor => None,
                bits => bits,
            };
            let cheap = u.len() * support.len().pow(2) < CHEAP;
            let (weighting, unit) = match self.bits {
                Some(bits) if !cheap => Weighting::rounded(&curvature, bits),
                _ => (Weighting::new(&curvature), 1.0),
            };
            self.working.restart(weighting, unit * scale);
            (self.curvature, self.scale) = (curvature, scale);
        }
        self.violation = violation;
        self.used = support.len();
        support
    }

    /// A step to the minimum over the working set, where the model is the function. If the set has
    /// more columns than rows, exchanging columns may take too long; then this is a proximal step.
    fn exact_step(
        &mut self,
        f: &impl Smooth,
        u: &[f64],
        correlations: &[f64],
        wide: bool,
        budget: &Budget<'_>,
    ) -> bool {
        let mut entering: Vec<usize> = (0..self.w.len()).filter(|&j| self.w[j] != 0.0).collect();
        entering.extend(self.violators(correlations, true));
        if !self.working.extend(entering, &self.w, budget) {
            return false;
        }
        let before = self.w.clone();
        let wide = wide && self.working.columns.len() > u.len();
        let steps = if wide { EXACT_STEPS } else { usize::MAX };
        let (w, ending) = self.minimum(correlations, 0.0, steps, budget);
        self.place(&w);
        self.independent = ending != Ending::Stalled || budget.spent().is_none();
        if wide && ending == Ending::Stalled && budget.spent().is_none() {
            return self.proximal_step(f, &self.output(), budget);
        }
        self.w != before
    }

    /// One proximal point. The next step is exact if the same columns stay in use.
    fn proximal_step(&mut self, f: &impl Smooth, u: &[f64], budget: &Budget<'_>) -> bool {
        let (weighting, scale) =
            self.working.weighting.as_ref().expect("set before the first step");
        let curvature: Vec<f64> = f.curvature(u).iter().map(|h| scale * h).collect();
        let model = Model {
            patterns: self.patterns,
            gradient: &f.gradient(&vec![0.0; u.len()]),
            curvature: &curvature,
            weighting,
            scale: *scale,
            charge: self.charge,
        };
        let proximal = self.proximal.get_or_insert_with(|| Proximal::new(&model, u.to_vec()));
        let w = proximal.step(&model, &self.w, budget);
        // Its systems have as many unknowns as columns in use or rows, whichever is fewer.
        let used = w.iter().filter(|w| **w != 0.0).count().min(u.len());
        budget.count(u.len() * used * used / OVERLAPS + used.pow(3) / OVERLAPS);
        self.working.gram_time += std::mem::take(&mut proximal.gram_time);
        self.settled = w.iter().zip(&self.w).all(|(a, b)| (*a == 0.0) == (*b == 0.0));
        self.independent = false;
        let moves = w != self.w;
        self.w = w;
        moves || self.settled
    }

    /// The minimum of the model over the working set, or a lower point after `steps` steps.
    fn minimum(
        &mut self,
        correlations: &[f64],
        damping: f64,
        steps: usize,
        budget: &Budget<'_>,
    ) -> (Vec<f64>, Ending) {
        let columns = &self.working.columns;
        let reference: Vec<f64> = columns.iter().map(|&j| self.w[j]).collect();
        let gradient: Vec<f64> = columns.iter().map(|&j| correlations[j]).collect();
        let own = self.charge.on(columns);
        let (mut damped, mut fresh) = (Mat::new(), Factor::default());
        let (gram, factor) = if damping > 0.0 {
            damped.clone_from(&self.working.gram);
            let diagonal = (0..damped.ncols()).map(|j| damped[(j, j)]);
            let largest = diagonal.fold(1.0, f64::max);
            (0..damped.ncols()).for_each(|j| damped[(j, j)] += damping * largest);
            (damped.as_ref(), &mut fresh)
        } else {
            (self.working.gram.as_ref(), &mut self.working.factor)
        };
        let model = Quadratic {
            gram,
            reference: &reference,
            gradient: &gradient,
            charge: own.charge(self.charge),
        };
        model.solve(self.tolerance * self.charge.beta, steps, budget, factor)
    }

    /// Moves towards `target` until the function falls as the model predicts. Returns the fraction
    /// of the way, or zero if it does not fall.
    fn search(
        &mut self,
        f: &impl Smooth,
        u: &[f64],
        correlations: &[f64],
        target: &[f64],
        budget: &Budget<'_>,
    ) -> f64 {
        let start: Vec<f64> = self.working.columns.iter().map(|&j| self.w[j]).collect();
        let mut direction = vec![0.0; self.w.len()];
        let mut promise = 0.0;
        for ((&j, &w), &t) in self.working.columns.iter().zip(&start).zip(target) {
            direction[j] = t - w;
            promise += correlations[j] * (t - w) + self.charge.of(j) * (t.abs() - w.abs());
        }
        let value = |u: &[f64], w: &[f64]| {
            let costs =
                self.working.columns.iter().zip(w).map(|(&j, w)| self.charge.of(j) * w.abs());
            f.value(u) + costs.sum::<f64>()
        };
        let at_start = value(u, &start);
        if promise >= 0.0 {
            return 0.0;
        }
        // Near the minimum the predicted descent is lost in rounding, but Newton's full step is
        // still right.
        let rounding = 16.0 * f64::EPSILON * at_start.abs();
        let moved = self.patterns.times(&direction);
        let mut step = 1.0;
        while step > 1e-12 && (f.work() == 0 || budget.spent().is_none()) {
            budget.count(f.work());
            let w: Vec<f64> = start
                .iter()
                .zip(target)
                .map(|(w, t)| if step == 1.0 { *t } else { w + step * (t - w) })
                .collect();
            let there: Vec<f64> = u.iter().zip(&moved).map(|(u, d)| u + step * d).collect();
            if value(&there, &w) <= at_start + 1e-4 * step * promise + rounding {
                self.place(&w);
                // The minimum of the model uses independent columns.
                self.independent = step == 1.0 && self.damping == 0.0;
                return step;
            }
            step /= 2.0;
        }
        0.0
    }

    fn place(&mut self, w: &[f64]) {
        self.working.columns.iter().zip(w).for_each(|(&j, &w)| self.w[j] = w);
    }

    /// The worst violators outside the working set: as many as there are columns in use, at least
    /// 100. There are twice as many if the Gram matrix is kept, because then a column costs only
    /// once.
    fn violators(&self, correlations: &[f64], kept: bool) -> Vec<usize> {
        let violation = |j: usize| self.charge.violation(j, correlations[j]);
        let mut violators: Vec<usize> = (0..self.w.len())
            .filter(|&j| self.w[j] == 0.0 && !self.working.inside[j] && violation(j) > 0.0)
            .collect();
        let used = self.w.iter().filter(|w| **w != 0.0).count();
        let batch = if kept { (2 * used).max(200) } else { used.max(100) };
        let worst_first =
            |&i: &usize, &j: &usize| violation(j).total_cmp(&violation(i)).then(i.cmp(&j));
        if violators.len() > batch {
            violators.select_nth_unstable_by(batch, worst_first);
            violators.truncate(batch);
        }
        violators.sort_by(worst_first);
        violators
    }
}
