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
mod run;

use hardlim_plot::{BLUE, CYCLE, Stroke};

use crate::baseline::Surrogate;
use crate::experiments::experiment::{Context, Experiment, Scale, Trial};
use outcome::ComparisonOutcome;
use run::{Run, Settings};

/// `β` in all four experiments.
const BETA: f64 = 1e-3;
/// The learning rate at the start, as printed.
const RATE: f64 = 0.01;

/// All four.
pub(crate) const ALL: [Experiment; 4] =
    [experiment::<0>(), experiment::<1>(), experiment::<2>(), experiment::<3>()];
const COMPARISONS: [Comparison; 4] = [TWO_LAYER, REPRESENTATION, THREE_LAYER, TEN_LAYER];

const fn experiment<const K: usize>() -> Experiment {
    Experiment {
        id: COMPARISONS[K].id,
        title: COMPARISONS[K].title,
        trials: |context| COMPARISONS[K].trials(context),
        report: |context, records| {
            ComparisonOutcome::new(&COMPARISONS[K], context, records).report()
        },
    }
}

/// One of the four experiments.
struct Comparison {
    id: &'static str,
    title: &'static str,
    source: &'static str,
    teacher: &'static str,
    /// `(n, d)`, and whether the paper finds that convex training is at least as good on new
    /// samples.
    sizes: &'static [(usize, usize, bool)],
    shape: Shape,
}

/// The paper's two-layer figures: a teacher of 20 tanh neurons, three regimes of `(n, d)`.
const TWO_LAYER: Comparison = Comparison {
    id: "two-layer",
    title: "Two-layer networks on a teacher's data",
    source: "Figures lasso_5trial, lasso_test1-3",
    teacher: "teacher2",
    sizes: &[(20, 100, false), (50, 50, false), (100, 20, true)],
    shape: Shape::Two,
};

/// The paper's figures with a representation matrix: for every method the first layer is random and
/// fixed.
const REPRESENTATION: Comparison = Comparison {
    id: "representation",
    title: "Three-layer networks on a random representation",
    source: "Figures exact2_5trial, exact2_test1-3",
    shape: Shape::Represented,
    ..THREE_LAYER
};

/// The paper's three-layer figures; the heuristics train all layers.
const THREE_LAYER: Comparison = Comparison {
    id: "three-layer",
    title: "Three-layer networks, all layers trained",
    source: "Figures exact3_5trial, exact3_test",
    teacher: "teacher3",
    sizes: &[(20, 100, true), (50, 50, true), (100, 20, true)],
    shape: Shape::Three,
};

/// The paper's ten-layer figure; the heuristics use batch normalisation.
const TEN_LAYER: Comparison = Comparison {
    id: "ten-layer",
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Lasso,
    Generate,
    Pi,
    Svm,
    /// The same on this many random layers.
    OnLayers(usize),
    Heuristic(Surrogate),
    /// The same without batch normalisation.
    Plain(Surrogate),
}

impl Method {
    fn convex(self) -> bool {
        !matches!(self, Self::Heuristic(_) | Self::Plain(_))
    }

    fn name(self) -> String {
        match self {
            Self::Lasso => "Convex-Lasso".into(),
            Self::Generate => "generate (ours)".into(),
            Self::Pi => "Convex-PI".into(),
            Self::Svm | Self::OnLayers(_) => "Convex-SVM".into(),
            Self::Heuristic(surrogate) | Self::Plain(surrogate) => surrogate.to_string(),
        }
    }

    /// How it is drawn; strokes distinguish the lines of heuristics without colour.
    fn style(self) -> (&'static str, Stroke) {
        match self {
            Self::Lasso => (CYCLE[5], Stroke::Dots),
            Self::Generate => (BLUE, Stroke::Dots),
            Self::Pi => (CYCLE[6], Stroke::Dots),
            Self::Svm | Self::OnLayers(_) => ("#8A5A00", Stroke::Dots),
            Self::Heuristic(surrogate) | Self::Plain(surrogate) => match surrogate {
                Surrogate::Identity => (CYCLE[1], Stroke::Solid),
                Surrogate::Relu => (CYCLE[2], Stroke::Dashed),
                Surrogate::LeakyRelu => (CYCLE[3], Stroke::Solid),
                Surrogate::ClippedRelu => (CYCLE[4], Stroke::Dashed),
            },
        }
    }
}

impl Comparison {
    fn settings(&self, scale: Scale) -> Settings {
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

    /// Convex training on the first draw of each size, with both scales of `β`: the run that the
    /// others vary, and whether the paper finds that convex training is at least as good.
    fn problems(&'static self, context: &Context<'_>) -> Vec<(Run, bool)> {
        let factor = if context.scale == Scale::Tiny { 5 } else { 1 };
        let settings = self.settings(context.scale);
        let mut problems = Vec::new();
        for &(n, d, convex_wins) in self.sizes {
            for mean in [false, true] {
                let run = Run {
                    comparison: self,
                    settings,
                    n: n / factor,
                    d: d / factor,
                    mean,
                    draw: 0,
                    method: Method::Svm,
                    authors: false,
                    start: 0,
                };
                problems.push((run, convex_wins));
            }
        }
        problems
    }

    fn trials(&'static self, context: &Context<'_>) -> Vec<Trial> {
        let problems = self.problems(context);
        let usual = problems.iter().flat_map(|(problem, _)| problem.all());
        (usual.chain(depth::runs(&problems[0].0)))
            .map(|run| {
                let cost = if run.method.convex() { 0.2 } else { 1.0 };
                Trial::new(run.key(), cost, move |context| run.compute(context))
            })
            .collect()
    }
}
