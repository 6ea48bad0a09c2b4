//! The staircase: all rows are projected on one direction, with a threshold between each two
//! neighbours.
//!
//! ```text
//! x₍₁₎·w < t₁ ≤ x₍₂₎·w < t₂ ≤ … ≤ x₍ₙ₎·w        n − 1 neurons 1{x·w − tₖ ≥ 0}
//! ```
//!
//! On the k-th row of the order exactly the first k − 1 neurons fire. With the bias, their answers
//! are the lower triangle of ones, whose inverse is the first difference. So any values on the rows
//! are given by `y₍₁₎ + Σₖ (y₍ₖ₊₁₎ − y₍ₖ₎) 1{x·w ≥ tₖ}`, and a threshold where nothing changes
//! needs no neuron. All inequalities hold for the real numbers `x·w`, not for their rounded values:
//! each threshold is tested on the two rows next to it ([`crate::pattern::threshold`]), and the
//! rest follows from the order.

use rand::Rng;
use rand_distr::StandardNormal;
use rayon::prelude::*;

use crate::arrangement::Hyperplane;
use crate::data::{Features, Scaling};
use crate::error::Error;
use crate::pattern::threshold::{activates, flush, is_weight};

/// Parallel hyperplanes, one between each two neighbours in the order of the projected rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Staircase {
    weights: Vec<f64>,
    /// Rows by ascending `x·w`.
    pub(crate) order: Vec<usize>,
    /// `−tₖ`, between the rows `order[k]` and `order[k + 1]`.
    biases: Vec<f64>,
}

impl Staircase {
    pub(crate) fn along(features: &Features, weights: Vec<f64>) -> Result<Self, Error> {
        assert_eq!(weights.len(), features.dimension(), "one weight for each feature");
        let dot = |i: usize| features.row(i).iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>();
        let projected: Vec<f64> = (0..features.rows()).map(dot).collect();
        let mut order: Vec<usize> = (0..features.rows()).collect();
        order.sort_unstable_by(|&a, &b| projected[a].total_cmp(&projected[b]).then(a.cmp(&b)));
        let separates = |bias: f64, below: usize, above: usize| {
            is_weight(bias)
                && !activates(features.row(below), &weights, bias)
                && activates(features.row(above), &weights, bias)
        };
        let biases = (order.windows(2))
            .map(|pair| {
                let (below, above) = (pair[0], pair[1]);
                let (low, high) = (projected[below], projected[above]);
                // The middle; if it rounds to the lower row, the upper row itself.
                [-f64::midpoint(low, high), -high]
                    .map(flush)
                    .into_iter()
                    .find(|&bias| separates(bias, below, above))
                    .ok_or(Error::NotSeparated {
                        rows: (below + 1, above + 1),
                        projections: (low, high),
                        directions: 1,
                    })
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { weights, order, biases })
    }

    /// Of the staircases along `directions` random directions, the one with the fewest changes of
    /// the labels, which are one for each row. Directions are independent normal numbers on the
    /// inputs as scaled by `scaling`, folded back to the inputs as read.
    pub(crate) fn shortest<T: PartialEq + Sync>(
        features: &Features,
        scaling: &Scaling,
        labels: &[T],
        directions: usize,
        rng: &mut impl Rng,
    ) -> Result<Self, Error> {
        assert!(directions > 0, "at least one direction");
        let drawn: Vec<Vec<f64>> = (0..directions).map(|_| direction(scaling, rng)).collect();
        type Found = Result<(usize, usize, Staircase), Error>;
        let better = |a: Found, b: Found| match (a, b) {
            (Ok(a), Ok(b)) => Ok(if (b.0, b.1) < (a.0, a.1) { b } else { a }),
            (Ok(found), Err(_)) | (Err(_), Ok(found)) => Ok(found),
            (Err(first), Err(_)) => Err(first),
        };
        let mut best = (drawn.into_par_iter().enumerate())
            .map(|(k, weights)| {
                let staircase = Self::along(features, weights)?;
                Ok((staircase.changes(labels).len(), k, staircase))
            })
            .reduce_with(better)
            .expect("at least one direction");
        if let Err(Error::NotSeparated { directions: tried, .. }) = &mut best {
            *tried = directions;
        }
        best.map(|(_, _, staircase)| staircase)
    }

    /// The neuron between the rows `order[k]` and `order[k + 1]`: it is on from the latter on.
    pub(crate) fn hyperplane(&self, k: usize) -> Hyperplane {
        Hyperplane { weights: self.weights.clone(), bias: self.biases[k] }
    }

    /// The thresholds where the label of a row differs from that of the row before, in ascending
    /// order. A network needs these to separate the labels.
    pub(crate) fn changes<T: PartialEq>(&self, labels: &[T]) -> Vec<usize> {
        assert_eq!(labels.len(), self.order.len(), "one label for each row");
        let differ = |k: &usize| labels[self.order[*k]] != labels[self.order[k + 1]];
        (0..self.biases.len()).filter(differ).collect()
    }
}

/// Independent normal weights on the scaled inputs, folded back to the inputs as read.
fn direction(scaling: &Scaling, rng: &mut impl Rng) -> Vec<f64> {
    let weights: Vec<f64> = (0..scaling.dimension()).map(|_| rng.sample(StandardNormal)).collect();
    scaling.fold(&weights, 0.0).0.into_iter().map(flush).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrangement::evaluate;
    use crate::pattern::Pattern;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn rng(seed: u64) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(seed)
    }

    proptest! {
        #[test]
        fn every_neuron_fires_on_the_rows_after_it_and_no_other(
            values in prop::collection::vec(-4i32..5, 2..60), seed in 0u64..100,
        ) {
            // Grids have many rows that are nearly, but not quite, equal.
            let values: Vec<f64> = values.iter().map(|v| 0.1 * f64::from(*v)).collect();
            let rows = values.len() / 2;
            let features = Features::new(rows, 2, values[..2 * rows].to_vec()).unwrap();
            let (features, _) = features.merge();
            let labels: Vec<usize> = (0..features.rows()).collect();
            let scaling = Scaling::identity(2);
            let stairs =
                Staircase::shortest(&features, &scaling, &labels, 8, &mut rng(seed)).unwrap();
            prop_assert_eq!(stairs.biases.len() + 1, features.rows());
            let planes: Vec<_> = (0..stairs.biases.len()).map(|k| stairs.hyperplane(k)).collect();
            let patterns = evaluate(&features, &planes);
            let mut place = vec![0; features.rows()];
            stairs.order.iter().enumerate().for_each(|(k, &i)| place[i] = k);
            for k in 0..stairs.biases.len() {
                let expected = Pattern::from_fn(features.rows(), |i| place[i] > k);
                prop_assert_eq!(patterns.pattern(k), expected);
            }
        }
    }

    #[test]
    fn changes_are_where_neighbours_differ() {
        let features = Features::new(5, 1, vec![3.0, 1.0, 2.0, 5.0, 4.0]).unwrap();
        let stairs = Staircase::along(&features, vec![1.0]).unwrap();
        assert_eq!(stairs.order, [1, 2, 0, 4, 3]);
        assert_eq!(stairs.changes(&[1.0, -1.0, -1.0, 2.0, 1.0]), [1, 3]);
        assert!(stairs.changes(&[7; 5]).is_empty());
        assert_eq!(stairs.hyperplane(1).bias, -2.5);
    }

    #[test]
    fn more_directions_never_make_it_longer() {
        let values: Vec<f64> = (0..120).map(|i| f64::from(i * 37 % 101)).collect();
        let features = Features::new(60, 2, values).unwrap();
        let labels: Vec<bool> = (0..60).map(|i| features.row(i)[0] > 50.0).collect();
        let scaling = Scaling::fit(&features, &[1.0; 60], true);
        let changes = |directions| {
            let found =
                Staircase::shortest(&features, &scaling, &labels, directions, &mut rng(1)).unwrap();
            found.changes(&labels).len()
        };
        assert!(changes(1) >= changes(8) && changes(8) >= changes(64));
        assert!(changes(64) < 20, "one input tells the labels apart");
    }

    #[test]
    fn rows_that_cannot_be_told_apart_are_named() {
        let features = Features::new(3, 2, vec![0.0, 1.0, 1.0, 0.0, 0.0, 1.0]).unwrap();
        let error = Staircase::along(&features, vec![1.0, 1.0]).unwrap_err().to_string();
        assert!(error.starts_with("rows 1 and 2 project to 1 and 1"), "{error}");
        let scaling = Scaling::identity(2);
        let error =
            Staircase::shortest(&features, &scaling, &[0, 1, 2], 8, &mut rng(0)).unwrap_err();
        let error = error.to_string();
        assert!(error.starts_with("rows 1 and 3 project to"), "{error}");
        assert!(error.contains("8 directions"), "{error}");
    }

    #[test]
    fn projections_that_round_alike_are_separated_where_a_double_lies_between() {
        // 1 and the next double: their middle rounds to 1, so the threshold is the upper row
        // itself.
        let features = Features::new(2, 1, vec![1.0, 1.0 + f64::EPSILON]).unwrap();
        let stairs = Staircase::along(&features, vec![1.0]).unwrap();
        assert_eq!(stairs.hyperplane(0).bias, -(1.0 + f64::EPSILON));
        // Three times each of them rounds to another pair of neighbours, or to one number.
        let features = Features::new(2, 1, vec![1.0, 1.0 + f64::EPSILON]).unwrap();
        assert!(Staircase::along(&features, vec![3.0]).is_ok());
    }

    #[test]
    fn one_row_or_none_has_no_threshold() {
        for rows in [0, 1] {
            let features = Features::new(rows, 1, vec![1.0; rows]).unwrap();
            assert!(Staircase::along(&features, vec![1.0]).unwrap().biases.is_empty());
        }
    }
}
