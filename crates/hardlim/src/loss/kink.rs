//! Losses that are two straight lines meeting at the target:
//! `l(u, y) = max(a(u − y), b(u − y))` with `a ≤ 0 ≤ b`.
//!
//! The conjugate is `yz` for `a ≤ z ≤ b`. So the slopes are [`Loss::domain`], and everything else
//! follows from them. The loss of a row is convex and piecewise linear, with a kink of size
//! `s(b − a)` at every target. We visit the kinks from left to right.

use super::Loss;
use crate::data::Atoms;
use crate::exact::sum::{Sum, above};

/// The methods of [`Loss`] that follow from its slopes; the value is left to the loss.
macro_rules! two_lines {
    () => {
        fn subgradient(&self, u: f64, y: f64) -> (f64, f64) {
            kink::subgradient(self.domain(y), u, y)
        }

        fn conjugate(&self, z: f64, y: f64) -> f64 {
            kink::conjugate(self.domain(y), z, y)
        }

        fn row_conjugate(&self, z: f64, atoms: $crate::data::Atoms<'_>) -> f64 {
            kink::row_conjugate(self, z, atoms)
        }

        fn row_proximal(&self, v: f64, sigma: f64, atoms: $crate::data::Atoms<'_>) -> f64 {
            kink::row_proximal(self, v, sigma, atoms)
        }
    };
}

pub(super) use two_lines;

/// `max(a(u − y), b(u − y))`.
pub(super) fn value((a, b): (f64, f64), u: f64, y: f64) -> f64 {
    if u < y { a * (u - y) } else { b * (u - y) }
}

/// `a` on the left of the target, `b` on the right.
pub(super) fn subgradient((a, b): (f64, f64), u: f64, y: f64) -> (f64, f64) {
    if u < y {
        (a, a)
    } else if u > y {
        (b, b)
    } else {
        (a, b)
    }
}

/// `yz`, rounded up.
pub(super) fn conjugate((a, b): (f64, f64), z: f64, y: f64) -> f64 {
    if (a..=b).contains(&z) { above([y * z]) } else { f64::INFINITY }
}

/// The conjugate of a row's loss. Every atom starts with its least slope. The rest of `z` goes to
/// the leftmost atoms, where it costs least.
pub(super) fn row_conjugate<L: Loss + ?Sized>(loss: &L, z: f64, atoms: Atoms<'_>) -> f64 {
    let (low, high) = loss.row_domain(atoms);
    if !(low..=high).contains(&z) {
        return f64::INFINITY;
    }
    if atoms.len() == 1 {
        return atoms.iter().map(|(y, _)| above([y * z])).sum();
    }
    let chain = |z: f64| {
        let (mut slope, mut value) = (Sum::default(), Sum::default());
        for (y, s) in atoms.iter() {
            let least = s * loss.domain(y).0;
            slope.add(least);
            value.add(y * least);
        }
        for (y, s) in atoms.iter() {
            let (a, b) = loss.domain(y);
            let missing = z - slope.value();
            if missing <= 0.0 {
                break;
            }
            let part = f64::min(missing, s * (b - a));
            slope.add(part);
            value.add(y * part);
        }
        value.value() + 4.0 * f64::EPSILON * value.size()
    };
    // The slopes have rounding errors, so `z` stands for a small interval. The conjugate is convex,
    // so it is largest at an end of the interval.
    let slack = 4.0 * f64::EPSILON * f64::max(high - low, z.abs());
    f64::max(chain(z - slack), chain(z + slack))
}

/// `argmin_u l_g(u) + (u − v)²/(2σ)`. On a line of slope `g` it is `v − σg`, if that point is on
/// the line; otherwise it is the kink between two lines.
pub(super) fn row_proximal<L: Loss + ?Sized>(
    loss: &L,
    v: f64,
    sigma: f64,
    atoms: Atoms<'_>,
) -> f64 {
    let mut slope: f64 = atoms.iter().map(|(y, s)| s * loss.domain(y).0).sum();
    for (y, s) in atoms.iter() {
        if v - sigma * slope <= y {
            return v - sigma * slope;
        }
        let (a, b) = loss.domain(y);
        slope += s * (b - a);
        if v - sigma * slope <= y {
            return y;
        }
    }
    v - sigma * slope
}
