//! Where a side is clipped: the `t ≥ 0` that minimises `Σ_g min_{u ≤ t} l_g(u) + βt`, and its mirror
//! image on the negative side.
//!
//! The derivative in `t` is `β − Σ_g (−l_g′(t))₊`: every row that would rather go beyond `t` pulls
//! with its slope, and the pull falls as `t` grows. The level is where the pull equals `β`.

use super::{Loss, Parabola, search, select};
use crate::data::targets::{Atoms, Targets};

/// A side of zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// `u ≥ 0`.
    Positive,
    /// `u ≤ 0`.
    Negative,
}

impl Side {
    /// `±1`.
    pub fn sign(self) -> f64 {
        match self {
            Self::Positive => 1.0,
            Self::Negative => -1.0,
        }
    }
}

/// The level of any loss by bisection: a bracket `(a, b)` of neighbouring numbers, the pull at `a`
/// above `β` and at `b` at most `β`. `(0, 0)` when the pull at zero is not above `β`.
pub(super) fn bisect<L: Loss + ?Sized>(
    loss: &L,
    targets: &Targets,
    beta: f64,
    side: Side,
) -> (f64, f64) {
    if pull(loss, targets, 0.0, side) <= beta {
        return (0.0, 0.0);
    }
    search::turn(0.0, f64::MAX, |t| pull(loss, targets, t, side) > beta)
}

/// The level of any loss when zero is no border: the bracket may lie anywhere, in the direction of
/// the side.
pub fn free_level<L: Loss + ?Sized>(
    loss: &L,
    targets: &Targets,
    beta: f64,
    side: Side,
) -> (f64, f64) {
    search::turn(-f64::MAX, f64::MAX, |t| pull(loss, targets, t, side) > beta)
}

/// The best constant output: neighbouring numbers `(a, b)` with the minimiser of `Σ_g l_g` between
/// them.
pub fn best_constant<L: Loss + ?Sized>(loss: &L, targets: &Targets) -> (f64, f64) {
    search::turn(-f64::MAX, f64::MAX, |c| {
        targets.iter().map(|atoms| loss.row_subgradient(c, atoms).1).sum::<f64>() < 0.0
    })
}

/// `Σ_g (−l_g′(t))₊`: how strongly the rows pull outward from `±t`.
pub fn pull<L: Loss + ?Sized>(loss: &L, targets: &Targets, t: f64, side: Side) -> f64 {
    targets.iter().map(|atoms| f64::max(-outward_slope(loss, atoms, t, side), 0.0)).sum()
}

/// The slope of a row's loss when moving outward from `±t`.
pub fn outward_slope<L: Loss + ?Sized>(loss: &L, atoms: Atoms<'_>, t: f64, side: Side) -> f64 {
    let (left, right) = loss.row_subgradient(side.sign() * t, atoms);
    match side {
        Side::Positive => right,
        Side::Negative => -left,
    }
}

/// The slope of a row's loss when moving outward until `±t`.
pub fn arriving_slope<L: Loss + ?Sized>(loss: &L, atoms: Atoms<'_>, t: f64, side: Side) -> f64 {
    let (left, right) = loss.row_subgradient(side.sign() * t, atoms);
    match side {
        Side::Positive => left,
        Side::Negative => -right,
    }
}

/// The level of the squared loss, `Σ S(ȳ − t)₊ = β`, by selection.
pub(super) fn squared_level(targets: &Targets, beta: f64, side: Side) -> f64 {
    let sign = side.sign();
    if let Some(y) = targets.as_plain() {
        return select::level(y, |y| (sign * y, 1.0), beta);
    }
    let centers: Vec<(f64, f64)> = (targets.iter())
        .map(|atoms| {
            let Parabola { weight, center, .. } = Parabola::of(atoms);
            (sign * center, weight)
        })
        .collect();
    select::level(&centers, |center| center, beta)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::Squared;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn selection_and_bisection_agree(
            numbers in select::tests::numbers(1..200),
            beta in 0.01f64..50.0,
        ) {
            let (y, s): (Vec<f64>, Vec<f64>) = numbers.into_iter().unzip();
            let rows: Vec<u32> = (0..y.len() as u32).collect();
            let targets = Targets::grouped(y.len(), &rows, &y, Some(&s)).unwrap();
            for side in [Side::Positive, Side::Negative] {
                let (_, slow) = bisect(&Squared, &targets, beta, side);
                let fast = squared_level(&targets, beta, side);
                prop_assert!((fast - slow).abs() <= 1e-12 * (1.0 + slow), "{} {}", fast, slow);
            }
        }
    }
}
