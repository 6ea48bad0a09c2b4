//! Requests that say nothing about the problem: what predicts best is chosen.

use std::fmt::Write as _;

use hardlim::arrangement::Reads;
use hardlim::certificate::Scope;
use hardlim::data::TrainingSet;
use hardlim::loss::LossKind;
use hardlim::model::Model;
use hardlim::network::recipe::Recipe;
use hardlim::table::{ReadOptions, Table};
use hardlim::train::{Choice, Fold, InputClass, Measure, Predicted, Request, Trained, Watch};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A request that averages networks on random patterns.
fn averaged() -> Request {
    Request::of("inputs=mixed").unwrap()
}

/// Rows of five numbers, one of them text with three levels, and a target made from them.
fn table(rows: u32, target: impl Fn(&[f64; 5]) -> String) -> Table {
    let mut text = String::from("a,b,c,d,level,y\n");
    for i in 0..rows {
        let x = [7, 11, 13, 17, 3].map(|k| f64::from(i * 7919 % 1009 * k % 101) / 10.0);
        let level = ["low", "mid", "high"][(x[4] as usize) % 3];
        writeln!(text, "{},{},{},{},{level},{}", x[0], x[1], x[2], x[3], target(&x)).unwrap();
    }
    Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap()
}

fn classes(rows: u32) -> Table {
    table(rows, |x| if x[0] + 0.3 * x[1] > 6.0 { "yes".into() } else { "no".into() })
}

fn predicted(choice: &Choice) -> &Predicted {
    choice.predicted.as_ref().expect("predictions")
}

/// What is trained, with a certificate that holds.
fn train(request: &Request, table: &Table) -> (Trained, TrainingSet) {
    let set = TrainingSet::of_table(table, &request.columns).unwrap();
    let trained = request.check(&set).unwrap().train(&set, &Watch::default()).unwrap();
    assert!(trained.model.certify(set.data()).unwrap().holds());
    (trained, set)
}

#[test]
fn predictions_are_asked_for_and_everything_is_chosen() {
    let (trained, _) = train(&averaged(), &classes(150));
    let choice = trained.choice.expect("a choice");
    assert!(choice.score > 0.85 && predicted(&choice).loss < 0.4, "{choice:?}");
    assert!(choice.error > 0.0 && choice.folds == 5);
    let model = &trained.model;
    assert_eq!(model.loss(), LossKind::Logistic);
    assert!(model.setting().constraints.intercept && model.calibration().is_some());
    assert_eq!(model.certificate().scope(), Scope::Dictionary);
    assert!(model.certificate().relative_gap() < 0.9);
    // The levels of a column are one input.
    let Recipe::Sample { reads: Some(Reads { groups, .. }), .. } = model.first().recipe() else {
        panic!("{:?}", model.first().recipe())
    };
    assert_eq!(*groups, [1, 1, 1, 1, 3]);
    let again = Model::from_text(&model.to_text()).unwrap();
    assert_eq!(again, *model);
    let probabilities = model.probabilities(&[0.7]).unwrap();
    assert!((probabilities[0] + probabilities[1] - 1.0).abs() < 1e-12);
}

#[test]
fn the_class_that_predicts_best_is_chosen_and_a_proven_one_is_preferred() {
    // A sum of steps of single inputs: one input is enough.
    let steps = |x: &[f64; 5]| {
        let sum = f64::from(x[0] > 3.0) + f64::from(x[1] > 5.0) + f64::from(x[2] > 7.0);
        if sum > 1.5 { "yes".into() } else { "no".into() }
    };
    let (trained, _) = train(&Request::default(), &table(200, steps));
    let choice = trained.choice.unwrap();
    assert_eq!(predicted(&choice).class, InputClass::One);
    assert!(predicted(&choice).classes.len() >= 4);
    let certificate = trained.model.certificate();
    assert_eq!(certificate.class().max_inputs, Some(1));
    assert!(certificate.relative_gap() < 1e-3, "{}", certificate.relative_gap());
    // Signs of products need several.
    let product = |x: &[f64; 5]| {
        if (x[0] - 5.0) * (x[1] - 5.0) > 0.0 { "yes".into() } else { "no".into() }
    };
    let (trained, _) = train(&Request::default(), &table(200, product));
    assert_ne!(predicted(&trained.choice.unwrap()).class, InputClass::One);
}

#[test]
fn weights_on_all_inputs_are_searched_for_if_that_predicts_better() {
    // Whether two sums of eight inputs agree: random weights seldom point along either.
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut text = String::from("a,b,c,d,e,f,g,h,y\n");
    for _ in 0..400 {
        let x: [f64; 8] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
        let signs = [1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0];
        let one: f64 = x.iter().sum();
        let other: f64 = x.iter().zip(signs).map(|(x, sign)| x * sign).sum();
        x.iter().for_each(|x| write!(text, "{x:.3},").unwrap());
        writeln!(text, "{}", if (one > 0.0) == (other > 0.0) { "same" } else { "not" }).unwrap();
    }
    let table = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
    let (trained, _) = train(&Request::default(), &table);
    let choice = trained.choice.unwrap();
    let found = predicted(&choice);
    assert_eq!(found.class, InputClass::Searched, "{:?}", found.classes);
    let model = &trained.model;
    assert_eq!(model.certificate().scope(), Scope::Global);
    assert!(matches!(model.first().recipe(), Recipe::Generate { max_inputs: None, .. }));
}

#[test]
fn folds_and_grid_may_be_given() {
    let request = Request::of("cv=3 n_ratios=3 least_ratio=0.02").unwrap();
    let (trained, _) = train(&request, &classes(120));
    let choice = trained.choice.unwrap();
    assert!(choice.complete && choice.folds == 3);
    assert!(choice.ratios.len() <= 3 && choice.ratios[0] == 1.0);
    assert_eq!(choice.compared(), Some((choice.score, choice.error)));
    let losses = &predicted(&choice).losses;
    let place = choice.ratios.iter().position(|ratio| *ratio == choice.ratio).unwrap();
    assert_eq!(losses[place], losses.iter().copied().fold(f64::INFINITY, f64::min));
    let one_se = request.with("one_se").unwrap();
    let (larger, _) = train(&one_se, &classes(120));
    let least = train(&one_se.with("one_se=false").unwrap(), &classes(120)).0.choice.unwrap();
    assert!(larger.choice.unwrap().ratio >= least.ratio);
}

#[test]
fn a_time_limit_returns_what_there_was_time_for() {
    for request in [Request::default(), averaged()] {
        let request = request.with("time_limit=1e-3").unwrap();
        let (trained, _) = train(&request, &classes(300));
        assert!(trained.model.neurons() > 0);
        assert!(trained.choice.is_some());
    }
}

#[test]
fn a_seed_gives_one_network_whatever_the_number_of_threads() {
    let table = classes(120);
    let model = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| train(&averaged(), &table).0.model)
    };
    assert_eq!(model(1), model(3));
    let chosen = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| train(&Request::default(), &table).0.model)
    };
    assert_eq!(chosen(1), chosen(3));
    let other = train(&averaged().with("seed=1").unwrap(), &table).0.model;
    assert_ne!(other, model(2));
}

#[test]
fn several_classes_share_their_strength_and_have_probabilities() {
    let names = ["u", "v", "w"];
    let three = table(150, |x| names[usize::from(x[0] > 4.0) + usize::from(x[1] > 5.0)].into());
    let (trained, _) = train(&averaged(), &three);
    let (model, choice) = (&trained.model, trained.choice.as_ref().unwrap());
    assert_eq!(model.parts().len(), 3);
    assert!(choice.score > 0.8, "{choice:?}");
    let p = model.probabilities(&[0.3, -1.0, 2.0]).unwrap();
    assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12 && p[2] > p[0] && p[0] > p[1]);
}

#[test]
fn numbers_are_predicted_with_any_loss() {
    let numbers = table(150, |x| format!("{:.3}", 3.0 * x[0] - x[1] + 0.2 * x[2] * x[3]));
    for (option, loss) in [("loss=", LossKind::Squared), ("loss=absolute", LossKind::Absolute)] {
        let (trained, _) = train(&averaged().with(option).unwrap(), &numbers);
        let choice = trained.choice.unwrap();
        assert!(choice.measure == Measure::R2 && choice.score > 0.7, "{choice:?}");
        assert_eq!(trained.model.loss(), loss);
        assert!(trained.model.calibration().is_none());
    }
}

#[test]
fn losses_that_are_not_logistic_are_calibrated() {
    let request = averaged().with("loss=hinge").unwrap();
    let (trained, _) = train(&request, &classes(100));
    let choice = trained.choice.unwrap();
    assert!(predicted(&choice).loss < 0.5, "{choice:?}");
    assert!(trained.model.calibration().is_some());
}

#[test]
fn few_neurons_cost_little_and_the_price_is_told() {
    let table = classes(150);
    let full = train(&averaged(), &table).0.model;
    let request = averaged().with("neurons=12").unwrap();
    let (trained, set) = train(&request, &table);
    let pruned = trained.pruned.expect("more than 12 before");
    assert_eq!(pruned.0, full.neurons());
    let small = trained.model;
    assert!((1..=12).contains(&small.neurons()), "{} neurons", small.neurons());
    assert!(small.certificate().objective() < 1.5 * pruned.1);
    let right = |model: &Model| {
        let outputs = model.outputs_on(set.data());
        outputs[0].iter().zip(set.y()).filter(|(u, y)| *u * *y > 0.0).count()
    };
    assert!(right(&small) + 8 > right(&full), "{} of {}", right(&small), right(&full));
}

#[test]
fn one_neuron_is_one_and_its_score_is_its_own() {
    // The majority of three bits: one neuron that reads all of them says it, one that reads one
    // does not.
    let bit = |x: f64| f64::from(u8::from(x > 5.0));
    let majority = |x: &[f64; 5]| {
        if bit(x[0]) + bit(x[1]) + bit(x[2]) > 1.5 { "yes".into() } else { "no".into() }
    };
    let request = Request::of("inputs=1 neurons=1").unwrap();
    let (trained, _) = train(&request, &table(300, majority));
    assert_eq!(trained.model.neurons(), 1);
    let choice = trained.choice.unwrap();
    assert!(choice.score < 0.9, "one bit does not tell the majority: {choice:?}");
}

#[test]
fn few_neurons_of_few_inputs_keep_the_bound_and_their_own_score() {
    let sum = |x: &[f64; 5]| x[..4].iter().sum::<f64>();
    let table = table(150, |x| if sum(x) > 20.0 { "yes".into() } else { "no".into() });
    let request = Request::of("max_inputs=2").unwrap();
    let full = train(&request, &table).0;
    let few = request.with("neurons=2").unwrap();
    let (trained, _) = train(&few, &table);
    let (model, pruned) = (&trained.model, trained.pruned.expect("more than 2 before"));
    assert_eq!(pruned.0, full.model.neurons());
    assert_eq!(pruned.1, full.model.certificate().objective());
    assert!(model.neurons() <= 2 && model.certificate().scope() == Scope::Global);
    assert_eq!(model.certificate().lower_bound(), full.model.certificate().lower_bound());
    assert!(model.certificate().objective() > pruned.1);
    let loss = |trained: &Trained| predicted(trained.choice.as_ref().unwrap()).loss;
    assert!(loss(&trained) > loss(&full), "{} and {}", loss(&trained), loss(&full));
}

#[test]
fn more_neurons_never_fit_worse() {
    let sum = |x: &[f64; 5]| x[..4].iter().sum::<f64>();
    let table = table(150, |x| if sum(x) > 20.0 { "yes".into() } else { "no".into() });
    let strength = "cv=3 n_ratios=2 least_ratio=0.05";
    for request in [format!("max_inputs=1 {strength}"), format!("inputs=mixed {strength}")] {
        let mut last = f64::INFINITY;
        for neurons in 1..=7 {
            let few = Request::of(&format!("{request} neurons={neurons}")).unwrap();
            let (trained, _) = train(&few, &table);
            let objective = trained.model.certificate().objective();
            assert!(trained.model.neurons() <= neurons);
            assert!(objective <= last, "{neurons} neurons: {objective}, {last} with fewer");
            last = objective;
        }
    }
}

#[test]
fn few_neurons_are_compared_with_neurons_of_one_input() {
    let steps = |x: &[f64; 5]| if x[0] > 3.0 { "yes".into() } else { "no".into() };
    for neurons in [1, 3] {
        let request = Request::of(&format!("neurons={neurons}")).unwrap();
        let (trained, _) = train(&request, &table(150, steps));
        let choice = trained.choice.unwrap();
        let one = |(class, _): &(InputClass, f64)| *class == InputClass::One;
        assert!(predicted(&choice).classes.iter().any(one), "{choice:?}");
        assert!(choice.score > 0.95 && trained.model.neurons() <= neurons);
    }
}

#[test]
fn limits_on_neurons_leave_one_for_every_class() {
    let names = ["u", "v", "w"];
    let three = table(150, |x| names[usize::from(x[0] > 4.0) + usize::from(x[1] > 5.0)].into());
    let request = averaged().with("neurons=5").unwrap();
    let (trained, set) = train(&request, &three);
    assert!((3..=5).contains(&trained.model.neurons()), "{}", trained.model.neurons());
    let full = train(&averaged(), &three).0.model;
    let pruned = trained.pruned.unwrap();
    assert_eq!(pruned.0, full.neurons());
    assert!((pruned.1 / full.certificate().objective() - 1.0).abs() < 1e-9);
    let few = averaged().with("neurons=2").unwrap().check(&set).unwrap_err().to_string();
    assert!(few.contains("3 classes need at least 3 neurons"), "{few}");
}

#[test]
fn rows_may_be_held_out_of_several_folds() {
    let table = classes(60);
    let fold = |k: usize| Fold {
        train: (0..60).filter(|i| i % 3 != k).collect(),
        test: (0..60).filter(|i| i % 3 == k).collect(),
    };
    let with = |folds: Vec<Fold>| {
        let request = averaged().with("cv=5").unwrap().on_folds(folds);
        train(&request, &table).0.choice.unwrap()
    };
    let (once, twice) =
        (with(vec![fold(0), fold(1), fold(2)]), with((0..6).map(|k| fold(k % 3)).collect()));
    assert_eq!((once.score, once.ratio), (twice.score, twice.ratio));
}

#[test]
fn small_folds_see_every_strength() {
    let numbers = table(40, |x| format!("{:.3}", 3.0 * x[0] - x[1]));
    let request = averaged().with("cv=10").unwrap();
    assert_eq!(predicted(&train(&request, &numbers).0.choice.unwrap()).losses.len(), 16);
}

#[test]
fn rows_of_weight_zero_are_in_no_fold() {
    let mut text = String::from("a,b,y,s\n");
    let mut folds = Vec::new();
    for extra in [0, 100] {
        for i in 0..80 + extra {
            let (a, b) = (i * 37 % 80, i * 11 % 13);
            let y = if a + b > 40 { "yes" } else { "no" };
            writeln!(text, "{a},{b},{y},{}", u8::from(i < 80)).unwrap();
        }
        let table = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
        let mut request = averaged();
        request.columns.keep_all = true;
        request.columns.target = Some("y".into());
        request.columns.weight_column = Some("s".into());
        folds.push(train(&request, &table).0.choice.unwrap().error);
        text.truncate(8);
    }
    assert!((folds[0] / folds[1] - 1.0).abs() < 0.5, "{folds:?}");
}

#[test]
fn averages_and_inputs_are_as_many_as_asked_for() {
    let request = averaged().with("average=2 inputs=1,2").unwrap();
    let (trained, _) = train(&request, &classes(100));
    let Recipe::Sample { draws, .. } = trained.model.first().recipe() else { panic!("sampled") };
    assert_eq!(*draws, 3000);
    let columns = |reads: &[f64]| -> usize {
        // The three levels are one input.
        reads[..4].iter().filter(|w| **w != 0.0).count()
            + usize::from(reads[4..].iter().any(|w| *w != 0.0))
    };
    for neuron in &trained.model.first().network().layers()[0].neurons {
        assert!(columns(&neuron.hyperplane(7).weights) <= 2);
    }
}

#[test]
fn a_limit_on_inputs_is_solved_and_proven_at_the_strength_that_predicts_best() {
    let request = averaged().with("max_inputs=1").unwrap();
    let (trained, _) = train(&request, &classes(120));
    let model = &trained.model;
    assert!(trained.choice.is_some() && model.calibration().is_some());
    assert_eq!(model.certificate().scope(), Scope::Global);
    assert!(model.certificate().relative_gap() < 1e-3);
}

#[test]
fn no_pattern_that_tells_anything_gives_no_neuron() {
    let rows: String = (0..20).map(|i| format!("1,{}\n", i % 2)).collect();
    let text = format!("a,y\n{rows}");
    let table = Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).unwrap();
    let mut request = averaged();
    request.columns.keep_all = true;
    let (trained, _) = train(&request, &table);
    assert_eq!(trained.model.neurons(), 0);
}

#[test]
fn a_rare_class_and_few_rows_are_no_obstacle() {
    for rows in [3, 4, 7] {
        let rare = table(rows, |x| if x[0] == 0.0 { "yes".into() } else { "no".into() });
        let (trained, _) = train(&averaged(), &rare);
        assert!(trained.choice.is_some(), "{rows} rows");
    }
}

#[test]
fn what_has_no_meaning_is_refused() {
    for (options, expected) in [
        (
            "neurons=9 beta=1",
            "`neurons` is for the best predictions: give no strength and no `method`",
        ),
        ("neurons=9 max_inputs=2 gap=0.1", "`neurons` and `gap` do not go together"),
        (
            "inputs=mixed beta=1",
            "`inputs` is about random neurons of two layers, and needs `method=sample`",
        ),
    ] {
        assert_eq!(Request::of(options).expect_err("a conflict").to_string(), expected);
    }
}
