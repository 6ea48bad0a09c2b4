//! The methods of the table: how strengths and learning rates are chosen, and what is trained then.

use std::ops::ControlFlow;
use std::time::Instant;

use hardlim::Error;
use hardlim::arrangement::evaluate;
use hardlim::loss::LossKind;
use hardlim::network::recipe::Recipe;
use hardlim::network::score::accuracy;
use hardlim::program::{Beta, LassoProgram};
use hardlim::solver::ActiveSet;
use hardlim::train::{CrossValidation, Method, Strength, Trainer, geometric};
use hardlim_baseline::{Baseline, Surrogate};
use serde_json::{Value, json};

use super::stratified;
use crate::experiment::Context;
use crate::samples::Samples;
use crate::scale::Scale;
use crate::sets::Set;

/// The paper's grid of strengths, largest first.
pub(super) const BETAS: [f64; 7] = [5.0, 1.0, 0.5, 1e-1, 1e-2, 1e-3, 1e-6];
/// Pairs of columns times pairs of rows that take seconds a round.
const PAIRS: f64 = 1e8;
/// Networks that are averaged.
pub(super) const AVERAGE: usize = 4;

/// A convex method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Convex {
    /// The Lasso over sampled patterns: Convex-Lasso as printed, with the paper's strengths.
    Lasso,
    /// All patterns, generated; and the average of several.
    Generate,
    /// The same with the logistic loss.
    GenerateLogistic,
    /// Neurons that read two inputs, or one on images.
    Few,
    /// The same with the logistic loss.
    FewLogistic,
}

impl Convex {
    /// Those that are run at a scale; the first three of the squared loss are columns of the table.
    pub(super) fn all(scale: Scale) -> &'static [Self] {
        let all =
            &[Self::Lasso, Self::Generate, Self::Few, Self::GenerateLogistic, Self::FewLogistic];
        scale.pick(&all[..3], &all[..3], &all[..])
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Lasso => "lasso",
            Self::Generate => "generate",
            Self::GenerateLogistic => "generate-logistic",
            Self::Few => "max-inputs",
            Self::FewLogistic => "max-inputs-logistic",
        }
    }

    fn loss(self) -> LossKind {
        match self {
            Self::GenerateLogistic | Self::FewLogistic => LossKind::Logistic,
            _ => LossKind::Squared,
        }
    }

    fn few(self) -> bool {
        matches!(self, Self::Few | Self::FewLogistic)
    }

    /// Whether several networks are averaged, too.
    fn averaged(self) -> bool {
        matches!(self, Self::Generate | Self::GenerateLogistic)
    }
}

/// How much work a set is given.
#[derive(Debug, Clone)]
pub(super) struct Effort {
    /// Sampled patterns, and neurons of the heuristics.
    pub(super) patterns: usize,
    pub(super) folds: usize,
    /// Strengths that are tried, from a half of `β_max` down.
    pub(super) ratios: usize,
    /// Rounds of generation.
    pub(super) rounds: usize,
    /// Rows on which choices are made at most: the same for all methods, so that their scores compare.
    pub(super) rows: usize,
    /// Inputs of a neuron where they are few.
    pub(super) inputs: usize,
    pub(super) epochs: usize,
    /// Learning rates and strengths of the heuristics.
    pub(super) rates: &'static [f64],
    pub(super) betas: &'static [f64],
}

impl Effort {
    pub(super) fn new(scale: Scale, set: &Set) -> Self {
        let images = set.images();
        // What two inputs cost a round: the pairs of columns, and for each the pairs of rows.
        let slow = (set.d * set.d / 2) as f64 * (set.n as f64).powi(2) > PAIRS;
        let full = scale == Scale::Full && !images;
        Self {
            patterns: scale.pick(30, 1000, 1000),
            folds: scale.pick(2, 2, 5),
            ratios: scale.pick(2, if images { 2 } else { 4 }, 8),
            rounds: scale.pick(2, if images { 2 } else { 4 }, 40),
            rows: scale.pick(100, if images { 600 } else { 1200 }, usize::MAX),
            inputs: if images || (scale != Scale::Full && slow) { 1 } else { 2 },
            epochs: scale.pick(2, if images { 3 } else { 60 }, if images { 20 } else { 500 }),
            rates: if full { &[1e-3, 3e-3, 1e-2] } else { &[3e-3] },
            betas: if full { &[1e-3, 1e-1, 1.0] } else { &[1e-3] },
        }
    }

    /// What decides the record of a convex method.
    pub(super) fn convex(&self) -> String {
        let Self { patterns, folds, ratios, rounds, rows, inputs, .. } = self;
        format!("P{patterns}/folds{folds}/ratios{ratios}/rounds{rounds}/rows{rows}/inputs{inputs}")
    }

    /// What decides the record of a heuristic.
    pub(super) fn heuristic(&self) -> String {
        let Self { patterns, epochs, rates, betas, rows, .. } = self;
        format!("m{patterns}/epochs{epochs}/rates{rates:?}/betas{betas:?}/rows{rows}")
            .replace(' ', "")
    }

    /// The rows that choices are made on: all, or a part of each class.
    fn choosing(&self, train: &Samples, seed: u64) -> Samples {
        let parts = train.y.len().div_ceil(self.rows.max(1)).max(1);
        if parts < 2 {
            return train.clone();
        }
        train.select(&stratified(parts, seed).split(&train.y)[0].test)
    }

    /// Chooses the strength on the training part, trains on all of it, and scores.
    pub(super) fn fit(
        &self,
        context: &Context<'_>,
        convex: Convex,
        train: &Samples,
        test: &Samples,
        seed: u64,
    ) -> Result<Value, Error> {
        let start = Instant::now();
        let trainer = Trainer {
            method: if convex == Convex::Lasso { Method::Sample } else { Method::Generate },
            loss: convex.loss(),
            patterns: self.patterns as u64,
            max_inputs: convex.few().then_some(self.inputs),
            rounds: Some(self.rounds),
            seed,
            budget: context.budget,
            ..Trainer::default()
        };
        let few = self.choosing(train, seed);
        let (strength, chosen, score) = match convex {
            Convex::Lasso => {
                // The loss is a sum: on a part of the rows a strength stands for that part of itself.
                let part = few.y.len() as f64 / train.y.len() as f64;
                let (beta, score) = self.choose_beta(&few, part, seed)?;
                (Strength::Beta(Beta::new(beta)?), beta, score)
            }
            _ => {
                // From a half down by a factor of 200.
                let ratios = geometric(0.005, self.ratios).iter().map(|r| 0.5 * r).collect();
                let choice = CrossValidation { ratios, ..stratified(self.folds, seed) };
                let selection = choice.select(&trainer, &few.x, &few.y, None, || ())?;
                (Strength::Ratio(selection.ratio), selection.ratio, selection.score)
            }
        };
        let select_seconds = start.elapsed().as_secs_f64();
        let trainer = Trainer { strength, ..trainer };
        let (trained, train_seconds) = train.train(&trainer)?;
        let network = &trained.model.network;
        let mut record = json!({
            "strength": chosen, "cv_accuracy": score, "beta": trained.model.beta.get(),
            "objective": trained.model.certificate.objective(),
            "lower_bound": trained.model.global.lower_bound(),
            "neurons": network.neurons(), "train_accuracy": train.accuracy(network),
            "test_accuracy": test.accuracy(network),
            "select_seconds": select_seconds, "train_seconds": train_seconds,
        });
        if convex.averaged() {
            let (trained, seconds) = train.train(&Trainer { average: AVERAGE, ..trainer })?;
            let network = &trained.model.network;
            record["average"] = json!({
                "objective": trained.model.certificate.objective(),
                "lower_bound": trained.model.global.lower_bound(), "neurons": network.neurons(),
                "train_accuracy": train.accuracy(network), "test_accuracy": test.accuracy(network),
                "train_seconds": seconds,
            });
        }
        Ok(record)
    }

    /// The strength of the paper's grid with the best accuracy on the folds, the larger of equals, and
    /// that accuracy.
    fn choose_beta(&self, samples: &Samples, part: f64, seed: u64) -> Result<(f64, f64), Error> {
        let mut scores = [0.0; BETAS.len()];
        let widths = Vec::new();
        let recipe =
            Recipe::Sample { draws: self.patterns as u64, seed, standardize: true, widths };
        for fold in stratified(self.folds, seed).split(&samples.y) {
            let (most, aside) = (samples.select(&fold.train), samples.select(&fold.test));
            let data = most.dataset()?;
            let dictionary = recipe.dictionary(&data, true).expect("a sample has a dictionary");
            let answers = evaluate(&aside.x, &dictionary.witnesses);
            let one = Beta::new(BETAS[0])?;
            let squared = LossKind::Squared;
            let program = LassoProgram::new(&dictionary.patterns, data.targets(), squared, one)?;
            let betas = BETAS.iter().map(|b| Beta::new(b * part)).collect::<Result<Vec<_>, _>>()?;
            let mut place = 0;
            ActiveSet::default().path(&program, betas, |solution| {
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

    /// Chooses learning rate and strength on a fifth of the training part, where there is a choice,
    /// trains on all of it, and scores.
    pub(super) fn descend(
        &self,
        context: &Context<'_>,
        surrogate: Surrogate,
        train: &Samples,
        test: &Samples,
        seed: u64,
    ) -> Result<Value, Error> {
        let start = Instant::now();
        let baseline = |rate: f64| Baseline {
            surrogate,
            widths: vec![self.patterns],
            epochs: self.epochs,
            learning_rate: rate,
            seed,
            ..Baseline::default()
        };
        let descend = |samples: &Samples, rate: f64, beta: f64| {
            let (data, beta) = (samples.dataset()?, Beta::new(beta)?);
            baseline(rate).train(&data, LossKind::Squared, beta, &context.budget, |_| {})
        };
        let grid: Vec<(f64, f64)> = (self.betas.iter())
            .flat_map(|&beta| self.rates.iter().map(move |&rate| (rate, beta)))
            .collect();
        let mut best = (grid[0], f64::NAN);
        if grid.len() > 1 {
            let few = self.choosing(train, seed);
            let fold = stratified(5, seed).split(&few.y).swap_remove(0);
            let (part, aside) = (few.select(&fold.train), few.select(&fold.test));
            for &(rate, beta) in &grid {
                let score = aside.accuracy(&descend(&part, rate, beta)?.network);
                if best.1.is_nan() || score > best.1 {
                    best = ((rate, beta), score);
                }
                if context.budget.spent().is_some() {
                    return Err(Error::Interrupted);
                }
            }
        }
        let ((rate, beta), score) = best;
        let select_seconds = start.elapsed().as_secs_f64();
        let begun = Instant::now();
        let found = descend(train, rate, beta)?;
        Ok(json!({
            "strength": beta, "learning_rate": rate, "cv_accuracy": score, "beta": beta,
            "objective": found.rescaled, "raw": found.raw, "neurons": found.network.neurons(),
            "train_accuracy": train.accuracy(&found.network),
            "test_accuracy": test.accuracy(&found.network),
            "select_seconds": select_seconds, "train_seconds": begun.elapsed().as_secs_f64(),
        }))
    }
}
