//! The working set: the columns that may be in use, and their Gram matrix `DᵀHD`, computed as they
//! enter.

use std::time::{Duration, Instant};

use faer::Mat;

use super::Budget;
use super::factor::Factor;
use super::tuning::{GRAM_PANEL, OVERLAPS};
use crate::pattern::{PatternMatrix, Weighting};

#[derive(Debug)]
pub(crate) struct WorkingSet<'a> {
    patterns: &'a PatternMatrix,
    /// The columns, in the order of the Gram matrix.
    pub(crate) columns: Vec<usize>,
    /// Whether a column of the dictionary is in the set.
    pub(crate) inside: Vec<bool>,
    /// `DᵀHD` over the columns.
    pub(crate) gram: Mat<f64>,
    /// The factor of the columns last in use.
    pub(crate) factor: Factor,
    /// `H` in units of the number beside it, after the first `restart`.
    pub(crate) weighting: Option<(Weighting, f64)>,
    pub(crate) gram_time: Duration,
}

impl<'a> WorkingSet<'a> {
    pub(crate) fn new(patterns: &'a PatternMatrix) -> Self {
        Self {
            patterns,
            columns: Vec::new(),
            inside: vec![false; patterns.patterns()],
            gram: Mat::new(),
            factor: Factor::default(),
            weighting: None,
            gram_time: Duration::ZERO,
        }
    }

    pub(crate) fn restart(&mut self, weighting: Weighting, scale: f64) {
        self.weighting = Some((weighting, scale));
        self.clear();
    }

    /// Adds columns that are not in the set, those with large coefficients `w` first, and adds
    /// their products to the Gram matrix. If the budget does not suffice, the set is empty
    /// afterwards, and the result is `false`.
    pub(crate) fn extend(
        &mut self,
        columns: impl IntoIterator<Item = usize>,
        w: &[f64],
        budget: &Budget<'_>,
    ) -> bool {
        let start = Instant::now();
        let old = self.columns.len();
        let mut columns: Vec<usize> = columns.into_iter().filter(|&j| !self.inside[j]).collect();
        // Columns with small coefficients are the likely ones to leave. Those before them keep
        // their factor.
        columns.sort_by(|&i, &j| w[j].abs().total_cmp(&w[i].abs()));
        columns.iter().for_each(|&j| self.inside[j] = true);
        self.columns.extend(columns);
        // The more columns there are, the fewer are multiplied with them before the budget is
        // asked.
        let (mut done, size) = (old, self.columns.len());
        while done < size {
            let each = (self.patterns.samples() * size / OVERLAPS).max(1);
            let next = size.min(done + (GRAM_PANEL / each).max(1));
            if next < size && budget.spent().is_some() {
                self.clear();
                break;
            }
            self.multiply(done, next);
            done = next;
        }
        self.gram_time += start.elapsed();
        done == size
    }

    fn clear(&mut self) {
        self.columns.clear();
        self.inside.fill(false);
        self.gram = Mat::new();
        self.factor.clear();
    }

    /// The products of the columns from `old` up to `size` with the columns before `size`.
    fn multiply(&mut self, old: usize, size: usize) {
        let (weighting, scale) = self.weighting.as_ref().expect("a curvature before columns");
        let columns = &self.columns[old..size];
        let mut block = match old {
            0 => self.patterns.weighted_gram_symmetric(columns, weighting),
            _ => self.patterns.weighted_gram(&self.columns[..size], columns, weighting),
        };
        if *scale != 1.0 {
            block *= faer::Scale(*scale);
        }
        if old == 0 {
            self.gram = block;
            return;
        }
        // Leaves room to grow: the matrix is copied only when the set has grown by a quarter.
        if self.gram.col_stride().unsigned_abs() < size {
            let room = (size + size / 4).max(self.columns.len()).min(self.inside.len());
            self.gram.reserve(room, room);
        }
        self.gram.resize_with(size, size, |_, _| 0.0);
        self.gram.as_mut().subcols_mut(old, size - old).copy_from(&block);
        let below = block.as_ref().subrows(0, old).transpose();
        self.gram.as_mut().submatrix_mut(old, 0, size - old, old).copy_from(below);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Pattern;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn products_do_not_depend_on_the_order_of_arrival() {
        let columns: Vec<Pattern> =
            (0..9).map(|j| Pattern::from_fn(70, |i| (i * i + j * i + j * j * j) % 5 < 2)).collect();
        let patterns = PatternMatrix::from_patterns(70, &columns);
        let weights: Vec<f64> = (0..70).map(|i| 0.5 + (i % 7) as f64).collect();
        let mut set = WorkingSet::new(&patterns);
        set.restart(Weighting::new(&weights), 2.0);
        for some in [vec![3, 1], vec![1, 8, 0], vec![], vec![7, 2, 4, 5, 6]] {
            assert!(set.extend(some, &[0.0; 9], &Budget::default()));
        }
        assert_eq!(set.columns.len(), 9);
        for (a, &i) in set.columns.iter().enumerate() {
            for (b, &j) in set.columns.iter().enumerate() {
                let both = (0..70).filter(|&k| columns[i].get(k) && columns[j].get(k));
                assert_eq!(set.gram[(a, b)], 2.0 * both.map(|k| weights[k]).sum::<f64>());
            }
        }
    }

    #[test]
    fn a_budget_that_ends_leaves_an_empty_set() {
        let columns: Vec<Pattern> =
            (0..60).map(|j| Pattern::from_fn(1 << 20, |i| (i + j) % (j + 2) == 0)).collect();
        let patterns = PatternMatrix::from_patterns(1 << 20, &columns);
        let flag = AtomicBool::new(true);
        let spent = Budget { interrupt: Some(&flag), ..Budget::default() };
        let mut set = WorkingSet::new(&patterns);
        set.restart(Weighting::Unit, 1.0);
        assert!(set.extend(0..10, &[0.0; 60], &Budget::default()));
        assert!(!set.extend(10..60, &[0.0; 60], &spent));
        assert!(set.columns.is_empty() && !set.inside[3]);
        assert!(set.extend(0..60, &[0.0; 60], &Budget::default()));
        let gram = patterns.gram_symmetric(&(0..60).collect::<Vec<_>>());
        assert_eq!(set.gram.as_ref(), gram.as_ref());
    }
}
