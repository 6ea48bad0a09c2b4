//! How well one network on random patterns predicts rows held out, to compare training sets.

use super::candidate::{Candidate, InputClass, Training};
use super::few::Way;
use super::{Chooser, Predictions};
use crate::data::TrainingSet;
use crate::error::Error;
use crate::solver::Budget;
use crate::train::folds::samples::Samples;
use crate::train::folds::score::{HeldOut, Values};
use crate::train::folds::{Validation, split_set};
use crate::train::tuning::MOST_COMPARED;
use crate::train::{Event, Fold, Predict, Request, Trainer, Watch};

impl Predictions {
    /// Whether the candidates are averages of networks on random patterns: these suffer from inputs
    /// that tell nothing.
    pub(in crate::train) fn draws(&self) -> bool {
        self.candidates.iter().any(|candidate| candidate.training == Training::Average)
    }
}

impl Request {
    /// What one network on random patterns loses on every sample that is held out; of many samples,
    /// some stand for all. `None` if the time is short.
    pub(in crate::train) fn held_out_losses(
        &self,
        predict: &Predict,
        set: &TrainingSet,
        trainer: Trainer<'_>,
        choosing: Budget<'_>,
        watch: &Watch<'_>,
    ) -> Result<Option<Values>, Error> {
        let all = self.predictions(predict, set);
        let validation = self.validation_of(predict, &all, set)?;
        let folds = fewer(set, validation.folds, trainer.seed);
        let validation = &Validation { folds, ..validation };
        let class = if predict.inputs.is_some() { InputClass::Given } else { InputClass::Mixed };
        let reads = self.reads_of(class, set);
        let candidate = &Candidate { class, reads, training: Training::Average };
        let (candidates, counts) = (vec![candidate.clone()], all.counts.of_one());
        let predictions = &Predictions { candidates, counts, ..all };
        watch.tell(Event::Choosing { scores: validation.folds.len() });
        let way = Way::ForOutputs;
        let chooser =
            Chooser { trainer, predictions, validation, candidate, counts, choosing, way };
        let samples = Samples::new(set, &validation.folds)?;
        let scored = || watch.tell(Event::Scored);
        let (outputs, _) = chooser.cross_validate(set, &samples, &scored)?;
        let folds = samples.folds.len();
        let held_out = HeldOut::new(&samples, folds, validation, trainer.loss, outputs);
        Ok(choosing.spent().is_none().then(|| held_out.losses()))
    }
}

/// The same folds of at most [`MOST_COMPARED`] samples, each class in its share.
fn fewer(set: &TrainingSet, folds: Vec<Fold>, seed: u64) -> Vec<Fold> {
    let parts = set.y().len().div_ceil(MOST_COMPARED);
    if parts < 2 {
        return folds;
    }
    let mut some = vec![false; set.y().len()];
    for i in split_set(set, parts, seed.wrapping_add(1)).swap_remove(0).test {
        some[i] = true;
    }
    let of = |rows: &[usize]| rows.iter().copied().filter(|&i| some[i]).collect::<Vec<_>>();
    let fewer: Vec<Fold> =
        folds.iter().map(|fold| Fold { train: of(&fold.train), test: of(&fold.test) }).collect();
    // Folds that somebody else has made may have no such sample.
    let usable = |fold: &Fold| !fold.train.is_empty() && !fold.test.is_empty();
    if fewer.iter().all(usable) { fewer } else { folds }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{CodingOptions, ReadOptions, Table};

    #[test]
    fn of_many_samples_some_stand_for_all() {
        let rows = |i: usize| {
            format!("{},{}\n", i * i % 997, if i.is_multiple_of(4) { "yes" } else { "no" })
        };
        let text = "a,y\n".to_owned() + &(0..2 * MOST_COMPARED).map(rows).collect::<String>();
        let table = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
        let set = TrainingSet::of_table(&table, &CodingOptions::default()).unwrap();
        let all = split_set(&set, 5, 0);
        let folds = fewer(&set, all.clone(), 0);
        for (fold, whole) in folds.iter().zip(&all) {
            assert_eq!(fold.train.len() + fold.test.len(), MOST_COMPARED);
            assert!(fold.test.iter().all(|i| whole.test.contains(i)));
            // Half of each fold, by chance.
            assert!(
                fold.test.len().abs_diff(MOST_COMPARED / 5) < MOST_COMPARED / 20,
                "{}",
                fold.test.len()
            );
            let yes = fold.train.iter().chain(&fold.test).filter(|&&i| set.y()[i] > 0.0).count();
            assert_eq!(yes, MOST_COMPARED / 4);
        }
        let given =
            vec![Fold { train: vec![0], test: vec![1] }, Fold { train: vec![1], test: vec![0] }];
        assert_eq!(fewer(&set, given.clone(), 0), given);
    }
}
