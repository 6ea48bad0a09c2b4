//! The cost of sampling: the optimum over 1000 random patterns against the optimum over all
//! patterns.

use hardlim::Error;
use hardlim::train::Request;
use hardlim_plot::{BLUE, Figure, GREY, Panel, Scale, Series, Stroke, VERMILLION, line_chart};
use serde_json::Value;

use crate::experiments::experiment::{Context, Experiment, Records, Trial};
use crate::experiments::report::{Claim, Report, Verdict, short};
use crate::experiments::samples::Samples;
use crate::experiments::statistics::median;

/// A problem: the number of rows and of features, `β` divided by the rows, and the number of
/// sampled patterns.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    n: usize,
    d: usize,
    part: f64,
    patterns: u64,
}

/// The problem that the others vary.
const MIDDLE: Point = Point { n: 200, d: 10, part: 0.01, patterns: 1000 };
const NS: [usize; 5] = [25, 50, 100, 200, 400];
const DS: [usize; 5] = [2, 5, 10, 20, 40];
const PARTS: [f64; 5] = [0.1, 0.03, 0.01, 0.003, 0.001];
const PATTERNS: [u64; 5] = [100, 300, 1000, 3000, 10_000];

/// Additional rows, so that both labels occur; they are not used.
const OTHERS: usize = 100;

pub(crate) const GAP: Experiment =
    Experiment { id: "gap", title: "What sampling patterns costs", trials, report };

/// The four axes: a name, and the problems with their positions.
fn axes(context: &Context<'_>) -> [(&'static str, Vec<(f64, Point)>); 4] {
    let keep = context.scale.pick(2, 5, 5);
    let middle = context.scale.pick(Point { n: 30, d: 3, patterns: 50, ..MIDDLE }, MIDDLE, MIDDLE);
    let n = NS.map(|n| (n as f64, Point { n, ..middle }));
    let d = DS.map(|d| (d as f64, Point { d, ..middle }));
    let part = PARTS.map(|part| (part, Point { part, ..middle }));
    let patterns = PATTERNS.map(|patterns| (patterns as f64, Point { patterns, ..middle }));
    [("samples n", n), ("features d", d), ("beta / n", part), ("sampled patterns P", patterns)]
        .map(|(name, points)| (name, points[..keep].to_vec()))
}

/// The problems of all axes, each once.
fn points(context: &Context<'_>) -> Vec<Point> {
    let mut points = Vec::new();
    for (_, point) in axes(context).into_iter().flat_map(|(_, points)| points) {
        if !points.contains(&point) {
            points.push(point);
        }
    }
    points
}

fn rounds(context: &Context<'_>) -> usize {
    context.scale.pick(3, 25, 1000)
}

fn key(point: &Point, sampled: bool, rounds: usize) -> String {
    let Point { n, d, part, patterns } = point;
    if sampled {
        format!("n{n}/d{d}/beta{part}n/sample{patterns}")
    } else {
        format!("n{n}/d{d}/beta{part}n/generate{rounds}")
    }
}

fn solve(context: &Context<'_>, point: &Point, sampled: bool) -> Result<Value, Error> {
    // Problems that differ in n, beta or P share their first rows, the others share nothing.
    let data = context.stream(&format!("gap/data/d{}", point.d));
    let (train, _) = Samples::teacher("teacher2", (point.n, point.d), OTHERS, data)?;
    let how =
        if sampled { format!("patterns={}", point.patterns) } else { "method=generate".into() };
    let (beta, seed) = (point.part * point.n as f64, context.stream("gap/patterns"));
    let request =
        Request::of(&format!("{how} beta={beta} rounds={} seed={seed}", rounds(context)))?;
    Ok(train.train(&request, context)?.1)
}

fn trials(context: &Context<'_>) -> Vec<Trial> {
    let mut trials: Vec<Trial> = Vec::new();
    for point in points(context) {
        for sampled in [true, false] {
            let key = key(&point, sampled, rounds(context));
            let cost = if sampled { 0.1 } else { (point.n * point.d) as f64 / 1000.0 };
            if trials.iter().all(|trial| trial.key != key) {
                trials.push(Trial::new(key, cost, move |context| solve(context, &point, sampled)));
            }
        }
    }
    trials
}

fn report(context: &Context<'_>, records: &Records) -> Report {
    let rounds = rounds(context);
    let ratio = |point: Point| {
        let objective = |how| records.number(&key(&point, how, rounds), "objective");
        (objective(true) / objective(false), point)
    };
    let ratios: Vec<(f64, Point)> = points(context).into_iter().map(ratio).collect();
    let most = ratios.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let (most, at) = most.expect("at least one problem");
    let claims = vec![Claim {
        source: "Section experiment_two_layer",
        expected: "a sample of the patterns approximates the program and \"still performs \
                   extremely well\"."
            .into(),
        found: format!(
            "a sample approximates it loosely: over {} settings, one draw each, its optimum is {} \
             times what generation finds (median), up to {} times at n = {}, d = {}, beta = {}, P \
             = {}.",
            ratios.len(),
            short(median(ratios.iter().map(|r| r.0))),
            short(*most),
            at.n,
            at.d,
            short(at.part * at.n as f64),
            at.patterns
        ),
        verdict: Verdict::Corrected,
    }];
    Report {
        setup: format!(
            "`teacher2`, squared loss. In the middle n = {}, d = {}, beta = {} n and P = {} \
             sampled patterns; each panel moves one of them. Generation runs for at most {rounds} \
             rounds; its objective is an upper bound of the optimum, so the ratio is never \
             overstated.",
            MIDDLE.n, MIDDLE.d, MIDDLE.part, MIDDLE.patterns
        ),
        figures: vec![("", figure(context, records))],
        claims,
        ..Report::default()
    }
}

fn figure(context: &Context<'_>, records: &Records) -> Figure {
    let rounds = rounds(context);
    let panels = axes(context).map(|(label, points)| {
        let line = |sampled: bool, field: &'static str| {
            let at = |&(x, point): &(f64, Point)| {
                (x, records.number(&key(&point, sampled, rounds), field) / point.n as f64)
            };
            points.iter().map(at).collect::<Vec<_>>()
        };
        let series = [
            ("sampled", line(true, "objective"), VERMILLION, Stroke::Solid),
            ("generated", line(false, "objective"), BLUE, Stroke::Solid),
            ("no network is below", line(false, "lower_bound"), GREY, Stroke::Dashed),
        ]
        .map(|(name, points, color, stroke)| Series::new(points, color, stroke).named(name));
        let most = series.iter().flat_map(|s| &s.points).map(|p| p.1).fold(1e-9, f64::max);
        let (x, y) = ((label, Scale::Log), ("objective / n", Scale::Log));
        let mut panel = Panel::new(format!("against {label}"), x, y, series.into());
        panel.y.range = Some((most / 10.0, most));
        panel
    });
    line_chart("The optimum over sampled and over all patterns", panels.into(), 2)
}
