//! Targets of three classes or more, in every command.

use serde_json::Value;

use super::{Folder, run};

/// Three classes in the plane; one name has a comma, one quotes, one is not ASCII.
fn plane(rows: usize) -> String {
    let names = [r#""a, b""#, r#""the ""other""""#, "zürich"];
    let row = |i: usize| {
        let (a, b) = ((i * 7 % 11) as f64 - 5.0, (i * 5 % 13) as f64 - 6.0);
        let class = if a + b > 2.0 { 0 } else { 1 + usize::from(a > b) };
        format!("{a},{b},{}\n", names[class])
    };
    "a,b,kind\n".to_owned() + &(0..rows).map(row).collect::<String>()
}

const NAMES: [&str; 3] = ["a, b", "the \"other\"", "zürich"];

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, not {value}"))
}

#[test]
fn training_names_every_class_and_adds_the_certificates_up() {
    let folder = Folder::new();
    let table = folder.write("t.csv", plane(80));
    for method in ["sample", "generate"] {
        let flags = ["train", &table, "--method", method, "--holdout", "0.2", "--json"];
        let json = run(&flags).json(0);
        assert_eq!(json["classes"], serde_json::json!(NAMES));
        let parts = json["certificates"].as_array().unwrap();
        let names: Vec<&str> = parts.iter().map(|p| p["class"].as_str().unwrap()).collect();
        assert_eq!(names, NAMES);
        for (field, whole) in [
            ("objective", &json["objective"]),
            ("lower_bound", &json["certificate"]["lower_bound"]),
            ("neurons", &json["neurons"]),
        ] {
            let sum: f64 = parts.iter().map(|part| number(&part[field])).sum();
            assert!((sum / number(whole) - 1.0).abs() < 1e-12, "{field}: {json}");
        }
        let scope = if method == "sample" { "dictionary" } else { "global" };
        assert_eq!(json["certificate"]["scope"], scope);
        assert_eq!((&json["global"]["scope"], &json["n"]), (&"global".into(), &63.into()));
        assert!(number(&json["certificate"]["relative_gap"]) <= 1e-6);
        assert!(number(&json["train"]["accuracy"]) > 0.8);
        assert!(json["holdout"]["accuracy"].is_number());
    }
    let ran = run(&["train", &table, "--method", "sample", "--patterns", "100"]);
    for words in [
        "target kind: 3 classes, a, b (",
        "patterns, one for each class, is better by more than ",
        "(the sum over 3 classes)",
        "zürich",
        "total",
        "training   accuracy ",
    ] {
        assert!(ran.text(0).contains(words), "{words:?} is not in\n{}", ran.stdout);
    }
}

#[test]
fn answers_are_names_with_an_output_for_each_class() {
    let folder = Folder::new();
    let table = folder.write("t.csv", plane(80));
    let model = folder.model("m", &table, &["--loss", "logistic"]);
    let json = run(&["predict", &model, &table, "--json"]).json(0);
    assert_eq!((&json["n"], &json["classes"]), (&80.into(), &serde_json::json!(NAMES)));
    assert_eq!(json["outputs"][0].as_array().unwrap().len(), 3);
    let sum: f64 = json["probabilities"][0].as_array().unwrap().iter().map(number).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    let ran = run(&["predict", &model, &table]);
    let header = "prediction,\"output=a, b\",\"output=the \"\"other\"\"\",output=zürich,\
                  \"probability=a, b\",\"probability=the \"\"other\"\"\",probability=zürich\n";
    assert!(ran.text(0).starts_with(header), "{}", ran.stdout);
    let scores = run(&["evaluate", &model, &table, "--json"]).json(0);
    assert_eq!(scores["confusion"].as_array().unwrap().len(), 3);
    assert!(number(&scores["accuracy"]) > 0.8 && number(&scores["auc"]) > 0.9);
    assert!(number(&scores["log_loss"]) < 1.1);
    let squared = folder.model("s", &table, &["--method", "sample"]);
    let json = run(&["evaluate", &squared, &table, "--json"]).json(0);
    assert!(json["log_loss"].is_null());
    let ran = run(&["evaluate", &squared, &table]);
    assert!(ran.text(0).contains("-> zürich"), "{}", ran.stdout);
    let text = run(&["predict", &squared, &table]).text(0).to_owned();
    assert!(!text.contains("probability="));
}

#[test]
fn every_class_is_certified_again() {
    let folder = Folder::new();
    let table = folder.write("t.csv", plane(80));
    let model = folder.model("m", &table, &["--holdout", "0.25", "--beta-ratio", "0.05"]);
    let json = run(&["certify", &model, &table, "--json"]).json(0);
    assert_eq!(json["holds"], true);
    assert_eq!(json["certificates"][2]["class"], NAMES[2]);
    assert!(number(&json["certificate"]["relative_gap"]) <= 1e-6);
    let ran = run(&["certify", &model, &table]);
    assert!(ran.text(0).starts_with("The certificates of all classes hold"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nclass zürich\n"));
    let other = folder.write("o.csv", plane(79));
    assert!(run(&["certify", &model, &other]).text(1).contains("is about other data"));
    let json = run(&["certify", &model, &other, "--json"]).json(1);
    assert_eq!(json["holds"], false);
}

#[test]
fn strengths_are_chosen_for_all_classes_together() {
    let folder = Folder::new();
    let table = folder.write("t.csv", plane(60));
    let flags = ["--method", "sample", "--patterns", "100", "--cv", "3", "--cv-points", "4"];
    let json = run(&[&["train", &table, "--json"], &flags[..]].concat()).json(0);
    assert_eq!((&json["cv"]["measure"], &json["cv"]["folds"]), (&"accuracy".into(), &3.into()));
    let beta = number(&json["cv"]["ratio"]) * number(&json["beta_max"]);
    assert!((number(&json["beta"]) / beta - 1.0).abs() < 1e-12);
}

#[test]
fn what_follows_one_network_says_what_to_do() {
    let folder = Folder::new();
    let table = folder.write("t.csv", plane(40));
    let error = run(&["path", &table]);
    let words = "the target \"kind\" has 3 classes, but a path follows one network: ";
    assert!(error.error().starts_with(words), "{}", error.stderr);
    let trace = folder.file("trace.csv");
    let error = run(&["train", &table, "--trace", &trace]);
    assert!(error.error().starts_with("--trace follows one network"), "{}", error.stderr);
}

#[test]
fn numbers_are_classes_where_they_are_asked_to_be() {
    let folder = Folder::new();
    let text: String = (0..30).map(|i| format!("{i},{}\n", i / 10)).collect();
    let table = folder.write("t.csv", format!("x,y\n{text}"));
    assert!(run(&["train", &table, "--json"]).json(0)["train"]["r2"].is_number());
    let json = run(&["train", &table, "--task", "classify", "--json"]).json(0);
    assert_eq!(json["classes"], serde_json::json!(["0", "1", "2"]));
    let halves = folder.write("h.csv", format!("x,y\n{text}30,0.5\n"));
    let error = run(&["train", &halves, "--task", "classify"]);
    assert!(error.error().contains("0.5 is one of 4 values and not a whole number"));
}
