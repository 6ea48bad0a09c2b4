//! Weights behind a pattern: a hyperplane that answers exactly its bits, far from the rows where the
//! cell is open.
//!
//! The widest margin is found on columns that are centred and scaled, then folded back to the
//! features as read; the hyperplane counts only once it has been evaluated exactly. A cell much
//! narrower than doubles resolve is looked at through a lens: around the direction found, what is
//! close is magnified and separated again.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::cells::{Column, Lattices, null_space};
use super::nnls::widest;
use super::{Arrangement, Hyperplane};
use crate::pattern::WORD;
use crate::pattern::threshold::{activates, flush, is_weight};

/// How much closer to look, one time after the other.
const LENSES: [f64; 4] = [1e-4, 1e-7, 1e-10, 1e-13];
/// Roundings tried on a cell that is about as narrow as the numbers are coarse.
const ROUNDINGS: usize = 400;

/// Finds weights for patterns of one arrangement.
pub(super) struct Witnesses<'a> {
    arrangement: Arrangement<'a>,
    columns: &'a [Column],
    /// The rows on the columns, centred and scaled, one after the other.
    conditioned: Vec<f64>,
    center: Vec<f64>,
    scale: Vec<f64>,
}

impl<'a> Witnesses<'a> {
    pub(super) fn new(arrangement: Arrangement<'a>, columns: &'a [Column]) -> Self {
        let features = arrangement.features();
        let rows = features.rows();
        let value = |i: usize, c: &Column| c.feature.map_or(1.0, |k| features.row(i)[k]);
        let mean = |of: &dyn Fn(usize) -> f64| (0..rows).map(of).sum::<f64>() / rows as f64;
        let (mut center, mut scale) = (Vec::new(), Vec::new());
        for column in columns {
            let centered = arrangement.has_bias() && column.feature.is_some();
            let c = if centered { mean(&|i| value(i, column)) } else { 0.0 };
            let s = mean(&|i| (value(i, column) - c).powi(2)).sqrt();
            center.push(c);
            scale.push(if s > 0.0 { s } else { 1.0 });
        }
        let conditioned = (0..rows)
            .flat_map(|i| columns.iter().enumerate().map(move |(k, c)| (i, k, c)))
            .map(|(i, k, c)| (value(i, c) - center[k]) / scale[k])
            .collect();
        Self { arrangement, columns, conditioned, center, scale }
    }

    /// A hyperplane in the open cell of a pattern.
    pub(super) fn open(&self, words: &[u64]) -> Option<Hyperplane> {
        let width = self.columns.len();
        let mut vectors = Vec::with_capacity(self.conditioned.len());
        for (i, row) in self.conditioned.chunks(width).enumerate() {
            // A row of zeros is on for every weight, and has no margin.
            if row.iter().any(|&v| v != 0.0) {
                let sign = if on(words, i) { 1.0 } else { -1.0 };
                vectors.extend(row.iter().map(|v| sign * v));
            }
        }
        let mut w = widest(&vectors, width)?;
        let plane = self.fold(&w);
        if self.realises(&plane, words) {
            return Some(plane);
        }
        for lens in LENSES {
            let Some(closer) = magnify(&vectors, &w, lens) else { continue };
            w = closer;
            let plane = self.fold(&w);
            if self.realises(&plane, words) {
                return Some(plane);
            }
        }
        self.round(self.fold(&w), words)
    }

    /// Nearby weights, by chance: a cell may hold many of them and still miss the nearest.
    fn round(&self, plane: Hyperplane, words: &[u64]) -> Option<Hyperplane> {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let nudge = |v: f64, ulps: f64| v * (1.0 + ulps * f64::EPSILON);
        let features = self.arrangement.features();
        (0..ROUNDINGS).find_map(|attempt| {
            let reach = f64::from(2u32 << (attempt / 20).min(20));
            let weights: Vec<f64> = (plane.weights.iter())
                .map(|&w| nudge(w, rng.random_range(-reach..=reach)))
                .collect();
            let bias = if self.arrangement.has_bias() {
                // Zero counts as on: the bias may bring the last row that is on exactly to zero.
                let product = |i: usize| -> f64 {
                    features.row(i).iter().zip(&weights).map(|(x, w)| x * w).sum()
                };
                let least = (0..features.rows()).filter(|&i| on(words, i)).map(product);
                let least = least.fold(f64::INFINITY, f64::min);
                if least.is_finite() { nudge(-least, f64::from((attempt % 5) as u8) - 2.0) } else { plane.bias }
            } else {
                0.0
            };
            let plane = Hyperplane { weights, bias };
            self.realises(&plane, words).then_some(plane)
        })
    }

    /// A hyperplane on the flat where some rows vanish, those of a pattern that has no open cell.
    pub(super) fn on_flat(
        &self,
        words: &[u64],
        flat: &[u32],
        lattices: &Lattices<'_>,
    ) -> Option<Hyperplane> {
        // A row that must vanish does so only if nothing is rounded: combine integer vectors with
        // short coefficients, as short as the cell permits.
        let basis = null_space(lattices, flat);
        let features = self.arrangement.features();
        let combine = |coefficients: &[f64]| {
            let mut weights = vec![0.0; features.dimension()];
            for (vector, c) in basis.iter().zip(coefficients) {
                for (column, v) in self.columns.iter().zip(vector) {
                    weights[column.feature.expect("there is no bias")] += c * v;
                }
            }
            Hyperplane { weights, bias: 0.0 }
        };
        if basis.is_empty() {
            return Some(combine(&[])).filter(|plane| self.realises(plane, words));
        }
        let planes: Vec<Hyperplane> = (0..basis.len())
            .map(|k| combine(&(0..basis.len()).map(|l| f64::from(k == l)).collect::<Vec<_>>()))
            .collect();
        let mut vectors = Vec::new();
        for i in 0..features.rows() {
            let sign = if on(words, i) { 1.0 } else { -1.0 };
            let products: Vec<f64> = planes
                .iter()
                .map(|p| sign * features.row(i).iter().zip(&p.weights).map(|(x, w)| x * w).sum::<f64>())
                .collect();
            let size = products.iter().map(|v| v * v).sum::<f64>().sqrt();
            let vanishes = planes.iter().all(|p| vanishes(features.row(i), p));
            if !vanishes && size > 0.0 {
                vectors.extend(products.iter().map(|v| v / size));
            }
        }
        let coefficients = widest(&vectors, basis.len())?;
        (2..50).step_by(3).find_map(|bits| {
            let grid = 2f64.powi(bits);
            let short: Vec<f64> = coefficients.iter().map(|c| (c * grid).round() / grid).collect();
            Some(combine(&short)).filter(|plane| self.realises(plane, words))
        })
    }

    /// Weights on the features as read.
    fn fold(&self, w: &[f64]) -> Hyperplane {
        let mut weights = vec![0.0; self.arrangement.features().dimension()];
        let mut bias = 0.0;
        for (k, column) in self.columns.iter().enumerate() {
            let weight = w[k] / self.scale[k];
            match column.feature {
                Some(feature) => weights[feature] = flush(weight),
                None => bias += weight,
            }
            bias -= weight * self.center[k];
        }
        Hyperplane { weights, bias: flush(bias) }
    }

    /// Whether a hyperplane answers exactly these bits.
    fn realises(&self, plane: &Hyperplane, words: &[u64]) -> bool {
        let features = self.arrangement.features();
        plane.weights.iter().chain([&plane.bias]).all(|&w| is_weight(w))
            && (0..features.rows())
                .all(|i| activates(features.row(i), &plane.weights, plane.bias) == on(words, i))
    }

    /// Whether some hyperplane is found to have all rows but zeros strictly on its positive side.
    pub(super) fn all_positive(&self) -> bool {
        let features = self.arrangement.features();
        let zero = |i: usize| features.row(i).iter().all(|&v| v == 0.0);
        let rows = self.conditioned.chunks(self.columns.len().max(1)).enumerate();
        let vectors: Vec<f64> =
            rows.filter(|(i, _)| !zero(*i)).flat_map(|(_, row)| row).copied().collect();
        let Some(w) = widest(&vectors, self.columns.len()) else { return false };
        let plane = self.fold(&w);
        plane.weights.iter().all(|&w| is_weight(w))
            && (0..features.rows()).all(|i| zero(i) || positive(features.row(i), &plane))
    }
}

/// `x·w > 0`, exactly.
fn positive(x: &[f64], plane: &Hyperplane) -> bool {
    let opposite: Vec<f64> = plane.weights.iter().map(|w| -w).collect();
    !activates(x, &opposite, -plane.bias)
}

/// `x·w = 0`, exactly; weights out of range are taken for no.
fn vanishes(x: &[f64], plane: &Hyperplane) -> bool {
    plane.weights.iter().all(|&w| is_weight(w))
        && activates(x, &plane.weights, plane.bias)
        && !positive(x, plane)
}

fn on(words: &[u64], i: usize) -> bool {
    words[i / WORD] >> (i % WORD) & 1 == 1
}

/// Separates again what lies close to the hyperplane `w`, seen through a lens: `w + lens·z` with
/// `z` orthogonal to `w`.
fn magnify(vectors: &[f64], w: &[f64], lens: f64) -> Option<Vec<f64>> {
    let width = w.len();
    let mut seen = Vec::with_capacity(vectors.len() / width * (width + 1) + width + 1);
    for g in vectors.chunks(width) {
        let along: f64 = g.iter().zip(w).map(|(g, w)| g * w).sum();
        let start = seen.len();
        seen.extend(g.iter().zip(w).map(|(g, w)| g - along * w));
        seen.push(along / lens);
        let size = seen[start..].iter().map(|v| v * v).sum::<f64>().sqrt();
        seen[start..].iter_mut().for_each(|v| *v /= size);
    }
    seen.extend(vec![0.0; width]);
    seen.push(1.0);
    let z = widest(&seen, width + 1)?;
    let closer: Vec<f64> = (0..width).map(|k| w[k] + lens * z[k] / z[width]).collect();
    let size = closer.iter().map(|v| v * v).sum::<f64>().sqrt();
    (z[width] > 0.0 && size.is_finite()).then(|| closer.iter().map(|v| v / size).collect())
}
