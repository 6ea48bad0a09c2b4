//! Selection: the `t ≥ 0` with `Σ s(v − t)₊ = β`, in `O(n)` and without sorting.
//!
//! The sum is convex and piecewise linear in `t`. So every tangent meets `β` at the root or below
//! it, and a tangent from the piece of the root meets it exactly. One pass over the numbers gives a
//! tangent. A sample of the numbers tells where to begin, and a few tangents later the root is
//! reached.

use super::tuning::{PASSES, SAMPLE};

/// The `t ≥ 0` with `Σ s(v − t)₊ = β`, or zero if the sum at zero is not above `β`. `of` returns
/// `v` and `s ≥ 0` of an item.
pub(super) fn level<T: Copy>(items: &[T], of: impl Fn(T) -> (f64, f64) + Copy, beta: f64) -> f64 {
    let (mass, weight) = sums_above(items, of, 0.0);
    if mass <= beta {
        return 0.0;
    }
    let mut t = (mass - beta) / weight;
    let mut start = t;
    if items.len() >= 4 * SAMPLE {
        let stride = items.len() / SAMPLE;
        let sample: Vec<T> = items.iter().step_by(stride).copied().collect();
        start = f64::max(t, level(&sample, of, beta / stride as f64));
    }
    for _ in 0..PASSES {
        let (mass, weight) = sums_above(items, of, start);
        let next = if weight > 0.0 { (mass - beta) / weight } else { t };
        if next <= t && start == t {
            return t;
        }
        t = f64::max(t, next);
        start = t;
    }
    let open = items.iter().map(|&item| of(item)).filter(|&(v, s)| v > t && s > 0.0).collect();
    by_halves(open, t, beta)
}

/// `Σ sv` and `Σ s` over the numbers above `t`. Several sums run side by side, which is fast. They
/// are added block by block, which keeps the last digits.
fn sums_above<T: Copy>(items: &[T], of: impl Fn(T) -> (f64, f64), t: f64) -> (f64, f64) {
    const LANES: usize = 8;
    let part = |item: T| {
        let (v, s) = of(item);
        let s = if v > t { s } else { 0.0 };
        (s * v, s)
    };
    let (mut mass, mut weight) = (0.0, 0.0);
    for block in items.chunks(512 * LANES) {
        let (mut masses, mut weights) = ([0.0; LANES], [0.0; LANES]);
        let (whole, rest) = block.as_chunks::<LANES>();
        for items in whole {
            for k in 0..LANES {
                let (m, w) = part(items[k]);
                masses[k] += m;
                weights[k] += w;
            }
        }
        for (k, &item) in rest.iter().enumerate() {
            let (m, w) = part(item);
            masses[k] += m;
            weights[k] += w;
        }
        mass += masses.iter().sum::<f64>();
        weight += weights.iter().sum::<f64>();
    }
    (mass, weight)
}

/// The root, where the numbers up to `t` are settled already. Every tangent settles more of them.
/// If one settles less than a quarter, the median settles half.
fn by_halves(mut open: Vec<(f64, f64)>, mut t: f64, beta: f64) -> f64 {
    // `mass` and `weight` belong to the numbers known to be above the root; those in `open` may be
    // above or below.
    let (mut mass, mut weight) = (0.0, 0.0);
    while !open.is_empty() {
        let (all_mass, all_weight) =
            open.iter().fold((mass, weight), |(m, w), &(v, s)| (m + s * v, w + s));
        t = f64::max(t, (all_mass - beta) / all_weight);
        let before = open.len();
        open.retain(|&(v, _)| v > t);
        if open.len() == before {
            return t;
        }
        if 4 * open.len() > 3 * before {
            let middle = open.len() / 2;
            let (_, &mut (pivot, s), above) =
                open.select_nth_unstable_by(middle, |a, b| a.0.total_cmp(&b.0));
            let (high_mass, high_weight) = above
                .iter()
                .fold((mass + s * pivot, weight + s), |(m, w), &(v, s)| (m + s * v, w + s));
            if high_mass - high_weight * pivot >= beta {
                t = f64::max(t, pivot);
                open.drain(..=middle);
            } else {
                (mass, weight) = (high_mass, high_weight);
                open.truncate(middle);
            }
        }
    }
    f64::max(t, (mass - beta) / weight)
}

#[cfg(test)]
pub(super) mod tests {
    use std::ops::Range;

    use super::*;
    use proptest::prelude::*;

    /// The definition, by sorting.
    fn level_plain(numbers: &[(f64, f64)], beta: f64) -> f64 {
        let mut sorted: Vec<_> = numbers.iter().copied().filter(|v| v.0 > 0.0).collect();
        sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (mut mass, mut weight, mut level) = (0.0, 0.0, 0.0);
        for (v, s) in sorted {
            if mass - weight * v >= beta {
                break;
            }
            (mass, weight) = (mass + s * v, weight + s);
            level = (mass - beta) / weight;
        }
        f64::max(level, 0.0)
    }

    pub(in super::super) fn numbers(count: Range<usize>) -> impl Strategy<Value = Vec<(f64, f64)>> {
        let value = prop_oneof![-2.0f64..2.0, (-4i32..5).prop_map(f64::from)];
        prop::collection::vec((value, 0.1f64..3.0), count)
    }

    fn level_of(numbers: &[(f64, f64)], beta: f64) -> f64 {
        level(numbers, |pair| pair, beta)
    }

    proptest! {
        #[test]
        fn selection_finds_what_sorting_finds(numbers in numbers(0..200), beta in 0.01f64..50.0) {
            let (fast, slow) = (level_of(&numbers, beta), level_plain(&numbers, beta));
            prop_assert!((fast - slow).abs() <= 1e-12 * (1.0 + slow), "{} {}", fast, slow);
            let open = numbers.iter().copied().filter(|(v, _)| *v > 0.0).collect();
            if slow > 0.0 {
                let halved = by_halves(open, 0.0, beta);
                prop_assert!((halved - slow).abs() <= 1e-12 * (1.0 + slow), "{} {}", halved, slow);
            }
        }
    }

    #[test]
    fn equal_numbers_and_slow_decay_end() {
        assert_eq!(level_of(&[(1.0, 1.0); 4], 2.0), 0.5);
        let geometric: Vec<_> = (0..900).map(|k| (1.01f64.powi(k), 1.0)).collect();
        // Six hundred decades: every tangent leaves almost everything behind.
        let steep: Vec<_> = (0..600).map(|k| (10f64.powi(k - 300), 1.0)).collect();
        for numbers in [geometric, steep] {
            for beta in [1e3, 1e-200] {
                let (fast, slow) = (level_of(&numbers, beta), level_plain(&numbers, beta));
                assert!((fast - slow).abs() <= 1e-9 * slow, "{fast} {slow}");
            }
        }
    }

    #[test]
    fn many_numbers_start_from_a_sample_whatever_their_order() {
        let count = 5 * SAMPLE + 3;
        for order in [1, 2, 7919] {
            let number = |i: usize| ((i * order % count) as f64 / 999.0 - 20.0, 1.0);
            let numbers: Vec<_> = (0..count).map(number).collect();
            // The period is the stride of the sample, so that the sample misleads.
            let misled: Vec<_> = (0..count).map(|i| (f64::from(i % 5 == 1), 1.0)).collect();
            for numbers in [numbers, misled] {
                for beta in [1e-3, 1.0, 1e3, 5e3] {
                    let (fast, slow) = (level_of(&numbers, beta), level_plain(&numbers, beta));
                    assert!((fast - slow).abs() <= 1e-11 * (1.0 + slow), "{fast} {slow}");
                }
            }
        }
    }
}
