//! The results of a comparison: settings, runs and tables.

use serde_json::Value;

use super::depth::Depth;
use super::run::{PATIENCE, Run, Settings, TIMED};
use super::{BETA, Comparison, Method, RATE, Shape, figures};
use crate::experiments::experiment::{Context, Records, number};
use crate::experiments::report::{Report, TextTable, part, short};
use crate::experiments::statistics::Mean;

/// One problem: a size `(n, d)` with one scale of `β`.
pub(super) struct Setting<'a> {
    /// Any run of it.
    pub(super) problem: Run,
    /// Whether the paper finds convex training at least as good on new samples.
    pub(super) convex_wins: bool,
    pub(super) draws: Vec<Draw<'a>>,
}

/// All runs on one draw of data and teacher, with their records.
pub(super) struct Draw<'a>(Vec<(Run, &'a Value)>);

impl<'a> Draw<'a> {
    pub(super) fn new(runs: impl IntoIterator<Item = Run>, records: &'a Records) -> Self {
        Self(runs.into_iter().map(|run| (run, records.get(&run.key()))).collect())
    }

    pub(super) fn records(&self, which: impl Fn(&Run) -> bool) -> impl Iterator<Item = &'a Value> {
        self.0.iter().filter(move |(run, _)| which(run)).map(|(_, record)| *record)
    }

    /// The run of a method with the lowest objective, after rescaling, if it was run here.
    fn lowest_of(&self, method: Method) -> Option<&'a Value> {
        self.records(|run| run.method == method)
            .min_by(|a, b| number(a, "objective").total_cmp(&number(b, "objective")))
    }

    pub(super) fn best(&self, method: Method) -> &'a Value {
        self.lowest_of(method).expect("at least one run")
    }

    /// The run of a method from its first start.
    pub(super) fn first(&self, method: Method) -> &'a Value {
        self.records(|run| run.method == method).next().expect("at least one run")
    }

    /// The lowest of these numbers of some runs.
    pub(super) fn least(&self, fields: &[&str], which: impl Fn(&Run) -> bool) -> f64 {
        (self.records(which).flat_map(|record| fields.iter().map(|field| number(record, field))))
            .fold(f64::INFINITY, f64::min)
    }

    pub(super) fn ours(&self) -> f64 {
        self.least(&["objective"], ours)
    }

    pub(super) fn proven(&self) -> bool {
        let bounds = self.records(ours).map(|record| number(record, "lower_bound"));
        self.ours() <= bounds.fold(f64::NEG_INFINITY, f64::max) * (1.0 + 1e-6)
    }

    /// The lowest objective of any heuristic from any start, as trained or rescaled.
    pub(super) fn lowest(&self) -> f64 {
        self.least(&["objective", "raw"], |run| !run.method.convex())
    }
}

/// Whether it solves for all patterns.
fn ours(run: &Run) -> bool {
    run.method.convex() && run.method != Method::Lasso
}

impl Setting<'_> {
    pub(super) fn name(&self) -> String {
        let Run { n, d, mean, .. } = self.problem;
        format!("n = {n}, d = {d}{}", if mean { ", beta n" } else { "" })
    }

    /// The methods, convex or not.
    pub(super) fn of(&self, convex: bool) -> Vec<Method> {
        let mut methods: Vec<Method> = self.draws[0].0.iter().map(|(run, _)| run.method).collect();
        methods.retain(|method| method.convex() == convex);
        methods.dedup();
        methods
    }

    pub(super) fn methods(&self) -> Vec<Method> {
        [self.of(true), self.of(false)].concat()
    }

    pub(super) fn values(&self, method: Method, field: &str) -> Vec<f64> {
        let records = self.draws.iter().filter_map(|draw| draw.lowest_of(method));
        records.map(|record| number(record, field)).collect()
    }

    pub(super) fn mean(&self, method: Method, field: &str) -> Mean {
        Mean::of(&self.values(method, field))
    }

    /// The one of these methods that is the best on new samples, on average.
    pub(super) fn best_on_test(&self, methods: &[Method]) -> Method {
        let test = |method: Method| self.mean(method, "test_accuracy").mean;
        let best = methods.iter().copied().reduce(|a, b| if test(b) > test(a) { b } else { a });
        best.expect("there are methods")
    }

    /// The heuristic that is the best on new samples, and the difference of a method from it, draw
    /// by draw.
    fn against_best(&self, method: Method) -> (Method, Mean) {
        let best = self.best_on_test(&self.of(false));
        let test = |method| self.values(method, "test_accuracy");
        (best, Mean::paired(&test(method), &test(best)))
    }
}

pub(super) struct ComparisonOutcome<'a> {
    pub(super) comparison: &'static Comparison,
    pub(super) settings: Settings,
    /// All problems with `β`, then all with `β n`.
    pub(super) sets: Vec<Setting<'a>>,
    pub(super) depth: Option<Depth<'a>>,
}

impl<'a> ComparisonOutcome<'a> {
    pub(super) fn new(
        comparison: &'static Comparison,
        context: &Context<'_>,
        records: &'a Records,
    ) -> Self {
        let settings = comparison.settings(context.scale);
        let set = |(problem, convex_wins): (Run, bool)| {
            let draw = |draw| Draw::new(Run { draw, ..problem }.on_draw(), records);
            Setting { problem, convex_wins, draws: (0..settings.draws).map(draw).collect() }
        };
        let mut sets: Vec<Setting<'_>> =
            comparison.problems(context).into_iter().map(set).collect();
        sets.sort_by_key(|set| set.problem.mean);
        let depth = (comparison.shape == Shape::Ten).then(|| Depth::new(&sets[0].problem, records));
        Self { comparison, settings, sets, depth }
    }

    pub(super) fn report(&self) -> Report {
        let title = self.comparison.title;
        let mut report = Report {
            setup: self.setup(),
            figures: vec![
                ("", figures::objective(title, &self.sets)),
                ("-accuracy", figures::accuracy(title, &self.sets)),
                ("-time", figures::over_time(title, &self.sets)),
            ],
            summaries: vec![self.summary()],
            claims: self.claims(),
        };
        if let Some(depth) = &self.depth {
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
        format!(
            "Gaussian points labelled by `{}`, {test} more to test on; squared loss. Two problems: \
             beta = {BETA} beside the sum of the losses, as in the text, and beta n, as in the \
             authors' notebook. {shape} {draws} draws of data and teacher. On each, {epochs} \
             epochs of full batches from one start{starts} at the learning rate {RATE}, divided by \
             ten after {PATIENCE} epochs without progress; on the first draw also from {authors} \
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

    fn summary(&self) -> TextTable {
        let mut table = TextTable::new(
            "setting, method, objective, as trained, train, test, test − best heuristic, neurons, \
             seconds",
        );
        for set in &self.sets {
            for method in set.methods() {
                let mean = |field| set.mean(method, field);
                let (best, apart) = set.against_best(method);
                let apart = if method.convex() {
                    apart.signed()
                } else if method == best {
                    "best heuristic".into()
                } else {
                    String::new()
                };
                let [objective, raw, neurons, seconds] =
                    ["objective", "raw", "neurons", "train_seconds"].map(|f| short(mean(f).mean));
                let (train, test) = (part(mean("train_accuracy").mean), mean("test_accuracy"));
                let (setting, method) = (set.name(), method.name());
                table.row(&[
                    &setting, &method, &objective, &raw, &train, &test, &apart, &neurons, &seconds,
                ]);
            }
        }
        table
    }
}
