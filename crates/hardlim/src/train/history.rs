//! What a model remembers of its training.

use super::{Folds, Method, Request, Trained};
use crate::model::{History, Part, Validation};
use crate::table::{Coding, Missing};

impl Request {
    /// The options that differ from their defaults, by their names in errors (see [`crate::spelling`]), but
    /// for those that the coding of the columns knows.
    pub(super) fn options(&self, coding: &Coding) -> Vec<(String, String)> {
        let columns = &self.columns;
        let mut options = Vec::new();
        let mut add = |name: &str, value: Option<String>| {
            options.extend(value.map(|value| (name.to_owned(), value)));
        };
        let some = |given: bool, value: &str| given.then(|| value.to_owned());
        let list = |names: &[String]| (!names.is_empty()).then(|| names.join(","));
        add("keep", list(&columns.keep));
        add("categorical", list(&columns.categorical));
        add("missing", (columns.missing != Missing::Mean).then(|| columns.missing.to_string()));
        add("bits", text(coding.bits()));
        add("class_weight", some(coding.is_balanced(), "balanced"));
        add("holdout", text(self.holdout));
        add("loss", text(self.loss));
        add("beta", text(self.beta));
        add("beta_ratio", text(self.beta_ratio));
        add("cv", text(self.cv.as_ref().map(Folds::count)));
        add("n_ratios", text(self.n_ratios));
        add("least_ratio", text(self.least_ratio));
        add("ratios", self.ratios.as_ref().map(|ratios| joined(ratios)));
        add("one_se", some(self.one_se, "true"));
        add("scoring", text(self.scoring));
        add("intercept", some(self.intercept, "true"));
        add("non_negative", some(self.non_negative, "true"));
        add("bias", some(!self.bias, "false"));
        add("method", (self.method != Method::Auto).then(|| self.method.to_string()));
        add("patterns", text(self.patterns));
        add("layers", text(self.layers));
        add("widths", (!self.widths.is_empty()).then(|| joined(&self.widths)));
        add("tree", some(self.tree, "true"));
        add("representation", text(self.representation));
        add("weights", text(self.weights));
        add("max_inputs", text(self.max_inputs));
        add("inputs", text(self.inputs.as_ref()));
        add("input_cost", text(Some(self.input_cost).filter(|cost| *cost != 0.0)));
        add("average", text(self.average));
        add("neurons", text(self.neurons));
        add("output_bits", text(self.output_bits));
        add("weight_bits", text(self.weight_bits));
        add("standardize", some(!self.standardize, "false"));
        add("gap", text(self.gap));
        add("time_limit", text(self.time_limit));
        add("rounds", text(self.rounds));
        add("prune", text(self.prune));
        add("tolerance", text(self.tolerance));
        options
    }
}

fn text(value: Option<impl ToString>) -> Option<String> {
    value.map(|value| value.to_string())
}

fn joined<T: ToString>(values: &[T]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

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
        Self { model: self.model.with_history(Some(history)), ..self }
    }
}
