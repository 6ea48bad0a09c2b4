//! The starts of local searches: directions that the data and `z` suggest, and random ones.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

use super::line_search::Scaled;
use super::tuning::MOST_FITTED;
use crate::exact::sum::{add_times, dot, unit};

/// Weights to start from, the `k`-th of a long list: first directions fitted to `z`, then every
/// column, then several kinds of random directions.
pub(super) fn start(rows: &Scaled<'_>, z: &[f64], k: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let features = rows.width() - usize::from(rows.bias);
    match k {
        0 => rows.combine(z),
        1 => least_squares(rows, z, &vec![1.0; z.len()]),
        2 => logistic(rows, z),
        k if k - 3 < features.min(64) => unit(rows.width(), k - 3),
        k => match k % 4 {
            0 => gaussian(rows, rng),
            1 => between_rows(rows, z, rng),
            2 => resampled(rows, z, rng),
            _ => {
                let mut weights = gaussian(rows, rng);
                // Few inputs: most weights are zero.
                let kept = rng.random_range(1..=4usize.min(features.max(1)));
                let chosen: Vec<usize> =
                    (0..kept).map(|_| rng.random_range(0..features.max(1))).collect();
                for (j, w) in weights.iter_mut().enumerate().take(features) {
                    *w *= f64::from(u8::from(chosen.contains(&j)));
                }
                weights
            }
        },
    }
}

pub(super) fn gaussian(rows: &Scaled<'_>, rng: &mut ChaCha8Rng) -> Vec<f64> {
    (0..rows.width()).map(|_| rng.sample(StandardNormal)).collect()
}

fn between_rows(rows: &Scaled<'_>, z: &[f64], rng: &mut ChaCha8Rng) -> Vec<f64> {
    let mut pick = |sign: f64| {
        let total: f64 = z.iter().map(|z| (sign * z).max(0.0)).sum();
        let mut left = rng.random::<f64>() * total;
        let drawn = z.iter().position(|z| {
            left -= (sign * z).max(0.0);
            left < 0.0
        });
        drawn.unwrap_or(0)
    };
    let (to, from) = (rows.row(pick(1.0)), rows.row(pick(-1.0)));
    let (mut weights, mut bias): (Vec<f64>, f64) = (Vec::new(), 0.0);
    for (to, from) in to.iter().zip(&from) {
        weights.push(to - from);
        bias -= (to - from) * (to + from) / 2.0;
    }
    if let Some(last) = weights.last_mut().filter(|_| rows.bias) {
        *last = bias;
    }
    weights
}

/// A fit to about a third of the rows.
fn resampled(rows: &Scaled<'_>, z: &[f64], rng: &mut ChaCha8Rng) -> Vec<f64> {
    let some: Vec<f64> =
        z.iter().map(|_| f64::from(u8::from(rng.random::<f64>() < 0.35))).collect();
    least_squares(rows, z, &some)
}

/// `min_w Σ s|z| (x̃·w − sign z)²`, a little regularised.
fn least_squares(rows: &Scaled<'_>, z: &[f64], s: &[f64]) -> Vec<f64> {
    let curvature: Vec<f64> = z.iter().zip(s).map(|(z, s)| s * z.abs()).collect();
    let slope: Vec<f64> = z.iter().zip(s).map(|(z, s)| s * z).collect();
    newton_step(rows, &curvature, &slope)
}

/// `min_w Σ |z| log(1 + exp(−sign z · x̃·w))`, by a few Newton steps.
fn logistic(rows: &Scaled<'_>, z: &[f64]) -> Vec<f64> {
    let mut weights = vec![0.0; rows.width()];
    for _ in 0..6 {
        let output = rows.output(&weights);
        let chance = |i: usize| 1.0 / (1.0 + output[i].clamp(-30.0, 30.0).exp());
        let curvature: Vec<f64> =
            (0..z.len()).map(|i| z[i].abs() * (chance(i) * (1.0 - chance(i))).max(1e-4)).collect();
        let slope: Vec<f64> = (0..z.len())
            .map(|i| z[i].abs() * if z[i] > 0.0 { chance(i) } else { chance(i) - 1.0 })
            .collect();
        let step = newton_step(rows, &curvature, &slope);
        add_times(&mut weights, 1.0, &step);
    }
    weights
}

/// `(X̃ᵀ diag(c) X̃ + ridge)⁻¹ X̃ᵀ g`; the gradient alone if there are too many columns.
fn newton_step(rows: &Scaled<'_>, curvature: &[f64], slope: &[f64]) -> Vec<f64> {
    let (width, gradient) = (rows.width(), rows.combine(slope));
    if width > MOST_FITTED {
        return gradient;
    }
    let mut matrix = vec![vec![0.0; width]; width];
    for j in 0..width {
        let weighted: Vec<f64> =
            rows.columns[j].iter().zip(curvature).map(|(x, c)| x * c).collect();
        for k in 0..=j {
            let product = dot(&rows.columns[k], &weighted);
            (matrix[j][k], matrix[k][j]) = (product, product);
        }
    }
    let ridge = 1e-6 * (0..width).map(|j| matrix[j][j]).sum::<f64>() / width.max(1) as f64;
    (0..width).for_each(|j| matrix[j][j] += ridge);
    solve(matrix, vec![gradient.clone()]).and_then(|mut s| s.pop()).unwrap_or(gradient)
}

/// `A⁻¹b` for every `b`, by elimination with row exchanges; `None` if `A` is singular.
pub(super) fn solve(mut a: Vec<Vec<f64>>, mut sides: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = a.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        a.swap(k, pivot);
        sides.iter_mut().for_each(|b| b.swap(k, pivot));
        if a[k][k].abs().partial_cmp(&1e-300) != Some(std::cmp::Ordering::Greater) {
            return None;
        }
        let (done, rest) = a.split_at_mut(k + 1);
        for (i, row) in rest.iter_mut().enumerate() {
            let ratio = row[k] / done[k][k];
            if ratio != 0.0 {
                row[k..].iter_mut().zip(&done[k][k..]).for_each(|(r, p)| *r -= ratio * p);
                sides.iter_mut().for_each(|b| b[k + 1 + i] -= ratio * b[k]);
            }
        }
    }
    for b in &mut sides {
        for k in (0..n).rev() {
            let known: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
            b[k] = (b[k] - known) / a[k][k];
        }
    }
    Some(sides)
}
