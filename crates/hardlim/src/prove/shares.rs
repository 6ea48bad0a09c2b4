//! Shares of the dual point: one number for each target of a row, in the domain of its conjugate.
//!
//! `l_g*(z) = min {Σ s l*(z_k/s) : Σ z_k = z}`, and any split is an upper bound. The best one gives
//! every target the slope of its loss at one common output `u`.

use num_bigint::BigInt;

use super::number::{Ratio, floor, power};
use super::table::{Atom, Atoms};
use crate::exact::sum::Sum;
use crate::loss::{Loss as _, LossKind};

/// A dual point in integers: `z_i/2^bits`, and the factor `θ`.
#[derive(Debug, Clone)]
pub(super) struct Scaled {
    pub(super) z: Vec<i128>,
    pub(super) bits: i32,
    pub(super) theta: f64,
}

/// Splits `z` among the targets of every row. Returns `false` if a row has no split, because
/// `θz` leaves the domain.
pub(super) fn split(atoms: &mut Atoms, loss: LossKind, point: &Scaled) -> bool {
    let weights: Vec<Vec<f64>> =
        atoms.rows.iter().map(|row| row.iter().map(|atom| atoms.weight(atom)).collect()).collect();
    let grid = atoms.weight_grid;
    let rows = atoms.rows.iter_mut().zip(&point.z).zip(&weights);
    rows.into_iter().all(|((row, &z), weights)| split_row(row, z, weights, grid, loss, point))
}

fn split_row(
    row: &mut [Atom],
    z: i128,
    weights: &[f64],
    grid: i32,
    loss: LossKind,
    point: &Scaled,
) -> bool {
    let limits: Vec<(i128, i128)> =
        row.iter().map(|atom| limits(atom, grid, loss, point)).collect();
    let inside = |k: usize, share: i128| share.clamp(limits[k].0, limits[k].1);
    let unit = 2f64.powi(point.bits) / point.theta;
    let wanted = (row.len() > 1).then(|| output(row, weights, z as f64 / unit, loss)).flatten();
    for (k, atom) in row.iter_mut().enumerate() {
        let slope = |u: f64| {
            let (left, right) = loss.subgradient(u, atom.y);
            weights[k] * 0.5 * (left + right) * unit
        };
        // Without such an output, as little as possible: the rest goes to the smallest targets.
        atom.share = inside(k, wanted.map_or(limits[k].0, |u| slope(u) as i128));
    }
    let mut rest = z - row.iter().map(|atom| atom.share).sum::<i128>();
    for (k, atom) in row.iter_mut().enumerate() {
        let share = inside(k, atom.share.saturating_add(rest));
        rest -= share - atom.share;
        atom.share = share;
    }
    rest == 0
}

/// The least and the largest share with `θ·share/s` in the domain, in integers.
fn limits(atom: &Atom, grid: i32, loss: LossKind, point: &Scaled) -> (i128, i128) {
    /// More than any `z`.
    const FAR: i128 = 1 << 110;
    let (low, high) = loss.domain(atom.y);
    let Ratio(num, den) = Ratio::of(point.theta);
    let most = |slope: f64| {
        if slope.is_infinite() {
            return FAR;
        }
        let Ratio(a, b) = Ratio::of(slope);
        let most =
            floor(&(a * &atom.weight * power(point.bits) * &den), &(b * power(-grid) * &num));
        i128::try_from(most).unwrap_or(FAR).min(FAR)
    };
    (-most(-low), most(high))
}

/// The `u` with `Σ s l′(u) = θz`, if the loss has a derivative everywhere.
fn output(row: &[Atom], weights: &[f64], z: f64, loss: LossKind) -> Option<f64> {
    if !loss.is_smooth() {
        return None;
    }
    let slope = |u: f64| -> f64 {
        let slopes = row.iter().zip(weights).map(|(atom, s)| s * loss.subgradient(u, atom.y).0);
        slopes.collect::<Sum>().value()
    };
    let (mut low, mut high) = (-1.0, 1.0);
    while slope(low) > z && low > -1e100 {
        low *= 2.0;
    }
    while slope(high) < z && high < 1e100 {
        high *= 2.0;
    }
    for _ in 0..200 {
        let u = 0.5 * (low + high);
        if slope(u) < z { low = u } else { high = u }
    }
    Some(high)
}

/// `−Σ s l*(θz_k/s)`, rounded down.
pub(super) fn value(atoms: &Atoms, loss: LossKind, point: &Scaled) -> f64 {
    let (mut sum, mut size) = (Sum::default(), Sum::default());
    for atom in atoms.rows.iter().flatten() {
        let weight = atoms.weight(atom);
        let share = point.theta * (atom.share as f64 * 2f64.powi(-point.bits));
        let (low, high) = loss.domain(atom.y);
        // The exact number is inside; its rounding may not be.
        let slope = (share / weight).clamp(low, high);
        sum.add(weight * loss.conjugate(slope, atom.y));
        size.add(share.abs() * (atom.y.abs() + slope.abs() + 1.0));
        // A checker bounds logarithms, too.
        size.add(if loss == LossKind::Logistic { weight } else { 0.0 });
    }
    -sum.value() - 16.0 * f64::EPSILON * (sum.size() + size.value())
}

/// `U`: the largest integer with `Uθ ≤ β 2^bits`.
pub(super) fn limit(beta: f64, point: &Scaled) -> i128 {
    let (Ratio(a, b), Ratio(num, den)) = (Ratio::of(beta), Ratio::of(point.theta));
    let most: BigInt = floor(&(a * power(point.bits) * den), &(b * num));
    i128::try_from(most).unwrap_or(i128::MAX / 4).min(i128::MAX / 4)
}
