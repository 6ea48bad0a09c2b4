//! One row explained: which rules hold, what each adds to the output, and the nearest change of one
//! input that gives another class.
//!
//! What the rules that hold add up to is the output, to the last bit. The nearest changes are
//! within the range of the data, and the network has the last word: every change was tried. The
//! page of a report looks for them in the same way ([`super::variables`]).

use serde::Serialize;

use super::group::Merged;
use super::variables::{Variable, VariableKind, ends, numbers, spans, variables};
use super::{Explanation, number};
use crate::data::Features;
use crate::model::Model;
use crate::network::Network;
use crate::table::coding::Reading;
use crate::table::reading::TimePart;
use crate::table::reading::time::date_text;

/// The most switches of neurons on each side of a number that are followed.
const CUTS: usize = 300;
/// How many of them are tried at once.
const TRIED: usize = 16;
/// How far beyond a switch a round number may be: relative to the change, and to the deviation of
/// the data.
const NEAR: [f64; 2] = [0.02, 0.01];

/// Rows of data, and how a model answers them.
#[derive(Debug)]
pub struct Answers<'a> {
    pub(crate) model: &'a Model,
    rows: &'a Features,
    explanations: Vec<Explanation>,
    variables: Vec<Variable>,
    spans: Vec<(usize, usize, usize)>,
    /// Whether inputs may change within the range of the rows only.
    bounded: bool,
}

/// The answer to one row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct RowAnswer {
    /// The label that is answered, if there are classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prediction: Option<String>,
    /// The probability of every class, if outputs give them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probabilities: Option<Vec<f64>>,
    /// The output of every network.
    pub outputs: Vec<f64>,
    /// The place of the network that the rules speak of.
    #[serde(skip)]
    pub(crate) place: usize,
    /// The class that the rules speak of, if there are several.
    #[serde(rename = "class", skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// The output if no rule holds.
    pub base: f64,
    /// Every rule: those that hold first, and those that add most before others.
    pub rules: Vec<RowRule>,
    /// For each input the nearest change that gives another class, the nearest of all first.
    pub changes: Vec<Change>,
}

/// A rule on one row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct RowRule {
    /// The columns that it reads.
    pub reads: Vec<String>,
    /// What these columns hold in this row.
    pub cells: Vec<String>,
    #[serde(skip)]
    pub(crate) merged: Merged,
    /// The rule in words.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
    /// What it adds to the output where it holds.
    pub weight: f64,
}

/// A change of one input.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Change {
    /// The input.
    pub name: String,
    /// What it is.
    pub from: String,
    /// What it would have to be.
    pub to: String,
    /// How far that is: in standard deviations of the column for a number, 1 for a label.
    pub distance: f64,
    /// The class that is answered then.
    pub gives: String,
}

impl<'a> Answers<'a> {
    /// The rules of a model on these rows, which are data if they are more than those to explain
    /// (`bounded`): inputs change within their range then.
    pub fn new(model: &'a Model, rows: &'a Features, bounded: bool) -> Self {
        let explanation = |(k, network): (usize, &Network)| {
            Explanation::of(network, &model.coding().of_network(k), Some(rows))
        };
        let explanations = model.networks().enumerate().map(explanation).collect();
        let (variables, spans) = (variables(model.coding()), spans(model.coding()));
        Self { model, rows, explanations, variables, spans, bounded }
    }

    /// The answer to row `i`.
    ///
    /// # Panics
    /// When there is no such row.
    pub(crate) fn row(&self, i: usize) -> RowAnswer {
        let (model, target) = (self.model, self.model.coding().target());
        let one = self.rows.select(&[i]);
        let outputs: Vec<f64> = model.outputs_of(&one).into_iter().map(|u| u[0]).collect();
        let names = target.answers().map(|two| two.to_vec());
        let names = names.or_else(|| target.classes().map(<[String]>::to_vec));
        let place = model.class(&outputs);
        let network = if outputs.len() > 1 { place } else { 0 };
        let explanation = &self.explanations[network];
        let answers = model.parts()[network].network().patterns(&one);
        let mut rules: Vec<RowRule> = (explanation.groups.iter())
            .flat_map(|group| group.rules.iter().map(|rule| (&group.reads, rule)))
            .map(|(reads, merged)| RowRule {
                reads: reads.clone(),
                cells: reads.iter().map(|column| self.cell(column, one.row(0))).collect(),
                text: merged.text.clone(),
                holds: answers.get(0, merged.place),
                weight: merged.weight,
                merged: merged.clone(),
            })
            .collect();
        // A stable sort: ties keep the order of the page.
        rules.sort_by(|a, b| b.holds.cmp(&a.holds).then(b.weight.abs().total_cmp(&a.weight.abs())));
        RowAnswer {
            prediction: names.as_ref().map(|names| names[place].clone()),
            probabilities: names.as_ref().and_then(|_| model.probabilities(&outputs)),
            network: model.several_classes().map(|classes| classes[network].clone()),
            place: network,
            base: explanation.base,
            rules,
            changes: names.map_or(Vec::new(), |names| self.changes(one.row(0), place, &names)),
            outputs,
        }
    }

    /// What a column holds in a row.
    fn cell(&self, column: &str, x: &[f64]) -> String {
        let codings = self.model.coding().columns();
        let own = |v: &&Variable| codings[self.spans[v.column].0].column.name == column;
        let mut own = self.variables.iter().filter(own);
        let Some(first) = own.next() else { return String::new() };
        let (start, count, _) = self.spans[first.column];
        let days = codings[start..start + count]
            .iter()
            .any(|coding| matches!(coding.reading, Reading::Time { part: TimePart::Days, .. }));
        let gone =
            |v: &Variable| v.state(x).is_some_and(|state| state > 0) && v.number(x).is_none();
        match first.number(x) {
            _ if first.is_number() && own.next_back().is_some_and(gone) => "missing".into(),
            Some(value) if days => date_text(value.floor() as i64),
            _ => text(first, x),
        }
    }

    /// The nearest changes of a row that is of class `place`.
    fn changes(&self, x: &[f64], place: usize, names: &[String]) -> Vec<Change> {
        let coding = self.model.coding();
        let mut found: Vec<Change> = (self.variables.iter())
            .filter(|variable| {
                let (start, count, _) = self.spans[variable.column];
                let mut codings = coding.columns()[start..start + count].iter();
                // Dates do not change by one of their parts.
                !codings.any(|coding| matches!(coding.reading, Reading::Time { .. }))
            })
            .filter_map(|variable| {
                let (row, distance) = match &variable.kind {
                    VariableKind::Number { .. } => self.number_change(variable, x, place)?,
                    VariableKind::Label { states } => {
                        let own = variable.state(x);
                        let rows = (0..states.len()).filter(|k| Some(*k) != own).map(|state| {
                            let mut row = x.to_vec();
                            variable.put_state(&mut row, state);
                            row
                        });
                        (self.first_change(rows.collect(), place)?, 1.0)
                    }
                };
                let (from, to) = (text(variable, x), text(variable, &row));
                let gives = names[self.classes(vec![row])[0]].clone();
                Some(Change { name: variable.name.clone(), from, to, distance, gives })
            })
            .collect();
        // A stable sort: ties keep the order of the table.
        found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        found
    }

    /// The row with the nearest number that gives another class, and how far that is.
    fn number_change(
        &self,
        variable: &Variable,
        x: &[f64],
        place: usize,
    ) -> Option<(Vec<f64>, f64)> {
        let now = variable.number(x)?;
        let known = numbers(variable, self.rows);
        let (least, most) = match ends(&known) {
            Some(ends) if self.bounded => ends,
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        };
        let whole = known.iter().all(|v| v.fract() == 0.0);
        let deviation = match deviation(&known) {
            0.0 => now.abs().max(f64::MIN_POSITIVE),
            deviation => deviation,
        };
        let mut switches: Vec<f64> =
            self.switches(variable, x).filter(|at| (least..=most).contains(at)).collect();
        switches.sort_by(f64::total_cmp);
        switches.dedup();
        // A switch at the number itself may be crossed on either side.
        let after = switches.partition_point(|at| *at < now);
        let before = switches.partition_point(|at| *at <= now);
        let side = |up: bool| {
            let cuts: Vec<f64> = if up {
                switches[after..].iter().take(CUTS).copied().collect()
            } else {
                switches[..before].iter().rev().take(CUTS).copied().collect()
            };
            let end = if up { most } else { least };
            let ends = cuts[usize::min(1, cuts.len())..].iter().copied().chain([end]);
            let values = cuts.iter().zip(ends).flat_map(|(&from, next)| {
                let room = (NEAR[0] * (from - now).abs()).max(NEAR[1] * deviation);
                beyond(from, next, room, up, whole)
            });
            let inside =
                |v: &f64| (least..=most).contains(v) && if up { *v > now } else { *v < now };
            let rows: Vec<Vec<f64>> = values
                .filter(inside)
                .map(|value| {
                    let mut row = x.to_vec();
                    variable.put_number(&mut row, Some(value));
                    row
                })
                .collect();
            let row = self.first_change(rows, place)?;
            let distance = (variable.number(&row)? - now).abs() / deviation;
            Some((row, distance))
        };
        let found = [true, false].into_iter().filter_map(side);
        found.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Where neurons of the first layers switch as a number changes.
    fn switches(&self, variable: &Variable, x: &[f64]) -> impl Iterator<Item = f64> {
        let features = variable.features();
        let feature = features[0];
        self.model.networks().flat_map(|network| &network.layers()[0].neurons).filter_map(
            move |neuron| {
                let (_, weight) = neuron.terms().find(|(j, w)| *j == feature && *w != 0.0)?;
                let others = neuron.terms().filter(|(j, _)| *j != feature);
                let sum: f64 = others.map(|(j, w)| w * x[j]).sum::<f64>() + neuron.bias;
                Some(-sum / weight)
            },
        )
    }

    /// The first of these rows that is of another class.
    fn first_change(&self, rows: Vec<Vec<f64>>, place: usize) -> Option<Vec<f64>> {
        rows.chunks(TRIED).find_map(|rows| {
            let found = self.classes(rows.to_vec()).iter().position(|class| *class != place);
            found.map(|k| rows[k].clone())
        })
    }

    fn classes(&self, rows: Vec<Vec<f64>>) -> Vec<usize> {
        let (count, dimension) = (rows.len(), self.rows.dimension());
        let features = Features::new(count, dimension, rows.concat()).expect("numbers of rows");
        let outputs = self.model.outputs_of(&features);
        let class = |i: usize| {
            self.model.class(&outputs.iter().map(|output| output[i]).collect::<Vec<f64>>())
        };
        (0..count).map(class).collect()
    }
}

/// Numbers beyond a switch to try, up to the next one: a round number near it, or for whole numbers
/// the first, which may be the switch itself.
fn beyond(from: f64, next: f64, room: f64, up: bool, whole: bool) -> Vec<f64> {
    match (whole, up) {
        (true, true) => vec![from.ceil(), from.floor() + 1.0],
        (true, false) => vec![from.floor(), from.ceil() - 1.0],
        (false, true) => {
            let limit = next.min(from + room);
            vec![round_between(from, limit).unwrap_or(limit)]
        }
        (false, false) => {
            let limit = next.max(from - room);
            vec![round_between(from, limit).unwrap_or(limit)]
        }
    }
}

/// The number with the fewest digits strictly between two numbers, nearest to the first.
fn round_between(from: f64, to: f64) -> Option<f64> {
    let (low, high) = (from.min(to), from.max(to));
    let size = low.abs().max(high.abs()).max(1e-300).log10().floor() as i32;
    (0..17).find_map(|k| {
        let power = size.min(15) - k;
        let step = 10f64.powi(power);
        let near = if from < to { (from / step).floor() + 1.0 } else { (from / step).ceil() - 1.0 };
        // Written out and read again, it is the double nearest to the decimal number.
        let value: f64 = format!("{near:.0}e{power}").parse().ok()?;
        (low < value && value < high).then_some(value)
    })
}

fn deviation(numbers: &[f64]) -> f64 {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    (numbers.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count).sqrt()
}

/// What a variable holds in a row.
fn text(variable: &Variable, x: &[f64]) -> String {
    match (&variable.kind, variable.state(x)) {
        (VariableKind::Label { states }, Some(state)) => states[state].name.clone(),
        (VariableKind::Label { .. }, None) => "other".into(),
        (VariableKind::Number { .. }, _) => variable.number(x).map_or("missing".into(), digits),
    }
}

/// A number that was chosen to be short with all its digits, any other with five.
fn digits(value: f64) -> String {
    let all = value.to_string();
    if all.len() <= 8 { all.replace('-', "−") } else { number(value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{ReadOptions, Table};
    use crate::train::Request;
    use proptest::prelude::*;

    fn table() -> Table {
        let row = |i: usize| {
            let (age, income) = (18 + i * 7 % 60, 1000.0 + (i * 37 % 101) as f64 * 12.5);
            let owner = ["yes", "no", "no"][i % 3];
            let risk =
                usize::from(age < 40) + usize::from(income < 1600.0) + usize::from(owner == "no");
            let age = if i.is_multiple_of(11) { String::new() } else { age.to_string() };
            format!("{age},{income},{owner},{}\n", if risk >= 2 { "bad" } else { "good" })
        };
        let text = "age,income,owner,y\n".to_owned() + &(0..200).map(row).collect::<String>();
        Table::read(text.as_bytes(), "loans.csv", &ReadOptions::default()).unwrap()
    }

    #[test]
    fn rules_that_hold_add_up_to_the_output_and_every_change_gives_another_class() {
        let table = table();
        for options in ["max_inputs=1 beta=1", "max_inputs=2 beta=1", "beta=2 loss=logistic"] {
            let model = Request::of(options).unwrap().train(&table).unwrap().model;
            let rows = model.coding().features(&table).unwrap();
            let answers = Answers::new(&model, &rows, true);
            let outputs = model.outputs(&table).unwrap();
            let mut changed = 0;
            for i in (0..200).step_by(7) {
                let answer = answers.row(i);
                let held = answer.rules.iter().filter(|rule| rule.holds);
                let sum = answer.base + held.map(|rule| rule.weight).sum::<f64>();
                assert_eq!((sum, &answer.outputs[..]), (outputs[0][i], &outputs[0][i..=i]));
                let prediction = answer.prediction.unwrap();
                for change in &answer.changes {
                    assert!(change.gives != prediction && change.from != change.to, "{change:?}");
                }
                assert!(answer.changes.is_sorted_by(|a, b| a.distance <= b.distance));
                changed += answer.changes.len();
            }
            assert!(changed > 20, "{options}: {changed}");
        }
    }

    #[test]
    fn cells_are_as_the_table_has_them() {
        let table = table();
        let model = Request::of("max_inputs=1 beta=0.5").unwrap().train(&table).unwrap().model;
        let rows = model.coding().features(&table).unwrap();
        let answer = Answers::new(&model, &rows, true).row(0);
        let cell = |column: &str| {
            let rule = answer.rules.iter().find(|rule| rule.reads == [column]);
            rule.map(|rule| rule.cells[0].clone())
        };
        assert_eq!(cell("age").as_deref(), Some("missing"));
        assert_eq!(cell("owner").as_deref(), Some("yes"));
        assert_eq!(cell("income").as_deref(), Some("1000"));
    }

    proptest! {
        #[test]
        fn a_round_number_lies_strictly_between(from in -1e6f64..1e6, width in 1e-6f64..1e4) {
            for to in [from + width, from - width] {
                let value = round_between(from, to).unwrap();
                prop_assert!(value > from.min(to) && value < from.max(to));
            }
        }
    }
}
