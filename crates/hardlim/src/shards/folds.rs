//! Cross-validation by passes that serve all folds.
//!
//! The folds share the dictionary, and rows belong to a fold by a hash of their number. At one point `w` for all
//! rows, a pass gives the gradient of each fold's rows; what is left without a fold is the difference to the
//! gradient of all rows. A second pass asks each row for the output of the network that its fold has not trained.
//! So a strength costs two passes more, whatever the number of folds.

use serde::{Deserialize, Serialize};

use super::rows::fold;
use super::shard::{Score, Shard, on_grid};
use crate::exact::total::Total;
use crate::loss::{Loss as _, LossKind};

/// A pass that gives the gradient of each fold's rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoldVisit {
    /// `l`.
    pub loss: LossKind,
    /// The class to tell from the rest, if there are several.
    pub class: Option<usize>,
    /// How many folds there are.
    pub folds: usize,
    /// `w`, the coefficients that are not zero, with their patterns.
    pub coefficients: Vec<(usize, f64)>,
    /// The grid of the dual point.
    pub unit: f64,
}

/// What the rows of one fold add up to. All sums are exact.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FoldSums {
    /// The weight of its rows.
    pub weight: Total,
    /// `Dᵀz` over its rows, where `z` is the derivative of the loss, rounded to the grid.
    pub correlations: Vec<f64>,
}

impl FoldSums {
    /// Adds the sums of other rows of the fold.
    pub(super) fn merge(&mut self, other: &Self) {
        self.weight.merge(&other.weight);
        self.correlations.iter_mut().zip(&other.correlations).for_each(|(a, b)| *a += b);
    }
}

impl Shard {
    /// What its rows add to the sums of each fold.
    pub fn visit_folds(&self, visit: &FoldVisit) -> Vec<FoldSums> {
        let u = self.answers.combine(visit.coefficients.iter().copied());
        let mut z = vec![vec![0.0; u.len()]; visit.folds];
        let mut sums = vec![FoldSums::default(); visit.folds];
        for (i, &u) in u.iter().enumerate() {
            let (y, s) = (self.target(i, visit.class), self.weight(i));
            let own = fold(self.first + i as u64, visit.folds);
            sums[own].weight.add(s);
            if s != 0.0 {
                z[own][i] = on_grid(s * visit.loss.subgradient(u, y).0, visit.unit);
            }
        }
        for (sums, z) in sums.iter_mut().zip(&z) {
            sums.correlations = self.answers.correlations(z);
        }
        sums
    }

    /// How well the networks of each fold predict its rows: one network, or one for each class.
    pub fn score_folds(&self, folds: &[Vec<Vec<(usize, f64)>>], numbers: bool) -> Score {
        let mut score = Score::default();
        for (k, networks) in folds.iter().enumerate() {
            let outputs: Vec<Vec<f64>> =
                networks.iter().map(|w| self.answers.combine(w.iter().copied())).collect();
            for i in (0..self.rows()).filter(|&i| fold(self.first + i as u64, folds.len()) == k) {
                let u: Vec<f64> = outputs.iter().map(|output| output[i]).collect();
                score.add(&u, self.y[i], self.weight(i), numbers);
            }
        }
        score
    }
}
