//! Fewer columns that fit nearly as well: backward elimination.
//!
//! Least squares with the normal equations `G w = g` has the weights `w = K g`, `K = G⁻¹`. Without
//! column `j` the error rises by `wⱼ² / Kⱼⱼ`, the weights become `w − (wⱼ / Kⱼⱼ) kⱼ`, and `K`
//! becomes `K − kⱼ kⱼᵀ / Kⱼⱼ`. The column with the least rise goes, one after the other, until few
//! enough are left.

use crate::train::tuning::FEW_ALIKE;

pub(super) struct Elimination {
    inverse: Vec<Vec<f64>>,
    weights: Vec<f64>,
    /// What a rise is divided by: columns that cost more go first.
    costs: Vec<f64>,
    left: Vec<usize>,
}

impl Elimination {
    /// The problem with the matrix `G`, by rows, and the right-hand side `g`. A column that costs
    /// infinitely little stays.
    pub(super) fn new(mut gram: Vec<Vec<f64>>, right: &[f64], costs: Vec<f64>) -> Self {
        let size = gram.len();
        let mean = (0..size).map(|j| gram[j][j]).sum::<f64>() / size.max(1) as f64;
        (0..size).for_each(|j| gram[j][j] += FEW_ALIKE * mean.max(f64::MIN_POSITIVE));
        let inverse = inverse(gram);
        let product = |row: &Vec<f64>| row.iter().zip(right).map(|(k, g)| k * g).sum();
        let weights = inverse.iter().map(product).collect();
        Self { inverse, weights, costs, left: (0..size).collect() }
    }

    /// All columns in the order in which they go; those that matter most come last.
    pub(super) fn order(mut self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.left.len());
        while !self.left.is_empty() {
            let rise = |&j: &usize| self.weights[j].powi(2) / self.inverse[j][j] / self.costs[j];
            let least = self.left.iter().copied().min_by(|a, b| rise(a).total_cmp(&rise(b)));
            let least = least.expect("a column is left");
            self.remove(least);
            order.push(least);
        }
        order
    }

    fn remove(&mut self, j: usize) {
        self.left.retain(|&k| k != j);
        let column = self.inverse[j].clone();
        let by = self.weights[j] / column[j];
        for &a in &self.left {
            self.weights[a] -= by * column[a];
            let factor = column[a] / column[j];
            for &b in &self.left {
                self.inverse[a][b] -= factor * column[b];
            }
        }
    }
}

/// The inverse of a positive definite matrix: Gauss and Jordan, without pivots.
fn inverse(mut a: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = a.len();
    for k in 0..size {
        let pivot = a[k][k].recip();
        a[k][k] = 1.0;
        a[k].iter_mut().for_each(|v| *v *= pivot);
        let row = a[k].clone();
        for (_, other) in a.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = std::mem::take(&mut other[k]);
            other.iter_mut().zip(&row).for_each(|(v, r)| *v -= factor * r);
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The squared error of least squares on these columns, by the normal equations.
    fn error(x: &[Vec<f64>], y: &[f64], columns: &[usize]) -> f64 {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let gram = |&i: &usize| columns.iter().map(|&j| dot(&x[i], &x[j])).collect::<Vec<_>>();
        let inverse = inverse(columns.iter().map(gram).collect());
        let right: Vec<f64> = columns.iter().map(|&j| dot(&x[j], y)).collect();
        let weights: Vec<f64> = inverse.iter().map(|row| dot(row, &right)).collect();
        dot(y, y) - dot(&weights, &right)
    }

    proptest! {
        #[test]
        fn the_column_that_matters_least_goes_first(
            x in prop::collection::vec(prop::collection::vec(-1f64..1.0, 12), 5),
            y in prop::collection::vec(-1f64..1.0, 12),
        ) {
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let gram = || x.iter().map(|a| x.iter().map(|b| dot(a, b)).collect()).collect();
            let right: Vec<f64> = x.iter().map(|a| dot(a, &y)).collect();
            let mut all: Vec<usize> = (0..5).collect();
            while all.len() > 1 {
                let order = Elimination::new(gram(), &right, vec![1.0; 5]).order();
                let mut kept = order[6 - all.len()..].to_vec();
                kept.sort_unstable();
                let without = |&j: &usize| {
                    let rest: Vec<usize> = all.iter().copied().filter(|&k| k != j).collect();
                    error(&x, &y, &rest)
                };
                let least = all.iter().map(without).fold(f64::INFINITY, f64::min);
                // The ridge may change the order of columns that are nearly as good.
                prop_assert!(error(&x, &y, &kept) <= least + 1e-4);
                all = kept;
            }
        }
    }

    #[test]
    fn of_equal_columns_one_is_enough_and_dear_ones_go_first() {
        let gram = || vec![vec![2.0, 2.0, 0.0], vec![2.0, 2.0, 0.0], vec![0.0, 0.0, 2.0]];
        let first = Elimination::new(gram(), &[4.0, 4.0, 1.0], vec![1.0; 3]).order()[0];
        assert!(first < 2, "{first}");
        let apart = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
        assert_eq!(Elimination::new(apart.clone(), &[2.0, 1.9], vec![1.0, 1.0]).order(), [1, 0]);
        assert_eq!(Elimination::new(apart, &[2.0, 1.9], vec![2.0, 1.0]).order(), [0, 1]);
    }
}
