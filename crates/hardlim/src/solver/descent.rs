//! The Lasso program over rows in blocks, `min_w L(Dw) + β‖w‖₁`, by few passes.
//!
//! A pass gives the exact loss and gradient `g = Dᵀ∇L(Dw)`, but no curvature: that would be a
//! number for each pair of patterns. The curvature is that of the sample instead. The next point
//! minimises
//!
//! ```text
//! κ L_S(D_S v) + (g − κ g_S)ᵀv + β‖v‖₁
//! ```
//!
//! where `S` is the sample, `κ` the weight of all rows over that of the sample, and `g_S` its own
//! gradient at `w`. At `w` the gradient is that of all rows, so the optimum is a fixed point, and
//! no other point is (Shamir, Srebro and Zhang 2014; Jordan, Lee and Yang 2019). Each pass leaves
//! about `√(m/|S|)` of the distance, with `m` patterns in use. If the sample has all rows, one step
//! is enough.

use faer::Mat;

use super::charge::Charge;
use super::factor::Factor;
use super::quadratic::Quadratic;
use super::tuning::{ENOUGH, HALVINGS, SAMPLE_BITS, SAMPLE_LEFT, SAMPLE_STEPS};
use super::{Budget, StopReason};
use crate::error::Error;
use crate::exact::sum::{Sum, round_to_grid};
use crate::loss::{Loss as _, LossKind};
use crate::pattern::Weighting;
use crate::program::Beta;
use crate::rows::{Aside, Coefficients, FoldSums, Rows, Sample, Visit};

pub(crate) struct Descent<'a> {
    pub(crate) rows: &'a dyn Rows,
    pub(crate) sample: &'a Sample,
    /// `l`.
    pub(crate) loss: LossKind,
    pub(crate) class: Option<usize>,
    pub(crate) held_out: bool,
    /// The weight of the rows that are not.
    pub(crate) weight: f64,
    /// The grid of the dual point.
    pub(crate) unit: f64,
    pub(crate) budget: Budget<'a>,
}

/// A point with what a pass says about it.
#[derive(Debug, Clone)]
pub(crate) struct Point {
    /// `w`, one number for each pattern.
    pub(crate) w: Vec<f64>,
    /// `L(Dw)`.
    pub(crate) loss: f64,
    /// The same on the rows held out.
    pub(crate) held_out: f64,
    /// `Dᵀ∇L(Dw)`.
    pub(crate) gradient: Vec<f64>,
}

impl Point {
    /// `L(Dw) + β‖w‖₁`.
    pub(crate) fn objective(&self, beta: f64) -> f64 {
        self.loss + beta * norm(&self.w)
    }

    /// A lower bound on the optimum, but for rounding. With `z = ∇L(u)`, `−L*(z) = L(u) − gᵀw`, and
    /// `−L*(θz) ≥ −θL*(z)` because `L*` is convex and zero at zero.
    pub(crate) fn lower_bound(&self, beta: f64) -> f64 {
        self.bound_at(beta, self.gradient.iter().fold(0.0, |a: f64, g| a.max(g.abs())))
    }

    /// The same over patterns with this price, `max |dᵀz|`.
    pub(crate) fn bound_at(&self, beta: f64, price: f64) -> f64 {
        let theta = if price > beta { beta / price } else { 1.0 };
        let overlap: f64 = self.gradient.iter().zip(&self.w).map(|(g, w)| g * w).sum();
        theta * (self.loss - overlap)
    }

    /// `(objective − bound) / objective`.
    pub(crate) fn gap(&self, beta: f64) -> f64 {
        let objective = self.objective(beta);
        if objective > 0.0 { (objective - self.lower_bound(beta)) / objective } else { 0.0 }
    }

    pub(crate) fn coefficients(&self) -> Coefficients {
        nonzero(&self.w)
    }
}

impl Descent<'_> {
    pub(crate) fn visit(&self, coefficients: Coefficients) -> Visit {
        let Self { loss, class, held_out, unit, .. } = *self;
        Visit { loss, class, held_out, coefficients, unit, thetas: Vec::new() }
    }

    /// A pass with these coefficients, rounded to their grid.
    pub(crate) fn at(&self, mut w: Vec<f64>) -> Result<Point, Error> {
        round_to_grid(&mut w);
        let sums = self.rows.visit(self.visit(nonzero(&w)))?;
        Ok(Point {
            w,
            loss: sums.loss.value(),
            held_out: sums.held_out.value(),
            gradient: sums.correlations,
        })
    }

    /// Descends from a point, until the relative gap is reached or `passes` are done. `told` is
    /// called after each.
    pub(crate) fn solve(
        &self,
        mut point: Point,
        beta: Beta,
        tolerance: f64,
        passes: usize,
        told: &dyn Fn(&Point),
    ) -> Result<(Point, StopReason), Error> {
        let beta = beta.get();
        let mut left = passes;
        loop {
            if point.gap(beta) <= tolerance {
                return Ok((point, StopReason::GapReached));
            }
            if let Some(stop) = self.budget.spent() {
                return Ok((point, stop));
            }
            let aside = if self.held_out { Aside::Tenth } else { Aside::None };
            let target = self.minimum(&point, beta, aside, self.weight);
            let expected: f64 = (target.iter().zip(&point.w).zip(&point.gradient))
                .map(|((v, w), g)| g * (v - w))
                .sum::<f64>()
                + beta * (norm(&target) - norm(&point.w));
            let mut step = 1.0;
            loop {
                if left == 0 {
                    return Ok((point, StopReason::RoundLimit(passes)));
                }
                left -= 1;
                let w = (target.iter().zip(&point.w)).map(|(v, w)| w + step * (v - w)).collect();
                let trial = self.at(w)?;
                let fall = point.objective(beta) - trial.objective(beta);
                if fall > 0.0 && fall >= -ENOUGH * step * expected {
                    point = trial;
                    told(&point);
                    break;
                }
                step *= 0.5;
                if step < 0.5f64.powi(HALVINGS as i32) {
                    return Ok((point, StopReason::Standstill(passes - left)));
                }
            }
        }
    }

    /// The gradient of each fold's rows at a point.
    pub(crate) fn folds(&self, point: &Point, folds: usize) -> Result<Vec<FoldSums>, Error> {
        self.rows.folds(self.visit(point.coefficients()), folds)
    }

    /// The minimum without the rows of a fold, near the point of all rows where these sums were
    /// taken. The strength is that of all rows, and falls with their weight.
    pub(crate) fn without_fold(
        &self,
        point: &Point,
        sums: &[FoldSums],
        fold: usize,
        beta: f64,
    ) -> Vec<f64> {
        let left = self.weight - sums[fold].weight.value();
        let own = point.gradient.iter().zip(&sums[fold].correlations);
        let gradient = own.map(|(all, own)| all - own).collect();
        let point = Point { gradient, ..point.clone() };
        let aside = Aside::Fold { fold, of: sums.len() };
        let mut w = self.minimum(&point, beta * left / self.weight, aside, left);
        round_to_grid(&mut w);
        w
    }

    /// The minimum of the model around a point. Some rows are set aside, the others have this
    /// weight.
    fn minimum(&self, point: &Point, beta: f64, aside: Aside, weight: f64) -> Vec<f64> {
        let targets = self.sample.targets(self.class, aside);
        let own: f64 = targets.iter().map(|(_, s)| s).sum();
        if own == 0.0 {
            return point.w.clone();
        }
        let mut model = Model::new(self, targets, weight / own, point);
        let charge = Charge::plain(beta);
        let before = charge.distance(&point.w, &point.gradient);
        for _ in 0..SAMPLE_STEPS {
            if charge.distance(&model.v, &model.gradient) <= SAMPLE_LEFT * before
                || self.budget.spent().is_some()
                || !model.step(beta, &self.budget)
            {
                break;
            }
        }
        model.v
    }
}

/// `κ L_S(D_S v) + cᵀv`, at a point.
struct Model<'a> {
    sample: &'a Sample,
    loss: LossKind,
    /// Targets, and weights times `κ`.
    targets: Vec<(f64, f64)>,
    /// `c`.
    tilt: Vec<f64>,
    v: Vec<f64>,
    /// `D_S v`.
    u: Vec<f64>,
    /// `κ D_Sᵀ∇L_S + c`.
    gradient: Vec<f64>,
    /// Added to the curvature, as a part of its largest entry.
    damping: f64,
}

impl<'a> Model<'a> {
    fn new(descent: &Descent<'a>, targets: Vec<(f64, f64)>, scale: f64, point: &Point) -> Self {
        let targets = targets.into_iter().map(|(y, s)| (y, scale * s)).collect();
        let v = point.w.clone();
        let mut model = Self {
            sample: descent.sample,
            loss: descent.loss,
            targets,
            tilt: vec![0.0; v.len()],
            u: Vec::new(),
            gradient: Vec::new(),
            damping: 1e-12,
            v,
        };
        model.place(model.v.clone());
        model.tilt = point.gradient.iter().zip(&model.gradient).map(|(g, own)| g - own).collect();
        model.gradient.clone_from(&point.gradient);
        model
    }

    fn place(&mut self, v: Vec<f64>) {
        self.u = self.sample.answers().times(&v);
        let slope = |(u, (y, s)): (&f64, &(f64, f64))| s * self.loss.subgradient(*u, *y).0;
        let mut z: Vec<f64> = self.u.iter().zip(&self.targets).map(slope).collect();
        round_to_grid(&mut z);
        self.gradient = self.sample.answers().correlations(&z);
        self.gradient.iter_mut().zip(&self.tilt).for_each(|(g, c)| *g += c);
        self.v = v;
    }

    /// The model with its penalty where the output is `u`.
    fn value(&self, v: &[f64], u: impl Iterator<Item = f64>, beta: f64) -> f64 {
        let mut sum: Sum =
            u.zip(&self.targets).map(|(u, (y, s))| s * self.loss.value(u, *y)).collect();
        v.iter().zip(&self.tilt).for_each(|(v, c)| sum.add(c * v));
        sum.add(beta * norm(v));
        sum.value()
    }

    fn step(&mut self, beta: f64, budget: &Budget<'_>) -> bool {
        let columns = self.working_set(beta);
        let curvature: Vec<f64> = (self.u.iter().zip(&self.targets))
            .map(|(u, (y, s))| s * self.loss.curvature(*u, *y))
            .collect();
        let (weighting, unit) = Weighting::rounded(&curvature, SAMPLE_BITS);
        let mut gram = self.sample.answers().weighted_gram_symmetric(&columns, &weighting);
        let largest = (0..columns.len()).map(|k| gram[(k, k)]).fold(0.0, f64::max);
        let damping = self.damping * largest;
        gram = Mat::from_fn(columns.len(), columns.len(), |i, j| {
            unit * (gram[(i, j)] + if i == j { damping } else { 0.0 })
        });
        let pick = |of: &[f64]| columns.iter().map(|&j| of[j]).collect::<Vec<f64>>();
        let (reference, gradient) = (pick(&self.v), pick(&self.gradient));
        let model = Quadratic {
            gram: gram.as_ref(),
            reference: &reference,
            gradient: &gradient,
            charge: Charge::plain(beta),
        };
        let (found, _) = model.solve(1e-6 * beta, usize::MAX, budget, &mut Factor::default());
        let mut target = self.v.clone();
        columns.iter().zip(found).for_each(|(&j, v)| target[j] = v);
        let moved = self.sample.answers().times(&target);
        let here = self.value(&self.v, self.u.iter().copied(), beta);
        let mut step = 1.0;
        for _ in 0..=HALVINGS {
            let v: Vec<f64> = self.v.iter().zip(&target).map(|(a, b)| a + step * (b - a)).collect();
            let u = self.u.iter().zip(&moved).map(|(a, b)| a + step * (b - a));
            if self.value(&v, u, beta) < here {
                self.damping = (0.1 * self.damping).max(1e-12);
                self.place(v);
                return true;
            }
            step *= 0.5;
        }
        self.damping *= 1e3;
        self.damping < 1.0
    }

    /// The patterns in use, and those that would lower the model most.
    fn working_set(&self, beta: f64) -> Vec<usize> {
        let mut entering: Vec<usize> = (0..self.v.len())
            .filter(|&j| self.v[j] == 0.0 && self.gradient[j].abs() > beta)
            .collect();
        let size = |j: &usize| self.gradient[*j].abs();
        entering.sort_by(|a, b| size(b).total_cmp(&size(a)).then(a.cmp(b)));
        let used = self.v.iter().filter(|v| **v != 0.0).count();
        entering.truncate(used.max(50));
        entering.extend((0..self.v.len()).filter(|&j| self.v[j] != 0.0));
        entering.sort_unstable();
        entering
    }
}

/// `‖w‖₁`.
fn norm(w: &[f64]) -> f64 {
    w.iter().map(|w| w.abs()).sum()
}

fn nonzero(w: &[f64]) -> Vec<(usize, f64)> {
    w.iter().copied().enumerate().filter(|(_, w)| *w != 0.0).collect()
}
