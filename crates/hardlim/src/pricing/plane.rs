//! Halfplanes of points in the plane, by branch and bound over the direction of their normal.
//!
//! For normals `u = αu₁ + (1−α)u₂` of a sector, `x·u` lies between `x·u₁` and `x·u₂`. So for every
//! threshold `τ` some points are on for the whole sector, some are off, and the rest count as
//! whichever is better: a bound for all halfplanes with such normals, in `O(n)` by sorting into
//! buckets. A sector is done if its bound is not above the best value known. Others are split,
//! until few points are left that a better halfplane could touch. The circles of these points
//! ([`super::flats`]) decide.

use super::flats::Search;
use super::points::Points;
use super::vertex::{Floors, Found};

/// The number of sectors of the half circle at the start.
const SECTORS: usize = 8;
/// The most halvings of a sector.
const DEEPEST: usize = 14;
/// Sectors with at most this many suspect points are not split.
const FEW: usize = 8;

/// Points of rank three with a bias, as points of the plane.
#[derive(Debug, Clone)]
pub(super) struct Plane {
    x: Vec<f64>,
    y: Vec<f64>,
    /// A bound on the error of each coordinate.
    error: f64,
}

/// One direction: `x·u` for every point.
#[derive(Debug, Clone)]
struct Normal {
    u: (f64, f64),
    heights: Vec<f64>,
    error: f64,
}

impl Plane {
    /// The plane of the points, if the first of three columns is that of the bias.
    pub(super) fn of(points: &Points, bias: usize) -> Option<Self> {
        if points.rank() != 3 || points.columns[0] != bias {
            return None;
        }
        // The first coordinate is a power of two: one, with every point scaled by its own.
        let one = &points.coordinates[0];
        let column = |j: usize| -> Vec<f64> {
            points.coordinates[j].iter().zip(one).map(|(v, one)| v / one).collect()
        };
        let smallest = one.iter().copied().fold(1.0, f64::min);
        Some(Self { x: column(1), y: column(2), error: points.error / smallest })
    }

    fn normal(&self, u: (f64, f64)) -> Normal {
        let heights: Vec<f64> =
            self.x.iter().zip(&self.y).map(|(x, y)| x * u.0 + y * u.1).collect();
        let size = |v: &[f64]| v.iter().fold(0.0, |m, x| f64::max(m, x.abs()));
        let (a, b) = (u.0.abs(), u.1.abs());
        let rounding = 2.0 * f64::EPSILON * (a * size(&self.x) + b * size(&self.y));
        Normal { u, heights, error: 1.01 * (a + b) * self.error + rounding }
    }

    /// The best halfplanes beyond the floors, from above and from below; `None` if told to stop.
    pub(super) fn search(
        &self,
        points: &Points,
        z: &[f64],
        floors: Floors,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Found> {
        let mut branch = Branch {
            search: Search::new(points, z, floors),
            z,
            total: z.iter().sum(),
            done: vec![false; z.len()],
            buckets: Vec::new(),
            reach: Vec::new(),
            stop,
        };
        branch.search.found.everything_on(points, z);
        branch.search.found.nothing_on(points);
        let corner = |k: usize| {
            let angle = std::f64::consts::PI * k as f64 / SECTORS as f64;
            self.normal(if k == SECTORS { (-1.0, 0.0) } else { (angle.cos(), angle.sin()) })
        };
        let corners: Vec<Normal> = (0..=SECTORS).map(corner).collect();
        let mut sectors: Vec<(f64, usize)> =
            (0..SECTORS).map(|k| (branch.excess(&corners[k], &corners[k + 1]), k)).collect();
        sectors.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, k) in sectors {
            branch.split(self, &corners[k], &corners[k + 1], 0)?;
        }
        Some(branch.search.found)
    }
}

/// Sums over one bucket of thresholds: points that may be on from here down, and points that are
/// on.
#[derive(Debug, Clone, Copy, Default)]
struct Bucket {
    may_above: f64,
    may_below: f64,
    is_above: f64,
    is_below: f64,
    hot: bool,
}

struct Branch<'a> {
    search: Search<'a>,
    z: &'a [f64],
    total: f64,
    /// The points whose circles are done.
    done: Vec<bool>,
    buckets: Vec<Bucket>,
    /// For every point, the buckets that its heights in the sector touch.
    reach: Vec<(u32, u32)>,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Branch<'_> {
    /// The most by which halfplanes of the sector can beat the floors. Marks the hot buckets.
    fn excess(&mut self, a: &Normal, b: &Normal) -> f64 {
        let Floors { high, low } = self.search.found.floors;
        let count = (2 * self.z.len()).clamp(64, 1 << 16);
        self.buckets.clear();
        self.buckets.resize(count, Bucket::default());
        let error = a.error.max(b.error);
        let pairs = || a.heights.iter().zip(&b.heights);
        let bottom = pairs().fold(f64::INFINITY, |m, (a, b)| m.min(a.min(*b))) - error;
        let top = pairs().fold(f64::NEG_INFINITY, |m, (a, b)| m.max(a.max(*b))) + error;
        let scale = (count - 1) as f64 / (top - bottom).max(f64::MIN_POSITIVE);
        self.reach.clear();
        for ((a, b), &z) in pairs().zip(self.z) {
            // Rounding is monotone, so a point is in no bucket that its real heights miss.
            let bucket = |height: f64| (((height - bottom) * scale) as usize).min(count - 1);
            let (lowest, highest) = (bucket(a.min(*b) - error), bucket(a.max(*b) + error));
            self.reach.push((lowest as u32, highest as u32));
            let (above, below) = (z.max(0.0), z.min(0.0));
            self.buckets[highest].may_above += above;
            self.buckets[highest].may_below += below;
            self.buckets[lowest].is_above += above;
            self.buckets[lowest].is_below += below;
        }
        let (mut on, mut above, mut below, mut excess) = (0.0, 0.0, 0.0, 0.0f64);
        for bucket in self.buckets.iter_mut().rev() {
            above += bucket.may_above;
            below += bucket.may_below;
            // In front at most on + above, at least on + below; behind it the rest of the total.
            let (most, least) = (on + above, on + below);
            let beats =
                (most.max(self.total - least) - high).max(low - least.min(self.total - most));
            bucket.hot = beats > 0.0;
            excess = excess.max(beats);
            above -= bucket.is_above;
            below -= bucket.is_below;
            on += bucket.is_above + bucket.is_below;
        }
        excess
    }

    fn split(&mut self, plane: &Plane, a: &Normal, b: &Normal, depth: usize) -> Option<()> {
        if self.excess(a, b) <= 0.0 {
            return Some(());
        }
        if (self.stop)() {
            return None;
        }
        // Any better halfplane can be turned and moved until it touches a point of a hot bucket.
        let mut hot_up_to = vec![0u32; self.buckets.len() + 1];
        for (k, bucket) in self.buckets.iter().enumerate() {
            hot_up_to[k + 1] = hot_up_to[k] + u32::from(bucket.hot);
        }
        let touched = |&(lowest, highest): &(u32, u32)| {
            hot_up_to[highest as usize + 1] > hot_up_to[lowest as usize]
        };
        let suspects: Vec<usize> =
            (0..self.z.len()).filter(|&p| !self.done[p] && touched(&self.reach[p])).collect();
        if suspects.len() <= FEW || depth == DEEPEST {
            suspects.into_iter().for_each(|p| self.settle(a, b, p));
            return Some(());
        }
        let middle = plane.normal(((a.u.0 + b.u.0) / 2.0, (a.u.1 + b.u.1) / 2.0));
        let mut halves = [(a, &middle), (&middle, b)];
        if self.excess(a, &middle) < self.excess(&middle, b) {
            halves.reverse();
        }
        halves.into_iter().try_for_each(|(a, b)| self.split(plane, a, b, depth + 1))
    }

    /// Searches the halfplanes of the sector whose boundary goes through point `p`: by a bound, or
    /// else by the circle of all its directions.
    fn settle(&mut self, a: &Normal, b: &Normal, p: usize) {
        let (mut front, mut back, mut above, mut below) = (0.0, 0.0, 0.0, 0.0);
        let (errors, heights) = ((2.0 * a.error, 2.0 * b.error), (a.heights[p], b.heights[p]));
        for ((&i, &j), &z) in a.heights.iter().zip(&b.heights).zip(self.z) {
            let (i, j) = (i - heights.0, j - heights.1);
            if i > errors.0 && j > errors.1 {
                front += z;
            } else if i < -errors.0 && j < -errors.1 {
                back += z;
            } else {
                above += z.max(0.0);
                below += z.min(0.0);
            }
        }
        let Floors { high, low } = self.search.found.floors;
        if f64::max(front, back) + above > high || f64::min(front, back) + below < low {
            self.done[p] = true;
            self.search.full_circle(p);
        }
    }
}
