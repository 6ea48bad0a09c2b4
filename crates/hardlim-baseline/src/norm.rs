//! Batch normalisation of one column: `g (t − mean)/√(variance + ε) + c`, and its derivative.

/// Keeps the deviation of a constant column away from zero.
const EPSILON: f64 = 1e-5;

/// The mean and the deviation of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Statistics {
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
}

/// Normalises a column in place.
pub(crate) fn normalise(t: &mut [f64]) -> Statistics {
    let count = t.len() as f64;
    let mean = t.iter().sum::<f64>() / count;
    let variance = t.iter().map(|t| (t - mean) * (t - mean)).sum::<f64>() / count;
    let deviation = (variance + EPSILON).sqrt();
    t.iter_mut().for_each(|t| *t = (*t - mean) / deviation);
    Statistics { mean, deviation }
}

/// Replaces the derivative with respect to `g t̂ + c` by the derivative with respect to `t`, given the
/// normalised column `t̂`. Returns the derivatives with respect to `g` and `c`.
pub(crate) fn backward(
    normalised: &[f64],
    gain: f64,
    deviation: f64,
    by: &mut [f64],
) -> (f64, f64) {
    let count = by.len() as f64;
    let by_shift: f64 = by.iter().sum();
    let by_gain: f64 = by.iter().zip(normalised).map(|(d, t)| d * t).sum();
    for (d, t) in by.iter_mut().zip(normalised) {
        *d = gain / deviation * (*d - by_shift / count - t * by_gain / count);
    }
    (by_gain, by_shift)
}
