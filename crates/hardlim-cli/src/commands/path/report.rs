//! The path as a table, as JSON and as CSV.

use hardlim::data::TrainingSet;
use hardlim::rows::Coded;
use hardlim::table::Table;
use hardlim::train::{self, PathPoint};
use serde_json::{Value, json};

use super::Path;
use crate::commands::blocks;
use crate::commands::train::stopped;
use crate::plot::Picture;
use crate::report::{add_notes, add_path, data_text, lower, notes, seconds, short, upper};

/// Everything there is to tell about a path.
pub(super) struct PathOutcome<'a> {
    pub(super) args: &'a Path,
    pub(super) request: &'a train::Request,
    pub(super) path: train::Path,
    pub(super) data: Data,
    pub(super) points: Vec<PathPoint>,
    pub(super) seconds: f64,
}

/// What a path was followed on.
pub(super) struct Data {
    /// The table, its target and notes, in words.
    pub(super) text: String,
    pub(super) source: String,
    pub(super) samples: u64,
    /// The number of distinct rows, if it is known.
    pub(super) distinct: Option<usize>,
    pub(super) dimension: usize,
    pub(super) classifies: bool,
    pub(super) loss: String,
    pub(super) held_out: bool,
    pub(super) notes: Vec<String>,
}

impl Data {
    /// A table in memory.
    pub(super) fn of(
        table: &Table,
        set: &TrainingSet,
        held_out: bool,
        request: &train::Request,
    ) -> Self {
        let data = set.data();
        Self {
            text: data_text(table, set.coding(), data, set.y()),
            source: table.source().to_owned(),
            samples: data.samples() as u64,
            distinct: Some(data.distinct()),
            dimension: data.dimension(),
            classifies: set.classifies(),
            loss: request.loss().to_string(),
            held_out,
            notes: notes(table, set.coding()),
        }
    }

    /// Rows in blocks.
    pub(super) fn of_blocks(coded: &Coded, source: String) -> Self {
        let coding = &coded.coding;
        let classifies = coding.target().classes().is_some();
        let loss = if classifies { "logistic" } else { "squared" };
        let dimension = coding.dimension();
        Self {
            text: blocks::rows_text(coded, &source),
            source,
            samples: coded.rows.rows(),
            distinct: None,
            dimension,
            classifies,
            loss: loss.to_owned(),
            held_out: false,
            notes: blocks::notes(coded),
        }
    }
}

impl PathOutcome<'_> {
    /// The largest strength with the best score on the rows held out.
    pub(super) fn best(&self) -> Option<(&PathPoint, f64)> {
        let scores = self.points.iter().filter_map(|point| Some((point, point.scores[1]?)));
        scores.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// The name of the score.
    pub(super) fn measure(&self) -> &'static str {
        if self.data.classifies { "accuracy" } else { "r2" }
    }

    pub(super) fn json(&self) -> Value {
        let mut object = json!({
            "n": self.data.samples,
            "d": self.data.dimension,
            "method": if self.request.max_inputs().is_some() { "generate" } else { "sample" },
            "max_inputs": self.request.max_inputs(),
            "loss": self.data.loss,
            "beta_max": self.path.beta_max,
            "patterns": self.path.patterns,
            "points": self.points.iter().map(|point| self.point_json(point)).collect::<Vec<_>>(),
            "stop": self.path.stop.name(),
            "seconds": self.seconds,
        });
        if let Some(distinct) = self.data.distinct {
            object["distinct"] = json!(distinct);
        }
        if !self.path.beta_max_exact {
            object["beta_max_exact"] = json!(false);
        }
        if let Some((point, score)) = self.best() {
            let neurons = point.coefficients.len();
            object["best"] = json!({
                "beta": point.beta, "ratio": point.ratio, "neurons": neurons, self.measure(): score,
            });
        }
        add_path(&mut object, "csv", self.args.csv.as_deref());
        add_path(&mut object, "plot", self.args.plot.as_ref().map(Picture::path));
        add_notes(&mut object, &self.data.notes);
        object
    }

    fn point_json(&self, point: &PathPoint) -> Value {
        let certificate = &point.certificate;
        let mut object = json!({
            "beta": point.beta,
            "ratio": point.ratio,
            "neurons": point.coefficients.len(),
            "objective": certificate.objective(),
            "lower_bound": certificate.lower_bound(),
            "gap": certificate.gap(),
            "relative_gap": certificate.relative_gap(),
            "train": { self.measure(): point.scores[0] },
            "stop": point.stop.name(),
        });
        if self.data.held_out {
            object["holdout"] = json!({ self.measure(): point.scores[1] });
        }
        object
    }

    /// One line for each point, with all digits.
    pub(super) fn csv(&self) -> String {
        let measure = self.measure();
        let cells = |train: String, held_out: Option<String>| {
            train + &held_out.map_or(String::new(), |cell| format!(",{cell}")) + "\n"
        };
        let named = self.data.held_out.then(|| format!("holdout_{measure}"));
        let mut csv = "beta,ratio,neurons,objective,lower_bound,gap,relative_gap,".to_owned();
        csv += &cells(format!("train_{measure}"), named);
        let score = |score: Option<f64>| score.map_or(String::new(), |score| score.to_string());
        for point in &self.points {
            let PathPoint { beta, ratio, coefficients, certificate, scores, .. } = point;
            csv += &format!(
                "{beta},{ratio},{},{},{},{},{},",
                coefficients.len(),
                certificate.objective(),
                certificate.lower_bound(),
                certificate.gap(),
                certificate.relative_gap(),
            );
            csv += &cells(score(scores[0]), self.data.held_out.then(|| score(scores[1])));
        }
        csv
    }

    pub(super) fn text(&self) -> String {
        let Self { args, request, path, data, points, .. } = self;
        let mut text = data.text.clone();
        text += &format!(
            "{} loss, {} strengths from beta_max = {} down\n",
            data.loss,
            points.len(),
            short(path.beta_max),
        );
        text += &match request.max_inputs() {
            _ if request.has_two_conditions() => "all rules of two conditions\n\n".into(),
            Some(1) => "all neurons that read one input\n\n".into(),
            Some(k) => format!("all neurons that read at most {k} inputs\n\n"),
            None if data.distinct.is_none() => {
                format!("the Lasso over {} patterns, on rows in blocks\n\n", path.patterns)
            }
            None => format!(
                "the Lasso over {} distinct patterns of {} random neurons\n\n",
                path.patterns,
                request.draws(),
            ),
        };
        text += &self.table();
        let gap = |point: &&PathPoint| point.certificate.relative_gap();
        if let Some(worst) = points.iter().max_by(|a, b| gap(a).total_cmp(&gap(b))) {
            text += &format!("\nCertified: at each beta, {}.\n", worst.certificate.claim());
        }
        match self.best() {
            Some((point, score)) => {
                text += &format!(
                    "  best       {} held out, {} neurons, beta = {}: train with --beta-ratio {}\n",
                    self.score(Some(score)).trim(),
                    point.coefficients.len(),
                    short(point.beta),
                    short(point.ratio),
                );
            }
            None if data.distinct.is_none() => {
                text +=
                    "  best       train with --cv 5 to choose the beta that does best on new rows\n"
            }
            None => {
                text += "  best       add --holdout 0.2 to see which beta does best on new rows\n"
            }
        }
        text += &format!("  time       {}{}\n", seconds(self.seconds), stopped(path.stop));
        if let Some(path) = &args.csv {
            text += &format!("\ntable written to {}\n", path.display());
        }
        if let Some(picture) = &args.plot {
            text += &format!("\npicture written to {}\n", picture.path().display());
        }
        text
    }

    fn table(&self) -> String {
        let held_out = self.data.held_out;
        let mut text = format!(
            "{:>10}  {:>9}  {:>7}  {:>13}  {:>13}  {:>8}  {:>8}",
            "beta", "/beta_max", "neurons", "objective", "lower bound", "gap", "training"
        );
        text += if held_out { "  held out\n" } else { "\n" };
        for point in &self.points {
            let certificate = &point.certificate;
            text += &format!(
                "{:>10}  {:>9}  {:>7}  {:>13}  {:>13}  {:>8.1e}  {}",
                short(point.beta),
                short(point.ratio),
                point.coefficients.len(),
                upper(certificate.objective()),
                lower(certificate.lower_bound()),
                certificate.relative_gap(),
                self.score(point.scores[0]),
            );
            if held_out {
                text += "  ";
                text += &self.score(point.scores[1]);
            }
            text += "\n";
        }
        text
    }

    /// A score in a column of the table.
    fn score(&self, score: Option<f64>) -> String {
        match score {
            None => format!("{:>8}", "-"),
            Some(score) if self.data.classifies => format!("{:>6.2} %", 100.0 * score),
            Some(score) => format!("{score:>8.4}"),
        }
    }
}
