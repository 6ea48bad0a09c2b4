//! `hardlim train`.

use std::fs;
use std::process::{Command, Stdio};

use super::{Folder, json, number, run, run_line, samples};

#[test]
fn a_newcomer_reads_the_data_the_certificate_and_the_network() {
    let folder = Folder::new();
    let model = folder.file("model.hardlim");
    let ran = run(&["train", "tic-tac-toe", "-o", &model]);
    let text = ran.text(0);
    ran.says(&[
        "expected on new rows: accuracy 9",
        "tic-tac-toe: 958 rows (all distinct), 9 features",
        "target x wins: negative (332) or positive (626)",
        "chosen: neurons of ",
        "logistic loss, beta = ",
        "% of beta_max = ",
        "Certified: no two-layer network built from the sampled patterns is better by more than ",
        "  objective  ",
        "  bound      ",
        "the proof leaves ",
        "  network    ",
        "  training   accuracy ",
        "  time       ",
    ]);
    assert!(text.ends_with(&format!("\nmodel written to {model}\n")));
    assert_eq!(folder.names(), ["model.hardlim"]);
}

#[test]
fn json_is_one_object_with_the_fields_of_the_contract() {
    let object = json("train titanic --method sample --patterns 2000 --beta 10");
    has!(object, {
        "n": 2201, "distinct": 14, "d": 3, "layers": 2, "method": "sample", "loss": "squared",
        "beta": 10.0, "stop": "gap",
    });
    assert!(number(&object["beta_max"]) > 10.0 && number(&object["seconds"]) > 0.0);
    assert!(object["patterns"].as_u64().unwrap() <= 2000);
    assert!(object["neurons"].as_u64().unwrap() <= 14);
    let objective = number(&object["objective"]);
    let certificate = &object["certificate"];
    has!(certificate, {
        "scope": "dictionary", "bound": "dictionary", "layers": 2, "widths": [],
        "max_inputs": null, "input_cost": 0.0, "bias": true, "non_negative": false,
    });
    let claim = certificate["claim"].as_str().expect("a sentence");
    assert!(
        claim.starts_with("no two-layer network built from the sampled patterns is"),
        "{claim}"
    );
    let gap = objective - number(&certificate["lower_bound"]);
    assert_eq!(number(&certificate["gap"]), gap);
    assert!(gap >= 0.0 && number(&certificate["relative_gap"]) <= 1e-6);
    let global = &object["global"];
    has!(global, { "layers": null, "scope": "global", "bound": "complete" });
    assert!(number(&global["lower_bound"]) <= number(&certificate["lower_bound"]));
    assert!(number(&global["relative_gap"]) < 0.05);
    let train = &object["train"];
    assert!(number(&train["loss"]) < objective && number(&train["accuracy"]) > 0.7);
    assert!(object.get("model").is_none() && object.get("holdout").is_none());
}

#[test]
fn two_neurons_are_enough_where_every_dichotomy_is_possible() {
    let folder = Folder::new();
    let wide = folder.write("wide.csv", samples::wide());
    for weights in ["svm", "pi"] {
        let model = folder.file(weights);
        let flags = format!("--method complete --weights {weights} --beta 0.1 -o {model}");
        let object = json(&format!("train {wide} {flags}"));
        has!(object, { "method": "complete", "neurons": 2, "model": model });
        has!(object, { "certificate": { "scope": "global" }, "train": { "accuracy": 1.0 } });
        assert!(number(&object["certificate"]["relative_gap"]) < 1e-12);
        assert_eq!(run(&["certify", &model, &wide]).code, 0);
    }
    run(&["train", &wide, "--beta", "0.1"])
        .says(&["no threshold network of any width or depth is better"]);
    let found = json(&format!("train {wide} --weights sampled"));
    assert_eq!(found["method"], "enumerate");
}

#[test]
fn a_gap_that_is_not_reached_is_exit_code_1_and_the_model_is_there() {
    let folder = Folder::new();
    let model = folder.file("m");
    let sample = "train tic-tac-toe --method sample --gap";
    let object = run_line(&format!("{sample} 0 -o {model} --json")).json(1);
    assert_eq!(object["stop"], "rounds");
    assert!(number(&object["certificate"]["relative_gap"]) > 0.0);
    run(&["certify", &model, "tic-tac-toe"]).text(0);
    run_line(&format!("{sample} 1e-9")).text(0);
}

#[test]
fn the_flag_that_the_hint_names_closes_the_gap() {
    let hint = |line: &str| {
        let ran = run_line(line);
        let (_, rest) = ran.text(0).split_once(" % open; ")?;
        rest.split_once(" gives a network that is proven").map(|(flag, _)| flag.to_owned())
    };
    for line in ["train tic-tac-toe --no-bias", "train tic-tac-toe --inputs 2"] {
        let flag = hint(line).expect("a flag that closes the gap");
        let closed = json(&format!("{line} {flag}"));
        assert!(number(&closed["certificate"]["relative_gap"]) <= 1e-3, "{line} {flag}");
    }
    // No flag closes these gaps.
    for flags in ["--neurons 3", "--average 2", "--bits 2", "--beta 10 --patterns 50"] {
        assert_eq!(hint(&format!("train tic-tac-toe {flags}")), None, "{flags}");
    }
}

#[test]
fn a_network_with_a_gap_did_not_stop_because_of_the_gap() {
    for flags in ["--neurons 3", "--average 2", "--bits 2", "--neurons 4 --max-inputs 1"] {
        let object = json(&format!("train tic-tac-toe {flags}"));
        assert!(number(&object["certificate"]["relative_gap"]) > 0.1, "{flags}: {object}");
        assert_eq!(object["stop"], "done", "{flags}");
    }
}

#[test]
fn a_time_limit_ends_with_the_best_so_far() {
    let folder = Folder::new();
    let model = folder.file("m");
    let line = format!("train tic-tac-toe --time-limit 1e-6 -o {model}");
    assert_eq!(json(&line)["stop"], "time");
    let ran = run_line(&format!("{line} --gap 1e-6"));
    assert!(ran.text(1).contains(" (stopped: time limit)"));
    run(&["certify", &model, "tic-tac-toe"]).text(0);
}

#[test]
fn model_files_depend_on_the_seed_and_not_on_the_threads() {
    let folder = Folder::new();
    let train = |name: &str, seed: &str, threads: &str| {
        let flags = ["--seed", seed, "--threads", threads, "--patterns", "700"];
        fs::read(folder.model(name, "tic-tac-toe", &flags)).unwrap()
    };
    let one = train("one", "7", "1");
    assert_eq!(train("two", "7", "2"), one);
    assert_eq!(train("again", "7", "1"), one);
    assert_ne!(train("other", "8", "1"), one);
    let wide = folder.write("wide.csv", samples::wide());
    let complete = |threads| fs::read(folder.model("c", &wide, &["--threads", threads])).unwrap();
    assert_eq!(complete("1"), complete("2"));
}

#[test]
fn rows_held_out_are_scored_and_the_certificate_is_about_the_others() {
    let folder = Folder::new();
    let table = folder.write("t.csv", samples::labelled(120));
    let model = folder.file("m");
    let line = format!("train {table} --holdout 0.25 --seed 3 -o {model}");
    let object = json(&line);
    has!(object, { "n": 89, "holdout": { "n": 31 } });
    assert!(object["holdout"]["accuracy"].is_number());
    run(&["certify", &model, &table]).text(0);
    run_line(&line).says(&["\n  held out   accuracy "]);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let model = Folder::new();
    let path = model.model("m", "titanic", &[]);
    for arguments in [&["train", "titanic"][..], &["predict", &path, "titanic"], &["datasets"]] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("hardlim"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn neurons_of_few_inputs_say_so() {
    let object = json("train titanic --max-inputs 1 --gap 1e-6");
    has!(object, { "method": "generate", "stop": "gap" });
    let (certificate, global) = (&object["certificate"], &object["global"]);
    has!(certificate, { "max_inputs": 1, "layers": 2, "scope": "global", "bound": "exact" });
    // What is proven over all networks is less.
    has!(global, { "max_inputs": null, "layers": null, "scope": "global", "bound": "complete" });
    assert!(global["lower_bound"].as_f64() < certificate["lower_bound"].as_f64());
    run_line("train titanic --max-inputs 2")
        .says(&["whose neurons read at most 2 inputs is better by more than"]);
}

#[test]
fn a_proof_about_neurons_without_biases_says_so() {
    let line = "train titanic --no-bias --beta 10";
    run_line(line).says(&["without biases is better by more than"]);
    assert_eq!(json(line)["certificate"]["bias"], false);
}

#[test]
fn a_trace_has_a_line_for_each_round_and_a_picture() {
    let folder = Folder::new();
    let (csv, svg) = (folder.file("t.csv"), folder.file("t.svg"));
    run_line(&format!("train titanic --method generate --trace {csv} --plot {svg}")).text(0);
    let text = fs::read_to_string(&csv).unwrap();
    let header = "seconds,round,patterns,neurons,objective,lower_bound,relative_gap\n";
    assert!(text.starts_with(header) && text.lines().count() > 2, "{text}");
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.contains("Objective and lower bound") && drawn.contains("Relative gap"));
}
