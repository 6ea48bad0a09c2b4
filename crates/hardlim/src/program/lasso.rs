//! The Lasso program: `min_w L(Dw) + β‖w‖₁`.
//!
//! When `D = H(X)`, its value is that of training the best two-layer threshold network of any
//! width with weight decay `β` (Theorem 2.2).

use super::{Beta, CompleteProgram, Constraints};
use crate::data::Targets;
use crate::error::Error;
use crate::loss::{self, Loss};
use crate::pattern::PatternMatrix;
use crate::sum::Sum;

/// `min_w L(Dw) + β‖w‖₁` over a dictionary `D`.
#[derive(Debug, Clone, Copy)]
pub struct LassoProgram<'a, L> {
    patterns: &'a PatternMatrix,
    targets: &'a Targets,
    loss: L,
    beta: Beta,
    constraints: Constraints,
}

impl<'a, L: Loss> LassoProgram<'a, L> {
    /// The program of this dictionary.
    ///
    /// # Errors
    /// When patterns and targets have different numbers of rows, or the loss does not take the targets.
    pub fn new(
        patterns: &'a PatternMatrix,
        targets: &'a Targets,
        loss: L,
        beta: Beta,
    ) -> Result<Self, Error> {
        let (expected, found) = (targets.rows(), patterns.samples());
        if expected != found {
            return Err(Error::Length { what: "rows of the patterns", expected, found });
        }
        loss.check_targets(targets)?;
        Ok(Self { patterns, targets, loss, beta, constraints: Constraints::default() })
    }

    /// The same program at another strength.
    #[must_use]
    pub fn with_beta(self, beta: Beta) -> Self {
        Self { beta, ..self }
    }

    /// The same program with constraints on the output.
    #[must_use]
    pub fn with_constraints(self, constraints: Constraints) -> Self {
        Self { constraints, ..self }
    }

    /// The same problem over another dictionary on the same rows.
    ///
    /// # Errors
    /// When patterns and targets have different numbers of rows.
    pub fn over<'b>(
        &'b self,
        patterns: &'b PatternMatrix,
    ) -> Result<LassoProgram<'b, &'b L>, Error> {
        let program = LassoProgram::new(patterns, self.targets, &self.loss, self.beta)?;
        Ok(program.with_constraints(self.constraints))
    }

    /// `D`.
    pub fn patterns(&self) -> &'a PatternMatrix {
        self.patterns
    }

    /// `y`, with the sample weights.
    pub fn targets(&self) -> &'a Targets {
        self.targets
    }

    /// `l`.
    pub fn loss(&self) -> &L {
        &self.loss
    }

    /// `β`.
    pub fn beta(&self) -> Beta {
        self.beta
    }

    /// The constraints on the output.
    pub fn constraints(&self) -> Constraints {
        self.constraints
    }

    /// `u = Dw`.
    pub fn output(&self, coefficients: &[f64]) -> Vec<f64> {
        let nonzero = coefficients.iter().copied().enumerate().filter(|&(_, w)| w != 0.0);
        self.patterns.combine(nonzero)
    }

    /// `L(Dw) + β‖w‖₁`.
    pub fn objective(&self, coefficients: &[f64]) -> f64 {
        let loss = loss::total(&self.loss, self.targets, &self.output(coefficients));
        loss + self.beta.get() * coefficients.iter().map(|w| w.abs()).collect::<Sum>().value()
    }

    /// `β_max = max_j |dⱼᵀz|` for the smallest `z ∈ ∂L(0)`. If [`LassoProgram::beta_max_is_exact`],
    /// it is the smallest `β` whose optimum is zero; otherwise it may be larger. With an output
    /// bias, `z` is taken at the best constant. Without negative coefficients, the maximum is over
    /// `−dⱼᵀz`.
    pub fn beta_max(&self) -> f64 {
        let correlations = self.patterns.correlations(&self.null_gradient()).into_iter();
        correlations.fold(0.0, |max, c| f64::max(max, self.constraints.price(c)))
    }

    /// The smallest `z ∈ ∂L(0)`, row by row; with an output bias, at the best constant.
    pub fn null_gradient(&self) -> Vec<f64> {
        if self.constraints.intercept {
            CompleteProgram::new(self.targets, &self.loss, self.beta).constant_subgradient()
        } else {
            loss::least_gradient(&self.loss, self.targets, &vec![0.0; self.targets.rows()])
        }
    }

    /// Whether `L` has only one gradient at zero, or at the best constant. It has several if a row
    /// is at a kink there; then the smallest `β` is the least over all of them.
    pub fn beta_max_is_exact(&self) -> bool {
        if self.constraints.intercept {
            return self.loss.is_smooth();
        }
        self.targets.iter().all(|atoms| {
            let (left, right) = self.loss.row_subgradient(0.0, atoms);
            left == right
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::LossKind;
    use crate::pattern::Pattern;

    #[test]
    fn no_pattern_is_worth_its_price_from_beta_max_on() {
        let rows = [[true, false, true, true], [false, true, true, false], [true; 4]];
        let patterns: Vec<Pattern> =
            rows.iter().map(|row| Pattern::from_fn(4, |i| row[i])).collect();
        let patterns = PatternMatrix::from_patterns(4, &patterns);
        let targets = Targets::plain(vec![1.0, -1.0, 1.0, 1.0]);
        for loss in LossKind::all() {
            let program = |beta| {
                LassoProgram::new(&patterns, &targets, loss, Beta::new(beta).unwrap()).unwrap()
            };
            let max = program(1.0).beta_max();
            assert!(program(1.0).beta_max_is_exact());
            let step = |beta: f64, j: usize, size: f64| {
                let mut w = vec![0.0; 3];
                w[j] = size;
                program(beta).objective(&w) - program(beta).objective(&[0.0; 3])
            };
            let best = |beta: f64| {
                (0..3).flat_map(|j| [step(beta, j, 1e-3), step(beta, j, -1e-3)]).fold(0.0, f64::min)
            };
            assert!(best(max) >= -1e-15, "{loss}");
            assert!(best(0.9 * max) < 0.0, "{loss}");
        }
        let kinked = Targets::plain(vec![1.0, 0.0, 1.0, 1.0]);
        let beta = Beta::new(1.0).unwrap();
        let program = LassoProgram::new(&patterns, &kinked, LossKind::Absolute, beta).unwrap();
        assert!(!program.beta_max_is_exact());
        assert_eq!(program.beta_max(), 3.0);
    }
}
