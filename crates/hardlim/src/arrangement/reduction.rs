//! Weights in double precision inside a cell that is much thinner than the spacing of doubles.
//!
//! Let `p` be a point inside, and `mᵢ = |xᵢ·p|` the distance of row `i`. Doubles of one size are a
//! grid, `wⱼ = kⱼuⱼ` for integers `k`. So few of them are in the cell that a search around `p`
//! misses them. But every multiple of `p` is inside, too, and together they pass near many points
//! of the grid. Integers that change no row by more than its distance are short in the norm
//!
//! `‖k‖² = Σᵢ (xᵢ·w / mᵢ)² + Σⱼ (wⱼ / dⱼ)²`,
//!
//! over the rows that are near. Steps of `dⱼ` leave all other rows where they are. A basis of the
//! grid that is reduced in this norm (Lenstra, Lenstra, Lovász, *Factoring polynomials with
//! rational coefficients*, 1982) consists of such integers, if there are enough. Then any multiple
//! of `p` is rounded with it to weights inside (Babai, *On Lovász' lattice reduction*, 1986).

use super::thin_cell::{ThinCell, scales};
use super::tuning::{NEIGHBOURS, REDUCTION_STEPS};
use crate::exact::double::Double;
use crate::exact::sum;
use crate::pattern::threshold::flush;

/// How far a weight may move, as a part of the largest product of a weight and a value.
const MOVE: f64 = 1.0 / (1 << 10) as f64;
/// Rows within this part of that product are near. Steps of all weights together are smaller.
const NEAR: f64 = 1.0 / (1 << 7) as f64;
/// The largest integer up to which all are doubles.
const LARGEST: f64 = (1u64 << 53) as f64;
/// The rows are brought in by this factor of their distances at a time, so that no step of the
/// reduction loses more digits than doubles have.
const STAGE: f64 = 1.0 / (1 << 8) as f64;
/// The part of a vector that has to be left after it is made orthogonal to the one before.
const LOVASZ: f64 = 0.75;
/// Weights in double precision, near a multiple of the point of the cell, that `holds` accepts.
pub(super) fn realise(cell: &ThinCell, holds: &impl Fn(&[f64]) -> bool) -> Option<Vec<f64>> {
    // Weights that are nearly zero may have to stay so, or may be free to move.
    [Fineness::OfWeights, Fineness::OfRows].into_iter().find_map(|fineness| {
        scales().find_map(|scale| {
            let grid = Grid::new(cell, scale, fineness)?;
            let basis = grid.reduced()?;
            grid.around(&basis).find(|weights| holds(weights))
        })
    })
}

/// How far weights move at most.
#[derive(Clone, Copy, PartialEq)]
enum Fineness {
    /// By their own size.
    OfWeights,
    /// As far as the rows that are not near permit.
    OfRows,
}

/// The doubles around a multiple of a point.
struct Grid {
    /// `u`.
    units: Vec<f64>,
    /// The multiple of `p`, and `d`, in these units.
    point: Vec<f64>,
    steps: Vec<f64>,
    /// The rows that are near: `±xᵢⱼuⱼ`, so that the sum is positive inside, and `mᵢ`.
    rows: Vec<(Vec<f64>, f64)>,
}

/// A point of the grid, and its coordinates in the norm.
#[derive(Debug, Clone)]
struct Step {
    integers: Vec<f64>,
    image: Vec<f64>,
}

impl Grid {
    /// The doubles around this multiple of the point; `None` if that is outside, as far as its
    /// digits tell.
    fn new(cell: &ThinCell, scale: f64, fineness: Fineness) -> Option<Self> {
        let p: Vec<Double> = cell.point.iter().map(|p| p.times(Double::from(scale))).collect();
        let sizes = cell.sizes();
        let products = sizes.iter().zip(&p).map(|(size, p)| size * p.high.abs());
        let largest = products.fold(0.0, f64::max);
        let mut near = Vec::new();
        for (row, on) in &cell.rows {
            let side = if *on { 1.0 } else { -1.0 };
            let row: Vec<f64> = row.iter().map(|v| side * v).collect();
            let margin = dot(&row, &p);
            if margin.is_nan() || margin <= 0.0 {
                return None;
            }
            if margin <= NEAR * largest {
                near.push((row, margin));
            }
        }
        let least = near.iter().map(|(_, margin)| *margin).fold(NEAR * largest, f64::min);
        let far = |(size, p): (&f64, &Double)| match fineness {
            Fineness::OfWeights => (MOVE * largest / size).min(p.high.abs().max(least / size)),
            Fineness::OfRows => MOVE * largest / size,
        };
        let moves: Vec<f64> = sizes.iter().zip(&p).map(far).collect();
        let unit = |(p, d): (&Double, &f64)| {
            let size = p.high.abs().max(*d);
            size.next_up() - size
        };
        let units: Vec<f64> = p.iter().zip(&moves).map(unit).collect();
        for (row, _) in &mut near {
            row.iter_mut().zip(&units).for_each(|(v, u)| *v *= u);
        }
        Some(Self {
            point: p.iter().zip(&units).map(|(p, u)| p.high / u).collect(),
            steps: moves.iter().zip(&units).map(|(d, u)| d / u).collect(),
            units,
            rows: near,
        })
    }

    /// A short basis of the grid; `None` if its integers are not doubles.
    fn reduced(&self) -> Option<Vec<Step>> {
        let width = self.units.len();
        let mut basis: Vec<Vec<f64>> = (0..width).map(|j| sum::unit(width, j)).collect();
        let margins = self.rows.iter().map(|(_, margin)| *margin);
        let (least, most) = margins.fold((f64::INFINITY, 0.0), |(a, b), m| (m.min(a), m.max(b)));
        let mut floor: f64 = most;
        loop {
            let step = |integers: Vec<f64>| self.step(integers, floor);
            let mut steps: Vec<Step> = basis.into_iter().map(step).collect();
            self.reduce(&mut steps, floor)?;
            if floor <= least {
                return Some(steps);
            }
            floor = (STAGE * floor).max(least);
            basis = steps.into_iter().map(|step| step.integers).collect();
        }
    }

    /// The image of integers, where no distance counts as less than `floor`.
    fn step(&self, integers: Vec<f64>, floor: f64) -> Step {
        let exact: Vec<Double> = integers.iter().map(|&k| Double::from(k)).collect();
        let rows = self.rows.iter().map(|(row, margin)| dot(row, &exact) / margin.max(floor));
        let moved = integers.iter().zip(&self.steps).map(|(k, step)| k / step);
        Step { image: rows.chain(moved).collect(), integers }
    }

    /// Reduces a basis; `None` if integers become too large for doubles.
    fn reduce(&self, basis: &mut [Step], floor: f64) -> Option<()> {
        let mut i = 1;
        for _ in 0..REDUCTION_STEPS {
            if i >= basis.len() {
                break;
            }
            for j in (0..i).rev() {
                let frame = orthogonal(&basis[..=j]);
                let times = part(&basis[i].image, &frame[j]).round();
                if times != 0.0 {
                    let pairs = basis[i].integers.iter().zip(&basis[j].integers);
                    let integers: Vec<f64> = pairs.map(|(a, b)| a - times * b).collect();
                    if integers.iter().any(|k| k.abs() > LARGEST) {
                        return None;
                    }
                    basis[i] = self.step(integers, floor);
                }
            }
            let frame = orthogonal(&basis[..=i]);
            let (before, now) = (&frame[i - 1], &frame[i]);
            let along = part(&basis[i].image, before);
            if sum::dot(now, now) >= (LOVASZ - along * along) * sum::dot(before, before) {
                i += 1;
            } else {
                basis.swap(i - 1, i);
                i = (i - 1).max(1);
            }
        }
        Some(())
    }

    /// Weights near the point that seem to be inside, the nearest first.
    fn around<'a>(&'a self, basis: &'a [Step]) -> impl Iterator<Item = Vec<f64>> + 'a {
        let target = self.point.iter().zip(&self.steps).map(|(p, step)| p / step);
        let mut rest: Vec<f64> = self.rows.iter().map(|_| 1.0).chain(target).collect();
        let images: Vec<Vec<f64>> = basis.iter().map(|step| step.image.clone()).collect();
        let frame = orthogonal(basis);
        let mut times = vec![0.0; basis.len()];
        for j in (0..basis.len()).rev() {
            times[j] = part(&rest, &frame[j]).round();
            sum::add_times(&mut rest, -times[j], &images[j]);
        }
        neighbours(basis.len()).into_iter().filter_map(move |offsets| {
            let mut rest = rest.clone();
            for (offset, image) in offsets.iter().zip(&images) {
                sum::add_times(&mut rest, -offset, image);
            }
            let inside = rest[..self.rows.len()].iter().all(|r| *r <= 1.0);
            let weight = |k: usize| {
                let terms = basis.iter().zip(times.iter().zip(&offsets));
                let integer: i128 =
                    terms.map(|(b, (t, o))| (t + o) as i128 * b.integers[k] as i128).sum();
                flush(integer as f64 * self.units[k])
            };
            inside.then(|| (0..self.units.len()).map(weight).collect())
        })
    }
}

/// Zero, and the integers around it.
fn neighbours(width: usize) -> Vec<Vec<f64>> {
    let sides = [0.0, 1.0, -1.0];
    if width > NEIGHBOURS {
        let step = |j: usize, s: f64| (0..width).map(|k| if k == j { s } else { 0.0 }).collect();
        let steps = (0..width).flat_map(|j| [step(j, 1.0), step(j, -1.0)]);
        return std::iter::once(vec![0.0; width]).chain(steps).collect();
    }
    let digit = |code: usize, j: usize| sides[code / 3usize.pow(j as u32) % 3];
    let mut all: Vec<Vec<f64>> = (0..3usize.pow(width as u32))
        .map(|code| (0..width).map(|j| digit(code, j)).collect())
        .collect();
    all.sort_by_key(|offsets| offsets.iter().filter(|o| **o != 0.0).count());
    all
}

/// The images, each without its part along the ones before.
fn orthogonal(basis: &[Step]) -> Vec<Vec<f64>> {
    let mut frame: Vec<Vec<f64>> = Vec::with_capacity(basis.len());
    for step in basis {
        let mut left = step.image.clone();
        for before in &frame {
            let along = part(&left, before);
            sum::add_times(&mut left, -along, before);
        }
        frame.push(left);
    }
    frame
}

/// How many times `a` goes along `b`.
fn part(a: &[f64], b: &[f64]) -> f64 {
    let size = sum::dot(b, b);
    if size > 0.0 { sum::dot(a, b) / size } else { 0.0 }
}

/// `x·w`, in twice the precision.
fn dot(x: &[f64], w: &[Double]) -> f64 {
    let terms = x.iter().zip(w).map(|(&x, w)| w.times(Double::from(x)));
    terms.fold(Double::default(), Double::plus).value()
}
