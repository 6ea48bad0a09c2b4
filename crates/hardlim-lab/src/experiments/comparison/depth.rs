//! What depth does: the convex program on more and more random layers, and the heuristics without
//! batch normalisation.

use hardlim_plot::{BLUE, CYCLE, Figure, GREY, Panel, Scale, Series, Stroke, line_chart};

use super::outcome::{Draw, Setting};
use super::run::Run;
use super::{Method, Shape};
use crate::baseline::Surrogate;
use crate::experiments::experiment::Records;
use crate::experiments::report::{Claim, Verdict, part};

/// The numbers of random layers that are tried.
const LAYERS: [usize; 5] = [1, 2, 3, 5, 8];

/// What is trained beside the usual runs of ten layers, on a problem as the paper states it.
pub(super) fn runs(problem: &Run) -> Vec<Run> {
    let Run { settings, comparison, .. } = *problem;
    let draws = if comparison.shape == Shape::Ten { settings.draws } else { 0 };
    let layers = (0..draws).flat_map(|draw| LAYERS.map(|k| (draw, Method::OnLayers(k))));
    let plain =
        (0..settings.plain).flat_map(|draw| Surrogate::ALL.map(|s| (draw, Method::Plain(s))));
    layers.chain(plain).map(|(draw, method)| Run { draw, method, ..*problem }).collect()
}

pub(super) struct Depth<'a>(Setting<'a>);

impl<'a> Depth<'a> {
    pub(super) fn new(problem: &Run, records: &'a Records) -> Self {
        let runs = runs(problem);
        let draw = |draw| Draw::new(runs.iter().filter(|run| run.draw == draw).copied(), records);
        let draws = (0..problem.settings.draws).map(draw).collect();
        Self(Setting { problem: *problem, convex_wins: true, draws })
    }

    /// The test accuracy on each draw.
    pub(super) fn on_layers(&self, layers: usize) -> Vec<f64> {
        self.0.values(Method::OnLayers(layers), "test_accuracy")
    }

    pub(super) fn figure(&self) -> Figure {
        let tests = LAYERS.map(|layers| self.on_layers(layers));
        let line = |of: &dyn Fn(usize) -> f64, color, stroke| {
            let points = LAYERS.iter().enumerate().map(|(k, layers)| (*layers as f64, of(k)));
            Series::new(points.collect(), color, stroke)
        };
        let mut series: Vec<Series> = (0..tests[0].len())
            .map(|draw| line(&|k| tests[k][draw], CYCLE[5], Stroke::Thin))
            .collect();
        series[0].name = Some("one draw".into());
        let mean = |k: usize| self.0.mean(Method::OnLayers(LAYERS[k]), "test_accuracy").mean;
        series.push(line(&mean, BLUE, Stroke::Solid).named("mean"));
        let ends = [LAYERS[0], LAYERS[LAYERS.len() - 1]].map(|layers| (layers as f64, 0.5));
        series.push(Series::new(ends.into(), GREY, Stroke::Dashed).named("guessing"));
        let title = "Convex-SVM: optimal on every number of layers";
        let axes = (("random layers", Scale::Count), ("test accuracy", Scale::Percent));
        let panel = Panel::new(title, axes.0, axes.1, series);
        line_chart("The price of random layers", vec![panel], 1)
    }

    pub(super) fn claims(&self) -> Vec<Claim> {
        let fitted = Surrogate::ALL.map(|surrogate| {
            let accuracies = self.0.values(Method::Plain(surrogate), "train_accuracy");
            (surrogate, accuracies.into_iter().fold(0.0, f64::max))
        });
        let each = fitted.map(|(surrogate, most)| format!("{surrogate} {}", part(most)));
        let means = LAYERS.map(|layers| {
            format!("{} on {layers}", self.0.mean(Method::OnLayers(layers), "test_accuracy"))
        });
        vec![
            Claim {
                source: "Section experiment_exact10",
                expected: "without batch normalisation no heuristic fits the training data.".into(),
                found: format!(
                    "highest training accuracy in {} draw(s): {}.",
                    self.0.problem.settings.plain,
                    each.join(", ")
                ),
                verdict: Verdict::of(fitted.iter().all(|(_, most)| *most < 1.0)),
            },
            Claim {
                source: "Figure 10layer",
                expected:
                    "(eight random layers below the convex method, or fewer: the paper does not \
                     say it in so many words)."
                        .into(),
                found: format!(
                    "the same optimum, {} random layers: test accuracy {}.",
                    LAYERS.map(|layers| layers.to_string()).join(", "),
                    means.join(", ")
                ),
                verdict: Verdict::Measured,
            },
        ]
    }
}
