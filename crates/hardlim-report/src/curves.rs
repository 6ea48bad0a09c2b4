//! How the answers for a class trade errors, and whether its probabilities are right.

use hardlim::explain::rounded;
use hardlim::explain::score;
use hardlim::model::Model;
use serde::Serialize;

/// Points of a curve that are nearer than this to the last one are left out.
const STEP: f64 = 0.01;
/// The groups of rows that calibration compares.
const GROUPS: usize = 10;

/// How the answers for one class trade errors, and whether its probabilities are right.
#[derive(Debug, Serialize)]
pub(crate) struct ClassCurves {
    class: String,
    auc: Option<f64>,
    /// False and true positives, as parts of all.
    roc: Vec<[f64; 2]>,
    /// For groups of rows: the mean probability, the part that is of the class, and the rows.
    calibration: Vec<(f64, f64, usize)>,
}

impl ClassCurves {
    /// The curves of class `k` on some rows: their outputs, one for each network, and their
    /// targets.
    pub(crate) fn of(model: &Model, k: usize, u: &[Vec<f64>], y: &[f64]) -> Self {
        let several = model.several_classes().is_some();
        let names = model.coding().target().classes().unwrap_or_default();
        let place = if several { k } else { 0 };
        let hits: Vec<bool> =
            y.iter().map(|y| if several { *y as usize == k } else { *y > 0.0 }).collect();
        let scores: Vec<f64> = u.iter().map(|u| u[place]).collect();
        let p: Option<Vec<f64>> = u.iter().map(|u| Some(model.probabilities(u)?[k])).collect();
        let labels: Vec<f64> = hits.iter().map(|hit| if *hit { 1.0 } else { -1.0 }).collect();
        Self {
            class: names[k].clone(),
            auc: score::auc(&scores, &labels),
            roc: roc(&scores, &hits),
            calibration: p.map_or_else(Vec::new, |p| calibration(&p, &hits)),
        }
    }
}

/// The receiver operating characteristic: from (0, 0) to (1, 1), as outputs go down. Empty if there
/// is only one class.
fn roc(scores: &[f64], hits: &[bool]) -> Vec<[f64; 2]> {
    let all = hits.iter().filter(|hit| **hit).count();
    if all == 0 || all == hits.len() {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..hits.len()).collect();
    order.sort_by(|&i, &j| scores[j].total_cmp(&scores[i]));
    let (mut found, mut curve) = ([0.0, 0.0], vec![[0.0, 0.0]]);
    for ties in order.chunk_by(|&i, &j| scores[i] == scores[j]) {
        let own = ties.iter().filter(|&&i| hits[i]).count();
        found[0] += (ties.len() - own) as f64 / (hits.len() - all) as f64;
        found[1] += own as f64 / all as f64;
        let last: [f64; 2] = *curve.last().expect("the start");
        if found[0] - last[0] >= STEP || found[1] - last[1] >= STEP {
            curve.push(found.map(rounded));
        }
    }
    curve.push([1.0, 1.0]);
    curve.dedup();
    curve
}

/// Groups of rows with about the same probability; equal ones stay together.
fn calibration(p: &[f64], hits: &[bool]) -> Vec<(f64, f64, usize)> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let (mut before, mut last) = (0, None);
    for ties in order.chunk_by(|&i, &j| p[i] == p[j]) {
        // The middle of the ties decides, so that groups have about the same size.
        let group = (before + ties.len() / 2) * GROUPS / p.len();
        match groups.last_mut() {
            Some(rows) if last == Some(group) => rows.extend(ties),
            _ => groups.push(ties.to_vec()),
        }
        (before, last) = (before + ties.len(), Some(group));
    }
    let mean = |rows: &Vec<usize>| {
        let count = rows.len() as f64;
        let hit = rows.iter().filter(|&&i| hits[i]).count() as f64;
        (rounded(rows.iter().map(|&i| p[i]).sum::<f64>() / count), rounded(hit / count), rows.len())
    };
    groups.iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_start_and_end_in_the_corners() {
        let hits = [true, false, true, false];
        assert_eq!(
            roc(&[3.0, 2.0, 2.0, 1.0], &hits),
            [[0.0, 0.0], [0.0, 0.5], [0.5, 1.0], [1.0, 1.0]]
        );
        assert_eq!(roc(&[1.0, 1.0], &[true, false]), [[0.0, 0.0], [1.0, 1.0]]);
        assert!(roc(&[1.0, 2.0], &[true, true]).is_empty());
    }

    #[test]
    fn groups_hold_every_row_once_and_equal_probabilities_stay_together() {
        let p: Vec<f64> = (0..100).map(|i| f64::from(i / 4) / 25.0).collect();
        let hits: Vec<bool> = (0..100).map(|i| i % 3 == 0).collect();
        let groups = calibration(&p, &hits);
        assert_eq!(groups.iter().map(|group| group.2).sum::<usize>(), 100);
        assert!((8..=10).contains(&groups.len()), "{groups:?}");
        assert!(groups.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!(calibration(&[0.25; 8], &[true; 8]), [(0.25, 1.0, 8)]);
        assert_eq!(calibration(&[0.5], &[false]), [(0.5, 0.0, 1)]);
    }
}
