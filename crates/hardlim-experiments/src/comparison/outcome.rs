//! The results of a comparison: settings, runs and tables.

use hardlim_baseline::Surrogate;
use serde_json::Value;

use super::{BETA, Comparison, Convex, PATIENCE, Settings, Shape, figures};
use crate::curve;
use crate::experiment::{Context, Records, number};
use crate::report::{Report, Table, full, numbers, part, short};

/// One setting `(n, d)`.
pub(super) struct Setting<'a> {
    pub(super) n: usize,
    pub(super) d: usize,
    /// Whether the paper finds convex training at least as good on new samples.
    pub(super) convex_wins: bool,
    pub(super) convex: Vec<(Convex, &'a Value)>,
    pub(super) heuristics: Vec<Heuristic<'a>>,
}

/// All runs of a heuristic.
pub(super) struct Heuristic<'a> {
    pub(super) surrogate: Surrogate,
    /// Learning rate, start and record of each.
    runs: Vec<(f64, u64, &'a Value)>,
    /// The index of the run with the lowest objective.
    best: usize,
}

impl Heuristic<'_> {
    /// The record of the best run.
    pub(super) fn best(&self) -> &Value {
        self.runs[self.best].2
    }
}

impl Setting<'_> {
    /// Our best objective, without the paper's sampled patterns.
    pub(super) fn ours(&self) -> f64 {
        (self.convex.iter().filter(|(method, _)| *method != Convex::Lasso))
            .map(|(_, record)| number(record, "objective"))
            .fold(f64::INFINITY, f64::min)
    }

    /// The lowest objective of any heuristic from any start, as trained or rescaled.
    pub(super) fn lowest(&self) -> f64 {
        let runs = self.heuristics.iter().flat_map(|heuristic| &heuristic.runs);
        runs.flat_map(|(_, _, record)| [number(record, "objective"), number(record, "raw")])
            .fold(f64::INFINITY, f64::min)
    }

    pub(super) fn best_test(&self, convex: bool) -> f64 {
        let accuracy = |record: &Value| number(record, "test_accuracy");
        match convex {
            true => self.convex.iter().map(|(_, r)| accuracy(r)).fold(0.0, f64::max),
            false => self.heuristics.iter().map(|h| accuracy(h.best())).fold(0.0, f64::max),
        }
    }

    pub(super) fn name(&self) -> String {
        format!("n = {}, d = {}", self.n, self.d)
    }
}

pub(super) struct Outcome<'a> {
    pub(super) comparison: &'a Comparison,
    settings: Settings,
    pub(super) sets: Vec<Setting<'a>>,
}

impl<'a> Outcome<'a> {
    pub(super) fn new(
        comparison: &'a Comparison,
        context: &Context<'_>,
        records: &'a Records,
    ) -> Self {
        let settings = comparison.settings(context);
        let set = |(n, d, convex_wins)| {
            let size = (n, d);
            let convex = (comparison.convex(size).iter())
                .map(|&m| (m, records.get(&comparison.convex_key(&settings, size, m))))
                .collect();
            let heuristics = Surrogate::ALL.map(|surrogate| {
                let runs: Vec<(f64, u64, &Value)> = (settings.rates.iter())
                    .flat_map(|&rate| (0..settings.starts).map(move |start| (rate, start)))
                    .map(|(rate, start)| {
                        let run = (surrogate, rate, start);
                        let key = comparison.start_key(&settings, size, run);
                        (rate, start, records.get(&key))
                    })
                    .collect();
                let objective = |k: usize| number(runs[k].2, "objective");
                let best = (0..runs.len())
                    .min_by(|&a, &b| objective(a).total_cmp(&objective(b)))
                    .expect("at least one run");
                Heuristic { surrogate, runs, best }
            });
            Setting { n, d, convex_wins, convex, heuristics: heuristics.into() }
        };
        let sets = comparison.sizes(context).into_iter().map(set).collect();
        Self { comparison, settings, sets }
    }

    pub(super) fn report(&self) -> Report {
        let title = self.comparison.title;
        Report {
            setup: self.setup(),
            tables: vec![("", self.table()), ("-curves", self.curves())],
            figures: vec![
                ("", figures::objective(title, &self.sets)),
                ("-accuracy", figures::accuracy(title, &self.sets)),
            ],
            summary: Some(self.summary()),
            claims: self.claims(),
        }
    }

    fn setup(&self) -> String {
        let Settings { width, epochs, starts, rates, test } = self.settings;
        let shape = match self.comparison.shape {
            Shape::Two => format!(
                "Heuristics train {width} neurons. Convex-Lasso is the Lasso over {width} sampled patterns, as \
                 printed; beside it the optimum over all patterns: in closed form where the rank allows \
                 (n <= d + 1, weights by pseudo-inverse or widest margin), generated elsewhere."
            ),
            Shape::Represented => format!(
                "A fixed random layer of {width} neurons below all methods; heuristics train n neurons above \
                 it, the convex methods solve the complete program on it."
            ),
            Shape::Three => format!(
                "Heuristics train all of {width} and n neurons; the convex methods solve the complete program on \
                 a random layer of {width} neurons."
            ),
            Shape::Ten => format!(
                "Heuristics train nine hidden layers, {width} neurons and then n in each, with batch \
                 normalisation; the convex methods solve the complete program on eight random layers, \
                 {width} neurons and then {} in each.",
                width.div_ceil(2)
            ),
        };
        let rates: Vec<String> = rates.iter().map(ToString::to_string).collect();
        format!(
            "Gaussian points labelled by `{}`, {test} more to test on; squared loss, beta = {BETA}. {shape} \
             {epochs} epochs of full batches, {starts} starts at each of the learning rates {}, lowered on \
             plateaus of {PATIENCE} epochs. Objectives of heuristics are the lowest of any epoch after the best rescaling, which \
             can only favour them.",
            self.comparison.teacher,
            rates.join(", ")
        )
    }

    fn table(&self) -> Table {
        let mut table = Table::new(
            "n, d, method, learning_rate, start, objective, objective_as_trained, lower_bound, \
             neurons, train_accuracy, test_accuracy, train_seconds",
        );
        for set in &self.sets {
            let mut row = |method: String, rate: String, start: String, record: &Value| {
                let mut cells = vec![set.n.to_string(), set.d.to_string(), method, rate, start];
                let fields = "objective, raw, lower_bound, neurons, train_accuracy, test_accuracy, \
                              train_seconds";
                cells.extend(numbers(record, fields));
                table.push(cells);
            };
            for (method, record) in &set.convex {
                row(method.name().into(), String::new(), String::new(), record);
            }
            for Heuristic { surrogate, runs, .. } in &set.heuristics {
                for (rate, start, record) in runs {
                    row(surrogate.to_string(), rate.to_string(), start.to_string(), record);
                }
            }
        }
        table
    }

    /// The curves of the runs that are drawn.
    fn curves(&self) -> Table {
        let mut table = Table::new("n, d, method, epoch, lowest_objective, elapsed_seconds");
        for set in &self.sets {
            for heuristic in &set.heuristics {
                for (epoch, seconds, objective) in curve::points(heuristic.best()) {
                    table.push(vec![
                        set.n.to_string(),
                        set.d.to_string(),
                        heuristic.surrogate.to_string(),
                        full(epoch),
                        full(objective),
                        full(seconds),
                    ]);
                }
            }
        }
        table
    }

    fn summary(&self) -> Table {
        let mut table =
            Table::new("setting, method, objective, as trained, train, test, neurons, seconds");
        for set in &self.sets {
            let mut row = |method: String, record: &Value| {
                table.push(vec![
                    set.name(),
                    method,
                    short(number(record, "objective")),
                    short(number(record, "raw")),
                    part(number(record, "train_accuracy")),
                    part(number(record, "test_accuracy")),
                    full(number(record, "neurons")),
                    short(number(record, "train_seconds")),
                ]);
            };
            for (method, record) in &set.convex {
                row(method.name().into(), record);
            }
            for heuristic in &set.heuristics {
                row(format!("{}, best run", heuristic.surrogate), heuristic.best());
            }
        }
        table
    }
}
