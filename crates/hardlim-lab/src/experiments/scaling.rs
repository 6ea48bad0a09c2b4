//! Time and memory against `n`, `P` and `d`, beside the complexities of the paper's summary table.

use std::time::Instant;

use hardlim::Error;
use hardlim::data::Features;
use hardlim::loss::LossKind;
use hardlim::pattern::PatternMatrix;
use hardlim::program::{Beta, CompleteProgram};
use hardlim::train::{Method, Request};
use hardlim_plot::{Axis, CYCLE, Figure, Panel, Scale, Series, Stroke, line_chart};
use serde_json::{Value, json};

use crate::experiments::experiment::{Context, Experiment, Records, Trial};
use crate::experiments::report::{Claim, Report, Table, Verdict, numbers};
use crate::experiments::samples::Samples;

/// The number of runs; the fastest counts.
const RUNS: usize = 3;
/// `β` divided by the number of rows.
const PART: f64 = 0.01;

/// A computation of one size whose time is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Task {
    kind: Kind,
    n: usize,
    d: usize,
    patterns: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The Lasso over sampled patterns.
    Lasso,
    /// Listing every pattern and the Lasso over them.
    Enumerate,
    /// The complete program alone.
    Complete,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Lasso => "lasso",
            Self::Enumerate => "enumerate",
            Self::Complete => "complete",
        }
    }
}

/// Additional rows, so that both labels occur; they are not used.
const OTHERS: usize = 100;

/// The experiment.
pub(crate) struct Scaling;

/// The panels: the label of the axis, and the tasks with their positions on it.
fn axes(context: &Context<'_>) -> [(&'static str, Vec<(f64, Task)>); 5] {
    let lasso = Task { kind: Kind::Lasso, n: 1000, d: 20, patterns: 1000 };
    let scale = context.scale;
    let ns: &[usize] =
        scale.pick(&[30, 60], &[250, 500, 1000, 2000, 4000], &[250, 1000, 4000, 16_000]);
    let ps: &[u64] =
        scale.pick(&[20, 40], &[250, 500, 1000, 2000, 4000], &[250, 1000, 4000, 16_000]);
    let ds: &[usize] = scale.pick(&[2, 4], &[5, 20, 80, 320], &[5, 20, 80, 320, 1280]);
    let all: &[usize] = scale.pick(&[5, 10], &[25, 50, 100, 200], &[25, 50, 100, 200, 400]);
    let rows: &[usize] = scale.pick(
        &[100, 1000],
        &[1000, 10_000, 100_000, 1_000_000],
        &[1000, 10_000, 100_000, 1_000_000, 10_000_000],
    );
    let small = scale.pick(true, false, false);
    let lasso = if small { Task { n: 50, d: 3, patterns: 30, ..lasso } } else { lasso };
    [
        ("n, Lasso over P patterns", ns.iter().map(|&n| (n as f64, Task { n, ..lasso })).collect()),
        (
            "P, Lasso over P patterns",
            ps.iter().map(|&p| (p as f64, Task { patterns: p, ..lasso })).collect(),
        ),
        ("d, Lasso over P patterns", ds.iter().map(|&d| (d as f64, Task { d, ..lasso })).collect()),
        (
            "n, every pattern (d = 2)",
            all.iter()
                .map(|&n| (n as f64, Task { kind: Kind::Enumerate, n, d: 2, patterns: 0 }))
                .collect(),
        ),
        (
            "n, complete program",
            rows.iter()
                .map(|&n| (n as f64, Task { kind: Kind::Complete, n, d: 1, patterns: 0 }))
                .collect(),
        ),
    ]
}

fn key(task: &Task) -> String {
    let Task { kind, n, d, patterns } = task;
    format!("{}/n{n}/d{d}/P{patterns}", kind.name())
}

fn measure(context: &Context<'_>, task: &Task) -> Result<Value, Error> {
    let beta = Beta::new(PART * task.n as f64)?;
    let mut fastest = f64::INFINITY;
    let mut time = |seconds: f64| fastest = fastest.min(seconds);
    let (patterns, neurons) = match task.kind {
        Kind::Complete => {
            let x = Features::new(task.n, 1, (0..task.n).map(|i| i as f64).collect())?;
            let y: Vec<f64> = (0..task.n).map(|i| if i % 3 == 0 { 1.0 } else { -1.0 }).collect();
            let data = Samples { x, y, test: None }.dataset()?;
            let mut levels = 0;
            for _ in 0..RUNS {
                let start = Instant::now();
                let program = CompleteProgram::new(data.targets(), LossKind::Squared, beta);
                let solution = program.solve();
                time(start.elapsed().as_secs_f64());
                levels = solution.level_sets().len();
            }
            (0, levels)
        }
        kind => {
            let data = context.chance.stream("scaling/data");
            let (train, _) = Samples::teacher("teacher2", (task.n, task.d), OTHERS, data)?;
            let sampled = kind == Kind::Lasso;
            let request = Request {
                method: if sampled { Method::Sample } else { Method::Enumerate },
                patterns: sampled.then_some(task.patterns),
                beta: Some(beta.get()),
                tolerance: Some(1e-6),
                seed: context.chance.stream("scaling/patterns"),
                ..Request::default()
            };
            let (mut patterns, mut neurons) = (0, 0);
            for _ in 0..RUNS {
                let (trained, seconds) = train.train(&request, context)?;
                time(seconds);
                (patterns, neurons) = (trained.patterns, trained.model.first().network().neurons());
            }
            (patterns, neurons)
        }
    };
    let bytes = match task.kind {
        Kind::Complete => 3 * 8 * task.n, // targets, output, dual point
        _ => patterns * PatternMatrix::bytes_per_pattern(task.n),
    };
    Ok(json!({
        "patterns": patterns, "neurons": neurons, "bytes": bytes, "fastest_seconds": fastest,
    }))
}

/// The exponent of growth between the ends of a line.
fn power(points: &[(f64, f64)]) -> f64 {
    match (points.first(), points.last()) {
        (Some(a), Some(b)) => (b.1 / a.1).ln() / (b.0 / a.0).ln(),
        _ => f64::NAN,
    }
}

/// An exponent: the time is no exact power, so one digit is enough.
fn rough(power: f64) -> String {
    format!("{power:.1}")
}

impl Experiment for Scaling {
    fn id(&self) -> &'static str {
        "scaling"
    }

    fn title(&self) -> &'static str {
        "Time and memory against the size of the problem"
    }

    fn trials(&self, context: &Context<'_>) -> Vec<Trial> {
        let mut trials: Vec<Trial> = Vec::new();
        for (_, tasks) in axes(context) {
            for (_, task) in tasks {
                let key = key(&task);
                if trials.iter().all(|trial| trial.key != key) {
                    let cost = match task.kind {
                        Kind::Lasso => 1.0 + task.n as f64 * task.patterns as f64 * 1e-6,
                        Kind::Enumerate => (task.n as f64 / 50.0).powi(3),
                        Kind::Complete => 0.1 + task.n as f64 * 1e-6,
                    };
                    trials.push(Trial::new(key, cost, move |context| measure(context, &task)));
                }
            }
        }
        trials
    }

    fn report(&self, context: &Context<'_>, records: &Records) -> Report {
        let mut table =
            Table::new("axis, method, n, d, patterns, neurons, bytes_of_patterns, fastest_seconds");
        let mut powers = Vec::new();
        for (label, tasks) in axes(context) {
            for (_, task) in &tasks {
                let (name, record) = (task.kind.name(), records.get(&key(task)));
                let mut cells =
                    vec![label.into(), name.into(), task.n.to_string(), task.d.to_string()];
                cells.extend(numbers(record, "patterns, neurons, bytes, fastest_seconds"));
                table.push(cells);
            }
            powers.push(power(&line(&tasks, records, "fastest_seconds")));
        }
        let claim = |expected: &str, found: String| Claim {
            source: "Section twolayer_complexity",
            expected: expected.into(),
            found,
            verdict: Verdict::Measured,
        };
        let claims = vec![
            claim(
                "the Lasso over P patterns costs O(P³).",
                format!(
                    "time grows like n^{}, P^{} and d^{} between the ends of the panels.",
                    rough(powers[0]),
                    rough(powers[1]),
                    rough(powers[2])
                ),
            ),
            claim(
                "the optimum over all patterns costs O(n^(3r)): n⁹ for two features and a bias.",
                format!(
                    "time grows like n^{} between the ends of the panel; the patterns themselves \
                     like n².",
                    rough(powers[3])
                ),
            ),
            claim(
                "the complete program costs O(n).",
                format!("time grows like n^{} between the ends of the panel.", rough(powers[4])),
            ),
        ];
        Report {
            setup: format!(
                "`teacher2`, squared loss, beta = {PART} n; in the middle n = 1000, d = 20, P = \
                 1000. The fastest of {RUNS} runs. Memory is that of the patterns, 64 answers to a \
                 word."
            ),
            tables: vec![("", table)],
            figures: vec![("", figure(context, records))],
            summaries: Vec::new(),
            claims,
        }
    }
}

fn line(tasks: &[(f64, Task)], records: &Records, field: &str) -> Vec<(f64, f64)> {
    tasks.iter().map(|(x, task)| (*x, records.number(&key(task), field))).collect()
}

fn figure(context: &Context<'_>, records: &Records) -> Figure {
    let axes = axes(context);
    let mut panels: Vec<Panel> = (axes.iter())
        .map(|(label, tasks)| Panel {
            title: format!("seconds against {label}"),
            x: Axis {
                label: label.split(',').next().unwrap_or_default().into(),
                scale: Scale::Log,
                range: None,
            },
            y: Axis { label: "seconds".into(), scale: Scale::Log, range: None },
            series: vec![Series::new(
                line(tasks, records, "fastest_seconds"),
                CYCLE[0],
                Stroke::Solid,
            )],
            marks: Vec::new(),
        })
        .collect();
    let memory =
        [(0, "Lasso, against n"), (1, "Lasso, against P"), (3, "every pattern, against n")];
    panels.push(Panel {
        title: "bytes of the patterns".into(),
        x: Axis { label: "n or P".into(), scale: Scale::Log, range: None },
        y: Axis { label: "bytes".into(), scale: Scale::Log, range: None },
        series: (memory.iter().enumerate())
            .map(|(k, (axis, name))| {
                let stroke = if k == 1 { Stroke::Dashed } else { Stroke::Solid };
                Series::new(line(&axes[*axis].1, records, "bytes"), CYCLE[k], stroke).named(*name)
            })
            .collect(),
        marks: Vec::new(),
    });
    line_chart("Time and memory", panels, 3)
}
