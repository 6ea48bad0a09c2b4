//! The heuristics of the table: they choose the learning rate and the strength, and then train.

use std::time::Instant;

use hardlim::Error;
use hardlim::loss::LossKind;
use hardlim::program::Beta;
use hardlim_baseline::{Baseline, Surrogate};
use serde_json::{Value, json};

use super::method::{Effort, choosing};
use super::stratified;
use crate::experiment::Context;
use crate::samples::Samples;

/// The number of rows in a step.
pub(super) const BATCH: usize = 64;

impl Effort {
    /// If there is a choice, chooses the learning rate and the strength on a fifth of the training part.
    /// Then trains on all of it, and scores.
    pub(super) fn descend(
        &self,
        context: &Context<'_>,
        surrogate: Surrogate,
        train: &Samples,
        test: &Samples,
        seed: u64,
    ) -> Result<Value, Error> {
        let start = Instant::now();
        let baseline = |rate: f64| Baseline {
            surrogate,
            widths: vec![self.patterns],
            epochs: self.epochs,
            batch: Some(BATCH),
            learning_rate: rate,
            seed,
            ..Baseline::default()
        };
        let descend = |samples: &Samples, rate: f64, beta: f64| {
            let (data, beta) = (samples.dataset()?, Beta::new(beta)?);
            baseline(rate).train(&data, LossKind::Squared, beta, &context.budget, |_| {})
        };
        let grid: Vec<(f64, f64)> = (self.betas.iter())
            .flat_map(|&beta| self.rates.iter().map(move |&rate| (rate, beta)))
            .collect();
        let mut best = (grid[0], f64::NAN);
        if grid.len() > 1 {
            let few = train.select(&choosing(train, self.rows, seed));
            let fold = stratified(&few.y, 5, seed).swap_remove(0);
            let (part, aside) = (few.select(&fold.train), few.select(&fold.test));
            for &(rate, beta) in &grid {
                let score = aside.accuracy(&descend(&part, rate, beta)?.network);
                if best.1.is_nan() || score > best.1 {
                    best = ((rate, beta), score);
                }
                if context.budget.spent().is_some() {
                    return Err(Error::Interrupted);
                }
            }
        }
        let ((rate, beta), score) = best;
        let select_seconds = start.elapsed().as_secs_f64();
        let begun = Instant::now();
        let found = descend(train, rate, beta)?;
        Ok(json!({
            "strength": beta, "learning_rate": rate, "cv_accuracy": score, "beta": beta,
            "objective": found.rescaled, "raw": found.raw, "neurons": found.network.neurons(),
            "train_accuracy": train.accuracy(&found.network),
            "test_accuracy": test.accuracy(&found.network),
            "select_seconds": select_seconds, "train_seconds": begun.elapsed().as_secs_f64(),
        }))
    }
}
