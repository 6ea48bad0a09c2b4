//! Few inputs: `min Σ|wⱼ|` where `±(x·w + b) ≥ 1`, then without the inputs that are not needed.
//!
//! The vertices of this linear program have few non-zeros, at most as many as there are rows at
//! margin 1. Then the inputs in use are tried one at a time, the smallest weight first. If the rest
//! still separates the rows, the input is left out. An input that is needed once stays needed
//! later, so one pass is enough, and in the end every input is needed.

use super::least::{Least, Norm};
use super::max_margin::{self, Fold};
use super::{Task, closest};
use crate::arrangement::Hyperplane;
use crate::network::tuning::TRIES;
use crate::pattern::Pattern;
use crate::solver::margin::Vectors;
use crate::solver::projection;

pub(super) fn planes(task: Task<'_>, rows: Vectors<'_>, fold: Fold<'_>) -> Vec<Option<Hyperplane>> {
    let bias = task.arrangement.has_bias();
    max_margin::planes(task, rows, fold, |pattern, widest| {
        if bias && [0, pattern.samples()].contains(&pattern.count()) {
            widest
        } else {
            sparsest(rows, pattern, bias, widest)
        }
    })
}

/// Few inputs, from the weights of widest margin.
fn sparsest(
    rows: Vectors<'_>,
    pattern: &Pattern,
    bias: bool,
    max_margin: (Vec<f64>, f64),
) -> (Vec<f64>, f64) {
    let (plane, count) = ((&max_margin.0[..], max_margin.1), 2 * (rows.dimension + 10));
    let mut working = closest(rows, 0..pattern.samples(), plane, count, |_| 1.0);
    let least = Least { rows, pattern, bias, norm: Norm::Sum };
    let all: Vec<usize> = (0..rows.dimension).collect();
    let mut best = least.solve(&all, &mut working).unwrap_or(max_margin);
    let mut reads: Vec<usize> = all.into_iter().filter(|&j| best.0[j] != 0.0).collect();
    let before = reads.len();
    let mut order = reads.clone();
    order.sort_by(|&i, &j| best.0[i].abs().total_cmp(&best.0[j].abs()).then(i.cmp(&j)));
    for spared in order.into_iter().take(TRIES) {
        let others: Vec<usize> = reads.iter().copied().filter(|&j| j != spared).collect();
        if let Some(plane) = separated(rows, pattern, bias, &others, &working) {
            (best, reads) = (plane, others);
        }
    }
    if reads.len() < before { least.solve(&reads, &mut working).unwrap_or(best) } else { best }
}

/// Weights on these inputs alone that separate the rows, if there are any.
fn separated(
    rows: Vectors<'_>,
    pattern: &Pattern,
    bias: bool,
    inputs: &[usize],
    working: &[usize],
) -> Option<(Vec<f64>, f64)> {
    let values: Vec<f64> =
        (0..pattern.samples()).flat_map(|i| inputs.iter().map(move |&j| rows.row(i)[j])).collect();
    let part = Vectors { values: &values, dimension: inputs.len() };
    let (some, offset) = projection::max_margin(part, pattern, bias, working.to_vec())?;
    let mut weights = vec![0.0; rows.dimension];
    inputs.iter().zip(some).for_each(|(&j, w)| weights[j] = w);
    Some((weights, offset))
}
