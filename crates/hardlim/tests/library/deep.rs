//! Deeper networks: sampled and generated subnetworks, and the complete program on representations.

use crate::models::{joined, set, table, train, train_on};
use crate::seal::sealed;
use hardlim::Error;
use hardlim::certificate::{Bound, Scope};
use hardlim::data::{Dataset, TrainingSet};
use hardlim::loss::LossKind;
use hardlim::model::Model;
use hardlim::network::recipe::Recipe;
use hardlim::network::{Representation, Weights};
use hardlim::pattern::Pattern;
use hardlim::program::{Beta, CompleteProgram, Constraints};
use hardlim::table::{ReadOptions, Table, builtin};
use hardlim::train::{Method, Request, Trained};

fn open(name: &str, rows: usize, features: usize) -> Table {
    let size = builtin::TableSize { rows, features, seed: 1 };
    Table::open(name, &ReadOptions { size, ..ReadOptions::default() }).unwrap()
}

fn load(name: &str, rows: usize, features: usize) -> TrainingSet {
    set(&open(name, rows, features))
}

fn represented(representation: Representation) -> Request {
    Request::of(&format!("representation={representation} beta=1e-3")).unwrap()
}

/// Whether the sign of every output is its target.
fn answers_all(model: &Model, data: &Dataset) -> bool {
    let output = model.first().network().output(data.features());
    data.targets().values().iter().zip(&output).all(|(y, u)| y * u > 0.0)
}

/// What holds of every network on a representation: optimal over all networks, and two neurons for
/// two classes.
fn check_two_classes(trained: &Trained, data: &Dataset, layers: usize) {
    let model = &trained.model;
    let y = data.targets().values();
    let positive = y.iter().filter(|y| **y > 0.0).count() as f64;
    let beta = model.beta().get();
    let inverse = 1.0 / positive + 1.0 / (y.len() as f64 - positive);
    let closed_form = 2.0 * beta - beta * beta / 2.0 * inverse;
    let certificate = &model.certificate();
    assert!((certificate.objective() - closed_form).abs() <= 1e-10, "{certificate:?}");
    assert!(certificate.relative_gap() <= 1e-10, "{certificate:?}");
    assert_eq!((certificate.scope(), certificate.bound()), (Scope::Global, Bound::Complete));
    assert_eq!((model.first().network().depth(), model.first().network().neurons()), (layers, 2));
    assert_eq!(model.first().network().layers()[layers - 2].neurons.len(), 2);
    assert!(answers_all(model, data));
    assert!(model.certify(data).unwrap().holds());
}

#[test]
fn random_layers_reach_the_optimum_of_the_papers_setups() {
    for (n, d) in [(20, 100), (50, 50), (100, 20)] {
        let set = load("teacher3", n, d);
        for weights in [Weights::Pi, Weights::Svm] {
            let request =
                represented(Representation::Gaussian).with(&format!("weights={weights}")).unwrap();
            let trained = train_on(&request, &set).unwrap();
            check_two_classes(&trained, set.data(), 3);
            let widths = vec![1000];
            let recipe = Recipe::Gaussian { widths, seed: 0, standardize: true };
            assert_eq!(*trained.model.first().recipe(), recipe);
        }
    }
}

#[test]
fn ten_layers_reach_it_as_well() {
    let set = load("teacher3", 100, 20);
    for weights in [Weights::Pi, Weights::Svm] {
        let request = represented(Representation::Gaussian)
            .with(&format!("layers=10 weights={weights}"))
            .unwrap();
        let trained = train_on(&request, &set).unwrap();
        check_two_classes(&trained, set.data(), 10);
    }
}

#[test]
fn a_staircase_has_weights_of_one_and_only_the_neurons_it_needs() {
    let set = load("teacher3", 100, 20);
    let trained = train_on(&represented(Representation::Staircase), &set).unwrap();
    check_two_classes(&trained, set.data(), 3);
    let [thresholds, above] = trained.model.first().network().layers() else {
        panic!("two hidden layers")
    };
    // Labels at random along a direction change about every other time; of 64 directions the best.
    assert!(thresholds.neurons.len() < 45, "{}", thresholds.neurons.len());
    assert!(thresholds.neurons.iter().all(|n| n.weights == thresholds.neurons[0].weights));
    for neuron in &above.neurons {
        assert!(neuron.weights.iter().all(|w| w.abs() == 1.0));
        assert!([0.0, -1.0].contains(&neuron.bias));
    }
    // Widest margins on the same steps.
    let svm = represented(Representation::Staircase).with("weights=svm").unwrap();
    let trained = train_on(&svm, &set).unwrap();
    check_two_classes(&trained, set.data(), 3);
    assert_eq!(trained.model.first().network().layers()[0], *thresholds);
}

#[test]
fn every_loss_and_constraint_is_optimal_on_a_representation() {
    let (numbers, labels) = (load("line", 5, 1), load("checkerboard", 40, 2));
    for loss in LossKind::all() {
        let takes_numbers =
            loss != LossKind::Logistic && !matches!(loss, LossKind::Hinge | LossKind::SquaredHinge);
        let set = if takes_numbers { &numbers } else { &labels };
        let data = set.data();
        for representation in [Representation::Gaussian, Representation::Staircase] {
            for constraints in [
                Constraints::default(),
                Constraints { intercept: true, ..Constraints::default() },
                Constraints { non_negative: true, ..Constraints::default() },
            ] {
                let request = represented(representation)
                    .with(&format!(
                        "loss={loss} intercept={} non_negative={} beta=0.2",
                        constraints.intercept, constraints.non_negative
                    ))
                    .unwrap();
                let model = train_on(&request, set).unwrap().model;
                let program = CompleteProgram::new(data.targets(), loss, Beta::new(0.2).unwrap());
                let value = program.with_constraints(constraints).solve().value;
                let error = (model.certificate().objective() - value).abs();
                assert!(error <= 1e-10 * (1.0 + value), "{loss}, {representation}: {error}");
                assert!(model.certificate().gap() <= 1e-9 * (1.0 + value), "{loss}");
                assert!(model.certify(data).unwrap().holds(), "{loss}, {representation}");
                let again = Model::from_text(&model.to_text()).unwrap();
                assert_eq!(again, model);
            }
        }
    }
}

#[test]
fn a_short_rank_is_refused_with_its_numbers() {
    let set = load("teacher3", 100, 20);
    let request = represented(Representation::Gaussian).with("widths=60").unwrap();
    let error = train_on(&request, &set).unwrap_err();
    assert!(matches!(error, Error::ShortRepresentation { rows: 100, rank: 61, .. }));
    let words = "60 neurons of the last random layer have 60 distinct answers of rank 61, but 100 \
                 distinct rows need rank 100: use wider layers (240 neurons may be enough), or a \
                 staircase";
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn rows_that_are_clipped_to_one_level_need_no_step() {
    let rows: Vec<Vec<f64>> = (0..6).map(|i| vec![f64::from(i), f64::from(1 + i % 3)]).collect();
    // Σ(y − t)₊ = 9 at t = ½, below all of them.
    let request = represented(Representation::Staircase).with("beta=9").unwrap();
    let (trained, data) = train(&request, &table(&rows));
    assert_eq!(trained.model.first().network().layers()[0].neurons.len(), 0);
    assert_eq!(trained.model.first().network().amplitudes(), [0.5]);
    assert!(trained.model.certify(&data).unwrap().holds());
}

#[test]
fn sampled_subnetworks_are_certified_over_their_dictionary() {
    let set = load("checkerboard", 120, 2);
    for (widths, loss) in [
        (&[3][..], LossKind::Squared),
        (&[4, 3], LossKind::Logistic),
        (&[2, 2, 2], LossKind::Hinge),
    ] {
        let options = format!("widths={} loss={loss} patterns=300", joined(widths));
        let request = Request::of(&options).unwrap();
        let trained = train_on(&request, &set).unwrap();
        let model = &trained.model;
        assert_eq!(model.first().network().depth(), widths.len() + 2);
        let certificate = &model.certificate();
        assert_eq!(
            (certificate.scope(), certificate.bound()),
            (Scope::Dictionary, Bound::Dictionary)
        );
        assert!(certificate.relative_gap() <= 1e-6, "{certificate:?}");
        assert_eq!(
            (model.global().scope(), model.global().bound()),
            (Scope::Global, Bound::Complete)
        );
        // Only subnetworks in use are kept, each with its own layers.
        let neurons = model.first().network().neurons();
        for (layer, &width) in
            model.first().network().layers().iter().zip(widths.iter().chain(&[1]))
        {
            assert_eq!(layer.neurons.len(), neurons * width);
        }
        let again = Model::from_text(&model.to_text()).unwrap();
        assert_eq!(again, *model);
        assert!(again.certify(set.data()).unwrap().holds(), "{widths:?}");
    }
}

#[test]
fn altered_deep_models_are_refused() {
    let set = load("checkerboard", 60, 2);
    let data = set.data();
    let request = Request::of("widths=2 patterns=100").unwrap();
    let model = train_on(&request, &set).unwrap().model;
    let text = model.to_text();
    let holds =
        |text: &str| Model::from_text(&sealed(text)).map(|m| m.certify(data).unwrap().holds());
    assert!(holds(&text).unwrap());
    let recipe = r#""draws":100,"seed":0,"standardize":true,"widths":[2]"#;
    assert!(text.contains(recipe));
    let with = |other: &str| text.replacen(recipe, other, 1);
    // Another seed, another depth, other widths: not the dictionary it was built from.
    for other in [
        r#""draws":100,"seed":1,"standardize":true,"widths":[2]"#,
        r#""draws":100,"seed":0,"standardize":true"#,
        r#""draws":100,"seed":0,"standardize":true,"widths":[2,1]"#,
    ] {
        assert!(!holds(&with(other)).unwrap(), "{other}");
    }
    for other in [
        r#""draws":100,"seed":0,"standardize":true,"widths":[0]"#.to_string(),
        format!(r#""draws":100,"seed":0,"standardize":true,"widths":{:?}"#, [1; 63]),
    ] {
        assert!(holds(&with(&other)).is_err(), "{other}");
    }
    let huge = with(r#""draws":100,"seed":0,"standardize":true,"widths":[1000000000000]"#);
    let huge = Model::from_text(&sealed(&huge)).unwrap();
    assert!(matches!(huge.certify(data), Err(Error::TooManyPatterns { .. })));

    // A network on a representation: a bound that is too good, a weight that is another.
    let model = train_on(&represented(Representation::Staircase), &set).unwrap().model;
    let text = model.to_text();
    assert!(holds(&text).unwrap());
    let bound = model.certificate().lower_bound().to_string();
    let raised = (model.certificate().lower_bound() * (1.0 + 1e-6)).to_string();
    assert!(!holds(&text.replacen(&bound, &raised, 1)).unwrap());
    let bias = model.first().network().layers()[0].neurons[0].bias.to_string();
    let moved = (model.first().network().layers()[0].neurons[0].bias - 1.0).to_string();
    assert!(text.contains(&format!("\"bias\":{bias}")));
    let moved = text.replacen(&format!("\"bias\":{bias}"), &format!("\"bias\":{moved}"), 1);
    assert!(!holds(&moved).unwrap());
    for bound in ["exact", "search", "enumeration"] {
        let other = text.replace(r#""bound":"complete""#, &format!(r#""bound":"{bound}""#));
        assert!(!holds(&other).unwrap(), "{bound}");
    }
}

#[test]
fn subnetworks_on_a_checkerboard_beat_every_two_layer_network() {
    let set = load("checkerboard", 400, 2);
    let data = set.data();
    let two = Request::of("method=generate beta_ratio=0.05").unwrap();
    let two = train_on(&two, &set).unwrap().model;
    // The sweep proves what two layers come to.
    assert_eq!(two.certificate().bound(), Bound::Exact);
    let three =
        Request::of(&format!("method=generate beta={} widths=2 rounds=4", two.beta().get()))
            .unwrap();
    let trained = train_on(&three, &set).unwrap();
    let model = trained.model;
    assert_eq!((model.first().network().depth(), trained.beta_max_exact), (3, false));
    let (deep, least) = (model.certificate().objective(), two.certificate().lower_bound());
    assert!(deep < 0.9 * least, "{deep} with three layers, at least {least} with two");
    assert_eq!(model.certificate().bound(), Bound::Complete);
    assert!(model.certify(data).unwrap().holds());
    let again = Model::from_text(&model.to_text()).unwrap();
    assert!(again.certify(data).unwrap().holds());
    // No subnetwork has more than two neurons in its first layer, and all keep to themselves.
    let [first, last] = model.first().network().layers() else { panic!("two hidden layers") };
    let read: Vec<u32> = last.neurons.iter().flat_map(|n| n.inputs.clone().unwrap()).collect();
    assert_eq!(read, (0..first.neurons.len() as u32).collect::<Vec<_>>());
    assert!(last.neurons.iter().all(|n| n.weights.len() <= 2));
}

#[test]
fn generated_subnetworks_come_near_the_optimum_over_all_of_them() {
    let set = load("line", 5, 1);
    for loss in [LossKind::Squared, LossKind::Absolute] {
        let listed =
            Request::of(&format!("method=enumerate widths=2 loss={loss} beta=0.1 tolerance=1e-9"))
                .unwrap();
        let all = train_on(&listed, &set).unwrap().model.certificate();
        let generated = listed.with("method=generate prune=0").unwrap();
        let found = train_on(&generated, &set).unwrap().model.certificate();
        assert!(found.objective() >= all.lower_bound(), "{found:?} {all:?}");
        assert!(found.objective() <= all.objective() * (1.0 + 1e-6), "{found:?} {all:?}");
    }
}

#[test]
fn chance_alone_decides_whatever_the_number_of_threads() {
    let set = load("checkerboard", 60, 2);
    let requests = [
        Request::of("widths=3 patterns=100").unwrap(),
        Request::of("method=generate widths=2 rounds=2").unwrap(),
        represented(Representation::Gaussian),
        represented(Representation::Staircase),
    ];
    for request in requests {
        let train = || train_on(&request, &set).unwrap().model;
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool(1).install(train), pool(3).install(train));
    }
}

#[test]
fn packed_layers_answer_as_neurons_do() {
    let set = load("checkerboard", 150, 2);
    let data = set.data();
    let request = Request::of("widths=5,4 patterns=50").unwrap();
    let model = train_on(&request, &set).unwrap().model;
    let network = model.first().network();
    let packed = network.patterns(data.features());
    let answer = |i: usize| {
        network.layers().iter().fold(data.features().row(i).to_vec(), |x, layer| {
            layer.neurons.iter().map(|n| f64::from(u8::from(n.fires(&x)))).collect()
        })
    };
    let answers: Vec<Vec<f64>> = (0..150).map(answer).collect();
    for j in 0..packed.patterns() {
        assert_eq!(packed.pattern(j), Pattern::from_fn(150, |i| answers[i][j] == 1.0));
    }
}

#[test]
fn a_method_is_chosen_for_the_widths() {
    let (few, many) = (load("line", 5, 1), load("checkerboard", 200, 2));
    let pick = |set: &TrainingSet, widths: &[usize]| {
        Request::of(&format!("widths={}", joined(widths))).unwrap().check(set).unwrap()
    };
    assert_eq!(pick(&few, &[2]).method(), Method::Enumerate);
    assert_eq!(pick(&many, &[2]).method(), Method::Generate);
    let sampled = pick(&many, &[8]);
    assert_eq!(sampled.method(), Method::Sample);
    assert!(sampled.why().unwrap().contains("deep patterns"), "{:?}", sampled.why());
    // Collinear rows are hard to tell apart by chance, many rows too many.
    let represent = |set: &TrainingSet, layers| {
        let request = Request::of(&format!("layers={layers}")).unwrap();
        request.check(set).unwrap().representation()
    };
    assert_eq!(represent(&many, 3), Representation::Gaussian);
    assert_eq!(represent(&many, 4), Representation::Gaussian);
    let rows: Vec<Vec<f64>> = (0..400).map(|i| vec![f64::from(i), f64::from(i % 3)]).collect();
    assert_eq!(represent(&set(&table(&rows)), 3), Representation::Staircase);
    assert_eq!(represent(&load("checkerboard", 600, 2), 3), Representation::Staircase);
}
