//! The rules of the last layer as people read them: neurons that ask the same are one rule, rules
//! about the same columns stand together, and what changes the output most comes first.
//!
//! Two neurons ask the same if they have the same answers on all rows, not all of them equal;
//! without rows, if their rules are the same for every input. Their weights are added. The opposite
//! answer is the same question, too: `a d + b (1 − d) = b + (a − b) d`. Output weights lie on a
//! grid where sums are exact, so the rules add up to the output of the network, to the last bit.
//!
//! What a rule changes is how far its part of the output is from its mean, on average over the
//! rows: `2p(1 − p)|a|`, where it holds on a fraction `p`. That of a group is measured on the sum
//! of its rules. Without rows it is `|a|`, the most that it can be.

use std::collections::HashMap;

use serde::Serialize;

use super::counts::Counts;
use super::missing::WhereMissing;
use super::rule::{Condition, Rule};

/// Rules that read the same columns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// The columns, in the order of the table.
    pub reads: Vec<String>,
    /// How much the group changes the output.
    pub importance: f64,
    /// The rules, those that change the output most first.
    pub rules: Vec<Merged>,
}

/// One or more neurons that ask the same.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Merged {
    /// When it holds: the rule of the neuron that reads the fewest inputs.
    pub(crate) rule: Rule,
    /// The same in full.
    pub(crate) text: String,
    /// What it adds to the output.
    pub weight: f64,
    /// The number of rows on which it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fires: Option<usize>,
    /// What it answers where its column is missing, if training had such rows and it does not ask
    /// just that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<WhereMissing>,
    /// How much it changes the output.
    pub importance: f64,
    /// The neurons, that of the rule first.
    pub neurons: Vec<String>,
    /// The place of that neuron in the last layer.
    #[serde(skip)]
    pub(crate) place: usize,
}

impl Merged {
    /// When it holds, with at most `most` terms of a sum, or conditions.
    pub fn text(&self, most: usize) -> String {
        self.rule.text(most)
    }
}

pub(super) struct Asking {
    pub(super) place: usize,
    pub(super) name: String,
    pub(super) rule: Rule,
    pub(super) weight: f64,
    pub(super) missing: Option<WhereMissing>,
    pub(super) inputs: usize,
    /// The columns that it reads, through all layers, by their place in the coding.
    pub(super) columns: Vec<usize>,
}

/// What a neuron asks, up to the opposite answer.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Question {
    /// The rows whose answer differs from that of the first row.
    Answers(Vec<u64>),
    /// The columns that it reads, and its rule.
    Rule(Vec<usize>, String),
}

/// A group under construction: its columns, and its rules.
struct Gathered {
    columns: Vec<usize>,
    rules: Vec<Merged>,
}

/// The output if no rule holds, and the rules in groups; `name` is that of a column of the coding.
pub(super) fn grouped(
    neurons: Vec<Asking>,
    offset: f64,
    counts: Option<&Counts>,
    name: impl Fn(usize) -> String,
) -> (f64, Vec<Group>) {
    let mut base = offset;
    let mut places: HashMap<Question, usize> = HashMap::new();
    let mut same: Vec<Vec<(Asking, bool)>> = Vec::new();
    for neuron in neurons {
        match neuron.rule {
            Rule::Constant { fires } => base += if fires { neuron.weight } else { 0.0 },
            _ => {
                let (question, opposite) = neuron.question(counts);
                let place = *places.entry(question).or_insert(same.len());
                if place == same.len() {
                    same.push(Vec::new());
                }
                same[place].push((neuron, opposite));
            }
        }
    }
    let mut groups: Vec<Gathered> = Vec::new();
    let mut places: HashMap<Vec<usize>, usize> = HashMap::new();
    for neurons in same {
        let (added, columns, merged) = merged(neurons, counts);
        base += added;
        if merged.weight != 0.0 {
            let group = *places.entry(columns.clone()).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Gathered { columns, rules: Vec::new() });
            }
            groups[group].rules.push(merged);
        }
    }
    let group = |Gathered { columns, mut rules }: Gathered| {
        let terms: Vec<(usize, f64)> = rules.iter().map(|rule| (rule.place, rule.weight)).collect();
        let most = || terms.iter().map(|(_, weight)| weight.abs()).sum();
        let importance = counts.map_or_else(most, |counts| counts.mean_change(&terms));
        // Stable sorts: ties keep the order of the network.
        rules.sort_by(|a, b| b.importance.total_cmp(&a.importance));
        let mut reads: Vec<String> = columns.into_iter().map(&name).collect();
        reads.dedup(); // a column may have several codings
        Group { reads, importance, rules }
    };
    let mut groups: Vec<Group> = groups.into_iter().map(group).collect();
    groups.sort_by(|a, b| b.importance.total_cmp(&a.importance));
    (base, groups)
}

/// Neurons that ask the same as one rule: what they add always, the columns of the neuron with the
/// rule, and the rule.
fn merged(mut neurons: Vec<(Asking, bool)>, counts: Option<&Counts>) -> (f64, Vec<usize>, Merged) {
    neurons.sort_by_key(|(neuron, _)| neuron.inputs);
    let own = neurons[0].1;
    let (mut always, mut weight) = (0.0, 0.0);
    for (neuron, opposite) in &neurons {
        if *opposite == own {
            weight += neuron.weight;
        } else {
            always += neuron.weight;
            weight -= neuron.weight;
        }
    }
    let names = neurons.iter().map(|(neuron, _)| neuron.name.clone()).collect();
    let (Asking { place, rule, columns, missing, .. }, _) = neurons.swap_remove(0);
    let last = counts.map(|counts| counts.fires.len() - 1);
    let fires = counts.zip(last).map(|(counts, last)| counts.fires[last][place]);
    let deviation = counts.zip(last).map_or(1.0, |(counts, last)| counts.deviation(last, place));
    let importance = weight.abs() * deviation;
    let text = rule.text(usize::MAX);
    let merged = Merged { rule, text, weight, fires, missing, importance, neurons: names, place };
    (always, columns, merged)
}

impl Asking {
    /// What it asks, and whether it gives the opposite answer.
    fn question(&self, counts: Option<&Counts>) -> (Question, bool) {
        // An answer that is the same on all rows says little about what is asked.
        let answers = counts.map(|counts| counts.question(self.place));
        if let Some((bits, opposite)) = answers.filter(|(bits, _)| bits.iter().any(|b| *b != 0)) {
            return (Question::Answers(bits), opposite);
        }
        let (rule, opposite) = match &self.rule {
            // x ≤ v is the opposite of x ≥ the next double. A zero has one sign.
            Rule::Threshold { column, at_least, value, .. } => {
                let value = if *at_least { *value } else { value.next_up() } + 0.0;
                let column = column.clone();
                (Rule::Threshold { column, at_least: true, value, words: None }, !at_least)
            }
            // At most k − 1 of n hold: at least n − k + 1 do not.
            Rule::Count { least, of } if !of[0].holds() => {
                let of: Vec<Condition> = of.iter().map(Condition::opposite).collect();
                (Rule::Count { least: of.len() + 1 - least, of }, true)
            }
            rule => (rule.clone(), false),
        };
        // Numbers are written with all their digits.
        (Question::Rule(self.columns.clone(), format!("{rule:?}")), opposite)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Features;
    use crate::explain::Explanation;
    use crate::network::{Layer, Network, Neuron};
    use crate::table::{Coding, CodingOptions, ReadOptions, Table};
    use proptest::prelude::*;

    fn table() -> (Table, Coding) {
        let row =
            |i: usize| format!("{},{},{},{}\n", i % 5, i * i % 7, ["u", "v", "w"][i % 3], i % 2);
        let text = "a,b,c,y\n".to_owned() + &(0..40).map(row).collect::<String>();
        let table = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
        let coding = Coding::fit(&table, &CodingOptions::default()).unwrap();
        (table, coding)
    }

    /// Whether a rule of the first layer holds, by its words alone.
    fn holds(rule: &Rule, names: &[String], x: &[f64]) -> bool {
        let at = |name: &str| x[names.iter().position(|n| n == name).expect("a feature")];
        let has = |column: &str, label: &str| at(&format!("{column}={label}")) == 1.0;
        match rule {
            Rule::Constant { fires } => *fires,
            Rule::Threshold { column, at_least: true, value, .. } => at(column) >= *value,
            Rule::Threshold { column, at_least: false, value, .. } => at(column) <= *value,
            Rule::Count { least, of } => {
                let met = |condition: &&Condition| match condition {
                    Condition::Label { column, labels, holds } => {
                        labels.iter().any(|label| has(column, label)) == *holds
                    }
                    _ => unreachable!("there is one layer, and nothing is missing"),
                };
                of.iter().filter(met).count() >= *least
            }
            Rule::Sum { terms, at_least, value } => {
                let part = |term: &super::super::rule::Term| match &term.label {
                    Some(label) => term.weight * f64::from(u8::from(has(&term.name, label))),
                    None => term.weight * at(&term.name),
                };
                let sum: f64 = terms.iter().map(part).sum();
                if *at_least { sum >= *value } else { sum <= *value }
            }
        }
    }

    fn network(neurons: &[([i8; 5], i8, f64)]) -> Network {
        let neuron = |(weights, bias, _): &([i8; 5], i8, f64)| Neuron {
            inputs: None,
            weights: weights.iter().map(|w| f64::from(*w)).collect(),
            bias: f64::from(*bias) / 2.0,
        };
        let layer = Layer { neurons: neurons.iter().map(neuron).collect() };
        Network::new(5, vec![layer], neurons.iter().map(|n| n.2).collect(), 0.37).unwrap()
    }

    /// The base and the weights of the rules that hold.
    fn sums(explained: &Explanation, names: &[String], rows: &Features) -> Vec<f64> {
        let rules = || explained.groups.iter().flat_map(|group| &group.rules);
        let sum = |x: &[f64]| {
            let holding = rules().filter(|merged| holds(&merged.rule, names, x));
            explained.base + holding.map(|merged| merged.weight).sum::<f64>()
        };
        (0..rows.rows()).map(|i| sum(rows.row(i))).collect()
    }

    proptest! {
        #[test]
        fn merged_rules_add_up_to_the_output_to_the_last_bit(
            neurons in prop::collection::vec(
                (prop::array::uniform5(-1i8..2), -4i8..5, -2.0f64..2.0), 1..60),
            one_input in any::<bool>(),
        ) {
            let mut neurons = neurons;
            if one_input {
                // The first weight that is not zero stays.
                for (weights, ..) in &mut neurons {
                    let first = weights.iter().position(|w| *w != 0).unwrap_or(0);
                    let others = weights.iter_mut().enumerate().filter(|(j, _)| *j != first);
                    others.for_each(|(_, w)| *w = 0);
                }
            }
            let (table, coding) = table();
            let names: Vec<String> = coding.columns().iter().flat_map(|c| c.names()).collect();
            let (network, rows) = (network(&neurons), coding.features(&table).unwrap());
            let output = network.output(&rows);
            for known in [None, Some(&rows)] {
                let explained = Explanation::of(&network, &coding, known);
                prop_assert_eq!(&sums(&explained, &names, &rows), &output);
            }
            // Without rows the rules are the same everywhere, also on rows that were not seen.
            let values: Vec<f64> = (0..200).map(|i| match i % 5 {
                0 => f64::from(i % 13) / 2.0 - 3.0,
                1 => f64::from(i % 9) / 2.0,
                j => f64::from(u8::from(i / 5 % 4 == j - 2)),
            }).collect();
            let others = Features::new(40, 5, values).unwrap();
            let explained = Explanation::of(&network, &coding, None);
            prop_assert_eq!(sums(&explained, &names, &others), network.output(&others));
        }
    }

    #[test]
    fn what_asks_the_same_is_one_rule_and_opposites_are_too() {
        let (table, coding) = table();
        let neurons = [
            ([2, 0, 0, 0, 0], -4, 1.0),   // a ≥ 1
            ([4, 0, 0, 0, 0], -8, 0.5),   // a ≥ 1
            ([-1, 0, 0, 0, 0], 1, 0.25),  // a ≤ 0.5: the opposite, on these rows
            ([0, 0, 1, 0, 0], -1, 2.0),   // c = u
            ([0, 0, -1, 0, 0], 1, -0.75), // c ≠ u: the opposite, always
            ([0, 0, 0, 0, 0], 1, 8.0),    // always
            ([0, 1, 0, 0, 0], -2, 1.0),   // b ≥ 1 ...
            ([0, 2, 0, 0, 0], -4, -1.0),  // ... and nothing of it is left
        ];
        let network = network(&neurons);
        let rows = coding.features(&table).unwrap();
        let text = |known: Option<&Features>| -> Vec<String> {
            let explained = Explanation::of(&network, &coding, known);
            let rules = explained.groups.iter().flat_map(|group| &group.rules);
            let line = |m: &Merged| format!("{} {} {}", m.rule, m.weight, m.neurons.join(" "));
            let all = rules.map(line);
            all.chain([format!("{:.2}", explained.base)]).collect()
        };
        assert_eq!(text(Some(&rows)), ["c = u 2.75 h4 h5", "a ≥ 1 1.25 h1 h2 h3", "7.87"]);
        assert_eq!(text(None), ["c = u 2.75 h4 h5", "a ≥ 1 1.5 h1 h2", "a ≤ 0.5 0.25 h3", "7.62"]);
    }

    #[test]
    fn one_row_does_not_make_all_rules_one() {
        let (table, coding) = table();
        let neurons = [([2, 0, 0, 0, 0], -4, 1.0), ([0, 1, 0, 0, 0], 0, 0.5)];
        let row = coding.features(&table).unwrap().select(&[3]);
        let explained = Explanation::of(&network(&neurons), &coding, Some(&row));
        assert_eq!((explained.rules(), explained.groups.len()), (2, 2));
    }

    #[test]
    fn a_group_is_as_important_as_the_sum_of_its_rules() {
        let (table, coding) = table();
        // Two thresholds of one column that nearly cancel, and a label.
        let neurons =
            [([1, 0, 0, 0, 0], -1, 3.0), ([1, 0, 0, 0, 0], -3, -3.0), ([0, 0, 1, 0, 0], -1, 2.0)];
        let rows = coding.features(&table).unwrap();
        let explained = Explanation::of(&network(&neurons), &coding, Some(&rows));
        let found: Vec<(String, f64)> =
            explained.groups.iter().map(|g| (g.reads.join(","), g.importance)).collect();
        // a is 1 on a fifth of the rows; c is u on 14 of 40.
        let label = 2.0 * 2.0 * (14.0 / 40.0) * (26.0 / 40.0);
        assert_eq!((&found[0].0[..], &found[1].0[..]), ("a", "c"));
        assert!((found[0].1 - 3.0 * 2.0 * 0.2 * 0.8).abs() < 1e-12, "{found:?}");
        assert!((found[1].1 - label).abs() < 1e-12, "{found:?}");
        assert_eq!((explained.rules(), explained.neurons()), (3, 3));
    }
}
