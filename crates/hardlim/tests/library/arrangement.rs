//! Enumeration against a slow twin, and against formulas.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crate::lp_tree;
use hardlim::Error;
use hardlim::arrangement::{Arrangement, evaluate};
use hardlim::data::Features;
use hardlim::pattern::Pattern;
use hardlim::table::builtin::{self, TableSize};
use hardlim::table::{Coding, CodingOptions};
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
    let flow = arrangement.listing(u128::MAX).unwrap().for_each(|words| {
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
            assert_eq!(
                arrangement.listing(u128::MAX).unwrap().count().unwrap(),
                expected.len() as u64
            );
            assert!(arrangement.size().bound >= expected.len() as u128);
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

#[test]
fn a_pattern_on_its_own_gets_the_same_witness() {
    let features = gaussian(70, 2, 9);
    let arrangement = Arrangement::of(&features);
    let dictionary = arrangement.enumerate(u128::MAX).unwrap();
    assert_eq!(dictionary.len(), 2 * (1 + 69 + 69 * 68 / 2));
    assert_eq!(evaluate(&features, &dictionary.witnesses), dictionary.patterns);
    for j in (0..dictionary.len()).step_by(97) {
        let witness = arrangement.witness(&dictionary.patterns.pattern(j));
        assert_eq!(witness.as_ref(), Some(&dictionary.witnesses[j]));
    }
    // No line through the middle of a triangle has its corners on one side and itself on the other.
    let star = [0.0, 3.0, -3.0, -3.0, 3.0, -3.0, 0.0, 0.0].to_vec();
    let features = Features::new(4, 2, star).unwrap();
    let impossible = Pattern::from_fn(4, |i| i < 3);
    assert_eq!(Arrangement::of(&features).witness(&impossible), None);
}

fn gaussian(n: usize, d: usize, seed: u64) -> Features {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Features::new(n, d, (0..n * d).map(|_| rng.sample(StandardNormal)).collect()).unwrap()
}

#[test]
fn general_position_reaches_the_bound() {
    for (n, d, expected) in
        [(200, 2, 39_802), (100, 3, 323_600), (17, 8, 78_406), (40, 5, 1_335_856)]
    {
        let features = gaussian(n, d, 1);
        let arrangement = Arrangement::of(&features);
        assert_eq!(arrangement.size().bound, expected);
        assert_eq!(u128::from(arrangement.listing(expected).unwrap().count().unwrap()), expected);
    }
}

#[test]
fn without_a_bias_general_position_adds_the_origin_at_most() {
    let features = gaussian(70, 3, 2);
    let arrangement = Arrangement::of(&features).without_bias();
    // 2(1 + 69 + C(69, 2)) cells, and all rows on at the origin.
    assert_eq!(
        arrangement.listing(u128::MAX).unwrap().count().unwrap(),
        2 * (1 + 69 + 69 * 34) + 1
    );
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
    // are not. All patterns of the grid are there, and more.
    let points = (0..25).flat_map(|k| [k % 5, k / 5]);
    let integers = Features::new(25, 2, points.clone().map(f64::from).collect()).unwrap();
    let tenths = Features::new(25, 2, points.map(|v| f64::from(v) / 10.0).collect()).unwrap();
    let patterns =
        |features| -> HashSet<u64> { listed(&Arrangement::of(features)).into_iter().collect() };
    let (fine, coarse) = (patterns(&tenths), patterns(&integers));
    assert!(coarse.is_subset(&fine) && coarse.len() < fine.len());
    // Cells between such triples are narrower than doubles are fine, and some hold no weights.
    let arrangement = Arrangement::of(&tenths);
    let (dictionary, narrow) = arrangement.listing(u128::MAX).unwrap().realised().unwrap();
    assert_eq!(dictionary.len() + narrow.patterns(), fine.len());
    assert_eq!(evaluate(&tenths, &dictionary.witnesses), dictionary.patterns);
    assert!(dictionary.len() > coarse.len() && narrow.patterns() > 0);
    assert!(matches!(arrangement.enumerate(u128::MAX), Err(Error::NarrowCells { .. })));
}

#[test]
fn numbers_of_all_sizes_are_as_good_as_any() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let values = (0..60).map(|_| 10f64.powf(rng.random_range(-20.0..20.0))).collect();
    let features = Features::new(20, 3, values).unwrap();
    let arrangement = Arrangement::of(&features);
    let dictionary = arrangement.enumerate(u128::MAX).unwrap();
    assert_eq!(dictionary.len() as u128, arrangement.size().bound);
    assert_eq!(evaluate(&features, &dictionary.witnesses), dictionary.patterns);
}

#[test]
fn titanic_has_442_patterns() {
    let table = builtin::load("titanic", &TableSize::default()).unwrap().unwrap();
    let coding = Coding::fit(&table, &CodingOptions::default()).unwrap();
    let data = coding.dataset(&table).unwrap();
    let dictionary = Arrangement::of(data.features()).enumerate(1_000_000).unwrap();
    assert_eq!(dictionary.len(), 442);
    assert_eq!(evaluate(data.features(), &dictionary.witnesses), dictionary.patterns);
}

#[test]
fn cubes_have_as_many_patterns_as_there_are_threshold_functions() {
    // The numbers of threshold functions of up to five variables.
    for (d, expected) in [(1, 4), (2, 14), (3, 104), (4, 1882), (5, 94_572)] {
        let corner = |k: usize| (0..d).map(move |b| f64::from(u8::from(k >> b & 1 == 1)));
        let features = Features::new(1 << d, d, (0..1 << d).flat_map(corner).collect()).unwrap();
        assert_eq!(
            Arrangement::of(&features).listing(u128::MAX).unwrap().count().unwrap(),
            expected
        );
    }
}

#[test]
fn small_cases_are_those_of_the_paper() {
    let line = Features::new(3, 1, vec![-1.0, 0.0, 1.0]).unwrap();
    assert_eq!(listed(&Arrangement::of(&line)).len(), 6);
    let pair = Features::new(2, 1, vec![1.0, -1.0]).unwrap();
    let mut found = listed(&Arrangement::of(&pair).without_bias());
    found.sort_unstable();
    assert_eq!(found, [0b01, 0b10, 0b11]);
    let zero = Features::new(1, 1, vec![0.0]).unwrap();
    assert_eq!(listed(&Arrangement::of(&zero).without_bias()), [1]);
    assert_eq!(Arrangement::of(&zero).without_bias().enumerate(1).unwrap().len(), 1);
    let on = Pattern::from_fn(1, |_| true);
    assert!(Arrangement::of(&zero).without_bias().witness(&on).is_some());
    assert!(Arrangement::of(&zero).without_bias().witness(&Pattern::zeros(1)).is_none());
    let bare = Features::new(1, 0, vec![]).unwrap();
    assert_eq!(listed(&Arrangement::of(&bare)).len(), 2);
    assert_eq!(Arrangement::of(&bare).enumerate(2).unwrap().len(), 2);
}

#[test]
fn a_visit_can_break_and_a_listing_can_be_stopped() {
    let features = gaussian(50, 3, 7);
    let arrangement = Arrangement::of(&features);
    let mut visits = 0;
    let flow = arrangement.listing(u128::MAX).unwrap().for_each(|_| {
        visits += 1;
        if visits < 100 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(flow.unwrap().is_break() && visits == 100);
    let stop = AtomicBool::new(true);
    let listing = arrangement.listing(u128::MAX).unwrap().until(&stop);
    assert!(matches!(listing.count(), Err(Error::Interrupted)));
    assert!(matches!(listing.patterns(), Err(Error::Interrupted)));
    assert!(matches!(listing.dictionary(), Err(Error::Interrupted)));
    let last = AtomicU64::new(0);
    let report = |found| last.store(found, Ordering::Relaxed);
    let count = arrangement.listing(u128::MAX).unwrap().reporting(&report).count().unwrap();
    assert_eq!(count, last.into_inner());
    assert!(matches!(arrangement.listing(10), Err(Error::ArrangementTooLarge { limit: 10, .. })));
}

/// Takes a minute or two: `cargo test --release --test arrangement -- --ignored`.
#[test]
#[ignore = "times linear programs"]
fn linear_programs_find_as_many_patterns_in_their_time() {
    let seconds = |work: &dyn Fn() -> usize| {
        let start = Instant::now();
        let count = work();
        (count, start.elapsed().as_secs_f64())
    };
    let grid = (0..18).flat_map(|k| [k % 3, k / 3 % 3, k / 9]).map(f64::from).collect();
    let grid = Features::new(18, 3, grid).unwrap();
    for features in [gaussian(40, 3, 8), grid] {
        let arrangement = Arrangement::of(&features);
        let (count, fast) =
            seconds(&|| arrangement.listing(u128::MAX).unwrap().count().unwrap() as usize);
        let (slow_count, slow) = seconds(&|| lp_tree::patterns(&arrangement).len());
        assert_eq!(count, slow_count);
        let times = slow / fast;
        eprintln!(
            "{count} patterns: {fast:.4} s, and {slow:.2} s by linear programs: {times:.0} times"
        );
    }
}
