//! The pseudo-inverse: `w = X̃⁺d`, with the threshold ½ folded into the bias; without a bias
//! `w = X⁺(2d − 1)`.

use faer::{Mat, Par};

use crate::arrangement::Arrangement;
use crate::error::Error;
use crate::pattern::Pattern;
use crate::solver::Budget;
use crate::solver::factor::Factor;
use crate::solver::margin::Rows;

/// `X̃⁺` of a matrix of full row rank: `X̃ᵀ(X̃X̃ᵀ)⁻¹`.
pub(super) struct PseudoInverse {
    rows: Mat<f64>,
    gram: Mat<f64>,
    factor: Factor,
    bias: bool,
}

impl PseudoInverse {
    pub(super) fn new(arrangement: &Arrangement<'_>, scaled: Rows<'_>) -> Result<Self, Error> {
        let (count, rank) = (arrangement.features().rows(), arrangement.rank());
        if rank < count {
            return Err(Error::RowRank { rows: count, rank });
        }
        let (dimension, bias) = (scaled.dimension, arrangement.has_bias());
        let rows = Mat::from_fn(count, dimension + usize::from(bias), |i, k| {
            if k < dimension { scaled.values[i * dimension + k] } else { 1.0 }
        });
        let mut gram = Mat::zeros(count, count);
        let (left, right) = (rows.as_ref(), rows.transpose());
        faer::linalg::matmul::matmul(
            gram.as_mut(),
            faer::Accum::Replace,
            left,
            right,
            1.0,
            Par::Seq,
        );
        let everything: Vec<usize> = (0..count).collect();
        let mut factor = Factor::default();
        factor.refactor(gram.as_ref(), &everything, &Budget::default());
        Ok(Self { rows, gram, factor, bias })
    }

    pub(super) fn weights(&self, pattern: &Pattern) -> (Vec<f64>, f64) {
        let (on, off) = if self.bias { (1.0, 0.0) } else { (1.0, -1.0) };
        let target: Vec<f64> = pattern.iter().map(|bit| if bit { on } else { off }).collect();
        let mut alpha = vec![0.0; target.len()];
        // One solution, and two refinements against rounding errors.
        for _ in 0..3 {
            let mut residual = target.clone();
            for (j, &a) in alpha.iter().enumerate().filter(|(_, a)| **a != 0.0) {
                let column = self.gram.col(j);
                residual.iter_mut().enumerate().for_each(|(i, r)| *r -= a * column[i]);
            }
            self.factor.solve(&mut residual);
            alpha.iter_mut().zip(residual).for_each(|(a, r)| *a += r);
        }
        let mut weights: Vec<f64> = (0..self.rows.ncols())
            .map(|k| alpha.iter().enumerate().map(|(i, a)| a * self.rows[(i, k)]).sum())
            .collect();
        let bias = if self.bias { weights.pop().expect("the bias column") - 0.5 } else { 0.0 };
        (weights, bias)
    }
}
