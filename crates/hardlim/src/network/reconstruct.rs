//! Back to weights: some `w` in the cell of every pattern.
//!
//! Any `w` with `1{X̃w ≥ 0} = d` gives the same training objective, so the choice is free. Whatever
//! is chosen is evaluated on the data before it is trusted.

use std::fmt;
use std::str::FromStr;

use faer::{Mat, Par};
use rayon::prelude::*;

use crate::arrangement::{Arrangement, Hyperplane, evaluate};
use crate::data::Scaling;
use crate::error::Error;
use crate::pattern::Pattern;
use crate::pattern::threshold::flush;
use crate::solver::factor::Factor;
use crate::solver::margin::{self, Rows};

/// Which weights to take inside a pattern's cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weights {
    /// The weights that generated the pattern.
    Sampled,
    /// The pseudo-inverse: `w = X̃⁺d`, with the threshold ½ folded into the bias; without a bias
    /// `w = X⁺(2d − 1)`. Needs full row rank.
    Pi,
    /// The widest margin between the rows that are on and those that are off.
    Svm,
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sampled => "sampled",
            Self::Pi => "pi",
            Self::Svm => "svm",
        })
    }
}

impl FromStr for Weights {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "sampled" => Ok(Self::Sampled),
            "pi" => Ok(Self::Pi),
            "svm" => Ok(Self::Svm),
            _ => Err(Error::Unknown {
                what: "choice of weights",
                got: text.into(),
                expected: "sampled, pi, svm",
            }),
        }
    }
}

/// A pattern that needs weights, and those that generated it where there are any.
#[derive(Debug, Clone)]
pub struct Cell {
    /// `d`.
    pub pattern: Pattern,
    /// Some `w` in the cell.
    pub witness: Option<Hyperplane>,
}

/// One hyperplane for each cell, realising exactly its pattern. `scaling` says how the inputs are
/// conditioned for arithmetic, and so what a margin is measured in.
///
/// Where a margin does not exist (a cell that is not open) the witness is kept.
///
/// # Errors
/// When `pi` is asked for without full row rank, when there is no witness to fall back on, or when
/// the weights found do not realise their pattern.
pub fn reconstruct(
    arrangement: &Arrangement<'_>,
    cells: Vec<Cell>,
    weights: Weights,
    scaling: &Scaling,
) -> Result<Vec<Hyperplane>, Error> {
    let features = arrangement.features();
    // Weights as drawn ask nothing of the rows: no copy of them is made.
    let drawn = weights == Weights::Sampled;
    let scaled = if drawn { Vec::new() } else { scaling.apply(features) };
    let rows = Rows { values: &scaled, dimension: features.dimension() };
    let fold = |w: &[f64], b: f64| {
        let (weights, bias) = scaling.fold(w, b);
        Hyperplane { weights: weights.into_iter().map(flush).collect(), bias: flush(bias) }
    };
    let proposed: Vec<Option<Hyperplane>> = match weights {
        Weights::Sampled => vec![None; cells.len()],
        Weights::Pi => {
            let inverse = PseudoInverse::new(arrangement, rows)?;
            cells
                .iter()
                .map(|cell| Some(inverse.weights(&cell.pattern)))
                .map(|w| w.map(|(w, b)| fold(&w, b)))
                .collect()
        }
        Weights::Svm => cells
            .par_iter()
            .map(|cell| {
                let near = near(arrangement, cell);
                let found = margin::widest(rows, &cell.pattern, arrangement.has_bias(), &near);
                found.map(|(w, b)| fold(&w, b))
            })
            .collect(),
    };
    let candidates: Vec<Hyperplane> = (proposed.into_iter().zip(&cells))
        .map(|(found, cell)| found.or_else(|| cell.witness.clone()))
        .collect::<Option<_>>()
        .ok_or(Error::NoWitness)?;
    let patterns = evaluate(features, &candidates);
    (candidates.into_iter().zip(cells).enumerate())
        .map(|(j, (candidate, cell))| {
            if patterns.pattern(j) == cell.pattern {
                Ok(candidate)
            } else {
                cell.witness.ok_or(Error::WeightsMissPattern { choice: weights.to_string() })
            }
        })
        .collect()
}

/// The rows nearest to the witness, a few more than a margin usually rests on; without a witness
/// the first rows.
fn near(arrangement: &Arrangement<'_>, cell: &Cell) -> Vec<usize> {
    let features = arrangement.features();
    let count = (features.dimension() + 10).min(features.rows());
    let Some(Hyperplane { weights, bias }) = &cell.witness else {
        return (0..count).collect();
    };
    let mut distances: Vec<(f64, usize)> = (0..features.rows())
        .map(|i| {
            let t: f64 = features.row(i).iter().zip(weights).map(|(x, w)| x * w).sum();
            ((t + bias).abs(), i)
        })
        .collect();
    if count < distances.len() {
        distances.select_nth_unstable_by(count, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }
    let mut near: Vec<usize> = distances[..count].iter().map(|d| d.1).collect();
    near.sort_unstable();
    near
}

/// `X̃⁺` of a matrix of full row rank: `X̃ᵀ(X̃X̃ᵀ)⁻¹`.
struct PseudoInverse {
    rows: Mat<f64>,
    gram: Mat<f64>,
    factor: Factor,
    bias: bool,
}

impl PseudoInverse {
    fn new(arrangement: &Arrangement<'_>, scaled: Rows<'_>) -> Result<Self, Error> {
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
        factor.refactor(gram.as_ref(), &everything);
        Ok(Self { rows, gram, factor, bias })
    }

    fn weights(&self, pattern: &Pattern) -> (Vec<f64>, f64) {
        let (on, off) = if self.bias { (1.0, 0.0) } else { (1.0, -1.0) };
        let target: Vec<f64> = pattern.iter().map(|bit| if bit { on } else { off }).collect();
        let mut alpha = vec![0.0; target.len()];
        // One solution and two refinements against rounding.
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
