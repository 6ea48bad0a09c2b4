//! The heuristics of the table: they choose the learning rate and the strength, and then train.

use std::time::Instant;

use hardlim::Error;
use serde_json::{Value, json};

use super::Split;
use crate::baseline::{Baseline, Surrogate, Trained};
use crate::experiments::samples::{Samples, score};

/// The schedule of the authors' code: epochs without progress, and what the rate is then multiplied
/// by.
pub(super) const PATIENCE: usize = 10;
pub(super) const FACTOR: f64 = 0.5;

/// Choices are made after this part of the epochs.
pub(super) const PART: usize = 10;

type Setting = (f64, f64);

impl Split<'_> {
    /// If there is a choice, chooses the learning rate and the strength on the folds that
    /// Convex-Lasso uses. Then trains on the whole training part, and scores.
    pub(super) fn descend(&self, surrogate: Surrogate) -> Result<Value, Error> {
        let Self { effort, train, test, context, .. } = self;
        let start = Instant::now();
        let descend = |samples: &Samples, (rate, beta): Setting, epochs: usize| {
            let baseline = Baseline {
                surrogate,
                widths: vec![effort.patterns],
                epochs,
                batch: effort.batch,
                learning_rate: rate,
                patience: PATIENCE,
                factor: FACTOR,
                seed: self.stream("starts"),
                ..Baseline::default()
            };
            samples.descend(&baseline, beta, context, &mut |_, _| {})
        };
        let grid: Vec<Setting> = (effort.betas.iter())
            .flat_map(|&beta| effort.rates.iter().map(move |&rate| (rate, beta)))
            .collect();
        // The settings that diverge on no fold, with their scores; the best one first.
        let mut choices: Vec<(Setting, f64)> = Vec::new();
        if grid.len() > 1 {
            let (folds, epochs) = (self.folds(), effort.epochs.div_ceil(PART));
            for &setting in &grid {
                let mut score = Some(0.0);
                for (most, aside) in &folds {
                    let found = descend(most, setting, epochs)?.0;
                    if context.budget.spent().is_some() {
                        return Err(Error::Interrupted);
                    }
                    let hit = aside.accuracy(&found.network) / effort.folds as f64;
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
        let mut choices = choices.into_iter().peekable();
        while let Some((setting, chosen)) = choices.next() {
            let select_seconds = start.elapsed().as_secs_f64();
            let (found, mut record) = descend(train, setting, effort.epochs)?;
            let diverged = diverged(&found, effort.epochs);
            if !diverged || choices.peek().is_none() || context.budget.spent().is_some() {
                score(&mut record, &found.network, train, test);
                let (rate, beta) = setting;
                (record["strength"], record["beta"]) = (json!(beta), json!(beta));
                (record["learning_rate"], record["cv_accuracy"]) = (json!(rate), json!(chosen));
                record["diverged"] = json!(diverged);
                record["select_seconds"] = json!(select_seconds);
                return Ok(record);
            }
        }
        unreachable!("there is a last choice")
    }
}

/// Whether a run overflowed, or ended above its start.
fn diverged(found: &Trained, epochs: usize) -> bool {
    let (first, last) = (found.epochs.first(), found.epochs.last());
    first.zip(last).is_none_or(|(first, last)| last.epoch < epochs || last.raw > first.raw)
}
