//! The widest margin, and the centre of the cell: one problem in two geometries.
//!
//! The margin is that of `±(x·w + b) ≥ 1` with the least `‖w‖`: the distance between the hyperplane
//! and the nearest row, in the space of the rows.
//!
//! The cell of a pattern is the cone of all `w̃ = (w, b)` with `±x̃ᵢ·w̃ ≥ 0`. Its Chebyshev centre
//! is the point of the unit sphere around which the largest ball fits between the walls: `max r`
//! where `±x̃ᵢ·w̃ ≥ r‖x̃ᵢ‖`, `‖w̃‖ ≤ 1`. This is the widest margin without a bias, for the rows
//! `x̃ᵢ/‖x̃ᵢ‖`. A row of zeros has no wall.

use super::Task;
use crate::arrangement::Hyperplane;
use crate::pattern::Pattern;
use crate::solver::margin::{Margins, Vectors};

/// Turns weights and bias on scaled rows into a hyperplane on the rows as read.
pub(super) type Fold<'a> = &'a (dyn Fn((Vec<f64>, f64)) -> Hyperplane + Sync);

/// The hyperplanes of widest margin, each after `refine`.
pub(super) fn planes(
    task: Task<'_>,
    rows: Vectors<'_>,
    fold: Fold<'_>,
    refine: impl Fn(&Pattern, (Vec<f64>, f64)) -> (Vec<f64>, f64) + Sync,
) -> Vec<Option<Hyperplane>> {
    let samples = task.arrangement.features().rows();
    let margins = Margins::new(rows, samples, task.arrangement.has_bias(), task.cells.len());
    task.each(|cell| {
        let start = || task.near(cell, rows.dimension + 10, |_| 1.0);
        margins.max_margin(&cell.pattern, start).map(|plane| fold(refine(&cell.pattern, plane)))
    })
}

/// The hyperplanes in the middle of their cells.
pub(super) fn centers(
    task: Task<'_>,
    rows: Vectors<'_>,
    fold: Fold<'_>,
) -> Vec<Option<Hyperplane>> {
    let (samples, bias) = (task.arrangement.features().rows(), task.arrangement.has_bias());
    let extended = |i: usize| rows.row(i).iter().copied().chain(bias.then_some(1.0));
    let size = |i: usize| extended(i).map(|x| x * x).sum::<f64>().sqrt();
    let walls: Vec<usize> = (0..samples).filter(|&i| size(i) > 0.0).collect();
    let unit_row = |&i: &usize| {
        let size = size(i);
        extended(i).map(move |x| x / size)
    };
    let values: Vec<f64> = walls.iter().flat_map(unit_row).collect();
    let dimension = rows.dimension + usize::from(bias);
    let unit = Vectors { values: &values, dimension };
    let margins = Margins::new(unit, walls.len(), false, task.cells.len());
    task.each(|cell| {
        let pattern = Pattern::from_fn(walls.len(), |k| cell.pattern.get(walls[k]));
        let start = || {
            let close = task.near(cell, dimension + 10, |i| size(i).max(1e-300));
            close.iter().filter_map(|i| walls.binary_search(i).ok()).collect()
        };
        let (mut weights, _) = margins.max_margin(&pattern, start)?;
        let offset = if bias { weights.pop().expect("the bias") } else { 0.0 };
        Some(fold((weights, offset)))
    })
}
