//! What training can be asked for: every option, its default, and the question that they come to.

use super::{Folds, InputCounts, Method, Scoring, Strength, geometric};
use crate::data::TrainingSet;
use crate::error::Error;
use crate::loss::LossKind;
use crate::network::{Representation, Weights};
use crate::program::{Beta, Constraints};
use crate::table::CodingOptions;

/// The default strength of a problem, as a fraction of `β_max`.
const RATIO: f64 = 0.05;
/// The default number of random patterns.
const DRAWS: u64 = 1000;
/// How many strengths cross-validation tries, and the smallest of them as a part of `β_max`.
const RATIOS: (usize, f64) = (30, 0.001);
/// The same of a path.
const PATH: (usize, f64) = (100, 0.001);

/// What is asked of training: one field for each option, under the name that the option has in Python
/// and in JSON. The command line, Python and Rust fill in this one; [`Request::check`] finds what does not
/// go together and decides what is left open.
///
/// ```
/// use hardlim::table::{ReadOptions, Table};
/// use hardlim::train::Request;
///
/// let table = Table::open("titanic", &ReadOptions::default())?;
/// let trained = Request { beta: Some(10.0), ..Request::default() }.train(&table)?;
/// assert!(trained.model.certificate().relative_gap() <= 1e-6);
/// # Ok::<(), hardlim::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What the columns of the table are: target, task, weights, columns left out, missing values.
    pub columns: CodingOptions,
    /// The part of the rows to keep aside, between 0 and 1.
    pub holdout: Option<f64>,

    /// `l`. The default is the squared loss; for the best predictions of classes it is the logistic loss.
    pub loss: Option<LossKind>,
    /// `β`. With `beta` or `beta_ratio` you pose a problem, and get its optimum. Without them you get the
    /// network that predicts best, unless `method`, `patterns`, `layers`, `widths` or `representation` pose a
    /// problem, too.
    pub beta: Option<f64>,
    /// `β` as a fraction of `β_max`.
    pub beta_ratio: Option<f64>,
    /// The folds of cross-validation; by default five, or fewer if there are many rows.
    pub cv: Option<Folds>,
    /// How many strengths to try there, from `β_max` down, or how many a path has.
    pub n_ratios: Option<usize>,
    /// The smallest of these, as a part of `β_max`.
    pub least_ratio: Option<f64>,
    /// These strengths instead, as parts of `β_max`, largest first.
    pub ratios: Option<Vec<f64>>,
    /// Whether to take the largest strength within one standard error of the best.
    pub one_se: bool,
    /// What cross-validation compares; the loss by default.
    pub scoring: Option<Scoring>,
    /// Whether the output has a bias that is not penalised.
    pub intercept: bool,
    /// Whether no output weight may be below zero.
    pub non_negative: bool,
    /// Whether neurons have a bias.
    pub bias: bool,

    /// Which program to solve.
    pub method: Method,
    /// How many random patterns to draw, 1000 by default; asks for [`Method::Sample`].
    pub patterns: Option<u64>,
    /// The number of layers, the output counted. More than two without `widths` ask for a
    /// representation, chosen for the data.
    pub layers: Option<usize>,
    /// The widths of the layers below the last hidden one, in each subnetwork. With random layers as the
    /// representation, their widths; one is for all.
    pub widths: Vec<usize>,
    /// Whether every neuron of these layers owns its inputs.
    pub tree: bool,
    /// Fixed first layers to solve the complete program on.
    pub representation: Option<Representation>,
    /// Which weights to take inside each cell; by default those drawn, or the widest margin where none
    /// were.
    pub weights: Option<Weights>,
    /// How many inputs a neuron may read.
    pub max_inputs: Option<usize>,
    /// How many inputs random neurons read: one of these numbers each, or a mixture of few and many. By
    /// default all inputs if you ask for random patterns, and what predicts best otherwise.
    pub inputs: Option<InputCounts>,
    /// `P`: a neuron that reads `k` inputs pays `kᴾ β |a|`, from 0 to 16. Zero, the default, means that all
    /// pay `β |a|`. More makes neurons read fewer inputs. Each level of a category that a neuron reads counts
    /// as an input. It is for random patterns, and for neurons of one input.
    pub input_cost: f64,
    /// How many networks to average.
    pub average: Option<usize>,
    /// The most neurons of all networks together, for the best predictions.
    pub neurons: Option<usize>,
    /// The most bits of the output weights of these neurons, with the sign, from 2 to 16. They are trained with so many
    /// bits. For two classes.
    pub output_bits: Option<u32>,
    /// The most bits of the weights of neurons, with the sign, from 2 to 32, if `columns.bits` rounds the inputs; by default as many
    /// as the inputs have.
    pub weight_bits: Option<u32>,
    /// Whether weights are drawn, and margins measured, on standardised inputs.
    pub standardize: bool,

    /// The relative gap to stop at: training goes on until it is reached or nothing more is found, and a
    /// proof is searched for. Without a gap and a time limit, a problem gets about ten seconds of work, the
    /// same on every machine.
    pub gap: Option<f64>,
    /// The seconds after which to stop with the best found; kept to within a tenth or half a second,
    /// whichever is more.
    pub time_limit: Option<f64>,
    /// Where chance starts.
    pub seed: u64,
    /// The bytes that dictionaries may take; what the system has left by default.
    pub memory: Option<u64>,

    /// The most rounds of generation, if you want a limit.
    pub rounds: Option<usize>,
    /// How much the objective may rise when neurons are pruned, as a part of it; 0.01 by default.
    pub prune: Option<f64>,
    /// The relative gap at which solvers stop where `gap` asks for none: 10⁻⁹ by default where all patterns
    /// are listed, otherwise 10⁻⁶.
    pub tolerance: Option<f64>,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            columns: CodingOptions::default(),
            holdout: None,
            loss: None,
            beta: None,
            beta_ratio: None,
            cv: None,
            n_ratios: None,
            least_ratio: None,
            ratios: None,
            one_se: false,
            scoring: None,
            intercept: false,
            non_negative: false,
            bias: true,
            method: Method::Auto,
            patterns: None,
            layers: None,
            widths: Vec::new(),
            tree: false,
            representation: None,
            weights: None,
            max_inputs: None,
            inputs: None,
            input_cost: 0.0,
            average: None,
            neurons: None,
            output_bits: None,
            weight_bits: None,
            standardize: true,
            gap: None,
            time_limit: None,
            seed: 0,
            memory: None,
            rounds: None,
            prune: None,
            tolerance: None,
        }
    }
}

/// The question that a request comes to, decided by [`Request::question`] alone.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// A problem of this strength: its optimum is wanted, with the proof.
    Problem(Strength),
    /// A problem whose strength is to be chosen by cross-validation.
    Strength(Folds),
    /// The network that predicts best.
    Predictions,
}

impl Question {
    /// The strength to train at, unless it is chosen by cross-validation.
    pub(super) fn strength(&self) -> Strength {
        match self {
            Self::Problem(strength) => *strength,
            Self::Strength(_) | Self::Predictions => Strength::Ratio(RATIO),
        }
    }
}

impl Request {
    /// Which question is asked. A strength poses a problem, and so does an option that says how to search:
    /// a method, patterns, layers, a representation.
    ///
    /// # Errors
    /// When `β` is no positive finite number.
    pub fn question(&self) -> Result<Question, Error> {
        let searched = self.method != Method::Auto
            || self.patterns.is_some()
            || self.layers.is_some()
            || !self.widths.is_empty()
            || self.representation.is_some();
        Ok(match (self.beta, self.beta_ratio) {
            (Some(beta), _) => Question::Problem(Strength::Beta(Beta::new(beta)?)),
            (None, Some(ratio)) => Question::Problem(Strength::Ratio(ratio)),
            (None, None) if !searched => Question::Predictions,
            (None, None) => match &self.cv {
                Some(folds) => Question::Strength(folds.clone()),
                None => Question::Problem(Strength::Ratio(RATIO)),
            },
        })
    }

    /// The strength, where it is not chosen.
    ///
    /// # Errors
    /// When `β` is no positive finite number.
    pub fn strength(&self) -> Result<Strength, Error> {
        Ok(self.question()?.strength())
    }

    /// `l`.
    pub fn loss(&self) -> LossKind {
        self.loss.unwrap_or(LossKind::Squared)
    }

    /// `l` for the best predictions: the logistic loss of classes, the squared loss of numbers.
    pub(super) fn loss_of(&self, set: &TrainingSet) -> LossKind {
        let usual = if set.classifies() { LossKind::Logistic } else { LossKind::Squared };
        self.loss.unwrap_or(usual)
    }

    /// What is asked of the output.
    pub fn constraints(&self) -> Constraints {
        Constraints { non_negative: self.non_negative, intercept: self.intercept }
    }

    /// How many random patterns are drawn, where some are.
    pub fn draws(&self) -> u64 {
        self.patterns.unwrap_or(DRAWS)
    }

    /// The method that is asked for: to draw patterns is to sample.
    pub(super) fn method(&self) -> Method {
        match self.method {
            Method::Auto if self.patterns.is_some() => Method::Sample,
            method => method,
        }
    }

    /// The number of layers, the output counted.
    pub(super) fn depth(&self) -> usize {
        let represented = self.representation.is_some_and(|r| r != Representation::None);
        self.layers.unwrap_or(self.widths.len().max(usize::from(represented)) + 2)
    }

    /// The strengths that cross-validation tries, as parts of `β_max`.
    pub(super) fn cv_ratios(&self) -> Vec<f64> {
        self.ratios_or(RATIOS)
    }

    /// The strengths of a path, as parts of `β_max`.
    pub fn path_ratios(&self) -> Vec<f64> {
        self.ratios_or(PATH)
    }

    fn ratios_or(&self, (count, least): (usize, f64)) -> Vec<f64> {
        let (count, least) = (self.n_ratios.unwrap_or(count), self.least_ratio.unwrap_or(least));
        self.ratios.clone().unwrap_or_else(|| geometric(least, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strength_or_a_method_poses_a_problem_and_everything_else_asks_for_predictions() {
        let none = Request::default();
        assert_eq!(none.question().unwrap(), Question::Predictions);
        let few = Request { neurons: Some(9), inputs: Some(InputCounts::Mixed), ..none.clone() };
        assert_eq!(few.question().unwrap(), Question::Predictions);
        let beta = Request { beta: Some(2.0), ..none.clone() };
        let two = Strength::Beta(Beta::new(2.0).unwrap());
        assert_eq!(beta.question().unwrap(), Question::Problem(two));
        let ratio = Request { beta_ratio: Some(0.3), ..none.clone() };
        assert_eq!(ratio.question().unwrap(), Question::Problem(Strength::Ratio(0.3)));
        let folds = Folds::Count(5);
        let cv = Request { cv: Some(folds.clone()), ..none.clone() };
        assert_eq!(cv.question().unwrap(), Question::Predictions);
        let method = Request { method: Method::Generate, ..cv };
        assert_eq!(method.question().unwrap(), Question::Strength(folds));
        for searched in [
            Request { method: Method::Generate, ..none.clone() },
            Request { patterns: Some(10), ..none.clone() },
            Request { layers: Some(3), ..none.clone() },
            Request { widths: vec![2], ..none.clone() },
            Request { representation: Some(Representation::Staircase), ..none.clone() },
        ] {
            assert_eq!(searched.question().unwrap(), Question::Problem(Strength::Ratio(RATIO)));
        }
        let loss = Request { loss: Some(LossKind::Logistic), bias: false, seed: 3, ..none };
        assert_eq!(loss.question().unwrap(), Question::Predictions);
    }

    #[test]
    fn depth_follows_from_layers_widths_and_representation() {
        let depth = |layers, widths: &[usize], representation| {
            Request { layers, widths: widths.to_vec(), representation, ..Request::default() }
                .depth()
        };
        assert_eq!(depth(None, &[], None), 2);
        assert_eq!(depth(None, &[], Some(Representation::None)), 2);
        assert_eq!(depth(None, &[4, 3], None), 4);
        assert_eq!(depth(Some(5), &[4], None), 5);
        assert_eq!(depth(None, &[], Some(Representation::Gaussian)), 3);
    }

    #[test]
    fn a_grid_is_what_was_asked_for_or_falls_by_a_constant_factor() {
        let none = Request::default();
        assert_eq!((none.cv_ratios().len(), none.path_ratios().len()), (30, 100));
        let few = Request { n_ratios: Some(3), least_ratio: Some(0.25), ..none.clone() };
        assert_eq!(few.cv_ratios(), [1.0, 0.5, 0.25]);
        let own = Request { ratios: Some(vec![0.4, 0.1]), ..none };
        assert_eq!(own.path_ratios(), [0.4, 0.1]);
    }
}
