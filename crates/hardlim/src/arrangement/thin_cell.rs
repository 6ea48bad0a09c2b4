//! A cell so thin that weights in it may not be doubles, and how to find some that are.
//!
//! The doubles around a point inside are searched first ([`super::rounding`]). If that finds
//! nothing, the cell is much thinner, and the lattice of doubles has to be reduced
//! ([`super::reduction`]).

use super::tuning::SCALES;
use super::{reduction, rounding};
use crate::exact::double::Double;

/// A cell, given by its rows, whether each is on, and a point inside. If there is a bias, it is the
/// last weight, and every row ends in a one.
pub(crate) struct ThinCell {
    pub(crate) rows: Vec<(Vec<f64>, bool)>,
    pub(crate) point: Vec<Double>,
    pub(crate) bias: bool,
}

impl ThinCell {
    /// Weights in double precision, near the point, that `holds` accepts.
    pub(crate) fn realise(&self, holds: impl Fn(&[f64]) -> bool) -> Option<Vec<f64>> {
        rounding::realise(self, &holds).or_else(|| reduction::realise(self, &holds))
    }

    /// The largest magnitude that each weight multiplies.
    pub(super) fn sizes(&self) -> Vec<f64> {
        let mut sizes = vec![f64::MIN_POSITIVE; self.point.len()];
        for (row, _) in &self.rows {
            sizes.iter_mut().zip(row).for_each(|(size, v)| *size = size.max(v.abs()));
        }
        sizes
    }
}

/// Multiples of the golden ratio: they spread evenly over the scales from one to two.
pub(super) fn scales() -> impl Iterator<Item = f64> {
    (0..SCALES).map(|attempt| 1.0 + (attempt as f64 * 0.618_033_988_749_894_9).fract())
}
