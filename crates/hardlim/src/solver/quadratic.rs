//! The quadratic model: `min_w ½(w−w₀)ᵀG(w−w₀) + gᵀ(w−w₀) + β‖w‖₁`, solved by an active set.
//!
//! `g` is the gradient at the reference `w₀`. The caller computes it as exactly as possible; then
//! rounding errors scale with the step `w − w₀`, not with `w`. The squared loss is this model.
//! Other losses use it at every Newton step, and maximum margins use it with `w ≥ 0`.
//!
//! The columns in use stay linearly independent, so a solution has at most `rank G` non-zeros. A
//! step admits violating columns in batches, jumps to the minimum with the present signs, and drops
//! the coefficients that get the wrong sign. If that does not descend, an exact line search on the
//! piecewise quadratic does. A violating column in the span of those in use is exchanged: a move
//! along the dependence changes only the norm, and ends when a coefficient is zero.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use super::Budget;
use super::charge::Charge;
use super::factor::Factor;
use crate::arrangement::Signs;

/// Violations of this size, relative to `β`, may be rounding errors.
const ROUNDING: f64 = 1e-9;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Quadratic<'a> {
    /// `G`, symmetric.
    pub(crate) gram: MatRef<'a, f64>,
    /// `w₀`.
    pub(crate) reference: &'a [f64],
    /// `g`.
    pub(crate) gradient: &'a [f64],
    /// `β`, and which `w` are allowed.
    pub(crate) charge: Charge<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// No column violates its condition by more than the tolerance.
    Optimal,
    /// Rounding errors leave no step that descends, the limit of steps is reached, or the budget is
    /// spent.
    Stalled,
    /// The model falls without end: with `w ≥ 0`, there is a direction without curvature.
    Unbounded,
}

impl Quadratic<'_> {
    /// Finds the minimum, starting from `w₀`, in at most `steps` steps. Columns may violate `|∇| ≤
    /// β` by `tolerance`. The `factor` is from an earlier search on the same Gram matrix, or a new
    /// one.
    pub(crate) fn solve(
        &self,
        tolerance: f64,
        steps: usize,
        budget: &Budget<'_>,
        factor: &mut Factor,
    ) -> (Vec<f64>, Ending) {
        let mut state = State::new(self, factor, budget);
        let mut ending = state.settle();
        // Every step lowers the objective, so no active set comes back. The limit guards against
        // rounding errors.
        for _ in 0..steps.min(20 * self.reference.len() + 100) {
            if ending != Ending::Optimal || budget.spent().is_some() {
                break;
            }
            let mut entering = state.violators(tolerance);
            // The tolerance is below the rounding errors, so these are removed first.
            if entering.is_empty() && tolerance < ROUNDING * self.charge.beta {
                state.refine();
                entering = state.violators(tolerance);
            }
            if entering.is_empty() {
                return (state.w, Ending::Optimal);
            }
            ending = state.step(entering);
            budget.count(state.active.len() * state.w.len() / 2);
        }
        if ending == Ending::Unbounded {
            return (state.w, ending);
        }
        if budget.spent().is_none() {
            state.refine();
        }
        (state.w, Ending::Stalled)
    }

    /// Moves the reference onto independent columns: where columns depend on each other, it moves
    /// along the dependence until a coefficient is zero. If the budget is spent, columns may still
    /// depend on each other.
    pub(crate) fn independent(&self, budget: &Budget<'_>) -> Vec<f64> {
        let mut factor = Factor::default();
        let mut state = State::new(self, &mut factor, budget);
        state.resolve_dependence();
        state.w
    }
}

#[derive(Debug)]
struct State<'a> {
    model: &'a Quadratic<'a>,
    /// The factor of the columns in use, or of a set that was tried.
    factor: &'a mut Factor,
    budget: &'a Budget<'a>,
    w: Vec<f64>,
    /// `g + G(w − w₀)`.
    gradient: Vec<f64>,
    /// The value of the model at `w`, minus its value at `w₀`.
    value: f64,
    active: Vec<usize>,
}

impl<'a> State<'a> {
    fn new(model: &'a Quadratic<'a>, factor: &'a mut Factor, budget: &'a Budget<'a>) -> Self {
        let w = model.reference.to_vec();
        // They keep the order of the factor, so that as much of it as possible is used again.
        let mut active: Vec<usize> =
            factor.set().iter().copied().filter(|&j| w[j] != 0.0).collect();
        let mut known = vec![false; w.len()];
        active.iter().for_each(|&j| known[j] = true);
        active.extend((0..w.len()).filter(|&j| w[j] != 0.0 && !known[j]));
        Self { model, factor, budget, gradient: model.gradient.to_vec(), value: 0.0, active, w }
    }

    /// The columns that would lower the objective, the worst first, at most one batch. A column at
    /// zero may violate its condition by `tolerance`.
    fn violators(&self, tolerance: f64) -> Vec<usize> {
        let violation = |j: usize| self.model.charge.violation(j, self.gradient[j]);
        let mut violators: Vec<usize> =
            (0..self.w.len()).filter(|&j| self.w[j] == 0.0 && violation(j) > tolerance).collect();
        let batch = (self.active.len() / 2).max(10);
        if violators.len() > batch {
            let worst_first = |&i: &usize, &j: &usize| violation(j).total_cmp(&violation(i));
            violators.select_nth_unstable_by(batch, worst_first);
            violators.truncate(batch);
        }
        violators.sort_by(|&i, &j| violation(j).total_cmp(&violation(i)).then(i.cmp(&j)));
        violators
    }

    /// The sign that column `j` has in use, or would have.
    fn sign(&self, j: usize) -> f64 {
        if self.w[j] != 0.0 { self.w[j].signum() } else { -self.gradient[j].signum() }
    }

    /// Whether a coefficient has the sign of its column.
    fn agrees(&self, j: usize, w: f64) -> bool {
        self.model.charge.intercept == Some(j) || w * self.sign(j) > 0.0
    }

    /// Makes the columns of the reference independent, and moves to the minimum over them.
    fn settle(&mut self) -> Ending {
        let ending = self.resolve_dependence();
        if ending == Ending::Optimal && !self.active.is_empty() {
            self.descend(Vec::new()); // does not move if this is the minimum already
        }
        ending
    }

    /// Exchanges active columns that depend on others until none does.
    fn resolve_dependence(&mut self) -> Ending {
        self.factor.refactor(self.model.gram, &self.active, self.budget);
        let dependent = self.factor.dependent();
        self.active.retain(|j| !dependent.contains(j));
        for j in dependent {
            if self.budget.spent().is_some() {
                return Ending::Stalled;
            }
            let ending = self.exchange(j);
            if ending != Ending::Optimal {
                return ending;
            }
        }
        Ending::Optimal
    }

    /// One step that admits `entering`: to the minimum over the larger set, or an exchange if the
    /// worst violator depends on the columns in use.
    fn step(&mut self, entering: Vec<usize>) -> Ending {
        let worst = entering[0];
        let set: Vec<usize> = self.active.iter().chain(&entering).copied().collect();
        self.factor.refactor(self.model.gram, &set, self.budget);
        let dependent = self.factor.dependent();
        if dependent.contains(&worst) {
            let ending = self.exchange(worst);
            if ending == Ending::Optimal {
                self.descend(Vec::new()); // does not move if this is the minimum already
            }
            return ending;
        }
        self.descend(entering.into_iter().filter(|j| !dependent.contains(j)).collect())
    }

    /// Moves to the minimum over the active columns and `entering` with the present signs, and
    /// drops wrong signs. If that does not descend, a line search does.
    fn descend(&mut self, entering: Vec<usize>) -> Ending {
        let set: Vec<usize> = self.active.iter().chain(&entering).copied().collect();
        let (set, target) = self.agreeing(set);
        if self.accept(&set, &target) || self.search(&entering) {
            return Ending::Optimal;
        }
        // At a minimum over the active columns, a single violator moves with its own sign.
        match entering[..] {
            [] | [_] => Ending::Stalled,
            [worst, ..] => self.descend(vec![worst]),
        }
    }

    /// Exact line search towards the minimum over the active columns and those of `entering` that
    /// would move with their sign. The model falls in that direction.
    fn search(&mut self, entering: &[usize]) -> bool {
        let mut entering = entering.to_vec();
        let set: Vec<usize> = self.active.iter().chain(&entering).copied().collect();
        let mut target = self.minimum(&set);
        loop {
            let size = self.active.len();
            let kept: Vec<usize> = (entering.iter().enumerate())
                .filter(|&(k, &j)| self.agrees(j, target[size + k]))
                .map(|(_, &j)| j)
                .collect();
            if kept.len() == entering.len() {
                break;
            }
            entering = kept;
            let set: Vec<usize> = self.active.iter().chain(&entering).copied().collect();
            target = self.minimum(&set);
        }
        let set: Vec<usize> = self.active.iter().chain(&entering).copied().collect();
        let direction: Vec<f64> = set.iter().zip(&target).map(|(&j, t)| t - self.w[j]).collect();
        let step = self.best_step(&set, &direction);
        let reached: Vec<f64> = (set.iter().zip(&direction))
            .map(|(&j, d)| {
                let crossed = self.w[j] != 0.0 && step == -self.w[j] / d;
                if crossed { 0.0 } else { self.w[j] + step * d }
            })
            .collect();
        step.is_finite() && self.accept(&set, &reached)
    }

    /// The `t` that minimises the model at `w + t·direction`. This is a convex function of `t`,
    /// quadratic between the points where a coefficient changes sign.
    fn best_step(&self, set: &[usize], direction: &[f64]) -> f64 {
        let Quadratic { gram, charge, .. } = self.model;
        let (mut curvature, mut slope) = (0.0, 0.0);
        let mut crossings: Vec<(f64, f64)> = Vec::new();
        for (&j, &d) in set.iter().zip(direction) {
            let column = gram.col(j);
            curvature += d * set.iter().zip(direction).map(|(&i, e)| column[i] * e).sum::<f64>();
            let sign = if self.w[j] == 0.0 { d.signum() } else { self.w[j].signum() };
            let penalty = charge.of(j);
            slope += d * (self.gradient[j] + penalty * sign);
            let crossing = -self.w[j] / d;
            if crossing > 0.0 && crossing.is_finite() && charge.intercept != Some(j) {
                let both = charge.signs(j) == Signs::BOTH;
                let bend = if both { 2.0 * penalty * d.abs() } else { f64::INFINITY };
                crossings.push((crossing, bend));
            }
        }
        crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (t, bend) in crossings {
            let best = -slope / curvature;
            if best <= t {
                return best;
            }
            slope += bend;
            if slope + curvature * t >= 0.0 {
                return t;
            }
        }
        -slope / curvature
    }

    /// Brings in column `j`, which lies in the span of the active ones, and takes one of them out.
    /// A column at zero enters with its own sign. A column in use grows or shrinks, whichever
    /// descends.
    fn exchange(&mut self, j: usize) -> Ending {
        let gram = self.model.gram;
        if !self.factor.refactor(gram, &self.active, self.budget) {
            return Ending::Stalled;
        }
        let mut combination: Vec<f64> = self.active.iter().map(|&i| gram.col(j)[i]).collect();
        self.factor.solve(&mut combination);
        let slope = |sign: f64| {
            let own = if self.w[j] == 0.0 { 1.0 } else { sign * self.w[j].signum() };
            let others: f64 = (self.active.iter().zip(&combination))
                .map(|(&i, c)| {
                    c * (self.gradient[i] + self.model.charge.of(i) * self.w[i].signum())
                })
                .sum();
            sign * (self.gradient[j] - others) + self.model.charge.of(j) * own
        };
        let sign = match self.w[j] {
            0.0 => self.sign(j),
            _ if slope(1.0) <= slope(-1.0) => 1.0,
            _ => -1.0,
        };
        let leaving = (self.active.iter().zip(&combination))
            .map(|(&i, c)| (self.w[i] / (sign * c), i))
            .chain([(-self.w[j] / sign, j)])
            .filter(|&(t, i)| t.is_finite() && self.model.charge.intercept != Some(i))
            .filter(|&(t, i)| t > 0.0 || (t == 0.0 && i != j))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((t, leaves)) = leaving else {
            return Ending::Unbounded;
        };
        let mut reached = self.w.clone();
        let moves = self.active.iter().copied().zip(combination.iter().map(|c| -c));
        moves.chain([(j, 1.0)]).for_each(|(i, c)| reached[i] += sign * t * c);
        reached[leaves] = 0.0;
        let active: Vec<usize> = (self.active.iter().copied().chain([j]))
            .filter(|&i| i != leaves && reached[i] != 0.0)
            .collect();
        let everything: Vec<usize> = (0..reached.len()).collect();
        self.place(&everything, &reached);
        self.active = active;
        Ending::Optimal
    }

    /// The minimum over `set`, with all other columns at zero and the signs fixed: one Newton step
    /// from `w`, after the leaving columns are removed from the gradient.
    fn minimum(&mut self, set: &[usize]) -> Vec<f64> {
        let gram = self.model.gram;
        let mut kept = vec![false; self.w.len()];
        set.iter().for_each(|&j| kept[j] = true);
        let leaving: Vec<usize> = self.active.iter().copied().filter(|&j| !kept[j]).collect();
        let mut step: Vec<f64> = (set.iter())
            .map(|&j| -(self.gradient[j] + self.model.charge.of(j) * self.sign(j)))
            .collect();
        for j in leaving {
            let column = gram.col(j);
            step.iter_mut().zip(set).for_each(|(s, &i)| *s += self.w[j] * column[i]);
        }
        self.factor.refactor(gram, set, self.budget);
        self.factor.solve(&mut step);
        set.iter().zip(step).map(|(&j, s)| self.w[j] + s).collect()
    }

    /// One more Newton step over the active columns, against the rounding errors in their
    /// conditions.
    fn refine(&mut self) {
        let (set, target) = self.agreeing(self.active.clone());
        self.place(&set, &target);
    }

    /// The minimum over those columns that have their own sign there.
    fn agreeing(&mut self, mut set: Vec<usize>) -> (Vec<usize>, Vec<f64>) {
        loop {
            let target = self.minimum(&set);
            let count = set.len();
            let kept: Vec<(usize, f64)> =
                set.into_iter().zip(target).filter(|&(j, w)| self.agrees(j, w)).collect();
            let target: Vec<f64>;
            (set, target) = kept.into_iter().unzip();
            if set.len() == count {
                return (set, target);
            }
        }
    }

    /// Moves to `values` on `set`, zero elsewhere, if the model is lower there.
    fn accept(&mut self, set: &[usize], values: &[f64]) -> bool {
        let before = (self.w.clone(), self.gradient.clone(), self.value, self.active.clone());
        self.place(set, values);
        let descends = self.value < before.2;
        if !descends {
            (self.w, self.gradient, self.value, self.active) = before;
        }
        descends
    }

    /// Moves to `values` on `set`, zero elsewhere.
    fn place(&mut self, set: &[usize], values: &[f64]) {
        let Quadratic { gram, reference, gradient, .. } = self.model;
        let mut moved: Vec<f64> = reference.iter().map(|w| -w).collect();
        set.iter().zip(values).for_each(|(&j, w)| moved[j] += w);
        self.gradient.copy_from_slice(gradient);
        let size = moved.len();
        if 4 * moved.iter().filter(|m| **m != 0.0).count() > size {
            let into = MatMut::from_column_major_slice_mut(&mut self.gradient, size, 1);
            let moved = MatRef::from_column_major_slice(&moved, size, 1);
            matmul(into, Accum::Add, *gram, moved, 1.0, Par::Seq);
        } else {
            for (j, &moved) in moved.iter().enumerate().filter(|(_, moved)| **moved != 0.0) {
                let column = gram.col(j).try_as_col_major().expect("a column of a matrix");
                let pairs = self.gradient.iter_mut().zip(column.as_slice());
                pairs.for_each(|(r, c)| *r += moved * c);
            }
        }
        self.w.fill(0.0);
        set.iter().zip(values).for_each(|(&j, &w)| self.w[j] = w);
        self.active = set.iter().copied().filter(|&j| self.w[j] != 0.0).collect();
        self.value = (0..self.w.len())
            .filter(|&j| self.w[j] != reference[j])
            .map(|j| {
                let (w, w0) = (self.w[j], reference[j]);
                let penalty = self.model.charge.of(j);
                0.5 * (w - w0) * (gradient[j] + self.gradient[j]) + penalty * (w.abs() - w0.abs())
            })
            .sum();
    }
}
