//! The default methods for a row of several targets, and what rows of classes share. The methods
//! search the slopes of the row, which increase with `u`.

use super::tuning::KINDS;
use super::{Loss, search};
use crate::data::{Atoms, Targets};
use crate::error::Error;
use crate::exact::sum::Sum;

/// Checks that every target is `−1` or `1`.
pub(super) fn check_labels(loss: &'static str, targets: &Targets) -> Result<(), Error> {
    match targets.values().iter().find(|y| y.abs() != 1.0) {
        Some(&value) => Err(Error::Label { loss, value }),
        None => Ok(()),
    }
}

/// The weights of the negative and of the positive class in a row.
pub(super) fn class_weights(atoms: Atoms<'_>) -> (f64, f64) {
    atoms.iter().fold((0.0, 0.0), |(negative, positive), (y, s)| {
        if y < 0.0 { (negative + s, positive) } else { (negative, positive + s) }
    })
}

/// A minimiser of the row's loss over `[low, high]`; an end of the interval if an end is a
/// minimiser.
pub(super) fn minimizer<L: Loss + ?Sized>(loss: &L, atoms: Atoms<'_>, low: f64, high: f64) -> f64 {
    if loss.row_subgradient(high, atoms).0 <= 0.0 {
        return high;
    }
    if loss.row_subgradient(low, atoms).1 >= 0.0 {
        return low;
    }
    search::turn(low, high, |u| loss.row_subgradient(u, atoms).1 < 0.0).1
}

/// The minimiser of every row over `[low, high]`, and `L` there.
pub(super) fn clipped<L: Loss + ?Sized>(
    loss: &L,
    targets: &Targets,
    low: f64,
    high: f64,
) -> (Vec<f64>, f64) {
    let minimizers = |targets: &Targets| -> Vec<f64> {
        targets.iter().map(|atoms| loss.row_minimizer(atoms, low, high)).collect()
    };
    let Some(kinds) = targets.kinds(KINDS) else {
        let u = minimizers(targets);
        let value = super::total(loss, targets, &u);
        return (u, value);
    };
    let best = minimizers(&kinds);
    let value = super::total(loss, &kinds, &best);
    // This has no branch for each row.
    let choose = |y: &f64| {
        let choices = kinds.values().iter().zip(&best);
        choices.fold(0.0, |u, (kind, &best)| if y == kind { best } else { u })
    };
    (targets.values().iter().map(choose).collect(), value)
}

/// `argmin_u l_g(u) + (u − v)²/(2σ)`.
pub(super) fn proximal<L: Loss + ?Sized>(loss: &L, v: f64, sigma: f64, atoms: Atoms<'_>) -> f64 {
    let (left, right) = loss.row_subgradient(v, atoms);
    // The slopes increase, so `u = v − σg` with a `g` closer to zero than the slope at `v`.
    // Rounding may put the step beyond that end.
    let rounding = |slope: f64| 8.0 * f64::EPSILON * (v.abs() + sigma * slope.abs());
    let bracket = if right < 0.0 {
        (v, v - sigma * right + rounding(right))
    } else if left > 0.0 {
        (v - sigma * left - rounding(left), v)
    } else {
        return v;
    };
    search::root(bracket, v, |u| {
        let (left, right) = loss.row_subgradient(u, atoms);
        let pull = (u - v) / sigma;
        (pull + left, pull + right, 1.0 / sigma + loss.row_curvature(u, atoms))
    })
}

/// The conjugate of the row's loss, rounded up. With one target it is the conjugate of that target.
/// Otherwise `z` is split by the slopes at the point where they meet `z`.
pub(super) fn conjugate<L: Loss + ?Sized>(loss: &L, z: f64, atoms: Atoms<'_>) -> f64 {
    let (low, high) = loss.row_domain(atoms);
    if !(low..=high).contains(&z) {
        return f64::INFINITY;
    }
    match atoms.len() {
        0 => 0.0,
        1 => atoms.iter().map(|(y, s)| s * loss.conjugate(z / s, y)).sum(),
        _ => {
            let before = |u: f64| loss.row_subgradient(u, atoms).1 < z;
            let bracket = match (before(f64::MIN), before(f64::MAX)) {
                (false, _) => (f64::MIN, f64::MIN),
                (_, true) => (f64::MAX, f64::MAX),
                _ => search::turn(f64::MIN, f64::MAX, before),
            };
            split_conjugate(loss, z, atoms, bracket)
        }
    }
}

/// The conjugate of the row's loss by a split of `z`, rounded up. The split lies between the slopes
/// on the left of `below` and those on the right of `above`. It is the best split if these meet
/// `z`, but any split is an upper bound.
pub(super) fn split_conjugate<L: Loss + ?Sized>(
    loss: &L,
    z: f64,
    atoms: Atoms<'_>,
    (below, above): (f64, f64),
) -> f64 {
    let (left, right) =
        (loss.row_subgradient(below, atoms).0, loss.row_subgradient(above, atoms).1);
    let share = if right > left { ((z - left) / (right - left)).clamp(0.0, 1.0) } else { 0.0 };
    let part = |y: f64| {
        let (least, most) = loss.domain(y);
        let (l, r) = (loss.subgradient(below, y).0, loss.subgradient(above, y).1);
        (l + share * (r - l)).clamp(least, most)
    };
    // Rounding leaves a part of `z` out of the split. The first atoms with room take it.
    let mut sum = Sum::default();
    for (y, s) in atoms.iter() {
        let product = s * part(y);
        sum.add(-product);
        sum.add(-s.mul_add(part(y), -product));
    }
    sum.add(z);
    let mut missing = sum.value();
    let mut value = Sum::default();
    for (y, s) in atoms.iter() {
        let (least, most) = loss.domain(y);
        let (part, wanted) = (part(y), missing / s);
        let more = wanted.clamp(least - part, most - part);
        missing = if more == wanted { 0.0 } else { missing - s * more };
        value.add(s * loss.conjugate((part + more).clamp(least, most), y));
    }
    let farthest = f64::max(below.abs(), above.abs());
    value.value() + 4.0 * f64::EPSILON * value.size() + missing.abs() * farthest
}
