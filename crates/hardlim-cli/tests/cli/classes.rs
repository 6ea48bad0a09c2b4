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
        let object = json(&format!("train {table} --method {method} --holdout 0.2"));
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
        has!(object, { "classes": NAMES, "certificate": { "scope": scope }, "n": 63 });
        assert!(number(&object["certificate"]["relative_gap"]) <= 1e-6);
        assert!(number(&object["train"]["accuracy"]) > 0.8);
        assert!(object["holdout"]["accuracy"].is_number());
    }
    run(&["train", &table, "--method", "sample", "--patterns", "100"]).says(&[
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
    run(&["evaluate", &squared, &table]).says(&["-> zürich"]);
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
