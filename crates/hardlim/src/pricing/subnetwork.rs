//! Local search for subnetworks with two layers: `1{v·(1{X̃W ≥ 0}, 1) ≥ 0}` with a large `|dᵀz|`.
//!
//! With `m` hyperplanes a row has a code of `m` bits, and the second layer is a threshold function
//! `g` of `m` bits. There are only 4, 14, 104 and 1882 of them for one to four bits, so we find the
//! best one for the sums of `z` over the codes by trying all. If `g` and all hyperplanes but one
//! are fixed, a row counts `z (g₁ − g₀)` in front of that one, where `g₀` and `g₁` are its answers
//! with the bit off and on. This is the problem of a single neuron, which has an exact line search
//! ([`super::LocalSearch`]). The two steps alternate until neither helps. A hyperplane that `g`
//! does not use starts again: it may cut off some of the rows that are on, or add others.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::circle::Circle;
use super::line_search::{Position, Scaled};
use super::local::climbs;
use super::starts::{gaussian, start};
use super::tuning::TURNS;
use super::{LocalSearch, Priced, distinct_best};
use crate::arrangement::{Arrangement, Hyperplane, Subnetwork};
use crate::data::Scaling;

const LARGEST_WIDTH: usize = 4;
/// The largest integer that a threshold function of four bits needs as a weight.
const LARGEST: i32 = 3;
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SubnetworkSearch {
    width: usize,
    functions: Vec<Function>,
    /// The number of starts, besides the given subnetworks.
    pub(crate) starts: usize,
    /// The most line searches of one hyperplane at a time.
    pub(crate) steps: usize,
    /// The most patterns to return.
    pub(crate) keep: usize,
}

/// A threshold function of a few bits: `1{Σ wₖ bₖ + b ≥ 0}`.
#[derive(Debug, Clone, PartialEq)]
struct Function {
    weights: Vec<i32>,
    bias: i32,
    /// Bit `c` is the answer for the code `c`.
    answers: u32,
}

impl Function {
    fn on(&self, code: usize) -> bool {
        self.answers >> code & 1 == 1
    }
}

impl SubnetworkSearch {
    /// Whether this search supports subnetworks of these widths.
    pub(crate) fn reaches(widths: &[usize]) -> bool {
        matches!(widths, [width] if (1..=LARGEST_WIDTH).contains(width))
    }

    /// The width of the first layer of the subnetworks.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The widest first layer that is searched.
    pub(crate) fn max_width() -> usize {
        LARGEST_WIDTH
    }

    /// A search for subnetworks whose first layer has this width.
    ///
    /// # Panics
    /// When the width is not from 1 to 4.
    pub(crate) fn new(width: usize, bias: bool) -> Self {
        assert!(Self::reaches(&[width]), "a width from 1 to {LARGEST_WIDTH}");
        Self { width, functions: functions(width, bias), starts: 32, steps: 24, keep: 64 }
    }

    /// About how many line searches a round takes, if as many subnetworks are in use as there are
    /// starts.
    pub(crate) fn line_searches(&self) -> usize {
        // Every hyperplane has its turn about five times, and those in use climb both ways.
        3 * self.starts * TURNS.min(5 * self.width) * self.steps
    }

    /// Distinct patterns, the largest `|dᵀz|` first, and the number of line searches that they
    /// took. The search also starts from the given subnetworks. The same seed gives the same result
    /// for any number of threads. If `stop` returns true, climbs end where they are; one start is
    /// always returned.
    ///
    /// # Panics
    /// When `z` does not have one number for each row.
    pub(crate) fn search(
        &self,
        arrangement: &Arrangement<'_>,
        scaling: &Scaling,
        z: &[f64],
        from: &[Subnetwork],
        (starts, seed): (usize, u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> (Vec<Priced<Subnetwork>>, usize) {
        assert_eq!(z.len(), arrangement.features().rows(), "one number for each row");
        let rows = Scaled::new(arrangement, scaling);
        if rows.width() == 0 {
            return (Vec::new(), 0);
        }
        let opposite: Vec<f64> = z.iter().map(|z| -z).collect();
        let climb = |k: usize, rng: &mut ChaCha8Rng, circle: &mut Circle| {
            // Every start is used twice, for the largest and for the smallest sum.
            let z = if k.is_multiple_of(2) { z } else { &opposite };
            let weights = self.start(&rows, z, k / 2, from, rng);
            self.climb(&rows, z, weights, rng, circle, stop)
        };
        let count = 2 * (from.len() + starts.div_ceil(2));
        let (subnetworks, taken) = climbs(count, 1, seed, stop, climb);
        let patterns = arrangement.answers(&subnetworks);
        let priced = subnetworks.into_iter().zip(patterns);
        let priced = priced.map(|(subnetwork, d)| Priced::new(subnetwork, d, z)).collect();
        (distinct_best(priced, self.keep), taken)
    }

    /// Weights to start from: those of a subnetwork, or one hyperplane as for a single neuron, and
    /// random others.
    fn start(
        &self,
        rows: &Scaled<'_>,
        z: &[f64],
        k: usize,
        from: &[Subnetwork],
        rng: &mut ChaCha8Rng,
    ) -> Vec<Vec<f64>> {
        let mut weights: Vec<Vec<f64>> = match from.get(k) {
            Some(subnetwork) => {
                subnetwork.layers()[0].iter().map(|plane| rows.weights(plane)).collect()
            }
            None => vec![start(rows, z, k - from.len(), rng)],
        };
        while weights.len() < self.width {
            weights.push(if from.is_empty() || rng.random() {
                gaussian(rows, rng)
            } else {
                // A hyperplane of another subnetwork.
                let layer = &from[rng.random_range(0..from.len())].layers()[0];
                rows.weights(&layer[rng.random_range(0..layer.len())])
            });
        }
        weights.truncate(self.width);
        weights
    }

    /// Improves hyperplanes and function in turns, until neither helps. Also returns how many line
    /// searches that took.
    fn climb(
        &self,
        rows: &Scaled<'_>,
        z: &[f64],
        weights: Vec<Vec<f64>>,
        rng: &mut ChaCha8Rng,
        circle: &mut Circle,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> (Option<Subnetwork>, usize) {
        let single = LocalSearch { starts: 0, steps: self.steps, keep: 0 };
        let mut places: Vec<Position> =
            weights.into_iter().map(|w| Position::new(rows, z, w)).collect();
        let (mut function, mut value) = self.best_function(&places, z);
        let (mut in_vain, mut taken) = (0, 0);
        for turn in 0..TURNS {
            let j = turn % self.width;
            let (pull, weights) = match function.weights[j] {
                0 => {
                    let pull = cut_or_add(&places, function, z, rng.random());
                    let weights = start(rows, &pull, rng.random_range(0..64), rng);
                    (pull, weights)
                }
                _ => (pull(&places, j, function, z), places[j].weights.clone()),
            };
            let (place, searches) = single.climb(rows, &pull, weights, rng, circle, stop);
            taken += searches;
            let before = std::mem::replace(&mut places[j], place);
            let found = self.best_function(&places, z);
            if found.1 > value {
                (function, value) = found;
                in_vain = 0;
            } else {
                places[j] = before;
                in_vain += 1;
            }
            if in_vain == 2 * self.width || stop() {
                break;
            }
        }
        (subnetwork(rows, &places, function), taken)
    }

    /// The function with the largest `Σ z` over the rows where it is on; the first of equals.
    fn best_function(&self, places: &[Position], z: &[f64]) -> (&Function, f64) {
        let mut sums = [0.0; 1 << LARGEST_WIDTH];
        codes(places).zip(z).for_each(|(code, z)| sums[code] += z);
        let codes = 1 << self.width;
        let value = |f: &Function| (0..codes).filter(|&c| f.on(c)).map(|c| sums[c]).sum::<f64>();
        let first = (&self.functions[0], value(&self.functions[0]));
        self.functions[1..].iter().fold(first, |best, function| {
            let value = value(function);
            if value > best.1 { (function, value) } else { best }
        })
    }
}

/// Every threshold function of this many bits, the smallest integers first.
fn functions(width: usize, bias: bool) -> Vec<Function> {
    let base = (2 * LARGEST + 1) as usize;
    let mut weights: Vec<Vec<i32>> = (0..base.pow(width as u32))
        .map(|k| {
            let digit = |j: usize| (k / base.pow(j as u32) % base) as i32 - LARGEST;
            (0..width).map(digit).collect()
        })
        .collect();
    weights.sort_by_key(|w| w.iter().map(|w| w.abs()).sum::<i32>());
    let mut seen = std::collections::HashSet::new();
    let mut functions = Vec::new();
    for weights in weights {
        let sum = |code: usize| -> i32 {
            weights.iter().enumerate().filter(|(j, _)| code >> j & 1 == 1).map(|(_, w)| w).sum()
        };
        let most = LARGEST * width as i32;
        let biases = if bias { -most - 1..=most } else { 0..=0 };
        for bias in biases {
            let on = |answers, code| answers | u32::from(sum(code) + bias >= 0) << code;
            let answers = (0..1 << width).fold(0, on);
            if seen.insert(answers) {
                functions.push(Function { weights: weights.clone(), bias, answers });
            }
        }
    }
    functions
}

/// The code of every row: its sides of the hyperplanes.
fn codes(places: &[Position]) -> impl Iterator<Item = usize> + '_ {
    let rows = places.first().map_or(0, |place| place.output.len());
    (0..rows).map(|i| {
        let bit = |(j, place): (usize, &Position)| usize::from(place.output[i] >= 0.0) << j;
        places.iter().enumerate().map(bit).sum()
    })
}

/// The value of every row in front of hyperplane `j`.
fn pull(places: &[Position], j: usize, function: &Function, z: &[f64]) -> Vec<f64> {
    let count = |(code, z): (usize, &f64)| {
        let (off, on) = (function.on(code & !(1 << j)), function.on(code | 1 << j));
        z * f64::from(i8::from(on) - i8::from(off))
    };
    codes(places).zip(z).map(count).collect()
}

/// The value of every row in front of a new hyperplane, which keeps some of the rows that are on,
/// or adds others.
fn cut_or_add(places: &[Position], function: &Function, z: &[f64], cut: bool) -> Vec<f64> {
    let count = |(code, z): (usize, &f64)| if function.on(code) == cut { *z } else { 0.0 };
    codes(places).zip(z).map(count).collect()
}

/// The layers, without the hyperplanes that make no difference; `None` if weights are out of range.
fn subnetwork(rows: &Scaled<'_>, places: &[Position], function: &Function) -> Option<Subnetwork> {
    let mut used: Vec<usize> = (0..places.len()).filter(|&j| function.weights[j] != 0).collect();
    if used.is_empty() {
        used.push(0);
    }
    let planes = used.iter().map(|&j| rows.hyperplane(&places[j].weights));
    let weights = used.iter().map(|&j| f64::from(function.weights[j])).collect();
    let last = Hyperplane { weights, bias: f64::from(function.bias) };
    Some(Subnetwork::new(vec![planes.collect::<Option<_>>()?, vec![last]]))
}

#[cfg(test)]
mod tests {
    use super::super::twin::{does_not_depend_on_threads, random_problem, small_problem};
    use super::*;
    use crate::pattern::{Pattern, kernel};
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    #[test]
    fn all_threshold_functions_of_up_to_four_bits_are_there() {
        for (width, count) in [(1, 4), (2, 14), (3, 104), (4, 1882)] {
            assert_eq!(functions(width, true).len(), count);
        }
        // Without a bias everything off stays on.
        assert_eq!(functions(1, false).len(), 2);
        assert!(functions(3, false).iter().all(|f| f.on(0)));
    }

    proptest! {
        #[test]
        fn found_patterns_are_those_of_their_subnetworks(
            (features, z) in small_problem(20, 1usize..4, 3), bias in any::<bool>(),
            width in 1usize..5,
        ) {
            let arrangement = Arrangement::with_bias(&features, bias);
            let scaling = Scaling::fit(&features, &vec![1.0; features.rows()], bias);
            let search = SubnetworkSearch { keep: 5, ..SubnetworkSearch::new(width, bias) };
            let (found, _) = search.search(&arrangement, &scaling, &z, &[], (4, 1), &|| false);
            prop_assert!(!found.is_empty() && found.len() <= 5);
            prop_assert!(found.is_sorted_by(|a, b| a.value.abs() >= b.value.abs()));
            for Priced { hyperplane, pattern, value } in &found {
                let plain =
                    Pattern::from_fn(features.rows(), |i| hyperplane.fires(features.row(i)));
                prop_assert_eq!(&plain, pattern);
                let sum: f64 = (0..z.len()).filter(|&i| plain.get(i)).map(|i| z[i]).sum();
                prop_assert_eq!(sum, *value);
                prop_assert!(hyperplane.layers()[0].len() <= width);
            }
        }
    }

    #[test]
    fn the_best_subnetwork_of_few_points_is_mostly_found() {
        let mut hits = 0;
        for seed in 0..10 {
            let (features, z) = random_problem(7, 2, seed);
            let arrangement = Arrangement::of(&features);
            let all = arrangement.deep(&[2], false, u128::MAX).unwrap().patterns;
            let price = |j| kernel::masked_sum(all.column(j), &z).abs();
            let best = (0..all.patterns()).map(price).fold(0.0, f64::max);
            let search = SubnetworkSearch::new(2, true);
            let scaling = Scaling::identity(2);
            let (found, _) = search.search(&arrangement, &scaling, &z, &[], (32, seed), &|| false);
            assert!(found[0].value.abs() <= best);
            hits += usize::from(found[0].value.abs() == best);
        }
        assert!(hits >= 9, "{hits} of 10");
    }

    #[test]
    fn a_seed_gives_one_answer_whatever_the_number_of_threads() {
        let (features, z) = random_problem(100, 2, 3);
        let arrangement = Arrangement::of(&features);
        let search = SubnetworkSearch::new(3, true);
        does_not_depend_on_threads(|| {
            search.search(&arrangement, &Scaling::identity(2), &z, &[], (8, 9), &|| false)
        });
    }
}
