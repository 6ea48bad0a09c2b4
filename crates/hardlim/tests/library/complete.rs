//! The complete program against a conic solver that knows nothing of clipping, for every loss, and
//! the dual points that prove its value.

use crate::conic::Conic;
use hardlim::certificate::DualPoint;
use hardlim::data::Targets;
use hardlim::loss::{Huber, Loss, LossKind, Quantile};
use hardlim::program::{Beta, CompleteProgram, Constraints};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

/// Every loss; a new one is tested by being listed in `LossKind::all`, and told to the conic
/// solver.
fn losses() -> Vec<LossKind> {
    let mut losses = LossKind::all().to_vec();
    losses.push(LossKind::Huber(Huber::new(0.3).unwrap()));
    losses.push(LossKind::Quantile(Quantile::new(0.9).unwrap()));
    losses
}

/// The value of the complete program, by the conic solver.
fn by_cones(loss: LossKind, targets: &Targets, beta: f64) -> f64 {
    let mut conic = Conic::default();
    let mut constant = 0.0;
    let (up, down) = (conic.variable(beta, 0.0), conic.variable(beta, 0.0));
    conic.at_least_zero((&[(up, 1.0)], 0.0));
    conic.at_least_zero((&[(down, 1.0)], 0.0));
    for atoms in targets.iter() {
        let u = conic.variable(0.0, 0.0);
        conic.at_least_zero((&[(up, 1.0), (u, -1.0)], 0.0));
        conic.at_least_zero((&[(down, 1.0), (u, 1.0)], 0.0));
        for (y, s) in atoms.iter() {
            constant += conic.add_loss(loss, u, y, s);
        }
    }
    conic.solve() + constant
}

/// Random targets: ties, one sign, zeros, weights (some of them zero), rows with several targets.
fn random_targets(loss: LossKind, rng: &mut ChaCha8Rng) -> Targets {
    let rows = rng.random_range(1..8u32);
    let samples = if rng.random() { rows } else { rng.random_range(rows..20) };
    let mut row_of: Vec<u32> = (0..rows).collect();
    row_of.extend((rows..samples).map(|_| rng.random_range(0..rows)));
    let labels = loss.check_targets(&Targets::plain(vec![0.0])).is_err();
    let (one_sign, ties) = (rng.random_bool(0.25), rng.random_bool(0.5));
    let y: Vec<f64> = (0..samples)
        .map(|_| {
            let y = match (labels, ties) {
                (true, _) => *[-1.0, 1.0].choose(rng).unwrap(),
                (false, true) => f64::from(rng.random_range(-2..=2)),
                (false, false) => rng.sample(StandardNormal),
            };
            if one_sign { f64::abs(y) } else { y }
        })
        .collect();
    let mut s: Vec<f64> = (0..samples)
        .map(|_| if rng.random_bool(0.2) { 0.0 } else { rng.random_range(0.1..3.0) })
        .collect();
    s[0] = 1.0;
    let weights = rng.random::<bool>().then_some(s);
    Targets::grouped(rows as usize, &row_of, &y, weights.as_deref()).unwrap()
}

/// The value, and the lower bound that the program's dual point proves.
fn solve_and_prove(loss: LossKind, targets: &Targets, beta: f64) -> (f64, f64) {
    let beta = Beta::new(beta).unwrap();
    let program = CompleteProgram::new(targets, loss, beta);
    let solution = program.solve();
    let point = DualPoint::new(program.dual(&solution));
    (
        solution.value,
        point.lower_bound(&loss, targets, beta, point.complete_price(Constraints::default())),
    )
}

fn beta_max(loss: LossKind, targets: &Targets) -> f64 {
    CompleteProgram::new(targets, loss, Beta::new(1.0).unwrap()).beta_max()
}

#[test]
fn the_value_is_that_of_a_conic_solver() {
    for loss in losses() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for case in 0..50 {
            let targets = random_targets(loss, &mut rng);
            let scale = f64::max(beta_max(loss, &targets), 0.1);
            let beta = scale * 10f64.powf(rng.random_range(-1.5..0.1));
            let beta = if rng.random_bool(0.3) { beta.ceil() } else { beta };
            let (value, _) = solve_and_prove(loss, &targets, beta);
            let expected = by_cones(loss, &targets, beta);
            // The conic solver stops at about 1e-11 in absolute terms.
            let error = (value - expected).abs();
            assert!(error <= 1e-8 * value + 1e-10, "{loss}, {case}: {value} {expected}");
        }
    }
}

#[test]
fn the_dual_point_proves_the_value_for_every_strength() {
    for loss in losses() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for case in 0..200 {
            let targets = random_targets(loss, &mut rng);
            let scale = f64::max(beta_max(loss, &targets), 0.1);
            let beta = scale * 10f64.powf(rng.random_range(-9.0..1.0));
            let (value, bound) = solve_and_prove(loss, &targets, beta);
            assert!(bound <= value, "{loss}, {case}: {bound} {value}");
            assert!(value - bound <= 1e-9 * value, "{loss}, {case}: {value} {bound}");
        }
    }
}

#[test]
fn zero_is_optimal_from_beta_max_on() {
    for loss in losses() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for case in 0..50 {
            let targets = random_targets(loss, &mut rng);
            let max = beta_max(loss, &targets);
            if max == 0.0 {
                continue;
            }
            let at =
                |beta| CompleteProgram::new(&targets, loss, Beta::new(beta).unwrap()).solve().delta;
            // The level and the pull sum in different orders.
            assert!(at(max * (1.0 + 1e-14)).iter().all(|&d| d == 0.0), "{loss}, {case}");
            assert!(at(0.999 * max).iter().any(|&d| d != 0.0), "{loss}, {case}");
        }
    }
}

#[test]
fn the_level_sets_add_up_to_the_solution() {
    for loss in losses() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let targets = random_targets(loss, &mut rng);
        let beta = Beta::new(0.3 * f64::max(beta_max(loss, &targets), 0.1)).unwrap();
        let solution = CompleteProgram::new(&targets, loss, beta).solve();
        for (i, delta) in solution.delta.iter().enumerate() {
            let sets = solution.level_sets();
            let sum: f64 = sets.iter().filter(|(d, _)| d.get(i)).map(|(_, a)| a).sum();
            assert!((sum - delta).abs() <= 1e-14, "{loss}: {sum} {delta}");
        }
    }
}

#[test]
fn squared_loss_on_two_classes_has_the_closed_form() {
    let (positive, negative) = (7, 4);
    let y: Vec<f64> = (0..11).map(|i| if i < positive { 1.0 } else { -1.0 }).collect();
    let targets = Targets::plain(y);
    for beta in [0.1, 1.0, 4.0] {
        let (value, _) = solve_and_prove(LossKind::Squared, &targets, beta);
        let inverse = 1.0 / f64::from(positive) + 1.0 / f64::from(negative);
        assert!((value - (2.0 * beta - beta * beta / 2.0 * inverse)).abs() < 1e-13);
    }
}

#[test]
fn the_hinge_answers_a_class_when_the_class_outnumbers_beta() {
    let targets = Targets::plain(vec![1.0, 1.0, 1.0, -1.0, -1.0]);
    let solve =
        |beta| CompleteProgram::new(&targets, LossKind::Hinge, Beta::new(beta).unwrap()).solve();
    assert_eq!(solve(1.5).delta, [1.0, 1.0, 1.0, -1.0, -1.0]);
    assert_eq!(solve(1.5).value, 3.0);
    assert_eq!(solve(2.5).delta, [1.0, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!(solve(2.5).value, 4.5);
    assert_eq!(solve(3.5).delta, [0.0; 5]);
    assert_eq!(solve(3.5).value, 5.0);
}

#[test]
fn a_kink_at_zero_pulls_with_nothing() {
    let targets = Targets::plain(vec![0.0, 0.0, 0.0, 2.0, -1.0, -1.0]);
    assert_eq!(beta_max(LossKind::Absolute, &targets), 2.0);
    let tilted = LossKind::Quantile(Quantile::new(0.75).unwrap());
    assert_eq!(beta_max(tilted, &targets), 0.75);
}
