//! One suite over every loss: what the mathematics promises of a convex loss, its conjugate, and
//! the methods on rows of several targets.

use hardlim::data::Atoms;
use hardlim::data::Targets;
use hardlim::loss::{Huber, Loss, LossKind, Quantile};
use proptest::prelude::*;

/// Every loss; a new one is tested by being listed, here or in `LossKind::all`.
fn losses() -> Vec<LossKind> {
    let mut losses = LossKind::all().to_vec();
    losses.extend([0.05, 3.0].map(|threshold| LossKind::Huber(Huber::new(threshold).unwrap())));
    losses.extend([0.1, 0.9].map(|tau| LossKind::Quantile(Quantile::new(tau).unwrap())));
    losses
}

/// A loss with the defaults in all methods that have one: the slow twin of its faster ways.
#[derive(Debug)]
struct Plain(LossKind);

impl Loss for Plain {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn value(&self, u: f64, y: f64) -> f64 {
        self.0.value(u, y)
    }

    fn subgradient(&self, u: f64, y: f64) -> (f64, f64) {
        self.0.subgradient(u, y)
    }

    fn conjugate(&self, z: f64, y: f64) -> f64 {
        self.0.conjugate(z, y)
    }

    fn domain(&self, y: f64) -> (f64, f64) {
        self.0.domain(y)
    }
}

/// The target that the loss takes instead of `y`: classes where it needs classes.
fn target(loss: LossKind, y: f64) -> f64 {
    let labels = loss.check_targets(&Targets::plain(vec![0.0])).is_err();
    if labels { 1f64.copysign(y) } else { y }
}

/// One row with these targets and weights.
fn row(loss: LossKind, atoms: &[(f64, f64)]) -> Targets {
    let (y, s): (Vec<f64>, Vec<f64>) = atoms.iter().map(|&(y, s)| (target(loss, y), s)).unzip();
    Targets::grouped(1, &vec![0; y.len()], &y, Some(&s)).unwrap()
}

/// Real numbers, and small integers that meet kinks and tie.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![-4.0f64..4.0, (-3i32..=3).prop_map(f64::from)]
}

fn atoms() -> impl Strategy<Value = Vec<(f64, f64)>> {
    let weight = prop_oneof![Just(1.0), 0.1f64..4.0];
    prop::collection::vec((number(), weight), 1..6)
}

/// A number of the domain: an end for the shares 0 and 1, if it is finite.
fn inside((low, high): (f64, f64), share: f64) -> f64 {
    let finite = |end: f64| if end.is_infinite() { 5f64.copysign(end) } else { end };
    let (low, high) = (finite(low), finite(high));
    (low + share * (high - low)).clamp(low, high)
}

fn share() -> impl Strategy<Value = f64> {
    prop_oneof![0.0f64..=1.0, Just(0.0), Just(1.0), Just(1e-9), Just(1.0 - 1e-9)]
}

/// The largest value of a concave function that ternary search meets. The interval is wide enough
/// for every maximum in these tests, and widest for the tails of the logistic loss.
fn largest(concave: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (-80.0, 80.0);
    let mut best = f64::NEG_INFINITY;
    for _ in 0..200 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        let (at_a, at_b) = (concave(a), concave(b));
        best = best.max(at_a).max(at_b);
        if at_a < at_b { low = a } else { high = b }
    }
    best
}

/// `zu − l`, rounded down.
fn below(z: f64, u: f64, value: f64) -> f64 {
    z * u - value - 8.0 * f64::EPSILON * ((z * u).abs() + value)
}

/// `z·u` and the like, rounded a few times.
fn rounding(terms: &[f64]) -> f64 {
    1e-12 * (1.0 + terms.iter().map(|t| t.abs()).sum::<f64>())
}

proptest! {
    #[test]
    fn fenchel_and_young_hold_with_equality_at_subgradients(
        u in number(), y in number(), share in share(),
    ) {
        for loss in losses() {
            let y = target(loss, y);
            let value = loss.value(u, y);
            let z = inside(loss.domain(y), share);
            let slack = rounding(&[value, z * u]);
            prop_assert!(value + loss.conjugate(z, y) >= z * u - slack, "{loss} at {z}");
            let (left, right) = loss.subgradient(u, y);
            for z in [left, right, 0.5 * (left + right)] {
                let gap = value + loss.conjugate(z, y) - z * u;
                prop_assert!(gap.abs() <= rounding(&[value, z * u]), "{loss}: {gap} at {z}");
            }
        }
    }

    #[test]
    fn losses_are_convex_and_their_slopes_are_between_those_of_the_chords(
        u in number(), y in number(), h in 1e-4f64..3.0,
    ) {
        for loss in losses() {
            let y = target(loss, y);
            let [before, value, after] = [u - h, u, u + h].map(|u| loss.value(u, y));
            let slack = rounding(&[before, value, after]);
            prop_assert!(value >= 0.0);
            prop_assert!(2.0 * value <= before + after + slack, "{loss}");
            let (left, right) = loss.subgradient(u, y);
            prop_assert!(left <= right);
            prop_assert!(left >= (value - before) / h - slack / h, "{loss}");
            prop_assert!(right <= (after - value) / h + slack / h, "{loss}");
            prop_assert!(!loss.is_smooth() || left == right);
        }
    }

    #[test]
    fn derivatives_are_limits_of_differences(u in number(), y in number()) {
        let h = 1e-5;
        for loss in losses() {
            let y = target(loss, y);
            let (left, right) = loss.subgradient(u, y);
            let (from, to) = (loss.value(u - h, y), loss.value(u + h, y));
            let (arriving, outward) = ((loss.value(u, y) - from) / h, (to - loss.value(u, y)) / h);
            let [before, after] = [u - h, u + h].map(|u| loss.subgradient(u, y));
            let kinked = before.1 != left || after.0 != right;
            if loss.is_smooth() {
                let bound = loss.curvature_bound().unwrap();
                let slope = (to - from) / (2.0 * h);
                prop_assert!((slope - left).abs() <= bound * h + 1e-9, "{loss}");
            } else if !kinked {
                prop_assert!((arriving - left).abs() <= 1e-9, "{loss}");
                prop_assert!((outward - right).abs() <= 1e-9, "{loss}");
            }
        }
    }

    #[test]
    fn curvature_is_the_difference_of_slopes(u in number(), y in number()) {
        let h = 1e-5;
        for loss in losses() {
            let y = target(loss, y);
            let curvature = loss.curvature(u, y);
            prop_assert!(curvature >= 0.0 && curvature <= loss.curvature_bound().unwrap_or(0.0));
            let around = [loss.curvature(u - h, y), loss.curvature(u + h, y)];
            let [before, after] = [u - h, u + h].map(|u| loss.subgradient(u, y));
            let difference = (after.0 - before.1) / (2.0 * h);
            let [low, high] = [around[0].min(around[1]), around[0].max(around[1])];
            if loss.is_smooth() {
                prop_assert!(difference >= low - 1e-5 && difference <= high + 1e-5, "{loss}");
                prop_assert!(curvature >= low - 1e-5 && curvature <= high + 1e-5, "{loss}");
            }
        }
    }

    #[test]
    fn the_conjugate_is_the_largest_distance_to_a_line_and_never_below_it(
        y in number(), share in share(), roundings in -2i32..=2,
    ) {
        for loss in losses() {
            let y = target(loss, y);
            let (low, high) = loss.domain(y);
            let z = inside((low, high), share);
            let conjugate = loss.conjugate(z, y);
            let expected = largest(|u| below(z, u, loss.value(u, y)));
            prop_assert!(conjugate >= expected, "{loss} at {z}: {conjugate} {expected}");
            prop_assert!(conjugate <= expected + rounding(&[expected, z * y]), "{loss} at {z}");
            let nearby = (z * (1.0 + f64::from(roundings) * f64::EPSILON / 2.0)).clamp(low, high);
            let expected = largest(|u| below(nearby, u, loss.value(u, y)));
            prop_assert!(conjugate >= expected, "{loss} near {z}: {conjugate} {expected}");
        }
    }

    #[test]
    fn rows_are_sums_over_their_targets(atoms in atoms(), u in number()) {
        for loss in losses() {
            let targets = row(loss, &atoms);
            let (row, plain) = (targets.row(0), Plain(loss));
            let sum = |of: &dyn Fn(f64) -> f64| row.iter().map(|(y, s)| s * of(y)).sum::<f64>();
            let value = sum(&|y| loss.value(u, y));
            prop_assert!((loss.row_value(u, row) - value).abs() <= rounding(&[value]), "{loss}");
            let (left, right) = loss.row_subgradient(u, row);
            let expected = (sum(&|y| loss.subgradient(u, y).0), sum(&|y| loss.subgradient(u, y).1));
            prop_assert!((left - expected.0).abs() <= rounding(&[left]), "{loss}");
            prop_assert!((right - expected.1).abs() <= rounding(&[right]), "{loss}");
            let curvature = sum(&|y| loss.curvature(u, y));
            prop_assert!((loss.row_curvature(u, row) - curvature).abs() <= rounding(&[curvature]));
            prop_assert_eq!(loss.row_domain(row), plain.row_domain(row));
            let ends = (sum(&|y| loss.domain(y).0), sum(&|y| loss.domain(y).1));
            let (low, high) = loss.row_domain(row);
            prop_assert!(low == ends.0 || (low - ends.0).abs() <= rounding(&[low]), "{loss}");
            prop_assert!(high == ends.1 || (high - ends.1).abs() <= rounding(&[high]), "{loss}");
        }
    }

    #[test]
    fn the_conjugate_of_a_row_is_the_largest_distance_to_a_line_and_never_below_it(
        atoms in atoms(), share in share(),
    ) {
        for loss in losses() {
            let targets = row(loss, &atoms);
            let (row, plain) = (targets.row(0), Plain(loss));
            let z = inside(loss.row_domain(row), share);
            let expected = largest(|u| below(z, u, loss.row_value(u, row)));
            let size = row.iter().map(|(y, s)| s * (1.0 + y.abs())).sum();
            let size = rounding(&[size, z * z, z * 4.0]);
            for conjugate in [loss.row_conjugate(z, row), plain.row_conjugate(z, row)] {
                prop_assert!(conjugate >= expected, "{loss} at {z}: {conjugate} {expected}");
                prop_assert!(conjugate <= expected + size, "{loss} at {z}: {conjugate} {expected}");
            }
        }
    }

    #[test]
    fn outside_of_the_domain_the_conjugate_is_infinite(atoms in atoms()) {
        for loss in losses() {
            let targets = row(loss, &atoms);
            let row = targets.row(0);
            let conjugates: [&dyn Loss; 2] = [&loss, &Plain(loss)];
            for loss in conjugates {
                let (low, high) = loss.row_domain(row);
                prop_assert!(low <= 0.0 && high >= 0.0);
                for (end, outward) in [(low, -1.0), (high, 1.0)] {
                    if end.is_finite() {
                        prop_assert!(loss.row_conjugate(end, row).is_finite(), "{}", loss.name());
                        let beyond = end + outward * 1e-9;
                        prop_assert_eq!(loss.row_conjugate(beyond, row), f64::INFINITY);
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_in_an_interval_is_below_the_minimiser(
        atoms in atoms(), a in number(), b in number(), share in share(),
    ) {
        let (low, high) = (a.min(b), a.max(b));
        for loss in losses() {
            let targets = row(loss, &atoms);
            let (row, other) = (targets.row(0), low + share * (high - low));
            let plain = Plain(loss).row_minimizer(row, low, high);
            for u in [loss.row_minimizer(row, low, high), plain] {
                prop_assert!((low..=high).contains(&u));
                let (least, value) = (loss.row_value(u, row), loss.row_value(other, row));
                prop_assert!(least <= value + rounding(&[least]), "{loss}: {u} {other}");
            }
        }
    }

    #[test]
    fn the_proximal_map_ends_where_the_pulls_balance(
        atoms in atoms(), v in prop_oneof![number(), -100.0f64..100.0], log in -6.0f64..6.0,
    ) {
        let sigma = 10f64.powf(log);
        for loss in losses() {
            let targets = row(loss, &atoms);
            let row = targets.row(0);
            let plain = Plain(loss).row_proximal(v, sigma, row);
            for u in [loss.row_proximal(v, sigma, row), plain] {
                // The sum increases by at least h/σ over h, so the answer is within 2h.
                let h = 1e-13 * (1.0 + u.abs() + v.abs() + sigma * row.weight());
                let pull = |u: f64| (u - v) / sigma;
                let low = loss.row_subgradient(u - h, row).0 + pull(u - h);
                let high = loss.row_subgradient(u + h, row).1 + pull(u + h);
                prop_assert!(low <= 0.0 && high >= 0.0, "{loss}: {u} from {v}, {low} {high}");
            }
        }
    }

    #[test]
    fn levels_are_the_same_by_every_way(
        y in prop::collection::vec((number(), 0.1f64..3.0), 1..12), beta in 0.01f64..10.0,
    ) {
        for loss in losses() {
            let (y, s): (Vec<f64>, Vec<f64>) =
                y.iter().map(|&(y, s)| (target(loss, y), s)).unzip();
            let rows: Vec<u32> = (0..y.len() as u32).map(|i| i / 2).collect();
            let targets = Targets::grouped(y.len().div_ceil(2), &rows, &y, Some(&s)).unwrap();
            for side in [1.0, -1.0] {
                let (_, fast) = loss.clip_level(&targets, beta, side);
                let (_, slow) = Plain(loss).clip_level(&targets, beta, side);
                prop_assert!((fast - slow).abs() <= 1e-12 * (1.0 + slow), "{loss}");
            }
        }
    }

    #[test]
    fn clipped_rows_are_the_same_by_every_way(
        y in prop::collection::vec(number(), 1..200), low in -3.0f64..0.0, high in 0.0f64..3.0,
    ) {
        for loss in losses() {
            let y: Vec<f64> = y.iter().map(|&y| target(loss, y)).collect();
            let rows: Vec<u32> = (0..y.len() as u32).map(|i| i / 2).collect();
            let grouped = Targets::grouped(y.len().div_ceil(2), &rows, &y, None).unwrap();
            for targets in [grouped, Targets::plain(y)] {
                let (u, fast) = loss.clipped(&targets, low, high);
                prop_assert!(u.iter().all(|u| (low..=high).contains(u)), "{loss}");
                let (_, slow) = Plain(loss).clipped(&targets, low, high);
                prop_assert!((fast - slow).abs() <= 1e-12 * (1.0 + slow), "{loss}: {fast} {slow}");
            }
        }
    }

    #[test]
    fn a_reference_to_a_loss_is_the_loss(atoms in atoms(), u in number(), share in share()) {
        for loss in losses() {
            let targets = row(loss, &atoms);
            let answers = |loss: &dyn Loss| answers(loss, &targets, u, share);
            prop_assert_eq!(answers(&&loss), answers(&loss));
            prop_assert_eq!(Loss::name(&&loss), loss.name());
        }
    }
}

/// What every method of a loss answers, bit by bit.
fn answers(loss: &dyn Loss, targets: &Targets, u: f64, share: f64) -> Vec<u64> {
    let row: Atoms<'_> = targets.row(0);
    let y = targets.values()[0];
    let pairs = [
        loss.subgradient(u, y),
        loss.domain(y),
        loss.row_subgradient(u, row),
        loss.row_domain(row),
        loss.clip_level(targets, 0.5, 1.0),
        loss.clip_level(targets, 0.5, -1.0),
        (loss.curvature_bound().unwrap_or(-1.0), f64::from(u8::from(loss.is_smooth()))),
        (f64::from(u8::from(loss.check_targets(&Targets::plain(vec![0.5])).is_ok())), 0.0),
    ];
    let numbers = [
        loss.value(u, y),
        loss.conjugate(inside(loss.domain(y), share), y),
        loss.curvature(u, y),
        loss.row_value(u, row),
        loss.row_curvature(u, row),
        loss.row_conjugate(inside(loss.row_domain(row), share), row),
        loss.row_minimizer(row, -2.0, 2.0),
        loss.row_proximal(u, 0.7, row),
    ];
    pairs.iter().flat_map(|p| [p.0, p.1]).chain(numbers).map(f64::to_bits).collect()
}

#[test]
fn nothing_breaks_far_away() {
    for loss in losses() {
        for y in [-1.0, 1.0] {
            let (low, high) = loss.domain(y);
            for u in [-1e300, -1e150, -1e-300, 0.0, 1e-300, 1e20, 1e150, 1e300] {
                assert!(loss.value(u, y) >= 0.0, "{loss} at {u}");
                let (left, right) = loss.subgradient(u, y);
                assert!(low <= left && left <= right && right <= high, "{loss} at {u}");
                assert!(loss.curvature(u, y) >= 0.0);
                let targets =
                    Targets::grouped(1, &[0, 0], &[-1.0, 1.0], Some(&[1.5, 0.5])).unwrap();
                for loss in [&loss as &dyn Loss, &Plain(loss)] {
                    let proximal = loss.row_proximal(u, 2.0, targets.row(0));
                    assert!(proximal.abs() <= u.abs() + 4.0, "{loss:?} at {u}: {proximal}");
                }
            }
            // The slopes go to the ends of the domain.
            let reach =
                |end: f64, slope: f64| slope == end || (end.is_infinite() && slope.abs() > 1e299);
            assert!(reach(low, loss.subgradient(-1e300, y).0), "{loss}");
            assert!(reach(high, loss.subgradient(1e300, y).1), "{loss}");
        }
    }
}

#[test]
fn rows_without_targets_cost_nothing() {
    let targets = Targets::grouped(2, &[0, 1], &[1.0, 1.0], Some(&[0.0, 1.0])).unwrap();
    let empty = targets.row(0);
    for loss in losses() {
        for loss in [&loss as &dyn Loss, &Plain(loss)] {
            assert_eq!(loss.row_value(1e300, empty), 0.0);
            assert_eq!(loss.row_subgradient(1.0, empty), (0.0, 0.0));
            assert_eq!(loss.row_curvature(1.0, empty), 0.0);
            assert_eq!(loss.row_domain(empty), (0.0, 0.0));
            assert_eq!(loss.row_conjugate(0.0, empty), 0.0);
            assert_eq!(loss.row_conjugate(1e-9, empty), f64::INFINITY);
            assert_eq!(loss.row_proximal(3.0, 2.0, empty), 3.0);
            assert!((-1.0..=2.0).contains(&loss.row_minimizer(empty, -1.0, 2.0)));
        }
    }
}

#[test]
fn losses_for_classes_refuse_other_targets() {
    for loss in losses() {
        let classes = loss.check_targets(&Targets::plain(vec![-1.0, 1.0]));
        assert!(classes.is_ok(), "{loss}");
        let needs_classes = ["logistic", "hinge", "squared-hinge"].contains(&loss.name());
        for y in [0.0, 2.0, -1.5] {
            let refused = loss.check_targets(&Targets::plain(vec![1.0, y])).is_err();
            assert_eq!(refused, needs_classes, "{loss}");
        }
    }
}
