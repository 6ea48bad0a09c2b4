//! Rule lists: a few questions about one column each, with their weights.
//!
//! `min L(b + Σ aⱼ dⱼ) + β Σ|aⱼ|` over lists of at most `k` patterns `d = 1{x ≥ t}` of one column.
//! A list grows by one rule at a time. With `g` and `h` the first and second derivatives of the
//! loss at the outputs, and `b` free, another rule lowers a quadratic model of the objective by
//! `(|s| − β)₊² / 2c`, where `s = dᵀg − (dᵀh)(1ᵀg)/(1ᵀh)` and `c = dᵀh − (dᵀh)²/(1ᵀh)`. Sums over
//! the rows above a cut follow from those above the one before it, so one pass over a column finds
//! its best cut. The weights of a list with the best few of them are fitted, and the best list is
//! kept. When the list has grown by a half, every rule may be exchanged for the best one in its
//! place. No step raises the objective, and a larger list begins as a smaller one: more rules never
//! fit worse. Weights of columns that the output goes up or down with have one sign.

use std::collections::HashSet;
use std::sync::Arc;

use rand::Rng as _;

use crate::arrangement::{Policy, Signs};
use crate::data::{Dataset, Targets};
use crate::loss::{Loss as _, LossKind};
use crate::network::recipe;
use crate::pattern::threshold::is_weight;
use crate::solver::Budget;
use crate::train::tuning::{
    RULES_ADDED, RULES_ALIKE, RULES_ENOUGH, RULES_FITTED, RULES_HALVINGS, RULES_PART, RULES_PASSES,
    RULES_STEPS,
};

/// All questions about one column: no two of them have the same answers, or opposite ones.
pub(super) struct Questions<'a> {
    pub(super) data: &'a Dataset,
    pub(super) columns: Vec<Column>,
}

pub(super) struct Column {
    /// The rows, from the smallest value to the largest.
    pub(super) order: Vec<u32>,
    /// The number of rows below each cut.
    pub(super) below: Vec<u32>,
    /// The signs that weights may have.
    pub(super) signs: Signs,
}

/// `1{x ≥ t}` for a `t` between two neighbours of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) column: usize,
    pub(super) cut: usize,
}

/// A rule: what it asks, its answers on the rows, and its weight.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    pub(super) question: Question,
    holds: Arc<[f64]>,
    pub(super) weight: f64,
    /// The signs that it may have.
    pub(super) signs: Signs,
}

#[derive(Debug, Clone)]
pub(super) struct List {
    pub(super) rules: Vec<Rule>,
    pub(super) offset: f64,
    pub(super) objective: f64,
}

/// A list that grows.
pub(super) struct Growth<'a> {
    questions: &'a Questions<'a>,
    loss: LossKind,
    beta: f64,
    budget: Budget<'a>,
    pub(super) list: List,
    /// The number of rules when they were exchanged last.
    exchanged: usize,
}

/// A question with what it may gain, and the weight that it gets then.
#[derive(Clone, Copy)]
struct Offer {
    question: Question,
    gain: f64,
    weight: f64,
}

/// The derivatives of the loss at the outputs, row by row.
struct Slopes {
    first: Vec<f64>,
    second: Vec<f64>,
}

impl<'a> Questions<'a> {
    pub(super) fn of(data: &'a Dataset, policy: &Policy) -> Self {
        let (features, rows) = (data.features(), data.distinct());
        let mut rng = recipe::rng(data.fingerprint().seed());
        let keys: Vec<u64> = (0..rows).map(|_| rng.random()).collect();
        let all = keys.iter().fold(0, |all, key| all ^ key);
        // A set of rows and the others are one question: the first one stands for both, if its
        // weight may have the same signs. Keys depend on all numbers of the table, so no table is
        // made such that two different questions have one key, but by a chance of 2⁻⁶⁴.
        let mut known = HashSet::from([(0, Signs::BOTH)]);
        let column = |j: usize| {
            let value = |i: u32| features.row(i as usize)[j];
            let mut order: Vec<u32> = (0..rows as u32).collect();
            order.sort_unstable_by(|&a, &b| value(a).total_cmp(&value(b)).then(a.cmp(&b)));
            let signs = [false, true].map(|above| policy.signs(j, above));
            let (mut key, mut below) = (0, Vec::new());
            for (k, pair) in order.windows(2).enumerate() {
                key ^= keys[pair[0] as usize];
                let (low, high) = (value(pair[0]), value(pair[1]));
                let cut = low < high && is_weight(high);
                let (same, own) = (key.min(key ^ all), signs[usize::from(key > key ^ all)]);
                if cut && !known.contains(&(same, Signs::BOTH)) && known.insert((same, own)) {
                    below.push(k as u32 + 1);
                }
            }
            (j, Column { order, below, signs: signs[1] })
        };
        // Those that may have both signs come first.
        let mut places: Vec<usize> = (0..features.dimension()).collect();
        places.sort_by_key(|&j| policy.signs(j, true) != Signs::BOTH);
        let mut columns: Vec<(usize, Column)> = places.into_iter().map(column).collect();
        columns.sort_by_key(|(j, _)| *j);
        Self { data, columns: columns.into_iter().map(|(_, column)| column).collect() }
    }

    /// The values of the column just below and just above the cut.
    pub(super) fn gap(&self, question: Question) -> (f64, f64) {
        let Column { order, below, .. } = &self.columns[question.column];
        let place = below[question.cut] as usize;
        let value = |k: usize| self.data.features().row(order[k] as usize)[question.column];
        (value(place - 1), value(place))
    }

    /// Where the question holds: 1, elsewhere 0.
    pub(super) fn answers(&self, question: Question) -> Arc<[f64]> {
        let Column { order, below, .. } = &self.columns[question.column];
        let mut holds = vec![0.0; order.len()];
        order[below[question.cut] as usize..].iter().for_each(|&i| holds[i as usize] = 1.0);
        holds.into()
    }

    /// The best question of each column that may gain anything, the best first.
    fn offers(&self, slopes: &Slopes, beta: f64) -> Vec<Offer> {
        let Slopes { first, second } = slopes;
        let (slope, curvature): (f64, f64) = (first.iter().sum(), second.iter().sum());
        let tilt = slope / curvature;
        let least = RULES_ALIKE * curvature;
        let of_column = |(column, Column { order, below, signs }): (usize, &Column)| {
            let (mut g, mut h, mut from) = (slope, curvature, 0);
            let mut best: Option<Offer> = None;
            for (cut, &place) in below.iter().enumerate() {
                for &i in &order[from..place as usize] {
                    g -= first[i as usize];
                    h -= second[i as usize];
                }
                from = place as usize;
                let s = g - h * tilt;
                let over = s.abs() - beta;
                if over <= 0.0 || !signs.allow(-s) {
                    continue;
                }
                let c = (h - h * h / curvature).max(least);
                let gain = over * over / (2.0 * c);
                if best.is_none_or(|best| gain > best.gain) {
                    let weight = -(over / c).copysign(s);
                    best = Some(Offer { question: Question { column, cut }, gain, weight });
                }
            }
            best
        };
        let mut best: Vec<Offer> = self.columns.iter().enumerate().filter_map(of_column).collect();
        best.sort_by(|a, b| b.gain.total_cmp(&a.gain)); // stable: ties keep the order of columns
        best
    }

    /// The largest price of all questions, for a `z` whose sum is zero.
    pub(super) fn largest(&self, z: &[f64]) -> f64 {
        let of_column = |Column { order, below, signs, .. }: &Column| {
            let (mut sum, mut most, mut from) = (0.0, 0.0_f64, 0);
            for &place in below {
                sum += order[from..place as usize].iter().map(|&i| z[i as usize]).sum::<f64>();
                from = place as usize;
                most = most.max(signs.price(-sum));
            }
            most
        };
        self.columns.iter().map(of_column).fold(0.0, f64::max)
    }
}

impl List {
    /// `start`, and these weights where their rules hold, row by row.
    pub(super) fn sums(
        &self,
        weights: impl Iterator<Item = f64>,
        start: f64,
        rows: usize,
    ) -> Vec<f64> {
        let mut sums = vec![start; rows];
        for (Rule { holds, .. }, weight) in self.rules.iter().zip(weights) {
            sums.iter_mut().zip(holds.iter()).for_each(|(u, d)| *u += weight * d);
        }
        sums
    }
}

impl<'a> Growth<'a> {
    /// An empty list; `beta` is asked for with `β_max`.
    pub(super) fn new(
        questions: &'a Questions<'a>,
        loss: LossKind,
        budget: Budget<'a>,
        beta: impl Fn(f64) -> f64,
    ) -> Self {
        let list = List { rules: Vec::new(), offset: 0.0, objective: 0.0 };
        let mut growth = Self { questions, loss, beta: 0.0, budget, list, exchanged: 0 };
        growth.list = growth.fitted(growth.list.clone());
        let z = growth.slopes(&growth.output(&growth.list)).first;
        growth.beta = beta(questions.largest(&z));
        growth
    }

    pub(super) fn beta(&self) -> f64 {
        self.beta
    }

    /// Grows to at most `size` rules. Sizes are to be asked for one after the other.
    pub(super) fn grow(&mut self, size: usize) {
        self.fill(size);
        let count = self.list.rules.len();
        if count < self.exchanged + (self.exchanged / RULES_PART).max(1) {
            return;
        }
        for _ in 0..RULES_PASSES {
            let before = self.list.objective;
            self.exchange();
            self.fill(size);
            if self.list.objective >= before - RULES_ENOUGH * before.abs() {
                break;
            }
        }
        self.exchanged = count;
    }

    fn fill(&mut self, size: usize) {
        while self.list.rules.len() < size && self.budget.spent().is_none() && self.add() {}
    }

    /// Adds the rule that lowers the objective most, and says whether there is one.
    fn add(&mut self) -> bool {
        let offers = self.offers(&self.list);
        let new = offers.into_iter().filter(|offer| !self.has(offer.question));
        let lists = new.take(RULES_ADDED).map(|offer| self.with(self.list.clone(), offer));
        let best = lists.reduce(|a, b| if b.objective < a.objective { b } else { a });
        best.is_some_and(|best| self.take(best))
    }

    /// Exchanges every rule for the best in its place, where that lowers the objective.
    fn exchange(&mut self) {
        let all: Vec<Question> = self.list.rules.iter().map(|rule| rule.question).collect();
        for question in all {
            if self.budget.spent().is_some() {
                return;
            }
            let mut rest = self.list.clone();
            rest.rules.retain(|rule| rule.question != question);
            let offers = self.offers(&rest);
            if let Some(best) = offers.first().filter(|offer| !self.has(offer.question)) {
                let other = self.with(rest, *best);
                self.take(other);
            }
        }
    }

    /// What another rule may gain beside those of a list.
    fn offers(&self, list: &List) -> Vec<Offer> {
        self.questions.offers(&self.slopes(&self.output(list)), self.beta)
    }

    /// Takes the list of these questions, fitted from these weights and with its rules exchanged,
    /// if it is better, and says whether it is.
    pub(super) fn consider(&mut self, rules: &[(Question, f64)], offset: f64) -> bool {
        let rule = |&(question, weight): &(Question, f64)| {
            let signs = self.questions.columns[question.column].signs;
            Rule { question, holds: self.questions.answers(question), weight, signs }
        };
        let rules = rules.iter().map(rule).collect();
        let list = self.fitted(List { rules, offset, objective: 0.0 });
        let old = std::mem::replace(&mut self.list, list);
        self.exchange();
        let better = self.list.objective < old.objective - RULES_FITTED * old.objective.abs();
        if !better {
            self.list = old;
        }
        better
    }

    fn has(&self, question: Question) -> bool {
        self.list.rules.iter().any(|rule| rule.question == question)
    }

    /// Takes a list if its objective is clearly lower, and says whether it is.
    fn take(&mut self, list: List) -> bool {
        let lower = list.objective < self.list.objective - RULES_FITTED * self.list.objective.abs();
        if lower {
            self.list = list;
        }
        lower
    }

    /// The list with another rule, fitted.
    fn with(&self, mut list: List, offer: Offer) -> List {
        let Offer { question, weight, .. } = offer;
        let signs = self.questions.columns[question.column].signs;
        let holds = self.questions.answers(question);
        list.rules.push(Rule { question, holds, weight, signs });
        self.fitted(list)
    }

    fn output(&self, list: &List) -> Vec<f64> {
        let weights = list.rules.iter().map(|rule| rule.weight);
        list.sums(weights, list.offset, self.questions.data.distinct())
    }

    fn targets(&self) -> &Targets {
        self.questions.data.targets()
    }

    fn slopes(&self, output: &[f64]) -> Slopes {
        let rows = || self.targets().iter().zip(output);
        let first = rows().map(|(atoms, &u)| self.loss.row_subgradient(u, atoms).0).collect();
        let mut second: Vec<f64> =
            rows().map(|(atoms, &u)| self.loss.row_curvature(u, atoms)).collect();
        // A curvature may be zero everywhere.
        let least = RULES_ALIKE / second.len() as f64;
        second.iter_mut().for_each(|h| *h += least);
        Slopes { first, second }
    }

    fn objective(&self, list: &List, output: &[f64]) -> f64 {
        let rows = self.targets().iter().zip(output);
        let loss: f64 = rows.map(|(atoms, &u)| self.loss.row_value(u, atoms)).sum();
        loss + self.beta * list.rules.iter().map(|rule| rule.weight.abs()).sum::<f64>()
    }

    /// Fits weights and offset by Newton's method on the loss, where each step solves the quadratic
    /// model with its penalty. Rules without a weight are dropped.
    fn fitted(&self, mut list: List) -> List {
        let mut output = self.output(&list);
        list.objective = self.objective(&list, &output);
        for _ in 0..RULES_STEPS {
            let step = self.step(&list, &self.slopes(&output));
            let mut length = 1.0;
            let next = (0..RULES_HALVINGS).find_map(|_| {
                let mut next = list.clone();
                let moved = next.rules.iter_mut().zip(&step);
                moved.for_each(|(rule, step)| rule.weight += length * step);
                next.offset += length * step[list.rules.len()];
                length *= 0.5;
                let output = self.output(&next);
                next.objective = self.objective(&next, &output);
                (next.objective < list.objective).then_some((next, output))
            });
            let Some((next, then)) = next else { break };
            let gain = list.objective - next.objective;
            (list, output) = (next, then);
            if gain <= RULES_FITTED * list.objective.abs() {
                break;
            }
        }
        list.rules.retain(|rule| rule.weight != 0.0);
        list
    }

    /// The step to the least value of the quadratic model, by coordinate descent: one number for
    /// each rule, and one for the offset.
    fn step(&self, list: &List, slopes: &Slopes) -> Vec<f64> {
        let Slopes { first, second } = slopes;
        let count = list.rules.len();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut model = vec![vec![0.0; count + 1]; count + 1];
        let mut residual = vec![first.iter().sum(); count + 1];
        model[count][count] = second.iter().sum();
        for (i, rule) in list.rules.iter().enumerate() {
            let weighted: Vec<f64> =
                second.iter().zip(rule.holds.iter()).map(|(h, d)| h * d).collect();
            residual[i] = dot(first, &rule.holds);
            let ends = list.rules[..=i].iter().map(|other| dot(&weighted, &other.holds));
            let own: Vec<f64> = ends.chain([weighted.iter().sum()]).collect();
            for (j, value) in (0..=i).chain([count]).zip(own) {
                (model[i][j], model[j][i]) = (value, value);
            }
        }
        let ridge = RULES_ALIKE * model[count][count];
        (0..=count).for_each(|i| model[i][i] += ridge);
        let mut step = vec![0.0; count + 1];
        for _ in 0..RULES_STEPS * RULES_STEPS {
            let mut most = 0.0_f64;
            for i in 0..=count {
                let curvature = model[i][i];
                let mut next = step[i] - residual[i] / curvature;
                if let Some(Rule { weight, signs, .. }) = list.rules.get(i) {
                    let whole: f64 = weight + next;
                    let shrunk = (whole.abs() - self.beta / curvature).max(0.0);
                    let shrunk = shrunk.copysign(whole);
                    let allowed = if signs.allow(shrunk) { shrunk } else { 0.0 };
                    next = allowed - weight;
                }
                let change = next - step[i];
                if change != 0.0 {
                    residual.iter_mut().zip(&model[i]).for_each(|(r, h)| *r += h * change);
                    step[i] = next;
                    most = most.max(change * change * curvature);
                }
            }
            if most <= RULES_FITTED * list.objective.abs() {
                break;
            }
        }
        step
    }
}
