//! `hardlim weights`: other weights, the same answers and the same certificate.

use super::{Folder, json, number, refused, run, samples};

#[test]
fn every_choice_keeps_objective_certificate_and_answers() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(60));
    let model = folder.model("m", &table, &["--seed", "3", "--method", "sample"]);
    let before = json(&format!("certify {model} {table}"));
    let predicted = run(&["predict", &model, &table]).text(0).to_owned();
    for choice in ["svm", "center", "sparse", "integer"] {
        let small = folder.file(choice);
        let flags = ["weights", &model, &table, "--choice", choice, "-o", &small, "--json"];
        let object = run(&flags).json(0);
        has!(object, { "choice": choice, "holds": true, "n": 60, "model": small });
        assert_eq!(object["objective"], before["objective"]);
        assert_eq!(object["certificate"], before["certificate"]);
        assert_eq!(object["bits"].is_null(), choice != "integer");
        assert!(number(&object["margin_after"]) > 0.0);
        assert_eq!(json(&format!("certify {small} {table}")), before);
        assert_eq!(run(&["predict", &small, &table]).text(0), predicted);
    }
    let widest = json(&format!("weights {model} {table} --choice svm"));
    assert!(number(&widest["margin_after"]) >= number(&widest["margin_before"]));
}

#[test]
fn the_table_tells_what_changed() {
    let folder = Folder::new();
    let model = folder.model("m", "titanic", &["--beta", "10"]);
    let small = folder.file("small");
    run(&["weights", &model, "titanic", "--choice", "integer", "-o", &small]).says(&[
        "integer weights for ",
        "Every neuron gives the same answers on all 2201 training rows. The certificate holds",
        "bits per weight",
        "smallest margin",
        "network ",
        "inputs are whole numbers of ",
        "model written to ",
    ]);
    let object = json(&format!("weights {model} titanic --choice integer"));
    assert!(number(&object["bits"]["max"]) <= 8.0, "{object}");
    assert_eq!(object["kept"], 0);
    let reads = |choice: &str| {
        let object = json(&format!("weights {model} titanic --choice {choice}"));
        number(&object["inputs_after"])
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
        run(&["weights", &model, "line", "--choice", choice]).says(&[
            "layer 1",
            "layer 2",
            "total",
            "add -o MODEL to keep it",
        ]);
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
    let object = run(&flags).json(0);
    let parts = object["classes"].as_array().unwrap();
    let names: Vec<&str> = parts.iter().map(|p| p["class"].as_str().unwrap()).collect();
    assert_eq!(names, ["high", "low", "middle"]);
    let neurons: f64 = parts.iter().map(|part| number(&part["neurons"])).sum();
    assert_eq!(neurons, number(&object["neurons"]));
    assert_eq!(json(&format!("certify {small} {table}"))["holds"], true);
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
