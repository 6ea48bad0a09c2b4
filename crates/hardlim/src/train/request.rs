//! What training is asked for: what to read, and one of two questions with its own options.

use std::time::Duration;

use super::options::{CV_GRID, DRAWS, Options, PATH_GRID, PRUNE, RATIO, refused, refused_as};
use super::{Fold, Folds, InputCounts, Method, Scoring, Strength, geometric};
use crate::data::TrainingSet;
use crate::error::Error;
use crate::loss::LossKind;
use crate::network::representation::GAUSSIAN_WIDTH;
use crate::network::{Representation, Weights};
use crate::pricing::SubnetworkSearch;
use crate::program::{Beta, Constraints};
use crate::spelling::mark;
use crate::table::{Coding, CodingOptions, Missing};

/// What is asked of training. The command line, Python and Rust give options by name ([`Options`]); here
/// they become one question, and what does not belong to it is refused.
///
/// ```
/// use hardlim::table::{ReadOptions, Table};
/// use hardlim::train::Request;
///
/// let table = Table::open("titanic", &ReadOptions::default())?;
/// let trained = Request::of("beta=10")?.train(&table)?;
/// assert!(trained.model.certificate().relative_gap() <= 1e-6);
/// # Ok::<(), hardlim::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The options behind all of this, which the model remembers.
    given: Options,
    /// What the columns of the table are.
    pub columns: CodingOptions,
    /// The part of the rows to keep aside, between 0 and 1.
    pub(crate) holdout: Option<f64>,
    pub(crate) question: Question,
    pub(crate) terms: Terms,
    pub(crate) limits: Limits,
    /// Where chance starts.
    pub(crate) seed: u64,
}

/// The question that is asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// The network that predicts best.
    Predict(Predict),
    /// The optimum of a problem, with its proof.
    Solve {
        /// How strong the weight decay is.
        strength: StrengthChoice,
        /// Which networks are searched, and how.
        search: Search,
    },
    /// The optima for decreasing strengths, as parts of `β_max`.
    Path {
        /// The strengths.
        ratios: Vec<f64>,
        /// Which networks are searched, and how.
        search: Search,
    },
}

/// What the best predictions are chosen from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Predict {
    /// The folds, if they are given.
    pub comparison: Option<Comparison>,
    /// How many inputs neurons read, if that is given.
    pub inputs: Option<InputCounts>,
    /// `P`: a neuron that reads `k` inputs pays `kᴾ β |a|`.
    pub input_cost: f64,
    /// The number of networks that are averaged, if it is given.
    pub average: Option<usize>,
    /// The most inputs that a neuron may read.
    pub max_inputs: Option<usize>,
    /// Whether an option speaks of one problem: that of the chosen strength is then solved.
    pub solves: bool,
    /// A limit on neurons.
    pub few: Option<Few>,
}

/// A limit on neurons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Few {
    /// The most neurons of all networks together.
    pub neurons: usize,
    /// The most bits of their output weights, with the sign.
    pub output_bits: Option<u32>,
}

/// How strong the weight decay of a problem is.
#[derive(Debug, Clone, PartialEq)]
pub enum StrengthChoice {
    /// It is given.
    Given(Strength),
    /// It is chosen on folds.
    Chosen(Comparison),
}

/// How strengths are compared on folds.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The folds.
    pub folds: Folds,
    /// The number of strengths, if it is given.
    pub count: Option<usize>,
    /// The smallest strength as a part of `β_max`, if it is given.
    pub least: Option<f64>,
    /// Whether to take the largest strength within one standard error of the best.
    pub one_se: bool,
    /// What is compared.
    pub scoring: Option<Scoring>,
}

/// Which networks are searched, and how.
#[derive(Debug, Clone, PartialEq)]
pub enum Search {
    /// What suits the data: a closed form, a list of patterns, or patterns that are generated.
    Auto,
    /// Patterns are generated; one network, or the mean of several.
    Generate {
        /// The most inputs that a neuron may read.
        max_inputs: Option<usize>,
        /// The number of networks that are averaged.
        average: usize,
        /// `P`: with one input, all neurons pay the same.
        input_cost: f64,
    },
    /// Random patterns.
    Sample {
        /// How many.
        patterns: u64,
        /// How many inputs they read; by default all.
        inputs: Option<InputCounts>,
        /// `P`: a neuron that reads `k` inputs pays `kᴾ β |a|`.
        input_cost: f64,
    },
    /// All patterns, listed.
    Enumerate,
    /// The closed form, if every dichotomy is a pattern.
    Complete,
    /// Parallel subnetworks with these widths below the last hidden layer.
    Subnetworks {
        /// The widths, the first layer first.
        widths: Vec<usize>,
        /// Whether every neuron of these layers owns its inputs.
        tree: bool,
        /// How their patterns are found.
        method: Method,
        /// How many are drawn, if they are.
        patterns: u64,
    },
    /// The complete program on fixed first layers.
    Represented(First),
}

/// Fixed first layers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum First {
    /// This many layers in all, made as it suits the data.
    Chosen(usize),
    /// Random layers of these widths.
    Gaussian(Vec<usize>),
    /// Thresholds along one direction.
    Staircase,
}

/// What both questions share: the loss, the output, and the neurons.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terms {
    /// `l`, if it is given.
    pub loss: Option<LossKind>,
    /// What is asked of the output.
    pub constraints: Constraints,
    /// Whether neurons have a bias.
    pub bias: bool,
    /// Whether weights are drawn, and margins measured, on standardised inputs.
    pub standardize: bool,
    /// Which weights to take inside each cell, if that is given.
    pub weights: Option<Weights>,
    /// The most bits of integer weights, with the sign, if it is given.
    pub weight_bits: Option<u32>,
}

/// When training ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The relative gap to stop at, and to search a proof for.
    pub gap: Option<f64>,
    /// The relative gap of solvers, without one to stop at.
    pub tolerance: Option<f64>,
    /// The time.
    pub time: Option<Duration>,
    /// The most rounds of generation.
    pub rounds: Option<usize>,
    /// How much the objective may rise when neurons are pruned, as a part of it.
    pub prune: f64,
    /// The bytes that dictionaries may take; what the system has left by default.
    pub memory: Option<u64>,
}

impl Default for Request {
    fn default() -> Self {
        Self::of("").expect("no option is in conflict with another")
    }
}

impl Request {
    /// The request of options in one line, such as `beta=10 max_inputs=1`.
    ///
    /// # Errors
    /// When an option is out of range, or does not go together with another one.
    pub fn of(options: &str) -> Result<Self, Error> {
        Self::new(&Options::read(options)?)
    }

    /// The request of these options.
    ///
    /// # Errors
    /// When an option does not go together with another one.
    pub fn new(given: &Options) -> Result<Self, Error> {
        let mut options = given.clone();
        let question = question(&mut options, false)?;
        Self::about(given, options, question)
    }

    /// The request that poses a problem, even if no option says so.
    ///
    /// # Errors
    /// When an option does not go together with another one.
    pub fn problem_of(given: &Options) -> Result<Self, Error> {
        let mut options = given.clone();
        let question = question(&mut options, true)?;
        Self::about(given, options, question)
    }

    /// The request for a path: the optimum at every strength of a grid.
    ///
    /// # Errors
    /// When an option has no meaning for a path.
    pub fn path_of(given: &Options) -> Result<Self, Error> {
        let mut options = given.clone();
        let question = path(&mut options)?;
        Self::about(given, options, question)
    }

    /// The request that asks this; all options must be taken in the end.
    fn about(given: &Options, mut options: Options, question: Question) -> Result<Self, Error> {
        let o = &mut options;
        let request = Self {
            given: given.clone(),
            columns: columns(o),
            holdout: o.take("holdout"),
            question,
            terms: Terms {
                loss: o.take("loss"),
                constraints: Constraints {
                    non_negative: o.take_flag("non_negative"),
                    intercept: o.take_flag("intercept"),
                },
                bias: !o.take_flag("bias"),
                standardize: !o.take_flag("standardize"),
                weights: o.take("weights"),
                weight_bits: o.take("weight_bits"),
            },
            limits: Limits {
                gap: o.take("gap"),
                tolerance: o.take("tolerance"),
                time: o.take("time_limit").map(Duration::from_secs_f64),
                rounds: o.take("rounds"),
                prune: o.take("prune").unwrap_or(PRUNE),
                memory: o.take("memory"),
            },
            seed: o.take("seed").unwrap_or_default(),
        };
        options.finish()?;
        request.check_weights()?;
        Ok(request)
    }

    /// The same with other columns.
    #[must_use]
    pub fn with_columns(self, columns: CodingOptions) -> Self {
        Self { columns, ..self }
    }

    /// The same with more options; what they set replaces what was set.
    ///
    /// # Errors
    /// When an option is out of range, or does not go together with another one.
    pub fn with(&self, options: &str) -> Result<Self, Error> {
        let mut given = self.given.clone();
        given.add(options)?;
        Ok(Self::new(&given)?.with_columns(self.columns.clone()))
    }

    /// The same on folds that somebody else has made, instead of `cv`.
    #[must_use]
    pub fn on_folds(mut self, folds: Vec<Fold>) -> Self {
        if let Some(comparison) = self.comparison_mut() {
            comparison.folds = Folds::Given(folds);
        }
        self
    }

    fn comparison_mut(&mut self) -> Option<&mut Comparison> {
        match &mut self.question {
            Question::Predict(predict) => predict.comparison.as_mut(),
            Question::Solve { strength: StrengthChoice::Chosen(comparison), .. } => {
                Some(comparison)
            }
            _ => None,
        }
    }

    /// The options that it was made of.
    pub fn options(&self) -> &Options {
        &self.given
    }

    /// The question.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// What both questions share.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// When training ends.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Where chance starts.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Which networks a problem is about, and how they are searched.
    pub fn search(&self) -> Option<&Search> {
        match &self.question {
            Question::Predict(_) => None,
            Question::Solve { search, .. } | Question::Path { search, .. } => Some(search),
        }
    }

    /// The method that is asked for.
    pub(super) fn method(&self) -> Method {
        method(&self.given)
    }

    /// The strength, where it is not chosen.
    pub fn strength(&self) -> Strength {
        match &self.question {
            Question::Solve { strength: StrengthChoice::Given(strength), .. } => *strength,
            _ => Strength::Ratio(RATIO),
        }
    }

    /// `l`.
    pub fn loss(&self) -> LossKind {
        self.terms.loss.unwrap_or(LossKind::Squared)
    }

    /// `l` for the best predictions: the logistic loss of classes, the squared loss of numbers.
    pub(super) fn loss_of(&self, set: &TrainingSet) -> LossKind {
        let usual = if set.classifies() { LossKind::Logistic } else { LossKind::Squared };
        self.terms.loss.unwrap_or(usual)
    }

    /// The folds and grid of cross-validation, if they are given.
    pub fn comparison(&self) -> Option<&Comparison> {
        match &self.question {
            Question::Predict(predict) => predict.comparison.as_ref(),
            Question::Solve { strength: StrengthChoice::Chosen(comparison), .. } => {
                Some(comparison)
            }
            _ => None,
        }
    }

    /// The most inputs that a neuron may read.
    pub fn max_inputs(&self) -> Option<usize> {
        match &self.question {
            Question::Predict(predict) => predict.max_inputs,
            _ => match self.search() {
                Some(Search::Generate { max_inputs, .. }) => *max_inputs,
                _ => None,
            },
        }
    }

    /// How many inputs random neurons read, if that is given.
    pub fn inputs(&self) -> Option<&InputCounts> {
        match &self.question {
            Question::Predict(predict) => predict.inputs.as_ref(),
            _ => match self.search() {
                Some(Search::Sample { inputs, .. }) => inputs.as_ref(),
                _ => None,
            },
        }
    }

    /// `P`: a neuron that reads `k` inputs pays `kᴾ β |a|`.
    pub fn input_cost(&self) -> f64 {
        match &self.question {
            Question::Predict(predict) => predict.input_cost,
            _ => match self.search() {
                Some(Search::Generate { input_cost, .. } | Search::Sample { input_cost, .. }) => {
                    *input_cost
                }
                _ => 0.0,
            },
        }
    }

    /// The number of random patterns, if it is given.
    pub fn patterns(&self) -> Option<u64> {
        self.given.get("patterns")
    }

    /// The options that a model with this coding remembers.
    pub(super) fn history(&self, coding: &Coding) -> Vec<(String, String)> {
        let CodingOptions { keep, categorical, missing, .. } = &self.columns;
        let list = |names: &[String]| (!names.is_empty()).then(|| names.join(","));
        let mut given = self.given.clone();
        given.put("keep", list(keep));
        given.put("categorical", list(categorical));
        given.put("missing", (*missing != Missing::Mean).then(|| missing.to_string()));
        given.put("bits", coding.bits().map(|bits| bits.to_string()));
        given.put("class_weight", coding.balanced().then(|| "balanced".to_owned()));
        given.history()
    }

    /// How many random patterns are drawn, where some are.
    pub fn draws(&self) -> u64 {
        self.patterns().unwrap_or(DRAWS)
    }

    /// The strengths of a path, as parts of `β_max`.
    pub fn path_ratios(&self) -> &[f64] {
        match &self.question {
            Question::Path { ratios, .. } => ratios,
            _ => &[],
        }
    }

    /// Which weights fit the networks that are searched.
    fn check_weights(&self) -> Result<(), Error> {
        let Some(weights) = self.terms.weights else { return Ok(()) };
        let refused = |why: &str| Err(refused_as("weights", weights, why));
        if matches!(self.question, Question::Path { .. }) {
            return refused("a path has no weights of its own");
        }
        match (weights, self.search()) {
            (Weights::Sampled, Some(Search::Complete)) => {
                refused("`method=complete` draws no weights; use svm or pi")
            }
            (Weights::Sampled, Some(Search::Represented(_))) => {
                refused("on a representation no weights are drawn; use svm or pi")
            }
            (Weights::Pi, _) if self.max_inputs().is_some() => {
                let k = self.max_inputs().unwrap_or_default();
                let limit = mark("max_inputs", Some(&k.to_string()));
                refused(&format!("these read all inputs, and {limit} allows {k}; use svm"))
            }
            (Weights::Sampled, _) => Ok(()),
            (_, Some(Search::Sample { input_cost, .. })) if *input_cost > 0.0 => refused(
                "other weights read other inputs, and neurons pay for these with `input_cost`",
            ),
            _ => Ok(()),
        }
    }
}

impl Comparison {
    fn take(options: &mut Options) -> Option<Self> {
        Some(Self {
            folds: Folds::Count(options.take("cv")?),
            count: options.take("n_ratios"),
            least: options.take("least_ratio"),
            one_se: options.take_flag("one_se"),
            scoring: options.take("scoring"),
        })
    }

    /// The strengths that are tried, as parts of `β_max`, if the request says which.
    pub fn ratios(&self) -> Option<Vec<f64>> {
        (self.count.is_some() || self.least.is_some()).then(|| self.usual_ratios())
    }

    /// The same, and those of a problem if it does not.
    pub(super) fn usual_ratios(&self) -> Vec<f64> {
        let (count, least) = CV_GRID;
        geometric(self.least.unwrap_or(least), self.count.unwrap_or(count))
    }
}

impl Search {
    /// The widths of the layers below the last hidden one, in each subnetwork.
    pub(super) fn widths(&self) -> &[usize] {
        match self {
            Self::Subnetworks { widths, .. } | Self::Represented(First::Gaussian(widths)) => widths,
            _ => &[],
        }
    }
}

/// What columns are.
fn columns(options: &mut Options) -> CodingOptions {
    CodingOptions {
        target: options.take("target"),
        task: options.take("task").unwrap_or_default(),
        missing: options.take("missing").unwrap_or_default(),
        ignore: options.take_names("ignore"),
        keep: options.take_names("keep"),
        keep_all: false,
        categorical: options.take_names("categorical"),
        weight_column: options.take("weight_column"),
        bits: options.take("bits"),
        balanced: options.take::<String>("class_weight").is_some(),
    }
}

/// The question of training: a strength poses a problem, and so does an option that says how to search.
fn question(o: &mut Options, poses: bool) -> Result<Question, Error> {
    let given = |name: &&str| o.text(name).is_some();
    if given(&"beta") && given(&"beta_ratio") {
        return Err(refused("beta_ratio", "and `beta` say the same: give one of the two"));
    }
    let posed = ["beta", "beta_ratio", "method", "patterns", "layers", "widths", "representation"];
    if !poses && !posed.iter().any(given) {
        return predict(o).map(Question::Predict);
    }
    let strength = match Comparison::take(o) {
        Some(Comparison { scoring: Some(Scoring::Loss), .. }) => {
            let why = "with a method, cross-validation compares accuracies or R²";
            return Err(refused_as("scoring", Scoring::Loss, why));
        }
        Some(comparison) => StrengthChoice::Chosen(comparison),
        None => StrengthChoice::Given(match o.take("beta") {
            Some(beta) => Strength::Beta(Beta::new(beta)?),
            None => Strength::Ratio(o.take("beta_ratio").unwrap_or(RATIO)),
        }),
    };
    Ok(Question::Solve { strength, search: search(o)? })
}

fn predict(o: &mut Options) -> Result<Predict, Error> {
    let mut single = ["max_inputs", "gap", "weights", "rounds", "prune"].into_iter();
    let one_problem = single.find(|name| o.text(name).is_some());
    let other = single.find(|name| o.text(name).is_some());
    let beyond = one_problem.filter(|name| *name != "max_inputs").or(other);
    if let (Some(option), Some(_)) = (beyond, o.text("neurons")) {
        let why = format!("and {} do not go together", mark(option, None));
        return Err(refused("neurons", why));
    }
    let max_inputs: Option<usize> = o.take("max_inputs");
    let input_cost = o.take("input_cost").unwrap_or_default();
    if let (Some(option), true) = (one_problem, input_cost != 0.0 && max_inputs != Some(1)) {
        let why = format!("and {} go together only with `max_inputs=1`", mark(option, None));
        return Err(refused("input_cost", why));
    }
    let few = o.take("neurons").map(|neurons| Few { neurons, output_bits: o.take("output_bits") });
    Ok(Predict {
        comparison: Comparison::take(o),
        inputs: o.take("inputs"),
        input_cost,
        average: o.take("average"),
        max_inputs,
        solves: one_problem.is_some(),
        few,
    })
}

/// The method that is asked for: to draw patterns is to sample.
fn method(o: &Options) -> Method {
    let method = o.get("method").unwrap_or_default();
    if method == Method::Auto && o.text("patterns").is_some() { Method::Sample } else { method }
}

/// Which networks, and how they are searched.
fn search(o: &mut Options) -> Result<Search, Error> {
    let method = method(o);
    o.put("method", None);
    let representation: Option<Representation> = o.take("representation");
    let widths: Vec<usize> = o.take_list("widths");
    let represented = representation.is_some_and(|r| r != Representation::None);
    let layers: Option<usize> = o.take("layers");
    let depth = layers.unwrap_or(widths.len().max(usize::from(represented)) + 2);
    let tree = o.text("tree").is_some();
    match representation {
        Some(kind @ (Representation::Gaussian | Representation::Staircase)) => {
            if !matches!(method, Method::Auto | Method::Complete) {
                let why = format!("needs `method=complete`, not {method}");
                return Err(refused_as("representation", kind, why));
            }
            represent(o, kind, depth, widths).map(Search::Represented)
        }
        None if depth > 2 && widths.is_empty() && method == Method::Auto && !tree => {
            Ok(Search::Represented(First::Chosen(depth)))
        }
        _ if depth > 2 || !widths.is_empty() => subnetworks(o, method, depth, widths),
        _ => Ok(match method {
            Method::Complete => Search::Complete,
            Method::Enumerate => Search::Enumerate,
            Method::Sample => Search::Sample {
                patterns: o.take("patterns").unwrap_or(DRAWS),
                inputs: o.take("inputs"),
                input_cost: o.take("input_cost").unwrap_or_default(),
            },
            Method::Auto | Method::Generate => {
                let max_inputs = o.take("max_inputs");
                let average: Option<usize> = o.take("average");
                // With one input, all neurons pay the same.
                let cost = if max_inputs == Some(1) { o.take("input_cost") } else { None };
                let plain = max_inputs.is_none() && average.is_none_or(|average| average == 1);
                match method {
                    Method::Auto if plain => Search::Auto,
                    _ => Search::Generate {
                        max_inputs,
                        average: average.unwrap_or(1),
                        input_cost: cost.unwrap_or_default(),
                    },
                }
            }
        }),
    }
}

/// Fixed first layers of this kind.
fn represent(
    o: &Options,
    kind: Representation,
    layers: usize,
    widths: Vec<usize>,
) -> Result<First, Error> {
    let made = mark("representation", Some(&kind.to_string()));
    let refused_depth = |why: String| Err(refused_as("layers", layers, why));
    if layers < 3 {
        return refused_depth(format!("{made} makes 3 layers or more"));
    }
    if kind == Representation::Gaussian {
        return match widths.len() {
            0 => Ok(First::Gaussian(vec![GAUSSIAN_WIDTH; layers - 2])),
            1 => Ok(First::Gaussian(vec![widths[0]; layers - 2])),
            n if n == layers - 2 => Ok(First::Gaussian(widths)),
            found => refused_depth(format!(
                "expected `widths` with one number for all random layers, or {}, one for each; found \
                 {found}",
                layers - 2
            )),
        };
    }
    if layers > 3 {
        return refused_depth(format!("{made} makes networks of 3 layers"));
    }
    if !widths.is_empty() {
        let why = "are not for a staircase, whose width follows from the data";
        return Err(refused("widths", why));
    }
    if o.text("bias").is_some() {
        let why = "a staircase is made of thresholds; use `representation=gaussian`";
        return Err(refused_as("bias", false, why));
    }
    Ok(First::Staircase)
}

/// Parallel subnetworks, whose widths are given.
fn subnetworks(
    o: &mut Options,
    method: Method,
    layers: usize,
    widths: Vec<usize>,
) -> Result<Search, Error> {
    if method == Method::Complete {
        let why = "`method=complete` makes deeper networks on a representation; add \
                   `representation=gaussian` or staircase";
        return Err(refused_as("layers", layers, why));
    }
    if layers != widths.len() + 2 {
        let why = format!(
            "expected `widths` with {} numbers, one for each layer below the last hidden one, found {}",
            layers - 2,
            widths.len()
        );
        return Err(refused_as("layers", layers, why));
    }
    if method == Method::Generate && !SubnetworkSearch::reaches(&widths) {
        let why = format!(
            "are too many or too large: `method=generate` searches subnetworks of 3 layers with a width \
             of at most {}; use `method=sample`",
            SubnetworkSearch::max_width()
        );
        return Err(refused("widths", why));
    }
    let lists = matches!(method, Method::Auto | Method::Enumerate);
    let tree = lists && o.take_flag("tree");
    let draws = if method == Method::Sample { o.take("patterns") } else { None };
    Ok(Search::Subnetworks { widths, tree, method, patterns: draws.unwrap_or(DRAWS) })
}

/// The question of a path: it is followed on random patterns, or over neurons of few inputs.
fn path(o: &mut Options) -> Result<Question, Error> {
    const EVERY: &str = "has no meaning for a path, which visits every strength";
    for option in ["beta", "beta_ratio", "cv", "one_se"] {
        if o.text(option).is_some() {
            return Err(refused(option, EVERY));
        }
    }
    if o.text("layers").is_some() || o.text("widths").is_some() {
        let why = "has no meaning for a path, which is about one network of two layers";
        return Err(refused("layers", why));
    }
    let (count, least) = PATH_GRID;
    let ratios =
        geometric(o.take("least_ratio").unwrap_or(least), o.take("n_ratios").unwrap_or(count));
    let method = method(o);
    o.put("method", None);
    let search = match (method, o.take("max_inputs")) {
        (Method::Auto | Method::Generate, max_inputs @ Some(_)) => {
            Search::Generate { max_inputs, average: 1, input_cost: 0.0 }
        }
        (Method::Auto | Method::Sample, None) => Search::Sample {
            patterns: o.take("patterns").unwrap_or(DRAWS),
            inputs: None,
            input_cost: 0.0,
        },
        (method, _) => {
            let why = "a path is followed on random patterns, and needs `method=sample`, or over neurons \
                       of few inputs with `max_inputs`";
            return Err(refused_as("method", method, why));
        }
    };
    Ok(Question::Path { ratios, search })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(options: &str) -> Request {
        Request::of(options).unwrap()
    }

    #[test]
    fn a_strength_or_a_method_poses_a_problem_and_everything_else_asks_for_predictions() {
        for options in ["", "neurons=9 inputs=mixed", "cv=5", "loss=logistic bias=false seed=3"] {
            assert!(matches!(asked(options).question, Question::Predict(_)), "{options}");
        }
        for (options, strength) in [
            ("beta=2", Strength::Beta(Beta::new(2.0).unwrap())),
            ("beta_ratio=0.3", Strength::Ratio(0.3)),
            ("method=generate", Strength::Ratio(RATIO)),
            ("patterns=10", Strength::Ratio(RATIO)),
            ("layers=3", Strength::Ratio(RATIO)),
            ("widths=2", Strength::Ratio(RATIO)),
            ("representation=staircase", Strength::Ratio(RATIO)),
        ] {
            let Question::Solve { strength: given, .. } = asked(options).question else {
                panic!("{options}");
            };
            assert_eq!(given, StrengthChoice::Given(strength), "{options}");
        }
        let folds = asked("cv=5 method=generate");
        assert_eq!(folds.comparison().unwrap().folds, Folds::Count(5));
    }

    #[test]
    fn depth_follows_from_layers_widths_and_representation() {
        let search = |options: &str| asked(options).search().unwrap().clone();
        assert_eq!(search("beta=1"), Search::Auto);
        assert_eq!(search("representation=none"), Search::Auto);
        assert_eq!(search("widths=4,3").widths(), [4, 3]);
        assert_eq!(search("layers=5"), Search::Represented(First::Chosen(5)));
        let random = |widths: &[usize]| Search::Represented(First::Gaussian(widths.to_vec()));
        assert_eq!(search("representation=gaussian"), random(&[GAUSSIAN_WIDTH]));
        assert_eq!(search("representation=gaussian layers=4 widths=9"), random(&[9, 9]));
    }

    #[test]
    fn a_grid_is_what_was_asked_for_or_falls_by_a_constant_factor() {
        let grid = |options: &str| asked(options).comparison().unwrap().usual_ratios();
        assert_eq!(grid("cv=5").len(), 30);
        assert_eq!(grid("cv=5 n_ratios=3 least_ratio=0.25"), [1.0, 0.5, 0.25]);
        let path = Request::path_of(&Options::default()).unwrap();
        assert_eq!(path.path_ratios().len(), 100);
    }

    #[test]
    fn options_that_do_not_go_together_are_refused() {
        const CV: &str = "is about cross-validation, and needs `cv`";
        const COST: &str = "`input_cost` is about random patterns of two layers: add `method=sample` or \
                            `max_inputs=1`, or ask for the best predictions, without a strength";
        const DRAWN: &str =
            "`weights=sampled`: on a representation no weights are drawn; use svm or pi";
        for (options, expected) in [
            ("beta=1 beta_ratio=0.1", "`beta_ratio` and `beta` say the same: give one of the two"),
            ("beta=1 cv=5", "`beta` is what `cv` chooses: give one of the two"),
            ("one_se", &format!("`one_se` {CV}")),
            ("beta=1 scoring=score", &format!("`scoring` {CV}")),
            (
                "cv=5 method=sample scoring=loss",
                "`scoring=loss`: with a method, cross-validation compares accuracies or R²",
            ),
            (
                "method=complete weights=sampled",
                "`weights=sampled`: `method=complete` draws no weights; use svm or pi",
            ),
            (
                "max_inputs=2 weights=pi",
                "`weights=pi`: these read all inputs, and `max_inputs=2` allows 2; use svm",
            ),
            (
                "patterns=5 method=generate",
                "`patterns` draws random patterns, and needs `method=sample`",
            ),
            ("max_inputs=1 method=sample", "`max_inputs` needs `method=generate` and two layers"),
            ("average=3 widths=2", "`average` needs `method=generate` and two layers"),
            (
                "beta=1 inputs=1",
                "`inputs` is about random neurons of two layers, and needs `method=sample`",
            ),
            (
                "neurons=3 beta=1",
                "`neurons` is for the best predictions: give no strength and no `method`",
            ),
            ("neurons=3 gap=0.1", "`neurons` and `gap` do not go together"),
            ("neurons=3 max_inputs=1 prune=0", "`neurons` and `prune` do not go together"),
            (
                "output_bits=3",
                "`output_bits` is about few neurons: add `neurons`; an export rounds the output \
                 weights of any network",
            ),
            ("input_cost=0.5 widths=2", COST),
            ("input_cost=0.5 representation=gaussian", COST),
            ("input_cost=0.5 beta=1", COST),
            (
                "input_cost=0.5 max_inputs=2",
                "`input_cost` and `max_inputs` go together only with `max_inputs=1`",
            ),
            (
                "input_cost=0.5 gap=0.1",
                "`input_cost` and `gap` go together only with `max_inputs=1`",
            ),
            (
                "input_cost=0.5 method=sample weights=svm",
                "`weights=svm`: other weights read other inputs, and neurons pay for these with \
                 `input_cost`",
            ),
            (
                "method=sample representation=gaussian",
                "`representation=gaussian`: needs `method=complete`, not sample",
            ),
            ("weights=sampled representation=gaussian", DRAWN),
            ("weights=sampled layers=3", DRAWN),
            (
                "layers=2 representation=gaussian",
                "`layers=2`: `representation=gaussian` makes 3 layers or more",
            ),
            (
                "tree representation=gaussian",
                "`tree` is about the layers below the last hidden one: add `widths` and \
                 `method=enumerate`",
            ),
            (
                "layers=5 widths=9,9 representation=gaussian",
                "`layers=5`: expected `widths` with one number for all random layers, or 3, one for \
                 each; found 2",
            ),
            (
                "layers=4 representation=staircase",
                "`layers=4`: `representation=staircase` makes networks of 3 layers",
            ),
            (
                "widths=4 representation=staircase",
                "`widths` are not for a staircase, whose width follows from the data",
            ),
            (
                "bias=false representation=staircase",
                "`bias=false`: a staircase is made of thresholds; use `representation=gaussian`",
            ),
            (
                "tree",
                "`tree` is about the layers below the last hidden one: add `widths` and \
                 `method=enumerate`",
            ),
            (
                "tree widths=2 method=sample",
                "`tree` is about the layers below the last hidden one: add `widths` and \
                 `method=enumerate`",
            ),
            (
                "layers=3 method=complete",
                "`layers=3`: `method=complete` makes deeper networks on a representation; add \
                 `representation=gaussian` or staircase",
            ),
            (
                "layers=4 widths=2",
                "`layers=4`: expected `widths` with 2 numbers, one for each layer below the last \
                 hidden one, found 1",
            ),
            (
                "layers=3 method=sample",
                "`layers=3`: expected `widths` with 1 numbers, one for each layer below the last \
                 hidden one, found 0",
            ),
            (
                "widths=5 method=generate",
                "`widths` are too many or too large: `method=generate` searches subnetworks of 3 \
                 layers with a width of at most 4; use `method=sample`",
            ),
        ] {
            let error = Request::of(options).expect_err(options);
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn layers_alone_ask_for_a_representation() {
        assert!(Request::of("layers=3").is_ok());
        assert!(Request::of("layers=3 representation=none").is_err());
    }

    #[test]
    fn a_path_has_fewer_options() {
        let path = |options: &str| Request::path_of(&Options::read(options).unwrap());
        assert!(path("n_ratios=5").is_ok());
        for (options, expected) in [
            ("beta=1", "`beta` has no meaning for a path, which visits every strength"),
            (
                "method=generate",
                "`method=generate`: a path is followed on random patterns, and needs `method=sample`, \
                 or over neurons of few inputs with `max_inputs`",
            ),
            ("weights=svm", "`weights=svm`: a path has no weights of its own"),
            (
                "widths=2",
                "`layers` has no meaning for a path, which is about one network of two layers",
            ),
        ] {
            assert_eq!(path(options).unwrap_err().to_string(), expected);
        }
    }
}
