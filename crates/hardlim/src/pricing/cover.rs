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

/// A part of the tree: rows given up, and rows kept.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Node {
    given_up: u64,
    kept: u64,
    /// No set of rows below costs less.
    bound: f64,
}

impl Eq for Node {}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node {
    /// The weakest bound is the greatest node: it is the one that the answer waits for.
    fn cmp(&self, other: &Self) -> Ordering {
        let sets = |n: &Self| (n.kept, n.given_up);
        other.bound.total_cmp(&self.bound).then_with(|| sets(self).cmp(&sets(other)))
    }
}

/// A search for the least cost.
#[derive(Debug)]
pub(super) struct Tree {
    costs: Vec<f64>,
    all: u64,
    circuits: Vec<u64>,
    /// The least cost of a pattern met so far: costs from here on are of no interest.
    enough: f64,
    open: BinaryHeap<Node>,
}

impl Tree {
    /// The tree of all rows, `costs[i]` for giving up row `i`. Costs of `enough` or more are of no
    /// interest.
    pub(super) fn new(costs: Vec<f64>, enough: f64) -> Self {
        let all = if costs.len() == 64 { u64::MAX } else { (1 << costs.len()) - 1 };
        let open = BinaryHeap::from([Node { given_up: 0, kept: 0, bound: 0.0 }]);
        Self { costs, all, circuits: Vec::new(), enough, open }
    }

    /// Whether the search has come to its end.
    pub(super) fn is_complete(&self) -> bool {
        self.open.is_empty()
    }

    /// A number that no cost is below, unless it is of no interest.
    pub(super) fn at_least(&self) -> f64 {
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

    fn cost(&self, set: u64) -> f64 {
        members(set).map(|i| self.costs[i]).sum()
    }

    fn branch(&mut self, system: &System<'_>, node: Node) {
        let Some((bound, split)) = self.bound(system, &node) else { return };
        let mut order: Vec<usize> = members(split & !node.kept).collect();
        order.sort_by(|&a, &b| self.costs[b].total_cmp(&self.costs[a]).then(a.cmp(&b)));
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

    /// A bound on the costs below a node, and the circuit to split it by; nothing when the costs are
    /// of no interest or there is nothing to split.
    fn bound(&mut self, system: &System<'_>, node: &Node) -> Option<(f64, u64)> {
        let mut packing = Packing {
            left: self.costs.clone(),
            bound: self.cost(node.given_up),
            kept: node.kept,
            split: None,
        };
        // Circuits with few rows left to choose from pay best.
        let mut unpaid: Vec<(u32, u64)> = (self.circuits.iter())
            .filter(|&circuit| circuit & node.given_up == 0)
            .map(|&circuit| ((circuit & !node.kept).count_ones(), circuit))
            .collect();
        unpaid.sort_unstable();
        for (_, circuit) in unpaid {
            packing.pay(circuit);
            if packing.bound >= self.enough {
                return None;
            }
        }
        loop {
            let used_up = members(self.all & !node.kept).filter(|&i| packing.left[i] == 0.0);
            let used_up = used_up.fold(0, |set, i| set | 1u64 << i);
            match system.verdict(self.all & !node.given_up & !used_up, node.kept) {
                Verdict::Circuit(circuit) => {
                    self.circuits.push(circuit);
                    packing.pay(circuit);
                    if packing.bound >= self.enough {
                        return None;
                    }
                    continue;
                }
                Verdict::Feasible(weights) => {
                    let missed = self.all & !system.satisfied(&weights);
                    self.enough = self.enough.min(self.cost(missed));
                }
                Verdict::Unknown => {}
            }
            if packing.split.is_none() {
                // Nothing says that giving up these rows is not enough.
                self.enough = self.enough.min(self.cost(node.given_up));
            }
            return packing.split.map(|split| (packing.bound, split));
        }
    }
}

/// Circuits that share the costs of their rows: what they pay together is a bound.
struct Packing {
    left: Vec<f64>,
    bound: f64,
    kept: u64,
    /// The circuit with the fewest rows to choose from.
    split: Option<u64>,
}

impl Packing {
    fn pay(&mut self, circuit: u64) {
        let free = circuit & !self.kept;
        let least = members(free).map(|i| self.left[i]).fold(f64::INFINITY, f64::min);
        self.bound += least; // infinite when every row of the circuit is kept
        if least > 0.0 {
            members(free).for_each(|i| self.left[i] -= least);
        }
        if self.split.is_none_or(|s| free.count_ones() < (s & !self.kept).count_ones()) {
            self.split = Some(circuit);
        }
    }
}
