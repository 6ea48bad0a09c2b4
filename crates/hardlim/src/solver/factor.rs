//! A Cholesky factor `G_SS = LLᵀ` that detects dependent columns.
//!
//! It works by panels, so that nearly all work is one matrix product per panel. If the pivot of a
//! column is only a rounding error, the column lies in the span of those before it. Libraries stop
//! there, or go on with the error; here the column is set aside.

use faer::dyn_stack::MemStack;
use faer::linalg::cholesky::llt::solve::solve_in_place;
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::prelude::IntoConst;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::Budget;
use super::tuning::{CHUNK, FACTOR_PANEL, FLOPS, LONG};

/// Pivots below this fraction of their diagonal entry are rounding errors.
const DEPENDENT: f64 = 1e-11;
/// The pivot of a column that is set aside: it keeps the column at zero in every solution.
const HUGE: f64 = 1e150;

/// The factor of a symmetric positive semidefinite matrix, on the columns that do not depend on
/// those before them.
#[derive(Debug)]
pub(crate) struct Factor {
    set: Vec<usize>,
    /// `L` in its upper left corner; the entries above the diagonal have no meaning.
    lower: Mat<f64>,
    dependent: Vec<usize>,
}

impl Default for Factor {
    fn default() -> Self {
        Self { set: Vec::new(), lower: Mat::new(), dependent: Vec::new() }
    }
}

impl Factor {
    pub(crate) fn set(&self) -> &[usize] {
        &self.set
    }

    pub(crate) fn clear(&mut self) {
        self.set.clear();
        self.dependent.clear();
    }

    /// Factors the rows and columns `set` of `gram`. The earlier factor is kept for the columns
    /// with which both sets begin. The blocks do not depend on the number of threads, so the result
    /// does not either. If the budget is spent on the way, nothing is factored, and the result is
    /// `false`.
    pub(crate) fn refactor(
        &mut self,
        gram: MatRef<'_, f64>,
        set: &[usize],
        budget: &Budget<'_>,
    ) -> bool {
        let kept = self.set.iter().zip(set).take_while(|(a, b)| a == b).count();
        if kept == set.len() && kept == self.set.len() {
            return true;
        }
        let size = set.len();
        if self.lower.nrows() < size {
            let mut larger = Mat::zeros(size + size / 4, size + size / 4);
            let old = self.lower.submatrix(0, 0, kept, kept);
            larger.submatrix_mut(0, 0, kept, kept).copy_from(old);
            self.lower = larger;
        }
        let mut lower = self.lower.submatrix_mut(0, 0, size, size);
        for (k, &j) in set.iter().enumerate() {
            let column = column_mut(lower.as_mut(), k);
            let from = gram.col(j);
            (k.max(kept)..size).for_each(|i| column[i] = from[set[i]]);
        }
        // The rows below the part that is kept: L₂₁ = G₂₁L₁₁⁻ᵀ.
        let (top, below) = lower.as_mut().subcols_mut(0, kept).split_at_row_mut(kept);
        divide(below, top.as_ref());
        self.dependent.retain(|&k| k < kept);
        for start in (kept..size).step_by(FACTOR_PANEL) {
            let width = FACTOR_PANEL.min(size - start);
            let work = width * size * size / FLOPS;
            if work > LONG && budget.spent().is_some() {
                self.clear();
                return false;
            }
            budget.count(work);
            let (done, rest) = lower.as_mut().split_at_col_mut(start);
            let done = done.into_const().subrows(start, size - start);
            let mut panel = rest.subcols_mut(0, width).subrows_mut(start, size - start);
            let diagonal: Vec<f64> = (0..width).map(|k| panel[(k, k)]).collect();
            let top = done.subrows(0, width).transpose();
            let chunks = panel.as_mut().par_row_chunks_mut(CHUNK);
            let update = |(k, chunk): (usize, MatMut<'_, f64>)| {
                let done = done.subrows(k * CHUNK, chunk.nrows());
                matmul(chunk, Accum::Add, done, top, -1.0, Par::Seq);
            };
            chunks.enumerate().for_each(update);
            let (mut corner, below) = panel.split_at_row_mut(width);
            for k in 0..width {
                if !factor_column(corner.as_mut(), k, diagonal[k]) {
                    self.dependent.push(start + k);
                }
            }
            divide(below, corner.as_ref());
        }
        self.set = set.to_vec();
        true
    }

    pub(crate) fn dependent(&self) -> Vec<usize> {
        self.dependent.iter().map(|&k| self.set[k]).collect()
    }

    /// Replaces `right` by the solution of `G_SS x = right`, which is zero for columns set aside,
    /// and everywhere if nothing is factored because the budget was spent.
    pub(crate) fn solve(&self, right: &mut [f64]) {
        let size = right.len();
        if self.set.len() != size {
            return right.fill(0.0);
        }
        let right = MatMut::from_column_major_slice_mut(right, size, 1);
        let lower = self.lower.submatrix(0, 0, size, size);
        solve_in_place(lower, right, Par::Seq, MemStack::new(&mut []));
    }
}

/// Replaces `below` by `below·L⁻ᵀ`.
fn divide(below: MatMut<'_, f64>, lower: MatRef<'_, f64>) {
    below.par_row_chunks_mut(CHUNK).for_each(|chunk| {
        solve_lower_triangular_in_place(lower, chunk.transpose_mut(), Par::Seq);
    });
}

/// Factors column `k` of a block whose earlier columns are done. Returns `false` if it is set
/// aside.
fn factor_column(mut block: MatMut<'_, f64>, k: usize, diagonal: f64) -> bool {
    for earlier in 0..k {
        let (left, right) = block.as_mut().split_at_col_mut(k);
        let from = left.into_const().col(earlier).try_as_col_major().expect("stored by columns");
        let from = from.as_slice();
        let scale = from[k];
        if scale != 0.0 {
            let to = column_mut(right, 0);
            to[k..].iter_mut().zip(&from[k..]).for_each(|(t, f)| *t -= scale * f);
        }
    }
    let column = column_mut(block, k);
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
            let mut factor = Factor::default();
            factor.refactor(gram.as_ref(), &set, &Budget::default());
            assert_eq!(factor.dependent(), (size..2 * size).collect::<Vec<_>>(), "size {size}");
            let mut right: Vec<f64> = (0..2 * size).map(|k| k as f64).collect();
            factor.solve(&mut right);
            assert!(right[size..].iter().all(|x| x.abs() < 1e-20));
            assert!(right[..size].iter().enumerate().all(|(k, x)| (x - k as f64).abs() < 1e-12));
        }
    }

    #[test]
    fn what_is_kept_gives_the_same_factor() {
        let gram = Mat::from_fn(90, 90, |a, b| {
            f64::from(u8::from(a == b)) * 3.0 + ((a * b) % 7) as f64 * ((a + b) % 5) as f64 / 50.0
        });
        let gram = Mat::from_fn(90, 90, |a, b| (0..90).map(|k| gram[(k, a)] * gram[(k, b)]).sum());
        let first: Vec<usize> = (0..70).collect();
        let second: Vec<usize> = (0..40).chain(45..90).collect();
        let mut updated = Factor::default();
        updated.refactor(gram.as_ref(), &first, &Budget::default());
        updated.refactor(gram.as_ref(), &second, &Budget::default());
        let mut fresh = Factor::default();
        fresh.refactor(gram.as_ref(), &second, &Budget::default());
        let right: Vec<f64> = (0..second.len()).map(|k| k as f64 - 30.0).collect();
        let (mut a, mut b) = (right.clone(), right);
        updated.solve(&mut a);
        fresh.solve(&mut b);
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= 1e-9 * (1.0 + b.abs())));
    }
}
