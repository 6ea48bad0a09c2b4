//! Plans: a request with every choice made for its data, ready to be trained.

use std::sync::{Mutex, PoisonError};

use super::choose::Predictions;
use super::folds::{Choice, Validation, split_set};
use super::options::{refused, refused_as};
use super::tuning::{CHOOSING, LISTED, SMALL_GAP, WORK_ON_A_PROBLEM};
use super::{
    Comparison, Event, First, Limits, Method, Predict, Question, Request, Strength, Trained,
    Trainer, Watch,
};
use crate::arrangement::{Policy, Reads, policy};
use crate::data::{Features, RowPrints, Split, TrainingSet};
use crate::error::Error;
use crate::loss::Loss as _;
use crate::model::{self, History, Part};
use crate::network::representation::GAUSSIAN_WIDTH;
use crate::network::{Representation, Weights};
use crate::rows::Coded;
use crate::solver::{Budget, Progress, StopReason, Work};
use crate::table::{Table, memory};

/// `X` and `y` of the rows held out of a training set.
pub(super) type NewRows = (Features, Vec<f64>);

/// A request that was checked against its data: every option has a value, and `auto` is decided.
/// These choices depend only on the request and the data, never on the machine.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The trainer of the request, without the widths, the inputs and the budget.
    trainer: Trainer<'static>,
    widths: Vec<usize>,
    reads: Option<Reads>,
    policy: Policy,
    method: Method,
    why: Option<String>,
    validation: Option<Validation>,
    pub(super) predictions: Option<Predictions>,
    /// The most bits of a weight, if weights are to be integers of few bits.
    bits: Option<u32>,
    options: Vec<(String, String)>,
}

impl Request {
    /// The training set of a table, and `X` and `y` of the rows held out.
    ///
    /// # Errors
    /// When the table does not fit the request.
    pub fn read(&self, table: &Table) -> Result<(TrainingSet, Option<NewRows>), Error> {
        let Some(fraction) = self.holdout else {
            return Ok((TrainingSet::of_table(table, &self.columns)?, None));
        };
        let split = Split { fraction, seed: self.seed };
        let (set, held_out) = TrainingSet::split_off(table, &self.columns, split)?;
        Ok((set, Some(held_out)))
    }

    /// Trains on a table.
    ///
    /// # Errors
    /// When options conflict, the table cannot be used, or training fails.
    pub fn train(&self, table: &Table) -> Result<Trained, Error> {
        let watch = Watch::default();
        if let Some(Coded { coding, mut sample, mut rows, .. }) =
            self.divided(table, &self.columns, None)
        {
            return Ok(self.train_rows(&coding, &mut sample, &mut rows, &watch)?.0);
        }
        let (set, _) = self.screen(self.read(table)?, &watch)?;
        self.check(&set)?.train(&set, &watch)
    }

    /// Checks the request for conflicts, and decides everything that it leaves open.
    ///
    /// # Errors
    /// When options conflict with each other or with the data.
    pub fn check(&self, set: &TrainingSet) -> Result<Plan, Error> {
        let data = set.data();
        let mut trainer = self.trainer();
        let mut predictions = None;
        if let Question::Predict(predict) = &self.question {
            self.check_predictions(predict, set)?;
            trainer.loss = self.loss_of(set);
            trainer.terms.constraints.intercept = true;
            predictions = Some(self.predictions(predict, set));
        }
        for part in data.parts() {
            trainer.loss.check_targets(part.targets())?;
        }
        let mut why = None;
        let mut widths = self.deep.widths.clone();
        trainer.representation = match self.deep.first {
            First::None => Representation::None,
            First::Given(representation) => representation,
            First::Chosen(layers) => {
                let (picked, because) = trainer.pick_representation(data, layers);
                if picked == Representation::Gaussian {
                    widths = vec![GAUSSIAN_WIDTH; layers - 2];
                }
                why = Some(format!("without `widths`, {because}"));
                picked
            }
        };
        let (method, because) = Trainer { widths: &widths, ..trainer }.choose(data)?;
        let usual = if method == Method::Enumerate { LISTED } else { trainer.tolerance };
        trainer.tolerance = self.limits.tolerance_or(usual);
        let validation = match &predictions {
            Some(predictions) => Some(self.validation_of(predictions, set)?),
            None => {
                self.comparison.as_ref().map(|asked| self.validation_on(asked, set)).transpose()?
            }
        };
        // Integers are chosen on the steps of the inputs, when all networks are there.
        let integers = matches!(self.terms.weights, None | Some(Weights::Integer));
        let bits = set.coding().bits().filter(|_| integers);
        if self.terms.weight_bits.is_some() && bits.is_none() {
            let why = "is about integer weights on rounded inputs: add `bits`, without `weights`";
            return Err(refused("weight_bits", why));
        }
        let bits = bits.map(|bits| self.terms.weight_bits.unwrap_or(bits));
        if bits.is_some() {
            trainer.terms.weights = None;
        }
        Ok(Plan {
            trainer,
            widths,
            reads: self.inputs.as_ref().map(|counts| counts.reads(set.coding())),
            policy: self.policy_of(set)?,
            method,
            why: why.or(because),
            validation,
            predictions,
            bits,
            options: self.history(set.coding()),
        })
    }

    /// What the data cannot be asked for.
    fn check_predictions(&self, predict: &Predict, set: &TrainingSet) -> Result<(), Error> {
        if set.y().len() < 2 {
            let problem =
                "cross-validation needs at least two samples, found 1 sample; give `beta`";
            return Err(Error::Option { option: "beta", problem: problem.into() });
        }
        let classes = set.data().parts().len();
        if predict.rules.is_some_and(|rules| rules.points.is_some())
            && !(classes == 1 && set.classifies())
        {
            let why = "are for two classes: a sum of points has one probability";
            return Err(refused("points", why));
        }
        let Some(neurons) = predict.neurons else { return Ok(()) };
        // The unit of output weights can be changed if there are two classes.
        let rounds = classes == 1 && set.classifies() && self.loss_of(set).is_smooth();
        if neurons < classes {
            let why = format!("{classes} classes need at least {classes} neurons");
            return Err(refused_as("neurons", neurons, why));
        }
        if predict.output_bits.is_some() && !rounds {
            let why = "is for two classes and a smooth loss; an export rounds the output weights \
                       of several classes";
            return Err(refused("output_bits", why));
        }
        Ok(())
    }

    /// The trainer before anything is chosen. With a gap or a time limit, training stops there and
    /// searches for a bound; the effort of this search grows with the time, at most a second of
    /// checking for three seconds of training.
    pub(super) fn trainer(&self) -> Trainer<'static> {
        let Limits { gap, time, memory, .. } = self.limits;
        Trainer {
            method: self.method(),
            loss: self.loss(),
            strength: self.strength(),
            terms: self.terms,
            limits: Limits { memory: memory.or_else(memory::available), ..self.limits },
            patterns: self.draws(),
            reads: None,
            policy: &policy::NONE,
            effort: match (time, gap) {
                (Some(time), _) => (3000.0 * time.as_secs_f64()).clamp(1e4, 1e7) as u64,
                (None, Some(_)) => 1_000_000,
                (None, None) => 100_000,
            },
            tolerance: 1e-6,
            seed: self.seed,
            budget: Budget::default(),
            widths: &[],
            tree: self.deep.tree,
            representation: Representation::None,
        }
    }

    /// How the candidates for the best predictions and their strengths are compared.
    pub(super) fn validation_of(
        &self,
        predictions: &Predictions,
        set: &TrainingSet,
    ) -> Result<Validation, Error> {
        let usual = || predictions.ratios();
        let Some(asked) = &self.comparison else {
            let folds = split_set(set, predictions.counts.folds, self.seed);
            return Ok(Validation { folds, named: false, ratios: usual(), one_se: false });
        };
        let ratios = asked.ratios().unwrap_or_else(usual);
        Ok(Validation { ratios, ..self.validation_on(asked, set)? })
    }

    fn validation_on(&self, asked: &Comparison, set: &TrainingSet) -> Result<Validation, Error> {
        let (folds, one_se) = (asked.folds.on(set, self.seed)?, asked.one_se);
        Ok(Validation { folds, named: true, ratios: asked.usual_ratios(), one_se })
    }
}

impl Limits {
    /// The relative gap at which to stop, given that without any in the request.
    pub(super) fn tolerance_or(&self, usual: f64) -> f64 {
        self.gap.or(self.tolerance).unwrap_or(usual)
    }

    /// Whether nothing says when training on a problem stops: then it ends after some work.
    fn is_open(&self) -> bool {
        let Self { gap, time, rounds, tolerance, .. } = self;
        gap.is_none() && time.is_none() && rounds.is_none() && tolerance.is_none()
    }
}

impl Plan {
    /// The method for all rows.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The inputs of the complete program.
    pub fn representation(&self) -> Representation {
        self.trainer.representation
    }

    /// Why this method or these layers were chosen, unless the request names them.
    pub fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// Trains on the set that the request was checked with.
    ///
    /// # Errors
    /// When a dictionary does not fit into memory, or the time ran out before the first result.
    pub fn train(&self, set: &TrainingSet, watch: &Watch<'_>) -> Result<Trained, Error> {
        // One for each network; what comes before a network begins is not of it.
        let traces = Mutex::new(vec![Vec::new()]);
        let listen = |event: Event<'_>| {
            let mut traces = traces.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                Event::Class(network) => {
                    traces.truncate(network);
                    traces.resize(network + 1, Vec::new());
                }
                Event::Progress(Progress { objective, lower_bound, .. }) => {
                    traces.last_mut().expect("never empty").push([*objective, *lower_bound]);
                }
                _ => (),
            }
            drop(traces);
            watch.tell(event);
        };
        let trained = self.fit(set, &Watch { listener: Some(&listen), ..*watch })?;
        let trained = match self.bits {
            None => trained,
            Some(bits) => {
                let budget = watch.budget(self.trainer.limits.time).for_the_rest();
                let stop = || budget.spent().is_some();
                let (model, narrowed) = trained.model.with_weight_bits(set.data(), bits, &stop)?;
                Trained { model, narrowed, ..trained }
            }
        };
        let traces = traces.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut trained = trained.remembered(self.trainer.seed, self.options.clone(), &traces);
        trained.model.rows = RowPrints::of(set.data());
        let small = self.trainer.tolerance.max(SMALL_GAP);
        let reached = trained.stop == StopReason::GapReached;
        if reached && trained.model.certificate().relative_gap() > small {
            trained.stop = StopReason::Done;
        }
        Ok(trained)
    }

    fn fit(&self, set: &TrainingSet, watch: &Watch<'_>) -> Result<Trained, Error> {
        let tell = |progress: &Progress| watch.tell(Event::Progress(progress));
        let mut budget = watch.budget(self.trainer.limits.time);
        if let (Some(predictions), Some(validation)) = (&self.predictions, &self.validation) {
            let budget = Budget { progress: Some(&tell), ..budget };
            let trainer = Trainer { method: self.method, ..self.trainer(budget) };
            let limit = self.ends_by_itself(watch).then_some(WORK_ON_A_PROBLEM);
            let trained = predictions.train(validation, trainer, set, limit, watch)?;
            return Ok(watch.stopped(trained));
        }
        let choice = self.choose(set, watch)?;
        let work = Work::default();
        if self.ends_by_itself(watch) {
            budget = watch.budget(None).counting(WORK_ON_A_PROBLEM, &work);
        }
        if choice.is_some() {
            budget = watch.in_time(budget);
        }
        budget.progress = Some(&tell);
        let mut trainer = Trainer { method: self.method, ..self.trainer(budget) };
        if let Some(choice) = &choice {
            trainer.strength = Strength::Ratio(choice.ratio);
        }
        let trained = trainer.train_all(set, |class| watch.tell(Event::Class(class)))?;
        Ok(watch.stopped(Trained { choice, why: self.why.clone(), ..trained }))
    }

    /// Chooses the strength of a problem by cross-validation, if the request asks for it.
    ///
    /// # Errors
    /// When training fails on a fold, or the time ran out before the first result.
    pub fn choose(&self, set: &TrainingSet, watch: &Watch<'_>) -> Result<Option<Choice>, Error> {
        let Some(validation) = &self.validation else { return Ok(None) };
        let folds = validation.folds.len();
        watch.tell(Event::Choosing { scores: folds * validation.ratios.len() });
        let budget = watch.part_of(self.trainer.limits.time, CHOOSING);
        let scored = || watch.tell(Event::Scored);
        let part = WORK_ON_A_PROBLEM.mul_f64(CHOOSING) / folds as u32;
        let part = self.ends_by_itself(watch).then_some(part);
        validation.choose(&self.trainer(budget), set, part, scored).map(Some)
    }

    /// Whether it ends after [`WORK_ON_A_PROBLEM`]. A list that is cut short is worth nothing, so
    /// there is no limit for it by default.
    fn ends_by_itself(&self, watch: &Watch<'_>) -> bool {
        self.trainer.limits.is_open() && self.method != Method::Enumerate && watch.work.is_none()
    }

    pub(super) fn trainer<'a>(&'a self, budget: Budget<'a>) -> Trainer<'a> {
        let (reads, policy) = (self.reads.as_ref(), &self.policy);
        Trainer { widths: &self.widths, reads, policy, budget, ..self.trainer }
    }
}

impl Trained {
    /// What the scores of cross-validation were, if there was one.
    fn validation(&self) -> Option<model::Validation> {
        let choice = self.choice.as_ref()?;
        let losses = choice.predicted.as_ref().map(|found| &found.losses);
        Some(model::Validation {
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
            validation: self.validation().filter(model::Validation::is_finite),
            trace,
            averaged: self.averaged,
        };
        let mut trained = self;
        trained.model.history = Some(history);
        trained
    }
}
