//! Convex programs against gradient descent on the data of a teacher: the protocol of four
//! experiments.
//!
//! Data and teacher are drawn several times. On every draw each convex method runs once, and each
//! heuristic from one start, or on the first draw from several, of which the run with the lowest
//! objective counts. Methods are compared draw by draw.

mod claims;
mod depth;
mod figures;
mod outcome;
mod task;

use hardlim::train::Request;
use hardlim_plot::{BLUE, CYCLE, Stroke};

use crate::baseline::Surrogate;
use crate::experiments::experiment::{Context, Experiment, Records, Scale, Trial};
use crate::experiments::report::Report;
use outcome::Outcome;
use task::Task;

/// `β` in all four experiments.
const BETA: f64 = 1e-3;
/// The learning rate at the start, as printed.
const RATE: f64 = 0.01;

/// All four.
pub(crate) const ALL: [Experiment; 4] = [
    Experiment {
        id: "two-layer",
        title: TWO_LAYER.title,
        trials: |context| TWO_LAYER.trials(context),
        report: |context, records| TWO_LAYER.report(context, records),
    },
    Experiment {
        id: "representation",
        title: REPRESENTATION.title,
        trials: |context| REPRESENTATION.trials(context),
        report: |context, records| REPRESENTATION.report(context, records),
    },
    Experiment {
        id: "three-layer",
        title: THREE_LAYER.title,
        trials: |context| THREE_LAYER.trials(context),
        report: |context, records| THREE_LAYER.report(context, records),
    },
    Experiment {
        id: "ten-layer",
        title: TEN_LAYER.title,
        trials: |context| TEN_LAYER.trials(context),
        report: |context, records| TEN_LAYER.report(context, records),
    },
];

/// One of the four experiments.
#[derive(Debug, Clone, Copy)]
struct Comparison {
    title: &'static str,
    /// The figures of the paper.
    source: &'static str,
    /// The built-in data set.
    teacher: &'static str,
    /// `(n, d)`, and whether the paper finds that convex training is at least as good on new
    /// samples.
    sizes: &'static [(usize, usize, bool)],
    shape: Shape,
}

/// The paper's two-layer figures: a teacher of 20 tanh neurons, three regimes of `(n, d)`.
const TWO_LAYER: Comparison = Comparison {
    title: "Two-layer networks on a teacher's data",
    source: "Figures lasso_5trial, lasso_test1-3",
    teacher: "teacher2",
    sizes: &[(20, 100, false), (50, 50, false), (100, 20, true)],
    shape: Shape::Two,
};

/// The paper's figures with a representation matrix: for every method the first layer is random and
/// fixed.
const REPRESENTATION: Comparison = Comparison {
    title: "Three-layer networks on a random representation",
    source: "Figures exact2_5trial, exact2_test1-3",
    shape: Shape::Represented,
    ..THREE_LAYER
};

/// The paper's three-layer figures; the heuristics train all layers.
const THREE_LAYER: Comparison = Comparison {
    title: "Three-layer networks, all layers trained",
    source: "Figures exact3_5trial, exact3_test",
    teacher: "teacher3",
    sizes: &[(20, 100, true), (50, 50, true), (100, 20, true)],
    shape: Shape::Three,
};

/// The paper's ten-layer figure; the heuristics use batch normalisation.
const TEN_LAYER: Comparison = Comparison {
    title: "Ten-layer networks with batch normalisation",
    source: "Figure 10layer",
    teacher: "teacher3",
    sizes: &[(100, 20, true)],
    shape: Shape::Ten,
};

/// The shape of the trained networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Two layers of `m` neurons.
    Two,
    /// A fixed random layer of `m` neurons, and `n` trained ones above it.
    Represented,
    /// `m` and `n` neurons, all trained.
    Three,
    /// Nine hidden layers, `m` neurons and then `n` in each, with batch normalisation.
    Ten,
}

/// What `β = 10⁻³` multiplies. The text has the first problem, the authors' notebook the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strength {
    /// `β`, beside a sum of losses.
    Sum,
    /// `β n` beside a sum of losses, or `β` beside their mean.
    Mean,
}

impl Strength {
    const BOTH: [Self; 2] = [Self::Sum, Self::Mean];

    fn beta(self, n: usize) -> f64 {
        match self {
            Self::Sum => BETA,
            Self::Mean => BETA * n as f64,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Sum => "beta",
            Self::Mean => "beta n",
        }
    }
}

/// When the learning rate falls, and by how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Schedule {
    /// To a tenth after 50 epochs without progress. Surrogate gradients are noisy: with fewer
    /// epochs, the rate falls too early.
    Patient,
    /// To a half after 10 epochs, as in the authors' code.
    Authors,
}

impl Schedule {
    /// Its name, the epochs without progress, and what the rate is then multiplied by.
    fn parts(self) -> (&'static str, usize, f64) {
        match self {
            Self::Patient => ("patient", 50, 0.1),
            Self::Authors => ("authors", 10, 0.5),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Lasso,
    Generate,
    Pi,
    Svm,
    Heuristic(Surrogate),
}

impl Method {
    fn convex(self) -> bool {
        !matches!(self, Self::Heuristic(_))
    }

    fn name(self) -> String {
        match self {
            Self::Lasso => "Convex-Lasso".into(),
            Self::Generate => "generate (ours)".into(),
            Self::Pi => "Convex-PI".into(),
            Self::Svm => "Convex-SVM".into(),
            Self::Heuristic(surrogate) => surrogate.to_string(),
        }
    }

    /// How it is drawn; strokes distinguish the lines of heuristics without colour.
    fn style(self) -> (&'static str, Stroke) {
        match self {
            Self::Lasso => (CYCLE[5], Stroke::Dots),
            Self::Generate => (BLUE, Stroke::Dots),
            Self::Pi => (CYCLE[6], Stroke::Dots),
            Self::Svm => ("#8A5A00", Stroke::Dots),
            Self::Heuristic(surrogate) => match surrogate {
                Surrogate::Identity => (CYCLE[1], Stroke::Solid),
                Surrogate::Relu => (CYCLE[2], Stroke::Dashed),
                Surrogate::LeakyRelu => (CYCLE[3], Stroke::Solid),
                Surrogate::ClippedRelu => (CYCLE[4], Stroke::Dashed),
            },
        }
    }
}

/// One training on a draw. Convex methods have one start, and no schedule.
#[derive(Debug, Clone, Copy)]
struct Run {
    method: Method,
    schedule: Schedule,
    start: u64,
    depth: Depth,
}

/// What else is tried with ten layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Usual,
    /// This many random layers below a convex method.
    Layers(usize),
    /// A heuristic without batch normalisation.
    Plain,
}

impl Run {
    /// The usual run of a method from its first start.
    fn new(method: Method) -> Self {
        Self { method, schedule: Schedule::Patient, start: 0, depth: Depth::Usual }
    }
}

/// The settings that depend on the scale only.
#[derive(Debug, Clone, Copy)]
struct Settings {
    /// `m`, and the number of sampled patterns.
    width: usize,
    epochs: usize,
    /// The number of draws of data and teacher.
    draws: u64,
    /// The number of starts on the first draw, as in the paper's figures; one on the others.
    starts: u64,
    /// The number of starts on the first draw with the schedule of the authors' code.
    authors: u64,
    test: usize,
    /// The most rounds of generation.
    rounds: usize,
    /// The number of draws on which ten layers are also trained without batch normalisation.
    plain: u64,
}

impl Comparison {
    fn settings(&self, context: &Context<'_>) -> Settings {
        let scale = context.scale;
        let deep = self.shape == Shape::Ten;
        Settings {
            width: scale.pick(160, 1000, 1000),
            epochs: scale.pick(5, if deep { 200 } else { 500 }, 5000),
            draws: scale.pick(2, 10, 10),
            starts: scale.pick(1, 1, 5),
            authors: scale.pick(1, 1, 2),
            test: scale.pick(100, 3000, 3000),
            rounds: scale.pick(2, 8, 1000),
            plain: if deep { scale.pick(1, 3, 3) } else { 0 },
        }
    }

    fn sizes(&self, context: &Context<'_>) -> Vec<(usize, usize, bool)> {
        let factor = if context.scale == Scale::Tiny { 5 } else { 1 };
        self.sizes.iter().map(|&(n, d, wins)| (n / factor, d / factor, wins)).collect()
    }

    /// The convex methods that apply.
    fn convex(&self, task: &Task) -> &'static [Method] {
        match self.shape {
            // Gaussian points in this many dimensions are in general position.
            Shape::Two if task.n <= task.d + 1 => &[Method::Lasso, Method::Pi, Method::Svm],
            Shape::Two => &[Method::Lasso, Method::Generate],
            _ => &[Method::Pi, Method::Svm],
        }
    }

    /// What a convex method is asked.
    fn request(&self, run: &Run, task: &Task, settings: &Settings) -> Request {
        let mut options = format!("beta={} tolerance=1e-9 ", task.beta());
        options += &match run.method {
            Method::Lasso => format!("patterns={}", settings.width),
            Method::Generate => format!("method=generate rounds={}", settings.rounds),
            Method::Pi => "method=complete weights=pi".into(),
            Method::Svm => "method=complete weights=svm".into(),
            Method::Heuristic(_) => unreachable!("heuristics are no requests"),
        };
        let layers = match (self.shape, run.depth) {
            (_, Depth::Layers(layers)) => layers,
            (Shape::Two, _) => 0,
            (Shape::Represented | Shape::Three, _) => 1,
            (Shape::Ten, _) => 8,
        };
        if layers > 0 {
            // The layers above the first need a certain rank, not a certain width.
            let half = settings.width.div_ceil(2).to_string();
            let widths = [vec![settings.width.to_string()], vec![half; layers - 1]].concat();
            options += &format!(" representation=gaussian widths={}", widths.join(","));
        }
        Request::of(&options).expect("options of one problem")
    }

    /// All problems: the sizes, both scales of `β`, and the draws.
    fn tasks(&self, context: &Context<'_>) -> Vec<Task> {
        let mut tasks = Vec::new();
        for (n, d, _) in self.sizes(context) {
            for strength in Strength::BOTH {
                let draws = 0..self.settings(context).draws;
                tasks.extend(draws.map(|draw| Task { n, d, strength, draw }));
            }
        }
        tasks
    }

    /// All runs on a problem, the convex ones first.
    fn runs(&self, settings: &Settings, task: &Task) -> Vec<Run> {
        let mut runs: Vec<Run> = self.convex(task).iter().map(|&method| Run::new(method)).collect();
        let (patient, authors) =
            if task.draw == 0 { (settings.starts, settings.authors) } else { (1, 0) };
        for surrogate in Surrogate::ALL {
            for (schedule, starts) in [(Schedule::Patient, patient), (Schedule::Authors, authors)] {
                let run = Run { schedule, ..Run::new(Method::Heuristic(surrogate)) };
                runs.extend((0..starts).map(|start| Run { start, ..run }));
            }
        }
        runs
    }

    fn trials(&'static self, context: &Context<'_>) -> Vec<Trial> {
        let settings = self.settings(context);
        let tasks = self.tasks(context).into_iter();
        let usual = tasks
            .flat_map(|task| self.runs(&settings, &task).into_iter().map(move |run| (task, run)));
        (usual.chain(depth::runs(self, context)))
            .map(|(task, run)| {
                let cost = if run.method.convex() { 0.2 } else { 1.0 };
                Trial::new(task.key(&settings, &run), cost, move |context| {
                    self.compute(context, &settings, &task, &run)
                })
            })
            .collect()
    }

    fn report(&self, context: &Context<'_>, records: &Records) -> Report {
        Outcome::new(self, context, records).report()
    }
}
