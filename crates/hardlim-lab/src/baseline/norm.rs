//! Batch normalisation of one column: `g (t − mean)/√(variance + ε) + c`, and its derivative.

use super::sweep::{pairs, sum};

/// Keeps the deviation of a constant column away from zero.
const EPSILON: f64 = 1e-5;

/// The mean and the deviation of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Statistics {
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
}

/// Normalises a column in place.
#[inline(always)]
pub(crate) fn normalise(t: &mut [f64]) -> Statistics {
    let count = t.len() as f64;
    let mean = sum(t, |t| t) / count;
    let variance = sum(t, |t| (t - mean) * (t - mean)) / count;
    let deviation = (variance + EPSILON).sqrt();
    t.iter_mut().for_each(|t| *t = (*t - mean) / deviation);
    Statistics { mean, deviation }
}

/// Replaces the derivative with respect to `g t̂ + c` by the derivative with respect to `t`, given
/// the normalised column `t̂`. Returns the derivatives with respect to `g` and `c`.
#[inline(always)]
pub(crate) fn backward(
    normalised: &[f64],
    gain: f64,
    deviation: f64,
    by: &mut [f64],
) -> (f64, f64) {
    let count = by.len() as f64;
    let [by_gain, by_shift] = pairs(by, normalised, |d, t| [*d * t, *d]);
    let (scale, mean, slope) = (gain / deviation, by_shift / count, by_gain / count);
    let [] = pairs(by, normalised, |d, t| {
        *d = scale * (*d - mean - t * slope);
        []
    });
    (by_gain, by_shift)
}
