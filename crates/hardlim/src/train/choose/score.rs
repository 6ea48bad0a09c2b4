//! How well outputs predict: the log-loss of classes, the loss itself of numbers.

use super::folds::Outputs;
use super::rows::Rows;
use crate::error::Error;
use crate::loss::{Loss as _, LossKind};
use crate::model::Calibration;
use crate::network::score::{class_of, largest};
use crate::program::Beta;
use crate::train::{Fold, Measure};

/// The least probability that counts: no sample costs more than about 16.
const LEAST: f64 = 1e-7;

/// What was chosen by cross-validation.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
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

    /// The strengths from the largest to the one that was chosen.
    pub(super) fn path(&self, beta_max: f64) -> Result<Vec<Beta>, Error> {
        let until = self.ratios.iter().take_while(|ratio| **ratio >= self.ratio);
        until.map(|ratio| Beta::new(ratio * beta_max)).collect()
    }
}

/// The strength with the least loss; ties go to the larger one.
pub(super) fn choose(
    rows: &Rows<'_>,
    folds: &[Fold],
    outputs: &Outputs,
    ratios: &[f64],
    loss: LossKind,
) -> Chosen {
    let scored: Vec<usize> = folds.iter().flat_map(|fold| fold.test.iter().copied()).collect();
    let held_out = HeldOut { rows, outputs, scored: &scored, loss };
    let losses: Vec<f64> = (0..outputs.strengths).map(|s| held_out.loss(s)).collect();
    let best = (0..losses.len()).reduce(|a, b| if losses[b] < losses[a] { b } else { a });
    let best = best.expect("every path has a strength");
    let calibration = (rows.measure != Measure::R2).then(|| held_out.calibrate(best));
    let (score, error) = held_out.score(best);
    let loss = calibration.map_or(losses[best], |c| held_out.log_loss(best, c));
    let ratios = ratios[..losses.len()].to_vec();
    Chosen {
        folds: folds.len(),
        ratio: ratios[best],
        ratios,
        losses,
        loss,
        score,
        error,
        calibration,
    }
}

/// Outputs on rows that were not trained on, with what the rows hold.
struct HeldOut<'a> {
    rows: &'a Rows<'a>,
    outputs: &'a Outputs,
    scored: &'a [usize],
    loss: LossKind,
}

impl HeldOut<'_> {
    /// The outputs of all networks for a sample.
    fn of(&self, strength: usize, i: usize) -> Vec<f64> {
        self.outputs.values.iter().map(|class| class[strength][i]).collect()
    }

    /// `Σ s v / Σ s` over the samples that were scored.
    fn mean(&self, value: impl Fn(usize) -> f64) -> f64 {
        let count = |i: usize| self.rows.counts.map_or(1.0, |s| s[i]);
        let sum: f64 = self.scored.iter().map(|&i| count(i) * value(i)).sum();
        let total: f64 = self.scored.iter().map(|&i| count(i)).sum();
        if total > 0.0 { sum / total } else { 0.0 }
    }

    /// What is compared.
    fn loss(&self, strength: usize) -> f64 {
        match self.rows.measure {
            Measure::R2 => self.mean(|i| self.loss.value(self.of(strength, i)[0], self.rows.y[i])),
            _ if self.loss == LossKind::Logistic => self.log_loss(strength, calibration(1.0)),
            _ => self.log_loss(strength, self.calibrate(strength)),
        }
    }

    fn log_loss(&self, strength: usize, calibration: Calibration) -> f64 {
        self.mean(|i| {
            let class = match self.rows.measure {
                Measure::Largest(_) => self.rows.y[i] as usize,
                _ => usize::from(self.rows.y[i] > 0.0),
            };
            let p = calibration.probabilities(&self.of(strength, i))[class];
            -p.max(LEAST).ln()
        })
    }

    /// The scale with the least log-loss: golden section, on the logarithm, between 1/8 and 8.
    fn calibrate(&self, strength: usize) -> Calibration {
        const RATIO: f64 = 0.618_033_988_749_894_9;
        let at = |t: f64| self.log_loss(strength, calibration(t.exp()));
        let (mut low, mut high) = (-(8f64.ln()), 8f64.ln());
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
        let samples = (self.scored.len() as f64).max(2.0);
        let y = self.rows.y;
        let variance = {
            let mean = self.mean(|i| y[i]);
            self.mean(|i| (y[i] - mean).powi(2)).max(f64::MIN_POSITIVE)
        };
        let value = |i: usize| {
            let outputs = self.of(strength, i);
            match self.rows.measure {
                Measure::R2 => 1.0 - (outputs[0] - y[i]).powi(2) / variance,
                Measure::Largest(_) => f64::from(largest(&outputs) == y[i] as usize),
                Measure::Accuracy => f64::from(class_of(outputs[0]) == y[i]),
            }
        };
        let mean = self.mean(value);
        let spread = self.mean(|i| (value(i) - mean).powi(2));
        (mean, (spread / (samples - 1.0)).sqrt())
    }
}

/// The calibration with a scale that is positive and finite.
fn calibration(scale: f64) -> Calibration {
    Calibration::new(scale).expect("an exponential of a moderate number")
}
