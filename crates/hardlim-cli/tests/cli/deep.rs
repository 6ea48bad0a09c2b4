//! `hardlim train` with more than two layers: `--layers`, `--widths`, `--representation`.

use super::{Folder, json, number, run, run_line, samples};

#[test]
fn sampled_subnetworks_are_certified_over_their_dictionary() {
    let folder = Folder::new();
    let model = folder.file("deep");
    let data = "checkerboard --rows 100";
    let flags = "--method sample --layers 4 --widths 3,2 --patterns 200";
    let object = json(&format!("train {data} {flags} -o {model}"));
    has!(object, { "layers": 4, "method": "sample", "widths": [3, 2] });
    has!(object, { "certificate": { "scope": "dictionary" }, "global": { "bound": "complete" } });
    assert!(number(&object["certificate"]["relative_gap"]) <= 1e-6, "{object}");
    assert_eq!(json(&format!("certify {model} {data}"))["holds"], true);
    run_line(&format!("predict {model} {data}")).text(0);
    let ran = run_line(&format!("train {data} {flags}"));
    let words = "of 200 random subnetworks of 4-layer, width-(3, 2) networks";
    ran.says(&[words]);
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
        has!(object, { "layers": layers, "method": "complete", "neurons": 2 });
        has!(object, { "train": { "accuracy": 1.0 } });
        has!(object, { "certificate": { "scope": "global", "bound": "complete" } });
        assert_eq!(object["widths"].as_array().unwrap().len(), layers - 2, "{object}");
        assert!(number(&object["certificate"]["relative_gap"]) <= 1e-8, "{object}");
        assert_eq!(json(&format!("certify {model} teacher3"))["holds"], true);
        run(&["evaluate", &model, "teacher3"]).text(0);
    }
    let object = json("train titanic --representation staircase");
    assert_eq!(object["representation"], "staircase");
    run_line("train titanic --representation staircase").says(&[
        "the complete program on a staircase: ",
        "thresholds along one direction",
        "no threshold network of any width or depth is better by more than",
        "method complete: on the answers of the representation every dichotomy is possible",
    ]);
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
fn generation_over_three_layers_ends_for_losses_with_kinks_on_huge_targets() {
    let folder = Folder::new();
    let table = folder.write("huge.csv", samples::huge(60));
    for loss in ["quantile", "absolute"] {
        let flags =
            format!("--loss {loss} --beta-ratio 0.3 --layers 3 --widths 2 --method generate");
        let object = json(&format!("train {table} {flags}"));
        assert!(["gap", "work", "standstill"].contains(&object["stop"].as_str().unwrap()));
        let certificate = &object["certificate"];
        assert!(number(&certificate["lower_bound"]) <= number(&object["objective"]), "{object}");
    }
}
