//! The pictures of a comparison: objective and accuracies against time, and means.

use hardlim_plot::{
    BLUE, DotRow, Figure, GREY, Mark, Panel, Scale, Series, Stroke, VERMILLION, dot_chart,
    line_chart,
};
use serde_json::Value;

use super::Method;
use super::outcome::Setting;
use crate::experiments::curve;
use crate::experiments::experiment::number;

/// The diameter of a mark, as a part of the width of a panel.
const WIDE: f64 = 0.035;
/// Heights that differ by at most this part look the same.
const LEVEL: f64 = 0.02;
/// No time is drawn as shorter than this one.
const SHORTEST: f64 = 1e-4;

/// The objective of the best run of each heuristic and of each convex program on the first draw,
/// against time. A row of panels for each scale of `β`; with `β n` the objectives are divided by
/// `n`.
pub(super) fn objective(title: &str, sets: &[Setting<'_>]) -> Figure {
    let panel = |set: &Setting<'_>| {
        let draw = &set.draws[0];
        let (divisor, label) = if set.problem.mean {
            (set.problem.n as f64, "lowest objective so far / n")
        } else {
            (1.0, "lowest objective so far")
        };
        let mut lines = lines(set, |method| {
            let points = curve::points(draw.best(method)).into_iter();
            points.map(|p| (p.seconds, p.lowest / divisor)).collect()
        });
        let last = lines.iter().flat_map(|line| &line.points).map(|p| p.0).fold(1e-3, f64::max);
        let bounds = draw.records(|run| run.method.convex()).map(|r| number(r, "lower_bound"));
        let bound = bounds.fold(0.0, f64::max) / divisor;
        lines.push(Series::new(vec![(SHORTEST, bound), (last, bound)], GREY, Stroke::Dashed));
        marks(set, &mut lines, |record| number(record, "objective") / divisor);
        Panel::new(set.name(), ("seconds", Scale::Log), (label, Scale::Log), lines)
    };
    let columns = sets.len() / 2;
    let mut names = names(sets);
    names.push(("no network is below".into(), GREY, Stroke::Dashed));
    chart(title, sets.iter().map(panel).collect(), columns, &names)
}

/// Training and test accuracy against time, on the first draw: a row of panels for each setting of
/// the text.
pub(super) fn over_time(title: &str, sets: &[Setting<'_>]) -> Figure {
    let mut panels = Vec::new();
    for set in sets.iter().filter(|set| !set.problem.mean) {
        for (k, what) in ["training", "test"].into_iter().enumerate() {
            let mut lines = lines(set, |method| {
                let points = curve::accuracies(set.draws[0].first(method)).into_iter();
                points.map(|point| (point[0], point[k + 1])).collect()
            });
            let field = ["train_accuracy", "test_accuracy"][k];
            marks(set, &mut lines, |record| number(record, field));
            let label = format!("{what} accuracy");
            let axes = (("seconds", Scale::Log), (&label[..], Scale::Percent));
            panels.push(Panel::new(set.name(), axes.0, axes.1, lines));
        }
    }
    chart(title, panels, 2, &names(sets))
}

fn chart(
    title: &str,
    panels: Vec<Panel>,
    columns: usize,
    names: &[(String, &'static str, Stroke)],
) -> Figure {
    let names: Vec<_> =
        names.iter().map(|(name, color, stroke)| (&name[..], *color, *stroke)).collect();
    line_chart(title, panels, columns).with_names(&names)
}

fn lines(set: &Setting<'_>, points: impl Fn(Method) -> Vec<(f64, f64)>) -> Vec<Series> {
    let line = |method: Method| {
        let points = points(method).into_iter().map(|(x, y)| (x.max(SHORTEST), y)).collect();
        let (color, stroke) = method.style();
        Series::new(points, color, stroke)
    };
    set.of(false).into_iter().map(line).collect()
}

/// Adds a mark for each convex method. Marks that would cover each other stand side by side; the
/// lines tell how wide the panel is.
fn marks(set: &Setting<'_>, lines: &mut Vec<Series>, height: impl Fn(&Value) -> f64) {
    let methods = set.of(true);
    let point = |method: &Method| {
        let record = set.draws[0].best(*method);
        (number(record, "train_seconds").max(SHORTEST), height(record))
    };
    let mut points: Vec<(f64, f64)> = methods.iter().map(point).collect();
    let all = lines.iter().flat_map(|line| &line.points).chain(&points);
    let (low, high) =
        all.fold((f64::INFINITY, 0.0f64), |(low, high), p| (low.min(p.0), high.max(p.0)));
    dodge(&mut points, (high / low).powf(WIDE));
    for (method, point) in methods.into_iter().zip(points) {
        let (color, stroke) = method.style();
        lines.push(Series::new(vec![point], color, stroke));
    }
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
fn names(sets: &[Setting<'_>]) -> Vec<(String, &'static str, Stroke)> {
    let mut seen = Vec::new();
    for method in sets.iter().flat_map(|set| [set.of(false), set.of(true)].concat()) {
        if !seen.contains(&method) {
            seen.push(method);
        }
    }
    let named = |method: Method| {
        let (color, stroke) = method.style();
        (method.name(), color, stroke)
    };
    seen.into_iter().map(named).collect()
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
            let (n, d) = (set.problem.n, set.problem.d);
            let scale = if set.problem.mean { " βn" } else { "" };
            rows.push(DotRow {
                name: format!("{n}x{d}{scale} {}", method.name()),
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
