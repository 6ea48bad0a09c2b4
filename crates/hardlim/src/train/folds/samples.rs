//! The rows of every fold: what each network is trained on, and what it should answer on the others.

use super::{Fold, Measure};
use crate::data::{Dataset, Features, TrainingSet};
use crate::error::Error;

/// A training set, divided into folds.
#[derive(Debug)]
pub(in crate::train) struct Samples<'a> {
    /// `y`: a class `±1`, the place of one of several classes, or a number.
    pub(super) y: &'a [f64],
    /// What each sample counts in the score; one by default.
    pub(super) counts: Option<&'a [f64]>,
    pub(in crate::train) measure: Measure,
    pub(in crate::train) folds: Vec<FoldRows>,
}

/// The rows of one fold.
#[derive(Debug)]
pub(in crate::train) struct FoldRows {
    /// The training data of each network.
    pub(in crate::train) sets: Vec<Dataset>,
    /// The rows that are held out.
    pub(in crate::train) held_out: Features,
    /// Their places among the samples.
    pub(super) test: Vec<usize>,
    /// What each network should answer there.
    pub(in crate::train) answers: Vec<Vec<f64>>,
}

impl<'a> Samples<'a> {
    /// # Errors
    /// When the rows of a fold are no data.
    pub(in crate::train) fn new(set: &'a TrainingSet, folds: &[Fold]) -> Result<Self, Error> {
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

    /// What a sample counts in the score.
    pub(super) fn count(&self, i: usize) -> f64 {
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
