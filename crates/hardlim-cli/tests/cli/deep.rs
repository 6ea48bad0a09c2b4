//! `hardlim train` with more than two layers: `--layers`, `--widths`, `--representation`.

use super::{Folder, json, refused, run, run_line};

#[test]
fn sampled_subnetworks_are_certified_over_their_dictionary() {
    let folder = Folder::new();
    let model = folder.file("deep");
    let data = "checkerboard --rows 100";
    let flags = "--method sample --layers 4 --widths 3,2 --patterns 200";
    let object = json(&format!("train {data} {flags} -o {model}"));
    assert_eq!((&object["layers"], &object["method"]), (&4.into(), &"sample".into()));
    assert_eq!(object["widths"], serde_json::json!([3, 2]));
    assert_eq!(object["certificate"]["scope"], "dictionary");
    assert_eq!(object["global"]["bound"], "complete");
    assert!(object["certificate"]["relative_gap"].as_f64().unwrap() <= 1e-6, "{object}");
    assert_eq!(json(&format!("certify {model} {data}"))["holds"], true);
    run_line(&format!("predict {model} {data}")).text(0);
    let ran = run_line(&format!("train {data} {flags}"));
    let words = "of 200 random subnetworks of 4-layer, width-(3, 2) networks";
    assert!(ran.text(0).contains(words), "{}", ran.stdout);
}

#[test]
fn a_representation_is_optimal_over_networks_of_any_depth() {
    let folder = Folder::new();
    for (flags, layers) in [
        ("--representation gaussian", 3),
        ("--representation gaussian --layers 5 --widths 300 --weights pi", 5),
        ("--representation gaussian --layers 4 --widths 400,300 --loss hinge", 4),
        ("--representation staircase --loss logistic", 3),
        ("--layers 3", 3),
    ] {
        let model = folder.file("model");
        let object = json(&format!("train teacher3 {flags} --beta 0.01 -o {model}"));
        assert_eq!((&object["layers"], &object["method"]), (&layers.into(), &"complete".into()));
        assert_eq!(object["widths"].as_array().unwrap().len(), layers - 2, "{object}");
        assert_eq!((&object["neurons"], &object["train"]["accuracy"]), (&2.into(), &1.0.into()));
        let certificate = &object["certificate"];
        assert_eq!(
            (&certificate["scope"], &certificate["bound"]),
            (&"global".into(), &"complete".into())
        );
        assert!(certificate["relative_gap"].as_f64().unwrap() <= 1e-8, "{object}");
        assert_eq!(json(&format!("certify {model} teacher3"))["holds"], true);
        run(&["evaluate", &model, "teacher3"]).text(0);
    }
    let object = json("train titanic --representation staircase");
    assert_eq!(object["representation"], "staircase");
    let ran = run_line("train titanic --representation staircase");
    for words in [
        "the complete program on a staircase: ",
        "thresholds along one direction",
        "no threshold network of any width or depth is better by more than",
        "method complete: on the answers of the representation every dichotomy is possible",
    ] {
        assert!(ran.text(0).contains(words), "{words:?} is not in\n{}", ran.stdout);
    }
}

#[test]
fn layers_alone_choose_a_representation_and_say_why() {
    let object = json("train teacher3 --layers 3");
    assert_eq!(object["representation"], "gaussian");
    let why = "without --widths, on random layers of 1000 neurons every dichotomy is possible";
    assert_eq!(object["auto"], why);
    let object = json("train checkerboard --rows 600 --layers 3");
    assert_eq!(object["representation"], "staircase");
    assert!(object["auto"].as_str().unwrap().contains("may have less than rank 600"), "{object}");
}

#[test]
fn generated_subnetworks_do_better_than_two_layers() {
    let folder = Folder::new();
    let model = folder.file("model");
    let data = "checkerboard --rows 150";
    let two = json(&format!("train {data} --method generate --beta 3"));
    let flags = "--method generate --layers 3 --widths 2 --beta 3";
    let three = json(&format!("train {data} {flags} -o {model}"));
    let objective = |object: &serde_json::Value| object["objective"].as_f64().unwrap();
    assert!(objective(&three) < objective(&two), "{three} {two}");
    assert_eq!((&three["layers"], &three["widths"][0]), (&3.into(), &2.into()));
    assert_eq!((&three["method"], &three["beta_max_exact"]), (&"generate".into(), &false.into()));
    assert_eq!(three["certificate"]["bound"], "complete");
    assert_eq!(json(&format!("certify {model} {data}"))["holds"], true);
    let auto = json(&format!("train {data} --widths 2 --beta 3"));
    assert_eq!(auto["method"], "generate");
    assert!(auto["auto"].as_str().unwrap().contains("deep patterns"), "{auto}");
}

#[test]
fn several_classes_have_a_deep_network_each() {
    let folder = Folder::new();
    let class = |i: usize| ["a", "b", "c"][i * i % 7 % 3];
    let rows: String = (0..30).map(|i| format!("{i},{},{}\n", i * i % 31, class(i))).collect();
    let data = folder.write("three.csv", format!("x1,x2,y\n{rows}"));
    for flags in [
        "--representation staircase",
        "--representation gaussian --widths 200",
        "--method sample --widths 3 --patterns 100",
        "--method generate --widths 2 --beta-ratio 0.2",
    ] {
        let model = folder.file("model");
        let object = json(&format!("train {data} {flags} -o {model}"));
        assert_eq!(
            (&object["layers"], &object["classes"][2]),
            (&3.into(), &"c".into()),
            "{object}"
        );
        assert_eq!(json(&format!("certify {model} {data}"))["holds"], true, "{flags}");
    }
}

#[test]
fn cross_validation_takes_deeper_networks() {
    for flags in ["--representation staircase", "--method sample --widths 2 --patterns 50"] {
        let line = format!("train checkerboard --rows 40 {flags} --cv 3 --cv-points 4");
        assert!(json(&line)["cv"].is_object(), "{flags}");
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (flags, expected) in [
        ("--representation gaussian --method sample", "needs --method complete, not sample"),
        ("--representation gaussian --patterns 10", "needs --method complete, not sample"),
        ("--representation gaussian --layers 2", "--layers 2: --representation gaussian makes 3"),
        ("--representation gaussian --layers 5 --widths 9,9", "found 2"),
        ("--representation gaussian --weights sampled", "--weights sampled"),
        ("--representation gaussian --average 3", "--average needs --method generate and two"),
        (
            "--representation gaussian --widths 3",
            "distinct answers of rank 3, but 5 distinct rows need rank 5",
        ),
        ("--representation staircase --layers 4", "--layers 4: --representation staircase"),
        ("--representation staircase --widths 9", "--widths are not for a staircase"),
        ("--representation staircase --no-bias", "--no-bias: a staircase"),
        ("--representation stairs", "expected one of none, gaussian, staircase"),
        ("--method complete --layers 3", "add --representation gaussian or staircase"),
        ("--method generate --widths 5", "with a width of at most 4; use --method sample"),
        ("--method generate --widths 2,2", "subnetworks of 3 layers"),
        ("--method sample --layers 3", "--layers 3: expected --widths with 1 numbers"),
        (
            "--method sample --widths 2 --tree",
            "--tree is about the layers below the last hidden one: add --widths and --method \
             enumerate",
        ),
        ("--layers 3 --weights sampled", "--weights sampled: on a representation"),
        ("--layers 3 --representation none", "--layers 3: expected --widths with 1 numbers"),
    ] {
        refused(&format!("train line {flags}"), expected);
    }
}

#[test]
fn subnetworks_take_every_choice_of_weights() {
    let folder = Folder::new();
    for choice in ["svm", "center", "sparse", "integer"] {
        let model = folder.file(choice);
        let flags = format!("--method sample --widths 2 --weights {choice} -o {model}");
        let trained = json(&format!("train titanic {flags} --beta 10"));
        let found = json("train titanic --method sample --widths 2 --beta 10");
        assert_eq!(trained["objective"], found["objective"], "{choice}");
        assert_eq!(json(&format!("certify {model} titanic"))["holds"], true, "{choice}");
    }
}
