//! The whole walk: a table, its coding, a training set, a network, a file, a verdict, answers.

use crate::models::{read, table, train};
use hardlim::certify::Check;
use hardlim::data::Split;
use hardlim::model::Model;
use hardlim::network::{Layer, Network, Neuron, Weights};
use hardlim::table::{Coding, CodingOptions, Missing};
use hardlim::train::{Method, Request, Watch};

const FLOWERS: &str = "petal,color,width,species\n\
    1.4,white,0.2,a\n4.7,violet,1.4,b\n1.3,white,0.2,a\n4.5,violet,1.5,b\n1.5,violet,0.3,a\n\
    4.9,white,1.5,b\n1.4,white,0.2,a\n3.9,violet,?,b\n1.7,violet,0.4,a\n4.6,white,1.3,b\n";

fn options() -> CodingOptions {
    CodingOptions { missing: Missing::Mean, ..CodingOptions::default() }
}

fn request() -> Request {
    Request::default().with_columns(options())
}

#[test]
fn a_table_becomes_a_network_that_answers_and_is_certified_again() {
    let table = read(FLOWERS);
    let coding = Coding::fit(&table, &options()).unwrap();
    let data = coding.dataset(&table).unwrap();
    assert_eq!((data.samples(), data.distinct(), data.dimension()), (10, 9, 4));
    for method in [Method::Sample, Method::Auto] {
        for weights in [Weights::Sampled, Weights::Svm] {
            let request = request().with(&format!("method={method} weights={weights}")).unwrap();
            let model = request.train(&table).unwrap().model;

            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("flowers.hardlim");
            model.save(&path).unwrap();
            let model = Model::load(&path).unwrap();

            assert!(model.certify(&model.training_data(&table).unwrap()).unwrap().holds());
            let output = model.outputs(&table).unwrap().remove(0);
            assert_eq!([output.clone()].to_vec(), model.outputs_on(&data));
            let y = coding.targets(&table).unwrap();
            assert!(output.iter().zip(&y).all(|(u, y)| u * y > 0.0), "{output:?}");
            // Without the target, in another order, with labels and gaps never seen.
            let new = read("width,petal,color\n0.2,1.4,white\n?,4.7,violet\n1.4,4.4,green\n");
            let signs: Vec<bool> =
                model.outputs(&new).unwrap()[0].iter().map(|u| *u > 0.0).collect();
            assert_eq!(signs, [false, true, true]);
        }
    }
}

#[test]
fn a_certificate_is_about_its_own_data() {
    let table = read(FLOWERS);
    let model = request().train(&table).unwrap().model;
    let other = read(&FLOWERS.replacen("1.4,white", "1.45,white", 1));
    let check = model.certify(&model.training_data(&other).unwrap()).unwrap();
    assert_eq!(check, Check::OtherData);
    assert!(!check.holds());
}

#[test]
fn rows_held_out_are_found_again() {
    let table = read(FLOWERS);
    let split = Split { fraction: 0.3, seed: 4 };
    let (kept, aside) = split.parts(&table, 3);
    assert_eq!((kept.len(), aside.len()), (6, 4));
    let request = request().with("holdout=0.3 seed=4").unwrap();
    let (set, held_out) = request.read(&table).unwrap();
    assert_eq!((set.y().len(), held_out.unwrap().1.len()), (6, 4));
    let data = set.data();
    let model = request.check(&set).unwrap().train(&set, &Watch::default()).unwrap().model;
    assert_eq!(model.split(), Some(split));
    let model = Model::from_text(&model.to_text()).unwrap();
    let again = model.training_data(&table).unwrap();
    assert_eq!(again.fingerprint(), data.fingerprint());
    assert!(model.certify(&again).unwrap().holds());
}

#[test]
fn the_objective_is_that_of_the_final_weights_whatever_the_choice() {
    let rows: Vec<Vec<f64>> = (0..4)
        .map(|i| vec![f64::from(i * i), f64::from(3 - i), f64::from(i % 3), f64::from(i % 2)])
        .collect();
    let table = table(&rows);
    let objective = |weights| {
        let request =
            Request::of(&format!("method=complete weights={weights} beta_ratio=0.2")).unwrap();
        let (trained, data) = train(&request, &table);
        assert!(trained.model.certify(&data).unwrap().holds());
        assert_eq!(trained.model.first().network().neurons(), 2);
        trained.model.certificate().objective()
    };
    assert_eq!(objective(Weights::Svm), objective(Weights::Pi));
}

#[test]
fn a_deep_network_is_stored_and_certified_like_any_other() {
    // Exclusive or of two inputs: no network of one hidden neuron, an easy one of two layers.
    let rows: Vec<Vec<f64>> = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
        .iter()
        .map(|r| r.map(f64::from).to_vec())
        .collect();
    let table = table(&rows);
    let request = Request::of("beta_ratio=0.05").unwrap();
    let (trained, data) = train(&request, &table);
    let neuron = |inputs: Option<Vec<u32>>, weights: &[f64], bias: f64| Neuron {
        inputs,
        weights: weights.to_vec(),
        bias,
    };
    let layers = vec![
        Layer {
            neurons: vec![
                neuron(None, &[1.0, 1.0], -1.0),
                neuron(Some(vec![0, 1]), &[1.0; 2], -2.0),
            ],
        },
        Layer { neurons: vec![neuron(None, &[1.0, -1.0], -1.0), neuron(None, &[-1.0, 1.0], 0.0)] },
    ];
    let network = Network::new(2, layers, vec![0.96875, -0.96875], 0.0).unwrap();
    assert_eq!(network.output(data.features()), [-0.96875, 0.96875, 0.96875, -0.96875]);
    let (coding, setting) = (trained.model.coding().clone(), *trained.model.setting());
    let model = Model::given(&data, coding, None, vec![network], setting).unwrap();
    let text = model.to_text();
    let read = Model::from_text(&text).unwrap();
    assert_eq!((&read, read.to_text()), (&model, text));
    assert_eq!(read.first().network().depth(), 3);
    assert!(read.certify(&data).unwrap().holds());
    assert!(read.global().relative_gap() < 0.1, "{:?}", read.global());
}
