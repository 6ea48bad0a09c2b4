//! Weights in double precision for a pattern found in integers.

use super::points::Points;
use super::vertex::Chain;
use crate::pattern::threshold::{activates, is_weight};

/// Where the chain first says something: the place of that direction, and which side it is.
fn sides(points: &Points, chain: &Chain) -> Vec<(usize, i8)> {
    let first = |i: usize| {
        let signs = chain.directions.iter().map(|v| points.side(i, v)).enumerate();
        signs.into_iter().find(|s| s.1 != 0).unwrap_or((chain.directions.len(), 0))
    };
    (0..points.len).map(first).collect()
}

/// Weights on the columns as read that put every point on the side of the chain; nothing when the
/// cell is too thin for doubles.
pub(super) fn witness(points: &Points, chain: &Chain) -> Option<Vec<f64>> {
    let sides = sides(points, chain);
    // Half of the way to the next point leaves room on both sides, and other fractions and scales
    // round differently: a thin cell is a matter of luck.
    for fraction in [0.5, 0.25, 0.75, 0.0625, 0.015625] {
        let weights = combine(points, chain, &sides, fraction);
        for attempt in 0..40 {
            let scale = 1.0 + f64::from(attempt) / 40.0;
            let scaled: Vec<f64> = weights.iter().map(|w| w * scale).collect();
            if let Some(weights) = accept(points, &sides, &scaled) {
                return Some(weights);
            }
        }
    }
    None
}

/// `v₀ + t(v₁ + t(v₂ + …))`, every `t` a power of two below the given fraction of what would change
/// another point's side.
fn combine(points: &Points, chain: &Chain, sides: &[(usize, i8)], fraction: f64) -> Vec<f64> {
    let Some((last, others)) = chain.directions.split_last() else {
        return vec![0.0; points.rank()];
    };
    let dot = |i: usize, w: &[f64]| points.value(i).iter().zip(w).map(|(a, w)| a * w).sum::<f64>();
    let mut weights = last.rounded.clone();
    for (level, direction) in others.iter().enumerate().rev() {
        let v = &direction.rounded;
        let room = (0..points.len)
            .filter(|&i| sides[i].0 == level)
            .map(|i| (dot(i, v), dot(i, &weights)))
            .filter(|(ahead, change)| ahead * change < 0.0)
            .map(|(ahead, change)| -ahead / change)
            .fold(1.0, f64::min);
        // Powers of two keep small integers exact, as the points on a face need.
        let t = 2f64.powi((room * fraction).max(1e-100).log2().floor() as i32);
        weights = v.iter().zip(&weights).map(|(v, w)| v + t * w).collect();
    }
    weights
}

/// The weights on the columns as read, if they answer as they should.
fn accept(points: &Points, sides: &[(usize, i8)], weights: &[f64]) -> Option<Vec<f64>> {
    let answers = |i: usize, side: i8| activates(points.value(i), weights, 0.0) == (side >= 0);
    let read: Vec<f64> =
        weights.iter().zip(points.scales()).map(|(w, &s)| w * 2f64.powi(-s)).collect();
    let holds = read.iter().all(|&w| is_weight(w))
        && sides.iter().enumerate().all(|(i, &(_, side))| answers(i, side));
    holds.then_some(read)
}
