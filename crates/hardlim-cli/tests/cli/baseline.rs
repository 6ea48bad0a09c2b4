//! `hardlim baseline`.

use std::fs;

use super::{Folder, json, number, refused, run_line};

#[test]
fn a_baseline_is_a_model_like_any_other() {
    let folder = Folder::new();
    let (model, trace, plot) =
        (folder.file("b.hardlim"), folder.file("t.csv"), folder.file("p.svg"));
    let report = json(&format!(
        "baseline titanic --estimator crelu --beta 10 --widths 12 --epochs 20 --learning-rate \
         0.01,0.1 --starts 2 -o {model} --trace {trace} --plot {plot}"
    ));
    has!(report, { "estimator": "crelu", "layers": 2 });
    let runs = report["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 4);
    let objective = number(&report["objective"]);
    let lowest = runs.iter().map(|run| number(&run["objective"])).fold(f64::MAX, f64::min);
    assert!((objective - lowest).abs() <= 1e-9 * objective);
    assert!(number(&report["global"]["lower_bound"]) <= objective);
    assert!(objective <= number(&report["trained"]["as_trained"]) * (1.0 + 1e-12));
    assert_eq!(fs::read_to_string(&trace).expect("there").lines().count(), 1 + 4 * 21);
    assert!(fs::read_to_string(&plot).expect("there").contains("learning rate 0.1"));

    assert_eq!(json(&format!("certify {model} titanic"))["holds"], true);
    let best = json("train titanic --beta 10");
    assert!(number(&best["objective"]) <= objective);
}

#[test]
fn polishing_never_makes_it_worse() {
    let line = "baseline tic-tac-toe --beta 5 --widths 30,20 --epochs 15 --batch 100 --batch-norm \
                --holdout 0.2";
    let (plain, polished) = (json(line), json(&format!("{line} --polish")));
    assert_eq!(plain["trained"], polished["trained"]);
    assert_eq!(plain["layers"], 3);
    let (before, after) = (number(&plain["objective"]), number(&polished["objective"]));
    assert!(after <= before * (1.0 + 1e-6), "{before} {after}");
    assert!(polished["holdout"]["accuracy"].is_number());
}

#[test]
fn the_text_says_what_was_tried_and_what_was_kept() {
    run_line("baseline titanic --beta 10 --widths 8 --epochs 5 --starts 2 --polish").says(&[
        "the surrogate ste, 5 epochs",
        "learning rate  start    as trained     objective",
        "  kept",
        "with the best output weights",
        "add -o MODEL to keep the network",
    ]);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::new();
    let table = folder.write("three.csv", "x,y\n1,a\n2,b\n3,c\n4,a\n");
    refused(&format!("baseline {table}"), "has 3 classes");
}
