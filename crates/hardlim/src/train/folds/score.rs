//! How well outputs predict, and which strength is best: by the log-loss of classes or the loss
//! itself of numbers on all samples held out, or by the accuracy or `R²` of every fold.

use std::f64::consts::LN_2;
use std::ops::Range;

use super::{Choice, FoldRows, Predicted, Samples, Validation};
use crate::error::Error;
use crate::loss::{Loss as _, LossKind};
use crate::model::{Calibration, class_of, largest};
use crate::table::TargetCoding;
use crate::train::InputClass;
use crate::train::tuning::{LEAST_PROBABILITY, PREFERENCE};

/// How predictions are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The accuracy on classes `±1`.
    Accuracy,
    /// The accuracy on this many classes; the network with the largest output predicts its class.
    Largest(usize),
    /// `R²` on numbers, with the variance of all targets: a fold may have a single sample.
    R2,
}

impl Measure {
    /// The score for a target: accuracy for classes, `R²` for numbers.
    pub fn of(target: &TargetCoding) -> Self {
        match target {
            TargetCoding::Several { classes, .. } => Self::Largest(classes.len()),
            TargetCoding::Classes { .. } | TargetCoding::Against { .. } => Self::Accuracy,
            TargetCoding::Number { .. } => Self::R2,
        }
    }

    /// How many networks it takes: one for each of several classes.
    pub(in crate::train) fn networks(self) -> usize {
        if let Self::Largest(classes) = self { classes } else { 1 }
    }

    /// Whether the class that these outputs predict is `y`.
    pub(super) fn is_right(self, outputs: &[f64], y: f64) -> bool {
        match self {
            Self::Largest(_) => largest(outputs) == y as usize,
            Self::Accuracy | Self::R2 => class_of(outputs[0]) == y,
        }
    }
}

/// Outputs on rows held out: by network, strength and row.
pub(in crate::train) type Outputs = Vec<Vec<Vec<f64>>>;

/// A number for every sample that was held out, and what the sample counts.
#[derive(Debug)]
pub(in crate::train) struct Values {
    pub(super) counts: Vec<f64>,
    pub(super) values: Vec<f64>,
}

impl Values {
    /// `Σ s v / Σ s`.
    pub(super) fn mean(&self) -> f64 {
        let pairs = self.counts.iter().zip(&self.values);
        let (sum, total) = pairs.fold((0.0, 0.0), |(sum, total), (s, v)| (sum + s * v, total + s));
        if total > 0.0 { sum / total } else { 0.0 }
    }

    /// The same without some samples.
    fn without(&self, left_out: &Range<usize>) -> Self {
        let rest = |values: &[f64]| [&values[..left_out.start], &values[left_out.end..]].concat();
        Self { counts: rest(&self.counts), values: rest(&self.values) }
    }

    fn mean_and_error(&self) -> (f64, f64) {
        let mean = self.mean();
        let (mut counted, mut total, mut spread) = (0.0, 0.0, 0.0);
        for (s, v) in self.counts.iter().zip(&self.values) {
            counted += f64::from(u8::from(*s > 0.0));
            total += s;
            spread += (s * (v - mean)).powi(2);
        }
        let several = counted > 1.0;
        let error = if several { (spread * counted / (counted - 1.0)).sqrt() / total } else { 0.0 };
        (mean, error)
    }

    /// By how much they exceed others in the mean, and the standard error of that.
    fn excess(&self, other: &Self) -> (f64, f64) {
        let values = self.values.iter().zip(&other.values).map(|(a, b)| a - b).collect();
        Self { counts: self.counts.clone(), values }.mean_and_error()
    }

    /// Whether they exceed others by this many standard errors at most.
    pub(in crate::train) fn is_within(&self, errors: f64, other: &Self) -> bool {
        let (mean, error) = self.excess(other);
        mean <= errors * error
    }

    /// Whether losses are below others, or hardly above them.
    pub(in crate::train) fn is_as_low(&self, other: &Self) -> bool {
        self.is_within(PREFERENCE, other)
    }
}

/// The outputs of one candidate on the rows held out, and the best strength.
#[derive(Debug)]
pub(in crate::train) struct HeldOut<'a> {
    samples: &'a Samples<'a>,
    validation: &'a Validation,
    loss: LossKind,
    outputs: Outputs,
    /// The samples that were held out, fold after fold.
    scored: Vec<usize>,
    folds: usize,
    losses: Vec<f64>,
    best: usize,
}

impl<'a> HeldOut<'a> {
    /// Finds the best strength on the first `folds`.
    pub(in crate::train) fn new(
        samples: &'a Samples<'a>,
        folds: usize,
        validation: &'a Validation,
        loss: LossKind,
        outputs: Outputs,
    ) -> Self {
        let scored = samples.folds[..folds].iter().flat_map(|fold| fold.test.clone()).collect();
        let (losses, best) = (Vec::new(), 0);
        let mut held_out = Self { samples, validation, loss, outputs, scored, folds, losses, best };
        let strengths = 0..held_out.outputs[0].len();
        held_out.losses = strengths.map(|s| held_out.loss(s).mean()).collect();
        let error = |k| held_out.loss(k).mean_and_error().1;
        held_out.best = best_of(&held_out.losses, validation.one_se.then_some(error));
        held_out
    }

    /// The same on the first fold.
    pub(in crate::train) fn on_the_first_fold(&self) -> Self {
        Self::new(self.samples, 1, self.validation, self.loss, self.outputs.clone())
    }

    pub(in crate::train) fn least(&self) -> f64 {
        self.losses[self.best]
    }

    /// The loss of every sample at the strength that is chosen.
    pub(in crate::train) fn losses(&self) -> Values {
        self.loss(self.best)
    }

    /// The least mean loss if outputs are scaled for it: output weights of few bits have the wrong
    /// scale.
    pub(in crate::train) fn scaled(&self) -> f64 {
        if self.samples.measure == Measure::R2 {
            return self.least();
        }
        self.log_loss(self.best, self.calibrate(self.best)).mean()
    }

    /// Whether more classes are right than with another candidate, by more than a standard error.
    pub(in crate::train) fn is_right_more_often(&self, other: &Self) -> bool {
        let (mean, error) = other.scores(other.best).excess(&self.scores(self.best));
        mean < -error
    }

    pub(in crate::train) fn score(&self) -> f64 {
        self.scores(self.best).mean()
    }

    /// What is chosen, if it is this candidate. `complete`: no limit of time has cut it short.
    pub(in crate::train) fn choice(
        &self,
        class: InputClass,
        classes: Vec<(InputClass, f64)>,
        complete: bool,
    ) -> Choice {
        let (best, measure) = (self.best, self.samples.measure);
        let calibration = (measure != Measure::R2).then(|| self.calibrate(best));
        let (score, error) = self.scores(best).mean_and_error();
        let loss = match calibration {
            Some(calibration) => self.log_loss(best, calibration),
            None => self.own_loss(best),
        };
        let strengths = self.losses.len();
        let compared = if self.validation.named { strengths } else { 0 };
        let scores = (0..compared).map(|s| self.scores(s).mean_and_error());
        let (scores, errors) = scores.unzip();
        let (losses, loss) = (self.losses.clone(), loss.mean());
        let predicted = Some(Predicted { class, classes, losses, loss, calibration });
        let strength = (&self.validation.ratios[..strengths], best);
        let plain = Choice::of(self.folds, strength, (score, error), measure);
        Choice { scores, errors, complete, predicted, ..plain }
    }

    /// The mean loss at every place.
    pub(in crate::train) fn all_losses(&self) -> &[f64] {
        &self.losses
    }

    pub(in crate::train) fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// The place that is chosen if places are networks of growing size, all of one strength. What
    /// is expected of it is what each fold shows at the place that the other folds choose: a choice
    /// among many looks better on the rows that made it than on others.
    pub(in crate::train) fn choice_of_size(
        &self,
        class: InputClass,
        complete: bool,
    ) -> (usize, Choice) {
        let losses: Vec<Values> = (0..self.losses.len()).map(|s| self.loss(s)).collect();
        let chosen = self.size(&losses);
        let mut crossed: Outputs = vec![vec![Vec::new()]; self.outputs.len()];
        let mut start = 0;
        for fold in &self.samples.folds[..self.folds] {
            let own = start..start + fold.answers[0].len();
            start = own.end;
            let others: Vec<Values> = losses.iter().map(|values| values.without(&own)).collect();
            let place = self.size(&others);
            for (crossed, outputs) in crossed.iter_mut().zip(&self.outputs) {
                crossed[0].extend(&outputs[place][own.clone()]);
            }
        }
        let new = Self::new(self.samples, self.folds, self.validation, self.loss, crossed);
        let mut choice = new.choice(class, vec![(class, self.least())], complete);
        if let Some(Predicted { calibration: Some(calibration), .. }) = &mut choice.predicted {
            *calibration = self.calibrate(chosen);
        }
        (chosen, choice)
    }

    /// The size of these losses: the largest that is hardly worse than the best, because a list
    /// that was asked for may be long; or the smallest within a standard error of the best. A limit
    /// of one more leaves the size where it is, or raises it.
    fn size(&self, losses: &[Values]) -> usize {
        let means: Vec<f64> = losses.iter().map(Values::mean).collect();
        if self.validation.one_se {
            return best_of(&means, Some(|k: usize| losses[k].mean_and_error().1));
        }
        let best = best_of(&means, None::<fn(usize) -> f64>);
        let near = |k: &usize| losses[*k].is_as_low(&losses[best]);
        (best..losses.len()).rev().find(near).unwrap_or(best)
    }

    /// A number for every sample, from its outputs at a strength and its target.
    fn each(&self, strength: usize, value: impl Fn(&[f64], f64) -> f64) -> Values {
        let outputs = |k: usize| -> Vec<f64> {
            self.outputs.iter().map(|class| class[strength][k]).collect()
        };
        let samples = self.scored.iter().enumerate();
        let one = |(k, &i): (usize, &usize)| value(&outputs(k), self.samples.y[i]);
        Values {
            counts: self.scored.iter().map(|&i| self.samples.count(i)).collect(),
            values: samples.map(one).collect(),
        }
    }

    /// What is compared: less is better.
    fn loss(&self, strength: usize) -> Values {
        match (self.samples.measure, self.loss) {
            (Measure::R2, _) => self.own_loss(strength),
            (_, LossKind::Logistic) => self.log_loss(strength, calibration(1.0)),
            _ => self.log_loss(strength, self.calibrate(strength)),
        }
    }

    fn own_loss(&self, strength: usize) -> Values {
        self.each(strength, |outputs, y| self.loss.value(outputs[0], y))
    }

    fn log_loss(&self, strength: usize, calibration: Calibration) -> Values {
        let several = matches!(self.samples.measure, Measure::Largest(_));
        self.each(strength, |outputs, y| {
            let class = if several { y as usize } else { usize::from(y > 0.0) };
            // A probability of one costs zero, not minus zero.
            0.0 - calibration.probabilities(outputs)[class].max(LEAST_PROBABILITY).ln()
        })
    }

    /// The scale with the least log-loss: golden section, on the logarithm, between 1/8 and 8.
    fn calibrate(&self, strength: usize) -> Calibration {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        let at = |t: f64| self.log_loss(strength, calibration(t.exp())).mean();
        let (mut low, mut high) = (-3.0 * LN_2, 3.0 * LN_2);
        let mut inner = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        let mut values = (at(inner.0), at(inner.1));
        for _ in 0..24 {
            if values.0 <= values.1 {
                high = inner.1;
                inner = (high - GOLDEN * (high - low), inner.0);
                values = (at(inner.0), values.0);
            } else {
                low = inner.0;
                inner = (inner.1, low + GOLDEN * (high - low));
                values = (values.1, at(inner.1));
            }
        }
        calibration(f64::midpoint(low, high).exp())
    }

    /// What each sample contributes to the accuracy or to `R²`.
    fn scores(&self, strength: usize) -> Values {
        let measure = self.samples.measure;
        if measure != Measure::R2 {
            return self.each(strength, |outputs, y| f64::from(measure.is_right(outputs, y)));
        }
        let mean = self.each(strength, |_, y| y).mean();
        let variance = self.each(strength, |_, y| (y - mean).powi(2)).mean().max(f64::MIN_POSITIVE);
        self.each(strength, |outputs, y| 1.0 - (outputs[0] - y).powi(2) / variance)
    }
}

impl Samples<'_> {
    /// The accuracy or `R²` of these outputs, one list for each network, on the rows held out of a
    /// fold.
    pub(super) fn score(&self, rows: &FoldRows, outputs: &[Vec<f64>]) -> f64 {
        let counted = rows.test.iter().any(|&i| self.count(i) > 0.0);
        let count = |&i: &usize| if counted { self.count(i) } else { 1.0 };
        let mean = |value: &dyn Fn(usize, f64) -> f64| {
            let values = rows.test.iter().enumerate().map(|(k, &i)| value(k, self.y[i])).collect();
            Values { counts: rows.test.iter().map(count).collect(), values }.mean()
        };
        if self.measure == Measure::R2 {
            return 1.0 - mean(&|k, y| (outputs[0][k] - y).powi(2)) / self.variance();
        }
        mean(&|k, y| {
            let output: Vec<f64> = outputs.iter().map(|output| output[k]).collect();
            f64::from(self.measure.is_right(&output, y))
        })
    }

    /// The mean of `(y − ȳ)²`; one if all targets are equal, because then it makes no difference.
    fn variance(&self) -> f64 {
        let counts: Vec<f64> = (0..self.y.len()).map(|i| self.count(i)).collect();
        let mean = |values| Values { counts: counts.clone(), values }.mean();
        let center = mean(self.y.to_vec());
        match mean(self.y.iter().map(|y| (y - center).powi(2)).collect()) {
            0.0 => 1.0,
            variance => variance,
        }
    }
}

impl Validation {
    /// The best of the strengths that the folds have scored. If some folds were cut short, as many
    /// folds and strengths are compared as give the largest product.
    pub(super) fn best(&self, scores: &[Vec<f64>], measure: Measure) -> Result<Choice, Error> {
        let with = |count: usize| scores.iter().filter(move |s| s.len() >= count);
        let count = (1..=self.ratios.len())
            .filter(|&count| with(count).count() >= 2)
            .max_by_key(|&count| count * with(count).count())
            .ok_or(Error::Interrupted)?;
        let asked = scores.len();
        let scores: Vec<&Vec<f64>> = with(count).collect();
        let folds = scores.len() as f64;
        let (means, errors): (Vec<f64>, Vec<f64>) = (0..count)
            .map(|k| {
                let mean = scores.iter().map(|s| s[k]).sum::<f64>() / folds;
                let spread: f64 = scores.iter().map(|s| (s[k] - mean).powi(2)).sum();
                (mean, (spread / (folds - 1.0) / folds).sqrt())
            })
            .unzip();
        let losses: Vec<f64> = means.iter().map(|mean| -mean).collect();
        let chosen = best_of(&losses, self.one_se.then_some(|k: usize| errors[k]));
        let (folds, strength) = (scores.len(), (&self.ratios[..count], chosen));
        let plain = Choice::of(folds, strength, (means[chosen], errors[chosen]), measure);
        let complete = folds == asked && count == self.ratios.len();
        Ok(Choice { scores: means, errors, complete, ..plain })
    }
}

/// The place of the least loss; ties go to the larger strength. With the standard error of a loss:
/// the first place within one standard error of the least.
pub(in crate::train) fn best_of(losses: &[f64], one_se: Option<impl Fn(usize) -> f64>) -> usize {
    let all = 0..losses.len();
    let best = all.reduce(|a, b| if losses[b] < losses[a] { b } else { a });
    let best = best.expect("at least one strength");
    let Some(error) = one_se else { return best };
    let limit = losses[best] + error(best);
    losses.iter().position(|loss| *loss <= limit).unwrap_or(best)
}

/// The calibration with a scale that is positive and finite.
fn calibration(scale: f64) -> Calibration {
    Calibration::new(scale).expect("an exponential of a moderate number")
}
