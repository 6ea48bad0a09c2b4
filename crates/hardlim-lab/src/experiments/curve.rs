//! Curves of an objective over the epochs, with few points.

use crate::baseline::Epoch;
use serde_json::{Value, json};

/// The usual number of points of a curve that are kept.
pub(crate) const POINTS: f64 = 60.0;

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    pub(crate) epoch: f64,
    pub(crate) seconds: f64,
    /// The lowest objective so far, after the best rescaling.
    pub(crate) lowest: f64,
    /// The objective of this epoch, as trained.
    pub(crate) now: f64,
}

/// Chooses some epochs, spaced by equal factors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spacing {
    next: usize,
    last: usize,
    factor: f64,
}

impl Spacing {
    /// For this number of epochs after the start.
    pub(crate) fn new(epochs: usize, points: f64) -> Self {
        Self { next: 0, last: epochs, factor: (epochs.max(1) as f64).powf(1.0 / points) }
    }

    /// Whether this epoch is chosen; epochs come in their order.
    pub(crate) fn takes(&mut self, epoch: usize) -> bool {
        if epoch < self.next && epoch != self.last {
            return false;
        }
        let later = (epoch as f64).max(1.0) * self.factor;
        self.next = (later.ceil() as usize).max(epoch + 1);
        true
    }
}

/// The objectives at about `points` epochs, spaced by equal factors.
pub(crate) fn thin(epochs: &[Epoch], points: f64) -> Value {
    let mut spacing = Spacing::new(epochs.len().saturating_sub(1), points);
    let mut lowest = f64::INFINITY;
    let mut kept = Vec::new();
    for epoch in epochs {
        lowest = lowest.min(epoch.rescaled);
        if spacing.takes(epoch.epoch) {
            kept.push(json!([epoch.epoch, epoch.seconds, lowest, epoch.raw]));
        }
    }
    Value::Array(kept)
}

pub(crate) fn points(record: &Value) -> Vec<Point> {
    let at = |point: &Value, k: usize| point[k].as_f64().unwrap_or(f64::NAN);
    let point =
        |p: &Value| Point { epoch: at(p, 0), seconds: at(p, 1), lowest: at(p, 2), now: at(p, 3) };
    record["curve"].as_array().into_iter().flatten().map(point).collect()
}

/// The accuracies over time in a record: seconds, training, test.
pub(crate) fn accuracies(record: &Value) -> Vec<[f64; 3]> {
    let at = |point: &Value, k: usize| point[k].as_f64().unwrap_or(f64::NAN);
    let points = record["accuracies"].as_array().into_iter().flatten();
    points.map(|point| [0, 1, 2].map(|k| at(point, k))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thinned_curve_falls_and_has_both_ends() {
        let epoch = |k: usize| Epoch {
            epoch: k,
            seconds: k as f64,
            raw: k as f64 % 7.0,
            rescaled: if k == 700 { 1.0 } else { 2.0 + 1.0 / (k + 1) as f64 },
            learning_rate: 0.1,
        };
        let epochs: Vec<Epoch> = (0..=1000).map(epoch).collect();
        let curve = points(&json!({ "curve": thin(&epochs, POINTS) }));
        assert!(curve.len() < 90 && curve[0].epoch == 0.0);
        let last = Point { epoch: 1000.0, seconds: 1000.0, lowest: 1.0, now: 6.0 };
        assert_eq!(*curve.last().unwrap(), last);
        assert!(curve.is_sorted_by(|a, b| a.epoch < b.epoch && a.lowest >= b.lowest));
        assert!(!curve.is_sorted_by(|a, b| a.now >= b.now), "raw objectives are not smoothed");
    }
}
