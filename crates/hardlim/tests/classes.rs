//! Several classes: a network and a certificate for each, in one file.

mod seal;

use std::fmt::Write as _;

use hardlim::certificate::{Bound, Certificate, Scope};
use hardlim::data::{Coding, CodingOptions, Dataset, ReadOptions, Table, Task};
use hardlim::loss::LossKind;
use hardlim::network::{Check, Classifier, Model, Stored};
use hardlim::train::{Method, Strength, Trained, TrainedClasses, Trainer};
use seal::sealed;
use serde_json::{Value, json};

/// Three classes in the plane, by the angle, with some rows twice.
fn plane(rows: usize, names: [&str; 3]) -> Table {
    let row = |i: usize| {
        let (a, b) = ((i * 7 % 11) as f64 - 5.0, (i * 5 % 13) as f64 - 6.0);
        let class = if a + b > 2.0 { 0 } else { 1 + usize::from(a > b) };
        format!("{a},{b},\"{}\"\n", names[class].replace('"', "\"\""))
    };
    table(&("a,b,kind\n".to_owned() + &(0..rows).map(row).collect::<String>()))
}

fn table(text: &str) -> Table {
    Table::read(text.as_bytes(), "t.csv", &ReadOptions::default()).expect("a table")
}

fn options(balanced: bool) -> CodingOptions {
    CodingOptions { balanced, ..CodingOptions::default() }
}

fn train(trainer: &Trainer<'_>, table: &Table, balanced: bool) -> (TrainedClasses, Vec<Dataset>) {
    let coding = Coding::fit(table, &options(balanced)).expect("a coding");
    let data = coding.datasets(table).expect("training sets");
    let trained = trainer.train_classes(&data, coding, None, |_| ()).expect("a classifier");
    (trained, data)
}

fn holds(classifier: &Classifier, data: &[Dataset]) -> bool {
    let checks = classifier.certify_within(data, 1 << 30).expect("checked");
    checks.iter().all(Check::holds)
}

fn trainer(method: Method) -> Trainer<'static> {
    Trainer { method, patterns: 60, seed: 1, ..Trainer::default() }
}

#[test]
fn every_class_is_certified_and_the_file_is_bit_exact() {
    let table = plane(70, ["red", "green", "blue"]);
    for loss in [LossKind::Squared, LossKind::Logistic, LossKind::Hinge] {
        for method in [Method::Sample, Method::Generate] {
            for balanced in [false, true] {
                let trainer = Trainer { loss, ..trainer(method) };
                let (trained, data) = train(&trainer, &table, balanced);
                let classifier = &trained.classifier;
                assert_eq!(classifier.classes(), ["blue", "green", "red"]);
                for model in classifier.models() {
                    let gap = model.certificate.relative_gap();
                    assert!((0.0..=1e-6).contains(&gap), "{loss} {method}: {gap}");
                    let beta = 0.05 * trained.beta_max;
                    assert!((model.beta.get() / beta - 1.0).abs() < 1e-12, "{loss} {method}");
                }
                assert!(holds(classifier, &data), "{loss} {method} {balanced}");
                let text = classifier.to_text();
                let read = Classifier::from_text(&text).unwrap();
                assert_eq!((&read, read.to_text()), (classifier, text));
                assert!(holds(&read, &classifier.training_data(&table).unwrap()));
            }
        }
    }
}

#[test]
fn a_class_against_the_rest_is_the_problem_of_two_classes() {
    let table = plane(70, ["red", "green", "blue"]);
    for balanced in [false, true] {
        let coding = Coding::fit(&table, &options(balanced)).unwrap();
        for (class, data) in coding.datasets(&table).unwrap().iter().enumerate() {
            let alone = coding.against_rest(class);
            assert_eq!(alone.dataset(&table).unwrap().fingerprint(), data.fingerprint());
            // Trained alone with the same strength, a class reaches the same optimum.
            let (trained, _) = train(&trainer(Method::Generate), &table, balanced);
            let model = &trained.classifier.models()[class];
            let trainer =
                Trainer { strength: Strength::Beta(model.beta), ..trainer(Method::Generate) };
            let Trained { model: other, .. } = trainer.train(data, alone, None).unwrap();
            let [a, b] = [model, &other].map(|model| model.certificate);
            assert!((a.objective() / b.objective() - 1.0).abs() < 2e-6);
            assert_eq!(Model::from_text(&other.to_text()).unwrap(), other);
            assert!(other.certify(&other.training_data(&table).unwrap()).unwrap().holds());
        }
    }
}

#[test]
fn sampled_patterns_are_drawn_once_for_all_classes() {
    let table = plane(70, ["red", "green", "blue"]);
    let (trained, data) = train(&trainer(Method::Sample), &table, false);
    let models = trained.classifier.models();
    assert!(models.iter().all(|model| model.recipe == models[0].recipe));
    let patterns = models[0].recipe.dictionary(&data[0], true).unwrap().len();
    assert_eq!(trained.patterns, patterns);
}

#[test]
fn certificates_add_up_to_the_weakest_statement() {
    let table = plane(70, ["red", "green", "blue"]);
    let (trained, _) = train(&trainer(Method::Sample), &table, false);
    let models = trained.classifier.models();
    let sum = trained.classifier.certificate();
    assert_eq!((sum.scope(), sum.bound()), (Scope::Dictionary, Bound::Dictionary));
    let parts = |value: fn(&Certificate) -> f64| -> f64 {
        models.iter().map(|model| value(&model.certificate)).sum()
    };
    let (objective, bound) = (parts(Certificate::objective), parts(Certificate::lower_bound));
    assert!((sum.objective() / objective - 1.0).abs() < 1e-14 && sum.objective() >= objective);
    assert!((sum.lower_bound() / bound - 1.0).abs() < 1e-14 && sum.lower_bound() <= bound);
    let mixed = Certificate::sum(&[models[0].global, models[1].certificate]).unwrap();
    assert_eq!((mixed.scope(), mixed.bound()), (Scope::Dictionary, Bound::Dictionary));
    let global = trained.classifier.global();
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
    let table = table(&text);
    let (trained, data) = train(&trainer(Method::Generate), &table, false);
    let read = Classifier::from_text(&trained.classifier.to_text()).unwrap();
    let mut sorted: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
    sorted.sort();
    let kept: Vec<String> = read.classes().iter().map(|name| name.trim().to_owned()).collect();
    assert_eq!(kept, sorted);
    assert!(holds(&read, &data));
    let outputs = read.outputs(&table).unwrap();
    assert_eq!(read.answer(&outputs[6]), names[0], "the class of one row is answered");
}

#[test]
fn whole_numbers_are_classes_where_they_are_asked_to_be() {
    let mut text = String::from("x,y\n");
    (0..30).for_each(|i| writeln!(text, "{i},{}", 10 * (i / 10)).unwrap());
    let table = table(&text);
    let options = CodingOptions { task: Task::Classify, ..CodingOptions::default() };
    let coding = Coding::fit(&table, &options).unwrap();
    assert_eq!(coding.target().classes().unwrap(), ["0", "10", "20"]);
    let data = coding.datasets(&table).unwrap();
    let trained = trainer(Method::Auto).train_classes(&data, coding, None, |_| ()).unwrap();
    assert!(holds(&trained.classifier, &data));
    assert!(Coding::fit(&table, &CodingOptions::default()).unwrap().target().classes().is_none());
}

#[test]
fn probabilities_add_up_and_follow_the_outputs() {
    let table = plane(40, ["red", "green", "blue"]);
    let probabilities = |loss, u: &[f64]| {
        let trainer = Trainer { loss, ..trainer(Method::Sample) };
        train(&trainer, &table, false).0.classifier.probabilities(u)
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
fn any_altered_byte_is_an_error() {
    let table = plane(12, ["red", "green", "blue"]);
    let text = train(&trainer(Method::Sample), &table, false).0.classifier.to_text();
    for at in 0..text.len() {
        for mask in [0x01, 0x10, 0x20] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= mask;
            if let Ok(text) = String::from_utf8(bytes) {
                assert!(Stored::from_text(&text).is_err(), "byte {at}");
            }
        }
    }
}

/// The text of a classifier with something altered, and its checksum made to fit.
fn altered(classifier: &Classifier, alter: impl FnOnce(&mut Value)) -> String {
    let mut fields: Value = serde_json::from_str(&classifier.to_text()).expect("JSON");
    alter(&mut fields);
    let mut text = format!("{{\n  \"hardlim\": {},\n", fields["hardlim"]);
    for (name, value) in fields.as_object().expect("fields") {
        if name != "hardlim" && name != "checksum" {
            writeln!(text, "  {name:?}: {value},").expect("writing to a string");
        }
    }
    sealed(&text)
}

#[test]
fn altered_statements_do_not_hold_and_parts_that_do_not_fit_are_refused() {
    let table = plane(30, ["red", "green", "blue"]);
    let (trained, data) = train(&trainer(Method::Sample), &table, false);
    let classifier = &trained.classifier;
    let accepted = |alter: &dyn Fn(&mut Value)| {
        Classifier::from_text(&altered(classifier, alter)).is_ok_and(|read| holds(&read, &data))
    };
    assert!(accepted(&|_| {}));
    for class in 0..3 {
        let scale = |value: &mut Value, by: f64| *value = json!(value.as_f64().unwrap() * by);
        let part = |m: &mut Value| m["classes"][class].clone();
        assert!(!accepted(&|m| scale(&mut m["classes"][class]["certificate"]["objective"], 0.99)));
        assert!(!accepted(&|m| scale(
            &mut m["classes"][class]["certificate"]["lower_bound"],
            1.01
        )));
        assert!(!accepted(&|m| scale(&mut m["classes"][class]["network"]["amplitudes"][0], 1.1)));
        assert!(!accepted(&|m| m["classes"][(class + 1) % 3] = part(m)));
    }
    assert!(!accepted(&|m| m["beta"] = json!(0.77)));
    // Another name is no longer that of the class in the table.
    let renamed = |m: &mut Value| m["coding"]["target"]["several"]["classes"][0] = json!("azure");
    let read = Classifier::from_text(&altered(classifier, renamed)).unwrap();
    assert!(read.training_data(&table).unwrap_err().to_string().contains("unknown class"));
    let refused = |alter: &dyn Fn(&mut Value)| {
        Stored::from_text(&altered(classifier, alter)).unwrap_err().to_string()
    };
    let found = refused(&|m| drop(m["classes"].as_array_mut().unwrap().pop()));
    assert_eq!(found, "classes with a network: expected 3, found 2");
    let found = refused(&|m| m["coding"]["target"]["several"]["classes"] = json!(["a", "b"]));
    assert!(found.contains("expected 3 to 1000 classes, found 2"), "{found}");
    let found = refused(&|m| {
        m["coding"]["target"] = json!({"number": {
            "column": m["coding"]["target"]["several"]["column"],
        }})
    });
    assert!(found.starts_with("classes with a network: expected 0"), "{found}");
    assert!(refused(&|m| m["more"] = json!(1)).starts_with("unknown field `more`"));
    let found = Model::from_text(&classifier.to_text()).unwrap_err().to_string();
    assert_eq!(found, "it has version 2, this program reads 1");
}

#[test]
fn a_file_of_one_network_still_reads() {
    let table = table("a,y\n1,no\n2,yes\n3,no\n");
    let coding = Coding::fit(&table, &CodingOptions::default()).unwrap();
    let data = coding.dataset(&table).unwrap();
    let model = Trainer::default().train(&data, coding, None).unwrap().model;
    assert_eq!(Stored::from_text(&model.to_text()).unwrap(), Stored::Model(Box::new(model)));
}
