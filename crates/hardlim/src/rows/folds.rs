//! Cross-validation by passes that serve all folds.
//!
//! The folds share the dictionary, and rows belong to a fold by a hash of their number. At one
//! point `w` for all rows, a pass gives the gradient of each fold's rows; what is left without a
//! fold is the difference to the gradient of all rows. A second pass asks each row for the output
//! of the network that its fold has not trained. So a strength costs two passes more, whatever the
//! number of folds.

use serde::{Deserialize, Serialize};

use super::block::{Block, Visit};
use super::sampling::fold;
use crate::exact::total::Total;

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

impl Block {
    /// What its rows add to the sums of each fold.
    pub(super) fn visit_folds(&self, visit: &Visit, folds: usize) -> Vec<FoldSums> {
        let dual = self.dual(visit);
        let mut z = vec![vec![0.0; dual.len()]; folds];
        let mut sums = vec![FoldSums::default(); folds];
        for (i, dual) in dual.into_iter().enumerate() {
            let own = fold(self.first + i as u64, folds);
            sums[own].weight.add(self.weight(i));
            z[own][i] = dual;
        }
        for (sums, z) in sums.iter_mut().zip(&z) {
            sums.correlations = self.answers.correlations(z);
        }
        sums
    }
}
