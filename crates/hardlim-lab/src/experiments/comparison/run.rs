//! One training of a comparison: of a method, on a draw of data and teacher.

use hardlim::Error;
use hardlim::data::Features;
use hardlim::network::{Layer, Network};
use hardlim::train::Request;
use serde_json::{Value, json};

use super::{BETA, Comparison, Method, RATE, Shape};
use crate::baseline::{Baseline, Epoch, Surrogate};
use crate::experiments::curve;
use crate::experiments::experiment::Context;
use crate::experiments::samples::{Samples, score};

/// The number of test samples for accuracies over time, and about how many moments there are.
pub(super) const TIMED: usize = 500;
const MOMENTS: f64 = 25.0;
/// Epochs without progress before the learning rate falls to a tenth. Surrogate gradients are
/// noisy: with fewer epochs, the rate falls too early.
pub(super) const PATIENCE: usize = 50;

/// The settings that depend on the scale only.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    /// `m`, and the number of sampled patterns.
    pub(super) width: usize,
    pub(super) epochs: usize,
    pub(super) draws: u64,
    /// The number of starts on the first draw, as in the paper's figures; one on the others.
    pub(super) starts: u64,
    /// The number of starts on the first draw with the schedule of the authors' code.
    pub(super) authors: u64,
    pub(super) test: usize,
    pub(super) rounds: usize,
    /// The number of draws on which ten layers are also trained without batch normalisation.
    pub(super) plain: u64,
}

#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) comparison: &'static Comparison,
    pub(super) settings: Settings,
    pub(super) n: usize,
    pub(super) d: usize,
    /// Whether `10⁻³` is multiplied by `n`, as in the authors' notebook: the problem in the text is
    /// beside a sum of losses, the notebook's beside their mean.
    pub(super) mean: bool,
    pub(super) draw: u64,
    pub(super) method: Method,
    /// Whether the learning rate falls to a half after 10 epochs, as in the authors' code.
    pub(super) authors: bool,
    /// Convex methods have one start.
    pub(super) start: u64,
}

impl Run {
    /// All runs on the problem of this one, the convex ones first on every draw.
    pub(super) fn all(&self) -> Vec<Self> {
        (0..self.settings.draws).flat_map(|draw| Self { draw, ..*self }.on_draw()).collect()
    }

    /// All runs on the draw of this one.
    pub(super) fn on_draw(&self) -> Vec<Self> {
        let convex: &[Method] = match self.comparison.shape {
            // Gaussian points in this many dimensions are in general position.
            Shape::Two if self.n <= self.d + 1 => &[Method::Lasso, Method::Pi, Method::Svm],
            Shape::Two => &[Method::Lasso, Method::Generate],
            _ => &[Method::Pi, Method::Svm],
        };
        let mut runs: Vec<Self> = convex.iter().map(|&method| Self { method, ..*self }).collect();
        let Settings { starts, authors, .. } = self.settings;
        let (starts, authors) = if self.draw == 0 { (starts, authors) } else { (1, 0) };
        for surrogate in Surrogate::ALL {
            let method = Method::Heuristic(surrogate);
            runs.extend((0..starts).map(|start| Self { method, start, ..*self }));
            runs.extend((0..authors).map(|start| Self { method, start, authors: true, ..*self }));
        }
        runs
    }

    /// The settings that determine the record.
    pub(super) fn key(&self) -> String {
        let Self { n, d, draw, start, .. } = self;
        let Settings { width, epochs, test, rounds, .. } = self.settings;
        let depth = match self.method {
            Method::OnLayers(layers) => format!("layers{layers}/"),
            Method::Plain(_) => "plain/".into(),
            _ => String::new(),
        };
        let (name, strength) = (self.method.name(), self.strength().replace(' ', "-"));
        let key = format!("{depth}{n}x{d}/{strength}/draw{draw}/{name}/m{width}");
        match self.method {
            Method::Generate => format!("{key}/test{test}/rounds{rounds}"),
            method if method.convex() => format!("{key}/test{test}"),
            _ => {
                let schedule = if self.authors { "/authors" } else { "" };
                format!("{key}/epochs{epochs}/rate{RATE}/start{start}/test{test}{schedule}")
            }
        }
    }

    pub(super) fn strength(&self) -> &'static str {
        if self.mean { "beta n" } else { "beta" }
    }

    pub(super) fn beta(&self) -> f64 {
        if self.mean { BETA * self.n as f64 } else { BETA }
    }

    /// The seed of one use of chance on this draw. Both scales of `β` share it, and so do
    /// experiments with the same teacher.
    fn seed(&self, context: &Context<'_>, of: &str) -> u64 {
        let Self { n, d, draw, .. } = self;
        context.stream(&format!("{}/{n}x{d}/draw{draw}/{of}", self.comparison.teacher))
    }

    fn draw(&self, context: &Context<'_>) -> Result<(Samples, Samples), Error> {
        let (seed, size) = (self.seed(context, "data"), (self.n, self.d));
        Samples::teacher(self.comparison.teacher, size, self.settings.test, seed)
    }

    pub(super) fn compute(&self, context: &Context<'_>) -> Result<Value, Error> {
        match self.method {
            Method::Heuristic(surrogate) | Method::Plain(surrogate) => {
                self.descend(context, surrogate)
            }
            _ => Ok(self.solve(context)?.1),
        }
    }

    /// Trains a convex method on random layers, and measures it.
    fn solve(&self, context: &Context<'_>) -> Result<(Network, Value), Error> {
        let seed = self.seed(context, "patterns");
        let mut options = format!("beta={} tolerance=1e-9 seed={seed} ", self.beta());
        options += &match self.method {
            Method::Lasso => format!("patterns={}", self.settings.width),
            Method::Generate => format!("method=generate rounds={}", self.settings.rounds),
            Method::Pi => "method=complete weights=pi".into(),
            _ => "method=complete weights=svm".into(),
        };
        let layers = match (self.comparison.shape, self.method) {
            (_, Method::OnLayers(layers)) => layers,
            (Shape::Two, _) => 0,
            (Shape::Represented | Shape::Three, _) => 1,
            (Shape::Ten, _) => 8,
        };
        if layers > 0 {
            // The layers above the first need a certain rank, not a certain width.
            let half = self.settings.width.div_ceil(2).to_string();
            let widths = [vec![self.settings.width.to_string()], vec![half; layers - 1]].concat();
            options += &format!(" representation=gaussian widths={}", widths.join(","));
        }
        let (train, test) = self.draw(context)?;
        let (network, mut record) = train.train(&Request::of(&options)?, context)?;
        score(&mut record, &network, &train, &test);
        let (fewer, more) = train.classes();
        (record["fewer"], record["more"]) = (json!(fewer), json!(more));
        Ok((network, record))
    }

    /// Trains a heuristic, and measures it.
    fn descend(&self, context: &Context<'_>, surrogate: Surrogate) -> Result<Value, Error> {
        let (Settings { width: m, epochs, test: tests, .. }, n) = (self.settings, self.n);
        let (train, test) = self.draw(context)?;
        let shape = self.comparison.shape;
        let below = if shape == Shape::Represented {
            let network = Self { method: Method::Pi, ..*self }.solve(context)?.0;
            Some(network.layers()[0].clone())
        } else {
            None
        };
        let baseline = Baseline {
            surrogate,
            widths: match shape {
                Shape::Two => vec![m],
                Shape::Represented => vec![n],
                Shape::Three => vec![m, n],
                Shape::Ten => [m].into_iter().chain([n; 8]).collect(),
            },
            epochs,
            learning_rate: RATE,
            patience: if self.authors { 10 } else { PATIENCE },
            factor: if self.authors { 0.5 } else { 0.1 },
            batch_norm: shape == Shape::Ten && self.method != Method::Plain(surrogate),
            // Zeros and ones are used as they are.
            standardize: below.is_none(),
            seed: self.seed(context, "starts"),
            start: self.start,
            ..Baseline::default()
        };
        let inputs = match &below {
            Some(layer) => Samples { x: answers(layer, &train.x)?, ..train.clone() },
            None => train.clone(),
        };
        let whole = |network: Network| match &below {
            Some(layer) => above(layer.clone(), &network),
            None => Ok(network),
        };
        // Curves are drawn for the first start of the first draw.
        let drawn = self.draw == 0 && !self.authors && self.start == 0;
        let few = test.select(&(0..tests.min(TIMED)).collect::<Vec<_>>());
        let mut spacing = curve::Spacing::new(epochs, MOMENTS);
        let mut accuracies = Vec::new();
        let mut watch = |epoch: &Epoch, network: &dyn Fn() -> Result<Network, Error>| {
            if drawn
                && spacing.takes(epoch.epoch)
                && let Ok(network) = network().and_then(whole)
            {
                let (one, two) = (train.accuracy(&network), few.accuracy(&network));
                accuracies.push(json!([epoch.seconds, one, two]));
            }
        };
        let (found, mut record) = inputs.descend(&baseline, self.beta(), context, &mut watch)?;
        let network = whole(found.network)?;
        record["neurons"] = json!(network.neurons());
        score(&mut record, &network, &train, &test);
        if drawn {
            record["accuracies"] = json!(accuracies);
        }
        if self.draw == 0 {
            record["curve"] = curve::thin(&found.epochs, curve::POINTS);
        }
        Ok(record)
    }
}

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

fn above(layer: Layer, network: &Network) -> Result<Network, Error> {
    let inputs = layer.neurons.first().map_or(0, |neuron| neuron.weights.len());
    let layers = [layer].into_iter().chain(network.layers().iter().cloned()).collect();
    Network::new(inputs, layers, network.amplitudes().to_vec(), network.offset())
}

#[cfg(test)]
mod tests {
    use crate::baseline::parameters::Parameters;
    use crate::baseline::train::rng;
    use crate::experiments::comparison::THREE_LAYER;
    use std::collections::HashSet;

    #[test]
    fn two_seeds_share_no_sample_and_no_start() {
        let mut seen = HashSet::new();
        for seed in [0, 1] {
            let context = crate::experiments::tiny(seed);
            // The other scale of `β` shares the data.
            let problems = THREE_LAYER.problems(&context).into_iter().filter(|(run, _)| !run.mean);
            for run in
                problems.flat_map(|(run, _)| (0..2).map(move |draw| super::Run { draw, ..run }))
            {
                let (train, test) = run.draw(&context).unwrap();
                for samples in [&train, &test] {
                    for i in 0..samples.x.rows() {
                        let row: Vec<u64> = samples.x.row(i).iter().map(|v| v.to_bits()).collect();
                        assert!(seen.insert(row), "seed {seed}, {}: row {i}", run.key());
                    }
                }
                for start in 0..3 {
                    let rng = &mut rng(run.seed(&context, "starts"), start);
                    let first = Parameters::draw(2, &[1], true, false, rng);
                    assert!(seen.insert(vec![first.output[0].to_bits()]));
                }
            }
        }
    }
}
