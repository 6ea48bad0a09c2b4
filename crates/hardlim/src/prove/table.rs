//! The encoded table in integers: rows, targets, weights, and the dual point with its shares.

use std::collections::BTreeMap;

use num_bigint::BigInt;

use super::number::{Ratio, grid, power, whole};
use crate::data::{Dataset, Features, TrainingSet};
use crate::exact::dyadic::{gcd, lowest_bit, odd_part};

/// `X` in integers: each column is divided by its own unit.
#[derive(Debug)]
pub(super) struct Inputs {
    /// Row by row.
    pub(super) rows: Vec<Vec<BigInt>>,
    pub(super) units: Vec<Unit>,
}

/// `m·2^e`, with an odd `m`: the largest number that all values of a column are multiples of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    odd: u64,
    exponent: i32,
}

impl Unit {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let exponent = lowest_bit(values.clone()).unwrap_or(0);
        let odd = values.map(|x| odd_part(x).0).fold(0, gcd);
        Self { odd: odd.max(1), exponent }
    }

    pub(super) fn ratio(self) -> Ratio {
        Ratio::dyadic(self.odd.into(), self.exponent)
    }

    /// `x` in this unit.
    fn whole(self, x: f64) -> BigInt {
        whole(x, self.exponent) / self.odd
    }
}

impl Inputs {
    pub(super) fn of(x: &Features) -> Self {
        let column = |j: usize| (0..x.rows()).map(move |i| x.row(i)[j]);
        let units: Vec<Unit> = (0..x.dimension()).map(|j| Unit::of(column(j))).collect();
        let row = |i: usize| x.row(i).iter().zip(&units).map(|(x, unit)| unit.whole(*x)).collect();
        Self { rows: (0..x.rows()).map(row).collect(), units }
    }

    /// Integers that act on rows in these units as the weights and the bias do on the rows
    /// themselves; the bias is the last.
    pub(super) fn weights(&self, terms: &[(usize, f64)], bias: f64) -> Vec<BigInt> {
        let shift = |j: usize| self.units[j].exponent;
        let used = || terms.iter().filter(|(_, w)| *w != 0.0);
        let low = used().map(|&(j, w)| odd_part(w).1 + shift(j)).chain(lowest_bit([bias])).min();
        let low = low.unwrap_or(0);
        let weight = |&(j, w): &(usize, f64)| whole(w, low - shift(j)) * self.units[j].odd;
        terms.iter().map(weight).chain([whole(bias, low)]).collect()
    }
}

/// One target of a row: `y`, its weight in units of `2^−k`, and its share of `z`.
#[derive(Debug, Clone)]
pub(super) struct Atom {
    pub(super) y: f64,
    pub(super) weight: BigInt,
    pub(super) share: i128,
}

/// The targets of all distinct rows, exactly as the samples have them.
#[derive(Debug)]
pub(super) struct Atoms {
    pub(super) rows: Vec<Vec<Atom>>,
    /// The exponents of the grids of targets and weights, at most zero.
    pub(super) target_grid: i32,
    pub(super) weight_grid: i32,
}

impl Atoms {
    /// The targets of a data set with these samples: `y` of each, which is the class of a part.
    pub(super) fn of(data: &Dataset, set: &TrainingSet, y: impl Fn(f64) -> f64) -> Self {
        let weights = set.weights();
        let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
        let samples = set.y().len();
        let weight_grid = grid((0..samples).map(weight));
        let mut rows: Vec<BTreeMap<u64, (f64, BigInt)>> = vec![BTreeMap::new(); data.distinct()];
        for (i, &row) in data.row_of().iter().enumerate() {
            let y = y(set.y()[i]) + 0.0; // no negative zero
            if weight(i) > 0.0 {
                // In the order of the numbers: negative ones come in reverse.
                let bits = y.to_bits();
                let order = if y < 0.0 { !bits } else { bits | 1 << 63 };
                let atom = rows[row as usize].entry(order).or_insert((y, BigInt::ZERO));
                atom.1 += whole(weight(i), weight_grid);
            }
        }
        let target_grid = grid(rows.iter().flat_map(BTreeMap::values).map(|(y, _)| *y));
        let atom = |(y, weight)| Atom { y, weight, share: 0 };
        let rows = rows.into_iter().map(|row| row.into_values().map(atom).collect()).collect();
        Self { rows, target_grid, weight_grid }
    }

    /// `s` of an atom.
    pub(super) fn weight(&self, atom: &Atom) -> f64 {
        let shift = atom.weight.bits().saturating_sub(64);
        let top = u64::try_from(&atom.weight >> shift).expect("64 bits");
        top as f64 * 2f64.powi(self.weight_grid + shift as i32)
    }

    /// `YDEN`, `SDEN`.
    pub(super) fn scales(&self) -> [BigInt; 2] {
        [power(-self.target_grid), power(-self.weight_grid)]
    }
}
