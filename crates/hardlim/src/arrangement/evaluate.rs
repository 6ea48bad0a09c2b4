//! What hyperplanes answer on the data: one matrix product for almost all signs, exact arithmetic for
//! the few it cannot decide.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;

use super::Hyperplane;
use crate::data::Features;
use crate::pattern::threshold::{activates, fires};
use crate::pattern::{Pattern, PatternMatrix, WORD};

/// Rows in a block: a whole number of words, and small enough for the cache.
const ROWS: usize = 16 * WORD;
/// Hyperplanes in a block.
const PLANES: usize = 256;

/// The patterns `1{Xw + b ≥ 0}`, one column for each hyperplane, decided on the real numbers (see
/// [`crate::pattern::threshold`]).
pub fn evaluate(features: &Features, planes: &[Hyperplane]) -> PatternMatrix {
    let mut patterns = PatternMatrix::new(features.rows());
    for block in planes.chunks(PLANES) {
        evaluate_block(features, block).iter().for_each(|pattern| patterns.push(pattern));
    }
    patterns
}

fn evaluate_block(features: &Features, planes: &[Hyperplane]) -> Vec<Pattern> {
    let (rows, dimension) = (features.rows(), features.dimension());
    let weights = Mat::from_fn(dimension, planes.len(), |k, j| planes[j].weights[k]);
    let plane_norms: Vec<f64> =
        planes.iter().map(|p| norm(p.weights.iter().chain([&p.bias]))).collect();
    let blocks: Vec<Vec<u64>> = (0..rows.div_ceil(ROWS))
        .into_par_iter()
        .map(|b| {
            let range = b * ROWS..rows.min((b + 1) * ROWS);
            let count = range.len();
            let values = &features.values()[range.start * dimension..range.end * dimension];
            let x = MatRef::from_row_major_slice(values, count, dimension);
            let mut products = Mat::<f64>::zeros(count, planes.len());
            matmul(products.as_mut(), Accum::Replace, x, weights.as_ref(), 1.0, Par::Seq);
            // Any order of summation errs by at most (d + 2)ε Σ|xw|, and Σ|xw| ≤ ‖x̃‖‖w̃‖.
            let unit = (dimension + 8) as f64 * f64::EPSILON;
            let row_errors: Vec<f64> = (range.clone())
                .map(|i| unit * norm(features.row(i).iter().chain([&1.0])))
                .collect();
            let mut words = vec![0u64; planes.len() * count.div_ceil(WORD)];
            for (j, words) in words.chunks_mut(count.div_ceil(WORD)).enumerate() {
                let plane = &planes[j];
                for i in 0..count {
                    let t = products[(i, j)] + plane.bias;
                    let on = if t.abs() > row_errors[i] * plane_norms[j] {
                        fires(t)
                    } else {
                        activates(features.row(range.start + i), &plane.weights, plane.bias)
                    };
                    words[i / WORD] |= u64::from(on) << (i % WORD);
                }
            }
            words
        })
        .collect();
    (0..planes.len())
        .map(|j| {
            let words = blocks.iter().flat_map(|words| {
                let size = words.len() / planes.len();
                &words[j * size..(j + 1) * size]
            });
            Pattern::from_words(rows, words.copied().collect())
        })
        .collect()
}

fn norm<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    values.map(|v| v * v).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let n = 3 * ROWS + 7;
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
