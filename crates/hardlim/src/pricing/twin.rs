//! A slow reference for tests of pricing: all patterns of a few rows of small integers. It decides
//! for every dichotomy whether some `w` gives it (Fourier and Motzkin's elimination, in integers).

use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::sweep::Sweep;
use super::vertex::Floors;
use super::{Priced, price_all};
use crate::arrangement::{Arrangement, Policy, policy};
use crate::data::Features;
use crate::exact::sum::round_to_grid;
use crate::pattern::Pattern;

/// `c·w ≥ 0`, or `c·w > 0`.
type Constraint = (Vec<i128>, bool);

fn reduced((mut c, strict): Constraint) -> Constraint {
    fn gcd(a: i128, b: i128) -> i128 {
        if b == 0 { a.abs() } else { gcd(b, a % b) }
    }
    let divisor = c.iter().fold(0, |g, &v| gcd(g, v)).max(1);
    c.iter_mut().for_each(|v| *v /= divisor);
    (c, strict)
}

fn is_feasible(mut constraints: Vec<Constraint>) -> bool {
    let variables = constraints.first().map_or(0, |c| c.0.len());
    for k in (0..variables).rev() {
        let mut next: Vec<Constraint> =
            constraints.iter().filter(|c| c.0[k] == 0).cloned().collect();
        for (a, a_strict) in constraints.iter().filter(|c| c.0[k] > 0) {
            for (b, b_strict) in constraints.iter().filter(|c| c.0[k] < 0) {
                let sum = a.iter().zip(b).map(|(x, y)| x * -b[k] + y * a[k]).collect();
                next.push(reduced((sum, *a_strict || *b_strict)));
            }
        }
        next.sort_unstable();
        next.dedup();
        constraints = next;
    }
    constraints.iter().all(|(_, strict)| !strict)
}

/// Every pattern of the rows, which hold small integers.
pub(super) fn all_patterns(arrangement: &Arrangement<'_>) -> Vec<Pattern> {
    let x = arrangement.features();
    let row = |i: usize| -> Vec<i128> {
        let bias = arrangement.has_bias().then_some(1);
        x.row(i).iter().map(|&v| v as i128).chain(bias).collect()
    };
    let rows: Vec<Vec<i128>> = (0..x.rows()).map(row).collect();
    let constraint = |(row, on): (&Vec<i128>, bool)| {
        let sign = if on { 1 } else { -1 };
        (row.iter().map(|v| sign * v).collect(), !on)
    };
    (0..1u64 << x.rows())
        .map(|bits| Pattern::from_fn(x.rows(), |i| bits >> i & 1 == 1))
        .filter(|p| is_feasible(rows.iter().zip(p.iter()).map(constraint).collect()))
        .collect()
}

/// `max dᵀz` and `min dᵀz` over the patterns.
pub(super) fn extremes(patterns: &[Pattern], z: &[f64]) -> (f64, f64) {
    let value = |p: &Pattern| p.iter().zip(z).filter(|(on, _)| *on).map(|(_, z)| z).sum::<f64>();
    let values = patterns.iter().map(value);
    values.fold((f64::NEG_INFINITY, f64::INFINITY), |(h, l), v| (h.max(v), l.min(v)))
}

/// Distinct rows of small integers, full of ties, and a dual point for them.
pub(super) fn small_problem(
    most_rows: usize,
    dimension: impl Strategy<Value = usize>,
    size: i32,
) -> impl Strategy<Value = (Features, Vec<f64>)> {
    (1..=most_rows, dimension).prop_flat_map(move |(n, d)| {
        let numbers = prop::collection::vec(-size..=size, n * d);
        let z = prop::collection::vec(prop_oneof![(-3i32..4).prop_map(f64::from), -1.0f64..1.0], n);
        (numbers, z).prop_map(move |(x, mut z)| {
            let x = x.into_iter().map(f64::from).collect();
            let (features, _) = Features::new(n, d, x).expect("in range").merge();
            z.truncate(features.rows());
            round_to_grid(&mut z);
            (features, z)
        })
    })
}

/// Directions of some of the first inputs, often of none.
pub(super) fn some_trends(inputs: usize) -> impl Strategy<Value = Policy> {
    let trend = prop_oneof![2 => Just(None), 1 => any::<bool>().prop_map(Some)];
    prop::collection::vec(trend, inputs).prop_map(|trends| {
        let known = trends.into_iter().enumerate();
        let known = known.filter_map(|(input, rises)| Some((input, rises?)));
        policy::trends(&known.collect::<Vec<_>>())
    })
}

/// Random rows and a random dual point.
pub(super) fn random_problem(n: usize, d: usize, seed: u64) -> (Features, Vec<f64>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let x = (0..n * d).map(|_| rng.random_range(-1.0..1.0)).collect();
    let mut z: Vec<f64> = (0..n).map(|_| rng.random_range(-1.0..1.0)).collect();
    round_to_grid(&mut z);
    (Features::new(n, d, x).unwrap(), z)
}

/// `max |dᵀz|`, by a sweep.
pub(super) fn best(arrangement: Arrangement<'_>, z: &[f64]) -> f64 {
    let sweep = Sweep::new(arrangement, 5).expect("a small rank");
    let Floors { high, low } = sweep.beyond(z, Floors::NONE, &|| false).expect("no stop").floors;
    high.max(-low)
}

/// Patterns and values are those that the hyperplanes give.
pub(super) fn are_what_they_say(arrangement: &Arrangement<'_>, z: &[f64], found: &[Priced]) {
    let planes = found.iter().map(|priced| priced.hyperplane.clone()).collect();
    assert_eq!(price_all(arrangement, z, planes), found);
    assert!(arrangement.has_bias() || found.iter().all(|priced| priced.hyperplane.bias == 0.0));
}

/// On one thread and on three the result is the same.
pub(super) fn does_not_depend_on_threads<T: PartialEq + std::fmt::Debug + Send>(
    work: impl Fn() -> T + Sync,
) {
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    assert_eq!(on(1).install(&work), on(3).install(&work));
}

#[test]
fn the_twin_knows_the_patterns_of_three_points_on_a_line() {
    let line = Features::new(3, 1, vec![-1.0, 0.0, 1.0]).unwrap();
    assert_eq!(all_patterns(&Arrangement::of(&line)).len(), 6);
    let ends = Features::new(2, 1, vec![1.0, -1.0]).unwrap();
    assert_eq!(all_patterns(&Arrangement::of(&ends).without_bias()).len(), 3);
}
