//! Cross-validation: folds, what networks answer on the rows held out, how they score, what is
//! chosen.

pub(super) mod score;
mod strength;
pub use score::Measure;
pub(super) use strength::{share, shared_out};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::InputClass;
use super::options::refused_as;
use crate::data::{Dataset, Features, TrainingSet};
use crate::error::Error;
use crate::model::Calibration;
use crate::program::Beta;

/// How strengths are compared: on which folds, and by which rule.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Validation {
    pub(super) folds: Vec<Fold>,
    /// Whether the request names them; then every strength gets a score and its error.
    pub(super) named: bool,
    /// The strengths, as parts of `β_max`, largest first.
    pub(super) ratios: Vec<f64>,
    /// Whether to take the largest strength within one standard error of the best.
    pub(super) one_se: bool,
}

/// What cross-validation chose.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The folds that had a say: all, unless the time ran out.
    pub folds: usize,
    /// The strengths that were compared, as parts of `β_max`, largest first.
    pub ratios: Vec<f64>,
    /// Their scores: accuracy, or `R²` of numbers. Empty for predictions on folds of their own.
    pub scores: Vec<f64>,
    /// The standard errors of these scores.
    pub errors: Vec<f64>,
    /// The strength that is chosen.
    pub ratio: f64,
    /// The score of the network that is written.
    pub score: f64,
    /// The standard error of this score.
    pub error: f64,
    /// What the scores are.
    pub measure: Measure,
    /// Whether every fold has scored every strength.
    pub complete: bool,
    /// What else was chosen, if the best predictions were requested.
    pub predicted: Option<Predicted>,
}

/// What was chosen for the best predictions.
#[derive(Debug, Clone, PartialEq)]
pub struct Predicted {
    /// The class of networks.
    pub class: InputClass,
    /// All classes that were compared, with their least losses.
    pub classes: Vec<(InputClass, f64)>,
    /// The mean loss of the class at every strength.
    pub losses: Vec<f64>,
    /// The log-loss of classes, the loss itself of numbers, of the network that is written.
    pub loss: f64,
    /// What turns outputs into probabilities; none of numbers.
    pub calibration: Option<Calibration>,
}

impl Choice {
    /// The strength at a place of these ratios, with its score and the standard error of that.
    pub(super) fn of(
        folds: usize,
        (ratios, best): (&[f64], usize),
        (score, error): (f64, f64),
        measure: Measure,
    ) -> Self {
        Self {
            folds,
            ratios: ratios.to_vec(),
            scores: Vec::new(),
            errors: Vec::new(),
            ratio: ratios[best],
            score,
            error,
            measure,
            complete: true,
            predicted: None,
        }
    }

    /// The score of the chosen strength before neurons were pruned, and its standard error.
    pub fn compared(&self) -> Option<(f64, f64)> {
        let place = self.ratios.iter().position(|ratio| *ratio == self.ratio)?;
        Some((*self.scores.get(place)?, self.errors[place]))
    }

    /// The same choice, with what another one expects on new rows.
    pub(super) fn expecting(self, other: Self) -> Self {
        let predicted = self.predicted.zip(other.predicted).map(|(own, other)| Predicted {
            loss: other.loss,
            calibration: other.calibration,
            ..own
        });
        Self { score: other.score, error: other.error, predicted, ..self }
    }

    /// The strengths from the largest to the one that was chosen.
    pub(super) fn path(&self, beta_max: f64) -> Result<Vec<Beta>, Error> {
        let until = self.ratios.iter().take_while(|ratio| **ratio >= self.ratio);
        until.map(|ratio| Beta::new(ratio * beta_max)).collect()
    }
}

/// One fold of a cross-validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// Rows to train on.
    pub train: Vec<usize>,
    /// Rows to score.
    pub test: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Folds {
    /// This many parts of nearly equal size, each class shared out evenly.
    Count(usize),
    /// Folds that somebody else has made.
    Given(Vec<Fold>),
}

impl Folds {
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Count(folds) => *folds,
            Self::Given(folds) => folds.len(),
        }
    }

    pub(super) fn on(&self, set: &TrainingSet, seed: u64) -> Result<Vec<Fold>, Error> {
        let all = set.y().len();
        let samples = set.counts().map_or(all, |s| s.iter().filter(|s| **s > 0.0).count());
        let refused = |why: String| Err(refused_as("cv", self.count(), why));
        match self {
            &Self::Count(folds) if folds > samples => {
                refused(format!("{folds} folds need at least {folds} samples, found {samples}"))
            }
            &Self::Count(folds) => Ok(split_set(set, folds, seed)),
            Self::Given(folds) => {
                let usable = |rows: &[usize]| !rows.is_empty() && rows.iter().all(|&i| i < all);
                if folds.len() >= 2 && folds.iter().all(|f| usable(&f.train) && usable(&f.test)) {
                    return Ok(folds.clone());
                }
                let expected =
                    "at least two folds, each with samples to train on and samples to score";
                refused(format!("expected {expected}"))
            }
        }
    }
}

/// Random folds of nearly equal size. If `y` are classes, each class is spread evenly over the
/// folds.
pub fn split(y: &[f64], folds: usize, classes: bool, seed: u64) -> Vec<Fold> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(3); // data, weights and splits use streams 0 to 2
    let mut order: Vec<usize> = (0..y.len()).collect();
    order.shuffle(&mut rng);
    if classes {
        order.sort_by(|&i, &j| y[i].total_cmp(&y[j])); // stable: random within a class
    }
    let mut part = vec![0; y.len()];
    order.iter().enumerate().for_each(|(k, &i)| part[i] = k % folds);
    let rows = |keep: &dyn Fn(usize) -> bool| (0..y.len()).filter(|&i| keep(i)).collect();
    (0..folds)
        .map(|f| Fold { train: rows(&|i| part[i] != f), test: rows(&|i| part[i] == f) })
        .collect()
}

/// Random folds of a training set. Samples of weight zero are in none of them.
pub(super) fn split_set(set: &TrainingSet, folds: usize, seed: u64) -> Vec<Fold> {
    let counted = |i: &usize| set.counts().is_none_or(|s| s[*i] > 0.0);
    let samples: Vec<usize> = (0..set.y().len()).filter(counted).collect();
    let y: Vec<f64> = samples.iter().map(|&i| set.y()[i]).collect();
    let named = |rows: Vec<usize>| rows.into_iter().map(|k| samples[k]).collect();
    let split = split(&y, folds, set.classifies(), seed).into_iter();
    split.map(|fold| Fold { train: named(fold.train), test: named(fold.test) }).collect()
}

/// The samples of a training set on folds, and how they are scored.
#[derive(Debug)]
pub(super) struct Samples<'a> {
    /// `y`: a class `±1`, the place of one of several classes, or a number.
    y: &'a [f64],
    /// What each sample counts in the score; one by default.
    counts: Option<&'a [f64]>,
    pub(super) measure: Measure,
    pub(super) folds: Vec<FoldRows>,
}

/// A fold: what each network is trained on, and the rows held out with what it should answer there.
#[derive(Debug)]
pub(super) struct FoldRows {
    pub(super) sets: Vec<Dataset>,
    pub(super) held_out: Features,
    test: Vec<usize>,
    pub(super) answers: Vec<Vec<f64>>,
}

impl<'a> Samples<'a> {
    /// The rows of these folds; an error if they are no data.
    pub(super) fn new(set: &'a TrainingSet, folds: &[Fold]) -> Result<Self, Error> {
        let (x, y) = (set.features(), set.y());
        let measure = Measure::of(set.coding().target());
        let networks = measure.networks();
        let target = |class: usize, i: usize| match networks {
            1 => y[i],
            _ if y[i] as usize == class => 1.0,
            _ => -1.0,
        };
        let rows = |fold: &Fold| {
            let answers = |class| fold.test.iter().map(|&i| target(class, i)).collect();
            Ok(FoldRows {
                sets: datasets(set, &x, measure, &fold.train)?,
                held_out: x.select(&fold.test),
                test: fold.test.clone(),
                answers: (0..networks).map(answers).collect(),
            })
        };
        let folds = folds.iter().map(rows).collect::<Result<_, Error>>()?;
        Ok(Self { y, counts: set.counts(), measure, folds })
    }

    fn count(&self, i: usize) -> f64 {
        self.counts.map_or(1.0, |s| s[i])
    }
}

/// What each network is trained on with these rows. Rows of weight zero count as absent.
fn datasets(
    set: &TrainingSet,
    x: &Features,
    measure: Measure,
    rows: &[usize],
) -> Result<Vec<Dataset>, Error> {
    let weigh = |i: &usize| set.weights().is_none_or(|s| s[*i] > 0.0);
    let rows: Vec<usize> = rows.iter().copied().filter(weigh).collect();
    let pick = |values: &[f64]| rows.iter().map(|&i| values[i]).collect::<Vec<f64>>();
    let (x, y, weights) = (x.select(&rows), pick(set.y()), set.weights().map(pick));
    let data = match measure {
        Measure::Largest(classes) => Dataset::of_classes(x, &y, weights.as_deref(), classes)?,
        Measure::Accuracy | Measure::R2 => Dataset::new(x, &y, weights.as_deref())?,
    };
    Ok(data.parts())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_tested_once_and_classes_are_shared_out() {
        let y: Vec<f64> = (0..50).map(|i| if i % 5 == 0 { 1.0 } else { -1.0 }).collect();
        let folds = split(&y, 5, true, 3);
        let mut tested: Vec<usize> = folds.iter().flat_map(|f| f.test.clone()).collect();
        tested.sort_unstable();
        assert_eq!(tested, (0..50).collect::<Vec<_>>());
        for fold in &folds {
            assert_eq!(fold.train.len() + fold.test.len(), 50);
            assert_eq!(fold.test.iter().filter(|&&i| y[i] > 0.0).count(), 2);
        }
    }
}
