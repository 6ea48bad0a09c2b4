//! The heuristics of the table: they choose the learning rate and the strength, and then train.

use std::time::Instant;

use crate::baseline::{Baseline, Surrogate, Trained};
use hardlim::Error;
use hardlim::loss::LossKind;
use hardlim::program::Beta;
use serde_json::{Value, json};

use super::method::{Effort, choosing};
use super::{Streams, stratified};
use crate::experiments::experiment::Context;
use crate::experiments::samples::Samples;

/// The schedule of the authors' code: epochs without progress, and what the rate is then multiplied
/// by.
pub(super) const PATIENCE: usize = 10;
pub(super) const FACTOR: f64 = 0.5;

/// Choices are made after this part of the epochs.
pub(super) const PART: usize = 10;

/// A learning rate and a strength.
type Setting = (f64, f64);

impl Effort {
    /// If there is a choice, chooses the learning rate and the strength on the folds that
    /// Convex-Lasso uses. Then trains on the whole training part, and scores.
    pub(super) fn descend(
        &self,
        context: &Context<'_>,
        surrogate: Surrogate,
        train: &Samples,
        test: &Samples,
        streams: &Streams,
    ) -> Result<Value, Error> {
        let start = Instant::now();
        let descend = |samples: &Samples, (rate, beta): Setting, epochs: usize| {
            let baseline = Baseline {
                surrogate,
                widths: vec![self.patterns],
                epochs,
                batch: self.batch,
                learning_rate: rate,
                patience: PATIENCE,
                factor: FACTOR,
                seed: streams.starts,
                ..Baseline::default()
            };
            let (data, beta) = (samples.dataset()?, Beta::new(beta)?);
            baseline.train(&data, LossKind::Squared, beta, &context.budget, &mut |_, _| {})
        };
        // A run that overflows, or ends above its start, has diverged.
        let diverged = |found: &Trained, epochs: usize| {
            let (first, last) = (found.epochs.first(), found.epochs.last());
            first.zip(last).is_none_or(|(first, last)| last.epoch < epochs || last.raw > first.raw)
        };
        let grid: Vec<Setting> = (self.betas.iter())
            .flat_map(|&beta| self.rates.iter().map(move |&rate| (rate, beta)))
            .collect();
        // The settings that diverge on no fold, with their scores; the best one first.
        let mut choices: Vec<(Setting, f64)> = Vec::new();
        if grid.len() > 1 {
            let few = train.select(&choosing(train, self.rows, streams.rows));
            let folds: Vec<(Samples, Samples)> = stratified(&few.y, self.folds, streams.folds)
                .into_iter()
                .map(|fold| (few.select(&fold.train), few.select(&fold.test)))
                .collect();
            let epochs = self.epochs.div_ceil(PART);
            for &setting in &grid {
                let mut score = Some(0.0);
                for (most, aside) in &folds {
                    let found = descend(most, setting, epochs)?;
                    if context.budget.spent().is_some() {
                        return Err(Error::Interrupted);
                    }
                    let hit = aside.accuracy(&found.network) / self.folds as f64;
                    score = score.filter(|_| !diverged(&found, epochs)).map(|sum| sum + hit);
                    if score.is_none() {
                        break;
                    }
                }
                choices.extend(score.map(|score| (setting, score)));
            }
        }
        choices.sort_by(|a, b| b.1.total_cmp(&a.1));
        choices.push((grid[0], f64::NAN)); // when there is no choice, or all diverge
        let mut select_seconds = start.elapsed().as_secs_f64();
        let mut begun = Instant::now();
        let (mut setting, mut score) = choices[0];
        let mut found = descend(train, setting, self.epochs)?;
        for &(next, next_score) in &choices[1..] {
            if !diverged(&found, self.epochs) || context.budget.spent().is_some() {
                break;
            }
            (setting, score) = (next, next_score);
            select_seconds = start.elapsed().as_secs_f64();
            begun = Instant::now();
            found = descend(train, setting, self.epochs)?;
        }
        let (rate, beta) = setting;
        Ok(json!({
            "strength": beta, "learning_rate": rate, "cv_accuracy": score, "beta": beta,
            "diverged": diverged(&found, self.epochs),
            "objective": found.rescaled, "raw": found.raw,
            "neurons": found.network.neurons(), "train_accuracy": train.accuracy(&found.network),
            "test_accuracy": test.accuracy(&found.network),
            "select_seconds": select_seconds, "train_seconds": begun.elapsed().as_secs_f64(),
        }))
    }
}
