//! The sample: some of the rows, at hand while the others are in blocks. Neurons are drawn for it,
//! and it shows how the loss curves.

use super::block::Block;
use super::sampling::Aside;
use crate::arrangement::Hyperplane;
use crate::data::Features;
use crate::pattern::PatternMatrix;

/// Some of the rows.
#[derive(Debug, Clone)]
pub struct Sample {
    rows: Block,
    /// Their numbers among all rows.
    numbers: Vec<u64>,
}

impl Sample {
    /// Rows with these numbers among all rows.
    pub(super) fn new(
        numbers: Vec<u64>,
        features: Features,
        y: Vec<f64>,
        weights: Option<Vec<f64>>,
    ) -> Self {
        let answers = PatternMatrix::new(y.len());
        Self { rows: Block { first: 0, features, y, weights, answers }, numbers }
    }

    /// `X`.
    pub fn features(&self) -> &Features {
        &self.rows.features
    }

    pub(crate) fn weights(&self) -> Vec<f64> {
        (0..self.rows.rows()).map(|i| self.rows.weight(i)).collect()
    }

    pub(crate) fn answer(&mut self, neurons: &[Hyperplane]) {
        self.rows.answer(neurons);
    }

    pub(crate) fn answers(&self) -> &PatternMatrix {
        &self.rows.answers
    }

    /// Target and weight of every row. With several classes, this one is told from the rest; rows
    /// set aside weigh nothing.
    pub(crate) fn targets(&self, class: Option<usize>, aside: Aside) -> Vec<(f64, f64)> {
        let weight = |i: usize| {
            if aside.holds(self.numbers[i]) { 0.0 } else { self.rows.weight(i) }
        };
        (0..self.rows.rows()).map(|i| (self.rows.target(i, class), weight(i))).collect()
    }
}
