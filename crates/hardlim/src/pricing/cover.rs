//! The least cost of unsatisfied rows: a minimum hitting set of infeasible sets.
//!
//! `max_d dᵀz = Σz₊ − min Σ|zᵢ|` over the rows that are not satisfied ([`super::feasibility`]). The
//! rows of a set can all be satisfied exactly if it contains no infeasible set. So the rows to give
//! up hit every infeasible set (Chakravarti 1994; Parker and Ryan 1996). The tree below gives up or
//! keeps the rows of one such set after the other. Its bound is a packing: every set found costs
//! the least weight left in its rows, which it uses up. The sets are found when they are needed,
//! and shared by all nodes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::feasibility::{System, Verdict, as_set, members};
use super::tuning::{MOST_PAID, REMEMBERED_SETS};

/// A set of rows, one bit each.
pub(super) type Set = u128;

/// A part of the tree: rows given up, and rows kept. The node with the weakest bound is the
/// greatest, because the result depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Node {
    /// A lower bound on the cost below this node.
    bound: Reverse<u64>,
    kept: Set,
    given_up: Set,
}

/// Rows that cannot all be satisfied, and how often they improved a bound.
#[derive(Debug, Clone, Copy)]
struct InfeasibleSet {
    rows: Set,
    used: u32,
}

/// A search for the least cost.
#[derive(Debug)]
pub(super) struct Tree {
    costs: Vec<u64>,
    /// About how large a fraction of the tree is left when a row is given up; costly rows leave
    /// less.
    scores: Vec<f64>,
    all: Set,
    infeasible: Vec<InfeasibleSet>,
    /// The least cost found so far; costs from here on are ignored.
    enough: u64,
    open: BinaryHeap<Node>,
    /// Weights with that cost, up to rounding, if the search found any.
    pub(super) best: Option<Vec<f64>>,
}

impl Tree {
    /// The tree of all rows. Giving up row `i` costs `costs[i]`; costs of `enough` or more are
    /// ignored.
    pub(super) fn new(costs: Vec<u64>, enough: u64) -> Self {
        let all = as_set(0..costs.len());
        let mean = costs.iter().sum::<u64>() as f64 / costs.len().max(1) as f64;
        // Near e^(−c), without a function that differs from machine to machine.
        let score = |c: f64| 1.0 / (1.0 + c * (1.0 + c / 2.0));
        let scores = costs.iter().map(|&c| score(c as f64 / mean)).collect();
        let open = BinaryHeap::from([Node { bound: Reverse(0), kept: 0, given_up: 0 }]);
        Self { costs, scores, all, infeasible: Vec::new(), enough, open, best: None }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.open.is_empty()
    }

    /// A lower bound on the cost, at most `enough`.
    pub(super) fn at_least(&self) -> u64 {
        self.open.peek().map_or(self.enough, |weakest| weakest.bound.0.min(self.enough))
    }

    /// Visits this many nodes, or fewer at the end.
    pub(super) fn search(&mut self, system: &System<'_>, nodes: usize) {
        for _ in 0..nodes {
            let Some(node) = self.open.pop() else { return };
            if node.bound.0 >= self.enough {
                return self.open.clear(); // the others are no better
            }
            self.branch(system, node);
        }
    }

    fn cost(&self, set: Set) -> u64 {
        members(set).map(|i| self.costs[i]).sum()
    }

    /// Every way to hit the infeasible set that splits a node: by its first row, or by the second
    /// and not the first, and so on, the dearest first.
    fn branch(&mut self, system: &System<'_>, node: Node) {
        let mut found = Vec::new();
        let bound = self.bound(system, &node, &mut found);
        found.into_iter().for_each(|set| self.remember(set));
        let Some((bound, split)) = bound else { return };
        let mut order: Vec<usize> = members(split & !node.kept).collect();
        order.sort_by_key(|&i| (u64::MAX - self.costs[i], i));
        let mut kept = node.kept;
        for i in order {
            let given_up = node.given_up | 1 << i;
            let bound = bound.max(self.cost(given_up));
            if bound < self.enough {
                self.open.push(Node { bound: Reverse(bound), kept, given_up });
            }
            kept |= 1 << i;
        }
    }

    /// Keeps an infeasible set for other nodes. When there are too many, the least used half goes.
    fn remember(&mut self, rows: Set) {
        self.infeasible.push(InfeasibleSet { rows, used: 1 });
        if self.infeasible.len() > 2 * REMEMBERED_SETS {
            self.infeasible.sort_by_key(|c| u32::MAX - c.used);
            self.infeasible.truncate(REMEMBERED_SETS);
            self.infeasible.iter_mut().for_each(|c| c.used /= 2);
        }
    }

    /// A bound on the costs below a node, and the infeasible set to split it by; `None` if the
    /// costs are ignored or there is nothing to split. Adds the infeasible sets found on the way.
    fn bound(
        &mut self,
        system: &System<'_>,
        node: &Node,
        found: &mut Vec<Set>,
    ) -> Option<(u64, Set)> {
        let mut packing = Packing {
            left: self.costs.clone(),
            bound: self.cost(node.given_up),
            kept: node.kept,
            split: None,
            scores: &self.scores,
        };
        // Sets with few rows left to choose from pay best, then those that paid before.
        let mut unpaid: Vec<(u32, u32, usize)> = (self.infeasible.iter().enumerate())
            .filter(|(_, c)| c.rows & node.given_up == 0)
            .map(|(k, c)| ((c.rows & !node.kept).count_ones(), u32::MAX - c.used, k))
            .collect();
        if unpaid.len() > MOST_PAID {
            unpaid.select_nth_unstable(MOST_PAID);
            unpaid.truncate(MOST_PAID);
        }
        unpaid.sort_unstable();
        for (.., k) in unpaid {
            let set = &mut self.infeasible[k];
            set.used += u32::from(packing.pay(set.rows));
            if packing.bound >= self.enough {
                return None;
            }
        }
        let (mut last, mut unclear) = (0, 0);
        loop {
            let used_up = as_set(members(self.all & !node.kept).filter(|&i| packing.left[i] == 0));
            let set = self.all & !node.given_up & !used_up & !unclear;
            match system.verdict(set, node.kept, last) {
                Verdict::Infeasible(rows) => {
                    last = rows;
                    packing.pay(rows);
                    found.push(rows);
                    if packing.bound >= self.enough {
                        return None;
                    }
                }
                // Undecided rows are left out; a bound for the others holds.
                Verdict::Unknown(rows) => unclear |= rows,
                Verdict::Feasible(weights) => {
                    let cost = self.cost(self.all & !system.satisfied(&weights));
                    if cost < self.enough {
                        (self.enough, self.best) = (cost, Some(weights));
                    }
                    break;
                }
            }
        }
        if packing.split.is_none() {
            // Perhaps it is enough to give up these rows.
            self.enough = self.enough.min(self.cost(node.given_up));
        }
        packing.split.map(|(_, rows)| (packing.bound, rows))
    }
}

/// Infeasible sets that share the costs of their rows; the sum of their payments is a bound.
struct Packing<'a> {
    left: Vec<u64>,
    bound: u64,
    kept: Set,
    /// The infeasible set whose rows promise the smallest subtrees, with its score.
    split: Option<(f64, Set)>,
    scores: &'a [f64],
}

impl Packing<'_> {
    /// Pays the least cost left for an infeasible set. Returns whether that was more than zero.
    fn pay(&mut self, rows: Set) -> bool {
        let free = rows & !self.kept;
        // When every row of the set is kept, no cost is enough.
        let least = members(free).map(|i| self.left[i]).min().unwrap_or(u64::MAX / 2);
        self.bound = self.bound.saturating_add(least);
        if least > 0 {
            members(free).for_each(|i| self.left[i] -= least);
        }
        let score = members(free).map(|i| self.scores[i]).sum();
        if self.split.is_none_or(|(best, _)| score < best) {
            self.split = Some((score, rows));
        }
        least > 0
    }
}
