//! Infeasible sets: few rows that cannot all be on the right side.
//!
//! Row `i` is *satisfied* if it is on and `zᵢ > 0`, or off and `zᵢ < 0`. With `gᵢ = sign(zᵢ) aᵢ`
//! this means `gᵢ·w ≥ 0`, and `gᵢ·w > 0` if `zᵢ < 0`. By Gordan's theorem some rows cannot all be
//! satisfied exactly when a positive combination `Σ λᵢgᵢ` of some of them vanishes, one with
//! `zᵢ < 0` among these. At most `r + 1` rows are needed (Radon, Carathéodory): a minimal
//! infeasible set. The nearest point to the origin in the convex hull of the `gᵢ` is a good `w`, or
//! it is the origin itself, with such a set around it (Wolfe, *Finding the nearest point in a
//! polytope*, 1976).
//!
//! An infeasible set is used only if its `λ > 0` is proven: by a bound on the error of the computed
//! solution, or in integers.

use super::cover::Set;
use super::points::Points;
use super::starts::solve;
use super::tuning::{LARGEST_EXACT, MARGIN};
use crate::exact::integer::cross_product;
use crate::exact::sum::{add_times, dot, project_out, unit};

/// The most rows of a system: one bit each.
pub(super) const MOST_ROWS: usize = 128;
/// The inequalities that satisfied rows fulfil.
#[derive(Debug)]
pub(super) struct System<'a> {
    points: &'a Points,
    /// `gᵢ`, in coordinates whose error is at most that of the points.
    rows: Vec<Vec<f64>>,
    /// `gᵢ/‖gᵢ‖`.
    units: Vec<Vec<f64>>,
    /// `1 + gᵢ·gⱼ/‖gᵢ‖‖gⱼ‖`.
    gram: Vec<Vec<f64>>,
    signs: Vec<f64>,
}

/// Whether the rows of a set can all be satisfied.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Verdict {
    /// Yes, by these weights on the coordinates, up to rounding.
    Feasible(Vec<f64>),
    /// No: these rows cannot, except by `w = 0`. This is proven.
    Infeasible(Set),
    /// Undecided, because of these rows.
    Unknown(Set),
}

pub(super) fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let i = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1; // drops the lowest set bit
            i
        })
    })
}

pub(super) fn as_set(rows: impl IntoIterator<Item = usize>) -> Set {
    rows.into_iter().fold(0, |set, i| set | 1 << i)
}

impl<'a> System<'a> {
    pub(super) fn new(points: &'a Points, z: &[f64]) -> Self {
        let signs: Vec<f64> = z.iter().map(|z| z.signum()).collect();
        let row = |i: usize| points.coordinates.iter().map(|q| signs[i] * q[i]).collect();
        let rows: Vec<Vec<f64>> = (0..points.len).map(row).collect();
        let unit = |row: &Vec<f64>| {
            let size = dot(row, row).sqrt().max(f64::MIN_POSITIVE);
            row.iter().map(|v| v / size).collect()
        };
        let units: Vec<Vec<f64>> = rows.iter().map(unit).collect();
        let products = |a: &Vec<f64>| units.iter().map(|b| 1.0 + dot(a, b)).collect();
        let gram = units.iter().map(products).collect();
        Self { points, rows, units, gram, signs }
    }

    /// The rows that are satisfied by these weights, up to rounding.
    pub(super) fn satisfied(&self, weights: &[f64]) -> Set {
        as_set((0..self.units.len()).filter(|&i| dot(&self.units[i], weights) > 0.0))
    }

    /// Whether all rows of a set can be satisfied. If there is a choice of infeasible sets, one
    /// with many `preferred` rows is likely. The search starts from the rows of `start` that are in
    /// the set.
    pub(super) fn verdict(&self, set: Set, preferred: Set, start: Set) -> Verdict {
        let mut corral: Vec<usize> = members(start & set).collect();
        if corral.is_empty() {
            corral.extend(members(set & preferred).chain(members(set)).next());
        }
        let mut shares = vec![1.0 / corral.len() as f64; corral.len()];
        self.shrink(&mut corral, &mut shares);
        for _ in 0..40 * (self.points.rank() + 2) {
            let nearest = self.combination(&corral, &shares);
            let size = dot(&nearest, &nearest);
            if size < 1e-18 && set != 0 {
                return self.prove(&corral);
            }
            let closest = |rows: Set| {
                let heights = members(rows).map(|i| (dot(&self.units[i], &nearest), i));
                heights.fold((f64::INFINITY, 0), |best, h| if h.0 < best.0 { h } else { best })
            };
            // At the nearest point, every height is at least its squared length; a fraction of it
            // is enough.
            let mut entering = closest(set & preferred);
            if entering.0 > MARGIN * size {
                entering = closest(set);
            }
            if entering.0 > MARGIN * size {
                return Verdict::Feasible(nearest);
            }
            if corral.contains(&entering.1) {
                break;
            }
            corral.push(entering.1);
            shares.push(0.0);
            self.shrink(&mut corral, &mut shares);
        }
        Verdict::Unknown(as_set(corral))
    }

    fn combination(&self, corral: &[usize], shares: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.points.rank()];
        let terms = corral.iter().zip(shares);
        terms.for_each(|(&i, &share)| add_times(&mut sum, share, &self.units[i]));
        sum
    }

    /// Moves to the nearest point of the affine hull, leaving out rows whose share would be
    /// negative.
    fn shrink(&self, corral: &mut Vec<usize>, shares: &mut Vec<f64>) {
        while corral.len() > 1 {
            let Some(best) = self.nearest_shares(corral) else {
                // Affinely dependent rows: the last one adds nothing.
                corral.pop();
                shares.pop();
                continue;
            };
            if best.iter().all(|&s| s > 1e-13) {
                *shares = best;
                return;
            }
            let step = shares.iter().zip(&best).filter(|(_, best)| **best <= 1e-13);
            let step = step.map(|(s, best)| s / (s - best)).fold(1.0, f64::min);
            shares.iter_mut().zip(&best).for_each(|(s, best)| *s += step * (best - *s));
            // Removes the row that stopped the step, and all others whose share became zero with
            // it.
            let least = shares.iter().copied().fold(f64::INFINITY, f64::min).max(1e-13);
            let mut all = shares.iter();
            corral.retain(|_| all.next().is_some_and(|&s| s > least));
            shares.retain(|&s| s > least);
        }
        if corral.len() == 1 {
            *shares = vec![1.0];
        }
    }

    /// The shares of the nearest point to the origin in the affine hull of some rows: with the Gram
    /// matrix `G`, `(G + 11ᵀ)λ ∝ 1`, by Cholesky's factorisation. `None` if they are dependent.
    fn nearest_shares(&self, corral: &[usize]) -> Option<Vec<f64>> {
        let n = corral.len();
        let mut factor = vec![0.0; n * n];
        let mut solution = vec![1.0; n];
        for i in 0..n {
            for j in 0..=i {
                let known = dot(&factor[i * n..i * n + j], &factor[j * n..j * n + j]);
                let rest = self.gram[corral[i]][corral[j]] - known;
                if i > j {
                    factor[i * n + j] = rest / factor[j * n + j];
                } else if rest > 1e-14 {
                    factor[i * n + i] = rest.sqrt();
                } else {
                    return None;
                }
            }
            let known = dot(&factor[i * n..i * n + i], &solution[..i]);
            solution[i] = (solution[i] - known) / factor[i * n + i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| factor[k * n + i] * solution[k]).sum();
            solution[i] = (solution[i] - known) / factor[i * n + i];
        }
        let total: f64 = solution.iter().sum();
        solution.iter_mut().for_each(|s| *s /= total);
        Some(solution)
    }

    /// Proves that rows whose hull seems to contain the origin have an infeasible set.
    fn prove(&self, corral: &[usize]) -> Verdict {
        let (rank, set) = (self.points.rank(), as_set(corral.iter().copied()));
        if corral.len() == rank + 1 && self.is_positive(corral) {
            return Verdict::Infeasible(set);
        }
        if rank > LARGEST_EXACT || corral.len() > rank + 1 {
            return Verdict::Unknown(set);
        }
        match self.positive_combination(corral) {
            Some(rows) if self.is_infeasible(rows) => Verdict::Infeasible(rows),
            _ => Verdict::Unknown(set),
        }
    }

    /// Whether rows with a vanishing positive combination are infeasible. If all have `zᵢ > 0`,
    /// they can be on together, on a face; but if they span the whole space, only by `w = 0`.
    fn is_infeasible(&self, rows: Set) -> bool {
        let spans = rows.count_ones() as usize == self.points.rank() + 1;
        spans || members(rows).any(|i| self.signs[i] < 0.0)
    }

    /// Whether `Σ λᵢgᵢ = 0` has a solution `λ > 0`: with `λ = 1` for the last row, the others solve
    /// `Bλ = −g`. For `R ≈ B⁻¹` with `‖I − RB‖ ≤ α < 1` the error of `λ̃` is at most
    /// `‖R(Bλ̃ + g)‖ / (1 − α)`, maximum norms throughout.
    fn is_positive(&self, corral: &[usize]) -> bool {
        let rank = self.points.rank();
        let (last, basis) = corral.split_last().expect("an infeasible set has rows");
        let b = |j: usize, k: usize| self.rows[basis[k]][j];
        let matrix: Vec<Vec<f64>> =
            (0..rank).map(|j| (0..rank).map(|k| b(j, k)).collect()).collect();
        // `solve` gives the columns of the inverse.
        let Some(inverse) = solve(matrix, (0..rank).map(|k| unit(rank, k)).collect()) else {
            return false;
        };
        let r = |i: usize, j: usize| inverse[j][i];
        let g = &self.rows[*last];
        let shares: Vec<f64> =
            (0..rank).map(|i| -(0..rank).map(|j| r(i, j) * g[j]).sum::<f64>()).collect();
        // A sum of r products has an error of (r + 1)ε of its size, and every coordinate one of
        // `error`.
        let rounding = (rank + 4) as f64 * f64::EPSILON;
        let error = self.points.error;
        let left: Vec<f64> = (0..rank)
            .map(|j| {
                let sum: f64 = (0..rank).map(|k| b(j, k) * shares[k]).sum::<f64>() + g[j];
                let size = (0..rank).map(|k| (b(j, k) * shares[k]).abs()).sum::<f64>() + g[j].abs();
                let total = shares.iter().map(|s| s.abs()).sum::<f64>() + 1.0;
                sum.abs() + rounding * size + 1.1 * error * total
            })
            .collect();
        let (mut alpha, mut wrong) = (0.0f64, 0.0f64);
        for i in 0..rank {
            let row: f64 = (0..rank).map(|j| r(i, j).abs()).sum();
            let deviation: f64 = (0..rank)
                .map(|k| {
                    let product: f64 = (0..rank).map(|j| r(i, j) * b(j, k)).sum();
                    let size: f64 = (0..rank).map(|j| (r(i, j) * b(j, k)).abs()).sum();
                    let identity = f64::from(u8::from(i == k));
                    (identity - product).abs() + rounding * (size + 1.0) + 1.1 * error * row
                })
                .sum();
            alpha = alpha.max(deviation);
            wrong = wrong.max((0..rank).map(|j| r(i, j).abs() * left[j]).sum::<f64>());
        }
        let margin = 1.01 * wrong / (1.0 - alpha);
        alpha < 0.5 && shares.iter().all(|&s| s > margin)
    }

    /// The rows with `λ > 0` in the kernel of these rows and as many others as make it a line.
    fn positive_combination(&self, corral: &[usize]) -> Option<Set> {
        let rank = self.points.rank();
        let others = (0..self.units.len()).filter(|i| !corral.contains(i));
        let (mut chosen, mut basis) = (Vec::new(), Vec::<Vec<f64>>::new());
        for i in corral.iter().copied().chain(others) {
            let mut rest = self.units[i].clone();
            project_out(&basis, &mut rest);
            let left = dot(&rest, &rest).sqrt();
            if left > 1e-6 {
                basis.push(rest.into_iter().map(|v| v / left).collect());
                chosen.push(i);
            } else if corral.contains(&i) {
                chosen.push(i);
            }
            if chosen.len() == rank + 1 {
                break;
            }
        }
        if chosen.len() != rank + 1 {
            return None;
        }
        let rows: Vec<Vec<_>> = chosen.iter().map(|&i| self.points.integers(i).collect()).collect();
        let columns: Vec<Vec<_>> =
            (0..rank).map(|j| rows.iter().map(|row| row[j].clone()).collect()).collect();
        let kernel = cross_product(&columns);
        let wanted = |k: usize| f64::from(kernel[k].sign()) * self.signs[chosen[k]];
        for turn in [1.0, -1.0] {
            let positive: Vec<usize> =
                (0..chosen.len()).filter(|&k| turn * wanted(k) > 0.0).collect();
            let none_negative = (0..chosen.len()).all(|k| turn * wanted(k) >= 0.0);
            if none_negative && positive.iter().all(|&k| corral.contains(&chosen[k])) {
                let rows = as_set(positive.iter().map(|&k| chosen[k]));
                return (rows != 0).then_some(rows);
            }
        }
        None
    }
}
