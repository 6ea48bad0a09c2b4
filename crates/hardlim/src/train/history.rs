//! What a model remembers of its training.

use super::Trained;
use crate::model::{History, Part, Validation};

impl Trained {
    /// What the scores of cross-validation were, if there was one.
    pub(super) fn validation(&self) -> Option<Validation> {
        let choice = self.choice.as_ref()?;
        let losses = choice.predicted.as_ref().map(|found| &found.losses);
        Some(Validation {
            folds: choice.folds,
            score: choice.score,
            error: choice.error,
            ratios: choice.ratios.clone(),
            scores: losses.is_none(),
            compared: losses.unwrap_or(&choice.scores).clone(),
            ratio: choice.ratio,
        })
    }

    /// The same with a history in its model, from the checks of each network.
    pub(super) fn remembered(
        self,
        seed: u64,
        options: Vec<(String, String)>,
        traces: &[Vec<[f64; 2]>],
    ) -> Self {
        let end = |part: &Part| [part.certificate().objective(), part.certificate().lower_bound()];
        let ends: Vec<[f64; 2]> = self.model.parts().iter().map(end).collect();
        let trace = match self.averaged {
            Some(_) => Vec::new(),
            None => History::thinned(&History::summed(traces, &ends)),
        };
        let history = History {
            version: env!("CARGO_PKG_VERSION").into(),
            seed,
            options,
            // A file holds finite numbers only.
            validation: self.validation().filter(Validation::is_finite),
            trace,
            averaged: self.averaged,
        };
        let mut trained = self;
        trained.model.history = Some(history);
        trained
    }
}
