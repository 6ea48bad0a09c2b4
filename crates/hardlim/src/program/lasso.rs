//! The Lasso program: `min_w L(Dw) + β‖w‖₁`.
//!
//! When `D = H(X)`, its value is that of training the best two-layer threshold network of any
//! width with weight decay `β` (Theorem 2.2).
//!
//! Columns may have costs `c > 0`: then the penalty is `β Σⱼ cⱼ|wⱼ|`, and the dual constraint of
//! column `j` is `|dⱼᵀz| ≤ cⱼβ`. They may have signs: a coefficient that must be at least zero has
//! the dual constraint `dⱼᵀz ≥ −cⱼβ`, one that must be at most zero `dⱼᵀz ≤ cⱼβ`.

use super::{Beta, CompleteProgram, Constraints};
use crate::arrangement::Signs;
use crate::data::Targets;
use crate::error::Error;
use crate::exact::sum::Sum;
use crate::loss::{self, Loss};
use crate::pattern::PatternMatrix;

/// `min_w L(Dw) + β‖w‖₁` over a dictionary `D`.
#[derive(Debug, Clone, Copy)]
pub struct LassoProgram<'a, L> {
    patterns: &'a PatternMatrix,
    targets: &'a Targets,
    loss: L,
    beta: Beta,
    constraints: Constraints,
    costs: Option<&'a [f64]>,
    signs: Option<&'a [Signs]>,
}

impl<'a, L: Loss> LassoProgram<'a, L> {
    /// The program of this dictionary.
    ///
    /// # Errors
    /// When patterns and targets have different numbers of rows, or the loss does not take the
    /// targets.
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
        let constraints = Constraints::default();
        Ok(Self { patterns, targets, loss, beta, constraints, costs: None, signs: None })
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

    /// The same program with a cost for each column; without costs, each column costs one.
    ///
    /// # Errors
    /// When there is not one positive finite cost for each column.
    pub fn with_costs(self, costs: Option<&'a [f64]>) -> Result<Self, Error> {
        if let Some(costs) = costs {
            let (expected, found) = (self.patterns.patterns(), costs.len());
            if expected != found {
                return Err(Error::Length { what: "costs", expected, found });
            }
            if let Some(&cost) = costs.iter().find(|cost| !(cost.is_finite() && **cost > 0.0)) {
                return Err(Error::Cost(cost));
            }
        }
        Ok(Self { costs, ..self })
    }

    /// The same program with the signs of each coefficient, besides the constraints on all.
    ///
    /// # Panics
    /// When there are not signs for each column.
    pub(crate) fn with_signs(self, signs: Option<&'a [Signs]>) -> Self {
        let fits = signs.is_none_or(|signs| signs.len() == self.patterns.patterns());
        assert!(fits, "signs for each pattern");
        Self { signs, ..self }
    }

    /// The same problem over another dictionary on the same rows, whose columns cost one and have
    /// no signs of their own.
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

    /// The costs of the columns; one each if absent.
    pub fn costs(&self) -> Option<&'a [f64]> {
        self.costs
    }

    /// The signs of the coefficients, besides the constraints on all.
    pub(crate) fn signs(&self) -> Option<&'a [Signs]> {
        self.signs
    }

    /// `u = Dw`.
    pub fn output(&self, coefficients: &[f64]) -> Vec<f64> {
        self.patterns.times(coefficients)
    }

    /// `L(Dw) + β‖w‖₁`; with costs, `L(Dw) + β Σⱼ cⱼ|wⱼ|`.
    pub fn objective(&self, coefficients: &[f64]) -> f64 {
        let loss = loss::total(&self.loss, self.targets, &self.output(coefficients));
        let paid = coefficients.iter().enumerate().map(|(j, w)| cost_of(self.costs, j) * w.abs());
        loss + self.beta.get() * paid.collect::<Sum>().value()
    }

    /// `β_max = max_j |dⱼᵀz|/cⱼ` for the smallest `z ∈ ∂L(0)`. If
    /// [`LassoProgram::beta_max_is_exact`], it is the smallest `β` whose optimum is zero; otherwise
    /// it may be larger. With an output bias, `z` is taken at the best constant. Without negative
    /// coefficients, the maximum is over `−dⱼᵀz/cⱼ`.
    pub fn beta_max(&self) -> f64 {
        let correlations = self.patterns.correlations(&self.null_gradient());
        let own = |j: usize| self.signs.map_or(Signs::BOTH, |signs| signs[j]);
        let signs = |j: usize| self.constraints.signs().and(own(j));
        largest_price(signs, self.costs, &correlations)
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

/// What column `j` costs: one without costs.
pub(crate) fn cost_of(costs: Option<&[f64]>, j: usize) -> f64 {
    costs.map_or(1.0, |costs| costs[j])
}

/// The price of a pattern that costs `k`: `|c|/k`, rounded up. The dual constraint `|c| ≤ kβ` is
/// then again that no price is above `β`.
fn per_cost(price: f64, cost: f64) -> f64 {
    // The slack covers the rounding errors of the cost and of the division.
    let price = price / cost;
    price + 4.0 * f64::EPSILON * price.abs()
}

/// The largest price of all columns, at least zero, given `dⱼᵀz`.
pub(crate) fn largest_price(
    signs: impl Fn(usize) -> Signs,
    costs: Option<&[f64]>,
    correlations: &[f64],
) -> f64 {
    let price = |(j, &c): (usize, &f64)| match costs {
        None => signs(j).price(c),
        Some(costs) => per_cost(signs(j).price(c), costs[j]),
    };
    correlations.iter().enumerate().map(price).fold(0.0, f64::max)
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
