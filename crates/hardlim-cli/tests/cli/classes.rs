//! Targets of three classes or more, in every command.

use super::{Folder, json, number, run};

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

#[test]
fn training_names_every_class_and_adds_the_certificates_up() {
    let folder = Folder::new();
    let table = folder.write("t.csv", plane(80));
    for method in ["sample", "generate"] {
        let flags = ["train", &table, "--method", method, "--holdout", "0.2", "--json"];
        let object = run(&flags).json(0);
        assert_eq!(object["classes"], serde_json::json!(NAMES));
        let parts = object["certificates"].as_array().unwrap();
        let names: Vec<&str> = parts.iter().map(|p| p["class"].as_str().unwrap()).collect();
        assert_eq!(names, NAMES);
        for (field, whole) in [
            ("objective", &object["objective"]),
            ("lower_bound", &object["certificate"]["lower_bound"]),
            ("neurons", &object["neurons"]),
        ] {
            let sum: f64 = parts.iter().map(|part| number(&part[field])).sum();
            assert!((sum / number(whole) - 1.0).abs() < 1e-12, "{field}: {object}");
        }
        let scope = if method == "sample" { "dictionary" } else { "global" };
        assert_eq!(object["certificate"]["scope"], scope);
        has!(object, { "global": { "scope": "global" }, "n": 63 });
        assert!(number(&object["certificate"]["relative_gap"]) <= 1e-6);
        assert!(number(&object["train"]["accuracy"]) > 0.8);
        assert!(object["holdout"]["accuracy"].is_number());
    }
    let ran = run(&["train", &table, "--method", "sample", "--patterns", "100"]);
    ran.says(&[
        "target kind: 3 classes, a, b (",
        "patterns, one for each class, is better by more than ",
        "(the sum over 3 classes)",
        "zürich",
        "total",
        "training   accuracy ",
    ]);
}

#[test]
fn answers_are_names_with_an_output_for_each_class() {
    let folder = Folder::new();
    let table = folder.write("t.csv", plane(80));
    let model = folder.model("m", &table, &["--loss", "logistic"]);
    let object = json(&format!("predict {model} {table}"));
    has!(object, { "n": 80, "classes": NAMES });
    assert_eq!(object["outputs"][0].as_array().unwrap().len(), 3);
    let sum: f64 = object["probabilities"][0].as_array().unwrap().iter().map(number).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    let ran = run(&["predict", &model, &table]);
    let header = "prediction,\"output=a, b\",\"output=the \"\"other\"\"\",output=zürich,\
                  \"probability=a, b\",\"probability=the \"\"other\"\"\",probability=zürich\n";
    assert!(ran.text(0).starts_with(header), "{}", ran.stdout);
    let scores = json(&format!("evaluate {model} {table}"));
    assert_eq!(scores["confusion"].as_array().unwrap().len(), 3);
    assert!(number(&scores["accuracy"]) > 0.8 && number(&scores["auc"]) > 0.9);
    assert!(number(&scores["log_loss"]) < 1.1);
    let squared = folder.model("s", &table, &["--method", "sample"]);
    let object = json(&format!("evaluate {squared} {table}"));
    assert!(object["log_loss"].is_null());
    let ran = run(&["evaluate", &squared, &table]);
    ran.says(&["-> zürich"]);
    let text = run(&["predict", &squared, &table]).text(0).to_owned();
    assert!(!text.contains("probability="));
}

#[test]
fn every_class_is_certified_again() {
    let folder = Folder::new();
    let table = folder.write("t.csv", plane(80));
    let model = folder.model("m", &table, &["--holdout", "0.25", "--beta-ratio", "0.05"]);
    let object = json(&format!("certify {model} {table}"));
    assert_eq!(object["holds"], true);
    assert_eq!(object["certificates"][2]["class"], NAMES[2]);
    assert!(number(&object["certificate"]["relative_gap"]) <= 1e-6);
    let ran = run(&["certify", &model, &table]);
    assert!(ran.text(0).starts_with("The certificates of all classes hold"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nclass zürich\n"));
    let other = folder.write("o.csv", plane(79));
    assert!(run(&["certify", &model, &other]).text(1).contains("is about other data"));
    let object = run(&["certify", &model, &other, "--json"]).json(1);
    assert_eq!(object["holds"], false);
}

#[test]
fn strengths_are_chosen_for_all_classes_together() {
    let folder = Folder::new();
    let table = folder.write("t.csv", plane(60));
    let flags = ["--method", "sample", "--patterns", "100", "--cv", "3", "--cv-points", "4"];
    let object = run(&[&["train", &table, "--json"], &flags[..]].concat()).json(0);
    has!(object, { "cv": { "measure": "accuracy", "folds": 3 } });
    let beta = number(&object["cv"]["ratio"]) * number(&object["beta_max"]);
    assert!((number(&object["beta"]) / beta - 1.0).abs() < 1e-12);
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
    assert!(json(&format!("train {table}"))["train"]["r2"].is_number());
    let object = json(&format!("train {table} --task classify"));
    assert_eq!(object["classes"], serde_json::json!(["0", "1", "2"]));
    let halves = folder.write("h.csv", format!("x,y\n{text}30,0.5\n"));
    let error = run(&["train", &halves, "--task", "classify"]);
    assert!(error.error().contains("0.5 is one of 4 values and not a whole number"));
}
