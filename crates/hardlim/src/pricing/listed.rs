//! Halfspaces of a few points, listed once.
//!
//! Columns of few values give groups of few points: three columns of one bit have eight, and 104
//! patterns. Such a list is added up for every `z` in less time than any search takes. Halfspaces
//! stay halfspaces if a column is shifted and stretched. So groups of the same *shape*, points on
//! the same integers, share a list.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use super::tuning::{MOST_PATTERNS, MOST_POINTS};
use crate::arrangement::Arrangement;
use crate::data::Features;
use crate::exact::dyadic::{Range, gcd};

/// The most bits of the integers of a shape.
const MOST_BITS: i32 = 50;
/// The smallest exponent of the unit of a column, without its sign. The inverse of a smaller one is
/// infinite.
const SMALLEST_UNIT: i32 = 1000;
const HALF: usize = 8;

/// The points of a group in ascending order, column by column.
type Shape = Vec<i64>;

#[derive(Debug, Default)]
pub(super) struct Lists {
    by_shape: Mutex<HashMap<Shape, Option<Arc<[u16]>>>>,
}

#[derive(Debug)]
pub(super) struct Listed {
    /// The points in the order of the bits.
    order: Vec<usize>,
    patterns: Arc<[u16]>,
}

pub(super) struct Extreme {
    pub(super) on: Vec<bool>,
    pub(super) value: f64,
}

impl Lists {
    /// The patterns of these distinct points with a bias; `None` if there are too many.
    pub(super) fn of(&self, points: &Features) -> Option<Listed> {
        if points.rows() > MOST_POINTS {
            return None;
        }
        let codes = (0..points.dimension())
            .map(|j| codes((0..points.rows()).map(|i| points.row(i)[j]).collect()))
            .collect::<Option<Vec<_>>>()?;
        let point = |i: usize| codes.iter().map(move |column| column[i]);
        let mut order: Vec<usize> = (0..points.rows()).collect();
        order.sort_by(|&a, &b| point(a).cmp(point(b)));
        let shape: Shape = order.iter().flat_map(|&i| point(i)).collect();
        let known = self.lock().get(&shape).cloned();
        // Not under the lock: listing may wait for threads that want it.
        let patterns = known.unwrap_or_else(|| {
            let new = list(&shape, points.rows(), points.dimension());
            self.lock().entry(shape).or_insert(new).clone()
        });
        Some(Listed { order, patterns: patterns? })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Shape, Option<Arc<[u16]>>>> {
        self.by_shape.lock().expect("nobody panics with it")
    }
}

impl Listed {
    /// The elementary steps of [`Listed::extremes`].
    pub(super) fn steps(&self) -> usize {
        2 * (1 << HALF) + self.patterns.len()
    }

    /// The patterns with the largest and with the smallest `dᵀz`.
    pub(super) fn extremes(&self, z: &[f64]) -> [Extreme; 2] {
        let sorted: Vec<f64> = self.order.iter().map(|&i| z[i]).collect();
        let (low, high) = sorted.split_at(sorted.len().min(HALF));
        let (low, high) = (sums(low), sums(high));
        let value = |d: u16| low[usize::from(d & 0xff)] + high[usize::from(d >> HALF)];
        let (mut most, mut least) = ((f64::NEG_INFINITY, 0), (f64::INFINITY, 0));
        for &pattern in &*self.patterns {
            let value = value(pattern);
            if value > most.0 {
                most = (value, pattern);
            }
            if value < least.0 {
                least = (value, pattern);
            }
        }
        [most, least].map(|(value, pattern)| {
            let mut on = vec![false; self.order.len()];
            self.order.iter().enumerate().for_each(|(bit, &i)| on[i] = pattern >> bit & 1 == 1);
            Extreme { on, value }
        })
    }
}

/// The sums over all subsets, in the order of their bits. Numbers of `z` lie on a grid where sums
/// are exact.
fn sums(z: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    for z in z {
        let more: Vec<f64> = sums.iter().map(|sum| sum + z).collect();
        sums.extend(more);
    }
    sums
}

/// A column shifted and stretched to integers from zero without a common divisor; `None` if they
/// are too large.
fn codes(column: Vec<f64>) -> Option<Vec<i64>> {
    let low = column.iter().copied().fold(f64::INFINITY, f64::min);
    let high = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if column.iter().all(|&x| x == low || x == high) {
        return Some(column.iter().map(|&x| i64::from(x > low)).collect());
    }
    let range = Range::of(column.iter().copied());
    if range.bits() > MOST_BITS || range.low < -SMALLEST_UNIT {
        return None;
    }
    let unit = 2f64.powi(-range.low);
    let whole: Vec<i64> = column.iter().map(|x| (x * unit) as i64).collect();
    let least = whole.iter().copied().min().unwrap_or(0);
    let divisor = whole.iter().fold(0, |divisor, k| gcd(k - least, divisor)).max(1);
    Some(whole.iter().map(|k| (k - least) / divisor).collect())
}

/// The patterns of the points of a shape, in the order of its points.
fn list(shape: &Shape, points: usize, dimension: usize) -> Option<Arc<[u16]>> {
    let values = shape.iter().map(|&k| k as f64).collect();
    let features = Features::new(points, dimension, values).ok()?;
    let patterns = Arrangement::of(&features).listing(MOST_PATTERNS).ok()?.patterns().ok()?;
    Some((0..patterns.patterns()).map(|j| patterns.pattern(j).words()[0] as u16).collect())
}

#[cfg(test)]
mod tests {
    use super::super::twin::{all_patterns, extremes, small_problem};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_list_has_the_extremes_of_all_patterns(
            (features, z) in small_problem(10, 1usize..4, 2),
            scale in prop::sample::select(vec![1.0, 2.0, -3.0]),
        ) {
            let values = (0..features.rows()).flat_map(|i| features.row(i)).map(|x| scale * x);
            let (rows, dimension) = (features.rows(), features.dimension());
            let scaled = Features::new(rows, dimension, values.collect()).unwrap();
            let (points, point_of) = scaled.merge();
            let mut merged = vec![0.0; points.rows()];
            point_of.iter().zip(&z).for_each(|(&p, z)| merged[p as usize] += z);
            let patterns = all_patterns(&Arrangement::of(&points));
            let (high, low) = extremes(&patterns, &merged);
            let lists = Lists::default();
            for _ in 0..2 {
                let listed = lists.of(&points).unwrap();
                prop_assert_eq!(listed.patterns.len(), patterns.len());
                let [most, least] = listed.extremes(&merged);
                prop_assert_eq!((most.value, least.value), (high, low));
                for extreme in [most, least] {
                    let on = extreme.on.iter().zip(&merged).filter(|(on, _)| **on);
                    let sum: f64 = on.map(|(_, z)| z).sum();
                    prop_assert_eq!(sum, extreme.value);
                }
            }
        }
    }

    #[test]
    fn shapes_forget_where_a_column_starts_and_how_wide_it_is() {
        assert_eq!(codes(vec![0.5, 2.0, -1.0]), Some(vec![1, 2, 0]));
        assert_eq!(codes(vec![7.0, 7.0]), Some(vec![0, 0]));
        assert_eq!(codes(vec![1e30, 0.1]), Some(vec![1, 0]));
        assert_eq!(codes(vec![1e30, 1.0, 2.0]), None);
        assert_eq!(codes(vec![1e-320, 2e-320, 4e-320]), None);
        let many = Features::new(17, 1, (0..17).map(f64::from).collect()).unwrap();
        assert!(Lists::default().of(&many).is_none());
        let cube = (0..8).flat_map(|i| (0..3).map(move |j| f64::from(i >> j & 1)));
        let cube = Features::new(8, 3, cube.collect()).unwrap();
        assert_eq!(Lists::default().of(&cube).unwrap().patterns.len(), 104);
    }
}
