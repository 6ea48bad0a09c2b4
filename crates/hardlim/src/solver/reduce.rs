//! Fewer neurons: coefficients on linearly independent columns, with the same output and no larger
//! norm.
//!
//! If columns in use depend on each other, a move along the dependence does not change `Dw`. In one
//! of the two directions `‖w‖₁` does not grow, and the move ends when a coefficient is zero. At
//! most `rank D` non-zeros are left.

use super::Budget;
use super::charge::Charge;
use super::quadratic::Quadratic;
use super::tuning::REDUCED_AT_A_TIME;
use crate::pattern::PatternMatrix;

/// Coefficients on independent columns with the same `Dw`, up to rounding. A column without a
/// penalty stays. With costs, it is `Σ cⱼ|wⱼ|` that does not grow. Columns join the kept ones a few
/// at a time, so that no Gram matrix has more than about `2·rank D` columns. If the budget does not
/// suffice, some of them may still depend on others.
pub(crate) fn reduce(
    patterns: &PatternMatrix,
    coefficients: &[f64],
    charge: &Charge<'_>,
    budget: &Budget<'_>,
) -> Vec<f64> {
    let mut reduced = coefficients.to_vec();
    let mut waiting = (0..coefficients.len()).filter(|&j| coefficients[j] != 0.0).peekable();
    let mut kept: Vec<usize> = Vec::new();
    while waiting.peek().is_some() && budget.spent().is_none() {
        kept.extend(waiting.by_ref().take(kept.len().max(REDUCED_AT_A_TIME)));
        let gram = patterns.gram_symmetric(&kept);
        let reference: Vec<f64> = kept.iter().map(|&j| reduced[j]).collect();
        let (costs, intercept) = charge.on(&kept);
        let model = Quadratic {
            gram: gram.as_ref(),
            reference: &reference,
            gradient: &vec![0.0; kept.len()],
            charge: Charge { costs: costs.as_deref(), intercept, ..Charge::plain(1.0) },
        };
        kept.iter().zip(model.independent(budget)).for_each(|(&j, w)| reduced[j] = w);
        kept.retain(|&j| reduced[j] != 0.0);
    }
    reduced
}
