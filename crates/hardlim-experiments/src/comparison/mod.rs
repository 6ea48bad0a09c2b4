//! Convex programs against gradient descent on the data of a teacher: the protocol of four experiments.
//!
//! Every convex method runs once. Every heuristic runs from several starts at two learning rates; its best
//! run is shown. We compare with all runs, both as trained and after the best rescaling.

mod claims;
mod figures;
mod outcome;

use std::time::Instant;

use hardlim::Error;
use hardlim::data::Features;
use hardlim::network::{Layer, Network, Representation, Weights};
use hardlim::program::Beta;
use hardlim::train::{Method, Request};
use hardlim_baseline::{Baseline, Surrogate};
use serde_json::{Value, json};

use crate::curve;
use crate::experiment::{Context, Experiment, Records, Trial};
use crate::report::Report;
use crate::samples::{Samples, lower_bound};
use outcome::Outcome;

/// `β` in all four experiments.
const BETA: f64 = 1e-3;
const LOSS: &str = "squared";
/// Epochs without progress before the learning rate falls. Surrogate gradients are noisy: with the usual
/// 10, the rate falls too early, and half of the runs would end where they started.
const PATIENCE: usize = 50;

/// One of the four experiments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Comparison {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// The figures of the paper.
    pub(crate) source: &'static str,
    /// The built-in data set.
    pub(crate) teacher: &'static str,
    /// `(n, d)`, and whether the paper finds that convex training is at least as good on new samples.
    pub(crate) sizes: &'static [(usize, usize, bool)],
    pub(crate) shape: Shape,
}

/// The shape of the trained networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Two layers of `m` neurons.
    Two,
    /// A fixed random layer of `m` neurons, and `n` trained ones above it.
    Represented,
    /// `m` and `n` neurons, all trained.
    Three,
    /// Nine hidden layers, `m` neurons and then `n` in each, with batch normalisation.
    Ten,
}

/// The settings that depend on the scale only.
#[derive(Debug, Clone, Copy)]
struct Settings {
    /// `m`, and the number of sampled patterns.
    width: usize,
    epochs: usize,
    starts: u64,
    rates: &'static [f64],
    test: usize,
}

/// A convex method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Convex {
    Lasso,
    Generate,
    Pi,
    Svm,
}

impl Convex {
    fn name(self) -> &'static str {
        match self {
            Self::Lasso => "Convex-Lasso",
            Self::Generate => "generate (ours)",
            Self::Pi => "Convex-PI",
            Self::Svm => "Convex-SVM",
        }
    }
}

impl Comparison {
    fn settings(&self, context: &Context<'_>) -> Settings {
        let scale = context.scale;
        let deep = self.shape == Shape::Ten;
        Settings {
            width: scale.pick(60, 1000, 1000),
            epochs: scale.pick(5, if deep { 200 } else { 500 }, 5000),
            starts: scale.pick(1, if deep { 3 } else { 5 }, 5),
            rates: scale.pick(&[0.01], &[0.003, 0.01], &[0.001, 0.003, 0.01, 0.03]),
            test: scale.pick(100, 3000, 3000),
        }
    }

    fn sizes(&self, context: &Context<'_>) -> Vec<(usize, usize, bool)> {
        let smaller = |&(n, d, convex): &(usize, usize, bool)| match context.scale {
            crate::Scale::Tiny => (n / 5, d / 5, convex),
            _ => (n, d, convex),
        };
        self.sizes.iter().map(smaller).collect()
    }

    /// The convex methods that apply.
    fn convex(&self, (n, d): (usize, usize)) -> &'static [Convex] {
        match self.shape {
            // Gaussian points in this many dimensions are in general position.
            Shape::Two if n <= d + 1 => &[Convex::Lasso, Convex::Pi, Convex::Svm],
            Shape::Two => &[Convex::Lasso, Convex::Generate],
            _ => &[Convex::Pi, Convex::Svm],
        }
    }

    fn convex_key(&self, settings: &Settings, (n, d): (usize, usize), method: Convex) -> String {
        format!("{n}x{d}/{}/m{}/test{}", method.name(), settings.width, settings.test)
    }

    fn start_key(
        &self,
        settings: &Settings,
        (n, d): (usize, usize),
        (surrogate, rate, start): (Surrogate, f64, u64),
    ) -> String {
        let Settings { width, epochs, test, .. } = settings;
        format!("{n}x{d}/{surrogate}/m{width}/epochs{epochs}/rate{rate}/start{start}/test{test}")
    }

    fn request(
        &self,
        context: &Context<'_>,
        method: Convex,
        widths: &[usize],
        patterns: usize,
    ) -> Request {
        let represented = self.shape != Shape::Two;
        Request {
            method: match method {
                Convex::Lasso => Method::Sample,
                Convex::Generate => Method::Generate,
                Convex::Pi | Convex::Svm => Method::Complete,
            },
            weights: match method {
                Convex::Lasso | Convex::Generate => None,
                Convex::Pi => Some(Weights::Pi),
                Convex::Svm => Some(Weights::Svm),
            },
            patterns: (method == Convex::Lasso).then_some(patterns as u64),
            beta: Some(BETA),
            representation: represented.then_some(Representation::Gaussian),
            widths: if represented { widths.to_vec() } else { Vec::new() },
            seed: context.seed,
            tolerance: Some(1e-9),
            ..Request::default()
        }
    }

    /// The widths of the random layers.
    fn fixed(&self, width: usize) -> Vec<usize> {
        match self.shape {
            Shape::Two => Vec::new(),
            Shape::Represented | Shape::Three => vec![width],
            // The layers above the first need a certain rank, not a certain width.
            Shape::Ten => [width].into_iter().chain([width.div_ceil(2); 7]).collect(),
        }
    }
}

impl Experiment for Comparison {
    fn id(&self) -> &'static str {
        self.id
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn trials(&self, context: &Context<'_>) -> Vec<Trial> {
        let settings = self.settings(context);
        let mut trials = Vec::new();
        for (n, d, _) in self.sizes(context) {
            let (size, this) = ((n, d), *self);
            for &method in self.convex(size) {
                let key = self.convex_key(&settings, size, method);
                trials.push(Trial::new(key, 2.0, move |context| {
                    this.solve(context, &settings, size, method)
                }));
            }
            for surrogate in Surrogate::ALL {
                for &rate in settings.rates {
                    for start in 0..settings.starts {
                        let run = (surrogate, rate, start);
                        let key = self.start_key(&settings, size, run);
                        trials.push(Trial::new(key, 1.0, move |context| {
                            this.descend(context, &settings, size, run)
                        }));
                    }
                }
            }
        }
        trials
    }

    fn report(&self, context: &Context<'_>, records: &Records) -> Report {
        Outcome::new(self, context, records).report()
    }
}

impl Comparison {
    /// Solves one convex program.
    fn solve(
        &self,
        context: &Context<'_>,
        settings: &Settings,
        size: (usize, usize),
        method: Convex,
    ) -> Result<Value, Error> {
        let (train, test) = Samples::teacher(self.teacher, size, settings.test, context.seed)?;
        let widths = self.fixed(settings.width);
        let request = self.request(context, method, &widths, settings.width);
        let (trained, seconds) = train.train(&request, context)?;
        let model = &trained.model;
        let (fewer, more) = train.classes();
        Ok(json!({
            "objective": model.certificate().objective(), "lower_bound": lower_bound(model),
            "neurons": model.first().network().neurons(), "patterns": trained.patterns,
            "train_accuracy": train.accuracy(model.first().network()),
            "test_accuracy": test.accuracy(model.first().network()),
            "fewer": fewer, "more": more, "train_seconds": seconds,
        }))
    }

    /// One run of a heuristic from one start at one learning rate.
    fn descend(
        &self,
        context: &Context<'_>,
        settings: &Settings,
        size: (usize, usize),
        (surrogate, rate, start): (Surrogate, f64, u64),
    ) -> Result<Value, Error> {
        let (n, _) = size;
        let (train, test) = Samples::teacher(self.teacher, size, settings.test, context.seed)?;
        let below = match self.shape {
            Shape::Represented => Some(self.first_layer(context, settings, &train)?),
            _ => None,
        };
        let m = settings.width;
        let baseline = Baseline {
            surrogate,
            widths: match self.shape {
                Shape::Two => vec![m],
                Shape::Represented => vec![n],
                Shape::Three => vec![m, n],
                Shape::Ten => [m].into_iter().chain([n; 8]).collect(),
            },
            epochs: settings.epochs,
            learning_rate: rate,
            patience: PATIENCE,
            batch_norm: self.shape == Shape::Ten,
            // Zeros and ones are used as they are.
            standardize: below.is_none(),
            seed: context.seed.wrapping_add(start),
            ..Baseline::default()
        };
        let inputs = match &below {
            Some(layer) => Samples { x: answers(layer, &train.x)?, ..train.clone() },
            None => train.clone(),
        };
        let (data, beta) = (inputs.dataset()?, Beta::new(BETA)?);
        let begun = Instant::now();
        let found = baseline.train(&data, LOSS.parse()?, beta, &context.budget, |_| {})?;
        let seconds = begun.elapsed().as_secs_f64();
        let network = match below {
            Some(layer) => above(layer, &found.network)?,
            None => found.network,
        };
        Ok(json!({
            "objective": found.rescaled, "raw": found.raw, "neurons": network.neurons(),
            "train_accuracy": train.accuracy(&network), "test_accuracy": test.accuracy(&network),
            "train_seconds": seconds, "curve": curve::thin(&found.epochs),
        }))
    }

    /// The random layer below the convex methods.
    fn first_layer(
        &self,
        context: &Context<'_>,
        settings: &Settings,
        train: &Samples,
    ) -> Result<Layer, Error> {
        let widths = self.fixed(settings.width);
        let request = self.request(context, Convex::Pi, &widths, settings.width);
        Ok(train.train(&request, context)?.0.model.first().network().layers()[0].clone())
    }
}

/// The answers of a layer, as numbers.
fn answers(layer: &Layer, x: &Features) -> Result<Features, Error> {
    let neurons = layer.neurons.len();
    let network = Network::new(x.dimension(), vec![layer.clone()], vec![0.0; neurons], 0.0)?;
    let patterns = network.patterns(x);
    let values = (0..x.rows())
        .flat_map(|i| (0..neurons).map(move |j| (i, j)))
        .map(|(i, j)| f64::from(u8::from(patterns.get(i, j))))
        .collect();
    Features::new(x.rows(), neurons, values)
}

/// A network on top of a layer.
fn above(layer: Layer, network: &Network) -> Result<Network, Error> {
    let inputs = layer.neurons.first().map_or(0, |neuron| neuron.weights.len());
    let layers = [layer].into_iter().chain(network.layers().iter().cloned()).collect();
    Network::new(inputs, layers, network.amplitudes().to_vec(), network.offset())
}
