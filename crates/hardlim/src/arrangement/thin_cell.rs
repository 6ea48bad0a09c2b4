//! A cell so thin that weights in it may not be doubles, and how to find some that are.
//!
//! The doubles around a point inside are searched first ([`super::rounding`]). If that finds
//! nothing, the cell is much thinner, and the lattice of doubles has to be reduced
//! ([`super::reduction`]).

use super::tuning::SCALES;
use super::{reduction, rounding};
use crate::exact::double::Double;

/// A cell, given by its rows and whether each is on.
pub(crate) struct ThinCell<'a> {
    pub(crate) rows: Vec<(&'a [f64], bool)>,
    /// The positions in a row of the inputs whose weights are wanted.
    pub(crate) inputs: Vec<usize>,
    pub(crate) bias: bool,
}

/// A point inside: the weights of the inputs, and the bias.
#[derive(Default)]
pub(crate) struct Inside {
    pub(crate) weights: Vec<Double>,
    pub(crate) bias: Double,
}

impl ThinCell<'_> {
    /// Weights and a bias in double precision, near a point of the cell, that `holds` accepts.
    pub(crate) fn realise(
        &self,
        point: &Inside,
        holds: impl Fn(&[f64], f64) -> bool,
    ) -> Option<(Vec<f64>, f64)> {
        rounding::realise(self, point, &holds).or_else(|| reduction::realise(self, point, &holds))
    }
}

/// Multiples of the golden ratio: they spread evenly over the scales from one to two.
pub(super) fn scales() -> impl Iterator<Item = f64> {
    (0..SCALES).map(|attempt| 1.0 + (attempt as f64 * 0.618_033_988_749_894_9).fract())
}
