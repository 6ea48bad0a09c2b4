//! Neurons of one input over rows in blocks: sums of the dual point from one end of a column.
//!
//! A block puts its rows into bins between given edges, or lists the values of a range with their
//! sums. Both are added up exactly, so that they do not depend on the blocks.

use serde::{Deserialize, Serialize};

use super::block::{Block, Visit};
use super::sampling::Sampling;

/// The rows whose value in a column lies between two edges.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Bin {
    pub(super) rows: u64,
    /// `Σz₊` and `Σz₋`.
    pub(super) sums: [f64; 2],
    /// The least and the largest value; zero if there is no row.
    pub(super) ends: [f64; 2],
}

impl Bin {
    fn add(&mut self, x: f64, z: f64) {
        self.ends = match self.rows {
            0 => [x; 2],
            _ => [self.ends[0].min(x), self.ends[1].max(x)],
        };
        self.rows += 1;
        self.sums[usize::from(z < 0.0)] += z.abs();
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.ends = match (self.rows, other.rows) {
            (_, 0) => self.ends,
            (0, _) => other.ends,
            _ => [self.ends[0].min(other.ends[0]), self.ends[1].max(other.ends[1])],
        };
        self.rows += other.rows;
        self.sums.iter_mut().zip(&other.sums).for_each(|(a, b)| *a += b);
    }
}

/// A range of values of a column, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Range {
    pub(super) column: usize,
    pub(super) ends: [f64; 2],
}

/// Values in ascending order, each with the sum of the dual point over its rows.
pub(super) type Steps = Vec<(f64, f64)>;

impl Block {
    /// The different values of each column in the rows that a sampling takes, in ascending order.
    pub(super) fn values(&self, sampling: Sampling) -> Vec<Vec<f64>> {
        let rows: Vec<usize> =
            (0..self.rows()).filter(|&i| sampling.takes(self.first + i as u64)).collect();
        let column = |j: usize| {
            let mut values: Vec<f64> = rows.iter().map(|&i| self.features.row(i)[j]).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            values
        };
        (0..self.features.dimension()).map(column).collect()
    }

    /// Its rows in bins, for each column: those below the first edge, those from there to the
    /// second, and so on.
    pub(super) fn bins(&self, visit: &Visit, edges: &[Vec<f64>]) -> Vec<Vec<Bin>> {
        let z = self.dual(visit);
        let column = |(j, edges): (usize, &Vec<f64>)| {
            let mut bins = vec![Bin::default(); edges.len() + 1];
            for (i, &z) in z.iter().enumerate() {
                let x = self.features.row(i)[j];
                bins[edges.partition_point(|edge| *edge <= x)].add(x, z);
            }
            bins
        };
        edges.iter().enumerate().map(column).collect()
    }

    pub(super) fn steps(&self, visit: &Visit, ranges: &[Range]) -> Vec<Steps> {
        let z = self.dual(visit);
        let mut steps = vec![Steps::new(); ranges.len()];
        for j in 0..self.features.dimension() {
            // The ranges of a column do not overlap.
            let mut own: Vec<usize> =
                (0..ranges.len()).filter(|&r| ranges[r].column == j).collect();
            own.sort_by(|&a, &b| ranges[a].ends[0].total_cmp(&ranges[b].ends[0]));
            if own.is_empty() {
                continue;
            }
            for (i, &z) in z.iter().enumerate() {
                let x = self.features.row(i)[j];
                let at = own.partition_point(|&r| ranges[r].ends[0] <= x);
                if let Some(&r) = at.checked_sub(1).map(|at| &own[at])
                    && x <= ranges[r].ends[1]
                {
                    steps[r].push((x, z));
                }
            }
        }
        for steps in &mut steps {
            steps.sort_by(|a, b| a.0.total_cmp(&b.0));
            *steps = added(std::mem::take(steps).into_iter());
        }
        steps
    }
}

/// Steps in ascending order, those of equal values added up.
fn added(sorted: impl Iterator<Item = (f64, f64)>) -> Steps {
    let mut steps = Steps::new();
    for (x, z) in sorted {
        match steps.last_mut() {
            Some(last) if last.0 == x => last.1 += z,
            _ => steps.push((x, z)),
        }
    }
    steps
}

/// Adds the steps of other rows.
pub(super) fn merge_steps(steps: &mut Steps, other: &Steps) {
    let (mut a, mut b) = (steps.iter().copied().peekable(), other.iter().copied().peekable());
    let next = || match (a.peek(), b.peek()) {
        (Some(x), Some(y)) if y.0 < x.0 => b.next(),
        (Some(_), _) => a.next(),
        (None, _) => b.next(),
    };
    *steps = added(std::iter::from_fn(next));
}

/// Adds the values of other rows, in ascending order.
pub(super) fn merge_values(values: &mut Vec<f64>, other: &[f64]) {
    values.extend(other);
    values.sort_by(f64::total_cmp);
    values.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrangement::Hyperplane;
    use crate::data::Features;
    use crate::loss::LossKind;
    use crate::rows::{Blocks, OneInput, Rows};
    use proptest::prelude::*;

    /// The definition: every split of every column, row by row.
    fn price_plain(x: &[[f64; 2]], z: &[f64]) -> f64 {
        let mut most = z.iter().sum::<f64>().abs();
        for j in 0..2 {
            for t in x.iter().map(|row| row[j]) {
                let above: f64 = (x.iter().zip(z)).filter(|(x, _)| x[j] >= t).map(|(_, z)| z).sum();
                let below: f64 = z.iter().sum::<f64>() - above;
                most = most.max(above.abs()).max(below.abs());
            }
        }
        most
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn the_price_over_one_input_is_that_of_the_definition(
            rows in prop::collection::vec((-9i32..9, -300i32..300, prop::bool::ANY), 1..90),
            cut in 0usize..90, few in 0u64..20,
        ) {
            let x: Vec<[f64; 2]> =
                rows.iter().map(|r| [f64::from(r.0), 0.1 * f64::from(r.1)]).collect();
            let y: Vec<f64> = rows.iter().map(|r| if r.2 { 1.0 } else { -1.0 }).collect();
            // At zero the derivative of the logistic loss is −y/2.
            let z: Vec<f64> = y.iter().map(|y| -0.5 * y).collect();
            let cut = cut.min(rows.len());
            let mut blocks = Blocks::in_memory();
            for range in [0..cut, cut..rows.len()].into_iter().filter(|range| !range.is_empty()) {
                let values = x[range.clone()].concat();
                let features = Features::new(range.len(), 2, values).unwrap();
                let block = Block::new(range.start as u64, features, y[range].to_vec(), None);
                blocks.push(block.unwrap()).unwrap();
            }
            let visit = Visit {
                loss: LossKind::Logistic,
                class: None,
                held_out: false,
                coefficients: Vec::new(),
                unit: 2f64.powi(-40),
                thetas: Vec::new(),
            };
            // Few edges or many: the maximum is the same.
            let sampling = Sampling::leaving(few, rows.len() as u64);
            let one = OneInput::with_edges(&blocks, sampling).unwrap();
            let priced = one.price(&blocks, &visit, f64::INFINITY).unwrap();
            prop_assert_eq!(priced.value, price_plain(&x, &z));
            let best: Vec<Hyperplane> =
                priced.splits.iter().take(5).map(|split| split.neuron(2)).collect();
            blocks.answer(&best).unwrap();
            let sums = (&blocks as &dyn Rows).visit(visit).unwrap();
            for (split, sum) in priced.splits.iter().zip(sums.correlations) {
                prop_assert_eq!(split.price, sum);
            }
        }
    }
}
