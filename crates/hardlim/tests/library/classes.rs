//! Several classes: a network and a certificate for each, in one file.

use std::fmt::Write as _;

use crate::altered::{altered, put, scale};
use crate::models::read;
use hardlim::certificate::{Bound, Certificate, Scope};
use hardlim::data::{Dataset, TrainingSet};
use hardlim::loss::LossKind;
use hardlim::model::Model;
use hardlim::table::{Coding, CodingOptions, Table, Task};
use hardlim::train::{Method, Request, Trained, Watch};
use serde_json::{Value, json};

/// Three classes in the plane, by the angle, with some rows twice.
fn plane(rows: usize, names: [&str; 3]) -> Table {
    let row = |i: usize| {
        let (a, b) = ((i * 7 % 11) as f64 - 5.0, (i * 5 % 13) as f64 - 6.0);
        let class = if a + b > 2.0 { 0 } else { 1 + usize::from(a > b) };
        format!("{a},{b},\"{}\"\n", names[class].replace('"', "\"\""))
    };
    read(&("a,b,kind\n".to_owned() + &(0..rows).map(row).collect::<String>()))
}

fn options(balanced: bool) -> CodingOptions {
    CodingOptions { balanced, ..CodingOptions::default() }
}

fn train(request: &Request, table: &Table, balanced: bool) -> (Trained, Dataset) {
    let set = TrainingSet::of_table(table, &options(balanced)).expect("a training set");
    (train_on(request, &set), set.data().clone())
}

fn train_on(request: &Request, set: &TrainingSet) -> Trained {
    request.check(set).expect("a plan").train(set, &Watch::default()).expect("a model")
}

fn holds(model: &Model, data: &Dataset) -> bool {
    model.certify_within(data, 1 << 30).expect("checked").holds()
}

fn request(method: Method) -> Request {
    let patterns = if method == Method::Sample { "patterns=60" } else { "" };
    Request::of(&format!("method={method} {patterns} seed=1")).unwrap()
}

#[test]
fn every_class_is_certified_and_the_file_is_bit_exact() {
    let table = plane(70, ["red", "green", "blue"]);
    for loss in [LossKind::Squared, LossKind::Logistic, LossKind::Hinge] {
        for method in [Method::Sample, Method::Generate] {
            for balanced in [false, true] {
                let request = request(method).with(&format!("loss={loss}")).unwrap();
                let (trained, data) = train(&request, &table, balanced);
                let model = &trained.model;
                assert_eq!(model.several_classes().unwrap(), ["blue", "green", "red"]);
                assert_eq!(model.parts().len(), 3);
                for part in model.parts() {
                    let gap = part.certificate().relative_gap();
                    assert!((0.0..=1e-6).contains(&gap), "{loss} {method}: {gap}");
                }
                let beta = 0.05 * trained.beta_max;
                assert!((model.beta().get() / beta - 1.0).abs() < 1e-12, "{loss} {method}");
                assert!(holds(model, &data), "{loss} {method} {balanced}");
                let text = model.to_text();
                let read = Model::from_text(&text).unwrap();
                assert_eq!((&read, read.to_text()), (model, text));
                assert!(holds(&read, &model.training_data(&table).unwrap()));
            }
        }
    }
}

#[test]
fn a_class_against_the_rest_is_the_problem_of_two_classes() {
    let table = plane(70, ["red", "green", "blue"]);
    for balanced in [false, true] {
        let coding = Coding::fit(&table, &options(balanced)).unwrap();
        for (class, data) in coding.dataset(&table).unwrap().parts().iter().enumerate() {
            let alone = coding.of_network(class);
            assert_eq!(alone.dataset(&table).unwrap().fingerprint(), data.fingerprint());
            // Trained alone with the same strength, a class reaches the same optimum.
            let (trained, _) = train(&request(Method::Generate), &table, balanced);
            let part = &trained.model.parts()[class];
            let beta = format!("beta={}", trained.model.beta().get());
            let request = request(Method::Generate).with(&beta).unwrap();
            let set = TrainingSet::of_coding(alone, &table).unwrap();
            let Trained { model: other, .. } = train_on(&request, &set);
            let (a, b) = (part.certificate(), other.certificate());
            assert!((a.objective() / b.objective() - 1.0).abs() < 2e-6);
            assert_eq!(Model::from_text(&other.to_text()).unwrap(), other);
            assert!(other.certify(&other.training_data(&table).unwrap()).unwrap().holds());
        }
    }
}

#[test]
fn sampled_patterns_are_drawn_once_for_all_classes() {
    let table = plane(70, ["red", "green", "blue"]);
    let (trained, data) = train(&request(Method::Sample), &table, false);
    let parts = trained.model.parts();
    assert!(parts.iter().all(|part| part.recipe() == parts[0].recipe()));
    let patterns = parts[0].recipe().dictionary(&data, true, 0.0).unwrap().len();
    assert_eq!(trained.patterns, patterns);
}

#[test]
fn certificates_add_up_to_the_weakest_statement() {
    let table = plane(70, ["red", "green", "blue"]);
    let (trained, _) = train(&request(Method::Sample), &table, false);
    let networks = trained.model.parts();
    let sum = trained.model.certificate();
    assert_eq!((sum.scope(), sum.bound()), (Scope::Dictionary, Bound::Dictionary));
    let parts = |value: fn(&Certificate) -> f64| -> f64 {
        networks.iter().map(|part| value(part.certificate())).sum()
    };
    let (objective, bound) = (parts(Certificate::objective), parts(Certificate::lower_bound));
    assert!((sum.objective() / objective - 1.0).abs() < 1e-14 && sum.objective() >= objective);
    assert!((sum.lower_bound() / bound - 1.0).abs() < 1e-14 && sum.lower_bound() <= bound);
    let mixed =
        Certificate::sum(&[networks[0].global().clone(), networks[1].certificate().clone()])
            .unwrap();
    assert_eq!((mixed.scope(), mixed.bound()), (Scope::Dictionary, Bound::Dictionary));
    let global = trained.model.global();
    assert_eq!((global.scope(), global.bound()), (Scope::Global, Bound::Complete));
    assert!(Certificate::sum(&[]).is_none());
}

#[test]
fn names_of_any_kind_and_classes_of_one_row_are_kept() {
    let names = ["a, \"b\"", "ß→é", " two words "];
    let mut text = String::from("x,kind\n");
    for (i, name) in [1, 1, 1, 1, 2, 2, 0].iter().map(|&k| names[k]).enumerate() {
        writeln!(text, "{i},\"{}\"", name.replace('"', "\"\"")).unwrap();
    }
    let table = read(&text);
    let (trained, data) = train(&request(Method::Generate), &table, false);
    let read = Model::from_text(&trained.model.to_text()).unwrap();
    let mut sorted: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
    sorted.sort();
    let kept: Vec<String> =
        read.several_classes().unwrap().iter().map(|name| name.trim().to_owned()).collect();
    assert_eq!(kept, sorted);
    assert!(holds(&read, &data));
    let outputs = read.outputs(&table).unwrap();
    let last: Vec<f64> = outputs.iter().map(|output| output[6]).collect();
    let answer = &read.several_classes().unwrap()[read.class(&last)];
    assert_eq!(answer, names[0], "the class of one row is answered");
}

#[test]
fn whole_numbers_are_classes_where_they_are_asked_to_be() {
    let mut text = String::from("x,y\n");
    (0..30).for_each(|i| writeln!(text, "{i},{}", 10 * (i / 10)).unwrap());
    let table = read(&text);
    let options = CodingOptions { task: Task::Classify, ..CodingOptions::default() };
    let set = TrainingSet::of_table(&table, &options).unwrap();
    assert_eq!(set.coding().target().classes().unwrap(), ["0", "10", "20"]);
    let trained = train_on(&request(Method::Auto), &set);
    assert!(holds(&trained.model, set.data()));
    assert!(Coding::fit(&table, &CodingOptions::default()).unwrap().target().classes().is_none());
}

#[test]
fn probabilities_add_up_and_follow_the_outputs() {
    let table = plane(40, ["red", "green", "blue"]);
    let probabilities = |loss, u: &[f64]| {
        let request = request(Method::Sample).with(&format!("loss={loss}")).unwrap();
        train(&request, &table, false).0.model.probabilities(u)
    };
    assert_eq!(probabilities(LossKind::Squared, &[1.0, 0.0, 0.0]), None);
    for u in [[0.0, 1.0, 2.0], [-800.0, -801.0, -2000.0], [800.0, -800.0, 0.0]] {
        let p = probabilities(LossKind::Logistic, &u).unwrap();
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{p:?}");
        let logistic = u.map(|u| 1.0 / (1.0 + (-u).exp()));
        let sum: f64 = logistic.iter().sum();
        if sum > 0.0 {
            assert!(p.iter().zip(logistic).all(|(p, l)| (p - l / sum).abs() < 1e-12), "{p:?}");
        }
    }
}

#[test]
fn altered_statements_do_not_hold_and_parts_that_do_not_fit_are_refused() {
    let table = plane(30, ["red", "green", "blue"]);
    let (trained, data) = train(&request(Method::Sample), &table, false);
    let model = &trained.model;
    let accepted = |alter: &dyn Fn(&mut Value)| {
        Model::from_text(&altered(model, alter)).is_ok_and(|read| holds(&read, &data))
    };
    assert!(accepted(&|_| {}));
    for class in 0..3 {
        let part = |m: &mut Value| m["networks"][class].clone();
        for (path, factor) in [
            ("certificate.objective", 0.99),
            ("certificate.lower_bound", 1.01),
            ("network.amplitudes.0", 1.1),
        ] {
            assert!(!accepted(&|m| scale(&format!("networks.{class}.{path}"), factor)(m)));
        }
        assert!(!accepted(&|m| m["networks"][(class + 1) % 3] = part(m)));
    }
    assert!(!accepted(&|m| put("beta", 0.77)(m)));
    // Another name is no longer that of the class in the table.
    let renamed = |m: &mut Value| m["coding"]["target"]["several"]["classes"][0] = json!("azure");
    let read = Model::from_text(&altered(model, renamed)).unwrap();
    assert!(read.training_data(&table).unwrap_err().to_string().contains("unknown class"));
    let refused = |alter: &dyn Fn(&mut Value)| {
        Model::from_text(&altered(model, alter)).unwrap_err().to_string()
    };
    let found = refused(&|m| drop(m["networks"].as_array_mut().unwrap().pop()));
    assert_eq!(found, "networks of the model: expected 3, found 2");
    let found = refused(&|m| m["coding"]["target"]["several"]["classes"] = json!(["a", "b"]));
    assert!(found.contains("expected 3 to 1000 classes, found 2"), "{found}");
    let found = refused(&|m| {
        m["coding"]["target"] = json!({"number": {
            "column": m["coding"]["target"]["several"]["column"],
        }})
    });
    assert!(found.starts_with("networks of the model: expected 1"), "{found}");
}
