//! The proximal point method for `min_w f(Dw) + β‖w‖₁` with a quadratic `f`, for more columns than
//! rows and many columns in use: `w ← argmin f(Dw) + β‖w‖₁ + ‖w − w₀‖²/2σ`, with a growing `σ`.
//!
//! With `∇f(u) = g + Hu` and the soft threshold `S`, the minimum satisfies `w = S(w₀ − σDᵀ∇f(u))`
//! and `u = Dw`. These are `n` equations in the output `u`, however many columns there are. They
//! are the gradient of a convex function of `∇f(u)`, so Newton's method with a line search finds
//! their zero. Its linear system has the matrix `I + σDⱼDⱼᵀH` over the columns `J` in use. It is
//! solved with as many unknowns as there are columns in `J` or rows, whichever is fewer. (Li, Sun,
//! Toh: A highly efficient semismooth Newton augmented Lagrangian method for solving Lasso
//! problems, SIAM J. Optim. 28, 2018.)

use std::time::{Duration, Instant};

use faer::Mat;

use super::Budget;
use super::charge::Charge;
use super::factor::Factor;
use super::tuning::{FIRST, GROWTH, OVERLAPS, PROXIMAL_STEPS};
use crate::exact::sum::dot;
use crate::pattern::{PatternMatrix, Weighting};
use crate::program::lasso::cost_of;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Model<'a> {
    pub(crate) patterns: &'a PatternMatrix,
    /// `g = ∇f(0)`.
    pub(crate) gradient: &'a [f64],
    /// The diagonal of `H`.
    pub(crate) curvature: &'a [f64],
    /// `H` in units of `scale`.
    pub(crate) weighting: &'a Weighting,
    pub(crate) scale: f64,
    pub(crate) charge: Charge<'a>,
}

impl Model<'_> {
    /// `S(x)` with the threshold `σcβ`.
    fn threshold(&self, sigma: f64, x: &[f64]) -> Vec<f64> {
        let shrunk = |(j, &x): (usize, &f64)| {
            let threshold = sigma * self.charge.beta * cost_of(self.charge.costs, j);
            if self.charge.intercept == Some(j) {
                x
            } else {
                let shrunk = x - x.clamp(-threshold, threshold);
                if self.charge.signs(j).allow(shrunk) { shrunk } else { 0.0 }
            }
        };
        x.iter().enumerate().map(shrunk).collect()
    }

    /// `Hv`.
    fn bend(&self, v: &[f64]) -> Vec<f64> {
        self.curvature.iter().zip(v).map(|(h, v)| h * v).collect()
    }
}

#[derive(Debug)]
pub(crate) struct Proximal {
    u: Vec<f64>,
    sigma: f64,
    factor: Factor,
    /// The time spent on Gram matrices that nobody has asked for yet.
    pub(super) gram_time: Duration,
}

impl Proximal {
    pub(crate) fn new(model: &Model<'_>, u: Vec<f64>) -> Self {
        let total: f64 = model.curvature.iter().sum();
        Self {
            u,
            sigma: FIRST / total.max(f64::MIN_POSITIVE),
            factor: Factor::default(),
            gram_time: Duration::ZERO,
        }
    }

    /// One proximal point from `w₀`; a point on the way to it if the budget is spent.
    pub(crate) fn step(
        &mut self,
        model: &Model<'_>,
        start: &[f64],
        budget: &Budget<'_>,
    ) -> Vec<f64> {
        let Model { patterns, gradient, .. } = *model;
        let dual: Vec<f64> = gradient.iter().zip(model.bend(&self.u)).map(|(g, v)| g + v).collect();
        let mut x: Vec<f64> = (start.iter().zip(patterns.correlations(&dual)))
            .map(|(w, c)| w - self.sigma * c)
            .collect();
        let mut w = model.threshold(self.sigma, &x);
        // The caller counts the work of this step when it is done.
        let (left, budget) = (budget.left(), &budget.uncounted());
        let mut work = 0.0;
        for _ in 0..PROXIMAL_STEPS {
            let output = model.patterns.times(&w);
            let residual: Vec<f64> = self.u.iter().zip(&output).map(|(u, v)| u - v).collect();
            let error = dot(&residual, &model.bend(&residual)).sqrt();
            let moved = (w.iter().zip(start)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
            let done = error <= 0.03 * moved / self.sigma.sqrt();
            if done || work > left || budget.spent().is_some() {
                break;
            }
            let used = w.iter().filter(|w| **w != 0.0).count().min(residual.len());
            work += (residual.len() * used * used / OVERLAPS) as f64;
            let step = self.newton(model, &w, &residual, budget);
            let bent = model.bend(&step);
            let change: Vec<f64> =
                patterns.correlations(&bent).iter().map(|c| -self.sigma * c).collect();
            let value = |t: f64, w: &[f64]| {
                let along = dot(&self.u, &bent) * t + 0.5 * dot(&step, &bent) * t * t;
                along + dot(w, w) / (2.0 * self.sigma)
            };
            let (at_start, slope) = (value(0.0, &w), dot(&residual, &bent));
            let mut t = 1.0;
            let (there, reached) = loop {
                let there: Vec<f64> = x.iter().zip(&change).map(|(x, c)| x + t * c).collect();
                let reached = model.threshold(self.sigma, &there);
                if value(t, &reached) <= at_start + 1e-4 * t * slope || t < 1e-9 {
                    break (there, reached);
                }
                t /= 2.0;
            };
            if t < 1e-9 {
                break; // only rounding errors are left
            }
            self.u.iter_mut().zip(&step).for_each(|(u, s)| *u += t * s);
            (x, w) = (there, reached);
        }
        self.sigma *= GROWTH;
        w
    }

    /// `v` with `(I + σDⱼDⱼᵀH)v = −F`: with few columns in use
    /// `v = Dⱼ(I/σ + DⱼᵀHDⱼ)⁻¹DⱼᵀHF − F`, otherwise
    /// `v = σDⱼDⱼᵀ√H(I + σ√HDⱼDⱼᵀ√H)⁻¹√HF − F`.
    fn newton(
        &mut self,
        model: &Model<'_>,
        w: &[f64],
        residual: &[f64],
        budget: &Budget<'_>,
    ) -> Vec<f64> {
        let used: Vec<usize> = (0..w.len()).filter(|&j| w[j] != 0.0).collect();
        let start = Instant::now();
        let mut step = if used.len() <= residual.len() {
            let mut gram = model.patterns.weighted_gram_symmetric(&used, model.weighting);
            self.gram_time += start.elapsed();
            gram *= faer::Scale(model.scale);
            (0..used.len()).for_each(|j| gram[(j, j)] += 1.0 / self.sigma);
            let mut right = model.patterns.correlations_of(&used, &model.bend(residual));
            self.solve(&gram, &mut right, budget);
            model.patterns.combine(used.iter().copied().zip(right))
        } else {
            let columns = model.patterns.select(&used);
            let rows: Vec<usize> = (0..residual.len()).collect();
            let mut gram = columns.transposed().gram_symmetric(&rows);
            self.gram_time += start.elapsed();
            let roots: Vec<f64> = model.curvature.iter().map(|h| h.sqrt()).collect();
            for (j, column) in gram.col_iter_mut().enumerate() {
                let scale = self.sigma * roots[j];
                column.iter_mut().zip(&roots).for_each(|(g, root)| *g *= scale * root);
            }
            rows.iter().for_each(|&i| gram[(i, i)] += 1.0);
            let mut right: Vec<f64> = roots.iter().zip(residual).map(|(r, f)| r * f).collect();
            self.solve(&gram, &mut right, budget);
            right.iter_mut().zip(&roots).for_each(|(y, root)| *y *= root);
            let products = columns.correlations(&right).into_iter().map(|c| self.sigma * c);
            columns.combine(products.enumerate())
        };
        step.iter_mut().zip(residual).for_each(|(s, f)| *s -= f);
        step
    }

    /// Replaces `right` by the solution of `Gx = right`.
    fn solve(&mut self, gram: &Mat<f64>, right: &mut [f64], budget: &Budget<'_>) {
        self.factor.clear();
        self.factor.refactor(gram.as_ref(), &Vec::from_iter(0..right.len()), budget);
        self.factor.solve(right);
    }
}
