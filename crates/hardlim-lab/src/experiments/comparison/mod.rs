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

use crate::baseline::Surrogate;
use hardlim::train::Request;

use crate::experiments::experiment::{Context, Experiment, Records, Trial};
use crate::experiments::report::Report;
use outcome::Outcome;
use task::Task;

/// `β` in all four experiments.
const BETA: f64 = 1e-3;
const LOSS: &str = "squared";
/// The learning rate at the start, as printed.
const RATE: f64 = 0.01;

/// One of the four experiments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Comparison {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// The figures of the paper.
    pub(crate) source: &'static str,
    /// The built-in data set.
    pub(crate) teacher: &'static str,
    /// `(n, d)`, and whether the paper finds that convex training is at least as good on new
    /// samples.
    pub(crate) sizes: &'static [(usize, usize, bool)],
    pub(crate) shape: Shape,
}

/// The paper's two-layer figures: a teacher of 20 tanh neurons, three regimes of `(n, d)`.
pub(crate) const TWO_LAYER: Comparison = Comparison {
    id: "two-layer",
    title: "Two-layer networks on a teacher's data",
    source: "Figures lasso_5trial, lasso_test1-3",
    teacher: "teacher2",
    sizes: &[(20, 100, false), (50, 50, false), (100, 20, true)],
    shape: Shape::Two,
};

/// The paper's figures with a representation matrix: for every method the first layer is random and
/// fixed.
pub(crate) const REPRESENTATION: Comparison = Comparison {
    id: "representation",
    title: "Three-layer networks on a random representation",
    source: "Figures exact2_5trial, exact2_test1-3",
    shape: Shape::Represented,
    ..THREE_LAYER
};

/// The paper's three-layer figures; the heuristics train all layers.
pub(crate) const THREE_LAYER: Comparison = Comparison {
    id: "three-layer",
    title: "Three-layer networks, all layers trained",
    source: "Figures exact3_5trial, exact3_test",
    teacher: "teacher3",
    sizes: &[(20, 100, true), (50, 50, true), (100, 20, true)],
    shape: Shape::Three,
};

/// The paper's ten-layer figure; the heuristics use batch normalisation.
pub(crate) const TEN_LAYER: Comparison = Comparison {
    id: "ten-layer",
    title: "Ten-layer networks with batch normalisation",
    source: "Figure 10layer",
    teacher: "teacher3",
    sizes: &[(100, 20, true)],
    shape: Shape::Ten,
};

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
    fn name(self) -> &'static str {
        match self {
            Self::Patient => "patient",
            Self::Authors => "authors",
        }
    }

    fn patience(self) -> usize {
        match self {
            Self::Patient => 50,
            Self::Authors => 10,
        }
    }

    fn factor(self) -> f64 {
        match self {
            Self::Patient => 0.1,
            Self::Authors => 0.5,
        }
    }
}

/// One training of a heuristic.
#[derive(Debug, Clone, Copy)]
struct Run {
    surrogate: Surrogate,
    schedule: Schedule,
    start: u64,
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

impl Settings {
    /// All runs of a heuristic on this draw.
    fn runs(&self, surrogate: Surrogate, draw: u64) -> Vec<Run> {
        let (patient, authors) = if draw == 0 { (self.starts, self.authors) } else { (1, 0) };
        let of = |schedule: Schedule, starts: u64| {
            (0..starts).map(move |start| Run { surrogate, schedule, start })
        };
        of(Schedule::Patient, patient).chain(of(Schedule::Authors, authors)).collect()
    }
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
        let smaller = |&(n, d, convex): &(usize, usize, bool)| match context.scale {
            crate::experiments::Scale::Tiny => (n / 5, d / 5, convex),
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

    fn request(&self, method: Convex, beta: f64, layers: &[usize], settings: &Settings) -> Request {
        let represented = self.shape != Shape::Two;
        let mut options = format!("beta={beta} tolerance=1e-9 ");
        options += &match method {
            Convex::Lasso => format!("patterns={}", settings.width),
            Convex::Generate => format!("method=generate rounds={}", settings.rounds),
            Convex::Pi => "method=complete weights=pi".into(),
            Convex::Svm => "method=complete weights=svm".into(),
        };
        if represented {
            let widths: Vec<String> = layers.iter().map(ToString::to_string).collect();
            options += &format!(" representation=gaussian widths={}", widths.join(","));
        }
        Request::of(&options).expect("options of one problem")
    }

    /// The widths of the random layers, given their number.
    fn layers(&self, count: usize, width: usize) -> Vec<usize> {
        // The layers above the first need a certain rank, not a certain width.
        (0..count).map(|k| if k == 0 { width } else { width.div_ceil(2) }).collect()
    }

    /// The number of random layers below the convex methods.
    fn depth(&self) -> usize {
        match self.shape {
            Shape::Two => 0,
            Shape::Represented | Shape::Three => 1,
            Shape::Ten => 8,
        }
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
        let this = *self;
        let mut trials = Vec::new();
        for task in self.tasks(context) {
            for &method in self.convex((task.n, task.d)) {
                let (key, depth) = (task.convex_key(&settings, method), this.depth());
                trials.push(Trial::new(key, 0.2, move |context| {
                    this.solve(context, &settings, &task, method, depth)
                }));
            }
            for surrogate in Surrogate::ALL {
                for run in settings.runs(surrogate, task.draw) {
                    let key = task.start_key(&settings, &run);
                    let normalised = self.shape == Shape::Ten;
                    trials.push(Trial::new(key, 1.0, move |context| {
                        this.descend(context, &settings, &task, &run, normalised)
                    }));
                }
            }
        }
        if self.shape == Shape::Ten {
            trials.extend(self.deep_trials(context, &settings));
        }
        trials
    }

    fn report(&self, context: &Context<'_>, records: &Records) -> Report {
        Outcome::new(self, context, records).report()
    }
}
