//! Weights in double precision for a pattern found in integers.
//!
//! Decimal fractions are rounded to doubles. So points that lie on a line in tenths lie next to it
//! in doubles, and the cells between them can be thinner than the spacing of doubles. Weights for
//! such cells are computed in twice the precision, then rounded at several scales. Every scale
//! rounds differently, and only the few points next to the hyperplane have to be checked. If no
//! scale works, the doubles around are searched ([`crate::arrangement::thin_cell`]).

use super::points::{Normal, Points};
use super::tuning::ATTEMPTS;
use super::vertex::Chain;
use crate::arrangement::thin_cell::ThinCell;
use crate::exact::double::Double;
use crate::pattern::threshold::{activates, is_weight};

/// For each point, the first direction of the chain that is not orthogonal to it, and the side.
fn sides(points: &Points, chain: &Chain) -> Vec<(usize, i8)> {
    let first = |i: usize| {
        let mut signs = chain.directions.iter().map(|v| points.side(i, v)).enumerate();
        signs.find(|s| s.1 != 0).unwrap_or((chain.directions.len(), 0))
    };
    (0..points.len).map(first).collect()
}

/// Weights on the columns as read that put every point on its side of the chain; `None` if the cell
/// is too thin for doubles.
pub(super) fn witness(points: &Points, chain: &Chain) -> Option<Vec<f64>> {
    let sides = sides(points, chain);
    let weights = combine(points, chain, &sides);
    // Points that the first direction does not decide are those that rounding may move across.
    let (mut order, mut rest): (Vec<usize>, Vec<usize>) =
        (0..points.len).partition(|&i| sides[i].0 > 0);
    order.append(&mut rest);
    let as_read = |scaled: &[f64]| -> Option<Vec<f64>> {
        let holds =
            (order.iter()).all(|&i| activates(points.value(i), scaled, 0.0) == (sides[i].1 >= 0));
        let read: Vec<f64> =
            scaled.iter().zip(points.scales()).map(|(w, &s)| w * 2f64.powi(-s)).collect();
        (holds && read.iter().all(|&w| is_weight(w))).then_some(read)
    };
    let rounded = (0..ATTEMPTS).find_map(|attempt| {
        // Multiples of the golden ratio spread evenly over the scales from one to two.
        let scale = 1.0 + (attempt as f64 * 0.618_033_988_749_894_9).fract();
        let scaled: Vec<f64> =
            weights.iter().map(|w| w.times(Double::from(scale)).value()).collect();
        as_read(&scaled)
    });
    rounded.or_else(|| search(points, &sides, &weights, as_read))
}

/// Weights on the lattice of doubles around a point of the cell, if the cell is open.
fn search(
    points: &Points,
    sides: &[(usize, i8)],
    weights: &[Double],
    as_read: impl Fn(&[f64]) -> Option<Vec<f64>>,
) -> Option<Vec<f64>> {
    if sides.iter().any(|side| side.1 == 0) {
        return None;
    }
    let is_bias = |j: &usize| (0..points.len).all(|i| points.value(i)[*j] == 1.0);
    let bias = (0..points.rank()).find(is_bias);
    let inputs = (0..points.rank()).filter(|j| Some(*j) != bias);
    let order: Vec<usize> = inputs.chain(bias).collect();
    let row = |i: usize| order.iter().map(|&j| points.value(i)[j]).collect();
    let cell = ThinCell {
        rows: (0..points.len).map(|i| (row(i), sides[i].1 > 0)).collect(),
        point: order.iter().map(|&j| weights[j]).collect(),
        bias: bias.is_some(),
    };
    let in_place = |some: &[f64]| {
        let mut all = vec![0.0; points.rank()];
        order.iter().zip(some).for_each(|(&j, &w)| all[j] = w);
        all
    };
    cell.realise(|some| as_read(&in_place(some)).is_some()).and_then(|w| as_read(&in_place(&w)))
}

/// `v₀ + t(v₁ + t(v₂ + …))`, where every `t` is a power of two, about half of what would change
/// another point's side. So small integers stay exact, which points on a face need.
fn combine(points: &Points, chain: &Chain, sides: &[(usize, i8)]) -> Vec<Double> {
    let directions: Vec<Vec<Double>> = chain.directions.iter().map(Normal::twice).collect();
    let Some((last, others)) = directions.split_last() else {
        return vec![Double::default(); points.rank()];
    };
    let dot = |i: usize, w: &[Double]| {
        let terms = points.value(i).iter().zip(w).map(|(&a, w)| w.times(Double::from(a)));
        terms.fold(Double::default(), Double::plus).value()
    };
    let mut weights = last.clone();
    for (level, v) in others.iter().enumerate().rev() {
        let room = (0..points.len)
            .filter(|&i| sides[i].0 == level)
            .map(|i| (dot(i, v), dot(i, &weights)))
            .filter(|(ahead, change)| ahead * change < 0.0)
            .map(|(ahead, change)| -ahead / change)
            .fold(1.0, f64::min);
        let t = 2f64.powi((room / 2.0).max(1e-100).log2().floor() as i32);
        weights = v.iter().zip(&weights).map(|(v, w)| v.plus(w.times(Double::from(t)))).collect();
    }
    weights
}
