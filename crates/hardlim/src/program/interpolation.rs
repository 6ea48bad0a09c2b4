//! The interpolation program: `min ‖w‖₁` where `Dw = y`.
//!
//! The limit of training as `β → 0`. Its value is the gauge of `y` in `Conv{±dⱼ}` (Proposition
//! 2.4). Its dual is `max yᵀz` where `|dᵀz| ≤ 1` for every `d`. For any `z` and `U = max |dᵀz|`,
//! every `w` with `Dw = y` has `‖w‖₁ ≥ |yᵀz|/U`. If `U = 0` and `yᵀz ≠ 0`, there is no such `w` at
//! all.

use std::borrow::Cow;

use crate::data::Targets;
use crate::error::Error;
use crate::exact::sum::{Sum, round_to_grid};
use crate::pattern::{Pattern, PatternMatrix};

/// `min ‖w‖₁` where `Dw = y`, on the rows that have a target.
#[derive(Debug, Clone)]
pub(crate) struct InterpolationProgram<'a> {
    patterns: Cow<'a, PatternMatrix>,
    y: Vec<f64>,
    rows: Vec<usize>,
}

/// A vector that bounds the norm of interpolating coefficients: `z` with `|dᵀz| ≤ U` for every
/// pattern and `yᵀz > 0`.
#[derive(Debug, Clone, PartialEq)]
pub struct Separation {
    /// `z`, one number for each distinct row, on a grid where its sums are exact.
    pub z: Vec<f64>,
    /// `U = max |dᵀz|`, exactly. If it is zero, no coefficients interpolate; otherwise none with a
    /// norm below `yᵀz/U` do.
    pub price: f64,
    /// `yᵀz`, rounded down.
    pub product: f64,
    /// If the price is zero: the least amount by which some target is always missed, `yᵀz/‖z‖₁`.
    pub miss: f64,
}

impl<'a> InterpolationProgram<'a> {
    /// The program of a dictionary.
    ///
    /// # Errors
    /// When patterns and targets have different numbers of rows, or a row has several targets.
    pub(crate) fn new(patterns: &'a PatternMatrix, targets: &Targets) -> Result<Self, Error> {
        let (expected, found) = (targets.rows(), patterns.samples());
        if expected != found {
            return Err(Error::Length { what: "rows of the patterns", expected, found });
        }
        if let Some((row, targets)) = Self::conflict(targets) {
            return Err(Error::Conflict { row: row + 1, targets });
        }
        let first = |g: usize| targets.row(g).iter().next().map(|(y, _)| y);
        let (rows, y): (Vec<usize>, Vec<f64>) =
            (0..targets.rows()).filter_map(|g| Some((g, first(g)?))).unzip();
        if rows.len() == targets.rows() {
            return Ok(Self { patterns: Cow::Borrowed(patterns), y, rows });
        }
        let part = |j| Pattern::from_fn(rows.len(), |i| patterns.get(rows[i], j));
        let parts: Vec<Pattern> = (0..patterns.patterns()).map(part).collect();
        let patterns = Cow::Owned(PatternMatrix::from_patterns(rows.len(), &parts));
        Ok(Self { patterns, y, rows })
    }

    /// The first distinct row with two targets, which no function of the row can both meet, and the
    /// two.
    pub(crate) fn conflict(targets: &Targets) -> Option<(usize, (f64, f64))> {
        targets.iter().enumerate().find_map(|(row, atoms)| {
            let mut values = atoms.iter().map(|(y, _)| y);
            Some((row, (values.next()?, values.next()?)))
        })
    }

    /// `D`, on the rows that have a target.
    pub(crate) fn patterns(&self) -> &PatternMatrix {
        &self.patterns
    }

    /// `y`.
    pub(crate) fn targets(&self) -> &[f64] {
        &self.y
    }

    pub(crate) fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// `max |Dw − y|`.
    pub(crate) fn residual(&self, coefficients: &[f64]) -> f64 {
        let output = self.patterns.times(coefficients);
        output.iter().zip(&self.y).map(|(u, y)| (u - y).abs()).fold(0.0, f64::max)
    }

    /// What `z` proves, after it is rounded to the grid and its sign is chosen so that `yᵀz ≥ 0`.
    pub(crate) fn separation(&self, mut z: Vec<f64>) -> Separation {
        round_to_grid(&mut z);
        let mut product: Sum = self.y.iter().zip(&z).map(|(y, z)| y * z).collect();
        if product.value() < 0.0 {
            z.iter_mut().for_each(|z| *z = 0.0 - *z);
            product = self.y.iter().zip(&z).map(|(y, z)| y * z).collect();
        }
        let product = product.value() - 4.0 * f64::EPSILON * product.size();
        let price =
            self.patterns.correlations(&z).into_iter().fold(0.0, |max, c| f64::max(max, c.abs()));
        let length: f64 = z.iter().map(|z| z.abs()).sum();
        let miss = if length > 0.0 { (product / length).max(0.0) } else { 0.0 };
        Separation { z, price, product, miss }
    }
}

impl Separation {
    /// A lower bound on the norm of all interpolating coefficients, if other patterns price at most
    /// `price`.
    pub fn lower_bound(&self, price: f64) -> f64 {
        match self.price.max(price) {
            _ if self.product <= 0.0 => 0.0,
            0.0 => f64::INFINITY,
            price => (self.product / price).next_down(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[[u8; 3]]) -> PatternMatrix {
        let column = |j: usize| Pattern::from_fn(rows.len(), |i| rows[i][j] == 1);
        PatternMatrix::from_patterns(rows.len(), &[column(0), column(1), column(2)])
    }

    #[test]
    fn a_vector_proves_a_norm_or_that_there_is_none() {
        let patterns = matrix(&[[1, 0, 1], [0, 1, 1], [1, 0, 1]]);
        let program =
            |y: &[f64]| InterpolationProgram::new(&patterns, &Targets::plain(y.to_vec())).unwrap();
        let proof = program(&[2.0, -1.0, 2.0]).separation(vec![0.5, -1.0, 0.5]);
        let below = |found: f64, value: f64| found < value && found > value - 1e-14;
        assert!(proof.price == 1.0 && below(proof.lower_bound(0.0), 3.0), "{proof:?}");
        assert!(below(proof.lower_bound(2.0), 1.5), "{proof:?}");
        // The first and the third row have the same output.
        let proof = program(&[1.0, 0.0, 3.0]).separation(vec![1.0, 0.0, -1.0]);
        assert_eq!((proof.price, proof.z[0], proof.lower_bound(0.0)), (0.0, -1.0, f64::INFINITY));
        assert!((proof.miss - 1.0).abs() < 1e-12);
        assert_eq!(program(&[1.0, 0.0, 1.0]).separation(vec![0.0; 3]).lower_bound(0.0), 0.0);
    }

    #[test]
    fn rows_with_two_targets_conflict_and_those_with_none_are_free() {
        let patterns = matrix(&[[1, 0, 1], [0, 1, 1]]);
        let twice = Targets::grouped(2, &[0, 1, 1], &[1.0, 2.0, 3.0], None).unwrap();
        assert_eq!(InterpolationProgram::conflict(&twice), Some((1, (2.0, 3.0))));
        assert!(InterpolationProgram::new(&patterns, &twice).is_err());
        let free = Targets::grouped(2, &[0, 1], &[1.0, 2.0], Some(&[0.0, 1.0])).unwrap();
        let program = InterpolationProgram::new(&patterns, &free).unwrap();
        assert_eq!((program.rows(), program.targets()), (&[1][..], &[2.0][..]));
        assert_eq!(program.residual(&[5.0, 2.0, 0.0]), 0.0);
    }
}
