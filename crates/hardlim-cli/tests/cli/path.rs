//! `hardlim path`.

use std::fs;

use serde_json::Value;

use super::{Folder, json, number, run_line, says, timeless};

fn points(object: &Value) -> &[Value] {
    object["points"].as_array().expect("points")
}

#[test]
fn a_path_falls_from_the_zero_network_to_the_least_strength() {
    let object = json("path titanic --points 8 --least 0.01 --holdout 0.3 --patterns 200");
    let points = points(&object);
    assert_eq!(points.len(), 8);
    assert_eq!(points[0]["beta"], object["beta_max"]);
    assert_eq!((&points[0]["ratio"], &points[0]["neurons"]), (&1.0.into(), &0.into()));
    assert_eq!(points[7]["ratio"], 0.01);
    for pair in points.windows(2) {
        assert!(number(&pair[0]["beta"]) > number(&pair[1]["beta"]));
        assert!(number(&pair[0]["objective"]) > number(&pair[1]["objective"]));
    }
    for point in points {
        assert!(number(&point["lower_bound"]) <= number(&point["objective"]));
        assert!(number(&point["relative_gap"]) <= 1e-6);
        assert!((0.0..=1.0).contains(&number(&point["train"]["accuracy"])));
        assert!((0.0..=1.0).contains(&number(&point["holdout"]["accuracy"])));
        assert_eq!(point["stop"], "gap");
    }
    let scores = points.iter().map(|point| number(&point["holdout"]["accuracy"]));
    assert_eq!(number(&object["best"]["accuracy"]), scores.fold(0.0, f64::max));
    has!(object, { "stop": "gap", "n": 1541 });
}

#[test]
fn a_point_is_what_training_at_its_strength_finds() {
    let path = json("path tic-tac-toe --points 5 --patterns 100 --gap 1e-9");
    for point in points(&path) {
        let beta = &point["beta"];
        let train = json(&format!(
            "train tic-tac-toe --method sample --patterns 100 --gap 1e-9 --beta {beta}"
        ));
        let (found, expected) = (number(&train["objective"]), number(&point["objective"]));
        assert!((found - expected).abs() <= 1e-8 * expected, "{found} {expected}");
        assert_eq!(train["train"]["accuracy"], point["train"]["accuracy"]);
    }
}

#[test]
fn numbers_are_scored_by_r2() {
    let object = json("path line --points 5 --intercept");
    let last = &points(&object)[4];
    assert!(number(&last["train"]["r2"]) > 0.99, "{last}");
    assert!(last["train"].get("accuracy").is_none() && last.get("holdout").is_none());
}

#[test]
fn the_table_says_what_it_shows_and_what_to_do_next() {
    run_line("path titanic --points 4 --patterns 100 --holdout 0.25").says(&[
        "/beta_max",
        "neurons",
        "lower bound",
        "held out",
        "Certified",
        "--beta-ratio",
    ]);
    run_line("path titanic --points 4 --patterns 100").says(&["add --holdout"]);
}

#[test]
fn the_csv_file_holds_the_points_with_all_digits() {
    let folder = Folder::new();
    let file = folder.file("path.csv");
    let object =
        json(&format!("path titanic --points 6 --patterns 100 --holdout 0.3 --csv {file}"));
    assert_eq!(object["csv"], file.as_str());
    let mut reader = csv::Reader::from_path(&file).unwrap();
    let header: Vec<String> = reader.headers().unwrap().iter().map(String::from).collect();
    let names = "beta,ratio,neurons,objective,lower_bound,gap,relative_gap,train_accuracy,\
                 holdout_accuracy";
    assert_eq!(header.join(","), names);
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6);
    for (row, point) in rows.iter().zip(points(&object)) {
        for (cell, name) in row.iter().zip(&header[..7]) {
            assert_eq!(cell.parse::<f64>().unwrap(), number(&point[name]), "{name}");
        }
        assert_eq!(row[8].parse::<f64>().unwrap(), number(&point["holdout"]["accuracy"]));
    }
}

#[test]
fn pictures_are_drawn_in_the_format_of_their_name() {
    let folder = Folder::new();
    let draw = |name: &str, more: &str| {
        let file = folder.file(name);
        let args = format!("path titanic --points 5 --patterns 100 {more} --plot");
        let object = json(&format!("{args} {file}"));
        assert_eq!(object["plot"], file.as_str());
        fs::read(file).unwrap()
    };
    let svg = String::from_utf8(draw("path.svg", "--holdout 0.3")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    says(
        &svg,
        &["Coefficients", "Neurons", "Objective", "Accuracy", "held out", ">beta<", ">neurons<"],
    );
    assert!(draw("path.PNG", "").starts_with(b"\x89PNG\r\n"));
    assert_eq!(folder.names(), ["path.PNG", "path.svg"], "nothing is left behind");
    assert_eq!(draw("again.svg", "--holdout 0.3 --threads 1"), svg.as_bytes());
}

#[test]
fn results_do_not_depend_on_threads() {
    let args = "path teacher2 --points 6 --patterns 150 --holdout 0.3 --seed 4";
    assert_eq!(timeless(&format!("{args} --threads 1")), timeless(&format!("{args} --threads 3")));
}

#[test]
fn a_path_that_runs_out_of_time_ends_early_and_says_so() {
    let args = "path tic-tac-toe --patterns 100 --time-limit 0.000001";
    let object = json(args);
    assert!((1..100).contains(&points(&object).len()));
    assert_eq!(object["stop"], "time");
    let ran = run_line(&format!("{args} --gap 1e-6"));
    assert_eq!(ran.code, 1, "the gap was asked for everywhere");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_computed() {
    let folder = Folder::new();
    let file = folder.file("path.csv");
    let line =
        format!("path teacher2 --rows 3000 --patterns 3000 --points 10000 --json --csv {file}");
    let mut running = super::running::Running::start(&line.split_whitespace().collect::<Vec<_>>());
    running.until(|line| line.contains(" of 10000 ") && !line.contains(" 0 of 10000 "));
    running.interrupt();
    let output = running.output();
    assert_eq!(output.status.code(), Some(130));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["stop"], "interrupt");
    let count = points(&object).len();
    assert!((1..10_000).contains(&count));
    assert_eq!(fs::read_to_string(file).unwrap().lines().count(), count + 1);
}
