//! A list of rules as a scorecard: what each rule adds, and what the sum means.
//!
//! With points, all weights are whole numbers of one unit, `aⱼ = τ Aⱼ`, and the score `Σ Aⱼ` of the
//! rules that hold has a probability, `1/(1 + exp(−κ(b + τ Σ Aⱼ)))`, with the calibration `κ` that
//! was fitted on rows held out.

use serde::Serialize;

use super::{Explanation, number};
use crate::error::Error;
use crate::model::{Calibration, Model};
use crate::table::TargetCoding;

/// Probabilities below this, and above the rest of one, are not told apart.
const RARE: f64 = 0.01;
/// A network of more rules is no scorecard.
const MOST_RULES: usize = 100;

/// The rules of one network, with what they add.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scorecard {
    /// What a large sum speaks for.
    pub target: String,
    /// What each rule adds where it holds: points if there is a table, otherwise output weights.
    pub rules: Vec<(String, f64)>,
    /// What is added always; with points it is a part of the table.
    pub base: f64,
    /// Every score that a row may have, and its probability.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<(i64, f64)>,
    /// The output weight of a point; one if weights are not points.
    #[serde(skip)]
    unit: f64,
}

impl Scorecard {
    /// The scorecards of a model, one for each network, if it was trained as a list of rules.
    pub fn of(model: &Model) -> Vec<Self> {
        let given = |name: &str| {
            let options = model.history().map_or(&[][..], |history| &history.options);
            options.iter().any(|(option, _)| option == name)
        };
        if !given("rules") || model.neurons() > MOST_RULES {
            return Vec::new();
        }
        let calibration = model.calibration().filter(|_| given("points"));
        (0..model.parts().len()).map(|k| Self::of_network(model, k, calibration)).collect()
    }

    fn of_network(model: &Model, k: usize, calibration: Option<Calibration>) -> Self {
        let coding = model.coding().of_network(k);
        let explanation = Explanation::of(model.parts()[k].network(), &coding, None);
        let column = &coding.target().column().name;
        let target = match (coding.target(), coding.target().answers()) {
            (TargetCoding::Number { .. }, _) | (_, None) => column.clone(),
            (_, Some([_, yes])) => format!("{column} = {yes}"),
        };
        let merged = explanation.groups.iter().flat_map(|group| &group.rules);
        let mut rules: Vec<(String, f64)> =
            merged.map(|rule| (rule.text.clone(), rule.weight)).collect();
        let base = explanation.base;
        let (mut scores, mut size) = (Vec::new(), 1.0);
        let unit = unit(rules.iter().map(|(_, weight)| *weight));
        if let (Some(calibration), Some(unit)) = (calibration, unit) {
            size = unit;
            rules.iter_mut().for_each(|(_, weight)| *weight /= unit);
            let end = |sign: f64| {
                let of_sign = rules.iter().map(|(_, points)| (sign * points).max(0.0));
                (sign * of_sign.sum::<f64>()) as i64
            };
            let probability =
                |score: i64| calibration.probabilities(&[base + unit * score as f64])[1];
            scores = (end(-1.0)..=end(1.0)).map(|score| (score, probability(score))).collect();
        }
        Self { target, rules, base, scores, unit: size }
    }

    /// The output weight of a point of a model; one if its weights are not points.
    pub fn unit_of(model: &Model) -> f64 {
        Self::of(model).first().map_or(1.0, |card| card.unit)
    }

    /// Output weights of rules, given as its card shows them: as points if it has points.
    ///
    /// # Errors
    /// When points are not whole numbers.
    pub fn output_weights(
        model: &Model,
        shown: &[(usize, f64)],
    ) -> Result<Vec<(usize, f64)>, Error> {
        let points = Self::of(model).first().is_some_and(Self::has_points);
        let unit = Self::unit_of(model);
        let weight = |&(rule, shown): &(usize, f64)| {
            if points && shown.fract() != 0.0 {
                let reason = format!("points are whole numbers, got {shown} for h{rule}");
                return Err(Error::Edit(reason));
            }
            Ok((rule, unit * shown))
        };
        shown.iter().map(weight).collect()
    }

    /// Whether weights are points.
    pub fn has_points(&self) -> bool {
        !self.scores.is_empty()
    }

    /// The scores that are told apart, in words, and their probabilities: those at the ends are one
    /// line each.
    pub fn lines(&self) -> Vec<(String, String)> {
        let percent = |p: f64| format!("{:.0} %", 100.0 * p);
        let told = |(_, p): &&(i64, f64)| (RARE..=1.0 - RARE).contains(p);
        let below = self.scores.iter().rfind(|(_, p)| *p < RARE);
        let above = self.scores.iter().find(|(_, p)| *p > 1.0 - RARE);
        let first = below.map(|(score, _)| {
            (format!("{} or less", number(*score as f64)), "below 1 %".to_owned())
        });
        let last = above.map(|(score, _)| {
            (format!("{} or more", number(*score as f64)), "above 99 %".to_owned())
        });
        let between = self.scores.iter().filter(told);
        let between = between.map(|(score, p)| (number(*score as f64), percent(*p)));
        first.into_iter().chain(between).chain(last).collect()
    }

    /// The card as lines of text.
    pub fn text(&self) -> String {
        let points = self.has_points();
        let sum = match (points, self.base) {
            (true, _) => "the score is the sum of the points of the rules that hold".to_owned(),
            (false, base) => {
                format!("the output is {} plus the weights of the rules that hold", number(base))
            }
        };
        let mut text = format!("{}: {sum}\n", self.target);
        let width = self.rules.iter().map(|(_, weight)| signed(*weight).len()).max().unwrap_or(0);
        for (rule, weight) in &self.rules {
            text += &format!("  {:>width$}  {rule}\n", signed(*weight));
        }
        if points {
            let lines = self.lines();
            let width = lines.iter().map(|(score, _)| score.len()).max().unwrap_or(0).max(5);
            text += &format!("  {:>width$}  probability of {}\n", "score", self.target);
            for (score, p) in lines {
                text += &format!("  {score:>width$}  {p}\n");
            }
        }
        text
    }
}

/// A number with its sign.
fn signed(value: f64) -> String {
    if value > 0.0 { format!("+{}", number(value)) } else { number(value) }
}

/// The largest power of two that all these numbers are multiples of.
fn unit(values: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let most = values.clone().fold(0.0, |most: f64, v| most.max(v.abs()));
    if most == 0.0 {
        return Some(1.0);
    }
    let top = most.log2().ceil() as i32;
    let mut powers = (top - f64::MANTISSA_DIGITS as i32..=top).rev().map(|power| 2f64.powi(power));
    powers.find(|unit| values.clone().all(|v| (v / unit).fract() == 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_is_the_largest_power_of_two_in_all_weights() {
        let of = |values: &[f64]| unit(values.iter().copied());
        assert_eq!(of(&[1.5, -0.75, 2.25]), Some(0.75 / 3.0));
        assert_eq!(of(&[-8.0]), Some(8.0));
        assert_eq!(of(&[]), Some(1.0));
        assert_eq!(of(&[1.0, 0.1]), None);
    }
}
