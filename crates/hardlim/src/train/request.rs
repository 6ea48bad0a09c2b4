//! What training is asked for: what to read, and one of two questions with its own options.

use std::time::Duration;

use super::options::{
    CV_GRID, DRAWS, Options, PATH_GRID, PRUNE, RATIO, SEPARATOR, refused, refused_as, signed,
};
use super::{Fold, Folds, InputCounts, Method, Strength, geometric};
use crate::arrangement::{Policy, policy};
use crate::data::TrainingSet;
use crate::error::Error;
use crate::loss::{Loss as _, LossKind};
use crate::network::representation::GAUSSIAN_WIDTH;
use crate::network::{Representation, Weights};
use crate::pricing::SubnetworkSearch;
use crate::program::{Beta, Constraints};
use crate::table::{Coding, CodingOptions, Missing};

/// What is asked of training. The command line, Python and Rust give options by name ([`Options`]);
/// here they become one question, and what does not belong to it is refused.
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
    pub(super) holdout: Option<f64>,
    pub(super) question: Question,
    /// The folds and strengths of cross-validation, if they are given.
    pub(super) comparison: Option<Comparison>,
    pub(super) terms: Terms,
    /// How many inputs random neurons read, if that is given.
    pub(super) inputs: Option<InputCounts>,
    pub(super) deep: Deep,
    /// What rules keep to.
    policy: policy::Asked,
    pub(super) limits: Limits,
    pub(super) seed: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Question {
    /// The network that predicts best.
    Predict(Predict),
    /// The optimum of a problem, with its proof, at this strength if none is chosen on folds.
    Solve(Strength),
    /// The optima for these parts of `β_max`.
    Path(Vec<f64>),
}

/// What the best predictions are chosen from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Predict {
    /// Whether an option speaks of one problem: that of the chosen strength is then solved.
    pub(super) solves: bool,
    /// The most neurons of all networks together, and the most bits of their output weights.
    pub(super) neurons: Option<usize>,
    pub(super) output_bits: Option<u32>,
    pub(super) rules: Option<Rules>,
}

/// A limit on the rules of all networks together, and on the points of each if weights are whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rules {
    pub(super) most: usize,
    pub(super) points: Option<u32>,
    /// The relative gap to all lists of as many rules, if it is asked for.
    pub(super) gap: Option<f64>,
}

/// How strengths are compared on folds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Comparison {
    pub(super) folds: Folds,
    /// The number of strengths, and the least as a part of `β_max`.
    count: Option<usize>,
    least: Option<f64>,
    pub(super) one_se: bool,
}

/// What both questions share: the loss, the output, and the neurons.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Terms {
    pub(super) loss: Option<LossKind>,
    pub(super) constraints: Constraints,
    pub(super) bias: bool,
    /// Whether weights are drawn, and margins measured, on standardised inputs.
    pub(super) standardize: bool,
    /// Which weights to take inside each cell, if that is given.
    pub(super) weights: Option<Weights>,
    pub(super) weight_bits: Option<u32>,
    /// The most inputs that a neuron may read.
    pub(super) max_inputs: Option<usize>,
    /// `P`: a neuron that reads `k` inputs pays `kᴾ β |a|`.
    pub(super) input_cost: f64,
    /// The number of networks that are averaged, if it is given.
    pub(super) average: Option<usize>,
}

/// The layers below the last hidden one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Deep {
    /// The widths of subnetworks or of random layers, the first layer first.
    pub(super) widths: Vec<usize>,
    /// Whether every neuron of a subnetwork owns its inputs.
    pub(super) tree: bool,
    pub(super) first: First,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum First {
    #[default]
    None,
    /// This many layers in all, made as it suits the data.
    Chosen(usize),
    Given(Representation),
}

/// When training ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Limits {
    /// The relative gap to stop at, and to search a proof for.
    pub(super) gap: Option<f64>,
    /// The relative gap of solvers, without one to stop at.
    pub(super) tolerance: Option<f64>,
    pub(super) time: Option<Duration>,
    pub(super) rounds: Option<usize>,
    /// How much the objective may rise when neurons are pruned, as a part of it. It never rises by
    /// more than a tenth of the relative gap.
    pub(super) prune: f64,
    /// The bytes that dictionaries may take; what the system has left by default.
    pub(super) memory: Option<u64>,
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
        // A strength poses a problem, and so does an option that says how to search.
        let posed =
            ["beta", "beta_ratio", "method", "patterns", "layers", "widths", "representation"];
        let ask = if posed.iter().any(|name| given.text(name).is_some()) {
            Self::pose
        } else {
            Self::predict
        };
        Self::asking(given, ask)
    }

    /// The request that poses a problem, even if no option says so.
    ///
    /// # Errors
    /// When an option does not go together with another one.
    pub fn problem_of(given: &Options) -> Result<Self, Error> {
        Self::asking(given, Self::pose)
    }

    /// The request for a path: the optimum at every strength of a grid.
    ///
    /// # Errors
    /// When an option has no meaning for a path.
    pub fn path_of(given: &Options) -> Result<Self, Error> {
        Self::asking(given, Self::follow)
    }

    /// The request whose question `ask` puts; all options must be taken in the end.
    fn asking(
        given: &Options,
        ask: fn(&mut Self, &mut Options) -> Result<Question, Error>,
    ) -> Result<Self, Error> {
        let given = &conditions(given)?;
        let mut options = given.clone();
        let o = &mut options;
        let mut request = Self {
            given: given.clone(),
            columns: columns(o),
            holdout: o.take("holdout"),
            question: Question::Solve(Strength::Ratio(RATIO)),
            comparison: None,
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
                max_inputs: None,
                input_cost: 0.0,
                average: None,
            },
            inputs: None,
            deep: Deep::default(),
            policy: policy::Asked::default(),
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
        request.question = ask(&mut request, o)?;
        request.take_policy(o)?;
        if o.take::<Missing>("missing").is_none() {
            request.columns.missing = request.usual_missing();
        }
        options.finish()?;
        request.check_weights()?;
        if request.has_two_conditions() && !request.terms.bias {
            let why = "a condition asks whether an input reaches a number, which takes a bias";
            return Err(refused_as("bias", false, why));
        }
        Ok(request)
    }

    /// Takes what rules keep to: directions if neurons read one input, and the columns that may
    /// stand together if rules have two conditions.
    fn take_policy(&mut self, o: &mut Options) -> Result<(), Error> {
        if self.has_two_conditions() {
            self.policy.interactions = o.take_list("interactions", SEPARATOR);
            self.policy.no_interactions = o.take_list("no_interactions", SEPARATOR);
        }
        if self.terms.max_inputs != Some(1) || o.text("monotone").is_none() {
            return Ok(());
        }
        let others = ["neurons", "weights", "bits"];
        if let Some(option) = others.iter().find(|name| self.given.text(name).is_some()) {
            return Err(refused("monotone", format!("and `{option}` do not go together")));
        }
        let columns: Vec<String> = o.take_list("monotone", SEPARATOR);
        self.policy.monotone = columns.iter().filter_map(|text| signed(text)).collect();
        Ok(())
    }

    /// What happens to missing values if nothing is said about them. Rules about one input say what
    /// they answer where it is missing.
    fn usual_missing(&self) -> Missing {
        if self.terms.max_inputs == Some(1) { Missing::Apart } else { Missing::Mean }
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
        if let Some(comparison) = &mut self.comparison {
            comparison.folds = Folds::Given(folds);
        }
        self
    }

    /// The options that it was made of.
    pub fn options(&self) -> &Options {
        &self.given
    }

    /// Whether it asks for the best predictions.
    pub fn predicts(&self) -> bool {
        matches!(self.question, Question::Predict(_))
    }

    /// The number of folds that are asked for; zero if none are.
    pub fn folds(&self) -> usize {
        self.comparison.as_ref().map_or(0, |asked| asked.folds.count())
    }

    /// Whether the largest strength within one standard error of the best is taken.
    pub fn one_se(&self) -> bool {
        self.comparison.as_ref().is_some_and(|asked| asked.one_se)
    }

    /// What is asked of the output.
    pub fn constraints(&self) -> Constraints {
        self.terms.constraints
    }

    /// Whether neurons have a bias.
    pub fn bias(&self) -> bool {
        self.terms.bias
    }

    /// Whether weights are drawn on standardised inputs.
    pub fn standardize(&self) -> bool {
        self.terms.standardize
    }

    /// The most inputs that a neuron may read.
    pub fn max_inputs(&self) -> Option<usize> {
        self.terms.max_inputs
    }

    /// Whether its networks are sums of rules of two conditions.
    pub fn has_two_conditions(&self) -> bool {
        self.deep.widths == [2] && self.terms.max_inputs == Some(1)
    }

    /// The relative gap to stop at.
    pub fn gap(&self) -> Option<f64> {
        self.limits.gap
    }

    /// The time that training may take.
    pub fn time_limit(&self) -> Option<Duration> {
        self.limits.time
    }

    /// Where chance starts.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The method that is asked for: to draw patterns is to sample.
    pub(super) fn method(&self) -> Method {
        method(&self.given)
    }

    /// The strength, where it is not chosen.
    pub(super) fn strength(&self) -> Strength {
        match self.question {
            Question::Solve(strength) => strength,
            _ => Strength::Ratio(RATIO),
        }
    }

    /// `β`, where it is not chosen, given the smallest whose optimum is zero.
    ///
    /// # Errors
    /// When it is not a positive finite number.
    pub fn beta(&self, beta_max: f64) -> Result<Beta, Error> {
        self.strength().beta(beta_max)
    }

    /// What rules about this training set keep to.
    pub(super) fn policy_of(&self, set: &TrainingSet) -> Result<Policy, Error> {
        if !self.policy.monotone.is_empty() && set.data().parts().len() > 1 {
            let why = "is for two classes or a number: of several classes, each has an output";
            return Err(refused("monotone", why));
        }
        let problem = |(option, what)| refused(option, format!("does not fit: {what}"));
        Policy::of(set.coding(), &self.policy).map_err(problem)
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

    /// The options that a model with this coding remembers.
    pub(super) fn history(&self, coding: &Coding) -> Vec<(String, String)> {
        let CodingOptions { keep, categorical, missing, .. } = &self.columns;
        let list = |names: &[String]| (!names.is_empty()).then(|| names.join(","));
        let mut given = self.given.clone();
        given.put("positive", coding.target().chosen().map(str::to_owned));
        given.put("keep", list(keep));
        given.put("categorical", list(categorical));
        given.put("missing", (*missing != self.usual_missing()).then(|| missing.to_string()));
        given.put("bits", coding.bits().map(|bits| bits.to_string()));
        given.put("class_weight", coding.balanced().then(|| "balanced".to_owned()));
        given.history()
    }

    /// How many random patterns are drawn, where some are.
    pub fn draws(&self) -> u64 {
        self.given.get("patterns").unwrap_or(DRAWS)
    }

    /// The strengths of a path, as parts of `β_max`.
    pub fn path_ratios(&self) -> &[f64] {
        match &self.question {
            Question::Path(ratios) => ratios,
            _ => &[],
        }
    }

    fn check_weights(&self) -> Result<(), Error> {
        let Some(weights) = self.terms.weights else { return Ok(()) };
        let (method, Terms { max_inputs, input_cost, .. }) = (self.method(), self.terms);
        let drawn = weights == Weights::Sampled;
        let why = if matches!(self.question, Question::Path(_)) {
            "a path has no weights of its own".into()
        } else if drawn && self.deep.first != First::None {
            "on a representation no weights are drawn; use svm or pi".into()
        } else if drawn && method == Method::Complete {
            "`method=complete` draws no weights; use svm or pi".into()
        } else if let (Weights::Pi, Some(k)) = (weights, max_inputs) {
            format!("these read all inputs, and `max_inputs={k}` allows {k}; use svm")
        } else if !drawn && method == Method::Sample && input_cost > 0.0 {
            "other weights read other inputs, and neurons pay for these with `input_cost`".into()
        } else {
            return Ok(());
        };
        Err(refused_as("weights", weights, why))
    }

    fn pose(&mut self, o: &mut Options) -> Result<Question, Error> {
        if o.text("beta").is_some() && o.text("beta_ratio").is_some() {
            return Err(refused("beta_ratio", "and `beta` say the same: give one of the two"));
        }
        self.comparison = Comparison::take(o);
        let strength = match &self.comparison {
            Some(_) => Strength::Ratio(RATIO),
            None => match o.take("beta") {
                Some(beta) => Strength::Beta(Beta::new(beta)?),
                None => Strength::Ratio(o.take("beta_ratio").unwrap_or(RATIO)),
            },
        };
        self.search(o)?;
        Ok(Question::Solve(strength))
    }

    fn predict(&mut self, o: &mut Options) -> Result<Question, Error> {
        if let Some(most) = o.take("rules") {
            let gap = self.limits.gap.take();
            return self.ask_for_rules(Rules { most, points: o.take("points"), gap }, o);
        }
        let mut single =
            ["max_inputs", "conditions", "gap", "weights", "rounds", "prune"].into_iter();
        let given = |name: &&str| self.given.text(name).is_some();
        let one_problem = single.find(given);
        let other = single.find(given);
        let beyond = one_problem.filter(|name| *name != "max_inputs").or(other);
        if let (Some(option), Some(_)) = (beyond, o.text("neurons")) {
            let why = format!("and `{option}` do not go together");
            return Err(refused("neurons", why));
        }
        let max_inputs = self.take_conditions(o).or_else(|| o.take("max_inputs"));
        let input_cost = o.take("input_cost").unwrap_or_default();
        let one_price = max_inputs == Some(1) && self.deep.widths.is_empty();
        if let (Some(option), true) = (one_problem, input_cost != 0.0 && !one_price) {
            let why = format!("and `{option}` go together only with `max_inputs=1`");
            return Err(refused("input_cost", why));
        }
        self.terms = Terms { max_inputs, input_cost, ..self.terms };
        self.comparison = Comparison::take(o);
        if !self.has_two_conditions() {
            self.terms.average = o.take("average");
            self.inputs = o.take("inputs");
        }
        let neurons: Option<usize> = o.take("neurons");
        Ok(Question::Predict(Predict {
            solves: one_problem.is_some(),
            neurons,
            output_bits: neurons.and_then(|_| o.take("output_bits")),
            rules: None,
        }))
    }

    /// Rules are neurons that read one input, with weights of both signs and cuts anywhere.
    fn ask_for_rules(&mut self, rules: Rules, o: &mut Options) -> Result<Question, Error> {
        let others = ["max_inputs", "conditions", "neurons", "weights", "non_negative", "bias"];
        if let Some(option) = others.iter().find(|name| self.given.text(name).is_some()) {
            return Err(refused("rules", format!("and `{option}` do not go together")));
        }
        if let Some(loss) = self.terms.loss.filter(|loss| !loss.is_smooth()) {
            return Err(refused_as("loss", loss, "rules need a loss without kinks"));
        }
        self.terms.max_inputs = Some(1);
        self.comparison = Comparison::take(o);
        let (solves, neurons, output_bits) = (true, None, None);
        Ok(Question::Predict(Predict { solves, neurons, output_bits, rules: Some(rules) }))
    }

    /// A path: it is followed on random patterns, or over neurons of few inputs.
    fn follow(&mut self, o: &mut Options) -> Result<Question, Error> {
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
        o.put("method", None);
        self.terms.max_inputs = self.take_conditions(o).or_else(|| o.take("max_inputs"));
        match (self.method(), self.terms.max_inputs) {
            (Method::Auto | Method::Generate, Some(_)) => {}
            (Method::Auto | Method::Sample, None) => o.put("patterns", None),
            (method, _) => {
                let why = "a path is followed on random patterns, and needs `method=sample`, or \
                           over neurons of few inputs with `max_inputs`";
                return Err(refused_as("method", method, why));
            }
        }
        Ok(Question::Path(ratios))
    }

    /// Takes rules of two conditions, and returns how many inputs a neuron reads then.
    fn take_conditions(&mut self, o: &mut Options) -> Option<usize> {
        let conditions: usize = o.take("conditions")?;
        self.deep.widths = vec![conditions];
        Some(1)
    }

    /// Which networks, and how they are searched.
    fn search(&mut self, o: &mut Options) -> Result<(), Error> {
        let method = self.method();
        o.put("method", None);
        let representation: Option<Representation> = o.take("representation");
        let widths: Vec<usize> = o.take_list("widths", ',');
        let represented = representation.is_some_and(|r| r != Representation::None);
        let layers: Option<usize> = o.take("layers");
        if matches!(method, Method::Auto | Method::Generate) {
            self.terms.max_inputs = self.take_conditions(o);
            if self.terms.max_inputs.is_some() {
                return Ok(());
            }
        }
        let depth = layers.unwrap_or(widths.len().max(usize::from(represented)) + 2);
        match representation {
            Some(kind @ (Representation::Gaussian | Representation::Staircase)) => {
                if !matches!(method, Method::Auto | Method::Complete) {
                    let why = format!("needs `method=complete`, not {method}");
                    return Err(refused_as("representation", kind, why));
                }
                self.deep.first = First::Given(kind);
                self.deep.widths = represented_widths(kind, depth, widths, self.terms.bias)?;
            }
            None if depth > 2
                && widths.is_empty()
                && method == Method::Auto
                && o.text("tree").is_none() =>
            {
                self.deep.first = First::Chosen(depth);
            }
            _ if depth > 2 || !widths.is_empty() => {
                check_subnetworks(method, depth, &widths)?;
                let generates = matches!(method, Method::Auto | Method::Generate);
                if generates && widths == [2] && o.get("max_inputs") == Some(1) {
                    self.terms.max_inputs = o.take("max_inputs");
                }
                self.deep.widths = widths;
                if matches!(method, Method::Auto | Method::Enumerate) {
                    self.deep.tree = o.take_flag("tree");
                }
                if method == Method::Sample {
                    o.put("patterns", None);
                }
            }
            _ => match method {
                Method::Complete | Method::Enumerate => {}
                Method::Sample => {
                    o.put("patterns", None);
                    self.inputs = o.take("inputs");
                    self.terms.input_cost = o.take("input_cost").unwrap_or_default();
                }
                Method::Auto | Method::Generate => {
                    self.terms.max_inputs = o.take("max_inputs");
                    self.terms.average = o.take("average");
                    // With one input, all neurons pay the same.
                    if self.terms.max_inputs == Some(1) {
                        self.terms.input_cost = o.take("input_cost").unwrap_or_default();
                    }
                }
            },
        }
        Ok(())
    }
}

impl Comparison {
    fn take(options: &mut Options) -> Option<Self> {
        Some(Self {
            folds: Folds::Count(options.take("cv")?),
            count: options.take("n_ratios"),
            least: options.take("least_ratio"),
            one_se: options.take_flag("one_se"),
        })
    }

    /// The strengths that are tried, as parts of `β_max`, if the request says which.
    pub(super) fn ratios(&self) -> Option<Vec<f64>> {
        (self.count.is_some() || self.least.is_some()).then(|| self.usual_ratios())
    }

    /// The same, and those of a problem if it does not.
    pub(super) fn usual_ratios(&self) -> Vec<f64> {
        let (count, least) = CV_GRID;
        geometric(self.least.unwrap_or(least), self.count.unwrap_or(count))
    }
}

/// The options with one condition in other words: a neuron that reads one input.
fn conditions(given: &Options) -> Result<Options, Error> {
    let mut options = given.clone();
    let Some(conditions) = given.text("conditions") else { return Ok(options) };
    let mut same = ["max_inputs", "layers", "widths", "representation"].into_iter();
    if let Some(other) = same.find(|name| given.text(name).is_some()) {
        let why = format!("and `{other}` both say which networks: give one of the two");
        return Err(refused("conditions", why));
    }
    if conditions == "1" {
        options.add("conditions= max_inputs=1")?;
    } else if given.text("neurons").is_some() {
        let why = "and `neurons` go together only for rules of one condition";
        return Err(refused("conditions", why));
    }
    Ok(options)
}

fn columns(options: &mut Options) -> CodingOptions {
    CodingOptions {
        target: options.take("target"),
        task: options.take("task").unwrap_or_default(),
        positive: options.take("positive"),
        missing: options.get("missing").unwrap_or_default(),
        ignore: options.take_list("ignore", SEPARATOR),
        keep: options.take_list("keep", SEPARATOR),
        keep_all: false,
        categorical: options.take_list("categorical", SEPARATOR),
        weight_column: options.take("weight_column"),
        bits: options.take("bits"),
        balanced: options.take::<String>("class_weight").is_some(),
    }
}

fn method(o: &Options) -> Method {
    let method = o.get("method").unwrap_or_default();
    if method == Method::Auto && o.text("patterns").is_some() { Method::Sample } else { method }
}

/// The widths of fixed first layers of this kind.
fn represented_widths(
    kind: Representation,
    layers: usize,
    widths: Vec<usize>,
    bias: bool,
) -> Result<Vec<usize>, Error> {
    let made = format!("`representation={kind}`");
    let refused_depth = |why: String| Err(refused_as("layers", layers, why));
    if layers < 3 {
        return refused_depth(format!("{made} makes 3 layers or more"));
    }
    if kind == Representation::Gaussian {
        return match widths.len() {
            0 => Ok(vec![GAUSSIAN_WIDTH; layers - 2]),
            1 => Ok(vec![widths[0]; layers - 2]),
            n if n == layers - 2 => Ok(widths),
            found => refused_depth(format!(
                "expected `widths` with one number for all random layers, or {}, one for each; \
                 found {found}",
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
    if !bias {
        let why = "a staircase is made of thresholds; use `representation=gaussian`";
        return Err(refused_as("bias", false, why));
    }
    Ok(widths)
}

/// Whether there are parallel subnetworks of these widths with this method.
fn check_subnetworks(method: Method, layers: usize, widths: &[usize]) -> Result<(), Error> {
    if method == Method::Complete {
        let why = "`method=complete` makes deeper networks on a representation; add \
                   `representation=gaussian` or staircase";
        return Err(refused_as("layers", layers, why));
    }
    if layers != widths.len() + 2 {
        let why = format!(
            "expected `widths` with {} numbers, one for each layer below the last hidden one, \
             found {}",
            layers - 2,
            widths.len()
        );
        return Err(refused_as("layers", layers, why));
    }
    if method == Method::Generate && !SubnetworkSearch::reaches(widths) {
        let why = format!(
            "are too many or too large: `method=generate` searches subnetworks of 3 layers with a \
             width of at most {}; use `method=sample`",
            SubnetworkSearch::max_width()
        );
        return Err(refused("widths", why));
    }
    Ok(())
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
            assert_eq!(asked(options).question, Question::Solve(strength), "{options}");
        }
        assert_eq!(asked("cv=5 method=generate").folds(), 5);
    }

    #[test]
    fn depth_follows_from_layers_widths_and_representation() {
        let deep = |options: &str| asked(options).deep;
        let of = |widths: &[usize], first| Deep { widths: widths.to_vec(), tree: false, first };
        let random = First::Given(Representation::Gaussian);
        assert_eq!(deep("beta=1"), Deep::default());
        assert_eq!(deep("representation=none"), Deep::default());
        assert_eq!(deep("widths=4,3"), of(&[4, 3], First::None));
        assert_eq!(deep("layers=5"), of(&[], First::Chosen(5)));
        assert_eq!(deep("representation=gaussian"), of(&[GAUSSIAN_WIDTH], random));
        assert_eq!(deep("representation=gaussian layers=4 widths=9"), of(&[9, 9], random));
    }

    #[test]
    fn a_grid_is_what_was_asked_for_or_falls_by_a_constant_factor() {
        let grid = |options: &str| asked(options).comparison.unwrap().usual_ratios();
        assert_eq!(grid("cv=5").len(), 30);
        assert_eq!(grid("cv=5 n_ratios=3 least_ratio=0.25"), [1.0, 0.5, 0.25]);
        let path = Request::path_of(&Options::default()).unwrap();
        assert_eq!(path.path_ratios().len(), 100);
    }

    #[test]
    fn options_that_do_not_go_together_are_refused() {
        let (requests, paths) = include_str!("refused.txt").split_once("\n\n").unwrap();
        let read = |text: &str| Options::read(text).unwrap();
        for line in requests.lines() {
            let (options, expected) = line.split_once(" => ").unwrap();
            assert_eq!(Request::new(&read(options)).expect_err(options).to_string(), expected);
        }
        for line in paths.lines() {
            let (options, expected) = line.split_once(" => ").unwrap();
            assert_eq!(Request::path_of(&read(options)).expect_err(options).to_string(), expected);
        }
        assert!(Request::path_of(&read("n_ratios=5")).is_ok() && Request::of("layers=3").is_ok());
    }
}
