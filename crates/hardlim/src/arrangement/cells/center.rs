//! A point inside an open cell, found with exact signs.
//!
//! The rows of the cell, each with its sign, must be positive: `sⱼ = ±aⱼ·w > 0`. On the chart
//! `s₁ = 1` take any vertex, where independent rows vanish. While some other row is negative, it
//! replaces one of these rows that makes it grow. We take the first of each (Bland's rule), so that
//! no basis repeats. This is the dual simplex method without an objective. It ends at a vertex of
//! the cell. Each edge from there ends at the first row that it meets, and a point in the middle of
//! these edges is inside.

use super::lattice::Lattices;
use super::tableau::Tableau;
use crate::arrangement::nearest::max_margin_direction;
use crate::exact::double::Double;
use crate::exact::modular::Float;

/// A vertex during the search: row `first` is 1, and the rows of `basis` vanish.
struct Vertex<'a, 's> {
    table: Tableau<'a>,
    /// The sign each row has in the cell.
    signs: &'s [i8],
    first: usize,
    /// The row of each element of the basis of forms.
    basis: Vec<usize>,
}

/// A point of an open cell on the columns, in twice the precision; `None` if none is found. `signs`
/// has the sign of each row, zero for a row of zeros.
pub(in crate::arrangement) fn center(lattices: &Lattices<'_>, signs: &[i8]) -> Option<Vec<Double>> {
    // Another start may lead to another vertex, with fewer rows through it.
    let rows = signs.len();
    [0, rows / 4, rows / 2, rows / 4 * 3]
        .iter()
        .find_map(|&start| center_from(lattices, signs, start))
}

fn center_from(lattices: &Lattices<'_>, signs: &[i8], start: usize) -> Option<Vec<Double>> {
    let lattice = lattices.get(0);
    let (rows, width) = (lattice.rows(), lattice.width());
    // The coordinates are forms too: their values are the point.
    let mut table = Tableau::new(lattice, (0..(rows + width) as u32).collect());
    let mut basis = Vec::new();
    let mut open: Vec<usize> = (0..width).collect();
    for j in (start..rows).chain(0..start).filter(|&j| signs[j] != 0) {
        if let Some(p) = table.pivot_for(j, &open) {
            table = table.pivot(j, p);
            open.retain(|&q| q != p);
            basis.push((p, j));
        }
    }
    let first = basis.first()?.1;
    basis.sort_unstable();
    let basis = basis.into_iter().map(|(_, j)| j).collect();
    let mut vertex = Vertex { table, signs, first, basis };
    vertex.make_feasible()?;
    let point = vertex.inside()?;
    let columns = lattice.columns().iter();
    Some(columns.zip(point).map(|(column, v)| v.scaled(column.shrink())).collect())
}

impl Vertex<'_, '_> {
    fn make_feasible(&mut self) -> Option<()> {
        let rows = self.signs.len();
        let place = self.basis.iter().position(|&j| j == self.first)?;
        loop {
            let value =
                |v: &mut Self, j: usize| v.table.sign(place, j) * v.signs[j] * v.signs[v.first];
            let Some(enters) = (0..rows).find(|&j| value(self, j) < 0) else { return Some(()) };
            let mut leaves: Vec<(usize, usize)> = self
                .basis
                .iter()
                .copied()
                .enumerate()
                .filter(|&(p, _)| p != place)
                .map(|(p, j)| (j, p))
                .collect();
            leaves.sort_unstable();
            let grows = |&(j, p): &(usize, usize)| {
                self.table.sign(p, enters) * self.signs[enters] * self.signs[j] > 0
            };
            let (_, p) = leaves.into_iter().find(grows)?;
            self.table.pivot_for(enters, &[p]);
            self.table = self.table.pivot(enters, p);
            self.basis[p] = enters;
        }
    }

    /// The values of the coordinates at a point inside.
    fn inside(&mut self) -> Option<Vec<Double>> {
        let (rows, width) = (self.signs.len(), self.basis.len());
        let place = self.basis.iter().position(|&j| j == self.first)?;
        let edges: Vec<usize> = (0..width).filter(|&p| p != place).collect();
        // sⱼ = value + Σ slope·sᵢ over the rows sᵢ of the basis.
        let mut value = vec![0.0; rows];
        let mut slope = vec![vec![0.0; edges.len()]; rows];
        for j in (0..rows).filter(|&j| self.signs[j] != 0) {
            let sign = f64::from(self.signs[j] * self.signs[self.first]);
            value[j] = sign * self.table.sharp(place, j);
            for (k, &p) in edges.iter().enumerate() {
                let sign = f64::from(self.signs[j] * self.signs[self.basis[p]]);
                slope[j][k] = sign * self.table.sharp(p, j);
            }
        }
        let live: Vec<usize> = (0..rows).filter(|&j| self.signs[j] != 0).collect();
        let (tight, slack): (Vec<usize>, Vec<usize>) = live.iter().partition(|&&j| value[j] == 0.0);
        // The length of each edge: up to the first row it meets, or until all rows have changed a
        // lot.
        let reach: Vec<f64> = (0..edges.len())
            .map(|k| {
                let ratios = || slack.iter().map(|&j| (value[j] / slope[j][k].abs(), slope[j][k]));
                let meets = ratios().filter(|r| r.1 < 0.0).map(|r| r.0);
                let most = ratios().filter(|r| r.1 > 0.0).map(|r| r.0).fold(0.0, f64::max);
                let first = meets.fold(f64::INFINITY, f64::min);
                if first.is_finite() {
                    first
                } else if most > 0.0 {
                    most
                } else {
                    1.0
                }
            })
            .collect();
        // At a vertex of many rows not every direction between the edges stays in the cell.
        let mut towards = Vec::new();
        for &j in &tight {
            let ahead: Vec<f64> = slope[j].iter().zip(&reach).map(|(s, r)| s * r).collect();
            let size = ahead.iter().map(|v| v * v).sum::<f64>().sqrt();
            towards.extend(ahead.iter().map(|v| v / size));
        }
        let direction = if edges.is_empty() {
            Vec::new()
        } else {
            max_margin_direction(&towards, edges.len())?
        };
        let step: Vec<f64> = direction.iter().zip(&reach).map(|(d, r)| d * r).collect();
        let change = |j: usize| -> f64 { slope[j].iter().zip(&step).map(|(a, b)| a * b).sum() };
        let meets =
            slack.iter().map(|&j| (value[j], change(j))).filter(|(_, change)| *change < 0.0);
        let length = 0.5 * meets.map(|(value, change)| -value / change).fold(2.0, f64::min);
        // The numerators of a coordinate on all elements share one denominator, which does not
        // matter.
        let numbers: Vec<Vec<Float>> = (0..width)
            .map(|c| (0..width).map(|p| self.table.numerator(p, rows + c)).collect())
            .collect();
        let most = numbers
            .iter()
            .flatten()
            .filter(|n| n.mantissa.high != 0.0)
            .map(|n| n.exponent + n.mantissa.high.abs().log2() as i64);
        let most = most.max()?;
        let point = numbers.iter().map(|number| {
            let part = |p: usize, weight: f64| {
                let Float { mantissa, exponent } = number[p];
                let power = 2f64.powi((exponent - most).max(-1000) as i32);
                let sign = f64::from(self.signs[self.basis[p]]);
                mantissa.scaled(power).times(Double::from(sign * weight))
            };
            let along = edges.iter().zip(&step).map(|(&p, s)| part(p, s * length));
            along.fold(part(place, 1.0), Double::plus)
        });
        Some(point.collect())
    }
}
