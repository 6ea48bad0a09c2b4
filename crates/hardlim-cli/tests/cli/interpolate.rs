//! `hardlim interpolate`.

use serde_json::Value;

use super::{Folder, json, refused, run, run_line, samples};

#[test]
fn a_network_answers_every_target_with_a_proof_of_its_norm() {
    let object = json("interpolate line");
    assert_eq!((&object["feasible"], &object["neurons"]), (&true.into(), &2.into()));
    assert!((object["norm"].as_f64().unwrap() - 3.0).abs() < 1e-9, "{object}");
    let certificate = &object["certificate"];
    assert_eq!(certificate["scope"], "global");
    assert_eq!(certificate["bound"], "enumeration");
    assert!(certificate["relative_gap"].as_f64().unwrap() <= 1e-9, "{object}");
    assert!(certificate["gap"].as_f64().unwrap() >= 0.0, "{object}");
    let ran = run_line("interpolate line");
    for words in [
        "Certified: no two-layer network (10 patterns, all there are) that answers every target",
        "\n  norm       3\n",
        "add -o MODEL",
    ] {
        assert!(ran.text(0).contains(words), "{words:?} is not in\n{}", ran.stdout);
    }
}

#[test]
fn the_network_is_kept_and_answers() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(25));
    let model = folder.file("m");
    let object = json(&format!("interpolate {table} -o {model}"));
    assert_eq!((&object["feasible"], &object["model"]), (&true.into(), &model.as_str().into()));
    assert!(object["residual"].as_f64().unwrap() < 1e-11);
    assert_eq!(json(&format!("evaluate {model} {table}"))["accuracy"], 1.0);
    assert_eq!(json(&format!("certify {model} {table}"))["holds"], true);
    let sampled = json(&format!("interpolate {table} --method sample --patterns 400"));
    assert_eq!(sampled["certificate"]["scope"], "dictionary");
    assert!(sampled["norm"].as_f64().unwrap() >= object["norm"].as_f64().unwrap() * (1.0 - 1e-9));
}

#[test]
fn two_neurons_answer_two_classes_where_every_dichotomy_is_possible() {
    let folder = Folder::new();
    let (wide, model) = (folder.write("wide.csv", samples::wide()), folder.file("m"));
    let object = json(&format!("interpolate {wide} -o {model}"));
    assert_eq!((&object["neurons"], &object["method"]), (&2.into(), &"complete".into()));
    assert!((object["norm"].as_f64().unwrap() - 2.0).abs() < 1e-12, "{object}");
    assert_eq!(object["certificate"]["bound"], "complete");
    assert!(object["certificate"]["gap"].as_f64().unwrap() >= 0.0, "{object}");
    assert_eq!(json(&format!("certify {model} {wide}"))["holds"], true);
    let listed = json(&format!("interpolate {wide} --method enumerate"));
    assert_eq!(listed["patterns"], 64);
    assert!((listed["norm"].as_f64().unwrap() - 2.0).abs() < 1e-9, "{listed}");
}

#[test]
fn infeasible_is_an_answer_with_a_proof() {
    let object = json("interpolate titanic");
    assert_eq!((&object["feasible"], &object["norm"]), (&false.into(), &Value::Null));
    assert_eq!(object["proof"]["kind"], "conflict");
    let ran = run_line("interpolate titanic");
    let words = "rows equal to row 1 have the targets -1 and 1";
    assert!(ran.text(0).contains(words), "{}", ran.stdout);

    let object = json("interpolate line --no-bias");
    assert_eq!((&object["feasible"], &object["scope"]), (&false.into(), &"global".into()));
    let proof = &object["proof"];
    assert_eq!((&proof["kind"], &proof["exact"]), (&"separation".into(), &true.into()));
    assert_eq!(proof["price"], 0.0);
    assert!(proof["miss"].as_f64().unwrap() > 0.49, "{object}");
    let ran = run_line("interpolate line --no-bias");
    assert!(ran.text(0).contains("some target is missed by 0.5 or more"), "{}", ran.stdout);
    let few = run_line("interpolate line --method sample --patterns 2");
    assert!(few.text(0).contains("draw more: --patterns"), "{}", few.stdout);
}

#[test]
fn no_network_to_write_is_exit_code_1() {
    let folder = Folder::new();
    let ran = run(&["interpolate", "titanic", "-o", &folder.file("m")]);
    assert!(ran.text(1).starts_with("titanic"), "{}", ran.stdout);
    assert!(folder.names().is_empty());
}

#[test]
fn wrong_input_is_refused() {
    let folder = Folder::new();
    refused("interpolate line --method complete", "5 distinct rows have rank 2, not 5");
    refused("interpolate tic-tac-toe --method enumerate", "use the method generate or sample");
    let one = folder.write("one.csv", "a,y\n1,1\n");
    refused(&format!("interpolate {one}"), "expected at least two rows, found 1");
    let class = folder.write("class.csv", "a,y\n1,u\n2,u\n");
    refused(&format!("interpolate {class}"), "expected two classes, found one");
}
