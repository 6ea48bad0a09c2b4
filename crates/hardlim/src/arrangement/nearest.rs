//! The point of a polytope nearest to zero (Wolfe, *Finding the nearest point in a polytope*,
//! 1976).
//!
//! The polytope is given by a function that returns the vertex farthest back along a direction. We
//! keep a few affinely independent vertices with positive weights. The nearest point of their
//! affine hull is found by orthogonalisation, without squares, so it stays accurate however close
//! to zero it is.
//!
//! `max_w min_i gᵢ·w / ‖w‖` is the distance from zero to the convex hull of the `gᵢ`. The best `w`
//! points to the nearest point `v` of the hull: `gᵢ·v ≥ ‖v‖²` for all `i`. If zero is in the hull,
//! `Σ uᵢgᵢ = 0` with `u ≥ 0` proves that no direction separates the vectors from zero (Gordan).

use crate::exact::sum::{add_times, dot};

/// Vertices may lie behind the point by this fraction of its squared length.
const TOLERANCE: f64 = 1e-12;
/// A vector depends on others if at most this fraction of it is left when they are projected out.
const DEPENDENT: f64 = 1e-14;

/// The unit vector with the largest margin over some vectors, given one after the other. `None` if
/// no direction separates them from zero, up to rounding.
pub(super) fn max_margin_direction(vectors: &[f64], dimension: usize) -> Option<Vec<f64>> {
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

/// The nearest point; `None` if zero belongs to the polytope, up to rounding. `vertex(v)` is the
/// vertex `p` with the least `p·v`.
pub(crate) fn nearest(dimension: usize, vertex: impl Fn(&[f64]) -> Vec<f64>) -> Option<Vec<f64>> {
    let mut corral = Corral::new(vertex(&vec![1.0; dimension]));
    let mut size = corral.point.iter().map(|x| x.abs()).fold(0.0, f64::max);
    // Every round comes closer, so no set of vertices repeats; the limit guards against rounding.
    for _ in 0..100 * (dimension + 10) {
        let v = &corral.point;
        let p = vertex(v);
        size = p.iter().map(|x| x.abs()).fold(size, f64::max);
        let square = dot(v, v);
        if square.sqrt() <= 4.0 * f64::EPSILON * size {
            return None;
        }
        let settled = square - dot(&p, v) <= TOLERANCE * square || corral.vertices.contains(&p);
        if settled || !corral.admit(p) {
            return Some(corral.point);
        }
    }
    Some(corral.point)
}

/// Vertices, the weights of their nearest point, and that point.
struct Corral {
    vertices: Vec<Vec<f64>>,
    weights: Vec<f64>,
    point: Vec<f64>,
}

impl Corral {
    fn new(vertex: Vec<f64>) -> Self {
        Self { point: vertex.clone(), vertices: vec![vertex], weights: vec![1.0] }
    }

    /// Adds a vertex and moves to the nearest point of the hull; `false` when rounding forbids it.
    fn admit(&mut self, vertex: Vec<f64>) -> bool {
        let before = dot(&self.point, &self.point);
        self.vertices.push(vertex);
        self.weights.push(0.0);
        while let Some((target, point)) = nearest_of_affine_hull(&self.vertices) {
            if target.iter().all(|w| *w > 0.0) {
                let closer = dot(&point, &point) < before;
                (self.weights, self.point) = (target, point);
                return closer;
            }
            // Towards the target until the first weight is zero.
            let step = (self.weights.iter().zip(&target))
                .filter(|(_, t)| **t <= 0.0)
                .map(|(w, t)| w / (w - t))
                .fold(1.0, f64::min);
            let moved = |(w, t): (&f64, &f64)| {
                let out = *t <= 0.0 && w / (w - t) <= step;
                if out { 0.0 } else { w + step * (t - w) }
            };
            let weights: Vec<f64> = self.weights.iter().zip(&target).map(moved).collect();
            let mut kept = weights.iter().map(|w| *w > 0.0);
            self.vertices.retain(|_| kept.next().expect("a weight for each vertex"));
            self.weights = weights.into_iter().filter(|w| *w > 0.0).collect();
            if self.vertices.is_empty() {
                return false;
            }
        }
        false
    }
}

/// The nearest point of an affine hull and its weights, which add up to one; `None` if the vertices
/// depend on each other.
fn nearest_of_affine_hull(vertices: &[Vec<f64>]) -> Option<(Vec<f64>, Vec<f64>)> {
    // The base is the smallest vertex, so nothing larger is subtracted from it.
    let base = (0..vertices.len()).min_by(|&i, &j| {
        dot(&vertices[i], &vertices[i]).total_cmp(&dot(&vertices[j], &vertices[j]))
    })?;
    let others: Vec<usize> = (0..vertices.len()).filter(|&k| k != base).collect();
    let (mut basis, mut triangle) = (Vec::<Vec<f64>>::new(), Vec::<Vec<f64>>::new());
    for &k in &others {
        let mut rest: Vec<f64> =
            vertices[k].iter().zip(&vertices[base]).map(|(a, b)| a - b).collect();
        let length = dot(&rest, &rest).sqrt();
        let mut column = remove(&basis, &mut rest);
        let left = dot(&rest, &rest).sqrt();
        if left <= DEPENDENT * length {
            return None;
        }
        column.push(left);
        rest.iter_mut().for_each(|x| *x /= left);
        basis.push(rest);
        triangle.push(column);
    }
    let mut point = vertices[base].clone();
    let mut right = remove(&basis, &mut point);
    // The triangle's columns hold the differences: from the last one back.
    let mut weights = vec![0.0; vertices.len()];
    for (column, &k) in triangle.iter().zip(&others).rev() {
        let last = column.len() - 1;
        let weight = -right[last] / column[last];
        (0..last).for_each(|r| right[r] += weight * column[r]);
        weights[k] = weight;
    }
    weights[base] = 1.0 - weights.iter().sum::<f64>();
    Some((weights, point))
}

/// Projects an orthonormal basis out of a vector, twice against rounding. Returns the coefficients.
fn remove(basis: &[Vec<f64>], vector: &mut [f64]) -> Vec<f64> {
    let mut parts = vec![0.0; basis.len()];
    for _ in 0..2 {
        for (part, q) in parts.iter_mut().zip(basis) {
            let along = dot(q, vector);
            add_times(vector, -along, q);
            *part += along;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn over(points: &[Vec<f64>]) -> impl Fn(&[f64]) -> Vec<f64> + '_ {
        |v| points.iter().min_by(|a, b| dot(a, v).total_cmp(&dot(b, v))).unwrap().clone()
    }

    #[test]
    fn a_corner_an_edge_or_nothing() {
        let triangle = [vec![1.0, 1.0], vec![3.0, 1.0], vec![1.0, 4.0]];
        assert_eq!(nearest(2, over(&triangle)), Some(vec![1.0, 1.0]));
        let edge = [vec![-1.0, 2.0], vec![3.0, 2.0], vec![0.0, 5.0]];
        assert_eq!(nearest(2, over(&edge)), Some(vec![0.0, 2.0]));
        let around = [vec![-1.0, -1.0], vec![2.0, -1.0], vec![0.0, 3.0]];
        assert_eq!(nearest(2, over(&around)), None);
    }

    proptest! {
        #[test]
        fn no_vertex_lies_behind_the_nearest_point(
            points in prop::collection::vec(prop::collection::vec(-1.0f64..1.0, 4), 1..30),
            shift in 0.0f64..2.0,
        ) {
            let points: Vec<Vec<f64>> = points
                .into_iter()
                .map(|p| p.into_iter().map(|x| x + shift).collect())
                .collect();
            if let Some(v) = nearest(4, over(&points)) {
                let square = dot(&v, &v);
                for p in &points {
                    prop_assert!(dot(p, &v) >= square * (1.0 - 1e-9), "{:?} {:?}", p, v);
                }
            }
        }
    }

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
