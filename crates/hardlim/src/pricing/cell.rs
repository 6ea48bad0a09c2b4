//! A simplex of normals with a range of thresholds, and bounds for its halfspaces.

use super::cells::Cells;
use super::parts;
use super::vertex::Floors;
use crate::exact::sum::add_times;

/// A simplex of normals with a range of thresholds, and the points that they do not decide.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    /// `uₖ`, one after the other.
    pub(super) corners: Vec<f64>,
    pub(super) rows: Vec<u32>,
    /// `x·uₖ` for the undecided points, corner by corner.
    heights: Vec<f64>,
    /// `Σ z` over the points that are on.
    pub(super) on: f64,
    pub(super) window: (f64, f64),
    /// What the halfspaces with other thresholds are within.
    others: Floors,
    /// What all halfspaces of the simplex are within.
    pub(super) within: Floors,
    pub(super) depth: u32,
    /// Halvings since the last point was decided.
    pub(super) stalled: u32,
}

/// Room for the bounds of one cell after the other.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    /// The smallest and the largest height of every undecided point.
    low: Vec<f64>,
    high: Vec<f64>,
    /// Sums over the points that are on from a bucket of thresholds down.
    most: Vec<f64>,
    least: Vec<f64>,
    /// What all halfspaces of the cell are within.
    pub(super) within: Floors,
    /// What those within the floors are within.
    others: Floors,
    /// The thresholds that may beat the floors.
    window: (f64, f64),
}

impl Cell {
    /// The simplices of half of all normals: those of a cross-polytope.
    pub(super) fn roots(cells: &Cells, z: &[f64]) -> Vec<Self> {
        let count = cells.corners();
        let root = |signs: usize| {
            let mut corners = vec![0.0; count * count];
            for k in 0..count {
                corners[k * count + k] = if signs >> k & 1 == 1 { -1.0 } else { 1.0 };
            }
            Self::new(cells, z, corners)
        };
        (0..1 << (count - 1)).map(root).collect()
    }

    /// All thresholds, and all points undecided.
    fn new(cells: &Cells, z: &[f64], corners: Vec<f64>) -> Self {
        let (count, rows) = (cells.corners(), cells.columns[0].len());
        let mut heights = vec![0.0; count * rows];
        for (corner, heights) in corners.chunks_exact(count).zip(heights.chunks_exact_mut(rows)) {
            for (column, &u) in cells.columns.iter().zip(corner).filter(|(_, u)| **u != 0.0) {
                add_times(heights, u, column);
            }
        }
        let far = cells.size + 2.0 * cells.error;
        let (above, below) = parts(z);
        Self {
            corners,
            rows: (0..rows as u32).collect(),
            heights,
            on: 0.0,
            window: if cells.threshold { (-far, far) } else { (0.0, 0.0) },
            others: Floors::NONE,
            within: Floors { high: above, low: -below },
            depth: 0,
            stalled: 0,
        }
    }

    /// The cell with the thresholds that may beat the floors only, and the points that they do not
    /// decide.
    pub(super) fn narrowed(mut self, cells: &Cells, z: &[f64], bounds: &Bounds) -> Self {
        let (error, count) = (cells.error, self.rows.len());
        let mut kept = Vec::with_capacity(count);
        for (k, (&low, &high)) in bounds.low.iter().zip(&bounds.high).enumerate() {
            if low - error > bounds.window.1 {
                self.on += z[self.rows[k] as usize];
            } else if high + error >= bounds.window.0 {
                kept.push(k);
            }
        }
        (self.window, self.others, self.within) = (bounds.window, bounds.others, bounds.within);
        self.stalled += 1;
        if kept.len() < count {
            self.stalled = 0;
            self.rows = kept.iter().map(|&k| self.rows[k]).collect();
            let corners = self.heights.chunks_exact(count);
            self.heights = corners.flat_map(|h| kept.iter().map(|&k| h[k])).collect();
        }
        self
    }

    /// The halves along the edge on which the heights of the undecided points differ most.
    pub(super) fn halves(self) -> [Self; 2] {
        let count = self.rows.len();
        let corners = self.corners.len().isqrt();
        let heights = |k: usize| &self.heights[k * count..(k + 1) * count];
        let corner = |k: usize| &self.corners[k * corners..(k + 1) * corners];
        let difference =
            |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>();
        let (mut longest, mut edge) = ((-1.0, -1.0), (0, 0));
        for a in 0..corners {
            for b in 0..a {
                let length = (difference(heights(a), heights(b)), difference(corner(a), corner(b)));
                if length > longest {
                    (longest, edge) = (length, (a, b));
                }
            }
        }
        let middle = |a: &[f64], b: &[f64]| -> Vec<f64> {
            a.iter().zip(b).map(|(a, b)| (a + b) / 2.0).collect()
        };
        let (a, b) = edge;
        let (height, direction) = (middle(heights(a), heights(b)), middle(corner(a), corner(b)));
        let mut first = Self { depth: self.depth + 1, ..self };
        let mut second = first.clone();
        for (half, k) in [(&mut first, a), (&mut second, b)] {
            half.heights[k * count..(k + 1) * count].copy_from_slice(&height);
            half.corners[k * corners..(k + 1) * corners].copy_from_slice(&direction);
        }
        [first, second]
    }
}

impl Bounds {
    /// Bounds `Σ z` in front of the halfspaces of the cell. Returns whether one may be beyond the
    /// floors.
    pub(super) fn measure(
        &mut self,
        cells: &Cells,
        z: &[f64],
        cell: &Cell,
        floors: Floors,
    ) -> bool {
        let count = cell.rows.len();
        let Self { low, high, most, least, .. } = self;
        for heights in [&mut *low, &mut *high] {
            heights.clear();
            heights.extend_from_slice(&cell.heights[..count]);
        }
        for heights in cell.heights.chunks_exact(count.max(1)).skip(1) {
            for ((low, high), &h) in low.iter_mut().zip(high.iter_mut()).zip(heights) {
                *low = low.min(h);
                *high = high.max(h);
            }
        }
        let (bottom, top) = cell.window;
        let buckets = if cells.threshold { (2 * count).clamp(16, 256) } else { 1 };
        for sums in [&mut *most, &mut *least] {
            sums.clear();
            sums.resize(buckets, 0.0);
        }
        // A little less than the buckets, so that the largest threshold is in the last one.
        let scale = (1.0 - 1e-12) * buckets as f64 / (top - bottom).max(f64::MIN_POSITIVE);
        let bucket = |height: f64| ((height - bottom) * scale).floor() as i64;
        // A point is on in all buckets up to a last one. Rounding is monotone, so this errs on the
        // side of the bound.
        let on_up_to = |sums: &mut [f64], bucket: i64, z: f64| {
            if bucket >= 0 {
                sums[(bucket as usize).min(buckets - 1)] += z;
            }
        };
        for ((&low, &high), &i) in low.iter().zip(high.iter()).zip(&cell.rows) {
            let z = z[i as usize];
            let (low, high) = (low - cells.error, high + cells.error);
            let (may, is) = if cells.threshold {
                (bucket(high), bucket(low) - 1)
            } else {
                (i64::from(high >= 0.0) - 1, i64::from(low > 0.0) - 1)
            };
            on_up_to(most, if z > 0.0 { may } else { is }, z);
            on_up_to(least, if z < 0.0 { may } else { is }, z);
        }
        let (mut above, mut below) = (cell.on, cell.on);
        let (mut first, mut last) = (usize::MAX, 0);
        (self.within, self.others) = (cell.others, cell.others);
        for k in (0..buckets).rev() {
            above += most[k];
            below += least[k];
            let here = Floors { high: above, low: below };
            if here.beats(floors) {
                last = if first == usize::MAX { k } else { last };
                first = k;
            } else {
                self.others.widen(here);
            }
            self.within.widen(here);
        }
        if cells.threshold && first != usize::MAX {
            // The buckets from the first to the last, and what rounding may have moved there.
            let slack = 16.0 * f64::EPSILON * cells.size.max(bottom.abs()).max(top.abs());
            let edge = |k: usize| bottom + k as f64 / scale;
            self.window = (
                (edge(first) - slack).max(bottom),
                if last + 1 == buckets { top } else { (edge(last + 1) + slack).min(top) },
            );
        } else {
            self.window = cell.window;
        }
        first != usize::MAX
    }
}
