//! Choosing everything: the network that is expected to predict best, and what it is expected to score.
//!
//! The candidates are averages of networks. Each network solves the Lasso program on a small dictionary of
//! its own: random neurons that read one input, a few, or all of them ([`Reads`]), with an output bias that
//! costs nothing. The average of several such networks predicts better than the optimum over all their
//! patterns together, since what a small sample of patterns happens to offer averages out. The strength
//! `β` is chosen by the loss of the average on rows that were not trained on.

mod average;
mod folds;
mod rows;
mod score;
mod shrink;
mod size;

pub use score::Chosen;
pub(super) use size::Size;

use self::rows::Rows;
use super::{Event, Request, Strength, Trained, Trainer, Watch, split};
use crate::arrangement::{Dictionary, Reads};
use crate::data::{Dataset, TrainingSet};
use crate::error::Error;
use crate::loss::LossKind;
use crate::network::recipe::{self, Recipe};
use crate::pattern::PatternMatrix;
use crate::program::{Beta, LassoProgram};
use crate::solver::{ActiveSet, Budget};

/// The strengths that are tried, as parts of `β_max`: the largest, the smallest and how many.
const GRID: (f64, f64, usize) = (0.5, 2e-4, 16);
/// The relative gap of a network that is only compared with others.
const COMPARED: f64 = 1e-3;
/// The relative gap of a network that is kept.
const KEPT: f64 = 1e-4;
/// A gap that is small enough whatever the objective, as a part of the loss of the zero network.
const SLACK: f64 = 1e-5;
/// The part of the time limit that choosing may take; the rest is for training on all rows.
const CHOOSING: f64 = 0.7;

/// A request for predictions, with everything decided that does not take training.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Predictions {
    /// How many inputs neurons read.
    pub(super) reads: Reads,
    /// How much work it is.
    pub(super) size: Size,
    /// The most neurons of all networks together.
    pub(super) neurons: Option<usize>,
    /// Whether the problem of the strength that is chosen is to be solved, rather than networks averaged.
    pub(super) solved: bool,
}

/// How to choose: a trainer, and what is left open.
#[derive(Debug, Clone, Copy)]
struct Chooser<'a> {
    trainer: Trainer<'a>,
    predictions: &'a Predictions,
    /// How long choosing may take.
    choosing: Budget<'a>,
}

impl Request {
    /// What a request for predictions comes to on data. A limit on the inputs, a gap, or weights inside the
    /// cells speak of one problem: at the strength that is chosen, it is solved.
    pub(super) fn predictions(&self, set: &TrainingSet) -> Predictions {
        let data = set.data();
        let mut reads = self.reads(set);
        if let Some(most) = self.max_inputs {
            reads.counts.iter_mut().for_each(|count| *count = (*count).min(most));
            reads.groups = Vec::new();
        }
        let solved = self.about_one_problem().is_some();
        let average = if solved { Some(1) } else { self.average };
        let size = Size::of(data.distinct(), set.y().len(), data.parts().len(), average);
        Predictions { reads, size, neurons: self.neurons, solved }
    }
}

/// The strengths that are tried, as parts of `β_max`.
fn grid() -> Vec<f64> {
    let (most, least, count) = GRID;
    let step = (least / most).powf(1.0 / (count - 1) as f64);
    (0..count).map(|k| most * step.powi(k as i32)).collect()
}

impl Predictions {
    /// Chooses, and trains on all rows.
    ///
    /// # Errors
    /// When nothing varies, or a dictionary would not fit.
    pub(super) fn train(
        &self,
        trainer: Trainer<'_>,
        set: &TrainingSet,
        watch: &Watch<'_>,
    ) -> Result<Trained, Error> {
        watch.tell(Event::Choosing { scores: self.size.judged * self.size.folds });
        let deadline = trainer
            .budget
            .deadline
            .map(|(_, limit)| (watch.start + limit.mul_f64(CHOOSING), limit));
        let choosing = Budget { deadline, progress: None, ..trainer.budget };
        let chooser = Chooser { trainer, predictions: self, choosing };
        let sets = set.data().parts();
        let recipe = chooser.recipe();
        recipe.check_size(&sets[0], trainer.memory)?;
        let dictionaries = chooser.draw(&sets[0]);
        let x = set.features();
        let rows = Rows::of(set, &x);
        let folds = split(rows.y, self.size.folds, set.classifies(), trainer.seed);
        let ratios = grid();
        let scored = || watch.tell(Event::Scored);
        let outputs = chooser.cross_validate(&rows, &folds, &dictionaries, &ratios, &scored)?;
        let chosen = score::choose(&rows, &folds, &outputs, &ratios, trainer.loss);
        watch.tell(Event::Class(0));
        let trainer = Trainer { budget: watch.in_time(trainer.budget), ..trainer };
        let chooser = Chooser { trainer, ..chooser };
        let most = chooser.beta_max(&dictionaries, &sets)?;
        // Where no pattern tells anything, any strength gives the best constant.
        let betas = chosen.path(if most > 0.0 { most } else { 1.0 })?;
        let trained = match self.solved {
            true => {
                let strength = Strength::Beta(*betas.last().expect("the strength that was chosen"));
                let trainer = Trainer { strength, ..trainer };
                trainer.train_all(set, |class| watch.tell(Event::Class(class)))?
            }
            false => chooser.average(set, &dictionaries, recipe, &betas)?,
        };
        let model = trained.model.with_calibration(chosen.calibration);
        Ok(Trained { model, beta_max: most, choice: Some(chosen), ..trained })
    }
}

impl Chooser<'_> {
    /// How all patterns are drawn again.
    fn recipe(&self) -> Recipe {
        let Size { patterns, average, .. } = self.predictions.size;
        Recipe::Sample {
            draws: (patterns * average) as u64,
            seed: self.trainer.seed,
            standardize: self.trainer.standardize,
            widths: Vec::new(),
            reads: Some(self.predictions.reads.clone()),
        }
    }

    /// A dictionary for each network: together they are what the recipe draws.
    fn draw(&self, data: &Dataset) -> Vec<Dictionary> {
        let Trainer { bias, standardize, seed, .. } = self.trainer;
        let scaling = recipe::scaling(data, bias, standardize);
        let arrangement = recipe::arrangement(data, bias);
        let mut rng = recipe::rng(seed);
        let Size { patterns, average, .. } = self.predictions.size;
        let reads = &self.predictions.reads;
        let one = |_| arrangement.sample_mixed(patterns, reads, &scaling, &mut rng);
        (0..average).map(one).collect()
    }

    /// The Lasso program of these patterns.
    fn program<'a>(
        &self,
        patterns: &'a PatternMatrix,
        data: &'a Dataset,
        beta: Beta,
    ) -> Result<LassoProgram<'a, LossKind>, Error> {
        Ok(self.trainer.lasso(patterns, data)?.with_beta(beta))
    }

    fn solver<'a>(&self, tolerance: f64, budget: Budget<'a>) -> ActiveSet<'a> {
        ActiveSet { tolerance, slack: SLACK, budget, ..ActiveSet::default() }
    }

    /// The largest `β_max` of these problems on these patterns.
    fn beta_max(&self, dictionaries: &[Dictionary], sets: &[Dataset]) -> Result<f64, Error> {
        let pairs = sets.iter().flat_map(|data| dictionaries.iter().map(move |d| (d, data)));
        let most = pairs.map(|(d, data)| Ok(self.trainer.lasso(&d.patterns, data)?.beta_max()));
        Ok(most.collect::<Result<Vec<f64>, Error>>()?.into_iter().fold(0.0, f64::max))
    }
}
