//! Every theorem we rely on, on instances small enough to enumerate.

use hardlim::arrangement::{Arrangement, Hyperplane, evaluate};
use hardlim::certificate::Certificate;
use hardlim::certificate::Problem;
use hardlim::data::{Dataset, Features, Scaling, Targets};
use hardlim::loss::LossKind;
use hardlim::network::{Cell, Weights, reconstruct};
use hardlim::pattern::{Pattern, PatternMatrix};
use hardlim::program::{Beta, CompleteProgram, Constraints, LassoProgram};
use hardlim::solver::{ActiveSet, Solution};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// All vectors of zeros and ones.
fn dichotomies(n: usize) -> Vec<Pattern> {
    (0..1u32 << n).map(|bits| Pattern::from_fn(n, |i| bits >> i & 1 == 1)).collect()
}

/// `rows × dimension` numbers of a small grid.
fn grid(rows: usize, dimension: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    (0..rows * dimension).map(|_| f64::from(rng.random_range(-9..10)) / 2.0).collect()
}

/// Targets that the loss takes.
fn targets(n: usize, loss: LossKind, rng: &mut ChaCha8Rng) -> Targets {
    let classes = matches!(loss, LossKind::Logistic | LossKind::Hinge | LossKind::SquaredHinge);
    let y = (0..n).map(|_| {
        if classes {
            [-1.0, 1.0][rng.random_range(0..2)]
        } else {
            f64::from(rng.random_range(-4..5)) / 2.0
        }
    });
    Targets::plain(y.collect())
}

fn lasso(patterns: &PatternMatrix, targets: &Targets, loss: LossKind, beta: Beta) -> Solution {
    let program = LassoProgram::new(patterns, targets, loss, beta).unwrap();
    let solution = ActiveSet { tolerance: 1e-10, ..Default::default() }.solve(&program);
    assert!(solution.certificate.relative_gap() <= 1e-10, "{loss}: {:?}", solution.certificate);
    solution
}

fn beta(value: f64) -> Beta {
    Beta::new(value).unwrap()
}

/// The rank of a set of patterns as vectors of real numbers, by elimination without rounding.
fn rank(patterns: &[Pattern]) -> usize {
    const PRIME: i128 = (1 << 31) - 1;
    // a^(p − 2), by squaring: the inverse modulo a prime.
    let invert = |a: i128| {
        (0..31).rev().fold(1, |r, k| {
            let square = r * r % PRIME;
            if (PRIME - 2) >> k & 1 == 1 { square * a % PRIME } else { square }
        })
    };
    let mut basis: Vec<Vec<i128>> = Vec::new();
    for pattern in patterns {
        let mut row: Vec<i128> = pattern.iter().map(i128::from).collect();
        for other in &basis {
            let pivot = other.iter().position(|v| *v != 0).unwrap();
            let factor = row[pivot] * invert(other[pivot]) % PRIME;
            row.iter_mut().zip(other).for_each(|(r, o)| *r = (*r - factor * o).rem_euclid(PRIME));
        }
        if row.iter().any(|v| *v != 0) {
            basis.push(row);
        }
    }
    basis.len()
}

#[test]
fn every_dichotomy_is_a_pattern_exactly_where_the_rank_is_the_number_of_rows() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut seen = [0; 2];
    for case in 0..60 {
        let (n, d) = (rng.random_range(2..=6), rng.random_range(1..=6));
        let values = grid(n, d, &mut rng);
        let (features, _) = Features::new(n, d, values).unwrap().merge();
        let n = features.rows();
        let bias = case % 3 > 0;
        let arrangement = Arrangement::of(&features);
        let arrangement = if bias { arrangement } else { arrangement.without_bias() };
        let complete = arrangement.rank() == n;
        assert_eq!(arrangement.is_complete(), complete);
        seen[usize::from(complete)] += 1;
        let cells = |weights| {
            (dichotomies(n).into_iter())
                .map(|pattern| {
                    let cell = vec![Cell { pattern, witness: None }];
                    reconstruct(&arrangement, cell, weights, &Scaling::identity(d)).is_ok()
                })
                .collect::<Vec<_>>()
        };
        if complete {
            assert!(cells(Weights::Svm).into_iter().all(|found| found), "case {case}");
            assert!(cells(Weights::Pi).into_iter().all(|found| found), "case {case}");
        } else {
            // Some dichotomy has no hyperplane with room on both sides.
            assert!(cells(Weights::Svm).into_iter().any(|found| !found), "case {case}");
        }
    }
    assert!(seen[0] > 10 && seen[1] > 10);
}

/// Theorem 2.3: on complete data the best network of any width has the complete program's value.
#[test]
fn the_lasso_over_all_dichotomies_is_the_complete_program() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for loss in LossKind::all() {
        for case in 0..12 {
            let n = rng.random_range(1..=8);
            let all = PatternMatrix::from_patterns(n, &dichotomies(n));
            let targets = targets(n, loss, &mut rng);
            let program = |b| CompleteProgram::new(&targets, loss, b);
            let beta_max = program(beta(1.0)).beta_max();
            if beta_max == 0.0 {
                continue;
            }
            let over_all = LassoProgram::new(&all, &targets, loss, beta(1.0)).unwrap();
            if over_all.beta_max_is_exact() {
                assert!((over_all.beta_max() - beta_max).abs() <= 1e-12 * beta_max);
            }
            let beta = beta(beta_max * rng.random_range(0.02..1.1));
            let value = program(beta).solve().value;
            let optimum = lasso(&all, &targets, loss, beta).certificate.objective();
            assert!((optimum - value).abs() <= 1e-9 * value, "{loss}, {case}: {optimum} {value}");
        }
    }
}

/// The bound that always exists: no dictionary, and so no network, is below the complete program.
#[test]
fn no_network_is_below_the_complete_program() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for loss in LossKind::all() {
        for _ in 0..10 {
            let (n, p) = (rng.random_range(2..=12), rng.random_range(1..=20));
            let patterns: Vec<Pattern> =
                (0..p).map(|_| Pattern::from_fn(n, |_| rng.random_bool(0.5))).collect();
            let patterns = PatternMatrix::from_patterns(n, &patterns);
            let targets = targets(n, loss, &mut rng);
            let beta = beta(rng.random_range(0.05..3.0));
            let problem = Problem::new(&targets, &loss, beta, Constraints::default()).unwrap();
            let objective = lasso(&patterns, &targets, loss, beta).certificate.objective();
            let global = Certificate::complete(&problem, objective);
            assert!(global.gap() >= 0.0, "{loss}: {global:?}");
        }
    }
}

/// Theorem 2.2, on five points of a line: their ten patterns are all there is, and no network of
/// any weights is better than the Lasso over them.
#[test]
fn no_network_is_better_than_the_lasso_over_the_whole_arrangement() {
    let x: Vec<f64> = (-2..=2).map(f64::from).collect();
    let features = Features::new(5, 1, x).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let dictionary = Arrangement::of(&features).sample(2000, &Scaling::identity(1), &mut rng);
    assert_eq!(dictionary.len(), 10); // 2 Σ_{k ≤ 1} C(4, k)
    let targets = Targets::plain(vec![0.0, 1.0, 1.0, -1.0, -1.0]);
    let optimum = lasso(&dictionary.patterns, &targets, LossKind::Squared, beta(0.1));
    let problem =
        Problem::new(&targets, &LossKind::Squared, beta(0.1), Constraints::default()).unwrap();
    for _ in 0..20_000 {
        let neurons = rng.random_range(1..=4);
        let plane = |rng: &mut ChaCha8Rng| Hyperplane {
            weights: vec![rng.random_range(-1.0..1.0)],
            bias: rng.random_range(-2.0..2.0),
        };
        let planes: Vec<Hyperplane> = (0..neurons).map(|_| plane(&mut rng)).collect();
        let a: Vec<f64> = (0..neurons).map(|_| rng.random_range(-1.5..1.5)).collect();
        let output = evaluate(&features, &planes).combine(a.iter().copied().enumerate());
        assert!(problem.objective(&output, a) >= optimum.certificate.lower_bound());
    }
}

/// Lemma 2.1: the split of an amplitude into scale and output weight costs `|a|` at best, and the
/// size of the hidden weights costs nothing, as it can be shrunk away.
#[test]
fn amplitudes_cost_their_magnitude() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..1000 {
        let (s, v): (f64, f64) = (rng.random_range(-3.0..3.0), rng.random_range(-3.0..3.0));
        let a = s * v;
        assert!((s * s + v * v) / 2.0 >= a.abs() - 1e-15);
        let root = a.abs().sqrt();
        let best = (root * root + (a / root) * (a / root)) / 2.0;
        assert!((best - a.abs()).abs() <= 1e-12 * a.abs());
    }
    let features = Features::new(6, 2, grid(6, 2, &mut rng)).unwrap();
    let plane =
        |scale: f64| Hyperplane { weights: vec![1.25 * scale, -0.3 * scale], bias: 0.7 * scale };
    let planes: Vec<Hyperplane> = (0..40).map(|k| plane(0.5f64.powi(k))).collect();
    let patterns = evaluate(&features, &planes);
    assert!((1..40).all(|j| patterns.pattern(j) == patterns.pattern(0)));
}

/// At most rank(D) neurons are needed, and duplicates never make more.
#[test]
fn an_optimum_uses_at_most_as_many_patterns_as_their_rank() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for loss in LossKind::all() {
        for case in 0..12 {
            let n = rng.random_range(2..=8);
            // A few patterns over and over, and sums of them: far more columns than their rank.
            let few = rng.random_range(1..=n);
            let blocks: Vec<usize> = (0..n).map(|_| rng.random_range(0..few)).collect();
            let patterns: Vec<Pattern> = (0..60)
                .map(|_| {
                    let on: Vec<bool> = (0..few).map(|_| rng.random_bool(0.5)).collect();
                    Pattern::from_fn(n, |i| on[blocks[i]])
                })
                .collect();
            let matrix = PatternMatrix::from_patterns(n, &patterns);
            let targets = targets(n, loss, &mut rng);
            let solution = lasso(&matrix, &targets, loss, beta(rng.random_range(0.01..0.5)));
            let used = solution.coefficients.iter().filter(|w| **w != 0.0).count();
            assert!(used <= rank(&patterns), "{loss}, {case}: {used} of rank {}", rank(&patterns));
            assert!(rank(&patterns) <= few);
        }
    }
}

/// The neurons of the complete program: nested level sets, as many as there are levels.
#[test]
fn level_sets_are_nested_and_as_many_as_levels() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for loss in LossKind::all() {
        for _ in 0..20 {
            let targets = targets(8, loss, &mut rng);
            let solution =
                CompleteProgram::new(&targets, loss, beta(rng.random_range(0.05..2.0))).solve();
            let sets = solution.level_sets();
            for sign in [1.0, -1.0] {
                let mut levels: Vec<f64> =
                    solution.delta.iter().map(|d| sign * d).filter(|d| *d > 0.0).collect();
                levels.sort_by(f64::total_cmp);
                levels.dedup();
                let side: Vec<_> = sets.iter().filter(|(_, a)| a * sign > 0.0).collect();
                assert_eq!(side.len(), levels.len(), "{loss}");
                for pair in side.windows(2) {
                    assert!((0..8).all(|i| pair[0].0.get(i) || !pair[1].0.get(i)), "{loss}");
                    assert!(pair[0].0.count() > pair[1].0.count(), "{loss}");
                }
                let height: f64 = side.iter().map(|(_, a)| a.abs()).sum();
                assert!((height - levels.last().unwrap_or(&0.0)).abs() <= 1e-14, "{loss}");
            }
        }
    }
}

#[test]
fn two_neurons_are_enough_for_two_classes_that_no_row_shares() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for loss in LossKind::all() {
        for _ in 0..20 {
            // Equal rows of one class have one target of larger weight.
            let n = rng.random_range(2..=8);
            let row_of: Vec<u32> = (0..3 * n).map(|i| (i % n) as u32).collect();
            let y: Vec<f64> = row_of.iter().map(|g| if g % 3 == 0 { 1.0 } else { -1.0 }).collect();
            let targets = Targets::grouped(n, &row_of, &y, None).unwrap();
            let solution =
                CompleteProgram::new(&targets, loss, beta(rng.random_range(0.01..1.0))).solve();
            assert!(solution.level_sets().len() <= 2, "{loss}: {:?}", solution.delta);
        }
    }
}

/// `2β − (β²/2)(1/n₊ + 1/n₋)` for `β ≤ min(n₊, n₋)`, squared loss, unit weights, labels ±1.
#[test]
fn the_free_bound_has_a_closed_form() {
    for (positive, negative) in [(1, 1), (3, 5), (8, 2)] {
        let y = |i| if i < positive { 1.0 } else { -1.0 };
        let targets = Targets::plain((0..positive + negative).map(y).collect());
        for share in [0.01, 0.3, 1.0] {
            let strength = share * f64::from(positive.min(negative));
            let value =
                CompleteProgram::new(&targets, LossKind::Squared, beta(strength)).solve().value;
            let inverse = 1.0 / f64::from(positive) + 1.0 / f64::from(negative);
            let formula = 2.0 * strength - strength * strength / 2.0 * inverse;
            assert!((value - formula).abs() <= 1e-12 * formula);
            let problem =
                Problem::new(&targets, &LossKind::Squared, beta(strength), Constraints::default())
                    .unwrap();
            let bound = Certificate::complete(&problem, value).lower_bound();
            assert!(bound <= value && value - bound <= 1e-12 * value);
        }
    }
}

/// Equal rows answer alike: one coordinate with the summed loss is the same problem, and its free
/// bound is at least as high.
#[test]
fn merging_equal_rows_changes_no_optimum_and_lifts_the_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for loss in LossKind::all() {
        for case in 0..10 {
            let samples = rng.random_range(6..=20);
            let x: Vec<f64> =
                (0..2 * samples).map(|_| f64::from(rng.random_range(-1..2))).collect();
            let separate = targets(samples, loss, &mut rng);
            let features = Features::new(samples, 2, x).unwrap();
            let data = Dataset::new(features, separate.values(), None).unwrap();
            assert!(data.distinct() <= 9);
            let dictionary =
                Arrangement::of(data.features()).sample(30, &Scaling::identity(2), &mut rng);
            let spread: Vec<Pattern> = (0..dictionary.len())
                .map(|j| {
                    Pattern::from_fn(samples, |i| {
                        dictionary.patterns.get(data.row_of()[i] as usize, j)
                    })
                })
                .collect();
            let spread = PatternMatrix::from_patterns(samples, &spread);
            let beta = beta(rng.random_range(0.05..2.0));
            let merged = lasso(&dictionary.patterns, data.targets(), loss, beta).certificate;
            let plain = lasso(&spread, &separate, loss, beta).certificate;
            let difference = (merged.objective() - plain.objective()).abs();
            assert!(difference <= 1e-9 * plain.objective(), "{loss}, {case}: {merged:?} {plain:?}");
            let free = |targets| CompleteProgram::new(targets, loss, beta).solve().value;
            let (lifted, low) = (free(data.targets()), free(&separate));
            assert!(lifted >= low - 1e-12 * low, "{loss}, {case}: {lifted} {low}");
            assert!(lifted <= merged.objective() * (1.0 + 1e-12), "{loss}, {case}");
        }
    }
}

/// The worked example: three points have six patterns, and a second layer over pairs has all eight.
#[test]
fn a_second_layer_sees_what_the_first_cannot() {
    let features = Features::new(3, 1, vec![-1.0, 0.0, 1.0]).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let first = Arrangement::of(&features).sample(1000, &Scaling::identity(1), &mut rng);
    assert_eq!(first.len(), 6);
    let mut found = std::collections::HashSet::new();
    for a in 0..6 {
        for b in 0..6 {
            let bit = |i: usize, j: usize| f64::from(u8::from(first.patterns.get(i, j)));
            let values = (0..3).flat_map(|i| [bit(i, a), bit(i, b)]).collect();
            let (rows, row_of) = Features::new(3, 2, values).unwrap().merge();
            let second = Arrangement::of(&rows).sample(200, &Scaling::identity(2), &mut rng);
            found.extend(
                (0..second.len())
                    .map(|j| Pattern::from_fn(3, |i| second.patterns.get(row_of[i] as usize, j))),
            );
        }
    }
    assert_eq!(found.len(), 8);
}
