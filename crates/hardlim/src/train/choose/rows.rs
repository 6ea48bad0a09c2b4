//! The samples that a choice is made on.

use crate::data::{Dataset, Features, TrainingSet};
use crate::error::Error;
use crate::train::Measure;

/// The samples, one by one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a> {
    /// `X`, one row for each sample.
    pub(super) x: &'a Features,
    /// `y`: a class `±1`, the place of one of several classes, or a number.
    pub(super) y: &'a [f64],
    /// What each weighs in training; one by default.
    pub(super) weights: Option<&'a [f64]>,
    /// What each counts in the score; one by default.
    pub(super) counts: Option<&'a [f64]>,
    /// What `y` is.
    pub(super) measure: Measure,
}

impl<'a> Rows<'a> {
    /// The samples of a training set, whose features are these.
    pub(super) fn of(set: &'a TrainingSet, x: &'a Features) -> Self {
        let measure = Measure::of(set.coding().target());
        Self { x, y: set.y(), weights: set.weights(), counts: set.counts(), measure }
    }

    /// How many networks it takes: one for each of several classes.
    pub(super) fn networks(&self) -> usize {
        if let Measure::Largest(classes) = self.measure { classes } else { 1 }
    }

    /// What a sample counts in the score.
    pub(super) fn count(&self, i: usize) -> f64 {
        self.counts.map_or(1.0, |s| s[i])
    }

    /// What the network of a class should answer to a sample.
    pub(super) fn target(&self, class: usize, i: usize) -> f64 {
        match self.networks() {
            1 => self.y[i],
            _ if self.y[i] as usize == class => 1.0,
            _ => -1.0,
        }
    }

    /// What each network is trained on, with these rows; rows of weight zero are as good as absent.
    pub(super) fn datasets(&self, rows: &[usize]) -> Result<Vec<Dataset>, Error> {
        let weigh = |i: &usize| self.weights.is_none_or(|s| s[*i] > 0.0);
        let rows: Vec<usize> = rows.iter().copied().filter(weigh).collect();
        let weights: Option<Vec<f64>> = self.weights.map(|s| rows.iter().map(|&i| s[i]).collect());
        let weights = weights.as_deref();
        let (x, y): (_, Vec<f64>) =
            (self.x.select(&rows), rows.iter().map(|&i| self.y[i]).collect());
        let data = match self.measure {
            Measure::Largest(classes) => Dataset::of_classes(x, &y, weights, classes)?,
            Measure::Accuracy | Measure::R2 => Dataset::new(x, &y, weights)?,
        };
        Ok(data.parts())
    }
}
