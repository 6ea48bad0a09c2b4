//! How good any list of at most `N` rules may be: branch and bound over the questions in use.
//!
//! A node leaves out some questions, and asks that each of some groups, which have no question in
//! common, is used. Without the limit of `N`, its value is a Lasso program over the questions that
//! are not left out. Its dual point `z` proves `−L*(z)` for every list of the node, because
//! `|dᵀz| ≤ β` is checked for all of these questions ([`Questions::priced`]), or one side of it
//! where a weight has one sign: no solver is trusted. Where `N` groups have to be used, a list has
//! one rule of each, so all other questions are left out. A node is done when its program uses at
//! most `N` questions, which make a list, or when its bound is near enough to the best list known.
//! Otherwise a group of neighbouring cuts is either left out, or used. The node with the least
//! bound is next, and the bound of all lists is the least one of the nodes that remain.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use super::list::{Growth, Question, Questions};
use crate::arrangement::Signs;
use crate::certificate::{DualPoint, Problem};
use crate::loss::{Loss as _, LossKind};
use crate::pattern::{Pattern, PatternMatrix};
use crate::program::LassoProgram;
use crate::solver::{ActiveSet, Budget, Progress, StopReason};
use crate::train::tuning::{LISTS_NEAR, LISTS_ROUNDS, LISTS_ROW, LISTS_SOLVED, LISTS_TRIED};
use crate::train::{Event, Watch};

/// The search for a bound on all lists of at most so many rules.
pub(super) struct ListSearch<'a> {
    pub(super) questions: &'a Questions<'a>,
    pub(super) problem: Problem<'a, LossKind>,
    pub(super) most: usize,
    /// The relative gap at which to stop.
    pub(super) tolerance: f64,
    pub(super) budget: Budget<'a>,
    pub(super) watch: &'a Watch<'a>,
}

/// What is proven about all lists of at most so many rules.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    pub(super) lower_bound: f64,
    /// The number of sets of questions that were bounded.
    pub(super) nodes: usize,
    pub(super) stop: StopReason,
}

/// Neighbouring cuts of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Group {
    column: usize,
    from: usize,
    /// One after the last.
    to: usize,
}

/// Lists that use none of some questions, and one or more of each of these groups.
#[derive(Debug, Clone)]
struct Node {
    bound: f64,
    /// Nodes of the same bound are taken in the order of their numbers.
    number: usize,
    out: Vec<Group>,
    used: Vec<Group>,
    /// The optimum without a limit on the number of rules, and the output bias.
    rules: Vec<(Question, f64)>,
    offset: f64,
}

/// The questions whose coefficients are solved for, in all nodes.
struct Pool {
    questions: Vec<Question>,
    places: HashMap<(usize, usize), usize>,
    patterns: PatternMatrix,
    signs: Vec<Signs>,
}

impl Group {
    fn has(&self, question: Question) -> bool {
        self.column == question.column && (self.from..self.to).contains(&question.cut)
    }

    fn meets(&self, other: &Group) -> bool {
        self.column == other.column && self.from < other.to && other.from < self.to
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Node {}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node {
    /// The least bound is the greatest node.
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound).then(other.number.cmp(&self.number))
    }
}

impl Questions<'_> {
    /// The largest price of the questions that are allowed, and the one with the largest in each
    /// run of neighbours above `beta`.
    fn priced(&self, dual: &DualPoint, allowed: &[Vec<bool>], beta: f64) -> (f64, Vec<Question>) {
        let z = dual.values();
        let (mut most, mut above) = (0.0_f64, Vec::new());
        for (column, (own, allowed)) in self.columns.iter().zip(allowed).enumerate() {
            let (mut sum, mut from) = (0.0, 0);
            let mut best: Option<(f64, usize)> = None;
            for (cut, &place) in own.below.iter().enumerate() {
                let rows = &own.order[from..place as usize];
                sum += rows.iter().map(|&i| z[i as usize]).sum::<f64>();
                from = place as usize;
                // The rows above the cut have the other part of the sum of all, which is zero.
                let price = own.signs.price(-sum);
                if allowed[cut] && price > beta {
                    if best.is_none_or(|(largest, _)| price > largest) {
                        best = Some((price, cut));
                    }
                } else if let Some((_, cut)) = best.take() {
                    above.push(Question { column, cut });
                }
                if allowed[cut] {
                    most = most.max(price);
                }
            }
            above.extend(best.map(|(_, cut)| Question { column, cut }));
        }
        (most, above)
    }
}

impl Pool {
    fn new(rows: usize) -> Self {
        let (questions, places) = (Vec::new(), HashMap::new());
        Self { questions, places, patterns: PatternMatrix::new(rows), signs: Vec::new() }
    }

    /// The place of a question, which is added if it is new.
    fn place(&mut self, question: Question, all: &Questions<'_>) -> usize {
        let key = (question.column, question.cut);
        *self.places.entry(key).or_insert_with(|| {
            let holds = all.answers(question);
            self.patterns.push(&Pattern::from_fn(holds.len(), |i| holds[i] != 0.0));
            self.signs.push(all.columns[question.column].signs);
            self.questions.push(question);
            self.questions.len() - 1
        })
    }
}

impl<'a> ListSearch<'a> {
    /// Searches, and makes the list better where a better one is met. `objective` is that of the
    /// list whose gap counts, if it is not the one that grows.
    pub(super) fn search(&self, growth: &mut Growth<'_>, objective: Option<f64>) -> Found {
        let mut pool = Pool::new(self.questions.data.distinct());
        let mut open = BinaryHeap::new();
        // The least bound of the nodes that are done.
        let mut done = f64::INFINITY;
        let mut nodes = 1;
        let known = growth.list.rules.iter().map(|rule| (rule.question, rule.weight)).collect();
        let root = Node {
            bound: f64::NEG_INFINITY,
            number: 0,
            out: Vec::new(),
            used: Vec::new(),
            rules: known,
            offset: growth.list.offset,
        };
        open.push(self.solved(root, &mut pool, f64::INFINITY));
        let stop = loop {
            let best = objective.unwrap_or(growth.list.objective);
            let enough = best - self.tolerance * best.abs();
            let Some(node) = open.peek() else { break StopReason::Done };
            let bound = node.bound.min(done);
            self.tell(nodes, best, bound, &pool);
            if bound >= enough {
                break StopReason::GapReached;
            }
            if node.bound >= done {
                // No list of the nodes that remain is better than the best of those that are done.
                break StopReason::Done;
            }
            if let Some(stop) = self.budget.spent() {
                break stop;
            }
            let node = open.pop().expect("it was looked at");
            if nodes == 1 || nodes % LISTS_TRIED == 0 {
                self.round(&node, growth);
            }
            let Some(group) = self.branching(&node) else {
                // A list of at most as many rules as are allowed.
                growth.consider(&node.rules, node.offset);
                done = done.min(node.bound);
                continue;
            };
            for child in self.children(node, group) {
                nodes += 1;
                let child = Node { number: nodes, ..child };
                let same = child.used.len() < self.most && child.allows_its_rules();
                open.push(if same { child } else { self.solved(child, &mut pool, enough) });
            }
        };
        let open = open.peek().map_or(f64::INFINITY, |node| node.bound);
        let best = objective.unwrap_or(growth.list.objective);
        Found { lower_bound: done.min(open).min(best), nodes, stop }
    }

    fn tell(&self, round: usize, objective: f64, lower_bound: f64, pool: &Pool) {
        let (patterns, neurons) = (pool.questions.len(), self.most);
        let progress = Progress { round, patterns, neurons, objective, lower_bound };
        self.watch.tell(Event::Lists(&progress));
    }

    /// The list of the rules of a node that matter most.
    fn round(&self, node: &Node, growth: &mut Growth<'_>) {
        let mut rules: Vec<(f64, (Question, f64))> =
            self.weighed(node).into_iter().zip(node.rules.iter().copied()).collect();
        rules.sort_by(|a, b| b.0.total_cmp(&a.0)); // stable: ties keep their order
        let rules: Vec<_> = rules.into_iter().take(self.most).map(|(_, rule)| rule).collect();
        growth.consider(&rules, node.offset);
    }

    /// Solves the program of a node up to a bound that is enough.
    fn solved(&self, mut node: Node, pool: &mut Pool, enough: f64) -> Node {
        let Problem { targets, loss, beta, constraints } = self.problem;
        let allowed = self.allowed(&node);
        let may = |question: &Question| allowed[question.column][question.cut];
        node.rules.iter().for_each(|(question, _)| {
            pool.place(*question, self.questions);
        });
        for round in 0.. {
            let own: Vec<usize> =
                (0..pool.questions.len()).filter(|&k| may(&pool.questions[k])).collect();
            let patterns = pool.patterns.select(&own);
            let signs: Vec<Signs> = own.iter().map(|&k| pool.signs[k]).collect();
            let mut start = vec![0.0; own.len()];
            for (question, weight) in node.rules.iter().filter(|(question, _)| may(question)) {
                let place = pool.places[&(question.column, question.cut)];
                start[own.binary_search(&place).expect("it is allowed")] = *weight;
            }
            let program = LassoProgram::new(&patterns, targets, *loss, beta)
                .expect("patterns of these rows")
                .with_constraints(constraints)
                .with_signs(Some(&signs));
            let tolerance = (LISTS_SOLVED * self.tolerance).max(1e-9);
            let solver = ActiveSet {
                tolerance,
                budget: Budget { progress: None, ..self.budget },
                ..ActiveSet::default()
            };
            let solution = solver.solve_from(&program, &start, node.offset);
            // Nothing is believed of it but its numbers: they are made a dual point here.
            let dual = self.problem.dual_point(solution.dual.values().to_vec());
            let (price, above) = self.questions.priced(&dual, &allowed, beta.get());
            self.budget.count((self.questions.columns.len() + LISTS_ROW) * targets.rows());
            node.bound = node.bound.max(self.problem.lower_bound(&dual, price));
            let rules = own.iter().map(|&k| pool.questions[k]).zip(solution.coefficients);
            node.rules = rules.filter(|(_, weight)| *weight != 0.0).collect();
            node.offset = solution.offset;
            let gap = solution.certificate.objective() - node.bound;
            let close = gap <= 2.0 * tolerance * solution.certificate.objective();
            let before = pool.questions.len();
            if node.bound < enough && !close && round < LISTS_ROUNDS {
                above.iter().for_each(|question| {
                    pool.place(*question, self.questions);
                });
            }
            if pool.questions.len() == before || self.budget.spent().is_some() {
                break;
            }
        }
        node
    }

    /// Which cuts of each column lists of a node may use.
    fn allowed(&self, node: &Node) -> Vec<Vec<bool>> {
        let full = node.used.len() == self.most;
        let mut allowed: Vec<Vec<bool>> =
            self.questions.columns.iter().map(|own| vec![!full; own.below.len()]).collect();
        if full {
            node.used.iter().for_each(|g| allowed[g.column][g.from..g.to].fill(true));
        }
        node.out.iter().for_each(|g| allowed[g.column][g.from..g.to].fill(false));
        allowed
    }

    /// What each rule of a node changes, about: `w²c/2` with the curvature `c` of its question.
    fn weighed(&self, node: &Node) -> Vec<f64> {
        let (targets, loss) = (self.problem.targets, self.problem.loss);
        let holds: Vec<_> =
            node.rules.iter().map(|(question, _)| self.questions.answers(*question)).collect();
        let mut output = vec![node.offset; targets.rows()];
        for (holds, (_, weight)) in holds.iter().zip(&node.rules) {
            output.iter_mut().zip(holds.iter()).for_each(|(u, d)| *u += weight * d);
        }
        let rows = targets.iter().zip(&output);
        let second: Vec<f64> = rows.map(|(atoms, &u)| loss.row_curvature(u, atoms)).collect();
        let all: f64 = second.iter().sum();
        let change = |(holds, (_, weight)): (&std::sync::Arc<[f64]>, &(Question, f64))| {
            let on: f64 = second.iter().zip(holds.iter()).map(|(h, d)| h * d).sum();
            0.5 * weight * weight * (on - on * on / all)
        };
        holds.iter().zip(&node.rules).map(change).collect()
    }

    /// The group that is left out or used next; `None` if the rules of the node are a list.
    fn branching(&self, node: &Node) -> Option<Group> {
        if node.rules.len() <= self.most {
            return None;
        }
        let weighed = self.weighed(node);
        // A group that is used with one question of it needs no decision.
        let open = |question: Question| {
            let group = node.used.iter().find(|group| group.has(question));
            group.is_none_or(|g| node.rules.iter().filter(|(other, _)| g.has(*other)).count() > 1)
        };
        let rules = node.rules.iter().zip(&weighed).filter(|((question, _), _)| open(*question));
        let ((question, _), _) =
            rules.reduce(|a, b| if b.1 > a.1 { b } else { a }).expect("more rules than groups");
        let Some(group) = node.used.iter().find(|group| group.has(*question)) else {
            return Some(self.near(*question, node));
        };
        // The part up to the question, or the part after it: so that both have rules.
        let cuts = node.rules.iter().filter(|(other, _)| group.has(*other)).map(|(q, _)| q.cut);
        let last = cuts.max().expect("it has the question");
        let to = if question.cut == last { question.cut } else { question.cut + 1 };
        Some(Group { to, ..*group })
    }

    /// The neighbours of a question that answer almost alike and may still be decided.
    fn near(&self, question: Question, node: &Node) -> Group {
        let below = &self.questions.columns[question.column].below;
        let far = (LISTS_NEAR * self.questions.data.distinct() as f64) as u32;
        let place = below[question.cut];
        let mut group = Group { column: question.column, from: question.cut, to: question.cut + 1 };
        let free = |group: &Group| !node.used.iter().any(|other| other.meets(group));
        while group.from > 0 && place - below[group.from - 1] <= far {
            let larger = Group { from: group.from - 1, ..group };
            if !free(&larger) {
                break;
            }
            group = larger;
        }
        while group.to < below.len() && below[group.to] - place <= far {
            let larger = Group { to: group.to + 1, ..group };
            if !free(&larger) {
                break;
            }
            group = larger;
        }
        group
    }

    /// The lists of a node that use none of a group, and those that use some of it.
    fn children(&self, node: Node, group: Group) -> [Node; 2] {
        let whole = node.used.iter().position(|other| other.meets(&group));
        let (mut none, mut some) = (node.clone(), node);
        none.out.push(group);
        match whole {
            None => some.used.push(group),
            Some(k) => {
                none.used[k].from = group.to;
                some.used[k] = group;
            }
        }
        [none, some]
    }
}

impl Node {
    /// Whether none of its rules are left out.
    fn allows_its_rules(&self) -> bool {
        let allowed = |(question, _): &(Question, f64)| !self.out.iter().any(|g| g.has(*question));
        self.rules.iter().all(allowed)
    }
}
