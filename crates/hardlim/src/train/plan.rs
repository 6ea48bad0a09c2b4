//! Plans: a request with every choice made for its data, ready to be trained.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::choose::{Predictions, grid};
use super::folds::{Choice, Validation, split_set};
use super::{Event, Folds, Method, Question, Request, Scoring, Strength, Trained, Trainer, Watch};
use crate::arrangement::Reads;
use crate::data::{HeldOut, RowPrints, Split, TrainingSet};
use crate::error::Error;
use crate::loss::Loss as _;
use crate::network::representation::GAUSSIAN_WIDTH;
use crate::network::{Representation, Weights};
use crate::rows::Coded;
use crate::solver::{Budget, Progress, Work};
use crate::spelling::mark;
use crate::table::Table;
use crate::table::memory;

/// The default relative gap for listed patterns, which are solved to optimality.
const LISTED: f64 = 1e-9;
/// The fraction of the time limit for choosing a strength; the rest is for training on all rows.
const CHOOSING: f64 = 0.8;
/// The time for training on all rows after an interrupt while the strength was chosen.
pub(super) const GRACE: Duration = Duration::from_millis(200);
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
    question: Question,
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
        self.check_options()?;
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
        self.check_options()?;
        let data = set.data();
        let question = self.question()?;
        let mut trainer = self.trainer();
        let predictions = (question == Question::Predictions).then(|| self.predictions(set));
        if predictions.is_some() {
            if set.y().len() < 2 {
                let problem =
                    "cross-validation needs at least two samples, found 1 sample; give `beta`";
                return Err(Error::Option { option: "beta", problem: problem.into() });
            }
            let classes = data.parts().len();
            if let Some(neurons) = self.neurons.filter(|most| *most < classes) {
                let neurons = mark("neurons", Some(&neurons.to_string()));
                let problem =
                    format!("{neurons}: {classes} classes need at least {classes} neurons");
                return Err(Error::Option { option: "neurons", problem });
            }
            trainer.loss = self.loss_of(set);
            trainer.constraints.intercept = true;
            if self.output_bits.is_some() && !self.rounds_outputs(set) {
                let problem = format!(
                    "{} is for two classes and a smooth loss; an export rounds the output weights of several classes",
                    mark("output_bits", None)
                );
                return Err(Error::Option { option: "output_bits", problem });
            }
        }
        for part in data.parts() {
            trainer.loss.check_targets(part.targets())?;
        }
        let mut why = None;
        trainer.representation = self.representation.unwrap_or_default();
        if self.leaves_layers_open() {
            let (picked, because) = trainer.pick_representation(data, self.depth());
            trainer.representation = picked;
            why = Some(format!("without {}, {because}", mark("widths", None)));
        }
        let widths = self.widths_of(trainer.representation);
        let (method, because) = Trainer { widths: &widths, ..trainer }.choose(data)?;
        let listed = method == Method::Enumerate;
        let usual = if listed { LISTED } else { trainer.tolerance };
        trainer.tolerance = self.gap.or(self.tolerance).unwrap_or(usual);
        let validation = match (&question, &predictions) {
            (Question::Strength(folds), _) => Some(self.validation(folds, set)?),
            (_, Some(predictions)) => Some(self.validation_of(predictions, set)?),
            _ => None,
        };
        trainer.strength = question.strength();
        let why = why.or(because);
        let time_limit = self.limit();
        let reads = self.inputs.as_ref().map(|counts| counts.reads(set.coding()));
        // They are chosen on the steps of the inputs, when all networks are there.
        let integers = matches!(self.weights, None | Some(Weights::Integer));
        if self.weight_bits.is_some() && (set.coding().bits().is_none() || !integers) {
            let problem = format!(
                "{} is about integer weights on rounded inputs: add {}, without {}",
                mark("weight_bits", None),
                mark("bits", None),
                mark("weights", None)
            );
            return Err(Error::Option { option: "weight_bits", problem });
        }
        let bits = set.coding().bits().filter(|_| integers);
        let bits = bits.map(|bits| self.weight_bits.unwrap_or(bits));
        if bits.is_some() {
            trainer.weights = None;
        }
        Ok(Plan {
            trainer,
            widths,
            method,
            why,
            question,
            validation,
            predictions,
            reads,
            time_limit,
            open: self.is_open(),
            bits,
            options: self.options(set.coding()),
        })
    }

    /// Whether output weights can be trained with few bits: their unit can be changed if there are two classes.
    fn rounds_outputs(&self, set: &TrainingSet) -> bool {
        let two = set.data().parts().len() == 1 && set.coding().target().classes().is_some();
        two && self.loss_of(set).is_smooth()
    }

    /// Whether nothing says when training on a problem stops: then it ends after [`DEFAULT`].
    fn is_open(&self) -> bool {
        let Self { gap, time_limit, rounds, tolerance, .. } = self;
        gap.is_none() && time_limit.is_none() && rounds.is_none() && tolerance.is_none()
    }

    /// The trainer before anything is chosen. With a gap or a time limit, training stops there and searches
    /// for a bound; the effort of this search grows with the time, at most a second of checking for three
    /// seconds of training.
    pub(super) fn trainer(&self) -> Trainer<'static> {
        let standard = Trainer::default();
        let limited = self.gap.is_some() || self.time_limit.is_some();
        Trainer {
            method: self.method(),
            loss: self.loss(),
            patterns: self.draws(),
            max_inputs: self.max_inputs,
            average: self.averaged(),
            rounds: self.rounds,
            prune: self.prune.unwrap_or(standard.prune),
            effort: match (self.time_limit, self.gap) {
                (Some(seconds), _) => (3000.0 * seconds).clamp(1e4, 1e7) as u64,
                (None, Some(_)) => 1_000_000,
                (None, None) => standard.effort,
            },
            prove: limited,
            hurried: self.time_limit.is_some(),
            weights: self.weights,
            bias: self.bias,
            constraints: self.constraints(),
            input_cost: self.input_cost,
            standardize: self.standardize,
            seed: self.seed,
            memory: self.memory.or_else(memory::available),
            tree: self.tree,
            ..standard
        }
    }

    /// The time limit, if there is one.
    pub fn limit(&self) -> Option<Duration> {
        self.time_limit.map(Duration::from_secs_f64)
    }

    /// The widths of all layers below the last hidden one. A single width is used for all random layers;
    /// without a width they have the default.
    fn widths_of(&self, representation: Representation) -> Vec<usize> {
        match (representation, &self.widths[..]) {
            (Representation::Gaussian, []) => vec![GAUSSIAN_WIDTH; self.depth() - 2],
            (Representation::Gaussian, [width]) => vec![*width; self.depth() - 2],
            (_, widths) => widths.to_vec(),
        }
    }

    /// How the strengths of a problem are compared.
    fn validation(&self, folds: &Folds, set: &TrainingSet) -> Result<Validation, Error> {
        Ok(Validation {
            folds: folds.on(set, self.seed)?,
            named: true,
            ratios: self.cv_ratios(),
            one_se: self.one_se,
            scoring: Scoring::Score,
        })
    }

    /// How the candidates for the best predictions and their strengths are compared.
    pub(super) fn validation_of(
        &self,
        predictions: &Predictions,
        set: &TrainingSet,
    ) -> Result<Validation, Error> {
        let own_grid =
            self.ratios.is_some() || self.n_ratios.is_some() || self.least_ratio.is_some();
        Ok(Validation {
            folds: match &self.cv {
                Some(folds) => folds.on(set, self.seed)?,
                None => split_set(set, predictions.folds(), self.seed),
            },
            named: self.cv.is_some(),
            ratios: if own_grid { self.cv_ratios() } else { grid() },
            one_se: self.one_se,
            scoring: self.scoring.unwrap_or(Scoring::Loss),
        })
    }
}

impl Plan {
    /// The question that the plan answers.
    pub fn question(&self) -> &Question {
        &self.question
    }

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
        let trained = trained.remembered(self.trainer.seed, self.options.clone(), &traces);
        let model = trained.model.with_rows(RowPrints::of(set.data()));
        Ok(Trained { model, ..trained })
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
