//! A circle of weights: the patterns of `w(θ) = (−sin θ, cos θ)` on points `b` of the plane.
//!
//! Every point changes sides at one `θ` of the half circle, where `w(θ)` is orthogonal to it. After
//! a sort by this angle, one pass adds up `Σ z` over the points in front of every `w`, and behind
//! it.

use super::vertex::Floors;

/// Half the circle in units of the keys that points are sorted by.
const HALF: u64 = (1 << 32) - 2;

/// Points sorted by the direction in which they change sides.
#[derive(Debug, Default)]
pub(super) struct Circle {
    /// The key of the angle in the upper half of the bits; in the lower twice the place of the
    /// point, plus one if it lies in the lower half plane and enters instead of leaving.
    events: Vec<u64>,
    /// The places of points too short to have a direction.
    pub(super) near: Vec<u32>,
}

/// Sums over the points while `w(θ)` is among some whose order is not known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Sums {
    /// `Σ z` over the other points in front of `w(θ)`, and behind it.
    front: f64,
    back: f64,
    /// `Σ z₊` over the points whose order is not known, and `Σ z₋`.
    above: f64,
    below: f64,
}

impl Sums {
    fn add_unknown(&mut self, z: f64) {
        self.above += z.max(0.0);
        self.below += z.min(0.0);
    }

    /// What all values are within if more points may be on either side.
    pub(super) fn reach(&self, above: f64, below: f64) -> Floors {
        Floors {
            high: self.front.max(self.back) + self.above + above,
            low: self.front.min(self.back) + self.below + below,
        }
    }
}

/// Consecutive points whose order rounding may have swapped.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    /// The first event and one past the last; events from `wrap` on belong to a run at the start.
    start: usize,
    end: usize,
    wrap: usize,
    pub(super) sums: Sums,
}

/// Points of a run whose order is not known.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) members: Vec<usize>,
    pub(super) sums: Sums,
}

/// A direction between two events.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gap {
    /// `Σ z` over the points in front of it.
    pub(super) value: f64,
    /// `w`, in the plane of the points.
    pub(super) direction: (f64, f64),
}

fn key(event: u64) -> u64 {
    event >> 32
}

fn place(event: u64) -> usize {
    (event as u32 >> 1) as usize
}

fn enters(event: u64) -> bool {
    event & 1 == 1
}

impl Circle {
    /// Loads the points; those with `|x| + |y| < shortest` have no direction.
    pub(super) fn load(&mut self, x: &[f64], y: &[f64], shortest: f64) {
        self.events.clear();
        self.near.clear();
        for (i, (&x, &y)) in x.iter().zip(y).enumerate() {
            let length = x.abs() + y.abs();
            if length < shortest || length == 0.0 {
                self.near.push(i as u32);
                continue;
            }
            let lower = y < 0.0 || (y == 0.0 && x < 0.0);
            let x = if lower { -x } else { x };
            // 1 − x/(|x| + |y|) grows from 0 to 2 with the angle, without a sine.
            let key = ((1.0 - x / length) * (HALF / 2) as f64) as u64;
            self.events.push(key << 32 | (i as u64) << 1 | u64::from(lower));
        }
        self.events.sort_unstable();
    }

    /// `Σ z` in front of `w(0)`, and behind it.
    fn sides(&self, z: &[f64]) -> (f64, f64) {
        let (mut front, mut back) = (0.0, 0.0);
        for &event in &self.events {
            *(if enters(event) { &mut back } else { &mut front }) += z[place(event)];
        }
        (front, back)
    }

    /// Visits the runs: neighbours closer than `tolerance` (in `1 − x/(|x| + |y|)`) belong to one.
    pub(super) fn runs(&self, z: &[f64], tolerance: f64, mut visit: impl FnMut(Run)) {
        let events = &self.events[..];
        let (Some(&first), Some(&last)) = (events.first(), events.last()) else { return };
        let wide = (tolerance * (HALF / 2) as f64).ceil() as u64 + 2;
        let breaks = |k: usize| key(events[k]) - key(events[k - 1]) > wide;
        // The last events that are close to the first across the start.
        let mut wrap = events.len();
        if key(first) + HALF - key(last) <= wide {
            wrap = (1..events.len()).rev().find(|&k| breaks(k)).unwrap_or(events.len());
        }
        let (mut front, mut back) = self.sides(z);
        let mut start = 0;
        while start < wrap {
            let mut end = start + 1;
            while end < wrap && !breaks(end) {
                end += 1;
            }
            let (mut sums, mut leaving, mut entering) = (Sums::default(), 0.0, 0.0);
            for &event in &events[start..end] {
                let z = z[place(event)];
                *(if enters(event) { &mut entering } else { &mut leaving }) += z;
                sums.add_unknown(z);
            }
            (sums.front, sums.back) = (front - leaving, back - entering);
            (front, back) = (sums.front + entering, sums.back + leaving);
            let wrap = if start == 0 { wrap } else { events.len() };
            for &event in &events[wrap..] {
                let z = z[place(event)];
                *(if enters(event) { &mut sums.back } else { &mut sums.front }) -= z;
                sums.add_unknown(z);
            }
            visit(Run { start, end, wrap, sums });
            start = end;
        }
    }

    /// Splits a run at a closer look. The coordinates are those that were loaded, with errors of at
    /// most `error`, so a long point has a much better known direction than a short one.
    pub(super) fn split(
        &self,
        run: &Run,
        x: &[f64],
        y: &[f64],
        error: f64,
        z: &[f64],
    ) -> Vec<Part> {
        struct Member {
            place: usize,
            /// The angle is between these.
            first: f64,
            last: f64,
            /// Whether it enters as `θ` grows, or leaves.
            enters: bool,
        }
        let member = |event: u64, wrapped: bool| {
            let i = place(event);
            let length = x[i].abs() + y[i].abs();
            let x = if enters(event) { -x[i] } else { x[i] };
            // Those from the end come before the start, on the other side.
            let angle = 1.0 - x / length - if wrapped { 2.0 } else { 0.0 };
            let away = 3.1 * error / (length - 2.0 * error) + 8.0 * f64::EPSILON;
            let enters = enters(event) != wrapped;
            Member { place: i, first: angle - away, last: angle + away, enters }
        };
        let start = self.events[run.start..run.end].iter().map(|&e| member(e, false));
        let end = self.events[run.wrap..].iter().map(|&e| member(e, true));
        let mut members: Vec<Member> = end.chain(start).collect();
        members.sort_by(|a, b| a.first.total_cmp(&b.first));
        let Sums { mut front, mut back, .. } = run.sums;
        for m in &members {
            *(if m.enters { &mut back } else { &mut front }) += z[m.place];
        }
        let mut parts: Vec<Part> = Vec::new();
        let (mut latest, mut entering, mut leaving) = (f64::NEG_INFINITY, 0.0, 0.0);
        for m in &members {
            if m.first > latest {
                (front, back) = (front + entering, back + leaving);
                (entering, leaving) = (0.0, 0.0);
                let sums = Sums { front, back, ..Sums::default() };
                parts.push(Part { members: Vec::new(), sums });
            }
            latest = latest.max(m.last);
            let (z, part) = (z[m.place], parts.last_mut().expect("a part for every member"));
            part.members.push(m.place);
            part.sums.add_unknown(z);
            if m.enters {
                (part.sums.back, back, entering) = (part.sums.back - z, back - z, entering + z);
            } else {
                (part.sums.front, front, leaving) = (part.sums.front - z, front - z, leaving + z);
            }
        }
        parts
    }

    /// The direction with the largest `Σ z` in front of it; of equal ones the one with most room.
    pub(super) fn best_gap(&self, z: &[f64]) -> Option<Gap> {
        let (mut front, mut back) = self.sides(z);
        let (mut best, mut room, mut at) = (f64::NEG_INFINITY, 0, None);
        for (k, &event) in self.events.iter().enumerate() {
            let value = z[place(event)];
            if enters(event) {
                front += value;
                back -= value;
            } else {
                front -= value;
                back += value;
            }
            let next =
                self.events.get(k + 1).map_or_else(|| key(self.events[0]) + HALF, |&e| key(e));
            let width = next - key(event);
            let value = front.max(back);
            if width > 1 && (value > best || (value == best && width > room)) {
                (best, room) = (value, width);
                at = Some((key(event) + width / 2, front < back));
            }
        }
        at.map(|(middle, reversed)| {
            // Past the half circle the directions are those of its start, reversed.
            let turn = if (middle >= HALF) != reversed { -1.0 } else { 1.0 };
            let x = 1.0 - (middle % HALF) as f64 / (HALF / 2) as f64;
            Gap { value: best, direction: (-turn * (1.0 - x.abs()), turn * x) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn members(circle: &Circle, run: &Run) -> Vec<usize> {
        let (start, end) = (&circle.events[run.start..run.end], &circle.events[run.wrap..]);
        start.iter().chain(end).map(|&event| place(event)).collect()
    }

    proptest! {
        #[test]
        fn sums_between_runs_are_those_of_the_points_in_front(
            points in prop::collection::vec((-3i32..4, -3i32..4, -5i32..6), 1..12),
        ) {
            let column = |of: fn(&(i32, i32, i32)) -> i32| -> Vec<f64> {
                points.iter().map(|p| f64::from(of(p))).collect()
            };
            let (x, y, z) = (column(|p| p.0), column(|p| p.1), column(|p| p.2));
            let mut circle = Circle::default();
            circle.load(&x, &y, 0.5);
            let mut seen = circle.near.iter().map(|&i| i as usize).collect::<Vec<_>>();
            // One run of all points, split at a closer look, gives the same.
            let mut split = Vec::new();
            circle.runs(&z, 2.0, |run| split = circle.split(&run, &x, &y, 1e-12, &z));
            let mut runs = Vec::new();
            circle.runs(&z, 1e-6, |run| runs.push(run));
            prop_assert_eq!(runs.len(), split.len());
            for (run, part) in runs.iter().zip(&split) {
                let mut members = members(&circle, run);
                let mut others = part.members.clone();
                members.sort_unstable();
                others.sort_unstable();
                prop_assert_eq!(members, others);
                prop_assert_eq!(run.sums, part.sums);
            }
            circle.runs(&z, 1e-6, |run| {
                let members = members(&circle, &run);
                seen.extend(&members);
                // Exactly the points parallel to one of them, and w orthogonal to it.
                let (a, b) = (x[members[0]], y[members[0]]);
                let sign = if b < 0.0 || (b == 0.0 && a < 0.0) { -1.0 } else { 1.0 };
                let (mut front, mut back) = (0.0, 0.0);
                for i in 0..x.len() {
                    let side = sign * (x[i] * -b + y[i] * a);
                    let near = circle.near.contains(&(i as u32));
                    assert_eq!(side == 0.0 && !near, members.contains(&i));
                    front += if side > 0.0 { z[i] } else { 0.0 };
                    back += if side < 0.0 { z[i] } else { 0.0 };
                }
                assert_eq!((run.sums.front, run.sums.back), (front, back));
            });
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..x.len()).collect::<Vec<_>>());
            if let Some(gap) = circle.best_gap(&z) {
                let (c, s) = gap.direction;
                let front = |&i: &usize| x[i] * c + y[i] * s > 0.0;
                let front = (0..x.len()).filter(front).map(|i| z[i]).sum::<f64>();
                prop_assert_eq!(gap.value, front);
                for step in 0..60 {
                    let angle = (f64::from(step) + 0.37) * std::f64::consts::TAU / 60.0;
                    let front = |i: &usize| x[*i] * angle.cos() + y[*i] * angle.sin() > 0.0;
                    let sum: f64 = (0..x.len()).filter(front).map(|i| z[i]).sum();
                    prop_assert!(sum <= gap.value);
                }
            }
        }
    }
}
