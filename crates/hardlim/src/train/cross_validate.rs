//! Choosing the strength by cross-validation.

use std::ops::ControlFlow;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::Trainer;
use crate::data::{Dataset, Features};
use crate::error::Error;
use crate::network::score::{Classification, Regression};

/// How to choose `β / β_max`: on `folds` parts of the samples in turn, training on the others.
#[derive(Debug, Clone)]
pub struct CrossValidation {
    /// How many parts.
    pub folds: usize,
    /// The candidates, largest first.
    pub ratios: Vec<f64>,
    /// Whether to take the largest candidate within one standard error of the best.
    pub one_standard_error: bool,
    /// Whether targets are classes `±1`, scored by accuracy; otherwise by R².
    pub classes: bool,
    /// Where chance starts.
    pub seed: u64,
}

/// The rows of one part, and of the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// Rows to train on.
    pub train: Vec<usize>,
    /// Rows to score.
    pub test: Vec<usize>,
}

/// What cross-validation found.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The candidates.
    pub ratios: Vec<f64>,
    /// Their mean scores over the folds.
    pub means: Vec<f64>,
    /// The standard errors of those.
    pub errors: Vec<f64>,
    /// The candidate chosen.
    pub ratio: f64,
}

impl CrossValidation {
    /// Parts of nearly equal size, each class shared out evenly.
    pub fn split(&self, y: &[f64]) -> Vec<Fold> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut order: Vec<usize> = (0..y.len()).collect();
        order.shuffle(&mut rng);
        if self.classes {
            order.sort_by(|&i, &j| y[i].total_cmp(&y[j])); // stable: random within a class
        }
        let mut part = vec![0; y.len()];
        order.iter().enumerate().for_each(|(k, &i)| part[i] = k % self.folds);
        let rows = |keep: &dyn Fn(usize) -> bool| (0..y.len()).filter(|&i| keep(i)).collect();
        (0..self.folds)
            .map(|f| Fold { train: rows(&|i| part[i] != f), test: rows(&|i| part[i] == f) })
            .collect()
    }

    /// Scores every candidate on every fold, and chooses.
    ///
    /// # Errors
    /// When there are fewer samples than folds, or training fails.
    pub fn select(
        &self,
        trainer: &Trainer<'_>,
        x: &Features,
        y: &[f64],
        weights: Option<&[f64]>,
    ) -> Result<Selection, Error> {
        if self.folds < 2 || self.folds > y.len() {
            return Err(Error::Folds { folds: self.folds, samples: y.len() });
        }
        let scores: Vec<Vec<f64>> = (self.split(y).par_iter())
            .map(|fold| self.score(trainer, x, y, weights, fold))
            .collect::<Result<_, _>>()?;
        let folds = scores.len() as f64;
        // A fold that was cut short scores no candidate that the others have.
        let count = scores.iter().map(Vec::len).min().unwrap_or(0);
        let (means, errors): (Vec<f64>, Vec<f64>) = (0..count)
            .map(|k| {
                let mean = scores.iter().map(|s| s[k]).sum::<f64>() / folds;
                let spread: f64 = scores.iter().map(|s| (s[k] - mean).powi(2)).sum();
                (mean, (spread / (folds - 1.0) / folds).sqrt())
            })
            .unzip();
        // Ties go to the larger strength, which comes first.
        let best = (0..count)
            .reduce(|a, b| if means[b] > means[a] { b } else { a })
            .ok_or(Error::Interrupted)?;
        let chosen = match self.one_standard_error {
            false => best,
            true => (0..count)
                .find(|&k| means[k] >= means[best] - errors[best])
                .expect("the best is among them"),
        };
        let ratios = self.ratios[..count].to_vec();
        Ok(Selection { ratio: ratios[chosen], ratios, means, errors })
    }

    fn score(
        &self,
        trainer: &Trainer<'_>,
        x: &Features,
        y: &[f64],
        weights: Option<&[f64]>,
        fold: &Fold,
    ) -> Result<Vec<f64>, Error> {
        let pick = |values: &[f64], rows: &[usize]| rows.iter().map(|&i| values[i]).collect();
        let train_y: Vec<f64> = pick(y, &fold.train);
        let test_y: Vec<f64> = pick(y, &fold.test);
        let train_weights: Option<Vec<f64>> = weights.map(|s| pick(s, &fold.train));
        let data = Dataset::new(x.select(&fold.train), &train_y, train_weights.as_deref())?;
        let held_out = x.select(&fold.test);
        let mut scores = Vec::with_capacity(self.ratios.len());
        trainer.path(&data, Some(&held_out), &self.ratios, |point| {
            scores.push(if self.classes {
                Classification::measure(&point.held_out, &test_y, |_| 0.5).accuracy
            } else {
                let scores = Regression::measure(&point.held_out, &test_y);
                scores.r2.unwrap_or(-scores.mae)
            });
            match trainer.budget.spent() {
                None => ControlFlow::Continue(()),
                Some(_) => ControlFlow::Break(()),
            }
        })?;
        Ok(scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cross_validation(folds: usize, classes: bool) -> CrossValidation {
        CrossValidation {
            folds,
            ratios: vec![0.5, 0.1],
            one_standard_error: false,
            classes,
            seed: 3,
        }
    }

    #[test]
    fn every_row_is_tested_once_and_classes_are_shared_out() {
        let y: Vec<f64> = (0..50).map(|i| if i % 5 == 0 { 1.0 } else { -1.0 }).collect();
        let folds = cross_validation(5, true).split(&y);
        let mut tested: Vec<usize> = folds.iter().flat_map(|f| f.test.clone()).collect();
        tested.sort_unstable();
        assert_eq!(tested, (0..50).collect::<Vec<_>>());
        for fold in &folds {
            assert_eq!(fold.train.len() + fold.test.len(), 50);
            assert_eq!(fold.test.iter().filter(|&&i| y[i] > 0.0).count(), 2);
        }
    }

    #[test]
    fn too_many_folds_are_refused() {
        let x = Features::new(3, 1, vec![1.0, 2.0, 3.0]).unwrap();
        let y = [1.0, -1.0, 1.0];
        let error = cross_validation(4, true).select(&Trainer::default(), &x, &y, None);
        assert_eq!(error.unwrap_err().to_string(), "4 folds need at least 4 samples, found 3");
    }
}
