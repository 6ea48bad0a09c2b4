//! The answers of hyperplanes on the data. One matrix product decides almost all signs, and exact
//! arithmetic decides the rest.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};

use super::Hyperplane;
use super::tuning::{EVALUATED_ROWS, PLANES};
use crate::data::Features;
use crate::pattern::PatternMatrix;
use crate::pattern::threshold::activates;

/// The patterns `1{Xw + b ≥ 0}`, one column for each hyperplane, decided on the real numbers (see
/// [`crate::pattern::threshold`]).
pub fn evaluate(features: &Features, planes: &[Hyperplane]) -> PatternMatrix {
    let (rows, dimension) = (features.rows(), features.dimension());
    // In any order of summation the error is at most (d + 2)ε Σ|xw|, and Σ|xw| ≤ ‖x̃‖‖w̃‖.
    let unit = (dimension + 8) as f64 * f64::EPSILON;
    let row_errors: Vec<f64> =
        (0..rows).map(|i| unit * norm(features.row(i).iter().chain([&1.0]))).collect();
    let plane_norms: Vec<f64> =
        planes.iter().map(|p| norm(p.weights.iter().chain([&p.bias]))).collect();
    let mut patterns = PatternMatrix::zeros(rows, planes.len());
    for left in (0..planes.len()).step_by(PLANES) {
        let block = left..planes.len().min(left + PLANES);
        let weights = Mat::from_fn(dimension, block.len(), |k, j| planes[left + j].weights[k]);
        for top in (0..rows).step_by(EVALUATED_ROWS) {
            let height = EVALUATED_ROWS.min(rows - top);
            let values = &features.values()[top * dimension..(top + height) * dimension];
            let x = MatRef::from_row_major_slice(values, height, dimension);
            let mut sums = Mat::from_fn(height, block.len(), |_, j| planes[left + j].bias);
            // Threads may change the rounding of a sum, but not a sign: those in doubt are decided
            // again.
            matmul(sums.as_mut(), Accum::Add, x, weights.as_ref(), 1.0, Par::rayon(0));
            let unsure = patterns.pack_signs(
                (top, left),
                sums.as_ref(),
                &row_errors[top..top + height],
                &plane_norms[block.clone()],
            );
            for (i, j) in unsure {
                let Hyperplane { weights, bias } = &planes[j];
                patterns.set(i, j, activates(features.row(i), weights, *bias));
            }
        }
    }
    patterns
}

fn norm<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    values.map(|v| v * v).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Pattern;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_and_exact_signs_agree(
            (n, d, x, w) in (1usize..150, 0usize..5, 1usize..9).prop_flat_map(|(n, d, p)| (
                Just(n), Just(d),
                prop::collection::vec((-3i32..4).prop_map(|v| f64::from(v) * 0.1), n * d),
                prop::collection::vec((-3i32..4).prop_map(|v| f64::from(v) * 0.1), p * (d + 1)),
            )),
        ) {
            // Multiples of 0.1 are full of sums that are zero, or only nearly so.
            let features = Features::new(n, d, x).unwrap();
            let planes: Vec<Hyperplane> = w
                .chunks(d + 1)
                .map(|w| Hyperplane { weights: w[..d].to_vec(), bias: w[d] })
                .collect();
            let patterns = evaluate(&features, &planes);
            for (j, plane) in planes.iter().enumerate() {
                let plain =
                    Pattern::from_fn(n, |i| activates(features.row(i), &plane.weights, plane.bias));
                prop_assert_eq!(patterns.pattern(j), plain);
            }
        }
    }

    #[test]
    fn many_rows_and_planes_cross_all_blocks() {
        let n = 3 * EVALUATED_ROWS + 7;
        let features = Features::new(n, 1, (0..n).map(|i| i as f64).collect()).unwrap();
        let planes: Vec<Hyperplane> = (0..PLANES + 3)
            .map(|j| Hyperplane { weights: vec![1.0], bias: -(11.0 * j as f64) })
            .collect();
        let patterns = evaluate(&features, &planes);
        for j in 0..planes.len() {
            assert_eq!(patterns.pattern(j), Pattern::from_fn(n, |i| i >= 11 * j));
        }
    }
}
