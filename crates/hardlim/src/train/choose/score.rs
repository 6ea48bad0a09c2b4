//! How well outputs predict: the log-loss of classes, the loss itself of numbers.

use std::f64::consts::LN_2;

use super::candidate::InputClass;
use super::folds::Outputs;
use super::rows::Rows;
use super::{PREFERENCE, Predictions};
use crate::error::Error;
use crate::loss::{Loss as _, LossKind};
use crate::model::Calibration;
use crate::model::{class_of, largest};
use crate::program::Beta;
use crate::train::{Fold, Measure, Scoring, Selection};

/// The least probability that counts: no sample costs more than about 16.
const LEAST: f64 = 1e-7;

/// What was chosen by cross-validation.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// The class of networks that was chosen.
    pub class: InputClass,
    /// All classes that were compared, with their least losses.
    pub classes: Vec<(InputClass, f64)>,
    /// How many folds had a say.
    pub folds: usize,
    /// The candidates, as parts of `β_max`, largest first.
    pub ratios: Vec<f64>,
    /// Their mean losses on rows that were not trained on.
    pub losses: Vec<f64>,
    /// The candidate with the least.
    pub ratio: f64,
    /// Its loss: the log-loss of classes, the loss itself of numbers.
    pub loss: f64,
    /// Its accuracy, or `R²` of numbers.
    pub score: f64,
    /// The standard error of that.
    pub error: f64,
    /// What turns outputs into probabilities; none of numbers.
    pub calibration: Option<Calibration>,
}

impl Chosen {
    /// Whether `score` is `R²`; otherwise it is the accuracy.
    pub fn is_regression(&self) -> bool {
        self.calibration.is_none()
    }

    /// The same choice with the scores and the calibration of another.
    pub(super) fn with_scores_of(self, other: Self) -> Self {
        let Self { loss, score, error, calibration, .. } = other;
        Self { loss, score, error, calibration, ..self }
    }

    /// The strengths from the largest to the one that was chosen.
    pub(super) fn path(&self, beta_max: f64) -> Result<Vec<Beta>, Error> {
        let until = self.ratios.iter().take_while(|ratio| **ratio >= self.ratio);
        until.map(|ratio| Beta::new(ratio * beta_max)).collect()
    }
}

/// How a strength is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rule {
    /// Whether to take the largest one within one standard error of the best.
    pub(super) one_se: bool,
    /// What is compared.
    pub(super) scoring: Scoring,
}

/// Outputs of one candidate on rows that were not trained on, with what these rows hold.
#[derive(Debug)]
pub(super) struct HeldOut<'a> {
    rows: &'a Rows<'a>,
    folds: usize,
    outputs: Outputs,
    /// The samples that were held out, fold by fold; the outputs have the same order.
    scored: Vec<usize>,
    loss: LossKind,
    ratios: &'a [f64],
    rule: Rule,
    /// The mean loss at every strength.
    losses: Vec<f64>,
    /// The strength with the least; ties go to the larger one.
    best: usize,
}

impl<'a> HeldOut<'a> {
    /// The outputs of a candidate on the rows held out of these folds.
    pub(super) fn new(
        rows: &'a Rows<'a>,
        folds: &[Fold],
        outputs: Outputs,
        predictions: &'a Predictions,
        loss: LossKind,
    ) -> Self {
        let scored: Vec<usize> = folds.iter().flat_map(|fold| fold.test.iter().copied()).collect();
        let (folds, ratios) = (folds.len(), &predictions.ratios[..outputs.strengths]);
        let rule = predictions.rule;
        let losses = Vec::new();
        Self::compare(Self { rows, folds, outputs, scored, loss, ratios, rule, losses, best: 0 })
    }

    /// Finds the strength with the least loss on the samples that are scored.
    fn compare(mut held_out: Self) -> Self {
        let (strengths, rule) = (held_out.outputs.strengths, held_out.rule);
        held_out.losses = (0..strengths).map(|s| held_out.mean(held_out.loss(s))).collect();
        let losses = &held_out.losses;
        let best = (0..strengths).reduce(|a, b| if losses[b] < losses[a] { b } else { a });
        let best = best.expect("every path has a strength");
        held_out.best = match rule.one_se {
            true => {
                let loss = held_out.loss(best);
                let limit = losses[best] + held_out.error(losses[best], loss);
                losses.iter().position(|loss| *loss <= limit).unwrap_or(best)
            }
            false => best,
        };
        held_out
    }

    /// The same on the first folds only, which are these.
    pub(super) fn on(&self, folds: &[Fold]) -> Self {
        let scored = folds.iter().flat_map(|fold| fold.test.iter().copied()).collect();
        let outputs = self.outputs.clone();
        Self::compare(Self { folds: folds.len(), scored, outputs, losses: Vec::new(), ..*self })
    }

    /// The least mean loss.
    pub(super) fn least(&self) -> f64 {
        self.losses[self.best]
    }

    /// The least mean loss if the outputs are scaled for it: few neurons with output weights of few bits have the
    /// wrong scale.
    pub(super) fn scaled(&self) -> f64 {
        match (self.rule.scoring, self.rows.measure) {
            (Scoring::Score, _) | (_, Measure::R2) => self.least(),
            _ => self.mean(self.log_loss(self.best, self.calibrate(self.best))),
        }
    }

    /// Whether more classes are right than with another candidate, by more than a standard error.
    pub(super) fn is_right_more_often(&self, other: &Self) -> bool {
        let (mean, error) = self.errors().excess(&other.errors());
        mean < -error
    }

    /// The accuracy, or `R²` of numbers.
    pub(super) fn accuracy(&self) -> f64 {
        self.score(self.best).0
    }

    /// One less the score of every sample that was held out.
    fn errors(&self) -> Losses {
        let value = self.value(self.best);
        let (counts, values) = (0..self.scored.len())
            .map(|k| (self.rows.count(self.scored[k]), 1.0 - value(k)))
            .unzip();
        Losses { counts, values }
    }

    /// By how much the loss is above that of another candidate, in the mean, and the standard error of that.
    pub(super) fn excess(&self, other: &Self) -> (f64, f64) {
        self.losses().excess(&other.losses())
    }

    /// The loss on every sample that was held out.
    pub(super) fn losses(&self) -> Losses {
        let loss = self.loss(self.best);
        let (counts, values) =
            (0..self.scored.len()).map(|k| (self.rows.count(self.scored[k]), loss(k))).unzip();
        Losses { counts, values }
    }

    /// The standard error of this mean.
    fn error(&self, mean: f64, value: impl Fn(usize) -> f64) -> f64 {
        let samples = self.scored.iter().enumerate();
        error(mean, samples.map(|(k, &i)| (self.rows.count(i), value(k))))
    }

    /// The scores at every strength; `complete` says that no limit of time has cut the path short.
    pub(super) fn selection(&self, complete: bool) -> Selection {
        let scores: Vec<(f64, f64)> = (0..self.ratios.len()).map(|s| self.score(s)).collect();
        let (means, errors): (Vec<f64>, Vec<f64>) = scores.into_iter().unzip();
        Selection {
            folds: self.folds,
            ratios: self.ratios.to_vec(),
            ratio: self.ratios[self.best],
            score: means[self.best],
            error: errors[self.best],
            means,
            errors,
            measure: self.rows.measure,
            complete,
            gap: None,
        }
    }

    /// What is chosen, if it is this candidate.
    pub(super) fn chosen(&self, class: InputClass, classes: Vec<(InputClass, f64)>) -> Chosen {
        let best = self.best;
        let calibration = (self.rows.measure != Measure::R2).then(|| self.calibrate(best));
        let (score, error) = self.score(best);
        let loss = match calibration {
            Some(calibration) => self.mean(self.log_loss(best, calibration)),
            None => self.mean(|k| self.loss.value(self.of(best, k)[0], self.y(k))),
        };
        Chosen {
            class,
            classes,
            folds: self.folds,
            ratio: self.ratios[best],
            ratios: self.ratios.to_vec(),
            losses: self.losses.clone(),
            loss,
            score,
            error,
            calibration,
        }
    }

    /// The outputs of all networks for the `k`-th sample that was held out.
    fn of(&self, strength: usize, k: usize) -> Vec<f64> {
        self.outputs.values.iter().map(|class| class[strength][k]).collect()
    }

    /// Its target.
    fn y(&self, k: usize) -> f64 {
        self.rows.y[self.scored[k]]
    }

    /// `Σ s v / Σ s` over the samples that were scored.
    fn mean(&self, value: impl Fn(usize) -> f64) -> f64 {
        mean(self.scored.iter().enumerate().map(|(k, &i)| (self.rows.count(i), value(k))))
    }

    /// What is compared, for each sample: less is better.
    fn loss(&self, strength: usize) -> Box<dyn Fn(usize) -> f64 + '_> {
        if self.rule.scoring == Scoring::Score {
            let value = self.value(strength);
            return Box::new(move |k| 1.0 - value(k));
        }
        let calibration = match (self.rows.measure, self.loss) {
            (Measure::R2, _) => {
                return Box::new(move |k| self.loss.value(self.of(strength, k)[0], self.y(k)));
            }
            (_, LossKind::Logistic) => calibration(1.0),
            _ => self.calibrate(strength),
        };
        Box::new(self.log_loss(strength, calibration))
    }

    fn log_loss(&self, strength: usize, calibration: Calibration) -> impl Fn(usize) -> f64 {
        move |k| {
            let class = match self.rows.measure {
                Measure::Largest(_) => self.y(k) as usize,
                _ => usize::from(self.y(k) > 0.0),
            };
            let p = calibration.probabilities(&self.of(strength, k))[class];
            // A probability of one costs zero, not minus zero.
            0.0 - p.max(LEAST).ln()
        }
    }

    /// The scale with the least log-loss: golden section, on the logarithm, between 1/8 and 8.
    fn calibrate(&self, strength: usize) -> Calibration {
        const RATIO: f64 = 0.618_033_988_749_894_9;
        let at = |t: f64| self.mean(self.log_loss(strength, calibration(t.exp())));
        let (mut low, mut high) = (-3.0 * LN_2, 3.0 * LN_2);
        let mut inner = (high - RATIO * (high - low), low + RATIO * (high - low));
        let mut values = (at(inner.0), at(inner.1));
        for _ in 0..24 {
            if values.0 <= values.1 {
                high = inner.1;
                inner = (high - RATIO * (high - low), inner.0);
                values = (at(inner.0), values.0);
            } else {
                low = inner.0;
                inner = (inner.1, low + RATIO * (high - low));
                values = (values.1, at(inner.1));
            }
        }
        calibration(f64::midpoint(low, high).exp())
    }

    /// Accuracy or `R²`, and its standard error over the samples.
    fn score(&self, strength: usize) -> (f64, f64) {
        let value = self.value(strength);
        let mean = self.mean(&value);
        (mean, self.error(mean, value))
    }

    /// What each sample contributes to the score.
    fn value(&self, strength: usize) -> impl Fn(usize) -> f64 {
        let variance = {
            let mean = self.mean(|k| self.y(k));
            self.mean(|k| (self.y(k) - mean).powi(2)).max(f64::MIN_POSITIVE)
        };
        move |k: usize| {
            let (outputs, y) = (self.of(strength, k), self.y(k));
            match self.rows.measure {
                Measure::R2 => 1.0 - (outputs[0] - y).powi(2) / variance,
                Measure::Largest(_) => f64::from(largest(&outputs) == y as usize),
                Measure::Accuracy => f64::from(class_of(outputs[0]) == y),
            }
        }
    }
}

/// What was lost on samples that were held out.
#[derive(Debug)]
pub(in crate::train) struct Losses {
    counts: Vec<f64>,
    values: Vec<f64>,
}

impl Losses {
    /// By how much they are above those of others on the same samples, in the mean, and the standard error of that.
    fn excess(&self, other: &Self) -> (f64, f64) {
        let values = self.values.iter().zip(&other.values);
        let samples = self.counts.iter().copied().zip(values.map(|(a, b)| a - b));
        let mean = mean(samples.clone());
        (mean, error(mean, samples))
    }

    /// Whether they are below those of others on the same samples, or above them by half a standard error at most.
    pub(in crate::train) fn is_as_low(&self, other: &Self) -> bool {
        let (mean, error) = self.excess(other);
        mean <= PREFERENCE * error
    }
}

/// `Σ s v / Σ s` over samples `(s, v)`.
fn mean(samples: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (sum, total) = samples.fold((0.0, 0.0), |(sum, total), (s, v)| (sum + s * v, total + s));
    if total > 0.0 { sum / total } else { 0.0 }
}

/// The standard error of this mean of samples `(s, v)`.
fn error(mean: f64, samples: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut counted, mut total, mut spread) = (0.0, 0.0, 0.0);
    for (s, v) in samples {
        counted += f64::from(u8::from(s > 0.0));
        total += s;
        spread += (s * (v - mean)).powi(2);
    }
    if counted > 1.0 { (spread * counted / (counted - 1.0_f64)).sqrt() / total } else { 0.0 }
}

/// The calibration with a scale that is positive and finite.
fn calibration(scale: f64) -> Calibration {
    Calibration::new(scale).expect("an exponential of a moderate number")
}
