//! The direction with the largest margin over some vectors.
//!
//! `max_w min_i gᵢ·w / ‖w‖` is the distance from zero to the convex hull of the `gᵢ`. The best `w`
//! points to the nearest point `v` of the hull: `gᵢ·v ≥ ‖v‖²` for all `i`. If zero is in the hull,
//! `Σ uᵢgᵢ = 0` with `u ≥ 0` proves that no direction separates the vectors from zero (Gordan).

pub(crate) mod nearest;

use nearest::nearest;

/// The unit vector with the largest margin over some vectors, given one after the other. `None` if
/// no direction separates them from zero, up to rounding.
pub(crate) fn max_margin_direction(vectors: &[f64], dimension: usize) -> Option<Vec<f64>> {
    if vectors.is_empty() || dimension == 0 {
        return None;
    }
    let last = |v: &[f64]| {
        let products = vectors.chunks(dimension).map(|g| (dot(g, v), g));
        let (_, last) = products.min_by(|a, b| a.0.total_cmp(&b.0)).expect("some vectors");
        last.to_vec()
    };
    let point = nearest(dimension, last)?;
    let size = dot(&point, &point).sqrt();
    Some(point.iter().map(|x| x / size).collect())
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
        let w = max_margin_direction(&[1.0, 0.0, 0.0, 1.0], 2).unwrap();
        assert!((w[0] - 0.5f64.sqrt()).abs() < 1e-12 && (w[0] - w[1]).abs() < 1e-12);
    }

    #[test]
    fn vectors_around_the_origin_are_not_separated() {
        assert!(max_margin_direction(&[1.0, 0.0, -0.5, 1.0, -0.5, -1.0], 2).is_none());
        assert!(max_margin_direction(&[1.0, -1.0], 1).is_none());
        assert!(max_margin_direction(&[], 2).is_none() && max_margin_direction(&[], 0).is_none());
    }

    #[test]
    fn thin_cones_are_entered() {
        // Squares of these numbers would be lost.
        let tiny = 1e-10;
        let w = max_margin_direction(&[1.0, tiny, -1.0, tiny], 2).unwrap();
        assert!(w[0].abs() < 1e-9 && w[1] > 0.0);
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
            let w = max_margin_direction(&vectors, 3).unwrap();
            prop_assert!(margin(&w) >= best - 1e-9);
        }
    }
}
