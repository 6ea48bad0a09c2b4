//! What depth does: the convex program on more and more random layers, and the heuristics without
//! batch normalisation.

use hardlim_plot::{BLUE, CYCLE, Figure, GREY, Panel, Scale, Series, Stroke, line_chart};
use serde_json::Value;

use super::task::Task;
use super::{Comparison, Depth, Method, Run, Settings, Shape, Strength};
use crate::baseline::Surrogate;
use crate::experiments::experiment::{Context, Records, number};
use crate::experiments::report::{Claim, Table, Verdict, numbers, part};
use crate::experiments::statistics::Mean;

/// The numbers of random layers that are tried.
const LAYERS: [usize; 5] = [1, 2, 3, 5, 8];

/// What is trained beside the usual runs of ten layers, on the problem as the paper states it.
pub(super) fn runs(comparison: &Comparison, context: &Context<'_>) -> Vec<(Task, Run)> {
    if comparison.shape != Shape::Ten {
        return Vec::new();
    }
    let settings = comparison.settings(context);
    let (n, d, _) = comparison.sizes(context)[0];
    let tasks =
        |draws: u64| (0..draws).map(move |draw| Task { n, d, strength: Strength::Sum, draw });
    let layers = tasks(settings.draws).flat_map(|task| LAYERS.map(|layers| (task, svm(layers))));
    let plain = tasks(settings.plain).flat_map(|task| Surrogate::ALL.map(|s| (task, plain(s))));
    layers.chain(plain).collect()
}

fn svm(layers: usize) -> Run {
    Run { depth: Depth::Layers(layers), ..Run::new(Method::Svm) }
}

fn plain(surrogate: Surrogate) -> Run {
    Run { depth: Depth::Plain, ..Run::new(Method::Heuristic(surrogate)) }
}

/// The records about depth, one of each draw.
pub(super) struct Depths<'a> {
    /// For every number of random layers.
    layers: Vec<(usize, Vec<&'a Value>)>,
    /// Without batch normalisation.
    plain: Vec<(Surrogate, Vec<&'a Value>)>,
}

impl<'a> Depths<'a> {
    pub(super) fn new(
        comparison: &Comparison,
        context: &Context<'_>,
        settings: &Settings,
        records: &'a Records,
    ) -> Self {
        let runs = runs(comparison, context);
        let of = |depth: Depth, method: Method| {
            let runs = runs.iter().filter(|(_, run)| (run.depth, run.method) == (depth, method));
            runs.map(|(task, run)| records.get(&task.key(settings, run))).collect()
        };
        Self {
            layers: LAYERS.map(|count| (count, of(Depth::Layers(count), Method::Svm))).into(),
            plain: Surrogate::ALL.map(|s| (s, of(Depth::Plain, Method::Heuristic(s)))).into(),
        }
    }

    pub(super) fn table(&self) -> Table {
        let mut table = Table::new(
            "method, random_layers, draw, objective, train_accuracy, test_accuracy, train_seconds",
        );
        let mut add = |method: &str, layers: &str, records: &[&Value]| {
            for (draw, record) in records.iter().enumerate() {
                let fields = "objective, train_accuracy, test_accuracy, train_seconds";
                table.row(&[&method, &layers, &draw], &numbers(record, fields));
            }
        };
        for (layers, records) in &self.layers {
            add(&Method::Svm.name(), &layers.to_string(), records);
        }
        for (surrogate, records) in &self.plain {
            add(&format!("{surrogate} without batch norm"), "", records);
        }
        table
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
