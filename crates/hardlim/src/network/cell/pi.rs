//! The pseudo-inverse: `w = X̃⁺d`, with the threshold ½ folded into the bias; without a bias
//! `w = X⁺(2d − 1)`.

use faer::{Accum, Mat, Par};

use super::Task;
use super::max_margin::Fold;
use crate::arrangement::Hyperplane;
use crate::error::Error;
use crate::pattern::Pattern;
use crate::solver::Budget;
use crate::solver::factor::Factor;
use crate::solver::margin::Vectors;

/// `X̃⁺d` for every cell, by `X̃⁺ = X̃ᵀ(X̃X̃ᵀ)⁻¹`.
pub(super) fn planes(
    task: Task<'_>,
    scaled: Vectors<'_>,
    fold: Fold<'_>,
) -> Result<Vec<Option<Hyperplane>>, Error> {
    let (count, rank) = (task.arrangement.features().rows(), task.arrangement.rank());
    if rank < count {
        return Err(Error::RowRank { rows: count, rank });
    }
    let (dimension, bias) = (scaled.dimension, task.arrangement.has_bias());
    let rows = Mat::from_fn(count, dimension + usize::from(bias), |i, k| {
        if k < dimension { scaled.values[i * dimension + k] } else { 1.0 }
    });
    let mut gram = Mat::zeros(count, count);
    let (into, left, right) = (gram.as_mut(), rows.as_ref(), rows.transpose());
    faer::linalg::matmul::matmul(into, Accum::Replace, left, right, 1.0, Par::Seq);
    let mut factor = Factor::default();
    factor.refactor(gram.as_ref(), &Vec::from_iter(0..count), &Budget::default());
    let weights = |pattern: &Pattern| {
        let (on, off) = if bias { (1.0, 0.0) } else { (1.0, -1.0) };
        let target: Vec<f64> = pattern.iter().map(|bit| if bit { on } else { off }).collect();
        let mut alpha = vec![0.0; count];
        // One solution, and two refinements against rounding errors.
        for _ in 0..3 {
            let mut residual = target.clone();
            for (j, &a) in alpha.iter().enumerate().filter(|(_, a)| **a != 0.0) {
                let column = gram.col(j);
                residual.iter_mut().enumerate().for_each(|(i, r)| *r -= a * column[i]);
            }
            factor.solve(&mut residual);
            alpha.iter_mut().zip(residual).for_each(|(a, r)| *a += r);
        }
        let mut weights: Vec<f64> = (0..rows.ncols())
            .map(|k| alpha.iter().enumerate().map(|(i, a)| a * rows[(i, k)]).sum())
            .collect();
        let bias = if bias { weights.pop().expect("the bias column") - 0.5 } else { 0.0 };
        (weights, bias)
    };
    Ok(task.each(|cell| Some(fold(weights(&cell.pattern)))))
}
