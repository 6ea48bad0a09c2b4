//! The answers of hyperplanes on the data. One matrix product decides almost all signs, and exact
//! arithmetic decides the rest.

use std::borrow::Cow;
use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;

use super::Hyperplane;
use super::tuning::{EVALUATED_ROWS, PLANES};
use crate::data::Features;
use crate::pattern::threshold::activates;
use crate::pattern::{PatternMatrix, WORD};

/// The patterns `1{Xw + b ≥ 0}`, one column for each hyperplane, decided on the real numbers (see
/// [`crate::pattern::threshold`]).
pub fn evaluate(features: &Features, planes: &[Hyperplane]) -> PatternMatrix {
    let (rows, dimension) = (features.rows(), features.dimension());
    let mut patterns = PatternMatrix::zeros(rows, planes.len());
    for (planes, left) in planes.chunks(PLANES).zip((0..).step_by(PLANES)) {
        let panel = Panel::new(planes, dimension);
        let tops: Vec<usize> = (0..rows).step_by(EVALUATED_ROWS).collect();
        let parts: Vec<PatternMatrix> = (tops.par_iter())
            .map(|&top| panel.answers(features, top..rows.min(top + EVALUATED_ROWS)))
            .collect();
        for (top, part) in tops.into_iter().zip(&parts) {
            for j in 0..planes.len() {
                let words = part.samples().div_ceil(WORD);
                patterns.put_words(left + j, top / WORD, &part.column(j)[..words]);
            }
        }
    }
    patterns
}

/// Hyperplanes side by side.
struct Panel<'a> {
    planes: &'a [Hyperplane],
    /// The columns that make a difference to one of them.
    columns: Vec<usize>,
    /// Their weights, one column for each hyperplane.
    weights: Mat<f64>,
    norms: Vec<f64>,
}

impl<'a> Panel<'a> {
    fn new(planes: &'a [Hyperplane], dimension: usize) -> Self {
        let columns: Vec<usize> =
            (0..dimension).filter(|&k| planes.iter().any(|p| p.weights[k] != 0.0)).collect();
        let weights =
            Mat::from_fn(columns.len(), planes.len(), |k, j| planes[j].weights[columns[k]]);
        let norms = planes.iter().map(|p| norm(p.weights.iter().chain([&p.bias]))).collect();
        Self { planes, columns, weights, norms }
    }

    fn answers(&self, features: &Features, rows: Range<usize>) -> PatternMatrix {
        let (height, width) = (rows.len(), self.columns.len());
        let d = features.dimension();
        let values = if width == d {
            Cow::Borrowed(&features.values()[rows.start * d..rows.end * d])
        } else {
            let row = |i: usize| self.columns.iter().map(move |&k| features.row(i)[k]);
            Cow::Owned(rows.clone().flat_map(row).collect())
        };
        let x = MatRef::from_row_major_slice(&values[..], height, width);
        let mut sums = Mat::from_fn(height, self.planes.len(), |_, j| self.planes[j].bias);
        matmul(sums.as_mut(), Accum::Add, x, self.weights.as_ref(), 1.0, Par::Seq);
        // In any order of summation the error is at most (d + 2)ε Σ|xw|, and Σ|xw| ≤ ‖x̃‖‖w̃‖.
        let unit = (width + 8) as f64 * f64::EPSILON;
        let row = |i: usize| values[i * width..(i + 1) * width].iter();
        let errors: Vec<f64> = (0..height).map(|i| unit * norm(row(i).chain([&1.0]))).collect();
        let mut patterns = PatternMatrix::zeros(height, self.planes.len());
        for (i, j) in patterns.pack_signs((0, 0), sums.as_ref(), &errors, &self.norms) {
            let Hyperplane { weights, bias } = &self.planes[j];
            patterns.set(i, j, activates(features.row(rows.start + i), weights, *bias));
        }
        patterns
    }
}

fn norm<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    values.map(|v| v * v).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Pattern;
    use crate::pattern::threshold::flush;
    use proptest::prelude::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The definition, one hyperplane and one row at a time.
    fn check(features: &Features, planes: &[Hyperplane]) {
        let patterns = evaluate(features, planes);
        for (j, Hyperplane { weights, bias }) in planes.iter().enumerate() {
            let fires = |i: usize| activates(features.row(i), weights, *bias);
            assert_eq!(patterns.pattern(j), Pattern::from_fn(features.rows(), fires), "{j}");
        }
    }

    /// Numbers of very different kinds.
    fn number(kind: usize, rng: &mut ChaCha8Rng) -> f64 {
        let small = f64::from(rng.random_range(-3i32..4));
        match kind {
            0 => small,       // sums that are zero
            1 => 0.1 * small, // or nearly so
            2 => rng.random_range(-1.0..1.0),
            3 => small * 10f64.powi(rng.random_range(-58..58)),
            4 => 32767.5 * small + rng.random_range(-1.0..1.0),
            _ => small.max(0.0) * 0.01, // skewed, many of them zero
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        #[test]
        fn products_and_exact_signs_agree(
            rows in prop::sample::select(&[0usize, 1, 63, 64, 65, 130][..]),
            d in prop::sample::select(&[0usize, 1, 2, 7, 8, 9, 33][..]),
            count in prop::sample::select(&[0usize, 1, 15, 16, 17, 70][..]),
            kinds in (0usize..6, 0usize..6), reads in prop_oneof![Just(1.0), Just(0.2)], seed: u64,
        ) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let values: Vec<f64> = (0..rows * d).map(|_| number(kinds.0, &mut rng)).collect();
            let features = Features::new(rows, d, values).unwrap();
            let plane = |j: usize| {
                let mut weight = || {
                    if rng.random_bool(reads) { number(kinds.1, &mut rng) } else { 0.0 }
                };
                let mut weights: Vec<f64> = (0..d).map(|_| weight()).collect();
                let mut bias = number(if j.is_multiple_of(2) { 0 } else { kinds.1 }, &mut rng);
                // Through a row, or as close to it as doubles allow, with both within range.
                if j % 4 == 1 && rows > 0 {
                    let x = features.row(j % rows).iter();
                    bias = -x.zip(&weights).map(|(x, w)| x * w).sum::<f64>();
                }
                if j % 5 == 2 {
                    weights.iter_mut().chain([&mut bias]).for_each(|w| *w *= 1e60);
                }
                let flush = |w: f64| flush(w.clamp(-1e120, 1e120));
                Hyperplane { weights: weights.into_iter().map(flush).collect(), bias: flush(bias) }
            };
            check(&features, &(0..count).map(plane).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_row_far_beyond_the_others_is_answered_alike() {
        let d = 5;
        let mut values: Vec<f64> =
            (0..200 * d).map(|k| f64::from((k * k % 17) as u32) / 16.0).collect();
        values[77 * d + 2] = 1e60;
        values[150 * d] = -1e-60;
        let plane = |k: usize| Hyperplane {
            weights: (0..d).map(|j| ((j * 7 + k * 3) % 11) as f64 - 5.0).collect(),
            bias: 0.25 * k as f64 - 4.0,
        };
        let features = Features::new(200, d, values).unwrap();
        check(&features, &(0..40).map(plane).collect::<Vec<_>>());
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
