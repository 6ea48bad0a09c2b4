//! The two pictures of a comparison: objective against time, and accuracies.

use hardlim_plot::{
    Axis, BLUE, CYCLE, DotRow, Figure, GREY, Mark, Panel, Scale, Series, Stroke, VERMILLION,
    dot_chart, line_chart,
};

use super::Convex;
use super::outcome::Setting;
use crate::curve;
use crate::experiment::number;

/// The objective of the best run of each heuristic and of each convex program, against time.
pub(super) fn objective(title: &str, sets: &[Setting<'_>]) -> Figure {
    let panels: Vec<Panel> = sets.iter().map(panel).collect();
    let columns = panels.len();
    let mut names: Vec<(String, &'static str, Stroke)> = Vec::new();
    for set in sets {
        for (k, heuristic) in set.heuristics.iter().enumerate() {
            names.push((format!("{}, best run", heuristic.surrogate), CYCLE[k + 1], stroke(k)));
        }
        for (method, _) in &set.convex {
            names.push((method.name().into(), color(*method), Stroke::Dots));
        }
    }
    names.push(("no network is below".into(), GREY, Stroke::Dashed));
    let mut seen: Vec<(&str, &'static str, Stroke)> = Vec::new();
    for (name, color, stroke) in &names {
        if seen.iter().all(|known| known.0 != name) {
            seen.push((name, color, *stroke));
        }
    }
    line_chart(title, panels, columns).with_names(&seen)
}

/// The strokes, which distinguish lines without colour.
fn stroke(k: usize) -> Stroke {
    if k.is_multiple_of(2) { Stroke::Solid } else { Stroke::Dashed }
}

fn color(method: Convex) -> &'static str {
    match method {
        Convex::Lasso => CYCLE[5],
        Convex::Generate => BLUE,
        Convex::Pi => CYCLE[6],
        Convex::Svm => "#8A5A00",
    }
}

fn panel(set: &Setting<'_>) -> Panel {
    let mut series = Vec::new();
    let mut last = 0.0f64;
    for (k, heuristic) in set.heuristics.iter().enumerate() {
        let points: Vec<(f64, f64)> =
            curve::points(heuristic.best()).iter().map(|p| (p.1.max(1e-4), p.2)).collect();
        last = points.iter().map(|p| p.0).fold(last, f64::max);
        series.push(Series::new(points, CYCLE[k + 1], stroke(k)));
    }
    let bound = set.convex.iter().map(|(_, r)| number(r, "lower_bound")).fold(0.0, f64::max);
    let points = vec![(1e-4, bound), (last.max(1e-3), bound)];
    series.push(Series::new(points, GREY, Stroke::Dashed));
    for (method, record) in &set.convex {
        let point = (number(record, "train_seconds").max(1e-4), number(record, "objective"));
        series.push(Series::new(vec![point], color(*method), Stroke::Dots));
    }
    Panel {
        title: set.name(),
        x: Axis { label: "seconds".into(), scale: Scale::Log, range: None },
        y: Axis { label: "lowest objective so far".into(), scale: Scale::Log, range: None },
        series,
        marks: Vec::new(),
    }
}

/// A row for each method in each setting.
pub(super) fn accuracy(title: &str, sets: &[Setting<'_>]) -> Figure {
    let marks = [
        Mark { name: "training".into(), color: VERMILLION, square: true },
        Mark { name: "test".into(), color: BLUE, square: false },
    ];
    let mut rows = Vec::new();
    for set in sets {
        let mut row = |name: String, record| {
            let values = ["train_accuracy", "test_accuracy"].map(|field| number(record, field));
            rows.push(DotRow {
                name: format!("{}x{} {name}", set.n, set.d),
                values: values.into_iter().map(Some).collect(),
            });
        };
        for (method, record) in &set.convex {
            row(method.name().into(), record);
        }
        for heuristic in &set.heuristics {
            row(heuristic.surrogate.to_string(), heuristic.best());
        }
    }
    dot_chart(title, "accuracy", Scale::Percent, &marks, &rows)
}
