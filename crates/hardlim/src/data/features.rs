//! The matrix `X`, one sample per row.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::ops::Range;
use std::sync::Arc;

use crate::error::Error;
use crate::table::out_of_range;

/// A dense matrix of features, row by row. The numbers are as read, never scaled. Clones share
/// them.
#[derive(Debug, Clone, PartialEq)]
pub struct Features {
    dimension: usize,
    rows: usize,
    values: Arc<Vec<f64>>,
}

impl Features {
    /// Makes a matrix from its rows, one after the other. `-0.0` becomes `0.0`, so that equal
    /// numbers have equal bits.
    ///
    /// # Errors
    /// When the length is not `rows · dimension`, or a value is not finite or outside `10^±60`.
    pub fn new(rows: usize, dimension: usize, mut values: Vec<f64>) -> Result<Self, Error> {
        if values.len() != rows * dimension {
            return Err(Error::Length {
                what: "feature values",
                expected: rows * dimension,
                found: values.len(),
            });
        }
        for (k, v) in values.iter_mut().enumerate() {
            if let Some(reason) = out_of_range(*v) {
                let (row, feature) = (k / dimension + 1, k % dimension + 1);
                return Err(Error::Value { row, feature, value: *v, reason });
            }
            *v += 0.0; // turns -0.0 into 0.0
        }
        Ok(Self { dimension, rows, values: Arc::new(values) })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.dimension..(i + 1) * self.dimension]
    }

    /// All numbers, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    pub(crate) fn slice(&self, rows: Range<usize>) -> Self {
        if rows.len() == self.rows {
            return self.clone();
        }
        let values = self.values[rows.start * self.dimension..rows.end * self.dimension].to_vec();
        Self { dimension: self.dimension, rows: rows.len(), values: Arc::new(values) }
    }

    /// The matrix of these rows, in this order.
    pub fn select(&self, rows: &[usize]) -> Self {
        let values = rows.iter().flat_map(|&i| self.row(i)).copied().collect();
        Self { dimension: self.dimension, rows: rows.len(), values: Arc::new(values) }
    }

    /// The matrix of these columns, in this order.
    pub fn columns(&self, columns: &[u32]) -> Self {
        let row = |i: usize| columns.iter().map(move |&j| self.row(i)[j as usize]);
        let values = (0..self.rows).flat_map(row).collect();
        Self { dimension: columns.len(), rows: self.rows, values: Arc::new(values) }
    }

    /// The distinct rows in order of first appearance, and the index of every row among them. If
    /// all rows differ, or if nobody else shares the matrix, no second copy of it is made.
    pub fn merge(self) -> (Self, Vec<u32>) {
        let state = RandomState::new();
        let hash = |row: &[f64]| {
            let mut hasher = state.build_hasher();
            row.iter().for_each(|v| hasher.write_u64(v.to_bits()));
            hasher.finish()
        };
        // The last distinct row of every hash, and for each distinct row the one before it of the
        // same hash.
        let mut last: HashMap<u64, u32> = HashMap::with_capacity(self.rows);
        let mut before: Vec<u32> = Vec::new();
        let mut distinct: Vec<usize> = Vec::new();
        let mut row_of = Vec::with_capacity(self.rows);
        for i in 0..self.rows {
            let same = last.entry(hash(self.row(i))).or_insert(NONE);
            let mut g = *same;
            while g != NONE && self.row(distinct[g as usize]) != self.row(i) {
                g = before[g as usize];
            }
            if g == NONE {
                g = distinct.len() as u32;
                before.push(std::mem::replace(same, g));
                distinct.push(i);
            }
            row_of.push(g);
        }
        (self.keep(&distinct), row_of)
    }

    /// The matrix of these rows, which are in ascending order.
    fn keep(self, rows: &[usize]) -> Self {
        if rows.len() == self.rows {
            return self;
        }
        let d = self.dimension;
        let values = match Arc::try_unwrap(self.values) {
            Err(shared) => {
                rows.iter().flat_map(|&i| &shared[i * d..(i + 1) * d]).copied().collect()
            }
            Ok(mut values) => {
                for (g, &i) in rows.iter().enumerate() {
                    values.copy_within(i * d..(i + 1) * d, g * d);
                }
                values.truncate(rows.len() * d);
                values.shrink_to_fit();
                values
            }
        };
        Self { dimension: d, rows: rows.len(), values: Arc::new(values) }
    }
}

/// Stands for no row.
const NONE: u32 = u32::MAX;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_rows_merge_in_order_of_first_appearance() {
        let x = Features::new(4, 2, vec![1.0, 0.0, 2.0, 0.0, 1.0, -0.0, 3.0, 1.0]).unwrap();
        let (distinct, row_of) = x.merge();
        assert_eq!(row_of, [0, 1, 0, 2]);
        assert_eq!(distinct.values(), [1.0, 0.0, 2.0, 0.0, 3.0, 1.0]);
    }

    #[test]
    fn a_value_out_of_range_is_named_by_its_place() {
        let error = Features::new(2, 2, vec![1.0, 2.0, 3.0, f64::NAN]).unwrap_err();
        assert!(error.to_string().starts_with("row 2, feature 2: NaN is out of range"));
        assert!(Features::new(1, 1, vec![1e-70]).is_err());
        assert!(Features::new(1, 1, vec![1e70]).is_err());
    }

    #[test]
    fn rows_without_columns_are_one_row() {
        let (distinct, row_of) = Features::new(3, 0, Vec::new()).unwrap().merge();
        assert_eq!((distinct.rows(), row_of), (1, vec![0, 0, 0]));
    }

    /// The definition: compares every row with every distinct row before it.
    fn merge_plain(x: &Features) -> (Vec<usize>, Vec<u32>) {
        let (mut distinct, mut row_of) = (Vec::<usize>::new(), Vec::new());
        for i in 0..x.rows() {
            let place = distinct.iter().position(|&g| x.row(g) == x.row(i));
            row_of.push(place.unwrap_or(distinct.len()) as u32);
            if place.is_none() {
                distinct.push(i);
            }
        }
        (distinct, row_of)
    }

    proptest! {
        #[test]
        fn merging_compares_rows_whether_or_not_they_are_shared(
            d in 0usize..3,
            values in prop::collection::vec(-1i32..2, 0..60),
        ) {
            let rows = values.len().checked_div(d).unwrap_or(values.len());
            let values = values[..rows * d].iter().map(|&v| f64::from(v)).collect();
            let x = Features::new(rows, d, values).unwrap();
            let (distinct, row_of) = merge_plain(&x);
            let expected = (x.select(&distinct), row_of);
            let shared = x.clone();
            prop_assert_eq!(&x.merge(), &expected);
            prop_assert_eq!(&shared.merge(), &expected);
        }
    }
}
