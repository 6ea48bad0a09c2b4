//! Training on rows in blocks: the Lasso program on the patterns of random neurons, or over all
//! neurons of one input, by passes.
//!
//! Neurons are drawn for the sample and answered by all rows. A strength is chosen on rows held out
//! by a hash of their number; then the network is trained on all rows. See [`crate::rows`].

mod choose;
mod one_input;
mod path;

use std::cell::RefCell;
use std::time::{Duration, Instant};

use super::options::BLOCK_DRAWS;
use super::tuning::{BLOCKS_KEPT, LAST_PASSES};
use super::{
    Choice, Event, Folds, InputCounts, Method, Question, Request, Strength, Trained, Watch,
};
use crate::arrangement::{Arrangement, Hyperplane};
use crate::data::{Scaling, TrainingSet};
use crate::error::Error;
use crate::loss::LossKind;
use crate::model::{Model, Part, Setting, Size};
use crate::network::recipe::{self, Recipe};
use crate::network::{Layer, Network, Neuron};
use crate::program::{Beta, Constraints};
use crate::rows::{
    Blocks, Coded, Coefficients, Facts, Files, HELD_OUT, MOST_IN_MEMORY, Measured, OneInput, Ready,
    Rows, Sample,
};
use crate::solver::{Budget, Descent, Point, Progress, StopReason};
use crate::table::{Coding, CodingOptions, ReadOptions, Table};

/// The options that rows in blocks have.
const ALLOWED: &str = "keep categorical missing loss beta beta_ratio cv n_ratios least_ratio bias \
                       method patterns max_inputs inputs standardize gap time_limit";

/// A request on rows in blocks, which have answered a dictionary of `patterns`.
struct InBlocks<'a> {
    request: &'a Request,
    coding: &'a Coding,
    watch: &'a Watch<'a>,
    loss: LossKind,
    facts: Facts,
    /// How long a pass takes at most, as far as we know.
    pass: Duration,
    sample: &'a mut Sample,
    rows: &'a mut dyn Rows,
    patterns: usize,
}

/// Where training begins: a strength, and a point for each network.
struct Start {
    beta_max: f64,
    beta: Beta,
    w: Vec<Vec<f64>>,
    /// The loss of each network at zero.
    at_zero: Vec<f64>,
    choice: Option<Choice>,
}

/// The network of a class.
struct Solved {
    part: Part,
    network: Vec<(Hyperplane, f64)>,
    patterns: usize,
    trace: Vec<[f64; 2]>,
    stop: StopReason,
}

impl Request {
    /// Reads tables that belong together, block by block within about `memory` bytes. At most
    /// [`MOST_IN_MEMORY`] rows become one table. `tell` hears how far it is.
    ///
    /// # Errors
    /// When an option does not apply, or a table cannot be read or coded.
    pub fn open(
        &self,
        sources: Vec<String>,
        options: ReadOptions,
        memory: u64,
        tell: &dyn Fn(String),
    ) -> Result<Ready, Error> {
        let draws = self.drawn();
        let files = Files::within(memory, draws, sources, options)?;
        let taken = files.take(&|rows| tell(format!("reading: {rows} rows")))?;
        let count = taken.rows();
        if count <= MOST_IN_MEMORY as u64 {
            return Ok(Ready::Table(taken.table()?));
        }
        let (coding, sample) = taken.coded(&self.columns, None)?;
        self.check_rows(&coding)?;
        let mut rows = Blocks::within(memory, count, coding.dimension(), draws)?;
        let coded = |coded| tell(format!("coding: {coded} of {count} rows"));
        let (tally, files) = files.code(&coding, &mut rows, &coded)?;
        Ok(Ready::Blocks(Coded { coding, sample, rows, tally, files }))
    }

    /// A table in blocks, if it is trained so: it has more than [`MOST_IN_MEMORY`] rows, training
    /// by blocks knows the request, and every row can be coded as the sample decides. The weights
    /// are those of the rows, if no column has them.
    pub fn divided(
        &self,
        table: &Table,
        columns: &CodingOptions,
        weights: Option<&[f64]>,
    ) -> Option<Coded> {
        if table.rows() <= MOST_IN_MEMORY {
            return None;
        }
        let knows = |coding: &Coding| self.check_rows(coding).is_ok();
        Coded::of_table((table, weights), columns, self.drawn(), knows).ok().flatten()
    }

    /// The same for samples that are coded, as arrays are.
    pub fn divided_set(&self, set: &TrainingSet) -> Option<Coded> {
        let large = set.y().len() > MOST_IN_MEMORY && set.split().is_none();
        let known = large && self.check_rows(set.coding()).is_ok();
        known.then(|| Coded::of_set(set, self.drawn()).ok()).flatten()
    }

    /// Trains on rows in blocks, which this coding has made, with a sample of them. The result does
    /// not depend on how the rows are divided. The second result is the accuracy on the training
    /// rows, or `R²` of numbers.
    ///
    /// # Errors
    /// When an option does not apply, or the rows cannot be reached.
    pub fn train_rows(
        &self,
        coding: &Coding,
        sample: &mut Sample,
        rows: &mut dyn Rows,
        watch: &Watch<'_>,
    ) -> Result<(Trained, f64), Error> {
        let limited = self.max_inputs().is_some();
        let mut blocks = self.in_blocks(coding, sample, rows, watch)?;
        let one = || OneInput::of(blocks.rows, blocks.facts.rows);
        let one_input = limited.then(one).transpose()?;
        let neurons = match &one_input {
            Some(one) => one_input::spread(one, coding.dimension()),
            None => self.draw(coding, blocks.sample),
        };
        blocks.answer(&neurons)?;
        let began = Instant::now();
        let zeros = blocks.zeros()?;
        blocks.pass = began.elapsed() / coding.networks() as u32;
        let beta_max = match &one_input {
            Some(one) => blocks.beta_max_over(one)?,
            None => beta_max(&zeros),
        };
        let start = blocks.start(zeros, beta_max)?;
        let solved = match &one_input {
            None => blocks.solve(&neurons, &start)?,
            Some(one) => blocks.generate(one, &neurons, &start)?,
        };
        // The score is that of all networks together, on the neurons in use.
        let used = solved.iter().flat_map(|solved| &solved.network);
        let used: Vec<Hyperplane> = used.map(|(plane, _)| plane.clone()).collect();
        let mut places = 0..;
        let networks = solved.iter().map(|solved| {
            solved.network.iter().zip(&mut places).map(|((_, a), place)| (place, *a)).collect()
        });
        let networks: Vec<Coefficients> = networks.collect();
        blocks.answer(&used)?;
        let (score, _, _) = blocks.score(networks, false)?;
        Ok((watch.stopped(blocks.trained(solved, start)?), score))
    }

    /// Refuses options that rows in blocks do not have, and asks for the facts.
    fn in_blocks<'a>(
        &'a self,
        coding: &'a Coding,
        sample: &'a mut Sample,
        rows: &'a mut dyn Rows,
        watch: &'a Watch<'a>,
    ) -> Result<InBlocks<'a>, Error> {
        let loss = self.check_rows(coding)?;
        let facts = rows.facts(classes(coding))?;
        if facts.weight[0].value() <= 0.0 {
            let problem = "all weights are zero".into();
            return Err(Error::Option { option: "weight_column", problem });
        }
        let (pass, patterns) = (Duration::ZERO, 0);
        Ok(InBlocks { request: self, coding, watch, loss, facts, pass, sample, rows, patterns })
    }

    /// Refuses what rows in blocks do not have, and returns the loss.
    fn check_rows(&self, coding: &Coding) -> Result<LossKind, Error> {
        let options = self.history(coding);
        let one_input = self.max_inputs() == Some(1) && self.terms.bias;
        let refused = options.iter().find(|(name, value)| match name.as_str() {
            "method" => value != if one_input { "generate" } else { "sample" },
            "max_inputs" => !one_input,
            "cv" => self.comparison.as_ref().is_some_and(|c| matches!(c.folds, Folds::Given(_))),
            name => !ALLOWED.split(' ').any(|allowed| allowed == name),
        });
        let drawn = one_input || self.method() == Method::Sample;
        let given = matches!(self.question, Question::Solve(_)) && self.comparison.is_none();
        let problem = given && !drawn;
        let strength = options.iter().find(|(name, _)| name.starts_with("beta"));
        let refused = refused.or(strength.filter(|_| problem));
        if let Some((name, value)) = refused {
            let problem = format!(
                "`{name}={value}` needs the rows in memory, at most {MOST_IN_MEMORY}; more rows \
                 are trained in blocks, for the best predictions, on the patterns of random \
                 neurons (`patterns=2000`), or over all neurons with one input and a bias \
                 (`max_inputs=1`)"
            );
            return Err(Error::Option { option: "memory", problem });
        }
        let several = classes(coding) > 0;
        let usual = if several { LossKind::Logistic } else { LossKind::Squared };
        let Some(loss) = self.terms.loss.filter(|loss| *loss != usual) else { return Ok(usual) };
        let problem = format!(
            "`loss={loss}` needs the rows in memory, at most {MOST_IN_MEMORY}: in blocks, classes \
             have the logistic loss, and numbers the squared loss"
        );
        Err(Error::Option { option: "loss", problem })
    }

    fn drawn(&self) -> u64 {
        if self.predicts() { BLOCK_DRAWS } else { self.draws() }
    }

    /// Random neurons with different patterns on the sample, and one that is always on.
    fn draw(&self, coding: &Coding, sample: &Sample) -> Vec<Hyperplane> {
        let features = sample.features();
        let arrangement = Arrangement::with_bias(features, self.terms.bias);
        let scaling = if self.terms.standardize {
            Scaling::fit(features, &sample.weights(), self.terms.bias)
        } else {
            Scaling::identity(features.dimension())
        };
        let reads = self.inputs.as_ref().unwrap_or(&InputCounts::Mixed).reads(coding);
        let rng = &mut recipe::rng(self.seed);
        let drawn = arrangement.sample_mixed(self.drawn() as usize, &reads, &scaling, rng);
        let on = always_on(features.dimension(), self.terms.bias);
        std::iter::once(on).chain(drawn.witnesses).collect()
    }
}

fn classes(coding: &Coding) -> usize {
    coding.target().classes().map_or(0, |classes| classes.len())
}

fn always_on(dimension: usize, bias: bool) -> Hyperplane {
    Hyperplane { weights: vec![0.0; dimension], bias: if bias { 1.0 } else { 0.0 } }
}

impl InBlocks<'_> {
    /// Answers a dictionary, which programs are about from now on.
    fn answer(&mut self, neurons: &[Hyperplane]) -> Result<(), Error> {
        self.sample.answer(neurons);
        self.patterns = neurons.len();
        self.rows.answer(neurons)
    }

    fn class(&self, network: usize) -> Option<usize> {
        (self.coding.networks() > 1).then_some(network)
    }

    /// The time that is left, but for the last passes.
    fn budget(&self) -> Budget<'_> {
        let limit = self.request.limits.time;
        self.watch.budget(limit.map(|limit| limit.saturating_sub(LAST_PASSES * self.pass)))
    }

    fn tolerance(&self) -> f64 {
        self.request.limits.tolerance_or(BLOCKS_KEPT.0)
    }

    fn tell(&self, round: usize, neurons: usize, both: [f64; 2]) {
        let ([objective, lower_bound], patterns) = (both, self.patterns);
        let progress = Progress { round, patterns, neurons, objective, lower_bound };
        self.watch.tell(Event::Progress(&progress));
    }

    fn trained(&self, solved: Vec<Solved>, start: Start) -> Result<Trained, Error> {
        let stops: Vec<StopReason> = solved.iter().map(|solved| solved.stop).collect();
        let patterns = if self.request.max_inputs().is_some() {
            solved.iter().map(|s| s.patterns).sum()
        } else {
            solved[0].patterns
        };
        let (parts, traces): (Vec<Part>, Vec<_>) =
            solved.into_iter().map(|s| (s.part, s.trace)).unzip();
        let setting = Setting {
            loss: self.loss,
            beta: start.beta,
            bias: self.request.terms.bias,
            constraints: Constraints::default(),
            input_cost: 0.0,
        };
        let model = Model::new(self.coding.clone(), None, setting, parts)?;
        let trained = Trained::plain(model, (start.beta_max, true), patterns, stops);
        let trained = Trained { choice: start.choice, ..trained };
        let options = self.request.history(self.coding);
        Ok(trained.remembered(self.request.seed, options, &traces))
    }

    /// One network of the model, with its certificates. The rows have answered these neurons.
    fn part(
        &self,
        neurons: &[Hyperplane],
        coefficients: &[(usize, f64)],
        beta: Beta,
        network: usize,
        one_input: Option<&OneInput>,
    ) -> Result<Part, Error> {
        let inputs = self.coding.dimension();
        let certificates = self.measured(beta, network, one_input).certificates(coefficients)?;
        let listed: Vec<Neuron> = neurons.iter().cloned().map(sparse).collect();
        let (used, amplitudes): (Vec<Neuron>, Vec<f64>) =
            coefficients.iter().map(|(j, a)| (listed[*j].clone(), *a)).unzip();
        let layer = Layer { neurons: used };
        let network = Network::new(inputs, vec![layer], amplitudes, 0.0)?;
        let fingerprint = self.facts.prints.fingerprint(self.facts.rows, inputs);
        let recipe = Recipe::Listed { neurons: listed, max_inputs: self.request.max_inputs() };
        let size = Size { rows: self.facts.rows, weight: self.facts.weight[0].value() };
        Ok(Part::of_rows(network, recipe, certificates, fingerprint, size))
    }

    fn measured<'b>(
        &'b self,
        beta: Beta,
        network: usize,
        one_input: Option<&'b OneInput>,
    ) -> Measured<'b> {
        Measured {
            rows: self.rows,
            facts: &self.facts,
            loss: self.loss,
            class: self.class(network),
            beta,
            bias: self.request.terms.bias,
            one_input,
        }
    }

    fn zeros(&self) -> Result<Vec<Point>, Error> {
        let networks = 0..self.coding.networks();
        networks.map(|k| self.descent(k, false).at(vec![0.0; self.patterns])).collect()
    }

    /// The strength, given or chosen, and where to begin.
    fn start(&self, zeros: Vec<Point>, beta_max: f64) -> Result<Start, Error> {
        let request = self.request;
        let at_zero = zeros.iter().map(|zero| zero.loss).collect();
        let (strength, w, choice) = match (&request.comparison, &request.question) {
            (None, Question::Solve(strength)) => {
                (*strength, zeros.into_iter().map(|zero| zero.w).collect(), None)
            }
            (comparison, _) => {
                let (w, chosen) = match comparison {
                    Some(asked) => self.cross_validate(zeros, asked.folds.count())?,
                    None => self.hold_out()?,
                };
                (Strength::Ratio(chosen.ratio), w, Some(chosen))
            }
        };
        Ok(Start { beta_max, beta: strength.beta(beta_max)?, w, at_zero, choice })
    }

    fn solve(&self, neurons: &[Hyperplane], start: &Start) -> Result<Vec<Solved>, Error> {
        let beta = start.beta;
        let network = |(k, w): (usize, &Vec<f64>)| {
            self.watch.tell(Event::Class(k));
            let trace = RefCell::new(Vec::new());
            let told = |point: &Point| {
                let both = [point.objective(beta.get()), point.lower_bound(beta.get())];
                trace.borrow_mut().push(both);
                let (round, used) = (trace.borrow().len(), point.coefficients().len());
                self.tell(round, used, both);
            };
            let descent = self.descent(k, false);
            let from = self.from(&descent, w.clone(), start.at_zero[k])?;
            let (point, stop) =
                descent.solve(from, beta, self.tolerance(), BLOCKS_KEPT.1, &told)?;
            let coefficients = point.coefficients();
            Ok(Solved {
                part: self.part(neurons, &coefficients, beta, k, None)?,
                network: coefficients.iter().map(|(j, a)| (neurons[*j].clone(), *a)).collect(),
                patterns: self.patterns,
                trace: trace.into_inner(),
                stop,
            })
        };
        start.w.iter().enumerate().map(network).collect()
    }

    /// A point, or zero if that loses less, which is `at_zero`: the grid of the dual point is fine
    /// enough for points that lose no more.
    fn from(&self, descent: &Descent<'_>, w: Vec<f64>, at_zero: f64) -> Result<Point, Error> {
        let point = descent.at(w)?;
        if point.loss <= at_zero { Ok(point) } else { descent.at(vec![0.0; self.patterns]) }
    }

    /// How well networks predict all rows, or those held out: the accuracy or `R²`, its standard
    /// error, and the mean log-loss or squared loss.
    fn score(&self, networks: Vec<Coefficients>, held_out: bool) -> Result<(f64, f64, f64), Error> {
        let numbers = classes(self.coding) == 0;
        let mut folds = vec![networks];
        folds.resize(if held_out { HELD_OUT } else { 1 }, Vec::new());
        Ok(self.summary(&self.rows.score(folds, numbers)?, held_out))
    }

    /// The program of one network; some rows may be held out.
    fn descent(&self, network: usize, held_out: bool) -> Descent<'_> {
        Descent {
            rows: self.rows,
            sample: self.sample,
            loss: self.loss,
            class: self.class(network),
            held_out,
            weight: self.facts.weight[usize::from(held_out)].value(),
            unit: self.facts.unit(self.loss),
            budget: self.budget(),
        }
    }
}

/// A neuron that lists the inputs it reads, if these are few.
fn sparse(plane: Hyperplane) -> Neuron {
    if 2 * plane.reads() > plane.weights.len() {
        return Neuron::from(plane);
    }
    let read = plane.weights.iter().enumerate().filter(|(_, w)| **w != 0.0);
    let (inputs, weights) = read.map(|(j, w)| (j as u32, *w)).unzip();
    Neuron { inputs: Some(inputs), weights, bias: plane.bias }
}

/// The largest `|dᵀ∇L(0)|` over the patterns and networks.
fn beta_max(zeros: &[Point]) -> f64 {
    zeros.iter().flat_map(|zero| &zero.gradient).fold(0.0, |most: f64, g| most.max(g.abs()))
}
