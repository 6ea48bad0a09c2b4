//! Two training sets, compared by how well one network on random patterns predicts rows held out.

use super::candidate::{Candidate, InputClass, Training};
use super::folds::Samples;
use super::rows::Rows;
use super::score::HeldOut;
use super::{Chooser, PREFERENCE, Predictions};
use crate::data::TrainingSet;
use crate::error::Error;
use crate::solver::Budget;
use crate::train::folds::split_set;
use crate::train::{Event, Request, Trainer, Watch};

impl Predictions {
    /// Whether the candidates are averages of networks on random patterns: these suffer from inputs that tell
    /// nothing.
    pub(in crate::train) fn draws(&self) -> bool {
        self.candidates.iter().any(|candidate| candidate.training == Training::Average)
    }
}

impl Request {
    /// What a network on random patterns comes to on data.
    fn one_network(&self, set: &TrainingSet) -> Predictions {
        let all = self.predictions(set);
        let class = if self.inputs.is_some() { InputClass::Given } else { InputClass::Mixed };
        let reads = self.reads_of(class, set);
        let candidates = vec![Candidate { class, reads, training: Training::Average }];
        Predictions { candidates, counts: all.counts.of_one(), ..all }
    }

    /// Whether networks predict as well without some inputs: whether their loss on rows held out is within
    /// half a standard error of the loss with them, or below. Unknown if the time is short.
    ///
    /// # Errors
    /// When the rows of a fold are no data.
    pub(in crate::train) fn as_good(
        &self,
        sets: [&TrainingSet; 2],
        trainer: Trainer<'_>,
        choosing: Budget<'_>,
        watch: &Watch<'_>,
    ) -> Result<Option<bool>, Error> {
        let [with, without] = sets.map(|set| (set, set.features()));
        let predictions = self.one_network(with.0);
        let folds = match &predictions.folds {
            Some(folds) => folds.on(with.0, trainer.seed)?,
            None => split_set(with.0, predictions.counts.folds, trainer.seed),
        };
        watch.tell(Event::Choosing { scores: 2 * folds.len() });
        let rows = [&with, &without].map(|(set, x)| Rows::of(set, x));
        let predictions = [predictions, self.one_network(without.0)];
        let mut compared = Vec::new();
        for ((set, rows), predictions) in sets.into_iter().zip(&rows).zip(&predictions) {
            let Predictions { candidates, counts, ratios, .. } = predictions;
            let (candidate, counts) = (&candidates[0], *counts);
            let chooser = Chooser { trainer, predictions, candidate, counts, choosing };
            let samples = Samples::new(rows, &folds)?;
            let scored = || watch.tell(Event::Scored);
            let (outputs, _) = chooser.cross_validate(set, &samples, ratios, &scored)?;
            compared.push(HeldOut::new(rows, &folds, outputs, predictions, trainer.loss));
        }
        let (mean, error) = compared[1].excess(&compared[0]);
        Ok(choosing.spent().is_none().then_some(mean <= PREFERENCE * error))
    }
}
