//! Monotone networks: an output that never falls, or never rises, with an input.
//!
//! `1{x ≥ t}` rises with `x`, so the output never falls with `x` if its output weight is at least
//! zero; `1{x ≤ t}` falls, and its weight must be at most zero. Deeper subnetworks go up or down
//! with an input if the products of weights on all ways from it have one sign.
//!
//! A column has a direction if it is one number, or one of two labels. That a cell is missing is a
//! question of its own, which has none: what is proven is about rows where the cell is known.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Hyperplane, Subnetwork};
use crate::table::Coding;
use crate::table::names::{nearest, plain};

/// The signs that an output weight may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Signs {
    pub(crate) positive: bool,
    pub(crate) negative: bool,
}

impl Signs {
    pub(crate) const BOTH: Self = Self { positive: true, negative: true };

    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            positive: self.positive && other.positive,
            negative: self.negative && other.negative,
        }
    }

    pub(crate) fn allow(self, weight: f64) -> bool {
        (weight <= 0.0 || self.positive) && (weight >= 0.0 || self.negative)
    }

    /// The price of a pattern with `dᵀz = c`: `|c|`, `−c` if the weight must be at least zero, and
    /// `c` if it must be at most zero.
    pub(crate) fn price(self, c: f64) -> f64 {
        match self {
            Self { positive: true, negative: true } => c.abs(),
            Self { positive: true, .. } => -c,
            Self { negative: true, .. } => c,
            Self { .. } => f64::NEG_INFINITY,
        }
    }
}

/// An input that the output goes up or down with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trend {
    name: String,
    input: usize,
    rises: bool,
    /// Whether an input of its own tells where it is missing.
    gaps: bool,
}

/// The inputs that an output goes up or down with.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Monotone {
    trends: Vec<Trend>,
}

/// No input.
pub(crate) static NONE: Monotone = Monotone { trends: Vec::new() };

impl Monotone {
    /// The inputs of these columns, each with whether the output rises with it; or what is wrong
    /// with a column.
    pub(crate) fn of(coding: &Coding, asked: &[(String, bool)]) -> Result<Self, String> {
        let names = coding.feature_names();
        let trend = |(wanted, rises): &(String, bool)| {
            let quoted = format!("column {:?}", plain(wanted));
            let columns = coding.features_by_column();
            let Some((_, inputs)) = columns.iter().find(|(column, _)| column.name == *wanted)
            else {
                if coding.inputs().iter().any(|column| column.name == *wanted) {
                    return Err(format!("{quoted} is left out: nothing can be learnt from it"));
                }
                let near = nearest(wanted, coding.column_names());
                let near = near.map(|near| format!(": did you mean {near:?}?"));
                return Err(format!("no {quoted} is read{}", near.unwrap_or_default()));
            };
            let gap = coding.tells_missing(inputs);
            let own: Vec<usize> = inputs.clone().filter(|input| Some(*input) != gap).collect();
            match own[..] {
                [input] => {
                    let (name, gaps) = (names[input].clone(), gap.is_some());
                    Ok(Trend { name, input, rises: *rises, gaps })
                }
                _ => Err(format!("{quoted} has no direction: it is read as {} inputs", own.len())),
            }
        };
        let mut trends = asked.iter().map(trend).collect::<Result<Vec<_>, _>>()?;
        trends.sort_by_key(|trend| trend.input);
        match trends.windows(2).find(|pair| pair[0].input == pair[1].input) {
            Some(twice) => Err(format!("column {:?} is named twice", twice[0].name)),
            None => Ok(Self { trends }),
        }
    }

    /// Whether the names are those of this coding.
    pub(crate) fn is_of(&self, coding: &Coding) -> bool {
        Self::of(coding, &self.columns(coding)).is_ok_and(|own| own == *self)
    }

    /// The columns of this coding, each with whether the output rises with it.
    pub fn columns(&self, coding: &Coding) -> Vec<(String, bool)> {
        let columns = coding.features_by_column();
        let of = |trend: &Trend| {
            let column = columns.iter().find(|(_, inputs)| inputs.contains(&trend.input));
            (column.map_or(String::new(), |(column, _)| column.name.clone()), trend.rises)
        };
        self.trends.iter().map(of).collect()
    }

    /// Whether every output is allowed.
    pub fn is_empty(&self) -> bool {
        self.trends.is_empty()
    }

    /// The inputs by name, each with `+` where the output rises with it, otherwise with `-`.
    pub fn signs_by_name(&self) -> BTreeMap<String, &'static str> {
        let sign = |rises: bool| if rises { "+" } else { "-" };
        self.trends.iter().map(|trend| (trend.name.clone(), sign(trend.rises))).collect()
    }

    /// What it says, in words: `non-decreasing in age and non-increasing in income`.
    pub(crate) fn words(&self) -> String {
        let word = |Trend { name, rises, gaps, .. }: &Trend| {
            let way = if *rises { "non-decreasing" } else { "non-increasing" };
            let known = if *gaps { " where it is known" } else { "" };
            format!("{way} in {}{known}", plain(name))
        };
        let words: Vec<String> = self.trends.iter().map(word).collect();
        match words.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
            None => String::new(),
        }
    }

    /// The trends of both.
    pub(crate) fn and(&self, other: &Self) -> Self {
        let mut trends = self.trends.clone();
        trends.extend(other.trends.iter().filter(|trend| !self.trends.contains(trend)).cloned());
        trends.sort_by_key(|trend| trend.input);
        Self { trends }
    }

    /// The signs of the weight of what goes up or down with an input.
    pub(crate) fn signs(&self, input: usize, up: bool) -> Signs {
        match self.trends.iter().find(|trend| trend.input == input) {
            None => Signs::BOTH,
            Some(trend) => Signs { positive: trend.rises == up, negative: trend.rises != up },
        }
    }

    /// The signs of the weight of what has these ways from its inputs, each with its sign.
    pub(crate) fn signs_of(&self, ways: impl IntoIterator<Item = (usize, f64)>) -> Signs {
        let signs = |(input, way): (usize, f64)| self.signs(input, way > 0.0);
        ways.into_iter().filter(|(_, way)| *way != 0.0).map(signs).fold(Signs::BOTH, Signs::and)
    }

    pub(crate) fn signs_of_neuron(&self, neuron: &Hyperplane) -> Signs {
        self.signs_of(neuron.weights.iter().copied().enumerate())
    }

    pub(crate) fn signs_of_subnetwork(&self, subnetwork: &Subnetwork) -> Signs {
        let down = |from: Vec<(usize, f64)>, layer: &Vec<Hyperplane>| {
            ways(&from, |k| layer[k].weights.iter().copied().enumerate())
        };
        self.signs_of(subnetwork.layers().iter().rev().fold(vec![(0, 1.0)], down))
    }
}

/// The ways one layer further down, given the terms of its neurons: where each begins, and the sign
/// of the product of its weights.
pub(crate) fn ways<T: Iterator<Item = (usize, f64)>>(
    from: &[(usize, f64)],
    terms: impl Fn(usize) -> T,
) -> Vec<(usize, f64)> {
    let further = |&(k, way): &(usize, f64)| terms(k).map(move |(j, w)| (j, way * w.signum(), w));
    let all = from.iter().flat_map(further).filter(|(.., w)| *w != 0.0);
    all.map(|(j, way, _)| (j, way)).collect()
}

#[cfg(test)]
pub(crate) fn trends(inputs: &[(usize, bool)]) -> Monotone {
    let name = |input: usize| format!("x{input}");
    let trend = |&(input, rises)| Trend { name: name(input), input, rises, gaps: false };
    Monotone { trends: inputs.iter().map(trend).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neuron(weights: &[f64]) -> Hyperplane {
        Hyperplane { weights: weights.to_vec(), bias: -1.0 }
    }

    fn signs(positive: bool, negative: bool) -> Signs {
        Signs { positive, negative }
    }

    #[test]
    fn a_weight_has_the_sign_with_which_the_output_goes_the_right_way() {
        let monotone = trends(&[(0, true), (1, false)]);
        for (weights, expected) in [
            ([2.0, 0.0, 0.0], signs(true, false)),
            ([-2.0, 0.0, 0.0], signs(false, true)),
            ([0.0, 1.0, 0.0], signs(false, true)),
            ([0.0, -1.0, 3.0], signs(true, false)),
            ([1.0, 1.0, 0.0], signs(false, false)),
            ([0.0, 0.0, -1.0], Signs::BOTH),
            ([0.0, 0.0, 0.0], Signs::BOTH),
        ] {
            assert_eq!(monotone.signs_of_neuron(&neuron(&weights)), expected, "{weights:?}");
        }
        assert_eq!(Monotone::default().signs_of_neuron(&neuron(&[1.0, 1.0])), Signs::BOTH);
    }

    #[test]
    fn a_subnetwork_goes_up_where_all_ways_do() {
        let monotone = trends(&[(0, true)]);
        let rule = |first: &[f64], second: &[f64], last: &[f64]| {
            let below = vec![neuron(first), neuron(second)];
            monotone.signs_of_subnetwork(&Subnetwork::new(vec![below, vec![neuron(last)]]))
        };
        let (up, down, free) = ([1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]);
        assert_eq!(rule(&up, &free, &[1.0, 1.0]), signs(true, false));
        assert_eq!(rule(&up, &free, &[-1.0, 1.0]), signs(false, true));
        assert_eq!(rule(&down, &free, &[1.0, -1.0]), signs(false, true));
        assert_eq!(rule(&up, &down, &[1.0, 1.0]), signs(false, false));
        assert_eq!(rule(&up, &down, &[1.0, -1.0]), signs(true, false));
        assert_eq!(rule(&up, &down, &[1.0, 0.0]), signs(true, false));
        assert_eq!(rule(&free, &free, &[1.0, 1.0]), Signs::BOTH);
    }

    #[test]
    fn a_price_counts_the_signs_that_are_allowed() {
        for (signs, price) in [
            (Signs::BOTH, 2.0),
            (signs(true, false), 2.0),
            (signs(false, true), -2.0),
            (signs(false, false), f64::NEG_INFINITY),
        ] {
            assert_eq!(signs.price(-2.0), price);
            assert_eq!(signs.allow(1.0), signs.positive);
            assert_eq!(signs.allow(-1.0), signs.negative);
            assert!(signs.allow(0.0));
        }
    }
}
