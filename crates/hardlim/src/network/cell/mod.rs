//! Back to weights: some `w` in the cell of every pattern.
//!
//! Any `w` with `1{X̃w ≥ 0} = d` gives the same training objective, so the choice is free. The
//! chosen weights are evaluated on the data before they are trusted.

mod grid;
mod integer;
mod least;
mod max_margin;
mod nearest;
mod pi;
mod rechoose;
mod sparse;

pub use grid::Grid;
use grid::MOST_BITS;
pub(crate) use grid::width;
pub(crate) use nearest::Nearest;
pub use rechoose::Rechoice;

use rayon::prelude::*;

use crate::arrangement::{Arrangement, Hyperplane, evaluate};
use crate::data::{Features, Scaling};
use crate::error::Error;
use crate::pattern::Pattern;
use crate::pattern::threshold::flush;
use crate::solver::margin::Vectors;
use crate::table::named::named;

/// Terms of a sum below this part of its largest are rounding.
const ROUNDING: f64 = 1e-14;

/// Which weights to take inside a pattern's cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weights {
    /// The weights that generated the pattern.
    Sampled,
    /// The pseudo-inverse: `w = X̃⁺d`, with the threshold ½ folded into the bias; without a bias
    /// `w = X⁺(2d − 1)`. It needs full row rank.
    Pi,
    /// The widest margin between the rows that are on and those that are off.
    Svm,
    /// Few inputs: the least `Σ|wⱼ|` with margin 1, then without the inputs that are not needed.
    Sparse,
    /// Small integers on inputs in fixed point (see [`Grid`]).
    Integer,
    /// The Chebyshev centre of the cell: farthest from all its walls, `max r` where
    /// `±x̃ᵢ·w̃ ≥ r‖x̃ᵢ‖`, `‖w̃‖ ≤ 1`.
    Center,
}

impl Weights {
    /// Every choice.
    pub const ALL: [Self; 6] =
        [Self::Sampled, Self::Pi, Self::Svm, Self::Sparse, Self::Integer, Self::Center];
}

named! {
    Weights "choice of weights":
        Sampled "sampled", Pi "pi", Svm "svm", Sparse "sparse", Integer "integer", Center "center"
}

/// A pattern that needs weights, and the weights that generated it, if there are any.
#[derive(Debug, Clone)]
pub struct Cell {
    /// `d`.
    pub pattern: Pattern,
    /// Some `w` in the cell.
    pub witness: Option<Hyperplane>,
}

/// One hyperplane for each cell, which realises exactly its pattern. `scaling` says how the inputs
/// are scaled for the arithmetic, and so the units of a margin.
///
/// If there is no margin (a cell that is not open), the witness is kept.
///
/// # Errors
/// When `pi` is requested without full row rank, when there is no witness to fall back on, or when
/// the weights found do not realise their pattern.
pub fn reconstruct(
    arrangement: &Arrangement<'_>,
    cells: Vec<Cell>,
    weights: Weights,
    scaling: &Scaling,
) -> Result<Vec<Hyperplane>, Error> {
    reconstruct_until(arrangement, cells, weights, scaling, &|| false)
}

/// The same. When `stop` returns true, cells that have a witness keep it.
pub(crate) fn reconstruct_until(
    arrangement: &Arrangement<'_>,
    cells: Vec<Cell>,
    weights: Weights,
    scaling: &Scaling,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Hyperplane>, Error> {
    let task = Task { arrangement: *arrangement, cells: &cells, done: &|| (), stop };
    let proposed = match weights {
        Weights::Sampled => vec![None; cells.len()],
        Weights::Integer => {
            let grid = Grid::fit(arrangement.features(), MOST_BITS, &[]);
            integer::planes(task, &grid)
        }
        _ => task.propose(weights, scaling)?,
    };
    settle(arrangement, cells, proposed, weights)
}

/// The cells to choose weights for, and what happens on the way from cell to cell.
#[derive(Clone, Copy)]
struct Task<'a> {
    arrangement: Arrangement<'a>,
    cells: &'a [Cell],
    /// Called after each cell.
    done: &'a (dyn Fn() + Sync),
    /// Whether to stop: cells that have a witness keep it.
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Task<'_> {
    /// What `visit` returns for each cell that there is time for.
    fn each<T: Send>(&self, visit: impl Fn(&Cell) -> Option<T> + Sync) -> Vec<Option<T>> {
        let skips = |cell: &Cell| cell.witness.is_some() && (self.stop)();
        self.cells.par_iter().map(|cell| if skips(cell) { None } else { visit(cell) }).collect()
    }

    /// The weights of a choice that needs no grid; `None` for a cell that is not open, or for which
    /// there is no time.
    fn propose(
        self,
        weights: Weights,
        scaling: &Scaling,
    ) -> Result<Vec<Option<Hyperplane>>, Error> {
        let features = self.arrangement.features();
        let scaled = scaling.apply(features);
        let rows = Vectors { values: &scaled, dimension: features.dimension() };
        let fold = |(w, b): (Vec<f64>, f64)| {
            let (weights, bias) = scaling.fold(&w, b);
            (self.done)();
            Hyperplane { weights: weights.into_iter().map(flush).collect(), bias: flush(bias) }
        };
        Ok(match weights {
            Weights::Pi => pi::planes(self, rows, &fold)?,
            Weights::Center => max_margin::centers(self, rows, &fold),
            Weights::Sparse => sparse::planes(self, rows, &fold),
            _ => max_margin::planes(self, rows, &fold, |_, widest| widest),
        })
    }

    /// The rows nearest to a hyperplane of the cell, a few more than usually limit a margin;
    /// without a hyperplane, the first rows. `size` is the unit of a row's distance.
    fn near(&self, cell: &Cell, count: usize, size: impl Fn(usize) -> f64) -> Vec<usize> {
        let features = self.arrangement.features();
        let count = count.min(features.rows());
        let Some(Hyperplane { weights, bias }) = &cell.witness else {
            return (0..count).collect();
        };
        let rows = Vectors { values: features.values(), dimension: features.dimension() };
        let mut near = closest(rows, 0..features.rows(), (weights, *bias), count, size);
        near.sort_unstable();
        near
    }
}

/// Of these rows the `count` closest to a hyperplane, the closest first. `size` is the unit of a
/// row's distance.
fn closest(
    rows: Vectors<'_>,
    among: impl Iterator<Item = usize>,
    (weights, bias): (&[f64], f64),
    count: usize,
    size: impl Fn(usize) -> f64,
) -> Vec<usize> {
    let distance = |i: usize| {
        let t: f64 = rows.row(i).iter().zip(weights).map(|(x, w)| x * w).sum();
        ((t + bias).abs() / size(i), i)
    };
    let nearer = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    let mut distances: Vec<(f64, usize)> = among.map(distance).collect();
    if count < distances.len() {
        distances.select_nth_unstable_by(count, nearer);
        distances.truncate(count);
    }
    distances.sort_unstable_by(nearer);
    distances.into_iter().map(|(_, i)| i).collect()
}

/// The proposed weights if they realise their pattern, otherwise the witness. Weights of rounding
/// alone become zero where the pattern allows.
fn settle(
    arrangement: &Arrangement<'_>,
    cells: Vec<Cell>,
    proposed: Vec<Option<Hyperplane>>,
    weights: Weights,
) -> Result<Vec<Hyperplane>, Error> {
    let features = arrangement.features();
    let candidates: Vec<Hyperplane> = (proposed.into_iter().zip(&cells))
        .map(|(found, cell)| found.or_else(|| cell.witness.clone()))
        .collect::<Option<_>>()
        .ok_or(Error::NoWitness)?;
    let sizes = sizes(features);
    let clean = |plane: &Hyperplane| match weights {
        Weights::Sampled => plane.clone(),
        _ => without_rounding(plane, &sizes),
    };
    let clean: Vec<Hyperplane> = candidates.iter().map(clean).collect();
    let patterns = evaluate(features, &clean);
    (clean.into_iter().zip(candidates).zip(cells).enumerate())
        .map(|(j, ((clean, candidate), cell))| {
            let realises = |plane: &Hyperplane| {
                evaluate(features, std::slice::from_ref(plane)).pattern(0) == cell.pattern
            };
            if patterns.pattern(j) == cell.pattern {
                Ok(clean)
            } else if clean != candidate && realises(&candidate) {
                Ok(candidate)
            } else {
                cell.witness.ok_or(Error::WeightsMissPattern { choice: weights.to_string() })
            }
        })
        .collect()
}

/// The largest absolute value.
fn largest(weights: &[f64]) -> f64 {
    weights.iter().map(|w| w.abs()).fold(0.0, f64::max)
}

/// The largest absolute value of every column.
fn sizes(features: &Features) -> Vec<f64> {
    let size =
        |j: usize| (0..features.rows()).map(|i| features.row(i)[j].abs()).fold(0.0, f64::max);
    (0..features.dimension()).map(size).collect()
}

/// The hyperplane without the weights that add nothing but rounding to its sum.
fn without_rounding(plane: &Hyperplane, sizes: &[f64]) -> Hyperplane {
    let share = |(w, size): (&f64, &f64)| (w * size).abs();
    let largest = plane.weights.iter().zip(sizes).map(share).fold(0.0, f64::max);
    let keep = |term: (&f64, &f64)| if share(term) > ROUNDING * largest { *term.0 } else { 0.0 };
    Hyperplane { weights: plane.weights.iter().zip(sizes).map(keep).collect(), bias: plane.bias }
}
