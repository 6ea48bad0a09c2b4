//! One vertex of an arrangement, in integers: which points lie in front of it, behind it and on it,
//! and the best pattern next to it.

use super::Priced;
use super::boxes::Boxes;
use super::flats::search;
use super::meter::Meter;
use super::points::{Normal, Points};
use super::tuning::{FEW_STEPS, MANY_ON_A_PLANE};

/// The values that a search has to beat: `high` from above, `low` from below.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Floors {
    /// Only values above it count.
    pub(super) high: f64,
    /// Only values below it count.
    pub(super) low: f64,
}

impl Floors {
    /// Every value counts.
    pub(super) const NONE: Self = Self { high: f64::NEG_INFINITY, low: f64::INFINITY };

    /// The values of these patterns, and `±threshold`.
    pub(super) fn of(found: &[Priced], threshold: f64) -> Self {
        let value = found.iter().map(|priced| priced.value);
        Self {
            high: value.clone().fold(threshold, f64::max),
            low: value.fold(-threshold, f64::min),
        }
    }

    /// Whether one of these values is beyond the floors.
    pub(super) fn beats(self, floors: Self) -> bool {
        self.high > floors.high || self.low < floors.low
    }

    /// How far apart the floors are.
    pub(super) fn width(self) -> f64 {
        self.high - self.low
    }

    /// Moves the floors to these values, if they are beyond.
    pub(super) fn widen(&mut self, to: Self) {
        (self.high, self.low) = (self.high.max(to.high), self.low.min(to.low));
    }
}

impl Default for Floors {
    fn default() -> Self {
        Self::NONE
    }
}

/// Whether a search over boxes of normals is the faster way.
pub(super) fn is_large(points: &Points) -> bool {
    points.rank() >= 3 && circles(points.len, points.rank()) * points.len as f64 > FEW_STEPS
}

/// How many circles some points have, in this rank.
pub(super) fn circles(points: usize, rank: usize) -> f64 {
    (0..rank.saturating_sub(2))
        .map(|k| (points as f64 - k as f64).max(1.0) / (k + 1) as f64)
        .product()
}

/// A pattern as a chain of directions: a point is on if it is in front of the first direction that
/// is not orthogonal to it, or if all are orthogonal. It is the pattern of `v₀ + t(v₁ + t(v₂ + …))`
/// for small `t`.
#[derive(Debug, Clone)]
pub(super) struct Chain {
    /// `dᵀz`.
    pub(super) value: f64,
    /// `v₀, v₁, …`.
    pub(super) directions: Vec<Normal>,
}

/// The best patterns found so far, from above and from below.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// The values that the next pattern has to beat.
    pub(super) floors: Floors,
    /// The largest value above the floor it started from.
    pub(super) highest: Option<Chain>,
    /// The smallest value below it.
    pub(super) lowest: Option<Chain>,
}

/// The best patterns of points on one vertex. Columns of few values put many points there.
fn on_plane(points: &Points, z: &[f64], floors: Floors, meter: &Meter<'_>) -> Found {
    let ones = points.rank() > 0 && (0..points.len).all(|i| points.value(i)[0] == 1.0);
    let boxes = if ones && points.len > MANY_ON_A_PLANE {
        Boxes::of(points, points.columns[0])
    } else {
        None
    };
    match boxes {
        Some(boxes) => boxes.search(points, z, floors, meter).found,
        None => search(points, z, floors, meter),
    }
}

impl Found {
    pub(super) fn new(floors: Floors) -> Self {
        Self { floors, highest: None, lowest: None }
    }

    pub(super) fn merge(&mut self, other: Self) {
        other.chains().for_each(|chain| self.offer(chain));
    }

    /// The patterns found.
    pub(super) fn chains(self) -> impl Iterator<Item = Chain> {
        [self.highest, self.lowest].into_iter().flatten()
    }

    /// Adds what was found before, if nothing is better.
    pub(super) fn precede(&mut self, before: Self) {
        self.highest = self.highest.take().or(before.highest);
        self.lowest = self.lowest.take().or(before.lowest);
    }

    fn offer(&mut self, chain: Chain) {
        if chain.value > self.floors.high {
            self.floors.high = chain.value;
            self.highest = Some(chain.clone());
        }
        if chain.value < self.floors.low {
            self.floors.low = chain.value;
            self.lowest = Some(chain);
        }
    }

    /// Offers the pattern that is on everywhere.
    pub(super) fn everything_on(&mut self, points: &Points, z: &[f64]) {
        let value = z.iter().sum();
        if value > self.floors.high || value < self.floors.low {
            let directions = points.all_in_front().into_iter().collect();
            self.offer(Chain { value, directions });
        }
    }

    /// Offers the pattern that is off everywhere, if one column gives it.
    pub(super) fn nothing_on(&mut self, points: &Points) {
        if let Some(all) = points.all_in_front() {
            self.offer(Chain { value: 0.0, directions: vec![all.reversed()] });
        }
    }

    /// Offers all patterns next to the two directions orthogonal to `rank − 1` points. Returns the
    /// points on the vertex; `None` if the given ones are dependent.
    pub(super) fn vertex(
        &mut self,
        points: &Points,
        z: &[f64],
        rows: &[usize],
        meter: &Meter<'_>,
    ) -> Option<Vec<u32>> {
        points.normal(rows).map(|normal| self.next_to(points, z, &normal, meter))
    }

    /// Offers all patterns next to a vertex and next to its opposite. Returns the points on it.
    pub(super) fn next_to(
        &mut self,
        points: &Points,
        z: &[f64],
        normal: &Normal,
        meter: &Meter<'_>,
    ) -> Vec<u32> {
        let (mut front, mut back, mut above, mut below) = (0.0, 0.0, 0.0, 0.0);
        let mut flat = Vec::new();
        for (i, &z) in z.iter().enumerate() {
            match points.side(i, normal) {
                1 => front += z,
                -1 => back += z,
                _ => {
                    flat.push(i as u32);
                    above += z.max(0.0);
                    below += z.min(0.0);
                }
            }
        }
        let on_flat: Vec<f64> = flat.iter().map(|&i| z[i as usize]).collect();
        let mut selected = None;
        for (base, reversed) in [(front, false), (back, true)] {
            if !(Floors { high: base + above, low: base + below }).beats(self.floors) {
                continue;
            }
            let floors = Floors { high: self.floors.high - base, low: self.floors.low - base };
            let (beside, kept) = selected.get_or_insert_with(|| {
                points.select(&flat, points.rank()).expect("no more columns than before")
            });
            let found = on_plane(beside, &on_flat, floors, meter);
            for chain in found.chains() {
                let first = if reversed { normal.reversed() } else { normal.clone() };
                let further = chain.directions.iter().map(|v| v.widened(kept, points.rank()));
                self.offer(Chain {
                    value: base + chain.value,
                    directions: [first].into_iter().chain(further).collect(),
                });
            }
        }
        flat
    }
}
