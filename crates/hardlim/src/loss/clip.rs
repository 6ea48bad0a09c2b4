//! The level at which a side is clipped: the `t ≥ 0` that minimises `Σ_g min_{u ≤ t} l_g(u) + βt`,
//! and its mirror image on the negative side.
//!
//! The derivative in `t` is `β − Σ_g (−l_g′(t))₊`. Every row whose loss still falls beyond `t`
//! pulls with its slope, and the pull falls as `t` grows. At the level the pull equals `β`. A side
//! is 1 for `u ≥ 0`, −1 for `u ≤ 0`.

use super::tuning::KINDS;
use super::{Loss, Parabola, search, select};
use crate::data::{Atoms, Targets};

/// The level of any loss by bisection: a bracket `(a, b)` of neighbouring numbers, where the pull
/// at `a` is above `β` and the pull at `b` is at most `β`. It is `(0, 0)` if the pull at zero is
/// not above `β`; a free level has no border at zero and may lie anywhere, in the direction of the
/// side.
pub(crate) fn level<L: Loss + ?Sized>(
    loss: &L,
    targets: &Targets,
    beta: f64,
    side: f64,
    free: bool,
) -> (f64, f64) {
    let kinds = targets.kinds(KINDS);
    let targets = kinds.as_ref().unwrap_or(targets);
    if !free && pull(loss, targets, 0.0, side) <= beta {
        return (0.0, 0.0);
    }
    let low = if free { f64::MIN } else { 0.0 };
    search::turn(low, f64::MAX, |t| pull(loss, targets, t, side) > beta)
}

/// The best constant output: neighbouring numbers `(a, b)` with the minimiser of `Σ_g l_g` between
/// them.
pub(crate) fn best_constant<L: Loss + ?Sized>(loss: &L, targets: &Targets) -> (f64, f64) {
    search::turn(-f64::MAX, f64::MAX, |c| {
        targets.iter().map(|atoms| loss.row_subgradient(c, atoms).1).sum::<f64>() < 0.0
    })
}

/// `Σ_g (−l_g′(t))₊`: how strongly the rows pull outward at `±t`.
pub(crate) fn pull<L: Loss + ?Sized>(loss: &L, targets: &Targets, t: f64, side: f64) -> f64 {
    targets.iter().map(|atoms| f64::max(-slopes(loss, atoms, t, side).1, 0.0)).sum()
}

/// The outward slopes of a row's loss just before `±t` and just beyond it.
pub(crate) fn slopes<L: Loss + ?Sized>(
    loss: &L,
    atoms: Atoms<'_>,
    t: f64,
    side: f64,
) -> (f64, f64) {
    let (left, right) = loss.row_subgradient(side * t, atoms);
    if side > 0.0 { (left, right) } else { (-right, -left) }
}

/// The level of the squared loss, `Σ S(ȳ − t)₊ = β`, by selection.
pub(super) fn squared_level(targets: &Targets, beta: f64, side: f64) -> f64 {
    if let Some(y) = targets.as_plain() {
        return select::level(y, |y| (side * y, 1.0), beta);
    }
    let centers: Vec<(f64, f64)> = (targets.iter())
        .map(|atoms| {
            let Parabola { weight, center, .. } = Parabola::of(atoms);
            (side * center, weight)
        })
        .collect();
    select::level(&centers, |center| center, beta)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::Squared;
    use proptest::prelude::*;

    /// The same targets and one more row with two targets, so that the shortcut for few targets is
    /// not taken.
    fn hidden(targets: &Targets, y: f64) -> Targets {
        let rows = targets.rows() as u32;
        let mut row_of: Vec<u32> = (0..rows).collect();
        row_of.extend([rows, rows]);
        let values = [targets.values(), &[y, -y]].concat();
        // The weight of the new row is so small that it makes no difference.
        let mut s: Vec<f64> = targets.iter().map(|a| a.weight()).collect();
        s.extend([1e-30; 2]);
        Targets::grouped(rows as usize + 1, &row_of, &values, Some(&s)).unwrap()
    }

    proptest! {
        #[test]
        fn kinds_of_targets_stand_for_their_rows(
            labels in prop::collection::vec((any::<bool>(), 0.1f64..3.0), 1..50),
            beta in 0.01f64..20.0,
        ) {
            let (y, s): (Vec<f64>, Vec<f64>) =
                labels.into_iter().map(|(on, s)| (if on { 1.0 } else { -1.0 }, s)).unzip();
            let rows: Vec<u32> = (0..y.len() as u32).collect();
            let targets = Targets::grouped(y.len(), &rows, &y, Some(&s)).unwrap();
            let plain = hidden(&targets, 1.0);
            prop_assert!(targets.kinds(KINDS).is_some() && plain.kinds(KINDS).is_none());
            for loss in crate::loss::LossKind::all() {
                for side in [1.0, -1.0] {
                    let level = |targets| level(&loss, targets, beta, side, false).1;
                    let (fast, slow) = (level(&targets), level(&plain));
                    prop_assert!((fast - slow).abs() <= 1e-9 * (1.0 + slow), "{} {}", fast, slow);
                }
                let ((u, fast), (v, slow)) =
                    (loss.clipped(&targets, -0.5, 0.75), loss.clipped(&plain, -0.5, 0.75));
                prop_assert_eq!(&u[..], &v[..u.len()]);
                prop_assert!((fast - slow).abs() <= 1e-12 * (1.0 + slow), "{} {}", fast, slow);
            }
        }

        #[test]
        fn selection_and_bisection_agree(
            numbers in select::tests::numbers(1..200),
            beta in 0.01f64..50.0,
        ) {
            let (y, s): (Vec<f64>, Vec<f64>) = numbers.into_iter().unzip();
            let rows: Vec<u32> = (0..y.len() as u32).collect();
            let targets = Targets::grouped(y.len(), &rows, &y, Some(&s)).unwrap();
            for side in [1.0, -1.0] {
                let (_, slow) = level(&Squared, &targets, beta, side, false);
                let fast = squared_level(&targets, beta, side);
                prop_assert!((fast - slow).abs() <= 1e-12 * (1.0 + slow), "{} {}", fast, slow);
            }
        }
    }
}
