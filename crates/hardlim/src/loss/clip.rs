//! Where a side is clipped: the `t ≥ 0` that minimises `Σ_g min_{u ≤ t} l_g(u) + βt`, and its mirror
//! image on the negative side.
//!
//! The derivative in `t` is `β − Σ_g (−l_g′(t))₊`: every row that would rather go beyond `t` pulls
//! with its slope, and the pull falls as `t` grows. The level is where the pull equals `β`.

use super::{Loss, Parabola, search};
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
    match targets.as_plain() {
        Some(y) => select(y.iter().map(|y| (sign * y, 1.0)), beta),
        None => select(
            targets.iter().map(|atoms| {
                let Parabola { weight, center, .. } = Parabola::of(atoms);
                (sign * center, weight)
            }),
            beta,
        ),
    }
}

/// The `t ≥ 0` with `Σ s(v − t)₊ = β`, or zero when the sum at zero is not above `β`; `O(n)`.
///
/// The tangent at a point below the root meets `β` below the root again, and everything under that
/// point is settled: a few passes over quickly falling remains. Should a pass settle less than a
/// quarter, the median settles half.
fn select(numbers: impl Iterator<Item = (f64, f64)> + Clone, beta: f64) -> f64 {
    // `mass` and `weight` of the numbers known to be above the root; `open` may be above or below.
    let (mut mass, mut weight) = (0.0, 0.0);
    for (v, s) in numbers.clone() {
        let s = if v > 0.0 { s } else { 0.0 };
        mass += s * v.max(0.0);
        weight += s;
    }
    if mass <= beta {
        return 0.0;
    }
    let mut t = (mass - beta) / weight;
    let mut open: Vec<(f64, f64)> = numbers.filter(|&(v, s)| v > t && s > 0.0).collect();
    (mass, weight) = (0.0, 0.0);
    while !open.is_empty() {
        let (all_mass, all_weight) =
            open.iter().fold((mass, weight), |(m, w), &(v, s)| (m + s * v, w + s));
        t = f64::max(t, (all_mass - beta) / all_weight);
        let before = open.len();
        open.retain(|&(v, _)| v > t);
        if open.len() == before {
            return t;
        }
        if 4 * open.len() > 3 * before {
            let middle = open.len() / 2;
            let (below, &mut (pivot, s), above) =
                open.select_nth_unstable_by(middle, |a, b| a.0.total_cmp(&b.0));
            let (high_mass, high_weight) = above
                .iter()
                .fold((mass + s * pivot, weight + s), |(m, w), &(v, s)| (m + s * v, w + s));
            if high_mass - high_weight * pivot >= beta {
                t = f64::max(t, pivot);
                open.drain(..=middle);
            } else {
                debug_assert!(below.len() == middle);
                (mass, weight) = (high_mass, high_weight);
                open.truncate(middle);
            }
        }
    }
    f64::max(t, (mass - beta) / weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::Squared;
    use proptest::prelude::*;

    /// The definition, by sorting.
    fn select_plain(numbers: &[(f64, f64)], beta: f64) -> f64 {
        let mut sorted: Vec<_> = numbers.iter().copied().filter(|v| v.0 > 0.0).collect();
        sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (mut mass, mut weight, mut level) = (0.0, 0.0, 0.0);
        for (v, s) in sorted {
            if mass - weight * v >= beta {
                break;
            }
            (mass, weight) = (mass + s * v, weight + s);
            level = (mass - beta) / weight;
        }
        f64::max(level, 0.0)
    }

    fn numbers() -> impl Strategy<Value = Vec<(f64, f64)>> {
        let value = prop_oneof![-2.0f64..2.0, (-4i32..5).prop_map(f64::from)];
        prop::collection::vec((value, 0.1f64..3.0), 0..200)
    }

    proptest! {
        #[test]
        fn selection_finds_what_sorting_finds(numbers in numbers(), beta in 0.01f64..50.0) {
            let fast = select(numbers.iter().copied(), beta);
            let slow = select_plain(&numbers, beta);
            prop_assert!((fast - slow).abs() <= 1e-12 * (1.0 + slow), "{} {}", fast, slow);
        }

        #[test]
        fn selection_and_bisection_agree(numbers in numbers(), beta in 0.01f64..50.0) {
            prop_assume!(!numbers.is_empty());
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

    #[test]
    fn equal_numbers_and_slow_decay_end() {
        assert_eq!(select([(1.0, 1.0); 4].into_iter(), 2.0), 0.5);
        let geometric: Vec<_> = (0..900).map(|k| (1.01f64.powi(k), 1.0)).collect();
        let (fast, slow) = (select(geometric.iter().copied(), 1e3), select_plain(&geometric, 1e3));
        assert!((fast - slow).abs() < 1e-9 * slow);
    }
}
