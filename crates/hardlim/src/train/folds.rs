//! The folds of cross-validation: which rows to train on, and which to score.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::data::TrainingSet;
use crate::error::Error;
use crate::spelling::mark;

/// One fold of a cross-validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// Rows to train on.
    pub train: Vec<usize>,
    /// Rows to score.
    pub test: Vec<usize>,
}

/// The folds of cross-validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Folds {
    /// So many parts of nearly equal size, each class shared out evenly.
    Count(usize),
    /// Folds that somebody else has made.
    Given(Vec<Fold>),
}

impl Folds {
    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Self::Count(folds) => *folds,
            Self::Given(folds) => folds.len(),
        }
    }

    /// The folds of a training set.
    ///
    /// # Errors
    /// When there are fewer samples than folds or fewer than two folds, or when a fold has nothing to train
    /// on, nothing to score, or an unknown row.
    pub(super) fn on(&self, set: &TrainingSet, seed: u64) -> Result<Vec<Fold>, Error> {
        let all = set.y().len();
        let samples = set.counts().map_or(all, |s| s.iter().filter(|s| **s > 0.0).count());
        let refused = |why: String| {
            let cv = mark("cv", Some(&self.count().to_string()));
            Err(Error::Option { option: "cv", problem: format!("{cv}: {why}") })
        };
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
                let reason = "expected at least two folds, each with samples to train on and samples to score";
                refused(reason.into())
            }
        }
    }
}

/// Random folds of nearly equal size. If `y` are classes, each class is spread evenly over the folds.
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
