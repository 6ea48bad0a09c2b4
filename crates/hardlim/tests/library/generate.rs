//! Generation: the optimum over all patterns, and bounds that are never above it.

use crate::altered::{altered, put};
use crate::models::{set, table, train, train_on};
use hardlim::arrangement::Arrangement;
use hardlim::certificate::{Bound, Problem, Scope};
use hardlim::data::{Dataset, Features, TrainingSet};
use hardlim::loss::LossKind;
use hardlim::model::Model;
use hardlim::pattern::PatternMatrix;
use hardlim::pricing::Prover;
use hardlim::program::{Beta, Constraints, LassoProgram};
use hardlim::solver::ActiveSet;
use hardlim::table::Table;
use hardlim::train::Request;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

fn takes_classes(loss: LossKind) -> bool {
    matches!(loss, LossKind::Logistic | LossKind::Hinge | LossKind::SquaredHinge)
}

/// Points of a coarse grid, so that rows are equal, collinear and at zero, with targets for the
/// loss.
fn grid(loss: LossKind, rows: usize, width: usize, rng: &mut ChaCha8Rng) -> (Vec<f64>, Vec<f64>) {
    let x = (0..rows * width).map(|_| f64::from(rng.random_range(-2..3))).collect();
    let mut target = || {
        if takes_classes(loss) {
            [-1.0, 1.0][rng.random_range(0..2)]
        } else {
            f64::from(rng.random_range(-3..4)) / 2.0
        }
    };
    (x, (0..rows).map(|_| target()).collect())
}

/// The optimum over these patterns.
fn optimum(patterns: &PatternMatrix, problem: &Problem<'_, LossKind>) -> f64 {
    let (targets, loss, beta) = (problem.targets(), problem.loss(), problem.beta());
    let program = LassoProgram::new(patterns, targets, *loss, beta).unwrap();
    let program = program.with_constraints(problem.constraints());
    let solution = ActiveSet { tolerance: 1e-9, ..ActiveSet::default() }.solve(&program);
    assert!(solution.certificate.relative_gap() <= 1e-9, "{loss}: {:?}", solution.certificate);
    solution.certificate.objective()
}

#[test]
fn no_lower_bound_is_above_the_optimum_on_ten_thousand_instances() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let losses = LossKind::all();
    for case in 0..10_000 {
        let loss = losses[case % losses.len()];
        let (rows, width) = (rng.random_range(1..7), rng.random_range(1..4));
        let (x, y) = grid(loss, rows, width, &mut rng);
        let data = Dataset::new(Features::new(rows, width, x).unwrap(), &y, None).unwrap();
        let bias = rng.random_bool(0.7);
        let arrangement = Arrangement::with_bias(data.features(), bias);
        let listed = arrangement.listing(1 << 20).unwrap().patterns().unwrap();
        let constraints =
            Constraints { non_negative: rng.random_bool(0.2), intercept: rng.random_bool(0.2) };
        let beta = Beta::new(10f64.powf(rng.random_range(-2.0..0.7))).unwrap();
        let problem = Problem::new(data.targets(), &loss, beta, constraints).unwrap();
        let best = optimum(&listed, &problem);
        // Dual points of a solver that has hardly begun, or of nothing at all.
        let gradient: Vec<f64> =
            (0..data.distinct()).map(|_| rng.random_range(-1.5..1.5)).collect();
        let few = listed.select(&[rng.random_range(0..listed.patterns())]);
        let program = LassoProgram::new(&few, data.targets(), loss, beta)
            .unwrap()
            .with_constraints(constraints);
        let begun = ActiveSet { rounds: 2, ..ActiveSet::default() }.solve(&program).dual;
        let inputs = [None, Some(1), Some(2)][case % 3].filter(|k| *k < width);
        for effort in [0, 1, 3, 1000] {
            let prover = Prover::new(arrangement, inputs, effort).unwrap();
            for dual in [&begun, &problem.dual_point(in_domain(&problem, &gradient))] {
                let found = prover.price(dual.values(), &[], 0.0, 0, &|| false);
                let price = constraints.price(found.above).max(constraints.price(-found.below));
                let bound = problem.lower_bound(dual, price.max(0.0));
                // Fewer patterns have a higher optimum, and what bounds all bounds them, too.
                let above = if inputs.is_some() { f64::INFINITY } else { best };
                assert!(
                    bound <= above * (1.0 + 1e-12) + 1e-12,
                    "case {case}, {loss}, effort {effort}, {found:?}: {bound} above {best}"
                );
            }
        }
    }
}

/// The point with every number moved into the domain of `L*`.
fn in_domain(problem: &Problem<'_, LossKind>, z: &[f64]) -> Vec<f64> {
    use hardlim::loss::Loss as _;
    let ends = problem.targets().iter().map(|atoms| problem.loss().row_domain(atoms));
    z.iter().zip(ends).map(|(z, (low, high))| z.clamp(low, high)).collect()
}

#[test]
fn generated_networks_reach_the_optimum_over_all_patterns() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for loss in LossKind::all() {
        for case in 0..6 {
            let (rows, width) = (rng.random_range(3..20), rng.random_range(1..4));
            let (x, y) = grid(loss, rows, width, &mut rng);
            let bias = case % 3 != 1;
            let constraints = Constraints { non_negative: case == 4, intercept: case == 5 };
            let request = Request::of(&format!(
                "method=generate loss={loss} beta_ratio=0.1 bias={bias} intercept={} \
                 non_negative={} tolerance=1e-8 rounds={}",
                constraints.intercept,
                constraints.non_negative,
                usize::MAX,
            ))
            .unwrap();
            let rows: Vec<Vec<f64>> = (x.chunks(width).zip(&y))
                .map(|(row, y)| row.iter().copied().chain([*y]).collect())
                .collect();
            let set = TrainingSet::of_table(&table(&rows), &Default::default());
            let Ok(set) = set else { continue }; // one class only
            let (data, trained) = (set.data(), train_on(&request, &set).unwrap());
            let certificate = trained.model.certificate();
            let what = format!("{loss}, case {case}: {certificate:?}, {:?}", trained.stop);
            assert!(certificate.relative_gap() <= 1e-8, "{what}");
            let exact = matches!(certificate.bound(), Bound::Exact | Bound::Complete);
            assert!(exact && certificate.scope() == Scope::Global, "{what}");
            let listed = Arrangement::with_bias(data.features(), bias)
                .listing(1 << 20)
                .unwrap()
                .patterns()
                .unwrap();
            let beta = trained.model.beta();
            let problem = Problem::new(data.targets(), &loss, beta, constraints).unwrap();
            let best = optimum(&listed, &problem);
            let error = (certificate.objective() - best).abs() / best.max(1e-9);
            assert!(error <= 1e-7, "{what}: {best} by enumeration");
            assert!(trained.model.certify(data).unwrap().holds(), "{what}");
        }
    }
}

/// Labels of a noisy checkerboard on random points.
fn board(rows: usize, width: usize, seed: u64) -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let rows: Vec<Vec<f64>> = (0..rows)
        .map(|_| {
            let mut row: Vec<f64> = (0..width).map(|_| rng.random_range(-2.0..2.0)).collect();
            let odd = row.iter().filter(|x| **x > 0.0).count() % 2 == 1;
            row.push(f64::from(u8::from(odd != rng.random_bool(0.1))));
            row
        })
        .collect();
    table(&rows)
}

fn generation() -> Request {
    Request::of("method=generate rounds=3").unwrap()
}

#[test]
fn a_seed_gives_one_network_whatever_the_number_of_threads() {
    let table = board(120, 7, 1);
    let model = |seed: u64, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| train(&generation().with(&format!("seed={seed}")).unwrap(), &table).0.model)
    };
    let alone = model(5, 1);
    assert_eq!(alone, model(5, 3));
    assert_ne!(alone.first().network(), model(6, 1).first().network());
}

#[test]
fn an_average_is_no_worse_than_the_mean_and_its_certificate_holds() {
    let table = board(100, 6, 2);
    let one = |seed| {
        train(&generation().with(&format!("seed={seed}")).unwrap(), &table).0.model.certificate()
    };
    let (trained, data) = train(&generation().with("average=3 seed=4").unwrap(), &table);
    let certificate = trained.model.certificate();
    let mean = (4..7).map(|seed| one(seed).objective()).sum::<f64>() / 3.0;
    assert!(certificate.objective() <= mean * (1.0 + 1e-9), "{certificate:?}, {mean}");
    let bounds = (4..7).map(|seed| one(seed).lower_bound());
    assert_eq!(certificate.lower_bound(), bounds.fold(f64::NEG_INFINITY, f64::max));
    assert!(trained.model.certify(&data).unwrap().holds());
}

#[test]
fn neurons_keep_to_their_inputs_and_are_checked_for_it() {
    let table = board(80, 5, 3);
    for inputs in [1, 2] {
        let request =
            generation().with(&format!("max_inputs={inputs} rounds={}", usize::MAX)).unwrap();
        let (trained, data) = train(&request, &table);
        let model = trained.model;
        assert!(model.certificate().relative_gap() <= 1e-6, "{:?}", model.certificate());
        assert_eq!(model.certificate().bound(), Bound::Exact);
        assert_eq!(model.first().recipe().max_inputs(), Some(inputs));
        assert!(model.first().network().layers()[0].neurons.iter().all(|n| n.reads() <= inputs));
        assert!(model.certify(&data).unwrap().holds());
        // One neuron more, of no weight, that reads everything: not a network of this kind.
        let text = altered(&model, |m| {
            let network = &mut m["networks"][0]["network"];
            let neuron = json!({ "weights": [1.0, 1.0, 1.0, 1.0, 1.0], "bias": 0.0 });
            network["layers"][0].as_array_mut().unwrap().push(neuron);
            network["amplitudes"].as_array_mut().unwrap().push(json!(0.0));
        });
        assert!(!Model::from_text(&text).unwrap().certify(&data).unwrap().holds());
    }
    let refused = generation().with("max_inputs=4").unwrap();
    assert!(train_on(&refused, &set(&table)).is_err());
}

#[test]
fn a_stated_effort_cannot_hide_a_weaker_proof() {
    let (trained, data) = train(&generation(), &board(60, 2, 4));
    assert_eq!(trained.model.certificate().bound(), Bound::Exact);
    let text = altered(&trained.model, put("networks.0.recipe.effort", 0));
    assert!(!Model::from_text(&text).unwrap().certify(&data).unwrap().holds());
}

#[test]
fn output_weights_of_one_sign_find_the_patterns_they_need() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    // Few positives: almost every pattern is worth most with the sign that is not allowed.
    let rows: Vec<Vec<f64>> = (0..300)
        .map(|_| {
            let x: Vec<f64> = (0..3).map(|_| rng.random_range(-1.0..1.0)).collect();
            let positive = x[0] > 0.6 && x[1] > -0.5;
            x.into_iter().chain([f64::from(u8::from(positive))]).collect()
        })
        .collect();
    for (inputs, intercept) in
        [("max_inputs=1", false), ("max_inputs=1", true), ("max_inputs=2", false), ("", true)]
    {
        let request = generation()
            .with(&format!(
                "{inputs} non_negative intercept={intercept} beta=2 rounds={}",
                usize::MAX
            ))
            .unwrap();
        let (trained, data) = train(&request, &table(&rows));
        let certificate = trained.model.certificate();
        assert!(certificate.relative_gap() <= 1e-6, "{inputs:?}, {intercept}: {certificate:?}");
        assert!(trained.model.certify(&data).unwrap().holds());
    }
}

#[test]
fn a_gap_of_any_size_may_be_asked_for() {
    for tolerance in [0.05, 0.5, 1.0, 10.0] {
        let request = generation().with(&format!("tolerance={tolerance}")).unwrap();
        let (trained, data) = train(&request, &board(60, 2, 4));
        assert!(trained.model.certify(&data).unwrap().holds(), "{tolerance}");
    }
}
