//! A sample of `H(X)`: the patterns of random neurons that read few inputs or many, each with a
//! threshold between two rows.
//!
//! For each neuron we draw how many inputs it reads, which ones, Gaussian weights for them, and a
//! row. Its threshold lies half way between `x·w` of that row and the next smaller value, so hardly
//! any pattern is constant. Neurons are drawn one by one, so a small sample is the beginning of a
//! larger one.

use rand::Rng;
use rand_distr::StandardNormal;
use serde::{Deserialize, Serialize};

use super::sample::Draws;
use super::tuning::{MOST_COLUMNS, RIDGE, THRESHOLD_ROWS};
use super::{Arrangement, Dictionary, Hyperplane};
use crate::data::{Features, Scaling};
use crate::pattern::threshold::flush;

/// Values closer than this fraction of their spread count as equal, because rounding must not place
/// a threshold.
const SAME: f64 = 1e-9;

/// The numbers of inputs that random neurons read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reads {
    /// The possible numbers of inputs, all equally likely. A number larger than the number of
    /// inputs means all.
    pub counts: Vec<usize>,
    /// Whether half of the neurons that read all inputs have independent weights on decorrelated
    /// inputs. Then directions in which the data hardly vary are as likely as others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub decorrelated: bool,
    /// The number of consecutive columns of each input: more than one if each of its levels has a
    /// column. Empty if every column is an input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<usize>,
}

impl Reads {
    /// One, two, four, eight, sixteen or all inputs, where all is twice as likely.
    pub fn mixed(dimension: usize, groups: Vec<usize>) -> Self {
        let all = dimension.max(1);
        Self { counts: vec![1, 2, 4, 8, 16, all, all], decorrelated: true, groups }
    }

    /// The first column of each input, and its number of columns.
    fn places(&self, dimension: usize) -> Vec<(usize, usize)> {
        if self.groups.iter().sum::<usize>() != dimension {
            return (0..dimension).map(|j| (j, 1)).collect();
        }
        let mut begin = 0;
        let place = |&width: &usize| {
            begin += width;
            (begin - width, width)
        };
        self.groups.iter().map(place).collect()
    }
}

impl Arrangement<'_> {
    /// The distinct patterns of `count` random neurons, which read as many inputs as `reads` says.
    /// Their weights are independent normal numbers on the scaled inputs.
    pub fn sample_mixed(
        &self,
        count: usize,
        reads: &Reads,
        scaling: &Scaling,
        rng: &mut impl Rng,
    ) -> Dictionary {
        self.kept(self.mixed_draws(count, reads, scaling, rng))
    }

    /// The patterns of these neurons, some at a time.
    pub(super) fn mixed_draws<'b>(
        &'b self,
        count: usize,
        reads: &'b Reads,
        scaling: &'b Scaling,
        rng: &'b mut impl Rng,
    ) -> impl Iterator<Item = Draws> + 'b {
        let places = reads.places(self.features.dimension());
        let factor = reads.decorrelated.then(|| Factor::of(self.features, scaling)).flatten();
        let drawing = Drawing { counts: &reads.counts, places, scaling, factor };
        self.draws(count, move || self.draw_mixed(&drawing, rng))
    }

    fn draw_mixed(&self, drawing: &Drawing<'_>, rng: &mut impl Rng) -> Hyperplane {
        let Drawing { counts, places, scaling, factor } = drawing;
        let scale = scaling.scale();
        let count = counts.get(rng.random_range(0..counts.len().max(1))).copied().unwrap_or(1);
        let row = rng.random_range(0..self.features.rows().max(1));
        let mut read: Vec<(usize, f64)> = Vec::new();
        let all = count >= places.len();
        if let Some(factor) = factor.as_ref().filter(|_| all && rng.random_bool(0.5)) {
            let weights = factor.draw(rng).into_iter().zip(scale).enumerate();
            read.extend(weights.map(|(j, (w, &s))| (j, if s > 0.0 { flush(w / s) } else { 0.0 })));
            return self.placed(read, row);
        }
        let chosen = rand::seq::index::sample(rng, places.len(), count.min(places.len()));
        for place in chosen {
            let (begin, width) = places[place];
            if width == 1 {
                let w: f64 = rng.sample(StandardNormal);
                read.push((begin, if scale[begin] > 0.0 { flush(w / scale[begin]) } else { 0.0 }));
            } else if rng.random_bool(0.5) {
                // One level against the others: a level of the row, if it has any.
                let levels = &self.features.row(row)[begin..begin + width];
                let level = levels.iter().position(|v| *v != 0.0);
                let level = level.unwrap_or_else(|| rng.random_range(0..width));
                read.push((begin + level, rng.sample(StandardNormal)));
            } else {
                // Levels in a random order: a threshold takes some of them together.
                let weights = (begin..begin + width).map(|j| (j, rng.sample(StandardNormal)));
                read.extend(weights);
            }
        }
        self.placed(read, row)
    }

    /// The neuron with these weights, and a threshold below this row.
    fn placed(&self, read: Vec<(usize, f64)>, row: usize) -> Hyperplane {
        let bias = if self.bias { flush(-self.threshold(&read, row)) } else { 0.0 };
        let mut weights = vec![0.0; self.features.dimension()];
        read.into_iter().for_each(|(j, w)| weights[j] = w);
        Hyperplane { weights, bias }
    }

    /// Half way between `x·w` of a row and the next smaller value, or the next larger one if there
    /// is no smaller one.
    fn threshold(&self, read: &[(usize, f64)], row: usize) -> f64 {
        let value = |i: usize| -> f64 {
            let x = self.features.row(i);
            read.iter().map(|&(j, w)| x[j] * w).sum()
        };
        let at = value(row);
        let rows = self.features.rows();
        let values: Vec<f64> = spread(rows).map(value).collect();
        let (least, most) = (values.iter())
            .fold((at, at), |(least, most), v| (f64::min(least, *v), f64::max(most, *v)));
        let apart = SAME * (most - least);
        let below = values.iter().copied().filter(|v| *v < at - apart).reduce(f64::max);
        let above = values.iter().copied().filter(|v| *v > at + apart).reduce(f64::min);
        below.or(above).map_or(at, |next| f64::midpoint(at, next))
    }
}

struct Drawing<'a> {
    counts: &'a [usize],
    places: Vec<(usize, usize)>,
    scaling: &'a Scaling,
    factor: Option<Factor>,
}

/// `L` with `LLᵀ = C + ρI`, where `C` is the covariance of the scaled columns. If `g` are
/// independent normal numbers, `w = L⁻ᵀg` has the covariance `(C + ρI)⁻¹`.
struct Factor {
    dimension: usize,
    /// `L`, row by row.
    rows: Vec<f64>,
}

impl Factor {
    /// Factors by Cholesky's method, in one order of summation, so every machine draws the same
    /// weights. `None` if there are too many columns.
    fn of(features: &Features, scaling: &Scaling) -> Option<Self> {
        let dimension = features.dimension();
        if dimension > MOST_COLUMNS {
            return None;
        }
        let scaled = |i: usize| -> Vec<f64> {
            let (center, scale) = (scaling.center(), scaling.scale());
            let one = |(j, v): (usize, &f64)| {
                if scale[j] > 0.0 { (v - center[j]) / scale[j] } else { 0.0 }
            };
            features.row(i).iter().enumerate().map(one).collect()
        };
        let taken: Vec<usize> = spread(features.rows()).collect();
        let mut c = vec![0.0; dimension * dimension];
        for row in taken.iter().map(|&i| scaled(i)) {
            for j in 0..dimension {
                for k in 0..=j {
                    c[j * dimension + k] += row[j] * row[k] / taken.len() as f64;
                }
            }
        }
        let trace: f64 = (0..dimension).map(|j| c[j * dimension + j]).sum();
        let ridge = RIDGE * (trace / dimension as f64) + f64::MIN_POSITIVE;
        for j in 0..dimension {
            for k in 0..=j {
                let dot = |k: usize| -> f64 {
                    (0..k).map(|m| c[j * dimension + m] * c[k * dimension + m]).sum()
                };
                let rest = c[j * dimension + k] - dot(k);
                c[j * dimension + k] = if j == k {
                    (rest + ridge).max(ridge).sqrt()
                } else {
                    rest / c[k * dimension + k]
                };
            }
        }
        Some(Self { dimension, rows: c })
    }

    /// `L⁻ᵀg`.
    fn draw(&self, rng: &mut impl Rng) -> Vec<f64> {
        let d = self.dimension;
        let mut w: Vec<f64> = (0..d).map(|_| rng.sample(StandardNormal)).collect();
        for j in (0..d).rev() {
            let above: f64 = (j + 1..d).map(|k| self.rows[k * d + j] * w[k]).sum();
            w[j] = (w[j] - above) / self.rows[j * d + j];
        }
        w
    }
}

/// At most [`ROWS`] row numbers, spread evenly over all rows.
fn spread(rows: usize) -> impl Iterator<Item = usize> {
    let count = rows.min(THRESHOLD_ROWS);
    (0..count).map(move |k| k * rows / count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn features() -> Features {
        let values = (0..60 * 5).map(|k| f64::from(k * 7919 % 1009) / 100.0).collect();
        Features::new(60, 5, values).unwrap()
    }

    fn sample(reads: &Reads, count: usize) -> Dictionary {
        let features = features();
        let scaling = Scaling::fit(&features, &[1.0; 60], true);
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        Arrangement::of(&features).sample_mixed(count, reads, &scaling, &mut rng)
    }

    #[test]
    fn neurons_read_as_many_inputs_as_they_may_and_none_is_constant() {
        let reads = Reads { counts: vec![1, 3, 99], decorrelated: true, groups: Vec::new() };
        let dictionary = sample(&reads, 300);
        let found: std::collections::BTreeSet<usize> =
            dictionary.witnesses.iter().map(Hyperplane::reads).collect();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [1, 3, 5]);
        for j in 0..dictionary.len() {
            let on = (0..60).filter(|&i| dictionary.patterns.get(i, j)).count();
            assert!(on > 0 && on < 60, "pattern {j} answers {on} of 60");
        }
    }

    #[test]
    fn the_first_of_many_are_those_of_a_few() {
        let reads = Reads::mixed(5, Vec::new());
        let (few, many) = (sample(&reads, 50), sample(&reads, 1500));
        assert_eq!(few.witnesses, many.witnesses[..few.len()]);
    }

    #[test]
    fn the_fewest_inputs_of_equal_patterns_are_kept_if_they_are_asked_for() {
        // Both columns hold the same numbers, so neurons of one input and of two have equal
        // patterns.
        let features = Features::new(6, 2, (0..12).map(|k| f64::from(k / 2)).collect()).unwrap();
        let scaling = Scaling::fit(&features, &[1.0; 6], true);
        let reads = Reads { counts: vec![1, 2], decorrelated: false, groups: Vec::new() };
        let sample = |fewest: bool| {
            let arrangement = Arrangement::of(&features).with_fewest_inputs(fewest);
            arrangement.sample_mixed(200, &reads, &scaling, &mut ChaCha8Rng::seed_from_u64(3))
        };
        let (first, fewest) = (sample(false), sample(true));
        assert_eq!(first.patterns, fewest.patterns);
        assert!(first.witnesses.iter().any(|plane| plane.reads() == 2));
        assert!(fewest.witnesses.iter().all(|plane| plane.reads() == 1));
        assert_eq!(fewest.costs(0.5), Some(vec![1.0; fewest.len()]));
        assert_eq!(first.costs(0.0), None);
        assert!(first.costs(0.5).unwrap().contains(&2f64.sqrt()));
    }

    #[test]
    fn levels_of_one_column_are_one_input() {
        let reads = Reads { counts: vec![1], decorrelated: false, groups: vec![1, 3, 1] };
        for plane in sample(&reads, 200).witnesses {
            let places: Vec<usize> = (0..5).filter(|&j| plane.weights[j] != 0.0).collect();
            let one_input = places.iter().all(|j| (1..4).contains(j)) || places.len() == 1;
            assert!(one_input, "{places:?}");
        }
    }

    #[test]
    fn weights_of_a_factor_have_the_inverse_covariance() {
        // Two columns that differ by little: directions along the difference must be as likely as
        // others.
        let values = (0..200).flat_map(|k| {
            let (a, b) = (f64::from(k * 37 % 200), f64::from(k * 91 % 200));
            [a, a + 0.1 * b]
        });
        let features = Features::new(200, 2, values.collect()).unwrap();
        let scaling = Scaling::fit(&features, &[1.0; 200], true);
        let factor = Factor::of(&features, &scaling).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let draws: Vec<Vec<f64>> = (0..4000).map(|_| factor.draw(&mut rng)).collect();
        let spread = |of: &dyn Fn(&[f64]) -> f64| -> f64 {
            draws.iter().map(|w| of(w).powi(2)).sum::<f64>() / 4000.0
        };
        let (sum, difference) = (spread(&|w| w[0] + w[1]), spread(&|w| w[0] - w[1]));
        assert!(difference > 20.0 * sum, "{difference} against {sum}");
    }

    #[test]
    fn a_threshold_lies_half_way_between_two_rows() {
        let features = Features::new(4, 1, vec![0.0, 1.0, 1.0, 4.0]).unwrap();
        let arrangement = Arrangement::of(&features);
        let at = |row| arrangement.threshold(&[(0, 2.0)], row);
        assert_eq!([at(0), at(1), at(2), at(3)], [1.0, 1.0, 1.0, 5.0]);
    }
}
