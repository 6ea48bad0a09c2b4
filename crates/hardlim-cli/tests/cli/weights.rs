//! `hardlim weights`: other weights, the same answers and the same certificate.

use serde_json::Value;

use super::{Folder, refused, run, samples};

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, not {value}"))
}

#[test]
fn every_choice_keeps_objective_certificate_and_answers() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(60));
    let model = folder.model("m", &table, &["--seed", "3", "--method", "sample"]);
    let before = run(&["certify", &model, &table, "--json"]).json(0);
    let predicted = run(&["predict", &model, &table]).text(0).to_owned();
    for choice in ["svm", "center", "sparse", "integer"] {
        let small = folder.file(choice);
        let flags = ["weights", &model, &table, "--choice", choice, "-o", &small, "--json"];
        let json = run(&flags).json(0);
        assert_eq!((&json["choice"], &json["holds"]), (&choice.into(), &true.into()));
        assert_eq!((&json["n"], &json["model"]), (&60.into(), &small.as_str().into()));
        assert_eq!(json["objective"], before["objective"]);
        assert_eq!(json["certificate"], before["certificate"]);
        assert_eq!(json["bits"].is_null(), choice != "integer");
        assert!(number(&json["margin_after"]) > 0.0);
        assert_eq!(run(&["certify", &small, &table, "--json"]).json(0), before);
        assert_eq!(run(&["predict", &small, &table]).text(0), predicted);
    }
    let widest = run(&["weights", &model, &table, "--choice", "svm", "--json"]).json(0);
    assert!(number(&widest["margin_after"]) >= number(&widest["margin_before"]));
}

#[test]
fn the_table_tells_what_changed() {
    let folder = Folder::new();
    let model = folder.model("m", "titanic", &["--beta", "10"]);
    let small = folder.file("small");
    let ran = run(&["weights", &model, "titanic", "--choice", "integer", "-o", &small]);
    for words in [
        "integer weights for ",
        "Every neuron gives the same answers on all 2201 training rows. The certificate holds",
        "bits per weight",
        "smallest margin",
        "network ",
        "inputs are whole numbers of ",
        "model written to ",
    ] {
        assert!(ran.text(0).contains(words), "{words:?} is not in\n{}", ran.stdout);
    }
    let json = run(&["weights", &model, "titanic", "--choice", "integer", "--json"]).json(0);
    assert!(number(&json["bits"]["max"]) <= 8.0, "{json}");
    assert_eq!(json["kept"], 0);
    let reads = |choice: &str| {
        let json = run(&["weights", &model, "titanic", "--choice", choice, "--json"]).json(0);
        number(&json["inputs_after"])
    };
    // Here the widest margin needs no more inputs, but the centre of a cell does.
    assert!(reads("sparse") <= reads("svm"));
    assert!(reads("sparse") < reads("center"));
}

#[test]
fn deep_networks_and_several_classes_have_a_line_for_each() {
    let folder = Folder::new();
    let flags = ["--method", "enumerate", "--widths", "2", "--beta", "0.1"];
    let model = folder.model("deep", "line", &flags);
    for choice in ["svm", "sparse", "integer", "center"] {
        let ran = run(&["weights", &model, "line", "--choice", choice]);
        for words in ["layer 1", "layer 2", "total", "add -o MODEL to keep it"] {
            assert!(ran.text(0).contains(words), "{words:?} is not in\n{}", ran.stdout);
        }
    }
    let classes = (0..60).map(|i| {
        let (a, b) = ((i * 7 % 11) as f64 * 0.5, (i * 5 % 13) as f64 - 6.0);
        let class = if a + b > 2.0 { "high" } else { ["low", "middle"][usize::from(a > b)] };
        format!("{a},{b},{class}\n")
    });
    let table = folder.write("c.csv", "a,b,kind\n".to_owned() + &classes.collect::<String>());
    let model = folder.model("classes", &table, &[]);
    let small = folder.file("small");
    let flags = ["weights", &model, &table, "--choice", "integer", "-o", &small, "--json"];
    let json = run(&flags).json(0);
    let parts = json["classes"].as_array().unwrap();
    let names: Vec<&str> = parts.iter().map(|p| p["class"].as_str().unwrap()).collect();
    assert_eq!(names, ["high", "low", "middle"]);
    let neurons: f64 = parts.iter().map(|part| number(&part["neurons"])).sum();
    assert_eq!(neurons, number(&json["neurons"]));
    assert_eq!(run(&["certify", &small, &table, "--json"]).json(0)["holds"], true);
}

#[test]
fn training_chooses_the_same_way() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(60));
    for weights in ["svm", "center", "sparse", "integer"] {
        let model = folder.model(weights, &table, &["--weights", weights, "--max-inputs", "1"]);
        assert_eq!(run(&["certify", &model, &table, "--json"]).json(0)["holds"], true);
    }
    let flags = ["--method", "enumerate", "--widths", "2", "--beta", "0.1", "--weights", "integer"];
    let model = folder.model("deep", "line", &flags);
    assert!(std::fs::read_to_string(&model).unwrap().contains("\"grid\":"));
    assert_eq!(run(&["certify", &model, "line", "--json"]).json(0)["holds"], true);
}

#[test]
fn what_cannot_be_is_refused_with_its_reason() {
    let folder = Folder::new();
    let model = folder.model("m", "titanic", &["--beta", "10"]);
    let line = format!("weights {model} tic-tac-toe --choice svm");
    refused(&line, "tic-tac-toe");
    let table = folder.write("t.csv", samples::labelled(60));
    let other = folder.write("other.csv", samples::labelled(50));
    let sampled = folder.model("sampled", &table, &["--method", "sample"]);
    let line = format!("weights {sampled} {other} --choice svm -o {}", folder.file("none"));
    refused(&line, "the data are not the training data of the model");
    assert!(!folder.names().contains(&"none".to_owned()));
    refused(&format!("weights {model} titanic --choice pi"), "full rank");
    let line = format!("weights {model} titanic --choice svm --input-bits 8");
    refused(&line, "--input-bits needs --choice integer");
    refused(&format!("weights {model} titanic --choice svm -o /nowhere/m"), "/nowhere");
    refused(&format!("weights {} titanic --choice svm", folder.file("gone")), "gone");
    for choice in ["sampled", "heavy"] {
        let ran = run(&["weights", &model, "titanic", "--choice", choice]);
        assert!(ran.usage().contains("expected svm, center, sparse, integer or pi"));
    }
}
