//! `max |dᵀz|` over all neurons of one input, exactly, by a few passes.
//!
//! Such a neuron splits a column at a threshold, so `dᵀz` is the sum of `z` up to a value, or from
//! it on. A first pass adds up bins. Inside a bin the sum stays between what its positive and its
//! negative numbers can make of it, so most bins cannot hold the maximum. The values of those that
//! can are listed by further passes, as many at a time as fit.

use super::Rows;
use super::block::Visit;
use super::sampling::Sampling;
use super::steps::{Bin, Range, Steps};
use crate::arrangement::Hyperplane;
use crate::error::Error;
use crate::table::out_of_range;

/// About how many rows give the edges of the bins.
const EDGES: u64 = 2048;
/// About how many values a pass may list.
const LISTED: u64 = 1 << 22;

/// A neuron of one input, which splits a column between two values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Split {
    column: usize,
    between: [f64; 2],
    above: bool,
    /// `dᵀz`.
    pub(crate) price: f64,
}

impl Split {
    /// Its weights, with the threshold in the middle.
    pub(crate) fn neuron(&self, dimension: usize) -> Hyperplane {
        let [low, high] = self.between;
        let middle = 0.5 * low + 0.5 * high;
        let (usable, end) = if self.above {
            (middle > low && middle <= high, high)
        } else {
            (middle >= low && middle < high, low)
        };
        let threshold = if usable && out_of_range(middle).is_none() { middle } else { end };
        let sign = if self.above { 1.0 } else { -1.0 };
        let mut weights = vec![0.0; dimension];
        weights[self.column] = sign;
        Hyperplane { weights, bias: -sign * threshold }
    }
}

#[derive(Debug)]
pub(crate) struct Priced {
    /// The maximum, or the largest found if it is not exact.
    pub(crate) value: f64,
    /// Whether no neuron has more.
    pub(crate) exact: bool,
    /// The best neurons of the bins, the best first.
    pub(crate) splits: Vec<Split>,
}

/// The neurons of one input on rows in blocks.
#[derive(Debug)]
pub(crate) struct OneInput {
    edges: Vec<Vec<f64>>,
}

impl OneInput {
    pub(crate) fn of(rows: &dyn Rows, count: u64) -> Result<Self, Error> {
        Self::with_edges(rows, Sampling::leaving(EDGES, count))
    }

    /// The same with the values of these rows as edges; any are good enough.
    pub(super) fn with_edges(rows: &dyn Rows, sampling: Sampling) -> Result<Self, Error> {
        Ok(Self { edges: rows.values(sampling)? })
    }

    /// Splits of every column, about `each` of them, in both directions.
    pub(crate) fn spread(&self, each: usize) -> Vec<Split> {
        let column = |(column, edges): (usize, &Vec<f64>)| {
            let count = edges.len().saturating_sub(1).min(each);
            let cut = move |k: usize| 1 + k * (edges.len() - 1) / count;
            let pair = move |k: usize| {
                let between = [edges[cut(k) - 1], edges[cut(k)]];
                [true, false].map(|above| Split { column, between, above, price: 0.0 })
            };
            (0..count).flat_map(pair).collect::<Vec<_>>()
        };
        self.edges.iter().enumerate().flat_map(column).collect()
    }

    /// The maximum at the dual point of a network. If an edge of a bin has more than `enough`
    /// already, the search ends there.
    pub(crate) fn price(
        &self,
        rows: &dyn Rows,
        visit: &Visit,
        enough: f64,
    ) -> Result<Priced, Error> {
        let mut search = Search::new(rows.bins(visit.clone(), self.edges.clone())?);
        search.look_at_edges();
        let exact = search.best <= enough;
        let mut ranges = if exact { search.next() } else { Vec::new() };
        while !ranges.is_empty() {
            let found =
                rows.steps(visit.clone(), ranges.iter().map(|(_, range)| *range).collect())?;
            for ((before, range), steps) in ranges.iter().zip(found) {
                search.look_into(*before, *range, &steps);
            }
            ranges = search.next();
        }
        let mut splits = search.splits;
        let order = |s: &Split| (s.column, s.above);
        splits.sort_by(|a, b| {
            b.price.abs().total_cmp(&a.price.abs()).then_with(|| order(a).cmp(&order(b)))
        });
        Ok(Priced { value: search.best, exact, splits })
    }
}

struct Search {
    bins: Vec<Vec<Bin>>,
    /// `Σz`.
    total: f64,
    best: f64,
    splits: Vec<Split>,
    /// Bins that may hold the maximum: how much it may be there, the sum before the bin, and its
    /// rows.
    open: Vec<(f64, f64, Range, u64)>,
}

impl Search {
    fn new(bins: Vec<Vec<Bin>>) -> Self {
        let net = |bin: &Bin| bin.sums[0] - bin.sums[1];
        let total: f64 = bins.first().map_or(0.0, |bins| bins.iter().map(net).sum());
        Self { bins, total, best: total.abs(), splits: Vec::new(), open: Vec::new() }
    }

    /// Both neurons that split a column between two values; up to there the sum is `below`.
    fn split(&mut self, column: usize, between: [f64; 2], below: f64) -> [Split; 2] {
        let prices = [(true, self.total - below), (false, below)];
        prices.map(|(above, price)| {
            self.best = self.best.max(price.abs());
            Split { column, between, above, price }
        })
    }

    /// Looks at the splits between bins, and at what may be inside.
    fn look_at_edges(&mut self) {
        for (column, bins) in std::mem::take(&mut self.bins).into_iter().enumerate() {
            let mut before = 0.0;
            let mut last: Option<f64> = None;
            for Bin { rows, sums, ends } in bins.into_iter().filter(|bin| bin.rows > 0) {
                if let Some(last) = last.replace(ends[1]) {
                    let both = self.split(column, [last, ends[0]], before);
                    self.splits.extend(both);
                }
                let (low, high) = (before - sums[1], before + sums[0]);
                let reach = [low, high, self.total - low, self.total - high];
                let reach = reach.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
                if ends[0] < ends[1] {
                    self.open.push((reach, before, Range { column, ends }, rows));
                }
                before += sums[0] - sums[1];
            }
        }
        self.open.sort_by(|a, b| b.0.total_cmp(&a.0)); // stable: the order of columns and values
    }

    /// The most promising bins that are open, with the sums before them: as many as a pass may
    /// list.
    fn next(&mut self) -> Vec<(f64, Range)> {
        self.open.retain(|(reach, ..)| *reach > self.best);
        let mut rows = 0;
        let some = self.open.iter().take_while(|(.., own)| {
            rows += own;
            rows == *own || rows <= LISTED
        });
        let some = some.count();
        self.open.drain(..some).map(|(_, before, range, _)| (before, range)).collect()
    }

    /// Looks at all splits inside a bin, and keeps the best.
    fn look_into(&mut self, before: f64, Range { column, .. }: Range, steps: &Steps) {
        let mut below = before;
        let mut best: [Option<Split>; 2] = [None; 2];
        for pair in steps.windows(2) {
            below += pair[0].1;
            let both = self.split(column, [pair[0].0, pair[1].0], below);
            for (best, split) in best.iter_mut().zip(both) {
                if best.is_none_or(|best| split.price.abs() > best.price.abs()) {
                    *best = Some(split);
                }
            }
        }
        self.splits.extend(best.into_iter().flatten());
    }
}
