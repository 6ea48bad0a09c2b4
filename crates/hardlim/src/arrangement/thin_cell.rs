//! A cell so thin that weights in it may not be doubles, and how to find some that are.
//!
//! First the doubles around a point inside are searched. If that finds nothing, the cell is much
//! thinner than their spacing, and their lattice has to be reduced ([`super::reduction`]).
//!
//! Let `p` be a point inside, `w` that point rounded, and `uⱼ` the unit in the last place of `wⱼ`.
//! Around `w` the doubles are a lattice, `wⱼ + kⱼuⱼ` for integers `k`. Let `rᵢ = xᵢ·w`, computed in
//! twice the precision and measured in these units. Then the cell is a polytope of ordinary
//! numbers:
//!
//! `rᵢ + Σⱼ xᵢⱼuⱼkⱼ + b ≥ 0` where row `i` is on, `< 0` where it is off.
//!
//! A bias is fine enough to be any number. So `k` has a bias if the smallest sum of the rows that
//! are on exceeds the largest sum of the others. The difference is concave in each `kⱼ`, so we
//! solve for one of them: if there is no room, the slope says how far to go at least. Another one
//! stays fixed, because multiples of weights give the same pattern. The rest are tried in a box
//! around `p`. We do this for many multiples of `p`, because each has its own lattice.

use super::reduction;
use super::tuning::{BOX, REACH, ROUNDING_STEPS, SCALES};
use crate::exact::double::Double;
use crate::pattern::threshold::flush;

/// Rows that are more units away than this cannot be reached.
const NEAR: f64 = 1e5;
/// The most units by which the weight that is solved for may move.
const FAR: f64 = 1e12;
/// The units of a weight that is zero, relative to those of the others.
const FINE: f64 = 1.0 / (1 << 20) as f64;

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
        rounded(self, &holds).or_else(|| reduction::realise(self, &holds))
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

/// Weights in double precision, near the point of the cell, that `holds` accepts.
fn rounded(cell: &ThinCell, holds: &impl Fn(&[f64]) -> bool) -> Option<Vec<f64>> {
    let inputs = cell.point.len() - usize::from(cell.bias);
    let moves = moves(inputs.saturating_sub(2));
    scales().find_map(|scale| Lattice::new(cell, scale).search(&moves, holds))
}

/// Where to look for the inner weights: integer vectors, those near zero first.
fn moves(width: usize) -> Vec<Vec<i32>> {
    let side = |reach: i32| (2 * reach + 1) as usize;
    let fits = |reach: &i32| side(*reach).checked_pow(width as u32).is_some_and(|n| n <= BOX);
    let Some(reach) = (1..=REACH).rev().find(fits).filter(|_| width > 0) else {
        // One step in one direction.
        let step = |j: usize, s: i32| (0..width).map(|k| if k == j { s } else { 0 }).collect();
        let steps = (0..width).flat_map(|j| [step(j, 1), step(j, -1)]);
        return std::iter::once(vec![0; width]).chain(steps).collect();
    };
    let mut moves: Vec<Vec<i32>> = (0..side(reach).pow(width as u32))
        .map(|code| {
            let digit = |j: usize| code / side(reach).pow(j as u32) % side(reach);
            (0..width).map(|j| digit(j) as i32 - reach).collect()
        })
        .collect();
    moves.sort_by_key(|k| k.iter().map(|k| k * k).sum::<i32>());
    moves
}

/// The doubles around a multiple of the point.
struct Lattice {
    /// `w` and `u`.
    weights: Vec<f64>,
    units: Vec<f64>,
    bias: Option<Double>,
    /// The unit of all numbers below.
    unit: f64,
    /// The point itself, in units.
    target: Vec<f64>,
    /// The rows that are near: `rᵢ` with the bias, `xᵢⱼuⱼ`, and the side.
    rows: Vec<(f64, Vec<f64>, bool)>,
    /// The weight that is solved for, and those that are tried.
    last: Option<usize>,
    inner: Vec<usize>,
}

/// The room for a bias: the smallest sum of the rows that are on, the largest sum of the others,
/// and how their difference changes with the last weight.
struct Room {
    on: f64,
    off: f64,
    slope: f64,
}

impl Lattice {
    fn new(cell: &ThinCell, scale: f64) -> Self {
        let scaled = |p: &Double| p.times(Double::from(scale));
        let mut targets: Vec<Double> = cell.point.iter().map(scaled).collect();
        let bias = if cell.bias { targets.pop() } else { None };
        let (width, sizes) = (targets.len(), cell.sizes());
        let weights: Vec<f64> = targets.iter().map(|t| flush(t.high)).collect();
        let mut units: Vec<f64> = weights
            .iter()
            .map(|w| if *w == 0.0 { 0.0 } else { w.abs().next_up() - w.abs() })
            .collect();
        let unit = units.iter().zip(&sizes).map(|(u, s)| u * s).fold(f64::MIN_POSITIVE, f64::max);
        for (u, s) in units.iter_mut().zip(&sizes).filter(|(u, _)| **u == 0.0) {
            *u = 2f64.powi((unit / s * FINE).log2() as i32);
        }
        let target = (0..width)
            .map(|k| targets[k].plus(Double::from(-weights[k])).value() / units[k])
            .collect();
        let rows = cell.rows.iter().filter_map(|(row, on)| {
            let terms = (0..width).map(|k| Double::product(row[k], weights[k]));
            let rest = terms.fold(bias.unwrap_or_default(), Double::plus).value() / unit;
            let steps = (0..width).map(|k| row[k] * units[k] / unit).collect();
            (rest.abs() <= NEAR).then_some((rest, steps, *on))
        });
        let rows = rows.collect();
        // The largest weight stays, and the one with the finest steps is solved for.
        let size = |k: &usize| weights[*k].abs() * sizes[*k];
        let fixed = (0..width).max_by(|a, b| size(a).total_cmp(&size(b)));
        let step = |k: &usize| units[*k] * sizes[*k];
        let mut inner: Vec<usize> = (0..width).filter(|k| Some(*k) != fixed).collect();
        let last = inner.iter().copied().min_by(|a, b| step(a).total_cmp(&step(b)));
        inner.retain(|k| Some(*k) != last);
        Self { weights, units, bias, unit, target, rows, last, inner }
    }

    fn search(&self, moves: &[Vec<i32>], holds: &impl Fn(&[f64]) -> bool) -> Option<Vec<f64>> {
        moves.iter().find_map(|offsets| {
            let mut k = vec![0.0; self.weights.len()];
            for (&j, &offset) in self.inner.iter().zip(offsets) {
                k[j] = self.target[j].round() + f64::from(offset);
            }
            let room = self.solve(&mut k)?;
            let moved = |j: usize| flush(self.weights[j] + k[j] * self.units[j]);
            let weights: Vec<f64> = (0..k.len()).map(moved).collect();
            let Some(bias) = self.bias else { return holds(&weights).then_some(weights) };
            // Halfway, or with the rows that are on at zero, because halfway may not be a double.
            [-0.5 * (room.on + room.off), -room.on].into_iter().find_map(|b| {
                let bias = flush(bias.plus(Double::from(b * self.unit)).value());
                let weights = [&weights[..], &[bias]].concat();
                holds(&weights).then_some(weights)
            })
        })
    }

    /// Solves for the last weight; `None` if no integer leaves room.
    fn solve(&self, k: &mut [f64]) -> Option<Room> {
        let base: Vec<f64> = (self.rows.iter())
            .map(|(rest, steps, _)| rest + self.inner.iter().map(|&j| steps[j] * k[j]).sum::<f64>())
            .collect();
        let Some(last) = self.last else {
            return Some(self.room(&base, None, 0.0)).filter(|room| room.on > room.off);
        };
        let (mut low, mut high) = (-FAR, FAR);
        let mut t = self.target[last].round();
        for _ in 0..ROUNDING_STEPS {
            if t < low || t > high {
                return None;
            }
            let room = self.room(&base, Some(last), t);
            let short = room.off - room.on;
            if short < 0.0 {
                k[last] = t;
                return Some(room);
            }
            if room.slope > 0.0 {
                low = ((t + short / room.slope).floor() + 1.0).max(t + 1.0);
                t = low;
            } else if room.slope < 0.0 {
                high = ((t + short / room.slope).ceil() - 1.0).min(t - 1.0);
                t = high;
            } else {
                return None;
            }
        }
        None
    }

    fn room(&self, base: &[f64], last: Option<usize>, t: f64) -> Room {
        let far = 0.5 * NEAR;
        // Without a bias all rows are measured from zero; rows that are off are mirrored.
        let (mut on, mut off) = ((far, 0.0), (if self.bias.is_some() { -far } else { 0.0 }, 0.0));
        for (value, (_, steps, is_on)) in base.iter().zip(&self.rows) {
            let slope = last.map_or(0.0, |j| steps[j]);
            let value = value + slope * t;
            match (is_on, self.bias.is_some()) {
                (true, _) if value < on.0 => on = (value, slope),
                (false, true) if value > off.0 => off = (value, slope),
                (false, false) if -value < on.0 => on = (-value, -slope),
                _ => {}
            }
        }
        Room { on: on.0, off: off.0, slope: on.1 - off.1 }
    }
}
