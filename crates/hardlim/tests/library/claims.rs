//! Certificates say what they claim, and models that are not what they say are refused.

use crate::altered::{altered, put};
use crate::models::read;
use hardlim::Error;
use hardlim::certificate::{Bound, NetworkClass};
use hardlim::data::{Dataset, TrainingSet};
use hardlim::model::Model;
use hardlim::network::{Rechoice, Weights};
use hardlim::table::{CodingOptions, ReadOptions, Table};
use hardlim::train::{Request, Watch};
use serde_json::{Value, json};

fn titanic(request: &Request) -> (Model, Dataset) {
    let table = Table::open("titanic", &ReadOptions::default()).unwrap();
    let set = TrainingSet::of_table(&table, &CodingOptions::default()).unwrap();
    let request = request.with("beta=10").unwrap();
    let trained = request.check(&set).unwrap().train(&set, &Watch::default()).unwrap();
    (trained.model, set.data().clone())
}

fn generated() -> Request {
    Request::of("method=generate").unwrap()
}

#[test]
fn a_certificate_names_its_class_and_global_is_about_all_networks() {
    let (two, _) = titanic(&generated());
    assert_eq!(*two.certificate().class(), NetworkClass::two_layers(true));
    let words = "no two-layer threshold network of any width is better by more than ";
    assert!(two.certificate().claim().starts_with(words), "{}", two.certificate().claim());
    let one = generated().with("max_inputs=1").unwrap();
    let plain = Request::of("bias=false method=enumerate").unwrap();
    let positive = generated().with("non_negative").unwrap();
    let deep = Request::of("widths=2 method=enumerate").unwrap();
    let sampled = Request::of("method=sample").unwrap();
    for (request, words) in [
        (&one, "two-layer threshold network of any width whose neurons read one input is better"),
        (&plain, "two-layer threshold network of any width without biases is better"),
        (&positive, "of any width with output weights of at least zero is better"),
        (&deep, "no 3-layer threshold network of any number of subnetworks of width 2 is better"),
        (&sampled, "no two-layer network built from the sampled patterns is better"),
    ] {
        let (model, data) = titanic(request);
        let (certificate, global) = (model.certificate(), model.global());
        assert!(certificate.claim().contains(words), "{}", certificate.claim());
        assert!(model.certify(&data).unwrap().holds());
        // Three layers on a staircase have 695.64.
        assert_eq!(*global.class(), NetworkClass::all());
        assert_eq!(global.bound(), Bound::Complete);
        assert!(global.lower_bound() <= 695.65, "{global:?}");
        let words = "no threshold network of any width or depth is better by more than";
        assert!(global.claim().starts_with(words), "{}", global.claim());
        let check = model.certify(&data).unwrap();
        assert_eq!(model.statement(Some(&check)), format!("Certified: {}.", certificate.claim()));
        let unchecked = format!("Certificate not checked: {}.", certificate.claim());
        assert_eq!(model.statement(None), unchecked);
    }
}

/// Why a model is refused after something in its file was altered.
#[track_caller]
fn reason(model: &Model, data: &Dataset, alter: impl FnOnce(&mut Value)) -> String {
    let read = Model::from_text(&altered(model, alter)).expect("a model");
    let check = read.certify(data).expect("a verdict");
    assert!(!check.holds(), "{check:?}");
    let reason = check.reason().expect("a reason").to_owned();
    assert!(read.statement(Some(&check)).starts_with("The certificate does NOT hold: "));
    reason
}

#[test]
fn networks_outside_of_their_class_are_refused_in_words() {
    let (two, data) = titanic(&generated());
    let both = |name: &str, value: Value| {
        let (recipe, class) = ("networks.0.recipe", "networks.0.certificate.class");
        let paths = [format!("{recipe}.{name}"), format!("{class}.{name}")];
        move |m: &mut Value| paths.iter().for_each(|path| put(path, value.clone())(m))
    };
    let found = reason(&two, &data, both("max_inputs", json!(1)));
    assert!(found.contains("inputs, but its class allows 1"), "{found}");
    let found = reason(&two, &data, |m| {
        put("bias", false)(m);
        put("networks.0.certificate.class.bias", false)(m);
    });
    assert!(found.contains("has a bias, but its class allows none"), "{found}");
    // A class that the recipe does not search.
    let all = put("networks.0.certificate.class", json!(NetworkClass::all()));
    let found = reason(&two, &data, all);
    assert!(found.contains("the model states threshold network of any width or depth"), "{found}");
    let deep = Request::of("widths=2 method=enumerate").unwrap();
    let (deep, data) = titanic(&deep);
    let found = reason(&deep, &data, both("widths", json!([1])));
    assert!(
        found.contains("a subnetwork has 2 neurons in layer 1, but its class allows 1"),
        "{found}"
    );
    let found = reason(&deep, &data, |m| {
        both("widths", json!([]))(m);
        put("networks.0.certificate.class.layers", 2)(m);
    });
    assert_eq!(found, "the network has 3 layers, but its class has 2");
}

#[test]
fn a_certificate_names_its_problem_and_its_size_is_checked() {
    let table = "id,a,w,b,c,y\n7,1,1,2,0,1\n7,3,2,0,0,0\n7,1,5,0,0,1\n7,1,0,0,0,0\n";
    let table = read(table);
    let columns = CodingOptions {
        weight_column: Some("w".into()),
        ignore: vec!["b".into()],
        ..CodingOptions::default()
    };
    let set = TrainingSet::of_table(&table, &columns).unwrap();
    let request = Request::of("beta=0.5 loss=squared intercept").unwrap().with_columns(columns);
    let model = request.check(&set).unwrap().train(&set, &Watch::default()).unwrap().model;
    let model = Model::from_text(&model.to_text()).unwrap();
    let terms = model.terms();
    assert_eq!((terms.rows, terms.weight), (4, 8.0));
    assert_eq!(terms.read, ["a"]);
    assert_eq!(terms.not_read, ["id", "b", "c"]);
    assert_eq!(
        terms.to_string(),
        "y from a (not from id, b, c); squared loss, beta 0.5, with an output bias; 4 rows \
         weighted by w"
    );
    assert!(model.certify(set.data()).unwrap().holds());
    for (field, other) in [("rows", json!(5)), ("weight", json!(4.0))] {
        let found = reason(&model, set.data(), put(&format!("networks.0.size.{field}"), other));
        assert!(found.starts_with("the data have 4 rows of total weight 8"), "{found}");
    }
}

/// A number that no grid holds.
fn scaled(value: &Value) -> Value {
    json!(value.as_f64().unwrap() * 0.3)
}

#[test]
fn weights_are_on_the_grid_that_is_stated() {
    let (model, data) = titanic(&generated());
    let model = model.rechoose(&data, &Rechoice::new(Weights::Integer)).unwrap();
    assert!(model.certify(&data).unwrap().holds());
    // The same hyperplane, in other numbers.
    let found = reason(&model, &data, |m| {
        let neuron = &mut m["networks"][0]["network"]["layers"][0][0];
        neuron["bias"] = scaled(&neuron["bias"]);
        neuron["weights"] = neuron["weights"].as_array().unwrap().iter().map(scaled).collect();
    });
    assert!(
        found.starts_with("1 neurons of the first layer are not on the stated grid"),
        "{found}"
    );
}

#[test]
fn a_global_certificate_of_a_smaller_class_is_no_model() {
    let (model, _) = titanic(&generated());
    let text = altered(&model, |m| {
        let part = &mut m["networks"][0];
        part["global"] = part["certificate"].clone();
    });
    let error = Model::from_text(&text).unwrap_err().to_string();
    assert_eq!(error, "its global certificate is not about all networks");
}

#[test]
fn importance_of_a_model_whose_certificate_does_not_hold_is_refused() {
    let (model, data) = titanic(&generated().with("max_inputs=1").unwrap());
    let text = altered(&model, |m| {
        let bound = &mut m["networks"][0]["certificate"]["lower_bound"];
        *bound = json!(3.0 * bound.as_f64().unwrap());
    });
    let forged = Model::from_text(&text).unwrap();
    let importance = |model| Request::default().importance(model, &data, &Watch::default());
    assert!(importance(&model).is_ok());
    let error = importance(&forged).unwrap_err();
    assert!(matches!(error, Error::NotCertified { .. }), "{error}");
}
