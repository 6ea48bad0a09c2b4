//! Training on rows in shards: the Lasso program on the patterns of random neurons, by passes.
//!
//! Neurons are drawn for the sample and answered by all rows. A strength is chosen on one row in ten, held out
//! by a hash of its number; then the network is trained on all rows. See [`crate::shards`].

use std::cell::RefCell;

use super::choose::grid;
use super::{Chosen, Event, InputClass, InputCounts, Request, Strength, Trained, Watch};
use crate::arrangement::{Arrangement, Hyperplane};
use crate::data::{Coding, Scaling};
use crate::error::Error;
use crate::loss::LossKind;
use crate::model::{Calibration, Model, Part, Setting};
use crate::network::recipe::{self, Recipe};
use crate::network::{Layer, Network, Neuron};
use crate::program::{Beta, Constraints};
use crate::shards::{Facts, Measured, Rows, Sample};
use crate::solver::{Descent, Point, Progress, StopReason};
use crate::spelling::mark;

/// How many random neurons are drawn, unless the request says.
const DRAWS: u64 = 2000;
/// The relative gap of a network that is only compared with others, and the most passes for it.
const COMPARED: (f64, usize) = (1e-3, 4);
/// The same for the network that is kept.
const KEPT: (f64, usize) = (1e-4, 50);
/// After so many strengths that predict worse than the best before, no smaller ones are tried.
const WORSE: usize = 2;
/// The options that rows in shards have.
const ALLOWED: [&str; 15] = [
    "keep",
    "categorical",
    "missing",
    "loss",
    "beta",
    "beta_ratio",
    "n_ratios",
    "least_ratio",
    "ratios",
    "bias",
    "method",
    "patterns",
    "inputs",
    "standardize",
    "gap",
];

/// Training on rows in shards.
struct Training<'a> {
    request: &'a Request,
    coding: &'a Coding,
    sample: &'a Sample,
    rows: &'a dyn Rows,
    facts: Facts,
    loss: LossKind,
    patterns: usize,
    watch: &'a Watch<'a>,
}

impl Request {
    /// Trains on rows in shards, which this coding has made, with a sample of them. The result does not depend
    /// on how the rows are divided. The second result is the accuracy on the training rows, or `R²` of numbers.
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
        self.check_options()?;
        let loss = self.check_rows(coding)?;
        let facts = rows.facts(classes(coding))?;
        let neurons = self.draw(coding, sample);
        sample.answer(&neurons);
        rows.answer(&neurons)?;
        let training = Training {
            request: self,
            coding,
            sample,
            rows,
            facts,
            loss,
            patterns: neurons.len(),
            watch,
        };
        let trained = training.train(neurons)?;
        Ok((watch.stopped(trained.0), trained.1))
    }

    /// Refuses options that rows in shards do not have, and returns the loss.
    fn check_rows(&self, coding: &Coding) -> Result<LossKind, Error> {
        let options = self.options(coding);
        let refused = options.iter().find(|(name, value)| {
            !ALLOWED.contains(&name.as_str()) || name == "method" && value != "sample"
        });
        if let Some((name, value)) = refused {
            let problem = format!(
                "{} does not apply to rows in shards, which are trained on the patterns of random neurons",
                mark(name, Some(value))
            );
            return Err(Error::Option { option: "memory", problem });
        }
        let usual = match coding.target().classes() {
            Some(_) => LossKind::Logistic,
            None => LossKind::Squared,
        };
        match self.loss.filter(|loss| *loss != usual) {
            None => Ok(usual),
            Some(loss) => {
                let loss = mark("loss", Some(&loss.to_string()));
                let problem = format!(
                    "{loss}: rows in shards are trained with the logistic loss for classes, and the squared \
                     loss for numbers"
                );
                Err(Error::Option { option: "loss", problem })
            }
        }
    }

    /// Random neurons with different patterns on the sample, and one that is always on.
    fn draw(&self, coding: &Coding, sample: &Sample) -> Vec<Hyperplane> {
        let features = sample.features();
        let arrangement = Arrangement::of(features);
        let arrangement = if self.bias { arrangement } else { arrangement.without_bias() };
        let scaling = match self.standardize {
            true => Scaling::fit(features, &sample.weights(), self.bias),
            false => Scaling::identity(features.dimension()),
        };
        let reads = self.inputs.as_ref().unwrap_or(&InputCounts::Mixed).reads(coding);
        let draws = self.patterns.unwrap_or(DRAWS) as usize;
        let rng = &mut recipe::rng(self.seed);
        let on = Hyperplane {
            weights: vec![0.0; features.dimension()],
            bias: if self.bias { 1.0 } else { 0.0 },
        };
        let mut neurons = arrangement.sample_mixed(draws, &reads, &scaling, rng).witnesses;
        neurons.insert(0, on);
        neurons
    }
}

/// The number of classes of the target; none for numbers.
fn classes(coding: &Coding) -> usize {
    coding.target().classes().map_or(0, |classes| classes.len())
}

/// The point of each network.
type Points = Vec<Point>;

impl Training<'_> {
    fn train(&self, neurons: Vec<Hyperplane>) -> Result<(Trained, f64), Error> {
        let networks = self.coding.networks();
        let all: Vec<Descent<'_>> = (0..networks).map(|k| self.descent(k, false)).collect();
        let zeros = || vec![0.0; self.patterns];
        let (start, choice) = match self.given() {
            Some(_) => (vec![zeros(); networks], None),
            None => {
                let (start, choice) = self.choose()?;
                (start, Some(choice))
            }
        };
        let at_zero = all.iter().map(|d| d.at(zeros())).collect::<Result<Points, _>>()?;
        let beta_max = beta_max(&at_zero);
        let ratio = choice.as_ref().map_or(Strength::Ratio(1.0), |c| Strength::Ratio(c.ratio));
        let beta = self.given().unwrap_or(ratio).beta(beta_max)?;
        let tolerance = self.request.gap.or(self.request.tolerance).unwrap_or(KEPT.0);
        let (mut parts, mut traces, mut stops) = (Vec::new(), Vec::new(), Vec::new());
        let mut networks = Vec::new();
        for (k, ((descent, w), zero)) in all.iter().zip(start).zip(at_zero).enumerate() {
            self.watch.tell(Event::Class(k));
            let trace = RefCell::new(Vec::new());
            let told = |point: &Point| {
                let (objective, lower_bound) =
                    (point.objective(beta.get()), point.lower_bound(beta.get()));
                trace.borrow_mut().push([objective, lower_bound]);
                self.watch.tell(Event::Progress(&Progress {
                    round: trace.borrow().len(),
                    patterns: self.patterns,
                    neurons: point.coefficients().len(),
                    objective,
                    lower_bound,
                }));
            };
            // The grid of the dual point is fine enough for points that lose no more than zero.
            let start = Some(descent.at(w)?).filter(|start| start.loss <= zero.loss);
            let start = start.unwrap_or(zero);
            let (point, stop) = descent.solve(start, beta, tolerance, KEPT.1, &told)?;
            parts.push(self.part(&neurons, &point, beta, k)?);
            traces.push(trace.into_inner());
            stops.push(stop);
            networks.push(point.coefficients());
        }
        let setting = self.setting(beta);
        let stop = stops.into_iter().find(|stop| *stop != StopReason::GapReached);
        let trained = Trained {
            model: Model::new(self.coding.clone(), None, setting, parts)?,
            beta_max,
            beta_max_exact: true,
            patterns: self.patterns,
            stop: stop.unwrap_or(StopReason::GapReached),
            chosen: None,
            choice,
            pruned: None,
            narrowed: None,
            why: None,
            more: None,
            averaged: None,
        };
        let options = self.request.options(self.coding);
        let (score, _, _) = self.score(networks, false)?;
        Ok((trained.remembered(self.request.seed, options, &traces), score))
    }

    /// How well networks predict all rows, or those held out: the accuracy or `R²`, its standard error, and
    /// the mean log-loss or squared loss.
    fn score(
        &self,
        networks: Vec<Vec<(usize, f64)>>,
        held_out: bool,
    ) -> Result<(f64, f64, f64), Error> {
        let numbers = classes(self.coding) == 0;
        let score = self.rows.score(networks, held_out, numbers)?;
        let weight = score.weight.value();
        if !numbers {
            let right = score.right.value() / weight;
            let error = (right * (1.0 - right) / weight).sqrt();
            return Ok((right, error, score.log_loss.value() / weight));
        }
        let moments = &self.facts.moments[usize::from(held_out)];
        let [mean, square] = [0, 1].map(|k| moments[k].value() / weight);
        let variance = Some(square - mean * mean).filter(|v| *v > 0.0).unwrap_or(1.0);
        let off = score.error.value() / weight;
        let spread = (score.fourth.value() / weight - off * off).max(0.0);
        Ok((1.0 - off / variance, (spread / weight).sqrt() / variance, 0.5 * off))
    }

    /// The strength of the request, if it has one.
    fn given(&self) -> Option<Strength> {
        let Request { beta, beta_ratio, .. } = self.request;
        let beta = beta.and_then(|beta| Beta::new(beta).ok()).map(Strength::Beta);
        beta.or(beta_ratio.map(Strength::Ratio))
    }

    fn setting(&self, beta: Beta) -> Setting {
        let constraints = Constraints::default();
        Setting { loss: self.loss, beta, bias: self.request.bias, constraints, input_cost: 0.0 }
    }

    fn class(&self, network: usize) -> Option<usize> {
        (self.coding.networks() > 1).then_some(network)
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
            budget: self.watch.budget(None),
        }
    }

    /// Chooses the strength that predicts the rows held out best. Returns the networks there, and the choice.
    fn choose(&self) -> Result<(Vec<Vec<f64>>, Chosen), Error> {
        let request = self.request;
        let own =
            request.ratios.is_some() || request.n_ratios.is_some() || request.least_ratio.is_some();
        let ratios = if own { request.cv_ratios() } else { grid() };
        let held = self.facts.weight[0].value() - self.facts.weight[1].value();
        if held <= 0.0 || self.facts.weight[1].value() <= 0.0 {
            let (beta, rows) = (mark("beta", None), self.facts.rows);
            let problem = format!(
                "of {rows} rows, none or all would be held out to choose a strength; give {beta}"
            );
            return Err(Error::Option { option: "beta", problem });
        }
        let descents: Vec<Descent<'_>> =
            (0..self.coding.networks()).map(|k| self.descent(k, true)).collect();
        self.watch.tell(Event::Choosing { scores: ratios.len() * descents.len() });
        let zero = || vec![0.0; self.patterns];
        let mut points: Points =
            descents.iter().map(|descent| descent.at(zero())).collect::<Result<_, _>>()?;
        let beta_max = beta_max(&points);
        let (mut losses, mut best): (Vec<f64>, Option<(usize, Points)>) = (Vec::new(), None);
        for (k, ratio) in ratios.iter().enumerate() {
            let beta = Strength::Ratio(*ratio).beta(beta_max)?;
            for (descent, point) in descents.iter().zip(&mut points) {
                let start = point.clone();
                *point = descent.solve(start, beta, COMPARED.0, COMPARED.1, &|_| ())?.0;
                self.watch.tell(Event::Scored);
            }
            losses.push(points.iter().map(|point| point.held_out).sum::<f64>() / held);
            if best.as_ref().is_none_or(|(b, _)| losses[k] < losses[*b]) {
                best = Some((k, points.clone()));
            }
            let since = best.as_ref().map_or(0, |(b, _)| k - b);
            if since >= WORSE || self.watch.interrupted() {
                break;
            }
        }
        let (best, points) = best.ok_or(Error::Interrupted)?;
        let networks = points.iter().map(Point::coefficients).collect();
        let (score, error, loss) = self.score(networks, true)?;
        let numbers = classes(self.coding) == 0;
        let chosen = Chosen {
            class: request.inputs.as_ref().map_or(InputClass::Mixed, |_| InputClass::Given),
            classes: Vec::new(),
            folds: 1,
            ratios: ratios[..losses.len()].to_vec(),
            losses,
            ratio: ratios[best],
            loss,
            score,
            error,
            calibration: if numbers { None } else { Some(Calibration::new(1.0)?) },
        };
        Ok((points.into_iter().map(|point| point.w).collect(), chosen))
    }

    /// One network of the model, with its certificates.
    fn part(
        &self,
        neurons: &[Hyperplane],
        point: &Point,
        beta: Beta,
        network: usize,
    ) -> Result<Part, Error> {
        let inputs = self.coding.dimension();
        let measured = Measured {
            rows: self.rows,
            facts: &self.facts,
            loss: self.loss,
            class: self.class(network),
            beta,
            bias: self.request.bias,
        };
        let coefficients = point.coefficients();
        let certificates = measured.certificates(&coefficients)?;
        let listed: Vec<Neuron> = neurons.iter().cloned().map(sparse).collect();
        let (used, amplitudes): (Vec<Neuron>, Vec<f64>) =
            coefficients.iter().map(|(j, a)| (listed[*j].clone(), *a)).unzip();
        let layer = Layer { neurons: used };
        let network = Network::new(inputs, vec![layer], amplitudes, 0.0)?;
        let fingerprint = self.facts.prints.fingerprint(self.facts.rows, inputs);
        Ok(Part::of_rows(network, Recipe::Listed { neurons: listed }, certificates, fingerprint))
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
