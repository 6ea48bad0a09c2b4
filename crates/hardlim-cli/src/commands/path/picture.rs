//! The path as a picture: coefficients, neurons, objective and scores against beta, and scores
//! against neurons. Beta grows to the right.

use std::collections::BTreeMap;

use hardlim::train::PathPoint;

use super::report::PathOutcome;
use crate::plot::{
    Axis, BLUE, CYCLE, Figure, GREY, Panel, Scale, Series, Stroke, VERMILLION, line_chart,
};
use crate::report::title;

/// The most coefficients that are drawn.
const LINES: usize = 30;

impl PathOutcome<'_> {
    pub(super) fn picture(&self) -> Figure {
        let title = title(
            &self.data.source,
            format!(
                "{} training rows, {} patterns, {} loss",
                self.data.samples, self.path.patterns, self.data.loss,
            ),
        );
        let panels = vec![
            self.coefficients(),
            self.panel(
                ("Neurons".into(), "neurons"),
                Scale::Count,
                vec![self.line(None, BLUE, Stroke::Solid, |p| Some(p.coefficients.len() as f64))],
            ),
            self.objective(),
            self.scores(),
            self.scores_by_neurons(),
        ];
        line_chart(&title, panels, 2)
    }

    /// The largest coefficients at the smallest strength, from where they were zero.
    fn coefficients(&self) -> Panel {
        let mut last: Vec<(usize, f64)> =
            self.points.last().map_or(Vec::new(), |point| point.coefficients.clone());
        let count = last.len();
        last.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
        last.truncate(LINES);
        let mut lines: BTreeMap<usize, Vec<(f64, f64)>> =
            last.iter().map(|&(pattern, _)| (pattern, Vec::new())).collect();
        for point in &self.points {
            let mut found: BTreeMap<usize, f64> = point.coefficients.iter().copied().collect();
            for (pattern, line) in &mut lines {
                line.push((point.beta, found.remove(pattern).unwrap_or(0.0)));
            }
        }
        // The largest are drawn last, above the others.
        let series = last.iter().enumerate().rev().map(|(rank, (pattern, _))| {
            let points = lines.remove(pattern).unwrap_or_default();
            Series::new(points, CYCLE[rank % CYCLE.len()], Stroke::Thin)
        });
        let series = series.collect();
        let title = if count <= LINES {
            "Coefficients w".into()
        } else {
            format!("Coefficients w: the {LINES} largest of {count}")
        };
        self.panel((title, "w"), Scale::Linear, series)
    }

    fn objective(&self) -> Panel {
        let objective = |point: &PathPoint| point.certificate.objective();
        let series = vec![
            self.line(Some("objective"), BLUE, Stroke::Solid, |point| Some(objective(point))),
            self.line(Some("loss alone"), GREY, Stroke::Dashed, |point| Some(loss(point))),
        ];
        // It falls with beta: where it falls far, the small ones would all look like zero.
        let ends = self.points.first().map(objective).zip(self.points.last().map(objective));
        let far = ends.is_some_and(|(first, last)| first > 50.0 * last && last > 0.0);
        let scale = if far { Scale::Log } else { Scale::Linear };
        let title = "Objective: loss + beta * sum |w|".into();
        self.panel((title, "objective"), scale, series)
    }

    fn scores(&self) -> Panel {
        let (measure, scale) = self.score_axis();
        let title = match self.best() {
            Some(_) => format!("{measure}; dotted: the best held out"),
            None => measure.into(),
        };
        self.panel((title, label(measure)), scale, self.score_lines(|point| point.beta))
    }

    /// What a larger network gains.
    fn scores_by_neurons(&self) -> Panel {
        let (measure, scale) = self.score_axis();
        let neurons = |point: &PathPoint| point.coefficients.len() as f64;
        let series = self.score_lines(neurons);
        Panel {
            title: format!("{measure} against neurons"),
            x: Axis { label: "neurons".into(), scale: Scale::Count, range: None },
            y: Axis { label: label(measure).into(), scale, range: None },
            series,
            marks: self.best().map(|(point, _)| neurons(point)).into_iter().collect(),
        }
    }

    /// The name of the score, and the scale of its axis.
    fn score_axis(&self) -> (&'static str, Scale) {
        if self.data.classifies { ("Accuracy", Scale::Percent) } else { ("R²", Scale::Linear) }
    }

    /// The scores on the training rows and, if there are some, on the held-out rows.
    fn score_lines(&self, x: impl Fn(&PathPoint) -> f64 + Copy) -> Vec<Series> {
        // How far an R² is below −1 would only squeeze the others, if there are any.
        let mut scores = self.points.iter().flat_map(|point| point.scores);
        let least = if scores.any(|s| s >= Some(-1.0)) { -1.0 } else { f64::NEG_INFINITY };
        let worth = |score: Option<f64>| score.filter(|score| *score >= least);
        // A network without neurons answers the same for every row: its score would stretch the
        // axis.
        let empty = |point: &PathPoint| point.coefficients.is_empty();
        let all_empty = self.points.iter().all(empty);
        let line = |name: &str, color, stroke, score: &dyn Fn(&PathPoint) -> Option<f64>| {
            let points = self.points.iter().filter(|point| all_empty || !empty(point));
            let points = points.filter_map(|p| Some((x(p), worth(score(p))?)));
            Series::new(points.collect(), color, stroke).named(name)
        };
        let mut series = vec![line("training", GREY, Stroke::Dashed, &|point| point.scores[0])];
        if self.data.held_out {
            series.push(line("held out", VERMILLION, Stroke::Solid, &|point| point.scores[1]));
        }
        series
    }

    /// A panel against beta, with its title and the label of its axis.
    fn panel(&self, (title, label): (String, &str), scale: Scale, series: Vec<Series>) -> Panel {
        let betas = self.points.iter().map(|point| point.beta);
        let range = (betas.clone().fold(f64::INFINITY, f64::min), betas.fold(0.0, f64::max));
        Panel {
            title,
            x: Axis { label: "beta".into(), scale: Scale::Log, range: Some(range) },
            y: Axis { label: label.into(), scale, range: None },
            series,
            marks: self.best().map(|(point, _)| point.beta).into_iter().collect(),
        }
    }

    /// A number of every point, against beta.
    fn line(
        &self,
        name: Option<&str>,
        color: &'static str,
        stroke: Stroke,
        value: impl Fn(&PathPoint) -> Option<f64>,
    ) -> Series {
        let points = self.points.iter().filter_map(|point| Some((point.beta, value(point)?)));
        Series { name: name.map(String::from), points: points.collect(), color, stroke }
    }
}

/// The name of a score on an axis.
fn label(measure: &str) -> &str {
    if measure == "Accuracy" { "accuracy" } else { measure }
}

/// `L(Dw)`: the objective without the penalty.
fn loss(point: &PathPoint) -> f64 {
    let norm: f64 = point.coefficients.iter().map(|(_, w)| w.abs()).sum();
    point.certificate.objective() - point.beta * norm
}
