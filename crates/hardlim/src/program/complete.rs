//! The complete program: `min_δ L(δ) + β(max δ₊ + max δ₋)`.
//!
//! Where every dichotomy of the distinct rows is realisable, this is the value of the best network
//! of any width (Theorem 2.3); for any data it is below that of every network of every depth, as
//! all of them answer with patterns. It separates: every row takes the best `δ` it can within
//! `[−t₋, t₊]`, and each end is a problem in one variable (see [`crate::loss::clip`]).

use crate::data::Targets;
use crate::loss::clip::{self, Side, arriving_slope, outward_slope};
use crate::loss::{self, Loss};
use crate::pattern::Pattern;
use crate::program::Beta;

/// `min_δ L(δ) + β(max δ₊ + max δ₋)`.
#[derive(Debug, Clone, Copy)]
pub struct CompleteProgram<'a, L> {
    targets: &'a Targets,
    loss: L,
    beta: Beta,
}

/// The optimum of a complete program.
#[derive(Debug, Clone, PartialEq)]
pub struct CompleteSolution {
    /// `δ`, one number for each distinct row.
    pub delta: Vec<f64>,
    /// `L(δ) + β(max δ₊ + max δ₋)`.
    pub value: f64,
    upper: (f64, f64),
    lower: (f64, f64),
}

impl<'a, L: Loss> CompleteProgram<'a, L> {
    /// The program of these targets.
    pub fn new(targets: &'a Targets, loss: L, beta: Beta) -> Self {
        Self { targets, loss, beta }
    }

    /// The optimum.
    pub fn solve(&self) -> CompleteSolution {
        let beta = self.beta.get();
        let upper = self.loss.clip_level(self.targets, beta, Side::Positive);
        let lower = self.loss.clip_level(self.targets, beta, Side::Negative);
        let delta: Vec<f64> = (self.targets.iter())
            .map(|atoms| self.loss.row_minimizer(atoms, -lower.1, upper.1))
            .collect();
        let value = loss::total(&self.loss, self.targets, &delta) + beta * (upper.1 + lower.1);
        CompleteSolution { delta, value, upper, lower }
    }

    /// `β_max`, the smallest `β` whose optimum is zero: the stronger of the pulls at zero on the two
    /// sides. At a kink the slope outward counts, as `z` may be any subgradient.
    pub fn beta_max(&self) -> f64 {
        let pull = |side| clip::pull(&self.loss, self.targets, 0.0, side);
        f64::max(pull(Side::Positive), pull(Side::Negative))
    }

    /// `z ∈ ∂L(δ)` with `Σz₊ ≤ β` and `Σz₋ ≤ β` up to rounding: the dual point that proves the
    /// optimum. Rows inside the interval rest at their minimum and pull with nothing; the others
    /// pull with a slope between the two ends of the bracket that holds the level, with `β` in sum
    /// where the level is not zero.
    pub fn dual(&self, solution: &CompleteSolution) -> Vec<f64> {
        let beta = self.beta.get();
        let mut z = vec![0.0; self.targets.rows()];
        for (side, level) in [(Side::Positive, solution.upper), (Side::Negative, solution.lower)] {
            let (a, b) = bracket(level);
            let slopes: Vec<(f64, f64)> = (self.targets.iter())
                .map(|atoms| {
                    let outward = outward_slope(&self.loss, atoms, b, side).min(0.0);
                    // From zero nothing arrives: the slopes outward are at most `β` in sum.
                    let arriving = match b {
                        0.0 => outward,
                        _ => arriving_slope(&self.loss, atoms, a, side).min(0.0),
                    };
                    (arriving, outward)
                })
                .collect();
            let (strong, weak) = slopes.iter().fold((0.0, 0.0), |(s, w), (p, q)| (s - p, w - q));
            let share =
                if strong > weak { ((beta - weak) / (strong - weak)).clamp(0.0, 1.0) } else { 0.0 };
            for (z, (arriving, outward)) in z.iter_mut().zip(slopes) {
                *z += side.sign() * (outward + share * (arriving - outward));
            }
        }
        z
    }
}

/// Two numbers with the level between them: a level that was computed, rather than searched for,
/// may be a few roundings away. For a small `β` the slopes there are hardly more than that.
fn bracket((a, b): (f64, f64)) -> (f64, f64) {
    const ROUNDING: f64 = 4.0 * f64::EPSILON;
    if a < b { (a, b) } else { (a - ROUNDING * a, b + ROUNDING * b) }
}

impl CompleteSolution {
    /// The level sets of `δ`: patterns `1{δ ≥ t}` and `1{δ ≤ −t}` with their coefficients, largest
    /// set first on each side. `δ = Σ a d` and `Σ|a| = max δ₊ + max δ₋`: positive level sets get
    /// positive output weights, negative ones negative.
    pub fn level_sets(&self) -> Vec<(Pattern, f64)> {
        let mut sets = Vec::new();
        for side in [Side::Positive, Side::Negative] {
            let sign = side.sign();
            let mut levels: Vec<f64> =
                self.delta.iter().map(|d| sign * d).filter(|&d| d > 0.0).collect();
            levels.sort_unstable_by(f64::total_cmp);
            levels.dedup();
            let mut below = 0.0;
            for level in levels {
                let pattern = Pattern::from_fn(self.delta.len(), |i| sign * self.delta[i] >= level);
                sets.push((pattern, sign * (level - below)));
                below = level;
            }
        }
        sets
    }
}
