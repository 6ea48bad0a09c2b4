//! The two pictures of a comparison: objective against time, and accuracies.

use hardlim_plot::{
    Axis, BLUE, CYCLE, DotRow, Figure, GREY, Mark, Panel, Scale, Series, Stroke, VERMILLION,
    dot_chart, line_chart,
};

use serde_json::Value;

use super::outcome::{Draw, Setting};
use super::{Convex, Strength};
use crate::experiments::curve;
use crate::experiments::experiment::number;

/// The diameter of a mark, as a part of the width of a panel.
const WIDE: f64 = 0.035;
/// Heights that differ by at most this part look the same.
const LEVEL: f64 = 0.02;

/// The objective of the best run of each heuristic and of each convex program on the first draw,
/// against time. A row of panels for each scale of `β`; with `β n` the objectives are divided by
/// `n`.
pub(super) fn objective(title: &str, sets: &[Setting<'_>]) -> Figure {
    let panels: Vec<Panel> = sets.iter().map(panel).collect();
    let columns = panels.len() / Strength::BOTH.len();
    let mut names = names(&sets.iter().collect::<Vec<_>>());
    names.push(("no network is below".into(), GREY, Stroke::Dashed));
    line_chart(title, panels, columns).with_names(&seen(&names))
}

/// Training and test accuracy against time, on the first draw: a row of panels for each setting of
/// the text.
pub(super) fn over_time(title: &str, sets: &[Setting<'_>]) -> Figure {
    let mut panels = Vec::new();
    let sets: Vec<&Setting<'_>> = sets.iter().filter(|set| set.strength == Strength::Sum).collect();
    for set in &sets {
        for (k, label) in ["training accuracy", "test accuracy"].into_iter().enumerate() {
            panels.push(accuracy_panel(set, k, label));
        }
    }
    line_chart(title, panels, 2).with_names(&seen(&names(&sets)))
}

fn accuracy_panel(set: &Setting<'_>, k: usize, label: &str) -> Panel {
    let draw = &set.draws[0];
    let mut series = Vec::new();
    for (j, heuristic) in draw.heuristics.iter().enumerate() {
        let points = curve::accuracies(heuristic.first());
        let points = points.iter().map(|p| (p[0].max(1e-4), p[k + 1])).collect();
        series.push(Series::new(points, CYCLE[j + 1], stroke(j)));
    }
    let accuracy = ["train_accuracy", "test_accuracy"][k];
    let point =
        |record: &Value| (number(record, "train_seconds").max(1e-4), number(record, accuracy));
    series.extend(marks(draw, &series, point));
    Panel {
        title: set.name(),
        x: Axis { label: "seconds".into(), scale: Scale::Log, range: None },
        y: Axis { label: label.into(), scale: Scale::Percent, range: None },
        series,
        marks: Vec::new(),
    }
}

/// A mark for each convex method. Marks that would cover each other stand side by side; the lines
/// tell how wide the panel is.
fn marks(draw: &Draw<'_>, lines: &[Series], point: impl Fn(&Value) -> (f64, f64)) -> Vec<Series> {
    let mut points: Vec<(f64, f64)> = draw.convex.iter().map(|(_, record)| point(record)).collect();
    let all = lines.iter().flat_map(|line| &line.points).chain(&points);
    let (low, high) =
        all.fold((f64::INFINITY, 0.0f64), |(low, high), p| (low.min(p.0), high.max(p.0)));
    dodge(&mut points, (high / low).powf(WIDE));
    let series = |((method, _), point): (&(Convex, &Value), (f64, f64))| {
        Series::new(vec![point], color(*method), Stroke::Dots)
    };
    draw.convex.iter().zip(points).map(series).collect()
}

/// Moves points of nearly the same height apart, until neighbours differ by this factor in `x`.
fn dodge(points: &mut [(f64, f64)], factor: f64) {
    for i in 1..points.len() {
        for j in 0..i {
            let ((a, p), (b, q)) = (points[i], points[j]);
            let (ratio, level) =
                (a.max(b) / a.min(b), (p - q).abs() <= LEVEL * p.abs().max(q.abs()));
            if level && ratio < factor {
                let (middle, step) = ((a * b).sqrt(), factor.sqrt());
                let (left, right) = (middle / step, middle * step);
                (points[i].0, points[j].0) = if a < b { (left, right) } else { (right, left) };
            }
        }
    }
}

/// The names of all methods, with colours and strokes.
fn names(sets: &[&Setting<'_>]) -> Vec<(String, &'static str, Stroke)> {
    let mut names: Vec<(String, &'static str, Stroke)> = Vec::new();
    for draw in sets.iter().map(|set| &set.draws[0]) {
        for (k, heuristic) in draw.heuristics.iter().enumerate() {
            names.push((heuristic.surrogate.to_string(), CYCLE[k + 1], stroke(k)));
        }
        for (method, _) in &draw.convex {
            names.push((method.name().into(), color(*method), Stroke::Dots));
        }
    }
    names
}

/// Every name once.
fn seen<'a>(names: &'a [(String, &'static str, Stroke)]) -> Vec<(&'a str, &'static str, Stroke)> {
    let mut seen: Vec<(&str, &'static str, Stroke)> = Vec::new();
    for (name, color, stroke) in names {
        if seen.iter().all(|known| known.0 != name) {
            seen.push((name, color, *stroke));
        }
    }
    seen
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
    let draw = &set.draws[0];
    let (divisor, label) = match set.strength {
        Strength::Sum => (1.0, "lowest objective so far"),
        Strength::Mean => (set.n as f64, "lowest objective so far / n"),
    };
    let mut series = Vec::new();
    let mut last = 0.0f64;
    for (k, heuristic) in draw.heuristics.iter().enumerate() {
        let points: Vec<(f64, f64)> = (curve::points(heuristic.best()).iter())
            .map(|p| (p.seconds.max(1e-4), p.lowest / divisor))
            .collect();
        last = points.iter().map(|p| p.0).fold(last, f64::max);
        series.push(Series::new(points, CYCLE[k + 1], stroke(k)));
    }
    let bound = draw.convex.iter().map(|(_, r)| number(r, "lower_bound")).fold(0.0, f64::max);
    let points = vec![(1e-4, bound / divisor), (last.max(1e-3), bound / divisor)];
    series.push(Series::new(points, GREY, Stroke::Dashed));
    let point = |record: &Value| {
        (number(record, "train_seconds").max(1e-4), number(record, "objective") / divisor)
    };
    series.extend(marks(draw, &series, point));
    Panel {
        title: set.name(),
        x: Axis { label: "seconds".into(), scale: Scale::Log, range: None },
        y: Axis { label: label.into(), scale: Scale::Log, range: None },
        series,
        marks: Vec::new(),
    }
}

/// A row for each method in each setting: means over the draws, with standard errors.
pub(super) fn accuracy(title: &str, sets: &[Setting<'_>]) -> Figure {
    let marks = [
        Mark { name: "training".into(), color: VERMILLION, square: true },
        Mark { name: "test, ± standard error".into(), color: BLUE, square: false },
    ];
    let mut rows = Vec::new();
    for set in sets {
        for method in set.methods() {
            let means = ["train_accuracy", "test_accuracy"].map(|field| set.mean(method, field));
            let scale = match set.strength {
                Strength::Sum => "",
                Strength::Mean => " βn",
            };
            rows.push(DotRow {
                name: format!("{}x{}{scale} {}", set.n, set.d, set.method_name(method)),
                values: means.iter().map(|mean| Some(mean.mean)).collect(),
                errors: vec![None, Some(means[1].error)],
            });
        }
    }
    dot_chart(title, "accuracy", Scale::Percent, &marks, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_side_by_side_where_they_would_cover_each_other() {
        let mut points = [(0.01, 2.0), (0.01, 2.0), (0.5, 2.0)];
        dodge(&mut points, 1.44);
        assert!((points[1].0 / points[0].0).max(points[0].0 / points[1].0) > 1.43, "{points:?}");
        assert_eq!(points[2], (0.5, 2.0));
        let apart = [(0.01, 2.0), (0.01, 3.0)];
        let mut points = apart;
        dodge(&mut points, 1.44);
        assert_eq!(points, apart, "different heights are seen as they are");
    }
}
