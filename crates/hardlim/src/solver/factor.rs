//! A Cholesky factor `G_SS = LLᵀ` that tells dependent columns apart.
//!
//! By panels, so that nearly all work is one matrix product a panel. A column whose pivot is no more
//! than rounding lies in the span of those before it; libraries stop there or go on with whatever is
//! left, here the column is set aside.

use faer::dyn_stack::MemStack;
use faer::linalg::cholesky::llt::solve::solve_in_place;
use faer::linalg::matmul::matmul;
use faer::prelude::IntoConst;
use faer::{Accum, Mat, MatMut, MatRef, Par};

/// Pivots below this part of their diagonal entry are rounding errors.
const DEPENDENT: f64 = 1e-11;
/// Columns in a panel.
const PANEL: usize = 32;
/// The pivot of a column that is set aside: it keeps the column at zero in every solution.
const HUGE: f64 = 1e150;

/// The factor of a symmetric positive semidefinite matrix, on the columns that do not depend on
/// those before them.
#[derive(Debug)]
pub(crate) struct Factor {
    lower: Mat<f64>,
    dependent: Vec<usize>,
}

impl Factor {
    /// Factors the rows and columns `set` of `gram`. One thread, so that the result does not depend
    /// on their number.
    pub(crate) fn new(gram: MatRef<'_, f64>, set: &[usize]) -> Self {
        let size = set.len();
        let mut lower = Mat::<f64>::zeros(size, size);
        for (k, &j) in set.iter().enumerate() {
            let from = gram.col(j);
            let column = column_mut(lower.as_mut(), k);
            set.iter().enumerate().skip(k).for_each(|(i, &row)| column[i] = from[row]);
        }
        let mut dependent = Vec::new();
        for start in (0..size).step_by(PANEL) {
            let width = PANEL.min(size - start);
            let (done, mut rest) = lower.as_mut().split_at_col_mut(start);
            let done = done.into_const().subrows(start, size - start);
            let mut panel = rest.as_mut().subcols_mut(0, width).subrows_mut(start, size - start);
            let diagonal: Vec<f64> = (0..width).map(|k| panel[(k, k)]).collect();
            let top = done.subrows(0, width).transpose();
            matmul(panel.as_mut(), Accum::Add, done, top, -1.0, Par::Seq);
            for k in 0..width {
                if !factor_column(panel.as_mut(), k, diagonal[k]) {
                    dependent.push(start + k);
                }
            }
        }
        Self { lower, dependent }
    }

    /// The places in the set of the columns that depend on those before them.
    pub(crate) fn dependent(&self) -> &[usize] {
        &self.dependent
    }

    /// Replaces `right` by the solution of `G_SS x = right`, zero where a column is set aside.
    pub(crate) fn solve(&self, right: &mut [f64]) {
        let size = right.len();
        let right = MatMut::from_column_major_slice_mut(right, size, 1);
        solve_in_place(self.lower.as_ref(), right, Par::Seq, MemStack::new(&mut []));
    }
}

/// Column `k` of a panel whose earlier columns are done; `false` when it is set aside.
fn factor_column(mut panel: MatMut<'_, f64>, k: usize, diagonal: f64) -> bool {
    for earlier in 0..k {
        let (left, right) = panel.as_mut().split_at_col_mut(k);
        let from = left.into_const().col(earlier).try_as_col_major().expect("stored by columns");
        let from = from.as_slice();
        let scale = from[k];
        if scale != 0.0 {
            let to = column_mut(right, 0);
            to[k..].iter_mut().zip(&from[k..]).for_each(|(t, f)| *t -= scale * f);
        }
    }
    let column = column_mut(panel, k);
    if column[k] <= DEPENDENT * diagonal {
        column[k..].fill(0.0);
        column[k] = HUGE;
        return false;
    }
    let inverse = column[k].sqrt().recip();
    column[k..].iter_mut().for_each(|c| *c *= inverse);
    true
}

fn column_mut(matrix: MatMut<'_, f64>, k: usize) -> &mut [f64] {
    matrix.col_mut(k).try_as_col_major_mut().expect("stored by columns").as_slice_mut()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_in_the_span_of_earlier_ones_are_found() {
        for size in [3usize, 5, 40, 100, 300] {
            // Columns of a matrix with `size` rows: unit vectors, then sums of two of them.
            let column = |j: usize| -> Vec<f64> {
                let on = |i: usize| i == j % size || (j >= size && i == (j + 1) % size);
                (0..size).map(|i| f64::from(u8::from(on(i)))).collect()
            };
            let gram = Mat::from_fn(2 * size, 2 * size, |a, b| {
                column(a).iter().zip(column(b)).map(|(x, y)| x * y).sum::<f64>()
            });
            let set: Vec<usize> = (0..2 * size).collect();
            let factor = Factor::new(gram.as_ref(), &set);
            assert_eq!(factor.dependent(), (size..2 * size).collect::<Vec<_>>(), "size {size}");
            let mut right: Vec<f64> = (0..2 * size).map(|k| k as f64).collect();
            factor.solve(&mut right);
            assert!(right[size..].iter().all(|x| x.abs() < 1e-20));
            assert!(right[..size].iter().enumerate().all(|(k, x)| (x - k as f64).abs() < 1e-12));
        }
    }
}
