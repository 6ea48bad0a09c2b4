//! `hardlim interpolate`.

use serde_json::Value;

use super::{Folder, json, number, refused, run, run_line, samples};

#[test]
fn a_network_answers_every_target_with_a_proof_of_its_norm() {
    let object = json("interpolate line");
    has!(object, { "feasible": true, "neurons": 2 });
    assert!((number(&object["norm"]) - 3.0).abs() < 1e-9, "{object}");
    let certificate = &object["certificate"];
    has!(certificate, { "scope": "global", "bound": "enumeration" });
    assert!(number(&certificate["relative_gap"]) <= 1e-9, "{object}");
    assert!(number(&certificate["gap"]) >= 0.0, "{object}");
    run_line("interpolate line").says(&[
        "Certified: no two-layer network (all 10 patterns) that fits every target",
        "\n  norm       3.000000001\n",
        "add -o MODEL",
    ]);
}

#[test]
fn the_network_is_kept_and_answers() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(25));
    let model = folder.file("m");
    let object = json(&format!("interpolate {table} -o {model}"));
    has!(object, { "feasible": true, "model": model });
    assert!(number(&object["residual"]) < 1e-11);
    assert_eq!(json(&format!("evaluate {model} {table}"))["accuracy"], 1.0);
    assert_eq!(json(&format!("certify {model} {table}"))["holds"], true);
    let sampled = json(&format!("interpolate {table} --method sample --patterns 400"));
    assert_eq!(sampled["certificate"]["scope"], "dictionary");
    assert!(number(&sampled["norm"]) >= number(&object["norm"]) * (1.0 - 1e-9));
}

#[test]
fn two_neurons_answer_two_classes_where_every_dichotomy_is_possible() {
    let folder = Folder::new();
    let (wide, model) = (folder.write("wide.csv", samples::wide()), folder.file("m"));
    let object = json(&format!("interpolate {wide} -o {model}"));
    has!(object, { "neurons": 2, "method": "complete" });
    assert!((number(&object["norm"]) - 2.0).abs() < 1e-12, "{object}");
    assert_eq!(object["certificate"]["bound"], "complete");
    assert!(number(&object["certificate"]["gap"]) >= 0.0, "{object}");
    assert_eq!(json(&format!("certify {model} {wide}"))["holds"], true);
    let listed = json(&format!("interpolate {wide} --method enumerate"));
    assert_eq!(listed["patterns"], 64);
    assert!((number(&listed["norm"]) - 2.0).abs() < 1e-9, "{listed}");
}

#[test]
fn infeasible_is_an_answer_with_a_proof() {
    let object = json("interpolate titanic");
    has!(object, { "feasible": false, "norm": null, "proof": { "kind": "conflict" } });
    let ran = run_line("interpolate titanic");
    let words = "rows equal to row 1 have the targets -1 and 1";
    ran.says(&[words]);

    let object = json("interpolate line --no-bias");
    has!(object, { "feasible": false, "scope": "global" });
    let proof = &object["proof"];
    has!(proof, { "kind": "separation", "exact": true, "price": 0.0 });
    assert!(number(&proof["miss"]) > 0.49, "{object}");
    run_line("interpolate line --no-bias").says(&["some target is missed by 0.5 or more"]);
    run_line("interpolate line --method sample --patterns 2").says(&["draw more: --patterns"]);
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
    let one = folder.write("one.csv", "a,y\n1,1\n");
    refused(&format!("interpolate {one}"), "expected at least two rows, found 1");
    let class = folder.write("class.csv", "a,y\n1,u\n2,u\n");
    refused(&format!("interpolate {class}"), "expected two classes, found one");
}

#[test]
fn a_proof_that_is_almost_exact_speaks_of_norms_below_a_bound() {
    let line = "interpolate teacher2 --rows 100 --features 8 --method sample --patterns 60";
    let object = json(line);
    has!(object, { "feasible": null, "norm": null });
    let proof = &object["proof"];
    has!(proof, { "exact": false, "miss": null });
    let norm = number(&proof["norm_at_least"]);
    assert!(norm > 1e9 && norm <= number(&proof["product"]) / number(&proof["price"]));
    let ran = run_line(line);
    let words = "Out of reach: no network built from these 60 patterns of norm below ";
    let (_, rest) = ran.text(0).split_once(words).expect("a claim up to a norm");
    let (shown, rest) = rest.split_once(' ').unwrap();
    assert!(rest.starts_with("fits every target.") && !ran.stdout.contains("Infeasible"));
    assert!(shown.parse::<f64>().unwrap() <= norm, "{shown} and {norm}");
    // An exact proof has no such bound.
    let exact = json("interpolate line --no-bias");
    assert_eq!(exact["proof"]["norm_at_least"], Value::Null);
}

#[test]
fn texts_say_when_there_are_no_biases() {
    let ran = run_line("interpolate line --no-bias");
    let words = "Infeasible: no two-layer network without biases fits every target.";
    ran.says(&[words]);
    let folder = Folder::new();
    let table = folder.write("t.csv", "x,y\n1,2\n-1,3\n");
    let ran = run_line(&format!("interpolate {table} --no-bias --method enumerate"));
    let words = "no two-layer network without biases (all 3 patterns) that fits";
    ran.says(&[words]);
    let object = json(&format!("interpolate {table} --no-bias --method enumerate"));
    assert_eq!(object["bias"], false);
}

#[test]
fn only_a_gap_that_was_asked_for_is_exit_code_1() {
    assert_eq!(run_line("interpolate line --gap 1e-17").code, 1);
    assert_eq!(run_line("interpolate line --gap 0.1").code, 0);
    // With little time the default is missed, or nothing is found at all.
    for limit in ["0.05", "0.1", "0.2"] {
        let ran = run_line(&format!(
            "interpolate teacher2 --rows 300 --features 8 --method sample --patterns 3000 \
             --time-limit {limit}"
        ));
        assert!(
            ran.code == 0 || ran.stderr.contains("stopped before"),
            "{} {}",
            ran.code,
            ran.stderr
        );
    }
}
