//! What depth does: the convex program on more and more random layers, and the heuristics without
//! batch normalisation.

use hardlim_plot::{BLUE, CYCLE, Figure, GREY, Panel, Scale, Series, Stroke, line_chart};
use serde_json::Value;

use super::run::{Depth, Run};
use super::{Method, Shape};
use crate::baseline::Surrogate;
use crate::experiments::experiment::{Records, number};
use crate::experiments::report::{Claim, Verdict, part};
use crate::experiments::statistics::Mean;

/// The numbers of random layers that are tried.
const LAYERS: [usize; 5] = [1, 2, 3, 5, 8];

/// What is trained beside the usual runs of ten layers, on a problem as the paper states it.
pub(super) fn runs(problem: &Run) -> Vec<Run> {
    if problem.comparison.shape != Shape::Ten {
        return Vec::new();
    }
    let layers = LAYERS.map(|layers| (Method::Svm, Depth::Layers(layers)));
    let plain = Surrogate::ALL.map(|s| (Method::Heuristic(s), Depth::Plain));
    let on = |draws: u64, ways: &[(Method, Depth)]| -> Vec<Run> {
        let way = |draw| ways.iter().map(move |&(method, depth)| (draw, method, depth));
        let all = (0..draws).flat_map(way);
        all.map(|(draw, method, depth)| Run { draw, method, depth, ..*problem }).collect()
    };
    [on(problem.settings.draws, &layers), on(problem.settings.plain, &plain)].concat()
}

/// The records about depth, one of each draw.
pub(super) struct Depths<'a> {
    /// For every number of random layers.
    layers: Vec<(usize, Vec<&'a Value>)>,
    /// Without batch normalisation.
    plain: Vec<(Surrogate, Vec<&'a Value>)>,
}

impl<'a> Depths<'a> {
    pub(super) fn new(problem: &Run, records: &'a Records) -> Self {
        let runs = runs(problem);
        let of = |depth: Depth, method: Method| {
            let runs = runs.iter().filter(|run| (run.depth, run.method) == (depth, method));
            runs.map(|run| records.get(&run.key())).collect()
        };
        Self {
            layers: LAYERS.map(|count| (count, of(Depth::Layers(count), Method::Svm))).into(),
            plain: Surrogate::ALL.map(|s| (s, of(Depth::Plain, Method::Heuristic(s)))).into(),
        }
    }

    /// The test accuracy against the number of random layers.
    pub(super) fn figure(&self) -> Figure {
        let line = |of: &dyn Fn(&[&Value]) -> f64, color, stroke| {
            let points = self.layers.iter().map(|(layers, r)| (*layers as f64, of(r))).collect();
            Series::new(points, color, stroke)
        };
        let mut series: Vec<Series> = (0..self.layers[0].1.len())
            .map(|draw| line(&|r| number(r[draw], "test_accuracy"), CYCLE[5], Stroke::Thin))
            .collect();
        series[0].name = Some("one draw".into());
        series.push(line(&|r| tests(r).mean, BLUE, Stroke::Solid).named("mean"));
        let ends = [LAYERS[0], LAYERS[LAYERS.len() - 1]].map(|layers| (layers as f64, 0.5));
        series.push(Series::new(ends.into(), GREY, Stroke::Dashed).named("guessing"));
        let title = "Convex-SVM: optimal on every number of layers";
        let axes = (("random layers", Scale::Count), ("test accuracy", Scale::Percent));
        let panel = Panel::new(title, axes.0, axes.1, series);
        line_chart("The price of random layers", vec![panel], 1)
    }

    /// The accuracy of the convex method on one random layer, on each draw.
    pub(super) fn on_one_layer(&self) -> Vec<f64> {
        self.layers[0].1.iter().map(|record| number(record, "test_accuracy")).collect()
    }

    pub(super) fn claims(&self) -> Vec<Claim> {
        let fitted = |records: &[&Value]| {
            records.iter().map(|r| number(r, "train_accuracy")).fold(0.0, f64::max)
        };
        let most = self.plain.iter().map(|(_, records)| fitted(records)).fold(0.0, f64::max);
        let each: Vec<String> = (self.plain.iter())
            .map(|(surrogate, records)| format!("{surrogate} {}", part(fitted(records))))
            .collect();
        let means: Vec<String> = (self.layers.iter())
            .map(|(layers, records)| format!("{} on {layers}", tests(records)))
            .collect();
        vec![
            Claim {
                source: "Section experiment_exact10",
                expected: "without batch normalisation no heuristic fits the training data.".into(),
                found: format!(
                    "highest training accuracy in {} draw(s): {}.",
                    self.plain[0].1.len(),
                    each.join(", ")
                ),
                verdict: Verdict::of(most < 1.0),
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

fn tests(records: &[&Value]) -> Mean {
    let values: Vec<f64> = records.iter().map(|r| number(r, "test_accuracy")).collect();
    Mean::of(&values)
}
