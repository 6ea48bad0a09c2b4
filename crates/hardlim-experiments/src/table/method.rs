//! The convex methods of the table: they choose the strength, and then train.

use std::ops::ControlFlow;
use std::time::Instant;

use hardlim::Error;
use hardlim::arrangement::evaluate;
use hardlim::loss::LossKind;
use hardlim::network::recipe::Recipe;
use hardlim::network::score::accuracy;
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::ActiveSet;
use hardlim::train::{Folds, Method, Request, geometric};
use serde_json::{Value, json};

use super::heuristic::BATCH;
use super::sampled::{Draw, ERRORS, FEW, MIXED, NEURONS, RATIOS, Sampled};
use super::{Streams, stratified};
use crate::experiment::Context;
use crate::samples::{Samples, lower_bound};
use crate::scale::Scale;
use crate::sets::Set;

/// The paper's grid of strengths, largest first.
pub(super) const BETAS: [f64; 7] = [5.0, 1.0, 0.5, 1e-1, 1e-2, 1e-3, 1e-6];
/// The number of networks that the averaging column uses.
pub(super) const AVERAGE: usize = 4;

/// A convex method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Convex {
    /// The Lasso over sampled patterns: Convex-Lasso as printed, with the paper's strengths.
    Lasso,
    /// The same with `β n` in place of `β`, as in the authors' notebook.
    LassoMean,
    /// All patterns, generated as needed; and the average of several such networks.
    Generate,
    /// Neurons that read two inputs, or one if there are too many pairs.
    Few,
    /// The average of networks over large samples, with the logistic loss.
    Sample(Draw),
}

impl Convex {
    /// The methods for a set, the simplest first. The pixels of images have one scale and are used as
    /// they are.
    pub(super) fn all(set: &Set) -> Vec<Self> {
        let draws: &[Draw] = match (set.images(), set.large()) {
            (true, _) => &[Draw::Raw],
            (_, true) => &[Draw::Standard, Draw::Some(&MIXED)],
            _ => &[Draw::Standard, Draw::Some(&FEW), Draw::Some(&MIXED)],
        };
        let sampled = draws.iter().map(|&draw| Self::Sample(draw));
        [Self::Lasso, Self::Generate, Self::Few].into_iter().chain(sampled).collect()
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Lasso => "lasso",
            Self::LassoMean => "lasso-n",
            Self::Generate => "generate",
            Self::Few => "max-inputs",
            Self::Sample(Draw::Standard) => "sample",
            Self::Sample(Draw::Raw) => "sample-raw",
            Self::Sample(Draw::Some(counts)) if *counts == FEW => "sample-few",
            Self::Sample(Draw::Some(_)) => "sample-mixed",
        }
    }
}

/// The most pairs of columns times pairs of rows for which neurons read two inputs, by scale: some
/// seconds for each round.
const PAIRS: [f64; 3] = [1e7, 5e7, 1e8];

/// The amount of work for a set.
#[derive(Debug, Clone)]
pub(super) struct Effort {
    /// The number of sampled patterns of `lasso`, and of neurons of the heuristics.
    pub(super) patterns: usize,
    /// Whether weights are drawn on standardised inputs, as for all sets but images.
    pub(super) standardize: bool,
    pub(super) folds: usize,
    /// The most rows for the choices of `lasso`, large samples and heuristics.
    pub(super) rows: usize,
    /// The number of patterns of a large sample, and the number of such networks that are averaged.
    pub(super) large: usize,
    pub(super) networks: usize,
    /// The number of strengths that are tried on large samples.
    pub(super) strengths: usize,
    /// The rounds of generation, and the number of inputs of a neuron in [`Convex::Few`].
    pub(super) rounds: usize,
    pub(super) inputs: usize,
    /// The most strengths, folds and rows of a choice among generated networks.
    pub(super) ratios: usize,
    pub(super) parts: usize,
    pub(super) fewer: usize,
    pub(super) epochs: usize,
    /// The learning rates and strengths of the heuristics.
    pub(super) rates: &'static [f64],
    pub(super) betas: &'static [f64],
}

impl Effort {
    pub(super) fn new(scale: Scale, set: &Set) -> Self {
        let images = set.images();
        // The cost of a round with two inputs: the pairs of columns, times the pairs of rows.
        let pairs = (set.d * set.d / 2) as f64 * (0.8 * set.n as f64).powi(2);
        let slow = pairs > scale.pick(PAIRS[0], PAIRS[1], PAIRS[2]);
        let full = scale == Scale::Full && !images;
        let of = |ordinary: usize, on_images: usize| if images { on_images } else { ordinary };
        Self {
            patterns: scale.pick(30, 1000, 1000),
            standardize: !images,
            folds: scale.pick(2, 3, if set.large() { 3 } else { 5 }),
            rows: scale.pick(100, of(1500, 3000), usize::MAX),
            large: scale.pick(30, of(2000, 2500), 5000),
            networks: scale.pick(2, of(2, 1), 4),
            strengths: scale.pick(3, 8, 10),
            rounds: scale.pick(2, of(3, 2), of(4, 2)),
            inputs: if images || slow { 1 } else { 2 },
            ratios: scale.pick(2, of(3, 2), of(4, 2)),
            parts: 2,
            fewer: scale.pick(100, 300, 400),
            epochs: scale.pick(2, of(10, 2), of(30, 4)),
            rates: if full { &[3e-3, 1e-2, 3e-2] } else { &[3e-3] },
            betas: if full { &[1e-3, 1.0] } else { &[1e-3] },
        }
    }

    /// The settings that determine the record of a convex method.
    pub(super) fn convex(&self, convex: Convex) -> String {
        let Self { patterns, standardize, folds, rows, large, networks, strengths, .. } = self;
        let Self { rounds, inputs, ratios, parts, fewer, .. } = self;
        match convex {
            Convex::Lasso | Convex::LassoMean => {
                format!("P{patterns}/standardized-{standardize}/folds{folds}/rows{rows}")
            }
            Convex::Generate => format!("rounds{rounds}/ratios{ratios}/folds{parts}/rows{fewer}"),
            Convex::Few => {
                format!("inputs{inputs}/rounds{rounds}/ratios{ratios}/folds{parts}/rows{fewer}")
            }
            Convex::Sample(draw) => {
                let (most, least) = RATIOS;
                format!(
                    "{draw:?}/P{large}/networks{networks}/folds{folds}/rows{rows}/\
                     ratios{strengths}-{most}-{least}/neurons{NEURONS}/errors{ERRORS}"
                )
                .replace(' ', "")
            }
        }
    }

    /// The settings that determine the record of a heuristic.
    pub(super) fn heuristic(&self) -> String {
        let Self { patterns, epochs, rates, betas, rows, .. } = self;
        format!("m{patterns}/epochs{epochs}/batch{BATCH}/rates{rates:?}/betas{betas:?}/rows{rows}")
            .replace(' ', "")
    }

    /// Chooses the strength on the training part, trains on all of it, and scores.
    pub(super) fn fit(
        &self,
        context: &Context<'_>,
        convex: Convex,
        train: &Samples,
        test: &Samples,
        streams: &Streams,
    ) -> Result<Value, Error> {
        if let Convex::Sample(draw) = convex {
            let (patterns, networks, ratios) = (self.large, self.networks, self.strengths);
            let (folds, budget) = (self.folds, context.budget);
            let seeds = (streams.patterns, streams.folds);
            let sampled = Sampled { draw, patterns, networks, folds, ratios, budget, seeds };
            return sampled.fit(train, &choosing(train, self.rows, streams.rows), test);
        }
        let start = Instant::now();
        let sampled = matches!(convex, Convex::Lasso | Convex::LassoMean);
        let request = Request {
            method: if sampled { Method::Sample } else { Method::Generate },
            patterns: sampled.then_some(self.patterns as u64),
            standardize: self.standardize,
            max_inputs: (convex == Convex::Few).then_some(self.inputs),
            rounds: Some(self.rounds),
            seed: streams.patterns,
            ..Request::default()
        };
        let (request, chosen, score) = if sampled {
            let few = train.select(&choosing(train, self.rows, streams.rows));
            // The loss is a sum over the rows, so on a part of the rows the strength is reduced accordingly.
            let part = few.y.len() as f64 / train.y.len() as f64;
            let scale = if convex == Convex::Lasso { 1.0 } else { train.y.len() as f64 };
            let (beta, score) = self.choose_beta(&few, part * scale, streams)?;
            (Request { beta: Some(beta * scale), ..request }, beta, score)
        } else {
            let few = train.select(&choosing(train, self.fewer, streams.rows));
            // From 0.5 down by a factor of 50.
            let ratios = Some(geometric(0.02, self.ratios).iter().map(|r| 0.5 * r).collect());
            let cv = Some(Folds::Count(self.parts));
            let seed = streams.folds;
            let choice = Request { cv, ratios, seed, ..request.clone() };
            let set = few.training_set()?;
            let selection = choice.check(&set)?.choose(&set, &context.watch())?;
            let selection = selection.expect("a strength to choose");
            let beta_ratio = Some(selection.ratio);
            (Request { beta_ratio, ..request }, selection.ratio, selection.score)
        };
        let select_seconds = start.elapsed().as_secs_f64();
        let (trained, train_seconds) = train.train(&request, context)?;
        let network = trained.model.first().network();
        let mut record = json!({
            "strength": chosen, "cv_accuracy": score, "beta": trained.model.beta().get(),
            "objective": trained.model.certificate().objective(),
            "lower_bound": lower_bound(&trained.model),
            "neurons": network.neurons(), "train_accuracy": train.accuracy(network),
            "test_accuracy": test.accuracy(network),
            "select_seconds": select_seconds, "train_seconds": train_seconds,
        });
        if convex == Convex::Generate {
            let request = Request { average: Some(AVERAGE), ..request };
            let (trained, seconds) = train.train(&request, context)?;
            let network = trained.model.first().network();
            record["average"] = json!({
                "objective": trained.model.certificate().objective(),
                "lower_bound": lower_bound(&trained.model), "neurons": network.neurons(),
                "train_accuracy": train.accuracy(network), "test_accuracy": test.accuracy(network),
                "train_seconds": seconds,
            });
        }
        Ok(record)
    }

    /// The strength of the paper's grid, times `scale`, with the best accuracy on the folds (the larger one
    /// if there are ties), without `scale`, and this accuracy.
    fn choose_beta(
        &self,
        samples: &Samples,
        scale: f64,
        streams: &Streams,
    ) -> Result<(f64, f64), Error> {
        let mut scores = [0.0; BETAS.len()];
        let widths = Vec::new();
        let recipe = Recipe::Sample {
            draws: self.patterns as u64,
            seed: streams.patterns,
            standardize: self.standardize,
            widths,
            reads: None,
        };
        for fold in stratified(&samples.y, self.folds, streams.folds) {
            let (most, aside) = (samples.select(&fold.train), samples.select(&fold.test));
            let data = most.dataset()?;
            let dictionary =
                recipe.dictionary(&data, true, 0.0).expect("a sample has a dictionary");
            let answers = evaluate(&aside.x, &dictionary.witnesses);
            let one = Beta::new(BETAS[0])?;
            let squared = LossKind::Squared;
            let program = LassoProgram::new(&dictionary.patterns, data.targets(), squared, one)?;
            let betas =
                BETAS.iter().map(|b| Beta::new(b * scale)).collect::<Result<Vec<_>, _>>()?;
            let mut place = 0;
            // This gap is small enough for a score.
            let solver = ActiveSet { tolerance: 1e-4, ..ActiveSet::default() };
            solver.path(&program, betas, |solution| {
                let output = answers.combine(solution.coefficients.iter().copied().enumerate());
                scores[place] += accuracy(&output, &aside.y) / self.folds as f64;
                place += 1;
                ControlFlow::Continue(())
            });
        }
        let best = (0..BETAS.len()).reduce(|a, b| if scores[b] > scores[a] { b } else { a });
        let best = best.expect("there are strengths");
        Ok((BETAS[best], scores[best]))
    }
}

/// The rows that choices are made on: all rows, or a part of each class if there are more than `most`.
pub(super) fn choosing(train: &Samples, most: usize, seed: u64) -> Vec<usize> {
    match train.y.len().div_ceil(most.max(1)) {
        0 | 1 => (0..train.y.len()).collect(),
        parts => stratified(&train.y, parts, seed).swap_remove(0).test,
    }
}
