//! The complete program: `min_δ L(δ) + β(max δ₊ + max δ₋)`.
//!
//! If every dichotomy of the distinct rows is realisable, its value is that of the best network of
//! any width (Theorem 2.3). For any data it is a lower bound on the value of every network of every
//! depth, because the output of each is a combination of patterns. The program separates: every row
//! takes its best `δ` in `[−t₋, t₊]`, and each end is a problem in one variable (see
//! `loss::clip`).
//!
//! With an output bias `c` the cost is `β` times the length of the interval, wherever the interval
//! lies. Its ends solve the same two problems without the border at zero. If the ends would cross,
//! the best constant is optimal. Without negative coefficients the interval begins at `c`.

use super::{Beta, Constraints};
use crate::data::Targets;
use crate::loss::{Loss, clip};
use crate::pattern::Pattern;

/// `min_δ L(δ) + β(max δ₊ + max δ₋)`.
#[derive(Debug, Clone, Copy)]
pub struct CompleteProgram<'a, L> {
    targets: &'a Targets,
    loss: L,
    beta: Beta,
    constraints: Constraints,
}

/// The optimum of a complete program.
#[derive(Debug, Clone, PartialEq)]
pub struct CompleteSolution {
    /// `δ`, the output bias included: one number for each distinct row.
    pub delta: Vec<f64>,
    /// The objective.
    pub value: f64,
    /// `c`, the output bias; zero unless the program has one.
    pub offset: f64,
    ends: Ends,
}

/// The ends of the interval, each between two neighbouring numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ends {
    /// The upper end, and the lower end with its sign changed.
    Levels { upper: (f64, f64), lower: (f64, f64) },
    /// An interval of one point.
    Constant(f64, f64),
}

impl<'a, L: Loss> CompleteProgram<'a, L> {
    /// The program of these targets.
    pub fn new(targets: &'a Targets, loss: L, beta: Beta) -> Self {
        Self { targets, loss, beta, constraints: Constraints::default() }
    }

    /// The same program with constraints on the output.
    pub fn with_constraints(self, constraints: Constraints) -> Self {
        Self { constraints, ..self }
    }

    /// The optimum.
    pub fn solve(&self) -> CompleteSolution {
        let ends = self.ends();
        let (low, high) = match ends {
            Ends::Levels { upper, lower } => (-lower.1, upper.1),
            Ends::Constant(_, c) => (c, c),
        };
        let (delta, loss) = self.loss.clipped(self.targets, low, high);
        let offset = if self.constraints.intercept { low } else { 0.0 };
        CompleteSolution { value: loss + self.beta.get() * (high - low), delta, offset, ends }
    }

    fn ends(&self) -> Ends {
        let beta = self.beta.get();
        if !self.constraints.intercept {
            let level = |side| self.loss.clip_level(self.targets, beta, side);
            let lower = if self.constraints.non_negative { (0.0, 0.0) } else { level(-1.0) };
            return Ends::Levels { upper: level(1.0), lower };
        }
        let level = |side| clip::level(&self.loss, self.targets, beta, side, true);
        let (upper, lower) = (level(1.0), level(-1.0));
        if upper.1 > -lower.1 {
            return Ends::Levels { upper, lower };
        }
        let (a, b) = clip::best_constant(&self.loss, self.targets);
        Ends::Constant(a, b)
    }

    /// `β_max`, the smallest `β` whose optimum has no neuron. It is the strongest pull at zero, or
    /// at the best constant if there is an output bias, over the allowed sides. At a kink the
    /// outward slope counts, because `z` may be any subgradient.
    pub fn beta_max(&self) -> f64 {
        if self.constraints.intercept {
            return self.constant_subgradient().into_iter().map(|z| z.max(0.0)).sum();
        }
        let pull = |side| clip::pull(&self.loss, self.targets, 0.0, side);
        if self.constraints.non_negative { pull(1.0) } else { f64::max(pull(1.0), pull(-1.0)) }
    }

    /// A dual point `z ∈ ∂L(δ)` that proves the optimum; it satisfies the constraints of the dual
    /// up to rounding. Rows inside the interval are at their minimum, and their `z` is zero. The
    /// `z` of every other row is a slope between those at the two ends of the bracket around the
    /// level. If the level is not zero, these add up to `β`.
    pub fn dual(&self, solution: &CompleteSolution) -> Vec<f64> {
        let (upper, lower) = match solution.ends {
            Ends::Constant(..) => return self.constant_subgradient(),
            Ends::Levels { upper, lower } => (upper, lower),
        };
        let mut z = self.side_dual(1.0, upper, self.beta.get());
        // Without negative coefficients, the rows may pull downward from zero without a limit.
        let limit = match self.constraints {
            Constraints { non_negative: true, intercept: false } => f64::INFINITY,
            _ => self.beta.get(),
        };
        let negative = self.side_dual(-1.0, lower, limit);
        z.iter_mut().zip(negative).for_each(|(z, other)| *z += other);
        z
    }

    /// The subgradients on one side; they add up to `limit` if the level is not zero.
    fn side_dual(&self, side: f64, level: (f64, f64), limit: f64) -> Vec<f64> {
        let (a, b) = bracket(level);
        let slopes: Vec<(f64, f64)> = (self.targets.iter())
            .map(|atoms| {
                let outward = clip::slopes(&self.loss, atoms, b, side).1.min(0.0);
                // At zero only the outward slopes count: they add up to at most the limit.
                let arriving = match (b, self.constraints.intercept) {
                    (0.0, false) => outward,
                    _ => clip::slopes(&self.loss, atoms, a, side).0.min(0.0),
                };
                (arriving, outward)
            })
            .collect();
        let (strong, weak) = slopes.iter().fold((0.0, 0.0), |(s, w), (p, q)| (s - p, w - q));
        let share =
            if strong > weak { ((limit - weak) / (strong - weak)).clamp(0.0, 1.0) } else { 0.0 };
        (slopes.into_iter())
            .map(|(arriving, outward)| side * (outward + share * (arriving - outward)))
            .collect()
    }

    /// Subgradients at the best constant output that add up to zero, up to rounding.
    pub fn constant_subgradient(&self) -> Vec<f64> {
        let (a, b) = clip::best_constant(&self.loss, self.targets);
        let slopes: Vec<(f64, f64)> = (self.targets.iter())
            .map(|atoms| {
                (self.loss.row_subgradient(a, atoms).0, self.loss.row_subgradient(b, atoms).1)
            })
            .collect();
        let (left, right) = slopes.iter().fold((0.0, 0.0), |(l, r), (p, q)| (l + p, r + q));
        let share = if right > left { (-left / (right - left)).clamp(0.0, 1.0) } else { 0.0 };
        slopes.into_iter().map(|(left, right)| left + share * (right - left)).collect()
    }
}

/// Two numbers with the level between them. A level that was computed, not searched for, may be off
/// by a few roundings. For a small `β` the slopes there are hardly larger than that.
fn bracket((a, b): (f64, f64)) -> (f64, f64) {
    const ROUNDING: f64 = 4.0 * f64::EPSILON;
    if a < b { (a, b) } else { (a - ROUNDING * a, b + ROUNDING * b) }
}

impl CompleteSolution {
    /// The level sets of `δ − c`: patterns `1{δ ≥ c + t}` and `1{δ ≤ c − t}` with their
    /// coefficients, the largest set first on each side. Then `δ = c + Σ a d`, and `Σ|a|` is the
    /// length of the interval. Sets above `c` get positive coefficients, sets below get negative
    /// ones.
    pub fn level_sets(&self) -> Vec<(Pattern, f64)> {
        level_sets(&self.delta, self.offset)
    }
}

/// The level sets of `δ − c`, with their coefficients.
pub(crate) fn level_sets(delta: &[f64], offset: f64) -> Vec<(Pattern, f64)> {
    let mut sets = Vec::new();
    for sign in [1.0, -1.0] {
        let height = |d: f64| sign * (d - offset);
        let mut levels: Vec<f64> = delta.iter().map(|&d| height(d)).filter(|&d| d > 0.0).collect();
        levels.sort_unstable_by(f64::total_cmp);
        levels.dedup();
        let mut below = 0.0;
        for level in levels {
            let pattern = Pattern::from_fn(delta.len(), |i| height(delta[i]) >= level);
            sets.push((pattern, sign * (level - below)));
            below = level;
        }
    }
    sets
}
