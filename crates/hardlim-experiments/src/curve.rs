//! Curves of an objective over the epochs, with few points.

use hardlim_baseline::Epoch;
use serde_json::{Value, json};

/// The number of points of a curve that are kept.
const POINTS: f64 = 60.0;

/// The lowest objective so far at some epochs, spaced by equal factors: epoch, seconds, objective.
pub(crate) fn thin(epochs: &[Epoch]) -> Value {
    let last = epochs.len().saturating_sub(1).max(1) as f64;
    let mut lowest = f64::INFINITY;
    let mut next = 0usize;
    let mut points = Vec::new();
    for epoch in epochs {
        lowest = lowest.min(epoch.rescaled);
        if epoch.epoch >= next || epoch.epoch + 1 == epochs.len() {
            points.push(json!([epoch.epoch, epoch.seconds, lowest]));
            let later = (epoch.epoch as f64).max(1.0) * last.powf(1.0 / POINTS);
            next = (later.ceil() as usize).max(epoch.epoch + 1);
        }
    }
    Value::Array(points)
}

/// The points of a curve in a record: epoch, seconds, objective.
pub(crate) fn points(record: &Value) -> Vec<(f64, f64, f64)> {
    let at = |point: &Value, k: usize| point[k].as_f64().unwrap_or(f64::NAN);
    let curve = record["curve"].as_array().into_iter().flatten();
    curve.map(|point| (at(point, 0), at(point, 1), at(point, 2))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thinned_curve_falls_and_has_both_ends() {
        let epoch = |k: usize| Epoch {
            epoch: k,
            seconds: k as f64,
            raw: 1.0,
            rescaled: if k == 700 { 1.0 } else { 2.0 + 1.0 / (k + 1) as f64 },
            learning_rate: 0.1,
        };
        let epochs: Vec<Epoch> = (0..=1000).map(epoch).collect();
        let curve = points(&json!({ "curve": thin(&epochs) }));
        assert!(curve.len() < 90 && curve[0].0 == 0.0);
        assert_eq!(*curve.last().unwrap(), (1000.0, 1000.0, 1.0));
        assert!(curve.is_sorted_by(|a, b| a.0 < b.0 && a.2 >= b.2));
    }
}
