//! The least weight of rows that do not have their way: a minimum hitting set of circuits.
//!
//! `max_d dᵀz = Σz₊ − min Σ|zᵢ|` over the rows that are not where `z` wants them, and sets of rows that
//! can all have their way are those that contain no circuit. So the rows to give up hit every
//! circuit (Chakravarti 1994; Parker and Ryan 1996). The tree below gives up or keeps the rows of one
//! circuit after the other. Its bound is a packing: every circuit found costs the least weight left
//! in its rows, which it uses up. Circuits are found as they are needed and shared by all nodes.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::circuit::{System, Verdict, members};

/// Circuits that a bound is made of, at most.
const MOST_PAID: usize = 300;
/// Circuits that are remembered, at least.
const REMEMBERED: usize = 8192;

/// A set of rows, one bit each.
pub(super) type Set = u128;

/// A part of the tree: rows given up, and rows kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Node {
    given_up: Set,
    kept: Set,
    /// No set of rows below costs less.
    bound: u64,
}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node {
    /// The weakest bound is the greatest node: it is the one that the answer waits for.
    fn cmp(&self, other: &Self) -> Ordering {
        let sets = |n: &Self| (n.kept, n.given_up);
        other.bound.cmp(&self.bound).then_with(|| sets(self).cmp(&sets(other)))
    }
}

/// Rows that cannot all have their way, and how often that made a bound better.
#[derive(Debug, Clone, Copy)]
struct Circuit {
    rows: Set,
    used: u32,
}

/// A search for the least cost.
#[derive(Debug)]
pub(super) struct Tree {
    costs: Vec<u64>,
    /// About how large a part of the tree is left when a row is given up: the less, the more it costs.
    scores: Vec<f64>,
    all: Set,
    circuits: Vec<Circuit>,
    /// The least cost met so far: costs from here on are of no interest.
    enough: u64,
    open: BinaryHeap<Node>,
    /// Weights with that cost, up to rounding, where the search met it.
    pub(super) best: Option<Vec<f64>>,
}

impl Tree {
    /// The tree of all rows, `costs[i]` for giving up row `i`. Costs of `enough` or more are of no
    /// interest.
    pub(super) fn new(costs: Vec<u64>, enough: u64) -> Self {
        let all = (0..costs.len()).fold(0, |set, i| set | 1 << i);
        let mean = costs.iter().sum::<u64>() as f64 / costs.len().max(1) as f64;
        // Near e^(−c), without a function that differs from machine to machine.
        let score = |c: f64| 1.0 / (1.0 + c * (1.0 + c / 2.0));
        let scores = costs.iter().map(|&c| score(c as f64 / mean)).collect();
        let open = BinaryHeap::from([Node { given_up: 0, kept: 0, bound: 0 }]);
        Self { costs, scores, all, circuits: Vec::new(), enough, open, best: None }
    }

    /// Whether the search has come to its end.
    pub(super) fn is_complete(&self) -> bool {
        self.open.is_empty()
    }

    /// A number that no cost is below, unless it is of no interest.
    pub(super) fn at_least(&self) -> u64 {
        self.open.peek().map_or(self.enough, |weakest| weakest.bound.min(self.enough))
    }

    /// Visits this many nodes, or fewer at the end.
    pub(super) fn search(&mut self, system: &System<'_>, nodes: usize) {
        for _ in 0..nodes {
            let Some(node) = self.open.pop() else { return };
            if node.bound >= self.enough {
                return self.open.clear(); // the others are no better
            }
            self.branch(system, node);
        }
    }

    fn cost(&self, set: Set) -> u64 {
        members(set).map(|i| self.costs[i]).sum()
    }

    /// Every way to hit the circuit that splits a node: by its first row, or by the second and not
    /// the first, and so on, the dearest first.
    fn branch(&mut self, system: &System<'_>, node: Node) {
        let mut found = Vec::new();
        let bound = self.bound(system, &node, &mut found);
        found.into_iter().for_each(|circuit| self.remember(circuit));
        let Some((bound, split)) = bound else { return };
        let mut order: Vec<usize> = members(split & !node.kept).collect();
        order.sort_by_key(|&i| (u64::MAX - self.costs[i], i));
        let mut kept = node.kept;
        for i in order {
            let given_up = node.given_up | 1 << i;
            let bound = bound.max(self.cost(given_up));
            if bound < self.enough {
                self.open.push(Node { given_up, kept, bound });
            }
            kept |= 1 << i;
        }
    }

    /// Keeps a circuit for other nodes. When there are too many, the least used half goes.
    fn remember(&mut self, rows: Set) {
        self.circuits.push(Circuit { rows, used: 1 });
        if self.circuits.len() > 2 * REMEMBERED {
            self.circuits.sort_by_key(|c| u32::MAX - c.used);
            self.circuits.truncate(REMEMBERED);
            self.circuits.iter_mut().for_each(|c| c.used /= 2);
        }
    }

    /// A bound on the costs below a node, and the circuit to split it by; nothing when the costs are
    /// of no interest or there is nothing to split. Adds the circuits found on the way.
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
        // Circuits with few rows left to choose from pay best, then those that paid before.
        let mut unpaid: Vec<(u32, u32, usize)> = (self.circuits.iter().enumerate())
            .filter(|(_, c)| c.rows & node.given_up == 0)
            .map(|(k, c)| ((c.rows & !node.kept).count_ones(), u32::MAX - c.used, k))
            .collect();
        if unpaid.len() > MOST_PAID {
            unpaid.select_nth_unstable(MOST_PAID);
            unpaid.truncate(MOST_PAID);
        }
        unpaid.sort_unstable();
        for (.., k) in unpaid {
            let circuit = &mut self.circuits[k];
            circuit.used += u32::from(packing.pay(circuit.rows));
            if packing.bound >= self.enough {
                return None;
            }
        }
        let (mut last, mut unclear) = (0, 0);
        loop {
            let used_up = members(self.all & !node.kept).filter(|&i| packing.left[i] == 0);
            let used_up = used_up.fold(0, |set, i| set | 1 << i);
            let set = self.all & !node.given_up & !used_up & !unclear;
            match system.verdict(set, node.kept, last) {
                Verdict::Circuit(circuit) => {
                    last = circuit;
                    packing.pay(circuit);
                    found.push(circuit);
                    if packing.bound >= self.enough {
                        return None;
                    }
                }
                // Rows that cannot be judged are left out: a bound for the others holds.
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
            // Nothing says that giving up these rows is not enough.
            self.enough = self.enough.min(self.cost(node.given_up));
        }
        packing.split.map(|(_, circuit)| (packing.bound, circuit))
    }
}

/// Circuits that share the costs of their rows: what they pay together is a bound.
struct Packing<'a> {
    left: Vec<u64>,
    bound: u64,
    kept: Set,
    /// The circuit whose rows promise the smallest subtrees, after their score.
    split: Option<(f64, Set)>,
    scores: &'a [f64],
}

impl Packing<'_> {
    /// Pays what is left for a circuit; whether there was anything.
    fn pay(&mut self, circuit: Set) -> bool {
        let free = circuit & !self.kept;
        // When every row of the circuit is kept, no cost is enough.
        let least = members(free).map(|i| self.left[i]).min().unwrap_or(u64::MAX / 2);
        self.bound = self.bound.saturating_add(least);
        if least > 0 {
            members(free).for_each(|i| self.left[i] -= least);
        }
        let score = members(free).map(|i| self.scores[i]).sum();
        if self.split.is_none_or(|(best, _)| score < best) {
            self.split = Some((score, circuit));
        }
        least > 0
    }
}
