//! The results of a comparison: settings, runs and tables.

use crate::baseline::Surrogate;
use serde_json::Value;

use super::depth::Depth;
use super::task::{TIMED, Task};
use super::{BETA, Comparison, Convex, RATE, Run, Schedule, Settings, Shape, Strength, figures};
use crate::experiments::curve;
use crate::experiments::experiment::{Context, Records, number};
use crate::experiments::report::{Report, Table, full, numbers, part, short};
use crate::experiments::statistics::Mean;

/// One setting `(n, d)`, with one scale of `β`.
pub(super) struct Setting<'a> {
    pub(super) n: usize,
    pub(super) d: usize,
    pub(super) strength: Strength,
    /// Whether the paper finds convex training at least as good on new samples.
    pub(super) convex_wins: bool,
    pub(super) draws: Vec<Draw<'a>>,
}

/// All runs on one draw of data and teacher.
pub(super) struct Draw<'a> {
    pub(super) convex: Vec<(Convex, &'a Value)>,
    pub(super) heuristics: Vec<Heuristic<'a>>,
}

/// All runs of a heuristic.
pub(super) struct Heuristic<'a> {
    pub(super) surrogate: Surrogate,
    /// Each run with its record.
    runs: Vec<(Run, &'a Value)>,
    /// The index of the run with the lowest objective.
    best: usize,
}

impl<'a> Heuristic<'a> {
    /// The record of the first start.
    pub(super) fn first(&self) -> &'a Value {
        self.runs[0].1
    }

    /// The record of the best run.
    pub(super) fn best(&self) -> &'a Value {
        self.runs[self.best].1
    }

    /// The lowest objective with a schedule, after rescaling.
    fn lowest(&self, schedule: Schedule) -> f64 {
        (self.runs.iter().filter(|(run, _)| run.schedule == schedule))
            .map(|(_, record)| number(record, "objective"))
            .fold(f64::INFINITY, f64::min)
    }
}

impl Draw<'_> {
    /// Our best objective, without the paper's sampled patterns.
    pub(super) fn ours(&self) -> f64 {
        (self.convex.iter().filter(|(method, _)| *method != Convex::Lasso))
            .map(|(_, record)| number(record, "objective"))
            .fold(f64::INFINITY, f64::min)
    }

    /// Whether our best objective is proven optimal.
    pub(super) fn proven(&self) -> bool {
        let bound = (self.convex.iter().filter(|(method, _)| *method != Convex::Lasso))
            .map(|(_, record)| number(record, "lower_bound"))
            .fold(f64::NEG_INFINITY, f64::max);
        self.ours() <= bound * (1.0 + 1e-6)
    }

    /// The lowest objective of any heuristic from any start, as trained or rescaled.
    pub(super) fn lowest(&self) -> f64 {
        let runs = self.heuristics.iter().flat_map(|heuristic| &heuristic.runs);
        runs.flat_map(|(_, record)| [number(record, "objective"), number(record, "raw")])
            .fold(f64::INFINITY, f64::min)
    }

    /// The lowest objective of any heuristic with a schedule, after rescaling.
    pub(super) fn lowest_with(&self, schedule: Schedule) -> f64 {
        self.heuristics.iter().map(|h| h.lowest(schedule)).fold(f64::INFINITY, f64::min)
    }
}

/// A method: the place of a convex one or of a heuristic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Convex(usize),
    Heuristic(usize),
}

impl<'a> Setting<'a> {
    pub(super) fn name(&self) -> String {
        let size = format!("n = {}, d = {}", self.n, self.d);
        match self.strength {
            Strength::Sum => size,
            Strength::Mean => format!("{size}, beta n"),
        }
    }

    pub(super) fn methods(&self) -> Vec<Method> {
        let first = &self.draws[0];
        let convex = (0..first.convex.len()).map(Method::Convex);
        convex.chain((0..first.heuristics.len()).map(Method::Heuristic)).collect()
    }

    pub(super) fn method_name(&self, method: Method) -> String {
        match method {
            Method::Convex(k) => self.draws[0].convex[k].0.name().into(),
            Method::Heuristic(k) => self.draws[0].heuristics[k].surrogate.to_string(),
        }
    }

    /// A number of a method on each draw.
    pub(super) fn values(&self, method: Method, field: &str) -> Vec<f64> {
        let record = |draw: &Draw<'a>| match method {
            Method::Convex(k) => draw.convex[k].1,
            Method::Heuristic(k) => draw.heuristics[k].best(),
        };
        self.draws.iter().map(|draw| number(record(draw), field)).collect()
    }

    pub(super) fn mean(&self, method: Method, field: &str) -> Mean {
        Mean::of(&self.values(method, field))
    }

    /// The one of these methods that is the best on new samples, on average.
    pub(super) fn best_on_test(&self, methods: impl Iterator<Item = Method>) -> Option<Method> {
        let test = |method: Method| self.mean(method, "test_accuracy").mean;
        methods.reduce(|a, b| if test(b) > test(a) { b } else { a })
    }

    /// The difference of two methods on new samples, draw by draw.
    pub(super) fn difference(&self, ours: Method, theirs: Method) -> Mean {
        let test = |method| self.values(method, "test_accuracy");
        Mean::paired(&test(ours), &test(theirs))
    }

    pub(super) fn heuristics(&self) -> impl Iterator<Item = Method> + use<> {
        (0..self.draws[0].heuristics.len()).map(Method::Heuristic)
    }

    /// The convex methods that the paper shows.
    pub(super) fn shown(&self, shape: Shape) -> impl Iterator<Item = Method> + use<> {
        // The two-layer figures show Convex-Lasso alone, which is the first.
        let count = if shape == Shape::Two { 1 } else { self.draws[0].convex.len() };
        (0..count).map(Method::Convex)
    }
}

pub(super) struct Outcome<'a> {
    pub(super) comparison: &'a Comparison,
    pub(super) settings: Settings,
    pub(super) sets: Vec<Setting<'a>>,
    pub(super) depth: Option<Depth<'a>>,
}

impl<'a> Outcome<'a> {
    pub(super) fn new(
        comparison: &'a Comparison,
        context: &Context<'_>,
        records: &'a Records,
    ) -> Self {
        let settings = comparison.settings(context);
        let draw = |task: Task| {
            let convex = (comparison.convex((task.n, task.d)).iter())
                .map(|&m| (m, records.get(&task.convex_key(&settings, m))))
                .collect();
            let heuristics = Surrogate::ALL.map(|surrogate| {
                let record = |run: Run| (run, records.get(&task.start_key(&settings, &run)));
                let runs: Vec<(Run, &Value)> =
                    settings.runs(surrogate, task.draw).into_iter().map(record).collect();
                let objective = |k: usize| number(runs[k].1, "objective");
                let best = (0..runs.len())
                    .min_by(|&a, &b| objective(a).total_cmp(&objective(b)))
                    .expect("at least one run");
                Heuristic { surrogate, runs, best }
            });
            Draw { convex, heuristics: heuristics.into() }
        };
        let mut sets = Vec::new();
        for strength in Strength::BOTH {
            for (n, d, convex_wins) in comparison.sizes(context) {
                let draws = 0..settings.draws;
                let draws = draws.map(|k| draw(Task { n, d, strength, draw: k })).collect();
                sets.push(Setting { n, d, strength, convex_wins, draws });
            }
        }
        let depth = (comparison.shape == Shape::Ten)
            .then(|| Depth::new(comparison, context, &settings, records));
        Self { comparison, settings, sets, depth }
    }

    pub(super) fn report(&self) -> Report {
        let title = self.comparison.title;
        let mut report = Report {
            setup: self.setup(),
            tables: vec![
                ("", self.table()),
                ("-means", self.means()),
                ("-curves", self.curves()),
                ("-time", self.over_time()),
            ],
            figures: vec![
                ("", figures::objective(title, &self.sets)),
                ("-accuracy", figures::accuracy(title, &self.sets)),
                ("-time", figures::over_time(title, &self.sets)),
            ],
            summaries: vec![self.summary()],
            claims: self.claims(),
        };
        if let Some(depth) = &self.depth {
            report.tables.push(("-depth", depth.table()));
            report.figures.push(("-depth", depth.figure()));
            report.claims.extend(depth.claims());
        }
        report
    }

    fn setup(&self) -> String {
        let Settings { width, epochs, draws, starts, authors, test, .. } = self.settings;
        let shape = match self.comparison.shape {
            Shape::Two => format!(
                "Heuristics train {width} neurons. Convex-Lasso is the Lasso over {width} sampled \
                 patterns, as printed; beside it the optimum over all patterns: in closed form \
                 where the rank allows (n <= d + 1, weights by pseudo-inverse or widest margin), \
                 generated elsewhere in at most {} rounds.",
                self.settings.rounds
            ),
            Shape::Represented => format!(
                "A fixed random layer of {width} neurons below all methods; heuristics train n \
                 neurons above it, the convex methods solve the complete program on it."
            ),
            Shape::Three => format!(
                "Heuristics train all of {width} and n neurons; the convex methods solve the \
                 complete program on a random layer of {width} neurons."
            ),
            Shape::Ten => format!(
                "Heuristics train nine hidden layers, {width} neurons and then n in each, with \
                 batch normalisation (and on {} draw(s) without); the convex methods solve the \
                 complete program on eight random layers, {width} neurons and then {} in each, \
                 and, to see what these cost, on fewer.",
                self.settings.plain,
                width.div_ceil(2)
            ),
        };
        let starts = match starts {
            1 => String::new(),
            starts => format!(
                " (on the first from {starts}, as in the paper; the one with the lowest objective \
                 counts)"
            ),
        };
        let patient = Schedule::Patient.patience();
        format!(
            "Gaussian points labelled by `{}`, {test} more to test on; squared loss. Two problems: \
             beta = {BETA} beside the sum of the losses, as in the text, and beta n, as in the \
             authors' notebook. {shape} {draws} draws of data and teacher. On each, {epochs} \
             epochs of full batches from one start{starts} at the learning rate {RATE}, divided by \
             ten after {patient} epochs without progress; on the first draw also from {authors} \
             start(s) with the schedule of the authors' code, divided by two after 10, and the \
             lowest objective counts. Objectives of heuristics are the lowest of any epoch after \
             the best rescaling, which can only favour them. Means are over the draws, with \
             standard errors. Methods are compared draw by draw, the best convex method shown \
             against the best heuristic, each the one with the highest mean on the test samples: \
             \"better\" and \"worse\" are differences that Student's test tells from zero at 5 %, \
             with p corrected for all tests of this experiment (Holm; what the paper does not show \
             is a family of its own). Both scales of beta share the draws, and so do experiments \
             with the same teacher. Curves show the first draw; accuracies over time are those of \
             its first start after each epoch, on {} test samples. Marks of equal height that \
             would cover each other stand side by side.",
            self.comparison.teacher,
            TIMED.min(test)
        )
    }

    /// Every run.
    fn table(&self) -> Table {
        let mut table = Table::new(
            "n, d, strength, draw, method, schedule, start, objective, objective_as_trained, \
             lower_bound, neurons, train_accuracy, test_accuracy, train_seconds",
        );
        let fields = "objective, raw, lower_bound, neurons, train_accuracy, test_accuracy, \
                      train_seconds";
        for set in &self.sets {
            for (k, draw) in set.draws.iter().enumerate() {
                let mut row = |method: String, schedule: String, start: String, record: &Value| {
                    let (n, d) = (set.n.to_string(), set.d.to_string());
                    let strength = set.strength.name().into();
                    let mut cells = vec![n, d, strength, k.to_string(), method, schedule, start];
                    cells.extend(numbers(record, fields));
                    table.push(cells);
                };
                for (method, record) in &draw.convex {
                    row(method.name().into(), String::new(), String::new(), record);
                }
                for Heuristic { surrogate, runs, .. } in &draw.heuristics {
                    for (Run { schedule, start, .. }, record) in runs {
                        let schedule = schedule.name().into();
                        row(surrogate.to_string(), schedule, start.to_string(), record);
                    }
                }
            }
        }
        table
    }

    /// Means over the draws, and differences to the best heuristic.
    fn means(&self) -> Table {
        let mut table = Table::new(
            "n, d, strength, method, draws, objective, train_accuracy, test_accuracy, test_error, \
             best_heuristic, difference, difference_error, mean_seconds",
        );
        for set in &self.sets {
            let best = set.best_on_test(set.heuristics()).expect("there are heuristics");
            for method in set.methods() {
                let mean = |field| full(set.mean(method, field).mean);
                let (test, apart) =
                    (set.mean(method, "test_accuracy"), set.difference(method, best));
                table.push(vec![
                    set.n.to_string(),
                    set.d.to_string(),
                    set.strength.name().into(),
                    set.method_name(method),
                    test.count.to_string(),
                    mean("objective"),
                    mean("train_accuracy"),
                    full(test.mean),
                    full(test.error),
                    set.method_name(best),
                    full(apart.mean),
                    full(apart.error),
                    mean("train_seconds"),
                ]);
            }
        }
        table
    }

    /// The curves that are drawn.
    fn curves(&self) -> Table {
        let mut table = Table::new(
            "n, d, strength, method, epoch, lowest_objective, objective_as_trained, \
             elapsed_seconds",
        );
        for set in &self.sets {
            for heuristic in &set.draws[0].heuristics {
                for point in curve::points(heuristic.best()) {
                    table.push(vec![
                        set.n.to_string(),
                        set.d.to_string(),
                        set.strength.name().into(),
                        heuristic.surrogate.to_string(),
                        full(point.epoch),
                        full(point.lowest),
                        full(point.now),
                        full(point.seconds),
                    ]);
                }
            }
        }
        table
    }

    /// The accuracies over time that are drawn.
    fn over_time(&self) -> Table {
        let mut table =
            Table::new("n, d, strength, method, train_accuracy, test_accuracy, elapsed_seconds");
        for set in &self.sets {
            for heuristic in &set.draws[0].heuristics {
                for [seconds, train, test] in curve::accuracies(heuristic.first()) {
                    table.push(vec![
                        set.n.to_string(),
                        set.d.to_string(),
                        set.strength.name().into(),
                        heuristic.surrogate.to_string(),
                        full(train),
                        full(test),
                        full(seconds),
                    ]);
                }
            }
        }
        table
    }

    fn summary(&self) -> Table {
        let mut table = Table::new(
            "setting, method, objective, as trained, train, test, test − best heuristic, neurons, \
             seconds",
        );
        for set in &self.sets {
            let best = set.best_on_test(set.heuristics()).expect("there are heuristics");
            for method in set.methods() {
                let mean = |field| set.mean(method, field);
                let apart = match method {
                    Method::Convex(_) => set.difference(method, best).signed(),
                    Method::Heuristic(_) if method == best => "best heuristic".into(),
                    Method::Heuristic(_) => String::new(),
                };
                table.push(vec![
                    set.name(),
                    set.method_name(method),
                    short(mean("objective").mean),
                    short(mean("raw").mean),
                    part(mean("train_accuracy").mean),
                    mean("test_accuracy").to_string(),
                    apart,
                    short(mean("neurons").mean),
                    short(mean("train_seconds").mean),
                ]);
            }
        }
        table
    }
}
