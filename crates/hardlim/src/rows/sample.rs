//! The sample: some of the rows, at hand while the others are in blocks. Neurons are drawn for it,
//! and it shows how the loss curves.

use super::sampling::Aside;
use crate::arrangement::{Hyperplane, evaluate};
use crate::data::Features;
use crate::pattern::PatternMatrix;

/// Some of the rows.
#[derive(Debug, Clone)]
pub struct Sample {
    features: Features,
    y: Vec<f64>,
    weights: Option<Vec<f64>>,
    /// Their numbers among all rows.
    numbers: Vec<u64>,
    /// What neurons answer, if they were asked.
    answers: PatternMatrix,
}

impl Sample {
    /// Rows with these numbers among all rows.
    pub fn new(
        numbers: &[u64],
        features: Features,
        y: Vec<f64>,
        weights: Option<Vec<f64>>,
    ) -> Self {
        let numbers = numbers.to_vec();
        Self { answers: PatternMatrix::new(y.len()), features, y, weights, numbers }
    }

    /// `X`.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The weight of every row.
    pub fn weights(&self) -> Vec<f64> {
        self.weights.clone().unwrap_or_else(|| vec![1.0; self.y.len()])
    }

    /// Asks these neurons, instead of those before.
    pub fn answer(&mut self, neurons: &[Hyperplane]) {
        self.answers = evaluate(&self.features, neurons);
    }

    /// What the neurons answer.
    pub(crate) fn answers(&self) -> &PatternMatrix {
        &self.answers
    }

    /// Target and weight of every row. With several classes, this one is told from the rest; rows
    /// set aside weigh nothing.
    pub(crate) fn targets(&self, class: Option<usize>, aside: Aside) -> Vec<(f64, f64)> {
        let target = |y: f64| match class {
            Some(class) if y as usize == class => 1.0,
            Some(_) => -1.0,
            None => y,
        };
        let weight = |i: usize| {
            let aside = aside.holds(self.numbers[i]);
            if aside { 0.0 } else { self.weights.as_ref().map_or(1.0, |s| s[i]) }
        };
        self.y.iter().enumerate().map(|(i, &y)| (target(y), weight(i))).collect()
    }
}
