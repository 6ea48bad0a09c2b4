//! One problem of a comparison, and the runs on it.

use crate::baseline::{Baseline, Epoch};
use hardlim::Error;
use hardlim::data::Features;
use hardlim::network::{Layer, Network};
use hardlim::program::Beta;
use hardlim::train::Request;
use serde_json::{Value, json};

use super::{Comparison, Convex, LOSS, RATE, Run, Schedule, Settings, Shape, Strength};
use crate::experiments::curve;
use crate::experiments::experiment::Context;
use crate::experiments::samples::{Samples, lower_bound};

/// The number of test samples for accuracies over time, and about how many moments there are.
pub(super) const TIMED: usize = 500;
const MOMENTS: f64 = 25.0;

/// One problem: its size, what `β` multiplies, and which draw of data and teacher.
#[derive(Debug, Clone, Copy)]
pub(super) struct Task {
    pub(super) n: usize,
    pub(super) d: usize,
    pub(super) strength: Strength,
    pub(super) draw: u64,
}

impl Task {
    fn name(&self) -> String {
        let Self { n, d, draw, .. } = self;
        format!("{n}x{d}/{}/draw{draw}", self.strength.name().replace(' ', "-"))
    }

    pub(super) fn convex_key(&self, settings: &Settings, method: Convex) -> String {
        let Settings { width, test, rounds, .. } = settings;
        let key = format!("{}/{}/m{width}/test{test}", self.name(), method.name());
        if method == Convex::Generate { format!("{key}/rounds{rounds}") } else { key }
    }

    pub(super) fn start_key(&self, settings: &Settings, run: &Run) -> String {
        let Settings { width, epochs, test, .. } = settings;
        let (name, Run { surrogate, schedule, start }) = (self.name(), run);
        let key = format!(
            "{name}/{surrogate}/m{width}/epochs{epochs}/rate{RATE}/start{start}/test{test}"
        );
        if *schedule == Schedule::Patient { key } else { format!("{key}/{}", schedule.name()) }
    }

    pub(super) fn beta(&self) -> f64 {
        self.strength.beta(self.n)
    }

    /// The seed of one use of chance on this draw. Both scales of `β` share it.
    fn seed(&self, comparison: &Comparison, context: &Context<'_>, of: &str) -> u64 {
        let Self { n, d, draw, .. } = self;
        // Experiments with the same teacher use the same data.
        context.chance.stream(&format!("{}/{n}x{d}/draw{draw}/{of}", comparison.teacher))
    }
}

impl Comparison {
    /// The training part and the test part of a draw.
    pub(super) fn draw(
        &self,
        context: &Context<'_>,
        settings: &Settings,
        task: &Task,
    ) -> Result<(Samples, Samples), Error> {
        let seed = task.seed(self, context, "data");
        Samples::teacher(self.teacher, (task.n, task.d), settings.test, seed)
    }

    /// The request for a convex method on `layers` random layers.
    fn asked(
        &self,
        context: &Context<'_>,
        settings: &Settings,
        task: &Task,
        method: Convex,
        depth: usize,
    ) -> Request {
        let layers = self.layers(depth, settings.width);
        let seed = task.seed(self, context, "patterns");
        self.request(method, task.beta(), &layers, settings)
            .with(&format!("seed={seed}"))
            .expect("a seed")
    }

    /// One convex program, on `layers` random layers.
    pub(super) fn solve(
        &self,
        context: &Context<'_>,
        settings: &Settings,
        task: &Task,
        method: Convex,
        depth: usize,
    ) -> Result<Value, Error> {
        let (train, test) = self.draw(context, settings, task)?;
        let request = self.asked(context, settings, task, method, depth);
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

    /// One run of a heuristic, with or without batch normalisation.
    pub(super) fn descend(
        &self,
        context: &Context<'_>,
        settings: &Settings,
        task: &Task,
        &Run { surrogate, schedule, start }: &Run,
        batch_norm: bool,
    ) -> Result<Value, Error> {
        let (n, m) = (task.n, settings.width);
        let (train, test) = self.draw(context, settings, task)?;
        let below = match self.shape {
            Shape::Represented => {
                let request = self.asked(context, settings, task, Convex::Pi, self.depth());
                let model = train.train(&request, context)?.0.model;
                Some(model.first().network().layers()[0].clone())
            }
            _ => None,
        };
        let baseline = Baseline {
            surrogate,
            widths: match self.shape {
                Shape::Two => vec![m],
                Shape::Represented => vec![n],
                Shape::Three => vec![m, n],
                Shape::Ten => [m].into_iter().chain([n; 8]).collect(),
            },
            epochs: settings.epochs,
            learning_rate: RATE,
            patience: schedule.patience(),
            factor: schedule.factor(),
            batch_norm,
            // Zeros and ones are used as they are.
            standardize: below.is_none(),
            seed: task.seed(self, context, "starts"),
            start,
            ..Baseline::default()
        };
        let inputs = match &below {
            Some(layer) => Samples { x: answers(layer, &train.x)?, ..train.clone() },
            None => train.clone(),
        };
        let (data, beta) = (inputs.dataset()?, Beta::new(task.beta())?);
        let whole = |network: Network| match &below {
            Some(layer) => above(layer.clone(), &network),
            None => Ok(network),
        };
        // Curves are drawn for the first start of the first draw.
        let first_start = schedule == Schedule::Patient && start == 0;
        let (drawn, few) = (task.draw == 0 && first_start, test.select(&first(settings)));
        let mut spacing = curve::Spacing::new(settings.epochs, MOMENTS);
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
        let found = baseline.train(&data, LOSS.parse()?, beta, &context.budget, &mut watch)?;
        let seconds = found.epochs.last().map_or(0.0, |epoch| epoch.seconds);
        let network = whole(found.network)?;
        let mut record = json!({
            "objective": found.rescaled, "raw": found.raw, "neurons": network.neurons(),
            "train_accuracy": train.accuracy(&network), "test_accuracy": test.accuracy(&network),
            "train_seconds": seconds,
        });
        if drawn {
            record["accuracies"] = json!(accuracies);
        }
        if task.draw == 0 {
            record["curve"] = curve::thin(&found.epochs, curve::POINTS);
        }
        Ok(record)
    }
}

/// The test samples that accuracies over time are measured on.
fn first(settings: &Settings) -> Vec<usize> {
    (0..settings.test.min(TIMED)).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::Scale;
    use crate::experiments::comparison::THREE_LAYER;
    use hardlim::solver::Budget;
    use std::collections::HashSet;

    #[test]
    fn two_seeds_share_no_sample_and_no_start() {
        let mut seen = HashSet::new();
        for seed in [0, 1] {
            let context = Context::new(Scale::Tiny, seed, None, Budget::default());
            let settings = THREE_LAYER.settings(&context);
            for task in THREE_LAYER.tasks(&context) {
                if task.strength != Strength::Sum {
                    continue; // it shares the data of the other one
                }
                let (train, test) = THREE_LAYER.draw(&context, &settings, &task).unwrap();
                for samples in [&train, &test] {
                    for i in 0..samples.x.rows() {
                        let row: Vec<u64> = samples.x.row(i).iter().map(|v| v.to_bits()).collect();
                        assert!(seen.insert(row), "seed {seed}, {}: row {i}", task.name());
                    }
                }
                for start in 0..3 {
                    let starts = task.seed(&THREE_LAYER, &context, "starts");
                    let rng = &mut crate::baseline::rng(starts, start);
                    let first = crate::baseline::Parameters::draw(2, &[1], true, false, rng);
                    assert!(seen.insert(vec![first.output[0].to_bits()]));
                }
            }
        }
    }
}
