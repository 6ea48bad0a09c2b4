//! Local search for patterns with a large `|dᵀz|`: exact line searches from many starts.
//!
//! A start is improved by line searches ([`super::line_search`]) until none of these directions
//! helps: the bias; the edges of the cell next to the nearest rows, each of which lets one row
//! change sides while its neighbours keep theirs; the gradient of a smoothed objective; single
//! inputs; random directions. The result is evaluated on the numbers as read.

use std::cell::Cell;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::circle::Circle;
use super::line_search::{Position, Scaled};
use super::starts::{gaussian, solve, start};
use super::tuning::{MOST_EDGE_WEIGHTS, SHORTEST};
use super::{Priced, distinct_best, price_all};
use crate::arrangement::{Arrangement, Hyperplane};
use crate::data::Scaling;
use crate::exact::sum::{add_times, dot, project_out, unit};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LocalSearch {
    /// The number of starts, besides the given hyperplanes.
    pub(crate) starts: usize,
    /// The most line searches from each start.
    pub(crate) steps: usize,
    /// The most patterns to return.
    pub(crate) keep: usize,
}

impl Default for LocalSearch {
    fn default() -> Self {
        Self { starts: 64, steps: 200, keep: 64 }
    }
}

impl LocalSearch {
    /// Distinct patterns, the largest `|dᵀz|` first, and the number of line searches that they
    /// took. The search runs on the scaled rows, and also starts from the hyperplanes `from`. The
    /// same seed gives the same result for any number of threads. If `stop` returns true, climbs
    /// end where they are; two starts are always returned.
    ///
    /// # Panics
    /// When `z` does not have one number for each row.
    pub(crate) fn search(
        &self,
        arrangement: &Arrangement<'_>,
        scaling: &Scaling,
        z: &[f64],
        from: &[Hyperplane],
        seed: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> (Vec<Priced>, usize) {
        assert_eq!(z.len(), arrangement.features().rows(), "one number for each row");
        let rows = Scaled::new(arrangement, scaling);
        let opposite: Vec<f64> = z.iter().map(|z| -z).collect();
        let climb = |k: usize, rng: &mut ChaCha8Rng, circle: &mut Circle| {
            let (weights, sign) = match k.checked_sub(from.len()) {
                None => {
                    let place = Position::new(&rows, z, rows.weights(&from[k]));
                    let sign = if place.value < 0.0 { &opposite } else { z };
                    (place.weights, sign)
                }
                // Every start is used twice, for the largest and for the smallest sum.
                Some(k) => {
                    let sign = if k.is_multiple_of(2) { z } else { &opposite };
                    (start(&rows, sign, k / 2, rng), sign)
                }
            };
            let (place, taken) = self.climb(&rows, sign, weights, rng, circle, stop);
            (rows.hyperplane(&place.weights), taken)
        };
        let (planes, taken) = climbs(from.len() + self.starts, 2, seed, stop, climb);
        (distinct_best(price_all(arrangement, z, planes), self.keep), taken)
    }

    /// The search whose climbs, together with those from `used` hyperplanes, fit into a number of
    /// line searches, and how many of the hyperplanes it can start from. There are at least two
    /// climbs.
    pub(crate) fn within(self, used: usize, line_searches: f64) -> (Self, usize) {
        let climbs = self.starts + used;
        if (climbs * self.steps) as f64 <= line_searches {
            return (self, used);
        }
        // Rather fewer climbs than short ones.
        let (shortest, longest) = (SHORTEST.min(self.steps) as f64, self.steps as f64);
        let steps = (line_searches / climbs as f64).clamp(shortest, longest);
        let climbs = (line_searches / steps).max(2.0);
        let steps = (line_searches / climbs).clamp(1.0, steps) as usize;
        let used = used.min(climbs as usize / 2);
        let starts = self.starts.min(climbs as usize - used);
        (Self { starts, steps, ..self }, used)
    }

    /// Line searches for a larger `Σ z` in front, until none helps or `stop` returns true. Also
    /// returns how many there were.
    pub(super) fn climb(
        &self,
        rows: &Scaled<'_>,
        z: &[f64],
        weights: Vec<f64>,
        rng: &mut ChaCha8Rng,
        circle: &mut Circle,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> (Position, usize) {
        let mut place = Position::new(rows, z, weights);
        let left = Cell::new(self.steps);
        let mut improves = |place: &mut Position, direction: &[f64]| {
            let may = left.get() > 0 && !stop();
            left.set(left.get().saturating_sub(usize::from(may)));
            may && place.search(rows, z, direction, circle)
        };
        let bias = unit(rows.width(), rows.width().saturating_sub(1));
        let mut tried = 0;
        // Three rounds without success end the climb.
        while left.get() > 0 && tried < 3 && !stop() {
            tried += 1;
            let mut better = rows.bias && improves(&mut place, &bias);
            for direction in edges(rows, &place) {
                better |= improves(&mut place, &direction);
            }
            for _ in 0..2 {
                let slope = smoothed_gradient(rows, z, &place, rng);
                better |= improves(&mut place, &slope);
            }
            if rows.width() > 0 {
                let column = unit(rows.width(), rng.random_range(0..rows.width()));
                better |= improves(&mut place, &column);
            }
            better |= improves(&mut place, &gaussian(rows, rng));
            if better {
                tried = 0;
            }
        }
        (place, self.steps - left.get())
    }
}

/// What climbs find on all threads, each with random numbers of its own, and how many line searches
/// they took. After the first few, none begins once `stop` returns true.
pub(super) fn climbs<T: Send>(
    count: usize,
    first: usize,
    seed: u64,
    stop: &(dyn Fn() -> bool + Sync),
    climb: impl Fn(usize, &mut ChaCha8Rng, &mut Circle) -> (Option<T>, usize) + Sync,
) -> (Vec<T>, usize) {
    let climbed: Vec<(Option<T>, usize)> = (0..count)
        .into_par_iter()
        .map_init(Circle::default, |circle, k| {
            if k >= first && stop() {
                return (None, 0);
            }
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(k as u64);
            climb(k, &mut rng, circle)
        })
        .collect();
    let taken = climbed.iter().map(|(_, taken)| taken).sum();
    (climbed.into_iter().filter_map(|(found, _)| found).collect(), taken)
}

/// `Σ z kᵢ x̃ᵢ` with a kernel `k` of random width that counts rows near the hyperplane.
fn smoothed_gradient(
    rows: &Scaled<'_>,
    z: &[f64],
    place: &Position,
    rng: &mut ChaCha8Rng,
) -> Vec<f64> {
    let size = place.output.iter().map(|u| u.abs()).sum::<f64>() / rows.rows.max(1) as f64;
    let width = (size * 4f64.powf(-2.0 * rng.random::<f64>())).max(f64::MIN_POSITIVE);
    let kernel = |u: f64| 1.0 / (1.0 + (u / width) * (u / width)).powi(2);
    let slope: Vec<f64> = place.output.iter().zip(z).map(|(&u, z)| z * kernel(u)).collect();
    rows.combine(&slope)
}

/// Directions that change `x̃·w` on one of the nearest rows and not on the others. Let the rows of
/// a matrix `M` be `w` and independent data rows, one fewer than there are weights; the directions
/// are the columns of its inverse. If columns of the data depend on each other, there are fewer
/// such rows, and the pseudo-inverse `Mᵀ(MMᵀ)⁻¹` is used.
fn edges(rows: &Scaled<'_>, place: &Position) -> Vec<Vec<f64>> {
    let width = rows.width();
    if !(2..=MOST_EDGE_WEIGHTS).contains(&width) {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..rows.rows).collect();
    let by_distance = |&a: &usize, &b: &usize| {
        place.output[a].abs().total_cmp(&place.output[b].abs()).then(a.cmp(&b))
    };
    let candidates = (4 * width).min(rows.rows);
    if candidates < rows.rows {
        order.select_nth_unstable_by(candidates, by_distance);
        order.truncate(candidates);
    }
    order.sort_unstable_by(by_distance);
    let (mut matrix, mut basis) = (Vec::<Vec<f64>>::new(), Vec::<Vec<f64>>::new());
    for candidate in
        std::iter::once(place.weights.clone()).chain(order.iter().map(|&i| rows.row(i)))
    {
        let size = dot(&candidate, &candidate);
        let mut rest = candidate.clone();
        project_out(&basis, &mut rest);
        let left = dot(&rest, &rest);
        if left > 1e-12 * size && left > 0.0 {
            basis.push(rest.into_iter().map(|r| r / left.sqrt()).collect());
            matrix.push(candidate);
        }
        if matrix.len() == width {
            break;
        }
    }
    let count = matrix.len();
    let sides = (1..count).map(|k| unit(count, k)).collect();
    if count == width {
        return solve(matrix, sides).unwrap_or_default();
    }
    let gram = matrix.iter().map(|a| matrix.iter().map(|b| dot(a, b)).collect()).collect();
    let combine = |shares: Vec<f64>| {
        let mut sum = vec![0.0; width];
        matrix.iter().zip(shares).for_each(|(row, share)| add_times(&mut sum, share, row));
        sum
    };
    solve(gram, sides).unwrap_or_default().into_iter().map(combine).collect()
}

#[cfg(test)]
mod tests {
    use super::super::twin::{
        are_what_they_say, best, does_not_depend_on_threads, random_problem, small_problem,
    };
    use super::*;
    use crate::data::Features;
    use proptest::prelude::{any, prop_assert, proptest};

    proptest! {
        #[test]
        fn found_patterns_are_those_of_their_hyperplanes(
            (features, z) in small_problem(30, 0usize..5, 3), bias in any::<bool>(),
        ) {
            let arrangement = Arrangement::with_bias(&features, bias);
            let scaling = Scaling::fit(&features, &vec![1.0; features.rows()], bias);
            let found = LocalSearch { starts: 12, steps: 30, keep: 5 }
                .search(&arrangement, &scaling, &z, &[], 1, &|| false)
                .0;
            prop_assert!(!found.is_empty() && found.len() <= 5);
            prop_assert!(found.is_sorted_by(|a, b| a.value.abs() >= b.value.abs()));
            are_what_they_say(&arrangement, &z, &found);
        }
    }

    #[test]
    fn the_best_pattern_in_the_plane_is_mostly_found_whether_columns_depend_on_others_or_not() {
        let mut hits = [0; 2];
        for (seed, dependent) in (0..20).flat_map(|seed| [(seed, false), (seed, true)]) {
            let (mut features, z) = random_problem(80, 2, seed);
            if dependent {
                let row = |x: &[f64]| [x[0], x[1], 1.0, 2.0 * x[0]];
                let rows = (0..80).flat_map(|i| row(features.row(i))).collect();
                features = Features::new(80, 4, rows).unwrap();
            }
            let arrangement = Arrangement::of(&features);
            let scaling = Scaling::identity(features.dimension());
            let (found, _) =
                LocalSearch::default().search(&arrangement, &scaling, &z, &[], 0, &|| false);
            let best = best(arrangement, &z);
            assert!(found[0].value.abs() <= best);
            hits[usize::from(dependent)] += usize::from(found[0].value.abs() == best);
        }
        assert!(hits[0] >= 18 && hits[1] >= 18, "{hits:?} of 20");
    }

    #[test]
    fn a_search_that_is_cut_short_still_returns_two_starts() {
        let (features, z) = random_problem(80, 3, 2);
        let arrangement = Arrangement::of(&features);
        let scaling = Scaling::identity(3);
        let search = LocalSearch::default();
        let (found, taken) = search.search(&arrangement, &scaling, &z, &[], 0, &|| true);
        assert_eq!((found.len(), taken), (2, 0));
        let (all, taken) = search.search(&arrangement, &scaling, &z, &[], 0, &|| false);
        assert!(!all.is_empty());
        assert!(taken > 0 && taken <= search.starts * search.steps);
        for (used, left) in [(0, 1e9), (64, 1e9), (64, 3000.0), (64, 100.0), (3, 7.0), (64, 0.0)] {
            let (fewer, used) = search.within(used, left);
            let most = (fewer.starts + used) * fewer.steps;
            assert!(most as f64 <= f64::max(left, 2.0), "{fewer:?} from {used} for {left}");
            assert!(fewer.starts >= 1 && fewer.steps >= 1);
        }
    }

    #[test]
    fn a_seed_gives_one_answer_whatever_the_number_of_threads() {
        let (features, z) = random_problem(100, 4, 1);
        let arrangement = Arrangement::of(&features);
        let scaling = Scaling::fit(&features, &[1.0; 100], true);
        let from = [Hyperplane { weights: vec![1.0, -1.0, 0.5, 0.0], bias: 0.1 }];
        does_not_depend_on_threads(|| {
            LocalSearch::default().search(&arrangement, &scaling, &z, &from, 9, &|| false)
        });
    }
}
