//! Plans: a request with every choice made for its data, ready to be trained.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::choose::{Predictions, grid};
use super::folds::{Choice, Validation, split_set};
use super::options::{refused, refused_as};
use super::{
    Comparison, Event, Few, First, Limits, Method, Predict, Question, Request, Scoring, Search,
    Strength, StrengthChoice, Trained, Trainer, Watch,
};
use crate::arrangement::Reads;
use crate::data::{HeldOut, RowPrints, Split, TrainingSet};
use crate::error::Error;
use crate::loss::Loss as _;
use crate::network::representation::GAUSSIAN_WIDTH;
use crate::network::{Representation, Weights};
use crate::rows::Coded;
use crate::solver::{Budget, Progress, StopReason, Work};
use crate::spelling::mark;
use crate::table::Table;
use crate::table::memory;

/// The default relative gap for listed patterns, which are solved to optimality.
const LISTED: f64 = 1e-9;
/// The fraction of the time limit for choosing a strength; the rest is for training on all rows.
const CHOOSING: f64 = 0.8;
/// The time for training on all rows after an interrupt while the strength was chosen.
pub(super) const GRACE: Duration = Duration::from_millis(200);
/// A gap that is reached is at most this, or what was asked for.
const SMALL: f64 = 1e-3;
/// The work on a problem without a stopping rule, as the time that one core takes for it.
const DEFAULT: Duration = Duration::from_secs(10);

/// A request that was checked against its data: every option has a value, and `auto` is decided. These
/// choices depend only on the request and the data, never on the machine.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The trainer of the request, without the widths and the budget.
    trainer: Trainer<'static>,
    widths: Vec<usize>,
    /// The method for all rows.
    method: Method,
    why: Option<String>,
    validation: Option<Validation>,
    pub(super) predictions: Option<Predictions>,
    /// How many inputs random neurons read, if that is limited.
    reads: Option<Reads>,
    time_limit: Option<Duration>,
    /// Whether nothing in the request says when to stop.
    open: bool,
    /// The most bits of a weight, if weights are to be integers of few bits.
    bits: Option<u32>,
    /// The options of the request, for the history of the model.
    options: Vec<(String, String)>,
}

impl Request {
    /// The training set of a table, and the held-out rows.
    ///
    /// # Errors
    /// When the table does not fit the request.
    pub fn read(&self, table: &Table) -> Result<(TrainingSet, Option<HeldOut>), Error> {
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
        let predictions = match &self.question {
            Question::Predict(predict) => {
                self.check_predictions(predict, set)?;
                trainer.loss = self.loss_of(set);
                trainer.constraints.intercept = true;
                Some(self.predictions(predict, set))
            }
            _ => None,
        };
        for part in data.parts() {
            trainer.loss.check_targets(part.targets())?;
        }
        let mut why = None;
        let mut widths = self.search().map_or(&[][..], Search::widths).to_vec();
        if let Some(Search::Represented(first)) = self.search() {
            trainer.representation = match first {
                First::Gaussian(_) => Representation::Gaussian,
                First::Staircase => Representation::Staircase,
                First::Chosen(layers) => {
                    let (picked, because) = trainer.pick_representation(data, *layers);
                    if picked == Representation::Gaussian {
                        widths = vec![GAUSSIAN_WIDTH; layers - 2];
                    }
                    why = Some(format!("without {}, {because}", mark("widths", None)));
                    picked
                }
            };
        }
        let (method, because) = Trainer { widths: &widths, ..trainer }.choose(data)?;
        let listed = method == Method::Enumerate;
        let usual = if listed { LISTED } else { trainer.tolerance };
        trainer.tolerance = self.limits.gap.or(self.limits.tolerance).unwrap_or(usual);
        let validation = match (&self.question, &predictions) {
            (Question::Solve { strength: StrengthChoice::Chosen(asked), .. }, _) => {
                Some(Validation {
                    folds: asked.folds.on(set, self.seed)?,
                    named: true,
                    ratios: asked.usual_ratios(),
                    one_se: asked.one_se,
                    scoring: Scoring::Score,
                })
            }
            (Question::Predict(predict), Some(predictions)) => {
                Some(self.validation_of(predict, predictions, set)?)
            }
            _ => None,
        };
        trainer.strength = self.strength();
        // They are chosen on the steps of the inputs, when all networks are there.
        let integers = matches!(self.terms.weights, None | Some(Weights::Integer));
        if self.terms.weight_bits.is_some() && (set.coding().bits().is_none() || !integers) {
            let why = "is about integer weights on rounded inputs: add `bits`, without `weights`";
            return Err(refused("weight_bits", why));
        }
        let bits = set.coding().bits().filter(|_| integers);
        let bits = bits.map(|bits| self.terms.weight_bits.unwrap_or(bits));
        if bits.is_some() {
            trainer.weights = None;
        }
        Ok(Plan {
            trainer,
            widths,
            method,
            why: why.or(because),
            validation,
            predictions,
            reads: self.inputs().map(|counts| counts.reads(set.coding())),
            time_limit: self.limits.time,
            open: self.limits.is_open(),
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
        let Some(Few { neurons, output_bits }) = predict.few else { return Ok(()) };
        let classes = set.data().parts().len();
        if neurons < classes {
            let why = format!("{classes} classes need at least {classes} neurons");
            return Err(refused_as("neurons", neurons, why));
        }
        if output_bits.is_some() && !self.rounds_outputs(set) {
            let why = "is for two classes and a smooth loss; an export rounds the output weights of \
                       several classes";
            return Err(refused("output_bits", why));
        }
        Ok(())
    }

    /// Whether output weights can be trained with few bits: their unit can be changed if there are two classes.
    fn rounds_outputs(&self, set: &TrainingSet) -> bool {
        let two = set.data().parts().len() == 1 && set.coding().target().classes().is_some();
        two && self.loss_of(set).is_smooth()
    }

    /// The trainer before anything is chosen. With a gap or a time limit, training stops there and searches
    /// for a bound; the effort of this search grows with the time, at most a second of checking for three
    /// seconds of training.
    pub(super) fn trainer(&self) -> Trainer<'static> {
        let standard = Trainer::default();
        let Limits { gap, time, rounds, prune, memory, .. } = self.limits;
        let trainer = Trainer {
            method: self.method(),
            loss: self.loss(),
            max_inputs: self.max_inputs(),
            input_cost: self.input_cost(),
            rounds,
            prune,
            effort: match (time, gap) {
                (Some(time), _) => (3000.0 * time.as_secs_f64()).clamp(1e4, 1e7) as u64,
                (None, Some(_)) => 1_000_000,
                (None, None) => standard.effort,
            },
            prove: gap.is_some() || time.is_some(),
            hurried: time.is_some(),
            weights: self.terms.weights,
            bias: self.terms.bias,
            constraints: self.terms.constraints,
            standardize: self.terms.standardize,
            seed: self.seed,
            memory: memory.or_else(memory::available),
            ..standard
        };
        match (&self.question, self.search()) {
            (Question::Predict(predict), _) => {
                Trainer { average: predict.average.unwrap_or(1), ..trainer }
            }
            (_, Some(&Search::Generate { average, .. })) => Trainer { average, ..trainer },
            (_, Some(&Search::Sample { patterns, .. })) => Trainer { patterns, ..trainer },
            (_, Some(&Search::Subnetworks { tree, patterns, .. })) => {
                Trainer { tree, patterns, ..trainer }
            }
            _ => trainer,
        }
    }
}

impl Request {
    /// How the candidates for the best predictions and their strengths are compared.
    pub(super) fn validation_of(
        &self,
        predict: &Predict,
        predictions: &Predictions,
        set: &TrainingSet,
    ) -> Result<Validation, Error> {
        let asked = predict.comparison.as_ref();
        Ok(Validation {
            folds: match asked {
                Some(asked) => asked.folds.on(set, self.seed)?,
                None => split_set(set, predictions.folds(), self.seed),
            },
            named: asked.is_some(),
            ratios: asked.and_then(Comparison::ratios).unwrap_or_else(grid),
            one_se: asked.is_some_and(|asked| asked.one_se),
            scoring: asked.and_then(|asked| asked.scoring).unwrap_or(Scoring::Loss),
        })
    }
}

impl Limits {
    /// Whether nothing says when training on a problem stops: then it ends after [`DEFAULT`].
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
                let budget = watch.budget(self.time_limit).for_the_rest();
                let stop = || budget.spent().is_some();
                let (model, narrowed) = trained.model.with_weight_bits(set.data(), bits, &stop)?;
                Trained { model, narrowed, ..trained }
            }
        };
        let traces = traces.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut trained = trained.remembered(self.trainer.seed, self.options.clone(), &traces);
        trained.model.rows = RowPrints::of(set.data());
        let small = self.trainer.tolerance.max(SMALL);
        let reached = trained.stop == StopReason::GapReached;
        if reached && trained.model.certificate().relative_gap() > small {
            trained.stop = StopReason::Done;
        }
        Ok(trained)
    }

    fn fit(&self, set: &TrainingSet, watch: &Watch<'_>) -> Result<Trained, Error> {
        let tell = |progress: &Progress| watch.tell(Event::Progress(progress));
        let mut budget = watch.budget(self.time_limit);
        if let (Some(predictions), Some(validation)) = (&self.predictions, &self.validation) {
            let budget = Budget { progress: Some(&tell), ..budget };
            let trainer = Trainer { method: self.method, ..self.trainer(budget) };
            let limit = self.ends_by_itself(watch).then_some(DEFAULT);
            let trained = predictions.train(validation, trainer, set, limit, watch)?;
            return Ok(watch.stopped(trained));
        }
        let choice = self.choose(set, watch)?;
        let work = Work::default();
        if self.ends_by_itself(watch) {
            budget = watch.working(DEFAULT, &work);
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
        let limit = self.time_limit;
        let deadline = limit.map(|limit| (watch.start + limit.mul_f64(CHOOSING), limit));
        let budget = Budget { deadline, ..watch.budget(limit) };
        let scored = || watch.tell(Event::Scored);
        let part = DEFAULT.mul_f64(CHOOSING) / folds as u32;
        let part = self.ends_by_itself(watch).then_some(part);
        validation.choose(&self.trainer(budget), set, part, scored).map(Some)
    }

    /// Whether it ends after [`DEFAULT`]. A list that is cut short is worth nothing, so there is no limit for
    /// it by default.
    fn ends_by_itself(&self, watch: &Watch<'_>) -> bool {
        self.open && self.method != Method::Enumerate && watch.work.is_none()
    }

    pub(super) fn trainer<'a>(&'a self, budget: Budget<'a>) -> Trainer<'a> {
        Trainer { widths: &self.widths, reads: self.reads.as_ref(), budget, ..self.trainer }
    }
}
