//! Bounds on `max |dᵀz|` in any rank, as good as the time allows.
//!
//! With the rows in blocks, `max_d dᵀz ≤ Σ max over the patterns of each block`: the blocks may each
//! choose a halfspace of their own. Blocks of one row give `Σz₊`; larger ones less, and one block is
//! the problem itself. For every block a tree ([`super::cover`]) bounds the weight of the rows that no
//! halfspace can please; stopped at any time, its bound holds.

use rayon::prelude::*;

use super::circuit::{MOST_ROWS, System};
use super::cover::Tree;
use super::points::Points;
use super::{BoundKind, LocalSearch, UpperBound, parts};
use crate::arrangement::Arrangement;
use crate::data::{Features, Scaling};

/// Line searches for a good halfspace of every block.
const SKETCH: LocalSearch = LocalSearch { starts: 24, steps: 100, keep: 1 };
/// Nodes that every block begins with; then twice as many, and so on.
const FIRST_NODES: usize = 64;

/// Rows in blocks, ready to be bounded for one `z` after the other.
#[derive(Debug)]
pub struct Branch<'a> {
    arrangement: Arrangement<'a>,
    blocks: Vec<Vec<u32>>,
}

impl<'a> Branch<'a> {
    /// Blocks of these rows.
    ///
    /// # Panics
    /// When a block has more than 64 rows, or a row is not in exactly one block.
    pub fn new(arrangement: Arrangement<'a>, blocks: Vec<Vec<u32>>) -> Self {
        let mut rows: Vec<u32> = blocks.iter().flatten().copied().collect();
        rows.sort_unstable();
        let count = arrangement.features().rows() as u32;
        assert!(rows.into_iter().eq(0..count), "every row is in one block");
        assert!(blocks.iter().all(|b| b.len() <= MOST_ROWS), "blocks of at most 64 rows");
        Self { arrangement, blocks }
    }

    /// `U ≥ max |dᵀz|`, better the longer it may take; `stop` is asked now and then, and told how
    /// many nodes every tree has seen.
    ///
    /// # Panics
    /// When there is not one number in `z` for each row.
    pub fn price(&self, z: &[f64], stop: &(dyn Fn(usize) -> bool + Sync)) -> UpperBound {
        assert_eq!(z.len(), self.arrangement.features().rows(), "one number for each row");
        let opposite: Vec<f64> = z.iter().map(|z| -z).collect();
        let total: f64 = z.iter().sum();
        let highest = self.most(z, stop);
        // With a bias the complement of a pattern is a pattern: min dᵀz = Σz − max dᵀz.
        let lowest = if self.arrangement.has_bias() {
            (highest.0 - total, highest.1)
        } else {
            self.most(&opposite, stop)
        };
        let value = highest.0.max(lowest.0);
        let exact = self.blocks.len() == 1 && highest.1 && lowest.1;
        let kind = if exact { BoundKind::Exact } else { BoundKind::Search };
        if value >= UpperBound::complete(z).value {
            return UpperBound::complete(z);
        }
        UpperBound { value, kind }
    }

    /// A number above `dᵀz` for every pattern, and whether all trees came to their end.
    fn most(&self, z: &[f64], stop: &(dyn Fn(usize) -> bool + Sync)) -> (f64, bool) {
        let mut searches: Vec<BlockSearch> =
            self.blocks.par_iter().map(|rows| self.begin(rows, z)).collect();
        let (mut nodes, mut seen) = (FIRST_NODES, 0);
        while searches.iter().any(|s| !s.tree.is_complete()) && !stop(seen) {
            searches.par_iter_mut().for_each(|search| {
                let system = System::new(&search.points, &search.z);
                let mut left = nodes;
                while left > 0 && !search.tree.is_complete() && !stop(seen) {
                    search.tree.search(&system, FIRST_NODES.min(left));
                    left = left.saturating_sub(FIRST_NODES);
                }
            });
            (seen, nodes) = (seen + nodes, 2 * nodes);
        }
        let value = searches.iter().map(|s| parts(&s.z).0 - s.tree.at_least()).sum();
        (value, searches.iter().all(|s| s.tree.is_complete()))
    }

    fn begin(&self, rows: &[u32], z: &[f64]) -> BlockSearch {
        let x = self.arrangement.features();
        // Rows of weight zero go where the others want them.
        let rows: Vec<usize> = rows.iter().map(|&i| i as usize).filter(|&i| z[i] != 0.0).collect();
        let z: Vec<f64> = rows.iter().map(|&i| z[i]).collect();
        let values = rows.iter().flat_map(|&i| x.row(i).to_vec()).collect();
        let features = Features::new(rows.len(), x.dimension(), values).expect("rows of features");
        let mut block = Arrangement::of(&features);
        if !self.arrangement.has_bias() {
            block = block.without_bias();
        }
        let points = Points::of(&block, usize::MAX).expect("any rank");
        let costs: Vec<f64> = z.iter().map(|z| z.abs()).collect();
        let mut enough = costs.iter().sum::<f64>();
        if !rows.is_empty() {
            let scaling = Scaling::fit(&features, &vec![1.0; rows.len()], block.has_bias());
            for priced in SKETCH.search(&block, &scaling, &z, &[], 0) {
                // The best for −z is the complement of a pattern that is as good for z.
                enough = enough.min(parts(&z).0 - priced.value);
            }
        }
        BlockSearch { points, tree: Tree::new(costs, enough), z }
    }
}

/// One block on its way.
struct BlockSearch {
    points: Points,
    z: Vec<f64>,
    tree: Tree,
}
