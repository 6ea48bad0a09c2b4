//! One neuron as a rule that people can read.
//!
//! `1{x·w + b ≥ 0}` can be read in different ways. Over one number it is a threshold, `age ≥ 29.5`:
//! the smallest double on which it fires, decided exactly. Over inputs that are on or off (a label
//! of a cell, a neuron below) it is a finite table of answers. If these answers only depend on how
//! many of some conditions hold, the rule says so: `sex = male and class in {1st, 2nd}`,
//! `at least 2 of h1, h2, h7`. Everything else is shown as the sum:
//! `0.31·age + 2·(sex = male) ≥ 14.5`.

use serde::Serialize;

use crate::network::{Grid, Neuron, width};
use crate::pattern::threshold::activates;

/// The most rows of a table of answers.
const TABLE: usize = 4096;

/// One variable that a neuron reads: a column of the table, or a neuron below.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Source {
    /// A number; it is the input.
    Number {
        name: String,
        input: usize,
    },
    /// A label. Each of these levels is an input: one if the cell has the level, zero otherwise.
    Label {
        column: String,
        levels: Vec<(String, usize)>,
    },
    Neuron {
        name: String,
        input: usize,
    },
}

/// When a neuron fires.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Rule {
    Constant {
        fires: bool,
    },
    /// The number is at least, or at most, a bound.
    Threshold {
        column: String,
        at_least: bool,
        /// The last double on that side.
        value: f64,
        /// The rule in words, if the number is a part of a date or a time.
        #[serde(skip_serializing_if = "Option::is_none")]
        words: Option<String>,
    },
    /// At least `least` of these conditions hold.
    Count {
        least: usize,
        of: Vec<Condition>,
    },
    /// A sum is at least, or at most, a bound.
    Sum {
        terms: Vec<Term>,
        at_least: bool,
        value: f64,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Condition {
    /// A cell has one of these labels, or none of them.
    Label { column: String, labels: Vec<String>, holds: bool },
    /// A neuron below fires, or does not.
    Neuron { name: String, holds: bool },
    /// The rule of a neuron below holds, or does not.
    Rule { rule: Box<Rule>, holds: bool },
}

/// A weight times a number, or times one if a condition holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Term {
    pub(crate) weight: f64,
    /// What it is multiplied with: a column, or a neuron below.
    pub(crate) name: String,
    /// The label of the column, if the column holds labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    /// How much it changes the sum: the size of the weight times the deviation of the input.
    #[serde(skip)]
    pub(crate) size: f64,
}

/// A variable as a neuron sees it: what every state adds to the sum. In the last state no level
/// holds.
struct Variable<'a> {
    source: &'a Source,
    states: Vec<f64>,
}

impl Condition {
    /// Whether it asks for a label or a neuron, and not for its absence.
    pub(super) fn holds(&self) -> bool {
        match self {
            Self::Label { holds, .. } | Self::Neuron { holds, .. } | Self::Rule { holds, .. } => {
                *holds
            }
        }
    }

    /// The condition that holds where this one does not.
    pub(super) fn opposite(&self) -> Self {
        let mut opposite = self.clone();
        match &mut opposite {
            Self::Label { holds, .. } | Self::Neuron { holds, .. } | Self::Rule { holds, .. } => {
                *holds = !*holds;
            }
        }
        opposite
    }
}

impl Rule {
    /// The rule of a neuron; `weights` has one number for every input of its layer, `scales` the
    /// deviations of these inputs.
    pub(super) fn of(sources: &[Source], weights: &[f64], bias: f64, scales: &[f64]) -> Self {
        let mut variables: Vec<Variable<'_>> = Vec::new();
        for source in sources {
            let states: Vec<f64> = match source {
                Source::Number { input, .. } => vec![weights[*input]],
                Source::Neuron { input, .. } => vec![weights[*input], 0.0],
                Source::Label { levels, .. } => {
                    levels.iter().map(|(_, input)| weights[*input]).chain([0.0]).collect()
                }
            };
            if states.iter().any(|w| *w != 0.0) {
                variables.push(Variable { source, states });
            }
        }
        if let [Variable { source: Source::Number { name, .. }, states }] = &variables[..] {
            return threshold(name, states[0], bias);
        }
        let numbers = variables.iter().any(|v| matches!(v.source, Source::Number { .. }));
        let counted = if numbers { None } else { count(&variables, bias) };
        counted.unwrap_or_else(|| sum(&variables, bias, scales))
    }
}

impl Rule {
    /// The same rule about the layer below, which has these neurons and rules, in words of its own.
    pub(super) fn in_full(self, below: &[(String, Self)]) -> Self {
        let rule_of = |name: &str| below.iter().find(|(own, _)| own == name).map(|(_, rule)| rule);
        let told = |condition: Condition| match &condition {
            Condition::Neuron { name, holds } => match rule_of(name) {
                Some(rule) => Condition::Rule { rule: Box::new(rule.clone()), holds: *holds },
                None => condition,
            },
            _ => condition,
        };
        let Self::Count { least, of } = self else { return self };
        let mut of: Vec<Condition> = of.into_iter().map(told).collect();
        match &mut of[..] {
            [Condition::Rule { rule, holds: true }] => (**rule).clone(),
            _ => Self::Count { least, of },
        }
    }
}

/// `1{wx + b ≥ 0}` as a bound on `x`.
pub(super) fn threshold(column: &str, w: f64, b: f64) -> Rule {
    let (fires, at_least) = (|x: f64| activates(&[x], &[w], b), w > 0.0);
    let next = |x: f64, up: bool| if up { x.next_up() } else { x.next_down() };
    let bound = |value| Rule::Threshold { column: column.into(), at_least, value, words: None };
    if b == 0.0 {
        return bound(0.0);
    }
    // The quotient is within one rounding of the bound.
    let mut value = -b / w;
    while !fires(value) {
        value = next(value, at_least);
    }
    while fires(next(value, !at_least)) {
        value = next(value, !at_least);
    }
    bound(value)
}

/// The rule that counts conditions, if there is one. All states of all variables are tried.
fn count(variables: &[Variable<'_>], bias: f64) -> Option<Rule> {
    let fires = |weights: &[f64]| activates(&vec![1.0; weights.len()], weights, bias);
    let highs: Vec<Vec<bool>> = if same_size(variables) {
        variables.iter().map(Variable::highest).collect()
    } else {
        split(variables, fires)?
    };
    // A variable with two sides gives a condition: its state is on the high side.
    let kept: Vec<usize> = (0..variables.len())
        .filter(|&v| highs[v].contains(&true) && highs[v].contains(&false))
        .collect();
    // The sum if `held` conditions hold, the first ones. The choice does not matter: all give the
    // same answer.
    let at = |held: usize| {
        let weights: Vec<f64> = (0..variables.len())
            .map(|v| {
                let wanted = kept.iter().position(|&k| k == v).is_none_or(|place| place < held);
                let side = highs[v].iter().position(|&high| high == wanted).unwrap_or(0);
                variables[v].states[side]
            })
            .collect();
        fires(&weights)
    };
    let least = (0..=kept.len()).find(|&held| at(held));
    let rule = match least {
        None => Rule::Constant { fires: false },
        Some(0) => Rule::Constant { fires: true },
        Some(least) => {
            let of = kept.iter().map(|&v| variables[v].condition(&highs[v])).collect();
            Rule::Count { least, of }
        }
    };
    Some(rule)
}

/// Whether every variable has two states with the same difference.
fn same_size(variables: &[Variable<'_>]) -> bool {
    let mut sizes = variables.iter().flat_map(|v| &v.states).filter(|w| **w != 0.0);
    let first = sizes.next().map_or(0.0, |w| w.abs());
    let one = |v: &Variable<'_>| v.states.iter().filter(|w| **w != 0.0).count() == 1;
    variables.iter().all(one) && sizes.all(|w| w.abs() == first)
}

/// The states of each variable that are on its high side; `None` if a variable has a third side, or
/// if more than the number of high sides matters.
fn split(variables: &[Variable<'_>], fires: impl Fn(&[f64]) -> bool) -> Option<Vec<Vec<bool>>> {
    let sizes: Vec<usize> = variables.iter().map(|v| v.states.len()).collect();
    let total = sizes.iter().try_fold(1_usize, |n, s| n.checked_mul(*s).filter(|n| *n <= TABLE))?;
    let state = |row: usize, v: usize| row / sizes[..v].iter().product::<usize>() % sizes[v];
    let answers: Vec<bool> = (0..total)
        .map(|row| {
            let weights: Vec<f64> =
                variables.iter().enumerate().map(|(v, x)| x.states[state(row, v)]).collect();
            fires(&weights)
        })
        .collect();
    let mut highs = Vec::new();
    for (v, variable) in variables.iter().enumerate() {
        // The answers in a state, over all states of the other variables. A larger weight gives
        // more of them.
        let answers_of = |s: usize| -> Vec<bool> {
            (0..total).filter(|&row| state(row, v) == s).map(|row| answers[row]).collect()
        };
        let by_weight = |&a: &usize, &b: &usize| variable.states[a].total_cmp(&variable.states[b]);
        let lowest = answers_of((0..sizes[v]).min_by(by_weight)?);
        let highest = answers_of((0..sizes[v]).max_by(by_weight)?);
        let mut high = Vec::new();
        for s in 0..sizes[v] {
            let here = answers_of(s);
            if here != lowest && here != highest {
                return None;
            }
            high.push(here != lowest);
        }
        highs.push(high);
    }
    let held = |row: usize| (0..highs.len()).filter(|&v| highs[v][state(row, v)]).count();
    let least = (0..total).filter(|&row| answers[row]).map(held).min();
    let agrees = |row: usize| answers[row] == least.is_some_and(|least| held(row) >= least);
    (0..total).all(agrees).then_some(highs)
}

/// The sum itself, with all signs changed if every weight is negative.
fn sum(variables: &[Variable<'_>], bias: f64, scales: &[f64]) -> Rule {
    let term = |weight: f64, name: &str, label: Option<&str>, input: usize| Term {
        weight,
        name: name.into(),
        label: label.map(Into::into),
        size: weight.abs() * scales[input],
    };
    let mut terms: Vec<Term> = Vec::new();
    for Variable { source, states } in variables {
        match source {
            Source::Number { name, input } | Source::Neuron { name, input } => {
                terms.push(term(states[0], name, None, *input));
            }
            Source::Label { column, levels } => {
                let levels = levels.iter().zip(states).filter(|(_, w)| **w != 0.0);
                terms.extend(levels.map(|((level, j), &w)| term(w, column, Some(level), *j)));
            }
        }
    }
    let at_least = terms.iter().any(|term| term.weight > 0.0);
    if !at_least {
        terms.iter_mut().for_each(|term| term.weight = -term.weight);
    }
    Rule::Sum { terms, at_least, value: if at_least { -bias + 0.0 } else { bias } }
}

impl Variable<'_> {
    fn highest(&self) -> Vec<bool> {
        let most = self.states.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.states.iter().map(|w| *w == most).collect()
    }

    fn condition(&self, high: &[bool]) -> Condition {
        let (none, levels) = high.split_last().expect("the state of no level");
        match self.source {
            Source::Number { name, .. } | Source::Neuron { name, .. } => {
                Condition::Neuron { name: name.clone(), holds: !none }
            }
            Source::Label { column, levels: names } => {
                // Names the labels on the side that does not contain the state of no level.
                let labels = names.iter().zip(levels).filter(|(_, high)| *high != none);
                let labels = labels.map(|((label, _), _)| label.clone()).collect();
                Condition::Label { column: column.clone(), labels, holds: !none }
            }
        }
    }
}

/// The number of bits of a number: two's complement for a whole number, including the sign; 64 for
/// any other; none for zero.
pub(super) fn bits(value: f64) -> u64 {
    match value {
        0.0 => 0,
        v if v.fract() == 0.0 && v.abs() < 9e15 => width(v as i64).into(),
        _ => 64,
    }
}

/// The bits of a neuron's weights and bias. Weights on a grid count as the integers they stand for.
pub(super) fn neuron_bits(neuron: &Neuron, grid: Option<&Grid>) -> u64 {
    let integer = |(j, w): (usize, f64)| {
        grid.and_then(|grid| grid.integer(j, w)).map_or(w, |integer| integer as f64)
    };
    bits(neuron.bias) + neuron.terms().map(integer).map(bits).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number_source(name: &str, input: usize) -> Source {
        Source::Number { name: name.into(), input }
    }

    fn label(column: &str, levels: &[(&str, usize)]) -> Source {
        let levels = levels.iter().map(|&(level, input)| (level.into(), input)).collect();
        Source::Label { column: column.into(), levels }
    }

    fn neurons(count: usize) -> Vec<Source> {
        (0..count).map(|k| Source::Neuron { name: format!("h{}", k + 1), input: k }).collect()
    }

    #[test]
    fn one_number_is_a_threshold_and_labels_and_neurons_are_counted() {
        let age = [number_source("age", 0)];
        let both =
            [label("sex", &[("male", 0)]), label("class", &[("1st", 1), ("2nd", 2), ("3rd", 3)])];
        let three = neurons(3);
        for (sources, weights, bias, expected) in [
            (&age[..], &[2.0][..], -59.0, "age ≥ 29.5"),
            (&age, &[-2.0], 59.0, "age ≤ 29.5"),
            (&age, &[1.0], 3.0, "age ≥ −3"),
            (&age, &[0.0], -1.0, "never"),
            (&age, &[0.0], 0.0, "always"),
            (&[number_source("a|b", 0)], &[1.0], 0.0, "\"a|b\" ≥ 0"),
            (&both, &[1.0, 0.0, 0.0, 0.0], -0.5, "sex = male"),
            (&both, &[-1.0, 0.0, 0.0, 0.0], 0.5, "sex ≠ male"),
            (&both, &[0.0, 0.7, 0.4, 0.0], -0.1, "class in {1st, 2nd}"),
            (&both, &[0.0, -0.7, 0.0, 0.0], 0.1, "class ≠ 1st"),
            (&both, &[2.0, 1.0, 1.5, 0.0], -2.7, "sex = male and class in {1st, 2nd}"),
            (&both, &[2.0, 2.0, 1.5, 0.0], -1.2, "sex = male or class in {1st, 2nd}"),
            (&both, &[0.0, 0.7, 0.4, 0.0], 0.0, "always"),
            (&three, &[1.0, 0.0, -1.0], -1.0, "h1 and not h3"),
            (&three, &[1.0, 1.0, 1.0], -2.0, "at least 2 of h1, h2, h3"),
            (&three, &[0.9, 1.1, 1.3], -2.0, "at least 2 of h1, h2, h3"),
            (&three, &[1.0, 1.0, 2.0], -3.0, "h1 + h2 + 2·h3 ≥ 3"),
            (&three, &[-1.0, -1.0, -2.0], 2.0, "h1 + h2 + 2·h3 ≤ 2"),
        ] {
            let rule = Rule::of(sources, weights, bias, &vec![1.0; weights.len()]);
            assert_eq!(rule.to_string(), expected);
        }
        let cut = Rule::of(&three, &[1.0, 1.0, 1.0], -2.0, &[1.0; 3]).text(1);
        assert_eq!(cut, "at least 2 of h1, … (2 more)");
    }

    #[test]
    fn sums_are_as_they_are_and_the_largest_terms_come_first_where_they_are_cut() {
        let sources =
            [number_source("age", 0), number_source("fare", 1), label("sex", &[("f", 2)])];
        let rule = |scales| Rule::of(&sources, &[0.31, 2.0, -1.0], -14.5, scales);
        assert_eq!(rule(&[1.0; 3]).to_string(), "0.31·age + 2·fare − (sex = f) ≥ 14.5");
        assert_eq!(rule(&[1.0; 3]).text(1), "2·fare + … (2 more) ≥ 14.5");
        // What varies most matters most, whatever its unit.
        assert_eq!(rule(&[10.0, 1.0, 0.5]).text(1), "0.31·age + … (2 more) ≥ 14.5");
    }

    #[test]
    fn bits_are_those_of_twos_complement() {
        assert_eq!([0.0, 1.0, -1.0, 3.0, -128.0, 127.0, 0.5].map(bits), [0, 2, 1, 3, 8, 8, 64]);
    }

    proptest! {
        #[test]
        fn a_threshold_is_the_last_double_that_fires(w in -10.0f64..10.0, b in -10.0f64..10.0) {
            prop_assume!(w.abs() > 1e-3);
            let Rule::Threshold { at_least, value, .. } = threshold("x", w, b) else {
                unreachable!()
            };
            let outside = if at_least { value.next_down() } else { value.next_up() };
            prop_assert!(activates(&[value], &[w], b) && !activates(&[outside], &[w], b));
        }

        #[test]
        fn counted_rules_answer_as_their_neurons(
            weights in prop::collection::vec(-2i32..3, 1..6), bias in -4i32..5,
        ) {
            let count = weights.len();
            let weights: Vec<f64> = weights.into_iter().map(f64::from).collect();
            let rule = Rule::of(&neurons(count), &weights, f64::from(bias), &vec![1.0; count]);
            for code in 0..1_u32 << count {
                let on = |k: usize| code >> k & 1 == 1;
                let x: Vec<f64> = (0..count).map(|k| f64::from(u8::from(on(k)))).collect();
                let holds = |c: &Condition| match c {
                    Condition::Neuron { name, holds } => {
                        on(name[1..].parse::<usize>().unwrap() - 1) == *holds
                    }
                    _ => unreachable!("neurons"),
                };
                let said = match &rule {
                    Rule::Constant { fires } => *fires,
                    Rule::Count { least, of } => of.iter().filter(|c| holds(c)).count() >= *least,
                    Rule::Sum { .. } => continue,
                    Rule::Threshold { .. } => unreachable!(),
                };
                prop_assert_eq!(said, activates(&x, &weights, f64::from(bias)));
            }
        }
    }
}
