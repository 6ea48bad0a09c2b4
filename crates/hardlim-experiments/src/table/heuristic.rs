//! The heuristics of the table: they choose the learning rate and the strength, and then train.

use std::time::Instant;

use hardlim::Error;
use hardlim::loss::LossKind;
use hardlim::program::Beta;
use hardlim_baseline::{Baseline, Surrogate, Trained};
use serde_json::{Value, json};

use super::method::{Effort, choosing};
use super::{Streams, stratified};
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
        streams: &Streams,
    ) -> Result<Value, Error> {
        let start = Instant::now();
        let baseline = |rate: f64| Baseline {
            surrogate,
            widths: vec![self.patterns],
            epochs: self.epochs,
            batch: Some(BATCH),
            learning_rate: rate,
            seed: streams.starts,
            ..Baseline::default()
        };
        let descend = |samples: &Samples, rate: f64, beta: f64| {
            let (data, beta) = (samples.dataset()?, Beta::new(beta)?);
            baseline(rate).train(&data, LossKind::Squared, beta, &context.budget, |_| {})
        };
        let grid: Vec<(f64, f64)> = (self.betas.iter())
            .flat_map(|&beta| self.rates.iter().map(move |&rate| (rate, beta)))
            .collect();
        // A run that overflows, or ends above its start, has diverged.
        let diverged = |found: &Trained| {
            let (first, last) = (found.epochs.first(), found.epochs.last());
            first
                .zip(last)
                .is_none_or(|(first, last)| last.epoch < self.epochs || last.raw > first.raw)
        };
        // The settings that may be used, with their scores; the best one first.
        let mut choices: Vec<((f64, f64), f64)> = Vec::new();
        if grid.len() > 1 {
            let few = train.select(&choosing(train, self.rows, streams.rows));
            let fold = stratified(&few.y, 5, streams.folds).swap_remove(0);
            let (part, aside) = (few.select(&fold.train), few.select(&fold.test));
            for &(rate, beta) in &grid {
                let found = descend(&part, rate, beta)?;
                if !diverged(&found) {
                    choices.push(((rate, beta), aside.accuracy(&found.network)));
                }
                if context.budget.spent().is_some() {
                    return Err(Error::Interrupted);
                }
            }
        }
        choices.sort_by(|a, b| b.1.total_cmp(&a.1));
        choices.push((grid[0], f64::NAN)); // when there is no choice, or all diverge
        let mut select_seconds = start.elapsed().as_secs_f64();
        let mut begun = Instant::now();
        let ((mut rate, mut beta), mut score) = choices[0];
        let mut found = descend(train, rate, beta)?;
        for &(next, next_score) in &choices[1..] {
            if !diverged(&found) || context.budget.spent().is_some() {
                break;
            }
            ((rate, beta), score) = (next, next_score);
            select_seconds = start.elapsed().as_secs_f64();
            begun = Instant::now();
            found = descend(train, rate, beta)?;
        }
        Ok(json!({
            "strength": beta, "learning_rate": rate, "cv_accuracy": score, "beta": beta,
            "diverged": diverged(&found), "objective": found.rescaled, "raw": found.raw, "neurons": found.network.neurons(),
            "train_accuracy": train.accuracy(&found.network),
            "test_accuracy": test.accuracy(&found.network),
            "select_seconds": select_seconds, "train_seconds": begun.elapsed().as_secs_f64(),
        }))
    }
}
