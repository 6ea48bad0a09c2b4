//! The widest margin by non-negative least squares (Lawson and Hanson, *Solving Least Squares
//! Problems*, 1974, chapter 23).
//!
//! `min ‖Eu − e‖` over `u ≥ 0`, where the columns of `E` are the vectors `gᵢ` with a 1 below and `e`
//! is zero with a 1 below. Let `(−w, m)` be the residual `e − Eu` at the optimum; it is orthogonal
//! to `Eu` and no column has a positive product with it, so `gᵢ·w ≥ m = ‖w‖² + m²` for all `i`.
//! Either `m > 0`, and `w` separates with the widest margin there is (among unit vectors), or the
//! residual is zero, and `Σ uᵢgᵢ = 0` with `Σ uᵢ = 1` proves that nothing does (Gordan).

/// The `w` with the widest margin `min gᵢ·w / ‖w‖` over some vectors, scaled to unit length; none
/// where the numbers prove, or come close to proving, that nothing separates.
pub(super) fn widest(vectors: &[f64], dimension: usize) -> Option<Vec<f64>> {
    let count = vectors.len().checked_div(dimension)?;
    let row = |i: usize| &vectors[i * dimension..(i + 1) * dimension];
    let mut support: Vec<usize> = Vec::new();
    let mut weights: Vec<f64> = Vec::new();
    // Each step lowers the residual, so no support comes back; the bound is for rounding.
    for _ in 0..20 * (dimension + 2) + count {
        let (w, m) = residual(vectors, dimension, &support, &weights);
        // The vector that is worst off.
        let (mut worst, mut least) = (None, m * (1.0 - 1e-9) - 1e-15);
        for i in 0..count {
            let product = dot(row(i), &w);
            if product < least && !support.contains(&i) {
                (worst, least) = (Some(i), product);
            }
        }
        let Some(enters) = worst else {
            let size = dot(&w, &w).sqrt();
            let found = m > -1e-15 && size > 1e-15;
            return found.then(|| w.iter().map(|v| v / size).collect());
        };
        support.push(enters);
        weights.push(0.0);
        // The least squares on the support; weights that would go below zero leave it.
        loop {
            let Some(target) = least_squares(vectors, dimension, &support) else {
                support.pop();
                weights.pop();
                return polished(vectors, dimension, &support, &weights);
            };
            let step = (weights.iter().zip(&target))
                .filter(|(_, t)| **t <= 0.0)
                .map(|(w, t)| w / (w - t))
                .fold(1.0, f64::min);
            if step >= 1.0 && target.iter().all(|&t| t > 0.0) {
                weights = target;
                break;
            }
            weights.iter_mut().zip(&target).for_each(|(w, t)| *w += step * (t - *w));
            let mut kept = (0..support.len()).filter(|&k| weights[k] > 1e-14).collect::<Vec<_>>();
            if kept.len() == support.len() {
                kept.pop();
            }
            support = kept.iter().map(|&k| support[k]).collect();
            weights = kept.iter().map(|&k| weights[k]).collect();
            if support.is_empty() {
                return None;
            }
        }
    }
    polished(vectors, dimension, &support, &weights)
}

/// What the present weights say.
fn polished(
    vectors: &[f64],
    dimension: usize,
    support: &[usize],
    weights: &[f64],
) -> Option<Vec<f64>> {
    let (w, _) = residual(vectors, dimension, support, weights);
    let size = dot(&w, &w).sqrt();
    (size > 1e-15).then(|| w.iter().map(|v| v / size).collect())
}

/// `w` and `m` of the residual `(−w, m)`.
fn residual(
    vectors: &[f64],
    dimension: usize,
    support: &[usize],
    weights: &[f64],
) -> (Vec<f64>, f64) {
    let mut w = vec![0.0; dimension];
    for (&i, &u) in support.iter().zip(weights) {
        let row = &vectors[i * dimension..(i + 1) * dimension];
        w.iter_mut().zip(row).for_each(|(w, g)| *w += u * g);
    }
    (w, 1.0 - weights.iter().sum::<f64>())
}

/// The least squares over the columns of the support, by Cholesky's factors of their products.
fn least_squares(vectors: &[f64], dimension: usize, support: &[usize]) -> Option<Vec<f64>> {
    let size = support.len();
    let row = |i: usize| &vectors[i * dimension..(i + 1) * dimension];
    let mut factor = vec![0.0; size * size];
    for a in 0..size {
        for b in 0..=a {
            let inner: f64 = (0..b).map(|k| factor[a * size + k] * factor[b * size + k]).sum();
            let product = dot(row(support[a]), row(support[b])) + 1.0;
            factor[a * size + b] = if a == b {
                let left = product - inner;
                if left <= 1e-13 * product {
                    return None;
                }
                left.sqrt()
            } else {
                (product - inner) / factor[b * size + b]
            };
        }
    }
    let mut u = vec![1.0; size];
    for a in 0..size {
        let inner: f64 = (0..a).map(|k| factor[a * size + k] * u[k]).sum();
        u[a] = (u[a] - inner) / factor[a * size + a];
    }
    for a in (0..size).rev() {
        let inner: f64 = (a + 1..size).map(|k| factor[k * size + a] * u[k]).sum();
        u[a] = (u[a] - inner) / factor[a * size + a];
    }
    Some(u)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn two_vectors_are_separated_by_their_bisector() {
        let w = widest(&[1.0, 0.0, 0.0, 1.0], 2).unwrap();
        assert!((w[0] - 0.5f64.sqrt()).abs() < 1e-12 && (w[0] - w[1]).abs() < 1e-12);
    }

    #[test]
    fn vectors_around_the_origin_are_not_separated() {
        assert!(widest(&[1.0, 0.0, -0.5, 1.0, -0.5, -1.0], 2).is_none());
        assert!(widest(&[1.0, -1.0], 1).is_none());
    }

    proptest! {
        #[test]
        fn no_direction_has_a_wider_margin(
            points in prop::collection::vec(-1.0f64..1.0, 3..60),
            plane in prop::collection::vec(-1.0f64..1.0, 3),
            other in prop::collection::vec(-1.0f64..1.0, 3),
        ) {
            let mut vectors = points[..points.len() / 3 * 3].to_vec();
            for row in vectors.chunks_mut(3) {
                if dot(row, &plane) < 0.0 {
                    row.iter_mut().for_each(|v| *v = -*v);
                }
            }
            let margin = |w: &[f64]| {
                let least = vectors.chunks(3).map(|g| dot(g, w)).fold(f64::INFINITY, f64::min);
                least / dot(w, w).sqrt()
            };
            let best = margin(&plane).max(margin(&other));
            prop_assume!(margin(&plane) > 1e-6);
            let w = widest(&vectors, 3).unwrap();
            prop_assert!(margin(&w) >= best - 1e-9);
        }
    }
}
