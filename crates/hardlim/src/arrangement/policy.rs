//! What rules have to keep to.
//!
//! Monotone networks: an output that never falls, or never rises, with an input.
//!
//! `1{x ≥ t}` rises with `x`, so the output never falls with `x` if its output weight is at least
//! zero; `1{x ≤ t}` falls, and its weight must be at most zero. Deeper subnetworks go up or down
//! with an input if the products of weights on all ways from it have one sign.
//!
//! A column has a direction if it is one number, or one of two labels. That a cell is missing is a
//! question of its own, which has none: what is proven is about rows where the cell is known.
//!
//! Rules of two conditions may be limited to some pairs of columns. A rule about one column is
//! always allowed.

use std::collections::{BTreeMap, BTreeSet};

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

/// The columns that may stand together in a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Together {
    /// The first input of every column.
    starts: Vec<usize>,
    /// The names of the columns below, each with its place.
    names: Vec<(usize, String)>,
    /// The only pairs, if there are only some.
    only: Option<BTreeSet<[usize; 2]>>,
    /// The columns that stand alone.
    alone: BTreeSet<usize>,
}

impl Together {
    fn may(&self, inputs: [usize; 2]) -> bool {
        let mut pair = inputs.map(|input| self.starts.partition_point(|start| *start <= input));
        pair.sort_unstable();
        let pair = pair.map(|after| after.saturating_sub(1));
        let alone = pair.iter().any(|column| self.alone.contains(column));
        let stated = self.only.as_ref().is_none_or(|only| only.contains(&pair));
        pair[0] == pair[1] || (stated && !alone)
    }

    fn name(&self, column: usize) -> String {
        let known = self.names.iter().find(|(place, _)| *place == column);
        known.map_or(String::new(), |(_, name)| name.clone())
    }

    /// What both allow.
    fn and(&self, other: &Self) -> Self {
        let names: BTreeSet<(usize, String)> =
            self.names.iter().chain(&other.names).cloned().collect();
        Self {
            starts: self.starts.clone(),
            names: names.into_iter().collect(),
            only: match (&self.only, &other.only) {
                (Some(own), Some(others)) => Some(own & others),
                (own, others) => own.clone().or_else(|| others.clone()),
            },
            alone: &self.alone | &other.alone,
        }
    }
}

/// What rules have to keep to: the inputs that the output goes up or down with, and the columns
/// that may stand together.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    trends: Vec<Trend>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    together: Option<Together>,
}

/// Every rule is allowed.
pub(crate) static NONE: Policy = Policy { trends: Vec::new(), together: None };

/// What is asked of rules, by the names of columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Asked {
    /// Columns, each with whether the output rises with it.
    pub(crate) monotone: Vec<(String, bool)>,
    /// The only pairs that may stand together, if there are some: two names with `:` between.
    pub(crate) interactions: Vec<String>,
    /// Columns that stand alone.
    pub(crate) no_interactions: Vec<String>,
}

impl Policy {
    /// What is asked of the rules of this coding, or what is wrong with an option.
    pub(crate) fn of(coding: &Coding, asked: &Asked) -> Result<Self, (&'static str, String)> {
        let say = |option| move |problem: String| (option, problem);
        let trends = trends_of(coding, &asked.monotone).map_err(say("monotone"))?;
        let columns = coding.features_by_column();
        let mut only = BTreeSet::new();
        for text in &asked.interactions {
            let mut pair = pair_of(coding, text).map_err(say("interactions"))?;
            pair.sort_unstable();
            only.insert(pair);
        }
        let place = |name: &String| place_of(coding, name).map_err(say("no_interactions"));
        let alone = asked.no_interactions.iter().map(place).collect::<Result<BTreeSet<_>, _>>()?;
        let named: BTreeSet<usize> = only.iter().flatten().chain(&alone).copied().collect();
        let name = |place: usize| (place, columns[place].0.name.clone());
        let together = Together {
            starts: columns.iter().map(|(_, inputs)| inputs.start).collect(),
            names: named.into_iter().map(name).collect(),
            only: Some(only).filter(|only| !only.is_empty()),
            alone,
        };
        let together = Some(together).filter(|stated| !stated.names.is_empty());
        Ok(Self { trends, together })
    }

    /// Whether the names are those of this coding.
    pub(crate) fn is_of(&self, coding: &Coding) -> bool {
        let pair = |(a, b): (String, String)| format!("{a}:{b}");
        let asked = Asked {
            monotone: self.trends(coding),
            interactions: self.interactions().unwrap_or_default().into_iter().map(pair).collect(),
            no_interactions: self.no_interactions(),
        };
        Self::of(coding, &asked).is_ok_and(|own| own == *self)
    }

    /// The columns of this coding that the output goes up or down with, each with whether it rises.
    pub fn trends(&self, coding: &Coding) -> Vec<(String, bool)> {
        let columns = coding.features_by_column();
        let of = |trend: &Trend| {
            let column = columns.iter().find(|(_, inputs)| inputs.contains(&trend.input));
            (column.map_or(String::new(), |(column, _)| column.name.clone()), trend.rises)
        };
        self.trends.iter().map(of).collect()
    }

    /// Whether every rule is allowed.
    pub fn is_empty(&self) -> bool {
        *self == NONE
    }

    /// The inputs by name, each with `+` where the output rises with it, otherwise with `-`.
    pub fn monotone(&self) -> BTreeMap<String, &'static str> {
        let sign = |rises: bool| if rises { "+" } else { "-" };
        self.trends.iter().map(|trend| (trend.name.clone(), sign(trend.rises))).collect()
    }

    /// The only pairs of columns that may stand together in a rule, if there are only some.
    pub fn interactions(&self) -> Option<Vec<(String, String)>> {
        let together = self.together.as_ref()?;
        let names = |[a, b]: &[usize; 2]| (together.name(*a), together.name(*b));
        Some(together.only.as_ref()?.iter().map(names).collect())
    }

    /// The columns that stand alone in every rule.
    pub fn no_interactions(&self) -> Vec<String> {
        let Some(together) = &self.together else { return Vec::new() };
        together.alone.iter().map(|column| together.name(*column)).collect()
    }

    /// What it says, in words, where `each` stands before directions: `each with its weight
    /// non-decreasing in age, non-increasing in income`.
    pub(crate) fn words(&self, each: &str) -> String {
        let pair = |(a, b): (String, String)| format!("{} with {}", plain(&a), plain(&b));
        let only: Option<Vec<String>> =
            self.interactions().map(|only| only.into_iter().map(pair).collect());
        let only = match only.as_deref() {
            None => String::new(),
            Some([]) => "all columns stand alone".into(),
            Some(only) => format!("only {} stand together", listed(only)),
        };
        let alone: Vec<String> =
            self.no_interactions().iter().map(|name| plain(name).into_owned()).collect();
        let verb = if alone.len() == 1 { "stands" } else { "stand" };
        let alone = format!("{} {verb} alone", listed(&alone));
        let pairs = [(only.is_empty(), only), (self.no_interactions().is_empty(), alone)];
        let pairs = pairs.into_iter().filter(|(unsaid, _)| !unsaid).map(|(_, words)| words);
        let pairs = listed(&pairs.collect::<Vec<_>>());
        let trend = |Trend { name, gaps, .. }: &Trend| {
            format!("{}{}", plain(name), if *gaps { " (where it is known)" } else { "" })
        };
        let ways =
            [(true, "non-decreasing in "), (false, "non-increasing in ")].map(|(up, way)| {
                let own = self.trends.iter().filter(|trend| trend.rises == up).map(trend);
                let own = listed(&own.collect::<Vec<_>>());
                if own.is_empty() { own } else { way.to_owned() + &own }
            });
        let ways: Vec<String> = ways.into_iter().filter(|way| !way.is_empty()).collect();
        let parts = [("where ", pairs), (each, ways.join(", "))];
        let stated = parts.into_iter().filter(|(_, words)| !words.is_empty());
        stated.map(|(start, words)| start.to_owned() + &words).collect::<Vec<_>>().join(", ")
    }

    /// What is left of it for rules of one condition.
    pub(crate) fn of_one_condition(&self) -> Self {
        Self { trends: self.trends.clone(), together: None }
    }

    /// What both allow.
    pub(crate) fn and(&self, other: &Self) -> Self {
        let mut trends = self.trends.clone();
        trends.extend(other.trends.iter().filter(|trend| !self.trends.contains(trend)).cloned());
        trends.sort_by_key(|trend| trend.input);
        let together = match (&self.together, &other.together) {
            (Some(own), Some(others)) => Some(own.and(others)),
            (own, others) => own.clone().or_else(|| others.clone()),
        };
        Self { trends, together }
    }

    /// Whether two inputs may stand together in a rule.
    pub(crate) fn lets_meet(&self, inputs: [usize; 2]) -> bool {
        self.together.as_ref().is_none_or(|together| together.may(inputs))
    }

    /// Whether it says which columns may stand together.
    pub(crate) fn has_pairs(&self) -> bool {
        self.together.is_some()
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

/// The place of a column among those that are read.
fn place_of(coding: &Coding, wanted: &str) -> Result<usize, String> {
    let columns = coding.features_by_column();
    if let Some(place) = columns.iter().position(|(column, _)| column.name == *wanted) {
        return Ok(place);
    }
    let quoted = format!("column {:?}", plain(wanted));
    if coding.inputs().iter().any(|column| column.name == *wanted) {
        return Err(format!("{quoted} is left out: nothing can be learnt from it"));
    }
    let near = nearest(wanted, coding.column_names());
    let near = near.map(|near| format!(": did you mean {near:?}?"));
    Err(format!("no {quoted} is read{}", near.unwrap_or_default()))
}

/// The places of two columns, `age:income`; names may have colons, too.
fn pair_of(coding: &Coding, text: &str) -> Result<[usize; 2], String> {
    let splits = || text.match_indices(':').map(|(at, _)| (&text[..at], &text[at + 1..]));
    let both = |(a, b)| Ok([place_of(coding, a)?, place_of(coding, b)?]);
    let mut found = splits().map(both);
    let known = found.find(Result::is_ok).or_else(|| splits().next().map(both));
    match known {
        Some(Ok([a, b])) if a == b => Err(format!("{:?} is one column, not two", plain(text))),
        Some(known) => known,
        None => Err(format!("{:?} is not two columns, as in age:income", plain(text))),
    }
}

/// The inputs of these columns, each with whether the output rises with it.
fn trends_of(coding: &Coding, asked: &[(String, bool)]) -> Result<Vec<Trend>, String> {
    let (columns, names) = (coding.features_by_column(), coding.feature_names());
    let trend = |(wanted, rises): &(String, bool)| {
        let inputs = &columns[place_of(coding, wanted)?].1;
        let gap = coding.tells_missing(inputs);
        let own: Vec<usize> = inputs.clone().filter(|input| Some(*input) != gap).collect();
        let [input] = own[..] else {
            let (quoted, count) = (plain(wanted), own.len());
            return Err(format!(
                "column {quoted:?} has no direction: it is read as {count} inputs"
            ));
        };
        Ok(Trend { name: names[input].clone(), input, rises: *rises, gaps: gap.is_some() })
    };
    let mut trends = asked.iter().map(trend).collect::<Result<Vec<_>, _>>()?;
    trends.sort_by_key(|trend| trend.input);
    match trends.windows(2).find(|pair| pair[0].input == pair[1].input) {
        Some(twice) => Err(format!("column {:?} is named twice", twice[0].name)),
        None => Ok(trends),
    }
}

/// Words with commas and an `and` between them.
fn listed(words: &[String]) -> String {
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
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
pub(crate) fn trends(inputs: &[(usize, bool)]) -> Policy {
    let name = |input: usize| format!("x{input}");
    let trend = |&(input, rises)| Trend { name: name(input), input, rises, gaps: false };
    Policy { trends: inputs.iter().map(trend).collect(), together: None }
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
        assert_eq!(Policy::default().signs_of_neuron(&neuron(&[1.0, 1.0])), Signs::BOTH);
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
    fn columns_meet_where_they_may() {
        let together = |only: Option<&[[usize; 2]]>, alone: &[usize]| Together {
            starts: vec![0, 1, 4],
            names: vec![(0, "a".into()), (1, "b".into()), (2, "c".into())],
            only: only.map(|only| only.iter().copied().collect()),
            alone: alone.iter().copied().collect(),
        };
        let policy = |together| Policy { trends: Vec::new(), together: Some(together) };
        let only = policy(together(Some(&[[0, 2]]), &[]));
        assert!(only.lets_meet([0, 4]) && only.lets_meet([5, 0]) && only.lets_meet([1, 3]));
        assert!(!only.lets_meet([0, 1]) && !only.lets_meet([3, 4]));
        assert_eq!(only.words(""), "where only a with c stand together");
        let alone = policy(together(None, &[1]));
        assert!(alone.lets_meet([0, 4]) && alone.lets_meet([2, 3]) && !alone.lets_meet([0, 2]));
        assert_eq!(alone.words(""), "where b stands alone");
        assert_eq!(only.and(&alone), policy(together(Some(&[[0, 2]]), &[1])));
        let none = only.and(&policy(together(Some(&[[1, 2]]), &[])));
        assert!(!none.lets_meet([0, 4]) && none.lets_meet([1, 2]));
        assert_eq!(none.words(""), "where all columns stand alone");
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
