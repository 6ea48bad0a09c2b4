//! Enumeration against a slow twin, and against formulas.

mod lp_tree;

use std::collections::HashSet;
use std::ops::ControlFlow;

use hardlim::arrangement::{Arrangement, evaluate};
use hardlim::data::Features;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

/// Points of integer grids, on lines and planes, repeated up to a factor, mirrored, or zero.
fn degenerate(rng: &mut ChaCha8Rng) -> Features {
    let (n, d) = (rng.random_range(2..=12), rng.random_range(1..=4));
    let reach = rng.random_range(1..=3);
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for _ in 0..n {
        let grid = |rng: &mut ChaCha8Rng| -> Vec<f64> {
            (0..d).map(|_| f64::from(rng.random_range(-reach..=reach))).collect()
        };
        let row = match (rng.random_range(0..8), rows.len()) {
            (0, 1..) => {
                let factor = [-2.0, -1.0, 0.5, 3.0][rng.random_range(0..4)];
                rows[rng.random_range(0..rows.len())].iter().map(|v| factor * v).collect()
            }
            (1, 2..) => {
                let (a, b) = (rng.random_range(0..rows.len()), rng.random_range(0..rows.len()));
                rows[a].iter().zip(&rows[b]).map(|(a, b)| 0.5 * (a + b)).collect()
            }
            (2, 1..) => vec![0.0; d],
            _ => grid(rng),
        };
        rows.push(row);
    }
    let features = Features::new(n, d, rows.concat()).unwrap();
    features.merge().0
}

fn listed(arrangement: &Arrangement<'_>) -> Vec<u64> {
    let mut found = Vec::new();
    let flow = arrangement.for_each(u128::MAX, |words| {
        found.push(words[0]);
        ControlFlow::Continue(())
    });
    assert!(flow.unwrap().is_continue());
    found
}

#[test]
fn linear_programs_find_the_same_patterns_on_degenerate_data() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for round in 0..300 {
        let features = degenerate(&mut rng);
        let with = Arrangement::of(&features);
        for arrangement in [with, with.without_bias()] {
            let mut found = listed(&arrangement);
            found.sort_unstable();
            let expected = lp_tree::patterns(&arrangement);
            let bias = arrangement.has_bias();
            assert_eq!(found, expected, "round {round}, bias {bias}: {features:?}");
            assert_eq!(arrangement.count(u128::MAX).unwrap(), expected.len() as u64);
            assert!(arrangement.size_bound() >= expected.len() as u128);
        }
    }
}

#[test]
fn every_witness_answers_exactly_its_pattern() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for round in 0..60 {
        let features = degenerate(&mut rng);
        let with = Arrangement::of(&features);
        for arrangement in [with, with.without_bias()] {
            let dictionary = arrangement.enumerate(u128::MAX).unwrap();
            let evaluated = evaluate(&features, &dictionary.witnesses);
            assert_eq!(evaluated, dictionary.patterns, "round {round}");
            let bias = arrangement.has_bias();
            assert!(bias || dictionary.witnesses.iter().all(|w| w.bias == 0.0));
        }
    }
}

fn gaussian(n: usize, d: usize, seed: u64) -> Features {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Features::new(n, d, (0..n * d).map(|_| rng.sample(StandardNormal)).collect()).unwrap()
}

#[test]
fn general_position_reaches_the_bound() {
    for (n, d, expected) in [(200, 2, 39_802), (100, 3, 323_600), (17, 8, 78_406), (40, 5, 1_335_856)]
    {
        let features = gaussian(n, d, 1);
        let arrangement = Arrangement::of(&features);
        assert_eq!(arrangement.size_bound(), expected);
        assert_eq!(u128::from(arrangement.count(expected).unwrap()), expected);
    }
}

#[test]
fn without_a_bias_general_position_adds_the_origin_at_most() {
    let features = gaussian(30, 3, 2);
    let arrangement = Arrangement::of(&features).without_bias();
    // 2(1 + 29 + C(29, 2)) cells, and all rows on at the origin.
    assert_eq!(arrangement.count(u128::MAX).unwrap(), 2 * (1 + 29 + 406) + 1);
}

#[test]
fn patterns_differ_and_come_in_an_order_that_threads_do_not_change() {
    let features = gaussian(60, 3, 3);
    let arrangement = Arrangement::of(&features);
    let all = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| listed(&arrangement))
    };
    let one = all(1);
    assert_eq!(one.iter().collect::<HashSet<_>>().len(), one.len());
    assert_eq!(one, all(4));
}

#[test]
fn nearly_degenerate_decimals_are_told_apart() {
    // Tenths are not a grid: as doubles, 0.1 + 0.2 is not 0.3, and many triples that look collinear
    // are not. The pattern of every direction that passes close to them must be there.
    let values: Vec<f64> = (0..5).flat_map(|i| (0..5).flat_map(move |j| [i, j])).map(|v| f64::from(v) / 10.0).collect();
    let grid: Vec<f64> = values.iter().map(|v| (v * 10.0).round()).collect();
    let (tenths, integers) =
        (Features::new(25, 2, values).unwrap(), Features::new(25, 2, grid).unwrap());
    let patterns = |features| -> HashSet<u64> {
        listed(&Arrangement::of(features)).into_iter().collect()
    };
    let (fine, coarse) = (patterns(&tenths), patterns(&integers));
    assert!(coarse.is_subset(&fine) && coarse.len() < fine.len());
    assert!(fine.len() as u128 <= Arrangement::of(&tenths).size_bound());
}
