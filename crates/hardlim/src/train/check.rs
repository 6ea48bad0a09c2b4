//! Options that are out of range, and options that do not go together: found here, once.

use std::fmt::Display;

use super::{Folds, InputCounts, Method, Question, Request, Scoring};
use crate::error::Error;
use crate::network::recipe::{MOST_INPUT_COST, MOST_PATTERNS};
use crate::network::{Representation, Weights};
use crate::pricing::SubnetworkSearch;
use crate::program::Beta;
use crate::spelling::mark;

/// The most networks that are averaged.
const MOST_AVERAGED: usize = 1000;
/// The most layers, the output counted.
const MOST_LAYERS: usize = 64;
/// The most neurons of a layer.
const MOST_NEURONS: usize = 1_000_000;
/// The most strengths of a grid.
const MOST_RATIOS: usize = 10_000;
/// The most bits of output weights that are trained with so many.
const MOST_OUTPUT_BITS: u32 = 16;
/// The most bits of the weights of a neuron, if they are limited.
const MOST_WEIGHT_BITS: u32 = 32;
/// The longest time limit, in seconds.
const LONGEST: f64 = 1e9;

/// The option, and what is wrong with it.
fn refused(option: &'static str, what: impl Display) -> Error {
    Error::Option { option, problem: format!("{} {what}", mark(option, None)) }
}

/// An option with the value that it has, and why that is no good.
fn refused_as(option: &'static str, value: impl ToString, why: impl Display) -> Error {
    Error::Option { option, problem: format!("{}: {why}", mark(option, Some(&value.to_string()))) }
}

/// Refuses a value out of range.
fn within<T: ToString>(
    option: &'static str,
    value: Option<T>,
    range: &str,
    fits: impl Fn(&T) -> bool,
) -> Result<(), Error> {
    match value {
        Some(value) if !fits(&value) => {
            Err(refused(option, format!("must be {range}, got {}", value.to_string())))
        }
        _ => Ok(()),
    }
}

impl Request {
    /// Finds every conflict that shows without the data.
    ///
    /// # Errors
    /// When an option is out of range, or does not go together with another one.
    pub fn check_options(&self) -> Result<(), Error> {
        self.check_ranges()?;
        self.check_strength()?;
        self.check_search()?;
        self.check_input_cost()?;
        match self.representation.unwrap_or_default() {
            Representation::None => self.check_subnetworks(),
            representation => self.check_representation(representation),
        }
    }

    /// Finds options that are out of range.
    ///
    /// # Errors
    /// When one is.
    pub fn check_ranges(&self) -> Result<(), Error> {
        let positive = "a positive finite number";
        within("beta", self.beta, positive, |&b| Beta::new(b).is_ok())?;
        within("beta_ratio", self.beta_ratio, positive, |&r| Beta::new(r).is_ok())?;
        let part = |p: &f64| *p > 0.0 && *p < 1.0;
        within("holdout", self.holdout, "between 0 and 1", part)?;
        within("least_ratio", self.least_ratio, "between 0 and 1", part)?;
        let range = format!("between 2 and {MOST_RATIOS}");
        within("n_ratios", self.n_ratios, &range, |n| (2..=MOST_RATIOS).contains(n))?;
        let grid = |ratios: &Vec<f64>| {
            !ratios.is_empty()
                && ratios.len() <= MOST_RATIOS
                && ratios.iter().all(|&r| Beta::new(r).is_ok())
                && ratios.is_sorted_by(|a, b| a > b)
        };
        if self.ratios.as_ref().is_some_and(|ratios| !grid(ratios)) {
            return Err(refused("ratios", "must be positive finite numbers, largest first"));
        }
        let gap = |g: &f64| *g >= 0.0 && g.is_finite();
        within("gap", self.gap, "zero or more", gap)?;
        within("tolerance", self.tolerance, "zero or more", gap)?;
        within("prune", self.prune, "zero or more", gap)?;
        within("time_limit", self.time_limit, "above zero and at most 1e9", |&s| {
            s > 0.0 && s <= LONGEST
        })?;
        if let Some(patterns) = self.patterns.filter(|p| !(1..=MOST_PATTERNS).contains(p)) {
            // A cache line of bits twice over, and its weights: the least a pattern can take.
            let least = (u128::from(patterns) * 200) >> 30;
            let room = format!("; so many need at least {least} GiB of memory");
            let room = if patterns > MOST_PATTERNS { room.as_str() } else { "" };
            let reason = format!("must be between 1 and {MOST_PATTERNS}, got {patterns}{room}");
            return Err(refused("patterns", reason));
        }
        let range = format!("between 1 and {MOST_AVERAGED}");
        within("average", self.average, &range, |r| (1..=MOST_AVERAGED).contains(r))?;
        within("neurons", self.neurons, "at least 1", |&n| n > 0)?;
        let range = format!("between 2 and {MOST_OUTPUT_BITS}");
        within("output_bits", self.output_bits, &range, |b| (2..=MOST_OUTPUT_BITS).contains(b))?;
        let range = format!("between 2 and {MOST_WEIGHT_BITS}");
        within("weight_bits", self.weight_bits, &range, |b| (2..=MOST_WEIGHT_BITS).contains(b))?;
        if let Some(InputCounts::Listed(counts)) = &self.inputs
            && (counts.is_empty() || counts.contains(&0))
        {
            return Err(refused("inputs", "must be numbers of at least 1"));
        }
        within("max_inputs", self.max_inputs, "at least 1", |&k| k > 0)?;
        let range = format!("between 0 and {MOST_INPUT_COST}");
        within("input_cost", Some(self.input_cost), &range, |p| {
            (0.0..=MOST_INPUT_COST).contains(p)
        })?;
        let range = format!("between 2 and {MOST_LAYERS}");
        within("layers", self.layers, &range, |l| (2..=MOST_LAYERS).contains(l))?;
        let (most, widths) = (MOST_LAYERS - 2, &self.widths);
        if widths.len() > most || widths.iter().any(|width| !(1..=MOST_NEURONS).contains(width)) {
            let reason =
                format!("must be at most {most} numbers, each between 1 and {MOST_NEURONS}");
            return Err(refused("widths", reason));
        }
        Ok(())
    }

    /// Finds options that have no meaning for a path: it is followed on the patterns of random weights, at
    /// every strength.
    pub(super) fn check_path(&self) -> Result<(), Error> {
        self.check_ranges()?;
        self.check_search()?;
        // A path over neurons of few inputs is proven.
        Self { max_inputs: None, ..self.clone() }.check_two_layers("a path")?;
        let pointless = [
            ("beta", self.beta.is_some()),
            ("beta_ratio", self.beta_ratio.is_some()),
            ("cv", self.cv.is_some()),
            ("one_se", self.one_se),
            ("weights", self.weights.is_some()),
        ];
        if let Some((option, _)) = pointless.into_iter().find(|(_, given)| *given) {
            return Err(refused(option, "has no meaning for a path, which visits every strength"));
        }
        match (self.method, self.max_inputs) {
            (Method::Auto | Method::Generate, Some(_)) | (Method::Auto | Method::Sample, None) => {
                Ok(())
            }
            (method, _) => {
                let reason = "a path is followed on random patterns, and needs `method=sample`, or over \
                              neurons of few inputs with `max_inputs`";
                Err(refused_as("method", method, reason))
            }
        }
    }

    /// Refuses what is about other networks than one of two layers and its neurons.
    pub(super) fn check_two_layers(&self, what: &str) -> Result<(), Error> {
        if self.input_cost != 0.0 {
            return Err(refused("input_cost", format!("is not for {what}")));
        }
        let about_others = [
            ("layers", self.depth() > 2),
            ("max_inputs", self.max_inputs.is_some()),
            ("average", self.averaged() > 1),
        ];
        match about_others.into_iter().find(|(_, given)| *given) {
            Some((option, _)) => {
                let reason =
                    format!("has no meaning for {what}, which is about one network of two layers");
                Err(refused(option, reason))
            }
            None => Ok(()),
        }
    }

    /// One way to say how strong the weight decay is.
    fn check_strength(&self) -> Result<(), Error> {
        if self.beta.is_some() && self.beta_ratio.is_some() {
            return Err(refused("beta_ratio", "and `beta` say the same: give one of the two"));
        }
        let Some(folds) = &self.cv else {
            let about_cv = [
                ("one_se", self.one_se),
                ("n_ratios", self.n_ratios.is_some()),
                ("least_ratio", self.least_ratio.is_some()),
                ("ratios", self.ratios.is_some()),
                ("scoring", self.scoring.is_some()),
            ];
            return match about_cv.into_iter().find(|(_, given)| *given) {
                Some((option, _)) => {
                    Err(refused(option, "is about cross-validation, and needs `cv`"))
                }
                None => Ok(()),
            };
        };
        for (option, given) in [("beta", self.beta), ("beta_ratio", self.beta_ratio)] {
            if given.is_some() {
                return Err(refused(option, "is what `cv` chooses: give one of the two"));
            }
        }
        if self.ratios.is_some() && (self.n_ratios.is_some() || self.least_ratio.is_some()) {
            let reason = "are the strengths to try: give no `n_ratios` and no `least_ratio`";
            return Err(refused("ratios", reason));
        }
        match folds {
            Folds::Count(count @ 0..2) => {
                Err(refused("cv", format!("must be at least 2, got {count}")))
            }
            _ => Ok(()),
        }
    }

    /// Options that one method has, with another.
    fn check_search(&self) -> Result<(), Error> {
        let method = self.method();
        if method == Method::Complete && self.weights == Some(Weights::Sampled) {
            let reason = "`method=complete` draws no weights; use svm or pi";
            return Err(refused_as("weights", "sampled", reason));
        }
        if let (Some(k), Some(Weights::Pi)) = (self.max_inputs, self.weights) {
            let limit = mark("max_inputs", Some(&k.to_string()));
            let reason = format!("these read all inputs, and {limit} allows {k}; use svm");
            return Err(refused_as("weights", "pi", reason));
        }
        if self.patterns.is_some() && method != Method::Sample {
            let reason = format!("draws random patterns, and needs `method=sample`, not {method}");
            return Err(refused("patterns", reason));
        }
        let predictions = self.question()? == Question::Predictions;
        if self.inputs.is_some() && !predictions && method != Method::Sample {
            return Err(refused("inputs", "is about random neurons, and needs `method=sample`"));
        }
        if self.scoring == Some(Scoring::Loss) && !predictions {
            let reason = "with a method, cross-validation compares accuracies or R²";
            return Err(refused_as("scoring", Scoring::Loss, reason));
        }
        if self.neurons.is_some() && !predictions {
            let reason = "is for the best predictions: give no strength and no `method`";
            return Err(refused("neurons", reason));
        }
        if self.output_bits.is_some() && self.neurons.is_none() {
            let reason = "is about few neurons: add `neurons`; an export rounds the output weights of any network";
            return Err(refused("output_bits", reason));
        }
        let mut options = self.options_of_one_problem();
        if let (Some(option), Some(_)) = (options.find(|o| *o != "max_inputs"), self.neurons) {
            let reason = format!("and {} do not go together", mark(option, None));
            return Err(refused("neurons", reason));
        }
        if !matches!(method, Method::Auto | Method::Generate) || self.depth() > 2 {
            let options =
                [("max_inputs", self.max_inputs.is_some()), ("average", self.averaged() > 1)];
            if let Some((option, _)) = options.into_iter().find(|(_, given)| *given) {
                return Err(refused(option, "needs `method=generate` and two layers"));
            }
        }
        Ok(())
    }

    /// Neurons can pay for their inputs if patterns are random, or if every neuron reads one input.
    fn check_input_cost(&self) -> Result<(), Error> {
        if self.input_cost == 0.0 {
            return Ok(());
        }
        if self.depth() > 2 {
            return Err(refused("input_cost", "is for networks of two layers"));
        }
        if self.max_inputs == Some(1) {
            return Ok(()); // all neurons pay the same
        }
        if self.question()? == Question::Predictions {
            return match self.about_one_problem() {
                Some(option) => {
                    let reason =
                        format!("and {} go together only with `max_inputs=1`", mark(option, None));
                    Err(refused("input_cost", reason))
                }
                None => Ok(()),
            };
        }
        if self.method() != Method::Sample {
            let reason = "is about random patterns: add `method=sample` or `max_inputs=1`, or ask for the \
                          best predictions, without a strength";
            return Err(refused("input_cost", reason));
        }
        match self.weights {
            None | Some(Weights::Sampled) => Ok(()),
            Some(weights) => {
                let reason =
                    "other weights read other inputs, and neurons pay for these with `input_cost`";
                Err(refused_as("weights", weights, reason))
            }
        }
    }

    /// An option that speaks of one problem: where the best predictions are asked for, the problem of the
    /// strength that is chosen is then solved.
    pub(super) fn about_one_problem(&self) -> Option<&'static str> {
        self.options_of_one_problem().next()
    }

    fn options_of_one_problem(&self) -> impl Iterator<Item = &'static str> + use<> {
        let given = [
            ("max_inputs", self.max_inputs.is_some()),
            ("gap", self.gap.is_some()),
            ("weights", self.weights.is_some()),
            ("rounds", self.rounds.is_some()),
            ("prune", self.prune.is_some()),
        ];
        given.into_iter().filter(|(_, given)| *given).map(|(option, _)| option)
    }

    /// How many networks are averaged.
    pub(super) fn averaged(&self) -> usize {
        self.average.unwrap_or(1)
    }

    /// A representation makes the layers, on which the complete program is solved.
    fn check_representation(&self, representation: Representation) -> Result<(), Error> {
        let (method, layers, widths) = (self.method(), self.depth(), self.widths.len());
        if !matches!(method, Method::Auto | Method::Complete) {
            let reason = format!("needs `method=complete`, not {method}");
            return Err(refused_as("representation", representation, reason));
        }
        self.check_drawn()?;
        let made = mark("representation", Some(&representation.to_string()));
        if layers < 3 {
            return Err(refused_as("layers", layers, format!("{made} makes 3 layers or more")));
        }
        if self.tree {
            let reason = "needs `method=enumerate`: a representation has no trees";
            return Err(refused("tree", reason));
        }
        match representation {
            Representation::Staircase if layers > 3 => {
                Err(refused_as("layers", layers, format!("{made} makes networks of 3 layers")))
            }
            Representation::Staircase if widths > 0 => {
                Err(refused("widths", "are not for a staircase, whose width follows from the data"))
            }
            Representation::Staircase if !self.bias => {
                let reason = "a staircase is made of thresholds; use `representation=gaussian`";
                Err(refused_as("bias", false, reason))
            }
            _ if widths > 1 && widths != layers - 2 => {
                let reason = format!(
                    "expected `widths` with one number for all random layers, or {}, one for each; \
                     found {widths}",
                    layers - 2
                );
                Err(refused_as("layers", layers, reason))
            }
            _ => Ok(()),
        }
    }

    /// On a representation no weights are drawn.
    fn check_drawn(&self) -> Result<(), Error> {
        match self.weights {
            Some(Weights::Sampled) => {
                let reason = "on a representation no weights are drawn; use svm or pi";
                Err(refused_as("weights", "sampled", reason))
            }
            _ => Ok(()),
        }
    }

    /// Whether more than two layers are asked for, and nothing says what they are made of: a
    /// representation is chosen for the data.
    pub(super) fn leaves_layers_open(&self) -> bool {
        self.depth() > 2
            && self.widths.is_empty()
            && self.representation.is_none()
            && self.method() == Method::Auto
    }

    /// Without a representation there are parallel subnetworks, whose widths are given.
    fn check_subnetworks(&self) -> Result<(), Error> {
        let (method, layers, widths) = (self.method(), self.depth(), self.widths.len());
        if self.tree && widths == 0 {
            let reason = "is about the layers below the last hidden one, and needs `widths`";
            return Err(refused("tree", reason));
        }
        if layers > 2 && method == Method::Complete {
            let reason = "`method=complete` makes deeper networks on a representation; add \
                          `representation=gaussian` or staircase";
            return Err(refused_as("layers", layers, reason));
        }
        if self.leaves_layers_open() {
            return self.check_drawn();
        }
        if layers != widths + 2 {
            let reason = format!(
                "expected `widths` with {} numbers, one for each layer below the last hidden one, found \
                 {widths}",
                layers - 2
            );
            return Err(refused_as("layers", layers, reason));
        }
        if self.tree && !matches!(method, Method::Auto | Method::Enumerate) {
            return Err(refused("tree", format!("needs `method=enumerate`, not {method}")));
        }
        if layers > 2 && method == Method::Generate && !SubnetworkSearch::reaches(&self.widths) {
            let reason = format!(
                "are too many or too large: `method=generate` searches subnetworks of 3 layers with a width \
                 of at most {}; use `method=sample`",
                SubnetworkSearch::max_width()
            );
            return Err(refused("widths", reason));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sentence about a request that is refused.
    fn sentence(request: &Request) -> String {
        request.check_options().expect_err("a conflict").to_string()
    }

    #[test]
    fn a_request_without_options_has_no_conflict() {
        Request::default().check_options().unwrap();
    }

    #[test]
    fn values_out_of_range_are_refused() {
        let none = Request::default();
        let many: u64 = MOST_PATTERNS + 1;
        for (request, expected) in [
            (
                Request { beta: Some(0.0), ..none.clone() },
                "`beta` must be a positive finite number, got 0",
            ),
            (
                Request { beta_ratio: Some(f64::INFINITY), ..none.clone() },
                "`beta_ratio` must be a positive finite number, got inf",
            ),
            (Request { gap: Some(-1.0), ..none.clone() }, "`gap` must be zero or more, got -1"),
            (
                Request { time_limit: Some(0.0), ..none.clone() },
                "`time_limit` must be above zero and at most 1e9, got 0",
            ),
            (
                Request { holdout: Some(1.0), ..none.clone() },
                "`holdout` must be between 0 and 1, got 1",
            ),
            (
                Request { patterns: Some(0), ..none.clone() },
                "`patterns` must be between 1 and 100000000, got 0",
            ),
            (
                Request { patterns: Some(many), ..none.clone() },
                "`patterns` must be between 1 and 100000000, got 100000001; so many need at least 18 GiB \
                 of memory",
            ),
            (
                Request { average: Some(0), ..none.clone() },
                "`average` must be between 1 and 1000, got 0",
            ),
            (
                Request { max_inputs: Some(0), ..none.clone() },
                "`max_inputs` must be at least 1, got 0",
            ),
            (
                Request { input_cost: -0.5, ..none.clone() },
                "`input_cost` must be between 0 and 16, got -0.5",
            ),
            (
                Request { input_cost: f64::INFINITY, ..none.clone() },
                "`input_cost` must be between 0 and 16, got inf",
            ),
            (
                Request { layers: Some(65), ..none.clone() },
                "`layers` must be between 2 and 64, got 65",
            ),
            (
                Request { widths: vec![2, 0], ..none.clone() },
                "`widths` must be at most 62 numbers, each between 1 and 1000000",
            ),
            (
                Request { cv: Some(Folds::Count(1)), ..none.clone() },
                "`cv` must be at least 2, got 1",
            ),
            (
                Request { cv: Some(Folds::Count(5)), n_ratios: Some(1), ..none.clone() },
                "`n_ratios` must be between 2 and 10000, got 1",
            ),
            (
                Request { cv: Some(Folds::Count(5)), ratios: Some(vec![0.1, 0.2]), ..none },
                "`ratios` must be positive finite numbers, largest first",
            ),
        ] {
            assert_eq!(sentence(&request), expected);
        }
    }

    #[test]
    fn options_that_do_not_go_together_are_refused() {
        let none = Request::default();
        let gaussian =
            Request { representation: Some(Representation::Gaussian), ..Request::default() };
        let stairs =
            Request { representation: Some(Representation::Staircase), ..Request::default() };
        let sampled = Some(Weights::Sampled);
        for (request, expected) in [
            (
                Request { beta: Some(1.0), beta_ratio: Some(0.1), ..none.clone() },
                "`beta_ratio` and `beta` say the same: give one of the two",
            ),
            (
                Request { beta: Some(1.0), cv: Some(Folds::Count(5)), ..none.clone() },
                "`beta` is what `cv` chooses: give one of the two",
            ),
            (
                Request { one_se: true, ..none.clone() },
                "`one_se` is about cross-validation, and needs `cv`",
            ),
            (
                Request { method: Method::Complete, weights: sampled, ..none.clone() },
                "`weights=sampled`: `method=complete` draws no weights; use svm or pi",
            ),
            (
                Request { max_inputs: Some(2), weights: Some(Weights::Pi), ..none.clone() },
                "`weights=pi`: these read all inputs, and `max_inputs=2` allows 2; use svm",
            ),
            (
                Request { patterns: Some(5), method: Method::Generate, ..none.clone() },
                "`patterns` draws random patterns, and needs `method=sample`, not generate",
            ),
            (
                Request { max_inputs: Some(1), method: Method::Sample, ..none.clone() },
                "`max_inputs` needs `method=generate` and two layers",
            ),
            (
                Request { average: Some(3), widths: vec![2], ..none.clone() },
                "`average` needs `method=generate` and two layers",
            ),
            (
                Request { input_cost: 0.5, widths: vec![2], ..none.clone() },
                "`input_cost` is for networks of two layers",
            ),
            (
                Request { input_cost: 0.5, ..gaussian.clone() },
                "`input_cost` is for networks of two layers",
            ),
            (
                Request { input_cost: 0.5, beta: Some(1.0), ..none.clone() },
                "`input_cost` is about random patterns: add `method=sample` or `max_inputs=1`, or ask for the \
                 best predictions, without a strength",
            ),
            (
                Request { input_cost: 0.5, max_inputs: Some(2), ..none.clone() },
                "`input_cost` and `max_inputs` go together only with `max_inputs=1`",
            ),
            (
                Request { input_cost: 0.5, gap: Some(0.1), ..none.clone() },
                "`input_cost` and `gap` go together only with `max_inputs=1`",
            ),
            (
                Request {
                    input_cost: 0.5,
                    method: Method::Sample,
                    weights: Some(Weights::Svm),
                    ..none.clone()
                },
                "`weights=svm`: other weights read other inputs, and neurons pay for these with `input_cost`",
            ),
            (
                Request { method: Method::Sample, ..gaussian.clone() },
                "`representation=gaussian`: needs `method=complete`, not sample",
            ),
            (
                Request { weights: sampled, ..gaussian.clone() },
                "`weights=sampled`: on a representation no weights are drawn; use svm or pi",
            ),
            (
                Request { weights: sampled, layers: Some(3), ..none.clone() },
                "`weights=sampled`: on a representation no weights are drawn; use svm or pi",
            ),
            (
                Request { layers: Some(2), ..gaussian.clone() },
                "`layers=2`: `representation=gaussian` makes 3 layers or more",
            ),
            (
                Request { tree: true, ..gaussian.clone() },
                "`tree` needs `method=enumerate`: a representation has no trees",
            ),
            (
                Request { layers: Some(5), widths: vec![9, 9], ..gaussian },
                "`layers=5`: expected `widths` with one number for all random layers, or 3, one for each; \
                 found 2",
            ),
            (
                Request { layers: Some(4), ..stairs.clone() },
                "`layers=4`: `representation=staircase` makes networks of 3 layers",
            ),
            (
                Request { widths: vec![4], ..stairs.clone() },
                "`widths` are not for a staircase, whose width follows from the data",
            ),
            (
                Request { bias: false, ..stairs },
                "`bias=false`: a staircase is made of thresholds; use `representation=gaussian`",
            ),
            (
                Request { tree: true, ..none.clone() },
                "`tree` is about the layers below the last hidden one, and needs `widths`",
            ),
            (
                Request { tree: true, widths: vec![2], method: Method::Sample, ..none.clone() },
                "`tree` needs `method=enumerate`, not sample",
            ),
            (
                Request { layers: Some(3), method: Method::Complete, ..none.clone() },
                "`layers=3`: `method=complete` makes deeper networks on a representation; add \
                 `representation=gaussian` or staircase",
            ),
            (
                Request { layers: Some(4), widths: vec![2], ..none.clone() },
                "`layers=4`: expected `widths` with 2 numbers, one for each layer below the last hidden \
                 one, found 1",
            ),
            (
                Request { layers: Some(3), method: Method::Sample, ..none.clone() },
                "`layers=3`: expected `widths` with 1 numbers, one for each layer below the last hidden \
                 one, found 0",
            ),
            (
                Request { widths: vec![5], method: Method::Generate, ..none },
                "`widths` are too many or too large: `method=generate` searches subnetworks of 3 layers with a \
                 width of at most 4; use `method=sample`",
            ),
        ] {
            assert_eq!(sentence(&request), expected);
        }
    }

    #[test]
    fn layers_alone_ask_for_a_representation() {
        let three = Request { layers: Some(3), ..Request::default() };
        three.check_options().unwrap();
        assert!(three.leaves_layers_open());
        let none = Request { representation: Some(Representation::None), ..three };
        assert!(none.check_options().is_err());
    }

    #[test]
    fn a_path_and_interpolation_have_fewer_options() {
        let none = Request::default();
        Request { n_ratios: Some(5), ..none.clone() }.check_path().unwrap();
        for (request, expected) in [
            (
                Request { beta: Some(1.0), ..none.clone() },
                "`beta` has no meaning for a path, which visits every strength",
            ),
            (
                Request { method: Method::Generate, ..none.clone() },
                "`method=generate`: a path is followed on random patterns, and needs `method=sample`, or over \
                 neurons of few inputs with `max_inputs`",
            ),
            (Request { input_cost: 0.5, ..none.clone() }, "`input_cost` is not for a path"),
            (
                Request { widths: vec![2], ..none },
                "`layers` has no meaning for a path, which is about one network of two layers",
            ),
        ] {
            assert_eq!(request.check_path().unwrap_err().to_string(), expected);
        }
    }
}
