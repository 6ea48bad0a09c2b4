//! Bounds on `max |dᵀz|` for many rows: `dᵀz` is at most the sum over blocks of rows of the maximum
//! for each block alone.
//!
//! Blocks of one row give `Σz₊`; the larger the blocks, the better the bound, and the longer a tree
//! takes. Blocks of rows that share the value of a column give better bounds, because a halfspace
//! has one input less to tell them apart.
//!
//! For the programs this is a decomposition. With `Σ β_b ≤ β` over the blocks, dual points of the
//! programs of the blocks at `β_b`, side by side, are a dual point of the whole program at `β`. So
//! its optimum is at least the sum of the optima of the blocks.

use rayon::prelude::*;

use super::feasibility::MOST_ROWS;
use super::tuning::BLOCK_SKETCH;
use super::{BestPatterns, Bound, Branch, Price, parts};
use crate::arrangement::Arrangement;
use crate::data::{Features, Scaling};

/// Rows in blocks, prepared for bounds with one `z` after the other.
#[derive(Debug, Clone)]
pub(crate) struct Blocks {
    blocks: Vec<(Vec<u32>, Features)>,
    bias: bool,
}

impl Blocks {
    /// Blocks of at most `size` rows.
    ///
    /// # Panics
    /// When `size` is zero or above 128.
    pub(crate) fn new(arrangement: Arrangement<'_>, size: usize) -> Self {
        assert!((1..=MOST_ROWS).contains(&size), "blocks of 1 to 128 rows");
        let features = arrangement.features();
        let block = |rows: Vec<u32>| {
            let values = rows.iter().flat_map(|&i| features.row(i as usize).to_vec()).collect();
            let block = Features::new(rows.len(), features.dimension(), values);
            (rows, block.expect("rows of features"))
        };
        let blocks = partition(features, size).into_iter().map(block).collect();
        Self { blocks, bias: arrangement.has_bias() }
    }

    /// The rows of every block, and their features.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u32], &Features)> {
        self.blocks.iter().map(|(rows, features)| (&rows[..], features))
    }

    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Upper bounds on `dᵀz` and `−dᵀz`. They are better the more `nodes` every tree may have and
    /// the later `stop` returns true.
    ///
    /// # Panics
    /// When `z` is shorter than the rows.
    pub(crate) fn price(
        &self,
        z: &[f64],
        nodes: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> BestPatterns {
        let sides = |(rows, features): &(Vec<u32>, Features)| {
            let z: Vec<f64> = rows.iter().map(|&i| z[i as usize]).collect();
            self.sides(features, &z, nodes, stop)
        };
        let bounds: Vec<(f64, f64)> = self.blocks.par_iter().map(sides).collect();
        let (above, below) = bounds.iter().fold((0.0, 0.0), |s, b| (s.0 + b.0, s.1 + b.1));
        let complete = Price::complete(z);
        let better = f64::max(above, below) < complete.value;
        let bound = if better { Bound::Search } else { Bound::Complete };
        BestPatterns { found: Vec::new(), above, below, bound }
    }

    /// Upper bounds on `dᵀz` and `−dᵀz` for one block.
    fn sides(
        &self,
        features: &Features,
        z: &[f64],
        nodes: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> (f64, f64) {
        if stop() {
            return parts(z); // without a search there is nothing to prepare
        }
        let block = Arrangement::with_bias(features, self.bias);
        let scaling = Scaling::fit(features, &vec![1.0; features.rows()], self.bias);
        let (known, _) = BLOCK_SKETCH.search(&block, &scaling, z, &[], 0, stop);
        let answer = Branch::new(block).expect("few rows").price(z, &known, 0.0, nodes, stop);
        (answer.above, answer.below)
    }
}

/// Rows in blocks of at most `size`: rows with the most common value of a column form blocks as
/// long as they fill one; the others are dealt out in turn.
fn partition(features: &Features, size: usize) -> Vec<Vec<u32>> {
    let mut blocks = Vec::new();
    let mut groups = vec![(0..features.rows() as u32).collect::<Vec<u32>>()];
    while let Some(group) = groups.pop() {
        let common = (0..features.dimension())
            .filter_map(|j| most_common(features, &group, j).map(|(count, v)| (count, j, v)))
            .filter(|&(count, ..)| count >= size && group.len() > size)
            .max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
        if let Some((_, j, value)) = common {
            let (same, others) =
                group.into_iter().partition(|&i| features.row(i as usize)[j] == value);
            groups.extend([same, others]);
        } else if !group.is_empty() {
            let count = group.len().div_ceil(size);
            let dealt = |k: usize| group.iter().skip(k).step_by(count).copied().collect();
            blocks.extend((0..count).map(dealt));
        }
    }
    blocks
}

/// How often the most common value of a column occurs, and the value; `None` if it is the only one.
fn most_common(features: &Features, rows: &[u32], column: usize) -> Option<(usize, f64)> {
    let mut values: Vec<f64> = rows.iter().map(|&i| features.row(i as usize)[column]).collect();
    values.sort_unstable_by(f64::total_cmp);
    let runs = values.chunk_by(|a, b| a == b).map(|run| (run.len(), run[0]));
    let best = runs.max_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)))?;
    (best.0 < rows.len()).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::super::twin::{all_patterns, extremes, small_problem};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn no_pattern_is_above_the_bound_of_any_blocks(
            (features, z) in small_problem(9, 0usize..4, 2), bias in any::<bool>(),
            size in 1usize..10, nodes in 0usize..20,
        ) {
            let arrangement = Arrangement::with_bias(&features, bias);
            let (high, low) = extremes(&all_patterns(&arrangement), &z);
            let answer = Blocks::new(arrangement, size).price(&z, nodes, &|| false);
            prop_assert!(answer.above >= high && answer.below >= -low);
            prop_assert!(answer.price().value <= Price::complete(&z).value);
        }

        #[test]
        fn every_row_is_in_one_block(
            (features, _) in small_problem(60, 0usize..4, 2), size in 1usize..20,
        ) {
            let blocks = partition(&features, size);
            prop_assert!(blocks.iter().all(|b| (1..=size).contains(&b.len())));
            let mut rows = blocks.concat();
            rows.sort_unstable();
            prop_assert_eq!(rows, (0..features.rows() as u32).collect::<Vec<_>>());
        }
    }
}
