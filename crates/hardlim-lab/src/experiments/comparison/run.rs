//! One problem of a comparison, and the runs on it.

use hardlim::Error;
use hardlim::data::Features;
use hardlim::network::{Layer, Network};
use serde_json::{Value, json};

use super::{Comparison, Depth, Method, RATE, Run, Schedule, Settings, Shape, Strength};
use crate::baseline::{Baseline, Epoch, Surrogate};
use crate::experiments::curve;
use crate::experiments::experiment::Context;
use crate::experiments::samples::{Samples, score};

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

    /// The settings that determine the record of a run.
    pub(super) fn key(&self, settings: &Settings, run: &Run) -> String {
        let Settings { width, epochs, test, rounds, .. } = settings;
        let (name, Run { method, schedule, start, depth }) = (self.name(), run);
        let way = match depth {
            Depth::Usual => String::new(),
            Depth::Layers(layers) => format!("layers{layers}/"),
            Depth::Plain => "plain/".into(),
        };
        let key = format!("{way}{name}/{}/m{width}", method.name());
        match (method, schedule) {
            (Method::Generate, _) => format!("{key}/test{test}/rounds{rounds}"),
            (method, _) if method.convex() => format!("{key}/test{test}"),
            (_, schedule) => {
                let suffix = if *schedule == Schedule::Authors { "/authors" } else { "" };
                format!("{key}/epochs{epochs}/rate{RATE}/start{start}/test{test}{suffix}")
            }
        }
    }

    pub(super) fn beta(&self) -> f64 {
        self.strength.beta(self.n)
    }

    /// The seed of one use of chance on this draw. Both scales of `β` share it.
    fn seed(&self, comparison: &Comparison, context: &Context<'_>, of: &str) -> u64 {
        let Self { n, d, draw, .. } = self;
        // Experiments with the same teacher use the same data.
        context.stream(&format!("{}/{n}x{d}/draw{draw}/{of}", comparison.teacher))
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

    /// Trains a convex method on random layers, and measures it.
    fn solve(
        &self,
        context: &Context<'_>,
        settings: &Settings,
        task: &Task,
        run: &Run,
    ) -> Result<(Network, Value), Error> {
        let (train, test) = self.draw(context, settings, task)?;
        let seed = task.seed(self, context, "patterns");
        let request = self.request(run, task, settings).with(&format!("seed={seed}"))?;
        let (network, mut record) = train.train(&request, context)?;
        score(&mut record, &network, &train, &test);
        let (fewer, more) = train.classes();
        (record["fewer"], record["more"]) = (json!(fewer), json!(more));
        Ok((network, record))
    }

    pub(super) fn compute(
        &self,
        context: &Context<'_>,
        settings: &Settings,
        task: &Task,
        run: &Run,
    ) -> Result<Value, Error> {
        match run.method {
            Method::Heuristic(surrogate) => self.descend(context, settings, task, surrogate, run),
            _ => Ok(self.solve(context, settings, task, run)?.1),
        }
    }

    /// One run of a heuristic.
    fn descend(
        &self,
        context: &Context<'_>,
        settings: &Settings,
        task: &Task,
        surrogate: Surrogate,
        run: &Run,
    ) -> Result<Value, Error> {
        let (n, m) = (task.n, settings.width);
        let (train, test) = self.draw(context, settings, task)?;
        let below = if self.shape == Shape::Represented {
            let network = self.solve(context, settings, task, &Run::new(Method::Pi))?.0;
            Some(network.layers()[0].clone())
        } else {
            None
        };
        let (_, patience, factor) = run.schedule.parts();
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
            patience,
            factor,
            batch_norm: self.shape == Shape::Ten && run.depth == Depth::Usual,
            // Zeros and ones are used as they are.
            standardize: below.is_none(),
            seed: task.seed(self, context, "starts"),
            start: run.start,
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
        let first_start = run.schedule == Schedule::Patient && run.start == 0;
        let (drawn, few) = (task.draw == 0 && first_start, test.select(&timed(settings)));
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
        let (found, mut record) = inputs.descend(&baseline, task.beta(), context, &mut watch)?;
        let network = whole(found.network)?;
        record["neurons"] = json!(network.neurons());
        score(&mut record, &network, &train, &test);
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
fn timed(settings: &Settings) -> Vec<usize> {
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
    use crate::experiments::comparison::THREE_LAYER;
    use std::collections::HashSet;

    #[test]
    fn two_seeds_share_no_sample_and_no_start() {
        let mut seen = HashSet::new();
        for seed in [0, 1] {
            let context = crate::experiments::tiny(seed);
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
