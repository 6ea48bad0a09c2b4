//! `hardlim train --cv`.

use super::{json, number, run_line, timeless};

const TRAIN: &str = "train tic-tac-toe --method sample --patterns 150 --cv-points 8";

#[test]
fn the_best_candidate_is_trained_on_everything() {
    let object = json(&format!("{TRAIN} --cv 4 --cv-least 0.01"));
    let cv = &object["cv"];
    let candidates = cv["candidates"].as_array().unwrap();
    assert_eq!((&cv["folds"], &cv["folds_scored"], candidates.len()), (&4.into(), &4.into(), 8));
    assert_eq!(cv["measure"], "accuracy");
    assert_eq!((&candidates[0]["ratio"], &candidates[7]["ratio"]), (&1.0.into(), &0.01.into()));
    let best = candidates.iter().map(|c| number(&c["score"])).fold(0.0, f64::max);
    assert_eq!(number(&cv["score"]), best);
    let first = candidates.iter().find(|c| number(&c["score"]) == best).unwrap();
    assert_eq!((&first["ratio"], &first["error"]), (&cv["ratio"], &cv["error"]));
    let beta = number(&cv["ratio"]) * number(&object["beta_max"]);
    assert!((number(&object["beta"]) / beta - 1.0).abs() < 1e-12);
    assert_eq!(object["n"], 958, "trained on everything");
    assert!(number(&object["certificate"]["relative_gap"]) <= 1e-6);
}

#[test]
fn one_standard_error_prefers_the_larger_strength() {
    let ratio = |rule: &str| json(&format!("{TRAIN} --cv 5 {rule}"))["cv"].clone();
    let (best, nearly) = (ratio(""), ratio("--one-se"));
    assert!(number(&nearly["ratio"]) >= number(&best["ratio"]));
    assert!(number(&nearly["score"]) >= number(&best["score"]) - number(&best["error"]));
    assert_eq!(nearly["one_se"], true);
}

#[test]
fn the_choice_depends_on_the_seed_and_not_on_threads() {
    let one = timeless(&format!("{TRAIN} --cv 3 --threads 1"));
    assert_eq!(one, timeless(&format!("{TRAIN} --cv 3 --threads 3")));
    assert_ne!(one["cv"], timeless(&format!("{TRAIN} --cv 3 --seed 1"))["cv"]);
}

#[test]
fn numbers_weights_and_complete_programs_are_cross_validated() {
    let object = json("train line --method generate --cv 5 --cv-points 4 --intercept");
    assert_eq!(object["cv"]["measure"], "r2");
    let object = json("train titanic --cv 3 --class-weight balanced --patterns 50 --cv-points 4");
    assert!(number(&object["cv"]["score"]) > 0.6);
    let object =
        json("train teacher2 --rows 12 --features 20 --method complete --cv 3 --cv-points 4");
    has!(object, { "method": "complete", "cv": { "folds": 3 } });
}

#[test]
fn the_text_names_the_choice() {
    run_line(&format!("{TRAIN} --cv 3 --holdout 0.2")).says(&[
        "cross-validation: beta-ratio ",
        " ± ",
        "3 folds",
        "of 8 strengths",
        "held out",
    ]);
}

#[test]
fn a_choice_that_runs_out_of_time_says_so() {
    let object = json("train titanic --patterns 50 --cv 3 --time-limit 60");
    assert_eq!(object["cv"]["folds_scored"], 3);
    let object = json("train titanic --patterns 50 --cv 3 --time-limit 0.000001");
    assert_eq!(object["cv"]["folds_scored"], 2);
    let object = json("train titanic --cv 3 --time-limit 0.000001");
    assert_eq!(object["stop"], "time");
}
