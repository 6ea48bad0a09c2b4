//! A network in words: every neuron as a rule, and how much it matters.
//!
//! Weights act on the numbers as read, so rules use the units of the table, and features that stand
//! for labels are shown as labels. Neurons are numbered through all layers, `h1, h2, …`; neurons of
//! higher layers are rules about the neurons below. Neurons that nothing reads are left out.
//!
//! The importance of a neuron of the last layer is how much it changes the output on average: the
//! size of its output weight times the mean deviation of its answer, `|a| 2p(1 − p)`, where it
//! fires on a fraction `p` of the rows. A neuron below gets a share of the importance of each
//! neuron that reads it. The share is that of its weight, times its own deviation, among the
//! weights of that neuron. Without rows all deviations are equal.
//!
//! [`Explanation::groups`] says the same in fewer words: neurons that ask the same are one rule,
//! and rules about the same columns stand together.

mod axis;
mod counts;
mod dates;
mod effects;
#[cfg(test)]
mod effects_tests;
mod group;
mod missing;
mod row;
mod rule;
pub mod score;
mod scorecard;
mod shares;
mod text;
pub mod variables;

pub use axis::Bins;
pub use effects::{Effect, effects, effects_json};
pub use group::{Group, Merged};
pub use missing::WhereMissing;
pub use row::Answers;
pub(crate) use row::{Change, RowAnswer, RowRule};
pub use scorecard::Scorecard;
pub use text::number;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::data::Features;
use crate::network::{Layer, Network};
use crate::table::Coding;
use crate::table::coding::{Kind, Reading, Steps};
use counts::{Counts, deviations};
use group::{Asking, grouped};
use missing::Gaps;
use rule::{Rule, Source, neuron_bits};

/// A network in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The rules of every layer, from the first on; in each layer the most important come first.
    pub layers: Vec<Vec<Explained>>,
    /// The output when no neuron fires.
    pub offset: f64,
    /// The rules of the last layer, merged where neurons ask the same and grouped by the columns
    /// that they read. The output is `base` plus the weights of those that hold: on all rows if
    /// there are rows, otherwise everywhere.
    pub groups: Vec<Group>,
    /// The output when no rule of the groups holds.
    pub base: f64,
    /// The columns that are read, in the order of the table.
    pub reads: Vec<String>,
    /// The number of columns that could be read.
    pub columns: usize,
    /// The bits of all weights: two's complement for whole numbers, 64 for others, none for zeros.
    pub bits: u64,
    /// The number of rows on which the rules were counted.
    pub rows: Option<usize>,
    /// The columns that sums of the first layer read, which may be missing, and what counts there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fills: Vec<(String, f64)>,
    /// Whether the rules of the last layer say all that there is below.
    #[serde(skip)]
    in_full: bool,
}

/// A neuron in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explained {
    /// `h` and its number.
    pub name: String,
    pub(crate) rule: Rule,
    /// When it fires, in full.
    text: String,
    /// Its output weight, in the last layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// The number of rows on which it fires.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fires: Option<usize>,
    /// What it answers where its column is missing, if training had such rows and it does not ask
    /// just that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<WhereMissing>,
    /// How much it matters.
    pub importance: f64,
    /// The number of inputs that it reads.
    pub inputs: usize,
    /// The bits of its weights and bias.
    pub bits: u64,
}

impl Explained {
    /// When it fires, with at most `most` terms of a sum, or conditions.
    pub fn text(&self, most: usize) -> String {
        self.rule.text(most)
    }
}

impl Explanation {
    /// Explains a network in terms of its coding; `rows` are samples to count on.
    ///
    /// # Panics
    /// When the network or the rows do not have the features of the coding.
    pub fn of(network: &Network, coding: &Coding, rows: Option<&Features>) -> Self {
        assert_eq!(network.inputs(), coding.dimension(), "a coding for every input");
        let counts = rows.and_then(|rows| Counts::of(network, rows));
        let used = used(network);
        let importance = importance(network, counts.as_ref());
        let (mut sources, steps) = (sources(coding), coding.steps());
        let gaps = Gaps::of(coding, rows);
        let mut fills = BTreeSet::new();
        let rows_once = rows.filter(|rows| rows.rows() > 0);
        let mut scales = rows_once
            .map_or(vec![1.0; network.inputs()], |rows| deviations(rows, &vec![1; rows.rows()]));
        // The columns behind every input of a layer.
        let columns = coding.features_by_column();
        let mut behind: Vec<BTreeSet<usize>> = (columns.iter().enumerate())
            .flat_map(|(c, (_, features))| vec![BTreeSet::from([c]); features.len()])
            .collect();
        let mut asking: Vec<Asking> = Vec::new();
        let in_full = has_short_rules(network);
        let mut below: Vec<(String, Rule)> = Vec::new();
        let (mut layers, mut first) = (Vec::new(), 1);
        let mut bits = rule::bits(network.offset());
        for (l, layer) in network.layers().iter().enumerate() {
            let width =
                if l == 0 { network.inputs() } else { network.layers()[l - 1].neurons.len() };
            let name = |k: usize| format!("h{}", first + k);
            let mut explained: Vec<Explained> = Vec::new();
            let mut reached = vec![BTreeSet::new(); layer.neurons.len()];
            for (k, neuron) in layer.neurons.iter().enumerate().filter(|(k, _)| used[l][*k]) {
                let plane = neuron.hyperplane(width);
                let read = (0..width).filter(|&j| plane.weights[j] != 0.0);
                reached[k] = read.flat_map(|j| behind[j].iter().copied()).collect();
                let rule = Rule::of(&sources, &plane.weights, plane.bias, &scales);
                let rule = if l == 0 {
                    dates::told(before_rounding(rule, &sources, &steps), coding)
                } else {
                    rule.in_full(&below)
                };
                let missing = if l == 0 { gaps.answer(neuron, &reached[k]) } else { None };
                if let (0, Rule::Sum { terms, .. }, None) = (l, &rule, missing) {
                    fills.extend(gaps.filled(terms));
                }
                if in_full && l == 0 {
                    below.push((name(k), rule.clone()));
                }
                let weight = (l + 1 == network.layers().len()).then(|| network.amplitudes()[k]);
                let own = neuron_bits(neuron, network.grid().filter(|_| l == 0));
                bits += own + weight.map_or(0, rule::bits);
                asking.extend(weight.map(|weight| Asking {
                    place: k,
                    name: name(k),
                    rule: rule.clone(),
                    weight,
                    missing,
                    inputs: neuron.reads(),
                    columns: reached[k].iter().copied().collect(),
                }));
                explained.push(Explained {
                    name: name(k),
                    text: rule.text(usize::MAX),
                    rule,
                    weight,
                    fires: counts.as_ref().map(|counts| counts.fires[l][k]),
                    missing,
                    importance: importance[l][k],
                    inputs: neuron.reads(),
                    bits: own,
                });
            }
            // A stable sort: ties keep the order of the network.
            explained.sort_by(|a, b| b.importance.total_cmp(&a.importance));
            layers.push(explained);
            sources = (0..layer.neurons.len())
                .map(|k| Source::Neuron { name: name(k), input: k })
                .collect();
            let deviation = |k| counts.as_ref().map_or(1.0, |counts| counts.deviation(l, k));
            scales = (0..layer.neurons.len()).map(deviation).collect();
            behind = reached;
            first += layer.neurons.len();
        }
        let column = |c: usize| columns[c].0.name.clone();
        let read: BTreeSet<usize> = behind.into_iter().flatten().collect();
        let reads = read.into_iter().map(column).collect();
        let (base, groups) = grouped(asking, network.offset(), counts.as_ref(), column);
        Self {
            layers,
            offset: network.offset(),
            groups,
            base,
            reads,
            columns: columns.len(),
            bits,
            rows: rows.map(Features::rows),
            fills: gaps.named(fills),
            in_full,
        }
    }

    /// The layers below the last, the lowest first; none if the rules of the last say all that they
    /// do.
    pub fn below(&self) -> &[Vec<Explained>] {
        let last = self.layers.len().saturating_sub(1);
        if self.in_full { &[] } else { &self.layers[..last] }
    }

    /// The number of neurons in all layers.
    pub fn neurons(&self) -> usize {
        self.layers.iter().map(Vec::len).sum()
    }

    /// The number of rules of the last layer.
    pub fn rules(&self) -> usize {
        self.groups.iter().map(|group| group.rules.len()).sum()
    }
}

/// Whether a rule has at most two conditions, each about one input.
fn has_short_rules(network: &Network) -> bool {
    let few = |layer: &Layer, most: usize| layer.neurons.iter().all(|n| n.reads() <= most);
    matches!(network.layers(), [below, above] if few(below, 1) && few(above, 2))
}

fn sources(coding: &Coding) -> Vec<Source> {
    let mut input = 0;
    let of_column = |column: &crate::table::coding::ColumnCoding| {
        let (name, start) = (column.column.name.clone(), input);
        input += column.width();
        match (&column.kind, &column.reading) {
            (_, Reading::Missing { .. }) => Source::Missing { column: name, input: start },
            (_, Reading::Other { .. }) => {
                Source::Label { column: name, levels: vec![(column.other_name().into(), start)] }
            }
            (Kind::Number { .. }, _) => {
                Source::Number { name: column.names().remove(0), input: start }
            }
            (Kind::Category { levels, .. }, _) => {
                let named = &levels[levels.len() - column.kind.width()..];
                let levels = named.iter().cloned().zip(start..).collect();
                Source::Label { column: name, levels }
            }
        }
    };
    coding.columns().iter().map(of_column).collect()
}

/// The same rule on a number as read, if training rounds it to steps.
fn before_rounding(rule: Rule, sources: &[Source], steps: &[Option<Steps>]) -> Rule {
    let Rule::Threshold { ref column, at_least, value, .. } = rule else { return rule };
    let source = |source: &Source| match source {
        Source::Number { name, input } if name == column => steps[*input],
        _ => None,
    };
    match sources.iter().find_map(source).map(|steps| steps.edge(at_least, value)) {
        None => rule,
        Some(Ok(value)) => Rule::Threshold { column: column.clone(), at_least, value, words: None },
        Some(Err(fires)) => Rule::Constant { fires },
    }
}

/// Which neurons reach the output.
fn used(network: &Network) -> Vec<Vec<bool>> {
    let mut above: Vec<bool> = network.amplitudes().iter().map(|a| *a != 0.0).collect();
    let mut used = vec![above.clone()];
    for pair in network.layers().windows(2).rev() {
        let mut below = vec![false; pair[0].neurons.len()];
        for (neuron, _) in pair[1].neurons.iter().zip(&above).filter(|(_, used)| **used) {
            let plane = neuron.hyperplane(below.len());
            below.iter_mut().zip(&plane.weights).for_each(|(u, w)| *u |= *w != 0.0);
        }
        used.push(below.clone());
        above = below;
    }
    used.reverse();
    used
}

/// A number with five digits, for pictures.
pub fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    format!("{value:.4e}").parse().expect("a number that was just written")
}

fn importance(network: &Network, counts: Option<&Counts>) -> Vec<Vec<f64>> {
    let deviation = |l: usize, k: usize| counts.map_or(1.0, |counts| counts.deviation(l, k));
    let last = network.layers().len() - 1;
    let top = network.amplitudes().iter().enumerate().map(|(k, a)| a.abs() * deviation(last, k));
    let mut layers: Vec<Vec<f64>> = vec![top.collect()];
    for l in (0..last).rev() {
        let (width, above) = (network.layers()[l].neurons.len(), layers.last().expect("the top"));
        let mut own = vec![0.0; width];
        let Layer { neurons } = &network.layers()[l + 1];
        for (neuron, importance) in neurons.iter().zip(above) {
            let plane = neuron.hyperplane(width);
            let parts: Vec<f64> =
                plane.weights.iter().enumerate().map(|(k, w)| w.abs() * deviation(l, k)).collect();
            let total: f64 = parts.iter().sum();
            if total > 0.0 {
                own.iter_mut().zip(parts).for_each(|(own, part)| *own += importance * part / total);
            }
        }
        layers.push(own);
    }
    layers.reverse();
    layers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Neuron;
    use crate::table::{CodingOptions, ReadOptions, Table};

    fn people() -> (Table, Coding) {
        let text = "age,sex,y\n20,male,0\n40,male,1\n30,female,1\n30,female,0\n";
        let table = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
        let coding = Coding::fit(&table, &CodingOptions::default()).unwrap();
        (table, coding)
    }

    fn neuron(weights: &[f64], bias: f64) -> Neuron {
        Neuron { inputs: None, weights: weights.to_vec(), bias }
    }

    #[test]
    fn rules_are_in_the_words_of_the_table_and_sorted_by_what_they_do() {
        let (table, coding) = people();
        let neurons =
            vec![neuron(&[1.0, 0.0], -35.0), neuron(&[0.0, 2.0], -1.0), neuron(&[9.0, 9.0], 0.0)];
        let network = Network::new(2, vec![Layer { neurons }], vec![1.5, -1.5, 0.0], 0.25).unwrap();
        let rows = coding.features(&table).unwrap();
        let explained = Explanation::of(&network, &coding, Some(&rows));
        let line = |e: &Explained| format!("{} {} {:?}", e.name, e.rule, e.fires);
        // A rule for half of the rows varies more than one for a quarter. The third neuron has no
        // output weight.
        let rules: Vec<String> = explained.layers[0].iter().map(line).collect();
        assert_eq!(rules, ["h2 sex = male Some(2)", "h1 age ≥ 35 Some(1)"]);
        assert_eq!(explained.layers[0][0].importance, 0.75);
        assert_eq!((explained.reads.join(","), explained.columns), ("age,sex".into(), 2));
        // The numbers 1, -35, 2, -1, and the fractions 1.5, -1.5, 0.25.
        assert_eq!(explained.bits, 2 + 7 + 3 + 1 + 3 * 64);
        assert_eq!(Explanation::of(&network, &coding, None).layers[0][0].fires, None);
    }

    #[test]
    fn higher_layers_speak_of_the_neurons_below() {
        let (table, coding) = people();
        let below =
            vec![neuron(&[1.0, 0.0], -25.0), neuron(&[0.0, 1.0], -1.0), neuron(&[1.0, 0.0], 0.0)];
        let above = vec![neuron(&[1.0, -1.0, 0.0], -1.0), neuron(&[1.0, 1.0, 1.0], -3.0)];
        let layers = vec![Layer { neurons: below }, Layer { neurons: above }];
        let network = Network::new(2, layers, vec![2.0, 0.0], -1.0).unwrap();
        let rows = coding.features(&table).unwrap();
        let explained = Explanation::of(&network, &coding, Some(&rows));
        let Explained { name, rule, fires, .. } = &explained.layers[1][0];
        assert_eq!(format!("{name} {rule} {fires:?}"), "h4 h1 and not h2 Some(2)");
        assert_eq!(explained.neurons(), 3);
        let total: f64 = explained.layers[0].iter().map(|e| e.importance).sum();
        assert!((total - explained.layers[1][0].importance).abs() < 1e-12);
    }
    #[test]
    fn rules_of_two_conditions_say_what_is_below() {
        let (table, coding) = people();
        let below =
            vec![neuron(&[1.0, 0.0], -25.0), neuron(&[0.0, 1.0], -1.0), neuron(&[-1.0, 0.0], 20.0)];
        let above = [([1.0, 1.0, 0.0], -2.0), ([0.0, 1.0, 1.0], -1.0), ([0.0, 0.0, 1.0], -1.0)];
        let above = above.iter().map(|(weights, bias)| neuron(weights, *bias)).collect();
        let layers = vec![Layer { neurons: below }, Layer { neurons: above }];
        let network = Network::new(2, layers, vec![2.0, 1.0, 0.5], 0.0).unwrap();
        let rows = coding.features(&table).unwrap();
        let explained = Explanation::of(&network, &coding, Some(&rows));
        let rules = explained.groups.iter().flat_map(|group| &group.rules);
        let rules: Vec<String> = rules.map(|rule| rule.text(9)).collect();
        assert_eq!(rules, ["age ≥ 25 and sex = male", "sex = male or age ≤ 20", "age ≤ 20"]);
        assert!(explained.below().is_empty() && explained.layers.len() == 2);
    }
}
