//! Fewer neurons: coefficients on linearly independent columns, with the same output and no larger
//! norm.
//!
//! Where columns in use depend on each other, moving along the dependence leaves `Dw` as it is; in one
//! of the two directions `‖w‖₁` does not grow, and it ends when a coefficient is zero. What is left
//! has at most `rank D` non-zeros.

use super::quadratic::Quadratic;
use crate::pattern::PatternMatrix;
use crate::program::Signs;

/// Coefficients with `Dw` unchanged up to rounding, on independent columns; the `intercept` column
/// costs nothing and stays.
pub(crate) fn reduce(
    patterns: &PatternMatrix,
    coefficients: &[f64],
    intercept: Option<usize>,
) -> Vec<f64> {
    let support: Vec<usize> = (0..coefficients.len()).filter(|&j| coefficients[j] != 0.0).collect();
    let gram = patterns.gram_symmetric(&support);
    let reference: Vec<f64> = support.iter().map(|&j| coefficients[j]).collect();
    let gradient = vec![0.0; support.len()];
    let model = Quadratic {
        gram: gram.as_ref(),
        reference: &reference,
        gradient: &gradient,
        beta: 1.0,
        signs: Signs::Free,
        intercept: support.iter().position(|&j| intercept == Some(j)),
    };
    let mut reduced = vec![0.0; coefficients.len()];
    support.iter().zip(model.independent()).for_each(|(&j, w)| reduced[j] = w);
    reduced
}
